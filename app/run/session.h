/* SPDX-License-Identifier: MIT */
/* Opens what a chain needs to run over an input, in this order: chain, input, devices, pool or
 * runner; and closes it. Commands that stream and the preview share it. */
#pragma once

#include "app/cli.h"
#include "app/run/recording/record.h"
#include "filters/core/pool/pool.h"

struct rn_app_session {
    const struct rn_app_cli *cli;
    const char *output; /* as files and sinks name it; NULL: none */
    /* Set by the caller after rn_app_session_read: */
    bool on_demand;                 /* no device is opened before the chain has a filter */
    struct rn_losses *losses;       /* owned by the caller; or NULL */
    struct rn_write_passes *passes; /* likewise */
    /* After rn_app_session_read. */
    struct rn_chain *chain; /* the current settings; the runner has a copy */
    struct rn_app_replay *replay;
    struct rn_chain *first; /* of a replay; NULL: there is none */
    /* After rn_app_session_open_input. */
    struct rn_read_source *source;
    const struct rn_io_stream *stream;
    struct rn_analysis analysis; /* of the chain, for this input */
    struct rn_write_opts write;  /* of the command line, completed by --for and passes */
    char write_text[RN_WRITE_PLAN];
    /* After rn_app_session_open_devices. */
    struct rn_device *device[RN_MAX_DEVICES]; /* all different */
    int ndevices;                             /* 0: the C reference path */
    bool devices_opened;                      /* even if there are none */
    struct rn_device *runner_device; /* of the runner alone, closed after it; NULL: device[0] */
    struct rn_runner *runner;        /* of a preview */
    struct rn_pool *pool;            /* after rn_app_session_bind_pool */
    int64_t next_frame;              /* behind the last one written; 0: none was written */
    char key[RN_DIGEST], glance[RN_DIGEST]; /* of --skip-complete (app/run/segment.h); "": none */
};

/* Changes the chain for a command, before it is checked. Returns 0 or an error (logged). */
typedef int rn_app_amend_fn(void *arg, struct rn_chain *chain, const struct rn_app_cli *cli);

/* Prepares the process, parses the chain of the command line and checks the files of the run. Opens
 * none. cli: outlives the session. amend: may be NULL. Returns 0 or an error (logged). */
int rn_app_session_read(struct rn_app_session *session, const struct rn_app_cli *cli,
                        const char *output, rn_app_amend_fn *amend, void *arg);

/* A chain that names all files which the filters of the run read or write. */
const struct rn_chain *rn_app_session_named(const struct rn_app_session *session);

/* Opens the input and checks the chain for it. pictures_only: ignores other streams. Returns 0 or
 * an error (logged). */
int rn_app_session_open_input(struct rn_app_session *session, bool pictures_only);

/* Names the options of the command line that have nothing to do. The input is open. */
void rn_app_session_tell_idle(const struct rn_app_session *session);

/* Opens the devices that the command line names, or none where none is needed. max: how many the
 * command can use. Returns 0, RN_EUSAGE or RN_EDEVICE (logged). */
int rn_app_session_open_devices(struct rn_app_session *session, int max);

/* Closes the devices. Returns 0 or RN_EINTERNAL (logged). */
int rn_app_session_close_devices(struct rn_app_session *session);

/* Gets the bytes that frames in flight may take, beside those of the decoder: `least` or more.
 * Returns 0, or RN_EINPUT (logged) if these do not fit the memory (--memory). */
int rn_app_session_memory(const struct rn_app_session *session, int64_t least, int64_t *memory);

/* Binds the chain to a pool on the devices, for throughput. The preview uses runners instead:
 * app/play/runners/runners.h. Returns 0 or an error (logged). */
int rn_app_session_bind_pool(struct rn_app_session *session);

/* Opens the pool alone, after rn_app_session_renew for the next piece of a recording. Likewise. */
int rn_app_session_open_pool(struct rn_app_session *session);

/* Arms rn_app_kernel_crash before the kernels of a chain are built on a device. Any thread. */
void rn_app_session_arm(const struct rn_chain *chain);

/* Checks that the chain accepts the pictures of the input and their order. Returns 0, with the
 * analysis, or an error (logged). */
int rn_app_session_check(const struct rn_app_session *session, const struct rn_chain *chain,
                         struct rn_analysis *analysis);

/* Refuses a chain that writes a table, which another runner would truncate: RN_EUSAGE (logged). */
int rn_app_session_check_tables(const struct rn_chain *chain);

/* Opens the device of the command line, or the default one, for the first chain that needs one.
 * Returns 0 or an error (logged). */
int rn_app_session_need_device(struct rn_app_session *session, const struct rn_chain *chain);

/* Whether the current chain cannot be replaced. */
bool rn_app_session_is_bound(const struct rn_app_session *session);

/* Closes the runner and the input. */
void rn_app_session_close_input(struct rn_app_session *session);

/* Opens the input for its pictures alone, with exact frame indices, unchecked. Any thread. Returns
 * 0 or an error (logged). */
int rn_app_session_open_source(struct rn_app_session *session);

/* After rn_read_resume: closes the pool and checks the chain for pictures of the new size. The
 * caller then calls rn_app_session_bind_pool. Returns 0 or an error (logged). */
int rn_app_session_renew(struct rn_app_session *session);

/* Closes all and parses the chain for another run. Returns 0 or an error (logged). */
int rn_app_session_rewind(struct rn_app_session *session);

/* Close everything down to the input; then chain and replay. err: of the run so far. Returns the
 * first error. Both may be called in any state. */
int rn_app_session_close(struct rn_app_session *session, int err);
void rn_app_session_forget(struct rn_app_session *session);

/* ---- run.c: runs render and stats, from the parsed command line to the closed output. */

/* Hooks of a command. Each may be NULL; returns 0 or an error (logged), which ends the run. */
struct rn_app_run_hooks {
    void *arg; /* for all hooks */
    rn_app_amend_fn *amend;
    /* Called after the chain is bound to the devices and before the first frame. */
    int (*bound)(void *arg, struct rn_pool *pool);
};

/* Reads frames of the first operand, filters them and writes them to output. hooks: NULL = none.
 * Returns 0, an error (logged), or -(128 + signal). */
int rn_app_run(const struct rn_app_cli *cli, const char *output,
               const struct rn_app_run_hooks *hooks);
