/* SPDX-License-Identifier: MIT */
#include "app/run/recording/record.h"

#include <inttypes.h>
#include <jansson.h>

#include "filters/base/log.h"
#include "filters/base/owned.h"
#include "filters/base/output/textfile.h"

#define MOST_RAMPED 500000 /* frames of all ramps together: each has a state */

struct rn_app_replay {
    json_t *lines; /* array of the objects */
    const char *path;
    struct rn_app_timeline frames;
    struct rn_app_state *state; /* of the chain */
    struct rn_chain *named;     /* see rn_app_replay_named */
    bool structured;            /* lines have chains of their own */
    /* Of each point, once they were checked: */
    struct need {
        bool follows; /* what the one before is bound to is bound to it */
        int delay, before;
    } * need;
    /* While lines are read: */
    struct rn_app_stroke *stroke;
    size_t n, room;
    int64_t ramped;
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
    RN_OWNED(rn_free_owned) char *text = NULL;
    char why[RN_TEXT_WHY];
    if (!r)
        return rn_fail_memory();
    r->path = path;
    r->lines = json_array();
    int err = rn_text_read(&text, path, RN_APP_RECORD_MAX, why);
    if (err == RN_EUSAGE)
        rn_fail(err, "cannot read the record '%s': %s", path, why);
    err = err ? err : parse_lines(r, text);
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
    struct rn_app_replay *r = rn_take_owned(replay);
    if (!r)
        return;
    json_decref(r->lines);
    rn_app_timeline_free(&r->frames);
    rn_app_state_unref(r->state);
    rn_chain_destroy(&r->named);
    free(r->need);
    free(r);
}

/* ---- lines */

static int refuse(const struct rn_app_replay *r, size_t n, const char *why)
{
    return rn_fail(RN_EUSAGE, "'%s' line %zu %s", r->path, n + 1, why);
}

/* Paints frames; state: a reference is taken over; NULL: out of memory. */
static int add_stroke(struct rn_app_replay *r, struct rn_app_span frames,
                      struct rn_app_state *state)
{
    if (!rn_reserve(&r->stroke, &r->room, r->n + 1, sizeof *r->stroke)) {
        rn_app_state_unref(state);
        return rn_fail_memory();
    }
    if (state)
        r->stroke[r->n++] = (struct rn_app_stroke){frames, state};
    return state ? 0 : RN_EINTERNAL;
}

/* The files that a chain names, for rn_app_replay_named. */
static int note_files(struct rn_app_replay *r, const struct rn_chain *chain)
{
    RN_OWNED(rn_chain_destroy) struct rn_chain *files = rn_chain_copy(chain);
    int err = files ? 0 : RN_EINTERNAL;
    for (int i = rn_chain_count(files); i-- > 0 && !err;) {
        const struct rn_stage *stage = rn_chain_stage(files, i);
        bool names = false;
        RN_EACH_PARAM (row, stage)
            names |= row->file && *rn_param_text(row, rn_stage_values(stage, row));
        err = names ? 0 : rn_chain_remove(files, i);
    }
    RN_OWNED(rn_free_owned)
    char *text = err ? NULL : rn_chain_format(files), *known = rn_chain_format(r->named);
    if (!err && text && *text && (!known || !strstr(known, text))) {
        const char *before = rn_stage_origin(r->path);
        err = rn_chain_insert(r->named, rn_chain_count(r->named), text);
        rn_stage_origin(before);
    }
    return err;
}

static int take_chain(struct rn_app_replay *r, struct rn_chain **chain, const char *text)
{
    RN_OWNED(rn_chain_destroy) struct rn_chain *other = NULL;
    if (!text || *text == '@')
        return rn_fail(RN_EUSAGE, "the chain is no text of filters");
    int err = rn_app_chain_from(&other, text, r->path);
    err = err ? err : note_files(r, other);
    if (err)
        return err;
    r->structured = true;
    rn_chain_destroy(chain);
    *chain = rn_take_owned(&other);
    return 0;
}

/* Applies the change of line n, counted from 0, to *chain, if the line has one. *row: what it
 * changes; NULL: no value. */
static int apply_change(struct rn_app_replay *r, struct rn_chain **chain, size_t n,
                        struct rn_stage **of, const struct rn_param **row)
{
    json_t *line = json_array_get(r->lines, n), *stage = json_object_get(line, "stage");
    json_t *on = json_object_get(line, "on"), *text = json_object_get(line, "chain");
    const char *name = on ? "enable" : json_string_value(json_object_get(line, "param"));
    const char *value =
        on ? json_is_true(on) ? "1" : "0" : json_string_value(json_object_get(line, "value"));
    json_int_t i = json_integer_value(stage);
    *row = NULL;
    rn_log_about("'%s' line %zu", r->path, n + 1);
    int err = text ? take_chain(r, chain, json_string_value(text)) : 0;
    rn_log_about("%s", "");
    if (err || (!stage && !name && !value))
        return err;
    if (!json_is_integer(stage) || i < 0 || i >= rn_chain_count(*chain))
        return refuse(r, n, "names no stage of the chain");
    *of = rn_chain_stage(*chain, i);
    *row = name ? rn_stage_find(*of, name) : NULL;
    if (!*row || (*row)->fixed || !value || (on && !json_is_boolean(on)))
        return rn_fail(RN_EUSAGE, "'%s' line %zu changes nothing that '%s' has", r->path, n + 1,
                       (*of)->desc->name);
    rn_log_about("'%s' line %zu", r->path, n + 1);
    err = rn_stage_set(*of, *row, value);
    rn_log_about("%s", "");
    return err;
}

