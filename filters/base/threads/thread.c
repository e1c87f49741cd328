/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* pthread_setname_np, sched_getaffinity, CPU_COUNT */
#include "filters/base/threads/thread.h"

#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "filters/base/log.h"
#include "filters/base/text/number.h"

/* Bytes, whatever `ulimit -s` says: drivers compile kernels in these threads. */
#define STACK ((size_t)8 << 20)

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

void rn_condition_init(pthread_cond_t *condition)
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
    rn_condition_init(&m->changed);
}

void rn_monitor_destroy(struct rn_monitor *m)
{
    pthread_cond_destroy(&m->changed);
    pthread_mutex_destroy(&m->lock);
}

void rn_monitor_lock(struct rn_monitor *m)
{
    pthread_mutex_lock(&m->lock);
}

void rn_monitor_unlock(struct rn_monitor *m)
{
    pthread_mutex_unlock(&m->lock);
}

void rn_monitor_tell(struct rn_monitor *m)
{
    pthread_cond_broadcast(&m->changed);
}

void rn_monitor_wait(struct rn_monitor *m)
{
    pthread_cond_wait(&m->changed, &m->lock);
}

bool rn_monitor_wait_until(struct rn_monitor *m, double time)
{
    double whole = floor(time);
    const struct timespec t = {(time_t)whole, (long)(1e9 * (time - whole))};
    return !pthread_cond_timedwait(&m->changed, &m->lock, &t);
}
