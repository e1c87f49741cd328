/* SPDX-License-Identifier: MIT */
/* Structuring elements, and the passes in which a device computes the minimum or maximum over
 * one. */
#pragma once

#include "filters/core/device/kernel_constants.h" /* RN_RADIUS_MAX */
#include "filters/core/chain/param.h"             /* RN_SLICES_MAX */

enum rn_shape { RN_CROSS, RN_SQUARE, RN_DISK };

/* A flat structuring element, symmetric about its centre, of half axes a, b and c along rows,
 * columns and slices; rx, ry and slices are their whole parts. Within a frame:
 *   cross   a plus sign with arms of rx and ry
 *   square  2 * rx + 1 by 2 * ry + 1
 *   disk    (dx / a)^2 + (dy / b)^2 <= 1
 * Across frames, if slices > 0, a cross gets two more arms of length slices, a square becomes a box
 * of depth 2 * slices + 1, and a disk becomes the ellipsoid
 *   (dx / a)^2 + (dy / b)^2 + (dz / c)^2 <= 1,
 * a ball if all are equal. A millionth more than 1 counts as 1: spacings are decimal fractions. */
struct rn_element {
    enum rn_shape shape;
    int rx, ry;       /* 0..RN_RADIUS_MAX */
    int slices;       /* 0..RN_SLICES_MAX */
    double weight[3]; /* 1 / a^2, 1 / b^2, 1 / c^2; not used where the whole part is 0 */
};

/* Whether it has so few samples that they are best read one by one. */
bool rn_element_is_small(const struct rn_element *e);

/* Half the width of the row dy of the section at dz; -1 if it has none. */
int rn_element_half_width(const struct rn_element *e, int dy, int dz);

/* The smallest distance |z| whose cross-section equals that of dz. */
int rn_element_section(const struct rn_element *e, int dz);

/* One sample read by a pass: from the source (plane -1) or from scratch plane 0, 1, ... */
struct rn_tap {
    int dx, dy, plane;
};

/* One pass: the minimum or maximum over its taps, written to scratch plane `to` or to the
 * destination (-1). The result is needed on the image extended by left, right, up and down samples;
 * no read goes further than rx and ry beyond the edge. */
struct rn_pass {
    int first, count; /* in taps */
    int to;
    int left, right, up, down;
};

#define RN_MAX_PASSES 8
#define RN_MAX_TAPS   512

/* The passes for one cross-section. The number of reads grows at most with the radius (for squares,
 * with its square root), never with the area: windows of 2, 4, 8... samples, each computed from two
 * smaller ones, cover the rows of the element. This is the chord table of E. Urbach and M.
 * Wilkinson, Efficient 2-D grayscale morphological transformations with arbitrary flat structuring
 * elements, IEEE Transactions on Image Processing 17(1), 2008. */
struct rn_passes {
    int npasses, ntaps, nplanes; /* nplanes: scratch planes used */
    struct rn_pass pass[RN_MAX_PASSES];
    struct rn_tap tap[RN_MAX_TAPS];
};

/* Computes the passes for the cross-section at distance dz, 0..slices. */
void rn_element_passes(struct rn_passes *passes, const struct rn_element *e, int dz);

/* The chords in which a work-item with fast memory of its own computes a whole element, slices and
 * all: the extremum over it is that over chords along columns, of the extrema over chords along
 * slices (the chords of Urbach and Wilkinson, in the third direction too). For each distance dz the
 * frames up to that distance count as one, the extremum over them; so where the column at distance
 * dz + 1 is as long, the one at dz is left out: a ball of radius 5 is 32 chords of 14 lengths
 * instead of the 46 of its sections.
 *
 * item[dz], dz 0..slices, is one part: (its first chord, the end of its chords, the largest |dy| of
 * the section, 0). A chord is (length, the least |dx|, the largest |dx|, half its length): it lies
 * in all these columns, left and right. The chords of a part get longer, and |dx| smaller. */
#define RN_MAX_CHORDS ((RN_SLICES_MAX + 1) * (RN_RADIUS_MAX + 2))
struct rn_chords {
    int n;
    int item[RN_MAX_CHORDS][4];
};

/* Computes the chords of an element. shape: RN_DISK. */
void rn_element_chords(struct rn_chords *chords, const struct rn_element *e);
