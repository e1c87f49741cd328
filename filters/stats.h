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
    uint64_t samples; /* of the plane, >= 1 */
    uint64_t l1;
    double mean, variance, l2, lp, entropy;
    int min, max; /* max is also the norm linf */
    bool has_previous;
    uint64_t dot_prev;         /* with the same plane of the previous frame; 0 without one */
    double ncc_prev;           /* likewise */
    const uint64_t *histogram; /* number of samples of each value 0..bins-1 */
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
