/* SPDX-License-Identifier: MIT */
/* The filtered picture taken as a mask, and drawn in a colour over the source.
 *
 * Of video and images a sample above the middle between black and white is in the mask; of a scan
 * any that is neither 0 nor black, which is below 0 for signed samples and may be for floats. Of
 * Y'CbCr luma counts, of RGB any of the three; NaN is in no mask. */
#pragma once

#include "io/pixels/display.h"

#define RN_MASK_STEP 10 /* percent of opacity */

/* Zeroed before the first use. */
struct rn_play_mask {
    bool on;
    int opacity; /* percent; 0: the default, 50 */
};

/* What shows pictures of one geometry with a mask over them. Zeroed before the first use. */
struct rn_play_mask_view {
    struct rn_pix_display *display; /* of the source; NULL: none yet */
    struct rn_geom geom;            /* that it is for */
    uint8_t *set, *turned;          /* a byte for each pixel of a picture: in the mask or not */
    uint8_t *pixels;                /* B G R 0 */
};

/* Changes the opacity by so many steps, from 10 % to 100 %; at first it is 50 %. Returns it. */
int rn_play_mask_change(struct rn_play_mask *mask, int steps);

/* Can out be a mask over in: has it the same size? */
bool rn_play_mask_fits(const struct rn_geom *in, const struct rn_geom *out);

/* Says for n pixels of row y, from the first one on, whether they are in the mask: 1 or 0. */
void rn_play_mask_row(const struct rn_image *out, int y, int n, uint8_t *set);

/* Shows out over in, which it fits, upright. window: of in, the samples that are shown black and
 * white. Fills screen, which is valid until the next call. Returns 0 or RN_EINTERNAL (logged). */
int rn_play_mask_show(const struct rn_play_mask *mask, struct rn_play_mask_view *view,
                      const struct rn_image *in, const struct rn_image *out,
                      const struct rn_pix_viewing *viewing, const double window[2],
                      struct rn_screen *screen);

void rn_play_mask_view_free(struct rn_play_mask_view *view);
