/* SPDX-License-Identifier: MIT */
#include "filters/base/threads/gather.h"

#include "filters/base/threads/thread.h"

#include <errno.h>
#include <time.h>

/* How long a thing may wait for others, in nanoseconds: unseen in a picture, and rarely reached
 * where frames come at the rate of video or faster. */
#define PATIENCE 20000000

void rn_gather_init(struct rn_gather *g)
{
    rn_condition_init(&g->cond);
    g->wanted = g->waiting = 0;
}

void rn_gather_destroy(struct rn_gather *g)
{
    pthread_cond_destroy(&g->cond);
}

void rn_gather_wait(struct rn_gather *g, pthread_mutex_t *lock, const int *count, const bool *over,
                    int batch)
{
    if (*count || *over)
        return;
    g->waiting++;
    g->wanted = batch;
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_nsec += PATIENCE;
    end.tv_sec += end.tv_nsec / 1000000000;
    end.tv_nsec %= 1000000000;
    while (g->wanted > 1 && *count < g->wanted && !*over)
        if (pthread_cond_timedwait(&g->cond, lock, &end) == ETIMEDOUT)
            g->wanted = 1;
    while (!*count && !*over)
        pthread_cond_wait(&g->cond, lock);
    g->waiting--;
}

void rn_gather_more(struct rn_gather *g, pthread_mutex_t *lock)
{
    g->waiting++;
    g->wanted = 1;
    pthread_cond_wait(&g->cond, lock);
    g->waiting--;
}

void rn_gather_tell(struct rn_gather *g, int count)
{
    if (g->waiting && count >= g->wanted)
        pthread_cond_signal(&g->cond);
}

void rn_gather_hurry(struct rn_gather *g)
{
    g->wanted = 1;
    if (g->waiting)
        pthread_cond_broadcast(&g->cond);
}
