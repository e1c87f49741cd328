/* SPDX-License-Identifier: MIT */
/* The inside of a pool: its lanes (pool_lane.c), how devices are divided into them (lanes.c), and
 * the frames' way through them (pool.c).
 *
 * A lane is a runner with a device, or a part of one, for itself. Frames are dealt to the lanes in
 * runs: some to the first, the next ones to the second and so on, and round again. */
#pragma once

#include "filters/base/threads/thread.h"
#include "filters/core/pool/pool.h"
#include "filters/core/runner/relay.h"

#define RN_MAX_SHARE 16 /* runs of the fastest lane for one of the slowest */

enum rn_job_kind { RN_JOB_SUBMIT, RN_JOB_DRAIN, RN_JOB_RESET };

struct rn_job {
    enum rn_job_kind kind;
    struct rn_slot *slot; /* of RN_JOB_SUBMIT */
};

enum rn_slot_use { RN_SLOT_FREE, RN_SLOT_SUBMITTED, RN_SLOT_READY };

struct rn_lane {
    struct rn_pool *pool;
    struct rn_device *dev; /* a whole device, or the lane's part of it */
    struct rn_runner *runner;
    int device; /* which of the pool's it has */
    int share;  /* runs of each round */
    int batch;  /* the most frames that it submits together */
    int own;    /* slots for frames of its own: the first ones of the runner */
    int nslots; /* with those for neighbours */
    int next;   /* of those for neighbours: which is taken next */
    struct rn_thread thread;
    double submit, idle; /* of the lane's thread; read while it does not work */
    struct rn_gather wake;
    /* -- protected by pool->lock: */
    struct rn_job *job; /* a ring */
    int room, first, count;
    bool busy;
    int64_t given, computed; /* frames handed over, and submitted, since the last reset */
    int64_t complete;        /* of these, with all that they depend on: they may be waited for */
    int err;                 /* the first; nothing is complete after it */
    char why[256];           /* what was logged of it, in the lane's thread */
    int under_way;           /* groups whose last frame was not waited for yet */
    int max_group;           /* frames of the largest group */
    int64_t groups;
    double since; /* when it began to wait, by rn_clock */
    int awaited;  /* somebody waits for what it has not done yet */
    struct rn_lane_slot {
        int64_t number;  /* of its frame among those handed over */
        bool ends_group; /* its frame is the last of a group submitted together */
        /* -- of whoever has the slot, whose frame goes from thread to thread: */
        enum rn_slot_use use;
        /* -- of the thread that submits: */
        bool used; /* a copy was submitted in it */
    } * slot;
};

struct rn_pool {
    int n; /* lanes */
    struct rn_lane lane[RN_MAX_LANES];
    struct rn_device *part[RN_MAX_LANES];
    int nparts;
    /* Runs go to the lanes in rounds of this order, in which a faster one stands more than once. */
    int turn[RN_MAX_LANES * RN_MAX_SHARE], nturns;
    int run_frames;         /* of each run */
    int before, behind;     /* neighbours of a run that its lane computes besides */
    struct rn_relay *relay; /* what lanes hand on to each other instead; NULL: nothing */
    int ndevs;
    bool failed[RN_MAX_DEVICES];       /* of the thread that waits */
    _Atomic(struct rn_slot *) rescued; /* by another device than its own, not recycled yet */
    struct rn_lane *rescuer;           /* of the thread that waits */
    int nslots;
    int enough;             /* frames that a lane waits for, where they keep coming */
    struct rn_slot **order; /* frame number % nslots -> its slot */
    int64_t frames_in;      /* frames of this input that were submitted */
    int64_t frames_out;     /* of these, frames that rn_pool_ready returned */
    int64_t again;          /* neighbours computed in another lane, too */
    bool drained;
    pthread_mutex_t lock;
    pthread_cond_t done; /* a job is */
    /* -- protected by lock: */
    bool closing;
    int opened; /* lanes whose runner is open, or failed to */
    int open_error;
    char open_why[256];
    /* -- while lanes are being opened: */
    const struct rn_chain *chain;
    const struct rn_geom *geom;
    struct rn_pool_opts opts; /* with fewer frames in flight, where memory is short */
};

/* Opens a runner on the lane's device, for what the pool is being opened for. Returns 0 or an error
 * (logged). */
int rn_lane_open_runner(struct rn_lane *lane, int nslots, struct rn_runner **runner);

/* Opens the lane's runner; starts its thread, which opens the runner if that was not done and says
 * so in pool->opened; ends. Return 0 or an error (logged). */
int rn_lane_open(struct rn_lane *lane);
int rn_lane_start(struct rn_lane *lane);
void rn_lane_close(struct rn_lane *lane); /* the thread has ended */

/* Gives the lane's thread something to do. There is room for all slots, a drain and a reset; only
 * of a device that failed it waits until there is. */
void rn_lane_push(struct rn_lane *lane, struct rn_job job);

/* Waits until what the frame in slot `index` needs is submitted. Returns 0 or the lane's error. */
int rn_lane_wait(struct rn_lane *lane, int index);

/* The frame in slot `index` was waited for and is done. */
void rn_lane_done(struct rn_lane *lane, int index);

/* From now on the lane submits what it has at once: nobody waits for its frames any more. */
void rn_lane_hurry(struct rn_lane *lane);

/* Waits until all lanes have done what they were given. */
void rn_lanes_wait(struct rn_pool *pool);

/* Makes the lanes of all devices, unopened, and gives each its part of the work. devs: as for
 * rn_pool_open, but one NULL for the reference path. Returns 0 or an error (logged). */
int rn_pool_make_lanes(struct rn_pool *pool, struct rn_device *const devs[], int ndevs,
                       const struct rn_analysis *analysis);
