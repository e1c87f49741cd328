/* How far the samples of two pictures are apart, as a picture on the screen (figures.h). */
#ifndef RN_APP_PLAY_VIEW_APART_H
#define RN_APP_PLAY_VIEW_APART_H

#include "io/pixels/display.h"

/* Zeroed before the first use. */
struct rn_play_apart {
    struct rn_pix_display *display; /* NULL: none yet */
    struct rn_image image;
};

/* Makes it of a and b, of one geometry, for rn_pix_display_show. limit: the distance that is white,
 * above 0; viewing: of the first call, and whenever the geometry is another one. Returns 0 or
 * RN_EINTERNAL (logged). */
int rn_play_apart_make(struct rn_play_apart *apart, const struct rn_image *a,
                       const struct rn_image *b, double limit,
                       const struct rn_pix_viewing *viewing);

void rn_play_apart_free(struct rn_play_apart *apart);

#endif
