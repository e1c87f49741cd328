/* Frames for a screen: 8 bit, 4:2:0 as it is or packed B G R. */
#ifndef RN_DISPLAY_H
#define RN_DISPLAY_H

#include "filters/base/screen.h"

struct rn_display;

/* Makes a converter for pictures of geom. Returns 0 or RN_EINTERNAL (logged). */
int rn_display_create(struct rn_display **display, const struct rn_geom *geom);
void rn_display_destroy(struct rn_display **display);

/* From now on shows the sample `low` black and `high` white, as a window of a scan; low != high.
 * Only for gray, signed and float pictures; until then black is black and white is white. */
void rn_display_window(struct rn_display *display, double low, double high);

/* Fills screen. 8-bit 4:2:0 is shown from img's own memory, which has to stay until it was drawn;
 * anything else is converted into memory of display's, valid until the next call. Deeper samples
 * are scaled to 8 bit, not cut. Returns 0 or RN_EINTERNAL (logged). */
int rn_display_show(struct rn_display *display, const struct rn_image *img,
                    struct rn_screen *screen);

#endif
