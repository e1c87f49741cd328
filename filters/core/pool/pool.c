/* SPDX-License-Identifier: MIT */
#include "filters/core/pool/pool.h"

#include "filters/base/arguments.h"
#include "filters/base/clock.h"
#include "filters/base/threads/locked.h"
#include "filters/core/pool/pool_internal.h"

#define MOST_GATHERED 4 /* more are hardly fewer wakes */

/* ---- slots */

static struct rn_lane *lane_of(struct rn_pool *pool, const struct rn_slot *slot, int *index)
{
    for (int k = 0; k < pool->n; k++) {
        struct rn_lane *lane = &pool->lane[k];
        const struct rn_slot *first = rn_runner_slot(lane->runner, 0);
        uintptr_t from = (uintptr_t)slot - (uintptr_t)first; /* of any memory: it wraps around */
        if (from % sizeof *slot == 0 && from / sizeof *slot < (size_t)lane->nslots) {
            *index = (int)(from / sizeof *slot);
            return lane;
        }
    }
    return NULL;
}

/* A slot that a caller names: its lane has it for frames of its own, and in this use. Returns 0 or
 * RN_EUSAGE (logged). */
static int check_slot(const char *function, struct rn_pool *pool, const struct rn_slot *slot,
                      enum rn_slot_use use, struct rn_lane **lane, int *index)
{
    static const char *const wanted[] = {
        [RN_SLOT_FREE] = "to be filled", [RN_SLOT_READY] = "that rn_pool_ready returned"};
    if (rn_argument_missing(function, "pool slot", (const void *[]){pool, slot}, 2))
        return RN_EUSAGE;
    *lane = lane_of(pool, slot, index);
    if (!*lane || *index >= (*lane)->own || (*lane)->slot[*index].use != use)
        return rn_fail(RN_EUSAGE, "%s: slot is none of the pool's %s", function, wanted[use]);
    return 0;
}

/* Whose turn run number `run` is. */
static struct rn_lane *lane_of_run(struct rn_pool *pool, int64_t run)
{
    return &pool->lane[pool->turn[run % pool->nturns]];
}

int rn_pool_nslots(const struct rn_pool *pool)
{
    RN_NEED(0, "pool", pool);
    return pool->nslots;
}

const struct rn_geom *rn_pool_output(const struct rn_pool *pool)
{
    RN_NEED(NULL, "pool", pool);
    return rn_runner_output(pool->lane[0].runner);
}

/* With half of the slots on either side whoever waits gets what it waits for. */
int rn_pool_some(const struct rn_pool *pool)
{
    RN_NEED(1, "pool", pool);
    int free = pool->nslots - pool->behind;
    int some = free / 2 < MOST_GATHERED ? free / 2 : MOST_GATHERED;
    return some > 1 ? some : 1;
}

struct rn_slot *rn_pool_slot(struct rn_pool *pool, int i)
{
    RN_NEED(NULL, "pool", pool);
    if (i < 0 || i >= pool->nslots)
        return NULL;
    int run = i / pool->run_frames, round = run / pool->nturns, turn = run % pool->nturns,
        earlier = 0;
    struct rn_lane *lane = lane_of_run(pool, run);
    for (int k = 0; k < turn; k++)
        earlier += pool->turn[k] == pool->turn[turn];
    return rn_runner_slot(lane->runner, (round * lane->share + earlier) * pool->run_frames +
                                            i % pool->run_frames);
}

/* ---- opening and closing */

/* The first lane is opened alone, so that what is wrong with chain or device is said once. */
static int open_lanes(struct rn_pool *pool)
{
    int started = 0, err = rn_lane_open(&pool->lane[0]);
    for (int k = 0; k < pool->n && !err; k++)
        started += !(err = rn_lane_start(&pool->lane[k]));
    pthread_mutex_lock(&pool->lock);
    while (pool->opened < started)
        pthread_cond_wait(&pool->done, &pool->lock);
    if (!err && pool->open_error)
        rn_log_set_last(pool->open_why);
    err = err ? err : pool->open_error;
    pthread_mutex_unlock(&pool->lock);
    for (int k = 0; k < pool->n && !err; k++) {
        rn_runner_measure_into(pool->lane[k].runner, pool->lane[0].runner);
        rn_runner_relay(pool->lane[k].runner, pool->relay, k, pool->n);
    }
    return err;
}

