/* What lanes that take frames in turn hand on to each other: a stage that needs the frame before
 * (traits.relays) keeps it in memory that all lanes share, and the lane of the next frame follows
 * on the device. So no lane computes a neighbour's frames again.
 *
 * Frames are numbered over all lanes. Threads: rn_relay_follow and rn_relay_pass belong to the
 * lanes' threads, the others to the pool. */
#ifndef RN_RELAY_H
#define RN_RELAY_H

#include "filters/core/opencl.h"

struct rn_relay;

/* Returns 0, or RN_EINTERNAL (logged): no memory. */
int rn_relay_open(struct rn_relay **relay);
/* NULL is legal, and is what *relay is set to. */
void rn_relay_close(struct rn_relay **relay);

/* All frames before this one were submitted by now, with what were their settings; 0: a new input
 * begins. No lane is at work. */
void rn_relay_begin(struct rn_relay *relay, int64_t number);

/* A lane failed: those that wait for its frames do so no longer. NULL is legal. */
void rn_relay_break(struct rn_relay *relay);

/* Waits until the stage has enqueued plane p of the frame before cmd's, and orders what cmd
 * enqueues from now on after it. *follows: false if that frame does not exist, or the stage did not
 * take it. Returns 0, an error (logged), or RN_EDEVICE: the lane of that frame has failed, and said
 * why. */
int rn_relay_follow(struct rn_cmd *cmd, int p, bool *follows);

/* What was enqueued up to here is what the next frame's lane follows. Returns 0 or an error
 * (logged). */
int rn_relay_pass(struct rn_cmd *cmd, int p);

#endif
