/* The blocks of a GIF: where it ends, how many images it has, which packets of one hold a picture.
 * Browsers and editors take what libav's parser and decoder stumble over: no trailer, zeros or
 * anything else behind it, a comment between the last picture and it. */
#ifndef RN_IO_CONTAINERS_GIF_H
#define RN_IO_CONTAINERS_GIF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether a file consists of whole blocks up to its trailer, or to its end. Any thread. */
bool rn_container_gif_is_whole(int fd);

/* Counts the images of the GIF at path and of those that follow in it, up to the first byte that is
 * none of theirs: what libav reads of GIFs that were joined with cat depends on where they meet.
 * Any thread. */
int64_t rn_container_gif_images(const char *path);

/* False if the GIF ends in this piece of it, which begins with a block or the header, without
 * another picture. Any thread. */
bool rn_container_gif_holds_picture(const uint8_t *data, size_t size);

#endif
