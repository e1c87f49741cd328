/* SPDX-License-Identifier: MIT */
#include "app/run/pipeline.h"

#include "filters/base/clock.h"
#include "filters/base/log.h"
#include "filters/base/threads/queue.h"
#include "filters/base/threads/stall.h"
#include "filters/base/threads/thread.h"
#include "filters/base/threads/workers.h"
#include "io/common/frame_data.h"
#include "io/process/confine.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* A slot whose samples were left out. */
struct piece {
    struct rn_read_source *source;
    struct rn_slot *slot;
    bool whole;
};

struct rn_app_pipeline {
    struct rn_app_feed feed;
    struct rn_pool *pool;
    int nslots;
    rn_app_before_frame *before;
    void *before_arg;
    struct rn_queue *idle, *running;
    struct rn_workers *fillers; /* the reader's; NULL: no samples are left out */
    struct piece *piece;        /* of each slot, in turns */
    int64_t pieces, filled;     /* given to fillers so far; taken from them again */
    struct rn_queue *again;     /* slots that the reader reads once more, before any idle one */
    struct rn_thread reader;
    /* With before(): gets frames from the reader, which may not build kernels; else NULL. */
    struct rn_queue *changing;
    struct rn_thread changer;

    atomic_int err;          /* first error, 0 if none */
    atomic_bool interrupted; /* by rn_app_pipeline_interrupt */
    atomic_llong read, written;
    atomic_int unreadable; /* the error that ended the input, 0: its end */

    /* Each field is written by one thread alone and read by others only after the join. */
    struct rn_app_meter meter;
    struct rn_frame tail;
};

void rn_app_meter_add(struct rn_app_meter *sum, const struct rn_app_meter *m)
{
    struct rn_pool_meter *pool = &sum->pool;
    sum->decode += m->decode;
    sum->wait_reader += m->wait_reader;
    sum->wait_writer += m->wait_writer;
    sum->inflight = m->inflight;
    sum->cut |= m->cut;
    pool->submit += m->pool.submit;
    pool->idle += m->pool.idle;
    pool->lanes = m->pool.lanes;
    pool->batch = m->pool.batch > pool->batch ? m->pool.batch : pool->batch;
    pool->batches += m->pool.batches;
    pool->again += m->pool.again;
}

static int pass_on(struct rn_app_pipeline *pl, int err)
{
    struct rn_slot *slot;
    if (err != 0)
        return rn_app_pipeline_fail(pl, err);
    while (err == 0 && (slot = rn_pool_ready(pl->pool)) != NULL)
        err = rn_queue_push(pl->running, slot);
    return err;
}

static void fill(void *arg)
{
    struct piece *p = arg;
    enum rn_stall outer = rn_stall_enter(RN_STALL_INPUT);
    p->whole = rn_read_samples(p->source, &p->slot->frame, &p->slot->in);
    rn_stall_leave(outer);
}

static int submit(struct rn_app_pipeline *pl, struct rn_slot *slot)
{
    atomic_fetch_add(&pl->read, 1);
    return pl->before ? rn_queue_push(pl->changing, slot)
                      : pass_on(pl, rn_pool_submit(pl->pool, slot));
}

/* Takes the oldest piece of the fillers, once it is worked on; wait: waits for that. NULL: none. */
static struct piece *next_filled(struct rn_app_pipeline *pl, bool wait)
{
    double t0 = rn_clock();
    struct piece *p = pl->fillers ? rn_workers_pop(pl->fillers, wait) : NULL;
    pl->filled += p != NULL;
    pl->meter.decode += rn_clock() - t0;
    return p;
}

/* Submits the slot of a piece that was worked on. One that is not whole, and all behind it, the
 * reader reads again by itself: it reports what is wrong, and a picture may turn out to be none. */
static int submit_filled(struct rn_app_pipeline *pl, const struct piece *p)
{
    if (p->whole)
        return submit(pl, p->slot);
    for (; p; p = next_filled(pl, true)) {
        rn_read_return(pl->feed.source, &p->slot->frame);
        rn_io_frame_release(&p->slot->frame);
        rn_queue_push(pl->again, p->slot);
    }
    return 0;
}

