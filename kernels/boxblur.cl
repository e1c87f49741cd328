/* SPDX-License-Identifier: MIT */
/* Kernels: columns rows nine tile */
#define RN_VIEW RN_VIEW_BITS
#include "window.clh"
#include "tile.clh"

/* Signed samples as if 32768 were added: their top bit turned. */
#if RN_SAMPLE == RN_SAMPLE_S16
#define rn_load_box(p)   (rn_load(p) ^ (samples)(sample)0x8000)
#define unbias(v)        ((v) ^ 0x8000u)
#define near_box(dx, dy) (rn_near(dx, dy) ^ 0x8000)
#define unbias_near(v)   ((v) ^ 0x8000)
#else
#define rn_load_box(p)   rn_load(p)
#define unbias(v)        (v)
#define near_box(dx, dy) rn_near(dx, dy)
#define unbias_near(v)   (v)
#endif

/* Running sums: down the columns, giving sums of 2 * radius + 1 samples, then along the rows of
 * those sums. All are unsigned, so intermediate overflow cancels out. */
#if RN_BYTES == 1
#define SUM ushort /* 255 * 255 at most */
#else
#define SUM uint
#endif
typedef SUM sum_t;
typedef RN_VECTOR(SUM) sums;
RN_ANYWHERE(sums, sum_t)
#define to_sums(v) rn_convert(SUM, v)

/* mid(x, y) = in(x, y - radius) + ... + in(x, y + radius), from column -radius to w + radius.
 * A work-item runs down `run` rows. */
RN_KERNEL(columns)(__global const sample *src, int4 sp, __global sum_t *mid, int4 mp, int radius,
                   int run)
{
    const int x = (int)get_global_id(0) * RN_WIDTH - radius;
    const int first = (int)get_global_id(1) * run, last = min(first + run, sp.w);
    if (x >= sp.z + radius || first >= last)
        return;
    sums sum = (sums)(sum_t)0;
    for (int y = first - radius; y < first + radius; y++)
        sum = sum + to_sums(rn_load_box(RN_AT(src, sp, x, y)));
    for (int y = first; y < last; y++) {
        sum = sum + to_sums(rn_load_box(RN_AT(src, sp, x, y + radius)));
        rn_set(sums, __global, RN_AT(mid, mp, x, y), sum);
        sum = sum - to_sums(rn_load_box(RN_AT(src, sp, x, y - radius)));
    }
}

/* Vectors of the second pass, as OpenCL has them. */
#if RN_WIDTH > 16
#define LANES 16
#else
#define LANES RN_WIDTH
#endif
#if LANES == 1
typedef uint lanes;
typedef int lanes_int;
typedef float lanes_float;
#define load_lanes(space, p) ((uint)*(p))
#define store_lanes(p, v) (*(p) = (sample)(v))
#define to_float(v)       ((float)(v))
#define to_uint(v)        ((uint)(v))
#define to_int(v)         ((int)(v))
#define last_of(v)        (v)
#else
typedef RN_CAT(uint, LANES) lanes;
typedef RN_CAT(int, LANES) lanes_int;
typedef RN_CAT(float, LANES) lanes_float;
#if RN_CLANG /* PoCL's vload and vstore go by parts */
typedef sum_t lane_sums __attribute__((ext_vector_type(LANES)));
typedef lane_sums lane_sums_anywhere __attribute__((aligned(2)));
typedef sample lane_samples __attribute__((ext_vector_type(LANES)));
typedef lane_samples lane_samples_anywhere __attribute__((aligned(1)));
#define load_lanes(space, p)                                                                       \
    __builtin_convertvector(*(const space lane_sums_anywhere *)(p), lanes)
#define store_lanes(p, v)                                                                          \
    (*(__global lane_samples_anywhere *)(p) = __builtin_convertvector(v, lane_samples))
#define to_float(v) __builtin_convertvector(v, lanes_float)
#define to_uint(v)  __builtin_convertvector(v, lanes)
#else
#define load_lanes(space, p) RN_CAT(convert_uint, LANES)(RN_CAT(vload, LANES)(0, p))
#define store_lanes(p, v) RN_CAT(vstore, LANES)(RN_CAT(convert_, RN_CAT(RN_TYPE, LANES))(v), 0, p)
#define to_float(v) RN_CAT(convert_float, LANES)(v)
#define to_uint(v)  RN_CAT(convert_uint, LANES)(v)
#endif
#define to_int(v) RN_CAT(as_int, LANES)(v)
#endif

/* Turns each lane into the sum of itself and the lanes before it. Written lane by lane, because
 * Oclgrind crashes on the shuffles that vectors in a literal become. */
RN_INLINE lanes running(lanes v)
{
#if LANES == 16
    v += (lanes)(0u, v.s0, v.s1, v.s2, v.s3, v.s4, v.s5, v.s6, v.s7, v.s8, v.s9, v.sa, v.sb, v.sc,
                 v.sd, v.se);
    v += (lanes)(0u, 0u, v.s0, v.s1, v.s2, v.s3, v.s4, v.s5, v.s6, v.s7, v.s8, v.s9, v.sa, v.sb,
                 v.sc, v.sd);
    v += (lanes)(0u, 0u, 0u, 0u, v.s0, v.s1, v.s2, v.s3, v.s4, v.s5, v.s6, v.s7, v.s8, v.s9, v.sa,
                 v.sb);
    v += (lanes)(0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, v.s0, v.s1, v.s2, v.s3, v.s4, v.s5, v.s6, v.s7);
#elif LANES == 8
    v += (lanes)(0u, v.s0, v.s1, v.s2, v.s3, v.s4, v.s5, v.s6);
    v += (lanes)(0u, 0u, v.s0, v.s1, v.s2, v.s3, v.s4, v.s5);
    v += (lanes)(0u, 0u, 0u, 0u, v.s0, v.s1, v.s2, v.s3);
#elif LANES == 4
    v += (lanes)(0u, v.s0, v.s1, v.s2);
    v += (lanes)(0u, 0u, v.s0, v.s1);
#elif LANES == 2
    v += (lanes)(0u, v.s0);
#endif
    return v;
}
#if LANES == 16
#define last_of(v) (v).sffffffffffffffff
#elif LANES == 8
#define last_of(v) (v).s77777777
#elif LANES == 4
#define last_of(v) (v).s3333
#elif LANES == 2
#define last_of(v) (v).s11
#endif

