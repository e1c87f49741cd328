/* Structuring elements, and the passes in which a device computes an extremum over one. */
#ifndef RN_ELEMENT_H
#define RN_ELEMENT_H

#include <stdbool.h>

#include "filters/core/param.h" /* RN_SLICES_MAX */

#define RN_RADIUS_MAX 31

enum rn_shape { RN_CROSS, RN_SQUARE, RN_DISK };

/* A flat structuring element, symmetric to its centre. In its plane
 *   cross   the plus sign with arms of length radius
 *   square  side 2 * radius + 1
 *   disk    dx * dx + dy * dy <= radius * radius
 * and across frames, where slices > 0: a cross gets two more arms of length slices, a square
 * becomes a box of depth 2 * slices + 1, a disk the ellipsoid
 *   (dx * dx + dy * dy) / (radius * radius) + dz * dz / (slices * slices) <= 1,
 * which is a ball where slices equals radius. */
struct rn_element {
    enum rn_shape shape;
    int radius; /* 1..RN_RADIUS_MAX */
    int slices; /* 0..RN_SLICES_MAX */
};

/* Is (dx, dy, dz) part of the element? */
bool rn_element_has(const struct rn_element *e, int dx, int dy, int dz);

/* The smallest distance |dz| that has the same cross-section as dz. */
int rn_element_section(const struct rn_element *e, int dz);

/* One read of a pass: from the source (plane -1) or from scratch plane 0, 1, ... */
struct rn_tap {
    int dx, dy, plane;
};

/* One pass: an extremum over taps, written to scratch plane `to`, or to the destination (-1). The
 * pass is needed on the image extended by left, right, up, down samples; it reads no further than
 * radius. */
struct rn_pass {
    int first, count; /* in taps */
    int to;
    int left, right, up, down;
};

#define RN_MAX_PASSES 8
#define RN_MAX_TAPS   512

/* The passes of one cross-section. The number of reads grows with the radius at most (its square
 * root for squares), never with the area: rows of the element are covered by windows of 2, 4, 8...
 * samples, each the extremum of two smaller ones: the chord table of E. Urbach and M. Wilkinson,
 * Efficient 2-D grayscale morphological transformations with arbitrary flat structuring elements,
 * IEEE Transactions on Image Processing 17(1), 2008. */
struct rn_passes {
    int npasses, ntaps, nplanes; /* nplanes: scratch planes in use */
    struct rn_pass pass[RN_MAX_PASSES];
    struct rn_tap tap[RN_MAX_TAPS];
};

/* dz: 0..slices. */
void rn_element_passes(struct rn_passes *passes, const struct rn_element *e, int dz);

#endif
