/* SPDX-License-Identifier: MIT */
/* Convolution on a device with a matrix that is a column times a row, in two passes: along the rows
 * of the picture, into 32-bit sums, then along its columns; in one launch where that pays
 * (filters/parts/tile.h). For stages, in the device thread; and the reference of one kind of it. */
#pragma once

#include "filters/core/chain/stage.h"
#include "filters/core/device/opencl.h"

/* The computation: S(x, y) = sum over i of column[i] * sum over j of row[j] * in(x + j - w / 2, y +
 * i - h / 2), and out = clamp(S * scale + bias), with two roundings in fp32, then half to even.
 * Floats are neither rounded to integers nor saturated, and their sums are never `whole`. */
struct rn_factors {
    const double *row, *column; /* used by rn_separable_prepare only */
    int w, h;                   /* their lengths, odd */
    /* true: all values are integers, S is exact, and the sum of |column| * |row| * (largest sample)
     * is below 2^31. false: S is summed in fp32, with weights rounded to fp32, every operation
     * rounded, and zero weights left out: first along the rows from left to right, then from top to
     * bottom; or in the order of paired. */
    bool whole;
    /* fp32 only: row and column are both symmetric, and each sum goes from the middle outwards: s =
     * k[0] * v(0), then s = fma(k[d], v(-d) + v(d), s) for d = 1, 2, ... */
    bool paired;
};

/* The resources of one stage. Zeroed: none were made. */
struct rn_separable {
    struct rn_scratch taps[2], mid; /* taps of row and column; the sums along the rows, if there are
                                     * two launches */
    int ntaps[2];
    int across, reach; /* samples that the row needs left and right, rows that the column needs
                          above and below */
    int group;         /* taps of the row that one 16-bit sum holds; 0: no such sums */
    bool row_pairs, column_pairs;   /* their taps stand for two samples each */
    struct rn_kernel *row, *column; /* the two passes, or */
    struct rn_kernel *tile;         /* both; else NULL */
};

/* Makes tables, kernels, and scratch memory for planes up to geom's size, for these factors; s: in
 * bound->priv. May be called again with others. Returns 0, RN_EDEVICE or RN_EINTERNAL (logged). */
int rn_separable_prepare(struct rn_separable *s, struct rn_bound *bound, const struct rn_geom *geom,
                         const struct rn_factors *factors);

/* Enqueues both passes. The caller has filled src's margin, w / 2 samples left and right and h / 2
 * rows above and below. max: the largest sample. Returns 0 or RN_EDEVICE (logged). */
int rn_separable_enqueue(struct rn_separable *s, struct rn_cmd *cmd, const struct rn_dplane *src,
                         const struct rn_dplane *dst, enum rn_sample sample, float scale,
                         float bias, float max);

/* The bits of a weight as kernels take it: an integer or an fp32 number. */
cl_int rn_weight_bits(double weight, bool integer);

/* The reference for the order `paired`, of a column that equals the row. weight: of the samples at
 * -radius..radius, rounded to fp32. Returns 0 or RN_EINTERNAL (logged). */
int rn_separable_ref(const struct rn_plane *src, struct rn_plane *dst, const struct rn_format *fmt,
                     const double *weight, int radius, enum rn_border border, float scale);
