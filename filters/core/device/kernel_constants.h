/* SPDX-License-Identifier: MIT */
/* Constants that host and kernels share: the host computes launch sizes from them, and kernels are
 * written for them. They are defined here alone; each kernel is built with -DNAME=VALUE of all. */
#pragma once

#include "filters/base/border.h"
#include "filters/base/floats.h"
#include "filters/base/image.h"

/* Expands X(name, value) for each constant that is defined here. */
#define RN_KERNEL_SIZES(X)                                                                         \
    X(RN_RADIUS_MAX, 31)       /* of structuring elements */                                       \
    X(RN_STRIP_VECTORS, 4)     /* morphology.cl, squares on CPUs: vectors of a strip, */           \
    X(RN_STRIP_ROWS, 32)       /* and rows */                                                      \
    X(RN_TILE_SIDE, 64)        /* median.cl, tiles on CPUs: samples per row, and rows */           \
    X(RN_TILE_BUCKETS, 256)    /* the most buckets that a tile's ranks are cut into */             \
    X(RN_RANK_BOTH, 0)         /* rank_network.clh: results of an operation: both, */              \
    X(RN_RANK_LOW, 1)          /* the lower alone, */                                              \
    X(RN_RANK_HIGH, 2)         /* the higher alone; */                                             \
    X(RN_RANK_VECTOR, 16)      /* bytes of the smallest vectors that run networks */               \
    X(RN_BITS_OUTPUTS, 4)      /* median.cl, GPUs: outputs per work-item */                        \
    X(RN_HISTOGRAM_BLOCK, 256) /* bins that one work-group sums */                                 \
    X(RN_HISTOGRAM_TABLES, 8)  /* of 256 bins, in turn, on CPUs */                                 \
    X(RN_TILE_COLUMNS, 512)    /* separable_tile.cl: the most columns of a tile, */                \
    X(RN_TILE_REACH, 128)      /* the furthest tap, */                                             \
    X(RN_TILE_SUMS, 16384)     /* and the sums that its ring holds */                              \
    X(RN_TILE_WIDE, 1024)      /* morphology_tile.cl: the most bytes of a row */                   \
    X(RN_COARSE_FACTOR, 8)     /* coarse.cl: the most that a picture is reduced by, */             \
    X(RN_COARSE_LANES, 64)     /* and the most lanes of its vectors */                             \
    X(RN_TILE_BYTES, 56 << 10) /* morphology_tile.cl: bytes of each ring */                        \
    X(RN_NETWORK_BLOCK, 8)     /* network_layer.cl: planes that a work-item computes, */           \
    X(RN_NETWORK_ROWS, 2)      /* the rows of them on CPUs, */                                     \
    X(RN_NETWORK_SLACK, 8)     /* and those behind a plane */

#define RN_ENUMERATE(name, value) name = value,
enum {
    RN_KERNEL_SIZES(RN_ENUMERATE) RN_TILE_LEAST = 64 /* the fewest columns of a tile on CPUs */
};

/* A position in a tile packs into two 6-bit numbers, a bucket into one byte. */
_Static_assert(RN_TILE_SIDE == 1 << 6, "places in a tile are 6 bits and 6 bits");
_Static_assert(RN_TILE_BUCKETS <= 256, "one byte numbers the buckets");
_Static_assert((2 * RN_TILE_REACH - 1) * RN_TILE_LEAST <= RN_TILE_SUMS,
               "the narrowest tile holds all its rows");
_Static_assert(256 % RN_HISTOGRAM_BLOCK == 0, "the fewest bins there are fill whole blocks");

/* Expands X(name, value) for each constant. */
#define RN_KERNEL_CONSTANTS(X)                                                                     \
    X(RN_SAMPLE_U8, RN_SAMPLE_U8)                                                                  \
    X(RN_SAMPLE_U16, RN_SAMPLE_U16)                                                                \
    X(RN_SAMPLE_S16, RN_SAMPLE_S16)                                                                \
    X(RN_SAMPLE_F32, RN_SAMPLE_F32)                                                                \
    X(RN_CLAMP, RN_CLAMP)                                                                          \
    X(RN_ZERO, RN_ZERO)                                                                            \
    X(RN_MIRROR, RN_MIRROR)                                                                        \
    X(RN_WRAP, RN_WRAP)                                                                            \
    X(RN_IGNORE, RN_IGNORE)                                                                        \
    RN_KERNEL_SIZES(X)                                                                             \
    X(RN_FLOAT_BINS, RN_FLOAT_BINS)
