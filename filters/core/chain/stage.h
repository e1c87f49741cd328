/* SPDX-License-Identifier: MIT */
/* A stage: one filter in a chain. To add a filter, write one .c with a descriptor at its end, one
 * .cl and one line in filters/registry.c; everything else follows from the descriptor.
 *
 * Three things are separate:
 *   descriptor   what the filter can do; constant, one per filter
 *   stage        the settings: parameters, on or off; plain data, one per position in a chain
 *   bound stage  what a runner derives from the settings for its device: kernels, tables, memory,
 *                remembered frames; one per runner and stage
 * Several runners may be bound to one chain. A frame is computed with a snapshot: the parameters at
 * the time it was submitted, and what follows from them for the runner's input.
 *
 * A frame is processed plane by plane. For each plane in traits.planes, the engine calls ref (the C
 * reference) or enqueue (the device) to compute plane p of dst from src. The other planes of dst
 * are those of src, passed on without a copy. The reference defines the result: enqueue must give
 * the same samples, bit for bit.
 *
 * A stage whose arithmetic is the user's own (custom) has no reference: its ref is NULL, it needs a
 * device, and opening a runner without one fails with RN_EDEVICE.
 *
 * A stage that looks at neighbouring frames has a delay, traits.delay frames: it is called with
 * src, the incoming frame, and dst, which belongs to the frame that came in `delay` calls earlier,
 * and keeps what it needs of the frames in between (filters/parts/ring.h). dst is NULL while the
 * first frames come in; src is NULL once the input has ended.
 *
 * An interlaced frame (rn_frame.by_field) is two pictures: a stage that mixes lines is called for
 * the even lines of each plane and then for the odd ones: planes and a snapshot of that height.
 * A stage with a delay is bound once more for each field, because it remembers frames: then the
 * neighbours of a field are the same fields of the neighbouring frames.
 *
 * Order of calls: check, any number of times, on settings alone. Then, for a bound stage and in the
 * device thread: prepare -> (ref or enqueue, per plane and frame) -> ... -> release. prepare is
 * called again, between frames, when the parameters or the input's geometry have changed.
 *
 * filters/core/device/opencl.h says how kernels are launched, and kernels/pixel.clh which
 * arithmetic is the same on every device: a kernel's first argument is the area, each plane is two
 * arguments, and samples to the right of a row may hold anything. */
#pragma once

#include "filters/base/sample.h"
#include "filters/core/chain/measurement.h"
#include "filters/core/chain/param.h"
#include "filters/core/chain/region.h"

#define RN_STAGE_KERNELS 8 /* of one filter, by name; parts get their own */

struct rn_attempt; /* of the stage's own kind */
struct rn_cmd;
struct rn_device;
struct rn_dimage;
struct rn_kernel;
struct rn_scratch;
struct rn_stage_desc;

/* ---- settings */

struct rn_stage {
    const struct rn_stage_desc *desc;
    char *label;                  /* name@label, or NULL */
    int on;                       /* 0 or 1, `enable`; a stage that is off costs nothing */
    struct rn_region region;      /* to which the filter is limited */
    const struct rn_param *table; /* desc->params, or rows declared by a file; never freed */
    void *params;                 /* desc->params_size bytes, laid out as in the table */
    const char *named_by;         /* origin of its forbidden code (rn_stage_origin), or NULL */
};

/* What follows from a stage's parameters and the geometry of its input. */
struct rn_traits {
    struct rn_geom out; /* the geometry of the stage's output */
    unsigned planes;    /* mask of the planes that it writes or measures */
    unsigned reads;     /* mask of the planes of src that it reads */
    int margin;         /* the most samples it reads beyond the edge, over all values that its live
                         * parameters can take; memory further out does not exist */
    int delay;          /* frames by which the output lags; cannot change while running */
    int before; /* earlier frames that what it computes or measures depends on, in any row of
                         * frames; at least delay */
    /* There is no delay, and enqueue hands the frame on by rn_cmd.relay. */
    bool relays;
    bool point; /* each sample follows from those at its own place, whatever the margin */
    /* Each sample follows from those around it by a rule that depends neither on the place nor on
     * the frame: enqueue may be given several frames at once, in planes where they lie one above
     * the other (rn_cmd). Images of the stage's own are then no more than a margin larger than the
     * picture on each side. prepare gets a height that has room for all; with a delay it does not,
     * and rn_cmd.tick is that of the first frame. */
    bool shift_invariant;
    bool batches; /* enqueue takes several frames at once in another way */
};

