/* One file of the output: it is opened, the frames of the input go through the chain into it, it is
 * closed. A run has one; with --on-change split one for each size and shape of the pictures. */
#ifndef RN_APP_RUN_OUTPUT_H
#define RN_APP_RUN_OUTPUT_H

#include "app/run/pipeline.h"
#include "app/run/progress.h"
#include "app/run/session.h"

struct rn_write_sink;

struct rn_app_output {
    char *name; /* as files and sinks name it */
    /* What became of it: */
    int w, h;         /* of its pictures */
    char *path;       /* where it stands; NULL: nowhere */
    bool complete;    /* every frame was written, and it has its own name */
    bool streamed;    /* the pipeline ran: what follows is valid */
    int64_t last;     /* the number of the frame that came last; -1: none */
    double encode;    /* seconds; includes the closing */
    int64_t no_sound; /* packets of sound that could not be decoded to be converted */
    struct rn_app_meter meter;
    struct rn_timings timings;
    struct rn_io_ledger ledger; /* in: of the whole input so far */

    struct rn_write_sink *sink;
};

/* The name of file n, which counts from 1, of a run to output: NAME.EXT, NAME-2.EXT, NAME-3.EXT...
 * The caller frees it. NULL when out of memory. */
char *rn_app_output_name(const char *output, int n);

/* All that can be said against a file before kernels are built for it: rn_write_check_options. */
int rn_app_output_check(const struct rn_app_session *session, const char *name);

/* Opens the file for the pictures that the session, which is bound, will give. out: zeroed; takes
 * name. The caller frees it in any case. Returns 0 or an error (logged). */
int rn_app_output_open(struct rn_app_output *out, const struct rn_app_session *session, char *name);

/* Writes all frames until the source ends, and closes the file. What was written until a failure or
 * a signal is kept as NAME.partial.EXT. Returns 0 or an error (logged). */
int rn_app_output_write(struct rn_app_output *out, struct rn_app_session *session,
                        struct rn_app_progress *progress);

void rn_app_output_free(struct rn_app_output *out);

#endif
