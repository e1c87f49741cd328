/* Where each plane is stored, from stage to stage.
 *
 * A plane that a stage does not write stays where it is: no copy, and, if no stage writes it, no
 * transfer. The last stage that writes a plane writes it into the frame's output; earlier ones
 * alternate between two temporary planes. Stages that can (in_place) write a plane where it is,
 * which takes half of the memory, in the cache too; but the input stays as it is, and so does all
 * in a chain with a delay, where later frames may look at it. All frames share the temporary
 * planes, unless the chain has a delay: then several frames are under way at once, and each slot
 * has its own. Plane p uses only memory of index p; only stages in place write to the memory that
 * they read. */
#ifndef RN_FILTERS_CORE_RUNNER_PLACEMENT_H
#define RN_FILTERS_CORE_RUNNER_PLACEMENT_H

#include "filters/core/chain/chain.h"

enum rn_place { RN_IN, RN_OUT, RN_TMP0, RN_TMP1, RN_PLACES };

struct rn_placement {
    bool active; /* some stage has something to compute */
    struct {
        enum rn_place src[RN_MAX_PLANES]; /* of each plane of the stage's input */
        enum rn_place dst[RN_MAX_PLANES]; /* of each plane of its output */
    } stage[RN_MAX_STAGES];
    enum rn_place final[RN_MAX_PLANES]; /* of each plane of the chain's output: RN_IN or RN_OUT */
    unsigned upload;                    /* mask: planes of the input that a stage reads */
};

/* Places the planes of a chain. analysis: of the chain, for its input. */
void rn_placement_make(struct rn_placement *placement, const struct rn_analysis *analysis);

/* The most temporary planes per index that a frame can need, whichever stages are on: 0..2. */
int rn_placement_temporaries(const struct rn_analysis *analysis);

/* For each plane index, gets the largest value of size(context, geometry, plane index) over all
 * geometries of the chain; 0 if there is never such a plane. */
typedef size_t rn_plane_size_fn(const void *context, const struct rn_geom *geom, int p);
void rn_placement_sizes(const struct rn_analysis *analysis, rn_plane_size_fn *size,
                        const void *context, size_t bytes[RN_MAX_PLANES]);

#endif
