/* SPDX-License-Identifier: MIT */
/* Converts pictures for a screen: packed B G R of 8 bits, upright. One thread at a time uses a
 * converter, which has threads of its own for large pictures. */
#pragma once

#include "filters/base/screen.h"
#include "io/pixels/tone.h"
#include "io/pixels/turn.h"

struct rn_pix_display;

/* How pictures are shown. */
struct rn_pix_viewing {
    struct rn_pix_orient orient;   /* the turn that makes the stored pictures upright */
    bool oblique;                  /* the input asks for a turn by no quarters, which is ignored */
    enum rn_pix_transfer transfer; /* not SDR: see tone.h */
    enum rn_pix_primaries primaries; /* of the source; not BT.709: see tone.h */
    double peak;                     /* of PQ: the brightest light of the content, in cd/m2 */
    struct rn_pix_siting siting;     /* of chroma */
};

#define RN_VIEWING_PLAIN ((struct rn_pix_viewing){.orient = RN_UPRIGHT, .siting = RN_SITING_LEFT})

/* Which lines of a picture are shown: all, or those of one field with their means in between. */
enum rn_pix_lines_shown { RN_SHOW_ALL, RN_SHOW_EVEN, RN_SHOW_ODD };

/* Makes a converter for pictures of geom. Returns 0 or RN_EINTERNAL (logged). */
int rn_pix_display_create(struct rn_pix_display **display, const struct rn_geom *geom,
                          const struct rn_pix_viewing *viewing);

/* The same, unless *display shows pictures of this geometry; another one is destroyed first. */
int rn_pix_display_fit(struct rn_pix_display **display, const struct rn_geom *geom,
                       const struct rn_pix_viewing *viewing);
void rn_pix_display_destroy(struct rn_pix_display **display);

/* Sets the window of a scan: shows the sample `low` black and `high` white; low != high. Only for
 * pictures of more than 8 bits. At first the window is that of rn_pix_rgb_whole. In Y'CbCr, low and
 * high are samples of luma. High dynamic range is windowed before tone mapping. */
void rn_pix_display_window(struct rn_pix_display *display, double low, double high);

/* Chooses the lines that are shown: at first all. by_field: see rn_pix_rgb_get; at first false. */
void rn_pix_display_fields(struct rn_pix_display *display, bool by_field,
                           enum rn_pix_lines_shown lines);

/* Shows means of by x by samples from now on, at first of 1: for a picture that moves and is made
 * smaller anyway, much faster. Not those of fields and floats. */
void rn_pix_display_reduce(struct rn_pix_display *display, int by);

/* Estimates the 0.5 and 99.5 percentiles of the samples, from thousands of them; alpha, NaN and
 * infinity do not count. Returns false if no sample counts or memory runs out. */
bool rn_pix_display_percentiles(const struct rn_image *img, double *low, double *high);

/* Converts img, which has the geometry given to create, and fills screen. The display owns its
 * pixels, which are valid until the next call.
 *
 * Conversion is exact but for rounding to 8 bits. Deeper samples are rounded with an ordered
 * dither, the same for every picture. The encoders of R'G'B' write the same colours (rgb.h). High
 * dynamic range is within two levels of its equations. */
void rn_pix_display_show(struct rn_pix_display *display, const struct rn_image *img,
                         struct rn_screen *screen);
