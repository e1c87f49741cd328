/* SPDX-License-Identifier: MIT */
#include "filters/core/runner/revision.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filters/base/log.h"

/* ---- placement */

static bool writes(const struct rn_snapshot *s, int p)
{
    return s->on && !s->desc->measuring && (s->traits.planes >> p & 1);
}

/* Whether stage i may write its samples where they are. */
static bool writes_in_place(const struct rn_analysis *a, int i)
{
    const struct rn_snapshot *s = &a->stage[i];
    return s->desc->in_place && !a->delay && !s->region.kind &&
           rn_format_equal(&s->in.fmt, &s->traits.out.fmt);
}

/* Whether stage i, which writes plane p, may do so where the plane is. */
static bool stays(const struct rn_analysis *a, int i, enum rn_place at)
{
    return at != RN_IN && writes_in_place(a, i);
}

/* Index of the stage that writes plane p into the frame's output, where it then stays. -1: none. */
static int last_move(const struct rn_analysis *a, int p)
{
    enum rn_place at = RN_IN;
    int last = -1;
    for (int i = 0; i < a->n; i++) {
        if (!writes(&a->stage[i], p) || stays(a, i, at))
            continue;
        last = i;
        at = RN_OUT;
    }
    return last;
}

void rn_placement_make(struct rn_placement *placement, const struct rn_analysis *a)
{
    enum rn_place at[RN_MAX_PLANES] = {RN_IN, RN_IN, RN_IN, RN_IN};
    memset(placement, 0, sizeof *placement);
    for (int i = 0; i < a->n; i++) {
        const struct rn_snapshot *s = &a->stage[i];
        memcpy(placement->stage[i].src, at, sizeof at);
        for (int p = 0; p < RN_MAX_PLANES && s->on; p++) {
            if (at[p] == RN_IN && (s->traits.reads >> p & 1))
                placement->upload |= 1u << p;
            if (writes(s, p) && !stays(a, i, at[p]))
                at[p] = i == last_move(a, p) ? RN_OUT : at[p] == RN_TMP0 ? RN_TMP1 : RN_TMP0;
        }
        memcpy(placement->stage[i].dst, at, sizeof at);
        placement->active |= s->on;
    }
    memcpy(placement->final, at, sizeof at);
    placement->upload &= rn_geom_all_planes(&a->in);
}

int rn_placement_temporaries(const struct rn_analysis *a)
{
    int moves = 0;
    for (int i = 0; i < a->n; i++) /* in place only behind another: the first that is on moves */
        moves += !a->stage[i].desc->measuring && !(moves && writes_in_place(a, i));
    return moves > 2 ? 2 : moves > 1 ? 1 : 0;
}

void rn_placement_sizes(const struct rn_analysis *a, rn_plane_size_fn *size, const void *context,
                        size_t bytes[RN_MAX_PLANES])
{
    memset(bytes, 0, RN_MAX_PLANES * sizeof bytes[0]);
    for (int i = -1; i < a->n; i++) {
        const struct rn_geom *geom = i < 0 ? &a->in : &a->stage[i].traits.out;
        for (int p = 0; p < rn_format_planes(&geom->fmt); p++) {
            size_t n = size(context, geom, p);
            bytes[p] = n > bytes[p] ? n : bytes[p];
        }
    }
}

size_t rn_plane_host_bytes(const void *context, const struct rn_geom *geom, int p)
{
    int w, h;
    rn_geom_plane_size(geom, p, &w, &h);
    return (size_t)rn_row_stride(w, rn_format_bytes(&geom->fmt)) * (size_t)h;
}

/* ---- revisions */

/* Each struct of values starts at an address suitably aligned for any type. */
static size_t room_of(const struct rn_stage_desc *desc)
{
    size_t unit = _Alignof(max_align_t);
    return (desc->params_size + unit - 1) / unit * unit;
}

