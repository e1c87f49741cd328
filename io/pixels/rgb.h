/* SPDX-License-Identifier: MIT */
/* Converts pictures of any format to R'G'B' in floats, a few pixels at a time. Black is 0 and white
 * 255, as in 8 bits; values outside are not clipped. The screen and the encoders of R'G'B' use it,
 * so both get the same colours.
 *
 * Y'CbCr is converted with the matrix and the range of its geometry. Subsampled chroma is
 * interpolated linearly; the outermost samples are repeated beyond the edges. */
#pragma once

#include "filters/base/image.h"

/* Pixels at a time: compilers vectorize loops of a constant length. */
#define RN_RGB_BLOCK 256

/* Where samples of chroma lie among the luma samples that they cover, across and down. */
enum rn_pix_site { RN_SITE_FIRST, RN_SITE_BETWEEN, RN_SITE_LAST };
struct rn_pix_siting {
    enum rn_pix_site x, y;
};

/* The siting of untagged 4:2:0 and 4:2:2: at the left luma sample, between the lines (ITU-T H.264
 * and H.265, E.2.1: chroma_sample_loc_type_top_field is inferred to be 0; MPEG-2 has no other). */
#define RN_SITING_LEFT ((struct rn_pix_siting){RN_SITE_FIRST, RN_SITE_BETWEEN})

struct rn_pix_rgb {
    struct rn_geom geom;
    struct rn_pix_siting siting;
    float scale, offset; /* of luma, gray, and the components of RGB: value = scale * v + offset */
    float red[2], green[3], blue[2]; /* factors of Cr; Cb and Cr; Cb; then a constant */
};

/* Prepares for pictures of geom. siting: of Y'CbCr. */
void rn_pix_rgb_init(struct rn_pix_rgb *rgb, const struct rn_geom *geom,
                     struct rn_pix_siting siting);

/* The samples of luma, gray or components of RGB that are black and white without a window. */
void rn_pix_rgb_whole(const struct rn_geom *geom, double window[2]);

/* Makes the samples low and high black and white; low != high. In Y'CbCr they are samples of luma,
 * and chroma gets the same contrast. */
void rn_pix_rgb_window(struct rn_pix_rgb *rgb, double low, double high);

/* Gets R', G' and B' of n pixels (1..RN_RGB_BLOCK) of row y, from column x on, which is even; the
 * rest of out is undefined. by_field: chroma of even and odd lines does not mix, if the fields
 * share it evenly. Alpha and imaginary parts are ignored. */
void rn_pix_rgb_get(const struct rn_pix_rgb *rgb, const struct rn_image *img, bool by_field, int x,
                    int y, int n, float out[3][RN_RGB_BLOCK]);
