/* SPDX-License-Identifier: MIT */
#include "filters/base/clock.h"
#include "filters/base/threads/locked.h"
#include "filters/core/pool/exchange_internal.h"

#define FEW_LANES  4
#define LONG_FRAME 0.02 /* seconds */

struct lane_thread {
    struct rn_exchange *exchange;
    struct rn_runner *runner;
    struct rn_thread thread;
    int next, oldest; /* its places: of the next picture; of the first that it has not finished */
    int under_way;    /* places from oldest on */
    pthread_cond_t go;
    bool sleeps; /* protected by the exchange's lock */
};

struct rn_lane_threads {
    int n;
    bool measured;          /* stages measure: results are collected in the pictures' order */
    int awake;              /* protected by the exchange's lock */
    atomic_int turn;        /* the place whose turn it is then */
    atomic_bool collecting; /* a thread does */
    struct lane_thread thread[];
};

static void tell(struct rn_exchange *x)
{
    RN_LOCKED(&x->lock);
    pthread_cond_broadcast(&x->moved);
}

static void leave(struct rn_exchange *x, struct place *place)
{
    place->state = EMPTY;
    if (atomic_exchange(&place->awaited, false))
        tell(x);
}

static void fail(struct rn_exchange *x, int err)
{
    RN_LOCKED(&x->lock);
    rn_exchange_fail(x, err);
}

static bool is_ready(struct rn_exchange *x)
{
    int turn = x->lanes->turn; /* gcc reads an atomic index like any other */
    return x->place[turn].state == COPIED_OUT && !x->stopped;
}

/* Passes on the measures of all pictures whose turn it is. One thread does it at a time; what gets
 * ready meanwhile it takes along. */
static void collect(struct rn_exchange *x)
{
    struct rn_lane_threads *lanes = x->lanes;
    while (is_ready(x) && !atomic_exchange(&lanes->collecting, true)) {
        while (is_ready(x)) {
            int at = lanes->turn;
            struct rn_runner *runner = lanes->thread[at % lanes->n].runner;
            int err = rn_runner_collect(runner, x->place[at].slot);
            err = err ? err : rn_runner_recycle(runner, x->place[at].slot);
            if (err) {
                fail(x, err);
                break;
            }
            lanes->turn = (at + 1) % x->nplaces;
            leave(x, &x->place[at]);
        }
        lanes->collecting = false;
    }
}

static int submit(struct lane_thread *lane)
{
    struct rn_exchange *x = lane->exchange;
    struct place *place = &x->place[lane->next];
    lane->next = (lane->next + x->lanes->n) % x->nplaces;
    lane->under_way++;
    rn_exchange_copy(&place->in, &place->slot->in, 0, 1, false);
    place->state = COMPUTED;
    return rn_runner_submit(lane->runner, place->slot);
}

static int finish(struct lane_thread *lane)
{
    struct rn_exchange *x = lane->exchange;
    struct place *place = &x->place[lane->oldest];
    lane->oldest = (lane->oldest + x->lanes->n) % x->nplaces;
    lane->under_way--;
    int err = rn_runner_finish(lane->runner, place->slot);
    if (!err && place->wants_out)
        rn_exchange_copy(&place->slot->out, &place->out, 0, 1, true);
    if (err)
        return err;
    if (x->lanes->measured) {
        place->state = COPIED_OUT;
        return 0;
    }
    err = rn_runner_recycle(lane->runner, place->slot);
    leave(x, place);
    return err;
}

static bool has_more(const struct lane_thread *lane)
{
    return lane->exchange->place[lane->next].state == COPIED_IN;
}

/* Wakes those that have something to do. Locked. */
static void wake_all(struct rn_exchange *x)
{
    for (int k = 0; x->lanes && k < x->lanes->n; k++)
        if (x->lanes->thread[k].sleeps && (has_more(&x->lanes->thread[k]) || x->stopped))
            pthread_cond_signal(&x->lanes->thread[k].go);
}

static void sleep_on(struct lane_thread *lane)
{
    struct rn_exchange *x = lane->exchange;
    RN_LOCKED(&x->lock);
    lane->sleeps = true;
    x->lanes->awake--;
    wake_all(x);
    if (x->draining)
        pthread_cond_broadcast(&x->moved);
    while (!has_more(lane) && !x->stopped)
        pthread_cond_wait(&lane->go, &x->lock);
    lane->sleeps = false;
    x->lanes->awake++;
}

/* Submits what there is before it waits: other lanes may need it (relay.h). */
static void *run_thread(void *arg)
{
    struct lane_thread *lane = arg;
    struct rn_exchange *x = lane->exchange;
    while (!x->stopped) {
        bool more = has_more(lane);
        if (!more && !lane->under_way) {
            sleep_on(lane);
            continue;
        }
        x->copying++;
        int err = x->stopped ? 0 : more ? submit(lane) : finish(lane);
        if (err)
            fail(x, err);
        if (--x->copying == 0 && x->stopped)
            tell(x); /* who waits for the last of them */
        if (x->lanes->measured)
            collect(x);
    }
    rn_relay_break(x->pool->relay, 0, x->err ? x->err : RN_EINTERNAL); /* who waits for it ends */
    return NULL;
}

