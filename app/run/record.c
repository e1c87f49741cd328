#include "app/run/record.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/run/json.h"
#include "filters/base/err.h"
#include "filters/base/log.h"
#include "filters/base/output/outfile.h"
#include "filters/base/output/textfile.h"
#include "filters/base/output/textout.h"

/* ---- the values of a chain's parameters over time
 *
 * A state is a JSON array with an object {NAME:TEXT,...} per stage, the rows of every stage
 * ("enable") included, fixed rows left out. */

#define TO_THE_END INT64_MAX /* as the last frame of a range */

/* The state from a frame on, up to the next point. */
struct point {
    int64_t frame;
    json_t *state; /* owned */
};

/* Every frame has a state: the first point is at frame 0. Neighbouring points differ. */
struct timeline {
    struct point *point;
    size_t n, room;
};

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

/* The current parameters of chain; NULL (logged) when out of memory. */
static json_t *state_of(const struct rn_chain *chain)
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
static size_t find(const struct timeline *t, int64_t frame)
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
static int reserve(struct timeline *t, size_t n)
{
    if (t->n + n <= t->room)
        return 0;
    size_t room = 2 * t->room + n + 64;
    struct point *more = realloc(t->point, room * sizeof *more);
    if (!more)
        return rn_fail_memory();
    t->point = more;
    t->room = room;
    return 0;
}

/* Replaces the points from i to k (not included) by one. */
static void replace(struct timeline *t, size_t i, size_t k, struct point point)
{
    json_incref(point.state);
    for (size_t j = i; j < k; j++)
        json_decref(t->point[j].state);
    memmove(t->point + i + 1, t->point + k, (t->n - k) * sizeof *t->point);
    t->n = t->n - (k - i) + 1;
    t->point[i] = point;
}

/* Removes point i if it equals the one before. */
static void merge(struct timeline *t, size_t i)
{
    if (!i || i >= t->n || !json_equal(t->point[i].state, t->point[i - 1].state))
        return;
    json_decref(t->point[i].state);
    memmove(t->point + i, t->point + i + 1, (--t->n - i) * sizeof *t->point);
}

static int begin_timeline(struct timeline *t, json_t *state)
{
    *t = (struct timeline){0};
    int err = reserve(t, 1);
    if (!err)
        replace(t, 0, 0, (struct point){0, state});
    return err;
}

static void free_timeline(struct timeline *t)
{
    while (t->n)
        json_decref(t->point[--t->n].state);
    free(t->point);
    *t = (struct timeline){0};
}

/* Sets the state of a range of frames. */
static int set_state(struct timeline *t, int64_t first, int64_t last, json_t *state)
{
    if (reserve(t, 2))
        return RN_EINTERNAL;
    size_t k = find(t, last) + 1;
    bool exact = k < t->n && t->point[k].frame == last + 1;
    if (last != TO_THE_END && !exact) /* later frames keep their state */
        replace(t, k, k, (struct point){last + 1, t->point[k - 1].state});
    size_t i = find(t, first);
    i += t->point[i].frame < first;
    replace(t, i, k, (struct point){first, state});
    merge(t, i + 1);
    merge(t, i);
    return 0;
}

/* ---- writing */

enum { COMPUTED = 64 }; /* frames that are computed and may still be shown, and more */

struct rn_app_record {
    struct point computed[COMPUTED]; /* state NULL: none */
    int next;                        /* of them, to be replaced */
    struct rn_growing out;
    struct timeline frames; /* the content of the file */
    json_t *state;          /* after its last line */
    int64_t last;           /* the frame shown most recently */
    int64_t end;            /* the highest frame shown; later frames have the latest state */
    int err;                /* the first error, which ends writing */
};

static json_t *frames_line(int64_t first, int64_t last)
{
    return last == TO_THE_END
               ? json_pack("{s:I}", "frame", (json_int_t)first)
               : json_pack("{s:I,s:I}", "frame", (json_int_t)first, "to", (json_int_t)last);
}

/* The lines that change one state to another, at least one; NULL when out of memory. */
static json_t *changes_of(json_t *from, json_t *to, int64_t first, int64_t last)
{
    size_t stage;
    json_t *values, *value, *lines = json_array();
    const char *name;
    json_array_foreach(to, stage, values)
    {
        json_t *before = json_array_get(from, stage);
        json_object_foreach(values, name, value)
        {
            if (json_equal(value, json_object_get(before, name)))
                continue;
            json_t *line = frames_line(first, last);
            if (json_object_update_new(line, json_pack("{s:i,s:s,s:O}", "stage", (int)stage,
                                                       "param", name, "value", value))) {
                json_decref(line);
                line = NULL;
            }
            rn_app_json_append(&lines, line);
        }
    }
    if (lines && !json_array_size(lines))
        rn_app_json_append(&lines, frames_line(first, last));
    return lines;
}