/* A whole number >= least; otherwise without the member. Returns whether that is what it is. */
static bool get_frame(json_t *line, const char *name, int64_t least, int64_t otherwise,
                      int64_t *value)
{
    json_t *member = json_object_get(line, name);
    *value = member ? json_integer_value(member) : otherwise;
    return !member || (json_is_integer(member) && *value >= least);
}

/* A value that goes from one number to another, of the same unit. */
static int ramp(struct rn_app_replay *r, struct rn_chain *chain, size_t n, struct rn_stage *stage,
                const struct rn_param *row, struct rn_app_span frames)
{
    json_t *line = json_array_get(r->lines, n), *ease = json_object_get(line, "ease");
    const char *how = ease ? json_string_value(ease) : "linear", *from, *to;
    from = json_string_value(json_object_get(line, "from"));
    to = json_string_value(json_object_get(line, "value"));
    char text[64];
    if (!row || !from || !to || !rn_app_value_between(row, from, to, 0, text, sizeof text))
        return refuse(r, n, "goes from no number, or to one of another unit");
    if (!how || (strcmp(how, "linear") != 0 && strcmp(how, "smooth") != 0))
        return refuse(r, n, "has an ease that is neither linear nor smooth");
    int64_t length = frames.last - frames.first;
    if (frames.last == RN_TO_THE_END || length >= MOST_RAMPED - r->ramped)
        return rn_fail(RN_EUSAGE, "'%s' line %zu: all ramps together last %d frames at most",
                       r->path, n + 1, MOST_RAMPED);
    r->ramped += length + 1;
    bool smooth = !strcmp(how, "smooth");
    int err = 0;
    for (int64_t i = 0; i <= length && !err; i++) {
        double s = rn_app_ease(length ? (double)i / (double)length : 1, smooth);
        rn_app_value_between(row, from, to, s, text, sizeof text);
        err = rn_stage_set(stage, row, i == length ? to : text);
        err = err ? err
                  : add_stroke(r, (struct rn_app_span){frames.first + i, frames.first + i},
                               rn_app_state_of(chain, RN_ALL_FRAMES));
    }
    return err;
}

/* Applies line n to *chain, and notes the frames that get its state. */
static int apply_line(struct rn_app_replay *r, struct rn_chain **chain, size_t n)
{
    json_t *line = json_array_get(r->lines, n);
    struct rn_app_span frames, near;
    struct rn_stage *stage = NULL;
    const struct rn_param *row;
    if (!json_object_get(line, "frame") || !get_frame(line, "frame", 0, 0, &frames.first))
        return refuse(r, n, "has no frame");
    if (!get_frame(line, "to", frames.first, RN_TO_THE_END, &frames.last))
        return refuse(r, n, "ends before its frame");
    if (!get_frame(line, "first", 0, 0, &near.first) || near.first > frames.first ||
        !get_frame(line, "last", near.first, RN_TO_THE_END, &near.last) ||
        (near.last != RN_TO_THE_END && near.last < frames.last))
        return refuse(r, n, "has neighbours that its frames are not among");
    int err = apply_change(r, chain, n, &stage, &row);
    if (err || json_object_get(line, "from"))
        return err ? err : ramp(r, *chain, n, stage, row, frames);
    struct rn_app_state *before = r->stroke[r->n - 1].state, *state;
    bool same = !row && !json_object_get(line, "chain");
    state = same ? rn_app_state_with(before, near) : rn_app_state_of(*chain, near);
    if (same && state && rn_app_state_equal(state, before)) {
        rn_app_state_unref(state);
        state = rn_app_state_ref(before);
    }
    return add_stroke(r, frames, state);
}

int rn_app_replay_bind(struct rn_app_replay *r, const struct rn_chain *chain)
{
    RN_OWNED(rn_chain_destroy) struct rn_chain *values = rn_chain_copy(chain);
    int err = values ? rn_chain_assign(&r->named, chain) : RN_EINTERNAL;
    r->state = err ? NULL : rn_app_state_of(values, RN_ALL_FRAMES);
    err = r->state ? add_stroke(r, RN_ALL_FRAMES, rn_app_state_ref(r->state)) : RN_EINTERNAL;
    for (size_t n = 1; n < json_array_size(r->lines) && !err; n++)
        err = apply_line(r, &values, n);
    err = err ? err : rn_app_timeline_paint(&r->frames, r->stroke, r->n);
    while (r->n)
        rn_app_state_unref(r->stroke[--r->n].state);
    free(rn_take_owned(&r->stroke));
    return err;
}

