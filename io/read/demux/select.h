/* SPDX-License-Identifier: MIT */
/* Which streams of an input are read: --map and --drop, by FFmpeg's stream specifiers.
 *
 * A specifier is a type (v a s d t), an index, or what else libavformat knows (a:0, m:KEY:VALUE,
 * #0x101); a:eng and eng stand for a:m:language:eng and m:language:eng, and a ? at the end lets it
 * match nothing. */
#pragma once

#include <libavformat/avformat.h>

#include "io/common/input.h"

/* How a stream is discarded that is left out, but whose packets are read to see that no bytes of
 * the file lie between packets. To demuxers it means nothing. */
#define RN_DISCARD_READ AVDISCARD_NONREF

/* Returns true if the stream is read. */
static inline bool rn_read_select_has(const AVStream *st)
{
    return st->discard < RN_DISCARD_READ;
}

/* Leaves all streams of fmt out that opts do not take: the demuxer discards them, or the caller.
 * Where no --map names video, the pictures are read all the same. input: for messages. Returns 0,
 * RN_EINTERNAL, or RN_EUSAGE (logged) for a specifier that is none or matches nothing, and if no
 * video is left of some. */
int rn_read_select_streams(AVFormatContext *fmt, const struct rn_io_read_opts *opts,
                           const char *input);

/* The stream of fmt whose pictures are filtered: of the video that is read, the default one, or the
 * largest. Attached pictures are no video. -1: there is none. */
int rn_read_select_pictures(const AVFormatContext *fmt);
