#include "io/read/demux/others.h"

#include "filters/base/err.h"
#include "filters/base/log.h"
#include "io/read/source_internal.h"

static int64_t time_us(const struct rn_read_source *src, const AVPacket *pkt)
{
    int64_t ts = pkt->pts != AV_NOPTS_VALUE ? pkt->pts : pkt->dts;
    AVRational tb = src->packets->fmt->streams[pkt->stream_index]->time_base;
    return ts == AV_NOPTS_VALUE ? AV_NOPTS_VALUE : av_rescale_q(ts, tb, AV_TIME_BASE_Q);
}

static bool is_subtitle(const struct rn_read_source *src, const AVPacket *pkt)
{
    const AVStream *st = src->packets->fmt->streams[pkt->stream_index];
    return st->codecpar->codec_type == AVMEDIA_TYPE_SUBTITLE && pkt->pts != AV_NOPTS_VALUE;
}

/* A subtitle that is on screen where the range begins stays for the rest of its time. */
static void trim_begin(const struct rn_read_source *src, AVPacket *pkt)
{
    const AVStream *st = src->packets->fmt->streams[pkt->stream_index];
    int64_t off = av_rescale_q(src->offset, src->time_base, st->time_base);
    if (!is_subtitle(src, pkt) || pkt->pts >= off || pkt->pts + pkt->duration <= off)
        return;
    pkt->duration -= off - pkt->pts;
    pkt->pts = pkt->dts = off;
}

/* Is a subtitle still on screen at that time of the input? */
static bool lasts_beyond(const struct rn_read_source *src, const AVPacket *pkt, int64_t us)
{
    AVRational tb = src->packets->fmt->streams[pkt->stream_index]->time_base;
    return us != INT64_MAX && is_subtitle(src, pkt) && pkt->duration > 0 &&
           av_rescale_q(pkt->pts + pkt->duration, tb, AV_TIME_BASE_Q) > us;
}

/* It goes with the last picture of the range, which was the last to be read. */
static void trim_end(const struct rn_read_source *src, AVPacket *pkt, int64_t us)
{
    AVRational tb = src->packets->fmt->streams[pkt->stream_index]->time_base;
    int64_t end = lasts_beyond(src, pkt, us) ? av_rescale_q(us, AV_TIME_BASE_Q, tb) : INT64_MAX;
    if (end != INT64_MAX && end > pkt->pts)
        pkt->duration = end - pkt->pts;
}

static void shift_packet(const struct rn_read_source *src, AVPacket *pkt)
{
    AVRational tb = src->packets->fmt->streams[pkt->stream_index]->time_base;
    int64_t off = av_rescale_q(src->offset, src->time_base, tb);
    if (pkt->pts != AV_NOPTS_VALUE)
        pkt->pts -= off;
    if (pkt->dts != AV_NOPTS_VALUE)
        pkt->dts -= off;
}

/* Is it too early for a packet at time us? Of subtitles the end has to be known, too. */
static bool has_to_wait(const struct rn_read_source *src, const AVPacket *pkt, int64_t us,
                        int64_t until, bool more)
{
    return us != AV_NOPTS_VALUE && (us >= until || (more && lasts_beyond(src, pkt, until)));
}

int rn_read_others_take(struct rn_read_source *src, struct rn_io_frame_data *to, int64_t until,
                        bool more)
{
    struct rn_io_frame_data *from = src->packets->data;
    int kept = 0, err = 0;
    for (int i = 0; i < from->n; i++) {
        AVPacket *pkt = from->packet[i];
        if (src->media.cut)
            trim_begin(src, pkt);
        int64_t us = time_us(src, pkt);
        if (!err && has_to_wait(src, pkt, us, until, more)) {
            from->packet[kept++] = pkt;
            continue;
        }
        bool inside = !src->media.cut || us == AV_NOPTS_VALUE || us >= src->media.offset_us;
        if (inside && !err) {
            trim_end(src, pkt, until);
            shift_packet(src, pkt);
            err = rn_io_frame_data_push(to, pkt);
        }
        src->late_packets += !inside && src->resumed;
        av_packet_free(&pkt);
    }
    from->n = kept;
    return err;
}

int rn_read_others_read_on(struct rn_read_source *src)
{
    struct rn_read_packets *p = src->packets;
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
            err = rn_read_ahead_push(src, pkt);
        else
            av_packet_unref(pkt);
        if (us != AV_NOPTS_VALUE && us > end + 10 * AV_TIME_BASE)
            break;
    }
    av_packet_free(&pkt);
    return err < 0 ? err : 0;
}

void rn_read_others_drop(struct rn_read_source *src, int64_t target)
{
    struct rn_io_frame_data *data = src->packets->data;
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
