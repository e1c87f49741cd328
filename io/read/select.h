/* Which streams of an input are read: --map and --drop, by FFmpeg's stream specifiers.
 *
 * A specifier is a type (v a s d t), an index, or what else libavformat knows (a:0, m:KEY:VALUE,
 * #0x101); a:eng and eng stand for a:m:language:eng and m:language:eng, and a ? at the end lets it
 * match nothing. */
#ifndef RN_SELECT_H
#define RN_SELECT_H

#include <libavformat/avformat.h>

#include "io/read/source.h"

/* Has the demuxer discard all streams of fmt that opts leave out. Where no --map names video, the
 * pictures are read all the same. input: for messages. Returns 0, RN_EINTERNAL, or RN_EUSAGE
 * (logged) for a specifier that is none or matches nothing, and if no video is left of some. */
int rn_select_streams(AVFormatContext *fmt, const struct rn_source_opts *opts, const char *input);

/* The stream of fmt whose pictures are filtered: of the video that is read, the default one, or the
 * largest. Attached pictures are no video. -1: there is none. */
int rn_select_pictures(const AVFormatContext *fmt);

#endif
