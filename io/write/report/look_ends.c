#include "io/write/report/look_internal.h"

#include "io/read/demux/announced.h"
#include "io/common/av.h"
#include "io/containers/table.h"

#include <math.h>

#define SMALL (INT64_C(4) << 20) /* bytes: such a file is read whole */
#define TAIL  (INT64_C(1) << 20) /* bytes at the end that hold the last packets of most files */
#define LEAD  (INT64_C(2) * AV_TIME_BASE)

static int64_t to_us(int64_t ts, const AVStream *st)
{
    return av_rescale_q(ts, st->time_base, AV_TIME_BASE_Q);
}

/* ---- by the header */

static int64_t tagged_end(const AVStream *st)
{
    double end = rn_read_announced_tagged_end(st);
    return end >= 0 ? llrint(end * AV_TIME_BASE) : AV_NOPTS_VALUE;
}

static int64_t announced_end(const AVFormatContext *fmt, const AVStream *st)
{
    int64_t start = st->start_time == AV_NOPTS_VALUE ? 0 : st->start_time;
    switch (rn_container_of_input(fmt)->totals) {
    case RN_CONTAINER_TOTALS_TAGS:
        return tagged_end(st);
    case RN_CONTAINER_TOTALS_STEPS: /* in frames, or samples */
        return st->nb_frames > 0 ? to_us(st->nb_frames, st) : AV_NOPTS_VALUE;
    default:
        return st->duration > 0 ? to_us(start + st->duration, st) : AV_NOPTS_VALUE;
    }
}

static void read_header(struct rn_write_look *look)
{
    for (unsigned i = 0; i < look->fmt->nb_streams && i < RN_LOOK_STREAMS; i++)
        look->end[i].us = announced_end(look->fmt, look->fmt->streams[i]);
}

/* ---- by the packets */

static void later(int64_t *us, int64_t than)
{
    if (*us == AV_NOPTS_VALUE || than > *us)
        *us = than;
}

/* Of small pictures MPEG-PS tells only when some are shown: the others are as late behind their
 * decoding. */
static void note(struct rn_write_look_end *end, int64_t *delay, const AVStream *st,
                 const AVPacket *pkt)
{
    int64_t ts = pkt->pts;
    end->packets++;
    if (pkt->flags & AV_PKT_FLAG_DISCARD || (ts == AV_NOPTS_VALUE && pkt->dts == AV_NOPTS_VALUE))
        return;
    if (ts == AV_NOPTS_VALUE)
        ts = pkt->dts + *delay;
    else if (pkt->dts != AV_NOPTS_VALUE)
        *delay = ts - pkt->dts;
    later(&end->begins_us, to_us(ts, st));
    later(&end->us, to_us(ts + pkt->duration, st));
}

/* Reads to the end of the file; all: from its beginning. */
static void read_packets(struct rn_write_look *look, AVFormatContext *fmt, bool all)
{
    AVPacket *pkt = av_packet_alloc();
    int64_t since = AV_NOPTS_VALUE, delay[RN_LOOK_STREAMS] = {0};
    for (int i = 0; i < RN_LOOK_STREAMS; i++)
        look->end[i] = (struct rn_write_look_end){AV_NOPTS_VALUE, AV_NOPTS_VALUE, since, 0, all};
    for (; pkt && av_read_frame(fmt, pkt) >= 0; av_packet_unref(pkt)) {
        const AVStream *st = fmt->streams[pkt->stream_index];
        int i = pkt->stream_index;
        if (i < RN_LOOK_STREAMS)
            note(&look->end[i], &delay[i], st, pkt);
        if (since == AV_NOPTS_VALUE && pkt->dts != AV_NOPTS_VALUE)
            since = to_us(pkt->dts, st);
    }
    for (int i = 0; i < RN_LOOK_STREAMS; i++)
        look->end[i].since_us = since;
    av_packet_free(&pkt);
}

/* Opened anew, as not every demuxer goes back to its beginning. */
static void read_whole(struct rn_write_look *look)
{
    AVFormatContext *fmt = NULL;
    avio_seek(look->fmt->pb, 0, SEEK_SET);
    if (rn_write_look_open_format(look, &fmt) >= 0)
        read_packets(look, fmt, true);
    avformat_close_input(&fmt);
}

/* Large pictures need more than the usual tail. */
static void read_tail(struct rn_write_look *look, int64_t size)
{
    for (int64_t tail = TAIL; tail < size; tail *= 4) {
        if (av_seek_frame(look->fmt, -1, size - tail, AVSEEK_FLAG_BYTE) < 0)
            return;
        read_packets(look, look->fmt, false);
        if (look->video < 0 || look->end[look->video].us != AV_NOPTS_VALUE)
            return;
    }
    read_whole(look);
}

void rn_write_look_find_ends(struct rn_write_look *look, int64_t near_us)
{
    int64_t size = avio_size(look->fmt->pb), from = near_us - LEAD;
    rn_io_capture_begin();
    const struct rn_container *container = rn_container_of_input(look->fmt);
    if (container->header_rewritten)
        read_header(look);
    else if (size <= SMALL)
        read_whole(look);
    else if (container->found_by_bytes)
        read_tail(look, size);
    else if (avformat_seek_file(look->fmt, -1, INT64_MIN, from, from, 0) >= 0)
        read_packets(look, look->fmt, false);
    rn_io_capture_end();
}

const struct rn_write_look_end *rn_write_look_end(const struct rn_write_look *look, int i)
{
    static const struct rn_write_look_end unknown = {AV_NOPTS_VALUE, AV_NOPTS_VALUE, AV_NOPTS_VALUE,
                                                     0, false};
    return i < RN_LOOK_STREAMS ? &look->end[i] : &unknown;
}
