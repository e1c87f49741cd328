#include "pixel.clh"

/* Correlation: out(x, y) = round(scale * sum of weight * in(x + dx, y + dy) + bias). taps: int4
 * (dx, dy, weight, 0), in row-major order; weight is an integer or the bits of a float. The margin
 * of src is filled. Integer sums are exact; float sums are taken in the order of the taps. */

#define CONVOLVE(name, sums, convert, weight_t, weight)                                            \
    __kernel void name(rn_area area, __global const sample *src, int4 sp, __global sample *dst,    \
                       int4 dp, __global const int4 *taps, int ntaps, float scale, float bias,     \
                       float max)                                                                  \
    {                                                                                              \
        RN_EACH_ROW(area, x, y)                                                                    \
        {                                                                                          \
            __global const sample *s = RN_AT(src, sp, x, y);                                       \
            rn_fetch_next(s, RN_AT(dst, dp, x, y));                                                \
            sums sum = (sums)(weight_t)0;                                                          \
            for (int i = 0; i < ntaps; i++)                                                        \
                sum = sum + (weight_t)weight(taps[i].z) *                                          \
                                convert(rn_load(s + taps[i].y * sp.y + taps[i].x));                \
            rn_store(RN_AT(dst, dp, x, y), rn_round(rn_to_floats(sum) * scale + bias, max));       \
        }                                                                                          \
    }

/* The same where scale is 1 and bias an integer: no float at all. */
#define CONVOLVE_EXACT(name, sums, convert, sum_t)                                                 \
    __kernel void name(rn_area area, __global const sample *src, int4 sp, __global sample *dst,    \
                       int4 dp, __global const int4 *taps, int ntaps, int bias, int max)           \
    {                                                                                              \
        RN_EACH_ROW(area, x, y)                                                                    \
        {                                                                                          \
            __global const sample *s = RN_AT(src, sp, x, y);                                       \
            rn_fetch_next(s, RN_AT(dst, dp, x, y));                                                \
            sums sum = (sums)(sum_t)bias;                                                          \
            for (int i = 0; i < ntaps; i++)                                                        \
                sum = sum + (sum_t)taps[i].z * convert(rn_load(s + taps[i].y * sp.y + taps[i].x)); \
            const sums low = (sums)(sum_t)RN_LEAST, high = (sums)(sum_t)max;                       \
            rn_store(RN_AT(dst, dp, x, y), rn_to_samples(rn_clamp(sum, low, high)));               \
        }                                                                                          \
    }

#ifndef RN_LEAST /* floats: all sums are floats */
#define RN_LEAST 0
#endif

CONVOLVE(convolve_int, ints, rn_to_ints, int, )
CONVOLVE(convolve_float, floats, rn_to_floats, float, as_float)
CONVOLVE_EXACT(convolve_exact, ints, rn_to_ints, int)
/* For small weights and 8-bit samples: 255 * sum of |weight| < 2^15. */
CONVOLVE(convolve_short, shorts, rn_to_shorts, short, )
CONVOLVE_EXACT(convolve_exact_short, shorts, rn_to_shorts, short)
