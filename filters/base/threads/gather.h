/* Threads that wait until some things have come, not for each: every time that a thread is woken
 * costs the processor a switch or two. Where nothing more comes soon, one is enough.
 *
 * All fields are protected by the lock that the counter belongs to, and its holder makes all calls
 * but init and destroy. */
#ifndef RN_FILTERS_BASE_THREADS_GATHER_H
#define RN_FILTERS_BASE_THREADS_GATHER_H

#include <pthread.h>
#include <stdbool.h>

struct rn_gather {
    pthread_cond_t cond;
    int waiting; /* threads */
    int wanted;  /* things for which one of them is woken */
};

void rn_gather_init(struct rn_gather *g);
void rn_gather_destroy(struct rn_gather *g);

/* Waits for one thing, or *over; if there is none yet, for `some`, as long as they keep coming.
 * count: things that are there. */
void rn_gather_wait(struct rn_gather *g, pthread_mutex_t *lock, const int *count, const bool *over,
                    int some);

/* Waits for any change: one more thing, or a call of rn_gather_hurry. */
void rn_gather_more(struct rn_gather *g, pthread_mutex_t *lock);

/* There are `count` things now. */
void rn_gather_tell(struct rn_gather *g, int count);

/* What is there has to do, as something else waits for it; or it is over. */
void rn_gather_hurry(struct rn_gather *g);

#endif
