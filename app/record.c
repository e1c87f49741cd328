#include "app/record.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filters/base/err.h"
#include "filters/base/log.h"
#include "filters/base/outfile.h"
#include "filters/base/textfile.h"

/* What all parameters are from a frame on. */
struct point {
    int64_t frame;
    json_t *state; /* per stage: {"on":BOOL,"params":{NAME:TEXT}} */
};

/* The points stand in the order of their frames, the first at 0. Showing a frame says what its
 * state is, and that of the frames behind it which were not shown yet: those that were keep theirs,
 * so that tuning in a loop changes what was seen again and nothing else. */
struct rn_record {
    struct rn_outfile out;
    FILE *f;
    struct point *point;
    size_t n, room;
    int64_t last; /* frame that was shown last */
    int64_t end;  /* the highest of them */
};

static int write_line(struct rn_record *r, json_t *line)
{
    char *text = line ? json_dumps(line, JSON_COMPACT) : NULL;
    json_decref(line);
    if (!text)
        return rn_fail_memory();
    bool bad = fprintf(r->f, "%s\n", text) < 0;
    free(text);
    return bad ? rn_fail(RN_EOUTPUT, "cannot write '%s': %s", r->out.path, strerror(errno)) : 0;
}

static json_t *state_of(const struct rn_chain *chain)
{
    json_t *state = json_array();
    for (int i = 0; i < chain->n; i++) {
        const struct rn_stage *s = chain->stage[i];
        json_t *params = json_object();
        for (const struct rn_param *row = s->table; row->name; row++) {
            char text[64];
            if (!row->fixed)
                json_object_set_new(
                    params, row->name,
                    json_string(rn_param_format(row, s->params, text, sizeof text)));
        }
        json_array_append_new(state, json_pack("{s:b,s:o}", "on", s->on, "params", params));
    }
    return state;
}

/* The last point at or before frame. */
static size_t find(const struct rn_record *r, int64_t frame)
{
    size_t i = r->n - 1;
    while (i && r->point[i].frame > frame)
        i--;
    return i;
}

/* Puts a point before point i. */
static int insert(struct rn_record *r, size_t i, int64_t frame, json_t *state)
{
    if (r->n == r->room) {
        size_t room = r->room ? 2 * r->room : 64;
        struct point *more = realloc(r->point, room * sizeof *more);
        if (!more)
            return rn_fail_memory();
        r->point = more;
        r->room = room;
    }
    memmove(r->point + i + 1, r->point + i, (r->n - i) * sizeof *r->point);
    r->point[i] = (struct point){frame, json_incref(state)};
    r->n++;
    return 0;
}

static void drop(struct rn_record *r, size_t i)
{
    json_decref(r->point[i].state);
    memmove(r->point + i, r->point + i + 1, (--r->n - i) * sizeof *r->point);
}

/* The frames first to last have this state; so have those behind it that were not shown yet. */
static int put(struct rn_record *r, int64_t first, int64_t last, json_t *state)
{
    size_t i = find(r, last);
    if (r->point[i].frame <= first && json_equal(r->point[i].state, state))
        return 0;
    int err = 0;
    if (last < r->end && (i + 1 == r->n || r->point[i + 1].frame != last + 1))
        err = insert(r, i + 1, last + 1, r->point[i].state);
    for (; !err && i && r->point[i].frame >= first; i--)
        drop(r, i);
    if (!err && i == 0 && r->point[0].frame == first) {
        json_decref(r->point[0].state);
        r->point[0].state = json_incref(state);
    } else if (!err && !json_equal(r->point[i].state, state)) {
        err = insert(r, ++i, first, state);
    }
    if (!err && i + 1 < r->n && json_equal(r->point[i + 1].state, state))
        drop(r, i + 1);
    return err;
}

int rn_record_create(struct rn_record **record, const char *path, const struct rn_chain *chain)
{
    struct rn_record *r = calloc(1, sizeof *r);
    if (!r)
        return rn_fail_memory();
    r->last = r->end = -1;
    int err = rn_outfile_allowed(path);
    err = err ? err : rn_outfile_begin(&r->out, path);
    if (!err && !(r->f = fopen(r->out.temp, "w")))
        err = rn_fail(RN_EOUTPUT, "cannot write '%s': %s", path, strerror(errno));
    char *text = err ? NULL : rn_chain_format(chain);
    err = err ? err : write_line(r, json_pack("{s:s?}", "chain", text));
    free(text);
    json_t *state = state_of(chain);
    err = err ? err : insert(r, 0, 0, state);
    json_decref(state);
    *record = r;
    if (err)
        rn_record_close(record, false);
    return err;
}

int rn_record_frame(struct rn_record *r, const struct rn_chain *chain, int64_t frame, bool follows)
{
    json_t *state = state_of(chain);
    int err = put(r, follows && frame > r->last ? r->last + 1 : frame, frame, state);
    json_decref(state);
    r->last = frame;
    r->end = frame > r->end ? frame : r->end;
    return err;
}

