/* SPDX-License-Identifier: MIT */
/* The choice of tiles: they cover the plane, none is empty, and what a tile keeps of its rows fits
 * the kernels' memory. */
#include "tests/unit.h"

#include "filters/parts/tile.h"

static const int sides[] = {1, 2, 31, 63, 64, 65, 500, 720, 1025, 1920, 3840, 20000};
static const int reaches[] = {0, 1, 2, 7, 15, 31, 80, RN_TILE_REACH - 1};
static const int units[] = {1, 2, 16, 128};

static struct rn_tile choose(int cores, int w, int h, int reach, int bytes, int most)
{
    struct rn_device dev = {.info = {.compute_units = cores}};
    return rn_tile_choose(&dev, w, h, reach, bytes, most);
}

static void check_cover(const struct rn_tile *tile, int w, int h, int most)
{
    struct rn_range n = rn_tile_range(tile, w, h);
    assert_int_equal(tile->columns % RN_TILE_LEAST, 0);
    assert_in_range(tile->columns, RN_TILE_LEAST, most);
    assert_true(tile->rows >= 1 && tile->rows <= h);
    assert_true(n.x * tile->columns >= w && (n.x - 1) * tile->columns < w);
    assert_true(n.y * tile->rows >= h && (n.y - 1) * tile->rows < h);
}

TEST(tiles_cover_every_plane)
{
    for (int i = 0; i < COUNT(sides) * COUNT(sides); i++) {
        int w = sides[i / COUNT(sides)], h = sides[i % COUNT(sides)];
        for (int r = 0; r < COUNT(reaches); r++) {
            for (int u = 0; u < COUNT(units); u++) {
                struct rn_tile tile = choose(units[u], w, h, reaches[r], 4, RN_TILE_COLUMNS);
                check_cover(&tile, w, h, RN_TILE_COLUMNS);
            }
        }
    }
}

TEST(rings_of_sums_fit)
{
    for (int reach = 0; reach < RN_TILE_REACH; reach++) {
        struct rn_tile tile = choose(2, 3840, 2160, reach, sizeof(cl_float), RN_TILE_COLUMNS);
        assert_true((2 * reach + 1) * tile.columns <= RN_TILE_SUMS);
    }
}

/* kernels/morphology_tile.cl: 2 ry + 2 rows for the results, and for squares two more; each as wide
 * as the tile and the reach of the second operation, in whole pairs of vectors. */
TEST(rings_of_results_fit)
{
    for (int radius = 1; radius <= RN_RADIUS_MAX; radius++) {
        for (int bytes = 1; bytes <= 4; bytes *= 2) {
            struct rn_tile tile = choose(2, 3840, 2160, radius, 2 * bytes, RN_TILE_WIDE / bytes);
            int pitch = rn_round_up(tile.columns + 2 * radius, 128 / bytes);
            assert_true((2 * radius + 4) * pitch * bytes <= RN_TILE_BYTES);
        }
    }
}

static int tiles_of(int cores, int w, int h, int reach)
{
    struct rn_tile tile = choose(cores, w, h, reach, 4, RN_TILE_COLUMNS);
    struct rn_range n = rn_tile_range(&tile, w, h);
    return n.x * n.y;
}

TEST(every_core_gets_tiles)
{
    for (int u = 0; u < COUNT(units); u++) {
        assert_true(tiles_of(units[u], 3840, 2160, 1) >= 4 * units[u]);
        for (int r = 0; r < COUNT(reaches) && u > 0; r++)
            assert_true(tiles_of(units[u], 640, 480, reaches[r]) >=
                        tiles_of(units[u - 1], 640, 480, reaches[r]));
    }
}

/* Rows around a tile are computed once more: few where the plane is large, and no more than half of
 * all wherever it is as high as that. */
TEST(few_rows_are_computed_twice)
{
    for (int r = 0; r < COUNT(reaches); r++) {
        struct rn_tile large = choose(1, 20000, 20000, reaches[r], 4, RN_TILE_COLUMNS);
        struct rn_tile small = choose(128, 500, 500, reaches[r], 4, RN_TILE_COLUMNS);
        assert_true(2 * reaches[r] <= large.rows / 5);
        assert_true(2 * reaches[r] <= 2 * small.rows);
    }
}
