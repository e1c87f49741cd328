/* SPDX-License-Identifier: MIT */
#include "io/read/demux/other_streams.h"

#include "filters/base/log.h"
#include "io/read/source_internal.h"

#define PREROLL_SECONDS 30 /* few subtitles stay longer, and that is quickly read */

static int64_t time_us(const struct rn_read_input *in, const AVPacket *pkt)
{
    int64_t ts = pkt->pts != AV_NOPTS_VALUE ? pkt->pts : pkt->dts;
    return rn_io_to_us(ts, in->fmt->streams[pkt->stream_index]->time_base);
}

static bool is_subtitle(const struct rn_read_source *src, const AVPacket *pkt)
{
    const AVStream *st = src->in->fmt->streams[pkt->stream_index];
    return st->codecpar->codec_type == AVMEDIA_TYPE_SUBTITLE && pkt->pts != AV_NOPTS_VALUE;
}

/* A subtitle that is on screen where the range begins stays for the rest of its time. */
static void trim_begin(const struct rn_read_source *src, AVPacket *pkt)
{
    const AVStream *st = src->in->fmt->streams[pkt->stream_index];
    int64_t off = av_rescale_q(src->offset, src->time_base, st->time_base);
    if (!is_subtitle(src, pkt) || pkt->pts >= off || pkt->pts + pkt->duration <= off)
        return;
    pkt->duration -= off - pkt->pts;
    pkt->pts = pkt->dts = off;
}

/* Returns true if a subtitle is still on screen at that time of the input. */
static bool lasts_beyond(const struct rn_read_source *src, const AVPacket *pkt, int64_t us)
{
    AVRational tb = src->in->fmt->streams[pkt->stream_index]->time_base;
    return us != INT64_MAX && is_subtitle(src, pkt) && pkt->duration > 0 &&
           rn_io_to_us(pkt->pts + pkt->duration, tb) > us;
}

/* A subtitle goes with the last picture of the range, which was the last to be read. */
static void trim_and_shift(const struct rn_read_source *src, AVPacket *pkt, int64_t us)
{
    AVRational tb = src->in->fmt->streams[pkt->stream_index]->time_base;
    int64_t end = lasts_beyond(src, pkt, us) ? rn_io_from_us(us, tb) : INT64_MAX;
    if (end != INT64_MAX && end > pkt->pts)
        pkt->duration = end - pkt->pts;
    rn_io_packet_shift(pkt, -av_rescale_q(src->offset, src->time_base, tb));
}

int rn_read_other_streams_take(struct rn_read_source *src, struct rn_io_frame_data *to,
                               int64_t until, bool more)
{
    struct rn_io_frame_data *from = src->in->data;
    int kept = 0, err = 0;
    for (int i = 0; i < from->n; i++) {
        AVPacket *pkt = from->packet[i];
        if (src->media.cut)
            trim_begin(src, pkt);
        int64_t us = time_us(src->in, pkt);
        /* Of subtitles the end has to be known as well. */
        bool early = us >= until || (more && lasts_beyond(src, pkt, until));
        if (!err && us != AV_NOPTS_VALUE && early) {
            from->packet[kept++] = pkt;
            continue;
        }
        bool inside = !src->media.cut || us == AV_NOPTS_VALUE || us >= src->media.offset_us;
        if (inside && !err) {
            trim_and_shift(src, pkt, until);
            err = rn_io_frame_data_push(to, pkt);
        }
        src->late_packets += !inside && src->resumed;
        av_packet_free(&pkt);
    }
    from->n = kept;
    return err;
}

/* Keeps a packet of the pictures, of which others were read in front of their time; pkt is empty
 * afterwards. Returns 0 or RN_EINTERNAL (logged). */
static int keep_ahead(struct rn_read_source *src, AVPacket *pkt)
{
    if (src->packets_ahead && src->packets_ahead->taken == src->packets_ahead->n)
        rn_io_frame_data_destroy(&src->packets_ahead);
    if (!src->packets_ahead)
        src->packets_ahead = rn_io_frame_data_create();
    if (src->packets_ahead)
        return rn_io_frame_data_push(src->packets_ahead, pkt);
    av_packet_unref(pkt);
    return rn_fail_memory();
}

int rn_read_other_streams_read_on(struct rn_read_source *src)
{
    struct rn_read_input *p = src->in;
    int64_t end = src->range.end_us;
    bool copies = !src->opts.pictures_only && p->ops->other_streams_read_to;
    /* The decoder may still wait with src->pkt. */
    RN_OWNED(av_packet_free) AVPacket *pkt = av_packet_alloc();
    int err = pkt ? 0 : rn_fail_memory();
    while (copies && !err && !p->ops->other_streams_read_to(p, end)) {
        err = p->ops->next(p, pkt);
        if (err)
            break;
        int64_t us = time_us(p, pkt);
        if (src->changed)
            err = keep_ahead(src, pkt);
        else
            av_packet_unref(pkt);
        if (us != AV_NOPTS_VALUE && us > end + 10 * AV_TIME_BASE)
            break;
    }
    return err < 0 ? err : 0;
}

