/* SPDX-License-Identifier: MIT */
#include "app/run/recording/record.h"

#include <inttypes.h>

#include "app/run/json.h"
#include "filters/base/log.h"
#include "filters/base/output/textout.h"
#include "filters/base/owned.h"
#include "filters/base/text/number.h"

enum { COMPUTED = 1024 }; /* frames that are computed and may still be shown, and more */

struct rn_app_record {
    struct rn_app_point computed[COMPUTED]; /* state NULL: none */
    int next;                               /* of them, to be replaced */
    struct rn_growing out;
    struct rn_app_timeline frames; /* the content of the file */
    struct rn_chain *chain;        /* after its last line */
    int64_t last;                  /* the frame shown most recently */
    int64_t end;                   /* the highest frame shown; later frames have the latest state */
    int err;                       /* the first error, which ends writing */
};

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
    bool done = rn_reserve(&t->point, &t->room, t->n + n, sizeof *t->point);
    return done ? 0 : rn_fail_memory();
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

/* All frames have a state, a reference taken over; NULL: out of memory. Returns 0 or RN_EINTERNAL
 * (logged). */
static int begin_timeline(struct rn_app_timeline *t, struct rn_app_state *state)
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

/* Sets the state of a range of frames. Returns 0 or RN_EINTERNAL (logged). */
static int set_states(struct rn_app_timeline *t, struct rn_app_span frames,
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

/* ---- the file */

static json_t *frames_line(struct rn_app_span frames)
{
    return frames.last == RN_TO_THE_END ? json_pack("{s:I}", "frame", (json_int_t)frames.first)
                                        : json_pack("{s:I,s:I}", "frame", (json_int_t)frames.first,
                                                    "to", (json_int_t)frames.last);
}

/* Appends a line with more members, taken over. */
static void add_line(json_t **lines, struct rn_app_span frames, json_t *members)
{
    RN_OWNED(json_decrefp) json_t *line = frames_line(frames);
    bool whole = line && !json_object_update_new(line, members);
    rn_app_json_append(lines, whole ? rn_take_owned(&line) : NULL);
}

static void add_values(json_t **lines, struct rn_app_span frames, int i, struct rn_stage *from,
                       struct rn_stage *to)
{
    char text[64];
    RN_EACH_PARAM (row, to) {
        if (rn_param_equal(row, rn_stage_values(from, row), rn_stage_values(to, row)))
            continue;
        rn_param_format(row, rn_stage_values(to, row), text, sizeof text);
        add_line(lines, frames,
                 json_pack("{s:i,s:s,s:s}", "stage", i, "param", row->name, "value", text));
    }
}

/* The lines that change one chain to another, at least one; NULL when out of memory. */
static json_t *changes_of(const struct rn_chain *from, const struct rn_chain *to,
                          struct rn_app_span frames)
{
    json_t *lines = json_array();
    if (!rn_chain_binds_alike(from, to)) {
        RN_OWNED(rn_free_owned) char *text = rn_chain_format(to);
        add_line(&lines, frames, text ? json_pack("{s:s}", "chain", text) : NULL);
        return lines;
    }
    for (int i = 0; i < rn_chain_count(to); i++)
        add_values(&lines, frames, i, rn_chain_stage(from, i), rn_chain_stage(to, i));
    if (lines && !json_array_size(lines))
        rn_app_json_append(&lines, frames_line(frames));
    return lines;
}

/* Writes all lines of an array, taken over, at once. lines NULL: out of memory. */
static int write_lines(struct rn_app_record *r, json_t *lines)
{
    RN_OWNED(rn_free_owned) char *text = NULL;
    size_t size, i;
    json_t *line;
    FILE *f = lines ? open_memstream(&text, &size) : NULL;
    bool failed = !f;
    json_array_foreach(lines, i, line)
    {
        RN_OWNED(rn_free_owned) char *dump = failed ? NULL : rn_app_json_dump(line, JSON_COMPACT);
        failed = !dump || fprintf(f, "%s\n", dump) < 0;
    }
    failed |= f && fclose(f);
    int cause = failed ? 0 : rn_growing_append(&r->out, text, size);
    json_decref(lines);
    return failed ? rn_fail_memory() : cause ? rn_write_fail(r->out.path, cause) : 0;
}

int rn_app_record_create(struct rn_app_record **record, const char *path,
                         const struct rn_chain *chain)
{
    struct rn_app_record *r = *record = calloc(1, sizeof *r);
    if (!r)
        return rn_fail_memory();
    r->out.fd = -1;
    r->last = r->end = -1;
    int err = rn_chain_assign(&r->chain, chain);
    err = err ? err : begin_timeline(&r->frames, rn_app_state_of(chain, RN_ALL_FRAMES));
    err = err ? err : rn_outfile_allowed(path);
    err = err ? err : rn_growing_open(&r->out, path);
    if (!err) {
        RN_OWNED(rn_free_owned) char *text = rn_chain_format(chain);
        err = write_lines(r, text ? json_pack("[{s:s}]", "chain", text) : NULL);
    }
    if (err)
        rn_app_record_close(record);
    return err;
}

/* Writes the state of a range of frames, unless the file has it. */
static int write_state(struct rn_app_record *r, struct rn_app_state *state,
                       struct rn_app_span frames)
{
    size_t i = rn_app_timeline_find(&r->frames, frames.first);
    if (i == rn_app_timeline_find(&r->frames, frames.last) &&
        rn_app_state_equal(r->frames.point[i].state, state))
        return 0;
    struct rn_chain *chain = NULL;
    int err = rn_chain_parse(&chain, state->chain);
    RN_OWNED(json_decrefp) json_t *lines = err ? NULL : changes_of(r->chain, chain, frames);
    const struct rn_app_span *n = &state->neighbours;
    json_t *last = lines ? json_array_get(lines, json_array_size(lines) - 1) : NULL;
    if (last && n->first && json_object_set_new(last, "first", json_integer(n->first)))
        err = rn_fail_memory();
    if (last && n->last != RN_TO_THE_END &&
        json_object_set_new(last, "last", json_integer(n->last)))
        err = rn_fail_memory();
    err = err ? err : write_lines(r, json_incref(lines));
    err = err ? err : set_states(&r->frames, frames, state);
    rn_chain_destroy(&r->chain);
    r->chain = chain;
    return err;
}

/* The place of a frame among those that are computed; NULL: it is not there. */
static struct rn_app_point *find_computed(struct rn_app_record *r, int64_t frame)
{
    for (int i = 0; i < COMPUTED; i++)
        if (r->computed[i].state && r->computed[i].frame == frame)
            return &r->computed[i];
    return NULL;
}

void rn_app_record_compute(struct rn_app_record *r, const struct rn_chain *chain, int64_t frame)
{
    struct rn_app_point *to = find_computed(r, frame);
    if (!to) {
        to = &r->computed[r->next];
        r->next = (r->next + 1) % COMPUTED;
    }
    rn_app_state_unref(to->state);
    *to = (struct rn_app_point){frame, rn_app_state_of(chain, RN_ALL_FRAMES)};
}

int rn_app_record_frame(struct rn_app_record *r, int64_t frame, struct rn_app_span neighbours,
                        bool follows)
{
    if (r->err)
        return 0;
    const struct rn_app_point *computed = find_computed(r, frame);
    if (!computed)
        return r->err =
                   rn_fail(RN_EINTERNAL, "frame %" PRId64 " is shown, and was not computed", frame);
    struct rn_app_state *own = rn_app_state_with(computed->state, neighbours);
    const struct rn_app_span frames = {follows && frame > r->last ? r->last + 1 : frame,
                                       frame >= r->end ? RN_TO_THE_END : frame};
    int err = own ? rn_growing_place(&r->out) : RN_EINTERNAL;
    /* The frames around it were not seen: they have all their neighbours. */
    bool alike = own && rn_app_state_equal(own, computed->state);
    if (!err && (alike || frames.first < frame || frames.last > frame))
        err = write_state(r, computed->state, frames);
    if (!err && !alike)
        err = write_state(r, own, (struct rn_app_span){frame, frame});
    rn_app_state_unref(own);
    r->last = frame;
    r->end = frame > r->end ? frame : r->end;
    return r->err = err;
}

int rn_app_record_set(struct rn_app_record *r, struct rn_app_span frames,
                      struct rn_app_state *state)
{
    if (r->err)
        return r->err;
    int err = rn_growing_place(&r->out);
    r->end = frames.last > r->end ? frames.last : r->end;
    return r->err = err ? err : write_state(r, state, frames);
}

const struct rn_app_timeline *rn_app_record_frames(const struct rn_app_record *r)
{
    return &r->frames;
}

int rn_app_record_close(struct rn_app_record **record)
{
    struct rn_app_record *r = rn_take_owned(record);
    if (!r)
        return 0;
    int err = r->err, cause = rn_growing_close(&r->out);
    if (cause && !err)
        err = rn_write_fail(r->out.path, cause);
    rn_growing_free(&r->out);
    rn_app_timeline_free(&r->frames);
    rn_chain_destroy(&r->chain);
    for (int i = 0; i < COMPUTED; i++)
        rn_app_state_unref(r->computed[i].state);
    free(r);
    return err;
}

/* ---- values */

int rn_app_chain_from(struct rn_chain **chain, const char *text, const char *origin)
{
    const char *before = rn_stage_origin(origin);
    int err = rn_chain_parse(chain, text);
    rn_stage_origin(before);
    return err;
}

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
        RN_EACH_PARAM (row, from)
            err = err ? err : rn_app_value_copy(to, from, row);
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
