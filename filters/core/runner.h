/* Runs a chain over frames, on a device or on the C reference path, behind one interface without
 * OpenCL types.
 *
 * Slots hold the frames. Each has an input image for the reader to fill and, once it was waited
 * for, an output image for the writer, both in host memory that the device reaches fast: page-
 * locked memory beside a GPU, the device's own buffers, mapped, where it shares the host's memory.
 *
 * One slot's life, and the thread that does it:
 *   reader: fills slot->in and slot->frame      device: rn_runner_submit
 *   writer: rn_runner_wait, uses slot->out, rn_runner_recycle, gives the slot back to the reader
 * Submit only enqueues (on a device): frame n+1 is uploaded and frame n-1 downloaded while n is
 * computed. Slots are submitted and waited for in the same order. A plane that no active stage
 * writes is not transferred: slot->out then shows slot->in's own memory.
 *
 * Stages that look at neighbouring frames make the chain late: a frame is complete when
 * rn_chain_delay frames more were submitted, or when the runner was drained. rn_runner_ready tells
 * which slots are complete and may be waited for; callers with a chain that is not late need not
 * ask. */
#ifndef RN_RUNNER_H
#define RN_RUNNER_H

#include "filters/core/chain.h"
#include "filters/core/device.h"

struct rn_runner;

struct rn_slot {
    struct rn_image in;  /* the reader writes here */
    struct rn_image out; /* valid from rn_runner_wait to rn_runner_recycle */
    struct rn_frame frame;
    struct rn_slot_priv *priv;
};

/* Times of the frames so far, in seconds, by the device's own clock (events), or the host's on the
 * C reference path. Stages are those of the chain, in order. */
struct rn_times {
    int64_t frames;
    double upload, download;
    double stage[RN_MAX_STAGES];
};

/* Checks the chain against geom, builds its kernels, allocates the slots and runs every kernel once
 * at real size, so that what can fail has failed before an output is opened. dev: NULL = the C
 * reference path. chain and dev are borrowed and outlive the runner. nslots: >= 1; as many slots
 * more are made as frames are late. Returns 0 or an error (logged). */
int rn_runner_open(struct rn_runner **runner, struct rn_device *dev, struct rn_chain *chain,
                   const struct rn_geom *geom, int nslots);

/* Waits for what is running and releases everything. NULL is legal. */
void rn_runner_close(struct rn_runner **runner);

/* The number of slots, and slot i, ready to be filled. */
int rn_runner_nslots(const struct rn_runner *runner);
struct rn_slot *rn_runner_slot(struct rn_runner *runner, int i);

/* Opens the outputs of measuring stages (before the first submit), and ends them. */
int rn_runner_start(struct rn_runner *runner);
int rn_runner_stop(struct rn_runner *runner, bool complete);

/* Enqueues the frame in slot. Returns 0 or RN_EDEVICE, RN_EINTERNAL (logged). Device thread. */
int rn_runner_submit(struct rn_runner *runner, struct rn_slot *slot);

/* The input has ended: enqueues what frames that are late still need; frames behind the last one
 * count as the border rule says. Submit after it begins anew, like rn_runner_reset. Device thread.
 */
int rn_runner_drain(struct rn_runner *runner);

/* The next slot, in order, that is complete and was not given yet; NULL if there is none. Device
 * thread. */
struct rn_slot *rn_runner_ready(struct rn_runner *runner);

/* Forgets all frames before: the next one counts as the first of the input. Slots that were
 * submitted and not waited for are the caller's again, to be recycled or submitted. Device thread.
 * Returns 0 or RN_EDEVICE (logged). */
int rn_runner_reset(struct rn_runner *runner);

/* Waits until the frame is done, sets slot->out, hands the results of measuring stages to them.
 * Returns 0 or an error (logged). Writer thread. */
int rn_runner_wait(struct rn_runner *runner, struct rn_slot *slot);

/* The writer is done with slot->out: makes slot->in writable again. Writer thread. */
int rn_runner_recycle(struct rn_runner *runner, struct rn_slot *slot);

/* Takes over changed parameters (and stages switched on or off) of the chain for all frames that
 * are submitted from now on; those before keep theirs. A frame that was waited for may be submitted
 * once more instead of being recycled, to be filtered again. A chain that is late begins anew, as
 * after rn_runner_reset: submit the frames around the present one again. Device thread. Returns 0;
 * RN_EUSAGE (logged) if the new values are refused, or would change the format of the output or how
 * late it is: put the old ones back and call again. */
int rn_runner_update(struct rn_runner *runner);

/* Lets stages look for changed files (hot reload) and takes over what they found. *changed: whether
 * frames look different from now on, or a stage's table or alert is another. Device thread. Returns
 * 0 or an error. */
int rn_runner_poll(struct rn_runner *runner, bool *changed);

/* From now on slot->in can be read beside slot->out (a split view). */
void rn_runner_keep_input(struct rn_runner *runner);

/* The times up to the last frame that was waited for. Any thread. */
void rn_runner_times(struct rn_runner *runner, struct rn_times *times);

#endif
