/* Converts pictures for a screen: packed B G R of 8 bits, upright. Each converter belongs to one
 * thread at a time; it converts large pictures by several threads of its own. */
#ifndef RN_IO_PIXELS_DISPLAY_H
#define RN_IO_PIXELS_DISPLAY_H

#include "filters/base/screen.h"
#include "io/pixels/tone.h"
#include "io/pixels/turn.h"

struct rn_pix_display;

/* How pictures are to be shown. */
struct rn_pix_viewing {
    struct rn_pix_orient orient;   /* the turn that makes the stored pictures upright */
    bool oblique;                  /* they ask for another one, by no quarters, which is not done */
    enum rn_pix_transfer transfer; /* other than SDR: shown as tone.h says, and so are */
    enum rn_pix_primaries primaries; /* those of the source other than BT.709 */
    double peak;                     /* of PQ: the most light that is meant, in cd/m2 */
    struct rn_pix_siting siting;     /* of chroma */
};

/* As they are. */
#define RN_VIEWING_PLAIN ((struct rn_pix_viewing){.orient = RN_UPRIGHT, .siting = RN_SITING_LEFT})

/* Which lines of a picture are shown: all, or those of one field and, between them, their mean. */
enum rn_pix_lines_shown { RN_SHOW_ALL, RN_SHOW_EVEN, RN_SHOW_ODD };

/* Makes a converter for pictures of geom. Returns 0 or RN_EINTERNAL (logged). */
int rn_pix_display_create(struct rn_pix_display **display, const struct rn_geom *geom,
                          const struct rn_pix_viewing *viewing);
void rn_pix_display_destroy(struct rn_pix_display **display);

/* From now on shows the sample `low` black and `high` white, as a window of a scan; low != high.
 * Only for pictures of more than 8 bits; until then it is the window of rn_pix_rgb_whole. Of
 * Y'CbCr the samples are those of luma, and of high dynamic range what is done before it is brought
 * down to the screen's. */
void rn_pix_display_window(struct rn_pix_display *display, double low, double high);

/* From now on shows these lines; by_field: see rn_pix_rgb_get. At first all, and no fields. */
void rn_pix_display_fields(struct rn_pix_display *display, bool by_field,
                           enum rn_pix_lines_shown lines);

/* Estimates the 0.5 and 99.5 percentiles of the samples, from some thousands of them; alpha, NaN
 * and infinity do not count. Returns false where no sample counts, or memory runs out. */
bool rn_pix_display_percentiles(const struct rn_image *img, double *low, double *high);

/* Converts img, of the geometry given to create, and fills screen, whose pixels are the display's
 * and valid until the next call.
 *
 * Conversion is exact but for rounding to 8 bits. Deeper samples are rounded by an ordered dither,
 * the same for every picture. Pixels of R'G'B' that are written are those on the screen (rgb.h).
 * Those of high dynamic range are within two levels of their equations. */
void rn_pix_display_show(struct rn_pix_display *display, const struct rn_image *img,
                         struct rn_screen *screen);

#endif
