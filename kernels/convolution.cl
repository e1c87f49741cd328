#include "pixel.clh"

/* Correlation: out(x, y) = round(scale * sum of weight * in(x + dx, y + dy) + bias).
 * taps: int4 (dx, dy, weight, 0), the weight an integer or the bits of a float, in row-major order.
 * The margin of src is filled. Sums are exact in integers; in floats they are taken in the order of
 * the taps. */

#define CONVOLVE(name, sums, convert, weight_t, weight)                                            \
    __kernel void name(int4 area, __global const sample *src, int4 sp, __global sample *dst,       \
                       int4 dp, __global const int4 *taps, int ntaps, float scale, float bias,     \
                       float max)                                                                  \
    {                                                                                              \
        RN_EACH_ROW(area, x, y)                                                                    \
        {                                                                                          \
            __global const sample *s = RN_AT(src, sp, x, y);                                       \
            sums sum = (sums)(weight_t)0;                                                          \
            for (int i = 0; i < ntaps; i++)                                                        \
                sum = sum + (weight_t)weight(taps[i].z) *                                          \
                                convert(rn_load(s + taps[i].y * sp.y + taps[i].x));                \
            rn_store(RN_AT(dst, dp, x, y), rn_round(rn_to_floats(sum) * scale + bias, max));       \
        }                                                                                          \
    }

/* The same where scale is 1 and bias an integer: no float at all. */
#define CONVOLVE_EXACT(name, sums, convert, sum_t)                                                 \
    __kernel void name(int4 area, __global const sample *src, int4 sp, __global sample *dst,       \
                       int4 dp, __global const int4 *taps, int ntaps, int bias, int max)           \
    {                                                                                              \
        RN_EACH_ROW(area, x, y)                                                                    \
        {                                                                                          \
            __global const sample *s = RN_AT(src, sp, x, y);                                       \
            sums sum = (sums)(sum_t)bias;                                                          \
            for (int i = 0; i < ntaps; i++)                                                        \
                sum = sum + (sum_t)taps[i].z * convert(rn_load(s + taps[i].y * sp.y + taps[i].x)); \
            const sums low = (sums)(sum_t)0, high = (sums)(sum_t)max;                              \
            rn_store(RN_AT(dst, dp, x, y), rn_to_samples(rn_clamp(sum, low, high)));               \
        }                                                                                          \
    }

CONVOLVE(convolve_int, ints, rn_to_ints, int, )
CONVOLVE(convolve_float, floats, rn_to_floats, float, as_float)
CONVOLVE_EXACT(convolve_exact, ints, rn_to_ints, int)
#if RN_BYTES == 1
/* For small weights: 255 * sum of |weight| < 2^15. */
CONVOLVE(convolve_short, shorts, rn_to_shorts, short, )
CONVOLVE_EXACT(convolve_exact_short, shorts, rn_to_shorts, short)
#endif

/* Separable matrices: a pass along the rows into sums of 32 bits, one along the columns. */
#if RN_CLANG && RN_WIDTH > 1
#define LOAD_SUMS(T, p)     (*(const __global T##_anywhere *)(p))
#define STORE_SUMS(T, p, v) (*(__global T##_anywhere *)(p) = (v))
#elif RN_WIDTH > 1
#define LOAD_SUMS(T, p)     RN_CAT(vload, RN_WIDTH)(0, p)
#define STORE_SUMS(T, p, v) RN_CAT(vstore, RN_WIDTH)(v, 0, p)
#else
#define LOAD_SUMS(T, p)     (*(p))
#define STORE_SUMS(T, p, v) (*(p) = (v))
#endif

#define PASSES(kind, sums, sum_t, convert, weight)                                                 \
    __kernel void row_##kind(int4 area, __global const sample *src, int4 sp, __global sum_t *mid,  \
                             int4 mp, __global const int4 *taps, int ntaps)                        \
    {                                                                                              \
        RN_EACH_ROW(area, x, y)                                                                    \
        {                                                                                          \
            __global const sample *s = RN_AT(src, sp, x, y);                                       \
            sums sum = (sums)(sum_t)0;                                                             \
            for (int i = 0; i < ntaps; i++)                                                        \
                sum = sum + (sum_t)weight(taps[i].z) * convert(rn_load(s + taps[i].x));            \
            STORE_SUMS(sums, RN_AT(mid, mp, x, y), sum);                                           \
        }                                                                                          \
    }                                                                                              \
    __kernel void column_##kind(int4 area, __global const sum_t *mid, int4 mp,                     \
                                __global sample *dst, int4 dp, __global const int4 *taps,          \
                                int ntaps, float scale, float bias, float max)                     \
    {                                                                                              \
        RN_EACH_ROW(area, x, y)                                                                    \
        {                                                                                          \
            __global const sum_t *m = RN_AT(mid, mp, x, y);                                        \
            sums sum = (sums)(sum_t)0;                                                             \
            for (int i = 0; i < ntaps; i++)                                                        \
                sum = sum + (sum_t)weight(taps[i].z) * LOAD_SUMS(sums, m + taps[i].y * mp.y);      \
            rn_store(RN_AT(dst, dp, x, y), rn_round(rn_to_floats(sum) * scale + bias, max));       \
        }                                                                                          \
    }

PASSES(int, ints, int, rn_to_ints, )
PASSES(float, floats, float, rn_to_floats, as_float)
