/* SPDX-License-Identifier: MIT */
/* How much two pictures of one geometry differ, in the usual figures.
 *
 * PSNR is 10 log10(peak^2 / MSE) in dB. Sums over integer samples are exact. The peak of integers
 * is the largest distance of two values of their format, 2^depth - 1, whatever the range of the
 * video; that of floats the range that the samples of the first picture cover. Over all planes MSE
 * and SSIM are the means over the planes weighted by their samples. Samples that are NaN or
 * infinite in either picture do not count.
 *
 * SSIM (Wang, Bovik, Sheikh and Simoncelli, 2004) has the form that FFmpeg's filter ssim computes,
 * so that the two can be compared: windows of 8 x 8 samples, 4 apart in both directions, all of one
 * weight, K1 = 0.01, K2 = 0.03; the variances are those of samples (divided by 63), and C1 is 1/64
 * of (K1 peak)^2. The samples right of and below the last whole block of 4 x 4 do not count. It is
 * the mean over all windows, at most 1, which is that of equal planes; NAN where none fits in, or
 * none is without NaN or infinite samples. */
#pragma once

#include "io/pixels/display.h"

#define RN_FIGURES_BINS 64

struct rn_play_figures_plane {
    double mse, psnr; /* psnr: HUGE_VAL for equal samples; NAN: none to compare, or no peak */
    double ssim;      /* NAN: smaller than one window, or no peak */
    double max;       /* largest distance of two samples */
};

struct rn_play_figures {
    int planes;
    struct rn_play_figures_plane plane[RN_MAX_PLANES], all;
    double peak;
    int64_t samples, differing; /* of one picture, all planes; those of other values, NaN counts */
    /* Of the distances of all planes but alpha: RN_FIGURES_BINS equal parts of 0 to a limit, which
     * the last one goes beyond. */
    uint64_t bins[RN_FIGURES_BINS];
};

/* Whether two pictures can be compared: they have one size and format. */
bool rn_play_figures_fit(const struct rn_geom *a, const struct rn_geom *b);

/* Measures the pictures a and b. limit: of the histogram, a distance of samples, > 0. Returns 0 or
 * RN_EINTERNAL (logged). */
int rn_play_figures_measure(struct rn_play_figures *figures, const struct rn_image *a,
                            const struct rn_image *b, double limit);

/* The number of planes without alpha. */
int rn_play_figures_shown(const struct rn_format *fmt);

/* Makes a picture of the differences of two pictures of one geometry, for the eye. It has 8 bits,
 * full range and the geometry that rn_play_figures_geom gives. 0 stands for equal samples, 255 for
 * a difference of `limit` or more; chroma starts at 128. NaN counts as 0. Returns 0 or RN_EINTERNAL
 * (logged). */
void rn_play_figures_geom(const struct rn_geom *geom, struct rn_geom *shown);
int rn_play_figures_picture(const struct rn_image *a, const struct rn_image *b, double limit,
                            struct rn_image *to);

/* The same on the screen. Zeroed before the first use. */
struct rn_play_distance_view {
    struct rn_pix_display *display; /* NULL: none yet */
    struct rn_image image;
};

/* Makes it from a and b, of one geometry, for rn_pix_display_show. limit: the difference that is
 * white, above 0. viewing: used by the first call, and whenever the geometry changes. Returns 0 or
 * RN_EINTERNAL (logged). */
int rn_play_distance_view_make(struct rn_play_distance_view *view, const struct rn_image *a,
                               const struct rn_image *b, double limit,
                               const struct rn_pix_viewing *viewing);

void rn_play_distance_view_free(struct rn_play_distance_view *view);
