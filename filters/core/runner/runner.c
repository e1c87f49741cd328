/* SPDX-License-Identifier: MIT */
#include "filters/core/runner/runner.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "filters/base/arguments.h"
#include "filters/core/chain/region_weights.h"
#include "filters/core/device/program.h"
#include "filters/core/runner/relay.h"
#include "filters/core/runner/runner_internal.h"

/* ---- settings */

static bool prepared_alike(const struct rn_snapshot *a, const struct rn_snapshot *b)
{
    return rn_geom_equal(&a->in, &b->in) && !memcmp(a->params, b->params, a->desc->params_size);
}

int rn_bound_open(struct rn_bound *bound, const struct rn_stage_desc *desc, struct rn_device *dev)
{
    *bound = (struct rn_bound){.desc = desc, .dev = dev, .batch = 1, .measurer = bound};
    bound->priv = calloc(1, desc->priv_size ? desc->priv_size : 1);
    return bound->priv ? 0 : rn_fail_memory();
}

struct rn_scratch *rn_held(struct rn_bound *bound, struct rn_scratch *scratch)
{
    if (!scratch->held) {
        scratch->held = true;
        scratch->next = bound->memory;
        bound->memory = scratch;
    }
    return scratch;
}

void rn_bound_close(struct rn_bound *bound)
{
    if (bound->priv && bound->desc->release)
        bound->desc->release(bound);
    for (struct rn_scratch *s = bound->memory; s; s = s->next)
        rn_scratch_release(bound->dev, s);
    free(bound->alert);
    free(bound->priv);
}

int rn_bound_prepare(struct rn_bound *bound, const struct rn_snapshot *s)
{
    if (!bound->dev && !s->desc->ref)
        return rn_fail(RN_EDEVICE, "%s needs an OpenCL device; -d none has none", s->desc->name);
    int err = 0;
    unsigned needs = bound->dev && s->desc->needs ? s->desc->needs(bound, s) : ~0U;
    for (int k = 0; bound->dev && k < RN_STAGE_KERNELS && s->desc->kernels[k] && !err; k++)
        if (needs >> k & 1)
            err = rn_kernel_get(bound->dev, s->desc->source, s->desc->kernels[k],
                                rn_format_sample(&s->in.fmt), &bound->kernel[k]);
    return err || !s->desc->prepare ? err : s->desc->prepare(bound, s);
}

/* What a stage is prepared for that may be given a batch: planes that hold all of it. */
static struct rn_snapshot with_room(const struct rn_runner *r, const struct rn_snapshot *s)
{
    struct rn_snapshot room = *s;
    if (r->batch == 1 || !s->traits.shift_invariant || s->traits.delay)
        return room;
    /* Chroma has fewer lines, rounded up, but steps as far beyond them. */
    int sub = s->in.fmt.sub_y, h = s->in.h + (1 << sub) - 1;
    int more = (r->batch - 1) * rn_batch_step(h, r->first->analysis.margin << sub);
    room.in.h += more;
    room.traits.out.h += more;
    return room;
}

/* Prepares the stages whose parameters or input changed since the last time, including those that
 * are off, so that switching one on costs nothing. */
static int prepare(struct rn_runner *r, struct rn_revision *revision)
{
    for (int i = 0; i < r->n; i++) {
        const struct rn_snapshot *s = &revision->analysis.stage[i];
        int err = rn_blend_prepare(r, i, s);
        if (err)
            return err;
        if (r->prepared[i] && prepared_alike(&r->prepared[i]->analysis.stage[i], s))
            continue;
        rn_revision_use(&r->prepared[i], NULL); /* unknown if this fails */
        const struct rn_snapshot room = with_room(r, s);
        err = rn_bound_prepare(&r->bound[i], &room);
        err = err ? err : rn_fields_prepare(r, i, s);
        if (err)
            return err;
        rn_revision_use(&r->prepared[i], revision);
    }
    return 0;
}

