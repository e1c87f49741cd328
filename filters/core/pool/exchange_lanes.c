/* SPDX-License-Identifier: MIT */
#include "filters/base/clock.h"
#include "filters/base/threads/locked.h"
#include "filters/core/pool/exchange_internal.h"

#define FEW_LANES  4
#define LONG_FRAME 0.02 /* seconds */

struct hand {
    struct rn_exchange *exchange;
    struct rn_runner *runner;
    struct rn_thread thread;
    int next, oldest; /* its places: of the next picture; of the first that it has not finished */
    int under_way;    /* places from oldest on */
    pthread_cond_t go;
    bool sleeps; /* protected by the exchange's lock */
};

struct rn_hands {
    int n;
    bool measured;          /* stages measure: results are collected in the pictures' order */
    int awake;              /* protected by the exchange's lock */
    atomic_int turn;        /* the place whose turn it is then */
    atomic_bool collecting; /* a thread does */
    struct hand hand[];
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
    int turn = x->hands->turn; /* gcc reads an atomic index like any other */
    return x->place[turn].state == COPIED_OUT && !x->stopped;
}

/* Passes on the measures of all pictures whose turn it is. One thread does it at a time; what gets
 * ready meanwhile it takes along. */
static void collect(struct rn_exchange *x)
{
    struct rn_hands *hands = x->hands;
    while (is_ready(x) && !atomic_exchange(&hands->collecting, true)) {
        while (is_ready(x)) {
            int at = hands->turn;
            struct rn_runner *runner = hands->hand[at % hands->n].runner;
            int err = rn_runner_collect(runner, x->place[at].slot);
            err = err ? err : rn_runner_recycle(runner, x->place[at].slot);
            if (err) {
                fail(x, err);
                break;
            }
            hands->turn = (at + 1) % x->nplaces;
            leave(x, &x->place[at]);
        }
        hands->collecting = false;
    }
}

static int submit(struct hand *hand)
{
    struct rn_exchange *x = hand->exchange;
    struct place *place = &x->place[hand->next];
    hand->next = (hand->next + x->hands->n) % x->nplaces;
    hand->under_way++;
    rn_exchange_copy(&place->in, &place->slot->in, 0, 1, false);
    place->state = COMPUTED;
    return rn_runner_submit(hand->runner, place->slot);
}

static int finish(struct hand *hand)
{
    struct rn_exchange *x = hand->exchange;
    struct place *place = &x->place[hand->oldest];
    hand->oldest = (hand->oldest + x->hands->n) % x->nplaces;
    hand->under_way--;
    int err = rn_runner_finish(hand->runner, place->slot);
    if (!err && place->wants_out)
        rn_exchange_copy(&place->slot->out, &place->out, 0, 1, true);
    if (err)
        return err;
    if (x->hands->measured) {
        place->state = COPIED_OUT;
        return 0;
    }
    err = rn_runner_recycle(hand->runner, place->slot);
    leave(x, place);
    return err;
}

static bool has_more(const struct hand *hand)
{
    return hand->exchange->place[hand->next].state == COPIED_IN;
}

/* Wakes those that have something to do. Locked. */
static void wake_all(struct rn_exchange *x)
{
    for (int k = 0; x->hands && k < x->hands->n; k++)
        if (x->hands->hand[k].sleeps && (has_more(&x->hands->hand[k]) || x->stopped))
            pthread_cond_signal(&x->hands->hand[k].go);
}

static void sleep_on(struct hand *hand)
{
    struct rn_exchange *x = hand->exchange;
    RN_LOCKED(&x->lock);
    hand->sleeps = true;
    x->hands->awake--;
    wake_all(x);
    if (x->draining)
        pthread_cond_broadcast(&x->moved);
    while (!has_more(hand) && !x->stopped)
        pthread_cond_wait(&hand->go, &x->lock);
    hand->sleeps = false;
    x->hands->awake++;
}

