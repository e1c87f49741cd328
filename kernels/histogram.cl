/* SPDX-License-Identifier: MIT */
#include "histogram.clh"

/* Counts how often each value occurs in a plane; exact, so the order does not matter. */

/* ---- CPUs: few work-items, each with its own tables and a band of rows; nothing is shared. A
 * work-group is one work-item.
 *
 * Adding to one counter several times in a row stalls. So at 8 bits eight tables are used in turn,
 * in local memory, and 16 bytes of one value, of which masks and what is saturated consist, are
 * added at once. */
#define CHUNK (16 / RN_BYTES)

#if RN_BYTES == 1
#define ADD(v, turn, n)                                                                            \
    {                                                                                              \
        fast[(turn) % RN_HISTOGRAM_TABLES * 256 + (v)] += (n);                                     \
    }
#else
#define ADD(v, turn, n)                                                                            \
    {                                                                                              \
        const int bin = rn_bin(v, nbins, low, scale);                                              \
        if (!RN_IS_FLOAT || bin >= 0)                                                              \
            table[bin] += (n);                                                                     \
    }
#endif

RN_INLINE bool is_flat(__global const sample *s)
{
    const ulong a = ((__global const ulong *)s)[0], b = ((__global const ulong *)s)[1];
    return a == b && a == rotate(a, 8ul * RN_BYTES);
}

/* result + table_at: one histogram of nbins per work-item, overwritten. keep: the plane is copied
 * to kept, row by row while it is in the cache. */
__kernel void histogram_bands(__global const sample *src, int4 sp, __global sample *kept, int4 kp,
                              int keep, __global uint *result, int table_at, int nbins,
                              float low, float scale, __local uint *fast, int nbands)
{
    const int band = (int)get_global_id(1);
    if (band >= nbands)
        return;
    const int y0 = (int)((long)sp.w * band / nbands), y1 = (int)((long)sp.w * (band + 1) / nbands);
    __global uint *table = result + table_at + (long)band * nbins;
    for (int i = 0; i < nbins; i++)
        table[i] = 0;
    for (int i = 0; RN_BYTES == 1 && i < RN_HISTOGRAM_TABLES * 256; i++)
        fast[i] = 0;
    for (int y = y0; y < y1; y++) {
        __global const sample *s = RN_AT(src, sp, 0, y);
        int x = 0;
        for (; x + CHUNK <= sp.z; x += CHUNK) {
            if (is_flat(s + x)) {
                ADD(s[x], 0, CHUNK)
                continue;
            }
            RN_UNROLL for (int i = 0; i < CHUNK; i++)
                ADD(s[x + i], i, 1)
        }
        for (; x < sp.z; x++)
            ADD(s[x], 0, 1)
        for (x = keep ? 0 : sp.z; x < sp.z; x += RN_WIDTH)
            rn_store(RN_AT(kept, kp, x, y), rn_load(s + x));
    }
    for (int i = 0; RN_BYTES == 1 && i < RN_HISTOGRAM_TABLES * 256; i++)
        table[i % 256] += fast[i];
}

/* GPUs: each work-group counts in local memory and adds that to the one table in global memory,
 * which must be zero at first. */
__kernel void histogram_shared(__global const sample *src, int4 sp, __global uint *result,
                               int table_at, int nbins, float low, float scale,
                               __local uint *fast, int4 share)
{
    const rn_counting c = rn_count_begin(fast, result + table_at, share, nbins, low, scale);
#define COUNT(v, x, y, n) rn_count(&c, v, n);
    RN_COUNT_VECTORS(c, src, sp, share, COUNT)
}

/* Adds all tables into the first, and sums the first by blocks: the number of samples, and their
 * sum. clear: the other table is set to zero, for the next picture. */
__kernel void histogram_merge(__global uint *tables, int nbins, int ntables,
                              __global ulong2 *blocks, __local ulong2 *tree,
                              __global uint *other, int clear)
{
    ulong2 sum = (ulong2)(0, 0);
    for (int k = rn_item(); k < RN_BLOCK; k += rn_items()) {
        const int i = rn_block() * RN_BLOCK + k;
        uint n = tables[i];
        for (int t = 1; t < ntables; t++)
            n += tables[(long)t * nbins + i];
        tables[i] = n;
        if (clear)
            other[i] = 0;
        sum += (ulong2)(n, (ulong)n * (ulong)i);
    }
    sum = rn_group_sum(sum, tree);
    if (rn_item() == 0)
        blocks[rn_block()] = sum;
}
