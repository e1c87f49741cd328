#include "io/read/source_internal.h"

#include "filters/base/err.h"
#include "filters/base/log.h"

#include <math.h>

/* Goes to where the picture at target can be decoded from, with the decoder as if just opened. */
static int go_back(struct rn_source *src, int64_t target, bool again)
{
    struct rn_packets *p = src->packets;
    int err = p->ops->seek(p, target, again);
    if (err)
        return err;
    src->media.fmt = p->fmt;
    avcodec_flush_buffers(src->dec);
    av_frame_unref(src->frame);
    src->have = src->draining = src->restarting = src->ended = src->cut = false;
    src->sequence = 0;
    av_packet_unref(src->pkt);
    src->last_pts = AV_NOPTS_VALUE;
    src->last_duration = 0;
    src->cadence.begun = false;
    if (!p->ops->name)
        src->settling = src->dec->thread_count + src->dec->has_b_frames + 1;
    return 0;
}

/* Decodes up to the first picture at or after target. *late: the very first one is behind it, so
 * that others before may be lost. */
static int catch_up(struct rn_source *src, int64_t target, const struct rn_tally *tally, bool *late)
{
    *late = true;
    for (;;) {
        av_frame_unref(src->frame);
        int err = rn_decode_next(src);
        if (err)
            return err;
        rn_decode_set_times(src);
        if (src->frame->pts >= target) {
            *late &= src->frame->pts > target;
            return 0;
        }
        *late = false;
        rn_decode_set_tally(src, tally);
    }
}

/* Leaves out what other streams have before target. */
static void drop_packets(struct rn_source *src, int64_t target)
{
    struct rn_frame_data *data = src->packets->data;
    int64_t start = av_rescale_q(target, src->packets->time_base, AV_TIME_BASE_Q);
    int kept = 0;
    for (int i = 0; i < data->n; i++) {
        AVPacket *pkt = data->packet[i];
        AVRational tb = src->packets->fmt->streams[pkt->stream_index]->time_base;
        int64_t us = rn_source_packet_us(src, pkt);
        if (us == AV_NOPTS_VALUE || us + av_rescale_q(pkt->duration, tb, AV_TIME_BASE_Q) > start)
            data->packet[kept++] = pkt;
        else
            av_packet_free(&pkt);
    }
    data->n = kept;
}

static int64_t index_of(const struct rn_source *src, int64_t pts)
{
    AVRational rate = src->packets->rate;
    double ticks = (double)(pts - src->first->pts);
    if (rate.num > 0)
        return llrint(ticks * av_q2d(src->packets->time_base) * av_q2d(rate));
    return llrint(ticks / (double)src->last_duration);
}

/* Goes on with the picture in src->frame. */
static int resume(struct rn_source *src, int64_t target)
{
    const struct rn_source_opts *o = &src->opts;
    drop_packets(src, target);
    src->given = index_of(src, src->frame->pts);
    src->decoded = src->base + src->given;
    if (!src->packets->ranged && o->frames >= 0 && src->given >= o->frames)
        src->ended = src->cut = true;
    else
        rn_decode_accept(src);
    return 0;
}

int rn_source_seek(struct rn_source *src, double seconds)
{
    struct rn_packets *p = src->packets;
    if (!p->ops->seek)
        return RN_EUSAGE;
    /* Times that went through floating point find their own picture again. */
    double ticks = ceil((fmax(seconds, 0) - 5e-7) / av_q2d(p->time_base)) + (double)src->offset;
    int64_t target = ticks < (double)(INT64_MAX / 4) ? (int64_t)ticks : INT64_MAX / 4;
    if (target < src->first->pts)
        target = src->first->pts;
    struct rn_tally tally = rn_decode_tally(src);
    atomic_store(&p->watch.quiet, true);
    bool late = false;
    int none = 0, err = go_back(src, target, false);
    while (!err) {
        rn_decode_set_tally(src, &tally);
        none = catch_up(src, target, &tally, &late);
        if (!late || none < 0 || atomic_load(&src->stop))
            break;
        err = go_back(src, target, true);
    }
    atomic_store(&p->watch.quiet, src->settling > 0);
    if (err < 0 || none < 0)
        return err < 0 ? err : none;
    src->ended = none == RN_END;
    return none == RN_END ? 0 : resume(src, target);
}
