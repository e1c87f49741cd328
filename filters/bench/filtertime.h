/* SPDX-License-Identifier: MIT */
/* Times the kernels of a filter on synthetic frames, and a copy of one plane within the device's
 * memory as their lower bound. */
#pragma once

#include "filters/base/image.h"
#include "filters/bench/timing.h"
#include "filters/core/device/device.h"

/* Chains of one filter each: settings worth measuring, then every other filter with its default
 * parameters. i: from 0; NULL at the end. */
const char *rn_filtertime_chain(int i);

/* The formats and sizes to measure; NULL at the end. */
extern const char *const rn_filtertime_formats[];
extern const struct rn_filtertime_size {
    const char *name;
    int w, h;
} rn_filtertime_sizes[];

struct rn_filtertime {
    struct rn_times frame; /* seconds of a frame, of several batches, by the device's clock */
    double copy;           /* seconds of a copy of the plane; 0 in plain C */
    int64_t bytes;         /* of the frame */
};

/* Times a chain on frames of geometry geom, for about `seconds`. dev: NULL = plain C. Returns 0 or
 * an error (logged). */
int rn_filtertime_measure(struct rn_device *dev, const char *chain, const struct rn_geom *geom,
                          double seconds, struct rn_filtertime *result);
