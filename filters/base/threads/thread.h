/* SPDX-License-Identifier: MIT */
/* The one way to start a thread, and the locks and conditions that it shares with the others. */
#pragma once

#include <pthread.h>
#include <stdbool.h>

#define RN_CORES_MOST 1024

/* How many cores this process may use: what a batch system gave it (SLURM_CPUS_PER_TASK, if that is
 * a number from 1 to RN_CORES_MOST), else those of its affinity mask. >= 1. Any thread, while none
 * changes the environment. */
int rn_cores(void);

struct rn_thread {
    pthread_t id;
    bool runs; /* it was started, and not joined */
};

/* Starts body(arg). name: at most 15 bytes, for debuggers and `top -H`. Returns 0 or RN_EINTERNAL
 * (logged). */
int rn_thread_start(struct rn_thread *thread, const char *name, void *(*body)(void *), void *arg);

/* The same for callers that do the work themselves where the system gives no thread: nothing is
 * logged. Returns whether it runs. */
bool rn_thread_try(struct rn_thread *thread, const char *name, void *(*body)(void *), void *arg);

/* Waits for its end. One that does not run is legal. */
void rn_thread_join(struct rn_thread *thread);

/* What threads share is protected by lock; who changes something of it tells the others. */
struct rn_monitor {
    pthread_mutex_t lock;
    pthread_cond_t changed;
};

void rn_monitor_init(struct rn_monitor *monitor);
static inline void rn_monitor_destroy(struct rn_monitor *m)
{
    pthread_cond_destroy(&m->changed);
    pthread_mutex_destroy(&m->lock);
}

static inline void rn_monitor_lock(struct rn_monitor *m)
{
    pthread_mutex_lock(&m->lock);
}

static inline void rn_monitor_unlock(struct rn_monitor *m)
{
    pthread_mutex_unlock(&m->lock);
}

/* The lock is held. Wakes all that wait. */
static inline void rn_monitor_tell(struct rn_monitor *m)
{
    pthread_cond_broadcast(&m->changed);
}

/* The lock is held, and let go while it waits for rn_monitor_tell; spurious wake-ups occur. */
static inline void rn_monitor_wait(struct rn_monitor *m)
{
    pthread_cond_wait(&m->changed, &m->lock);
}

/* The same, until a time of rn_clock() at most. Returns false if that has come. */
bool rn_monitor_wait_until(struct rn_monitor *monitor, double time);

/* Wakes threads for a batch of items instead of each: waking a thread costs the processor a switch
 * or two. Where nothing more comes soon, one item is enough.
 *
 * All fields are protected by the lock that the counter belongs to, and its holder makes all calls
 * but init and destroy. */
struct rn_gather {
    pthread_cond_t cond;
    int waiting; /* threads */
    int wanted;  /* items for which one of them is woken */
};

void rn_gather_init(struct rn_gather *g);
static inline void rn_gather_destroy(struct rn_gather *g)
{
    pthread_cond_destroy(&g->cond);
}

/* Waits for an item, or *over; if there is none yet, for a batch, as long as items keep coming.
 * count: items that are there. */
void rn_gather_wait(struct rn_gather *g, pthread_mutex_t *lock, const int *count, const bool *over,
                    int batch);

/* Waits for any change: one more item, or a call of rn_gather_hurry. */
static inline void rn_gather_more(struct rn_gather *g, pthread_mutex_t *lock)
{
    g->waiting++;
    g->wanted = 1;
    pthread_cond_wait(&g->cond, lock);
    g->waiting--;
}

/* Says that there are `count` items. */
static inline void rn_gather_tell(struct rn_gather *g, int count)
{
    if (g->waiting && count >= g->wanted)
        pthread_cond_signal(&g->cond);
}

/* Ends the wait for a batch: what is there has to do, or it is over. */
static inline void rn_gather_hurry(struct rn_gather *g)
{
    g->wanted = 1;
    if (g->waiting)
        pthread_cond_broadcast(&g->cond);
}
