/* Encoders by the names that users give. */
#ifndef RN_IO_WRITE_ENCODE_ENCODER_FIND_H
#define RN_IO_WRITE_ENCODE_ENCODER_FIND_H

#include <stddef.h>

#include <libavcodec/avcodec.h>

/* Finds an encoder for streams of a type by its own name or its coding's. NULL: there is none. */
const AVCodec *rn_write_encoder_named(const char *name, enum AVMediaType type);

/* The same for pictures. Returns 0, or RN_EUSAGE (logged, with those that may be meant). */
int rn_write_encoder_find(const char *name, const AVCodec **codec);

/* What follows a message that name is no such encoder: which ones may be meant, and where all are
 * listed. Returns text. */
const char *rn_write_encoder_advice(const char *name, enum AVMediaType type, char *text,
                                    size_t size);

#endif
