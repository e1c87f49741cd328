#include "filters/core/pool.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "filters/base/err.h"
#include "filters/base/log.h"
#include "filters/core/lanes.h"

#define MOST_SHARE   16 /* runs of the fastest lane for one of the slowest */
#define TRIAL_FRAMES 8  /* to see which of several devices is faster */
#define USUAL_ROUNDS 2
#define DEVICE_SLOTS 3

enum kind { SUBMIT, DRAIN, RESET };

struct job {
    enum kind kind;
    struct rn_slot *slot; /* of SUBMIT */
};

struct lane {
    struct rn_pool *pool;
    struct rn_device *dev; /* a whole device, or the lane's part of it */
    struct rn_runner *runner;
    int device; /* which of the pool's it has */
    int share;  /* runs of each round */
    int own;    /* slots for frames of its own: the first ones of the runner */
    int nslots; /* with those for neighbours */
    int next;   /* of those for neighbours: which is taken next */
    pthread_t thread;
    bool started;
    double submit, idle; /* of the lane's thread; read while it does not work */
    pthread_cond_t wake;
    /* -- protected by pool->lock: */
    struct job *job; /* a ring */
    int room, first, count;
    bool busy;
    int64_t given, computed; /* frames handed over, and submitted, since the last reset */
    int64_t complete;        /* of these, with all that they depend on: they may be waited for */
    int64_t *number;         /* of each slot: of its frame among these */
    int err;                 /* the first; nothing is complete after it */
    /* -- of the thread that submits: */
    bool *used; /* of each slot: a copy was submitted in it */
};

struct rn_pool {
    int n; /* lanes */
    struct lane lane[RN_MAX_LANES];
    struct rn_device *part[RN_MAX_LANES];
    int nparts;
    /* Runs go to the lanes in rounds of this order, in which a faster one stands more than once. */
    int turn[RN_MAX_LANES * MOST_SHARE], nturns;
    int run;            /* frames of each */
    int before, behind; /* neighbours of a run that its lane computes besides */
    int ndevs;
    bool failed[RN_MAX_DEVICES]; /* of the thread that waits */
    struct rn_slot *rescued;     /* by another device than its own, not recycled yet; likewise */
    struct lane *rescuer;
    int nslots;
    struct rn_slot **order; /* frame number % nslots -> its slot */
    int64_t came, taken;    /* frames submitted, and returned by rn_pool_ready, of this input */
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
    for (int k = 0; k < pool->n; k++) {
        struct lane *lane = &pool->lane[k];
        const struct rn_slot *first = rn_runner_slot(lane->runner, 0);
        if (slot >= first && slot < first + lane->nslots) {
            *index = (int)(slot - first);
            return lane;
        }
    }
    return NULL;
}

/* Whose turn run number `run` is. */
static struct lane *lane_of_run(struct rn_pool *pool, int64_t run)
{
    return &pool->lane[pool->turn[run % pool->nturns]];
}

int rn_pool_nslots(const struct rn_pool *pool)
{
    return pool->nslots;
}

