/* How often an animation is to be played: GIF and APNG say it in their headers, libavformat reads
 * it but does not tell. */
#ifndef RN_IO_CONTAINERS_PLAYS_H
#define RN_IO_CONTAINERS_PLAYS_H

#include <libavformat/avformat.h>

#define RN_PLAYS_FOREVER (-1)

/* What the header of an opened fmt says: 1.., RN_PLAYS_FOREVER, or 0 if it has no place for that.
 * Leaves fmt where it stands. Call it before packets are read: of a pipe only the first bytes are
 * there to be looked at again. */
int rn_container_plays_read(const AVFormatContext *fmt);

#endif