/* Writes all lines of an array, taken over, at once. lines NULL: out of memory. */
static int write_lines(struct rn_app_record *r, json_t *lines)
{
    char *text = NULL;
    size_t size, i;
    json_t *line;
    FILE *f = lines ? open_memstream(&text, &size) : NULL;
    bool failed = !f;
    json_array_foreach(lines, i, line)
    {
        char *dump = failed ? NULL : rn_app_json_dump(line, JSON_COMPACT);
        failed = !dump || fprintf(f, "%s\n", dump) < 0;
        free(dump);
    }
    failed |= f && fclose(f);
    int cause = failed ? 0 : rn_growing_append(&r->out, text, size);
    free(text);
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
    r->state = state_of(chain);
    int err = r->state ? begin_timeline(&r->frames, r->state) : RN_EINTERNAL;
    err = err ? err : rn_outfile_allowed(path);
    err = err ? err : rn_growing_open(&r->out, path);
    if (!err) {
        char *text = rn_chain_format(chain);
        err = write_lines(r, text ? json_pack("[{s:s}]", "chain", text) : NULL);
        free(text);
    }
    if (err)
        rn_app_record_close(record);
    return err;
}

/* Writes the state of the frames from first to frame, unless the file has it. */
static int write_state(struct rn_app_record *r, json_t *state, int64_t first, int64_t frame)
{
    int64_t last = frame >= r->end ? TO_THE_END : frame;
    int err = state ? rn_growing_place(&r->out) : RN_EINTERNAL;
    size_t i = find(&r->frames, first);
    bool is_known = i == find(&r->frames, last) && json_equal(r->frames.point[i].state, state);
    if (!err && !is_known) {
        err = write_lines(r, changes_of(r->state, state, first, last));
        err = err ? err : set_state(&r->frames, first, last, state);
        json_decref(r->state);
        r->state = json_incref(state);
    }
    r->last = frame;
    r->end = frame > r->end ? frame : r->end;
    return err;
}

/* The place of a frame among those that are computed; NULL: it is not there. */
static struct point *find_computed(struct rn_app_record *r, int64_t frame)
{
    for (int i = 0; i < COMPUTED; i++)
        if (r->computed[i].state && r->computed[i].frame == frame)
            return &r->computed[i];
    return NULL;
}

void rn_app_record_compute(struct rn_app_record *r, const struct rn_chain *chain, int64_t frame)
{
    struct point *to = find_computed(r, frame);
    if (!to) {
        to = &r->computed[r->next];
        r->next = (r->next + 1) % COMPUTED;
    }
    json_decref(to->state);
    *to = (struct point){frame, state_of(chain)};
}

int rn_app_record_frame(struct rn_app_record *r, int64_t frame, bool follows)
{
    if (r->err)
        return 0;
    const struct point *computed = find_computed(r, frame);
    r->err = computed
                 ? write_state(r, computed->state, follows && frame > r->last ? r->last + 1 : frame,
                               frame)
                 : rn_fail(RN_EINTERNAL, "frame %" PRId64 " is shown, and was not computed", frame);
    return r->err;
}

int rn_app_record_close(struct rn_app_record **record)
{
    struct rn_app_record *r = *record;
    if (!r)
        return 0;
    int err = r->err, cause = rn_growing_close(&r->out);
    if (cause && !err)
        err = rn_write_fail(r->out.path, cause);
    rn_growing_free(&r->out);
    free_timeline(&r->frames);
    json_decref(r->state);
    for (int i = 0; i < COMPUTED; i++)
        json_decref(r->computed[i].state);
    free(r);
    *record = NULL;
    return err;
}

/* ---- replay */

struct rn_app_replay {
    json_t *lines; /* array of the objects */
    const char *path;
    struct timeline frames;
    json_t *state; /* of the chain */
};

/* Parses text in place: every line is an object. A last line without a newline may be cut off. */
static int parse_lines(struct rn_app_replay *r, char *text)
{
    json_error_t error;
    int err = 0, n = 0;
    for (char *line = text, *next; *line && !err; line = next) {
        next = line + strcspn(line, "\n");
        bool whole = *next;
        if (whole)
            *next++ = '\0';
        json_t *object = json_loads(line, JSON_REJECT_DUPLICATES, &error);
        n++;
        if (json_is_object(object)) {
            err = json_array_append_new(r->lines, object) ? rn_fail_memory() : 0;
        } else if (!object && !whole && n > 1) {
            rn_log(RN_LOG_WARNING, "'%s' ends within line %d, which is left out", r->path, n);
        } else {
            json_decref(object);
            err = rn_fail(RN_EUSAGE, "'%s' line %d is no line of a record", r->path, n);
        }
    }
    return err;
}

