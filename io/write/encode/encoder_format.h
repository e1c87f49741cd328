/* Which pixel format and range an encoder gets: what it takes, what the file can say, and how near
 * that is to the chain's pictures. */
#ifndef RN_IO_WRITE_ENCODE_ENCODER_FORMAT_H
#define RN_IO_WRITE_ENCODE_ENCODER_FORMAT_H

#include "io/write/encode/encoder.h"

/* The user's format, or the nearest. Returns 0 or RN_EUSAGE (logged) where none will do. */
int rn_write_encoder_choose_format(const struct rn_write_encoder_setup *setup,
                                   enum AVPixelFormat *fmt);

/* Whether chroma cannot stay subsampled: x264 and x265 take odd sizes only without. */
bool rn_write_encoder_needs_full_chroma(const struct rn_write_encoder_setup *setup);

/* Whether samples of fmt are coded with full range. */
bool rn_write_encoder_full_range(const struct rn_write_encoder_setup *setup,
                                 enum AVPixelFormat fmt);

#endif
