/* SPDX-License-Identifier: MIT */
/* Converts audio and text subtitles to another codec, for containers that cannot hold the input's,
 * and for --audio and --subs CODEC. One thread at a time. */
#pragma once

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/audio_fifo.h>

#include "io/common/av.h"

/* ---- audio_encode.c: a decoder, a converter of samples and an encoder
 *
 * Every sample keeps its time: the first one has the time of its packet, and the encoder's lead-in
 * precedes it. If the input's times jump by more than 10 ms, as after a lost packet, silence fills
 * the gap, or the overlap is dropped. */

struct rn_write_span; /* io/write/mux/remux.h */

/* Takes a packet with timestamps in time_base, perhaps by a new reference. Returns 0 or an error
 * (logged). */
typedef int rn_write_audio_packet_fn(void *opaque, AVPacket *pkt, AVRational time_base);

struct rn_write_audio_encoder {
    AVCodecContext *dec, *enc; /* NULL: it is not open */
    AVRational time_base;      /* of the input's packets */
    const char *name;          /* of the output */
    int stream;                /* of the input */
    rn_write_audio_packet_fn *put;
    void *opaque;
    struct SwrContext *swr;
    int in_rate, in_format; /* of swr */
    AVChannelLayout in_layout;
    AVAudioFifo *fifo;
    int64_t fifo_pts; /* of its first sample, in samples; AV_NOPTS_VALUE before the first one */
    int64_t skip;     /* samples to drop, because they overlap earlier ones */
    AVFrame *frame, *out;
    AVPacket *pkt;
    int64_t damaged; /* packets that could not be decoded */
    int64_t silence; /* samples of silence in pauses, not before the beginning */
    bool ended;      /* the last packet was decoded */
    bool from_zero;  /* packets begin at 0, not with the sound, and leave no gap */
    struct rn_io_watch watch;
};

/* True for audio that the muxer stores without times, so its pauses would be lost: PCM in MOV and
 * MP4. Encoding keeps every sample and fills pauses with silence. */
bool rn_write_audio_needs_silence(const AVOutputFormat *of, const AVCodecParameters *in);

/* The encoder for audio that the muxer cannot hold, or not with its times: a lossless one if the
 * input is lossless and the container holds one, else the container's usual one; NULL if there is
 * none. *lossless: encoding changes no sample. */
const AVCodec *rn_write_audio_target(const AVOutputFormat *of, const AVCodecParameters *in,
                                     bool *lossless);

/* Opens decoder and encoder for the stream `in`, and fills the parameters of st, a stream of out.
 * options: the user's as K=V:K=V, NULL = none. name: of the output, for messages, borrowed. put
 * gets the packets. enc: zeroed; closed by the caller in any case. Returns 0 or (logged) RN_EUSAGE
 * (a wrong option, or sound that the codec cannot hold), RN_EOUTPUT (no decoder), RN_EINTERNAL. */
int rn_write_audio_encoder_open(struct rn_write_audio_encoder *enc, const AVStream *in,
                                const AVCodec *codec, const char *options,
                                const AVFormatContext *out, const char *name, AVStream *st,
                                rn_write_audio_packet_fn *put, void *opaque);
void rn_write_audio_encoder_close(struct rn_write_audio_encoder *enc);

/* Encodes a packet; NULL, the last call, drains the encoder. Packets that cannot be decoded become
 * silence and are counted. heard gets the times of the decoded sound, which are not those of the
 * packets where a decoder leaves out a lead-in or a container has no durations. Returns 0,
 * RN_EOUTPUT or RN_EINTERNAL (logged), or what put returned. */
int rn_write_audio_encoder_write(struct rn_write_audio_encoder *enc, const AVPacket *pkt,
                                 struct rn_write_span *heard);

/* True if both layouts play each channel through the same speaker. Two surround channels count as
 * the same at the sides and at the back. A layout without speakers has those that decoders of its
 * coding assume for its number of channels. */
bool rn_write_channel_layout_same(const AVChannelLayout *a, enum AVCodecID a_coding,
                                  const AVChannelLayout *b, enum AVCodecID b_coding);

/* ---- subtitle.c */

struct rn_write_subtitle {
    AVCodecContext *dec, *enc; /* NULL: it is not open */
    AVCodecContext *reader;    /* decodes what enc wrote; NULL: there is no decoder */
    bool same; /* all have kept their text and style so far: reader has decoded what dec did */
    AVRational time_base;
    uint8_t *buf;
};

/* Are subtitles of this codec text, not pictures? */
bool rn_write_subtitle_is_text(enum AVCodecID id);

/* The codec to which text subtitles in `from` can be converted for a container; AV_CODEC_ID_NONE if
 * there is none. */
enum AVCodecID rn_write_subtitle_target(enum AVCodecID from, const AVOutputFormat *of);

/* Opens a conversion from the stream `in` to the codec `to`, and fills out with the parameters of
 * the result. sub: zeroed; closed by the caller in any case. Returns 0 or RN_EOUTPUT (logged). */
int rn_write_subtitle_open(struct rn_write_subtitle *sub, const AVCodecParameters *in,
                           AVRational time_base, enum AVCodecID to, AVCodecParameters *out);
void rn_write_subtitle_close(struct rn_write_subtitle *sub);

/* Replaces the content of pkt. Returns 0, RN_END if pkt shows nothing (pkt is then empty), or
 * RN_EOUTPUT (logged). */
int rn_write_subtitle_convert(struct rn_write_subtitle *sub, AVPacket *pkt);
