/* How many images an animation holds, by the file itself: what libav reads of GIFs that were joined
 * with cat depends on where they meet, and of an APNG it does not count them. */
#ifndef RN_ANIMATION_H
#define RN_ANIMATION_H

#include <stdint.h>

/* Counts the images of the GIF at path and of those that follow in it, up to the first byte that is
 * none of theirs. Any thread. */
int64_t rn_gif_images(const char *path);

/* The images that the APNG at path says it has; 0: it does not say. Any thread. */
int64_t rn_apng_images(const char *path);

#endif
