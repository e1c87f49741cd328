/* SPDX-License-Identifier: MIT */
/* Kernels: row_float row_float_pairs column_float column_float_pairs row_int row_int_pairs
 * column_int column_int_pairs row_whole row_whole_pairs row_whole_int row_whole_int_pairs
 * column_whole column_whole_pairs row_short row_short_pairs */
#include "pixel.clh"
#include "separable.clh"

/* Matrices that are a column times a row, in two passes: along the rows into 32-bit sums, then
 * along the columns. filters/parts/separable.h says which kernels make which sums. taps: pairs of
 * (offset, weight), with weight an integer or the bits of a float; not int2, because the compiler
 * would split those with vector instructions that the conversions need. In the kernels ..._pairs a
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

/* sums, sum_t: the types of the sums; out, out_t: those of what is stored. first: what `sum` begins
 * with; next: what it becomes with tap i, of the taps `from` and later. */
#define ROW_BY(name, out, out_t, to_out, sums, first, from, next)                                  \
    RN_KERNEL(name)(rn_area area, __global const sample *src, int4 sp, __global out_t *mid,        \
                    int4 mp, __global const int *taps, int ntaps)                                  \
    {                                                                                              \
        RN_EACH_ROW(area, x, y)                                                                    \
        {                                                                                          \
            __global const sample *s = RN_AT(src, sp, x, y);                                       \
            sums sum = first;                                                                      \
            for (int i = from; i < ntaps; i++)                                                     \
                sum = next;                                                                        \
            STORE_SUMS(out, RN_AT(mid, mp, x, y), to_out(sum));                                    \
        }                                                                                          \
    }

#define ROW(name, sums, sum_t, convert, weight, out, out_t, to_out)                                \
    ROW_BY(name, out, out_t, to_out, sums, (sums)(sum_t)0, 0,                                      \
           sum + (sum_t)weight(WEIGHT(i)) * convert(rn_load(s + OFFSET(i))))                       \
    ROW_BY(name##_pairs, out, out_t, to_out, sums,                                                 \
           (sum_t)weight(taps[1]) * convert(rn_load(s)), 1,                                        \
           fused_##sums((sums)(sum_t)weight(WEIGHT(i)),                                            \
                        convert(widen(rn_load(s - OFFSET(i))) + widen(rn_load(s + OFFSET(i)))),    \
                        sum))

#define COLUMN_BY(name, sums, sum_t, first, from, next)                                            \
    RN_KERNEL(name)(rn_area area, __global const sum_t *mid, int4 mp, __global sample *dst,        \
                    int4 dp, __global const int *taps, int ntaps, float scale, float bias,         \
                    float max)                                                                     \
    {                                                                                              \
        RN_EACH_ROW(area, x, y)                                                                    \
        {                                                                                          \
            __global const sum_t *m = RN_AT(mid, mp, x, y);                                        \
            sums sum = first;                                                                      \
            for (int i = from; i < ntaps; i++)                                                     \
                sum = next;                                                                        \
            rn_store(RN_AT(dst, dp, x, y), rn_finish(rn_to_floats(sum), scale, bias, max));        \
        }                                                                                          \
    }

#define COLUMN(name, sums, sum_t, weight)                                                          \
    COLUMN_BY(name, sums, sum_t, (sums)(sum_t)0, 0,                                                \
              sum + (sum_t)weight(WEIGHT(i)) * LOAD_SUMS(sums, m + OFFSET(i) * mp.y))              \
    COLUMN_BY(name##_pairs, sums, sum_t, (sum_t)weight(taps[1]) * LOAD_SUMS(sums, m), 1,           \
              fused_##sums((sums)(sum_t)weight(WEIGHT(i)),                                         \
                           LOAD_SUMS(sums, m - OFFSET(i) * mp.y) +                                 \
                               LOAD_SUMS(sums, m + OFFSET(i) * mp.y),                              \
                           sum))

#define SAME(v) (v)

ROW(row_float, floats, float, rn_to_floats, as_float, floats, float, SAME)
COLUMN(column_float, floats, float, as_float)
ROW(row_int, ints, int, rn_to_ints, , ints, int, SAME)
COLUMN(column_int, ints, int, )

/* From here on every sum and product is an integer below 2^24, which fp32 represents: nothing is
 * rounded, fused or not. */
#pragma OPENCL FP_CONTRACT ON
ROW(row_whole, floats, float, rn_to_floats, as_float, floats, float, SAME)
ROW(row_whole_int, floats, float, rn_to_floats, as_float, ints, int, rn_to_ints)
COLUMN(column_whole, floats, float, as_float)

#if RN_BYTES == 1
/* 16-bit integers halve the cost again; `group` taps at a time are sure to fit them. */
#define ROW_SHORT(name, from, first, tap)                                                          \
    RN_KERNEL(name)(rn_area area, __global const sample *src, int4 sp, __global float *mid,        \
                    int4 mp, __global const int *taps, int ntaps, int group)                       \
    {                                                                                              \
        RN_EACH_ROW(area, x, y)                                                                    \
        {                                                                                          \
            __global const sample *s = RN_AT(src, sp, x, y);                                       \
            floats sum = (floats)0.0f;                                                             \
            shorts part = first;                                                                   \
            int i = from;                                                                          \
            do {                                                                                   \
                const int end = min(i + group, ntaps);                                             \
                for (; i < end; i++)                                                               \
                    part = part + (short_t)WEIGHT(i) * (tap);                                      \
                sum = sum + rn_to_floats(part);                                                    \
                part = (shorts)(short_t)0;                                                         \
            } while (i < ntaps);                                                                   \
            STORE_SUMS(floats, RN_AT(mid, mp, x, y), sum);                                         \
        }                                                                                          \
    }
#define TAP  rn_to_shorts(rn_load(s + OFFSET(i)))
#define PAIR widen(rn_load(s - OFFSET(i))) + widen(rn_load(s + OFFSET(i)))
ROW_SHORT(row_short, 0, (shorts)(short_t)0, TAP)
ROW_SHORT(row_short_pairs, 1, (short_t)taps[1] * rn_to_shorts(rn_load(s)), PAIR)
#endif
