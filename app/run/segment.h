/* SPDX-License-Identifier: MIT */
/* A run in parts. A plan names input, output, options and the segments; processes render these,
 * each some cells of the output (io/write/cells.h), on any devices and hosts; one joins them. The
 * output is, byte for byte, that of one run.
 *
 * Frames that a segment does not write, but its chain looks at, are read before and behind it. */
#pragma once

#include <jansson.h>

#include "app/run/pipeline.h"
#include "app/run/session.h"
#include "filters/base/output/textout.h"
#include "io/write/cells.h"

struct rn_app_segment {
    json_t *plan;
    const char *path;       /* of the plan */
    struct rn_app_cli *cli; /* of `render` with the plan's words */
    char **words;
    char *dir, *name; /* of the files of cells */
    struct rn_write_parts parts;
    struct rn_write_cells *cells;
    bool joins;                               /* the cells are read */
    struct rn_textout *table[RN_CELL_TABLES]; /* of what is joined */
    int64_t first, end;                       /* cells of the segment; end: behind the last one */
};

#define RN_PLAN_FORMAT 1
#define RN_JOIN_SINCE  "RUNNEL_JOIN_SINCE" /* environment of a join: when its render began, us */

/* How many cells a run of so many frames has. */
int64_t rn_app_plan_cells(int64_t frames, int64_t cell_frames);

/* Reads a plan. cli: of the command, whose options of device and reports replace those of the plan;
 * outlives the segment. render: the command. Returns 0, RN_EUSAGE (logged: it is no plan, or one
 * of other versions) or RN_EINTERNAL. The caller frees the segment in any case. */
int rn_app_segment_read(struct rn_app_segment *segment, const char *path,
                        const struct rn_app_cli *cli, const struct rn_app_command *render);
void rn_app_segment_free(struct rn_app_segment *segment);

/* After the input was opened: checks that it is that of the plan. The tables of its filters go to
 * the cells, and come from there. Returns 0, RN_EINPUT, RN_EOUTPUT or RN_EINTERNAL (logged). */
int rn_app_segment_begin(struct rn_app_segment *segment, const struct rn_app_session *session);

/* Goes to the first frame that the segment needs, after rn_app_session_bind_pool. Returns 0,
 * RN_EINPUT or RN_EINTERNAL (logged). */
int rn_app_segment_seek(const struct rn_app_segment *segment, const struct rn_app_session *session);

/* Ends the tables of what was joined. err: of the run so far. Returns the first error. */
int rn_app_segment_end(struct rn_app_segment *segment, int err, bool complete);

/* The frames that the segment writes, and with those that its chain looks at. */
struct rn_app_span rn_app_segment_frames(const struct rn_app_segment *segment);
struct rn_app_span rn_app_segment_neighbours(const struct rn_app_segment *segment,
                                             const struct rn_app_session *session);

/* ---- identity.c: what the bytes of an output depend on: input, files, chain, options, versions;
 * never the device, nor where the files lie. */

/* Options that decide, as words of a command line, the chain as text. plan: also those of the
 * pipeline, and the number of threads, which decides some encoders' bytes. NULL: out of memory. */
json_t *rn_app_identity_words(const struct rn_app_session *session, bool plan);

/* The files that the run reads beside its input: their names and what is in them. Returns 0,
 * RN_EINPUT or RN_EINTERNAL (logged). *files is to be freed in any case. */
int rn_app_identity_files(const struct rn_app_session *session, json_t **files);

/* Whether OUTPUT is there, complete, and what this run would make: then *complete is set. Call it
 * when the input is open, for an output that is one file. Returns 0, RN_EUSAGE, RN_EINPUT,
 * RN_EOUTPUT (logged: another file of that name is there, and may not be overwritten) or
 * RN_EINTERNAL. */
int rn_app_identity_find(struct rn_app_session *session, bool *complete);

/* A copy of text with stem in the place of each {}; stem NULL: as it is. The caller frees it. NULL
 * when out of memory. */
char *rn_app_fill(const char *text, const char *stem);

/* The same for the value of an option, that of cli->given. In a chain values alone are filled, as
 * they are, and quoted. NULL (logged): it is no chain then. */
char *rn_app_fill_option(const struct rn_app_cli *cli, int given, const char *stem);

/* The mark of a complete file: what it was made of, its size and its time, in the attribute
 * user.runnel. */

/* Whether path has a mark, and still is what was marked. key, glance: of what; NULL = anything. */
bool rn_app_mark_is_there(const char *path, const char *key, const char *glance);

/* The command line, with stem in the place of each {} (NULL: with none), and the size and time of
 * the input. Where they are as they were when output was made of nothing else, no input has to be
 * opened. False: INPUT is not one file. */
bool rn_app_glance(const struct rn_app_cli *cli, const char *input, const char *output,
                   const char *stem, char glance[RN_DIGEST]);

/* Marks what was made; a failure is a warning. glance: "-" where it does not decide. */
void rn_app_mark_set(const char *path, const char *key, const char *glance);
void rn_app_mark_remove(const char *path);
