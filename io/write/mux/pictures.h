/* SPDX-License-Identifier: MIT */
/* Prepares pictures and their packets for a media file: constant rate, Theora's empty packets.
 * Owned by the media sink, on its thread. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>

#include "io/write/encode/encoder.h"
#include "io/write/mux/remux.h"

/* ---- constant_rate.c */

/* For containers that have no times, only a rate: a picture that lasts longer than one step is
 * repeated; if several fall on one step, the first is written. */

struct rn_write_constant_rate {
    AVRational time_base; /* of the frames that come */
    AVRational step;      /* seconds from picture to picture in the output */
    bool begun;
    int64_t first, end; /* pts of the first picture, end of the last one */
    int64_t steps;      /* pictures written */
    int64_t repeated, dropped;
};

/* The time base for the pictures of media in a container. Begins *c if the container has no times,
 * only a rate. */
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

/* ---- theora.c */

/* Theora's encoder returns an empty packet for a picture that repeats the one before. FFmpeg's Ogg
 * muxer skips such packets since version 6, so later pictures get wrong times and the last ones are
 * lost. */

/* Replaces such a packet of the encoder enc by a picture without coded blocks. Other packets do not
 * change. Returns 0 or RN_EINTERNAL (logged). */
int rn_write_theora_fill(const AVCodecContext *enc, AVPacket *pkt);
