/* Tiles: passes that follow each other run in one launch where a work-item has fast memory of its
 * own (CPUs). It walks down a tile of the picture, and what the next pass needs of the last rows
 * stays in that memory, which a core's caches hold; a plane between the passes would fall out of
 * them. For stages, in the device thread. */
#ifndef RN_TILE_H
#define RN_TILE_H

#include "filters/core/kernel_constants.h"
#include "filters/core/opencl.h"

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
 * below; bytes: of what the ring keeps of a sample; least, most: columns, a power of two apart. */
struct rn_tile rn_tile_choose(const struct rn_device *dev, int w, int h, int reach, int bytes,
                              int least, int most);

/* How many tiles cover a plane. */
struct rn_range rn_tile_range(const struct rn_tile *tile, int w, int h);

#endif
