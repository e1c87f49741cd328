/* SPDX-License-Identifier: MIT */
/* Kernels: row_float column_float row_int column_int row_whole row_whole_int column_whole
 * row_short */
#include "pixel.clh"
#include "separable.clh"

/* Matrices that are a column times a row, in two passes: along the rows into 32-bit sums, then
 * along the columns. filters/parts/separable.h says which kernels make which sums. taps: pairs of
 * (offset, weight), with weight an integer or the bits of a float; not int2, because the compiler
 * would split those with vector instructions that the conversions need. Where `pairs` says so, a
 * tap stands for the samples at -offset and +offset, which are added first, and taps[0] for the
 * middle one. */
#if RN_BY_INDEX /* aligned, like every row */
#define LOAD_SUMS(T, p)     (*(const __global T *)(p))
#define STORE_SUMS(T, p, v) (*(__global T *)(p) = (v))
#else
#define LOAD_SUMS(T, p)     rn_get(T, __global, p)
#define STORE_SUMS(T, p, v) rn_set(T, __global, p, v)
#endif

#pragma OPENCL FP_CONTRACT ON
FUSED(fused_floats, floats, RN_WIDTH)
#pragma OPENCL FP_CONTRACT OFF
#define fused_ints(a, b, c) ((a) * (b) + (c))

/* Samples of a row, and sums of a column, whose rows are `at` apart. */
#define ALONG(vectors, i) rn_load(p + (i))
#define DOWN(vectors, i)  LOAD_SUMS(vectors, p + (i) * at)
#define ROW_SUM(name, sums, sum_t, convert, weight, fused)                                         \
    SUM(name, __global const sample *, int, sums, sum_t, widen, convert, weight, fused, ALONG)
#define COLUMN_SUM(name, sums, sum_t, weight, fused)                                               \
    SUM(name, __global const sum_t *, int, sums, sum_t, SAME, SAME, weight, fused, DOWN)

/* sum: the function that sums; out, out_t: the types of what is stored. */
#define ROW(name, sum, out, out_t, to_out)                                                         \
    RN_KERNEL(name)(rn_area area, __global const sample *src, int4 sp, __global out_t *mid,        \
                    int4 mp, __global const int *taps, int ntaps, int pairs, int group)            \
    {                                                                                              \
        RN_EACH_ROW(area, x, y)                                                                    \
            STORE_SUMS(out, RN_AT(mid, mp, x, y),                                                  \
                       to_out(sum(RN_AT(src, sp, x, y), 1, taps, ntaps, pairs, group)));           \
    }

#define COLUMN(name, sum, sum_t)                                                                   \
    RN_KERNEL(name)(rn_area area, __global const sum_t *mid, int4 mp, __global sample *dst,        \
                    int4 dp, __global const int *taps, int ntaps, int pairs, float scale,          \
                    float bias, float max)                                                         \
    {                                                                                              \
        RN_EACH_ROW(area, x, y)                                                                    \
            rn_store(RN_AT(dst, dp, x, y),                                                         \
                     rn_finish(rn_to_floats(sum(RN_AT(mid, mp, x, y), mp.y, taps, ntaps, pairs,    \
                                                0)),                                               \
                               scale, bias, max));                                                 \
    }

ROW_SUM(sum_row_float, floats, float, rn_to_floats, as_float, fused_floats)
ROW(row_float, sum_row_float, floats, float, SAME)
COLUMN_SUM(sum_column_float, floats, float, as_float, fused_floats)
COLUMN(column_float, sum_column_float, float)
ROW_SUM(sum_row_int, ints, int, rn_to_ints, , fused_ints)
ROW(row_int, sum_row_int, ints, int, SAME)
COLUMN_SUM(sum_column_int, ints, int, , fused_ints)
COLUMN(column_int, sum_column_int, int)

/* From here on every sum and product is an integer below 2^24, which fp32 represents: nothing is
 * rounded, fused or not. */
#pragma OPENCL FP_CONTRACT ON
ROW_SUM(sum_row_whole, floats, float, rn_to_floats, as_float, fused_floats)
ROW(row_whole, sum_row_whole, floats, float, SAME)
ROW(row_whole_int, sum_row_whole, ints, int, rn_to_ints)
COLUMN_SUM(sum_column_whole, floats, float, as_float, fused_floats)
COLUMN(column_whole, sum_column_whole, float)

#if RN_BYTES == 1 /* 16-bit integers halve the cost again */
SUM_SHORT(sum_row_short, __global const sample *, int, floats, rn_to_floats, shorts, short_t, widen,
          ALONG)
ROW(row_short, sum_row_short, floats, float, SAME)
#endif
