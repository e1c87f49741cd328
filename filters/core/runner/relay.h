/* What lanes that take frames in turn hand on to each other: a stage that needs an earlier
 * frame (traits.relays), the one before or a fixed number of frames before, keeps a copy of each,
 * which the lane of the later one reads. So no lane computes a neighbour's frames again, and none
 * waits for more than that copy.
 *
 * Frames are numbered over all lanes. Threads: place, pass and follow belong to the lanes'
 * threads, the others to the pool. */
#ifndef RN_FILTERS_CORE_RUNNER_RELAY_H
#define RN_FILTERS_CORE_RUNNER_RELAY_H

#include "filters/core/device/opencl.h"

#define RN_MAX_LANES RN_MAX_PARTS

struct rn_relay;
struct rn_runner;

/* lanes: that take frames in turn, on parts of one device. slots: of all lanes together; one is
 * filled again only after its frame was waited for. back: the most that a stage looks back, in
 * frames. Returns 0, or RN_EINTERNAL (logged): no memory. */
int rn_relay_open(struct rn_relay **relay, int lanes, int slots, int back);
/* Nothing is under way. NULL is legal, and is what *relay is set to. */
void rn_relay_close(struct rn_relay **relay);

/* For lanes that take frames in turn: the runner takes those with the numbers lane, lane + lanes,
 * lane + 2 lanes ..., and its stages hand on what the next one's need. Before the first submit.
 * relay: borrowed; NULL: nothing is handed on. */
void rn_runner_relay(struct rn_runner *runner, struct rn_relay *relay, int lane, int lanes);

/* All frames before this one were submitted by now, with what were their settings, and no lane has
 * failed with a later one; 0: a new input begins. No lane is at work. */
void rn_relay_begin(struct rn_relay *relay, int64_t number);

/* A lane failed with this frame, which it logged: it passes none on any more, and those that wait
 * for its frames fail with err, too. NULL is legal. */
void rn_relay_break(struct rn_relay *relay, int64_t number, int err);

/* Where the stage is to keep plane p of cmd's frame for the lane of a later one. src: the plane
 * that it is given. *kept: of the same size, with memory of its own and no margin. Returns 0 or an
 * error (logged). */
int rn_relay_place(struct rn_cmd *cmd, int p, const struct rn_dplane *src, enum rn_sample sample,
                   struct rn_dplane *kept);

/* What was enqueued up to here has kept it; also if that lane only has to know that the stage took
 * this frame. back: how many frames later it is wanted. Returns 0 or an error (logged). */
int rn_relay_pass(struct rn_cmd *cmd, int p, int back);

/* Waits until the frame that came `back` frames before cmd's was passed on, and orders what cmd
 * enqueues from now on after that. *follows: whether there was such a frame and the stage took it.
 * *previous: the plane that was kept of it; its memory is NULL if there is none. Returns 0, an
 * error (logged), or the error of the lane that failed. */
int rn_relay_follow(struct rn_cmd *cmd, int p, int back, bool *follows, struct rn_dplane *previous);

#endif
