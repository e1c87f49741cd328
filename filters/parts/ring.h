/* SPDX-License-Identifier: MIT */
/* A ring of the most recent frames of a plane, for stages that look at neighbouring frames: it
 * tells which frames are available, and which one replaces a frame that does not exist. It holds
 * numbers only; the caller stores the frames. */
#pragma once

#include <stdint.h>

#include "filters/base/border.h"

struct rn_ring {
    int size;            /* places, >= 1 */
    int64_t first, next; /* frames [first, next) have come in; the last `size` are kept */
};

/* Empties the ring. size: the number of places. */
static inline void rn_ring_reset(struct rn_ring *ring, int size)
{
    *ring = (struct rn_ring){.size = size};
}

/* Adds a frame. Frames come in sequence; a gap empties the ring first. Returns the frame's place,
 * 0..size-1, which it keeps until `size` frames later. */
int rn_ring_push(struct rn_ring *ring, int64_t frame);

/* Finds the place of a frame, which must be at most size-1 older than the newest. A frame before
 * the first, or after the last that came in, is replaced by the border rule (border.h), as pixels
 * outside an image are. Returns -1 if the rule has no counterpart; wrap is impossible in a stream
 * and has none. */
int rn_ring_find(const struct rn_ring *ring, int64_t frame, enum rn_border border);
