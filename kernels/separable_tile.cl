/* SPDX-License-Identifier: MIT */
#include "pixel.clh"
#include "separable.clh"
#include "tile.clh"

/* The two passes of separable.cl in one launch, for work-items with fast private memory (CPUs): one
 * of them walks down a tile. The sums along its last rows stay in its private memory until the
 * columns have used them, so no plane of sums goes through the caches. The order of every sum is
 * that of separable.cl. filters/parts/tile.h chooses the tile.
 *
 * taps: (taps of the row, of the column; the furthest of each). tile: (columns, a multiple of
 * LANES; rows; whether the row's taps are pairs, the column's). group: see SUM_SHORT. */
/* Lanes of the vectors in private memory: several registers hide each other's latency. */
#if RN_CLANG && RN_WIDTH > 1
#define PARTS RN_BYTES
#define LANES (PARTS * RN_WIDTH)
typedef float wide_float __attribute__((ext_vector_type(LANES)));
typedef int wide_int __attribute__((ext_vector_type(LANES)));
typedef short wide_short __attribute__((ext_vector_type(LANES)));
RN_ANYWHERE(wide_float, float)
RN_ANYWHERE(wide_int, int)
RN_ANYWHERE(wide_short, short)
RN_ANYWHERE(shorts, short)
#define to_wide_float(v)      __builtin_convertvector(v, wide_float)
#define to_wide_int(v)        __builtin_convertvector(v, wide_int)
#else
#define PARTS      1
#define LANES      RN_WIDTH
#define wide_float floats
#define wide_int   ints
#define wide_short shorts
#define to_wide_float(v)      rn_to_floats(v)
#define to_wide_int(v)        rn_to_ints(v)
#endif
#define LOAD(vectors, p)     rn_get(vectors, __private, p)
#define STORE(vectors, p, v) rn_set(vectors, __private, p, v)

/* A row of n samples as numbers, n >= RN_WIDTH: the last vector may overlap the one before it.
 * Rows are `stride` apart. */