void rn_read_other_streams_drop(struct rn_read_input *in, int64_t start, bool untimed)
{
    struct rn_io_frame_data *data = in->data;
    int kept = 0;
    for (int i = 0; i < data->n; i++) {
        AVPacket *pkt = data->packet[i];
        AVRational tb = in->fmt->streams[pkt->stream_index]->time_base;
        int64_t us = time_us(in, pkt);
        if (us == AV_NOPTS_VALUE ? !untimed : us + rn_io_to_us(pkt->duration, tb) > start)
            data->packet[kept++] = pkt;
        else
            av_packet_free(&pkt);
    }
    data->n = kept;
}

void rn_read_other_streams_report_late(const struct rn_read_source *src)
{
    if (src->late_packets)
        rn_losses_add(src->opts.losses, "late",
                      "'%.120s': %" PRId64 " packet%s of other streams stand%s too far behind the "
                      "pictures of their time, whose file was complete",
                      src->name, src->late_packets, src->late_packets == 1 ? "" : "s",
                      src->late_packets == 1 ? "s" : "");
}

/* ---- subtitles that begin before the range */

static bool is_copied_subtitle(const struct rn_read_input *p, int i)
{
    return p->fmt->streams[i]->codecpar->codec_type == AVMEDIA_TYPE_SUBTITLE &&
           rn_read_stream_is_copied(p->fmt, p->video, i);
}

/* Returns true if a seek may have skipped subtitles. */
static bool needs_preroll(const struct rn_read_source *src)
{
    const struct rn_read_input *p = src->in;
    bool any = false;
    if (!p->fmt || !p->seekable || p->ambiguous || src->opts.pictures_only ||
        src->opts.from.kind != RN_TIME_SECONDS || p->container->seeks_subtitles)
        return false;
    for (int i = 0; i < (int)p->fmt->nb_streams; i++)
        any |= is_copied_subtitle(p, i);
    return any;
}

/* Reads up to the time us; packets of other streams gather in p->data. Returns 0 or an error. */
static int read_up_to(struct rn_read_input *p, int64_t us)
{
    int64_t back = us - PREROLL_SECONDS * INT64_C(1000000);
    int64_t from = back > p->start_us ? back : p->start_us;
    RN_OWNED(av_packet_free) AVPacket *pkt = av_packet_alloc();
    int err = pkt ? p->ops->seek(p, rn_io_from_us(from, p->time_base), false) : rn_fail_memory();
    bool before = true;
    while (!err && before && (err = p->ops->next(p, pkt)) == 0) {
        int64_t ts = pkt->dts != AV_NOPTS_VALUE ? pkt->dts : pkt->pts;
        before = ts == AV_NOPTS_VALUE || rn_io_to_us(ts, p->time_base) < us;
        av_packet_unref(pkt);
    }
    return err < 0 && err != RN_EUSAGE ? err : 0;
}

/* Returns true if pkt is a subtitle on screen at us that is not in data. */
static bool is_missed(const struct rn_read_input *p, const AVPacket *pkt, int64_t us,
                      const struct rn_io_frame_data *data)
{
    AVRational tb = p->fmt->streams[pkt->stream_index]->time_base;
    bool missed = is_copied_subtitle(p, pkt->stream_index) && pkt->pts != AV_NOPTS_VALUE &&
                  rn_io_to_us(pkt->pts, tb) < us && rn_io_to_us(pkt->pts + pkt->duration, tb) > us;
    for (int i = 0; i < data->n; i++)
        missed &= data->packet[i]->stream_index != pkt->stream_index ||
                  data->packet[i]->pts != pkt->pts || data->packet[i]->pos != pkt->pos;
    return missed;
}

/* Moves those of `again` that are shown at us, and are not known, in front of the others. */
static int put_in_front(struct rn_read_input *p, const struct rn_read_input *again, int64_t us)
{
    struct rn_io_frame_data *all = rn_io_frame_data_create(), *old = p->data;
    int err = all ? 0 : rn_fail_memory();
    for (int i = 0; i < again->data->n && !err; i++)
        if (is_missed(again, again->data->packet[i], us, old))
            err = rn_io_frame_data_push(all, again->data->packet[i]);
    for (int i = 0; i < old->n && !err; i++)
        err = rn_io_frame_data_push(all, old->packet[i]);
    p->data = err ? old : all;
    rn_io_frame_data_destroy(err ? &all : &old);
    return err;
}

int rn_read_other_streams_preroll(struct rn_read_source *src)
{
    const struct rn_io_read_opts opts = {.frames = -1,
                                         .allow_playlists = src->opts.allow_playlists,
                                         .probe_bytes = src->opts.probe_bytes,
                                         .probe_seconds = src->opts.probe_seconds,
                                         .map = src->opts.map,
                                         .drop = src->opts.drop};
    struct rn_read_input *again;
    int64_t us = rn_io_to_us(src->offset, src->time_base);
    if (!needs_preroll(src))
        return 0;
    /* Anew, so that the place and the counts of the first reader stay as they are. */
    int err = rn_read_demux_open(&again, src->name, &opts, &src->stop);
    if (err)
        return err == RN_END ? 0 : err;
    atomic_store(&again->watch.quiet, true); /* what is wrong was said, or will be */
    for (int i = 0; i < (int)again->fmt->nb_streams; i++)
        if (i != again->video && !is_copied_subtitle(again, i))
            again->fmt->streams[i]->discard = AVDISCARD_ALL;
    err = read_up_to(again, us);
    err = err ? err : put_in_front(src->in, again, us);
    again->ops->close(again);
    return err;
}
