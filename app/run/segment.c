/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* memfd_create */
#include "app/run/segment.h"

#include <sys/mman.h>

#include "app/run/json.h"
#include "filters/base/output/path.h"
#include "filters/base/output/textfile.h"
#include "filters/base/owned.h"
#include "filters/base/version.h"

#define MOST_PLAN  ((size_t)64 << 20) /* bytes */
#define MOST_COUNT ((int64_t)1 << 48) /* of pictures: sums of a few stay in 64 bits */

int64_t rn_app_plan_cells(int64_t frames, int64_t cell_frames)
{
    return (frames + cell_frames - 1) / cell_frames;
}

/* ---- reading */

static const char *text_of(const json_t *plan, const char *key)
{
    return json_string_value(json_object_get(plan, key));
}

static int64_t number_of(const json_t *plan, const char *key)
{
    const json_t *value = json_object_get(plan, key);
    int64_t number = json_is_integer(value) ? json_integer_value(value) : -1;
    return number < MOST_COUNT ? number : -1;
}

/* Whether the segments follow each other and cover all cells. The plan's key does not tell. */
static bool cover_all_cells(const json_t *segments, int64_t cells)
{
    int64_t end = 0;
    for (size_t i = 0; i < json_array_size(segments); i++) {
        const json_t *segment = json_array_get(segments, i);
        int64_t n = number_of(segment, "cells");
        if (n < 1 || number_of(segment, "first_cell") != end)
            return false;
        end += n;
        if (end > cells)
            return false;
    }
    return end == cells;
}

/* Parses the words of the plan as the command line that they are. */
static int parse_words(struct rn_app_segment *s, const struct rn_app_cli *own,
                       const struct rn_app_command *render)
{
    const struct rn_app_command *const commands[] = {render, NULL};
    const json_t *words = json_object_get(s->plan, "words");
    size_t n = json_array_size(words);
    s->words = calloc(n + 7, sizeof *s->words);
    s->cli = malloc(sizeof *s->cli);
    if (!s->words || !s->cli)
        return rn_fail_memory();
    int argc = 0;
    s->words[argc++] = (char *)"runnel";
    s->words[argc++] = (char *)"render";
    s->words[argc++] = (char *)"--no-config";
    for (size_t i = 0; i < n; i++) {
        const char *word = json_string_value(json_array_get(words, i));
        if (!word)
            return rn_fail(RN_EUSAGE, "'%s' is no plan: its words are no texts", s->path);
        s->words[argc++] = (char *)word;
    }
    s->words[argc++] = (char *)"--";
    s->words[argc++] = (char *)text_of(s->plan, "input");
    s->words[argc++] = (char *)text_of(s->plan, "output");
    rn_log_about("'%s'", s->path);
    int err = rn_app_cli_parse(s->cli, commands, argc, s->words);
    rn_log_about("%s", "");
    if (err)
        return err == RN_END ? RN_EUSAGE : err;
    s->cli->segment = s;
    s->cli->device = own->device ? own->device : s->cli->device;
    s->cli->metrics = own->metrics;
    s->cli->progress = own->progress;
    s->cli->level = own->level;
    s->cli->timeout = own->timeout >= 0 ? own->timeout : s->cli->timeout;
    s->cli->unconfined = own->unconfined;
    s->cli->overwrite = own->overwrite;
    return 0;
}

/* Takes the numbers, and sees whether the plan is whole. */
static int check_plan(struct rn_app_segment *s)
{
    const json_t *plan = s->plan;
    const char *key = text_of(plan, "key"), *library = text_of(plan, "library");
    s->parts.frames = number_of(plan, "frames");
    s->parts.cell_frames = number_of(plan, "cell_frames");
    s->parts.first_index = number_of(plan, "first_index");
    s->parts.first_pts = json_integer_value(json_object_get(plan, "first_pts"));
    bool whole = number_of(plan, "plan") == RN_PLAN_FORMAT && key && library &&
                 text_of(plan, "version") && text_of(plan, "input") && text_of(plan, "output") &&
                 s->parts.frames > 0 && s->parts.cell_frames > 0 && s->parts.first_index >= 0 &&
                 cover_all_cells(json_object_get(plan, "segments"),
                                 rn_app_plan_cells(s->parts.frames, s->parts.cell_frames));
    int err = whole ? rn_app_json_digest(plan, s->parts.key) : 0;
    if (err)
        return err;
    if (!whole || strcmp(key, s->parts.key) != 0)
        return rn_fail(RN_EUSAGE, "'%s' is no plan, or was changed: `runnel plan` makes one",
                       s->path);
    if (strcmp(text_of(plan, "version"), RN_VERSION) != 0 || strcmp(library, rn_io_library()) != 0)
        return rn_fail(
            RN_EUSAGE,
            "'%s' is of runnel %s with %s; this is %s with %s, and would make other bytes", s->path,
            text_of(plan, "version"), library, RN_VERSION, rn_io_library());
    return 0;
}

