/* SPDX-License-Identifier: MIT */
/* Interlaced frames: stages that mix lines take the even and the odd lines one by one. A field is a
 * view of every second row, so a stage without a delay needs nothing more than a call for each. */
#include "filters/core/runner/runner_internal.h"
#include "filters/base/log.h"

#include <stdlib.h>

/* ---- lines */

static int count(enum rn_lines lines, int h)
{
    return lines == RN_LINES_ALL ? h : lines == RN_LINES_EVEN ? (h + 1) / 2 : h / 2;
}

struct rn_cut rn_lines_cut(enum rn_lines lines, int h)
{
    int n = count(lines, h);
    return (struct rn_cut){lines == RN_LINES_ODD && h > 1, n ? n : 1,
                           lines == RN_LINES_ALL ? 1 : 2};
}

bool rn_lines_exist(enum rn_lines lines, const struct rn_snapshot *s, int p)
{
    int w, h;
    if (!(s->traits.planes >> p & 1))
        return false;
    rn_geom_plane_size(&s->traits.out, p, &w, &h);
    return count(lines, h);
}

/* The geometry whose plane p has these lines: the other planes may have one more or less. */
static void cut(struct rn_geom *geom, enum rn_lines lines, int p)
{
    int w, h;
    bool chroma = geom->fmt.model == RN_YUV && (p == 1 || p == 2);
    if (lines == RN_LINES_ALL || p >= rn_format_planes(&geom->fmt))
        return;
    rn_geom_plane_size(geom, p, &w, &h);
    geom->h = rn_lines_cut(lines, h).count << (chroma ? geom->fmt.sub_y : 0);
}

struct rn_snapshot rn_lines_snapshot(const struct rn_snapshot *s, enum rn_lines lines, int p)
{
    struct rn_snapshot cut_off = *s;
    cut(&cut_off.in, lines, p);
    cut(&cut_off.traits.out, lines, p);
    return cut_off;
}

/* ---- the bounds of fields */

/* Both get the room of the even lines, which are never fewer. */
int rn_fields_prepare(struct rn_runner *r, int i, const struct rn_snapshot *now)
{
    const struct rn_snapshot half = rn_lines_snapshot(now, RN_LINES_EVEN, 0);
    int err = 0;
    for (int k = 0; k < 2 && r->halves[i].field && !err; k++)
        err = rn_bound_prepare(&r->halves[i].field[k], &half);
    return err;
}

static int bind_fields(struct rn_runner *r, int i, const struct rn_snapshot *now)
{
    struct rn_halves *h = &r->halves[i];
    int err = 0;
    if (h->field)
        return 0;
    h->field = calloc(2, sizeof *h->field);
    if (!h->field)
        return rn_fail_memory();
    for (int k = 0; k < 2 && !err; k++)
        err = rn_bound_open(&h->field[k], r->bound[i].desc, r->dev);
    err = err ? err : rn_fields_prepare(r, i, now);
    if (err)
        rn_fields_close(r, i);
    return err;
}

void rn_fields_reset(struct rn_runner *r, int i)
{
    struct rn_halves *h = &r->halves[i];
    h->whole = h->halves = false;
    for (int k = 0; k < 2 && h->field; k++)
        if (h->field[k].desc->reset)
            h->field[k].desc->reset(&h->field[k]);
}

void rn_fields_close(struct rn_runner *r, int i)
{
    struct rn_halves *h = &r->halves[i];
    for (int k = 0; k < 2 && h->field; k++)
        rn_bound_close(&h->field[k]);
    free(h->field);
    h->field = NULL;
}

/* ---- calls */

static int call(struct rn_runner *r, const struct rn_turn *turn, enum rn_lines lines,
                struct rn_bound *bound, struct rn_slot *out)
{
    struct rn_turn t = *turn;
    t.lines = lines;
    t.bound = bound;
    t.out = out;
    return r->backend->stage(r, &t);
}

/* A frame of either kind has neighbours of the other: all are remembered both ways, from the first
 * one of each kind on, or from the start. */
static int stage_across(struct rn_runner *r, const struct rn_turn *t)
{
    struct rn_halves *h = &r->halves[t->i];
    struct rn_slot *whole = t->out && !t->out->frame.by_field ? t->out : NULL;
    struct rn_slot *halves = t->out && t->out->frame.by_field ? t->out : NULL;
    int err = 0;
    h->whole |= t->in && (r->mixed || !t->in->frame.by_field);
    h->halves |= t->in && (r->mixed || t->in->frame.by_field);
    if (h->whole)
        err = call(r, t, RN_LINES_ALL, &r->bound[t->i], whole);
    if (!h->halves || err)
        return err;
    err = bind_fields(r, t->i, rn_submitted(t->counted, t->i));
    for (int k = 0; k < 2 && !err; k++)
        err = call(r, t, k ? RN_LINES_ODD : RN_LINES_EVEN, &h->field[k], halves);
    return err;
}

/* A stage that mixes lines and has no delay. Fields are taken frame by frame. */
static int stage_alone(struct rn_runner *r, const struct rn_turn *t)
{
    struct rn_bound *bound = &r->bound[t->i];
    bool fields = false;
    int err = 0;
    for (int k = 0; k < t->n; k++)
        fields |= t->in[k].frame.by_field;
    if (!fields)
        return call(r, t, RN_LINES_ALL, bound, t->out);
    for (int k = 0; k < t->n && !err; k++) {
        struct rn_turn one = rn_turn_of(t, k);
        bool halves = one.in->frame.by_field;
        err = call(r, &one, halves ? RN_LINES_EVEN : RN_LINES_ALL, bound, one.out);
        err = err || !halves ? err : call(r, &one, RN_LINES_ODD, bound, one.out);
    }
    return err;
}

int rn_fields_stage(struct rn_runner *r, const struct rn_turn *t)
{
    const struct rn_snapshot *s = rn_submitted(t->counted, t->i);
    int err = !rn_mixes_lines(s) ? call(r, t, RN_LINES_ALL, &r->bound[t->i], t->out)
              : s->traits.delay  ? stage_across(r, t)
                                 : stage_alone(r, t);
    return err || !t->out || !s->region.kind ? err : r->backend->blend(r, t);
}
