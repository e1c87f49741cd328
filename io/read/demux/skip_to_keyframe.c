#include "io/read/demux/demux_internal.h"

#include "filters/base/err.h"
#include "filters/base/log.h"
#include "io/read/demux/coded_picture.h"

/* From here on it is decoded what lies before the picture: some streams have no second keyframe. */
#define MOST_BYTES (INT64_C(64) << 20)

static int restart(struct rn_read_input *p, int64_t target, struct rn_io_frame_data **from_keyframe)
{
    int64_t until = av_rescale_q(target, p->time_base, AV_TIME_BASE_Q);
    struct rn_io_frame_data *data = p->data; /* packets of other streams */
    int kept = 0;
    for (int i = 0; i < data->n; i++) {
        AVPacket *pkt = data->packet[i];
        int64_t ts = pkt->pts != AV_NOPTS_VALUE ? pkt->pts : pkt->dts;
        AVRational tb = p->fmt->streams[pkt->stream_index]->time_base;
        if (ts != AV_NOPTS_VALUE && av_rescale_q(ts + pkt->duration, tb, AV_TIME_BASE_Q) > until)
            data->packet[kept++] = pkt;
        else
            av_packet_free(&pkt);
    }
    data->n = kept;
    rn_io_frame_data_destroy(from_keyframe);
    *from_keyframe = rn_io_frame_data_create();
    return *from_keyframe ? 0 : rn_fail_memory();
}

int rn_read_skip_to_keyframe(struct rn_read_input *p, int64_t target,
                             struct rn_io_frame_data **from_keyframe, int64_t *before)
{
    AVPacket *pkt = av_packet_alloc();
    struct rn_read_shown *shown = rn_read_shown_create(p->par);
    int64_t bytes = 0, pictures = 0; /* of those kept */
    bool there = false;
    int err = pkt && shown ? restart(p, target, from_keyframe) : rn_fail_memory();
    while (!err && !there && bytes < MOST_BYTES && (err = p->ops->next(p, pkt)) == 0) {
        bool key = pkt->flags & AV_PKT_FLAG_KEY;
        int64_t ts = pkt->pts != AV_NOPTS_VALUE ? pkt->pts : pkt->dts;
        there = key && ts != AV_NOPTS_VALUE && ts > target;
        if (key && !there) {
            err = restart(p, target, from_keyframe);
            *before += pictures;
            bytes = pictures = 0;
        }
        pictures += rn_read_shown_take(shown, pkt);
        bytes += pkt->size;
        if (!err)
            err = rn_io_frame_data_push(*from_keyframe, pkt);
    }
    rn_read_shown_destroy(&shown);
    av_packet_free(&pkt);
    return err == RN_END ? 0 : err;
}