/* sum / count to the nearest integer, count odd: fp32 is off by one at most, and the remainder
 * corrects it. */
RN_INLINE lanes mean(lanes sum, uint count, float reciprocal)
{
    const lanes_float q = (to_float(sum) * reciprocal + 8388608.0f) - 8388608.0f;
    const lanes near = to_uint(q);
    const lanes_int rest = to_int(sum - near * count), half_way = (lanes_int)(int)(count / 2);
    const lanes low = rest < -half_way ? near - 1u : near;
    return rest > half_way ? near + 1u : low;
}

/* The means of a row of n samples from its column sums, the first of which is that of the column
 * radius + 1 before the first sample. That one is added and at once subtracted, so it may be
 * anything. */
#define MEANS(name, space)                                                                         \
    RN_INLINE void name(space const sum_t *m, int n, int radius, uint count, float reciprocal,     \
                        __global sample *d)                                                        \
    {                                                                                              \
        uint start = 0;                                                                            \
        for (int x = 0; x < 2 * radius + 1; x++)                                                   \
            start += m[x];                                                                         \
        lanes before = (lanes)start; /* in all lanes */                                            \
        for (int x = 0; x < n; x += LANES) {                                                       \
            const lanes change =                                                                   \
                load_lanes(space, m + x + 2 * radius + 1) - load_lanes(space, m + x);              \
            const lanes sum = running(change) + before;                                            \
            store_lanes(d + x, unbias(mean(sum, count, reciprocal)));                              \
            before = last_of(sum);                                                                 \
        }                                                                                          \
    }
MEANS(means, __global)
MEANS(means_private, __private)

/* A work-item runs along `run` samples of a row, a multiple of LANES. */
RN_KERNEL(rows)(__global const sum_t *mid, int4 mp, __global sample *dst, int4 dp, int radius,
                int run, int count, float reciprocal)
{
    const int first = (int)get_global_id(0) * run, n = min(run, mp.z - first);
    const int y = (int)get_global_id(1);
    if (n > 0 && y < mp.w)
        means(RN_AT(mid, mp, first - radius - 1, y), n, radius, (uint)count, reciprocal,
              RN_AT(dst, dp, first, y));
}

#if RN_BY_INDEX && RN_BYTES < 4
/* GPUs, radius 1, in one go. edge: as the bits of samples are seen, which is why a sample outside
 * is 0 and not the smallest. */
RN_KERNEL(nine)(rn_area area, RN_PLANES, int2 edge)
{
#define THREE(dy) (near_box(-1, dy) + near_box(0, dy) + near_box(1, dy))
    RN_EACH_WINDOW(area, src, sp, edge, x, y)
    {
        const ints sum = THREE(-1) + THREE(0) + THREE(1);
        rn_put(RN_AT(dst, dp, x, y), rn_to_samples(unbias_near((sum + 4) / 9)));
    }
}
#endif

/* Both passes in one launch, for work-items with fast private memory (CPUs): one of them walks down
 * a tile of (columns, rows) with the sums of its columns. filters/parts/tile.h chooses the tile. */
RN_KERNEL(tile)(RN_PLANES, int radius, int2 tile, int count, float reciprocal)
{
    LINE sum_t line[RN_TILE_WIDE + 2 * RN_TILE_REACH + 2 * RN_WIDTH];
    const int left = (int)get_global_id(0) * tile.x, top = (int)get_global_id(1) * tile.y;
    const int columns = min(tile.x, sp.z - left), last = min(top + tile.y, sp.w);
    const int n = columns + 2 * radius + 1, x0 = left - radius - 1;
    if (columns <= 0 || top >= last)
        return;
    for (int x = 0; x < n; x += RN_WIDTH)
        rn_set(sums, __private, line + x, (sums)(sum_t)0);
    for (int y = top - radius; y < last + radius; y++) {
        __global const sample *s = RN_AT(src, sp, x0, y);
        const int ready = y - radius; /* this row's means, when `s` is added */
        for (int x = 0; x < n; x += RN_WIDTH) {
            rn_fetch(s + AHEAD * sp.y + x, 0);
            sums sum = rn_get(sums, __private, line + x) + to_sums(rn_load_box(s + x));
            if (ready > top)
                sum = sum - to_sums(rn_load_box(RN_AT(src, sp, x0 + x, ready - 1 - radius)));
            rn_set(sums, __private, line + x, sum);
        }
        if (ready < top)
            continue;
        for (int x = 0; x < columns; x += RN_WIDTH)
            rn_fetch(RN_AT(dst, dp, left + x, ready + AHEAD), 1);
        means_private(line, columns, radius, (uint)count, reciprocal, RN_AT(dst, dp, left, ready));
    }
}
