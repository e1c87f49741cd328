/* SPDX-License-Identifier: MIT */
/* Converts pictures for a screen: packed B G R of 8 bits, upright. One thread at a time uses a
 * converter, which has threads of its own for large pictures. */
#pragma once

#include "filters/base/screen.h"
#include "io/pixels/rgb.h"
#include "io/pixels/turn.h"

struct rn_pix_display;

enum rn_pix_transfer { RN_TRANSFER_SDR, RN_TRANSFER_PQ, RN_TRANSFER_HLG };
enum rn_pix_primaries { RN_PRIMARIES_BT709, RN_PRIMARIES_BT2020, RN_PRIMARIES_P3 };

/* How pictures are shown. */
struct rn_pix_viewing {
    struct rn_pix_orient orient;   /* the turn that makes the stored pictures upright */
    bool oblique;                  /* the input asks for a turn by no quarters, which is ignored */
    enum rn_pix_transfer transfer; /* not SDR: see below */
    enum rn_pix_primaries primaries; /* of the source; not BT.709: see below */
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

/* ---- tone.c
 *
 * Shows pictures of high dynamic range, or of other primaries, on a screen of 100 cd/m2 with the
 * primaries of BT.709.
 *
 * PQ (SMPTE ST 2084) becomes light by its EOTF; HLG by the inverse OETF and the OOTF of ITU-R
 * BT.2100 for a display of 1000 cd/m2 (gamma 1.2). The EETF of ITU-R BT.2390 maps brighter light to
 * the screen: in PQ space it keeps values below the knee; above it, a Hermite spline maps the peak
 * of the source to 100 cd/m2. It works on R, G and B separately, so bright colours turn towards
 * white. Black is 0 on both sides. A matrix of ITU-R BT.2087 (or one made in the same way) converts
 * to BT.709. Colours outside BT.709 are mixed with the gray of their luminance, as little as
 * possible. The screen has gamma 2.4 (BT.1886).
 *
 * Without high dynamic range, the signal becomes light by BT.1886 and is converted by the same
 * matrix. Components outside BT.709 are clipped one by one (ITU-R BT.2407, 2), so all other colours
 * keep their values. */

struct rn_pix_tone;

/* peak: of the source, cd/m2, for PQ. Returns 0 or RN_EINTERNAL (logged). av_free() *tone. */
int rn_pix_tone_create(struct rn_pix_tone **tone, enum rn_pix_transfer transfer,
                       enum rn_pix_primaries primaries, double peak);

/* Converts the output of rn_pix_rgb_get to the screen's R'G'B', 0..255, in place. */
void rn_pix_tone_map(const struct rn_pix_tone *tone, float rgb[3][RN_RGB_BLOCK]);
