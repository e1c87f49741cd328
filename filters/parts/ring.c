/* SPDX-License-Identifier: MIT */
#include "filters/parts/ring.h"

/* Frame numbers may be negative. */
static int place(const struct rn_ring *ring, int64_t frame)
{
    int i = (int)(frame % ring->size);
    return i < 0 ? i + ring->size : i;
}

int rn_ring_push(struct rn_ring *ring, int64_t frame)
{
    if (frame != ring->next || ring->first == ring->next)
        ring->first = frame;
    ring->next = frame + 1;
    return place(ring, frame);
}

int rn_ring_find(const struct rn_ring *ring, int64_t frame, enum rn_border border)
{
    if (frame < ring->first || frame >= ring->next) {
        int64_t n = ring->next - ring->first;
        /* The border rule computes in int; only nearby frames matter. */
        int64_t base = frame < ring->first ? ring->first : ring->next - (n < 4096 ? n : 4096);
        int i = border == RN_WRAP || !n
                    ? -1
                    : rn_border_index(border, (int)(frame - base), (int)(n < 4096 ? n : 4096));
        if (i < 0)
            return -1;
        frame = base + i;
    }
    return place(ring, frame);
}
