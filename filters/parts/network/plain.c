/* SPDX-License-Identifier: MIT */
#include "filters/parts/network/network.h"

#include <math.h>
#include <string.h>

#define LANES 16

/* Without the instruction fmaf is a function that takes a hundred times as long. */
#if defined(__x86_64__) && defined(__GLIBC__)
#define FUSED __attribute__((target_clones("avx512f", "arch=haswell", "default")))
#else
#define FUSED
#endif

FUSED static void add_taps(float *restrict sum, const float *restrict row, const float *weight)
{
    for (int dx = 0; dx < 3; dx++)
        for (int i = 0; i < LANES; i++)
            sum[i] = fmaf(row[i + dx], weight[dx], sum[i]);
}

FUSED static void add_row(float *restrict lane, const float *restrict a, const float *restrict b,
                          int n)
{
    int x = 0;
    for (; x + LANES <= n; x += LANES)
        for (int i = 0; i < LANES; i++)
            lane[i] = fmaf(a[x + i], b[x + i], lane[i]);
    for (int i = 0; x + i < n; i++)
        lane[i] = fmaf(a[x + i], b[x + i], lane[i]);
}

float rn_network_products(const float *a, int a_stride, const float *b, int b_stride, int w, int h)
{
    float lane[LANES] = {0};
    for (int y = 0; y < h; y++)
        add_row(lane, a + (size_t)y * a_stride, b + (size_t)y * b_stride, w);
    for (int half = LANES / 2; half; half /= 2)
        for (int i = 0; i < half; i++)
            lane[i] += lane[i + half];
    return lane[0];
}

/* LANES samples of a row, of which n are there. */
static void compute(const struct rn_network_planes *in, int inputs, int x, int y, int n,
                    const float *weight, float bias, float *sum)
{
    for (int i = 0; i < LANES; i++)
        sum[i] = bias;
    for (int c = 0; c < inputs; c++)
        for (int dy = 0; dy < 3; dy++) {
            float row[LANES + 2] = {0};
            memcpy(row, in->data + (size_t)c * in->pitch + (size_t)(y + dy) * in->stride + x,
                   (size_t)(n + 2) * sizeof *row);
            add_taps(sum, row, weight + 9 * c + 3 * dy);
        }
}

void rn_network_plain(const struct rn_network_planes *in, int inputs,
                      const struct rn_network_planes *out, int outputs, int w, int h,
                      const float *weight, const float *bias, bool relu)
{
    for (int o = 0; o < outputs; o++)
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x += LANES) {
                float sum[LANES];
                int n = w - x < LANES ? w - x : LANES;
                compute(in, inputs, x, y, n, weight + (size_t)9 * inputs * o, bias[o], sum);
                for (int i = 0; i < n && relu; i++)
                    sum[i] = sum[i] > 0 ? sum[i] : 0;
                memcpy(out->data + (size_t)o * out->pitch + (size_t)y * out->stride + x, sum,
                       (size_t)n * sizeof *sum);
            }
}
