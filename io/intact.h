/* Is a file as long as it says? libav plays a truncated file to where it ends and calls that the
 * end. */
#ifndef RN_INTACT_H
#define RN_INTACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <libavcodec/codec_id.h>

/* Checks the outer sizes in a media file, by the name of its libav demuxer: boxes of MP4 and MOV,
 * the EBML segment of Matroska and WebM, RIFF chunks of AVI, whole packets of MPEG-TS. True for
 * other containers and for what cannot be read. */
bool rn_file_intact(const char *path, const char *demuxer);

/* The same for an image that was read whole: PNG up to IEND, JPEG up to EOI. */
bool rn_image_intact(enum AVCodecID codec, const uint8_t *data, size_t size);

#endif