static int check_devices(struct rn_device *const devs[], int ndevs)
{
    int err = rn_argument_within("rn_pool_open", "ndevs", ndevs, 0, RN_MAX_DEVICES);
    if (!err && ndevs && !devs)
        return rn_fail(RN_EUSAGE, "rn_pool_open: devs is NULL, and ndevs %d", ndevs);
    for (int d = 0; d < ndevs && !err && ndevs > 1; d++) {
        for (int k = 0; k < d && !err; k++)
            if (devs[k] == devs[d])
                err = rn_fail(RN_EUSAGE, "rn_pool_open: devs[%d] is devs[%d] again", d, k);
        if (!err && !devs[d])
            err = rn_fail(RN_EUSAGE, "rn_pool_open: devs[%d] is NULL", d);
    }
    return err;
}

int rn_pool_open(struct rn_pool **out, struct rn_device *const devs[], int ndevs,
                 const struct rn_chain *chain, const struct rn_geom *geom,
                 const struct rn_pool_opts *opts)
{
    static struct rn_device *const reference[] = {NULL};
    struct rn_analysis analysis;
    struct rn_pool_opts known;
    RN_NEED(RN_EUSAGE, "pool", out);
    *out = NULL;
    RN_NEED(RN_EUSAGE, "chain geom opts", chain, geom, opts);
    int err = check_devices(devs, ndevs);
    err =
        err ? err
            : rn_argument_sized(__func__, "rn_pool_opts", opts, sizeof known, &known, sizeof known);
    err = err ? err : rn_argument_within(__func__, "inflight", known.inflight, 0, RN_MAX_INFLIGHT);
    err = err ? err : rn_argument_within(__func__, "batch", known.batch, 0, RN_MOST_BATCH);
    err = err ? err : rn_argument_within(__func__, "threads", known.threads, 0, RN_MAX_THREADS);
    err = err ? err : rn_argument_geom(__func__, geom);
    if (err)
        return err;
    struct rn_pool *pool = calloc(1, sizeof *pool);
    if (!pool)
        return rn_fail_memory();
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->done, NULL);
    pool->chain = chain;
    pool->geom = geom;
    pool->opts = known;
    err = rn_chain_check(chain, geom, &analysis);
    err = err ? err
              : rn_pool_make_lanes(pool, ndevs ? devs : reference, ndevs ? ndevs : 1, &analysis);
    err = err ? err : open_lanes(pool);
    for (int k = 0; k < pool->n && !err; k++)
        pool->nslots += pool->lane[k].own;
    pthread_mutex_lock(&pool->lock); /* lanes wait by now */
    pool->enough = pool->n == 1 ? rn_pool_some(pool) : 1;
    pthread_mutex_unlock(&pool->lock);
    if (!err && !(pool->order = calloc((size_t)pool->nslots, sizeof(struct rn_slot *))))
        err = rn_fail_memory();
    if (err)
        rn_pool_close(&pool);
    else /* what belongs to the caller, or to here, is used no more */
        pool->chain = NULL, pool->geom = NULL;
    *out = pool;
    return err;
}

int rn_pool_close(struct rn_pool **out)
{
    RN_NEED(RN_EUSAGE, "pool", out);
    struct rn_pool *pool = rn_take_owned(out);
    int err = 0;
    if (!pool)
        return 0;
    pthread_mutex_lock(&pool->lock);
    pool->closing = true;
    for (int k = 0; k < pool->n; k++)
        rn_gather_hurry(&pool->lane[k].wake);
    pthread_mutex_unlock(&pool->lock);
    for (int k = 0; k < pool->n; k++)
        rn_thread_join(&pool->lane[k].thread);
    for (int k = pool->n - 1; k >= 0; k--)
        rn_lane_close(&pool->lane[k]);
    rn_relay_close(&pool->relay);
    for (int k = pool->nparts - 1; k >= 0; k--)
        err = rn_first_error(err, rn_device_close(&pool->part[k]));
    pthread_mutex_destroy(&pool->lock);
    pthread_cond_destroy(&pool->done);
    free(pool->order);
    free(pool);
    return err;
}

/* ---- frames */

static const char *device_name(const struct rn_lane *lane)
{
    return lane->dev ? rn_device_info(lane->dev)->name : "the C reference path";
}

/* Copies the frame for another lane; what belongs to it stays with the first. */
static void copy_frame(const struct rn_slot *from, struct rn_slot *to)
{
    rn_image_copy(&from->in, &to->in);
    to->frame = from->frame;
    to->frame.data = NULL;
}

