/* SPDX-License-Identifier: MIT */
/* What differs between the versions of FFmpeg that runnel builds with, 5.1 to 7.1: each function
 * asks the library for the same thing by the name that its version gives it. The version numbers
 * stand here and nowhere else. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <libavcodec/avcodec.h>
#include <libavfilter/version.h>
#include <libavformat/avformat.h>
#include <libavutil/frame.h>

/* ---- a frame's duration, in the time base of its pts; 0 if unknown */

#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
#define RN_FRAME_DURATION duration
#else
#define RN_FRAME_DURATION pkt_duration
#endif

static inline int64_t rn_io_duration(const AVFrame *f)
{
    return f->RN_FRAME_DURATION;
}

static inline void rn_io_set_duration(AVFrame *f, int64_t duration)
{
    f->RN_FRAME_DURATION = duration;
}

#undef RN_FRAME_DURATION

/* ---- a frame's flags. rn_io_clear_flags() takes away what the decoder said of the coded picture
 * (key frame, corrupt, to be discarded) and keeps what is true of the pixels: the fields. As long
 * as newer versions have the older members, too, what these say is added to the flags on the way
 * into filters and encoders. */

#define RN_FIELD_FLAGS (LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100))

static inline bool rn_io_is_interlaced(const AVFrame *f)
{
#if RN_FIELD_FLAGS
    return f->flags & AV_FRAME_FLAG_INTERLACED;
#else
    return f->interlaced_frame;
#endif
}

