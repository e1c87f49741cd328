/* SPDX-License-Identifier: MIT */
/* Copies of frames that lanes, which take frames in turn, hand on to each other. A stage that needs
 * a frame a fixed number of frames earlier (traits.relays) keeps a copy of each frame, and the lane
 * of the later frame reads it. So no lane computes a neighbour's frames again, and a lane waits for
 * that copy only.
 *
 * Frames are numbered over all lanes. Threads: place, pass and follow belong to the lanes'
 * threads, the others to the pool. */
#pragma once

#include "filters/core/device/opencl.h"

#define RN_MAX_LANES RN_MAX_PARTS

struct rn_relay;
struct rn_runner;

/* Opens a relay. lanes: on parts of one device. slots: of all lanes together; a slot is filled
 * again only after its frame was waited for. back: the most frames that a stage looks back. Returns
 * 0, or RN_EINTERNAL (logged): no memory. */
int rn_relay_open(struct rn_relay **relay, int lanes, int slots, int back);
/* Closes it while no frame is under way, and sets *relay to NULL. NULL is legal. */
void rn_relay_close(struct rn_relay **relay);

/* Makes the runner a lane: it takes the frames lane, lane + lanes, lane + 2 lanes ..., and its
 * stages hand on the copies that the next lane's stages need. Before the first submit. relay:
 * borrowed; NULL: nothing is handed on. */
void rn_runner_relay(struct rn_runner *runner, struct rn_relay *relay, int lane, int lanes);

/* Says that all frames before this one were submitted, with the settings of their time, and that no
 * lane has failed with a later frame; 0: a new input begins. Call it while no lane is at work. */
void rn_relay_begin(struct rn_relay *relay, int64_t number);

/* Says that a lane failed with this frame (logged): it passes no more frames on, and lanes that
 * wait for its frames fail with err. NULL is legal. */
void rn_relay_break(struct rn_relay *relay, int64_t number, int err);

/* Gets the plane where the stage keeps plane p of cmd's frame for the lane of a later one. src: the
 * stage's source. *kept: of that size, own memory and no margin. Returns 0 or an error (logged). */
int rn_relay_place(struct rn_cmd *cmd, int p, const struct rn_dplane *src, enum rn_sample sample,
                   struct rn_dplane *kept);

/* Says that the commands enqueued so far keep the plane, or only that the stage took this frame.
 * back: how many frames later it is needed. Returns 0 or an error (logged). */
int rn_relay_pass(struct rn_cmd *cmd, int p, int back);

/* Waits until the frame `back` frames before cmd's was passed on, and orders the further commands
 * of cmd after it. *follows: whether there was such a frame and the stage took it. *previous: its
 * kept plane; the memory is NULL if there is none. Returns 0, an error (logged), or the error of
 * the lane that failed. */
int rn_relay_follow(struct rn_cmd *cmd, int p, int back, bool *follows, struct rn_dplane *previous);
