/* SPDX-License-Identifier: MIT */
/* The C reference backend: submit computes at once, in plain host memory. */
#include <stdlib.h>
#include <string.h>

#include "filters/core/runner/runner_internal.h"
#include "filters/base/clock.h"
#include "filters/base/log.h"

struct host_shared {
    uint8_t *tmp[2][RN_MAX_PLANES];
};

struct host_slot {
    uint8_t *mem[RN_PLACES][RN_MAX_PLANES]; /* temporary ones only with a delay */
    void *result[RN_MAX_STAGES];
    struct rn_timings timings;
};

/* An image of this geometry, or these lines of it as one of their own, in the memory that place
 * names for each plane. */
static struct rn_image view(struct rn_runner *r, struct host_slot *hs, const struct rn_geom *geom,
                            const enum rn_place place[], enum rn_lines lines)
{
    struct rn_image img = {.geom = *geom};
    const struct host_shared *shared = r->shared;
    for (int p = 0; p < rn_format_planes(&geom->fmt); p++) {
        struct rn_plane *pl = &img.plane[p];
        uint8_t *own = hs->mem[place[p]][p];
        rn_geom_plane_size(geom, p, &pl->w, &pl->h);
        pl->stride = rn_row_stride(pl->w, rn_format_bytes(&geom->fmt));
        pl->data = own ? own : shared->tmp[place[p] - RN_TMP0][p];
        const struct rn_cut cut = rn_lines_cut(lines, pl->h);
        pl->data += cut.first * pl->stride;
        pl->h = cut.count;
        pl->stride *= cut.step;
    }
    return img;
}

static uint8_t *allocate(size_t bytes)
{
    uint8_t *data = bytes ? aligned_alloc(64, (bytes + 63) / 64 * 64) : NULL;
    if (data)
        memset(data, 0, bytes);
    return data;
}

static int open_slot(struct rn_runner *r, struct rn_slot *slot, const size_t bytes[])
{
    static const enum rn_place in[RN_MAX_PLANES] = {RN_IN, RN_IN, RN_IN, RN_IN};
    struct host_slot *hs = calloc(1, sizeof *hs);
    if (!hs)
        return rn_fail_memory();
    slot->priv->backend = hs;
    const struct rn_analysis *a = &r->current->analysis;
    int places = r->delay ? RN_TMP0 + rn_placement_temporaries(a) : RN_TMP0;
    for (int place = RN_IN; place < places; place++)
        for (int p = 0; p < RN_MAX_PLANES; p++)
            if (bytes[p] && !(hs->mem[place][p] = allocate(bytes[p])))
                return rn_fail_memory();
    for (int i = 0; i < r->n; i++) {
        const struct rn_measuring *m = r->bound[i].desc->measuring;
        if (m && !(hs->result[i] = calloc(1, m->bytes(&r->bound[i], &a->stage[i]))))
            return rn_fail_memory();
        slot->priv->result[i] = hs->result[i];
    }
    slot->in = view(r, hs, &a->in, in, RN_LINES_ALL);
    return 0;
}

static int host_open(struct rn_runner *r)
{
    size_t bytes[RN_MAX_PLANES];
    struct host_shared *shared = r->shared = calloc(1, sizeof *shared);
    if (!shared)
        return rn_fail_memory();
    const struct rn_analysis *a = &r->current->analysis;
    rn_placement_sizes(a, rn_plane_host_bytes, NULL, bytes);
    for (int t = 0; t < rn_placement_temporaries(a) && !r->delay; t++)
        for (int p = 0; p < RN_MAX_PLANES; p++)
            if (bytes[p] && !(shared->tmp[t][p] = allocate(bytes[p])))
                return rn_fail_memory();
    int err = 0;
    for (int i = 0; i < r->nslots && !err; i++)
        err = open_slot(r, &r->slot[i], bytes);
    return err;
}