struct rn_slot *rn_pool_slot(struct rn_pool *pool, int i)
{
    int run = i / pool->run, round = run / pool->nturns, turn = run % pool->nturns, earlier = 0;
    struct lane *lane = lane_of_run(pool, run);
    for (int k = 0; k < turn; k++)
        earlier += pool->turn[k] == pool->turn[turn];
    return rn_runner_slot(lane->runner,
                          (round * lane->share + earlier) * pool->run + i % pool->run);
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
    int64_t delay = job->kind == DRAIN ? 0 : rn_runner_delay(lane->runner);
    if (!lane->err && lane->computed - delay > lane->complete)
        lane->complete = lane->computed - delay;
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
        int err = lane->err ? lane->err : do_job(lane, &job); /* the first is logged, no other */
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
    for (int k = 0; k < pool->n; k++)
        while (pool->lane[k].count || pool->lane[k].busy)
            pthread_cond_wait(&pool->done, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}

/* Locked. */
static bool is_complete(const struct lane *lane, int index)
{
    return lane->number[index] < lane->complete;
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

/* ---- a lane's runner */

static int open_runner(struct rn_pool *pool, struct rn_device *dev, int nslots,
                       struct rn_runner **runner)
{
    int err = rn_runner_open(runner, dev, pool->chain, pool->geom, nslots);
    return err || !pool->opts->by_field ? err : rn_runner_expect_fields(*runner, pool->opts->mixed);
}

static int open_lane(struct lane *lane)
{
    struct rn_pool *pool = lane->pool;
    int more = pool->n == 1 ? 0 : pool->before ? pool->before : pool->ndevs > 1;
    int err = open_runner(pool, lane->dev, lane->own + more, &lane->runner);
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
    for (int k = 0; k < pool->n && !err; k++)
        started += !(err = start_lane(&pool->lane[k]));
    pthread_mutex_lock(&pool->lock);
    while (pool->opened < started)
        pthread_cond_wait(&pool->done, &pool->lock);
    err = err ? err : pool->open_error;
    pthread_mutex_unlock(&pool->lock);
    for (int k = 0; k < pool->n && !err; k++)
        rn_runner_measure_into(pool->lane[k].runner, pool->lane[0].runner);
    return err;
}

/* ---- lanes and their turns */

static int add_lane(struct rn_pool *pool, struct rn_device *dev, int own)
{
    struct lane *lane = &pool->lane[pool->n];
    if (pool->n == RN_MAX_LANES)
        return rn_fail(RN_EINTERNAL, "there are more than %d lanes", RN_MAX_LANES);
    pool->n++;
    lane->pool = pool;
    lane->dev = dev;
    lane->device = pool->ndevs;
    lane->own = own;
    lane->share = 1;
    pthread_cond_init(&lane->wake, NULL);
    return 0;
}

/* The lanes of one device; where it cannot be divided after all, there is one. */
static int add_device(struct rn_pool *pool, struct rn_device *dev, struct rn_lanes form)
{
    int err = 0, made = 0, first = pool->nparts;
    if (dev && form.n > 1)
        err = rn_device_divide(dev, form.units, form.n, pool->part + first, &made);
    pool->nparts += made;
    if (dev && form.n > 1 && made < 2 && !err)
        form = rn_lanes_undivided(pool->opts->inflight);
    form.n = made ? made : form.n;
    for (int k = 0; k < form.n && !err; k++)
        err = add_lane(pool, made ? pool->part[first + k] : dev, form.slots);
    return err;
}

/* Seconds for a frame on the lane's device, by itself. */
static int try_lane(struct lane *lane, double *seconds)
{
    struct rn_runner *runner = NULL;
    int err = open_runner(lane->pool, lane->dev, 2, &runner);
    double t0 = now();
    for (int i = 0; i < TRIAL_FRAMES && !err; i++) {
        struct rn_slot *slot = rn_runner_slot(runner, i % rn_runner_nslots(runner)), *ready;
        err = rn_runner_submit(runner, slot);
        if (!err && (ready = rn_runner_ready(runner)) != NULL)
            err = rn_runner_discard(runner, ready);
    }
    *seconds = (now() - t0) / TRIAL_FRAMES;
    rn_runner_close(&runner);
    return err;
}

/* The faster of different devices get more: so many runs of each round as they compute while the
 * slowest computes one. first: the first lane of each device. */
static int share_out(struct rn_pool *pool, const int first[], int ndevs)
{
    double seconds[RN_MAX_DEVICES], slowest = 0;
    int err = 0;
    for (int d = 0; d < ndevs && !err; d++) {
        err = try_lane(&pool->lane[first[d]], &seconds[d]);
        slowest = seconds[d] > slowest ? seconds[d] : slowest;
    }
    for (int d = 0; d < ndevs && !err; d++) {
        int share = seconds[d] > 0 ? (int)(slowest / seconds[d] + 0.5) : MOST_SHARE;
        for (int k = first[d]; k < first[d + 1]; k++)
            pool->lane[k].share = share < MOST_SHARE ? share : MOST_SHARE;
    }
    return err;
}

/* Spreads the runs of each lane evenly over the round: always the one that is furthest behind its
 * share comes next. */
static void take_turns(struct rn_pool *pool)
{
    int behind[RN_MAX_LANES] = {0}, all = 0;
    for (int k = 0; k < pool->n; k++)
        all += pool->lane[k].share;
    for (pool->nturns = 0; pool->nturns < all; pool->nturns++) {
        int next = 0;
        for (int k = 0; k < pool->n; k++) {
            behind[k] += pool->lane[k].share;
            next = behind[k] > behind[next] ? k : next;
        }
        behind[next] -= all;
        pool->turn[pool->nturns] = next;
    }
}

static bool are_alike(struct rn_device *const devs[], int ndevs)
{
    bool alike = true;
    for (int d = 1; d < ndevs; d++)
        alike &= !strcmp(rn_device_info(devs[d])->name, rn_device_info(devs[0])->name);
    return alike;
}

/* Slots come in whole rounds, so that a slot is always the same lane's. */
static void set_slots(struct rn_pool *pool, bool several, int inflight)
{
    if (pool->n == 1)
        return;
    for (int k = 0; k < pool->n; k++) {
        struct lane *lane = &pool->lane[k];
        int rounds = lane->own / pool->run;
        if (several)
            rounds = pool->before   ? 1
                     : inflight     ? (inflight + pool->nturns - 1) / pool->nturns
                     : pool->n == 2 ? DEVICE_SLOTS
                                    : USUAL_ROUNDS;
        lane->own = rounds * lane->share * pool->run;
    }
}

/* How each device is divided; not at all where they have more lanes together than the chain can be
 * dealt out to. */
static void choose_forms(const struct rn_pool *pool, struct rn_device *const devs[], int ndevs,
                         const struct rn_analysis *a, struct rn_lanes form[])
{
    const struct rn_pool_opts *opts = pool->opts;
    int all = 0;
    for (int d = 0; d < ndevs; d++) {
        form[d] = rn_lanes_choose(devs[d], a, opts->by_field, opts->inflight);
        all += form[d].n;
    }
    bool fits = all <= RN_MAX_LANES && rn_lanes_run(a, opts->by_field, all, opts->inflight);
    for (int d = 0; d < ndevs && !fits; d++)
        form[d] = rn_lanes_undivided(opts->inflight);
}

/* Makes the lanes of all devices, and gives each its part of the work. */
static int make_lanes(struct rn_pool *pool, struct rn_device *const devs[], int ndevs,
                      const struct rn_analysis *a)
{
    const struct rn_pool_opts *opts = pool->opts;
    struct rn_lanes form[RN_MAX_DEVICES];
    int first[RN_MAX_DEVICES + 1] = {0}, err = 0;
    if (ndevs > 1 && !rn_lanes_run(a, opts->by_field, ndevs, opts->inflight)) {
        if (a->n)
            rn_log(RN_LOG_WARNING,
                   "this chain cannot be dealt out to several devices: '%s' "
                   "computes alone",
                   rn_device_info(devs[0])->name);
        ndevs = 1;
    }
    choose_forms(pool, devs, ndevs, a, form);
    for (int d = 0; d < ndevs && !err; d++) {
        err = add_device(pool, devs[d], form[d]);
        pool->ndevs++;
        first[d + 1] = pool->n;
    }
    if (!err && ndevs > 1 && !are_alike(devs, ndevs))
        err = share_out(pool, first, ndevs);
    take_turns(pool);
    pool->before = a->before;
    pool->behind = a->delay;
    pool->run = rn_lanes_run(a, opts->by_field, pool->n, opts->inflight);
    if (!err && !pool->run)
        err = rn_fail(RN_EINTERNAL, "the frames cannot be dealt out to %d lanes", pool->n);
    set_slots(pool, ndevs > 1, opts->inflight);
    return err;
}

/* ---- opening and closing */

int rn_pool_open(struct rn_pool **out, struct rn_device *const devs[], int ndevs,
                 const struct rn_chain *chain, const struct rn_geom *geom,
                 const struct rn_pool_opts *opts)
{
    static struct rn_device *const reference[] = {NULL};
    struct rn_analysis analysis;
    struct rn_pool *pool = calloc(1, sizeof *pool);
    *out = NULL;
    if (!pool)
        return rn_fail_memory();
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->done, NULL);
    pool->chain = chain;
    pool->geom = geom;
    pool->opts = opts;
    int err = rn_chain_check(chain, geom, &analysis);
    err = err ? err : make_lanes(pool, ndevs ? devs : reference, ndevs ? ndevs : 1, &analysis);
    err = err ? err : open_lanes(pool);
    for (int k = 0; k < pool->n && !err; k++)
        pool->nslots += pool->lane[k].own;
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
    for (int k = 0; k < pool->n; k++)
        pthread_cond_signal(&pool->lane[k].wake);
    pthread_mutex_unlock(&pool->lock);
    for (int k = 0; k < pool->n; k++)
        if (pool->lane[k].started)
            pthread_join(pool->lane[k].thread, NULL);
    for (int k = pool->n - 1; k >= 0; k--)
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

static const char *device_name(const struct lane *lane)
{
    return lane->dev ? rn_device_info(lane->dev)->name : "the C reference path";
}

/* Copies the frame for a lane that computes its neighbours, before the lane that it belongs to takes
 * its memory away. */
static int give_copy(struct rn_pool *pool, struct lane *lane, const struct rn_slot *from)
{
    int own = lane->own, index = own + lane->next;
    struct rn_slot *to = rn_runner_slot(lane->runner, index);
    lane->next = (lane->next + 1) % (lane->nslots - own);
    int err = lane->used[index] ? wait_for_slot(lane, index) : 0;
    if (!err && lane->used[index])
        err = rn_runner_discard(lane->runner, to);
    if (err)
        return err;
    for (int p = 0; p < rn_format_planes(&from->in.geom.fmt); p++)
        rn_plane_copy(&from->in.plane[p], &to->in.plane[p], rn_format_bytes(&from->in.geom.fmt));
    to->frame = from->frame;
    to->frame.data = NULL;
    lane->used[index] = true;
    pool->again++;
    push(lane, (struct job){SUBMIT, to});
    return 0;
}

/* The first frames of a run are the last neighbours of the one in front of it, and its last frames
 * the first of the one behind. */
static int give_neighbours(struct rn_pool *pool, const struct rn_slot *slot)
{
    int at = (int)(pool->came % pool->run), err = 0;
    int64_t run = pool->came / pool->run;
    struct lane *own = lane_of_run(pool, run), *next = lane_of_run(pool, run + 1);
    struct lane *last = run ? lane_of_run(pool, run - 1) : own;
    if (at < pool->behind && last != own)
        err = give_copy(pool, last, slot);
    if (at >= pool->run - pool->before && next != own && !err)
        err = give_copy(pool, next, slot);
    return err;
}

/* After a drain comes another input. */
static void begin_again(struct rn_pool *pool)
{
    for (int k = 0; k < pool->n; k++)
        push(&pool->lane[k], (struct job){RESET, NULL});
    wait_for_lanes(pool);
    for (int k = 0; k < pool->n; k++) {
        struct lane *lane = &pool->lane[k];
        memset(lane->used, 0, (size_t)lane->nslots * sizeof(bool));
        lane->given = lane->computed = lane->complete = 0; /* nobody else looks at these now */
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
    if (lane != lane_of_run(pool, pool->came / pool->run))
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
    for (int k = 0; k < pool->n && !pool->drained; k++)
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

static struct lane *working_lane(struct rn_pool *pool)
{
    struct lane *lane = NULL;
    for (int k = 0; k < pool->n && !lane; k++)
        lane = pool->failed[pool->lane[k].device] ? NULL : &pool->lane[k];
    return lane;
}

/* What was submitted to a device that failed is done by another one, frame by frame: the host still
 * has the input. */
static int compute_elsewhere(struct rn_pool *pool, struct lane *lane, struct rn_slot *slot)
{
    struct rn_slot *spare = rn_runner_slot(lane->runner, lane->own);
    for (int p = 0; p < rn_format_planes(&slot->in.geom.fmt); p++)
        rn_plane_copy(&slot->in.plane[p], &spare->in.plane[p], rn_format_bytes(&slot->in.geom.fmt));
    spare->frame = slot->frame;
    spare->frame.data = NULL;
    push(lane, (struct job){SUBMIT, spare});
    int err = wait_for_slot(lane, lane->own);
    err = err ? err : rn_runner_wait(lane->runner, spare);
    slot->out = spare->out;
    pool->rescued = slot;
    pool->rescuer = lane;
    return err;
}

static int rescue(struct rn_pool *pool, struct lane *lane, struct rn_slot *slot, int err)
{
    bool first = !pool->failed[lane->device];
    pool->failed[lane->device] = true;
    struct lane *other = err == RN_EDEVICE && !pool->before ? working_lane(pool) : NULL;
    if (!other || pool->rescued)
        return err;
    if (first)
        rn_log(RN_LOG_WARNING, "'%s' is dropped: '%s' does its frames", device_name(lane),
               device_name(other));
    return compute_elsewhere(pool, other, slot);
}

int rn_pool_wait(struct rn_pool *pool, struct rn_slot *slot)
{
    int index;
    struct lane *lane = lane_of(pool, slot, &index);
    if (!lane)
        return rn_fail(RN_EINTERNAL, "a slot was waited for that is not the pool's");
    int err = pool->failed[lane->device] ? RN_EDEVICE : wait_for_slot(lane, index);
    err = err ? err : rn_runner_wait(lane->runner, slot);
    return err && pool->ndevs > 1 ? rescue(pool, lane, slot, err) : err;
}

int rn_pool_recycle(struct rn_pool *pool, struct rn_slot *slot)
{
    int index;
    struct lane *lane = lane_of(pool, slot, &index);
    if (slot != pool->rescued)
        return rn_runner_recycle(lane->runner, slot);
    pool->rescued = NULL;
    return rn_runner_recycle(pool->rescuer->runner,
                             rn_runner_slot(pool->rescuer->runner, pool->rescuer->own));
}

int rn_pool_update(struct rn_pool *pool, const struct rn_chain *chain)
{
    int err = 0;
    wait_for_lanes(pool);
    for (int k = 0; k < pool->n && !err; k++)
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
    for (int k = 0; k < pool->n; k++) {
        struct rn_timings t;
        rn_runner_timings(pool->lane[k].runner, &t);
        rn_timings_add(sum, &t);
    }
}

void rn_pool_meter(struct rn_pool *pool, struct rn_pool_meter *meter)
{
    *meter = (struct rn_pool_meter){.lanes = pool->n, .again = pool->again};
    wait_for_lanes(pool);
    for (int k = 0; k < pool->n; k++) {
        meter->submit += pool->lane[k].submit;
        meter->idle += pool->lane[k].idle / pool->n;
    }
}
