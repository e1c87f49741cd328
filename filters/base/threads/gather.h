/* SPDX-License-Identifier: MIT */
/* Wakes threads for a batch of items instead of each: waking a thread costs the processor a switch
 * or two. Where nothing more comes soon, one item is enough.
 *
 * All fields are protected by the lock that the counter belongs to, and its holder makes all calls
 * but init and destroy. */
#pragma once

#include <pthread.h>
#include <stdbool.h>

struct rn_gather {
    pthread_cond_t cond;
    int waiting; /* threads */
    int wanted;  /* items for which one of them is woken */
};

void rn_gather_init(struct rn_gather *g);
void rn_gather_destroy(struct rn_gather *g);

/* Waits for an item, or *over; if there is none yet, for a batch, as long as items keep coming.
 * count: items that are there. */
void rn_gather_wait(struct rn_gather *g, pthread_mutex_t *lock, const int *count, const bool *over,
                    int batch);

/* Waits for any change: one more item, or a call of rn_gather_hurry. */
void rn_gather_more(struct rn_gather *g, pthread_mutex_t *lock);

/* Says that there are `count` items. */
void rn_gather_tell(struct rn_gather *g, int count);

/* Ends the wait for a batch: what is there has to do, or it is over. */
void rn_gather_hurry(struct rn_gather *g);
