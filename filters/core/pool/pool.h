/* SPDX-License-Identifier: MIT */
/* A pool of runners that take the frames of one input in turn: the cores of a CPU, each with a
 * frame of its own, or several devices, or a single runner with the whole device. lanes.c chooses.
 *
 * A pool is used as one runner is: it has slots in a fixed order, and frames come out in the order
 * in which they went in, with the same pixels and measures; one is waited for, used and recycled
 * before the next. A runner and the thread that submits to it are a lane. Where filters depend on
 * other frames, a lane also gets the frames before and behind its run, and computes them again.
 * Where filters only compare a frame with an earlier one, the lanes of one CPU hand copies on to
 * each other (relay.h).
 *
 * If one of several devices fails, the others compute its frames, each as it is waited for, unless
 * filters depend on other frames.
 *
 * Threads: one that submits (submit, drain, ready, update) and one that waits (wait, start and
 * stop); any threads recycle, each a slot of its own, also while one waits. */
#pragma once

#include "filters/core/runner/runner.h"

RN_API_BEGIN

#define RN_MAX_INFLIGHT 1024
#define RN_MAX_THREADS  65536

struct rn_pool;

struct rn_pool_opts {
    size_t size;          /* RN_SIZED(struct rn_pool_opts) */
    int inflight;         /* the most frames under way; 0: what is best */
    int batch;            /* the most frames that a device takes together; 0: what is best */
    int threads;          /* the most of the C reference path; 0: all */
    bool busy;            /* others compute on the same cores: a decoder, an encoder */
    bool by_field, mixed; /* frames by field are expected, and others among them */
    int64_t memory;       /* bytes for frames under way, of which fewer are taken; 0: no limit */
};

/* The bytes of so many slots, 0..RN_MAX_SLOTS, that one runner has; 0 for others (logged). */
int64_t rn_pool_bytes(const struct rn_analysis *analysis, int slots);

/* What the lanes' threads did, all together, but for pictures that they passed by themselves
 * (exchange.h); seconds. */
struct rn_pool_meter {
    int lanes;
    int batch;       /* the most frames that went to a device together */
    int64_t batches; /* the groups in which they went, in all */
    int64_t again;   /* frames that were computed once more, for their neighbours in another lane */
    double submit;   /* inside rn_runner_submit */
    double idle;     /* waiting for frames since rn_pool_begin, the mean of the lanes */
};

/* Opens a pool, as rn_runner_open does a runner: the same checks, the same errors. devs: ndevs
 * devices that share the frames, 0 = the C reference path; borrowed, and each another one. Returns
 * 0 or an error (logged). */
int rn_pool_open(struct rn_pool **pool, struct rn_device *const devs[], int ndevs,
                 const struct rn_chain *chain, const struct rn_geom *geom,
                 const struct rn_pool_opts *opts);

/* Waits for work in progress, releases everything and sets *pool to NULL, which is legal. Returns 0
 * or RN_EINTERNAL (logged): OpenCL objects were not released. */
int rn_pool_close(struct rn_pool **pool);

/* The number of slots, and slot i. They are to be filled in this order, and again in the order in
 * which they were recycled, which is the same. NULL: there is no slot i. */
int rn_pool_nslots(const struct rn_pool *pool);
struct rn_slot *rn_pool_slot(struct rn_pool *pool, int i);

/* The geometry of the results. Any thread. */
const struct rn_geom *rn_pool_output(const struct rn_pool *pool);

/* The slots that a thread may wait for at once, before and behind the pool (base/queue.h). */
int rn_pool_some(const struct rn_pool *pool);

/* These do what their namesakes in runner.h do. rn_pool_submit and rn_pool_drain only hand over: an
 * error on the way comes out of rn_pool_wait, in turn. rn_pool_update waits until all that was
 * submitted is on its way, so that it applies to the frames submitted from now on. */
int rn_pool_submit(struct rn_pool *pool, struct rn_slot *slot);
int rn_pool_drain(struct rn_pool *pool);
struct rn_slot *rn_pool_ready(struct rn_pool *pool);
int rn_pool_wait(struct rn_pool *pool, struct rn_slot *slot);
int rn_pool_recycle(struct rn_pool *pool, struct rn_slot *slot);
int rn_pool_start(struct rn_pool *pool);
int rn_pool_stop(struct rn_pool *pool, bool complete);
int rn_pool_update(struct rn_pool *pool, const struct rn_chain *chain);
int rn_pool_fits(const struct rn_pool *pool, const struct rn_chain *chain);
void rn_pool_timings(struct rn_pool *pool, struct rn_timings *timings);

/* As rn_runner_listen, for what all lanes measure, in order. */
int rn_pool_listen(struct rn_pool *pool, int i, rn_measure_fn *fn, void *arg);

/* Starts the measure of idle time, without the time of opening. Before the first submit. */
void rn_pool_begin(struct rn_pool *pool);

/* Since the pool was opened. While no lane works. */
void rn_pool_meter(struct rn_pool *pool, struct rn_pool_meter *meter);

RN_API_END
