/* Pictures of any format as R'G'B' in floats, a few pixels at a time, for showing them: black is 0
 * and white 255, as in 8 bits; what lies outside stays outside.
 *
 * Y'CbCr by the matrix and the range that the geometry tells, chroma repeated, as the filter format
 * does it. */
#ifndef RN_RGB_H
#define RN_RGB_H

#include "filters/base/image.h"

/* Pixels at a time. Loops of a constant length are what compilers make vectors of. */
#define RN_RGB_BLOCK 64

struct rn_rgb {
    struct rn_geom geom;
    float scale, offset; /* of luma, gray, and the components of RGB: value = scale * v + offset */
    float red[2], green[3], blue[2]; /* what Cr; Cb and Cr; Cb add, and a constant */
};

/* Prepares for pictures of geom. */
void rn_rgb_init(struct rn_rgb *rgb, const struct rn_geom *geom);

/* From now on the samples low and high are black and white; low != high. Not for Y'CbCr. */
void rn_rgb_window(struct rn_rgb *rgb, double low, double high);

/* Gets R', G' and B' of n pixels (1..RN_RGB_BLOCK) of row y, from column x on, which is even; all
 * places behind them get something. Alpha and imaginary parts are not looked at. */
void rn_rgb_get(const struct rn_rgb *rgb, const struct rn_image *img, int x, int y, int n,
                float out[3][RN_RGB_BLOCK]);

#endif
