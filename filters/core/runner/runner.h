/* SPDX-License-Identifier: MIT */
/* A runner binds a chain to a device, or to the C reference path, and runs it over frames. No
 * OpenCL type appears here.
 *
 * The runner copies the chain and uses its copy until rn_runner_update passes it other settings.
 * Any number of runners may be opened on one chain.
 *
 * Slots hold the frames. Each slot has an input image for the reader to fill and, after
 * rn_runner_wait, an output image for the writer. Both lie in host memory that the device reaches
 * fast: page-locked memory for a discrete GPU; the device's own buffers, mapped, if it shares the
 * host's memory.
 *
 * The life of a slot, and the thread of each step:
 *   reader: fills slot->in and slot->frame      device: rn_runner_submit
 *   writer: rn_runner_wait, uses slot->out, rn_runner_recycle, returns the slot to the reader
 * On a device, submitting only enqueues: frame n+1 is uploaded and frame n-1 downloaded while n is
 * computed. Slots are waited for in the order in which they were submitted. A plane that no active
 * stage writes is not transferred: slot->out then refers to slot->in's memory.
 *
 * Stages that look at neighbouring frames delay the output: a frame is complete once
 * rn_runner_delay more frames have been submitted, or the runner has been drained. rn_runner_ready
 * tells which slots are complete and may be waited for; without a delay there is no need to call
 * it.
 *
 * An interlaced frame holds two pictures, its even and its odd lines. Where slot->frame.by_field
 * says so, filters that mix lines take the two one by one: the result is the same as if the fields
 * had been separated, filtered and woven again. It may change from frame to frame. A filter across
 * frames then looks at the same fields of the neighbouring frames. Unless both kinds are expected
 * (rn_runner_expect_fields), frames before the first one of the same kind do not count for it: they
 * are replaced by the border rule.
 *
 * A preview keeps frames that it shows, to be filtered again for new parameters: rn_runner_keep. */
#pragma once

#include "filters/core/chain/chain.h"
#include "filters/core/device/device.h"

RN_API_BEGIN

#define RN_MAX_SLOTS  65536 /* of a runner, without those for its delay */
#define RN_MOST_BATCH 64

struct rn_runner;

struct rn_slot {
    struct rn_image in;  /* the reader writes here */
    struct rn_image out; /* valid from rn_runner_wait to rn_runner_recycle */
    struct rn_frame frame;
    struct rn_slot_priv *priv;
};

/* Total times of the frames so far, in seconds, by the device's own clock (events), or by the
 * host's clock on the C reference path. Stages are in the order of the chain. */
#define RN_TIMED_EVERY 8 /* on devices: of so many frames one; in a preview each */
struct rn_timings {
    int64_t frames;
    int64_t timed; /* of these: the times of stages are taken of so many, and scaled up to all */
    double upload, download;
    double stage[RN_MAX_STAGES];
    int64_t by_field; /* frames that were filtered field by field */
    /* Bytes that were copied in upload and download; 0 where the device maps the host's memory. */
    int64_t uploaded, downloaded;
};

/* Adds the times of other frames. */
void rn_timings_add(struct rn_timings *sum, const struct rn_timings *t);

/* Opens a runner: checks the chain for pictures of geometry geom, builds its kernels, allocates the
 * slots and, on a device, runs every kernel once at full size, so that failures show before an
 * output is opened. dev: NULL = the C reference path; borrowed, must outlive the runner. chain:
 * copied. nslots: >= 1; the chain's delay is added to it. Returns 0 or an error (logged). */
int rn_runner_open(struct rn_runner **runner, struct rn_device *dev, const struct rn_chain *chain,
                   const struct rn_geom *geom, int nslots);

/* The same for frames that may be submitted together: slots 0 to batch - 1, the next batch of them
 * and so on; nslots is rounded up to whole ones. What can be is done for all frames at once: fewer
 * transfers and launches. batch: >= 1; 1 is taken without a device. */
int rn_runner_open_batches(struct rn_runner **runner, struct rn_device *dev,
                           const struct rn_chain *chain, const struct rn_geom *geom, int nslots,
                           int batch);

/* The slots of a batch. Any thread. */
int rn_runner_batch(const struct rn_runner *runner);

/* Prepares for frames by field, before the first submit and rn_runner_keep: runs every kernel on
 * one, as opening does on whole frames. mixed: among others; stages across frames then remember all
 * frames both ways from the first one on, which takes twice as long. Without this call frames by
 * field are legal all the same: what they need is made when the first one comes. Returns 0 or an
 * error (logged). */
int rn_runner_expect_fields(struct rn_runner *runner, bool mixed);

/* Waits for work in progress, releases everything and sets *runner to NULL. NULL is legal. */
void rn_runner_close(struct rn_runner **runner);

