/* SPDX-License-Identifier: MIT */
#include "io/read/source_internal.h"

#include <stdlib.h>

void rn_read_cadence_add(struct rn_read_cadence *c, int64_t pts, int64_t duration, int64_t behind)
{
    if (c->begun) {
        int64_t step = pts - c->pts, excess = step - c->duration;
        /* Timestamps are rounded, to a millisecond at worst: far less than a quarter picture. */
        bool regular = llabs(step - c->duration) <= c->duration / 4 + 1;
        c->regular += regular;
        c->irregular += !regular;
        c->excess += regular ? 0 : excess; /* roundings would add up */
        bool gap = !regular && excess > 0;
        c->gaps += gap;
        c->gap += gap ? excess : 0;
        c->tail[c->steps++ % RN_CADENCE_TAIL] = gap ? excess : 0;
        if (llabs(excess) > llabs(c->worst)) {
            c->worst = excess;
            c->worst_at = c->pts;
        }
        c->crowded += behind > 0;
        c->crowded_by += behind > 0 ? c->duration - step : 0;
    }
    c->begun = true;
    c->pts = pts;
    c->duration = duration;
}

void rn_read_cadence_forget_tail(struct rn_read_cadence *c, int n)
{
    for (int i = 0; i < n && i < RN_CADENCE_TAIL && i < c->steps; i++) {
        int64_t excess = c->tail[(c->steps - 1 - i) % RN_CADENCE_TAIL];
        c->gaps -= excess > 0;
        c->irregular -= excess > 0;
        c->gap -= excess;
        c->excess -= excess;
    }
}

int64_t rn_read_cadence_excess(const struct rn_read_cadence *c)
{
    /* Where frames that repeat the one before were left out, gaps come again and again. */
    bool constant = c->regular >= (c->irregular > 1 ? 16 : 3) * c->irregular;
    /* Half a picture more than one: a stream may end with a short one. */
    if (c->duration <= 0 || !constant || 2 * llabs(c->excess) < 3 * c->duration)
        return 0;
    int64_t n = (llabs(c->excess) + c->duration / 2) / c->duration;
    return c->excess > 0 ? n : -n;
}
