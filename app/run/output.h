/* SPDX-License-Identifier: MIT */
/* Opens, writes and closes one file of the output. A run has one; with --on-change split, one for
 * each size and shape of the pictures. */
#pragma once

#include "app/run/pipeline.h"
#include "app/run/progress.h"
#include "app/run/session.h"
#include "io/read/verify.h"
#include "filters/base/threads/stall.h"

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