static int copy_params(struct rn_revision *v)
{
    size_t size = 1, at = 0;
    for (int i = 0; i < v->analysis.n; i++)
        size += room_of(v->analysis.stage[i].desc);
    if (!(v->params = calloc(1, size)))
        return rn_fail_memory();
    for (int i = 0; i < v->analysis.n; i++) {
        struct rn_snapshot *s = &v->analysis.stage[i];
        s->params = memcpy((char *)v->params + at, s->params, s->desc->params_size);
        at += room_of(s->desc);
    }
    return 0;
}

int rn_revision_make(struct rn_revision **revision, const struct rn_chain *chain,
                     const struct rn_geom *in)
{
    struct rn_revision *v = *revision = calloc(1, sizeof *v);
    if (!v)
        return rn_fail_memory();
    v->users = 1;
    int err = rn_chain_check(chain, in, &v->analysis);
    err = err ? err : copy_params(v);
    if (err)
        rn_revision_use(revision, NULL);
    else
        rn_placement_make(&v->placement, &v->analysis);
    return err;
}

void rn_revision_use(struct rn_revision **user, struct rn_revision *revision)
{
    assert(!*user || (*user)->users > 0);
    struct rn_revision *before = *user;
    if (revision)
        revision->users++;
    *user = revision;
    if (!before || --before->users > 0)
        return;
    free(before->params);
    free(before);
}

/* Whether plane p of geometry b fits where plane p of a does. */
static bool holds_plane(const struct rn_geom *a, const struct rn_geom *b, int p)
{
    int aw, ah, bw, bh;
    rn_geom_plane_size(a, p, &aw, &ah);
    rn_geom_plane_size(b, p, &bw, &bh);
    return p < rn_format_planes(&a->fmt) && aw >= bw && ah >= bh &&
           rn_format_bytes(&a->fmt) >= rn_format_bytes(&b->fmt);
}

/* Whether each of its planes fits where some plane of the chain does. */
static bool holds_geometry(const struct rn_analysis *a, const struct rn_geom *geom)
{
    bool all = true;
    for (int p = 0; p < rn_format_planes(&geom->fmt); p++) {
        bool one = holds_plane(&a->in, geom, p);
        for (int i = 0; i < a->n && !one; i++)
            one = holds_plane(&a->stage[i].traits.out, geom, p);
        all &= one;
    }
    return all;
}

/* What the samples mean may change, not their form. */
static bool same_form(const struct rn_geom *a, const struct rn_geom *b)
{
    struct rn_geom other = *b;
    other.rescale = a->rescale;
    memcpy(other.spacing, a->spacing, sizeof other.spacing);
    other.low = a->low;
    other.high = a->high;
    return rn_geom_equal(a, &other);
}

const char *rn_revision_obstacle(const struct rn_revision *first, const struct rn_revision *next,
                                 char text[128])
{
    const struct rn_analysis *a = &first->analysis, *b = &next->analysis;
    bool same = a->n == b->n;
    for (int i = 0; same && i < a->n; i++)
        same = a->stage[i].desc == b->stage[i].desc;
    if (!same)
        return "the stages of a chain cannot change while running";
    if (a->delay != b->delay)
        return "how far a filter reaches across frames cannot change while running";
    if (!same_form(&a->out, &b->out))
        return "the format of the pictures cannot change while running";
    for (int i = 0; i < a->n; i++) {
        const struct rn_stage_desc *desc = a->stage[i].desc;
        const struct rn_param *row =
            rn_params_fixed_apart(desc->params, a->stage[i].params, b->stage[i].params);
        if (row) {
            snprintf(text, 128, "%s: %s cannot change while running", desc->name, row->name);
            return text;
        }
    }
    /* The size of a block of results depends on the geometry that is measured. */
    for (int i = 0; i < a->n; i++)
        if (a->stage[i].desc->measuring && !same_form(&a->stage[i].in, &b->stage[i].in))
            return "the format of what is measured cannot change while running";
    bool fits =
        b->margin <= a->margin && rn_placement_temporaries(b) <= rn_placement_temporaries(a);
    for (int i = 0; fits && i < b->n; i++)
        fits = holds_geometry(a, &b->stage[i].traits.out);
    return fits ? NULL : "what there is no memory for cannot be switched on while running";
}
