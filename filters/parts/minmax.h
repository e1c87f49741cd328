/* SPDX-License-Identifier: MIT */
/* Structuring elements, and erosion and dilation on a device: the passes in which it computes the
 * minimum or maximum over one. */
#pragma once

#include "filters/core/chain/stage.h"
#include "filters/core/device/kernel_constants.h" /* RN_RADIUS_MAX */
#include "filters/core/device/opencl.h"
#include "filters/parts/schedule.h"

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

/* Half the width of the row dy of the section at dz; -1 if it has none. */
int rn_element_half_width(const struct rn_element *e, int dy, int dz);

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

#define RN_WINDOW_MAX (2 * RN_SLICES_MAX + 1)
_Static_assert(RN_WINDOW_MAX <= 16, "the frames of a window fit a short16");

/* The resources that one stage needs for one element; zeroed before the first rn_minmax_prepare. */
struct rn_minmax {
    struct rn_element element; /* the one it was made for, */
    bool made;                 /* if it was */
    enum rn_sample sample;
    bool chords; /* it is computed in one go, by its chords */
    int ngroups; /* slices with the same cross-section form a group */
    struct rn_group {
        int from, to; /* distances |dz| of its slices */
        struct rn_passes passes;
    } group[RN_SLICES_MAX + 1];
    struct rn_scratch list; /* the taps of the passes, or the chords */
    struct rn_scratch scratch;
    struct rn_scratch halves; /* for joined operations: half the element's width, dy 0..ry */
    int planes;               /* in scratch for the passes; combining frames takes one more */
    struct rn_kernel *taps_kernel[2], *square_kernel[2], *frames_kernel[2], *chords_kernel[2],
        *nine_kernel[2];           /* erode, dilate */
    struct rn_kernel *tile_kernel; /* of joined operations */
};

/* Several frames in one buffer: the input of an operation. */
struct rn_frame_window {
    struct rn_dplane plane; /* the first in the buffer, with the pitch to the next */
    int n;                  /* frames: 2 * slices + 1 */
    /* The plane of each frame, in order of time; -1: there is no such frame. */
    int index[RN_WINDOW_MAX];
};

/* Prepares for this element and for planes of w x h samples in a layout with this margin. ex: in
 * bound->priv. May be called again with others. Returns 0, RN_EDEVICE or RN_EINTERNAL (logged). */
int rn_minmax_prepare(struct rn_minmax *ex, struct rn_bound *bound, const struct rn_element *e,
                      int w, int h, enum rn_sample sample, int margin);

/* Enqueues dst = maximum (dilate) or minimum of window. Overwrites the margins of the window's
 * planes.
 *   inset: dst is smaller than the window's planes by this many samples on each side, and only that
 *       part is computed.
 *   border: the rule for pixels outside. A frame that does not exist counts as zeros (RN_ZERO) or
 *       not at all; where another rule substitutes a frame, the window names the substitute.
 *   margin: as given to rn_minmax_prepare.
 * Returns 0 or an error (logged). */
int rn_minmax_enqueue(struct rn_minmax *ex, struct rn_cmd *cmd, bool dilate,
                      const struct rn_frame_window *window, const struct rn_dplane *dst, int inset,
                      enum rn_border border, int margin);

/* Whether operations with this element, one or two at a time, are best enqueued as joined ones on
 * devices of this form. */
bool rn_minmax_joins(const struct rn_form *form, const struct rn_element *e);

/* Enqueues a joined step, or one operation, from src to dst; see schedule.h. border: the rule for
 * pixels outside, not RN_WRAP; unbounded: as in the schedule. The element has no slices. Overwrites
 * no margin of src. Returns 0 or an error (logged). */
int rn_minmax_enqueue_joined(struct rn_minmax *ex, struct rn_cmd *cmd,
                             const struct rn_schedule_step *step, const struct rn_dplane *src,
                             const struct rn_dplane *dst, enum rn_border border, bool unbounded);
