/* SPDX-License-Identifier: MIT */
#include "histogram.clh"

#if RN_IS_FLOAT
/* Copies the samples, one after the other, to word at + head of result, and the state of the plane
 * to the two words at `at`. */
__kernel void hand_over(rn_area area, __global const sample *src, int4 sp, __global uint *result,
                        int at, int head, int state)
{
    RN_EACH_ROW(area, x, y)
    {
        __global const sample *s = RN_AT(src, sp, x, y);
        __global uint *d = result + at + head + y * sp.z + x;
        for (int i = 0; i < RN_WIDTH && x + i < sp.z; i++)
            d[i] = as_uint(s[i]);
    }
    if (get_global_id(0) == 0 && get_global_id(1) == 0)
        vstore2((uint2)((uint)state, 0), 0, result + at);
}
#else
/* The dot product with the previous frame. All sums are integers, so their order does not matter.
 */

/* The dot product of a row with the same row of the previous frame. In one lane the products of a
 * row stay below 2^31: 255 * 255 * 65535 / 2. */
RN_INLINE ulong row_dot(__global const sample *a, __global const sample *b, int w)
{
    ulong dot = 0;
    int x = 0;
#if RN_WIDTH > 1 && RN_BYTES == 1
    union {
        ints v;
        int lane[RN_WIDTH];
    } sum;
    sum.v = (ints)0;
    for (; x + RN_WIDTH <= w; x += RN_WIDTH)
        sum.v += rn_to_ints(rn_load(a + x)) * rn_to_ints(rn_load(b + x));
    for (int i = 0; i < RN_WIDTH; i++)
        dot += (ulong)sum.lane[i];
#endif
    for (; x < w; x++)
        dot += (ulong)a[x] * (ulong)b[x]; /* signed ones: modulo 2^64 */
    return dot;
}

/* CPUs. result + dot_at: the state of the plane (filters/stats.c), then one sum per work-item; they
 * share out the rows. */
__kernel void dot_previous(__global const sample *src, int4 sp, __global const sample *previous,
                           int4 pp, __global ulong *result, int dot_at, int state)
{
    __global ulong *head = result + dot_at;
    ulong dot = 0;
    for (int y = (int)get_global_id(1); y < sp.w; y += (int)get_global_size(1))
        dot += row_dot(RN_AT(src, sp, 0, y), RN_AT(previous, pp, 0, y), sp.z);
    head[1 + get_group_id(1)] = dot;
    if (get_global_id(1) == 0)
        head[0] = (ulong)state;
}

/* The dot product of the first n samples of two vectors. */
RN_INLINE ulong vector_dot(rn_vector a, rn_vector b, int n)
{
    ulong dot = 0;
    RN_UNROLL for (int i = 0; i < RN_LANES; i++) {
#if RN_SAMPLE == RN_SAMPLE_S16
        const long product = (int)rn_lane(a, i) * (int)rn_lane(b, i);
#else
        const uint product = (uint)rn_lane(a, i) * (uint)rn_lane(b, i);
#endif
        dot += i < n ? (ulong)product : 0;
    }
    return dot;
}

/* GPUs: the histogram, from word table_at of result on, and the dot product with the previous
 * frame from one reading: head as above, with a sum per work-group. Where groups of several ranges
 * read the same vectors they take turns at the dot product. fast: at least a ulong for each
 * work-item. Dimension 2: pictures, step.x samples apart, and their results, step.y 64-bit words
 * apart; each is the previous frame of the next, the last one is kept, elsewhere than the previous
 * one of the first. state: of the first, and of the others. */
__kernel void measure(__global const sample *src, int4 sp, __global const sample *previous, int4 pp,
                      __global sample *kept, int4 kp, __global ulong *result, int dot_at,
                      int2 state, int table_at, int nbins, __local ulong *fast, int4 share,
                      int2 step)
{
    const int picture = (int)get_group_id(2);
    const bool last = picture == (int)get_num_groups(2) - 1;
    if (picture) {
        previous = src + (picture - 1) * step.x;
        pp = sp;
    }
    src += picture * step.x;
    result += (long)picture * step.y;
    const rn_counting c = rn_count_begin((__local uint *)fast, (__global uint *)result + table_at,
                                         share, nbins, 0, 0);
    int turn = rn_remainder((int)get_group_id(0), share.z);
    ulong dot = 0;
#define MEASURE(vector, x, y, n)                                                                   \
    {                                                                                              \
        const rn_vector v = vector;                                                                \
        if (turn-- == 0) {                                                                         \
            const rn_vector before = rn_vector_at(RN_AT(previous, pp, x, y));                      \
            rn_count(&c, v, n); /* while that is read */                                           \
            dot += vector_dot(v, before, n);                                                       \
            if (last)                                                                              \
                *(__global uint4 *)RN_AT(kept, kp, x, y) = v;                                      \
            turn = share.z - 1;                                                                    \
        } else {                                                                                   \
            rn_count(&c, v, n);                                                                    \
        }                                                                                          \
    }
    RN_COUNT_VECTORS(c, src, sp, share, MEASURE)
    fast[rn_item()] = dot;
    RN_REDUCE(fast, rn_sum)
    __global ulong *head = result + dot_at;
    if (rn_item() == 0)
        head[1 + get_group_id(0)] = fast[0];
    if (get_global_id(0) == 0)
        head[0] = (ulong)(picture ? state.y : state.x);
}
#endif
