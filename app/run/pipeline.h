/* The stream: reader thread -> the lanes of a pool -> the thread that calls next and done (a
 * writer), over the slots of the pool.
 *
 *         +--- idle ---+----------------------------------- done <---+
 *         v            |                                             |
 *      reader --- submit ---> lanes' threads --- running ---> next --- the caller uses slot->out
 *
 * Each queue has room for every slot, so nobody waits for room, only for slots. The end of the
 * input travels behind the last frame, and so does an error of the feed: each thread closes the
 * queue that it feeds. Any other error aborts all queues and interrupts the feed; every thread
 * then ends. The first error wins. */
#ifndef RN_APP_RUN_PIPELINE_H
#define RN_APP_RUN_PIPELINE_H

#include <stdbool.h>
#include <stdint.h>

#include "filters/core/pool/pool.h"
#include "io/read/source.h"

struct rn_app_pipeline;

/* Where the frames come from: a source, or memory (bench). */
struct rn_app_feed {
    void *arg; /* of both */
    /* As rn_read_read. Reader thread. */
    int (*read)(void *arg, struct rn_image *img, struct rn_frame *frame);
    /* As rn_read_interrupt. Any thread; async-signal-safe. */
    void (*interrupt)(void *arg);
};

/* The feed of a source, which is borrowed. */
struct rn_app_feed rn_app_feed_of(struct rn_read_source *source);

/* What the threads did; seconds. */
struct rn_app_meter {
    double decode;      /* reader: inside the feed */
    double wait_reader; /* for a free slot */
    double wait_device; /* the lanes: for a frame, in the mean */
    double wait_writer; /* caller: inside rn_app_pipeline_next */
    double submit;      /* the lanes: inside rn_runner_submit, in all */
    int inflight;       /* the most frames under way */
    int lanes;          /* frames that the device computes at once */
    int batch;          /* the most frames that a device took together */
    int64_t batches;    /* the groups in which it took them */
    int64_t again;      /* frames computed once more, for their neighbours in another lane */
    bool cut;           /* the feed was interrupted before its end */
};

/* Called by the reader thread before a frame is submitted; may change the chain's parameters.
 * Returns 0 or an error (logged), which ends the stream. */
typedef int rn_app_before_frame(void *arg, int64_t frame);

/* Starts the threads. before: NULL = nothing to do. What feed reads from and pool are borrowed
 * until rn_app_pipeline_destroy; the pool was started. Returns 0 or RN_EINTERNAL (logged). */
int rn_app_pipeline_start(struct rn_app_pipeline **pl, struct rn_app_feed feed,
                          struct rn_pool *pool, rn_app_before_frame *before, void *arg);

/* Waits for the next frame, in order. Returns 0, RN_END after the last, or the first error. */
int rn_app_pipeline_next(struct rn_app_pipeline *pl, struct rn_slot **slot);

/* Gives a slot back. slot->frame.data was consumed or is released. Returns 0 or the first error. */
int rn_app_pipeline_done(struct rn_app_pipeline *pl, struct rn_slot *slot);

/* Ends the stream with err < 0, unless it has failed before. Returns the first error. Any thread.
 */
int rn_app_pipeline_fail(struct rn_app_pipeline *pl, int err);

/* Stops reading; what was read still comes through next. Any thread; async-signal-safe. */
void rn_app_pipeline_interrupt(struct rn_app_pipeline *pl);

/* Frames read and not yet done. Any thread; async-signal-safe. */
int64_t rn_app_pipeline_pending(struct rn_app_pipeline *pl);

/* Waits for the threads, which end by themselves after RN_END or an error. *meter: what they did.
 * *ledger: gets the pipeline's counts. *tail: what stood behind the last picture, now the caller's
 * (tail->data may be NULL). */
void rn_app_pipeline_join(struct rn_app_pipeline *pl, struct rn_app_meter *meter,
                          struct rn_io_ledger *ledger, struct rn_frame *tail);

/* Releases the pipeline and what its slots still carry; after rn_app_pipeline_join. NULL is legal.
 * */
void rn_app_pipeline_destroy(struct rn_app_pipeline **pl);

#endif