#define NUMBERS(T)                                                                                 \
    RN_INLINE void numbers_##T(__global const sample *s, int stride, int n, T *line)               \
    {                                                                                              \
        for (int x = 0; x < n; x += RN_WIDTH) {                                                    \
            const int at = min(x, n - RN_WIDTH);                                                   \
            rn_fetch(s + AHEAD * stride + at, 0);                                                  \
            rn_set(T##s, __private, line + at, rn_to_##T##s(rn_load(s + at)));                     \
        }                                                                                          \
    }
NUMBERS(float)
NUMBERS(int)
#if RN_BYTES == 1
NUMBERS(short)
#endif

#pragma OPENCL FP_CONTRACT ON
FUSED(fused_float, wide_float, LANES)
#pragma OPENCL FP_CONTRACT OFF
#define fused_int(a, b, c) ((a) * (b) + (c))

/* Samples of a row; sums of a column, whose rows begin at p + at[dy]. */
#define ALONG(vectors, i) LOAD(vectors, p + (i))
#define DOWN(vectors, i)  LOAD(vectors, p + at[i])
#define TILE_SUM(name, T, weight, LOAD_AT)                                                         \
    SUM(name, const T *, const int *, wide_##T, T, SAME, SAME, weight, fused_##T, LOAD_AT)

/* Where the ring's rows are that a column reads, after `taken` rows were taken: those of the last
 * `side`. rows: that of the column's middle. */
RN_INLINE void place(int taken, int side, int columns, int *rows)
{
    int slot = taken % side;
    for (int dy = -(side / 2); dy <= side / 2; dy++) {
        rows[dy] = slot * columns;
        slot = slot == side - 1 ? 0 : slot + 1;
    }
}

/* Writes the samples of a vector of sums, of which n belong to the picture. That times 1 plus 0 is
 * the sum itself, but for a zero's sign. */
#if RN_IS_FLOAT
#define PLAIN false
#else
#define PLAIN (scale == 1.0f && bias == 0.0f)
#endif
#define PUT(i, part)                                                                               \
    if (n > (i) * RN_WIDTH) {                                                                      \
        rn_fetch(d + AHEAD * stride + (i) * RN_WIDTH, 1);                                          \
        rn_store(d + (i) * RN_WIDTH,                                                               \
                 PLAIN ? rn_round(part, max) : rn_finish(part, scale, bias, max));                 \
    }
RN_INLINE void put(wide_float sum, int n, float scale, float bias, float max, int stride,
                   __global sample *d)
{
#if PARTS == 1
    PUT(0, sum);
#elif PARTS == 2
    PUT(0, sum.lo);
    PUT(1, sum.hi);
#else
    PUT(0, sum.lo.lo);
    PUT(1, sum.lo.hi);
    PUT(2, sum.hi.lo);
    PUT(3, sum.hi.hi);
#endif
}

#define TILE(name, T_line, T, row, column)                                                         \
    __kernel void name(RN_PLANES, __global const int *row_taps, __global const int *column_taps,   \
                       int4 taps, int4 tile, int group, float scale, float bias, float max)        \
    {                                                                                              \
        LINE T_line line[RN_TILE_COLUMNS + 2 * RN_TILE_REACH + LANES];                             \
        LINE T ring[RN_TILE_SUMS];                                                                 \
        int rows_at[2 * RN_TILE_REACH + 1];                                                        \
        const int left = (int)get_global_id(0) * tile.x, top = (int)get_global_id(1) * tile.y;     \
        const int rows = min(tile.y, sp.w - top), wanted = min(tile.x, sp.z - left);               \
        if (rows <= 0 || wanted <= 0)                                                              \
            return;                                                                                \
        const int columns = (wanted + LANES - 1) / LANES * LANES, side = 2 * taps.w + 1;           \
        const int width = (wanted + RN_WIDTH - 1) / RN_WIDTH * RN_WIDTH + 2 * taps.z;              \
        for (int x = width; x < columns + 2 * taps.z; x += LANES)                                  \
            STORE(wide_##T_line, line + x, (wide_##T_line)(T_line)0);                              \
        for (int i = 0; i < rows + 2 * taps.w; i++) {                                              \
            const int y = top + i - taps.w;                                                        \
            __global const sample *s = RN_AT(src, sp, left - taps.z, y);                           \
            __global sample *d = RN_AT(dst, dp, left, y - taps.w);                                 \
            T *next = ring + i % side * columns;                                                   \
            numbers_##T_line(s, sp.y, width, line);                                                \
            for (int x = 0; x < columns; x += LANES)                                               \
                STORE(wide_##T, next + x,                                                          \
                      to_wide_##T(row(line + taps.z + x, 0, row_taps, taps.x, tile.z, group)));    \
            if (i < 2 * taps.w)                                                                    \
                continue;                                                                          \
            place(i + 1, side, columns, rows_at + taps.w);                                         \
            for (int x = 0; x < columns; x += LANES)                                               \
                put(to_wide_float(column(ring + x, rows_at + taps.w, column_taps, taps.y, tile.w,  \
                                         0)),                                                      \
                    wanted - x, scale, bias, max, dp.y, d + x);                                    \
        }                                                                                          \
    }

TILE_SUM(row_float, float, as_float, ALONG)
TILE_SUM(column_float, float, as_float, DOWN)
TILE_SUM(row_int, int, , ALONG)
TILE_SUM(column_int, int, , DOWN)
TILE(tile_float, float, float, row_float, column_float)
TILE(tile_int, int, int, row_int, column_int)

/* Few pairs, whose offsets are 0, 1, .. n - 1, without loops over them: they cost as much as the
 * sums do. */
#define DENSE_SUM(name, n, LOAD_AT)                                                                \
    RN_INLINE wide_float name(const float *p, const int *at, __global const int *taps, int ntaps,  \
                              bool pairs, int group)                                               \
    {                                                                                              \
        wide_float sum = as_float(taps[1]) * LOAD_AT(wide_float, 0);                               \
        _Pragma("unroll") for (int i = 1; i < (n); i++)                                            \
            sum = fused_float((wide_float)as_float(WEIGHT(i)),                                     \
                              LOAD_AT(wide_float, -i) + LOAD_AT(wide_float, i), sum);              \
        return sum;                                                                                \
    }
#define DENSE(n)                                                                                   \
    DENSE_SUM(row_dense_##n, n, ALONG)                                                             \
    DENSE_SUM(column_dense_##n, n, DOWN)                                                           \
    TILE(tile_dense_##n, float, float, row_dense_##n, column_dense_##n)
DENSE(3)
DENSE(5)
DENSE(7)
DENSE(9)

/* From here on every sum and product is an integer below 2^24, which fp32 represents: nothing is
 * rounded, fused or not. */
#pragma OPENCL FP_CONTRACT ON
TILE_SUM(row_whole, float, as_float, ALONG)
TILE_SUM(column_whole, float, as_float, DOWN)
TILE(tile_whole, float, float, row_whole, column_whole)
TILE(tile_whole_int, float, int, row_whole, column_int)
#if RN_BYTES == 1
SUM_SHORT(row_short, const short *, const int *, wide_float, to_wide_float, wide_short, short, SAME,
          ALONG)
TILE(tile_short, short, float, row_short, column_whole)
#endif