/* Submits what there is before it waits: other lanes may need it (relay.h). */
static void *run_hand(void *arg)
{
    struct hand *hand = arg;
    struct rn_exchange *x = hand->exchange;
    while (!x->stopped) {
        bool more = has_more(hand);
        if (!more && !hand->under_way) {
            sleep_on(hand);
            continue;
        }
        x->copying++;
        int err = x->stopped ? 0 : more ? submit(hand) : finish(hand);
        if (err)
            fail(x, err);
        if (--x->copying == 0 && x->stopped)
            tell(x); /* who waits for the last of them */
        if (x->hands->measured)
            collect(x);
    }
    rn_relay_break(x->pool->relay, 0, x->err ? x->err : RN_EINTERNAL); /* who waits for it ends */
    return NULL;
}

/* ---- for exchange.c */

/* Waking a thread takes longer than a small picture: while half of them work, one wakes for two
 * pictures, or when another one has nothing more to do; but a lane that waits for what another
 * hands on never has. */
void rn_hands_wake(struct rn_exchange *x, int64_t number)
{
    if (number < 0 || !x->hands) {
        wake_all(x);
        return;
    }
    struct hand *hand = &x->hands->hand[(number - x->base) % x->hands->n];
    if (hand->sleeps && (x->pool->relay || x->hands->awake < (x->hands->n + 1) / 2 ||
                         x->place[(hand->next + x->hands->n) % x->nplaces].state == COPIED_IN))
        pthread_cond_signal(&hand->go);
}

bool rn_hands_rest(const struct rn_exchange *x)
{
    bool all = true;
    for (int k = 0; k < x->hands->n; k++)
        all &= x->hands->hand[k].sleeps && !has_more(&x->hands->hand[k]);
    return all;
}

int rn_hands_begin(struct rn_exchange *x)
{
    int err = 0;
    x->hands->turn = 0;
    for (int k = 0; k < x->hands->n && !err; k++) {
        struct hand *hand = &x->hands->hand[k];
        hand->next = hand->oldest = k;
        err = rn_runner_reset(hand->runner);
    }
    if (x->pool->relay)
        rn_relay_begin(x->pool->relay, 0);
    return err;
}

/* How many lanes keep the cores busy: while a lane's core computes, its thread copies on another.
 * More of them would take turns on the cores: 8 of 16 passed 50,000 pictures of 512x512 a second,
 * all of them 35,000. Lanes that hand on to each other take part all. Returns 0 or a logged
 * error. */
static int count_hands(const struct rn_exchange *x, int *n)
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
    int n = x->hands->n, all = x->pool->n;
    x->nplaces = x->nplaces / all * n;
    for (int i = 0; i < x->nplaces; i++)
        x->place[i].slot = rn_pool_slot(x->pool, i / n * all + i % n);
}

int rn_hands_open(struct rn_exchange *x)
{
    struct rn_pool *pool = x->pool;
    const struct rn_device *dev = pool->lane[0].dev;
    if (pool->n < 2 || pool->ndevs > 1 || pool->run_frames > 1 || pool->before || pool->behind ||
        pool->nturns != pool->n || (dev && !rn_device_info(dev)->shared_memory))
        return 0;
    rn_lanes_wait(pool); /* a drain may be left to do */
    x->hands = calloc(1, sizeof *x->hands + (size_t)pool->n * sizeof(struct hand));
    if (!x->hands)
        return rn_fail_memory();
    int err = count_hands(x, &x->hands->n);
    x->nthreads = x->hands->awake = x->hands->n;
    if (err)
        return err;
    deal_places(x);
    x->hands->measured = rn_runner_measures(pool->lane[0].runner);
    for (int k = 0; k < x->hands->n; k++) {
        x->hands->hand[k].exchange = x;
        x->hands->hand[k].runner = pool->lane[pool->turn[k]].runner;
        pthread_cond_init(&x->hands->hand[k].go, NULL);
    }
    err = rn_hands_begin(x);
    for (int k = 0; k < x->hands->n && !err; k++)
        err = rn_thread_start(&x->hands->hand[k].thread, "lane", run_hand, &x->hands->hand[k]);
    return err;
}

void rn_hands_close(struct rn_exchange *x)
{
    for (int k = 0; x->hands && k < x->hands->n; k++) {
        rn_thread_join(&x->hands->hand[k].thread);
        pthread_cond_destroy(&x->hands->hand[k].go);
    }
    if (x->hands)
        rn_hands_begin(x); /* for whoever has the pool next */
    free(x->hands);
}
