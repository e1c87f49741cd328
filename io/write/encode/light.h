/* The light of the screen that the pictures were made on, and of the pictures (HDR10), for encoders
 * that write it into the coded pictures only when their own options say it. */
#ifndef RN_IO_WRITE_ENCODE_LIGHT_H
#define RN_IO_WRITE_ENCODE_LIGHT_H

#include <libavcodec/avcodec.h>

#include "io/common/media.h"

/* Adds to options of codec what the first picture of media or its container say of light, unless
 * the user's options do so themselves. Returns 0 or a libav error. */
int rn_write_light_tell(const AVCodec *codec, const struct rn_io_media *media,
                        AVDictionary **options);

#endif
