/* SPDX-License-Identifier: MIT */
/* Stacks in the player: steps from slice to slice, and three views. */
#pragma once

#include "io/common/stack.h"
#include "io/read/source.h"

struct rn_play;
struct rn_play_slices;
struct rn_play_three;
struct rn_ui_event;
struct rn_ui_scene;

/* ---- which slice is shown, where it lies, and steps from one to another */

/* Begins with the stack of another input, copied; its `known` tells whether it is one. */
void rn_play_slices_begin(struct rn_play_slices *slices, const struct rn_io_stack *stack);

/* The stack; NULL: the input is none. */
const struct rn_io_stack *rn_play_slices_stack(const struct rn_play_slices *slices);

/* Whether the frame on the screen is another one than at the call before. */
bool rn_play_slices_has_changed(struct rn_play_slices *slices, int64_t shown);

/* Steps by count slices from the pending target or, without one, from the frame `shown` (index). */
void rn_play_slices_step(struct rn_play_slices *slices, int64_t shown, int64_t count);

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

/* Shows three views of a stack, or one, and says so; whether three are shown. */
void rn_play_toggle_three(struct rn_play *p);
bool rn_play_three_is_on(const struct rn_play_three *three);

/* Moves the cross to the event, and goes to the slice there. The second function moves it by as
 * many samples as the event says along the normal of the plane that is meant; false: none is. */
void rn_play_cross(struct rn_play *p, const struct rn_ui_event *event);
bool rn_play_step_cross(struct rn_play *p, const struct rn_ui_event *event);

/* The images of the plane in pane 1 or 2, filtered and source; *at: the sample of slice y of the
 * stack at x, y of its picture. NULL: that slice is missing. */
const struct rn_image *rn_play_three_sample(const struct rn_play_three *three, int pane, int x,
                                            int y, int at[2]);

/* The files of filters have changed: the planes begin anew. */
void rn_play_three_renew(struct rn_play_three *three);

/* Continues to fill the planes, with the current settings and slices of the kind that is shown;
 * *wait as for rn_play_advance. Returns 0 or an error that ends all (logged); a failing input does
 * not, and is in the note. */
int rn_play_work_three(struct rn_play *p, double *wait);

/* Fills the scene but for the picture of pane 0. draws: the pictures, too. Returns 0 or
 * RN_EINTERNAL (logged). */
int rn_play_three_show(const struct rn_play *p, bool draws, struct rn_ui_scene *scene);

/* ---- for the player */

/* Goes as many slices on as the event says, or moves the cross (rn_play_step_cross). */
void rn_play_step_slices(struct rn_play *p, const struct rn_ui_event *event);

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

/* A place in the input as people type it: 90, 1:30.5 or 150f, as --from takes it; with a sign it is
 * as far from where they are. */
struct rn_play_place {
    int direction; /* 0: counted from the beginning; 1: from here on; -1: back */
    bool number;   /* nothing but a whole number: seconds, or of a stack slices, as time.frame */
    struct rn_io_time time;
};

/* Returns false if text is none. */
bool rn_play_place_parse(const char *text, struct rn_play_place *place);

/* ---- reslice.c: two planes across a stack, filled slice after slice: along the rows (one row of
 * every slice) and along the columns (one column of every slice), of the source and of the filtered
 * pictures. Slice k is row k of both. Samples are those of the slices, at full depth; chroma is
 * repeated, so that the planes have it for every pixel.
 *
 * All slices are kept, so that other planes can be had at once, where they take no more memory than
 * RN_RESLICE_MAX; else the planes alone, and others have to be filled anew. */

#define RN_RESLICE_MAX ((int64_t)256 << 20) /* bytes */

enum rn_play_across { RN_ACROSS_ROWS, RN_ACROSS_COLUMNS };

/* Zeroed before the first use. */
struct rn_play_reslice {
    struct rn_geom geom[2]; /* of the slices: filtered, source */
    int n;                  /* slices; 0: not begun */
    int at[2];              /* the planes: RN_ACROSS_ROWS at this row, RN_ACROSS_COLUMNS, column */
    bool *has;              /* the slices that were put */
    int filled;             /* how many these are */
    struct rn_image plane[2][2]; /* [enum rn_play_across][0 filtered, 1 source] */
    struct rn_image *kept;       /* 2 of each slice; NULL: they are not kept */
};

/* Begins anew, empty, for n slices of these geometries. most: the bytes that slices may take.
 * Returns 0, RN_EUSAGE (logged: there are too many) or RN_EINTERNAL. */
int rn_play_reslice_begin(struct rn_play_reslice *r, const struct rn_geom *out,
                          const struct rn_geom *in, int64_t n, int64_t most);

/* Moves the planes to row y and column x. Returns whether they have what they had: false where
 * they were emptied, as slices are not kept. */
bool rn_play_reslice_aim(struct rn_play_reslice *r, int x, int y);

/* Forgets all slices. */
void rn_play_reslice_empty(struct rn_play_reslice *r);

/* Puts a slice, of these geometries. Returns 0 or RN_EINTERNAL (logged). */
int rn_play_reslice_put(struct rn_play_reslice *r, int slice, const struct rn_image *out,
                        const struct rn_image *in);

void rn_play_reslice_free(struct rn_play_reslice *r);
