/* Inside of the runner: what it shares with its two backends, the C reference path and the device.
 */
#ifndef RN_BACKEND_H
#define RN_BACKEND_H

#include <pthread.h>

#include "filters/core/plan.h"
#include "filters/core/runner.h"

struct rn_slot_priv {
    struct rn_plan plan; /* by which the frame was submitted; the runner's may be newer */
    const void *result[RN_MAX_STAGES]; /* of measuring stages, valid after wait */
    struct rn_times times;             /* of this frame, set by wait */
    void *backend;                     /* the backend's own part */
};

struct rn_backend {
    int (*open)(struct rn_runner *runner); /* memory; the chain is checked */
    int (*prepare)(struct rn_runner *runner, struct rn_stage *stage);
    void (*close)(struct rn_runner *runner); /* legal after a failed open */

    /* One frame comes in, and all stages move on by one frame, each at its own distance behind. */
    int (*begin)(struct rn_runner *runner, struct rn_slot *in);
    /* Stage i takes frame in and gives frame out: the same, unless it is late; either may be NULL.
     * counted: the frame that the work is counted for. */
    int (*stage)(struct rn_runner *runner, int i, struct rn_slot *in, struct rn_slot *out,
                 struct rn_slot *counted, int64_t tick);
    int (*finish)(struct rn_runner *runner, struct rn_slot *out); /* all is computed; may be NULL */

    int (*wait)(struct rn_runner *runner,
                struct rn_slot *slot); /* sets slot->out, results, times */
    int (*recycle)(struct rn_runner *runner, struct rn_slot *slot);
    /* No frame that was submitted will be waited for any more: waits until nothing uses them. */
    int (*abandon)(struct rn_runner *runner);
};

struct rn_runner {
    const struct rn_backend *backend;
    struct rn_device *dev; /* NULL: the C reference path */
    struct rn_chain *chain;
    struct rn_geom in, out; /* the chain's, for any thread: an update writes those of the chain */
    struct rn_plan plan;
    bool keep_input;
    void *prepared[RN_MAX_STAGES]; /* parameters that each stage was last prepared with */
    struct rn_geom prepared_in[RN_MAX_STAGES]; /* and its input */
    int nslots, delay;
    struct rn_slot *slot;
    struct rn_slot_priv *priv;
    struct rn_slot **begun;      /* frame number % (delay + 1) -> its slot */
    int64_t came, tick;          /* frames submitted; calls to each first stage, drains included */
    int64_t taken;               /* frames that rn_runner_ready has given */
    bool started[RN_MAX_STAGES]; /* measuring stages whose start succeeded */
    void *shared;                /* the backend's own part */
    pthread_mutex_t lock;
    /* -- protected by lock: */
    struct rn_times times;
};

extern const struct rn_backend rn_backend_host, rn_backend_device;

#endif
