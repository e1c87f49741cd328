#include "io/read/others.h"

#include "filters/base/err.h"
#include "filters/base/log.h"
#include "io/read/source_internal.h"

static int64_t time_us(const struct rn_source *src, const AVPacket *pkt)
{
    int64_t ts = pkt->pts != AV_NOPTS_VALUE ? pkt->pts : pkt->dts;
    AVRational tb = src->packets->fmt->streams[pkt->stream_index]->time_base;
    return ts == AV_NOPTS_VALUE ? AV_NOPTS_VALUE : av_rescale_q(ts, tb, AV_TIME_BASE_Q);
}

/* A subtitle that is on screen where the range begins stays for the rest of its time. */
static void trim_subtitle(const struct rn_source *src, AVPacket *pkt)
{
    const AVStream *st = src->packets->fmt->streams[pkt->stream_index];
    int64_t off = av_rescale_q(src->offset, src->time_base, st->time_base);
    if (st->codecpar->codec_type != AVMEDIA_TYPE_SUBTITLE || pkt->pts == AV_NOPTS_VALUE ||
        pkt->pts >= off || pkt->pts + pkt->duration <= off)
        return;
    pkt->duration -= off - pkt->pts;
    pkt->pts = pkt->dts = off;
}

static void shift_packet(const struct rn_source *src, AVPacket *pkt)
{
    AVRational tb = src->packets->fmt->streams[pkt->stream_index]->time_base;
    int64_t off = av_rescale_q(src->offset, src->time_base, tb);
    if (pkt->pts != AV_NOPTS_VALUE)
        pkt->pts -= off;
    if (pkt->dts != AV_NOPTS_VALUE)
        pkt->dts -= off;
}

int rn_others_take(struct rn_source *src, struct rn_frame_data *to, int64_t until)
{
    struct rn_frame_data *from = src->packets->data;
    int kept = 0, err = 0;
    for (int i = 0; i < from->n; i++) {
        AVPacket *pkt = from->packet[i];
        if (src->media.cut)
            trim_subtitle(src, pkt);
        int64_t us = time_us(src, pkt);
        if (us != AV_NOPTS_VALUE && us >= until && !err) {
            from->packet[kept++] = pkt;
            continue;
        }
        bool inside = !src->media.cut || us == AV_NOPTS_VALUE || us >= src->media.offset_us;
        if (inside && !err) {
            shift_packet(src, pkt);
            err = rn_frame_data_push(to, pkt);
        }
        src->late += !inside && src->resumed;
        av_packet_free(&pkt);
    }
    from->n = kept;
    return err;
}

int rn_others_read_on(struct rn_source *src)
{
    struct rn_packets *p = src->packets;
    int64_t end = src->range.end_us;
    bool many = !src->opts.pictures_only && p->ops->others_past;
    AVPacket *pkt = av_packet_alloc(); /* the decoder may still wait with src->pkt */
    int err = pkt ? 0 : rn_fail_memory();
    while (many && !err && !p->ops->others_past(p, end)) {
        err = p->ops->next(p, pkt);
        if (err)
            break;
        int64_t us = time_us(src, pkt);
        if (src->changed)
            err = rn_ahead_push(src, pkt);
        else
            av_packet_unref(pkt);
        if (us != AV_NOPTS_VALUE && us > end + 10 * AV_TIME_BASE)
            break;
    }
    av_packet_free(&pkt);
    return err < 0 ? err : 0;
}

void rn_others_drop(struct rn_source *src, int64_t target)
{
    struct rn_frame_data *data = src->packets->data;
    int64_t start = av_rescale_q(target, src->time_base, AV_TIME_BASE_Q);
    int kept = 0;
    for (int i = 0; i < data->n; i++) {
        AVPacket *pkt = data->packet[i];
        AVRational tb = src->packets->fmt->streams[pkt->stream_index]->time_base;
        int64_t us = time_us(src, pkt);
        if (us == AV_NOPTS_VALUE || us + av_rescale_q(pkt->duration, tb, AV_TIME_BASE_Q) > start)
            data->packet[kept++] = pkt;
        else
            av_packet_free(&pkt);
    }
    data->n = kept;
}
