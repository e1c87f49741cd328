#include "app/play/loop/thread.h"

#include "filters/base/err.h"
#include "filters/base/log.h"

#include <string.h>
#include <time.h>

static void destroy(struct rn_play_thread *t)
{
    pthread_cond_destroy(&t->changed);
    pthread_mutex_destroy(&t->lock);
}

int rn_play_thread_start(struct rn_play_thread *t, void *(*work)(void *arg), void *arg)
{
    pthread_condattr_t attr;
    pthread_mutex_init(&t->lock, NULL);
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&t->changed, &attr);
    pthread_condattr_destroy(&attr);
    int code = pthread_create(&t->id, NULL, work, arg);
    if (!code)
        return 0;
    destroy(t);
    return rn_fail(RN_EINTERNAL, "cannot start a thread: %s", strerror(code));
}

void rn_play_thread_join(struct rn_play_thread *t)
{
    pthread_join(t->id, NULL);
    destroy(t);
}

void rn_play_thread_lock(struct rn_play_thread *t)
{
    pthread_mutex_lock(&t->lock);
}

void rn_play_thread_unlock(struct rn_play_thread *t)
{
    pthread_mutex_unlock(&t->lock);
}

void rn_play_thread_tell(struct rn_play_thread *t)
{
    pthread_cond_broadcast(&t->changed);
}

void rn_play_thread_wait(struct rn_play_thread *t)
{
    pthread_cond_wait(&t->changed, &t->lock);
}
