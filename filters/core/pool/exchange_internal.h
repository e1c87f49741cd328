/* SPDX-License-Identifier: MIT */
/* The inside of an exchange: what the caller calls and the threads that copy for devices
 * (exchange.c), and the threads of the lanes of a CPU (exchange_lanes.c). */
#pragma once

#include <stdatomic.h>

#include "filters/core/device/opencl.h"
#include "filters/core/pool/exchange.h"
#include "filters/core/pool/pool_internal.h"

/* What a slot does, in this order. A lane's thread goes through all of it by itself. */
enum state {
    EMPTY,
    COPIED_IN,  /* parts of its picture are given to threads */
    FULL,       /* it waits for its turn to be submitted */
    COMPUTED,   /* it is the pool's */
    COPIED_OUT, /* parts of its result are given to threads */
};

struct place {
    _Atomic enum state state;
    atomic_bool awaited; /* by somebody who sleeps, where lanes have threads of their own */
    int64_t number;      /* of the picture that it has, or had */
    struct rn_slot *slot;
    struct rn_image in, out;
    bool wants_out;
    bool lends_in;     /* the device copies the picture itself */
    int given, copied; /* parts, of the state's direction */
};

/* Memory of the caller's that a device has locked. */
struct locked {
    struct locked *next;
    struct rn_device *dev;
    const uint8_t *memory;
    size_t bytes;
    cl_mem mem;
};

/* The threads of the lanes of a CPU. Each takes a picture in turn, copies it in, computes and
 * copies the result out by itself: what it computes with is in its core's cache. They ask for the
 * lock only to sleep, and to wake whoever waits for the very place that they leave: 16 threads that
 * queue for one lock pass fewer pictures than 8. */
struct rn_lane_threads;

struct rn_exchange {
    struct rn_pool *pool;
    struct rn_lane_threads *lanes; /* NULL: the threads below */
    struct rn_geom in_geom;
    const struct rn_geom *out_geom;
    int nplaces, parts, nthreads;
    bool past_cache; /* what is copied in is not read by this processor; results never are */
    struct place *place;
    struct rn_thread thread[RN_MAX_COPIERS], collector;
    pthread_mutex_t lock;
    pthread_cond_t work;  /* for one of the threads that copy */
    pthread_cond_t ready; /* for the collector */
    pthread_cond_t moved; /* for callers: a place is empty, or an error has come */
    atomic_int copying;   /* threads that have a picture of the caller's in hand */
    atomic_bool stopped;  /* it is closed, or an error has come */
    /* -- protected by lock: */
    int64_t base; /* the first picture of this input */
    /* Pictures up to here are submitted by the caller; given to threads; submitted to the pool;
     * complete there; waited for there; given to threads for their way out; with the caller. */
    int64_t submitted, filling, entered, completed, collected, emptying, ended;
    bool draining, drained;
    struct locked *locked;
    bool entering; /* a thread submits to the pool */
    int err;
    char why[256];
};

/* ---- exchange.c; the lock is held, and on return */

static inline struct place *rn_exchange_place(struct rn_exchange *x, int64_t number)
{
    return &x->place[(number - x->base) % x->nplaces];
}

/* Keeps the first error (logged in this thread) and wakes everybody; 0 is legal. */
void rn_exchange_fail(struct rn_exchange *exchange, int err);

/* Copies part `part` of `parts` of all planes, past this processor's cache or into it. Unlocked. */
void rn_exchange_copy(const struct rn_image *from, const struct rn_image *to, int part, int parts,
                      bool past_cache);

/* ---- exchange_lanes.c; the lock is held, but for opening and closing */

/* Starts a thread for as many of the pool's lanes as pay, if these take one picture each in turn;
 * else exchange->lanes stays NULL. Returns 0 or an error (logged). Closing ends them, after
 * `stopped` was set, and is legal without any. */
int rn_lane_threads_open(struct rn_exchange *exchange);
void rn_lane_threads_close(struct rn_exchange *exchange);

/* Whether all pictures are the caller's again. */
bool rn_lane_threads_rest(const struct rn_exchange *exchange);

/* Makes the next picture, while they rest, the first of another input. Returns 0 or an error
 * (logged). */
int rn_lane_threads_begin(struct rn_exchange *exchange);

/* Wakes the thread that has picture `number`, if that pays; -1: all that have something to do. */
void rn_lane_threads_wake(struct rn_exchange *exchange, int64_t number);
