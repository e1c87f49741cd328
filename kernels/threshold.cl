/* SPDX-License-Identifier: MIT */
#include "histogram.clh"
#include "otsu.clh"
#include "store_as.clh"

/* Above the level white, otherwise black. otsu: above a bin instead. k: black, white; low and scale
 * of the binning of floats. */
RN_INLINE samples split(samples v, float level, int otsu, int bin, float4 k)
{
    const samples black = (samples)(sample)k.x, white = (samples)(sample)k.y;
#if RN_IS_FLOAT
    if (otsu) { /* rn_bin of each; of NaN it is the first, which is never above */
        const floats end = (floats)(float)(RN_FLOAT_BINS - 1);
        floats t = (v - k.z) * k.w;
        t = t > (floats)0.0f ? t : (floats)0.0f;
        t = t < end ? t : end;
        return rn_to_ints(t) > (ints)bin ? white : black;
    }
    const samples last = (samples)level;
#elif RN_SAMPLE == RN_SAMPLE_S16
    const samples last = (samples)(sample)(otsu ? bin - 32768 : (int)level);
#else
    const samples last = (samples)(sample)(otsu ? bin : (int)level);
#endif
    return v > last ? white : black;
}

/* found: the bin of Otsu's method. */
#define THRESHOLD(name, out_t, store)                                                              \
    __kernel void name(rn_area area, __global const sample *src, int4 sp, __global out_t *dst,     \
                       int4 dp, float level, int otsu, __global const int *found, float4 k)        \
    {                                                                                              \
        const int bin = otsu ? found[0] : 0;                                                       \
        RN_EACH_ROW(area, x, y)                                                                    \
        {                                                                                          \
            samples v = rn_load(RN_AT(src, sp, x, y));                                             \
            rn_fetch_next(RN_AT(src, sp, x, y), RN_AT(dst, dp, x, y));                             \
            store(RN_AT(dst, dp, x, y), split(v, level, otsu, bin, k));                            \
        }                                                                                          \
    }

#define STORE_MASK(p, v) rn_store_as(uchar, p, v)
THRESHOLD(threshold, sample, rn_store)
THRESHOLD(threshold_to_mask, uchar, STORE_MASK)

/* otsu_score() to within 1e-5 of its value; never 0 / 0 or too large for fp32. */
RN_INLINE float rough_score_of(ulong2 below, ulong2 all)
{
    const ulong a = below.x * all.y, b = all.x * below.y;
    ulong high = 0; /* as up to 2^24 samples of 16 bit */
    if (all.x >> 24)
        high = mul_hi(below.x, all.y) - mul_hi(all.x, below.y) - (a < b ? 1UL : 0UL);
    const float d = (float)high * 0x1p24f + (float)(a - b) * 0x1p-40f;
    return d * d / (float)max(below.x * (all.x - below.x), 1UL);
}

/* The best of a work-group goes to score[0] and level[0]; both hold one entry per work-item. */
RN_INLINE void group_best(__local ulong4 *score, __local int *level)
{
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int n = rn_items() / 2; n > 0; n /= 2) {
        const int i = rn_item(), k = i + n;
        if (i < n && otsu_better(score[k], level[k], score[i], level[i])) {
            score[i] = score[k];
            level[i] = level[k];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

/* The best level of each block of bins. Empty bins are skipped: the bin before gives the same. */
__kernel void otsu_split(__global const uint *histogram, __global const ulong2 *blocks, int nblocks,
                         __global ulong4 *block_score, __global int *block_level,
                         __local ulong2 *tree, __local ulong4 *score, __local int *level)
{
    ulong2 all = (ulong2)(0, 0);
    for (int i = rn_item(); i < nblocks; i += rn_items())
        all += blocks[i];
    all = rn_group_sum(all, tree);
    const ulong2 before = rn_before(histogram, blocks, tree);
    const int2 bins = rn_bins();
    ulong2 below = before;
    float rough = 0;
    for (int i = bins.x; i < bins.y; i++) {
        const ulong n = histogram[i];
        below += (ulong2)(n, n * (ulong)i);
        if (n)
            rough = max(rough, rough_score_of(below, all));
    }
    below = before;
    ulong4 best = OTSU_NONE;
    int best_level = 0;
    for (int i = bins.x; i < bins.y; i++) {
        const ulong n = histogram[i];
        if (!n)
            continue;
        below += (ulong2)(n, n * (ulong)i);
        if (rough_score_of(below, all) < rough * 0.9999f)
            continue; /* saves most of the exact comparisons, which take long */
        const ulong4 s = otsu_score(below, all);
        if (otsu_better(s, i, best, best_level)) {
            best = s;
            best_level = i;
        }
    }
    score[rn_item()] = best;
    level[rn_item()] = best_level;
    group_best(score, level);
    if (rn_item() == 0) {
        block_score[rn_block()] = score[0];
        block_level[rn_block()] = level[0];
    }
}

/* The best of all blocks goes to block_level[0]. One work-group. */
__kernel void otsu_best(int nblocks, __global const ulong4 *block_score, __global int *block_level,
                        __local ulong4 *score, __local int *level)
{
    ulong4 best = OTSU_NONE;
    int best_level = 0;
    for (int i = rn_item(); i < nblocks; i += rn_items()) {
        const ulong4 s = block_score[i];
        if (otsu_better(s, block_level[i], best, best_level)) {
            best = s;
            best_level = block_level[i];
        }
    }
    score[rn_item()] = best;
    level[rn_item()] = best_level;
    group_best(score, level);
    if (rn_item() == 0)
        block_level[0] = level[0];
}
