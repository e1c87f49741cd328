/* What repeats of a measurement spread over. */
#ifndef RN_TIMING_H
#define RN_TIMING_H

#define RN_TIMES_MOST 100 /* values */

/* Seconds, or whatever was measured. All 0 where nothing was. */
struct rn_times {
    double min, median, max;
};

/* Of n values, 0..RN_TIMES_MOST. */
struct rn_times rn_times_of(const double *values, int n);

#endif
