#include "app/record.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filters/core/err.h"
#include "filters/core/log.h"
#include "filters/core/outfile.h"

struct rn_record {
    struct rn_outfile out;
    FILE *f;
    struct {
        void *params;
        bool on;
    } last[RN_MAX_STAGES];
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

static int remember(struct rn_record *r, const struct rn_chain *chain)
{
    for (int i = 0; i < chain->n; i++) {
        const struct rn_stage *s = chain->stage[i];
        if (!r->last[i].params && !(r->last[i].params = malloc(s->params_size)))
            return rn_fail_memory();
        memcpy(r->last[i].params, s->params, s->params_size);
        r->last[i].on = s->on;
    }
    return 0;
}

int rn_record_create(struct rn_record **record, const char *path, const struct rn_chain *chain)
{
    struct rn_record *r = calloc(1, sizeof *r);
    if (!r)
        return rn_fail_memory();
    int err = rn_outfile_allowed(path);
    err = err ? err : rn_outfile_begin(&r->out, path);
    if (!err && !(r->f = fopen(r->out.temp, "w")))
        err = rn_fail(RN_EOUTPUT, "cannot write '%s': %s", path, strerror(errno));
    char *text = err ? NULL : rn_chain_format(chain);
    err = err ? err : write_line(r, json_pack("{s:s?}", "chain", text));
    free(text);
    err = err ? err : remember(r, chain);
    *record = r;
    if (err)
        rn_record_close(record);
    return err;
}

int rn_record_frame(struct rn_record *r, const struct rn_chain *chain, int64_t frame)
{
    for (int i = 0; i < chain->n; i++) {
        const struct rn_stage *s = chain->stage[i];
        int err = s->on == r->last[i].on
                      ? 0
                      : write_line(r, json_pack("{s:I,s:i,s:b}", "frame", (json_int_t)frame,
                                                "stage", i, "on", s->on));
        for (const struct rn_param *row = s->table; row->name && !err; row++) {
            char now[64], then[64];
            if (row->fixed)
                continue;
            rn_param_format(row, s->params, now, sizeof now);
            rn_param_format(row, r->last[i].params, then, sizeof then);
            if (strcmp(now, then) != 0)
                err = write_line(r, json_pack("{s:I,s:i,s:s,s:s}", "frame", (json_int_t)frame,
                                              "stage", i, "param", row->name, "value", now));
        }
        if (err)
            return err;
    }
    return remember(r, chain);
}

int rn_record_close(struct rn_record **record)
{
    struct rn_record *r = *record;
    int err = 0;
    if (!r)
        return 0;
    if (r->f && fclose(r->f))
        err = rn_fail(RN_EOUTPUT, "cannot write '%s': %s", r->out.path, strerror(errno));
    if (r->f && !err)
        err = rn_outfile_commit(&r->out, false);
    rn_outfile_free(&r->out);
    for (int i = 0; i < RN_MAX_STAGES; i++)
        free(r->last[i].params);
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

static int read_lines(struct rn_replay *r, FILE *f)
{
    char *line = NULL;
    size_t size = 0;
    int err = 0, n = 0;
    while (!err && getline(&line, &size, f) >= 0) {
        json_error_t where;
        json_t *object = json_loads(line, 0, &where);
        n++;
        if (!json_is_object(object)) {
            json_decref(object);
            err = rn_fail(RN_EUSAGE, "'%s' line %d is no line of a record", r->path, n);
        } else if (json_array_append_new(r->lines, object)) {
            err = rn_fail_memory();
        }
    }
    free(line);
    return err;
}

int rn_replay_open(struct rn_replay **replay, const char *path, const char **chain_text)
{
    struct rn_replay *r = calloc(1, sizeof *r);
    if (!r)
        return rn_fail_memory();
    r->path = path;
    r->lines = json_array();
    FILE *f = fopen(path, "r");
    int err = f ? read_lines(r, f)
                : rn_fail(RN_EUSAGE, "cannot read the record '%s': %s", path, strerror(errno));
    if (f)
        fclose(f);
    *chain_text = json_string_value(json_object_get(json_array_get(r->lines, 0), "chain"));
    if (!err && !*chain_text)
        err = rn_fail(RN_EUSAGE, "'%s' is no record: its first line has no chain", path);
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
