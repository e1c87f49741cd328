/* SPDX-License-Identifier: MIT */
/* The schedule of a morphological filter: which erosions and dilations to compute, in which order,
 * for each frame that comes in. It only decides; the reference and the device both carry out the
 * list of steps that it returns.
 *
 * A filter is the result of one path of operations, or the difference of two paths from the same
 * source. If the element reaches across frames, each operation delays its result by `slices` frames
 * and keeps the last 2 * slices + 1 frames of its input in a ring. */
#pragma once

#include "filters/core/chain/param.h" /* RN_SLICES_MAX */
#include "filters/parts/ring.h"

#define RN_ITERATIONS_MAX 16
#define RN_MAX_OPS        (2 * RN_ITERATIONS_MAX)

enum rn_op { RN_ERODE, RN_DILATE };

/* The operations of a path; if there are none, its result is the source. */
struct rn_path {
    int n;
    enum rn_op op[RN_MAX_OPS];
};

/* Images are numbered: the stage's own from 0, the others as below. */
enum { RN_NO_IMAGE = -1, RN_SOURCE = -2, RN_RESULT = -3 };

enum rn_step_kind { RN_STEP_TAKE, RN_STEP_OPERATE, RN_STEP_SUBTRACT, RN_STEP_JOINED };

/* What a joined step gives: the result of its operations, the difference of that and its source, or
 * of two operations on its source. The numbers are those of kernels/morphology_tile.cl. */
enum rn_join { RN_JOIN_RESULT, RN_JOIN_SOURCE_MINUS, RN_JOIN_MINUS_SOURCE, RN_JOIN_BOTH };

struct rn_schedule_step {
    enum rn_step_kind kind;
    enum rn_op op;     /* OPERATE and JOINED */
    enum rn_op second; /* JOINED: the operation after, or beside, the first */
    enum rn_join join; /* JOINED */
    /* OPERATE: the frames of the window in order of time, RN_NO_IMAGE for those that do not exist.
     * TAKE: in[0] is copied to `to`. SUBTRACT: in[0] - in[1], never below 0. JOINED: in[0]. */
    int in[2 * RN_SLICES_MAX + 1];
    int to;
};

#define RN_MAX_STEPS (2 * RN_MAX_OPS + 2)

struct rn_schedule {
    int slices;
    enum rn_border border;
    bool unbounded; /* the image lies among zeros in all directions, and results outside it count;
                       the stage's own images are then larger */
    int npaths;
    struct rn_path path[2];
    int ahead; /* with slices: so many calls may be listed before the steps of the first are done */
    int images; /* the total number of the stage's own */
    int delay;  /* frames */

    /* The first image of each kind: between operations within a frame, of the two paths' results,
     * of the source. */
    int between, results, sources;

    struct rn_ring source;
    struct {
        struct rn_ring ring; /* its input; the first operation reads the source */
        int base;            /* the image of the ring's place 0 */
    } of[2][RN_MAX_OPS];
};

/* Derives the other fields from paths, slices, border, unbounded and ahead; forgets all frames. */
void rn_schedule_plan(struct rn_schedule *q);

/* Forgets all frames. */
void rn_schedule_reset(struct rn_schedule *q);

/* Lists the steps for the next call of the stage. tick: number of the call, from 0 after a reset.
 * has_source: a frame comes in (false: the input has ended). wanted: a result is due. steps: room
 * for RN_MAX_STEPS. Returns the number of steps. */
int rn_schedule_next(struct rn_schedule *q, int64_t tick, bool has_source, bool wanted,
                     struct rn_schedule_step *steps);

/* Whether the steps of two calls are the same ones for other frames. */
bool rn_schedule_alike(const struct rn_schedule_step *a, int na, const struct rn_schedule_step *b,
                       int nb);

/* Whether step b takes and gives the images n further on than step a, which does the same. */
bool rn_schedule_advances(const struct rn_schedule *q, const struct rn_schedule_step *a,
                          const struct rn_schedule_step *b, int n);

/* Joins steps within a frame, in place: two operations of which the second takes the first one's
 * result, and a difference with what comes before it. An unbounded joined step is computed without
 * larger images. Returns the number of steps that are left. */
int rn_schedule_join(const struct rn_schedule *q, struct rn_schedule_step *steps, int n);
