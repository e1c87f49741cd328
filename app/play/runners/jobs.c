/* SPDX-License-Identifier: MIT */
#include "app/play/runners/runners.h"

#include "filters/base/clock.h"
#include "filters/base/threads/locked.h"
#include "filters/base/threads/thread.h"

#define LONG 0.2 /* seconds after which it is said what is done */

struct rn_play_jobs {
    struct rn_thread thread;
    struct rn_monitor monitor;
    /* -- protected by its lock: */
    struct rn_play_job *first;   /* those that wait, in order */
    struct rn_play_job *running; /* NULL: none that anybody wants */
    bool busy, stop;
};

/* The lock is held, and let go meanwhile. */
static void do_job(struct rn_play_jobs *q)
{
    struct rn_play_job *job = q->running = q->first;
    q->first = job->next;
    q->busy = true;
    job->state = RN_JOB_RUNS;
    rn_monitor_unlock(&q->monitor);
    int err = job->work(job);
    rn_monitor_lock(&q->monitor);
    q->running = NULL;
    job->err = err;
    snprintf(job->why, sizeof job->why, "%s", err ? rn_log_last() : "");
    if (job->cancelled) {
        rn_monitor_unlock(&q->monitor);
        job->release(job);
        rn_monitor_lock(&q->monitor);
    } else {
        job->state = RN_JOB_DONE;
    }
    q->busy = false;
}

static void *run_jobs(void *arg)
{
    struct rn_play_jobs *q = arg;
    RN_LOCKED(&q->monitor.lock);
    while (q->first || !q->stop)
        if (q->first)
            do_job(q);
        else
            rn_monitor_wait(&q->monitor);
    return NULL;
}

int rn_play_jobs_open(struct rn_play_jobs **jobs)
{
    struct rn_play_jobs *q = *jobs = calloc(1, sizeof *q);
    if (!q)
        return rn_fail_memory();
    rn_monitor_init(&q->monitor);
    int err = rn_thread_start(&q->thread, "jobs", run_jobs, q);
    if (err)
        rn_play_jobs_close(jobs);
    return err;
}

void rn_play_jobs_close(struct rn_play_jobs **jobs)
{
    struct rn_play_jobs *q = rn_take_owned(jobs);
    if (!q)
        return;
    rn_monitor_lock(&q->monitor);
    q->stop = true;
    rn_monitor_tell(&q->monitor);
    rn_monitor_unlock(&q->monitor);
    rn_thread_join(&q->thread);
    rn_monitor_destroy(&q->monitor);
    free(q);
}

void rn_play_jobs_add(struct rn_play_jobs *q, struct rn_play_job *job)
{
    job->jobs = q;
    job->since = rn_clock();
    RN_LOCKED(&q->monitor.lock);
    struct rn_play_job **end = &q->first;
    while (*end)
        end = &(*end)->next;
    *end = job;
    rn_monitor_tell(&q->monitor);
}

bool rn_play_job_is_ready(const struct rn_play_job *job)
{
    RN_LOCKED(&job->jobs->monitor.lock);
    return job->state == RN_JOB_DONE;
}

int rn_play_job_result(const struct rn_play_job *job)
{
    if (job->err)
        rn_log_set_last(job->why);
    return job->err;
}

void rn_play_job_cancel(struct rn_play_job *job)
{
    struct rn_play_jobs *q = job ? job->jobs : NULL;
    if (!q)
        return;
    rn_monitor_lock(&q->monitor);
    bool runs = job->cancelled = job->state == RN_JOB_RUNS;
    if (job->state == RN_JOB_WAITS) {
        struct rn_play_job **at = &q->first;
        while (*at != job)
            at = &(*at)->next;
        *at = job->next;
    }
    rn_monitor_unlock(&q->monitor);
    if (!runs)
        job->release(job);
}

bool rn_play_jobs_is_busy(struct rn_play_jobs *q)
{
    if (!q)
        return false;
    RN_LOCKED(&q->monitor.lock);
    return q->busy || q->first;
}

const char *rn_play_jobs_describe(struct rn_play_jobs *q, char *buf, int size)
{
    RN_LOCKED(&q->monitor.lock);
    const struct rn_play_job *job = q->running && !q->running->cancelled ? q->running : q->first;
    bool told = job && rn_clock() - job->since >= LONG;
    if (told)
        snprintf(buf, (size_t)size, "%s", job->what);
    return told ? buf : NULL;
}
