/* SPDX-License-Identifier: MIT */
/* The session's runner and others beside it, which get every frame that the first one gets and make
 * other pictures of it: of another chain, or of a part of the same.
 *
 * The player submits, takes and gives back frames by the functions below alone, never by those of a
 * runner: so no runner misses one. Alone, the session's does what they say. A frame is complete
 * when all have it, so the delay is the longest one. The input is copied: each runner has slots of
 * its own. Those beside the session's measure nothing. */
#pragma once

#include "app/play/runners/pending_runner.h"

struct rn_play_runners;

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
