/* SPDX-License-Identifier: MIT */
/* How much each sample has of a filter that is limited to a region: the engine mixes its input and
 * its output behind the stage (runner_region.c). */
#pragma once

#include "filters/base/image.h"
#include "filters/core/chain/region.h"

/* Whether they are the same; texts are interned. */
static inline bool rn_region_equal(const struct rn_region *a, const struct rn_region *b)
{
    return a->kind == b->kind && a->x == b->x && a->y == b->y && a->w == b->w && a->h == b->h &&
           a->feather == b->feather && a->mask == b->mask && a->pgm == b->pgm;
}

/* A binary PGM picture: big-endian where max is above 255. */
struct rn_pgm {
    int w, h, max;
    const unsigned char *samples;
};

/* Finds the picture in a file of size bytes and a NUL. Returns whether it is one, and all there. */
bool rn_pgm_parse(const char *file, size_t size, struct rn_pgm *pgm);

/* Refuses a region that has no sense for frames of this geometry. owner: the stage's name. Returns
 * 0 or RN_EUSAGE (logged). */
int rn_region_check(const struct rn_region *region, const char *owner, const struct rn_geom *in);

/* Writes the weight of each sample of plane p, row by row: 0 where the region is not, 1 where the
 * filter's result stays. It belongs to the middle of the pixels that the sample stands for. */
void rn_region_weights(const struct rn_region *region, const struct rn_geom *in, int p, float *to);
