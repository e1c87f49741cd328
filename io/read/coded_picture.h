/* What a packet says of its picture, without decoding it: a look at the first bits. */
#ifndef RN_CODED_PICTURE_H
#define RN_CODED_PICTURE_H

#include <stdbool.h>

#include <libavcodec/avcodec.h>

struct rn_coded_picture {
    bool shows; /* it has to give a picture: false also where it only may */
    bool entry; /* all that follows can be decoded from here on */
    bool leads; /* HEVC: it is shown before the picture of entry in front of it */
};

struct rn_coded_picture rn_coded_picture(const AVCodecParameters *par, const AVPacket *pkt);

#endif
