/* SPDX-License-Identifier: MIT */
/* Stacks in the player: steps from slice to slice (slices.h), and three views (three.h). */
#pragma once

#include "io/read/source.h"

struct rn_ui_event;
struct rn_play;

/* Goes as many slices on as the event says, or moves the cross of the views along the normal of the
 * one that is meant; three views of it, or one; moves the cross to where the event is. */
void rn_play_step_slices(struct rn_play *p, const struct rn_ui_event *event);
void rn_play_toggle_three(struct rn_play *p);
void rn_play_cross(struct rn_play *p, const struct rn_ui_event *event);

/* Goes as many points in time on, at the same slice. Returns the index of that frame; -1: the input
 * has not several. */
int64_t rn_play_step_time(struct rn_play *p, int count);

/* Goes to a place that was typed (rn_play_place): in a stack numbers are those of slices. Returns
 * false, and says so, if it is none. */
bool rn_play_go_to(struct rn_play *p, const char *text);

/* Continues to the pending slice, if there is one. */
void rn_play_go_to_slice(struct rn_play *p);

/* Detects whether the input is a stack, which starts paused. */
void rn_play_look_at_stack(struct rn_play *p);

/* Continues to fill the three views; *wait as for rn_play_advance. */
int rn_play_work_three(struct rn_play *p, double *wait);

/* A place in the input as people type it: 90, 1:30.5 or 150f, as --from takes it; with a sign it is
 * as far from where they are. */
struct rn_play_place {
    int direction; /* 0: counted from the beginning; 1: from here on; -1: back */
    bool number;   /* nothing but a whole number: seconds, or of a stack slices, as time.frame */
    struct rn_io_time time;
};

/* Returns false if text is none. */
bool rn_play_place_parse(const char *text, struct rn_play_place *place);