/* The settings of a stage at one moment. Constant while a frame refers to it; any thread. */
struct rn_snapshot {
    const struct rn_stage_desc *desc;
    bool on;
    struct rn_region region; /* of no kind, unless the output has the input's form */
    const void *params;
    struct rn_geom in; /* geometry of the stage's input */
    struct rn_traits traits;
};

/* For use in check: samples of the output are no longer what the input's measure, in its unit. */
static inline void rn_traits_drop_unit(struct rn_traits *traits)
{
    const struct rn_rescale none = {0, 0, ""};
    traits->out.rescale = none;
}

/* Does the stage mix lines, so that it takes an interlaced frame field by field? Those do that read
 * beyond a sample's own place, or change how many lines of luma share one of chroma. Whatever goes
 * by places in the picture (noise) or by all samples (equalize, stats) takes the frame whole. */
static inline bool rn_mixes_lines(const struct rn_snapshot *s)
{
    return (s->traits.margin && !s->traits.point) || s->in.fmt.sub_y != s->traits.out.fmt.sub_y;
}

/* ---- bound */

struct rn_bound {
    const struct rn_stage_desc *desc;
    struct rn_device *dev;                      /* NULL: the C reference path */
    struct rn_kernel *kernel[RN_STAGE_KERNELS]; /* those of desc->kernels, for the input's sample
                                                 * type; set before prepare is called */
    void *priv;                                 /* desc->priv_size bytes, zeroed at first */
    struct rn_scratch *memory;                  /* in priv, as rn_held was given it */
    char *alert;                                /* what is wrong with the file of a stage that a
                                                 * file defines, in a few lines for people; NULL:
                                                 * nothing. Valid until look or take comes next */
    int batch;                                  /* the most frames that enqueue is given at once */
    int margin; /* of the chain: from frame to frame of a batch are rn_batch_step(h, margin) rows */
    struct rn_bound *measurer; /* whose table gets what this one measures: another one's where
                                * several take the frames of one input in turn, else itself */
};

/* Gives the bound stage memory on the device, a part of priv, to be released after desc->release.
 * Whatever makes that memory calls this first, as often as it likes. Returns scratch. */
struct rn_scratch *rn_held(struct rn_bound *bound, struct rn_scratch *scratch);

/* From picture to picture of a batch, in rows of a plane of h lines: between them is room for the
 * margins of both, and for images that are larger than the picture. margin: the chain's. */
static inline int rn_batch_step(int h, int margin)
{
    return h + 4 * margin;
}

/* The context of one call of a reference. */
struct rn_call {
    int64_t frame; /* index of the frame in the output */
    int64_t tick;  /* number of the call for a plane, from 0 after a reset */
    void *result;  /* this frame's block of results, zeroed; NULL unless measuring */
};

/* Measuring stages write no plane: ref and enqueue fill a block of results instead, and collect
 * receives it on the host, frame by frame. start, collect, show and stop are never called by two
 * threads at once, but usually by another thread than the device's: they use only those parts of
 * priv that no other callback uses. */
struct rn_measuring {
    /* The size of the block in bytes, after prepare; a multiple of 8. */
    size_t (*bytes)(const struct rn_bound *bound, const struct rn_snapshot *now);
    /* Opens the table, if any. Returns 0 or RN_EOUTPUT (logged). */
    int (*start)(struct rn_bound *bound, const struct rn_snapshot *now);
    /* Takes the results of a frame, which bound computed, for the table of bound->measurer; now is
     * the snapshot that it was computed with. Returns 0 or an error (logged). */
    int (*collect)(struct rn_bound *bound, const struct rn_snapshot *now,
                   const struct rn_frame *frame, const void *result);
    /* Finishes the table; called only if start succeeded. Returns 0 or an error (logged). */
    int (*stop)(struct rn_bound *bound, bool complete);
    /* For an overlay: the numbers of the last frame as lines of text, and the histogram of its
     * first measured plane, which the stage owns (NULL if there is none yet). */
    void (*show)(struct rn_bound *bound, char *text, size_t size, const uint64_t **histogram,
                 int *nbins);
    /* From now on calls fn with arg for each measurement. */
    void (*listen)(struct rn_bound *bound, rn_measure_fn *fn, void *arg);
};

