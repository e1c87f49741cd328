/* SPDX-License-Identifier: MIT */
#include "filters/parts/tile.h"

/* The one table of what was measured (two cores, PoCL 3.1; fp32 sums of 9 to 161 rows, samples of 1
 * to 4 bytes). Rows of a tile lie pages apart, and memory is fetched ahead only within a page: so a
 * tile is as wide as the ring allows, and tall tiles compute fewer rows twice. */
enum {
    RING_BYTES = 48 << 10, /* a ring of more than this falls out of the first cache: 64 columns win
                              again over 256 from twice as much on */
    ROWS = 128,            /* 64 and 512 differ by 5 %, 32 loses 10 */
    ROWS_OF_REACH = 12,    /* at most 1/6 of the rows is computed twice */
    MIN_ROWS = 32,         /* what small frames on many cores are cut into, */
    MIN_ROWS_OF_REACH = 2, /* and at most half of the rows twice */
    TILES_OF_UNIT = 4,     /* tiles for each core: else the last ones leave cores idle */
};

static int larger(int a, int b)
{
    return a > b ? a : b;
}

struct rn_range rn_tile_range(const struct rn_tile *tile, int w, int h)
{
    return (struct rn_range){(w + tile->columns - 1) / tile->columns,
                             (h + tile->rows - 1) / tile->rows, 1};
}

struct rn_tile rn_tile_choose(const struct rn_device *dev, int w, int h, int reach, int bytes,
                              int most)
{
    const int least = RN_TILE_LEAST;
    struct rn_tile tile = {most, larger(ROWS, ROWS_OF_REACH * reach)};
    int fewest_rows = larger(MIN_ROWS, MIN_ROWS_OF_REACH * reach);
    int wanted = TILES_OF_UNIT * dev->info.compute_units;
    while (tile.columns > least && (2 * reach + 1) * tile.columns * bytes > RING_BYTES)
        tile.columns /= 2;
    for (;;) {
        struct rn_range n = rn_tile_range(&tile, w, h);
        if (n.x * n.y < wanted && tile.rows / 2 >= fewest_rows)
            tile.rows /= 2;
        else if (n.x * n.y < wanted && tile.columns > least)
            tile.columns /= 2;
        else /* tiles of equal size, no larger */
            return (struct rn_tile){rn_round_up((w + n.x - 1) / n.x, least), (h + n.y - 1) / n.y};
    }
}
