/* SPDX-License-Identifier: MIT */
/* Kernels: convolve_float convolve_int convolve_exact convolve_short convolve_exact_short
 * convolve_whole nine_float nine_int nine_small nine_lines nine_exact */
#include "window.clh"

/* Correlation: out(x, y) = round(scale * sum of weight * in(x + dx, y + dy) + bias). taps: int4
 * (dx, dy, weight, 0), in row-major order; weight is an integer or the bits of a float. The margin
 * of src is filled. Integer sums are exact; float sums are taken in the order of the taps. */

/* first: what `sum` begins with; tap: what tap i adds; result: the samples that it becomes; params:
 * the kernel's last ones, a macro, as NVIDIA's compiler knows none of a variable number of
 * arguments. */
#define CONVOLVE_BY(name, sums, first, tap, result, params)                                        \
    RN_KERNEL(name)(rn_area area, RN_PLANES, __global const int4 *taps, int ntaps, params)         \
    {                                                                                              \
        RN_EACH_ROW(area, x, y)                                                                    \
        {                                                                                          \
            __global const sample *s = RN_AT(src, sp, x, y);                                       \
            rn_fetch_next(s, RN_AT(dst, dp, x, y));                                                \
            sums sum = first;                                                                      \
            for (int i = 0; i < ntaps; i++)                                                        \
                sum = sum + tap;                                                                   \
            rn_store(RN_AT(dst, dp, x, y), result);                                                \
        }                                                                                          \
    }
#define TAPPED rn_load(s + taps[i].y * sp.y + taps[i].x)
#define SCALED   float scale, float bias, float max
#define UNSCALED int bias, int max

#define CONVOLVE(name, sums, convert, weight_t, weight)                                            \
    CONVOLVE_BY(name, sums, (sums)(weight_t)0, (weight_t)weight(taps[i].z) * convert(TAPPED),      \
                rn_finish(rn_to_floats(sum), scale, bias, max), SCALED)

/* The same where scale is 1 and bias an integer: no float at all. */
#define CONVOLVE_EXACT(name, sums, convert, sum_t)                                                 \
    CONVOLVE_BY(name, sums, (sums)(sum_t)bias, (sum_t)taps[i].z * convert(TAPPED),                 \
                EXACT(sum, sums, sum_t), UNSCALED)
#define EXACT(sum, sums, sum_t)                                                                    \
    rn_to_samples(rn_clamp(sum, (sums)(sum_t)RN_LEAST, (sums)(sum_t)max))

CONVOLVE(convolve_float, floats, rn_to_floats, float, as_float)
#if !RN_IS_FLOAT /* all sums of which are floats */
CONVOLVE(convolve_int, ints, rn_to_ints, int, )
CONVOLVE_EXACT(convolve_exact, ints, rn_to_ints, int)
#endif
#if RN_BYTES == 1
/* For small weights: 255 * sum of |weight| < 2^15. */
CONVOLVE(convolve_short, shorts, rn_to_shorts, short_t, )
CONVOLVE_EXACT(convolve_exact_short, shorts, rn_to_shorts, short_t)
#endif

#if RN_BY_INDEX
/* GPUs, up to 3x3: above, here, below are the rows of the matrix, 0 where it has none. */
#define NINE(sum, near, weight_t, weight)                                                          \
    TAP(sum, near, weight_t, weight(above.x), -1, -1)                                              \
    TAP(sum, near, weight_t, weight(above.y), 0, -1)                                               \
    TAP(sum, near, weight_t, weight(above.z), 1, -1)                                               \
    TAP(sum, near, weight_t, weight(here.x), -1, 0)                                                \
    TAP(sum, near, weight_t, weight(here.y), 0, 0)                                                 \
    TAP(sum, near, weight_t, weight(here.z), 1, 0)                                                 \
    TAP(sum, near, weight_t, weight(below.x), -1, 1)                                               \
    TAP(sum, near, weight_t, weight(below.y), 0, 1)                                                \
    TAP(sum, near, weight_t, weight(below.z), 1, 1)
/* 0 times infinity is not 0, so taps of 0 are left out. */
#if RN_IS_FLOAT
#define TAP(sum, near, weight_t, weight, dx, dy)                                                   \
    if (weight != 0)                                                                               \
        sum = sum + (weight_t)weight * near(dx, dy);
#else
#define TAP(sum, near, weight_t, weight, dx, dy)                                                   \
    sum = sum + (weight_t)weight * near(dx, dy);
#endif

#define near_ints(dx, dy) rn_to_ints(rn_near(dx, dy))

#define CONVOLVE9_BY(name, sums, first, near, weight_t, weight, result, params)                    \
    RN_KERNEL(name)(rn_area area, RN_PLANES, int2 edge, int4 above, int4 here, int4 below,         \
                    params)                                                                        \
    {                                                                                              \
        RN_EACH_WINDOW(area, src, sp, edge, x, y)                                                  \
        {                                                                                          \
            sums sum = first;                                                                      \
            NINE(sum, near, weight_t, weight)                                                      \
            rn_put(RN_AT(dst, dp, x, y), result);                                                  \
        }                                                                                          \
    }
#define CONVOLVE9(name, sums, near, to_float, weight_t, weight)                                    \
    CONVOLVE9_BY(name, sums, (sums)(weight_t)0, near, weight_t, weight,                            \
                 rn_round(to_float(sum) * scale + bias, max), SCALED)

#if !RN_IS_FLOAT
CONVOLVE9(nine_int, ints, near_ints, rn_to_floats, int, )
CONVOLVE9(nine_small, ints, near_ints, rn_small_to_floats, int, )
CONVOLVE9_BY(nine_exact, ints, (ints)bias, near_ints, int, , EXACT(sum, ints, int), UNSCALED)
#endif
CONVOLVE9(nine_float, floats, rn_near_floats, rn_to_floats, float, as_float)

/* A column times a row, in fp32. */
RN_KERNEL(nine_lines)(rn_area area, RN_PLANES, int2 edge, float4 column, float4 row, float scale,
                      float bias, float max)
{
#define LINE(sum, weight, dy)                                                                      \
    if (weight != 0) {                                                                             \
        floats line = (floats)0.0f;                                                                \
        if (row.x != 0)                                                                            \
            line = line + row.x * rn_near_floats(-1, dy);                                          \
        if (row.y != 0)                                                                            \
            line = line + row.y * rn_near_floats(0, dy);                                           \
        if (row.z != 0)                                                                            \
            line = line + row.z * rn_near_floats(1, dy);                                           \
        sum = sum + weight * line;                                                                 \
    }
    RN_EACH_WINDOW(area, src, sp, edge, x, y)
    {
        floats sum = (floats)0.0f;
        LINE(sum, column.x, -1)
        LINE(sum, column.y, 0)
        LINE(sum, column.z, 1)
        rn_put(RN_AT(dst, dp, x, y), rn_round(sum * scale + bias, max));
    }
}
#endif

/* Every sum and product is an integer below 2^24, which fp32 represents: nothing is rounded, fused
 * or not. CPUs multiply floats faster than 32-bit integers. Last in the file, for the pragma. */
#if !RN_IS_FLOAT
#pragma OPENCL FP_CONTRACT ON
CONVOLVE(convolve_whole, floats, rn_to_floats, float, as_float)
#endif
