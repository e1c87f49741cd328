/* SPDX-License-Identifier: MIT */
/* Networks (rank_network.c) on devices, for medians and other percentiles of a square window.
 *
 * rank_program.c: as programs for the kernel rank_program of kernels/rank_network.clh, on CPUs. It
 * is the same for every radius and rank: a change of these builds nothing.
 * rank_compiled.c: as kernels of their own, on GPUs. Values are registers, so every radius has to
 * be built. Work-items are tiles side by side, and pass each other what they share through local
 * memory. */
#pragma once

#include "filters/core/chain/stage.h"
#include "filters/core/device/kernel_constants.h"
#include "filters/core/device/opencl.h"

/* The program for a plane. Zeroed at first. */
struct rn_rank_program {
    int side, rank, width, bytes;  /* what it was made for: window, and samples */
    int tile_width, tile_height;   /* outputs */
    int lanes, useful, rows, runs; /* as in the kernel */
    struct rn_scratch code, scratch;
    int size; /* samples of scratch per work-item */
};

/* Can networks run as programs on the device? */
bool rn_rank_program_fits(const struct rn_device *dev, enum rn_sample sample);

/* Makes the program, in bound->priv, for windows of side x side samples, 7..31, in planes w samples
 * wide, unless it is that already. Device thread. Returns 0, RN_EDEVICE or RN_EINTERNAL
 * (logged). */
int rn_rank_program_prepare(struct rn_rank_program *program, struct rn_bound *bound, int side,
                            int rank, int w, enum rn_sample sample);

/* Filters s, whose margin is filled, into d, of equal size. Returns as rn_launch. */
int rn_rank_program_enqueue(const struct rn_rank_program *program, struct rn_cmd *cmd,
                            struct rn_kernel *kernel, const struct rn_dplane *s,
                            const struct rn_dplane *d);

#define RN_RANK_COMPILED_MAX 8 /* radius: beyond it the values do not fit into 255 registers */

/* The kernel of one radius. Zeroed at first. */
struct rn_rank_compiled {
    struct rn_kernel kernel; /* released by its owner */
    enum rn_sample sample;
    bool tried; /* no kernel then means that the device does not take it */
    int width, height, items, useful;
};

/* Builds the kernel for the median of side x side samples, 3..17, unless that was tried before. If
 * the device does not take it, that is no error: there is no kernel then. Device thread.
 * Returns 0, RN_EDEVICE or RN_EINTERNAL (logged). */
int rn_rank_compiled_prepare(struct rn_rank_compiled *c, struct rn_device *dev, int side,
                             enum rn_sample sample);

/* Filters s, which has a margin of 15 and of which as much as the radius is filled, into d, of
 * equal size. Returns as rn_launch. */
int rn_rank_compiled_enqueue(struct rn_rank_compiled *c, struct rn_cmd *cmd,
                             const struct rn_dplane *s, const struct rn_dplane *d);

/* ---- rank_network.c
 *
 * Networks of comparators that find the sample of one rank in every window of a small tile of
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
