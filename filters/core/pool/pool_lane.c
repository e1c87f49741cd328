/* SPDX-License-Identifier: MIT */
/* A lane of a pool: a runner, and a thread that submits frames to it in the order they came in. */
#include <assert.h>

#include "filters/base/clock.h"
#include "filters/base/threads/locked.h"
#include "filters/core/pool/pool_internal.h"

/* ---- a lane's thread */

/* So many groups of frames may be under way where more could still join: one is uploaded, one
 * computed, one downloaded. */
#define MOST_UNDER_WAY 3

static const struct rn_job *job_at(const struct rn_lane *lane, int i)
{
    assert(i >= 0 && i < lane->count);
    return &lane->job[(lane->first + i) % lane->room];
}

static int index_of(const struct rn_lane *lane, const struct rn_slot *slot)
{
    int i = (int)(slot - rn_runner_slot(lane->runner, 0));
    assert(i >= 0 && i < rn_runner_nslots(lane->runner));
    return i;
}

/* How many of the jobs in front can be done together: frames in slots of one batch. Locked. */
static int group_size(const struct rn_lane *lane)
{
    const struct rn_job *first = job_at(lane, 0);
    int n = 1, batch = rn_runner_batch(lane->runner);
    if (first->kind != RN_JOB_SUBMIT)
        return 1;
    int left = batch - index_of(lane, first->slot) % batch;
    while (n < lane->count && n < left && job_at(lane, n)->slot == first->slot + n &&
           job_at(lane, n)->slot->frame.by_field == first->slot->frame.by_field)
        n++;
    return n;
}

/* Whether to let more frames come before the first ones are submitted: the device has enough to do,
 * and nobody waits for these. Frames that come more slowly than that never wait. Locked. */
static bool may_grow(const struct rn_lane *lane)
{
    const struct rn_job *first = job_at(lane, 0);
    int batch = rn_runner_batch(lane->runner), n = group_size(lane);
    if (lane->under_way < MOST_UNDER_WAY || lane->awaited || lane->err || lane->pool->closing)
        return false;
    return first->kind == RN_JOB_SUBMIT && n == lane->count &&
           (index_of(lane, first->slot) + n) % batch != 0;
}

/* Waits for jobs, *n that are done together; false: the pool closes. Locked. */
static bool take_jobs(struct rn_lane *lane, struct rn_job *job, int *n)
{
    struct rn_pool *pool = lane->pool;
    rn_gather_wait(&lane->wake, &pool->lock, &lane->count, &pool->closing,
                   lane->awaited ? 1 : pool->enough);
    while (lane->count && may_grow(lane))
        rn_gather_more(&lane->wake, &pool->lock);
    if (!lane->count)
        return false;
    *job = *job_at(lane, 0);
    *n = group_size(lane);
    lane->first = (lane->first + *n) % lane->room;
    lane->count -= *n;
    lane->busy = true;
    return true;
}

/* Locked. */
static void end_jobs(struct rn_lane *lane, const struct rn_job *job, int n, int err)
{
    if (err && !lane->err)
        /* its frame among those of all lanes, if these take one each in turn */
        rn_relay_break(lane->pool->relay,
                       lane->computed * lane->pool->n + (lane - lane->pool->lane), err);
    if (err && !lane->err)
        snprintf(lane->why, sizeof lane->why, "%s", rn_log_last());
    lane->err = lane->err ? lane->err : err;
    if (job->kind == RN_JOB_SUBMIT && !lane->err) {
        int first = index_of(lane, job->slot);
        for (int k = 0; k < n; k++)
            lane->slot[first + k].ends_group = k == n - 1;
        lane->computed += n;
        lane->under_way++;
        lane->groups++;
        lane->max_group = n > lane->max_group ? n : lane->max_group;
    }
    if (job->kind == RN_JOB_RESET)
        lane->under_way = 0;
    int64_t delay = job->kind == RN_JOB_DRAIN ? 0 : rn_runner_delay(lane->runner);
    if (!lane->err && lane->computed - delay > lane->complete)
        lane->complete = lane->computed - delay;
    lane->busy = false;
    pthread_cond_broadcast(&lane->pool->done);
}

void rn_lane_push(struct rn_lane *lane, struct rn_job job)
{
    struct rn_pool *pool = lane->pool;
    RN_LOCKED(&pool->lock);
    /* The slots of a device that failed come again before its lane has taken what it was given. */
    while (lane->count == lane->room) {
        rn_gather_hurry(&lane->wake);
        pthread_cond_wait(&pool->done, &pool->lock);
    }
    if (job.slot)
        lane->slot[index_of(lane, job.slot)].number = lane->given++;
    lane->job[(lane->first + lane->count++) % lane->room] = job;
    if (job.kind == RN_JOB_SUBMIT)
        rn_gather_tell(&lane->wake, lane->count);
    else
        rn_gather_hurry(&lane->wake);
}

