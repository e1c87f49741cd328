/* Finds files that were cut off, by comparing the sizes that a format writes down with the size of
 * the file: libav reads such a file to where it breaks off and reports an ordinary end. */
#ifndef RN_IO_CONTAINERS_TRUNCATION_H
#define RN_IO_CONTAINERS_TRUNCATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <libavcodec/codec_id.h>

/* Checks a media file as its container demands: the outer boxes of MP4 and MOV, the EBML segment of
 * Matroska and WebM, the RIFF chunks of AVI, whole packets of MPEG-TS, the blocks of GIF. demuxer:
 * the name of libav's demuxer for it. Returns false if the end is missing; true for other
 * containers, and for a file that cannot be read. Any thread. */
bool rn_container_file_is_complete(const char *path, const char *demuxer);

/* How many packets of an ASF file begin with zeros, as where a disk lost blocks, which libav passes
 * over. 0 also for what cannot be read. Any thread. */
int64_t rn_container_asf_packets_zeroed(const char *path);

/* Whether in a file of Matroska, AVI, ASF, FLV or NUT the index, the tags or the end follow on the
 * last packet, so that none can be missing between them. pos: where it ends, in ASF where it
 * begins. False for other containers, and if the file cannot be read. Any thread. */
bool rn_container_file_is_filled(const char *path, const char *demuxer, int64_t pos);

/* As rn_container_file_is_complete(), for an image file in memory: a PNG has to end with IEND, a
 * JPEG with EOI. True for other codecs. */
bool rn_container_image_is_complete(enum AVCodecID codec, const uint8_t *data, size_t size);

#endif
