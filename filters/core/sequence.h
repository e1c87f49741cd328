/* What a morphological filter does with each frame that comes in: erosions and dilations, one after
 * the other, over a stream of frames. This part only decides; a list of steps says what to compute,
 * and the reference and the device follow the same list.
 *
 * A filter is the result of its first path of operations, or the difference of two paths from the
 * same source. Where the element reaches across frames, each operation gives its frame `slices`
 * frames late, and keeps the last 2 * slices + 1 frames of what it reads in a ring. */
#ifndef RN_SEQUENCE_H
#define RN_SEQUENCE_H

#include <stdbool.h>

#include "filters/core/element.h"
#include "filters/core/ring.h"

#define RN_ITERATIONS_MAX 16
#define RN_MAX_OPS        (2 * RN_ITERATIONS_MAX)

enum rn_op { RN_ERODE, RN_DILATE };

/* The operations of a path; none: its result is the source. */
struct rn_path {
    int n;
    enum rn_op op[RN_MAX_OPS];
};

/* Images: those that the stage is given, and its own, numbered from 0. */
enum { RN_NO_IMAGE = -1, RN_SOURCE = -2, RN_RESULT = -3 };

enum rn_step_kind { RN_STEP_TAKE, RN_STEP_OPERATE, RN_STEP_SUBTRACT };

struct rn_sequence_step {
    enum rn_step_kind kind;
    enum rn_op op; /* OPERATE only */
    /* OPERATE: the frames of the window in order of time, RN_NO_IMAGE where there is none.
     * TAKE: in[0], copied to `to`. SUBTRACT: in[0] - in[1], never below 0. */
    int in[2 * RN_SLICES_MAX + 1];
    int to;
};

#define RN_MAX_STEPS (2 * RN_MAX_OPS + 2)

struct rn_sequence {
    int slices;
    enum rn_border border;
    bool unbounded; /* the image lies among zeros in all directions, and what operations write there
                       counts; the stage's own images are larger then */
    int npaths;
    struct rn_path path[2];
    int images; /* of the stage's own, in all */
    int delay;  /* frames */

    /* First image of each kind: between operations within a frame, of the two paths, of the source.
     */
    int between, results, sources;

    struct rn_ring source;
    struct {
        struct rn_ring ring; /* what the operation reads; the first one reads the source */
        int base;            /* image of its place 0 */
    } of[2][RN_MAX_OPS];
};

/* Plans it; paths, slices, border and unbounded are set. Keeps no frames. */
void rn_sequence_plan(struct rn_sequence *q);

/* Forgets earlier frames. */
void rn_sequence_reset(struct rn_sequence *q);

/* One frame comes in (has_source), or the input has ended; wanted: a frame is to be given. tick:
 * counts the calls, from 0 after a reset. steps: RN_MAX_STEPS. Returns their number. */
int rn_sequence_next(struct rn_sequence *q, int64_t tick, bool has_source, bool wanted,
                     struct rn_sequence_step *steps);

#endif
