/* SPDX-License-Identifier: MIT */
/* Times of pictures that a container cannot tell as they are. Owned by the media sink, on its
 * thread. */
#pragma once

#include "io/write/encode/encoder.h"
#include "io/write/mux/remux.h"

/* ---- the duration of the last picture, and of the last packet of MOV and MP4: these add up the
 * durations of packets (their table stts), other containers store only when a picture begins */

/* Zeroed: no pictures yet. */
struct rn_write_end_times {
    struct rn_write_span shown; /* of all pictures, in microseconds */
    int64_t pts;                /* of the last picture shown, in the time base of the frames */
    int64_t us;                 /* its duration; 0: unknown */
    int64_t repeated;           /* how often it was repeated */
    AVPacket *delayed;          /* the packet that is held, the last one decoded; owned */
    int64_t first_dts;          /* of all held packets, in the time base of the stream */
};

/* Notes the times of a frame. Frames come in the order of time. time_base: of the frame. */
void rn_write_end_times_note(struct rn_write_end_times *last, const struct rn_frame *frame,
                             AVRational time_base);

/* Holds a packet of MOV or MP4 back; pkt becomes the one that was held, empty at first. Returns 0
 * or RN_EINTERNAL (logged). */
int rn_write_end_times_hold_packet(struct rn_write_end_times *last, AVPacket *pkt);

/* The packet that is held, with a duration with which all packets add up to that of the pictures;
 * NULL: none is held. stream, encoder: their time bases. The caller writes it. */
AVPacket *rn_write_end_times_release_packet(struct rn_write_end_times *last, AVRational stream,
                                            AVRational encoder);

/* Repeats the last picture at its end, and logs it, if the container does not store durations and
 * the picture lasts longer than readers guess. Not for a constant rate. name: of the output;
 * time_base: of the frames. Returns 0 or an error, as rn_write_encoder_repeat_at does. */
int rn_write_end_times_repeat(struct rn_write_end_times *last, struct rn_write_encoder *enc,
                              const char *name, const AVOutputFormat *of, AVRational time_base);

/* ---- a constant rate, for containers that have no times: a picture that lasts longer than a step
 * is repeated; if several fall on one step, the first is written */

struct rn_write_constant_rate {
    AVRational time_base; /* of the frames that come */
    AVRational step;      /* seconds from picture to picture in the output */
    bool begun;
    int64_t first, end; /* pts of the first picture, end of the last one */
    int64_t steps;      /* pictures written */
    int64_t repeated, dropped;
};

/* The time base of media's pictures in a container. Begins *c if that has no times, only a rate. */
AVRational rn_write_constant_rate_begin(struct rn_write_constant_rate *c, const AVOutputFormat *of,
                                        const struct rn_io_media *media);

/* Repeats the previous picture up to the time of this one, and encodes this one, or drops it. The
 * encoder was opened with `constant`. Returns 0 or an error, as rn_write_encoder_write does. */
int rn_write_constant_rate_write(struct rn_write_constant_rate *c, struct rn_write_encoder *enc,
                                 const struct rn_image *img, const struct rn_frame *frame);

/* Repeats the last picture up to its end. Logs how many were repeated, and adds to losses how many
 * were dropped. name: of the output, for the message. Returns 0 or an error as above. */
int rn_write_constant_rate_finish(struct rn_write_constant_rate *c, struct rn_write_encoder *enc,
                                  const char *name, struct rn_losses *losses);
