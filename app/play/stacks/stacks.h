/* SPDX-License-Identifier: MIT */
/* Stacks in the player: steps from slice to slice, and three views. */
#pragma once

#include "io/common/stack.h"
#include "io/read/source.h"

struct rn_app_session;
struct rn_play;
struct rn_play_jobs;
struct rn_play_mask;
struct rn_play_slices;
struct rn_play_three;
struct rn_play_window_level;
struct rn_ui_event;
struct rn_ui_scene;

/* ---- which slice is shown, where it lies, and steps from one to another */

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

/* ---- three.c: three views of a stack, each across the others: the slice that is shown, and the
 * planes along its rows and its columns through all slices, with a cross where they meet. Slices of
 * the planes come from a sweep with the current settings, as they are done; missing ones are dark.
 *
 * The planes have a slice in each row. Where the patient's sides are known, panes are mirrored as
 * radiologists have them. */

/* Shows three views, or one; whether three are shown. */
void rn_play_three_toggle(struct rn_play_three *three);
bool rn_play_three_is_on(const struct rn_play_three *three);

/* Puts the cross at a sample that was pointed at in pane 0..2. Returns the slice to go to, or -1:
 * the one that is shown stays. */
int64_t rn_play_three_point(struct rn_play_three *three, int pane, int x, int y);

/* Moves the cross by count samples along the normal of pane 1 or 2. */
void rn_play_three_step(struct rn_play_three *three, const struct rn_geom *geom, int pane,
                        int count);

/* The column and the row of the cross in the slices. */
void rn_play_three_cross(const struct rn_play_three *three, int *x, int *y);

/* The images of the plane in pane 1 or 2, filtered and source; *at: the sample of slice y of the
 * stack at x, y of its picture. NULL: that slice is missing. */
const struct rn_image *rn_play_three_sample(const struct rn_play_three *three, int pane, int x,
                                            int y, int at[2]);

/* The files of filters have changed: the planes begin anew. */
void rn_play_three_renew(struct rn_play_three *three);

/* Continues to fill the planes, with the current settings and frames of the stack of `shown`.
 * jobs: open runners. *drawn: the planes are to be drawn again; *busy: there is more to do.
 * Returns 0 or an error that ends all (logged); a failing input does not, and is in the note. */
int rn_play_three_work(struct rn_play_three *three, struct rn_app_session *session,
                       struct rn_play_jobs *jobs, const struct rn_io_stack *stack,
                       const struct rn_frame *shown, bool *drawn, bool *busy);

/* How the planes are to be drawn. */
struct rn_play_three_look {
    const struct rn_play_window_level *scan;
    const struct rn_play_mask *mask; /* NULL: none */
    int gain;     /* of the differences that are shown in place of filtered pictures; 0: none */
    double limit; /* the distance that is white then (compare.h) */
    bool source;
};

/* Fills the scene but for the picture of pane 0; index: of the frame that is shown there, readout:
 * a text of it, for the note. draws: the pictures, too. Returns 0 or RN_EINTERNAL (logged). */
int rn_play_three_show(struct rn_play_three *three, const struct rn_play_three_look *look,
                       const struct rn_io_stack *stack, int64_t index, const char *readout,
                       bool draws, struct rn_ui_scene *scene);

/* ---- for the player */

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