int rn_app_segment_read(struct rn_app_segment *s, const char *path, const struct rn_app_cli *cli,
                        const struct rn_app_command *render)
{
    char *text, why[RN_TEXT_WHY];
    json_error_t error;
    *s = (struct rn_app_segment){.path = path};
    int err = rn_text_read(&text, path, MOST_PLAN, why);
    if (err)
        return err == RN_EUSAGE ? rn_fail(err, "cannot read the plan '%s': %s", path, why) : err;
    s->plan = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    free(text);
    err = check_plan(s);
    err = err ? err : parse_words(s, cli, render);
    if (err)
        return err;
    const char *output = s->cli->operand[1], *slash = strrchr(output, '/');
    s->dir = cli->parts.dir ? strdup(cli->parts.dir) : rn_path_beside(output, ".");
    s->name = strdup(slash ? slash + 1 : output);
    s->parts.dir = s->cli->parts.dir = s->dir;
    s->parts.name = s->name;
    s->end = rn_app_plan_cells(s->parts.frames, s->parts.cell_frames);
    return s->dir && s->name ? 0 : rn_fail_memory();
}

void rn_app_segment_free(struct rn_app_segment *s)
{
    rn_write_cells_close(&s->cells);
    for (int i = 0; i < s->parts.ntables; i++)
        if (!s->joins)
            close(s->parts.table[i].fd);
    json_decref(s->plan);
    free(s->words);
    free(s->cli);
    free(s->dir);
    free(s->name);
}

/* ---- the run */

struct rn_app_span rn_app_segment_frames(const struct rn_app_segment *s)
{
    const struct rn_write_parts *p = &s->parts;
    int64_t end = s->end * p->cell_frames;
    end = end < p->frames ? end : p->frames;
    return (struct rn_app_span){p->first_index + s->first * p->cell_frames,
                                p->first_index + end - 1};
}

struct rn_app_span rn_app_segment_neighbours(const struct rn_app_segment *s,
                                             const struct rn_app_session *session)
{
    struct rn_app_span span = rn_app_segment_frames(s);
    const struct rn_write_parts *p = &s->parts;
    const struct rn_app_replay *replay = session->replay;
    int64_t last = p->first_index + p->frames - 1;
    if (replay && rn_app_replay_is_cut(replay)) {
        span.first = rn_app_replay_piece(replay, span.first, span.last).read.first;
        span.last += rn_app_replay_reach(replay);
    } else {
        span.first -= session->analysis.before;
        span.last += session->analysis.delay;
    }
    span.first = span.first > p->first_index ? span.first : p->first_index;
    span.last = span.last < last ? span.last : last;
    return span;
}

/* A filter writes to memory what its segment's cells get. */
static int divert_table(struct rn_app_segment *s, struct rn_chain *chain, int stage,
                        const struct rn_param *row)
{
    struct rn_write_table *table = &s->parts.table[s->parts.ntables];
    const char *path = rn_param_text(row, rn_chain_stage(chain, stage)->params);
    char name[32];
    if (s->joins) {
        int err = strcmp(path, "-") != 0 ? rn_textout_check(path) : 0;
        err = err ? err : rn_textout_open(&s->table[s->parts.ntables++], path);
        table->to = err ? NULL : s->table[s->parts.ntables - 1]->stream;
        return err;
    }
    table->fd = memfd_create("runnel-table", 0); /* what is closed on exec has no name */
    if (table->fd < 0)
        return rn_fail_memory();
    s->parts.ntables++;
    snprintf(name, sizeof name, "/dev/fd/%d", table->fd);
    return rn_chain_set(chain, stage, row->name, name);
}

static int divert_tables(struct rn_app_segment *s, struct rn_chain *chain)
{
    _Static_assert(RN_CELL_TABLES >= RN_MAX_STAGES, "each stage has one");
    int err = 0;
    for (int i = 0; i < rn_chain_count(chain); i++) {
        const struct rn_stage *stage = rn_chain_stage(chain, i);
        for (const struct rn_param *row = stage->table; row->name && !err; row++)
            if (row->file == RN_FILE_WRITTEN && *rn_param_text(row, stage->params))
                err = divert_table(s, chain, i, row);
    }
    return err;
}

int rn_app_segment_end(struct rn_app_segment *s, int err, bool complete)
{
    enum rn_text_end end = complete ? RN_TEXT_COMPLETE : RN_TEXT_ABANDON;
    for (int i = 0; i < RN_CELL_TABLES; i++)
        err = rn_first_error(err, rn_textout_close(&s->table[i], end));
    return err;
}

int rn_app_segment_begin(struct rn_app_segment *s, const struct rn_app_session *session)
{
    char md5[RN_DIGEST];
    const char *input = s->cli->operand[0];
    int err = rn_read_sign(session->source, md5);
    if (err)
        return err;
    const char *planned = text_of(s->plan, "source");
    if (!planned || strcmp(planned, md5) != 0)
        return rn_fail(RN_EINPUT, "'%s' is another file than when '%s' was made", input, s->path);
    const json_t *md5s = json_object_get(s->plan, "files"), *value;
    const char *path;
    json_object_foreach((json_t *)md5s, path, value)
    {
        err = rn_io_digest_file(path, md5);
        if (!err && strcmp(md5, json_string_value(value) ? json_string_value(value) : "") != 0)
            err = rn_fail(RN_EINPUT, "'%s' is another file than when '%s' was made", path, s->path);
        if (err)
            return err;
    }
    return divert_tables(s, session->chain);
}

int rn_app_segment_seek(const struct rn_app_segment *s, const struct rn_app_session *session)
{
    int64_t first = rn_app_segment_neighbours(s, session).first;
    int err = first == s->parts.first_index ? 0 : rn_read_seek_frame(session->source, first);
    return err == RN_EUSAGE
               ? rn_fail(RN_EINPUT, "'%s' cannot seek: it cannot be cut", s->cli->operand[0])
               : err;
}