const struct rn_chain *rn_app_replay_named(const struct rn_app_replay *r)
{
    return r->structured ? r->named : NULL;
}

/* ---- states */

/* Changes *chain to a state. *bound: what *chain was bound to is bound to it still. */
static int take_state(const struct rn_app_replay *r, struct rn_chain **chain,
                      const struct rn_app_state *state, bool *bound)
{
    RN_OWNED(rn_chain_destroy) struct rn_chain *other = NULL;
    int err = rn_app_chain_from(&other, state->chain, r->path);
    *bound = !err && rn_chain_binds_alike(*chain, other);
    if (err || *bound)
        return err ? err : rn_app_values_copy(*chain, other);
    rn_chain_destroy(chain);
    *chain = rn_take_owned(&other);
    return 0;
}

int rn_app_replay_check(struct rn_app_replay *r, const struct rn_chain *chain,
                        const struct rn_geom *in, const struct rn_geom *out, bool one_format,
                        rn_app_replay_fits *fits, void *arg)
{
    RN_OWNED(rn_chain_destroy) struct rn_chain *now = rn_chain_copy(chain);
    struct rn_geom before = *out;
    int err = now ? 0 : RN_EINTERNAL;
    free(r->need);
    r->need = calloc(r->frames.n, sizeof *r->need);
    err = err || r->need ? err : rn_fail_memory();
    for (size_t i = 0; i < r->frames.n && !err; i++) {
        const struct rn_app_point *point = &r->frames.point[i];
        struct rn_analysis a;
        rn_log_about("'%s', frame %" PRId64, r->path, point->frame);
        err = take_state(r, &now, point->state, &r->need[i].follows);
        err = err ? err : rn_chain_check_code(now);
        err = err ? err : rn_chain_check(now, in, &a);
        if (!err &&
            (a.out.w != out->w || a.out.h != out->h || (one_format && !rn_geom_equal(&a.out, out))))
            err = rn_fail(RN_EUSAGE, "the filters make pictures of another format or size than at "
                                     "the beginning, and an output has one");
        /* Without a filter that is off now, the format may be another one. */
        r->need[i].follows &= !err && rn_geom_equal(&a.out, &before);
        before = err ? before : a.out;
        err = err || !fits ? err : fits(arg, now, &a, r->need[i].follows);
        r->need[i].delay = err ? 0 : a.delay;
        r->need[i].before = err ? 0 : a.before;
        rn_log_about("%s", "");
    }
    return err;
}

const struct rn_app_timeline *rn_app_replay_frames(const struct rn_app_replay *r)
{
    return &r->frames;
}

int rn_app_replay_reach(const struct rn_app_replay *r)
{
    int reach = 0;
    for (size_t i = 0; i < r->frames.n; i++) {
        int own = r->need[i].delay ? r->need[i].delay + r->need[i].before : 0;
        reach = own > reach ? own : reach;
    }
    return reach;
}

bool rn_app_replay_is_cut(const struct rn_app_replay *r)
{
    bool cut = false;
    for (size_t i = 0; i < r->frames.n; i++)
        cut |= !r->need[i].follows || (r->need[i].delay && r->frames.n > 1);
    return cut;
}

struct rn_app_piece rn_app_replay_piece(const struct rn_app_replay *r, int64_t frame, int64_t most)
{
    size_t i = rn_app_timeline_find(&r->frames, frame), k = i + 1;
    const struct need *need = &r->need[i];
    while (k < r->frames.n && !need->delay && !r->need[k].delay && r->need[k].follows)
        k++;
    int64_t end = k < r->frames.n ? r->frames.point[k].frame - 1 : RN_TO_THE_END;
    struct rn_app_piece piece = {.write = {frame, end < most ? end : most}};
    const struct rn_app_span *near = &r->frames.point[i].state->neighbours;
    int64_t first = frame - (need->delay ? need->before : 0);
    int64_t last = piece.write.last > RN_TO_THE_END - need->delay ? RN_TO_THE_END
                                                                  : piece.write.last + need->delay;
    bool clips = need->delay > 0;
    piece.read.first = clips && near->first > first ? near->first : first;
    piece.read.last = clips && near->last < last ? near->last : last;
    return piece;
}

int rn_app_replay_frame(struct rn_app_replay *r, struct rn_chain **chain, int64_t frame,
                        bool *changed)
{
    bool bound;
    struct rn_app_state *state = r->frames.point[rn_app_timeline_find(&r->frames, frame)].state;
    *changed = state != r->state;
    int err = *changed ? take_state(r, chain, state, &bound) : 0;
    rn_app_state_unref(r->state);
    r->state = rn_app_state_ref(state);
    return err;
}

long long rn_app_replay_beyond(const struct rn_app_replay *r, int64_t frames)
{
    long long beyond = 0;
    for (size_t n = 1; n < json_array_size(r->lines); n++) {
        json_t *line = json_array_get(r->lines, n);
        beyond += (json_object_get(line, "stage") || json_object_get(line, "chain")) &&
                  json_integer_value(json_object_get(line, "frame")) >= frames;
    }
    return beyond;
}
