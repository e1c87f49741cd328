/* SPDX-License-Identifier: MIT */
/* Runs long jobs (a compiler, opening an input) one after another in a thread, while the player
 * goes on. The thread lives as long as the player, as drivers keep state per thread. All functions
 * belong to the player's thread. */
#pragma once

#include <stdbool.h>

struct rn_play_jobs;

/* The first member of what is worked on, its payload. The caller fills what, work and release, and
 * leaves the payload alone until the job is done. */
struct rn_play_job {
    char what[256];                           /* a few words for people */
    int (*work)(struct rn_play_job *job);     /* in the thread; returns 0 or an error (logged) */
    void (*release)(struct rn_play_job *job); /* frees the payload, and so the job; any thread */
    /* Of the queue: */
    struct rn_play_jobs *jobs;
    struct rn_play_job *next;
    double since; /* when it was requested */
    /* -- protected by the lock of the queue: */
    enum { RN_JOB_WAITS, RN_JOB_RUNS, RN_JOB_DONE } state;
    bool cancelled;
    int err;
    char why[256]; /* the error that it logged */
};

/* Returns 0 or RN_EINTERNAL (logged). */
int rn_play_jobs_open(struct rn_play_jobs **jobs);

/* Queues a job. */
void rn_play_jobs_add(struct rn_play_jobs *jobs, struct rn_play_job *job);

/* Whether it is done; NULL: there is no job. */
bool rn_play_job_is_ready(const struct rn_play_job *job);

/* The result of a finished job, whose error becomes the last one of this thread (rn_log_last). */
int rn_play_job_result(const struct rn_play_job *job);

/* Releases the payload: now, or when the running job ends. A job that has not started never runs.
 * NULL is legal. */
void rn_play_job_cancel(struct rn_play_job *job);

/* Whether a job runs, waits or is being released. NULL is legal. */
bool rn_play_jobs_is_busy(struct rn_play_jobs *jobs);

/* A description of the running job, once it takes long; NULL: none. Returns buf. */
const char *rn_play_jobs_describe(struct rn_play_jobs *jobs, char *buf, int size);

/* Waits for what is under way, and ends the thread. NULL is legal. */
void rn_play_jobs_close(struct rn_play_jobs **jobs);
