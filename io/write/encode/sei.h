/* The light of HDR10 as H.264 has it in its pictures (SEI messages), which FFmpeg's decoder does
 * not tell before version 6.1. */
#ifndef RN_IO_WRITE_ENCODE_SEI_H
#define RN_IO_WRITE_ENCODE_SEI_H

#include <libavcodec/avcodec.h>

#include "io/common/traits.h"

/* Adds mastering display and content light level, as far as t does not know them, from a packet of
 * a stream with these parameters. Packets of other codecs say nothing. */
void rn_write_sei_add_light(struct rn_io_traits *t, const AVCodecParameters *par,
                            const AVPacket *pkt);

#endif
