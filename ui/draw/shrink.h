/* Pictures made smaller for the screen. Each sample is a mean of all those under it, with weights
 * that fall linearly from its middle to those of its neighbours (linear interpolation whose reach
 * grows with the step, so that detail finer than the screen becomes gray and no false pattern).
 *
 * Fixed point: an even area keeps its value exactly, and the same size its samples. */
#ifndef RN_UI_DRAW_SHRINK_H
#define RN_UI_DRAW_SHRINK_H

#include <stddef.h>
#include <stdint.h>

/* Which samples a row or column of the result is made of. */
struct rn_ui_taps {
    int from, to, most; /* sizes; the most samples for one */
    int *first, *n;     /* of each of `to` */
    uint16_t *weight;   /* most for each; their sum is 1 << 14 */
};

/* What is kept from picture to picture of the same sizes. Zeroed before the first use. */
struct rn_ui_shrink {
    struct rn_ui_taps across, down;
    uint16_t *row;
    size_t samples; /* that it has room for */
};

/* For pixels of 4 samples of 8 bit: from w x h to no more on either side. Returns 0 or RN_EINTERNAL
 * (logged). */
int rn_ui_shrink_prepare(struct rn_ui_shrink *shrink, int w, int h, int to_w, int to_h);

/* Shrinks a picture, once or more often after rn_ui_shrink_prepare. Strides are in bytes. */
void rn_ui_shrink(const struct rn_ui_shrink *shrink, const uint8_t *from, int from_stride,
                  uint8_t *to, int to_stride);

void rn_ui_shrink_free(struct rn_ui_shrink *shrink);

#endif
