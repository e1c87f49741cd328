/* Chooses what an encoder is opened with: pixel format, range, colours, fields and options. They
 * depend on the encoder, on what the file can specify, and on the chain's pictures. */
#ifndef RN_IO_WRITE_ENCODE_ENCODER_CONFIG_H
#define RN_IO_WRITE_ENCODE_ENCODER_CONFIG_H

#include "io/pixels/convert.h"
#include "io/write/encode/encoder.h"

/* Chooses the user's format, or the nearest. Returns 0, or RN_EUSAGE (logged) if none fits. */
int rn_write_encoder_choose_format(const struct rn_write_encoder_setup *setup,
                                   enum AVPixelFormat *fmt);

/* True if chroma cannot stay subsampled: x264 and x265 take odd sizes only without. */
bool rn_write_encoder_needs_full_chroma(const struct rn_write_encoder_setup *setup);

/* Fills a new context for frames of fmt, and adds to options what the user did not set. fields: the
 * encoder codes interlaced pictures as such. Returns 0 or a libav error. */
int rn_write_encoder_configure(AVCodecContext *ctx, const struct rn_write_encoder_setup *setup,
                               enum AVPixelFormat fmt, AVRational time_base, bool fields,
                               AVDictionary **options);

/* Creates the export of the pictures to frames of fmt. Returns as rn_pix_export_create does. */
int rn_write_encoder_export(struct rn_pix_export **exp, const struct rn_write_encoder_setup *setup,
                            enum AVPixelFormat fmt);

#endif
