/* SPDX-License-Identifier: MIT */
#include "io/read/demux/demux_internal.h"

#include "filters/base/log.h"
#include "io/read/demux/coded_picture.h"
#include "io/read/demux/other_streams.h"

/* Some streams have no second keyframe: pictures behind so much are decoded up to the target. */
#define MAX_BYTES (INT64_C(64) << 20)

/* Empties what was kept: a keyframe follows. */
static int restart(struct demux *d, int64_t target, struct rn_io_frame_data **kept)
{
    int64_t us = av_rescale_q(target, d->base.time_base, AV_TIME_BASE_Q);
    rn_read_other_streams_drop(&d->base, us, true);
    rn_io_frame_data_destroy(kept);
    *kept = rn_io_frame_data_create();
    return *kept ? 0 : rn_fail_memory();
}

int rn_read_demux_read_up_to(struct demux *d, int64_t target)
{
    struct rn_read_input *p = &d->base;
    struct rn_io_frame_data *kept = NULL; /* from the last keyframe on */
    AVPacket *pkt = av_packet_alloc();
    struct rn_read_shown *shown = rn_read_shown_create(p->par);
    int64_t bytes = 0, pictures = 0; /* of those kept */
    bool there = false;
    int err = pkt && shown ? restart(d, target, &kept) : rn_fail_memory();
    while (!err && !there && bytes < MAX_BYTES && (err = p->ops->next(p, pkt)) == 0) {
        bool key = pkt->flags & AV_PKT_FLAG_KEY;
        int64_t ts = pkt->pts != AV_NOPTS_VALUE ? pkt->pts : pkt->dts;
        there = key && ts != AV_NOPTS_VALUE && ts > target;
        if (key && !there) {
            err = restart(d, target, &kept);
            p->before += pictures;
            bytes = pictures = 0;
        }
        pictures += rn_read_shown_take(shown, pkt);
        bytes += pkt->size;
        if (!err)
            err = rn_io_frame_data_push(kept, pkt);
    }
    rn_read_shown_destroy(&shown);
    av_packet_free(&pkt);
    d->ahead = kept;
    p->corrupt = 0;
    p->damage = (struct rn_io_damage){0};
    return err == RN_END ? 0 : err;
}
