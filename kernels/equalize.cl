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

/* The table of filters/equalize.c, a block of bins per work-group. total: samples of the plane. */
__kernel void equalize_table(__global const uint *histogram, __global const ulong2 *blocks,
                             int nbins, uint total, __global sample *table, __local ulong2 *tree)
{
    int block = nbins;
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
        int v = i;
        if (rest) { /* rounded as rn_round_f does it: PoCL's rint takes longer than all the rest */
            const float exact = min((float)(uint)(n - before) * scale, top);
            v = i <= first ? 0 : (int)((exact + 8388608.0f) - 8388608.0f);
        }
        table[i] = (sample)v;
    }
}