int rn_app_replay_open(struct rn_app_replay **replay, const char *path, const char **chain_text)
{
    struct rn_app_replay *r = calloc(1, sizeof *r);
    char *text, why[RN_TEXT_WHY];
    if (!r)
        return rn_fail_memory();
    r->path = path;
    r->lines = json_array();
    int err = rn_text_read(&text, path, RN_APP_RECORD_MAX, why);
    if (err == RN_EUSAGE)
        rn_fail(err, "cannot read the record '%s': %s", path, why);
    err = err ? err : parse_lines(r, text);
    free(text);
    *chain_text = json_string_value(json_object_get(json_array_get(r->lines, 0), "chain"));
    if (!err && !*chain_text)
        err = rn_fail(RN_EUSAGE, "'%s' is no record: its first line has no chain", path);
    if (!err && **chain_text == '@')
        err = rn_fail(RN_EUSAGE, "'%s' names the chain file '%s'; only -f may do that", path,
                      *chain_text + 1);
    *replay = r;
    if (err)
        rn_app_replay_close(replay);
    return err;
}

void rn_app_replay_close(struct rn_app_replay **replay)
{
    if (!*replay)
        return;
    json_decref((*replay)->lines);
    free_timeline(&(*replay)->frames);
    json_decref((*replay)->state);
    free(*replay);
    *replay = NULL;
}

/* Applies the change of line n, counted from 0, to chain, if the line has one. */
static int apply_change(const struct rn_app_replay *r, struct rn_chain *chain, size_t n)
{
    json_t *line = json_array_get(r->lines, n), *stage = json_object_get(line, "stage");
    json_t *on = json_object_get(line, "on");
    const char *name = on ? "enable" : json_string_value(json_object_get(line, "param"));
    const char *value =
        on ? json_is_true(on) ? "1" : "0" : json_string_value(json_object_get(line, "value"));
    json_int_t i = json_integer_value(stage);
    if (!stage && !name && !value)
        return 0;
    if (!json_is_integer(stage) || i < 0 || i >= rn_chain_count(chain))
        return rn_fail(RN_EUSAGE, "'%s' line %zu names no stage of the chain", r->path, n + 1);
    const struct rn_param *row = name ? rn_stage_find(rn_chain_stage(chain, i), name) : NULL;
    if (!row || row->fixed || !value || (on && !json_is_boolean(on)))
        return rn_fail(RN_EUSAGE, "'%s' line %zu changes nothing that '%s' has", r->path, n + 1,
                       rn_chain_stage(chain, i)->desc->name);
    rn_log_about("'%s' line %zu", r->path, n + 1);
    int err = rn_stage_set(rn_chain_stage(chain, i), row, value);
    rn_log_about("%s", "");
    return err;
}

/* The frames from first to last, which a line gives a state. */
struct span {
    int64_t first, last;
    json_t *state; /* owned */
};

/* Applies line n to chain and makes its span. state: of chain before, a reference taken over. */
static int apply_line(struct rn_app_replay *r, struct rn_chain *chain, size_t n, json_t *state,
                      struct span *span)
{
    json_t *line = json_array_get(r->lines, n), *to = json_object_get(line, "to");
    json_t *frame = json_object_get(line, "frame");
    int64_t first = json_integer_value(frame), last = to ? json_integer_value(to) : TO_THE_END;
    *span = (struct span){first, last, state};
    if (!json_is_integer(frame) || first < 0)
        return rn_fail(RN_EUSAGE, "'%s' line %zu has no frame", r->path, n + 1);
    if (to && (!json_is_integer(to) || last < first))
        return rn_fail(RN_EUSAGE, "'%s' line %zu ends before its frame", r->path, n + 1);
    int err = apply_change(r, chain, n);
    if (err || !json_object_get(line, "stage"))
        return err;
    json_decref(state);
    span->state = state_of(chain);
    return span->state ? 0 : RN_EINTERNAL;
}

static int compare_frames(const void *pa, const void *pb)
{
    const struct point *a = pa, *b = pb;
    return (a->frame > b->frame) - (a->frame < b->frame);
}

/* The first point from i on that has no state yet. next: one for each point, nearer to it. */
static size_t find_free(size_t *next, size_t i)
{
    while (next[i] != i)
        i = next[i] = next[next[i]];
    return i;
}

