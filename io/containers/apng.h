/* How many images an animated PNG holds: libav does not count them. */
#ifndef RN_IO_CONTAINERS_APNG_H
#define RN_IO_CONTAINERS_APNG_H

#include <stdint.h>

/* The images that the APNG at path says it has; 0: it does not say. Any thread. */
int64_t rn_container_apng_images(const char *path);

#endif
