/* SPDX-License-Identifier: MIT */
/* Erosion and dilation on a device: the minimum or maximum over a structuring element. */
#pragma once

#include "filters/core/device/opencl.h"
#include "filters/parts/schedule.h"

#define RN_WINDOW_MAX (2 * RN_SLICES_MAX + 1)
_Static_assert(RN_WINDOW_MAX <= 16, "the frames of a window fit a short16");

/* The resources that one stage needs for one element; zeroed before the first rn_minmax_prepare. */
struct rn_minmax {
    struct rn_element element; /* the one it was made for, */
    bool made;                 /* if it was */
    enum rn_sample sample;
    bool chords; /* it is computed in one go, by rn_element_chords() */
    int ngroups; /* slices with the same cross-section form a group */
    struct rn_group {
        int from, to; /* distances |dz| of its slices */
        struct rn_passes passes;
    } group[RN_SLICES_MAX + 1];
    cl_mem list; /* the taps of the passes, or the chords */
    struct rn_scratch scratch;
    cl_mem halves; /* for joined operations: half the width of the element's row dy, 0..ry */
    int planes;    /* in scratch for the passes; combining frames takes one more */
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

/* Prepares for this element and for planes of w x h samples in a layout with this margin. May be
 * called again with others. Returns 0, RN_EDEVICE or RN_EINTERNAL (logged). */
int rn_minmax_prepare(struct rn_minmax *ex, struct rn_device *dev, const struct rn_element *e,
                      int w, int h, enum rn_sample sample, int margin);
void rn_minmax_release(struct rn_minmax *ex, struct rn_device *dev);

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