/* next: the caller releases it, also after an error. */
static int make_next(const struct rn_runner *r, const struct rn_chain *chain,
                     struct rn_revision **next)
{
    char text[128];
    int err = rn_revision_make(next, chain, &r->first->analysis.in);
    const char *why = err ? NULL : rn_revision_obstacle(r->first, *next, text);
    return why ? rn_fail(RN_EUSAGE, "%s", why) : err;
}

int rn_runner_fits(const struct rn_runner *r, const struct rn_chain *chain)
{
    RN_NEED(RN_EUSAGE, "runner chain", r, chain);
    struct rn_revision *next;
    int err = make_next(r, chain, &next);
    rn_revision_use(&next, NULL);
    return err;
}

/* Prepares all stages for next or, if that fails, for the previous settings again. */
static int take_over(struct rn_runner *r, struct rn_revision *next)
{
    const struct rn_analysis *a = &r->current->analysis, *b = &next->analysis;
    bool same = a->n == b->n;
    int err = 0;
    for (int i = 0; i < a->n && same; i++)
        same = a->stage[i].desc == b->stage[i].desc && a->stage[i].on == b->stage[i].on &&
               prepared_alike(&a->stage[i], &b->stage[i]) &&
               rn_region_equal(&a->stage[i].region, &b->stage[i].region);
    if (same)
        return 0;
    /* Frames under way are half made with the old values. */
    if (r->delay && !r->keep)
        err = rn_runner_reset(r);
    if (err)
        return err;
    err = prepare(r, next);
    rn_programs_compile(true); /* the previous settings must come back, whatever it takes */
    r->broken = err ? prepare(r, r->current) : 0;
    if (!err)
        rn_revision_use(&r->current, next);
    r->stale = r->keep && r->delay; /* preparing forgets frames, also if it fails */
    return err;
}

int rn_runner_update(struct rn_runner *r, const struct rn_chain *chain)
{
    RN_NEED(RN_EUSAGE, "runner chain", r, chain);
    struct rn_revision *next;
    int err = make_next(r, chain, &next);
    err = err ? err : take_over(r, next);
    rn_revision_use(&next, NULL);
    return err;
}

int rn_runner_try(struct rn_runner *r, const struct rn_chain *chain, bool builds, bool *taken)
{
    RN_NEED(RN_EUSAGE, "runner chain taken", r, chain, taken);
    struct rn_revision *next;
    char text[128];
    int err = rn_revision_make(&next, chain, &r->first->analysis.in);
    *taken = !err && !rn_revision_obstacle(r->first, next, text);
    rn_programs_compile(builds);
    err = *taken ? take_over(r, next) : err;
    rn_programs_compile(true);
    if (err == RN_UNBUILT) {
        *taken = false;
        err = r->broken;
    }
    rn_revision_use(&next, NULL);
    return err;
}

/* ---- opening and closing */

static int make_slots(struct rn_runner *r, int nslots)
{
    r->nslots = (nslots + r->delay + r->batch - 1) / r->batch * r->batch;
    r->slot = calloc((size_t)r->nslots, sizeof *r->slot);
    r->priv = calloc((size_t)r->nslots, sizeof *r->priv);
    r->kept = calloc((size_t)r->nslots, sizeof *r->kept);
    r->idle = calloc((size_t)r->nslots, sizeof(struct rn_slot *));
    r->begun = calloc((size_t)(r->delay + r->batch), sizeof(struct rn_slot *));
    if (!r->slot || !r->priv || !r->kept || !r->idle || !r->begun)
        return rn_fail_memory();
    for (int i = 0; i < r->nslots; i++) {
        r->slot[i].in.geom = r->current->analysis.in;
        r->slot[i].out.geom = r->current->analysis.out;
        r->slot[i].priv = &r->priv[i];
    }
    return 0;
}

/* Runs every kernel, on black frames, in that many slots, so that what a driver compiles or
 * allocates late, or fails at, happens now. */
