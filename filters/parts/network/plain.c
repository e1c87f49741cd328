/* SPDX-License-Identifier: MIT */
#include "filters/parts/network/layers.h"

#include <string.h>

#define LANES RN_NETWORK_LANES

/* Adds what one input gives to a vector of `block` planes. in: the row above. */
RN_FUSED static void add_input(float (*restrict sum)[LANES], int block, const float *restrict in,
                               int stride, int size, const float *restrict weight)
{
    for (int j = 0; j < block; j++)
        for (int y = 0; y < size; y++)
            for (int x = 0; x < size; x++) {
                const float *row = in + (size_t)y * stride + x;
                float by = weight[(y * size + x) * block + j];
                for (int i = 0; i < LANES; i++)
                    sum[j][i] = fmaf(row[i], by, sum[j][i]);
            }
}

/* A vector of plane o: n of its samples are there. biases: those of `all` planes, with slopes and
 * limits behind them. other: of that plane; NULL: none. */
static void put(const struct rn_network_step *s, const float *sum, int n, const float *biases,
                int all, int o, const float *other, float *to)
{
    const float *limits = biases + (size_t)(2 * all);
    for (int i = 0; i < LANES; i++) {
        float v = sum[i];
        if (s->flags & RN_NETWORK_ADD)
            v += other[i];
        if (s->flags & RN_NETWORK_BENDS) {
            v = v > 0 ? v : v * biases[all + o];
            v = v < limits[0] ? limits[0] : v;
            v = v > limits[1] ? limits[1] : v;
        }
        bool passes = i < n && (!(s->flags & RN_NETWORK_RELU) || v > 0) &&
                      (!(s->flags & RN_NETWORK_GATE) || other[i] > 0);
        to[i] = passes ? v : 0;
    }
}

void rn_network_plain(const struct rn_network_step *s)
{
    int block = rn_network_block(s->outputs, s->size), all = rn_round_up(s->outputs, block);
    int taps = s->size * s->size;
    const float *bias = s->weight->data + (size_t)all * taps * s->inputs;
    bool other = s->flags & (RN_NETWORK_GATE | RN_NETWORK_ADD);
    for (int id = 0; id < s->pictures * s->h; id++)
        for (int first = 0; first < s->outputs; first += block)
            for (int x = 0; x < s->w; x += LANES) {
                int picture = id / s->h, y = id % s->h;
                const float *weight = s->weight->data + (size_t)first * taps * s->inputs;
                float sum[RN_NETWORK_BLOCK][LANES];
                for (int i = 0; i < block * LANES; i++)
                    sum[i / LANES][i % LANES] = bias[first + i / LANES];
                for (int c = 0; c < s->inputs && x < s->columns; c++)
                    add_input(sum, block, rn_network_sample(&s->in, picture, c, x, y), s->in.stride,
                              s->size, weight + (size_t)c * taps * block);
                for (int o = first; o < first + block && o < s->outputs; o++)
                    put(s, sum[o - first], y < s->first || y >= s->end ? 0 : s->columns - x, bias,
                        all, o, other ? rn_network_sample(&s->other, picture, o, x, y) : NULL,
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
