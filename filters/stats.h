/* What the stage `stats` measures, for commands that make more of it than a table. */
#ifndef RN_STATS_STAGE_H
#define RN_STATS_STAGE_H

#include "filters/core/stage.h"

/* One plane of one frame; the formulas stand in stats.c. */
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
    uint64_t dot_prev;         /* with the same plane of the frame before; 0 without */
    double ncc_prev;           /* likewise */
    const uint64_t *histogram; /* samples of each value 0..bins-1 */
    int bins;
};

/* Gets every measure, plane by plane and frame by frame, in the thread that collects. measure is
 * valid during the call only. Returns 0 or an error (logged), which ends the run. */
typedef int rn_measure_fn(void *arg, const struct rn_measure *measure);

/* From now on fn is called; one listener a stage, stage is of rn_stats. Before the first frame. */
void rn_stats_listen(struct rn_stage *stage, rn_measure_fn *fn, void *arg);

extern const struct rn_stage_desc rn_stats;

#endif
