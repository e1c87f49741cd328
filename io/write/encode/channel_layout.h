/* Compares channel layouts by the speakers that play them. */
#ifndef RN_IO_WRITE_ENCODE_CHANNEL_LAYOUT_H
#define RN_IO_WRITE_ENCODE_CHANNEL_LAYOUT_H

#include <stdbool.h>

#include <libavcodec/codec_id.h>
#include <libavutil/channel_layout.h>

/* Whether both play each channel through the same speaker. Two surround channels are the same at
 * the sides and at the back; a layout that names no speakers has those that decoders of its coding
 * assume for so many. */
bool rn_write_channel_layout_same(const AVChannelLayout *a, enum AVCodecID a_coding,
                                  const AVChannelLayout *b, enum AVCodecID b_coding);

/* The one of list, ended by one without channels, that keeps most of layout, which is of a decoder:
 * the same, the same speakers, as many channels, the most that are fewer. NULL: list has nothing.
 */
const AVChannelLayout *rn_write_channel_layout_nearest(const AVChannelLayout *list,
                                                       const AVChannelLayout *layout);

#endif
