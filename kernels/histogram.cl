#include "histogram.clh"

/* Counts how often each value occurs in a plane; exact, so the order does not matter. */

/* CPUs: few work-items, each with its own tables and a band of rows; nothing is shared. result +
 * table_at: one histogram of nbins per work-item, overwritten. At 8 bits four tables are used in
 * turn, because adding to one counter twice in a row stalls. keep: the plane is copied to kept, row
 * by row while it is in the cache. A work-group is one work-item. */
__kernel void histogram_bands(__global const sample *src, int4 sp, __global sample *kept, int4 kp,
                              int keep, __global uint *result, int table_at, int nbins,
                              float low, float scale, __local uint *fast, int nbands)
{
    const int band = (int)get_global_id(1);
    if (band >= nbands)
        return;
    const int y0 = (int)((long)sp.w * band / nbands), y1 = (int)((long)sp.w * (band + 1) / nbands);
    __global uint *table = result + table_at + (long)band * nbins;
#if RN_BYTES == 1
    for (int i = 0; i < 4 * 256; i++)
        fast[i] = 0;
#else
    for (int i = 0; i < nbins; i++)
        table[i] = 0;
#endif
    for (int y = y0; y < y1; y++) {
        __global const sample *s = RN_AT(src, sp, 0, y);
        int x = 0;
#if RN_BYTES == 1
        for (; x + 4 <= sp.z; x += 4) {
            fast[s[x]]++;
            fast[256 + s[x + 1]]++;
            fast[512 + s[x + 2]]++;
            fast[768 + s[x + 3]]++;
        }
        for (; x < sp.z; x++)
            fast[s[x]]++;
#else
        for (; x < sp.z; x++) {
            const int bin = rn_bin(s[x], nbins, low, scale);
            if (!RN_IS_FLOAT || bin >= 0)
                table[bin]++;
        }
#endif
        for (x = keep ? 0 : sp.z; x < sp.z; x += RN_WIDTH)
            rn_store(RN_AT(kept, kp, x, y), rn_load(s + x));
    }
#if RN_BYTES == 1
    for (int i = 0; i < 256; i++)
        table[i] = fast[i] + fast[256 + i] + fast[512 + i] + fast[768 + i];
#endif
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
