/* Room for the end of a file: so that a disk that fills up, or a limit of the file's size, is found
 * before a packet that would leave none for what is still in the muxer's buffers and for the
 * trailer. A file that can be ended is playable up to there.
 *
 * One thread at a time. */
#ifndef RN_IO_WRITE_MUX_ROOM_H
#define RN_IO_WRITE_MUX_ROOM_H

#include <stdbool.h>
#include <stdint.h>

#include <libavformat/avformat.h>

#include "filters/base/output/outfile.h"

#define RN_ROOM_MARKS 64

struct rn_write_room {
    struct rn_outfile *file; /* NULL: nothing can be reserved, as in a pipe */
    const struct rn_container *container;
    int64_t handed;   /* bytes of the packets that the muxer was given */
    int64_t overhead; /* at most so many more it makes of them */
    int64_t trailer;  /* bytes, at most */
    int64_t marks[RN_ROOM_MARKS];
    int nmarks; /* positions behind whole packets, the last ones; in all */
};

/* Begins after the header was written; out->opaque then is room, which stays the caller's. */
void rn_write_room_begin(struct rn_write_room *room, AVFormatContext *out, struct rn_outfile *file);

/* Writes a packet, interleaved, and takes its content. out->opaque: the room, or NULL. path: for
 * the message. Returns 0 or RN_EOUTPUT (logged); where there is no room the file can still be
 * ended. */
int rn_write_room_write(AVFormatContext *out, const char *path, AVPacket *pkt);

/* Ends the file behind the last whole packet that it holds, where no trailer could be written. The
 * file is closed. Returns false if it holds none, or is of no use without a trailer. */
bool rn_write_room_cut(const struct rn_write_room *room);

#endif
