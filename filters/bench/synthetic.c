/* SPDX-License-Identifier: MIT */
#include "filters/bench/bench.h"

struct rn_geom rn_synthetic_geom(const char *format, int w, int h)
{
    struct rn_geom geom = {RN_SIZED(struct rn_geom), .w = w, .h = h, .low = 0, .high = 65535};
    rn_format_parse(format, &geom.fmt);
    return geom;
}

void rn_synthetic_paint(struct rn_image *img)
{
    uint32_t s = 1;
    const struct rn_format *fmt = &img->geom.fmt;
    enum rn_sample sample = rn_format_sample(fmt);
    int max = fmt->number == RN_NUMBER_UNSIGNED ? rn_format_max(fmt) : 65535;
    float least = fmt->number == RN_NUMBER_SIGNED ? (float)rn_format_min(fmt) : 0;
    for (int p = 0; p < rn_format_planes(&img->geom.fmt); p++)
        for (int y = 0; y < img->plane[p].h; y++)
            for (int x = 0; x < img->plane[p].w; x++)
                rn_sample_put(&img->plane[p], sample, x, y,
                              (float)(((s = s * 1664525 + 1013904223) >> 16) & (uint32_t)max) +
                                  least);
}
