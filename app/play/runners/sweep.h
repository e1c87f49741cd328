/* SPDX-License-Identifier: MIT */
/* A sweep filters all frames of the input once more, from the first one on, while the player goes
 * on. It has its own source, read by threads of its own, and its own runner on the same device; the
 * caller waits for neither. Nothing is measured. All calls come from one thread. */
#pragma once

#include "app/play/runners/pending_runner.h"

struct rn_play_sweep;

/* Opens a sweep over the input of a session, which must stay open. jobs: open source and
 * runners. Returns 0 or RN_EINTERNAL (logged). */
int rn_play_sweep_open(struct rn_play_sweep **sweep, struct rn_app_session *session,
                       struct rn_play_jobs *jobs);
void rn_play_sweep_close(struct rn_play_sweep **sweep);

/* Restarts at the first frame with these settings. renew: with the current files of the filters. If
 * *begun is false, call again: the runner is not ready. Returns 0 or an error (logged), after which
 * the sweep cannot go on. */
int rn_play_sweep_begin(struct rn_play_sweep *sweep, const struct rn_chain *chain, bool renew,
                        bool *begun);

/* Drops the runner that is being opened, as files have changed since. NULL is legal. */
void rn_play_sweep_forget(struct rn_play_sweep *sweep);

/* The geometry of the filtered pictures. Call after *begun. */
const struct rn_geom *rn_play_sweep_output(const struct rn_play_sweep *sweep);

/* Continues, and returns the next complete frame, which the caller gives back; *slot: NULL if there
 * is none yet. wanted: whether a frame needs filtering (asked if no other frame depends on it).
 * Returns 0, RN_END after the last frame, or an error (logged). */
int rn_play_sweep_next(struct rn_play_sweep *sweep,
                       bool (*wanted)(const void *arg, const struct rn_frame *f), const void *arg,
                       struct rn_slot **slot);
int rn_play_sweep_give(struct rn_play_sweep *sweep, struct rn_slot *slot);
