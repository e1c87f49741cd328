/* Which encoder makes the pictures of an output: the one that users name, or the usual one of the
 * container, and what the pair of it and the container can specify. */
#ifndef RN_IO_WRITE_ENCODE_ENCODER_CHOICE_H
#define RN_IO_WRITE_ENCODE_ENCODER_CHOICE_H

#include <stdbool.h>
#include <stddef.h>

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>

#include "filters/base/image.h"
#include "io/common/media.h"

/* Finds an encoder for streams of a type by its own name or its coding's. NULL: there is none. */
const AVCodec *rn_write_encoder_named(const char *name, enum AVMediaType type);

/* The same for pictures. Returns 0, or RN_EUSAGE (logged, with those that may be meant). */
int rn_write_encoder_find(const char *name, const AVCodec **codec);

/* What follows a message that name is no such encoder: which ones may be meant, and where all are
 * listed. Returns text. */
const char *rn_write_encoder_advice(const char *name, enum AVMediaType type, char *text,
                                    size_t size);

/* Chooses the encoder for a container: the one that the user wants (NULL = none), else the usual
 * one, or one that holds transparency where media has it and geom, of the pictures to be written,
 * still does. name: of the output; quiet: say only what is wrong. Returns 0 or RN_EUSAGE (logged).
 */
int rn_write_codec_choose(const AVCodec **codec, const AVOutputFormat *of, const char *wanted,
                          const struct rn_io_media *media, const struct rn_geom *geom,
                          const char *name, bool quiet);

/* True if a reader of the file learns whether its Y'CbCr is of full or of limited range: from the
 * coded pictures, or from the container. Without it every reader takes it for limited. */
bool rn_write_codec_tells_range(const AVOutputFormat *of, enum AVCodecID id);

#endif
