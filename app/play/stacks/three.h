/* SPDX-License-Identifier: MIT */
/* Three views of a stack, each across the others: the slice that is shown, and the planes along its
 * rows and its columns through all slices, with a cross where they meet. Slices of the planes come
 * from a sweep (sweep.h) with the current settings, as they are done; missing ones are dark.
 *
 * The planes have a slice in each row. Where the patient's sides are known, panes are mirrored as
 * radiologists have them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct rn_app_session;
struct rn_frame;
struct rn_geom;
struct rn_image;
struct rn_io_stack;
struct rn_play_mask;
struct rn_play_window_level;
struct rn_play_three;
struct rn_play_jobs;
struct rn_ui_scene;

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
    double limit; /* the distance that is white then (figures.h) */
    bool source;
};

/* Fills the scene but for the picture of pane 0; index: of the frame that is shown there, readout:
 * a text of it, for the note. draws: the pictures, too. Returns 0 or RN_EINTERNAL (logged). */
int rn_play_three_show(struct rn_play_three *three, const struct rn_play_three_look *look,
                       const struct rn_io_stack *stack, int64_t index, const char *readout,
                       bool draws, struct rn_ui_scene *scene);
