/* Constants that the host and the kernels share: the host computes launch sizes from them, the
 * kernels are written for them. They are defined only here; every kernel is built with -DNAME=VALUE
 * for each. */
#ifndef RN_FILTERS_CORE_DEVICE_KERNEL_CONSTANTS_H
#define RN_FILTERS_CORE_DEVICE_KERNEL_CONSTANTS_H

#include "filters/base/border.h"
#include "filters/base/floats.h"
#include "filters/base/image.h"

enum {
    RN_RADIUS_MAX = 31,       /* of structuring elements */
    RN_STRIP_VECTORS = 4,     /* morphology.cl, squares on CPUs: vectors per row of a work-item, */
    RN_STRIP_ROWS = 32,       /* and rows */
    RN_TILE_SIDE = 64,        /* median.cl, tiles on CPUs: samples per row, and rows */
    RN_TILE_BUCKETS = 256,    /* the most buckets that a tile's ranks are cut into */
    RN_BITS_OUTPUTS = 4,      /* median.cl, GPUs: outputs per work-item */
    RN_RANK_BOTH = 0,         /* rank_network.clh: results of an operation that are kept, */
    RN_RANK_LOW = 1,          /* the lower alone, */
    RN_RANK_HIGH = 2,         /* the higher alone; */
    RN_RANK_VECTOR = 16,      /* bytes of the smallest vectors that run networks as programs */
    RN_HISTOGRAM_BLOCK = 256, /* bins that one work-group sums */
    RN_HISTOGRAM_TABLES = 8,  /* of 256 bins, in turn, on CPUs */
    RN_TILE_LEAST = 64,       /* tiles on CPUs: the fewest columns; separable_tile.cl: */
    RN_TILE_COLUMNS = 512,    /* the most, */
    RN_TILE_REACH = 128,      /* the furthest tap, */
    RN_TILE_SUMS = 16384,     /* and the sums that its ring holds; morphology_tile.cl: */
    RN_TILE_WIDE = 1024,      /* the most bytes of a row of a tile, */
    RN_TILE_BYTES = 56 << 10, /* and the bytes of each ring */
    RN_COARSE_FACTOR = 8,     /* coarse.cl: the most that a picture is reduced by, */
    RN_COARSE_LANES = 64,     /* and the most lanes of its vectors */
};

/* A position in a tile packs into two 6-bit numbers, a bucket into one byte. */
_Static_assert(RN_TILE_SIDE == 1 << 6, "places in a tile are 6 bits and 6 bits");
_Static_assert(RN_TILE_BUCKETS <= 256, "one byte numbers the buckets");
_Static_assert((2 * RN_TILE_REACH - 1) * RN_TILE_LEAST <= RN_TILE_SUMS,
               "the narrowest tile holds all its rows");
_Static_assert(256 % RN_HISTOGRAM_BLOCK == 0, "the fewest bins there are fill whole blocks");

/* Expands X(name) for each constant. */
#define RN_KERNEL_CONSTANTS(X)                                                                     \
    X(RN_SAMPLE_U8)                                                                                \
    X(RN_SAMPLE_U16)                                                                               \
    X(RN_SAMPLE_S16)                                                                               \
    X(RN_SAMPLE_F32)                                                                               \
    X(RN_CLAMP)                                                                                    \
    X(RN_ZERO)                                                                                     \
    X(RN_MIRROR)                                                                                   \
    X(RN_WRAP)                                                                                     \
    X(RN_IGNORE)                                                                                   \
    X(RN_RADIUS_MAX)                                                                               \
    X(RN_STRIP_VECTORS)                                                                            \
    X(RN_STRIP_ROWS)                                                                               \
    X(RN_TILE_SIDE)                                                                                \
    X(RN_TILE_BUCKETS)                                                                             \
    X(RN_RANK_BOTH)                                                                                \
    X(RN_RANK_LOW)                                                                                 \
    X(RN_RANK_HIGH)                                                                                \
    X(RN_RANK_VECTOR)                                                                              \
    X(RN_BITS_OUTPUTS)                                                                             \
    X(RN_HISTOGRAM_BLOCK)                                                                          \
    X(RN_HISTOGRAM_TABLES)                                                                         \
    X(RN_TILE_COLUMNS)                                                                             \
    X(RN_TILE_REACH)                                                                               \
    X(RN_TILE_SUMS)                                                                                \
    X(RN_TILE_WIDE)                                                                                \
    X(RN_COARSE_FACTOR)                                                                            \
    X(RN_COARSE_LANES)                                                                             \
    X(RN_TILE_BYTES)                                                                               \
    X(RN_FLOAT_BINS)

#endif
