/* Which values of a picture the preview shows black and white. Of a scan: what the file names as
 * its window, else those between which most samples of the slices seen so far lie. A picture to
 * which the chain gave other values, such as a mask or edges, has its own. The mouse sets another
 * one, of pictures of any input that have more than 8 bits. */
#ifndef RN_APP_PLAY_VIEW_SCAN_WINDOW_H
#define RN_APP_PLAY_VIEW_SCAN_WINDOW_H

#include "filters/base/image.h"

struct rn_play_spread {
    bool known;
    double low, high; /* samples */
};

struct rn_play_scan_window {
    bool of_file; /* file holds what the file names */
    double file[2];
    struct rn_play_spread in, out; /* of the pictures seen */
    bool keeps;                    /* the chain keeps values: both sides are shown alike */
    struct {
        bool on; /* for pictures in this format */
        struct rn_format fmt;
        double window[2]; /* samples */
    } set[2];             /* by hand, of the filtered side and the original */
    double began[2];      /* the window when the mouse began to change it */
};

/* Has a picture of geom a window of a scan? Video, and scans of 8 bit, are shown whole. */
bool rn_play_scan_window_fits(const struct rn_geom *geom);

/* Can it have one at all, set by hand? */
bool rn_play_scan_window_can(const struct rn_geom *geom);

/* Looks at a picture before and after the chain, for one more slice, or anew: the chain has
 * changed. */
void rn_play_scan_window_look(struct rn_play_scan_window *w, const struct rn_image *in,
                              const struct rn_image *out, bool anew);

/* The samples to be shown black and white, of the original or the filtered side, whose geometry is
 * geom. */
void rn_play_scan_window_get(const struct rn_play_scan_window *w, const struct rn_geom *geom,
                             bool original, double window[2]);

/* Is there one to tell of: that of a scan, or one set by hand? */
bool rn_play_scan_window_tells(const struct rn_play_scan_window *w, const struct rn_geom *geom,
                               bool original);

/* The same for people: "-160..240 HU, of the file". */
char *rn_play_scan_window_tell(const struct rn_play_scan_window *w, const struct rn_geom *geom,
                               bool original, char *buf, size_t size);

/* ---- by hand */

/* A movement of the mouse begins; and goes on: it is so many widths of the output to the right, and
 * heights down, of where it began. To the right the window gets wider, 16 times in a whole width;
 * downwards its middle rises, by twice the window that was in a whole height. */
void rn_play_scan_window_begin(struct rn_play_scan_window *w, const struct rn_geom *geom,
                               bool original);
void rn_play_scan_window_drag(struct rn_play_scan_window *w, const struct rn_geom *geom,
                              bool original, double right, double down);

/* Back to what it is without the mouse. */
void rn_play_scan_window_clear(struct rn_play_scan_window *w);

/* Width and middle, in the unit if there is one: "window 400 level 40 HU". */
char *rn_play_scan_window_level(const struct rn_play_scan_window *w, const struct rn_geom *geom,
                                bool original, char *buf, size_t size);

#endif