/* Copies the frame for a lane that computes its neighbours, before its lane takes its memory. */
static int give_copy(struct rn_pool *pool, struct rn_lane *lane, const struct rn_slot *from)
{
    int own = lane->own, index = own + lane->next;
    struct rn_slot *to = rn_runner_slot(lane->runner, index);
    lane->next = (lane->next + 1) % (lane->nslots - own);
    int err = lane->slot[index].used ? rn_lane_wait(lane, index) : 0;
    if (!err && lane->slot[index].used)
        err = rn_runner_discard(lane->runner, to);
    if (err)
        return err;
    if (lane->slot[index].used)
        rn_lane_done(lane, index);
    copy_frame(from, to);
    lane->slot[index].used = true;
    pool->again++;
    rn_lane_push(lane, (struct rn_job){RN_JOB_SUBMIT, to});
    return 0;
}

/* The first frames of a run are the last neighbours of the one in front of it, and its last frames
 * the first of the one behind. */
static int give_neighbours(struct rn_pool *pool, const struct rn_slot *slot)
{
    int at = (int)(pool->frames_in % pool->run_frames), err = 0;
    int64_t run = pool->frames_in / pool->run_frames;
    struct rn_lane *own = lane_of_run(pool, run), *next = lane_of_run(pool, run + 1);
    struct rn_lane *last = run ? lane_of_run(pool, run - 1) : own;
    if (at < pool->behind && last != own)
        err = give_copy(pool, last, slot);
    if (at >= pool->run_frames - pool->before && next != own && !err)
        err = give_copy(pool, next, slot);
    return err;
}

/* The lanes have done all that came. One that failed does nothing any more. */
static void begin_relay(struct rn_pool *pool)
{
    if (!pool->relay)
        return;
    rn_relay_begin(pool->relay, pool->frames_in);
    for (int k = 0; k < pool->n; k++)
        if (pool->lane[k].err) /* nobody else looks at it now */
            rn_relay_break(pool->relay, pool->frames_in, pool->lane[k].err);
}

/* After a drain comes another input. */
static void begin_again(struct rn_pool *pool)
{
    for (int k = 0; k < pool->n; k++)
        rn_lane_push(&pool->lane[k], (struct rn_job){RN_JOB_RESET, NULL});
    rn_lanes_wait(pool);
    for (int k = 0; k < pool->n; k++) {
        struct rn_lane *lane = &pool->lane[k];
        memset(lane->slot, 0, (size_t)lane->nslots * sizeof *lane->slot);
        lane->given = lane->computed = lane->complete = 0; /* nobody else looks at these now */
    }
    pool->frames_in = pool->frames_out = 0;
    pool->drained = false;
    begin_relay(pool);
}

int rn_pool_submit(struct rn_pool *pool, struct rn_slot *slot)
{
    int index;
    struct rn_lane *lane = NULL;
    RN_NEED(RN_EUSAGE, "pool slot", pool, slot);
    if (pool->drained)
        begin_again(pool);
    int err = check_slot(__func__, pool, slot, RN_SLOT_FREE, &lane, &index);
    if (!err && lane != lane_of_run(pool, pool->frames_in / pool->run_frames))
        err = rn_fail(RN_EUSAGE, "%s: slot is not the one whose turn it is", __func__);
    if (err)
        return err;
    lane->slot[index].use = RN_SLOT_SUBMITTED;
    err = give_neighbours(pool, slot);
    if (err)
        return err;
    rn_lane_push(lane, (struct rn_job){RN_JOB_SUBMIT, slot});
    pool->order[pool->frames_in++ % pool->nslots] = slot;
    return 0;
}

int rn_pool_drain(struct rn_pool *pool)
{
    RN_NEED(RN_EUSAGE, "pool", pool);
    for (int k = 0; k < pool->n && !pool->drained; k++)
        rn_lane_push(&pool->lane[k], (struct rn_job){RN_JOB_DRAIN, NULL});
    pool->drained = true;
    return 0;
}

struct rn_slot *rn_pool_ready(struct rn_pool *pool)
{
    RN_NEED(NULL, "pool", pool);
    int64_t complete = pool->frames_in;
    if (!pool->drained)
        complete -= rn_runner_delay(pool->lane[0].runner);
    if (pool->frames_out >= complete)
        return NULL;
    int index;
    struct rn_slot *slot = pool->order[pool->frames_out++ % pool->nslots];
    lane_of(pool, slot, &index)->slot[index].use = RN_SLOT_READY;
    return slot;
}

