/* SPDX-License-Identifier: MIT */
/* The one way to start a thread, and the lock and condition that it shares with the others. */
#pragma once

#include <pthread.h>
#include <stdbool.h>

#define RN_CORES_MOST 1024

/* How many cores this process may use: what a batch system gave it (SLURM_CPUS_PER_TASK, if that is
 * a number from 1 to RN_CORES_MOST), else those of its affinity mask. >= 1. Any thread, while none
 * changes the environment. */
int rn_cores(void);

struct rn_thread {
    pthread_t id;
    bool runs; /* it was started, and not joined */
};

/* Starts body(arg). name: at most 15 bytes, for debuggers and `top -H`. Returns 0 or RN_EINTERNAL
 * (logged). */
int rn_thread_start(struct rn_thread *thread, const char *name, void *(*body)(void *), void *arg);

/* The same for callers that do the work themselves where the system gives no thread: nothing is
 * logged. Returns whether it runs. */
bool rn_thread_try(struct rn_thread *thread, const char *name, void *(*body)(void *), void *arg);

/* Waits for its end. One that does not run is legal. */
void rn_thread_join(struct rn_thread *thread);

/* A condition whose timed waits take times of rn_clock(). */
void rn_condition_init(pthread_cond_t *condition);

/* What threads share is protected by lock; who changes something of it tells the others. */
struct rn_monitor {
    pthread_mutex_t lock;
    pthread_cond_t changed;
};

void rn_monitor_init(struct rn_monitor *monitor);
void rn_monitor_destroy(struct rn_monitor *monitor);
void rn_monitor_lock(struct rn_monitor *monitor);
void rn_monitor_unlock(struct rn_monitor *monitor);

/* The lock is held. Wakes all that wait. */
void rn_monitor_tell(struct rn_monitor *monitor);

/* The lock is held, and let go while it waits for rn_monitor_tell; spurious wake-ups occur. */
void rn_monitor_wait(struct rn_monitor *monitor);

/* The same, until a time of rn_clock() at most. Returns false if that has come. */
bool rn_monitor_wait_until(struct rn_monitor *monitor, double time);
