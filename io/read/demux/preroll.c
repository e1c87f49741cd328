#include "io/read/demux/preroll.h"

#include "filters/base/err.h"
#include "filters/base/log.h"
#include "io/common/frame_data.h"
#include "io/read/source_internal.h"

#include <libavutil/mem.h>

static bool is_subtitle(const struct rn_read_packets *p, int i)
{
    return p->fmt->streams[i]->codecpar->codec_type == AVMEDIA_TYPE_SUBTITLE &&
           rn_read_stream_is_copied(p->fmt, p->video, i);
}

/* Can any have been passed over? */
static bool is_needed(const struct rn_read_source *src)
{
    const struct rn_read_packets *p = src->packets;
    bool any = false;
    if (!p->fmt || !p->seekable || p->ambiguous || src->opts.pictures_only ||
        src->opts.from.kind != RN_TIME_SECONDS || p->container->seeks_subtitles)
        return false;
    for (int i = 0; i < (int)p->fmt->nb_streams; i++)
        any |= is_subtitle(p, i);
    return any;
}

/* Opens the input anew, so that the place and the counts of the first reader stay as they are.
 * opts: borrowed until the reader is closed. */
static int open_again(struct rn_read_source *src, const struct rn_read_opts *opts,
                      struct rn_read_packets **again)
{
    int err = rn_read_demux_open(again, src->input, opts, &src->stop);
    if (err)
        return err;
    struct rn_read_packets *p = *again;
    atomic_store(&p->watch.quiet, true); /* what is wrong was said, or will be */
    for (int i = 0; i < (int)p->fmt->nb_streams; i++)
        if (i != p->video && !is_subtitle(p, i))
            p->fmt->streams[i]->discard = AVDISCARD_ALL;
    return 0;
}

/* Reads up to the time us; other packets than those of pictures gather in p->data. Returns 0 or an
 * error. */
static int read_up_to(struct rn_read_packets *p, int64_t us)
{
    int64_t back = us - RN_PREROLL_SECONDS * INT64_C(1000000);
    int64_t from = back > p->start_us ? back : p->start_us;
    AVPacket *pkt = av_packet_alloc();
    int err = pkt ? p->ops->seek(p, av_rescale_q(from, AV_TIME_BASE_Q, p->time_base), false)
                  : rn_fail_memory();
    bool before = true;
    while (!err && before && (err = p->ops->next(p, pkt)) == 0) {
        int64_t ts = pkt->dts != AV_NOPTS_VALUE ? pkt->dts : pkt->pts;
        before = ts == AV_NOPTS_VALUE || av_rescale_q(ts, p->time_base, AV_TIME_BASE_Q) < us;
        av_packet_unref(pkt);
    }
    av_packet_free(&pkt);
    return err < 0 && err != RN_EUSAGE ? err : 0;
}

static bool is_among(const struct rn_io_frame_data *data, const AVPacket *pkt)
{
    bool among = false;
    for (int i = 0; i < data->n; i++)
        among |= data->packet[i]->stream_index == pkt->stream_index &&
                 data->packet[i]->pts == pkt->pts && data->packet[i]->pos == pkt->pos;
    return among;
}

static bool is_shown(const struct rn_read_packets *p, const AVPacket *pkt, int64_t us)
{
    AVRational tb = p->fmt->streams[pkt->stream_index]->time_base;
    return is_subtitle(p, pkt->stream_index) && pkt->pts != AV_NOPTS_VALUE &&
           av_rescale_q(pkt->pts, tb, AV_TIME_BASE_Q) < us &&
           av_rescale_q(pkt->pts + pkt->duration, tb, AV_TIME_BASE_Q) > us;
}

/* Moves those of `again` that are shown at us, and are not known, in front of the others. */
static int put_in_front(struct rn_read_packets *p, const struct rn_read_packets *again, int64_t us)
{
    struct rn_io_frame_data *all = rn_io_frame_data_create(), *old = p->data;
    int err = all ? 0 : rn_fail_memory();
    for (int i = 0; i < again->data->n && !err; i++)
        if (is_shown(again, again->data->packet[i], us) && !is_among(old, again->data->packet[i]))
            err = rn_io_frame_data_push(all, again->data->packet[i]);
    for (int i = 0; i < old->n && !err; i++)
        err = rn_io_frame_data_push(all, old->packet[i]);
    p->data = err ? old : all;
    rn_io_frame_data_destroy(err ? &all : &old);
    return err;
}

int rn_read_preroll_take(struct rn_read_source *src)
{
    const struct rn_read_opts opts = {.frames = -1,
                                      .allow_playlists = src->opts.allow_playlists,
                                      .probe_bytes = src->opts.probe_bytes,
                                      .probe_seconds = src->opts.probe_seconds,
                                      .map = src->opts.map,
                                      .drop = src->opts.drop};
    struct rn_read_packets *again;
    int64_t us = av_rescale_q(src->offset, src->time_base, AV_TIME_BASE_Q);
    int err = is_needed(src) ? open_again(src, &opts, &again) : RN_END;
    if (err)
        return err == RN_END ? 0 : err;
    err = read_up_to(again, us);
    err = err ? err : put_in_front(src->packets, again, us);
    again->ops->close(again);
    return err;
}
