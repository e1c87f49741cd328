/* What a packet says of its picture, without decoding it: a look at the first bits. */
#ifndef RN_IO_READ_DEMUX_CODED_PICTURE_H
#define RN_IO_READ_DEMUX_CODED_PICTURE_H

#include <stdbool.h>

#include <libavcodec/avcodec.h>

/* Is a picture shown with pkt, of such a codec? Not with what only helps to decode others, is
 * marked as discarded, or is empty. Where a picture has two packets, one for each field, with
 * both. */
bool rn_read_coded_picture_shows(enum AVCodecID codec, const AVPacket *pkt);

struct rn_read_coded_picture {
    bool due;   /* the decoder has to give a picture of this packet: false also where it only may */
    bool entry; /* all that follows can be decoded from here on */
    bool leads; /* HEVC: it is shown before the picture of entry in front of it */
};

struct rn_read_coded_picture rn_read_coded_picture(const AVCodecParameters *par,
                                                   const AVPacket *pkt);

#endif
