/* What FFmpeg's decoder of PNG leaves out, and whether a PNG is whole. */
#ifndef RN_IO_CONTAINERS_PNG_H
#define RN_IO_CONTAINERS_PNG_H

#include <stdbool.h>

#include <libavcodec/avcodec.h>
#include <libavutil/mastering_display_metadata.h>

/* Does a PNG of size bytes, at least 8, end with IEND? */
bool rn_container_png_is_complete(const uint8_t *png, size_t size);

/* Reads the chromaticities (chunk cHRM) of the PNG in pkt to m; has_primaries stays 0 if there are
 * none, or pkt is of another codec. */
void rn_container_png_chromaticities(enum AVCodecID codec, const AVPacket *pkt,
                                     AVMasteringDisplayMetadata *m);

/* Gives frame these primaries, as older decoders do, if it has none. Returns 0 or RN_EINTERNAL
 * (logged). */
int rn_container_png_describe(AVFrame *frame, const AVMasteringDisplayMetadata *m);

#endif
