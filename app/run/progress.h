/* SPDX-License-Identifier: MIT */
/* Shows the progress of a run: a line for people on stderr, JSON lines for programs (--progress).
 *
 * A terminal line is redrawn twice a second; elsewhere a plain line is printed every 10 seconds.
 * All functions accept NULL and may be called from any thread. */
#pragma once

#include "io/read/source.h"

struct rn_app_progress;

/* path: file for the JSON lines, "-" for stdout, or NULL; see rn_growing_open. May wait for the
 * reader of a named pipe. Returns 0, RN_EOUTPUT or RN_EINTERNAL (logged). */
int rn_app_progress_open(struct rn_app_progress **progress, const char *path);
void rn_app_progress_close(struct rn_app_progress **progress);

/* Call before the first frame is read. final_only: people get the final line alone, because data
 * go to the same terminal. since: when what the final line tells of has begun. */
void rn_app_progress_start(struct rn_app_progress *progress, const struct rn_io_stream *stream,
                           bool final_only, double since);

/* Call after a frame was written. */
void rn_app_progress_frame(struct rn_app_progress *progress, const struct rn_frame *frame);

/* Prints the final line for people. Returns RN_EOUTPUT if a JSON line could not be written (logged;
 * the run goes on without them), else 0. A closed pipe is no failure. */
int rn_app_progress_final(struct rn_app_progress *progress);

/* Prints the final lines that were not printed yet. status: exit status of the program; output: the
 * path of the result, or NULL. Only the first call counts. Returns as rn_app_progress_final. */
int rn_app_progress_end(struct rn_app_progress *progress, int status, const char *output);

/* Writes the final JSON line, with event and status alone, before the process is killed.
 * Async-signal-safe. */
void rn_app_progress_give_up(int status);

/* After rn_app_json_describe: prints the schema of a JSON line. Returns 0 or an error (logged). */
int rn_app_progress_describe(void);
