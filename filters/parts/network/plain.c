/* SPDX-License-Identifier: MIT */
#include "filters/parts/network/layers.h"

#include <math.h>
#include <string.h>

#define LANES RN_NETWORK_LANES

/* Adds what one input gives to a vector of `block` planes. in: the row above. */
RN_FUSED static void add_input(float (*restrict sum)[LANES], int block, const float *restrict in,
                               int stride, const float *restrict weight)
{
    for (int j = 0; j < block; j++)
        for (int t = 0; t < 9; t++) {
            const float *row = in + (size_t)(t / 3) * stride + t % 3, by = weight[t * block + j];
            for (int i = 0; i < LANES; i++)
                sum[j][i] = fmaf(row[i], by, sum[j][i]);
        }
}

/* A vector of a plane: n of its samples are there. gate: NULL: none. */
static void put(const float *sum, int n, int flags, const float *gate, float *to)
{
    for (int i = 0; i < LANES; i++) {
        bool passes = i < n && (!(flags & RN_NETWORK_RELU) || sum[i] > 0) &&
                      (!(flags & RN_NETWORK_GATE) || gate[i] > 0);
        to[i] = passes ? sum[i] : 0;
    }
}

void rn_network_plain(const struct rn_network_step *s)
{
    int block = s->outputs > 1 ? RN_NETWORK_BLOCK : 1;
    const float *bias = s->weight->data + (size_t)rn_round_up(s->outputs, block) * 9 * s->inputs;
    for (int id = 0; id < s->pictures * s->h; id++)
        for (int first = 0; first < s->outputs; first += block)
            for (int x = 0; x < s->w; x += LANES) {
                int picture = id / s->h, y = id % s->h;
                const float *weight = s->weight->data + (size_t)first * 9 * s->inputs;
                float sum[RN_NETWORK_BLOCK][LANES];
                for (int i = 0; i < block * LANES; i++)
                    sum[i / LANES][i % LANES] = bias[first + i / LANES];
                for (int c = 0; c < s->inputs; c++)
                    add_input(sum, block, rn_network_sample(&s->in, picture, c, x, y), s->in.stride,
                              weight + (size_t)c * 9 * block);
                for (int o = first; o < first + block && o < s->outputs; o++)
                    put(sum[o - first], s->w - x, s->flags,
                        s->flags & RN_NETWORK_GATE ? rn_network_sample(&s->gate, picture, o, x, y)
                                                   : NULL,
                        rn_network_sample(&s->out, picture, o, x, y));
            }
}

/* Adds a row of products to the lanes of a tap. */
RN_FUSED static void add_row(float *restrict sum, const float *restrict a, const float *restrict b,
                             int w)
{
    for (int x = 0; x < w; x += LANES)
        for (int i = 0; i < LANES; i++)
            sum[i] = fmaf(a[x + i], b[x + i], sum[i]);
}

void rn_network_products(const float *a, int a_stride, const float *in, int in_stride, int w, int h,
                         float *to)
{
    memset(to, 0, sizeof(float[9 * LANES]));
    for (int y = 0; y < h; y++, a += a_stride) {
        for (int t = 0; t < 9 && in; t++)
            add_row(to + t * LANES, a, in + (size_t)(y + t / 3) * in_stride + t % 3, w);
        for (int x = 0; x < w && !in; x++)
            to[x % LANES] += a[x];
    }
}
