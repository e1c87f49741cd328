/* SPDX-License-Identifier: MIT */
/* The duration of the last picture, and of the last packet of MOV and MP4: these add up the
 * durations of packets, other containers store only when a picture begins. Owned by the media sink,
 * on its thread. */
#pragma once

#include "io/write/encode/encoder.h"
#include "io/write/mux/remux.h"

/* Zeroed: no pictures yet. */
struct rn_write_last_picture {
    struct rn_write_span shown; /* of all pictures, in microseconds */
    int64_t pts;                /* of the last picture, in the time base of the frames */
    int64_t us;                 /* its duration; 0: unknown */
    int64_t repeated;           /* how often it was repeated */
    AVPacket *delayed;          /* the packet that is held */
    int64_t first_dts;          /* of all held packets, in the time base of the stream */
};

/* Notes the times of a frame. Frames come in the order of time. time_base: of the frame. */
void rn_write_last_picture_note(struct rn_write_last_picture *last, const struct rn_frame *frame,
                                AVRational time_base);

/* Holds a packet of MOV or MP4 back; pkt becomes the one that was held, empty at first. Returns 0
 * or RN_EINTERNAL (logged). */
int rn_write_last_packet_hold(struct rn_write_last_picture *last, AVPacket *pkt);

/* The packet that is held, with a duration with which all packets add up to that of the pictures;
 * NULL: none is held. stream, encoder: their time bases. The caller writes it. */
AVPacket *rn_write_last_packet_release(struct rn_write_last_picture *last, AVRational stream,
                                       AVRational encoder);

/* Repeats the last picture at its end, and logs it, if the container does not store durations and
 * the picture lasts longer than readers guess. Not for a constant rate. name: of the output;
 * time_base: of the frames. Returns 0 or an error, as rn_write_encoder_repeat_at does. */
int rn_write_last_picture_repeat(struct rn_write_last_picture *last, struct rn_write_encoder *enc,
                                 const char *name, const AVOutputFormat *of, AVRational time_base);

/* Releases the packet that is held. */
void rn_write_last_picture_free(struct rn_write_last_picture *last);