/* ---- for exchange.c */

/* Waking a thread takes longer than a small picture: while half of them work, one wakes for two
 * pictures, or when another one has nothing more to do; but a lane that waits for what another
 * hands on never has. */
void rn_lane_threads_wake(struct rn_exchange *x, int64_t number)
{
    if (number < 0 || !x->lanes) {
        wake_all(x);
        return;
    }
    struct lane_thread *lane = &x->lanes->thread[(number - x->base) % x->lanes->n];
    if (lane->sleeps && (x->pool->relay || x->lanes->awake < (x->lanes->n + 1) / 2 ||
                         x->place[(lane->next + x->lanes->n) % x->nplaces].state == COPIED_IN))
        pthread_cond_signal(&lane->go);
}

bool rn_lane_threads_rest(const struct rn_exchange *x)
{
    bool all = true;
    for (int k = 0; k < x->lanes->n; k++)
        all &= x->lanes->thread[k].sleeps && !has_more(&x->lanes->thread[k]);
    return all;
}

int rn_lane_threads_begin(struct rn_exchange *x)
{
    int err = 0;
    x->lanes->turn = 0;
    for (int k = 0; k < x->lanes->n && !err; k++) {
        struct lane_thread *lane = &x->lanes->thread[k];
        lane->next = lane->oldest = k;
        err = rn_runner_reset(lane->runner);
    }
    if (x->pool->relay)
        rn_relay_begin(x->pool->relay, 0);
    return err;
}

/* How many lanes keep the cores busy: while a lane's core computes, its thread copies on another.
 * More of them would take turns on the cores: 8 of 16 passed 50,000 pictures of 512x512 a second,
 * all of them 35,000. Lanes that hand on to each other take part all. Returns 0 or a logged
 * error. */
static int count_lanes(const struct rn_exchange *x, int *n)
{
    const struct rn_pool *pool = x->pool;
    struct rn_runner *runner = pool->lane[pool->turn[0]].runner;
    struct rn_slot *slot = x->place[0].slot;
    struct rn_image in = {.geom = {0}};
    double copied = 0, computed = 0;
    *n = pool->n;
    if (pool->n < FEW_LANES || pool->relay || !pool->lane[0].dev)
        return 0;
    int err = rn_image_alloc(&in, &x->in_geom);
    /* The last one counts: what it needs is in place. A frame may take seconds. */
    for (int i = 0; i < 3 && !err && computed < LONG_FRAME; i++) {
        double start = rn_clock();
        rn_exchange_copy(&in, &slot->in, 0, 1, false);
        double full = rn_clock();
        err = rn_runner_submit(runner, slot);
        err = err ? err : rn_runner_discard(runner, slot);
        computed = rn_clock() - full;
        copied = 2 * (full - start); /* in and out */
    }
    rn_image_free(&in);
    double longer = copied > computed ? copied : computed;
    *n = err ? 0 : (int)(pool->n * longer / (copied + computed) + 0.5);
    return err;
}

/* Their slots, in the order in which they take pictures. */
static void deal_places(struct rn_exchange *x)
{
    int n = x->lanes->n, all = x->pool->n;
    x->nplaces = x->nplaces / all * n;
    for (int i = 0; i < x->nplaces; i++)
        x->place[i].slot = rn_pool_slot(x->pool, i / n * all + i % n);
}

int rn_lane_threads_open(struct rn_exchange *x)
{
    struct rn_pool *pool = x->pool;
    const struct rn_device *dev = pool->lane[0].dev;
    if (pool->n < 2 || pool->ndevs > 1 || pool->run_frames > 1 || pool->before || pool->behind ||
        pool->nturns != pool->n || (dev && !rn_device_info(dev)->shared_memory))
        return 0;
    rn_lanes_wait(pool); /* a drain may be left to do */
    x->lanes = calloc(1, sizeof *x->lanes + (size_t)pool->n * sizeof(struct lane_thread));
    if (!x->lanes)
        return rn_fail_memory();
    int err = count_lanes(x, &x->lanes->n);
    x->nthreads = x->lanes->awake = x->lanes->n;
    if (err)
        return err;
    deal_places(x);
    x->lanes->measured = rn_runner_measures(pool->lane[0].runner);
    for (int k = 0; k < x->lanes->n; k++) {
        x->lanes->thread[k].exchange = x;
        x->lanes->thread[k].runner = pool->lane[pool->turn[k]].runner;
        pthread_cond_init(&x->lanes->thread[k].go, NULL);
    }
    err = rn_lane_threads_begin(x);
    for (int k = 0; k < x->lanes->n && !err; k++)
        err =
            rn_thread_start(&x->lanes->thread[k].thread, "lane", run_thread, &x->lanes->thread[k]);
    return err;
}

void rn_lane_threads_close(struct rn_exchange *x)
{
    for (int k = 0; x->lanes && k < x->lanes->n; k++) {
        rn_thread_join(&x->lanes->thread[k].thread);
        pthread_cond_destroy(&x->lanes->thread[k].go);
    }
    if (x->lanes)
        rn_lane_threads_begin(x); /* for whoever has the pool next */
    free(x->lanes);
}
