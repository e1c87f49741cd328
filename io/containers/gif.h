/* Which packets of a GIF hold a picture. */
#ifndef RN_IO_CONTAINERS_GIF_H
#define RN_IO_CONTAINERS_GIF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* False if the GIF ends in this piece of it, which begins with a block or the header, without
 * another picture. Any thread. */
bool rn_container_gif_holds_picture(const uint8_t *data, size_t size);

#endif
