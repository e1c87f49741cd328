/* Frames for a screen: packed B G R of 8 bit, or 4:2:0 as it is where the screen converts that well.
 */
#ifndef RN_DISPLAY_H
#define RN_DISPLAY_H

#include "filters/base/screen.h"

struct rn_display;

/* Makes a converter for pictures of geom. yuv: what draws the screens converts Y'CbCr to within one
 * level of 8 bits, so that 8-bit 4:2:0 of a matrix and a range that it knows (BT.601 of both ranges,
 * BT.709 of the limited one) need not be converted here. Returns 0 or RN_EINTERNAL (logged). */
int rn_display_create(struct rn_display **display, const struct rn_geom *geom, bool yuv);
void rn_display_destroy(struct rn_display **display);

/* From now on shows the sample `low` black and `high` white, as a window of a scan; low != high.
 * Only for gray, signed and float pictures; until then black is black and white is white. */
void rn_display_window(struct rn_display *display, double low, double high);

/* Fills screen. 4:2:0 that is not converted is shown from img's own memory, which has to stay until
 * it was drawn; anything else is converted into memory of display's, valid until the next call.
 * Conversion is exact but for rounding to 8 bits; the chroma of each sample of luma is that of the
 * one that covers it. */
void rn_display_show(struct rn_display *display, const struct rn_image *img,
                     struct rn_screen *screen);

#endif