/* Reads a frame and submits it, or passes it to a thread that does or that reads its samples.
 * Returns 0, or RN_END or an error, which end the stream. */
static int read_frame(struct rn_app_pipeline *pl, struct rn_slot *slot)
{
    double t0 = rn_clock();
    bool stopped = !pl->feed.source && atomic_load(&pl->interrupted);
    int err = stopped ? RN_END : pl->feed.read(pl->feed.arg, &slot->in, &slot->frame), before = 0;
    pl->meter.decode += rn_clock() - t0;
    if (!err && pl->fillers && slot->frame.data->left_out) {
        struct piece *p = &pl->piece[pl->pieces++ % pl->nslots];
        *p = (struct piece){pl->feed.source, slot, false};
        rn_workers_push(pl->fillers, p);
        return 0;
    }
    bool again = false;
    for (struct piece *p; !before && (p = next_filled(pl, true)) != NULL;) {
        again = !p->whole;
        before = submit_filled(pl, p);
    }
    if (before) { /* the frame stays in its slot, and is released with the pipeline */
        err = before;
    } else if (again) { /* so what came behind it does not count */
        rn_io_frame_release(&slot->frame);
        err = rn_queue_push(pl->again, slot);
    } else if (err == RN_END) {
        pl->meter.cut = atomic_load(&pl->interrupted);
        pl->tail = slot->frame;
        slot->frame.data = NULL;
    } else if (err != 0) { /* the frames before it are still written */
        atomic_store(&pl->unreadable, err);
    } else {
        err = submit(pl, slot);
    }
    return err;
}

/* The last frame was submitted. */
static void end_frames(struct rn_app_pipeline *pl)
{
    if (!atomic_load(&pl->err)) /* filters across frames still hold frames */
        pass_on(pl, rn_pool_drain(pl->pool));
    rn_queue_close(pl->running);
}

static void *change_frames(void *arg)
{
    struct rn_app_pipeline *pl = arg;
    void *item;
    for (int err = 0; err == 0 && rn_queue_pop(pl->changing, &item) == 0;) {
        struct rn_slot *slot = item;
        err = pl->before(pl->before_arg, slot->frame.index);
        err = pass_on(pl, err ? err : rn_pool_submit(pl->pool, slot));
    }
    end_frames(pl);
    return NULL;
}

static void *read_frames(void *arg)
{
    struct rn_app_pipeline *pl = arg;
    double t0;
    void *item;
    int err = 0, refused = rn_io_domain_narrow();
    if (refused)
        err = rn_app_pipeline_fail(
            pl, rn_fail(RN_EINTERNAL, "Landlock refuses the reader: %s", strerror(refused)));
    while (err == 0) {
        /* For the oldest, not for a slot, and for all before what the reader has to read. */
        bool wait = pl->pieces > pl->filled &&
                    (rn_queue_is_empty(pl->idle) || rn_read_is_alone(pl->feed.source));
        const struct piece *p = next_filled(pl, wait);
        if (p) {
            err = submit_filled(pl, p);
            continue;
        }
        t0 = rn_clock();
        bool more = pl->again && !rn_queue_is_empty(pl->again);
        err = rn_queue_pop(more ? pl->again : pl->idle, &item);
        pl->meter.wait_reader += rn_clock() - t0;
        err = err ? err : read_frame(pl, item);
    }
    rn_workers_destroy(&pl->fillers);
    if (pl->before)
        rn_queue_close(pl->changing);
    else
        end_frames(pl);
    return NULL;
}

