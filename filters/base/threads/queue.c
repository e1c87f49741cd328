/* SPDX-License-Identifier: MIT */
#include "filters/base/threads/queue.h"

#include "filters/base/err.h"
#include "filters/base/threads/locked.h"
#include "filters/base/threads/thread.h"

struct rn_queue {
    int capacity, batch;
    pthread_mutex_t lock;
    pthread_cond_t room;
    struct rn_gather filled;
    /* -- protected by lock: */
    int first, count;
    bool closed, aborted;
    void *item[];
};

struct rn_queue *rn_queue_create(int capacity, int batch)
{
    struct rn_queue *q = calloc(1, sizeof *q + (size_t)capacity * sizeof q->item[0]);
    if (!q)
        return NULL;
    q->capacity = capacity;
    q->batch = batch;
    pthread_mutex_init(&q->lock, NULL);
    pthread_cond_init(&q->room, NULL);
    rn_gather_init(&q->filled);
    return q;
}

void rn_queue_destroy(struct rn_queue **q)
{
    if (!*q)
        return;
    pthread_mutex_destroy(&(*q)->lock);
    pthread_cond_destroy(&(*q)->room);
    rn_gather_destroy(&(*q)->filled);
    free(rn_take_owned(q));
}

int rn_queue_push(struct rn_queue *q, void *item)
{
    RN_LOCKED(&q->lock);
    while (q->count == q->capacity && !q->closed)
        pthread_cond_wait(&q->room, &q->lock);
    int err = q->closed ? RN_END : 0;
    if (!err) {
        q->item[(q->first + q->count++) % q->capacity] = item;
        rn_gather_tell(&q->filled, q->count);
    }
    return err;
}

int rn_queue_pop(struct rn_queue *q, void **item)
{
    RN_LOCKED(&q->lock);
    rn_gather_wait(&q->filled, &q->lock, &q->count, &q->closed, q->batch);
    int err = q->aborted || !q->count ? RN_END : 0;
    if (!err) {
        *item = q->item[q->first];
        q->first = (q->first + 1) % q->capacity;
        q->count--;
        pthread_cond_signal(&q->room);
    }
    return err;
}

bool rn_queue_is_empty(struct rn_queue *q)
{
    RN_LOCKED(&q->lock);
    return !q->count && !q->closed;
}

static void end(struct rn_queue *q, bool abort)
{
    RN_LOCKED(&q->lock);
    q->closed = true;
    q->aborted |= abort;
    pthread_cond_broadcast(&q->room);
    rn_gather_hurry(&q->filled);
}

void rn_queue_close(struct rn_queue *q)
{
    end(q, false);
}

void rn_queue_abort(struct rn_queue *q)
{
    end(q, true);
}
