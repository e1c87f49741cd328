/* The measurements of the stage `stats`, for commands that use them beyond its table. */
#ifndef RN_STATS_STAGE_H
#define RN_STATS_STAGE_H

#include "filters/core/stage.h"

/* The measurement of one plane of one frame; stats.c gives the formulas. */
struct rn_measure {
    const struct rn_frame *frame;
    const struct rn_format *fmt;
    int plane;
    int order;        /* p of lp */
    uint64_t samples; /* of the plane, without NaN; 0: all values but entropy are NaN */
    bool whole;       /* min, max, l1, linf and dot_prev are integers */
    /* In the input's unit where it has a rescale slope, otherwise of the stored samples. */
    double mean, variance, min, max, l1, l2, lp, linf, entropy;
    bool has_previous;
    double dot_prev;           /* with the same plane of the previous frame; 0 without one */
    uint64_t whole_dot;        /* the same, exact, modulo 2^64, if whole */
    double ncc_prev;           /* 0 without a previous frame */
    const uint64_t *histogram; /* number of samples in each bin: filters/parts/histogram.h */
    int bins;
};

/* Receives every measurement, plane by plane and frame by frame, in the thread that calls
 * rn_runner_wait. measure is valid during the call only. Returns 0 or an error (logged), which ends
 * the run. */
typedef int rn_measure_fn(void *arg, const struct rn_measure *measure);

/* Sets the listener of a stage, fn, which is called with arg. bound: a bound stage of rn_stats, see
 * rn_runner_bound. Call it before the first frame; one listener per stage. */
void rn_stats_listen(struct rn_bound *bound, rn_measure_fn *fn, void *arg);

extern const struct rn_stage_desc rn_stats;

#endif
