/* SPDX-License-Identifier: MIT */
#include "pixel.clh"

/* Random bits as defined in filters/noise.c: one call of Threefry-2x32-13 draws 16 bits for each of
 * four samples. Where vectors are wide, each lane is a call. */
#if RN_CLANG && RN_WIDTH >= 8
#define RN_LANES (RN_WIDTH / 4)
typedef uint calls __attribute__((ext_vector_type(RN_LANES)));
typedef uint words __attribute__((ext_vector_type(RN_WIDTH / 2)));
#define rotated(v, by) ((v) << by | (v) >> (32 - by))
#else
#define RN_LANES 1
typedef uint calls;
#define rotated(v, by) rotate(v, (uint)by)
#endif
typedef RN_VECTOR(ushort) draws;
#define to_draws(v) rn_convert(ushort, v)

/* CPU compilers implement lookups in a wide vector by splitting it in registers, which takes three
 * times as long as through memory. */
#if RN_LANES > 1
#define RN_IN_MEMORY volatile
#else
#define RN_IN_MEMORY
#endif

union bits {
    draws v;
    ushort lane[RN_WIDTH];
#if RN_LANES > 1
    words w;
#endif
};

#define ROUND(by)                                                                                  \
    a += b;                                                                                        \
    b = rotated(b, by) ^ a

#define FOUR_ROUNDS(r0, r1, r2, r3, k0, k1, n)                                                     \
    ROUND(r0);                                                                                     \
    ROUND(r1);                                                                                     \
    ROUND(r2);                                                                                     \
    ROUND(r3);                                                                                     \
    a += k0;                                                                                       \
    b += k1 + n

/* The counter is replaced by the random words. */
RN_INLINE void threefry(uint2 key, calls *counter0, calls *counter1)
{
    const uint parity = 0x1bd11bda ^ key.x ^ key.y;
    calls a = *counter0 + key.x, b = *counter1 + key.y;
    FOUR_ROUNDS(13, 15, 26, 6, key.y, parity, 1);
    FOUR_ROUNDS(17, 29, 16, 24, parity, key.x, 2);
    FOUR_ROUNDS(13, 15, 26, 6, key.x, key.y, 3);
    ROUND(17);
    *counter0 = a;
    *counter1 = b;
}

/* The first word of the counter for row 0 and the samples from x on. plane: what stands for it. */
RN_INLINE calls counter_at(int x, int plane)
{
    union {
        calls v;
        uint lane[RN_LANES];
    } first;
    for (int i = 0; i < RN_LANES; i++)
        first.lane[i] = (uint)plane + ((uint)x >> 2) + (uint)i;
    return first.v;
}

/* 16 bits for each of the RN_WIDTH samples from x on. from: the seed, and the high and low half of
 * the frame's index. */
RN_INLINE draws draw(int4 from, calls counter, int x, int y)
{
    union bits bits;
    const uint2 key = (uint2)((uint)from.x, (uint)from.y);
    counter += (uint)y << 16;
#if RN_LANES > 1
    calls a = counter, b = (calls)(uint)from.z;
    threefry(key, &a, &b);
    bits.w.even = a;
    bits.w.odd = b;
#else
    for (int i = 0; i < RN_WIDTH; i += 4) {
        uint word[2] = {counter + (uint)i / 4, (uint)from.z};
        threefry(key, &word[0], &word[1]);
        for (int k = i; k < i + 4 && k < RN_WIDTH; k++)
            bits.lane[k] = (ushort)(word[(x + k) >> 1 & 1] >> ((x + k) & 1) * 16);
    }
#endif
    return bits.v;
}

/* quantile: 2^14 of the positive half of the normal distribution; scale * quantile is in
 * samples. */
__kernel void gaussian(rn_area area, RN_PLANES, int4 from, __global const short *quantile,
                       float scale, float max_sample)
{
    const calls counter = counter_at(area.x0 + (int)get_global_id(0) * RN_WIDTH, from.w);
    RN_EACH_ROW(area, x, y)
    {
        const draws bits = draw(from, counter, x, y);
        union bits index;
        union {
            shorts v;
            short_t lane[RN_WIDTH];
        } z;
        index.v = bits & (ushort)0x3fff;
        RN_IN_MEMORY const ushort *from_lane = index.lane;
        RN_IN_MEMORY short_t *to_lane = z.lane;
        RN_UNROLL for (int i = 0; i < RN_WIDTH; i++)
            to_lane[i] = quantile[from_lane[i]];
        const ints sign = rn_to_ints(bits) << 17 >> 31, size = rn_to_ints(z.v);
        const floats v = rn_to_floats(rn_load(RN_AT(src, sp, x, y)));
        const floats add = scale * rn_to_floats((size ^ sign) - sign);
        rn_store(RN_AT(dst, dp, x, y), rn_round(v + add, max_sample));
    }
}

/* A comparison of draws as a condition for samples. */
#if RN_BYTES == 4 && RN_WIDTH > 1
#define WHERE(condition) rn_to_ints(condition)
#else
#define WHERE(condition) (condition)
#endif

/* Draws below limits.x are black, those above limits.y white. */
__kernel void salt_and_pepper(rn_area area, RN_PLANES, int4 from, int2 limits, float dark,
                              float bright)
{
    const draws below = (draws)(ushort)limits.x, above = (draws)(ushort)limits.y;
#if RN_BYTES == 1
    const draws black = (draws)(ushort)dark, white = (draws)(ushort)bright;
#else
    const samples black = (samples)(sample)dark, white = (samples)(sample)bright;
#endif
    const calls counter = counter_at(area.x0 + (int)get_global_id(0) * RN_WIDTH, from.w);
    RN_EACH_ROW(area, x, y)
    {
        const draws bits = draw(from, counter, x, y);
#if RN_BYTES == 1
        draws v = to_draws(rn_load(RN_AT(src, sp, x, y)));
#else
        samples v = rn_load(RN_AT(src, sp, x, y));
#endif
        v = WHERE(bits < below) ? black : v;
        v = WHERE(bits > above) ? white : v;
#if RN_IS_FLOAT
        v = rn_quiet(v);
#endif
        rn_store(RN_AT(dst, dp, x, y), rn_to_samples(v));
    }
}
