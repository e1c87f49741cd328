/* A sweep: all frames of the input, filtered once more beside those that are played, from the first
 * one on. It has its own source, opened and read by threads of its own, and its own runner on the
 * same device; who calls waits for neither. Nothing is measured. All calls from one thread. */
#ifndef RN_APP_PLAY_RUNNERS_SWEEP_H
#define RN_APP_PLAY_RUNNERS_SWEEP_H

#include "app/play/runners/binding.h"
#include "app/run/session.h"

struct rn_play_sweep;

/* The input of a session, which has to stay open, is to be read once more. worker: opens it and the
 * runners. Returns 0 or RN_EINTERNAL (logged). */
int rn_play_sweep_open(struct rn_play_sweep **sweep, struct rn_app_session *session,
                       struct rn_play_worker *worker);
void rn_play_sweep_close(struct rn_play_sweep **sweep);

/* Starts at the first frame, with these settings; renew: with files of filters as they are now.
 * Takes effect as soon as it can: *begun says whether it has, else it is to be called again.
 * Returns 0 or an error (logged): the sweep can go on no more then. */
int rn_play_sweep_begin(struct rn_play_sweep *sweep, const struct rn_chain *chain, bool renew,
                        bool *begun);

/* What is being opened for a beginning is not wanted: files have changed since. NULL is legal. */
void rn_play_sweep_forget(struct rn_play_sweep *sweep);

/* The geometry of the filtered pictures; after the beginning. */
const struct rn_geom *rn_play_sweep_output(const struct rn_play_sweep *sweep);

/* Goes on, and gives the next frame that is complete, to be given back; *slot: NULL if there is
 * none yet. wanted: whether a frame that was read is to be filtered at all (where no other one
 * depends on it). Returns 0, RN_END behind the last frame, or an error (logged). */
int rn_play_sweep_next(struct rn_play_sweep *sweep,
                       bool (*wanted)(const void *arg, const struct rn_frame *f), const void *arg,
                       struct rn_slot **slot);
int rn_play_sweep_give(struct rn_play_sweep *sweep, struct rn_slot *slot);

#endif
