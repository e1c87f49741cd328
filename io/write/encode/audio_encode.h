/* Sound in another coding: for containers that cannot hold the input's, and for --audio CODEC.
 *
 * Decoder, converter (where the encoder wants other samples) and encoder of one stream. Every
 * sample keeps its time: the first one has the time of its packet, and the encoder's lead-in stands
 * before it. Where the input's times jump by more than 10 ms, as after a lost packet, silence
 * fills the gap, or what overlaps is left out. Belongs to one thread at a time. */
#ifndef RN_IO_WRITE_ENCODE_AUDIO_ENCODE_H
#define RN_IO_WRITE_ENCODE_AUDIO_ENCODE_H

#include <stdbool.h>
#include <stdint.h>

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>

struct rn_write_audio_encoder;

/* Where packets go: with timestamps in time_base; pkt may be kept by reference. Returns 0 or an
 * error (logged). */
typedef int rn_write_audio_packet_fn(void *opaque, AVPacket *pkt, AVRational time_base);

/* True for sound that of holds, but without times, so that it would not pause where in does: PCM in
 * MOV and MP4. Encoded it is the same, sample by sample, with silence in the pauses. */
bool rn_write_audio_needs_silence(const AVOutputFormat *of, const AVCodecParameters *in);

/* The encoder for sound that of cannot hold, or not in its time: a lossless one if in is lossless
 * and of holds one, else the usual one of such files. *lossless: it changes no sample. NULL: there
 * is none. */
const AVCodec *rn_write_audio_target(const AVOutputFormat *of, const AVCodecParameters *in,
                                     bool *lossless);

/* Opens decoder and encoder for the stream in, and describes the result to out. options: the
 * user's as K=V:K=V, NULL = none. name: of the output, for messages. Returns 0, RN_EUSAGE (a wrong
 * option, or sound that the codec cannot hold), RN_EOUTPUT (no decoder) or RN_EINTERNAL (logged).
 */
int rn_write_audio_encoder_open(struct rn_write_audio_encoder **enc, const AVStream *in,
                                const AVCodec *codec, const char *options,
                                const AVFormatContext *out, const char *name, AVStream *st);
void rn_write_audio_encoder_close(struct rn_write_audio_encoder **enc);

/* Encodes a packet; NULL: the end, after which nothing may come. Packets that cannot be decoded
 * become silence and are counted. Returns 0, RN_EOUTPUT or RN_EINTERNAL (logged), or what fn
 * returned. */
int rn_write_audio_encoder_write(struct rn_write_audio_encoder *enc, const AVPacket *pkt,
                                 rn_write_audio_packet_fn *fn, void *opaque);

/* How many packets could not be decoded. */
int64_t rn_write_audio_encoder_damaged(const struct rn_write_audio_encoder *enc);

#endif
