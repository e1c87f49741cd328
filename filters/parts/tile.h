/* SPDX-License-Identifier: MIT */
/* Tiles: passes that follow each other run in one launch where a work-item has fast memory of its
 * own (CPUs). It walks down a tile of the picture, and what the next pass needs of the last rows
 * stays in that memory, which a core's caches hold; a plane between the passes would fall out of
 * them. For stages, in the device thread. */
#pragma once

#include "filters/core/device/kernel_constants.h"
#include "filters/core/device/opencl.h"

/* Which erosions and dilations go by morphology_tile.cl; ratios to the other forms of
 * filters/parts/minmax.c at 720p, at 2160p, 8 bits: */
enum {
    RN_TILE_RADIUS = 15, /* squares and crosses up to here: two on squares 0.75, 0.3 at radius 1;
                            1.1, 0.6 at 15; 1.7, 1.2 at 31; one on squares 0.8, 0.7 at radius 1 and
                            0.95, 0.9 at 6; one on crosses 0.75, 0.5 at radius 1, 0.5, 0.4 at 7 and
                            1.5, 1.5 at 31. Disks always: 0.65 to 0.95, 0.5 to 0.8 */
    RN_TILE_SQUARE = 3,  /* squares from here on go by van Herk's algorithm: 1.1 at radius 1 and 2,
                            0.9 at 3, 0.6 at 7 against the form whose cost is 2 rx + 2 ry */
};

struct rn_tile {
    int columns, rows; /* samples */
};

/* Whether passes are joined on devices of this form. GPUs keep one launch per pass: their
 * work-items are many and small. */
static inline bool rn_tile_pays(const struct rn_form *form)
{
    return rn_form_alone(form) && form->bytes <= RN_TILE_LEAST;
}

/* Chooses the tile for a plane of w x h samples. reach: rows that the later passes need above and
 * below; bytes: of what the rings keep of a sample; most: columns, RN_TILE_LEAST times a power of
 * two. The columns are a multiple of RN_TILE_LEAST. */
struct rn_tile rn_tile_choose(const struct rn_device *dev, int w, int h, int reach, int bytes,
                              int most);

/* How many tiles cover a plane. */
struct rn_range rn_tile_range(const struct rn_tile *tile, int w, int h);
