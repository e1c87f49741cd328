/* The measurements of the stage `stats`, for commands that use them beyond its table. */
#ifndef RN_FILTERS_STATS_H
#define RN_FILTERS_STATS_H

#include "filters/core/chain/stage.h"
#include "filters/parts/measure.h"

/* Receives every measurement, plane by plane and frame by frame, in the thread that calls
 * rn_runner_wait. measure is valid during the call only. Returns 0 or an error (logged), which ends
 * the run. */
typedef int rn_measure_fn(void *arg, const struct rn_measure *measure);

/* Sets the listener of a stage, fn, which is called with arg. bound: a bound stage of rn_stats, see
 * rn_runner_bound. Call it before the first frame; one listener per stage. */
void rn_stats_listen(struct rn_bound *bound, rn_measure_fn *fn, void *arg);

extern const struct rn_stage_desc rn_stats;

#endif
