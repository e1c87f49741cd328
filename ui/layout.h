/* Where the boxes of the overlay stand, so that none lies over another. Arithmetic only.
 *
 * Boxes are placed one by one, each as near to its corner as those before leave room for: who is
 * placed first gets the best place. What finds no room is not placed; the caller may ask again for
 * less. */
#ifndef RN_UI_LAYOUT_H
#define RN_UI_LAYOUT_H

#include <stdbool.h>

#include "ui/view.h"

#define RN_LAYOUT_MOST 32 /* boxes; further ones find no room */

enum rn_ui_corner { RN_TOP_LEFT, RN_TOP_RIGHT, RN_BOTTOM_LEFT, RN_BOTTOM_RIGHT };

struct rn_ui_layout {
    int w, h;        /* of the output */
    int margin, gap; /* at its edges; between boxes */
    struct rn_ui_area taken[RN_LAYOUT_MOST];
    int n;
};

/* Starts anew with an empty output of w x h. */
void rn_ui_layout_begin(struct rn_ui_layout *l, int w, int h, int margin, int gap);

/* Does the box touch no other one? */
bool rn_ui_layout_is_free(const struct rn_ui_layout *l, const struct rn_ui_area *box);

/* Takes a place that the caller has chosen. */
void rn_ui_layout_take(struct rn_ui_layout *l, const struct rn_ui_area *box);

/* Finds and takes the place for a box of w x h that is nearest to the corner: beside, below or
 * above what stands there, and between the margins. Returns false where there is none. */
bool rn_ui_layout_place(struct rn_ui_layout *l, enum rn_ui_corner corner, int w, int h,
                        struct rn_ui_area *box);

#endif
