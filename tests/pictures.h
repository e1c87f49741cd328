/* SPDX-License-Identifier: MIT */
/* Pictures for tests that compare streams of them. */
#pragma once

#include "filters/base/sample.h"
#include "tests/check.h"

static inline struct rn_geom geometry(const char *format, int w, int h)
{
    struct rn_geom geom = {RN_SIZED(struct rn_geom), .w = w, .h = h, .full_range = true,
                           .high = 1000};
    if (!rn_format_parse(format, &geom.fmt))
        abort();
    return geom;
}

/* Picture n of the stream, the same every time. Floats are 1,001 values of low..high, of
 * geometry() whole numbers. */
static inline void paint(struct rn_image *img, int n)
{
    struct rng rng = rng_seed((uint64_t)n + 77);
    enum rn_sample sample = rn_format_sample(&img->geom.fmt);
    int max = sample == RN_SAMPLE_F32 ? 1000 : rn_format_max(&img->geom.fmt);
    float low = img->geom.low, span = img->geom.high - low;
    for (int p = 0; p < rn_format_planes(&img->geom.fmt); p++)
        for (int y = 0; y < img->plane[p].h; y++)
            for (int x = 0; x < img->plane[p].w; x++) {
                float v = (float)rng_below(&rng, max + 1);
                rn_sample_put(&img->plane[p], sample, x, y,
                              sample == RN_SAMPLE_F32 ? low + span * v / 1000 : v);
            }
}

/* The first sample, in plane p at x and y, of which some bit differs. */
static inline bool find_difference(const struct rn_image *a, const struct rn_image *b, int *p,
                                   int *x, int *y)
{
    ptrdiff_t bytes = rn_format_bytes(&a->geom.fmt);
    for (*p = 0; *p < rn_format_planes(&a->geom.fmt); ++*p)
        for (*y = 0; *y < a->plane[*p].h; ++*y)
            for (*x = 0; *x < a->plane[*p].w; ++*x)
                if (memcmp(a->plane[*p].data + *y * a->plane[*p].stride + *x * bytes,
                           b->plane[*p].data + *y * b->plane[*p].stride + *x * bytes,
                           (size_t)bytes) != 0)
                    return true;
    return false;
}

/* FNV-1a. */
static inline uint64_t mix(uint64_t h, uint64_t v)
{
    return (h ^ v) * 0x100000001b3u;
}

/* A number that tells pictures apart. */
static inline uint64_t hash(const struct rn_image *img)
{
    uint64_t h = 0xcbf29ce484222325u;
    enum rn_sample sample = rn_format_sample(&img->geom.fmt);
    for (int p = 0; p < rn_format_planes(&img->geom.fmt); p++)
        for (int y = 0; y < img->plane[p].h; y++)
            for (int x = 0; x < img->plane[p].w; x++)
                h = mix(h, (uint32_t)rn_order_get(&img->plane[p], sample, x, y));
    return h;
}