static int warm_up(struct rn_runner *r, int nslots, bool by_field)
{
    int err = 0;
    for (int i = 0; i < nslots; i++)
        r->slot[i].frame.by_field = by_field;
    for (int i = 0; i < nslots && !err; i += r->batch)
        err =
            rn_runner_submit_several(r, &r->slot[i], nslots - i < r->batch ? nslots - i : r->batch);
    err = err ? err : rn_runner_drain(r);
    for (int i = 0; i < nslots && !err; i++) {
        err = r->backend->wait(r, &r->slot[i]);
        err = err ? err : r->backend->recycle(r, &r->slot[i]);
        r->slot[i].frame.by_field = false;
    }
    return err ? err : rn_runner_reset(r);
}

int rn_runner_open(struct rn_runner **runner, struct rn_device *dev, const struct rn_chain *chain,
                   const struct rn_geom *geom, int nslots)
{
    return rn_runner_open_batches(runner, dev, chain, geom, nslots, 1);
}

int rn_runner_open_batches(struct rn_runner **runner, struct rn_device *dev,
                           const struct rn_chain *chain, const struct rn_geom *geom, int nslots,
                           int batch)
{
    RN_NEED(RN_EUSAGE, "runner", runner);
    *runner = NULL;
    RN_NEED(RN_EUSAGE, "chain geom", chain, geom);
    int err = rn_argument_within("rn_runner_open", "nslots", nslots, 1, RN_MAX_SLOTS);
    err = err ? err : rn_argument_within("rn_runner_open", "batch", batch, 1, RN_MOST_BATCH);
    err = err ? err : rn_argument_geom("rn_runner_open", geom);
    if (err)
        return err;
    struct rn_runner *r = calloc(1, sizeof *r);
    if (!r)
        return rn_fail_memory();
    r->dev = dev;
    r->shown = -1;
    r->measurer = r;
    r->backend = dev ? &rn_backend_device : &rn_backend_host;
    enum rn_stall outer = rn_stall_enter(dev ? RN_STALL_BUILD : RN_STALL_PAUSED);
    pthread_mutex_init(&r->lock, NULL);
    r->batch = dev ? batch : 1;
    err = rn_revision_make(&r->current, chain, geom);
    if (!err) {
        rn_revision_use(&r->first, r->current);
        r->n = r->current->analysis.n;
        r->delay = r->current->analysis.delay;
    }
    for (int i = 0; i < r->n && !err; i++) {
        err = rn_bound_open(&r->bound[i], rn_current(r, i)->desc, dev);
        r->bound[i].batch = r->batch;
        r->bound[i].margin = r->current->analysis.margin;
    }
    err = err ? err : make_slots(r, nslots);
    err = err ? err : prepare(r, r->current); /* before the slots: it may set the size of results */
    err = err ? err : r->backend->open(r);
    /* The reference has nothing to warm up. Where the host's memory is the device's, only kernels
     * come late, and a frame may take seconds. */
    int least = r->delay + r->batch;
    if (!err && dev)
        err = warm_up(r, dev->info.shared_memory && least < nslots ? least : nslots, false);
    rn_stall_leave(outer);
    if (err)
        rn_runner_close(&r);
    *runner = r;
    return err;
}

int rn_runner_expect_fields(struct rn_runner *r, bool mixed)
{
    RN_NEED(RN_EUSAGE, "runner", r);
    r->mixed = mixed;
    if (!r->dev)
        return 0;
    enum rn_stall outer = rn_stall_enter(RN_STALL_BUILD);
    int err = warm_up(r, 1, true);
    rn_stall_leave(outer);
    return err;
}

