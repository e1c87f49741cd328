/* A thread that does one thing at a time, which takes long, for a player that goes on meanwhile. It
 * lives as long as the player: what a driver keeps for a thread does not come and go with each
 * job. All functions belong to the player's thread. */
#ifndef RN_WORKER_H
#define RN_WORKER_H

#include <stdbool.h>

#define RN_WORKER_WHY 256

struct rn_worker;

/* Returns 0 or RN_EINTERNAL (logged). */
int rn_worker_open(struct rn_worker **worker);

/* Calls job(arg) in the thread. It has nothing else to do. */
void rn_worker_start(struct rn_worker *worker, int (*job)(void *arg), void *arg);

/* Whether the job goes on; NULL: no. */
bool rn_worker_is_busy(struct rn_worker *worker);

/* Waits until it is not busy. NULL is legal. */
void rn_worker_wait(struct rn_worker *worker);

/* What the job that was started last returned, once it is not busy; why: what it logged of an error
 * (rn_log_last). */
int rn_worker_result(struct rn_worker *worker, char why[RN_WORKER_WHY]);

/* Waits for the job, if there is one, and ends the thread. NULL is legal. */
void rn_worker_close(struct rn_worker **worker);

#endif
