/* SPDX-License-Identifier: MIT */
#include "io/common/frame_data.h"

#include "filters/base/log.h"
#include "io/common/av_versions.h"
#include "io/common/input.h"

#include <libavutil/mem.h>

struct rn_io_frame_data *rn_io_frame_data_create(void)
{
    struct rn_io_frame_data *data = av_mallocz(sizeof *data);
    if (data)
        data->number = -1;
    return data;
}

void rn_io_frame_data_destroy(struct rn_io_frame_data **data)
{
    if (!*data)
        return;
    for (int i = 0; i < (*data)->n; i++)
        av_packet_free(&(*data)->packet[i]);
    av_freep(&(*data)->packet);
    av_frame_free(&(*data)->props);
    av_freep(data);
}

int rn_io_frame_data_push(struct rn_io_frame_data *data, AVPacket *pkt)
{
    AVPacket *own = av_packet_alloc();
    /* Demuxers may hand out packets whose memory is their own until the next read. */
    if (!own || av_packet_make_refcounted(pkt) < 0 ||
        av_dynarray_add_nofree(&data->packet, &data->n, own) < 0) {
        av_packet_free(&own);
        av_packet_unref(pkt);
        return rn_fail_memory();
    }
    av_packet_move_ref(own, pkt);
    return 0;
}

bool rn_io_frame_data_take(struct rn_io_frame_data *data, AVPacket *pkt)
{
    if (!data || data->taken == data->n)
        return false;
    av_packet_move_ref(pkt, data->packet[data->taken++]);
    return true;
}

bool rn_io_frame_is_interlaced(const struct rn_frame *frame)
{
    return frame->data && frame->data->props && rn_io_is_interlaced(frame->data->props);
}

bool rn_io_frame_top_field_first(const struct rn_frame *frame)
{
    return frame->data && frame->data->props && rn_io_top_field_first(frame->data->props);
}

void rn_io_frame_release(struct rn_frame *frame)
{
    rn_io_frame_data_destroy(&frame->data);
}

int64_t rn_io_frame_number(const struct rn_frame *frame)
{
    return frame->data && frame->data->number >= 0 ? frame->data->number : frame->index;
}
