/* SPDX-License-Identifier: MIT */
/* The data that a frame carries from a source to a sink beside its samples: the properties of the
 * decoded picture, and packets of the other streams of the input.
 *
 * The source fills it, rn_frame.data owns it, and the sink consumes it. It is part of the frame so
 * that the number of frames bounds it and no second queue has to be kept in step. One thread at a
 * time. */
#pragma once

#include <libavcodec/packet.h>
#include <libavutil/frame.h>

#include "filters/base/image.h"

struct rn_io_frame_data {
    AVFrame *props; /* properties of the picture, without samples; NULL behind the last picture */
    bool left_out;  /* its samples: rn_read_samples reads them */
    bool copied;    /* its samples, on their way into the image */
    int64_t number; /* of the picture in a numbered sequence; -1: none */
    int64_t end_us; /* behind the last picture: rn_io_media.end_us as it turned out; else 0 */
    /* Packets of other streams that stand before this picture in the input, in their order, with
     * the stream_index and the timestamps of the source. */
    AVPacket **packet;
    int n, taken; /* taken: the first ones are empty by now: rn_io_frame_data_take() */
};

/* The number of a picture in the names of files: its own in a numbered sequence, else its index. */
int64_t rn_io_frame_number(const struct rn_frame *frame);

/* Makes an empty one. Returns NULL when out of memory. */
struct rn_io_frame_data *rn_io_frame_data_create(void);

/* Destroys it with its packets and sets *data to NULL. NULL is legal. */
void rn_io_frame_data_destroy(struct rn_io_frame_data **data);

/* Appends a packet: its contents move into the list, or are released on failure; pkt is empty
 * afterwards. Returns 0 or RN_EINTERNAL (logged). */
int rn_io_frame_data_push(struct rn_io_frame_data *data, AVPacket *pkt);

/* Moves the first packet that was not taken yet to pkt. Returns false if there is none; data may be
 * NULL. */
bool rn_io_frame_data_take(struct rn_io_frame_data *data, AVPacket *pkt);

/* Adds an offset, in the packet's time base, to the times that a packet has. */
static inline void rn_io_packet_shift(AVPacket *pkt, int64_t offset)
{
    pkt->pts += pkt->pts != AV_NOPTS_VALUE ? offset : 0;
    pkt->dts += pkt->dts != AV_NOPTS_VALUE ? offset : 0;
}
