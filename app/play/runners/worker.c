#include "app/play/runners/worker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filters/base/clock.h"
#include "filters/base/err.h"
#include "filters/base/log.h"
#include "filters/base/threads/thread.h"

#define LONG 0.2 /* seconds after which it is said what is done */

struct rn_play_worker {
    struct rn_thread thread;
    struct rn_monitor monitor;
    /* -- protected by its lock: */
    struct rn_play_job *first;   /* those that wait, in order */
    struct rn_play_job *running; /* NULL: none that anybody wants */
    bool busy, stop;
};

/* The lock is held, and let go meanwhile. */
static void do_job(struct rn_play_worker *w)
{
    struct rn_play_job *job = w->running = w->first;
    w->first = job->next;
    w->busy = true;
    job->state = RN_JOB_RUNS;
    rn_monitor_unlock(&w->monitor);
    int err = job->work(job);
    rn_monitor_lock(&w->monitor);
    w->running = NULL;
    job->err = err;
    snprintf(job->why, sizeof job->why, "%s", err ? rn_log_last() : "");
    if (job->cancelled) {
        rn_monitor_unlock(&w->monitor);
        job->release(job);
        rn_monitor_lock(&w->monitor);
    } else {
        job->state = RN_JOB_DONE;
    }
    w->busy = false;
}

static void *run_jobs(void *arg)
{
    struct rn_play_worker *w = arg;
    rn_monitor_lock(&w->monitor);
    while (w->first || !w->stop)
        if (w->first)
            do_job(w);
        else
            rn_monitor_wait(&w->monitor);
    rn_monitor_unlock(&w->monitor);
    return NULL;
}

int rn_play_worker_open(struct rn_play_worker **worker)
{
    struct rn_play_worker *w = *worker = calloc(1, sizeof *w);
    if (!w)
        return rn_fail_memory();
    rn_monitor_init(&w->monitor);
    int err = rn_thread_start(&w->thread, "jobs", run_jobs, w);
    if (err) {
        rn_monitor_destroy(&w->monitor);
        free(w);
        *worker = NULL;
    }
    return err;
}

void rn_play_worker_close(struct rn_play_worker **worker)
{
    struct rn_play_worker *w = *worker;
    if (!w)
        return;
    rn_monitor_lock(&w->monitor);
    w->stop = true;
    rn_monitor_tell(&w->monitor);
    rn_monitor_unlock(&w->monitor);
    rn_thread_join(&w->thread);
    rn_monitor_destroy(&w->monitor);
    free(w);
    *worker = NULL;
}

void rn_play_worker_request(struct rn_play_worker *w, struct rn_play_job *job)
{
    job->worker = w;
    job->since = rn_clock();
    rn_monitor_lock(&w->monitor);
    struct rn_play_job **end = &w->first;
    while (*end)
        end = &(*end)->next;
    *end = job;
    rn_monitor_tell(&w->monitor);
    rn_monitor_unlock(&w->monitor);
}

bool rn_play_job_is_ready(const struct rn_play_job *job)
{
    if (!job)
        return false;
    rn_monitor_lock(&job->worker->monitor);
    bool done = job->state == RN_JOB_DONE;
    rn_monitor_unlock(&job->worker->monitor);
    return done;
}

int rn_play_job_result(const struct rn_play_job *job, char why[RN_WORKER_WHY])
{
    memcpy(why, job->why, RN_WORKER_WHY);
    return job->err;
}

void rn_play_job_cancel(struct rn_play_job *job)
{
    struct rn_play_worker *w = job ? job->worker : NULL;
    if (!w)
        return;
    rn_monitor_lock(&w->monitor);
    bool runs = job->cancelled = job->state == RN_JOB_RUNS;
    if (job->state == RN_JOB_WAITS) {
        struct rn_play_job **at = &w->first;
        while (*at != job)
            at = &(*at)->next;
        *at = job->next;
    }
    rn_monitor_unlock(&w->monitor);
    if (!runs)
        job->release(job);
}

bool rn_play_worker_is_busy(struct rn_play_worker *w)
{
    if (!w)
        return false;
    rn_monitor_lock(&w->monitor);
    bool busy = w->busy || w->first;
    rn_monitor_unlock(&w->monitor);
    return busy;
}

const char *rn_play_worker_describe(struct rn_play_worker *w, char *buf, int size)
{
    rn_monitor_lock(&w->monitor);
    const struct rn_play_job *job = w->running && !w->running->cancelled ? w->running : w->first;
    bool told = job && rn_clock() - job->since >= LONG;
    if (told)
        snprintf(buf, (size_t)size, "%s", job->what);
    rn_monitor_unlock(&w->monitor);
    return told ? buf : NULL;
}
