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