/* Gives the frames their states, the last span first, so that each point gets one once: lines may
 * go backwards. The first span is of all frames. next: 2 n + 1 numbers. */
static int paint(struct timeline *t, const struct span *span, size_t n, size_t *next)
{
    size_t points = 0;
    int err = reserve(t, 2 * n);
    if (err)
        return err;
    for (size_t i = 0; i < n; i++) {
        t->point[t->n++] = (struct point){span[i].first, NULL};
        if (span[i].last != TO_THE_END)
            t->point[t->n++] = (struct point){span[i].last + 1, NULL};
    }
    qsort(t->point, t->n, sizeof *t->point, compare_frames);
    for (size_t i = 0; i < t->n; i++)
        if (!points || t->point[points - 1].frame != t->point[i].frame)
            t->point[points++] = t->point[i];
    t->n = points;
    for (size_t i = 0; i <= t->n; i++)
        next[i] = i;
    for (size_t k = n; k-- > 0;)
        for (size_t i = find_free(next, find(t, span[k].first));
             i < t->n && t->point[i].frame <= span[k].last; i = find_free(next, i)) {
            t->point[i].state = json_incref(span[k].state);
            next[i] = i + 1;
        }
    for (size_t i = points = 0; i < t->n; i++)
        if (points && json_equal(t->point[i].state, t->point[points - 1].state))
            json_decref(t->point[i].state);
        else
            t->point[points++] = t->point[i];
    t->n = points;
    return 0;
}

int rn_app_replay_bind(struct rn_app_replay *r, const struct rn_chain *chain)
{
    size_t lines = json_array_size(r->lines), n = 1;
    struct rn_chain *values = rn_chain_copy(chain);
    struct span *span = calloc(lines, sizeof *span);
    size_t *next = calloc(2 * lines + 1, sizeof *next);
    int err = span && next ? 0 : rn_fail_memory();
    r->state = values ? state_of(values) : NULL;
    err = !err && !r->state ? RN_EINTERNAL : err;
    if (!err)
        span[0] = (struct span){0, TO_THE_END, json_incref(r->state)};
    for (; n < lines && !err; n++)
        err = apply_line(r, values, n, json_incref(span[n - 1].state), &span[n]);
    err = err ? err : paint(&r->frames, span, lines, next);
    while (span && n)
        json_decref(span[--n].state);
    free(span);
    free(next);
    rn_chain_destroy(&values);
    return err;
}

/* Changes the values of chain from one state to another. */
static int set_values(struct rn_chain *chain, json_t *from, json_t *to)
{
    const char *name;
    json_t *value;
    int err = 0;
    for (int i = 0; i < rn_chain_count(chain) && !err; i++) {
        struct rn_stage *stage = rn_chain_stage(chain, i);
        json_t *before = json_array_get(from, (size_t)i);
        json_object_foreach(json_array_get(to, (size_t)i), name, value)
        {
            const struct rn_param *row = rn_stage_find(stage, name);
            if (!err && row && !json_equal(value, json_object_get(before, name)))
                err = rn_stage_set(stage, row, json_string_value(value));
        }
    }
    return err;
}

int rn_app_replay_check(const struct rn_app_replay *r, const struct rn_chain *chain,
                        const struct rn_pool *pool)
{
    struct rn_chain *values = rn_chain_copy(chain);
    int err = values ? 0 : RN_EINTERNAL;
    for (size_t i = 0; i < r->frames.n && !err; i++) {
        const struct point *point = &r->frames.point[i];
        rn_log_about("'%s', frame %" PRId64, r->path, point->frame);
        err = set_values(values, i ? point[-1].state : NULL, point->state);
        err = err ? err : rn_pool_fits(pool, values);
        rn_log_about("%s", "");
    }
    rn_chain_destroy(&values);
    return err;
}

int rn_app_replay_frame(struct rn_app_replay *r, struct rn_chain *chain, int64_t frame,
                        bool *changed)
{
    json_t *state = r->frames.point[find(&r->frames, frame)].state;
    *changed = state != r->state;
    int err = *changed ? set_values(chain, r->state, state) : 0;
    json_decref(r->state);
    r->state = json_incref(state);
    return err;
}

long long rn_app_replay_beyond(const struct rn_app_replay *r, int64_t frames)
{
    long long beyond = 0;
    for (size_t n = 1; n < json_array_size(r->lines); n++) {
        json_t *line = json_array_get(r->lines, n);
        beyond += json_object_get(line, "stage") &&
                  json_integer_value(json_object_get(line, "frame")) >= frames;
    }
    return beyond;
}
