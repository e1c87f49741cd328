/* SPDX-License-Identifier: MIT */
/* The runners of the player, and the thread that opens them. */
#pragma once

#include "app/run/session.h"

struct rn_play;
struct rn_play_jobs;
struct rn_play_pending;
struct rn_play_runners;

/* ---- jobs.c: runs long jobs (a compiler, opening an input) one after another in a thread, while
 * the player goes on. The thread lives as long as the player, as drivers keep state per thread. All
 * functions belong to the player's thread. */

/* The first member of what is worked on, its payload. The caller fills what, work and release, and
 * leaves the payload alone until the job is done. */
struct rn_play_job {
    char what[256];                           /* a few words for people */
    int (*work)(struct rn_play_job *job);     /* in the thread; returns 0 or an error (logged) */
    void (*release)(struct rn_play_job *job); /* frees the payload, and so the job; any thread */
    /* Of the queue: */
    struct rn_play_jobs *jobs;
    struct rn_play_job *next;
    double since; /* when it was requested */
    /* -- protected by the lock of the queue: */
    enum { RN_JOB_WAITS, RN_JOB_RUNS, RN_JOB_DONE } state;
    bool cancelled;
    int err;
    char why[256]; /* the error that it logged */
};

/* Returns 0 or RN_EINTERNAL (logged). */
int rn_play_jobs_open(struct rn_play_jobs **jobs);

/* Queues a job. */
void rn_play_jobs_add(struct rn_play_jobs *jobs, struct rn_play_job *job);

/* Whether it is done. */
bool rn_play_job_is_ready(const struct rn_play_job *job);

/* The result of a finished job, whose error becomes the last one of this thread (rn_log_last). */
int rn_play_job_result(const struct rn_play_job *job);

/* Releases the payload: now, or when the running job ends. A job that has not started never runs.
 * NULL is legal. */
void rn_play_job_cancel(struct rn_play_job *job);

/* Whether a job runs, waits or is being released. NULL is legal. */
bool rn_play_jobs_is_busy(struct rn_play_jobs *jobs);

/* A description of the running job, once it takes long; NULL: none. Returns buf. */
const char *rn_play_jobs_describe(struct rn_play_jobs *jobs, char *buf, int size);

/* Waits for what is under way, and ends the thread. NULL is legal. */
void rn_play_jobs_close(struct rn_play_jobs **jobs);

/* ---- pending_runner.c: a pending runner: one that is being made for a chain, a device, the
 * pictures of an input and a number of slots. The player requests it, and goes on with the runner
 * that it has, while the job thread opens the input if need be, builds the kernels and allocates
 * the slots; it polls the pending one, and takes it once it is ready, or cancels it at any time.
 * Nothing else of the preview opens a runner or builds a kernel. All functions belong to the
 * player's thread. */

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

/* The runner of one that is ready. */
struct rn_runner *rn_play_pending_runner(const struct rn_play_pending *pending);

/* Takes the runner, and its device (NULL: it has none of its own), which is closed behind it, in
 * place of those that are there, which are closed. Ends the request. */
void rn_play_pending_take(struct rn_play_pending **pending, struct rn_runner **runner,
                          struct rn_device **device);

/* Takes the source that was opened for it, and the count of its losses, if it is ready and has
 * them, and the caller has none. Both outlive the runner; taking that alone closes them. */
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

/* ---- runner_group.c: the session's runner and others beside it, which get every frame that the
 * first one gets and make other pictures of it: of another chain, or of a part of the same.
 *
 * The player submits, takes and gives back frames by the functions below alone, never by those of a
 * runner: so no runner misses one. Alone, the session's does what they say. A frame is complete
 * when all have it, so the delay is the longest one. The input is copied: each runner has slots of
 * its own. Those beside the session's measure nothing. */

/* The most runners beside the session's. An argument `beside` is the index of one. */
#define RN_RUNNERS_BESIDE 4

/* session: with the first runner, and its chain. */
void rn_play_runners_begin(struct rn_play_runners *c, struct rn_app_session *session);

/* As the functions of the same names in filters/core/runner/runner.h, for all runners. */
int rn_play_runners_submit(struct rn_play_runners *c, struct rn_slot *slot);
struct rn_slot *rn_play_runners_ready(struct rn_play_runners *c);
int rn_play_runners_delay(const struct rn_play_runners *c);
int rn_play_runners_drain(struct rn_play_runners *c);
int rn_play_runners_reset(struct rn_play_runners *c);
int rn_play_runners_wait(struct rn_play_runners *c, struct rn_slot *slot);
bool rn_play_runners_done(struct rn_play_runners *c, const struct rn_slot *slot);
int rn_play_runners_recycle(struct rn_play_runners *c, struct rn_slot *slot);
int rn_play_runners_again(struct rn_play_runners *c);

/* Frame i, from 0, of those that were submitted and not recycled; NULL: there is none. */
const struct rn_slot *rn_play_runners_frame(const struct rn_play_runners *c, int i);

