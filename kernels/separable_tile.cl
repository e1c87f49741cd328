#include "pixel.clh"
#include "separable.clh"
#include "tile.clh"

/* The two passes of separable.cl in one launch, for work-items with fast private memory (CPUs): one
 * of them walks down a tile. The sums along its last rows stay in its private memory until the
 * columns have used them, so no plane of sums goes through the caches. The order of every sum is
 * that of separable.cl. filters/parts/tile.h chooses the tile.
 *
 * taps: (taps of the row, of the column; the furthest of each). tile: (columns, a multiple of
 * LANES; rows; whether the row's taps are pairs, the column's). group: see sum_short. */
/* Lanes of the vectors in private memory: several registers hide each other's latency. */
#if RN_CLANG && RN_WIDTH > 1
#define PARTS RN_BYTES
#define LANES (PARTS * RN_WIDTH)
typedef float wide_float __attribute__((ext_vector_type(LANES)));
typedef int wide_int __attribute__((ext_vector_type(LANES)));
typedef short wide_short __attribute__((ext_vector_type(LANES)));
typedef wide_short wide_short_anywhere __attribute__((aligned(2)));
typedef shorts shorts_anywhere __attribute__((aligned(2)));
typedef wide_float wide_float_anywhere __attribute__((aligned(4)));
typedef wide_int wide_int_anywhere __attribute__((aligned(4)));
#define LOAD(T, p)            (*(const __private wide_##T##_anywhere *)(p))
#define STORE(T, p, v)        (*(__private wide_##T##_anywhere *)(p) = (v))
#define to_wide_float(v)      __builtin_convertvector(v, wide_float)
#define to_wide_int(v)        __builtin_convertvector(v, wide_int)
#define STORE_NARROW(T, p, v) (*(__private T##s_anywhere *)(p) = (v))
#else
#define PARTS      1
#define LANES      RN_WIDTH
#define wide_float floats
#define wide_int   ints
#define wide_short shorts
#if LANES == 1
#define LOAD(T, p)     (*(p))
#define STORE(T, p, v) (*(p) = (v))
#else
#define LOAD(T, p)     RN_CAT(vload, RN_WIDTH)(0, p)
#define STORE(T, p, v) RN_CAT(vstore, RN_WIDTH)(v, 0, p)
#endif
#define to_wide_float(v)      rn_to_floats(v)
#define to_wide_int(v)        rn_to_ints(v)
#define STORE_NARROW(T, p, v) STORE(T, p, v)
#endif

/* A row of n samples as numbers, n >= RN_WIDTH: the last vector may overlap the one before it. */
#define NUMBERS(T)                                                                                 \
    RN_INLINE void numbers_##T(__global const sample *s, int n, T *line)                           \
    {                                                                                              \
        for (int x = 0; x < n; x += RN_WIDTH) {                                                    \
            const int at = min(x, n - RN_WIDTH);                                                   \
            STORE_NARROW(T, line + at, rn_to_##T##s(rn_load(s + at)));                             \
        }                                                                                          \
    }
NUMBERS(float)
NUMBERS(int)
#if RN_BYTES == 1
NUMBERS(short)
#endif

/* The sum at p; taps are `step` apart. */
#define SUM(name, T, weight)                                                                       \
    RN_INLINE wide_##T name(const T *p, int step, __global const int *taps, int ntaps, bool pairs, \
                            int group)                                                             \
    {                                                                                              \
        wide_##T sum = (wide_##T)(T)0;                                                             \
        if (pairs) {                                                                               \
            sum = (T)weight(taps[1]) * LOAD(T, p);                                                 \
            for (int i = 1; i < ntaps; i++) {                                                      \
                const int at = OFFSET(i) * step;                                                   \
                sum = sum + (T)weight(WEIGHT(i)) * (LOAD(T, p - at) + LOAD(T, p + at));            \
            }                                                                                      \
        } else {                                                                                   \
            for (int i = 0; i < ntaps; i++)                                                        \
                sum = sum + (T)weight(WEIGHT(i)) * LOAD(T, p + OFFSET(i) * step);                  \
        }                                                                                          \
        return sum;                                                                                \
    }

