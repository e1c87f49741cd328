/* SPDX-License-Identifier: MIT */
/* Window and level: the values that the preview shows black and white. A scan has the window that
 * its file names, or else the range of most samples of the slices seen so far. A picture to which
 * the chain gave other values, such as a mask or edges, has a window of its own. The mouse sets a
 * window for any input of more than 8 bits. */
#pragma once

#include "filters/base/image.h"

struct rn_pix_display;

struct rn_play_spread {
    bool known;
    double low, high; /* samples */
};

struct rn_play_window_level {
    bool of_file; /* file holds what the file names */
    double file[2];
    struct rn_play_spread in, out; /* of the pictures seen */
    bool keeps;                    /* the chain keeps values: both sides are shown alike */
    struct {
        bool on; /* for pictures in this format */
        struct rn_format fmt;
        double window[2]; /* samples */
    } set[2];             /* by hand, of the filtered side and the original */
    double began[2];      /* the window when the mouse began to change it */
};

/* Whether a picture of geom has a window of a scan. Video and 8-bit scans are shown whole. */
bool rn_play_window_level_fits(const struct rn_geom *geom);

/* Whether the mouse can set a window for it. */
bool rn_play_window_level_can(const struct rn_geom *geom);

/* Adds a picture before and after the chain to the range. anew: the chain has changed, so the range
 * restarts. */
void rn_play_window_level_look(struct rn_play_window_level *w, const struct rn_image *in,
                               const struct rn_image *out, bool anew);

/* The samples to be shown black and white, of the original or the filtered side, whose geometry is
 * geom. */
void rn_play_window_level_get(const struct rn_play_window_level *w, const struct rn_geom *geom,
                              bool original, double window[2]);

/* Takes what the file names and what was set by hand from another window. */
void rn_play_window_level_adopt(struct rn_play_window_level *w,
                                const struct rn_play_window_level *from);

/* Sets the window of what shows such a picture, if it can have one. */
void rn_play_window_level_apply(const struct rn_play_window_level *w,
                                struct rn_pix_display *display, const struct rn_geom *geom,
                                bool original);

/* The window for people: "-160..240 HU, of the file"; "" unless it is of a scan, or set by the
 * mouse. Returns buf. */
char *rn_play_window_level_range(const struct rn_play_window_level *w, const struct rn_geom *geom,
                                 bool original, char *buf, size_t size);

/* ---- by hand */

/* Starts a drag, and continues it, in widths to the right and heights down of the output from its
 * start. To the right the window widens, 16 times in a whole width. Downwards its middle rises, by
 * twice the window at the start in a whole height. */
void rn_play_window_level_begin(struct rn_play_window_level *w, const struct rn_geom *geom,
                                bool original);
void rn_play_window_level_drag(struct rn_play_window_level *w, const struct rn_geom *geom,
                               bool original, double right, double down);

/* Drops the window that the mouse has set. */
void rn_play_window_level_clear(struct rn_play_window_level *w);

/* Width and middle, in the unit if there is one: "window 400 level 40 HU". */
char *rn_play_window_level_describe(const struct rn_play_window_level *w,
                                    const struct rn_geom *geom, bool original, char *buf,
                                    size_t size);
