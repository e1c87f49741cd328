/* How many frames a CPU computes at once, and how they are dealt out. */
#ifndef RN_FILTERS_CORE_POOL_LANES_H
#define RN_FILTERS_CORE_POOL_LANES_H

#include "filters/core/chain/chain.h"
#include "filters/core/device/device.h"
#include "filters/core/pool/pool.h"

/* A lane is a runner with a device, or a part of one, for itself. Frames are dealt to the lanes in
 * runs: some to the first, the next ones to the second and so on, and round again. */
struct rn_lanes {
    int n;     /* lanes of the device; 1: the whole of it computes one frame after the other */
    int units; /* compute units of each, if n > 1 */
    int slots; /* frames under way in each, of its own */
    int batch; /* frames that may be transferred and computed together */
};

/* How a device is divided. dev: NULL = the C reference path; only its description is looked at. */
struct rn_lanes rn_lanes_choose(const struct rn_device *dev, const struct rn_analysis *analysis,
                                const struct rn_pool_opts *opts);

/* The whole device, frame after frame or batch after batch. */
struct rn_lanes rn_lanes_undivided(const struct rn_device *dev, const struct rn_analysis *analysis,
                                   const struct rn_pool_opts *opts);

/* Frames in a row for one of n lanes, >= 1. Where filters depend on other frames, a lane computes
 * those in front of a run and behind it besides. 0: the chain cannot be dealt out to so many. */
int rn_lanes_run(const struct rn_analysis *analysis, bool by_field, int n, int inflight);

#endif
