/* Slices of a stack: which one is shown, where it lies, and steps from one to another. */
#ifndef RN_APP_PLAY_STACKS_SLICES_H
#define RN_APP_PLAY_STACKS_SLICES_H

#include "io/common/stack.h"

/* Zeroed before the first use, but for shown. */
struct rn_play_slices {
    struct rn_io_stack stack;
    bool going;     /* to the frame with the index `wanted` */
    int64_t wanted; /* valid while going */
    int64_t sought; /* the index of the latest seek on the way; -1: none yet */
    int64_t shown;  /* the index at the latest call of rn_play_slices_has_changed */
};

/* The stack; NULL: the input is none. */
static inline const struct rn_io_stack *rn_play_slices_stack(const struct rn_play_slices *slices)
{
    return slices->stack.known ? &slices->stack : NULL;
}

/* Whether the frame on the screen is another one than at the call before. */
static inline bool rn_play_slices_has_changed(struct rn_play_slices *slices, int64_t shown)
{
    bool changed = slices->shown != shown;
    slices->shown = shown;
    return changed;
}

/* Steps by count slices from the pending target or, without one, from the frame with index `shown`.
 */
void rn_play_slices_step(struct rn_play_slices *slices, int64_t shown, int64_t count);

/* Goes to a slice, from 0; if it is not read, to the nearest one. */
void rn_play_slices_go(struct rn_play_slices *slices, int64_t shown, int64_t slice);

/* Drops the pending target. */
void rn_play_slices_stay(struct rn_play_slices *slices);

/* The number of frames to move by, once the frame with index `shown` is on the screen and no seek
 * is pending. 0: the target is reached, or cannot be. */
int64_t rn_play_slices_next(struct rn_play_slices *slices, int64_t shown);

/* Which slice a frame is, for people: "slice 12/771  z = 5.5 mm". Returns buf. */
char *rn_play_slices_describe(const struct rn_play_slices *slices, int64_t index, char *buf,
                              size_t size);

/* Where a sample of the slice is: "12.5 -3 40 mm LPS", or from the first one of the stack: "12.5 3
 * 40 mm". Returns buf, empty where nothing is known. */
char *rn_play_slices_place(const struct rn_play_slices *slices, double x, double y, int64_t slice,
                           char *buf, size_t size);

#endif