/* What was given to a device that failed is done by another, frame by frame: the host has it. */
static int rescue(struct rn_pool *pool, struct rn_lane *lane, struct rn_slot *slot, int err)
{
    bool first = !pool->failed[lane->device];
    pool->failed[lane->device] = true;
    struct rn_lane *other = NULL; /* of a device that works */
    for (int k = 0; k < pool->n && !other && err == RN_EDEVICE && !pool->before; k++)
        other = pool->failed[pool->lane[k].device] ? NULL : &pool->lane[k];
    if (!other || pool->rescued)
        return err;
    if (first)
        rn_log(RN_LOG_WARNING, "'%s' is dropped: '%s' does its frames", device_name(lane),
               device_name(other));
    for (int k = 0; k < pool->n && first; k++)
        if (pool->lane[k].device == lane->device)
            rn_lane_hurry(&pool->lane[k]);
    struct rn_slot *spare = rn_runner_slot(other->runner, other->own);
    copy_frame(slot, spare);
    rn_lane_push(other, (struct rn_job){RN_JOB_SUBMIT, spare});
    err = rn_lane_wait(other, other->own);
    err = err ? err : rn_runner_wait(other->runner, spare);
    if (!err)
        rn_lane_done(other, other->own);
    slot->out = spare->out;
    pool->rescued = slot;
    pool->rescuer = other;
    return err;
}

int rn_pool_wait(struct rn_pool *pool, struct rn_slot *slot)
{
    int index;
    struct rn_lane *lane = NULL;
    int err = check_slot(__func__, pool, slot, RN_SLOT_READY, &lane, &index);
    if (err)
        return err;
    err = pool->failed[lane->device] ? RN_EDEVICE : rn_lane_wait(lane, index);
    err = err ? err : rn_runner_wait(lane->runner, slot);
    if (!err)
        rn_lane_done(lane, index);
    return err && pool->ndevs > 1 ? rescue(pool, lane, slot, err) : err;
}

int rn_pool_recycle(struct rn_pool *pool, struct rn_slot *slot)
{
    int index;
    struct rn_lane *lane = NULL;
    int err = check_slot(__func__, pool, slot, RN_SLOT_READY, &lane, &index);
    if (err)
        return err;
    lane->slot[index].use = RN_SLOT_FREE;
    if (slot != pool->rescued)
        return rn_runner_recycle(lane->runner, slot);
    pool->rescued = NULL;
    return rn_runner_recycle(pool->rescuer->runner,
                             rn_runner_slot(pool->rescuer->runner, pool->rescuer->own));
}

int rn_pool_update(struct rn_pool *pool, const struct rn_chain *chain)
{
    RN_NEED(RN_EUSAGE, "pool chain", pool, chain);
    int err = 0;
    rn_lanes_wait(pool);
    begin_relay(pool);
    for (int k = 0; k < pool->n && !err; k++)
        err = rn_runner_update(pool->lane[k].runner, chain);
    if (err) /* some may have other settings now than others */
        rn_relay_break(pool->relay, pool->frames_in, err);
    return err;
}

int rn_pool_fits(const struct rn_pool *pool, const struct rn_chain *chain)
{
    RN_NEED(RN_EUSAGE, "pool chain", pool, chain);
    return rn_runner_fits(pool->lane[0].runner, chain);
}

/* ---- measures and times */

int rn_pool_start(struct rn_pool *pool)
{
    RN_NEED(RN_EUSAGE, "pool", pool);
    return rn_runner_start(pool->lane[0].runner);
}

int rn_pool_stop(struct rn_pool *pool, bool complete)
{
    RN_NEED(RN_EUSAGE, "pool", pool);
    return rn_runner_stop(pool->lane[0].runner, complete);
}

int rn_pool_listen(struct rn_pool *pool, int i, rn_measure_fn *fn, void *arg)
{
    RN_NEED(RN_EUSAGE, "pool", pool);
    return rn_runner_listen(pool->lane[0].runner, i, fn, arg);
}

void rn_pool_timings(struct rn_pool *pool, struct rn_timings *sum)
{
    RN_NEED(, "pool timings", pool, sum);
    *sum = (struct rn_timings){.frames = 0};
    for (int k = 0; k < pool->n; k++) {
        struct rn_timings t;
        rn_runner_timings(pool->lane[k].runner, &t);
        rn_timings_add(sum, &t);
    }
}

void rn_pool_begin(struct rn_pool *pool)
{
    RN_NEED(, "pool", pool);
    RN_LOCKED(&pool->lock);
    for (int k = 0; k < pool->n; k++)
        pool->lane[k].since = rn_clock();
}

void rn_pool_meter(struct rn_pool *pool, struct rn_pool_meter *meter)
{
    RN_NEED(, "pool meter", pool, meter);
    *meter = (struct rn_pool_meter){.lanes = pool->n, .again = pool->again};
    rn_lanes_wait(pool);
    for (int k = 0; k < pool->n; k++) {
        meter->submit += pool->lane[k].submit;
        meter->batches += pool->lane[k].groups;
        int max = pool->lane[k].max_group;
        meter->batch = max > meter->batch ? max : meter->batch;
        meter->idle += pool->lane[k].idle / pool->n;
    }
}
