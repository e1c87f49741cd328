/* SPDX-License-Identifier: MIT */
/* Kernels: border_fill embed clear */
#define RN_VIEW RN_VIEW_BITS
#include "pixel.clh"
#include "border.clh"

/* The kernels that the engine itself runs on planes and buffers. */

/* Fills the margin of a plane: reach.x samples left and right, reach.y rows above and below. Only
 * samples inside the image are read, so the order does not matter. outside: the bits of a sample.
 * Dimension 1: one work-item per row, margin rows included. Dimension 0: shares the row's samples.
 * Dimension 2: pictures, which lie `pitch` samples apart. */
RN_KERNEL(border_fill)(__global sample *mem, int4 plane, int2 reach, int border, int outside,
                       int pitch)
{
    mem += (int)get_global_id(2) * pitch;
    const int y = (int)get_global_id(1) - reach.y;
    if (y >= plane.w + reach.y)
        return;
    const int w = plane.z, step = (int)get_global_size(0), from = (int)get_global_id(0);
    const int sy = border_index(border, y, plane.w);
    __global sample *row = RN_AT(mem, plane, 0, y);
    const __global sample *source = RN_AT(mem, plane, 0, max(sy, 0));

    if (y < 0 || y >= plane.w) {
        int x = from * RN_WIDTH;
        for (; x + RN_WIDTH <= w; x += step * RN_WIDTH) {
            samples v = (samples)(sample)outside;
            if (sy >= 0)
                v = rn_load(source + x);
            rn_store(row + x, v);
        }
        for (x = w - w % RN_WIDTH + from; x < w; x += step)
            row[x] = sy >= 0 ? source[x] : (sample)outside;
    }
    if (border == RN_MIRROR || border == RN_WRAP) { /* sample by sample */
        for (int i = from; i < 2 * reach.x; i += step) {
            const int x = i < reach.x ? i - reach.x : w + i - reach.x;
            row[x] = sy >= 0 ? source[border_index(border, x, w)] : (sample)outside;
        }
        return;
    }
    /* One value on each side, in whole vectors: the width of the margin is rounded up to them, and
     * there is slack to the right of it. */
    const bool edge = border == RN_CLAMP && sy >= 0;
    const samples first = (samples)(edge ? source[0] : (sample)outside);
    const samples last = (samples)(edge ? source[w - 1] : (sample)outside);
    for (int i = from * RN_WIDTH; i < reach.x; i += step * RN_WIDTH) {
        rn_store(row - i - RN_WIDTH, first);
        rn_store(row + w + i, last);
    }
}

/* Copies src into the middle of dst, which is larger by extent samples on each side, and sets the
 * rest to zero. area covers dst. */
RN_KERNEL(embed)(rn_area area, RN_PLANES, int extent)
{
    RN_EACH_ROW(area, x, y)
    {
        const int sy = y - RN_TOP(area) - extent;
        if (extent == 0) {
            rn_store(RN_AT(dst, dp, x, y), rn_load(RN_AT(src, sp, x, y)));
            continue;
        }
        for (int i = 0; i < RN_WIDTH; i++) {
            const int sx = x + i - extent;
            const bool inside = sx >= 0 && sx < sp.z && sy >= 0 && sy < sp.w;
            *RN_AT(dst, dp, x + i, y) = inside ? *RN_AT(src, sp, sx, y - extent) : (sample)0;
        }
    }
}

RN_KERNEL(clear)(__global ulong *mem, int from, int to)
{
    for (int i = from + (int)get_global_id(0); i < to; i += (int)get_global_size(0))
        mem[i] = 0;
}