static inline bool rn_io_top_field_first(const AVFrame *f)
{
#if RN_FIELD_FLAGS
    return f->flags & AV_FRAME_FLAG_TOP_FIELD_FIRST;
#else
    return f->top_field_first;
#endif
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

static inline void rn_io_set_fields(AVFrame *f, bool interlaced, bool top_first)
{
#if RN_FIELD_FLAGS
    f->flags &= ~(AV_FRAME_FLAG_INTERLACED | AV_FRAME_FLAG_TOP_FIELD_FIRST);
    f->flags |= interlaced ? AV_FRAME_FLAG_INTERLACED : 0;
    f->flags |= top_first ? AV_FRAME_FLAG_TOP_FIELD_FIRST : 0;
#endif
#if !RN_FIELD_FLAGS || FF_API_INTERLACED_FRAME
    f->interlaced_frame = interlaced;
    f->top_field_first = top_first;
#endif
}

static inline void rn_io_clear_flags(AVFrame *f)
{
#if RN_FIELD_FLAGS
    f->flags &= AV_FRAME_FLAG_INTERLACED | AV_FRAME_FLAG_TOP_FIELD_FIRST;
#else
    f->flags = 0;
#endif
#if !RN_FIELD_FLAGS || FF_API_FRAME_KEY
    f->key_frame = 0;
#endif
}

#pragma GCC diagnostic pop
#undef RN_FIELD_FLAGS

/* ---- the colours of the frames that go into a graph, for the options of its source; older ones
 * look at the frames alone */

static inline const char *rn_io_graph_colours(const AVFrame *f, char *buf, size_t size)
{
    if (LIBAVFILTER_VERSION_INT < AV_VERSION_INT(9, 16, 100))
        return "";
    snprintf(buf, size, ":colorspace=%d:range=%d", (int)f->colorspace, (int)f->color_range);
    return buf;
}

/* ---- a number that a packet takes into the decoder and its frame brings out: <= 0 if none did.
 * rn_io_number_frames() before the decoder is opened. */

#define RN_COPY_OPAQUE (LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 2, 100))

static inline void rn_io_number_frames(AVCodecContext *ctx)
{
#if RN_COPY_OPAQUE
    ctx->flags |= AV_CODEC_FLAG_COPY_OPAQUE;
#else
    ctx->reordered_opaque = -1;
#endif
}

static inline void rn_io_set_number(AVCodecContext *ctx, AVPacket *pkt, int64_t number)
{
#if RN_COPY_OPAQUE
    (void)ctx;
    pkt->opaque = (void *)(intptr_t)number;
#else
    (void)pkt;
    ctx->reordered_opaque = number;
#endif
}

static inline int64_t rn_io_number(const AVFrame *f)
{
#if RN_COPY_OPAQUE
    return (intptr_t)f->opaque;
#else
    return f->reordered_opaque;
#endif
}

#undef RN_COPY_OPAQUE

/* ---- lets frame threads call the context's get_buffer2 side by side, as newer versions do */

static inline void rn_io_share_callbacks(AVCodecContext *ctx)
{
    (void)ctx;
#if LIBAVCODEC_VERSION_MAJOR < 60
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    ctx->thread_safe_callbacks = 1;
#pragma GCC diagnostic pop
#endif
}

/* ---- a stream's side data, such as its display matrix. The stream owns it. Newer versions still
 * have the older place, but nothing is there. */

#define RN_PAR_SIDE_DATA (LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(60, 15, 100))

/* All of it; *n is set to the number of entries. */
static inline const AVPacketSideData *rn_io_side_data(const AVStream *st, int *n)
{
#if RN_PAR_SIDE_DATA
    *n = st->codecpar->nb_coded_side_data;
    return st->codecpar->coded_side_data;
#else
    *n = st->nb_side_data;
    return st->side_data;
#endif
}

/* Copies data to an entry, which replaces one of the same type. Returns false without memory. */
static inline bool rn_io_add_side_data(AVStream *st, enum AVPacketSideDataType type,
                                       const void *data, size_t size)
{
#if RN_PAR_SIDE_DATA
    AVCodecParameters *par = st->codecpar;
    AVPacketSideData *sd =
        av_packet_side_data_new(&par->coded_side_data, &par->nb_coded_side_data, type, size, 0);
    uint8_t *to = sd ? sd->data : NULL;
#else
    uint8_t *to = av_stream_new_side_data(st, type, size);
#endif
    return to && memcpy(to, data, size);
}

#undef RN_PAR_SIDE_DATA

/* The entry of a type; NULL: there is none. */
static inline const AVPacketSideData *rn_io_find_side_data(const AVStream *st,
                                                           enum AVPacketSideDataType type)
{
    int n;
    const AVPacketSideData *all = rn_io_side_data(st, &n);
    for (int i = 0; i < n; i++)
        if (all[i].type == type)
            return &all[i];
    return NULL;
}

/* ---- Matroska counts a track with a codec delay from the first sample that is heard, and demuxers
 * take the delay off; until this version its muxer did not add it. */

static inline bool rn_io_matroska_adds_delay(void)
{
    return LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(59, 31, 100);
}

/* ---- the bytes that an AVIOContext hands to the function that writes them */

#if LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(61, 0, 0)
typedef const uint8_t rn_io_written;
#else
typedef uint8_t rn_io_written;
#endif

/* ---- what an encoder takes: pixel formats, ended by AV_PIX_FMT_NONE; sample formats, ended by
 * AV_SAMPLE_FMT_NONE; rates, ended by 0; channel layouts, ended by one without channels; NULL: any
 */

#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(61, 13, 100)
static inline const void *rn_io_config(const AVCodec *codec, enum AVCodecConfig what)
{
    const void *list = NULL;
    int err = avcodec_get_supported_config(NULL, codec, what, 0, &list, NULL);
    return err < 0 ? NULL : list;
}
#define RN_CODEC_LIST(codec, what, member) rn_io_config(codec, what)
#else
#define RN_CODEC_LIST(codec, what, member) ((codec)->member)
#endif

static inline const enum AVPixelFormat *rn_io_pix_fmts(const AVCodec *codec)
{
    return RN_CODEC_LIST(codec, AV_CODEC_CONFIG_PIX_FORMAT, pix_fmts);
}

static inline const enum AVSampleFormat *rn_io_sample_fmts(const AVCodec *codec)
{
    return RN_CODEC_LIST(codec, AV_CODEC_CONFIG_SAMPLE_FORMAT, sample_fmts);
}

static inline const int *rn_io_sample_rates(const AVCodec *codec)
{
    return RN_CODEC_LIST(codec, AV_CODEC_CONFIG_SAMPLE_RATE, supported_samplerates);
}

static inline const AVChannelLayout *rn_io_channel_layouts(const AVCodec *codec)
{
    return RN_CODEC_LIST(codec, AV_CODEC_CONFIG_CHANNEL_LAYOUT, ch_layouts);
}

#undef RN_CODEC_LIST