void rn_runner_close(struct rn_runner **runner)
{
    RN_NEED(, "runner", runner);
    struct rn_runner *r = *runner;
    if (!r)
        return;
    bool has_slots = r->slot && r->priv && r->begun && r->kept && r->idle;
    rn_runner_stop(r, false);
    if (has_slots)
        r->backend->close(r);
    for (int i = 0; i < r->nslots && has_slots; i++)
        rn_revision_use(&r->priv[i].revision, NULL);
    for (int i = 0; i < r->n; i++) {
        rn_bound_close(&r->bound[i]);
        rn_fields_close(r, i);
        rn_blend_close(r, i);
        rn_revision_use(&r->prepared[i], NULL);
    }
    rn_revision_use(&r->current, NULL);
    rn_revision_use(&r->first, NULL);
    pthread_mutex_destroy(&r->lock);
    free(r->slot);
    free(r->priv);
    free(r->kept);
    free(r->idle);
    free(r->begun);
    free(r);
    *runner = NULL;
}

int rn_runner_nslots(const struct rn_runner *runner)
{
    RN_NEED(0, "runner", runner);
    return runner->nslots;
}

struct rn_slot *rn_runner_slot(struct rn_runner *runner, int i)
{
    RN_NEED(NULL, "runner", runner);
    return i >= 0 && i < runner->nslots ? &runner->slot[i] : NULL;
}

const struct rn_geom *rn_runner_output(const struct rn_runner *runner)
{
    RN_NEED(NULL, "runner", runner);
    return &runner->first->analysis.out;
}

int rn_runner_batch(const struct rn_runner *runner)
{
    RN_NEED(0, "runner", runner);
    return runner->batch;
}

int rn_runner_delay(const struct rn_runner *runner)
{
    RN_NEED(0, "runner", runner);
    return runner->delay;
}

int rn_runner_listen(struct rn_runner *runner, int i, rn_measure_fn *fn, void *arg)
{
    RN_NEED(RN_EUSAGE, "runner", runner);
    int err = rn_argument_within(__func__, "i", i, 0, runner->n - 1);
    if (err)
        return err;
    struct rn_bound *bound = &runner->bound[i];
    if (!bound->desc->measuring || !bound->desc->measuring->listen)
        return rn_fail(RN_EUSAGE, "%s: stage %d, %s, does not measure", __func__, i,
                       bound->desc->name);
    bound->desc->measuring->listen(bound, fn, arg);
    return 0;
}

/* ---- measuring */

static int start_stage(struct rn_runner *r, int i, const struct rn_snapshot *s)
{
    int err = r->started[i] ? 0 : s->desc->measuring->start(&r->bound[i], s);
    r->started[i] = !err;
    return err;
}

/* A stage that is off leaves no table, unless it is switched on. */
int rn_runner_start(struct rn_runner *r)
{
    RN_NEED(RN_EUSAGE, "runner", r);
    int err = 0;
    for (int i = 0; i < r->n && !err; i++)
        if (rn_current(r, i)->desc->measuring && rn_current(r, i)->on)
            err = start_stage(r, i, rn_current(r, i));
    r->measures = !err;
    return err;
}

int rn_runner_stop(struct rn_runner *r, bool complete)
{
    RN_NEED(RN_EUSAGE, "runner", r);
    int err = 0;
    for (int i = 0; i < r->n; i++) {
        int e = r->started[i] ? r->bound[i].desc->measuring->stop(&r->bound[i], complete) : 0;
        r->started[i] = false;
        err = err ? err : e;
    }
    r->measures = false;
    return err;
}

int rn_runner_collect(struct rn_runner *r, struct rn_slot *slot)
{
    struct rn_runner *m = r->measurer;
    int err = 0;
    assert(m->n == r->n && slot->priv->revision);
    m->shown = -1;
    for (int i = 0; i < r->n && !err; i++) {
        const struct rn_snapshot *s = rn_submitted(slot, i);
        if (!s->desc->measuring || !s->on)
            continue;
        m->shown = m->shown < 0 ? i : m->shown;
        err = m->measures ? start_stage(m, i, s) : 0;
        if (!err)
            err = s->desc->measuring->collect(&r->bound[i], s, &slot->frame, slot->priv->result[i]);
    }
    return err;
}

bool rn_runner_measures(const struct rn_runner *r)
{
    bool any = false;
    for (int i = 0; i < r->n; i++)
        any |= r->bound[i].desc->measuring != NULL;
    return any;
}