/* Locked; more: 1 = somebody waits for the lane from now on, -1 = no longer. */
static void await(struct rn_lane *lane, int more)
{
    lane->awaited += more;
    assert(lane->awaited >= 0);
    if (more > 0)
        rn_gather_hurry(&lane->wake);
}

void rn_lanes_wait(struct rn_pool *pool)
{
    RN_LOCKED(&pool->lock);
    for (int k = 0; k < pool->n; k++) {
        await(&pool->lane[k], 1);
        while (pool->lane[k].count || pool->lane[k].busy) {
            rn_gather_hurry(&pool->lane[k].wake);
            pthread_cond_wait(&pool->done, &pool->lock);
        }
        await(&pool->lane[k], -1);
    }
}

void rn_lane_hurry(struct rn_lane *lane)
{
    RN_LOCKED(&lane->pool->lock);
    await(lane, 1);
}

void rn_lane_done(struct rn_lane *lane, int index)
{
    if (!lane->slot[index].ends_group) /* set before the frame was complete */
        return;
    RN_LOCKED(&lane->pool->lock);
    lane->under_way--;
    if (lane->count)
        rn_gather_hurry(&lane->wake); /* which may have let them wait for more */
}

/* Locked. */
static bool is_complete(const struct rn_lane *lane, int index)
{
    return lane->slot[index].number < lane->complete;
}

int rn_lane_wait(struct rn_lane *lane, int index)
{
    RN_LOCKED(&lane->pool->lock);
    if (!is_complete(lane, index)) {
        await(lane, 1);
        while (!is_complete(lane, index) && !lane->err) {
            rn_gather_hurry(&lane->wake);
            pthread_cond_wait(&lane->pool->done, &lane->pool->lock);
        }
        await(lane, -1);
    }
    int err = is_complete(lane, index) ? 0 : lane->err;
    if (err)
        rn_log_set_last(lane->why); /* also for who asks in this thread */
    return err;
}

/* ---- a lane's runner */

int rn_lane_open_runner(struct rn_lane *lane, int nslots, struct rn_runner **runner)
{
    struct rn_pool *pool = lane->pool;
    int err =
        rn_runner_open_batches(runner, lane->dev, pool->chain, pool->geom, nslots, lane->batch);
    return err || !pool->opts.by_field ? err : rn_runner_expect_fields(*runner, pool->opts.mixed);
}

int rn_lane_open(struct rn_lane *lane)
{
    struct rn_pool *pool = lane->pool;
    int more = pool->n == 1 ? 0 : pool->before ? pool->before : pool->ndevs > 1;
    int err = rn_lane_open_runner(lane, lane->own + more, &lane->runner);
    if (err)
        return err;
    lane->nslots = rn_runner_nslots(lane->runner);
    if (pool->n == 1) /* it has slots of its own for what is delayed */
        lane->own = lane->nslots;
    lane->room = lane->nslots + 2; /* drained, and reset */
    lane->job = calloc((size_t)lane->room, sizeof *lane->job);
    lane->slot = calloc((size_t)lane->nslots, sizeof *lane->slot);
    return lane->job && lane->slot ? 0 : rn_fail_memory();
}

static void *run_lane(void *arg)
{
    struct rn_lane *lane = arg;
    struct rn_pool *pool = lane->pool;
    int err = lane->runner ? 0 : rn_lane_open(lane);
    struct rn_job job;
    int n;
    RN_LOCKED(&pool->lock);
    pool->opened++;
    if (err && !pool->open_error)
        snprintf(pool->open_why, sizeof pool->open_why, "%s", rn_log_last());
    pool->open_error = pool->open_error ? pool->open_error : err;
    pthread_cond_broadcast(&pool->done);
    lane->since = rn_clock();
    while (!err && take_jobs(lane, &job, &n)) {
        double began = rn_clock();
        lane->idle += began - lane->since;
        pthread_mutex_unlock(&pool->lock);
        int code = lane->err                   ? lane->err /* the first is logged, no other */
                   : job.kind == RN_JOB_SUBMIT ? rn_runner_submit_several(lane->runner, job.slot, n)
                   : job.kind == RN_JOB_DRAIN  ? rn_runner_drain(lane->runner)
                                               : rn_runner_reset(lane->runner);
        pthread_mutex_lock(&pool->lock);
        lane->since = rn_clock();
        lane->submit += lane->since - began;
        end_jobs(lane, &job, n, code);
    }
    return NULL;
}

int rn_lane_start(struct rn_lane *lane)
{
    return rn_thread_start(&lane->thread, "lane", run_lane, lane);
}

void rn_lane_close(struct rn_lane *lane)
{
    rn_runner_close(&lane->runner);
    free(lane->job);
    free(lane->slot);
    rn_gather_destroy(&lane->wake);
}
