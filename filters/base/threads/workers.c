/* SPDX-License-Identifier: MIT */
#include "filters/base/threads/workers.h"

#include "filters/base/threads/locked.h"
#include "filters/base/threads/thread.h"

struct place {
    void *piece;
    bool done;
};

struct rn_workers {
    rn_work_fn *work;
    int threads, room;
    struct rn_thread *thread;
    int started;
    int64_t pushed, popped; /* pieces, since the beginning: the n-th stands at place n % room */
    pthread_mutex_t lock;
    pthread_cond_t come, done;
    /* -- protected by lock: */
    int64_t known, begun; /* pieces for the threads; those that a thread has taken */
    int idle;             /* threads */
    bool ended;
    struct place place[];
};

struct rn_workers *rn_workers_create(int threads, int room, rn_work_fn *work)
{
    struct rn_workers *w = calloc(1, sizeof *w + (size_t)room * sizeof w->place[0]);
    struct rn_thread *thread = calloc((size_t)threads, sizeof *thread);
    if (!w || !thread) {
        free(thread);
        free(w);
        return NULL;
    }
    w->work = work;
    w->threads = threads;
    w->room = room;
    w->thread = thread;
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->come, NULL);
    pthread_cond_init(&w->done, NULL);
    return w;
}

void rn_workers_destroy(struct rn_workers **workers)
{
    struct rn_workers *w = rn_take_owned(workers);
    if (!w)
        return;
    pthread_mutex_lock(&w->lock);
    w->ended = true;
    pthread_cond_broadcast(&w->come);
    pthread_mutex_unlock(&w->lock);
    for (int i = 0; i < w->started; i++)
        rn_thread_join(&w->thread[i]);
    pthread_mutex_destroy(&w->lock);
    pthread_cond_destroy(&w->come);
    pthread_cond_destroy(&w->done);
    free(w->thread);
    free(w);
}

static void *work_on(void *arg)
{
    struct rn_workers *w = arg;
    RN_LOCKED(&w->lock);
    for (;;) {
        w->idle++;
        while (w->begun == w->known && !w->ended)
            pthread_cond_wait(&w->come, &w->lock);
        w->idle--;
        if (w->ended)
            return NULL;
        struct place *p = &w->place[w->begun++ % w->room];
        pthread_mutex_unlock(&w->lock);
        w->work(p->piece);
        pthread_mutex_lock(&w->lock);
        p->done = true;
        pthread_cond_signal(&w->done);
    }
}

bool rn_workers_are_full(const struct rn_workers *w)
{
    return w->pushed - w->popped == w->room;
}

void rn_workers_push(struct rn_workers *w, void *piece)
{
    struct place *p = &w->place[w->pushed++ % w->room];
    p->piece = piece;
    pthread_mutex_lock(&w->lock);
    p->done = false;
    bool busy = w->known - w->begun >= w->idle;
    if (busy && w->threads > 1 && w->started < w->threads)
        w->started += rn_thread_try(&w->thread[w->started], "pieces", work_on, w);
    if (w->started) {
        w->known++;
        pthread_cond_signal(&w->come);
    }
    pthread_mutex_unlock(&w->lock);
    if (w->started)
        return;
    w->known = w->begun = w->pushed; /* a thread that starts later skips this piece */
    w->work(piece);
    p->done = true;
}

void *rn_workers_pop(struct rn_workers *w, bool wait)
{
    if (w->popped == w->pushed)
        return NULL;
    struct place *p = &w->place[w->popped % w->room];
    RN_LOCKED(&w->lock);
    while (!p->done && wait)
        pthread_cond_wait(&w->done, &w->lock);
    w->popped += p->done;
    return p->done ? p->piece : NULL;
}