void rn_runner_show(struct rn_runner *r, char *text, size_t size, const uint64_t **histogram,
                    int *nbins)
{
    RN_NEED(, "runner text histogram nbins", r, text, histogram, nbins);
    int i = r->shown;
    assert(i < r->n);
    if (i >= 0)
        r->bound[i].desc->measuring->show(&r->bound[i], text, size, histogram, nbins);
}

/* ---- frames */

/* A slot that a caller names is one of this runner's. Returns 0 or RN_EUSAGE (logged). */
static int check_slot(const char *function, const struct rn_runner *r, const struct rn_slot *slot)
{
    if (rn_argument_missing(function, "runner slot", (const void *[]){r, slot}, 2))
        return RN_EUSAGE;
    uintptr_t from = (uintptr_t)slot - (uintptr_t)r->slot; /* of any memory: it wraps around */
    if (from % sizeof *slot || from / sizeof *slot >= (size_t)r->nslots)
        return rn_fail(RN_EUSAGE, "%s: slot is none of the runner's %d", function, r->nslots);
    return 0;
}

/* Its frame can be waited for. */
static int check_complete(const char *function, const struct rn_runner *r,
                          const struct rn_slot *slot)
{
    int err = check_slot(function, r, slot);
    if (!err && !slot->priv->complete)
        err = rn_fail(RN_EUSAGE,
                      "%s: slot %d has no frame to wait for: submit it, and %d more or a drain",
                      function, (int)(slot - r->slot), r->delay);
    return err;
}

int rn_runner_submit(struct rn_runner *r, struct rn_slot *slot)
{
    return rn_runner_submit_several(r, slot, 1);
}

int rn_runner_submit_several(struct rn_runner *r, struct rn_slot *slot, int n)
{
    int err = check_slot(__func__, r, slot);
    if (err)
        return err;
    int at = (int)(slot - r->slot);
    err = rn_argument_within(__func__, "n", n, 1, r->batch - at % r->batch);
    for (int k = 0; k < n && !err; k++) {
        err = rn_argument_image(__func__, "slot->in", &slot[k].in, &r->first->analysis.in);
        if (!err && slot[k].priv->pending)
            err = rn_fail(RN_EUSAGE, "%s: slot %d was submitted and not waited for yet", __func__,
                          at + k);
        if (!err && r->keep && rn_runner_holds(r, &slot[k]))
            err =
                rn_fail(RN_EUSAGE, "%s: slot %d was submitted and is still kept", __func__, at + k);
    }
    if (err)
        return err;
    if (r->broken && (r->broken = prepare(r, r->current)) != 0)
        return r->broken;
    err = r->tick != r->frames_in ? rn_runner_reset(r) : 0; /* it was drained */
    return err ? err : r->keep ? rn_kept_submit(r, slot) : rn_frames_submit(r, slot, n);
}

int rn_runner_drain(struct rn_runner *r)
{
    RN_NEED(RN_EUSAGE, "runner", r);
    int err = r->stale ? rn_runner_again(r) : 0;
    return err ? err : rn_frames_drain(r);
}

struct rn_slot *rn_runner_ready(struct rn_runner *r)
{
    RN_NEED(NULL, "runner", r);
    return r->keep ? rn_kept_ready(r) : rn_frames_ready(r);
}

int rn_runner_reset(struct rn_runner *r)
{
    RN_NEED(RN_EUSAGE, "runner", r);
    int err = rn_frames_rewind(r);
    return err || !r->keep ? err : rn_kept_reset(r);
}

bool rn_runner_by_field(const struct rn_runner *r, const struct rn_slot *slot)
{
    bool mixes = false;
    if (check_slot(__func__, r, slot))
        return false;
    for (int i = 0; i < r->n && slot->frame.by_field && slot->priv->revision && !mixes; i++)
        mixes = rn_submitted(slot, i)->on && rn_submitted(slot, i)->traits.planes &&
                rn_mixes_lines(rn_submitted(slot, i));
    return mixes;
}

