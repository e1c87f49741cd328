/* SPDX-License-Identifier: MIT */
#include "ui/draw/picture.h"

#include "filters/base/log.h"

#include <math.h>
#include <stdlib.h>

#define ONE_BITS 14 /* of a weight */
#define ROW_BITS 6  /* of a fraction between the two passes */

/* ---- weights */

static void taps_free(struct rn_ui_taps *t)
{
    free(t->first);
    free(t->n);
    free(t->weight);
    *t = (struct rn_ui_taps){0};
}

static int taps_make(struct rn_ui_taps *t, int from, int to)
{
    if (t->from == from && t->to == to)
        return 0;
    taps_free(t);
    size_t n = (size_t)to;
    t->from = from;
    t->to = to;
    t->most = 2 * ((from + to - 1) / to) + 2;
    t->first = malloc(n * sizeof *t->first);
    t->n = malloc(n * sizeof *t->n);
    t->weight = malloc(n * (size_t)t->most * sizeof *t->weight);
    if (!t->first || !t->n || !t->weight) {
        taps_free(t);
        return rn_fail_memory();
    }
    for (int i = 0; i < to; i++) {
        double step = (double)t->from / t->to, middle = (i + 0.5) * step - 0.5;
        int first = (int)floor(middle - step) + 1, last = (int)ceil(middle + step) - 1;
        first = first > 0 ? first : 0;
        last = last < t->from ? last : t->from - 1;
        uint16_t *weight = t->weight + (size_t)i * (size_t)t->most;
        double all = 0;
        for (int k = first; k <= last; k++)
            all += 1 - fabs(k - middle) / step;
        int left = 1 << ONE_BITS, nearest = (int)(middle + 0.5) - first;
        for (int k = first; k <= last; k++) {
            weight[k - first] =
                (uint16_t)((1 - fabs(k - middle) / step) / all * (1 << ONE_BITS) + 0.5);
            left -= weight[k - first];
        }
        weight[nearest] = (uint16_t)(weight[nearest] + left); /* what rounding took */
        t->first[i] = first;
        t->n[i] = last - first + 1;
    }
    return 0;
}

/* ---- passes */

#define BLOCK 16 /* samples at a time, in registers */

/* Means of the samples from x to x + n in some rows. */
static inline void shrink_block(const struct rn_ui_shrink *s, const uint8_t *in, int stride, int i,
                                int x, int n)
{
    const struct rn_ui_taps *t = &s->down;
    const uint16_t *weight = t->weight + (size_t)i * (size_t)t->most;
    uint32_t sum[BLOCK];
    in += (ptrdiff_t)t->first[i] * stride + x;
    for (int j = 0; j < n; j++)
        sum[j] = 1 << (ONE_BITS - ROW_BITS - 1);
    for (int k = 0; k < t->n[i]; k++, in += stride)
        for (int j = 0; j < n; j++)
            sum[j] += (uint32_t)in[j] * weight[k];
    for (int j = 0; j < n; j++)
        s->row[x + j] = (uint16_t)(sum[j] >> (ONE_BITS - ROW_BITS));
}

static void shrink_across(const struct rn_ui_taps *t, const uint16_t *row, uint8_t *to)
{
    for (int i = 0; i < t->to; i++, to += 4) {
        const uint16_t *in = row + 4 * (ptrdiff_t)t->first[i];
        const uint16_t *w = t->weight + (size_t)i * (size_t)t->most;
        uint32_t sum[4] = {0};
        for (int k = 0; k < t->n[i]; k++)
            for (int c = 0; c < 4; c++)
                sum[c] += (uint32_t)in[4 * k + c] * w[k];
        for (int c = 0; c < 4; c++)
            to[c] =
                (uint8_t)((sum[c] + (1U << (ONE_BITS + ROW_BITS - 1))) >> (ONE_BITS + ROW_BITS));
    }
}

int rn_ui_shrink_prepare(struct rn_ui_shrink *shrink, int w, int h, int to_w, int to_h)
{
    size_t samples = 4 * (size_t)w;
    if (taps_make(&shrink->across, w, to_w) || taps_make(&shrink->down, h, to_h))
        return RN_EINTERNAL;
    if (shrink->samples >= samples)
        return 0;
    free(shrink->row);
    shrink->row = malloc(samples * sizeof *shrink->row);
    shrink->samples = shrink->row ? samples : 0;
    return shrink->row ? 0 : rn_fail_memory();
}

void rn_ui_shrink(const struct rn_ui_shrink *shrink, const uint8_t *from, int from_stride,
                  uint8_t *to, int to_stride)
{
    for (int i = 0; i < shrink->down.to; i++, to += to_stride) {
        /* Row i, as wide as the picture was: means of its rows. */
        int samples = 4 * shrink->across.from, x = 0;
        for (; x + BLOCK <= samples; x += BLOCK)
            shrink_block(shrink, from, from_stride, i, x, BLOCK);
        shrink_block(shrink, from, from_stride, i, x, samples - x);
        shrink_across(&shrink->across, shrink->row, to);
    }
}

void rn_ui_shrink_free(struct rn_ui_shrink *shrink)
{
    taps_free(&shrink->across);
    taps_free(&shrink->down);
    free(shrink->row);
    *shrink = (struct rn_ui_shrink){0};
}
