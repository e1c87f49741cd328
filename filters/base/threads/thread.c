/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* pthread_setname_np, sched_getaffinity, CPU_COUNT */
#include "filters/base/threads/thread.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "filters/base/clock.h"
#include "filters/base/log.h"
#include "filters/base/text/number.h"

/* Bytes, whatever `ulimit -s` says: drivers compile kernels in these threads. */
#define STACK ((size_t)8 << 20)

/* How long a thing may wait for others, in seconds: unseen in a picture, and rarely reached where
 * frames come at the rate of video or faster. */
#define PATIENCE 0.02

int rn_cores(void)
{
    const char *given = getenv("SLURM_CPUS_PER_TASK");
    long long n;
    cpu_set_t set;
    if (given && rn_number_whole(given, 1, RN_CORES_MOST, &n))
        return (int)n;
    int count = sched_getaffinity(0, sizeof set, &set) ? 1 : CPU_COUNT(&set);
    return count > 0 ? count : 1;
}

static int start(struct rn_thread *t, const char *name, void *(*body)(void *), void *arg)
{
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, STACK);
    int code = pthread_create(&t->id, &attr, body, arg);
    pthread_attr_destroy(&attr);
    t->runs = !code;
    if (!code)
        pthread_setname_np(t->id, name);
    return code;
}

int rn_thread_start(struct rn_thread *t, const char *name, void *(*body)(void *), void *arg)
{
    int code = start(t, name, body, arg);
    return code ? rn_fail(RN_EINTERNAL, "cannot start a thread: %s", strerror(code)) : 0;
}

bool rn_thread_try(struct rn_thread *t, const char *name, void *(*body)(void *), void *arg)
{
    return !start(t, name, body, arg);
}

void rn_thread_join(struct rn_thread *t)
{
    if (t->runs)
        pthread_join(t->id, NULL);
    t->runs = false;
}

/* A condition whose timed waits take times of rn_clock(). */
static void init_condition(pthread_cond_t *condition)
{
    pthread_condattr_t attr;
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC); /* that of rn_clock() */
    pthread_cond_init(condition, &attr);
    pthread_condattr_destroy(&attr);
}

void rn_monitor_init(struct rn_monitor *m)
{
    pthread_mutex_init(&m->lock, NULL);
    init_condition(&m->changed);
}

bool rn_monitor_wait_until(struct rn_monitor *m, double time)
{
    const struct timespec t = rn_clock_time(time);
    return !pthread_cond_timedwait(&m->changed, &m->lock, &t);
}

void rn_gather_init(struct rn_gather *g)
{
    init_condition(&g->cond);
    g->wanted = g->waiting = 0;
}

void rn_gather_wait(struct rn_gather *g, pthread_mutex_t *lock, const int *count, const bool *over,
                    int batch)
{
    if (*count || *over)
        return;
    g->waiting++;
    g->wanted = batch;
    const struct timespec end = rn_clock_time(rn_clock() + PATIENCE);
    while (g->wanted > 1 && *count < g->wanted && !*over)
        if (pthread_cond_timedwait(&g->cond, lock, &end) == ETIMEDOUT)
            g->wanted = 1;
    while (!*count && !*over)
        pthread_cond_wait(&g->cond, lock);
    g->waiting--;
}
