/* SPDX-License-Identifier: MIT */
/* How the frame on the screen is presented: the window and level of its samples, the filtered
 * picture as a mask over the source, and the two fields of interlaced frames: woven, both at once,
 * or bobbed, each for half the frame's time, with the lines between its own interpolated. */
#pragma once

#include "io/pixels/display.h"

struct rn_play;
struct rn_ui_event;

/* ---- window_level.c: window and level: the values that the preview shows black and white. A scan
 * has the window that its file names, or else the range of most samples of the slices seen so far.
 * A picture to which the chain gave other values, such as a mask or edges, has a window of its own.
 * The mouse sets a window for any input of more than 8 bits. */

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

/* Adds a picture before and after the chain to the range. anew: restarts it for a changed chain. */
void rn_play_window_level_look(struct rn_play_window_level *w, const struct rn_image *in,
                               const struct rn_image *out, bool anew);

/* The samples to be shown black and white, of the original or filtered side; geom: its geometry. */
void rn_play_window_level_get(const struct rn_play_window_level *w, const struct rn_geom *geom,
                              bool original, double window[2]);

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

/* ---- mask.c: the filtered picture taken as a mask, and drawn in a colour over the source.
 *
 * Of video and images a sample above the middle between black and white is in the mask; of a scan
 * any that is neither 0 nor black, which is below 0 for signed samples and may be for floats. Of
 * Y'CbCr luma counts, of RGB any of the three; NaN is in no mask. */

#define RN_MASK_STEP 10 /* percent of opacity */

/* Zeroed before the first use. */
struct rn_play_mask {
    bool on;
    int opacity; /* percent; 0: the default, 50 */
};

/* What shows pictures of one geometry with a mask over them. Zeroed before the first use. */
struct rn_play_mask_view {
    struct rn_pix_display *display; /* of the source; NULL: none yet */
    struct rn_geom geom;            /* that it is for */
    uint8_t *set, *turned;          /* a byte for each pixel of a picture: in the mask or not */
    uint8_t *pixels;                /* B G R 0 */
};

/* Changes the opacity by so many steps, from 10 % to 100 %; at first it is 50 %. Returns it. */
int rn_play_mask_change(struct rn_play_mask *mask, int steps);

/* Can out be a mask over in: has it the same size? */
bool rn_play_mask_fits(const struct rn_geom *in, const struct rn_geom *out);

/* Says for n pixels of row y, from the first one on, whether they are in the mask: 1 or 0. */
void rn_play_mask_row(const struct rn_image *out, int y, int n, uint8_t *set);

/* Shows out over in, which it fits, upright. window: of in, the samples that are shown black and
 * white. Fills screen, which is valid until the next call. Returns 0 or RN_EINTERNAL (logged). */
int rn_play_mask_show(const struct rn_play_mask *mask, struct rn_play_mask_view *view,
                      const struct rn_image *in, const struct rn_image *out,
                      const struct rn_pix_viewing *viewing, const double window[2],
                      struct rn_screen *screen);

void rn_play_mask_view_free(struct rn_play_mask_view *view);

/* ---- presentation.c */

/* Takes the window of a new input, without a mask. */
void rn_play_presentation_begin(struct rn_play *p);

/* The window and level, as they are. */
const struct rn_play_window_level *rn_play_window_level(const struct rn_play *p);

/* Fits the window of a scan to the frame on the screen; anew: the chain may have changed. */
void rn_play_fit_window(struct rn_play *p, bool anew);

/* Changes the window and level as the mouse event says; resets them. */
void rn_play_drag_window(struct rn_play *p, const struct rn_ui_event *event);
void rn_play_reset_window(struct rn_play *p);

/* Shows a mask over the source, or not; changes its opacity by steps. Both report what is not
 * possible. */
void rn_play_toggle_mask(struct rn_play *p);
void rn_play_change_mask(struct rn_play *p, int steps);

/* The mask that is shown in place of the filtered picture; NULL: none is. */
const struct rn_play_mask *rn_play_shown_mask(const struct rn_play *p);

/* Makes the picture with the mask. Returns 0 or an error (logged). */
int rn_play_show_mask(struct rn_play *p, struct rn_screen *to);

/* Bobs or weaves, and reports it; whether it bobs. */
void rn_play_toggle_bob(struct rn_play *p);
bool rn_play_bobs(const struct rn_play *p);

/* The lines of the frame on the screen that are visible now. */
enum rn_pix_lines_shown rn_play_visible_lines(struct rn_play *p);

/* Shows the second field when its time has come; *wait: shortened until then. */
void rn_play_next_field(struct rn_play *p, double *wait);
