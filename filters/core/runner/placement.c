#include "filters/core/runner/placement.h"

#include <string.h>

static bool writes(const struct rn_snapshot *s, int p)
{
    return s->on && !s->desc->measuring && (s->traits.planes >> p & 1);
}

/* Whether stage i, which writes plane p, may do so where the plane is. */
static bool stays(const struct rn_analysis *a, int i, enum rn_place at)
{
    return a->stage[i].desc->in_place && at != RN_IN && !a->delay;
}

/* Index of the stage that writes plane p into the frame's output: from there on it stays. -1 if no
 * stage writes it. */
static int last_move(const struct rn_analysis *a, int p)
{
    enum rn_place at = RN_IN;
    int last = -1;
    for (int i = 0; i < a->n; i++) {
        if (!writes(&a->stage[i], p) || stays(a, i, at))
            continue;
        last = i;
        at = RN_OUT;
    }
    return last;
}

void rn_placement_make(struct rn_placement *placement, const struct rn_analysis *a)
{
    enum rn_place at[RN_MAX_PLANES] = {RN_IN, RN_IN, RN_IN, RN_IN};
    memset(placement, 0, sizeof *placement);
    for (int i = 0; i < a->n; i++) {
        const struct rn_snapshot *s = &a->stage[i];
        memcpy(placement->stage[i].src, at, sizeof at);
        for (int p = 0; p < RN_MAX_PLANES && s->on; p++) {
            if (at[p] == RN_IN && (s->traits.reads >> p & 1))
                placement->upload |= 1u << p;
            if (writes(s, p) && !stays(a, i, at[p]))
                at[p] = i == last_move(a, p) ? RN_OUT : at[p] == RN_TMP0 ? RN_TMP1 : RN_TMP0;
        }
        memcpy(placement->stage[i].dst, at, sizeof at);
        placement->active |= s->on;
    }
    memcpy(placement->final, at, sizeof at);
    placement->upload &= rn_geom_all_planes(&a->in);
}

int rn_placement_temporaries(const struct rn_analysis *a)
{
    int moves = 0;
    for (int i = 0; i < a->n; i++) {
        const struct rn_snapshot *s = &a->stage[i];
        /* In place only behind another: the first that is on moves. */
        bool stays = s->desc->in_place && moves && !a->delay;
        moves += !s->desc->measuring && !stays;
    }
    return moves > 2 ? 2 : moves > 1 ? 1 : 0;
}

void rn_placement_sizes(const struct rn_analysis *a, rn_plane_size_fn *size, const void *context,
                        size_t bytes[RN_MAX_PLANES])
{
    memset(bytes, 0, RN_MAX_PLANES * sizeof bytes[0]);
    for (int i = -1; i < a->n; i++) {
        const struct rn_geom *geom = i < 0 ? &a->in : &a->stage[i].traits.out;
        for (int p = 0; p < rn_format_planes(&geom->fmt); p++) {
            size_t n = size(context, geom, p);
            bytes[p] = n > bytes[p] ? n : bytes[p];
        }
    }
}
