#include "filters/core/runner.h"

#include <stdlib.h>
#include <string.h>

#include "filters/core/backend.h"
#include "filters/core/err.h"
#include "filters/core/log.h"

/* Every kernel once, on black frames, in all slots: what a driver compiles or allocates late, and
 * what it fails at, comes now. */
static int warm_up(struct rn_runner *r)
{
    int err = 0;
    for (int i = 0; i < r->nslots && !err; i++) {
        err = rn_runner_submit(r, &r->slot[i]);
        if (!err)
            err = r->backend->wait(r, &r->slot[i]);
        if (!err)
            err = r->backend->recycle(r, &r->slot[i]);
    }
    for (int i = 0; i < r->chain->n && !err; i++)
        if (r->chain->stage[i]->desc->reset)
            r->chain->stage[i]->desc->reset(r->chain->stage[i]);
    return err;
}

/* Prepares the stages whose parameters or input are not those of the last time; also those that are
 * off, so that switching one on is no work. */
static int prepare(struct rn_runner *r)
{
    for (int s = 0; s < r->chain->n; s++) {
        struct rn_stage *stage = r->chain->stage[s];
        size_t size = stage->params_size;
        if (r->prepared[s] && !memcmp(r->prepared[s], stage->params, size) &&
            rn_geom_equal(&r->prepared_in[s], &stage->in))
            continue;
        int err = r->backend->prepare(r, stage);
        if (err)
            return err;
        if (!r->prepared[s] && !(r->prepared[s] = malloc(size)))
            return rn_fail_memory();
        memcpy(r->prepared[s], stage->params, size);
        r->prepared_in[s] = stage->in;
    }
    return 0;
}

int rn_runner_open(struct rn_runner **runner, struct rn_device *dev, struct rn_chain *chain,
                   const struct rn_geom *geom, int nslots)
{
    *runner = NULL;
    int err = rn_chain_check(chain, geom);
    if (err)
        return err;
    struct rn_runner *r = calloc(1, sizeof *r);
    if (!r)
        return rn_fail_memory();
    r->dev = dev;
    r->backend = dev ? &rn_backend_device : &rn_backend_host;
    r->chain = chain;
    r->nslots = nslots < RN_MAX_SLOTS ? nslots : RN_MAX_SLOTS;
    pthread_mutex_init(&r->lock, NULL);
    rn_plan_make(&r->plan, chain);
    for (int i = 0; i < r->nslots; i++) {
        r->slot[i].in.geom = chain->in;
        r->slot[i].out.geom = chain->out;
        r->slot[i].priv = &r->priv[i];
    }
    err = prepare(r); /* before the slots: it may decide the size of results */
    err = err ? err : r->backend->open(r);
    if (!err && dev) /* the reference path has nothing to warm up, and is slow */
        err = warm_up(r);
    if (err)
        rn_runner_close(&r);
    *runner = r;
    return err;
}

int rn_runner_update(struct rn_runner *r)
{
    struct rn_geom in = r->chain->in, out = r->chain->out;
    int err = rn_chain_check(r->chain, &in);
    if (!err && !rn_geom_equal(&out, &r->chain->out))
        err = rn_fail(RN_EUSAGE, "the format of the pictures cannot change while running");
    if (err) {
        r->chain->out = out;
        return err;
    }
    rn_plan_make(&r->plan, r->chain);
    return prepare(r);
}

int rn_runner_poll(struct rn_runner *r, bool *changed)
{
    *changed = false;
    for (int i = 0; i < r->chain->n; i++) {
        struct rn_stage *stage = r->chain->stage[i];
        bool some = false;
        int err = stage->desc->poll && r->dev ? stage->desc->poll(stage, r->dev, &some) : 0;
        if (err)
            return err;
        *changed |= some;
        if (some) { /* its parameters may be others now */
            free(r->prepared[i]);
            r->prepared[i] = NULL;
        }
    }
    return *changed ? rn_runner_update(r) : 0;
}

void rn_runner_keep_input(struct rn_runner *runner)
{
    runner->keep_input = true;
}

void rn_runner_close(struct rn_runner **runner)
{
    struct rn_runner *r = *runner;
    if (!r)
        return;
    r->backend->close(r);
    for (int i = 0; i < RN_MAX_STAGES; i++)
        free(r->prepared[i]);
    pthread_mutex_destroy(&r->lock);
    free(r);
    *runner = NULL;
}

struct rn_slot *rn_runner_slot(struct rn_runner *runner, int i)
{
    return &runner->slot[i];
}

int rn_runner_start(struct rn_runner *r)
{
    for (int i = 0; i < r->chain->n; i++) {
        struct rn_stage *stage = r->chain->stage[i];
        int err = stage->desc->start ? stage->desc->start(stage) : 0;
        if (err)
            return err;
        r->started[i] = true;
    }
    return 0;
}

int rn_runner_stop(struct rn_runner *r, bool complete)
{
    int err = 0;
    for (int i = 0; i < r->chain->n; i++) {
        struct rn_stage *stage = r->chain->stage[i];
        int e = r->started[i] && stage->desc->stop ? stage->desc->stop(stage, complete) : 0;
        r->started[i] = false;
        err = err ? err : e;
    }
    return err;
}

int rn_runner_submit(struct rn_runner *r, struct rn_slot *slot)
{
    slot->priv->plan = r->plan;
    return r->backend->submit(r, slot);
}

static void add_times(struct rn_runner *r, const struct rn_times *frame)
{
    pthread_mutex_lock(&r->lock);
    r->times.frames++;
    r->times.upload += frame->upload;
    r->times.download += frame->download;
    for (int i = 0; i < r->chain->n; i++)
        r->times.stage[i] += frame->stage[i];
    pthread_mutex_unlock(&r->lock);
}

int rn_runner_wait(struct rn_runner *r, struct rn_slot *slot)
{
    int err = r->backend->wait(r, slot);
    if (err)
        return err;
    add_times(r, &slot->priv->times);
    const struct rn_plan *plan = &slot->priv->plan;
    for (int i = 0; i < plan->n; i++) {
        int s = plan->step[i].stage;
        struct rn_stage *stage = r->chain->stage[s];
        if (!stage->desc->collect)
            continue;
        err = stage->desc->collect(stage, &slot->frame, slot->priv->result[s]);
        if (err)
            return err;
    }
    return 0;
}

int rn_runner_recycle(struct rn_runner *r, struct rn_slot *slot)
{
    return r->backend->recycle(r, slot);
}

void rn_runner_times(struct rn_runner *r, struct rn_times *times)
{
    pthread_mutex_lock(&r->lock);
    *times = r->times;
    pthread_mutex_unlock(&r->lock);
}
