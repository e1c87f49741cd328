/* Reserves space for the end of a file, so that a full disk, or a limit of the file's size, shows
 * before a packet that would leave none for the muxer's buffers and the trailer. A file that can be
 * ended is playable up to there.
 *
 * One thread at a time. */
#ifndef RN_IO_WRITE_MUX_RESERVED_SPACE_H
#define RN_IO_WRITE_MUX_RESERVED_SPACE_H

#include <stdbool.h>
#include <stdint.h>

#include <libavformat/avformat.h>

#include "filters/base/output/outfile.h"

#define RN_RESERVED_MARKS 64

struct rn_write_reserved {
    struct rn_outfile *file; /* NULL: nothing can be reserved, as in a pipe */
    const struct rn_container *container;
    int64_t handed;   /* bytes of the packets that the muxer was given */
    int64_t overhead; /* at most so many more it makes of them */
    int64_t trailer;  /* bytes, at most */
    int64_t marks[RN_RESERVED_MARKS];
    int nmarks; /* positions behind whole packets, the last ones; in all */
};

/* Begins after the header was written; out->opaque is then reserved, which stays the caller's. */
void rn_write_reserved_begin(struct rn_write_reserved *reserved, AVFormatContext *out,
                             struct rn_outfile *file);

/* Writes a packet, interleaved, and takes its content. out->opaque: reserved, or NULL. path: for
 * the message. Returns 0 or RN_EOUTPUT (logged); where no space is left the file can still be
 * ended. */
int rn_write_reserved_write(AVFormatContext *out, const char *path, AVPacket *pkt);

/* Ends the file behind the last whole packet that it holds, where no trailer could be written. The
 * file is closed. Returns false if it holds none, or is of no use without a trailer. */
bool rn_write_reserved_cut(const struct rn_write_reserved *reserved);

/* What libav returned for a write to out, or an earlier write of which only out's stream remembers
 * that it failed. path: of the output, for the message. Returns 0 or RN_EOUTPUT (logged). */
int rn_write_checked(const AVFormatContext *out, const char *path, int ret);

/* Logs, as rn_write_fail does, that a write to path failed with this libav error code. Returns
 * RN_EOUTPUT. */
int rn_write_av_write_fail(const char *path, int averror);

#endif
