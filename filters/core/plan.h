/* Which memory each plane is in, from stage to stage.
 *
 * A plane that a stage does not write stays where it is: no copy, and if no stage writes it, no
 * transfer. The last stage that writes a plane writes it into the frame's output; those before
 * alternate between two temporary planes. All frames share those, unless a stage gives its frames
 * late: then each slot has its own, because several frames are under way at once. Plane p only ever
 * uses memories of index p, so what a stage reads is never what it writes. */
#ifndef RN_PLAN_H
#define RN_PLAN_H

#include "filters/core/chain.h"

enum rn_place { RN_IN, RN_OUT, RN_TMP0, RN_TMP1, RN_PLACES };

struct rn_step {
    bool on;
    unsigned planes;                  /* mask of those that it writes, or measures */
    enum rn_place src[RN_MAX_PLANES]; /* of the planes of the stage's input */
    enum rn_place dst[RN_MAX_PLANES]; /* of the planes of its output */
};

struct rn_plan {
    bool active;                        /* there is something to compute */
    struct rn_step step[RN_MAX_STAGES]; /* of the stages of the chain */
    enum rn_place final[RN_MAX_PLANES]; /* of the planes of the chain's output: RN_IN or RN_OUT */
    unsigned upload;                    /* mask: planes of the input that a stage reads */
};

/* Makes the plan of a checked chain. */
void rn_plan_make(struct rn_plan *plan, const struct rn_chain *chain);

/* How many temporary planes of each index a frame can need, whatever its stages' parameters: 0..2.
 */
int rn_plan_temporaries(const struct rn_chain *chain);

/* The largest value of size(geometry, plane index) over all geometries of the chain, per plane
 * index; 0 for planes that never exist. */
typedef size_t rn_plane_size_fn(const void *context, const struct rn_geom *geom, int p);
void rn_plan_sizes(const struct rn_chain *chain, rn_plane_size_fn *size, const void *context,
                   size_t bytes[RN_MAX_PLANES]);

#endif
