/* Tiles: passes that follow each other run in one launch where a work-item has fast memory of its
 * own (CPUs). It walks down a tile of the picture, and what the next pass needs of the last rows
 * stays in that memory, which a core's caches hold; a plane between the passes would fall out of
 * them. For stages, in the device thread. */
#ifndef RN_TILE_H
#define RN_TILE_H

#include "filters/core/kernel_constants.h"
#include "filters/core/opencl.h"

/* Up to which radius erosions and dilations go by morphology_tile.cl, which costs 2 rx + 2 ry per
 * sample, measured at 720p to 2160p against the other forms of filters/parts/minmax.c: */
enum {
    RN_TILE_SQUARE = 3,  /* two on squares: from 4 on the strips' three reads per row are fewer */
    RN_TILE_CROSS = 15,  /* on crosses: 0.5 of the passes' time at 7, 1.5 at 31 */
    RN_TILE_SINGLE = 10, /* one alone: elements of fewer samples do as well without, as squares do;
                            disks take 0.8 of the time of chords at any radius */
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
 * below; bytes: of what the rings keep of a sample; least, most: columns, a power of two apart. The
 * columns are a multiple of least. */
struct rn_tile rn_tile_choose(const struct rn_device *dev, int w, int h, int reach, int bytes,
                              int least, int most);

/* How many tiles cover a plane. */
struct rn_range rn_tile_range(const struct rn_tile *tile, int w, int h);

#endif
