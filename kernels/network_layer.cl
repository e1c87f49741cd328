/* SPDX-License-Identifier: MIT */
/* Kernels: network_layer network_last network_bends network_any */
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
 * outputs those of an input after the other, of each tap CHANNELS; behind them all biases, slopes,
 * and the two limits. kept: columns, and rows from the first to the end, outside of which samples
 * are 0; rows and columns of a kernel, which SIZE is, too. other: what `flags` use: 1 ReLU, 2 only
 * where `other` is above 0, and if BENDS: 4 slopes and limits, 8 `other` is added. */
#define RN_NETWORK_LAYER(name, CHANNELS, ROWS, SIZE, UNROLL, BENDS)                                \
    RN_KERNEL(name)(__global const float *src, int4 sp, __global float *dst, int4 dp, int4 size,   \
                    __global const float *weight, __global const float *other, int4 op, int4 kept, \
                    int flags)                                                                     \
    {                                                                                              \
        const int x = (int)get_global_id(0) * RN_WIDTH, y = (int)get_global_id(1) * ROWS;          \
        const int blocks = (size.w + CHANNELS - 1) / CHANNELS, z = (int)get_global_id(2);          \
        const int picture = z / blocks, first = (z - picture * blocks) * CHANNELS;                 \
        if (x >= size.x || y >= size.y)                                                            \
            return;                                                                                \
        __global const float *in = src + sp.x + picture * sp.w + y * sp.y + x;                     \
        __global const float *w = weight + first * size.z * SIZE * SIZE;                           \
        __global const float *bias = weight + blocks * CHANNELS * size.z * SIZE * SIZE + first;    \
        __global const float *limits = bias - first + 2 * blocks * CHANNELS;                       \
        const int inputs = BENDS && x >= kept.x ? 0 : size.z;                                      \
        floats sum[CHANNELS][ROWS];                                                                \
        RN_UNROLL for (int j = 0; j < CHANNELS; j++)                                               \
            RN_UNROLL for (int r = 0; r < ROWS; r++)                                               \
                sum[j][r] = (floats)bias[j];                                                       \
        for (int c = 0; c < inputs; c++) {                                                         \
            __global const float *p = in + c * sp.z;                                               \
            UNROLL for (int t = 0; t < SIZE * SIZE; t++) {                                         \
                floats v[ROWS];                                                                    \
                RN_UNROLL for (int r = 0; r < ROWS; r++)                                           \
                    v[r] = rn_get(floats, __global, p + (t / SIZE + r) * sp.y + t % SIZE);         \
                RN_UNROLL for (int j = 0; j < CHANNELS; j++) {                                     \
                    const floats k = (floats)w[t * CHANNELS + j];                                  \
                    RN_UNROLL for (int r = 0; r < ROWS; r++)                                       \
                        sum[j][r] = fma(v[r], k, sum[j][r]);                                       \
                }                                                                                  \
            }                                                                                      \
            w += SIZE * SIZE * CHANNELS;                                                           \
        }                                                                                          \
        int end[ROWS];                                                                             \
        RN_UNROLL for (int r = 0; r < ROWS; r++)                                                   \
            end[r] = y + r < kept.y || y + r >= kept.z ? 0 : kept.x;                               \
        RN_UNROLL for (int j = 0; j < CHANNELS; j++)                                               \
            RN_UNROLL for (int r = 0; r < ROWS; r++) {                                             \
                const int plane = first + j, row = y + r;                                          \
                if (plane >= size.w || row >= size.y)                                              \
                    continue;                                                                      \
                floats v = sum[j][r], by = (floats)0.0f;                                           \
                if (flags & 10)                                                                    \
                    by = rn_get(floats, __global, other + op.x + picture * op.w + plane * op.z +   \
                                                      row * op.y + x);                             \
                if (BENDS && flags & 8)                                                            \
                    v = v + by;                                                                    \
                if (BENDS && flags & 4) {                                                          \
                    v = v > (floats)0.0f ? v : v * (floats)bias[blocks * CHANNELS + j];            \
                    v = v < (floats)limits[0] ? (floats)limits[0] : v;                             \
                    v = v > (floats)limits[1] ? (floats)limits[1] : v;                             \
                }                                                                                  \
                if (flags & 1)                                                                     \
                    v = v > (floats)0.0f ? v : (floats)0.0f;                                       \
                if (flags & 2)                                                                     \
                    v = by > (floats)0.0f ? v : (floats)0.0f;                                      \
                rn_put_row(dst + dp.x + picture * dp.w + plane * dp.z + row * dp.y + x, v, x,      \
                           end[r]);                                                                \
            }                                                                                      \
    }

/* GPUs share a tap among more rows, as their work-items have one column each. */
#define RN_MANY_ROWS (RN_NETWORK_ROWS << RN_BY_INDEX)
RN_NETWORK_LAYER(network_layer, RN_NETWORK_BLOCK, RN_MANY_ROWS, 3, RN_UNROLL, 0)
RN_NETWORK_LAYER(network_last, 1, RN_NETWORK_SLACK, 3, RN_UNROLL, 1)
/* Of imported networks, whose slopes would cost the others a tenth of their speed on GPUs. */
RN_NETWORK_LAYER(network_bends, RN_NETWORK_BLOCK, RN_MANY_ROWS, 3, RN_UNROLL, 1)
RN_NETWORK_LAYER(network_any, RN_NETWORK_BLOCK, RN_MANY_ROWS, kept.w, , 1)
