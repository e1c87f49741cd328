#include "app/run/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "filters/base/err.h"
#include "filters/base/log.h"

static int add_rows(json_t *object, const struct rn_stage *stage, const struct rn_param *table)
{
    char text[64];
    int bad = 0;
    for (const struct rn_param *row = table; row->name; row++)
        if (!row->fixed)
            bad |= json_object_set_new(
                object, row->name,
                json_string(rn_param_format(row, rn_stage_values(stage, row), text, sizeof text)));
    return bad;
}

json_t *rn_app_timeline_state(const struct rn_chain *chain)
{
    json_t *state = json_array();
    int bad = state ? 0 : -1;
    for (int i = 0; i < rn_chain_count(chain) && !bad; i++) {
        json_t *object = json_object();
        bad = json_array_append_new(state, object) ||
              add_rows(object, rn_chain_stage(chain, i), rn_stage_rows) ||
              add_rows(object, rn_chain_stage(chain, i), rn_chain_stage(chain, i)->table);
    }
    if (!bad)
        return state;
    json_decref(state);
    rn_fail_memory();
    return NULL;
}

/* The last point at or before frame. */
static size_t find(const struct rn_app_timeline *t, int64_t frame)
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
    size_t room = 2 * t->room + 64;
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
    json_incref(point.state);
    for (size_t j = i; j < k; j++)
        json_decref(t->point[j].state);
    memmove(t->point + i + 1, t->point + k, (t->n - k) * sizeof *t->point);
    t->n = t->n - (k - i) + 1;
    t->point[i] = point;
}

/* A point that says what the one before says already goes. */
static void merge(struct rn_app_timeline *t, size_t i)
{
    if (!i || i >= t->n || !json_equal(t->point[i].state, t->point[i - 1].state))
        return;
    json_decref(t->point[i].state);
    memmove(t->point + i, t->point + i + 1, (--t->n - i) * sizeof *t->point);
}

int rn_app_timeline_begin(struct rn_app_timeline *t, json_t *state)
{
    *t = (struct rn_app_timeline){0};
    int err = reserve(t, 1);
    if (!err)
        replace(t, 0, 0, (struct rn_app_point){0, state});
    return err;
}

void rn_app_timeline_free(struct rn_app_timeline *t)
{
    while (t->n)
        json_decref(t->point[--t->n].state);
    free(t->point);
    *t = (struct rn_app_timeline){0};
}

json_t *rn_app_timeline_at(const struct rn_app_timeline *t, int64_t frame)
{
    return t->point[find(t, frame)].state;
}

bool rn_app_timeline_has(const struct rn_app_timeline *t, int64_t first, int64_t last,
                         json_t *state)
{
    size_t i = find(t, first);
    return i == find(t, last) && json_equal(t->point[i].state, state);
}

int rn_app_timeline_set(struct rn_app_timeline *t, int64_t first, int64_t last, json_t *state)
{
    if (reserve(t, 2))
        return RN_EINTERNAL;
    size_t k = find(t, last) + 1;
    bool exact = k < t->n && t->point[k].frame == last + 1;
    if (last != RN_TIMELINE_END && !exact) /* those behind keep what they have */
        replace(t, k, k, (struct rn_app_point){last + 1, t->point[k - 1].state});
    size_t i = find(t, first);
    i += t->point[i].frame < first;
    replace(t, i, k, (struct rn_app_point){first, state});
    merge(t, i + 1);
    merge(t, i);
    return 0;
}
