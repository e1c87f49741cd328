/* Values of the samples under the pointer, before and after the chain, as they are stored and in
 * the input's unit. */
#ifndef RN_APP_PLAY_VIEW_PROBE_H
#define RN_APP_PLAY_VIEW_PROBE_H

#include "filters/base/image.h"

#define RN_PROBE_TEXT 2048 /* bytes that are enough for all that is told */

/* Zeroed before the first use. */
struct rn_play_probe {
    bool on;         /* shown on the screen */
    bool on_picture; /* something is pointed at: */
    int x, y;        /* this pixel of the first plane */
};

/* Sets the position of the pointer. Returns whether it has changed. */
bool rn_play_probe_point(struct rn_play_probe *probe, bool on_picture, int x, int y);

/* Writes the samples under the pointer, one line per plane: name, before, after, parted by \t. A
 * subsampled plane gives the sample that covers the pixel. in, out: before and after the chain.
 * title: of the pixel; NULL: "x, y". place: its position, as the last line; "": not known. Returns
 * false if nothing is pointed at. */
bool rn_play_probe_tell(const struct rn_play_probe *probe, const struct rn_image *in,
                        const struct rn_image *out, const char *title, const char *place, char *buf,
                        size_t size);

#endif
