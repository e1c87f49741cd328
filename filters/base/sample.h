/* SPDX-License-Identifier: MIT */
/* Samples of any type, one by one or by rows: for what is done on the host. */
#pragma once

#include "filters/base/border.h"
#include "filters/base/floats.h"
#include "filters/base/image.h"

/* Converts a computed value to a sample, in all references: saturated to the smallest and largest
 * value and rounded half to even; floats stay as they are. The kernels' rn_round does the same. */
static inline float rn_round_sample(const struct rn_format *fmt, float v)
{
    if (fmt->number == RN_NUMBER_FLOAT)
        return v;
    float min = (float)rn_format_min(fmt), max = (float)rn_format_max(fmt);
    v = v > min ? v : min;
    return rintf(v < max ? v : max);
}

/* One sample of any type; x and y lie inside the plane. A float holds every value of every type. v:
 * such a value. */
static inline float rn_sample_get(const struct rn_plane *p, enum rn_sample sample, int x, int y)
{
    const void *row = p->data + y * p->stride;
    switch (sample) {
    case RN_SAMPLE_U8:
        return ((const uint8_t *)row)[x];
    case RN_SAMPLE_U16:
        return ((const uint16_t *)row)[x];
    case RN_SAMPLE_S16:
        return ((const int16_t *)row)[x];
    case RN_SAMPLE_F32:
    case RN_SAMPLES:
        break;
    }
    return ((const float *)row)[x];
}

static inline void rn_sample_put(struct rn_plane *p, enum rn_sample sample, int x, int y, float v)
{
    void *row = p->data + y * p->stride;
    switch (sample) {
    case RN_SAMPLE_U8:
        ((uint8_t *)row)[x] = (uint8_t)v;
        break;
    case RN_SAMPLE_U16:
        ((uint16_t *)row)[x] = (uint16_t)v;
        break;
    case RN_SAMPLE_S16:
        ((int16_t *)row)[x] = (int16_t)v;
        break;
    case RN_SAMPLE_F32:
    case RN_SAMPLES:
        ((float *)row)[x] = rn_quiet(v);
        break;
    }
}

/* Opens a loop over the samples of a plane, row by row. */
#define RN_EACH_SAMPLE(plane, x, y)                                                                \
    for (int y = 0; y < (plane)->h; y++)                                                           \
        for (int x = 0; x < (plane)->w; x++)

/* The sample at any place: outside the plane by the border rule, 0 where that has none. */
static inline float rn_sample_around(const struct rn_plane *p, enum rn_sample sample,
                                     enum rn_border border, int x, int y)
{
    int sx = rn_border_index(border, x, p->w), sy = rn_border_index(border, y, p->h);
    return sx < 0 || sy < 0 ? 0 : rn_sample_get(p, sample, sx, sy);
}

/* The first n samples of row y. */
static inline void rn_sample_row(const struct rn_plane *p, enum rn_sample sample, int y, int n,
                                 float *to)
{
    const void *row = p->data + y * p->stride;
    switch (sample) {
    case RN_SAMPLE_U8:
        for (int x = 0; x < n; x++)
            to[x] = ((const uint8_t *)row)[x];
        return;
    case RN_SAMPLE_U16:
        for (int x = 0; x < n; x++)
            to[x] = ((const uint16_t *)row)[x];
        return;
    case RN_SAMPLE_S16:
        for (int x = 0; x < n; x++)
            to[x] = ((const int16_t *)row)[x];
        return;
    case RN_SAMPLE_F32:
    case RN_SAMPLES:
        break;
    }
    for (int x = 0; x < n; x++)
        to[x] = ((const float *)row)[x];
}

/* The same as integers that compare as the samples do, floats as in filters/base/floats.h. */
static inline int32_t rn_order_get(const struct rn_plane *p, enum rn_sample sample, int x, int y)
{
    float v = rn_sample_get(p, sample, x, y);
    return sample == RN_SAMPLE_F32 ? rn_order_of(v) : (int32_t)v;
}

static inline void rn_order_put(struct rn_plane *p, enum rn_sample sample, int x, int y, int32_t v)
{
    rn_sample_put(p, sample, x, y, sample == RN_SAMPLE_F32 ? rn_order_value(v) : (float)v);
}

/* Kr and Kb of the luma equation of a matrix. */
static inline const double *rn_luma(enum rn_colour_matrix matrix)
{
    static const double luma[][2] = {{0.299, 0.114}, {0.2126, 0.0722}, {0.2627, 0.0593}};
    return luma[matrix];
}
