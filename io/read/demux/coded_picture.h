/* SPDX-License-Identifier: MIT */
/* Reads from the first bits of a packet what picture it holds, without decoding. */
#pragma once

#include <stdbool.h>

#include <libavcodec/avcodec.h>

/* Returns true if a picture is shown with pkt: not if pkt only helps to decode others, is marked as
 * discarded, or is empty. If the fields of a picture have a packet each, it is shown with both. */
bool rn_read_coded_picture_shows(enum AVCodecID codec, const AVPacket *pkt);

struct rn_read_coded_picture {
    bool due;   /* the decoder has to give a picture of this packet: false also where it only may */
    bool entry; /* all that follows can be decoded from here on */
    bool leads; /* HEVC: it is shown before the picture of entry in front of it */
};

struct rn_read_coded_picture rn_read_coded_picture(const AVCodecParameters *par,
                                                   const AVPacket *pkt);

/* The NAL units of a packet of H.264 or HEVC. */
struct rn_read_units {
    const uint8_t *p; /* behind the last one; or, by start codes, at its beginning */
    size_t size;      /* bytes of the packet from there on */
    int length;       /* bytes of the length before each; 0: start codes */
};

struct rn_read_units rn_read_units_of(const AVCodecParameters *par, const AVPacket *pkt);

/* Returns the first byte of the next one, in front of pkt's end; NULL: there is none. */
const uint8_t *rn_read_units_next(struct rn_read_units *units);

struct rn_read_coded_slices {
    int n;     /* slice segments of H.264 or HEVC, without those of HEVC's further layers */
    bool hole; /* zeros stand in one where none can: three of them in a row never do (ISO/IEC
                  14496-10, 7.4.1). Decoders may overlook that. */
};

/* All 0 for other codecs. */
struct rn_read_coded_slices rn_read_coded_slices(const AVCodecParameters *par, const AVPacket *pkt);

/* ---- which packets become pictures of their own, for counting pictures: most do; some only help
 * to decode others, and some are half a picture */

struct rn_read_shown {
    enum AVCodecID codec;
    /* H.264 whose fields may be packets of their own; NULL otherwise. */
    AVCodecParserContext *parser;
    AVCodecContext *context;
    enum AVPictureStructure half; /* the field that waits for its other; unknown: none */
};

/* For packets of a stream with these parameters; shown is zeroed, and to be closed in any case.
 * Returns false when out of memory. */
bool rn_read_shown_open(struct rn_read_shown *shown, const AVCodecParameters *par);
void rn_read_shown_close(struct rn_read_shown *shown);

/* Returns true if every packet of such a stream is a picture, unless it is marked as discarded. */
bool rn_read_shown_all(const AVCodecParameters *par);

/* Returns true if pkt, the next of the stream, begins a picture that is shown. */
bool rn_read_shown_take(struct rn_read_shown *shown, const AVPacket *pkt);
