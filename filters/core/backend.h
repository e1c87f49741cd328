/* Inside of the runner: what it shares with its two backends, the C reference path and the device.
 */
#ifndef RN_BACKEND_H
#define RN_BACKEND_H

#include <pthread.h>

#include "filters/core/plan.h"
#include "filters/core/runner.h"

#define RN_MAX_SLOTS 64

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
    int (*submit)(struct rn_runner *runner, struct rn_slot *slot);
    int (*wait)(struct rn_runner *runner,
                struct rn_slot *slot); /* sets slot->out, results, times */
    int (*recycle)(struct rn_runner *runner, struct rn_slot *slot);
};

struct rn_runner {
    const struct rn_backend *backend;
    struct rn_device *dev; /* NULL: the C reference path */
    struct rn_chain *chain;
    struct rn_plan plan;
    bool keep_input;
    void *prepared[RN_MAX_STAGES]; /* parameters that each stage was last prepared with */
    struct rn_geom prepared_in[RN_MAX_STAGES]; /* and its input */
    int nslots;
    struct rn_slot slot[RN_MAX_SLOTS];
    struct rn_slot_priv priv[RN_MAX_SLOTS];
    bool started[RN_MAX_STAGES]; /* measuring stages whose start succeeded */
    void *shared;                /* the backend's own part */
    pthread_mutex_t lock;
    /* -- protected by lock: */
    struct rn_times times;
};

extern const struct rn_backend rn_backend_host, rn_backend_device;

#endif
