#include "app/play/worker.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "filters/base/err.h"
#include "filters/base/log.h"

struct rn_worker {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    /* -- protected by lock: */
    int (*job)(void *arg); /* NULL: there is none to do */
    void *arg;
    bool stop;
    int err;
    char why[RN_WORKER_WHY];
};

static void do_job(struct rn_worker *w)
{
    int (*job)(void *) = w->job;
    void *arg = w->arg;
    pthread_mutex_unlock(&w->lock);
    int err = job(arg);
    pthread_mutex_lock(&w->lock);
    w->err = err;
    snprintf(w->why, sizeof w->why, "%s", err ? rn_log_last() : "");
    w->job = NULL;
    pthread_cond_broadcast(&w->changed);
}

static void *work(void *arg)
{
    struct rn_worker *w = arg;
    pthread_mutex_lock(&w->lock);
    while (w->job || !w->stop)
        if (w->job)
            do_job(w);
        else
            pthread_cond_wait(&w->changed, &w->lock);
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

int rn_worker_open(struct rn_worker **worker)
{
    struct rn_worker *w = *worker = calloc(1, sizeof *w);
    if (!w)
        return rn_fail_memory();
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->changed, NULL);
    if (!pthread_create(&w->thread, NULL, work, w))
        return 0;
    pthread_cond_destroy(&w->changed);
    pthread_mutex_destroy(&w->lock);
    free(w);
    *worker = NULL;
    return rn_fail(RN_EINTERNAL, "cannot start a thread");
}

void rn_worker_start(struct rn_worker *w, int (*job)(void *arg), void *arg)
{
    pthread_mutex_lock(&w->lock);
    w->job = job;
    w->arg = arg;
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->lock);
}

bool rn_worker_is_busy(struct rn_worker *w)
{
    if (!w)
        return false;
    pthread_mutex_lock(&w->lock);
    bool busy = w->job != NULL;
    pthread_mutex_unlock(&w->lock);
    return busy;
}

void rn_worker_wait(struct rn_worker *w)
{
    if (!w)
        return;
    pthread_mutex_lock(&w->lock);
    while (w->job)
        pthread_cond_wait(&w->changed, &w->lock);
    pthread_mutex_unlock(&w->lock);
}

int rn_worker_result(struct rn_worker *w, char why[RN_WORKER_WHY])
{
    pthread_mutex_lock(&w->lock);
    int err = w->err;
    snprintf(why, RN_WORKER_WHY, "%s", w->why);
    pthread_mutex_unlock(&w->lock);
    return err;
}

void rn_worker_close(struct rn_worker **worker)
{
    struct rn_worker *w = *worker;
    if (!w)
        return;
    pthread_mutex_lock(&w->lock);
    w->stop = true;
    pthread_cond_signal(&w->changed);
    pthread_mutex_unlock(&w->lock);
    pthread_join(w->thread, NULL);
    pthread_cond_destroy(&w->changed);
    pthread_mutex_destroy(&w->lock);
    free(w);
    *worker = NULL;
}
