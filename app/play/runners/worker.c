#include "app/play/runners/worker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/play/loop/thread.h"
#include "filters/base/clock.h"
#include "filters/base/err.h"
#include "filters/base/log.h"

#define LONG 0.2 /* seconds after which it is said what is done */

struct rn_play_job {
    struct rn_play_worker *worker;
    struct rn_play_job *next;
    char what[256];
    int (*work)(void *arg);
    void (*release)(void *arg);
    void *arg;
    double since; /* when it was asked for */
    /* -- protected by the worker's lock: */
    enum { JOB_WAITS, JOB_RUNS, JOB_DONE } state;
    bool left;
    int err;
    char why[RN_WORKER_WHY];
};

struct rn_play_worker {
    struct rn_play_thread thread;
    /* -- protected by its lock: */
    struct rn_play_job *first; /* those that are not done, in order; the first one may run */
    bool stop;
};

/* The lock is held, and let go meanwhile. Whoever leaves it while it runs frees nothing. */
static void do_job(struct rn_play_worker *w)
{
    struct rn_play_job *job = w->first;
    job->state = JOB_RUNS;
    rn_play_thread_unlock(&w->thread);
    int err = job->work(job->arg);
    rn_play_thread_lock(&w->thread);
    job->err = err;
    snprintf(job->why, sizeof job->why, "%s", err ? rn_log_last() : "");
    if (job->left) {
        rn_play_thread_unlock(&w->thread);
        job->release(job->arg);
        rn_play_thread_lock(&w->thread);
    }
    w->first = job->next;
    job->state = JOB_DONE;
    if (job->left)
        free(job);
}

static void *run_jobs(void *arg)
{
    struct rn_play_worker *w = arg;
    rn_play_thread_lock(&w->thread);
    while (w->first || !w->stop)
        if (w->first)
            do_job(w);
        else
            rn_play_thread_wait(&w->thread);
    rn_play_thread_unlock(&w->thread);
    return NULL;
}

int rn_play_worker_open(struct rn_play_worker **worker)
{
    struct rn_play_worker *w = *worker = calloc(1, sizeof *w);
    if (!w)
        return rn_fail_memory();
    int err = rn_play_thread_start(&w->thread, run_jobs, w);
    if (err) {
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
    rn_play_thread_lock(&w->thread);
    w->stop = true;
    rn_play_thread_tell(&w->thread);
    rn_play_thread_unlock(&w->thread);
    rn_play_thread_join(&w->thread);
    free(w);
    *worker = NULL;
}

/* ---- jobs */

static void append(struct rn_play_worker *w, struct rn_play_job *job)
{
    struct rn_play_job **end = &w->first;
    rn_play_thread_lock(&w->thread);
    while (*end)
        end = &(*end)->next;
    *end = job;
    rn_play_thread_tell(&w->thread);
    rn_play_thread_unlock(&w->thread);
}

struct rn_play_job *rn_play_worker_ask(struct rn_play_worker *w, const char *what,
                                       int (*work)(void *arg), void (*release)(void *arg),
                                       void *arg)
{
    struct rn_play_job *job = calloc(1, sizeof *job);
    if (!job) {
        rn_fail_memory();
        return NULL;
    }
    job->worker = w;
    job->work = work;
    job->release = release;
    job->arg = arg;
    job->since = rn_clock();
    snprintf(job->what, sizeof job->what, "%s", what);
    append(w, job);
    return job;
}

bool rn_play_job_is_done(const struct rn_play_job *job)
{
    rn_play_thread_lock(&job->worker->thread);
    bool done = job->state == JOB_DONE;
    rn_play_thread_unlock(&job->worker->thread);
    return done;
}

int rn_play_job_take(struct rn_play_job **job, char why[RN_WORKER_WHY])
{
    int err = (*job)->err;
    memcpy(why, (*job)->why, RN_WORKER_WHY);
    free(*job);
    *job = NULL;
    return err;
}

/* Nobody has begun it. The lock is held. */
static void take_out(struct rn_play_job *job)
{
    struct rn_play_job **at = &job->worker->first;
    while (*at != job)
        at = &(*at)->next;
    *at = job->next;
}

void rn_play_job_leave(struct rn_play_job **left)
{
    struct rn_play_job *job = *left;
    if (!job)
        return;
    *left = NULL;
    struct rn_play_thread *t = &job->worker->thread;
    rn_play_thread_lock(t);
    bool runs = job->left = job->state == JOB_RUNS;
    if (job->state == JOB_WAITS)
        take_out(job);
    rn_play_thread_unlock(t);
    if (runs)
        return;
    job->release(job->arg);
    free(job);
}

bool rn_play_worker_is_busy(struct rn_play_worker *w)
{
    if (!w)
        return false;
    rn_play_thread_lock(&w->thread);
    bool busy = w->first != NULL;
    rn_play_thread_unlock(&w->thread);
    return busy;
}

/* Those that were left are nobody's concern. */
const char *rn_play_worker_tell(struct rn_play_worker *w, char *buf, int size)
{
    rn_play_thread_lock(&w->thread);
    const struct rn_play_job *job = w->first;
    while (job && job->left)
        job = job->next;
    bool told = job && rn_clock() - job->since >= LONG;
    if (told)
        snprintf(buf, (size_t)size, "%s", job->what);
    rn_play_thread_unlock(&w->thread);
    return told ? buf : NULL;
}