#if RN_BYTES == 1
/* The same with integers of 16 bits: `group` taps at a time are sure to fit them. */
RN_INLINE wide_float sum_short(const short *p, int step, __global const int *taps, int ntaps,
                               bool pairs, int group)
{
    wide_float sum = (wide_float)0.0f;
    wide_short part = (wide_short)(short)0;
    if (pairs)
        part = (short)taps[1] * LOAD(short, p);
    for (int i = pairs; i < ntaps;) {
        for (const int end = min(i + group, ntaps); i < end; i++) {
            const int at = OFFSET(i) * step;
            if (pairs)
                part = part + (short)WEIGHT(i) * (LOAD(short, p - at) + LOAD(short, p + at));
            else
                part = part + (short)WEIGHT(i) * LOAD(short, p + at);
        }
        sum = sum + to_wide_float(part);
        part = (wide_short)(short)0;
    }
    return ntaps > 1 || !pairs ? sum : to_wide_float(part);
}
#endif

/* Writes the samples of a vector of sums, of which n belong to the picture. */
#define PUT(i, part)                                                                               \
    if (n > (i) * RN_WIDTH)                                                                        \
        rn_store(d + (i) * RN_WIDTH, finish(part, scale, bias, max))
RN_INLINE void put(wide_float sum, int n, float scale, float bias, float max, __global sample *d)
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

/* The ring holds each row twice, `size` sums apart: so the rows of every column are in order. */
#define TILE(name, T_line, T, row, column)                                                         \
    __kernel void name(__global const sample *src, int4 sp, __global sample *dst, int4 dp,         \
                       __global const int *row_taps, __global const int *column_taps, int4 taps,   \
                       int4 tile, int group, float scale, float bias, float max)                   \
    {                                                                                              \
        LINE T_line line[RN_TILE_COLUMNS + 2 * RN_TILE_REACH + LANES];                             \
        LINE T ring[RN_TILE_SUMS];                                                                 \
        const int left = (int)get_global_id(0) * tile.x, top = (int)get_global_id(1) * tile.y;     \
        const int rows = min(tile.y, sp.w - top), wanted = min(tile.x, sp.z - left);               \
        if (rows <= 0 || wanted <= 0)                                                              \
            return;                                                                                \
        const int columns = (wanted + LANES - 1) / LANES * LANES;                                  \
        const int width = (wanted + RN_WIDTH - 1) / RN_WIDTH * RN_WIDTH + 2 * taps.z;              \
        const int size = (2 * taps.w + 1) * columns;                                               \
        for (int x = width; x < columns + 2 * taps.z; x += LANES)                                  \
            STORE(T_line, line + x, (wide_##T_line)(T_line)0);                                     \
        T *next = ring;                                                                            \
        for (int y = top - taps.w; y < top + rows + taps.w; y++) {                                 \
            __global const sample *s = RN_AT(src, sp, left - taps.z, y);                           \
            __global sample *d = RN_AT(dst, dp, left, y - taps.w);                                 \
            FETCH(s + AHEAD * sp.y, width, 0);                                                     \
            FETCH(d + AHEAD * dp.y, wanted, 1);                                                    \
            numbers_##T_line(s, width, line);                                                      \
            for (int x = 0; x < columns; x += LANES) {                                             \
                const wide_##T sum =                                                               \
                    to_wide_##T(row(line + taps.z + x, 1, row_taps, taps.x, tile.z, group));       \
                STORE(T, next + x, sum);                                                           \
                STORE(T, next + size + x, sum);                                                    \
            }                                                                                      \
            next += columns;                                                                       \
            if (y >= top + taps.w)                                                                 \
                for (int x = 0; x < columns; x += LANES)                                           \
                    put(to_wide_float(column(next + taps.w * columns + x, columns, column_taps,    \
                                             taps.y, tile.w, 0)),                                  \
                        wanted - x, scale, bias, max, d + x);                                      \
            next = next == ring + size ? ring : next;                                              \
        }                                                                                          \
    }

SUM(sum_float, float, as_float)
SUM(sum_int, int, )
TILE(tile_float, float, float, sum_float, sum_float)
TILE(tile_int, int, int, sum_int, sum_int)

/* From here on every sum and product is an integer below 2^24, which fp32 represents: nothing is
 * rounded, fused or not. */
#pragma OPENCL FP_CONTRACT ON
SUM(sum_whole, float, as_float)
TILE(tile_whole, float, float, sum_whole, sum_whole)
TILE(tile_whole_int, float, int, sum_whole, sum_int)
#if RN_BYTES == 1
TILE(tile_short, short, float, sum_short, sum_whole)
#endif
