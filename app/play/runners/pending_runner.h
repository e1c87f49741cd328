/* SPDX-License-Identifier: MIT */
/* A pending runner: one that is being made for a chain, a device, the pictures of an input and a
 * number of slots. The player requests it, and goes on with the runner that it has, while the job
 * thread opens the input if need be, builds the kernels and allocates the slots; it polls the
 * pending one, and takes it once it is ready, or cancels it at any time. Nothing else of the
 * preview opens a runner or builds a kernel. All functions belong to the player's thread. */
#pragma once

#include "app/play/runners/jobs.h"
#include "app/run/session.h"

struct rn_play_pending;

enum rn_play_pending_kind {
    /* The first runner of the session: on its device itself, and not started. A crash of the driver
     * may start the program again. All others have a device of their own, the session's opened once
     * more, so that nobody waits for another's commands; they keep their frames and measure. */
    RN_PENDING_FIRST,
    /* Beside the session's runner, and with as many slots as that one at least. */
    RN_PENDING_BESIDE,
    /* For another input, which is opened for it. */
    RN_PENDING_INPUT,
    /* For all pictures of the session's input once more, in a source of its own. */
    RN_PENDING_SWEEP,
};

struct rn_play_pending_request {
    enum rn_play_pending_kind kind;
    struct rn_app_session *session; /* its devices stay open until no job runs */
    const struct rn_chain *chain;   /* copied; the first one that needs a device opens it */
    int slots;                      /* without those for the neighbours that frames depend on */
    const char *input;              /* RN_PENDING_INPUT: its name; copied */
    struct rn_read_source *source;  /* RN_PENDING_SWEEP: borrowed; NULL: to be opened */
};

/* Returns 0 or an error (logged): the chain does not fit the input, or no device opens. */
int rn_play_pending_request(struct rn_play_pending **pending, struct rn_play_jobs *jobs,
                            const struct rn_play_pending_request *request);

/* Polls the runner, and requests one unless it is open then. chain of the request: the wanted
 * settings. *ready and the result: as of rn_play_pending_poll, or of the request. */
int rn_play_pending_get(struct rn_play_pending **pending, struct rn_play_jobs *jobs,
                        const struct rn_play_pending_request *request, bool *ready);

/* Whether it is made, or could not be: NULL: no. */
bool rn_play_pending_is_ready(const struct rn_play_pending *pending);

/* Whether it is ready and has the settings of `wanted`, which its runner is given where it can take
 * them. One that is ready and cannot be of use is cancelled: the caller requests another one.
 * Returns 0, or the error because of which the wanted settings cannot be had (rn_log_last).
 * *pending may be NULL: not ready. */
int rn_play_pending_poll(struct rn_play_pending **pending, const struct rn_chain *wanted,
                         bool *ready);

/* Of one that is ready: its runner; and the delay of its chain. */
struct rn_runner *rn_play_pending_runner(const struct rn_play_pending *pending);
int rn_play_pending_delay(const struct rn_play_pending *pending);

/* Takes the runner, and its device (NULL: it has none of its own), which is closed behind it, in
 * place of those that are there, which are closed. Ends the request. */
void rn_play_pending_take(struct rn_play_pending **pending, struct rn_runner **runner,
                          struct rn_device **device);

/* Takes the source that was opened for it, and the count of its losses, if it is ready and has
 * them. Both outlive the runner. */
void rn_play_pending_take_source(struct rn_play_pending *pending, struct rn_read_source **source,
                                 struct rn_losses **losses);

/* Takes input and runner in place of those of the session, which were closed
 * (rn_app_session_close_input). Ends the request. *name: the input's, which the caller frees when
 * another one is taken. Returns 0 or an error (logged). */
int rn_play_pending_take_input(struct rn_play_pending **pending, struct rn_app_session *session,
                               char **name);

/* Nobody wants it any more. *pending becomes NULL, and may be NULL before. */
void rn_play_pending_cancel(struct rn_play_pending **pending);

/* "building kernels: erosion, stats". Returns buf. */
const char *rn_play_pending_describe(const struct rn_chain *chain, char *buf, size_t size);

/* Looks for files of kernels that have changed while a runner that keeps its frames uses them, has
 * them built and tried, and takes what was built. The old kernel runs meanwhile; one that does not
 * build leaves it running, and an alert (rn_runner_alert). *rebuild: NULL before the first call
 * and when nothing is built; to be cancelled before the runner goes. of: the device that is
 * opened once more to build on. chain: the settings of the runner, into which a file's go.
 * *changed: as of rn_runner_poll. Returns 0 or an error (logged). */
int rn_play_rebuild_poll(struct rn_play_pending **rebuild, struct rn_play_jobs *jobs,
                         struct rn_device *of, struct rn_runner *runner, struct rn_chain *chain,
                         bool *changed);
