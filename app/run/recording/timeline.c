/* SPDX-License-Identifier: MIT */
#include "app/run/recording/record.h"

#include <stdlib.h>
#include <string.h>

#include "filters/base/log.h"
#include "filters/base/owned.h"
#include "filters/base/text/number.h"

/* ---- states */

static struct rn_app_state *make(const char *chain, struct rn_app_span neighbours)
{
    size_t size = chain ? strlen(chain) + 1 : 0;
    struct rn_app_state *state = chain ? malloc(sizeof *state + size) : NULL;
    if (!state) {
        rn_fail_memory();
        return NULL;
    }
    *state = (struct rn_app_state){.refs = 1, .neighbours = neighbours};
    memcpy(state->chain, chain, size);
    return state;
}

struct rn_app_state *rn_app_state_of(const struct rn_chain *chain, struct rn_app_span neighbours)
{
    RN_OWNED(rn_free_owned) char *text = rn_chain_format(chain);
    return make(text, neighbours);
}

struct rn_app_state *rn_app_state_with(const struct rn_app_state *of, struct rn_app_span neighbours)
{
    return make(of->chain, neighbours);
}

struct rn_app_state *rn_app_state_ref(struct rn_app_state *state)
{
    state->refs++;
    return state;
}

void rn_app_state_unref(struct rn_app_state *state)
{
    if (state && !--state->refs)
        free(state);
}

bool rn_app_state_equal(const struct rn_app_state *a, const struct rn_app_state *b)
{
    return a == b || (a->neighbours.first == b->neighbours.first &&
                      a->neighbours.last == b->neighbours.last && !strcmp(a->chain, b->chain));
}

/* ---- the timeline */

