/* SPDX-License-Identifier: MIT */
#include "histogram.clh"

/* a / b in fp32 with IEEE 754 rounding, for 0 < a < 2^16 and b > 0, where b is rounded to fp32
 * first. The integer quotient has at least 31 bits; one further bit, set if there is a remainder,
 * is all that the single rounding to 24 bits needs. */
RN_INLINE float quotient(uint a, uint b)
{
    const int shift = (int)clz((ulong)a);
    const ulong num = (ulong)a << shift, den = (ulong)(float)b;
    const ulong q = num / den;
    const float inverse = as_float((uint)(127 - shift) << 23); /* 2^-shift */
    return (float)(q | (q * den != num ? 1UL : 0UL)) * inverse;
}

/* The sample of bin v. k: low, step and high of floats. */
#if RN_IS_FLOAT
#define SPREAD(v) ((v) == nbins - 1 ? k.z : k.x + (float)(v) * k.y)
#define KEEP      as_float(0x7fc00000)
#elif RN_SAMPLE == RN_SAMPLE_S16
#define SPREAD(v) ((sample)((v) - 32768))
#define KEEP      SPREAD(i)
#else
#define SPREAD(v) ((sample)(v))
#define KEEP      SPREAD(i)
#endif

/* The table of filters/equalize.c, a block of bins per work-group. A flat plane keeps its samples:
 * each bin of integers becomes itself, and those of floats NaN, which says so. */
__kernel void equalize_table(__global const uint *histogram, __global const ulong2 *blocks,
                             int nbins, float4 k, __global sample *table, __local ulong2 *tree)
{
    int block = nbins;
    ulong2 counted = (ulong2)(0, 0);
    for (int i = rn_item(); i < nbins / RN_BLOCK; i += rn_items())
        counted += blocks[i];
    const uint total = (uint)rn_group_sum(counted, tree).x;
    if (total == 0) { /* nothing but NaN */
        for (int i = rn_bins().x; i < rn_bins().y; i++)
            table[i] = KEEP;
        return;
    }
    for (int i = rn_item(); i < nbins / RN_BLOCK && block == nbins; i += rn_items())
        block = blocks[i].x ? i : nbins;
    block = rn_group_min(block, tree);
    int first = nbins;
    for (int i = rn_item(); i < RN_BLOCK && first == nbins; i += rn_items())
        first = histogram[block * RN_BLOCK + i] ? block * RN_BLOCK + i : nbins;
    first = rn_group_min(first, tree);

    const uint before = histogram[first], rest = total - before;
    const float scale = rest ? quotient((uint)nbins - 1, rest) : 0.0f, top = (float)(nbins - 1);
    ulong n = rn_before(histogram, blocks, tree).x;
    const int2 bins = rn_bins();
    for (int i = bins.x; i < bins.y; i++) {
        n += histogram[i];
        int v = 0;
        if (rest) { /* rounded as rn_round_f does it: PoCL's rint takes longer than all the rest */
            const float exact = min((float)(uint)(n - before) * scale, top);
            v = i <= first ? 0 : (int)((exact + 8388608.0f) - 8388608.0f);
        }
        table[i] = rest ? SPREAD(v) : KEEP;
    }
}

#if RN_IS_FLOAT
/* Looks up the bin of each sample. low, scale: of the binning. */
__kernel void equalize_floats(rn_area area, RN_PLANES, __global const sample *table, float low,
                              float scale)
{
    RN_EACH_ROW(area, x, y)
    {
        __global const sample *s = RN_AT(src, sp, x, y);
        __global sample *d = RN_AT(dst, dp, x, y);
        for (int i = 0; i < RN_WIDTH; i++) {
            const float v = s[i];
            const int bin = rn_bin(v, RN_FLOAT_BINS, low, scale);
            const float to = table[max(bin, 0)], kept = v != v ? as_float(0x7fc00000) : v;
            d[i] = bin < 0 || to != to ? kept : to;
        }
    }
}
#endif
