/* SPDX-License-Identifier: MIT */
/* Streams frames: reader thread -> lanes of a pool -> writer (the thread that calls next and done),
 * over the slots of the pool.
 *
 *         +--- idle ---+----------------------------------- done <---+
 *         v            |                                             |
 *      reader --- submit ---> lanes' threads --- running ---> next --- the caller uses slot->out
 *
 * Samples that a source leaves out are read by several threads, straight into the slots; the reader
 * submits them in order.
 *
 * Each queue holds every slot, so threads wait for slots only. The end of the input, or an error of
 * the feed, follows the last frame: each thread closes the queue that it feeds. Any other error
 * aborts all queues and interrupts the feed, which ends every thread. The first error wins. */
#pragma once

#include "filters/core/pool/pool.h"
#include "io/read/source.h"

struct rn_app_pipeline;

/* Where the frames come from: a source, or memory (bench). */
struct rn_app_feed {
    void *arg;
    /* As rn_read_read. Reader thread. */
    int (*read)(void *arg, struct rn_image *img, struct rn_frame *frame);
    struct rn_read_source *source; /* to interrupt; NULL: memory, which nobody waits for */
    int threads; /* read samples that read may leave out (rn_read_leave_out); 0: it leaves none */
};

/* Measures of the threads; times in seconds. */
struct rn_app_meter {
    double decode;      /* reader: inside the feed */
    double wait_reader; /* for a free slot */
    double wait_writer; /* caller: inside rn_app_pipeline_next */
    int inflight;       /* slots */
    bool cut;           /* the feed was interrupted before its end */
    struct rn_pool_meter pool;
};

/* Adds the measures of another pipeline. */
void rn_app_meter_add(struct rn_app_meter *sum, const struct rn_app_meter *m);

/* Called in a thread of its own before a frame is submitted; may change the chain's parameters.
 * Returns 0 or an error (logged), which ends the stream. */
typedef int rn_app_before_frame(void *arg, int64_t frame);

/* Starts the threads. before: may be NULL. feed.arg and pool, which was started, are borrowed until
 * rn_app_pipeline_destroy. Returns 0 or RN_EINTERNAL (logged). */
int rn_app_pipeline_start(struct rn_app_pipeline **pl, struct rn_app_feed feed,
                          struct rn_pool *pool, rn_app_before_frame *before, void *arg);

/* Waits for the next frame, in order. Returns 0, RN_END after the last one, or the first error. */
int rn_app_pipeline_next(struct rn_app_pipeline *pl, struct rn_slot **slot);

/* Gives a slot back and releases its frame. Returns 0 or the first error. */
int rn_app_pipeline_done(struct rn_app_pipeline *pl, struct rn_slot *slot);

/* Ends the stream with err < 0. Returns the first error. Any thread. */
int rn_app_pipeline_fail(struct rn_app_pipeline *pl, int err);

/* Stops reading; frames already read are still delivered. Any thread; async-signal-safe. */
void rn_app_pipeline_interrupt(struct rn_app_pipeline *pl);

/* Frames read and not yet done. Any thread; async-signal-safe. */
int64_t rn_app_pipeline_pending(struct rn_app_pipeline *pl);

/* Waits for the threads, which end after RN_END or an error. *ledger: receives read and written.
 * *tail: data after the last picture, owned by the caller (tail->data may be NULL). */
void rn_app_pipeline_join(struct rn_app_pipeline *pl, struct rn_app_meter *meter,
                          struct rn_io_ledger *ledger, struct rn_frame *tail);

/* Releases the pipeline and the frames in its slots, after rn_app_pipeline_join. NULL is legal. */
void rn_app_pipeline_destroy(struct rn_app_pipeline **pl);
