/* How many frames a CPU computes at once, and how they are dealt out. */
#ifndef RN_LANES_H
#define RN_LANES_H

#include "filters/core/chain_internal.h"
#include "filters/core/device.h"

#define RN_MAX_LANES 64

/* A lane is a runner with a part of the device for itself. Frames are dealt to the lanes in runs:
 * `run` frames to the first, the next ones to the second and so on, and round again. */
struct rn_lanes {
    int n;      /* lanes; 1: the whole device computes one frame after the other */
    int units;  /* compute units of each; 0: the whole device, undivided */
    int run;    /* frames in a row for one lane */
    int slots;  /* of each lane for frames of its own; a multiple of run */
    int before; /* frames in front of a run, and behind it, that the lane computes besides: filters */
    int behind; /* depend on them; their output is another lane's */
};

/* Chooses. dev: NULL = the C reference path; only its description is looked at. by_field: frames may
 * be filtered field by field. inflight: the most frames under way, or 0 = what is best. */
struct rn_lanes rn_lanes_choose(const struct rn_device *dev, const struct rn_analysis *analysis,
                                bool by_field, int inflight);

/* The whole device, frame after frame. */
struct rn_lanes rn_lanes_undivided(int inflight);

#endif
