/* Chooses the encoder of an output: the user's, or the usual one of the container. */
#ifndef RN_IO_WRITE_ENCODE_ENCODER_CHOICE_H
#define RN_IO_WRITE_ENCODE_ENCODER_CHOICE_H

#include <stdbool.h>
#include <stddef.h>

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>

#include "filters/base/image.h"
#include "io/common/media.h"

/* Finds an encoder for streams of a type by its own name or its codec's. NULL: there is none. */
const AVCodec *rn_write_encoder_named(const char *name, enum AVMediaType type);

/* The same for pictures. Returns 0, or RN_EUSAGE (logged, with similar names). */
int rn_write_encoder_find(const char *name, const AVCodec **codec);

/* Writes the end of a message that no encoder of the type has that name: similar names, and how to
 * list all. Returns text. */
const char *rn_write_encoder_advice(const char *name, enum AVMediaType type, char *text,
                                    size_t size);

/* Chooses the encoder for a container: `wanted`, the user's (NULL = none), else the usual one, or
 * one that holds transparency if both media and geom, of the pictures to be written, have it. name:
 * of the output; quiet: log only mistakes. Returns 0 or RN_EUSAGE (logged). */
int rn_write_codec_choose(const AVCodec **codec, const AVOutputFormat *of, const char *wanted,
                          const struct rn_io_media *media, const struct rn_geom *geom,
                          const char *name, bool quiet);

/* True if the coded pictures or the container specify the range of Y'CbCr. Otherwise every reader
 * takes it for limited. */
bool rn_write_codec_specifies_range(const AVOutputFormat *of, enum AVCodecID id);

#endif
