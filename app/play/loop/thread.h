/* A thread with a lock and a condition for what it shares with the one that started it. */
#ifndef RN_APP_PLAY_LOOP_THREAD_H
#define RN_APP_PLAY_LOOP_THREAD_H

#include <pthread.h>

struct rn_play_thread {
    pthread_t id;
    pthread_mutex_t lock;
    pthread_cond_t changed; /* its times are those of CLOCK_MONOTONIC */
};

/* Starts work(arg), with the lock and the condition at hand. thread: outlives it. Returns 0 or
 * RN_EINTERNAL (logged), and nothing is left then. */
int rn_play_thread_start(struct rn_play_thread *thread, void *(*work)(void *arg), void *arg);

/* Waits for its end. */
void rn_play_thread_join(struct rn_play_thread *thread);

/* Lock, unlock; tell whoever waits; wait until somebody tells, with the lock held. */
void rn_play_thread_lock(struct rn_play_thread *thread);
void rn_play_thread_unlock(struct rn_play_thread *thread);
void rn_play_thread_tell(struct rn_play_thread *thread);
void rn_play_thread_wait(struct rn_play_thread *thread);

#endif
