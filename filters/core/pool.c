#include "filters/core/pool.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "filters/base/err.h"
#include "filters/base/log.h"
#include "filters/core/lanes.h"

enum kind { SUBMIT, DRAIN, RESET };

struct job {
    enum kind kind;
    struct rn_slot *slot; /* of SUBMIT */
};

struct lane {
    struct rn_pool *pool;
    struct rn_device *dev; /* the whole device, or the lane's part of it */
    struct rn_runner *runner;
    int nslots; /* of the runner: first those for frames of its own, then those for neighbours */
    int next;   /* of those for neighbours: which is taken next */
    pthread_t thread;
    bool started;
    double submit, idle; /* of the lane's thread; read while it does not work */
    pthread_cond_t wake;
    /* -- protected by pool->lock: */
    struct job *job; /* a ring */
    int room, first, count;
    bool busy, ended;        /* ended: drained, all frames are complete */
    int64_t given, computed; /* frames handed over, and submitted, since the last reset */
    int64_t *number;         /* of each slot: of its frame among these */
    int err;                 /* the first; nothing is complete after it */
    /* -- of the thread that submits: */
    bool *used; /* of each slot: a copy was submitted in it */
};

struct rn_pool {
    struct rn_lanes form;
    struct rn_device *whole; /* NULL: the C reference path */
    struct rn_device *part[RN_MAX_LANES];
    int nparts;
    struct lane lane[RN_MAX_LANES];
    int nslots;
    struct rn_slot **order; /* frame number % nslots -> its slot */
    int64_t came, taken; /* frames submitted, and returned by rn_pool_ready, of this input */
    int64_t again;
    bool drained;
    pthread_mutex_t lock;
    pthread_cond_t done; /* a job is */
    /* -- protected by lock: */
    bool closing;
    int opened; /* lanes whose runner is open, or failed to */
    int open_error;
    /* -- while lanes are being opened: */
    const struct rn_chain *chain;
    const struct rn_geom *geom;
    const struct rn_pool_opts *opts;
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- slots */

static struct lane *lane_of(struct rn_pool *pool, const struct rn_slot *slot, int *index)
{
    for (int k = 0; k < pool->form.n; k++) {
        struct lane *lane = &pool->lane[k];
        const struct rn_slot *first = rn_runner_slot(lane->runner, 0);
        if (slot >= first && slot < first + lane->nslots) {
            *index = (int)(slot - first);
            return lane;
        }
    }
    return NULL;
}

/* Runs go to the lanes in turn, and a lane's slots are taken in turn. */
static int lane_at(const struct rn_pool *pool, int64_t frame)
{
    return (int)(frame / pool->form.run % pool->form.n);
}

int rn_pool_nslots(const struct rn_pool *pool)
{
    return pool->nslots;
}

struct rn_slot *rn_pool_slot(struct rn_pool *pool, int i)
{
    const struct rn_lanes *form = &pool->form;
    struct lane *lane = &pool->lane[lane_at(pool, i)];
    return rn_runner_slot(lane->runner, i / (form->run * form->n) * form->run + i % form->run);
}

/* ---- a lane's thread */

static int do_job(struct lane *lane, const struct job *job)
{
    switch (job->kind) {
    case SUBMIT:
        return rn_runner_submit(lane->runner, job->slot);
    case DRAIN:
        return rn_runner_drain(lane->runner);
    case RESET:
        return rn_runner_reset(lane->runner);
    }
    return 0;
}

/* Waits for a job; false: the pool closes. Locked. */
static bool take_job(struct lane *lane, struct job *job)
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
static void end_job(struct lane *lane, const struct job *job, int err)
{
    lane->err = lane->err ? lane->err : err;
    lane->computed += job->kind == SUBMIT && !lane->err;
    lane->ended |= job->kind == DRAIN && !lane->err;
    lane->busy = false;
    pthread_cond_broadcast(&lane->pool->done);
}

static void work(struct lane *lane)
{
    struct job job;
    double t0 = now(), t1;
    pthread_mutex_lock(&lane->pool->lock);
    while (take_job(lane, &job)) {
        pthread_mutex_unlock(&lane->pool->lock);
        t1 = now();
        lane->idle += t1 - t0;
        int err = do_job(lane, &job);
        t0 = now();
        lane->submit += t0 - t1;
        pthread_mutex_lock(&lane->pool->lock);
        end_job(lane, &job, err);
    }
    pthread_mutex_unlock(&lane->pool->lock);
}

static void push(struct lane *lane, struct job job)
{
    struct rn_pool *pool = lane->pool;
    pthread_mutex_lock(&pool->lock);
    if (job.slot)
        lane->number[job.slot - rn_runner_slot(lane->runner, 0)] = lane->given++;
    lane->job[(lane->first + lane->count++) % lane->room] = job; /* there is room for all slots */
    pthread_cond_signal(&lane->wake);
    pthread_mutex_unlock(&pool->lock);
}

/* Waits until what was submitted is on its way. */
static void wait_for_lanes(struct rn_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    for (int k = 0; k < pool->form.n; k++)
        while (pool->lane[k].count || pool->lane[k].busy)
            pthread_cond_wait(&pool->done, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}

/* Locked. */
static bool is_complete(const struct lane *lane, int index)
{
    return lane->ended || lane->number[index] + rn_runner_delay(lane->runner) < lane->computed;
}

/* Waits until all that the slot's frame needs is submitted. Returns 0 or the lane's error. */
static int wait_for_slot(struct lane *lane, int index)
{
    pthread_mutex_lock(&lane->pool->lock);
    while (!is_complete(lane, index) && !lane->err)
        pthread_cond_wait(&lane->pool->done, &lane->pool->lock);
    int err = is_complete(lane, index) ? 0 : lane->err;
    pthread_mutex_unlock(&lane->pool->lock);
    return err;
}

/* ---- opening and closing */

static int open_lane(struct lane *lane)
{
    struct rn_pool *pool = lane->pool;
    const struct rn_lanes *form = &pool->form;
    int err = rn_runner_open(&lane->runner, lane->dev, pool->chain, pool->geom,
                             form->slots + form->before);
    if (!err && pool->opts->by_field)
        err = rn_runner_expect_fields(lane->runner, pool->opts->mixed);
    if (err)
        return err;
    lane->nslots = rn_runner_nslots(lane->runner);
    lane->room = lane->nslots + 2; /* drained, and reset */
    lane->job = calloc((size_t)lane->room, sizeof *lane->job);
    lane->number = calloc((size_t)lane->nslots, sizeof *lane->number);
    lane->used = calloc((size_t)lane->nslots, sizeof *lane->used);
    return lane->job && lane->number && lane->used ? 0 : rn_fail_memory();
}

static void *run_lane(void *arg)
{
    struct lane *lane = arg;
    struct rn_pool *pool = lane->pool;
    int err = lane->runner ? 0 : open_lane(lane);
    pthread_mutex_lock(&pool->lock);
    pool->opened++;
    pool->open_error = pool->open_error ? pool->open_error : err;
    pthread_cond_broadcast(&pool->done);
    pthread_mutex_unlock(&pool->lock);
    if (!err)
        work(lane);
    return NULL;
}

static int start_lane(struct lane *lane)
{
    int code = pthread_create(&lane->thread, NULL, run_lane, lane);
    lane->started = !code;
    return code ? rn_fail(RN_EINTERNAL, "cannot start a thread: %s", strerror(code)) : 0;
}

/* The first lane is opened alone, so that what is wrong with the chain or the device is said
 * once. */
static int open_lanes(struct rn_pool *pool)
{
    int started = 0, err = open_lane(&pool->lane[0]);
    for (int k = 0; k < pool->form.n && !err; k++)
        started += !(err = start_lane(&pool->lane[k]));
    pthread_mutex_lock(&pool->lock);
    while (pool->opened < started)
        pthread_cond_wait(&pool->done, &pool->lock);
    err = err ? err : pool->open_error;
    pthread_mutex_unlock(&pool->lock);
    for (int k = 0; k < pool->form.n && !err; k++)
        rn_runner_measure_into(pool->lane[k].runner, pool->lane[0].runner);
    return err;
}

/* Gives each lane its device; where that cannot be divided, there is one lane. */
static int divide(struct rn_pool *pool, int inflight)
{
    struct rn_lanes *form = &pool->form;
    int err = 0;
    if (pool->whole && form->n > 1)
        err = rn_device_divide(pool->whole, form->units, form->n, pool->part, &pool->nparts);
    if (pool->whole && form->n > 1 && pool->nparts < form->n && !err) {
        rn_log(RN_LOG_DEBUG, "the device cannot be divided: it computes frame after frame");
        for (int k = pool->nparts - 1; k >= 0; k--)
            rn_device_close(&pool->part[k]);
        pool->nparts = 0;
        *form = rn_lanes_undivided(inflight);
    }
    for (int k = 0; k < form->n; k++) {
        pool->lane[k].pool = pool;
        pool->lane[k].dev = pool->nparts ? pool->part[k] : pool->whole;
        pthread_cond_init(&pool->lane[k].wake, NULL);
    }
    return err;
}

int rn_pool_open(struct rn_pool **out, struct rn_device *dev, const struct rn_chain *chain,
                 const struct rn_geom *geom, const struct rn_pool_opts *opts)
{
    struct rn_analysis analysis;
    struct rn_pool *pool = calloc(1, sizeof *pool);
    *out = NULL;
    if (!pool)
        return rn_fail_memory();
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->done, NULL);
    pool->whole = dev;
    pool->chain = chain;
    pool->geom = geom;
    pool->opts = opts;
    int err = rn_chain_check(chain, geom, &analysis);
    if (!err) {
        pool->form = rn_lanes_choose(dev, &analysis, opts->by_field, opts->inflight);
        err = divide(pool, opts->inflight);
    }
    err = err ? err : open_lanes(pool);
    /* Alone, the runner has slots of its own for what is delayed. */
    pool->nslots = err ? 0
                   : pool->form.n > 1 ? pool->form.n * pool->form.slots
                                      : pool->lane[0].nslots;
    if (!err && !(pool->order = calloc((size_t)pool->nslots, sizeof(struct rn_slot *))))
        err = rn_fail_memory();
    if (err)
        rn_pool_close(&pool);
    *out = pool;
    return err;
}

static void close_lane(struct lane *lane)
{
    rn_runner_close(&lane->runner);
    free(lane->job);
    free(lane->number);
    free(lane->used);
    pthread_cond_destroy(&lane->wake);
}

int rn_pool_close(struct rn_pool **out)
{
    struct rn_pool *pool = *out;
    int err = 0;
    if (!pool)
        return 0;
    pthread_mutex_lock(&pool->lock);
    pool->closing = true;
    for (int k = 0; k < pool->form.n; k++)
        pthread_cond_signal(&pool->lane[k].wake);
    pthread_mutex_unlock(&pool->lock);
    for (int k = 0; k < pool->form.n; k++)
        if (pool->lane[k].started)
            pthread_join(pool->lane[k].thread, NULL);
    for (int k = pool->form.n - 1; k >= 0; k--)
        close_lane(&pool->lane[k]);
    for (int k = pool->nparts - 1; k >= 0; k--) {
        int closed = rn_device_close(&pool->part[k]);
        err = err ? err : closed;
    }
    pthread_mutex_destroy(&pool->lock);
    pthread_cond_destroy(&pool->done);
    free(pool->order);
    free(pool);
    *out = NULL;
    return err;
}

/* ---- frames */

/* Copies the frame for a lane that computes its neighbours, before the lane that it belongs to takes
 * its memory away. */
static int give_copy(struct rn_pool *pool, struct lane *lane, const struct rn_slot *from)
{
    int own = pool->form.slots, index = own + lane->next;
    struct rn_slot *to = rn_runner_slot(lane->runner, index);
    lane->next = (lane->next + 1) % (lane->nslots - own);
    int err = lane->used[index] ? wait_for_slot(lane, index) : 0;
    if (!err && lane->used[index])
        err = rn_runner_discard(lane->runner, to);
    if (err)
        return err;
    for (int p = 0; p < rn_format_planes(&from->in.geom.fmt); p++)
        rn_plane_copy(&from->in.plane[p], &to->in.plane[p],
                      rn_format_bytes(&from->in.geom.fmt));
    to->frame = from->frame;
    to->frame.data = NULL;
    lane->used[index] = true;
    pool->again++;
    push(lane, (struct job){SUBMIT, to});
    return 0;
}

/* The first frames of a run are the last neighbours of the one before, and its last frames the first
 * of the one behind. */
static int give_neighbours(struct rn_pool *pool, const struct rn_slot *slot)
{
    const struct rn_lanes *form = &pool->form;
    int at = (int)(pool->came % form->run), k = lane_at(pool, pool->came), err = 0;
    if (form->n == 1)
        return 0;
    if (at < form->behind && pool->came >= form->run)
        err = give_copy(pool, &pool->lane[(k + form->n - 1) % form->n], slot);
    if (at >= form->run - form->before && !err)
        err = give_copy(pool, &pool->lane[(k + 1) % form->n], slot);
    return err;
}

/* After a drain comes another input. */
static void begin_again(struct rn_pool *pool)
{
    for (int k = 0; k < pool->form.n; k++)
        push(&pool->lane[k], (struct job){RESET, NULL});
    wait_for_lanes(pool);
    for (int k = 0; k < pool->form.n; k++) {
        struct lane *lane = &pool->lane[k];
        memset(lane->used, 0, (size_t)lane->nslots * sizeof(bool));
        lane->given = lane->computed = 0; /* no other thread looks at these now */
        lane->ended = false;
    }
    pool->came = pool->taken = 0;
    pool->drained = false;
}

int rn_pool_submit(struct rn_pool *pool, struct rn_slot *slot)
{
    int index;
    struct lane *lane = lane_of(pool, slot, &index);
    if (pool->drained)
        begin_again(pool);
    if (lane != &pool->lane[lane_at(pool, pool->came)])
        return rn_fail(RN_EINTERNAL, "slots were not submitted in their order");
    int err = give_neighbours(pool, slot);
    if (err)
        return err;
    push(lane, (struct job){SUBMIT, slot});
    pool->order[pool->came++ % pool->nslots] = slot;
    return 0;
}

int rn_pool_drain(struct rn_pool *pool)
{
    for (int k = 0; k < pool->form.n && !pool->drained; k++)
        push(&pool->lane[k], (struct job){DRAIN, NULL});
    pool->drained = true;
    return 0;
}

struct rn_slot *rn_pool_ready(struct rn_pool *pool)
{
    int64_t complete = pool->came;
    if (!pool->drained)
        complete -= rn_runner_delay(pool->lane[0].runner);
    return pool->taken < complete ? pool->order[pool->taken++ % pool->nslots] : NULL;
}

int rn_pool_wait(struct rn_pool *pool, struct rn_slot *slot)
{
    int index;
    struct lane *lane = lane_of(pool, slot, &index);
    int err = lane ? wait_for_slot(lane, index)
                   : rn_fail(RN_EINTERNAL, "a slot was waited for that is not the pool's");
    return err ? err : rn_runner_wait(lane->runner, slot);
}

int rn_pool_recycle(struct rn_pool *pool, struct rn_slot *slot)
{
    int index;
    struct lane *lane = lane_of(pool, slot, &index);
    return rn_runner_recycle(lane->runner, slot);
}

int rn_pool_update(struct rn_pool *pool, const struct rn_chain *chain)
{
    int err = 0;
    wait_for_lanes(pool);
    for (int k = 0; k < pool->form.n && !err; k++)
        err = rn_runner_update(pool->lane[k].runner, chain);
    return err;
}

int rn_pool_fits(const struct rn_pool *pool, const struct rn_chain *chain)
{
    return rn_runner_fits(pool->lane[0].runner, chain);
}

/* ---- measures and times */

int rn_pool_start(struct rn_pool *pool)
{
    return rn_runner_start(pool->lane[0].runner);
}

int rn_pool_stop(struct rn_pool *pool, bool complete)
{
    return rn_runner_stop(pool->lane[0].runner, complete);
}

struct rn_bound *rn_pool_bound(struct rn_pool *pool, int i)
{
    return rn_runner_bound(pool->lane[0].runner, i);
}

void rn_pool_timings(struct rn_pool *pool, struct rn_timings *sum)
{
    *sum = (struct rn_timings){.frames = 0};
    for (int k = 0; k < pool->form.n; k++) {
        struct rn_timings t;
        rn_runner_timings(pool->lane[k].runner, &t);
        rn_timings_add(sum, &t);
    }
}

void rn_pool_meter(struct rn_pool *pool, struct rn_pool_meter *meter)
{
    *meter = (struct rn_pool_meter){.lanes = pool->form.n, .again = pool->again};
    wait_for_lanes(pool);
    for (int k = 0; k < pool->form.n; k++) {
        meter->submit += pool->lane[k].submit;
        meter->idle += pool->lane[k].idle / pool->form.n;
    }
}
