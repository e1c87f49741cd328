/* How many images a GIF holds: what its demuxer reads of files that were joined with cat depends on
 * where they meet. */
#ifndef RN_GIF_IMAGES_H
#define RN_GIF_IMAGES_H

#include <stdint.h>

/* Counts the images of the GIF at path and of those that follow in it, up to the first byte that is
 * none of theirs. Any thread. */
int64_t rn_gif_images(const char *path);

#endif
