/* Which values of a scan the preview shows black and white: what the file names as its window, else
 * those between which most samples of the slices seen so far lie. A picture to which the chain gave
 * other values, such as a mask or edges, has its own. */
#ifndef RN_SCAN_WINDOW_H
#define RN_SCAN_WINDOW_H

#include "filters/base/image.h"

struct rn_spread {
    bool known;
    double low, high; /* samples */
};

struct rn_scan_window {
    bool of_file; /* file holds what the file names */
    double file[2];
    struct rn_spread in, out; /* of the pictures seen */
    bool keeps;               /* the chain keeps values: both sides are shown alike */
};

/* Is that how pictures of geom are shown? Video, and scans of 8 bit, are shown whole. */
bool rn_scan_window_fits(const struct rn_geom *geom);

/* Looks at a picture before and after the chain, for one more slice, or anew: the chain has
 * changed. */
void rn_scan_window_look(struct rn_scan_window *w, const struct rn_image *in,
                         const struct rn_image *out, bool anew);

/* The samples to be shown black and white, of the original or the filtered side, whose geometry is
 * geom. */
void rn_scan_window_get(const struct rn_scan_window *w, const struct rn_geom *geom, bool original,
                        double window[2]);

/* The same for people: "-160..240 HU, of the file". */
char *rn_scan_window_tell(const struct rn_scan_window *w, const struct rn_geom *geom, bool original,
                          char *buf, size_t size);

#endif
