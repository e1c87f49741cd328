/* How far two pictures are the same. */
#ifndef RN_APP_PLAY_VIEW_DIFFERENCE_H
#define RN_APP_PLAY_VIEW_DIFFERENCE_H

#include "filters/base/image.h"

struct rn_play_difference {
    int64_t samples;   /* of one picture, all planes */
    int64_t differing; /* in any bit */
    double most;       /* the largest distance of two values; NaN counts for none */
};

/* Compares two pictures of one geometry. */
struct rn_play_difference rn_play_difference(const struct rn_image *a, const struct rn_image *b);

/* One line: "A = now: identical pictures" or "A and now differ in N of M samples, at most by D".
 * Returns buf. */
char *rn_play_difference_tell(const struct rn_play_difference *d, const char *a, const char *b,
                              char *buf, size_t size);

#endif