size_t rn_app_timeline_find(const struct rn_app_timeline *t, int64_t frame)
{
    size_t low = 0, high = t->n;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (t->point[middle].frame <= frame)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Room for n points more. */
static int reserve(struct rn_app_timeline *t, size_t n)
{
    if (t->n + n <= t->room)
        return 0;
    size_t room = 2 * t->room + n + 64;
    struct rn_app_point *more = realloc(t->point, room * sizeof *more);
    if (!more)
        return rn_fail_memory();
    t->point = more;
    t->room = room;
    return 0;
}

/* Replaces the points from i to k (not included) by one. */
static void replace(struct rn_app_timeline *t, size_t i, size_t k, struct rn_app_point point)
{
    rn_app_state_ref(point.state);
    for (size_t j = i; j < k; j++)
        rn_app_state_unref(t->point[j].state);
    memmove(t->point + i + 1, t->point + k, (t->n - k) * sizeof *t->point);
    t->n = t->n - (k - i) + 1;
    t->point[i] = point;
}

/* Removes point i if it equals the one before. */
static void merge(struct rn_app_timeline *t, size_t i)
{
    if (!i || i >= t->n || !rn_app_state_equal(t->point[i].state, t->point[i - 1].state))
        return;
    rn_app_state_unref(t->point[i].state);
    memmove(t->point + i, t->point + i + 1, (--t->n - i) * sizeof *t->point);
}

int rn_app_timeline_begin(struct rn_app_timeline *t, struct rn_app_state *state)
{
    *t = (struct rn_app_timeline){0};
    int err = state ? reserve(t, 1) : RN_EINTERNAL;
    if (!err)
        replace(t, 0, 0, (struct rn_app_point){0, state});
    rn_app_state_unref(state);
    return err;
}

void rn_app_timeline_free(struct rn_app_timeline *t)
{
    while (t->n)
        rn_app_state_unref(t->point[--t->n].state);
    free(t->point);
    *t = (struct rn_app_timeline){0};
}

int rn_app_timeline_set(struct rn_app_timeline *t, struct rn_app_span frames,
                        struct rn_app_state *state)
{
    if (reserve(t, 2))
        return RN_EINTERNAL;
    size_t k = rn_app_timeline_find(t, frames.last) + 1;
    bool exact = k < t->n && t->point[k].frame == frames.last + 1;
    if (frames.last != RN_TO_THE_END && !exact) /* later frames keep their state */
        replace(t, k, k, (struct rn_app_point){frames.last + 1, t->point[k - 1].state});
    size_t i = rn_app_timeline_find(t, frames.first);
    i += t->point[i].frame < frames.first;
    replace(t, i, k, (struct rn_app_point){frames.first, state});
    merge(t, i + 1);
    merge(t, i);
    t->edits++;
    return 0;
}

/* ---- values */

bool rn_app_value_between(const struct rn_param *row, const char *from, const char *to, double t,
                          char *text, size_t size)
{
    char *from_unit, *to_unit;
    double a = rn_number_parse(from, &from_unit), b = rn_number_parse(to, &to_unit);
    bool numeric = row->type == RN_INT || row->type == RN_FLOAT;
    bool whole = row->type == RN_INT && !*to_unit;
    if (!numeric || from_unit == from || strcmp(from_unit, to_unit) != 0)
        return false;
    rn_number_print(text, size, whole ? "%.0f%.16s" : "%.7g%.16s", a + (b - a) * t, to_unit);
    return true;
}

int rn_app_value_copy(struct rn_stage *to, struct rn_stage *from, const struct rn_param *row)
{
    char text[64];
    const void *values = rn_stage_values(from, row);
    if (row->fixed || rn_param_equal(row, values, rn_stage_values(to, row)))
        return 0;
    return rn_stage_set(to, row, rn_param_format(row, values, text, sizeof text));
}

int rn_app_values_copy(struct rn_chain *chain, const struct rn_chain *of)
{
    int err = 0;
    for (int i = 0; i < rn_chain_count(of) && !err; i++) {
        struct rn_stage *from = rn_chain_stage(of, i), *to = rn_chain_stage(chain, i);
        const struct rn_param *row;
        for (int k = 0; !err && (row = rn_stage_row(from, k)) != NULL; k++)
            err = rn_app_value_copy(to, from, row);
    }
    return err;
}

/* ---- many strokes */

static int compare_frames(const void *pa, const void *pb)
{
    const struct rn_app_point *a = pa, *b = pb;
    return (a->frame > b->frame) - (a->frame < b->frame);
}

/* The first point from i on that has no state yet. next: one for each point, nearer to it. */
static size_t find_free(size_t *next, size_t i)
{
    while (next[i] != i)
        i = next[i] = next[next[i]];
    return i;
}

/* The points at which strokes begin, and behind which they end, in order and without a state. */
static void mark_ends(struct rn_app_timeline *t, const struct rn_app_stroke *stroke, size_t n)
{
    size_t points = 0;
    for (size_t i = 0; i < n; i++) {
        t->point[t->n++] = (struct rn_app_point){stroke[i].frames.first, NULL};
        if (stroke[i].frames.last != RN_TO_THE_END)
            t->point[t->n++] = (struct rn_app_point){stroke[i].frames.last + 1, NULL};
    }
    qsort(t->point, t->n, sizeof *t->point, compare_frames);
    for (size_t i = 0; i < t->n; i++)
        if (!points || t->point[points - 1].frame != t->point[i].frame)
            t->point[points++] = t->point[i];
    t->n = points;
}

/* The last stroke comes first, so that each point gets one state. */
int rn_app_timeline_paint(struct rn_app_timeline *t, const struct rn_app_stroke *stroke, size_t n)
{
    size_t points = 0;
    *t = (struct rn_app_timeline){0};
    int err = reserve(t, 2 * n);
    if (err)
        return err;
    RN_OWNED(rn_free_owned) size_t *next = calloc(2 * n + 1, sizeof *next);
    if (!next)
        return rn_fail_memory();
    mark_ends(t, stroke, n);
    for (size_t i = 0; i <= t->n; i++)
        next[i] = i;
    for (size_t k = n; k-- > 0;)
        for (size_t i = find_free(next, rn_app_timeline_find(t, stroke[k].frames.first));
             i < t->n && t->point[i].frame <= stroke[k].frames.last; i = find_free(next, i)) {
            t->point[i].state = rn_app_state_ref(stroke[k].state);
            next[i] = i + 1;
        }
    for (size_t i = 0; i < t->n; i++)
        if (points && rn_app_state_equal(t->point[i].state, t->point[points - 1].state))
            rn_app_state_unref(t->point[i].state);
        else
            t->point[points++] = t->point[i];
    t->n = points;
    return 0;
}