/* The number of slots; slot i, ready to be filled (NULL: there is none). */
int rn_runner_nslots(const struct rn_runner *runner);
struct rn_slot *rn_runner_slot(struct rn_runner *runner, int i);

/* The geometry of slot->out, the same for all frames. Any thread. */
const struct rn_geom *rn_runner_output(const struct rn_runner *runner);

/* The delay of the output, in frames. Any thread. */
int rn_runner_delay(const struct rn_runner *runner);

/* Opens the tables of measuring stages, before the first submit (of one that is off: when it first
 * measures); stop finishes them. complete: whether all frames were measured. Return 0 or an error
 * (logged). */
int rn_runner_start(struct rn_runner *runner);
int rn_runner_stop(struct rn_runner *runner, bool complete);

/* Submits the frame in slot, which was waited for since it was last submitted. Returns 0,
 * RN_EUSAGE (logged: not a slot of this runner), RN_EDEVICE or RN_EINTERNAL. Device thread. */
int rn_runner_submit(struct rn_runner *runner, struct rn_slot *slot);

/* Submits the frames of n slots of one batch, this one and those behind it, in this order. */
int rn_runner_submit_several(struct rn_runner *runner, struct rn_slot *slot, int n);

/* Ends the input: enqueues what delayed frames still need; the border rule replaces the frames
 * after the last one. The next submit starts a new input, as after rn_runner_reset. A second call
 * does nothing. Returns 0 or an error (logged). Device thread. */
int rn_runner_drain(struct rn_runner *runner);

/* Returns the next slot, in order, that is complete and has not been returned yet; NULL if there is
 * none. Ask after each submit until there is none: earlier frames are forgotten. Device thread. */
struct rn_slot *rn_runner_ready(struct rn_runner *runner);

/* Forgets all earlier frames: the next one counts as the first of the input. Slots that were
 * submitted but not waited for may be filled again. Device thread, while no other thread uses the
 * runner. Returns 0 or an error (logged). */
int rn_runner_reset(struct rn_runner *runner);

/* Waits until the frame is done, sets slot->out, and passes results to the measuring stages.
 * Returns 0 or an error (logged). Writer thread. */
int rn_runner_wait(struct rn_runner *runner, struct rn_slot *slot);

/* Whether rn_runner_wait would return at once for a frame that is complete (rn_runner_ready); it
 * may have failed. The thread that waits. */
bool rn_runner_done(const struct rn_runner *runner, const struct rn_slot *slot);

/* For runners that share the frames of one input (pool.h): what this one measures goes to the
 * tables of first, which has the same chain and input, and outlives it; one of another is refused
 * (logged). Before the first submit. */
void rn_runner_measure_into(struct rn_runner *runner, struct rn_runner *first);

/* Waits for a frame whose output and measures nobody wants, and makes slot->in writable again.
 * Returns 0 or RN_EDEVICE (logged). Any one thread. */
int rn_runner_discard(struct rn_runner *runner, struct rn_slot *slot);

/* Ends the use of slot->out and makes slot->in writable again. Returns 0 or RN_EDEVICE (logged).
 * Writer thread. */
int rn_runner_recycle(struct rn_runner *runner, struct rn_slot *slot);

/* Applies new settings to all frames submitted from now on; earlier frames keep theirs. chain: the
 * same stages as the runner's, with other parameters or switched on or off; copied. All or nothing:
 * after an error the runner continues with its previous settings. A chain with a delay starts
 * again, as after rn_runner_reset, unless frames are kept: no other thread may use its runner
 * meanwhile. Device thread. Returns 0; RN_EUSAGE (logged) if a stage refuses its parameters, or if
 * a parameter is fixed, or if they would change the output's format or delay, the format of what is
 * measured, or need more memory than was allocated; RN_EDEVICE or RN_EINTERNAL (logged), after
 * which a chain with a delay has started again, too. */
int rn_runner_update(struct rn_runner *runner, const struct rn_chain *chain);

/* The same for any chain: *taken is false where the settings are right for the input, but other
 * than this runner was opened for, or if kernels would have to be compiled for them and builds says
 * that nobody waits for that; nothing has changed then, and a runner has to be opened with them.
 * After an error *taken says nothing. */
int rn_runner_try(struct rn_runner *runner, const struct rn_chain *chain, bool builds, bool *taken);

/* Whether rn_runner_update would take the settings, as far as that can be told without preparing
 * anything. Returns 0, RN_EUSAGE or RN_EINTERNAL (logged). Device thread. */
int rn_runner_fits(const struct rn_runner *runner, const struct rn_chain *chain);