/* Stages defined by a file that their first row names, whose changes they follow while running. */
struct rn_reload {
    /* Gives the stage the rows that its file declares, after a text row of the settings was set.
     * Rows found earlier must be looked up again. Returns 0, RN_EUSAGE or RN_EINTERNAL (logged). */
    int (*declare)(struct rn_stage *stage, const struct rn_param *row);
    /* Checks whether the file has changed; called between frames, in the device thread. now: the
     * running snapshot. *attempt: what is to be built, for take or drop; NULL: nothing. *changed:
     * whether the alert is new. Returns 0, RN_EDEVICE or RN_EINTERNAL (logged). */
    int (*look)(struct rn_bound *bound, const struct rn_snapshot *now, struct rn_attempt **attempt,
                bool *changed);
    /* Builds and tries it, for any thread: with nothing of the bound stage, on dev, a device with
     * the same context. What the user's text has wrong is no error. Optional. */
    int (*build)(struct rn_attempt *attempt, struct rn_device *dev);
    /* Takes what was built: a good version is put into stage (table, parameters), and the runner
     * then applies it like any other update; a bad one leaves stage unchanged and sets an alert.
     * In the device thread. *changed: whether stage or the alert is new. */
    int (*take)(struct rn_bound *bound, const struct rn_snapshot *now, struct rn_stage *stage,
                struct rn_attempt *attempt, bool *changed);
    /* Frees it, and what was built and not taken. Any thread. */
    void (*drop)(struct rn_attempt *attempt);
};

/* ---- descriptor */

struct rn_stage_desc {
    const char *name;              /* as in a chain */
    const char *help;              /* one sentence without a full stop, lower case */
    const char *aliases;           /* what FFmpeg, ImageJ and others call it, parted by ", " */
    const char *about;             /* sentences: the formula and where it is from */
    const struct rn_param *params; /* ends with RN_P_END */
    size_t params_size;            /* of the struct of values */
    const void *variant;           /* distinguishes filters that share callbacks */
    size_t priv_size;              /* of bound->priv */

    /* Device: a file in kernels/ and the kernels in it, in the order of bound->kernel; NULL after
     * the last. Optional. */
    const char *source;
    const char *kernels[RN_STAGE_KERNELS];

    /* Which of them frames with these settings may need: bit k for kernels[k]. The device is there.
     * Optional: all. */
    unsigned (*needs)(const struct rn_bound *bound, const struct rn_snapshot *now);

    /* Checks the parameters against each other and against the input. Pure: changes only *traits,
     * where it sets what differs from the presets: out is the input's geometry, planes follows from
     * the parameter `planes` (see rn_geom_planes), reads adds nothing to planes, margin, delay and
     * before are 0 (delay counts as before where it is more), relays, point, shift_invariant
     * and batches are false. Optional. Returns 0, RN_EUSAGE or RN_EINTERNAL (logged). */
    int (*check)(const struct rn_stage *stage, const struct rn_geom *in, struct rn_traits *traits);

    /* Makes what frames need but arguments cannot carry: tables on the host, and tables and scratch
     * memory on the device (if there is one), all kept in priv. Called once at first, and again
     * when parameters or geometry have changed. Frames under way may still use the old contents:
     * rn_buffer_from leaves them theirs, and released memory lives as long as they need it.
     * Optional. Returns 0, RN_EDEVICE or RN_EINTERNAL (logged); after an error either prepare is
     * called again with the previous parameters, or release is called. */
    int (*prepare)(struct rn_bound *bound, const struct rn_snapshot *now);

    /* Computes plane p. src has the input's geometry, dst the output's. Required, except for stages
     * without a reference (see above). Returns 0 or an error (logged). */
    int (*ref)(struct rn_bound *bound, const struct rn_snapshot *now, const struct rn_call *call,
               const struct rn_image *src, struct rn_image *dst, int p);

    /* Enqueues the same computation; may overwrite src's margin. Returns 0 or an error (logged). */
    int (*enqueue)(struct rn_bound *bound, const struct rn_snapshot *now, struct rn_cmd *cmd,
                   const struct rn_dimage *src, struct rn_dimage *dst, int p);

    /* Releases what prepare, ref and enqueue made, on the host and on the device, but for what
     * rn_held was given. Legal if nothing was prepared. Optional. */
    void (*release)(struct rn_bound *bound);

