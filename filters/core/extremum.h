/* Erosion and dilation on a device: the minimum or maximum over a structuring element. */
#ifndef RN_EXTREMUM_H
#define RN_EXTREMUM_H

#include "filters/core/element.h"
#include "filters/core/opencl.h"

#define RN_WINDOW_MAX (2 * RN_SLICES_MAX + 1)

/* What one stage needs for one element; zeroed before the first rn_extremum_prepare. */
struct rn_extremum {
    struct rn_element element; /* that it was made for */
    int bytes;                 /* per sample */
    int ngroups;               /* slices with the same cross-section are one group */
    struct rn_group {
        int from, to; /* distances |dz| of its slices */
        struct rn_passes passes;
    } group[RN_SLICES_MAX + 1];
    cl_mem taps, scratch;
    size_t scratch_bytes;
    int planes; /* in scratch: those of the passes, and one more where frames are combined */
    struct rn_kernel *taps_kernel[2], *square_kernel[2], *frames_kernel[2]; /* erode, dilate */
};

/* Several frames in one buffer: what an operation reads. */
struct rn_window {
    struct rn_dplane plane; /* plane 0 of the buffer */
    int size;               /* samples from plane to plane */
    int n;                  /* frames: 2 * slices + 1 */
    int index
        [RN_WINDOW_MAX]; /* plane of each frame, in order of time; -1: there is no such frame */
};

/* Makes everything for this element, and for planes of w x h samples in a layout with this margin.
 * Returns 0, RN_EDEVICE, RN_EINTERNAL (logged). */
int rn_extremum_prepare(struct rn_extremum *ex, struct rn_device *dev, const struct rn_element *e,
                        int w, int h, int bytes, int margin);
void rn_extremum_release(struct rn_extremum *ex, struct rn_device *dev);

/* Enqueues dst = maximum (dilate) or minimum of window. inset: dst is smaller than the window's
 * planes by so many samples on each side, and only that part is computed. The margins of the
 * window's planes are written. border: for pixels and for frames outside; a frame that does not
 * exist counts as zeros (RN_ZERO) or not at all; frames that other rules put in its place are given
 * as such. max: the largest sample value. */
int rn_extremum_enqueue(struct rn_extremum *ex, struct rn_cmd *cmd, bool dilate,
                        const struct rn_window *window, const struct rn_dplane *dst, int inset,
                        enum rn_border border, int max, int margin);

#endif
