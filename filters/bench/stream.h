/* SPDX-License-Identifier: MIT */
/* Streams synthetic frames through a chain with two threads: one submits, one collects. Measures
 * one frame in flight, so that each part runs alone, then the requested number of frames; both with
 * slots that hold their pictures already. Then the same number with pictures in the caller's
 * memory, which are copied into the slots, and the results out of them. */
#pragma once

#include "filters/bench/timing.h"
#include "filters/core/chain/chain.h"
#include "filters/core/device/device.h"

struct rn_stream_case {
    const char *chain, *format;
    int w, h, frames; /* frames: the most of one pass */
};

/* The parts, in seconds a frame, by the device's clock. */
struct rn_stream_parts {
    double upload, run, download;
};

struct rn_stream_result {
    int frames;
    int inflight, lanes; /* with all frames in flight: their number, those computed at once */
    struct rn_stream_parts alone; /* one frame in flight: no two parts overlap */
    struct rn_stream_parts together;
    double wall_alone;           /* seconds a frame */
    struct rn_times wall;        /* likewise, with all frames in flight, of the repeats */
    struct rn_times callers;     /* likewise, from the caller's memory and back */
    double up_bytes, down_bytes; /* a frame, that were copied; 0 where they are mapped */
};

/* The usual cases. */
#define RN_STREAM_CASES 12
extern const struct rn_stream_case rn_stream_cases[RN_STREAM_CASES];

struct rn_stream_opts {
    struct rn_device *const *devs; /* they share the frames; when one is in flight, the first */
    int ndevs;                     /* 0: plain C, one thread */
    int inflight, repeats;         /* inflight: 0 = what is best; repeats: 1..RN_MAX_TIMES */
    double seconds;                /* approximate length of a pass */
    bool callers;                  /* rn_stream_result.callers is measured, too */
};

/* Returns 0 or an error (logged). */
int rn_stream_measure(const struct rn_stream_case *what, const struct rn_stream_opts *opts,
                      struct rn_stream_result *result);

/* Opens such a stream, passes frames through it, closes it. dev: NULL = plain C. *seconds: wall
 * time of the pass; *kernels: their time by the device's clock. Call rn_streaming_close also after
 * a failure; it sets *streaming to NULL, which is legal. */
struct rn_streaming;
int rn_streaming_open(struct rn_streaming **streaming, struct rn_device *dev,
                      const struct rn_stream_case *what, int inflight);
int rn_streaming_pass(struct rn_streaming *streaming, int frames, double *seconds, double *kernels);
void rn_streaming_close(struct rn_streaming **streaming);

/* The longest of the parts; *name: static text. */
double rn_stream_slowest(const struct rn_stream_parts *parts, const char **name);
