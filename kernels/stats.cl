#include "pixel.clh"

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

/* The dot product of a row with the same row of the previous frame, which is then replaced by it.
 * In one lane the products of a row stay below 2^31: 255 * 255 * 65535 / 2. */
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
        dot += (ulong)a[x] * (ulong)b[x]; /* signed ones: modulo 2^64 */
        b[x] = a[x];
    }
    return dot;
}

/* result + dot_at: the state of the plane (filters/stats.c), then one sum per work-group: the
 * work-items share out the rows and then add up in a tree. The size of a work-group is a power of
 * two. */
__kernel void dot_previous(__global const sample *src, int4 sp, __global sample *previous, int4 pp,
                           __global ulong *result, int dot_at, int state,
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
        head[0] = (ulong)state;
}
#endif
