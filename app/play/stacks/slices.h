/* SPDX-License-Identifier: MIT */
/* Slices of a stack: which one is shown, where it lies, and steps from one to another. */
#pragma once

#include "io/common/stack.h"

struct rn_play_slices;

/* Begins with the stack of another input, copied; its `known` tells whether it is one. */
void rn_play_slices_begin(struct rn_play_slices *slices, const struct rn_io_stack *stack);

/* The stack; NULL: the input is none. */
const struct rn_io_stack *rn_play_slices_stack(const struct rn_play_slices *slices);

/* The frame that was on the screen last, 0 before the first one. */
int64_t rn_play_slices_shown(const struct rn_play_slices *slices);

/* Whether the frame on the screen is another one than at the call before. */
bool rn_play_slices_has_changed(struct rn_play_slices *slices, int64_t shown);

/* Steps by count slices from the pending target or, without one, from the frame with index `shown`.
 */
void rn_play_slices_step(struct rn_play_slices *slices, int64_t shown, int64_t count);

/* Steps by points in time at the same slice, likewise. Returns the index of the target. */
int64_t rn_play_slices_step_time(struct rn_play_slices *slices, int64_t shown, int64_t count);

/* Goes to a slice, from 0; if it is not read, to the nearest one. */
void rn_play_slices_go(struct rn_play_slices *slices, int64_t shown, int64_t slice);

/* Drops the pending target. */
void rn_play_slices_stay(struct rn_play_slices *slices);

/* The number of frames to move by, once the frame with index `shown` is on the screen and no seek
 * is pending. 0: the target is reached, or cannot be. */
int64_t rn_play_slices_next(struct rn_play_slices *slices, int64_t shown);

/* Which slice and time a frame is, for people: "slice 12/771  z = 5.5 mm  time 2/5  2.5 s". Returns
 * buf. */
char *rn_play_slices_describe(const struct rn_io_stack *stack, int64_t index, char *buf,
                              size_t size);

/* Where a sample of the slice is: "12.5 -3 40 mm LPS", or from the first one of the stack: "12.5 3
 * 40 mm". Returns buf, empty where nothing is known. stack: NULL: none. */
char *rn_play_slices_place(const struct rn_io_stack *stack, double x, double y, int64_t slice,
                           char *buf, size_t size);
