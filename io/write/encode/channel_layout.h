/* Compares channel layouts by the speakers that play them. */
#ifndef RN_IO_WRITE_ENCODE_CHANNEL_LAYOUT_H
#define RN_IO_WRITE_ENCODE_CHANNEL_LAYOUT_H

#include <stdbool.h>

#include <libavcodec/codec_id.h>
#include <libavutil/channel_layout.h>

/* Whether both play each channel through the same speaker. Two surround channels count as the same
 * at the sides and at the back. A layout without speakers has those that decoders of its coding
 * assume for its number of channels. */
bool rn_write_channel_layout_same(const AVChannelLayout *a, enum AVCodecID a_coding,
                                  const AVChannelLayout *b, enum AVCodecID b_coding);

/* The layout in list (which ends with one without channels) that keeps most of a decoder's layout:
 * the same, the same speakers, as many channels, or the most below. NULL: list is empty. */
const AVChannelLayout *rn_write_channel_layout_nearest(const AVChannelLayout *list,
                                                       const AVChannelLayout *layout);

#endif
