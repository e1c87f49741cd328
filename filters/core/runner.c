#include "filters/core/runner.h"

#include <stdlib.h>
#include <string.h>

#include "filters/core/backend.h"
#include "filters/core/err.h"
#include "filters/core/log.h"

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
        free(r->prepared[s]); /* unknown, if this fails half way */
        r->prepared[s] = NULL;
        int err = r->backend->prepare(r, stage);
        if (err)
            return err;
        if (!(r->prepared[s] = malloc(size)))
            return rn_fail_memory();
        memcpy(r->prepared[s], stage->params, size);
        r->prepared_in[s] = stage->in;
    }
    return 0;
}

static int make_slots(struct rn_runner *r, int nslots)
{
    r->delay = rn_chain_delay(r->chain);
    r->nslots = nslots + r->delay;
    r->slot = calloc((size_t)r->nslots, sizeof *r->slot);
    r->priv = calloc((size_t)r->nslots, sizeof *r->priv);
    r->begun = calloc((size_t)r->delay + 1, sizeof(struct rn_slot *));
    if (!r->slot || !r->priv || !r->begun)
        return rn_fail_memory();
    for (int i = 0; i < r->nslots; i++) {
        r->slot[i].in.geom = r->in;
        r->slot[i].out.geom = r->out;
        r->slot[i].priv = &r->priv[i];
    }
    return 0;
}

/* Every kernel once, on black frames, in all slots: what a driver compiles or allocates late, and
 * what it fails at, comes now. */
static int warm_up(struct rn_runner *r)
{
    int err = 0;
    for (int i = 0; i < r->nslots && !err; i++)
        err = rn_runner_submit(r, &r->slot[i]);
    err = err ? err : rn_runner_drain(r);
    for (int i = 0; i < r->nslots && !err; i++) {
        err = r->backend->wait(r, &r->slot[i]);
        err = err ? err : r->backend->recycle(r, &r->slot[i]);
    }
    return err ? err : rn_runner_reset(r);
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
    r->in = chain->in;
    r->out = chain->out;
    pthread_mutex_init(&r->lock, NULL);
    rn_plan_make(&r->plan, chain);
    err = make_slots(r, nslots);
    err = err ? err : prepare(r); /* before the slots: it may decide the size of results */
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
    int err = rn_chain_check(r->chain, &r->in);
    if (!err && rn_chain_delay(r->chain) != r->delay)
        err = rn_fail(RN_EUSAGE,
                      "how far a filter reaches across frames cannot change while running");
    if (!err && !rn_geom_equal(&r->out, &r->chain->out))
        err = rn_fail(RN_EUSAGE, "the format of the pictures cannot change while running");
    if (err) {
        r->chain->out = r->out;
        return err;
    }
    /* Frames under way are half made with the old values. */
    err = r->delay ? rn_runner_reset(r) : 0;
    if (err)
        return err;
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
    if (r->slot && r->priv && r->begun)
        r->backend->close(r);
    for (int i = 0; i < RN_MAX_STAGES; i++)
        free(r->prepared[i]);
    pthread_mutex_destroy(&r->lock);
    free(r->slot);
    free(r->priv);
    free(r->begun);
    free(r);
    *runner = NULL;
}

int rn_runner_nslots(const struct rn_runner *runner)
{
    return runner->nslots;
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

/* The slot of frame n, NULL if there is no such frame. */
static struct rn_slot *begun(const struct rn_runner *r, int64_t n)
{
    return n >= 0 && n < r->came ? r->begun[n % (r->delay + 1)] : NULL;
}

/* Moves all stages on by one frame. All frames under way have the same plan, unless no stage is
 * late. */
static int advance(struct rn_runner *r)
{
    int64_t at = r->tick++; /* the frame that the stage takes */
    int err = r->backend->begin(r, begun(r, at));
    for (int i = 0; i < r->chain->n && !err; i++) {
        int delay = r->chain->stage[i]->delay;
        struct rn_slot *in = begun(r, at), *out = begun(r, at - delay), *counted = out ? out : in;
        /* At the end of a short input there is neither, but a frame between them. */
        for (int k = 1; k < delay && !counted; k++)
            counted = begun(r, at - k);
        if (counted && counted->priv->plan.step[i].on)
            err = r->backend->stage(r, i, in, out, counted, at);
        at -= delay;
    }
    return err ? err : r->backend->finish(r, begun(r, at));
}

int rn_runner_submit(struct rn_runner *r, struct rn_slot *slot)
{
    int err = r->tick != r->came ? rn_runner_reset(r) : 0; /* it was drained */
    if (err)
        return err;
    slot->priv->plan = r->plan;
    r->begun[r->came++ % (r->delay + 1)] = slot;
    return advance(r);
}

int rn_runner_drain(struct rn_runner *r)
{
    int err = 0;
    while (r->tick < r->came + r->delay && !err)
        err = advance(r);
    return err;
}

struct rn_slot *rn_runner_ready(struct rn_runner *r)
{
    int64_t complete = r->tick - r->delay;
    int64_t oldest = r->came - r->delay - 1; /* nobody asked for those before */
    r->taken = r->taken < oldest ? oldest : r->taken;
    return r->taken < complete ? begun(r, r->taken++) : NULL;
}

int rn_runner_reset(struct rn_runner *r)
{
    int err = r->backend->abandon(r);
    r->came = r->tick = r->taken = 0;
    for (int i = 0; i < r->chain->n; i++)
        if (r->chain->stage[i]->desc->reset)
            r->chain->stage[i]->desc->reset(r->chain->stage[i]);
    return err;
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
    for (int i = 0; i < r->chain->n; i++) {
        struct rn_stage *stage = r->chain->stage[i];
        if (!stage->desc->collect || !slot->priv->plan.step[i].on)
            continue;
        err = stage->desc->collect(stage, &slot->frame, slot->priv->result[i]);
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
