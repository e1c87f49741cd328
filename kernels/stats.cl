#include "pixel.clh"

/* The measurements of one plane: a histogram, from which the host derives every norm exactly, and
 * the dot product with the previous frame. All sums are integers, so their order does not matter.
 */

/* CPUs: few work-items, each with tables of its own and a band of rows; nothing is shared.
 * result + table_at: one histogram of nbins per work-item. At 8 bit four tables take turns, because
 * adding to one counter twice in a row stalls. The work-group is one work-item. */
__kernel void histogram_bands(__global const sample *src, int4 sp, __global uint *result,
                              int table_at, int nbins, __local uint *fast, int nbands)
{
    const int band = (int)get_global_id(1);
    if (band >= nbands)
        return;
    const int y0 = (int)((long)sp.w * band / nbands), y1 = (int)((long)sp.w * (band + 1) / nbands);
    __global uint *table = result + table_at + (long)band * nbins;
#if RN_BYTES == 1
    for (int i = 0; i < 4 * 256; i++)
        fast[i] = 0;
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
        for (; x < sp.z; x++)
            table[min((int)s[x], nbins - 1)]++;
#endif
    }
#if RN_BYTES == 1
    for (int i = 0; i < 256; i++)
        table[i] = fast[i] + fast[256 + i] + fast[512 + i] + fast[768 + i];
#endif
}

/* GPUs: a table in local memory per work-group, added to the one table in global memory; more than
 * local_bins bins are counted in global memory at once. */
__kernel void histogram_atomic(__global const sample *src, int4 sp, __global uint *result,
                               int table_at, int nbins, __local uint *fast, int local_bins)
{
    __global uint *table = result + table_at;
    const int lid = (int)(get_local_id(1) * get_local_size(0) + get_local_id(0));
    const int nl = (int)(get_local_size(0) * get_local_size(1));
    const bool local_table = nbins <= local_bins;
    if (local_table)
        for (int i = lid; i < nbins; i += nl)
            fast[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int y = (int)get_global_id(1); y < sp.w; y += (int)get_global_size(1)) {
        for (int x = (int)get_global_id(0); x < sp.z; x += (int)get_global_size(0)) {
            const int bin = min((int)*RN_AT(src, sp, x, y), nbins - 1);
            if (local_table)
                atomic_inc(fast + bin);
            else
                atomic_inc(table + bin);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (local_table)
        for (int i = lid; i < nbins; i += nl)
            if (fast[i])
                atomic_add(table + i, fast[i]);
}

/* The dot product of a row with the same row of the previous frame, which it then replaces.
 * In one lane a row's products stay below 2^31: 255 * 255 * 65535 / 2. */
RN_INLINE ulong row_dot(__global const sample *a, __global sample *b, int from, int step, int w)
{
    ulong dot = 0;
    int x = from;
#if RN_WIDTH > 1 && RN_BYTES == 1
    union {
        ints v;
        int lane[RN_WIDTH];
    } sum;
    sum.v = (ints)0;
    for (x = from * RN_WIDTH; x + RN_WIDTH <= w; x += step * RN_WIDTH) {
        samples va = rn_load(a + x), vb = rn_load(b + x);
        sum.v += rn_to_ints(va) * rn_to_ints(vb);
        rn_store(b + x, va);
    }
    for (int i = 0; i < RN_WIDTH; i++)
        dot += (ulong)sum.lane[i];
    x = w - w % RN_WIDTH + from;
#endif
    for (; x < w; x += step) {
        dot += (ulong)a[x] * (ulong)b[x];
        b[x] = a[x];
    }
    return dot;
}

/* result + dot_at: whether there is a previous frame, then one sum per work-group: rows are dealt
 * out to the work-items, which then add up in a tree. The work-group's size is a power of two. */
__kernel void dot_previous(__global const sample *src, int4 sp, __global sample *previous, int4 pp,
                           __global ulong *result, int dot_at, int has_previous,
                           __local ulong *tree)
{
    __global ulong *head = result + dot_at;
    const int lid = (int)(get_local_id(1) * get_local_size(0) + get_local_id(0));
    ulong dot = 0;
    for (int y = (int)get_global_id(1); y < sp.w; y += (int)get_global_size(1))
        dot += row_dot(RN_AT(src, sp, 0, y), RN_AT(previous, pp, 0, y), (int)get_global_id(0),
                       (int)get_global_size(0), sp.z);
    tree[lid] = dot;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int n = (int)(get_local_size(0) * get_local_size(1)); n > 1; n = (n + 1) / 2) {
        const int rest = (n + 1) / 2;
        if (lid < n - rest)
            tree[lid] += tree[lid + rest];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0)
        head[1 + get_group_id(1)] = tree[0];
    if (get_global_id(0) == 0 && get_global_id(1) == 0)
        head[0] = (ulong)has_previous;
}