/* The lines that lead from one state of a stage to the next. */
static int write_changes(struct rn_record *r, int64_t frame, int stage, json_t *then, json_t *now)
{
    json_t *on = json_object_get(now, "on"), *value;
    const char *name;
    int err = 0;
    if (!json_equal(on, json_object_get(then, "on")))
        err = write_line(
            r, json_pack("{s:I,s:i,s:O}", "frame", (json_int_t)frame, "stage", stage, "on", on));
    json_object_foreach(json_object_get(now, "params"), name, value)
    {
        if (!err && !json_equal(value, json_object_get(json_object_get(then, "params"), name)))
            err = write_line(r, json_pack("{s:I,s:i,s:s,s:O}", "frame", (json_int_t)frame, "stage",
                                          stage, "param", name, "value", value));
    }
    return err;
}

static int write_points(struct rn_record *r)
{
    int err = 0;
    for (size_t i = 1; i < r->n; i++)
        for (size_t s = 0; s < json_array_size(r->point[i].state) && !err; s++)
            err = write_changes(r, r->point[i].frame, (int)s,
                                json_array_get(r->point[i - 1].state, s),
                                json_array_get(r->point[i].state, s));
    return err;
}

int rn_record_close(struct rn_record **record, bool keep)
{
    struct rn_record *r = *record;
    if (!r)
        return 0;
    int err = r->f && keep ? write_points(r) : 0;
    if (r->f && fclose(r->f) && !err)
        err = rn_fail(RN_EOUTPUT, "cannot write '%s': %s", r->out.path, strerror(errno));
    if (r->f && keep && !err)
        err = rn_outfile_commit(&r->out, false);
    rn_outfile_free(&r->out);
    while (r->n)
        drop(r, r->n - 1);
    free(r->point);
    free(r);
    *record = NULL;
    return err;
}

/* ---- replay */

struct rn_replay {
    json_t *lines; /* array of the objects */
    size_t next;
    const char *path;
};

#define MAX_RECORD ((size_t)256 << 20) /* bytes */

/* Takes text apart in place: every line is an object. */
static int parse_lines(struct rn_replay *r, char *text)
{
    int err = 0, n = 0;
    for (char *line = text, *next; *line && !err; line = next) {
        next = line + strcspn(line, "\n");
        if (*next)
            *next++ = '\0';
        json_t *object = json_loads(line, 0, NULL);
        n++;
        if (!json_is_object(object)) {
            json_decref(object);
            err = rn_fail(RN_EUSAGE, "'%s' line %d is no line of a record", r->path, n);
        } else if (json_array_append_new(r->lines, object)) {
            err = rn_fail_memory();
        }
    }
    return err;
}

static int read_lines(struct rn_replay *r)
{
    char *text, why[RN_TEXT_WHY];
    int err = rn_text_read(&text, r->path, MAX_RECORD, why);
    if (err == RN_EUSAGE)
        rn_fail(err, "cannot read the record '%s': %s", r->path, why);
    err = err ? err : parse_lines(r, text);
    free(text);
    return err;
}

int rn_replay_open(struct rn_replay **replay, const char *path, const char **chain_text)
{
    struct rn_replay *r = calloc(1, sizeof *r);
    if (!r)
        return rn_fail_memory();
    r->path = path;
    r->lines = json_array();
    int err = read_lines(r);
    *chain_text = json_string_value(json_object_get(json_array_get(r->lines, 0), "chain"));
    if (!err && !*chain_text)
        err = rn_fail(RN_EUSAGE, "'%s' is no record: its first line has no chain", path);
    if (!err && **chain_text == '@')
        err = rn_fail(RN_EUSAGE, "'%s' names the chain file '%s'; only -f may do that", path,
                      *chain_text + 1);
    r->next = 1;
    *replay = r;
    if (err)
        rn_replay_close(replay);
    return err;
}

void rn_replay_close(struct rn_replay **replay)
{
    if (!*replay)
        return;
    json_decref((*replay)->lines);
    free(*replay);
    *replay = NULL;
}

static int apply(const struct rn_replay *r, struct rn_chain *chain, json_t *line)
{
    json_t *on = json_object_get(line, "on");
    const char *name = json_string_value(json_object_get(line, "param"));
    const char *value = json_string_value(json_object_get(line, "value"));
    json_int_t i = json_integer_value(json_object_get(line, "stage"));
    if (!json_is_integer(json_object_get(line, "stage")) || i < 0 || i >= chain->n)
        return rn_fail(RN_EUSAGE, "'%s' line %zu names no stage of the chain", r->path,
                       r->next + 1);
    struct rn_stage *stage = chain->stage[i];
    if (json_is_boolean(on)) {
        stage->on = json_is_true(on);
        return 0;
    }
    const struct rn_param *row = name ? rn_param_find(stage->table, name) : NULL;
    if (!row || row->fixed || !value)
        return rn_fail(RN_EUSAGE, "'%s' line %zu changes nothing that '%s' has", r->path,
                       r->next + 1, stage->desc->name);
    return rn_param_parse(row, stage->desc->name, value, stage->params);
}

int rn_replay_frame(struct rn_replay *r, struct rn_chain *chain, int64_t frame, bool *changed)
{
    *changed = false;
    for (; r->next < json_array_size(r->lines); r->next++) {
        json_t *line = json_array_get(r->lines, r->next);
        json_t *at = json_object_get(line, "frame");
        if (!json_is_integer(at))
            return rn_fail(RN_EUSAGE, "'%s' line %zu has no frame", r->path, r->next + 1);
        if (json_integer_value(at) > frame)
            break;
        int err = apply(r, chain, line);
        if (err)
            return err;
        *changed = true;
    }
    return 0;
}