/* Lets stages check their files for changes (live reload). What they find is written to chain, the
 * caller's own settings for this runner, and applied. *changed: whether frames look different from
 * now on, or a stage has a new table or alert. Device thread. Returns 0 or an error (logged). */
int rn_runner_poll(struct rn_runner *runner, struct rn_chain *chain, bool *changed);

/* The same in three steps, for who does not wait for a compiler. Looking finds a file that has
 * changed: *rebuild, what is to be built (NULL: nothing). Running that builds and tries it, in any
 * thread and for any number of frames, needs nothing of the runner: dev is its device opened once
 * more (rn_device_beside), or, in the device thread, its own. What was built, or why it was not, is
 * then given back to the runner, which frees it, or dropped. *changed: as above. Return 0 or an
 * error (logged); *rebuild is freed by the last two in any case. */
struct rn_rebuild;
int rn_runner_look(struct rn_runner *runner, struct rn_rebuild **rebuild, bool *changed);
int rn_rebuild_run(struct rn_rebuild *rebuild, struct rn_device *dev);
int rn_runner_rebuilt(struct rn_runner *runner, struct rn_chain *chain, struct rn_rebuild **rebuild,
                      bool *changed);
void rn_rebuild_drop(struct rn_rebuild **rebuild);

/* The file that is built. */
const char *rn_rebuild_file(const struct rn_rebuild *rebuild);

/* The text of the first alert among the stages, a few lines for people, such as the build errors of
 * a file; NULL if there is none. Valid until the next poll. Device thread. */
const char *rn_runner_alert(const struct rn_runner *runner);

/* Whether the frame in slot, which was submitted, is filtered field by field: it is to be, and a
 * stage that is on mixes lines. The thread that waits. */
bool rn_runner_by_field(const struct rn_runner *runner, const struct rn_slot *slot);

/* Gets the numbers of the first measuring stage that is on: lines of text, and a histogram that the
 * stage owns. Without such a stage all arguments stay unchanged. Writer thread. */
void rn_runner_show(struct rn_runner *runner, char *text, size_t size, const uint64_t **histogram,
                    int *nbins);

/* Calls fn with arg for each measurement of stage i of the chain, from 0, a measuring one: `stats`.
 * Before the first frame; one listener per stage. Returns 0 or RN_EUSAGE (logged). */
int rn_runner_listen(struct rn_runner *runner, int i, rn_measure_fn *fn, void *arg);

/* Times the stages of each frame from now on, not of one in RN_TIMED_EVERY. Device thread. */
void rn_runner_time_each(struct rn_runner *runner);

/* The times, up to the last frame that was waited for. Any thread. */
void rn_runner_timings(struct rn_runner *runner, struct rn_timings *timings);

/* ---- frames that are filtered again (runner_frames.c)
 *
 * rn_runner_keep lets frames be filtered again. From then on one thread makes all calls, slot->in
 * may be read beside slot->out, and a recycled slot still belongs to the runner while neighbouring
 * frames may need it: rn_runner_free says which slots may be filled again. rn_runner_again filters
 * anew, with the current settings, all frames that have not been recycled, those not yet returned
 * by rn_runner_ready included; a slot that was already waited for may be waited for once more.
 * After a change of settings a chain with a delay does this by itself before the next frame. */
void rn_runner_keep(struct rn_runner *runner);

/* Returns the next slot that may be filled again, after one was recycled or a reset; NULL: none. */
struct rn_slot *rn_runner_free(struct rn_runner *runner);

/* Filters all kept frames again. Returns 0 or an error (logged). */
int rn_runner_again(struct rn_runner *runner);

/* Is the frame in slot a kept one? False if it is from before a reset. */
bool rn_runner_holds(const struct rn_runner *runner, const struct rn_slot *slot);

RN_API_END

/* Whether a stage of its chain measures, on or off. */
bool rn_runner_measures(const struct rn_runner *runner);

/* The two halves of rn_runner_wait, of a frame that is complete: the first waits and sets
 * slot->out, in any thread where frames are submitted one by one; the second passes its measures
 * on, frame after frame in order, before the slot is recycled. Return 0 or an error (logged). */
int rn_runner_finish(struct rn_runner *runner, struct rn_slot *slot);
int rn_runner_collect(struct rn_runner *runner, struct rn_slot *slot);

/* Lends the slot pictures of a caller's in place of its own, until it is recycled: the device
 * copies from the planes of in, and to those of out where stages write them; else they stay as they
 * are, and slot->out is in. For a slot of a device, before it is submitted. in, out: of the
 * runner's geometries, with rows in rising order; they live, and stay where they are, until then;
 * NULL: the slot's own again. Returns false if the device copies nothing: it has lent nothing then.
 */
bool rn_runner_lend(struct rn_slot *slot, const struct rn_image *in, const struct rn_image *out);
