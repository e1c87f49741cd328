/* Structuring elements, and the passes in which a device computes the minimum or maximum over
 * one. */
#ifndef RN_ELEMENT_H
#define RN_ELEMENT_H

#include <stdbool.h>

#include "filters/core/kernel_constants.h" /* RN_RADIUS_MAX */
#include "filters/core/param.h"            /* RN_SLICES_MAX */

enum rn_shape { RN_CROSS, RN_SQUARE, RN_DISK };

/* A flat structuring element, symmetric about its centre. Within a frame:
 *   cross   a plus sign with arms of length radius
 *   square  side 2 * radius + 1
 *   disk    dx * dx + dy * dy <= radius * radius
 * Across frames, if slices > 0, a cross gets two more arms of length slices, a square becomes a box
 * of depth 2 * slices + 1, and a disk becomes the ellipsoid
 *   (dx * dx + dy * dy) / (radius * radius) + dz * dz / (slices * slices) <= 1,
 * a ball if slices equals radius. */
struct rn_element {
    enum rn_shape shape;
    int radius; /* 1..RN_RADIUS_MAX */
    int slices; /* 0..RN_SLICES_MAX */
};

/* Whether (dx, dy, dz) belongs to the element. */
bool rn_element_has(const struct rn_element *e, int dx, int dy, int dz);

/* The smallest distance |z| whose cross-section equals that of dz. */
int rn_element_section(const struct rn_element *e, int dz);

/* One sample read by a pass: from the source (plane -1) or from scratch plane 0, 1, ... */
struct rn_tap {
    int dx, dy, plane;
};

/* One pass: the minimum or maximum over its taps, written to scratch plane `to` or to the
 * destination (-1). The result is needed on the image extended by left, right, up and down samples;
 * no read goes further than radius beyond the edge. */
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

#endif
