/* A thread that does what takes long, one job after the other, for a player that goes on meanwhile.
 * It lives as long as the player: what a driver keeps for a thread does not come and go with each
 * job. All functions belong to the player's thread. */
#ifndef RN_APP_PLAY_RUNNERS_WORKER_H
#define RN_APP_PLAY_RUNNERS_WORKER_H

#include <stdbool.h>

#define RN_WORKER_WHY 256

struct rn_play_worker;
struct rn_play_job;

/* Returns 0 or RN_EINTERNAL (logged). */
int rn_play_worker_open(struct rn_play_worker **worker);

/* Asks for a job: work(arg) is called in the thread, when those before are done. release(arg): see
 * rn_play_job_leave. what: a few words for people, copied. Returns NULL when out of memory
 * (logged). */
struct rn_play_job *rn_play_worker_ask(struct rn_play_worker *worker, const char *what,
                                       int (*work)(void *arg), void (*release)(void *arg),
                                       void *arg);

bool rn_play_job_is_done(const struct rn_play_job *job);

/* The end of a job that is done: *job is freed, and what it had made in arg is the caller's.
 * Returns what work did; why: what it logged of an error (rn_log_last). */
int rn_play_job_take(struct rn_play_job **job, char why[RN_WORKER_WHY]);

/* Nobody wants the job any more: it is not begun, or, if it runs, release(arg) is called when it
 * ends, in whatever thread; otherwise now. *job becomes NULL, and may be NULL before. */
void rn_play_job_leave(struct rn_play_job **job);

/* Whether a job is under way or waits. NULL is legal. */
bool rn_play_worker_is_busy(struct rn_play_worker *worker);

/* What is done, in words, once it has taken long; NULL: nothing, or not for long. Returns buf. */
const char *rn_play_worker_tell(struct rn_play_worker *worker, char *buf, int size);

/* Waits for what is under way, and ends the thread. NULL is legal. */
void rn_play_worker_close(struct rn_play_worker **worker);

#endif
