/* What the packets of the pictures of a media file need before they are written. Owned by the media
 * sink, on its thread. */
#ifndef RN_IO_WRITE_MUX_PICTURES_H
#define RN_IO_WRITE_MUX_PICTURES_H

#include <stdbool.h>
#include <stdint.h>

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>

#include "io/write/encode/encoder.h"
#include "io/write/mux/remux.h"

/* ---- constant_rate.c */

/* Pictures of any times for a container that has no times, only a rate: where a picture lasts
 * longer than one step it is repeated, where several fall on one step the first is written. */

struct rn_write_constant_rate {
    AVRational time_base; /* of the frames that come */
    AVRational step;      /* seconds from picture to picture in the output */
    bool begun;
    int64_t first, end; /* pts of the first picture, end of the last one */
    int64_t steps;      /* pictures written */
    int64_t repeated, dropped;
};

/* The time base for the pictures of media in a container. Where it has no times, only a rate, *c
 * is begun, else left as it is. */
AVRational rn_write_constant_rate_begin(struct rn_write_constant_rate *c, const AVOutputFormat *of,
                                        const struct rn_io_media *media);

/* Encodes a picture, after as many repetitions of the last one as there is time before it, or drops
 * it. The encoder was opened with `constant`. Returns 0 or an error, as rn_write_encoder_write
 * does. */
int rn_write_constant_rate_write(struct rn_write_constant_rate *c, struct rn_write_encoder *enc,
                                 const struct rn_image *img, const struct rn_frame *frame);

/* Repeats the last picture up to its end, and says what was repeated, and, in losses, what was
 * dropped. name: of the output, for the message. Returns 0 or an error as above. */
int rn_write_constant_rate_finish(struct rn_write_constant_rate *c, struct rn_write_encoder *enc,
                                  const char *name, struct rn_losses *losses);

/* ---- trailing_duration.c */

/* How long the last picture of an output lasts, which containers tell badly: MOV and MP4 add up the
 * durations of packets, others tell only when a picture begins. */

/* Zeroed it stands for an output without pictures. */
struct rn_write_trailing {
    struct rn_write_span shown; /* of all pictures, in microseconds */
    int64_t pts;                /* of the last one, in the time base of the frames */
    int64_t us;                 /* how long it is shown; 0: unknown */
    int64_t repeated;           /* times, at its end */
    AVPacket *delayed;
    int64_t first_dts; /* of what was held, in the time base of the stream */
};

/* Takes notice of a frame, which comes in the order of time; time_base: of its times. */
void rn_write_trailing_note(struct rn_write_trailing *trailing, const struct rn_frame *frame,
                            AVRational time_base);

/* Holds a packet of MOV or MP4 back; pkt becomes the one that was held, empty at first. Returns 0
 * or RN_EINTERNAL (logged). */
int rn_write_trailing_hold(struct rn_write_trailing *trailing, AVPacket *pkt);

/* The packet that is held, with a duration with which all packets add up to that of the pictures;
 * NULL: none is held. stream, encoder: their time bases. The caller writes it. */
AVPacket *rn_write_trailing_release(struct rn_write_trailing *trailing, AVRational stream,
                                    AVRational encoder);

/* Repeats the last picture at its end, and logs it, if the container does not store durations and
 * the picture lasts longer than readers guess. Not for a constant rate. name: of the output;
 * time_base: of the frames. Returns 0 or an error, as rn_write_encoder_repeat_at does. */
int rn_write_trailing_repeat(struct rn_write_trailing *trailing, struct rn_write_encoder *enc,
                             const char *name, const AVOutputFormat *of, AVRational time_base);

/* Releases the packet that is held. */
void rn_write_trailing_free(struct rn_write_trailing *trailing);

/* ---- theora.c */

/* Pictures of Theora that repeat the one before. Its encoder gives an empty packet for them, which
 * FFmpeg's muxer of Ogg leaves out since version 6: the pictures behind it would stand at other
 * times, and at the end of the file for none. */

/* Where pkt of the encoder enc is such a packet, it becomes one that says the same in some bytes: a
 * picture none of whose blocks is coded. Others stay. Returns 0 or RN_EINTERNAL (logged). */
int rn_write_theora_fill(const AVCodecContext *enc, AVPacket *pkt);

#endif