static void host_close(struct rn_runner *r)
{
    struct host_shared *shared = r->shared;
    for (int i = 0; i < r->nslots; i++) {
        struct host_slot *hs = r->priv[i].backend;
        if (!hs)
            continue;
        for (int place = RN_IN; place < RN_PLACES; place++)
            for (int p = 0; p < RN_MAX_PLANES; p++)
                free(hs->mem[place][p]);
        for (int s = 0; s < RN_MAX_STAGES; s++)
            free(hs->result[s]);
        free(hs);
    }
    for (int p = 0; shared && p < RN_MAX_PLANES; p++) {
        free(shared->tmp[0][p]);
        free(shared->tmp[1][p]);
    }
    free(shared);
}

static int host_begin(struct rn_runner *r, struct rn_slot *in, int n)
{
    struct host_slot *hs = in ? in->priv->backend : NULL;
    if (hs)
        hs->timings = (struct rn_timings){0};
    return 0;
}

static int compute(struct rn_runner *r, const struct rn_turn *t, const struct rn_call *call, int p)
{
    const struct rn_snapshot *all = rn_submitted(t->counted, t->i);
    const struct rn_snapshot s = rn_lines_snapshot(all, t->lines, p);
    struct rn_image src, dst;
    if (t->in)
        src = view(r, t->in->priv->backend, &all->in,
                   t->in->priv->revision->placement.stage[t->i].src, t->lines);
    if (t->out)
        dst = view(r, t->out->priv->backend, &all->traits.out,
                   t->out->priv->revision->placement.stage[t->i].dst, t->lines);
    src.geom = s.in;
    dst.geom = s.traits.out;
    return s.desc->ref(t->bound, &s, call, t->in ? &src : NULL, t->out ? &dst : NULL, p);
}

static int host_stage(struct rn_runner *r, const struct rn_turn *t)
{
    const struct rn_snapshot *s = rn_submitted(t->counted, t->i);
    struct host_slot *hs = t->counted->priv->backend;
    struct rn_call call = {
        .frame = t->counted->frame.index, .tick = t->tick, .result = hs->result[t->i]};
    if (call.result)
        memset(call.result, 0, s->desc->measuring->bytes(t->bound, s));
    double from = rn_clock();
    int err = 0;
    for (int p = 0; p < RN_MAX_PLANES && !err; p++)
        if (rn_lines_exist(t->lines, s, p))
            err = compute(r, t, &call, p);
    hs->timings.stage[t->i] += rn_clock() - from;
    return err;
}

static int host_blend(struct rn_runner *r, const struct rn_turn *t)
{
    const struct rn_snapshot *s = rn_submitted(t->out, t->i);
    const struct rn_placement *places = &t->out->priv->revision->placement;
    struct host_slot *hs = t->out->priv->backend;
    struct rn_image src = view(r, hs, &s->in, places->stage[t->i].src, RN_LINES_ALL);
    struct rn_image dst = view(r, hs, &s->in, places->stage[t->i].dst, RN_LINES_ALL);
    double from = rn_clock();
    for (int p = 0; p < RN_MAX_PLANES; p++)
        if (s->traits.planes >> p & 1)
            rn_blend_plane(&r->blend[t->i], &s->in, p, &src.plane[p], &dst.plane[p]);
    hs->timings.stage[t->i] += rn_clock() - from;
    return 0;
}

static int host_wait(struct rn_runner *r, struct rn_slot *slot)
{
    struct host_slot *hs = slot->priv->backend;
    slot->out =
        view(r, hs, rn_runner_output(r), slot->priv->revision->placement.final, RN_LINES_ALL);
    slot->priv->timings = hs->timings;
    slot->priv->timings.timed = 1;
    return 0;
}

static int host_recycle(struct rn_runner *r, struct rn_slot *slot)
{
    return 0;
}

const struct rn_backend rn_backend_host = {
    .open = host_open,
    .close = host_close,
    .begin = host_begin,
    .stage = host_stage,
    .blend = host_blend,
    .wait = host_wait,
    .recycle = host_recycle,
};