/* The frames that the first runner got with a frame, which was submitted, since its last reset and
 * up to the drain, if there was one: those that filters across frames take for its input. */
struct rn_app_span rn_play_runners_run(struct rn_play_runners *c, const struct rn_slot *slot);

/* All frames of the first runner go to another one, which is to be the session's; they will be
 * submitted anew. Returns 0 or an error (logged). */
int rn_play_runners_leave(struct rn_play_runners *c);

/* What rn_play_runners_set did. */
struct rn_play_runners_change {
    bool anew;  /* the runner is a new one: a frame in hand may lack those beside it */
    bool stale; /* the frames in hand have other settings (rn_play_runners_again) */
    int delay;  /* of the chain of the runner */
};

/* Gives a runner other settings, or, if need be, has one opened that takes the place of what there
 * is, which goes on meanwhile: call again when rn_play_runners_is_ready. A new one is given the
 * frames in hand. chain: copied. Returns 0 or an error (rn_log_last), after which there is the
 * runner of before, except for RN_EDEVICE and RN_EINTERNAL. */
int rn_play_runners_set(struct rn_play_runners *c, int beside, struct rn_play_jobs *jobs,
                        const struct rn_chain *chain, struct rn_play_runners_change *change);

/* Whether a runner is being opened; whether one is open that is not taken yet. */
bool rn_play_runners_is_pending(const struct rn_play_runners *c);
bool rn_play_runners_is_ready(const struct rn_play_runners *c);

/* As rn_play_rebuild_poll: the files of the runner's kernels. *changed: its chain, which has what
 * they declare now; NULL: they have not changed. */
int rn_play_runners_poll(struct rn_play_runners *c, int beside, struct rn_play_jobs *jobs,
                         const struct rn_chain **changed);

/* Why a kernel of a runner does not build (rn_runner_alert); NULL: all do. */
const char *rn_play_runners_alert(const struct rn_play_runners *c);

/* What it makes of a frame that was waited for; NULL without the runner. */
const struct rn_image *rn_play_runners_picture(struct rn_play_runners *c, int beside,
                                               const struct rn_slot *slot);

/* Closes the runner; without one does nothing. The second function closes all, and forgets all
 * frames, as the first runner ends. */
void rn_play_runners_close(struct rn_play_runners *c, int beside);
void rn_play_runners_end(struct rn_play_runners *c);

/* ---- build.c: kernels of other filters are built beside those that play: in a thread, while the
 * old chain plays on and every key does what it does.
 *
 * A change that the runner cannot take is in force at once as far as settings go: the list of
 * parameters, the panel, snapshots, what `w` writes, and the history have it. Only the picture
 * comes later. So what is changed meanwhile is changed on top of it, `u` takes back the last
 * change, whether its picture was ever seen or not, and none of them waits in a queue. The runner
 * that is built is for the settings of the moment; when it is ready and they are others, which it
 * can take, it does; which it cannot, it is thrown away, and the next one is built: the latest ones
 * win. If the old runner can take the settings again (`u`), nothing is waited for.
 *
 * Chains that do not fit the input are refused before anything is built. Where the device refuses
 * later (no memory, a kernel of the user's that does not build), the settings go back to those that
 * play, and whatever was changed since goes with the refused change.
 *
 * Nobody can stop a compiler: the program does not wait for it at the end. */

/* Begins to build the first runner; waits for it, in a window that says so and shows the first
 * frame as it was read, and answers events meanwhile. Then the reader holds. What needs a picture
 * is kept for rn_play_build_answer, when all is open; what is typed is seen before. Return 0, with
 * p->quit set if it is to end, or an error (logged), as all functions here. */
int rn_play_build_begin(struct rn_play *p);
int rn_play_build_first(struct rn_play *p);
int rn_play_build_answer(struct rn_play *p);

/* The settings of the session, which were checked for the input, are to be played. playing: those
 * that were in force before. Before the history takes these. */
int rn_play_build(struct rn_play *p, const struct rn_chain *playing);

/* The settings that frames are computed with: those of the session, or while others are built the
 * ones before. */
const struct rn_chain *rn_play_build_chain(const struct rn_play *p);

/* The settings are those that play; another input comes, and brings a runner for them. */
void rn_play_build_drop(struct rn_play *p);
void rn_play_build_leave(struct rn_play *p);

/* Is a runner for other filters wanted, or being opened? Is one wanted, so that the picture is not
 * of the settings? */
bool rn_play_builds(const struct rn_play *p);
bool rn_play_build_is_busy(const struct rn_play *p);

/* Counts a refusal by the device; returns how many there were, and *why the latest one was. */
void rn_play_add_refusal(struct rn_play *p, const char *why);
int rn_play_refusals(const struct rn_play *p, const char **why);

/* Goes on with it: takes what is ready, and begins what is wanted. */
int rn_play_build_poll(struct rn_play *p);

/* Ends it. Returns false if the compiler still works: nothing that it uses may be closed then. */
bool rn_play_build_end(struct rn_play *p);
