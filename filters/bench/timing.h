/* What repeats of a measurement spread over. */
#ifndef RN_FILTERS_BENCH_TIMING_H
#define RN_FILTERS_BENCH_TIMING_H

#include "filters/core/runner/runner.h"

#define RN_TIMES_MOST 100 /* values */

/* Seconds, or whatever was measured. All 0 where nothing was. */
struct rn_times {
    double min, median, max;
};

/* Of n values, 0..RN_TIMES_MOST. */
struct rn_times rn_times_of(const double *values, int n);

/* What was done between two moments. The times of stages are those of the frames that were timed
 * in between, for all frames in between; where none was, the mean of all. */
struct rn_timings rn_timings_between(const struct rn_timings *before, const struct rn_timings *now);

#endif
