/* SPDX-License-Identifier: MIT */
/* Networks of comparators that find the sample of one rank in every window of a small tile of
 * outputs, and that know how to share work: between the windows of a tile, and between tiles side
 * by side.
 *
 * A tile of width x height outputs reads side + width - 1 columns and side + height - 1 rows. What
 * all its windows have in common, the core, is sorted first; then the tile is halved, again and
 * again, and each half adds to its core the lines that its own windows share, until one output is
 * left (L. Sugy, A Fast Parallel Median Filtering Algorithm Using Hierarchical Tiling, SIGGRAPH
 * 2025). A sample that too many others are known to be below, or above, to have the rank is dropped
 * at once. Lists are merged by Batcher's odd-even merge or, where that takes fewer comparators, cut
 * to the wanted ranks and sorted as a bitonic list (Knuth, The Art of Computer Programming vol. 3,
 * 5.3.4).
 *
 * A network is computed by many tiles at once, side by side in the lanes of vectors. So a value
 * that a tile needs may be one that the tile `shift` places to the right computes, too: such values
 * are computed once, and read `shift` lanes further on. */
#pragma once

#include "filters/core/device/kernel_constants.h"

/* A value: where it is kept, and whose it is. */
struct rn_rank_value {
    int slot;  /* >= 0 */
    int shift; /* 0: of this tile; n: of the tile n places to the right */
};

/* Reads two values and writes the lower, the higher, or both to slots; -1: not wanted. */
struct rn_rank_op {
    struct rn_rank_value a, b;
    int low, high;
};

struct rn_rank_network {
    int side;          /* samples of a window in a row, and rows; odd, 3..31 */
    int width, height; /* outputs of a tile in a row, and rows; each a power of two */
    int rank;          /* 0..side * side - 1; 0 = the smallest */
    int nops;
    struct rn_rank_op *op; /* in order of computation; those of a kind stand together if they can */
    struct rn_rank_value *output; /* width * height of them, row by row */
    int slots; /* Slot i of the first width * (side + height - 1) holds the input of column
                * i % width and row i / width, which stays as it is; the others are free for use. */
    int reach; /* the largest shift */
};

/* Makes a network for side, width, height and rank. Tiles must be smaller than windows. *net: to be
 * released with rn_rank_network_free. Returns 0 or RN_EINTERNAL (logged). Any thread. */
int rn_rank_network_make(struct rn_rank_network *net, int side, int width, int height, int rank);

/* Accepts a zeroed network, and leaves one. */
void rn_rank_network_free(struct rn_rank_network *net);