void rn_timings_add(struct rn_timings *sum, const struct rn_timings *t)
{
    RN_NEED(, "sum t", sum, t);
    sum->frames += t->frames;
    sum->timed += t->timed;
    sum->by_field += t->by_field;
    sum->upload += t->upload;
    sum->download += t->download;
    sum->uploaded += t->uploaded;
    sum->downloaded += t->downloaded;
    for (int i = 0; i < RN_MAX_STAGES; i++)
        sum->stage[i] += t->stage[i];
}

int rn_runner_finish(struct rn_runner *r, struct rn_slot *slot)
{
    slot->priv->pending = false;
    int err = r->backend->wait(r, slot);
    if (err)
        return err;
    struct rn_timings times = slot->priv->timings;
    times.frames = 1;
    times.by_field = rn_runner_by_field(r, slot);
    pthread_mutex_lock(&r->lock);
    rn_timings_add(&r->timings, &times);
    pthread_mutex_unlock(&r->lock);
    return 0;
}

int rn_runner_wait(struct rn_runner *r, struct rn_slot *slot)
{
    int err = check_complete(__func__, r, slot);
    err = err ? err : rn_runner_finish(r, slot);
    return err ? err : rn_runner_collect(r, slot);
}

bool rn_runner_done(const struct rn_runner *r, const struct rn_slot *slot)
{
    return check_slot(__func__, r, slot) || !slot->priv->pending || !r->backend->done ||
           r->backend->done(slot);
}

void rn_runner_measure_into(struct rn_runner *runner, struct rn_runner *first)
{
    RN_NEED(, "runner first", runner, first);
    bool alike = first->n == runner->n;
    for (int i = 0; i < runner->n && alike; i++) {
        const struct rn_snapshot *s = rn_current(runner, i), *t = rn_current(first, i);
        alike = s->desc == t->desc && (!s->desc->measuring || prepared_alike(s, t));
    }
    if (!alike) {
        rn_fail(RN_EUSAGE, "%s: first has another chain or input", __func__);
        return;
    }
    runner->measurer = first;
    for (int i = 0; i < runner->n; i++)
        runner->bound[i].measurer = &first->bound[i];
}

void rn_runner_relay(struct rn_runner *runner, struct rn_relay *relay, int lane, int lanes)
{
    runner->relay = relay;
    runner->lane = lane;
    runner->lanes = lanes;
}

int rn_runner_discard(struct rn_runner *r, struct rn_slot *slot)
{
    int err = check_complete(__func__, r, slot);
    if (err)
        return err;
    err = r->backend->wait(r, slot);
    slot->priv->pending = slot->priv->complete = false;
    return err ? err : r->backend->recycle(r, slot);
}

int rn_runner_recycle(struct rn_runner *r, struct rn_slot *slot)
{
    int err = check_slot(__func__, r, slot);
    if (err || !slot->priv->revision) /* it was never submitted */
        return err;
    if (!r->keep && slot->priv->pending)
        return rn_fail(RN_EUSAGE, "%s: slot %d was submitted and not waited for yet", __func__,
                       (int)(slot - r->slot));
    slot->priv->complete = r->keep && slot->priv->complete; /* it may be a neighbour's neighbour */
    return r->keep ? rn_kept_recycle(r, slot) : r->backend->recycle(r, slot);
}

void rn_runner_time_each(struct rn_runner *r)
{
    RN_NEED(, "runner", r);
    r->time_each = true;
}

void rn_runner_timings(struct rn_runner *r, struct rn_timings *timings)
{
    RN_NEED(, "runner timings", r, timings);
    pthread_mutex_lock(&r->lock);
    *timings = r->timings;
    pthread_mutex_unlock(&r->lock);
    for (int i = 0; i < r->n && timings->timed; i++)
        timings->stage[i] *= (double)timings->frames / (double)timings->timed;
}
