/* SPDX-License-Identifier: MIT */
/* Measures what the field publishes: vectors, matrices, convolutions, closings, frames a second.
 * Each is timed on a device and on one thread of plain C, checked against the latter, and timed in
 * turns with the installed libraries. */
#pragma once

#include "filters/bench/timing.h"
#include "filters/core/device/device.h"

enum rn_measure_peer { RN_OPENBLAS, RN_CLBLAST, RN_FFTW, RN_MEASURE_PEERS };

struct rn_figure {
    char name[64], size[64];
    double work;          /* of one run */
    const char *unit;     /* of work a second: "GB/s" (work: bytes moved), "GFLOP/s", "frames/s" */
    struct rn_times ours; /* seconds of one run, by the host's clock; the spread of the repeats */
    double plain;         /* seconds of one run on one thread */
    double part;          /* share of the work that plain C did and that was checked, 0..1 */
    double peer[RN_MEASURE_PEERS]; /* median seconds; 0: not installed, or without the function */
    bool exact;                    /* the results have to be the same */
    double error, tolerance;       /* largest difference to plain C, largest allowed one */
    double of_copy; /* GB/s as a share of a copy's, best against best; 0: not memory-bound */
    double up, kernels, down; /* streams: seconds of their parts by the device's clock; else 0 */
};

struct rn_measure_opts {
    int repeats; /* 1..RN_MAX_TIMES */
    bool quick;  /* small sizes */
    int threads; /* of OpenBLAS; 0 = its own choice */
    int inflight;
};

/* Takes one result. Returns 0, or an error, which ends the measuring. */
typedef int rn_figure_fn(void *arg, const struct rn_figure *measure);

/* dev: not NULL. *openblas_threads: set before the first result; 0: not installed. Returns 0 or an
 * error (logged); a wrong result is no error. */
int rn_measures(struct rn_device *dev, const struct rn_measure_opts *opts, int *openblas_threads,
                rn_figure_fn *each, void *arg);
