/* What muxers do with tags only when it is put to them in a certain way. */
#ifndef RN_IO_WRITE_MUX_METADATA_H
#define RN_IO_WRITE_MUX_METADATA_H

#include <libavformat/avformat.h>

#include "io/common/media.h"

/* Puts the tags, languages, chapters and plays of media so that the muxer of out writes as much of
 * them as its container has a place for: changes metadata of out and its streams, and private
 * options of the muxer. Call it when all streams are described, before the header is written.
 * video: the stream of the pictures. options: the user's, which come before what is chosen here;
 * may be added to. Returns 0 or RN_EINTERNAL (logged). */
int rn_write_metadata_fit(AVFormatContext *out, const struct rn_io_media *media, AVStream *video,
                          AVDictionary **options);

#endif
