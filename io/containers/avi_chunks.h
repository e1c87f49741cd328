/* The outer chunks of an AVI. */
#ifndef RN_IO_CONTAINERS_AVI_CHUNKS_H
#define RN_IO_CONTAINERS_AVI_CHUNKS_H

#include <stdbool.h>

/* Does the index of the AVI at path stand behind the place where the sizes of the chunks say that
 * it is? Then bytes came between them, and libav, which does not find it, passes over what it
 * cannot read. False also for what cannot be read. Any thread. */
bool rn_container_avi_is_shifted(const char *path);

#endif
