/* The last frames of a plane, for stages that look at neighbouring frames: which of them are at
 * hand, and which one stands for a frame that does not exist. What is kept of each is the caller's.
 */
#ifndef RN_RING_H
#define RN_RING_H

#include <stdint.h>

#include "filters/core/border.h"

struct rn_ring {
    int size;            /* places, >= 1 */
    int64_t first, next; /* frames [first, next) have come in; the last `size` are at hand */
};

/* Empties it. */
void rn_ring_reset(struct rn_ring *ring, int size);

/* A frame comes in. Frames come one after the other; a gap begins anew, as if nothing had been
 * before. Returns its place, 0..size-1, until `size` frames later. */
int rn_ring_push(struct rn_ring *ring, int64_t frame);

/* The place of a frame. One before the first, or behind the last that came in, is replaced by the
 * border rule (border.h), as pixels outside an image are; -1 where the rule has no counterpart.
 * wrap is not possible in a stream and counts as outside. Frames that are asked for are at most
 * size-1 older than the newest. */
int rn_ring_find(const struct rn_ring *ring, int64_t frame, enum rn_border border);

#endif
