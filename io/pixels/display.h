/* Frames for a screen: packed B G R of 8 bit, or 4:2:0 as it is where the screen converts that
 * well.
 */
#ifndef RN_DISPLAY_H
#define RN_DISPLAY_H

#include "filters/base/screen.h"
#include "io/pixels/tone.h"
#include "io/pixels/turn.h"

struct rn_display;

/* How pictures are to be shown. */
struct rn_viewing {
    struct rn_orient orient;     /* the turn that makes the stored pictures upright */
    bool oblique;                /* they ask for another one, by no quarters, which is not done */
    enum rn_transfer transfer;   /* other than SDR: shown as tone.h says */
    enum rn_primaries primaries; /* then: of the source */
    double peak;                 /* of PQ: the most light that is meant, in cd/m2 */
    /* What draws the screens converts Y'CbCr to within one level of 8 bits, so that 8-bit 4:2:0 of
     * a matrix and a range that it knows (BT.601 of both ranges, BT.709 of the limited one) need
     * not be converted before. */
    bool yuv;
};

/* As they are. */
#define RN_VIEWING_PLAIN ((struct rn_viewing){.orient = RN_UPRIGHT})

/* Makes a converter for pictures of geom. Returns 0 or RN_EINTERNAL (logged). */
int rn_display_create(struct rn_display **display, const struct rn_geom *geom,
                      const struct rn_viewing *viewing);
void rn_display_destroy(struct rn_display **display);

/* From now on shows the sample `low` black and `high` white, as a window of a scan; low != high.
 * Only for gray, signed and float pictures; until then black is black and white is white. */
void rn_display_window(struct rn_display *display, double low, double high);

/* Fills screen, which is upright. 4:2:0 that is not converted is shown from img's own memory, which
 * has to stay until it was drawn; anything else is converted into memory of display's, valid until
 * the next call. Conversion is exact but for rounding to 8 bits, which is an ordered dither, the
 * same for every picture, where samples have more; that of high dynamic range within two levels of
 * its equations. The chroma of each sample of luma is that of the one that covers it. */
void rn_display_show(struct rn_display *display, const struct rn_image *img,
                     struct rn_screen *screen);

#endif
