/* The structural similarity of two pictures (Wang, Bovik, Sheikh and Simoncelli, 2004), in the form
 * that FFmpeg's filter ssim computes, so that the two can be compared: windows of 8 x 8 samples, 4
 * apart in both directions, all of one weight, K1 = 0.01, K2 = 0.03; the variances are those of
 * samples (divided by 63), and C1 is 1/64 of (K1 peak)^2. The samples right of and below the last
 * whole block of 4 x 4 do not count. */
#ifndef RN_APP_PLAY_VIEW_SSIM_H
#define RN_APP_PLAY_VIEW_SSIM_H

#include "filters/base/image.h"

/* *ssim: the mean over all windows of two planes of one size, at most 1, which is that of equal
 * planes; NAN where none fits in, or none is without NaN or infinite samples. sample: of both;
 * least: the smallest value of their format, taken as 0; peak: the largest distance of two values,
 * > 0. Returns 0 or RN_EINTERNAL (logged). */
int rn_play_ssim(const struct rn_plane *a, const struct rn_plane *b, enum rn_sample sample,
                 double least, double peak, double *ssim);

#endif
