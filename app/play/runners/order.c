#include "app/play/runners/order.h"

#include "filters/base/err.h"
#include "filters/base/log.h"

#include <stdio.h>
#include <stdlib.h>

struct rn_play_order {
    struct rn_play_job *job;
    struct rn_app_beside beside; /* the job's until it is done */
};

const char *rn_play_order_name(const struct rn_chain *chain, char *buf, size_t size)
{
    size_t used = (size_t)snprintf(buf, size, "building kernels");
    for (int i = 0; i < chain->n && used < size; i++)
        used += (size_t)snprintf(buf + used, size - used, "%s%s", i ? ", " : ": ",
                                 chain->stage[i]->desc->name);
    return buf;
}

static int work(void *arg)
{
    struct rn_play_order *o = arg;
    return rn_app_session_open_beside(&o->beside);
}

static void release(void *arg)
{
    struct rn_play_order *o = arg;
    rn_app_session_drop_beside(&o->beside);
    free(o);
}

int rn_play_order(struct rn_play_order **order, struct rn_play_worker *worker,
                  struct rn_app_beside *prepared)
{
    char what[256];
    struct rn_play_order *o = calloc(1, sizeof *o);
    if (!o) {
        rn_app_session_drop_beside(prepared);
        return rn_fail_memory();
    }
    o->beside = *prepared;
    *prepared = (struct rn_app_beside){.chain = NULL};
    o->job = rn_play_worker_ask(worker, rn_play_order_name(o->beside.chain, what, sizeof what),
                                work, release, o);
    if (!o->job) {
        release(o);
        return RN_EINTERNAL;
    }
    *order = o;
    return 0;
}

bool rn_play_order_is_ready(const struct rn_play_order *order)
{
    return order && rn_play_job_is_done(order->job);
}

int rn_play_order_take(struct rn_play_order **order, struct rn_app_beside *made,
                       char why[RN_WORKER_WHY])
{
    int err = rn_play_job_take(&(*order)->job, why);
    *made = (*order)->beside;
    free(*order);
    *order = NULL;
    return err;
}

void rn_play_order_cancel(struct rn_play_order **order)
{
    struct rn_play_order *o = *order;
    *order = NULL;
    if (o)
        rn_play_job_leave(&(struct rn_play_job *){o->job});
}
