/* SPDX-License-Identifier: MIT */
/* What the stage `stats` measures, as numbers: rn_runner_listen and rn_pool_listen hand it over. */
#pragma once

#include "filters/base/image.h"

/* The measurement of one plane of one frame. */
struct rn_measure {
    const struct rn_frame *frame;
    const struct rn_format *fmt;
    int plane;
    int order;        /* p of lp */
    uint64_t samples; /* of the plane, without NaN; 0: all values but entropy are NaN */
    bool whole;       /* min, max, l1, linf and dot_prev are integers */
    /* In the input's unit where it has a rescale slope, otherwise of the stored samples. Entropy is
     * that of the histogram, but of floats that of RN_FLOAT_BINS bins from the smallest to the
     * largest finite sample of this plane: the bins of the histogram are those of all frames. */
    double mean, variance, min, max, l1, l2, lp, linf, entropy;
    bool has_previous;
    double dot_prev;           /* with the same plane of the previous frame; 0 without one */
    uint64_t whole_dot;        /* the same, exact, modulo 2^64, if whole */
    double ncc_prev;           /* 0 without a previous frame */
    const uint64_t *histogram; /* number of samples in each bin: filters/parts/histogram.h */
    int bins;
    /* The middle of bin i is the value bin_first + i * bin_step, as min and max are given. */
    double bin_first, bin_step; /* bin_step < 0 where the slope is */
    const char *unit;           /* of all of these; "" = none, or the samples' own */
    uint64_t nans, nonzero;     /* of the stored samples; NaN is not among the latter */
    /* Of what is not zero, by the spacing; 0 where that is not known. */
    double area_mm2, volume_mm3;
};

/* Receives every measurement, plane by plane and frame by frame, in the thread that calls
 * rn_runner_wait. measure is valid during the call only. Returns 0 or an error (logged), which ends
 * the run. */
typedef int rn_measure_fn(void *arg, const struct rn_measure *measure);
