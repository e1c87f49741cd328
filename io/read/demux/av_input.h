/* One input as libav opens it, and nothing beyond it.
 *
 * The user named one file or address. What it is made of may come from anybody, and some formats
 * name others that are to be opened in their turn: playlists (HLS, DASH, concat, SDP), whatever
 * their file is called, and references in MOV. That would read files that nobody meant, or tell a
 * server who reads what. So the input itself is opened here, and libav may open nothing further,
 * unless the user allows it. */
#ifndef RN_IO_READ_DEMUX_AV_INPUT_H
#define RN_IO_READ_DEMUX_AV_INPUT_H

#include "io/common/av.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>

#include <libavformat/avformat.h>

#include "io/containers/mpegts/transport.h"

struct rn_read_av_input {
    AVFormatContext *fmt;
    AVIOContext *io; /* of the input itself; NULL: its demuxer makes it or connects by itself */
    struct rn_container_transport
        *transport; /* reads io in its stead, where it is MPEG-TS; or NULL */
    bool is_stdin;
    bool is_pipe; /* stdin, or what stands in a folder and is no regular file */
    bool is_file; /* a regular file of this device and inode */
    dev_t dev;
    ino_t ino;
    int loop_count; /* as in rn_io_media */
};

/* Opens name as far as libav's stream information: a path, an address, "-" (stdin) or lavfi:GRAPH.
 * in: zeroed or closed; the caller closes it, also on failure. opts: how far to probe, and whether
 * what the input names may be opened. watch: takes libav's errors from the moment on that the
 * format is known, as long as in->fmt is used. *stop: makes a blocked call return soon, now and as
 * long as in->fmt is used. Returns 0, RN_EINPUT or RN_EINTERNAL (logged). */
int rn_read_av_input_open(struct rn_read_av_input *in, const char *name,
                          const struct rn_read_opts *opts, struct rn_io_watch *watch,
                          const atomic_bool *stop);
void rn_read_av_input_close(struct rn_read_av_input *in);

#endif
