/* SPDX-License-Identifier: MIT */
/* Kernels: network_load network_store network_double */
#include "pixel.clh"
#include "border.clh"
#include "sigmoid.clh"

/* What goes into a network and comes out of it; filters/parts/network/network.h has the arithmetic,
 * network_layer.cl the layers between and what their planes of floats are like. */

/* Writes a vector of a row that ends n samples on, and nothing behind it: vectors of small samples
 * are longer than the room there, which is for those of floats. */
RN_INLINE void rn_put_row(__global float *to, floats v, int n)
{
    float one[RN_WIDTH];
    if (RN_WIDTH <= n) {
        rn_set(floats, __global, to, v);
        return;
    }
    rn_set(floats, , one, v);
    for (int i = 0; i < n; i++)
        to[i] = one[i];
}

/* The area is larger than the picture; what lies outside is found by index: no margin is read.
 * outside: the sample where the border has none. */
RN_KERNEL(network_load)(rn_area area, __global const sample *src, int4 sp, __global float *dst,
                        int4 dp, float low, float scale, int border, float outside)
{
    RN_EACH_ROW(area, x, y) {
        const int sy = border_index(border, y, sp.w);
        float one[RN_WIDTH];
        floats v;
        if (sy >= 0 && x >= 0 && x + RN_WIDTH <= sp.z) {
            v = rn_to_floats(rn_load(RN_AT(src, sp, x, sy)));
        } else {
            for (int i = 0; i < RN_WIDTH; i++) {
                const int sx = sy < 0 ? -1 : border_index(border, x + i, sp.z);
                one[i] = sx < 0 ? outside : (float)*RN_AT(src, sp, sx, sy);
            }
            v = rn_get(floats, , one);
        }
        rn_put_row(dst + dp.x + y * dp.y + x, (v - low) * scale, area.x1 - x);
    }
}

RN_SIGMOID(rn_sigmoid, floats)

/* Samples as the net changes them. replaces: its output, 2, or the sigmoid of that, 1, from `low`
 * on takes their place, of which `keep` stays; else it is added. */
RN_INLINE floats rn_changed(floats v, floats net, float scale, int replaces, float low, float keep)
{
    if (replaces)
        return v * keep + (low + (replaces == 1 ? rn_sigmoid(net) : net) * scale);
    return v + net * scale;
}

RN_KERNEL(network_store)(rn_area area, RN_PLANES, __global const float *net, int4 np, float scale,
                         float white, int replaces, float low, float keep)
{
    RN_EACH_ROW(area, x, y) {
        const floats v = rn_to_floats(rn_load(RN_AT(src, sp, x, y)));
        const floats add = rn_get(floats, __global, net + np.x + y * np.y + x);
        rn_store(RN_AT(dst, dp, x, y),
                 rn_round(rn_changed(v, add, scale, replaces, low, keep), white));
    }
}

/* The same to twice the size, from four planes of the net, np.z apart. alone: without the net. */
RN_KERNEL(network_double)(rn_area area, RN_PLANES, __global const float *net, int4 np, float scale,
                          float white, int replaces, float low, float keep, int alone)
{
    RN_EACH_ROW(area, x, y) {
        float one[RN_WIDTH], add[RN_WIDTH];
        for (int i = 0; i < RN_WIDTH; i++) {
            const int sx = (x + i) / 2, sy = y / 2, plane = y % 2 * 2 + (x + i) % 2;
            one[i] = (float)*RN_AT(src, sp, sx, sy);
            add[i] = alone ? 0.0f : net[np.x + plane * np.z + sy * np.y + sx];
        }
        floats v = rn_get(floats, , one);
        if (!alone)
            v = rn_changed(v, rn_get(floats, , add), scale, replaces, low, keep);
        rn_store(RN_AT(dst, dp, x, y), rn_round(v, white));
    }
}
