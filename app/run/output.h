/* SPDX-License-Identifier: MIT */
/* Opens, writes and closes one file of the output. A run has one; with --on-change split, one for
 * each size and shape of the pictures. */
#pragma once

#include "app/run/pipeline.h"
#include "app/run/session.h"
#include "filters/base/threads/stall.h"
#include "io/read/verify.h"

struct rn_app_progress;

/* ---- progress.c: shows the progress of a run: a line for people on stderr, JSON lines for
 * programs (--progress).
 *
 * A terminal line is redrawn twice a second; elsewhere a plain line is printed every 10 seconds.
 * All functions accept NULL and may be called from any thread. */

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

/* Writes the last JSON line, event and status, before the process is killed. Async-signal-safe. */
void rn_app_progress_give_up(int status);

/* After rn_app_json_describe: prints the schema of a JSON line. Returns 0 or an error (logged). */
int rn_app_progress_describe(void);

/* ---- output.c */

struct rn_app_output {
    char *name; /* as files and sinks name it */
    /* Results: */
    int w, h;           /* of its pictures */
    char *path;         /* of the file that was written; NULL: none */
    bool complete;      /* every frame was written, and the file has its own name */
    bool streamed;      /* the pipeline ran: the fields below are valid */
    int64_t last_frame; /* index of the last frame; -1: none */
    double encode;      /* seconds, with closing the file */
    int64_t no_sound;   /* audio packets that could not be decoded for conversion */
    struct rn_app_meter meter;
    struct rn_timings timings;
    struct rn_io_ledger ledger; /* in: of the whole input so far */

    bool joins; /* of segments: it is whole or not there at all */
    struct rn_write_sink *sink;
    struct rn_read_verify *verify; /* NULL: it is not read back */
    enum rn_stall stall;           /* what writing it is */
};

/* The name of file n = 1, 2, 3... of a run: NAME.EXT, NAME-2.EXT, NAME-3.EXT... The caller frees
 * it. NULL when out of memory. */
char *rn_app_output_name(const char *output, int n);

/* Checks the options of a file before kernels are built for it. plan: gets a description of what
 * would be written (rn_write_opts.plan); NULL: none. Returns 0 or an error (logged). */
int rn_app_output_check(const struct rn_app_session *session, const char *name, char *plan);

/* Opens the file for the output of the bound session. out: zeroed; takes name over. The caller
 * frees out in any case. Returns 0 or an error (logged). */
int rn_app_output_open(struct rn_app_output *out, const struct rn_app_session *session, char *name);

/* Writes all frames until the source ends, and closes the file. After an error or a signal, keeps
 * the frames so far as NAME.partial.EXT. Returns 0 or an error (logged). */
int rn_app_output_write(struct rn_app_output *out, struct rn_app_session *session,
                        struct rn_app_progress *progress);

/* In place of the thread that is in rn_app_output_write, when a call has stalled (signals.h): keeps
 * the frames so far, and calls nothing of the device. err: the reason. */
void rn_app_output_stall(struct rn_app_output *out, const struct rn_app_session *session, int err);

void rn_app_output_free(struct rn_app_output *out);
