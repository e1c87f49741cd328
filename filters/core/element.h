/* Structuring elements, and the passes in which a device computes an extremum over one. */
#ifndef RN_ELEMENT_H
#define RN_ELEMENT_H

#include <stdbool.h>

#define RN_RADIUS_MAX 31

enum rn_shape { RN_CROSS, RN_SQUARE, RN_DISK };

/* Is (dx, dy) part of the element? cross: the plus sign with arms of length radius; square: side
 * 2 * radius + 1; disk: dx * dx + dy * dy <= radius * radius. All are symmetric. */
bool rn_element_has(enum rn_shape shape, int radius, int dx, int dy);

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

/* The passes of one element. The number of reads grows with the radius at most (its square root for
 * squares), never with the area: rows of the element are covered by windows of 2, 4, 8... samples,
 * each the extremum of two smaller ones: the chord table of E. Urbach and M. Wilkinson, Efficient
 * 2-D grayscale morphological transformations with arbitrary flat structuring elements, IEEE
 * Transactions on Image Processing 17(1), 2008. */
struct rn_passes {
    int npasses, ntaps, nplanes; /* nplanes: scratch planes in use */
    struct rn_pass pass[RN_MAX_PASSES];
    struct rn_tap tap[RN_MAX_TAPS];
};

/* radius: 1..RN_RADIUS_MAX. */
void rn_element_passes(struct rn_passes *passes, enum rn_shape shape, int radius);

#endif
