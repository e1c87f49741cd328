/* Finds files that were joined with cat where libav reads the first one and reports an ordinary
 * end. */
#ifndef RN_IO_CONTAINERS_JOINED_H
#define RN_IO_CONTAINERS_JOINED_H

#include <stdbool.h>
#include <stdint.h>

/* Does another file follow in an MP4 or MOV (a second movie box), an FLV, ASF, APNG, RealMedia or
 * WTV (a second header)? demuxer: the name of libav's demuxer for it. end: where the last packet
 * read ends. Returns false for other containers, whose demuxers read on, and for a file that cannot
 * be read. Any thread. */
bool rn_container_file_is_joined(const char *path, const char *demuxer, int64_t end);

#endif
