/* SPDX-License-Identifier: MIT */
/* Minimum, median and maximum of a measurement's repeats; device times between two moments. */
#pragma once

#include "filters/core/runner/runner.h"

#define RN_MAX_TIMES 100 /* values */

/* Seconds or another unit. All 0 without a value. */
struct rn_times {
    double min, median, max;
};

/* Of n values, 0..RN_MAX_TIMES. */
struct rn_times rn_times_of(const double *values, int n);

void rn_times_scale(struct rn_times *times, double factor);

/* The device seconds of all stages. */
double rn_timings_kernels(const struct rn_timings *timings);

/* The difference of two readings. Stage times are those of the frames that were timed in between,
 * scaled to all frames in between; where none was timed, the mean of all. */
struct rn_timings rn_timings_between(const struct rn_timings *before, const struct rn_timings *now);