int rn_app_pipeline_start(struct rn_app_pipeline **out, struct rn_app_feed feed,
                          struct rn_pool *pool, rn_app_before_frame *before, void *arg)
{
    struct rn_app_pipeline *pl = *out = calloc(1, sizeof *pl);
    if (!pl)
        return rn_fail_memory();
    pl->feed = feed;
    pl->pool = pool;
    pl->nslots = rn_pool_nslots(pool);
    pl->before = before;
    pl->before_arg = arg;
    rn_pool_begin(pool);
    pl->idle = rn_queue_create(pl->nslots, rn_pool_some(pool));
    pl->running = rn_queue_create(pl->nslots, rn_pool_some(pool));
    if (before)
        pl->changing = rn_queue_create(pl->nslots, 1);
    int err = pl->idle && pl->running && (pl->changing || !before) ? 0 : rn_fail_memory();
    for (int i = 0; i < pl->nslots && !err; i++)
        rn_queue_push(pl->idle, rn_pool_slot(pool, i));
    if (!err && feed.threads) {
        pl->piece = calloc((size_t)pl->nslots, sizeof *pl->piece);
        pl->fillers = rn_workers_create(feed.threads, pl->nslots, fill);
        pl->again = rn_queue_create(pl->nslots, 1);
        err = pl->piece && pl->fillers && pl->again ? 0 : rn_fail_memory();
        if (!err)
            rn_read_leave_out(feed.source);
    }
    if (!err && before)
        err = rn_thread_start(&pl->changer, "changer", change_frames, pl);
    err = err ? err : rn_thread_start(&pl->reader, "reader", read_frames, pl);
    if (err && pl->changing) {
        rn_queue_abort(pl->changing);
        rn_thread_join(&pl->changer);
    }
    if (err)
        rn_app_pipeline_destroy(out);
    return err;
}

int rn_app_pipeline_next(struct rn_app_pipeline *pl, struct rn_slot **slot)
{
    double t0 = rn_clock();
    void *item;
    int err = rn_queue_pop(pl->running, &item);
    if (err == RN_END && atomic_load(&pl->unreadable))
        err = rn_app_pipeline_fail(pl, atomic_load(&pl->unreadable));
    if (err == 0) {
        *slot = item;
        err = rn_pool_wait(pl->pool, *slot);
        if (err < 0)
            err = rn_app_pipeline_fail(pl, err);
    }
    pl->meter.wait_writer += rn_clock() - t0;
    int first = atomic_load(&pl->err);
    return first ? first : err;
}

int rn_app_pipeline_done(struct rn_app_pipeline *pl, struct rn_slot *slot)
{
    rn_io_frame_release(&slot->frame);
    int err = rn_pool_recycle(pl->pool, slot);
    if (err != 0)
        return rn_app_pipeline_fail(pl, err);
    atomic_fetch_add(&pl->written, 1);
    rn_queue_push(pl->idle, slot);
    return atomic_load(&pl->err);
}

int rn_app_pipeline_fail(struct rn_app_pipeline *pl, int err)
{
    int first = 0;
    if (!atomic_compare_exchange_strong(&pl->err, &first, err))
        return first;
    rn_queue_abort(pl->idle);
    if (pl->changing)
        rn_queue_abort(pl->changing);
    rn_queue_abort(pl->running);
    if (pl->feed.source)
        rn_read_interrupt(pl->feed.source);
    return err;
}

void rn_app_pipeline_interrupt(struct rn_app_pipeline *pl)
{
    atomic_store(&pl->interrupted, true);
    if (pl->feed.source)
        rn_read_interrupt(pl->feed.source);
}

int64_t rn_app_pipeline_pending(struct rn_app_pipeline *pl)
{
    return atomic_load(&pl->read) - atomic_load(&pl->written);
}

void rn_app_pipeline_join(struct rn_app_pipeline *pl, struct rn_app_meter *meter,
                          struct rn_io_ledger *ledger, struct rn_frame *tail)
{
    rn_thread_join(&pl->reader);
    if (pl->changing)
        rn_thread_join(&pl->changer);
    ledger->read = atomic_load(&pl->read);
    ledger->written = atomic_load(&pl->written);
    *meter = pl->meter;
    meter->inflight = pl->nslots;
    rn_pool_meter(pl->pool, &meter->pool);
    *tail = pl->tail;
    pl->tail.data = NULL;
}

void rn_app_pipeline_destroy(struct rn_app_pipeline **pl)
{
    if (!*pl)
        return;
    for (int i = 0; i < (*pl)->nslots; i++)
        rn_io_frame_release(&rn_pool_slot((*pl)->pool, i)->frame);
    rn_queue_destroy(&(*pl)->idle);
    rn_queue_destroy(&(*pl)->changing);
    rn_queue_destroy(&(*pl)->running);
    rn_queue_destroy(&(*pl)->again);
    rn_workers_destroy(&(*pl)->fillers);
    free((*pl)->piece);
    free(*pl);
    *pl = NULL;
}
