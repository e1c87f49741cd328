/* SPDX-License-Identifier: MIT */
/* Synthetic pictures: noise over the whole range of the samples. */
#pragma once

#include "filters/base/image.h"

/* Of w x h pixels in a format that rn_format_parse() reads; floats range from 0 to 65535. */
struct rn_geom rn_synthetic_geom(const char *format, int w, int h);

/* Always the same noise. */
void rn_synthetic_paint(struct rn_image *img);
