/* SPDX-License-Identifier: MIT */
/* Kernels: network_layer network_last */
#include "pixel.clh"

/* The layers of a network; filters/parts/network/network.h has their arithmetic. Planes of floats:
 * int4 (first sample, stride, from plane to plane, from picture to picture), in samples. Behind the
 * last row are RN_NETWORK_SLACK rows more, and rows end with room for a vector: work-items read
 * beyond the picture, and throw away what becomes of it. */

/* Writes a vector of a row whose end is w: what lies right of it is zero. */
RN_INLINE void rn_put_row(__global float *to, floats v, int x, int w)
{
    float one[RN_WIDTH];
    if (x + RN_WIDTH <= w) {
        rn_set(floats, __global, to, v);
        return;
    }
    rn_set(floats, , one, v);
    for (int i = 0; i < RN_WIDTH; i++)
        to[i] = x + i < w ? one[i] : 0.0f;
}

/* size: width and height of what is computed, inputs, outputs. weight: for each block of CHANNELS
 * outputs those of an input after the other, of each tap CHANNELS; behind them all biases. gate: of
 * a gradient, which passes where it is above 0; flags: 1 ReLU, 2 gate. */
#define RN_NETWORK_LAYER(name, CHANNELS, ROWS)                                                     \
    RN_KERNEL(name)(__global const float *src, int4 sp, __global float *dst, int4 dp,              \
                    int4 size, __global const float *weight,                              \
                    __global const float *gate, int4 gp, int flags)                                \
    {                                                                                              \
        const int x = (int)get_global_id(0) * RN_WIDTH, y = (int)get_global_id(1) * ROWS;          \
        const int blocks = (size.w + CHANNELS - 1) / CHANNELS, z = (int)get_global_id(2);          \
        const int picture = z / blocks, first = (z - picture * blocks) * CHANNELS;                 \
        if (x >= size.x || y >= size.y)                                                            \
            return;                                                                                \
        __global const float *in = src + sp.x + picture * sp.w + y * sp.y + x;                     \
        __global const float *w = weight + first * size.z * 9;                                     \
        __global const float *bias = weight + blocks * CHANNELS * size.z * 9 + first;              \
        floats sum[CHANNELS][ROWS];                                                                \
        RN_UNROLL for (int j = 0; j < CHANNELS; j++)                                               \
            RN_UNROLL for (int r = 0; r < ROWS; r++)                                               \
                sum[j][r] = (floats)bias[j];                                                       \
        for (int c = 0; c < size.z; c++) {                                                         \
            __global const float *p = in + c * sp.z;                                               \
            RN_UNROLL for (int t = 0; t < 9; t++) {                                                \
                floats v[ROWS];                                                                    \
                RN_UNROLL for (int r = 0; r < ROWS; r++)                                           \
                    v[r] = rn_get(floats, __global, p + (t / 3 + r) * sp.y + t % 3);               \
                RN_UNROLL for (int j = 0; j < CHANNELS; j++) {                                     \
                    const floats k = (floats)w[t * CHANNELS + j];                                  \
                    RN_UNROLL for (int r = 0; r < ROWS; r++)                                       \
                        sum[j][r] = fma(v[r], k, sum[j][r]);                                       \
                }                                                                                  \
            }                                                                                      \
            w += 9 * CHANNELS;                                                                     \
        }                                                                                          \
        RN_UNROLL for (int j = 0; j < CHANNELS; j++)                                               \
            RN_UNROLL for (int r = 0; r < ROWS; r++) {                                             \
                const int plane = first + j, row = y + r;                                          \
                if (plane >= size.w || row >= size.y)                                              \
                    continue;                                                                      \
                floats v = sum[j][r];                                                              \
                if (flags & 1)                                                                     \
                    v = v > (floats)0.0f ? v : (floats)0.0f;                                       \
                if (flags & 2)                                                                     \
                    v = rn_get(floats, __global, gate + gp.x + picture * gp.w + plane * gp.z +     \
                                                     row * gp.y + x) > (floats)0.0f                \
                            ? v                                                                    \
                            : (floats)0.0f;                                                        \
                rn_put_row(dst + dp.x + picture * dp.w + plane * dp.z + row * dp.y + x, v, x,      \
                           size.x);                                                                \
            }                                                                                      \
    }

/* GPUs share a tap among more rows, as their work-items have one column each. */
RN_NETWORK_LAYER(network_layer, RN_NETWORK_BLOCK, (RN_NETWORK_ROWS << RN_BY_INDEX))
RN_NETWORK_LAYER(network_last, 1, RN_NETWORK_SLACK)