    /* Forgets earlier frames: after the warm-up, and when a player seeks. Optional. */
    void (*reset)(struct rn_bound *bound);

    const struct rn_measuring *measuring; /* NULL: the stage does not measure */
    bool numbered;                        /* what it does depends on the frame's number */
    /* Each sample follows from the one at its own place in the same plane, and from what was
     * gathered of that plane before the first is written: src and dst may be the same memory, if
     * of one format; on GPUs only in whole planes, as rn_load() reads what a neighbour writes. */
    bool in_place;
    const struct rn_reload *reload; /* NULL: no file defines the stage */
};

/* The settings of a descriptor: the rows of a table, whose values a struct of this type holds. */
#define RN_SETTINGS(type, rows) .params = rows, .params_size = sizeof(type)

/* The functions of a descriptor, where a file has one of each, by their names: of a filter whose
 * bound stages hold nothing; something of the type `held`; or also what it releases itself. */
#define RN_COMPUTING        .check = check, .ref = ref, .enqueue = enqueue
#define RN_PREPARING(held_) RN_COMPUTING, .priv_size = sizeof(held_), .prepare = prepare
#define RN_FUNCTIONS(held_) RN_PREPARING(held_), .release = release

RN_API_BEGIN

/* All filters, sorted by name; NULL at the end (filters/registry.c). */
extern const struct rn_stage_desc *const rn_registry[];

/* Filter i of these, from 0; NULL: there is none. */
const struct rn_stage_desc *rn_registry_at(int i);

/* The filter with this name; or of which it is an alias, in either case. NULL if there is none. */
const struct rn_stage_desc *rn_registry_find(const char *name);
const struct rn_stage_desc *rn_registry_alias(const char *name);

/* Makes a stage with default parameters, or a copy of one. The caller destroys it. Return NULL when
 * out of memory. */
struct rn_stage *rn_stage_create(const struct rn_stage_desc *desc);
struct rn_stage *rn_stage_copy(const struct rn_stage *stage);

/* Destroys *stage and sets it to NULL; NULL is legal. */
void rn_stage_destroy(struct rn_stage **stage);

/* Rows that every stage has besides its table's: they have no position, and lie in the stage. */
extern const struct rn_param rn_stage_rows[];

/* The stage's label, or, without one, the name of its filter. */
const char *rn_stage_name(const struct rn_stage *stage);

/* Row i of the stage's table and then of those that every stage has; NULL: there are fewer. */
const struct rn_param *rn_stage_row(const struct rn_stage *stage, int i);

/* A loop over these rows. */
#define RN_EACH_PARAM(row, stage)                                                                  \
    for (int row_number = 0; row_number >= 0; row_number = -1)                                     \
        for (const struct rn_param *row; (row = rn_stage_row(stage, row_number)) != NULL;          \
             row_number++)

/* Finds a row by name, in the stage's table or among those of every stage; NULL: there is none. */
const struct rn_param *rn_stage_find(const struct rn_stage *stage, const char *name);

/* What the row's field is in: for the functions of param.h. */
void *rn_stage_values(const struct rn_stage *stage, const struct rn_param *row);

/* Parses text into a row of the stage. Returns 0, RN_EUSAGE or RN_EINTERNAL (logged). */
int rn_stage_set(struct rn_stage *stage, const struct rn_param *row, const char *text);

RN_API_END

/* Says where the values come from that this thread sets from now on. name: for messages, lives as
 * long as the process; NULL: they are the caller's own. The parser sets that of a chain file.
 * Returns the previous name, to be set again. */
const char *rn_stage_origin(const char *name);

/* From now on code of any origin is allowed. Call it before other threads set values. */
void rn_stage_allow_all_code(void);

/* Refuses code that is not allowed (rn_chain_check_code). Returns 0 or RN_EUSAGE (logged). */
int rn_stage_check_code(const struct rn_stage *stage);

/* For use in check: refuses border=wrap for a filter that reaches across frames. slices: its reach.
 * Returns 0 or RN_EUSAGE (logged). */
int rn_stage_check_slices(const struct rn_stage *stage, int slices, enum rn_border border);

/* Derives the traits of the settings for an input of geometry `in`. Returns 0 and *traits, or the
 * error of check (logged). */
int rn_stage_check(const struct rn_stage *stage, const struct rn_geom *in,
                   struct rn_traits *traits);
