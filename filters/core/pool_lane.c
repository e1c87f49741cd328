/* A lane of a pool: a runner, and a thread that submits frames to it in the order in which they
 * were handed over. */
#include <stdlib.h>
#include <string.h>

#include "filters/base/err.h"
#include "filters/base/log.h"
#include "filters/core/pool_internal.h"

/* ---- a lane's thread */

static int do_job(struct rn_lane *lane, const struct rn_job *job)
{
    switch (job->kind) {
    case RN_JOB_SUBMIT:
        return rn_runner_submit(lane->runner, job->slot);
    case RN_JOB_DRAIN:
        return rn_runner_drain(lane->runner);
    case RN_JOB_RESET:
        return rn_runner_reset(lane->runner);
    }
    return 0;
}

/* Waits for a job; false: the pool closes. Locked. */
static bool take_job(struct rn_lane *lane, struct rn_job *job)
{
    struct rn_pool *pool = lane->pool;
    while (!lane->count && !pool->closing)
        pthread_cond_wait(&lane->wake, &pool->lock);
    if (!lane->count)
        return false;
    *job = lane->job[lane->first];
    lane->first = (lane->first + 1) % lane->room;
    lane->count--;
    lane->busy = true;
    return true;
}

/* Locked. */
static void end_job(struct rn_lane *lane, const struct rn_job *job, int err)
{
    lane->err = lane->err ? lane->err : err;
    lane->computed += job->kind == RN_JOB_SUBMIT && !lane->err;
    int64_t delay = job->kind == RN_JOB_DRAIN ? 0 : rn_runner_delay(lane->runner);
    if (!lane->err && lane->computed - delay > lane->complete)
        lane->complete = lane->computed - delay;
    lane->busy = false;
    pthread_cond_broadcast(&lane->pool->done);
}

static void work(struct rn_lane *lane)
{
    struct rn_job job;
    double t0 = rn_pool_clock(), t1;
    pthread_mutex_lock(&lane->pool->lock);
    while (take_job(lane, &job)) {
        pthread_mutex_unlock(&lane->pool->lock);
        t1 = rn_pool_clock();
        lane->idle += t1 - t0;
        int err = lane->err ? lane->err : do_job(lane, &job); /* the first is logged, no other */
        t0 = rn_pool_clock();
        lane->submit += t0 - t1;
        pthread_mutex_lock(&lane->pool->lock);
        end_job(lane, &job, err);
    }
    pthread_mutex_unlock(&lane->pool->lock);
}

void rn_lane_push(struct rn_lane *lane, struct rn_job job)
{
    struct rn_pool *pool = lane->pool;
    pthread_mutex_lock(&pool->lock);
    if (job.slot)
        lane->number[job.slot - rn_runner_slot(lane->runner, 0)] = lane->given++;
    lane->job[(lane->first + lane->count++) % lane->room] = job; /* there is room for all slots */
    pthread_cond_signal(&lane->wake);
    pthread_mutex_unlock(&pool->lock);
}

void rn_lanes_wait(struct rn_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    for (int k = 0; k < pool->n; k++)
        while (pool->lane[k].count || pool->lane[k].busy)
            pthread_cond_wait(&pool->done, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}

/* Locked. */
static bool is_complete(const struct rn_lane *lane, int index)
{
    return lane->number[index] < lane->complete;
}

int rn_lane_wait(struct rn_lane *lane, int index)
{
    pthread_mutex_lock(&lane->pool->lock);
    while (!is_complete(lane, index) && !lane->err)
        pthread_cond_wait(&lane->pool->done, &lane->pool->lock);
    int err = is_complete(lane, index) ? 0 : lane->err;
    pthread_mutex_unlock(&lane->pool->lock);
    return err;
}

/* ---- a lane's runner */

int rn_lane_open_runner(struct rn_pool *pool, struct rn_device *dev, int nslots,
                        struct rn_runner **runner)
{
    int err = rn_runner_open(runner, dev, pool->chain, pool->geom, nslots);
    return err || !pool->opts->by_field ? err : rn_runner_expect_fields(*runner, pool->opts->mixed);
}

int rn_lane_open(struct rn_lane *lane)
{
    struct rn_pool *pool = lane->pool;
    int more = pool->n == 1 ? 0 : pool->before ? pool->before : pool->ndevs > 1;
    int err = rn_lane_open_runner(pool, lane->dev, lane->own + more, &lane->runner);
    if (err)
        return err;
    lane->nslots = rn_runner_nslots(lane->runner);
    if (pool->n == 1) /* it has slots of its own for what is delayed */
        lane->own = lane->nslots;
    lane->room = lane->nslots + 2; /* drained, and reset */
    lane->job = calloc((size_t)lane->room, sizeof *lane->job);
    lane->number = calloc((size_t)lane->nslots, sizeof *lane->number);
    lane->used = calloc((size_t)lane->nslots, sizeof *lane->used);
    return lane->job && lane->number && lane->used ? 0 : rn_fail_memory();
}

static void *run_lane(void *arg)
{
    struct rn_lane *lane = arg;
    struct rn_pool *pool = lane->pool;
    int err = lane->runner ? 0 : rn_lane_open(lane);
    pthread_mutex_lock(&pool->lock);
    pool->opened++;
    pool->open_error = pool->open_error ? pool->open_error : err;
    pthread_cond_broadcast(&pool->done);
    pthread_mutex_unlock(&pool->lock);
    if (!err)
        work(lane);
    return NULL;
}

int rn_lane_start(struct rn_lane *lane)
{
    int code = pthread_create(&lane->thread, NULL, run_lane, lane);
    lane->started = !code;
    return code ? rn_fail(RN_EINTERNAL, "cannot start a thread: %s", strerror(code)) : 0;
}

void rn_lane_close(struct rn_lane *lane)
{
    rn_runner_close(&lane->runner);
    free(lane->job);
    free(lane->number);
    free(lane->used);
    pthread_cond_destroy(&lane->wake);
}
