/* SPDX-License-Identifier: MIT */
/* A revision: a snapshot of a whole chain's settings and what follows from them for one runner. It
 * never changes once made. Each submitted frame refers to the revision in force at that moment, so
 * a later update never affects the frame. Reference-counted; only the device thread changes the
 * count. */
#pragma once

#include "filters/core/chain/chain.h"

/* ---- placement */

/* Where each plane is stored, from stage to stage:
 *   - A plane that a stage does not write stays where it is, without a copy. A plane that no stage
 *     writes is not transferred.
 *   - The last stage that writes a plane writes it into the frame's output. Earlier stages
 *     alternate between two temporary planes.
 *   - Stages that can (in_place) write the memory that they read: half the memory and cache use.
 *     They never write the input, nor any plane in a chain with a delay: later frames may read it;
 *     nor with a region, behind which the input is read once more.
 *   - All frames share the temporary planes. In a chain with a delay several frames are under way
 *     at once, so each slot has its own.
 * Plane p uses only memory of index p. */
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

/* The rn_plane_size_fn of the C path's memory, whose rows are padded. context: NULL. */
size_t rn_plane_host_bytes(const void *context, const struct rn_geom *geom, int p);

/* ---- revisions */

struct rn_revision {
    struct rn_analysis analysis; /* refers to copies of the parameters */
    struct rn_placement placement;
    void *params; /* all the copies, one after the other */
    int users;
};

/* Makes a revision of the chain's current settings, for an input of geometry `in`, with one user.
 * Returns 0, RN_EUSAGE or RN_EINTERNAL (logged); *revision is NULL after an error. */
int rn_revision_make(struct rn_revision **revision, const struct rn_chain *chain,
                     const struct rn_geom *in);

/* Sets *user to revision, and releases what it referred to before; either may be NULL. */
void rn_revision_use(struct rn_revision **user, struct rn_revision *revision);

/* Returns why a runner that was opened with `first` cannot compute frames with `next`, for which
 * another one is to be opened; NULL: it can. text: gets the reason if it names a filter. */
const char *rn_revision_obstacle(const struct rn_revision *first, const struct rn_revision *next,
                                 char text[128]);
