/* SPDX-License-Identifier: MIT */
#include "io/write/report/compare_internal.h"

#include "io/common/av.h"
#include "io/common/frame_data.h"
#include "io/read/demux/announced.h"

#define MAX_PACKETS 600 /* read at most to find the first one of each stream */
#define MAX_KEPT    24  /* of the pictures, for the decoder, at most */
#define PIPE_BUFFER (1 << 15)
#define SMALL       (INT64_C(4) << 20) /* bytes: such a file is read whole */
#define TAIL        (INT64_C(1) << 20) /* bytes at the end, with the last packets of most files */
#define LEAD        (INT64_C(2) * AV_TIME_BASE)

static const struct rn_write_look_stream unseen = {
    AV_NOPTS_VALUE, 0, {AV_NOPTS_VALUE, AV_NOPTS_VALUE, AV_NOPTS_VALUE, 0, false}};

/* ---- the beginning of a streamed output */

static int read_head(void *opaque, uint8_t *buf, int size)
{
    struct rn_write_look *look = opaque;
    size_t left = look->head->size - look->at, n = (size_t)size < left ? (size_t)size : left;
    if (!n)
        return AVERROR_EOF;
    memcpy(buf, look->head->data + look->at, n);
    look->at += n;
    return (int)n;
}

static int open_head(struct rn_write_look *look)
{
    uint8_t *buf = av_malloc(PIPE_BUFFER);
    look->pb = buf ? avio_alloc_context(buf, PIPE_BUFFER, 0, look, read_head, NULL, NULL) : NULL;
    if (look->pb)
        return 0;
    av_free(buf);
    return AVERROR(ENOMEM);
}

/* ---- the first packets */

static void find_pictures(struct rn_write_look *look)
{
    for (unsigned i = 0; i < look->fmt->nb_streams && look->video < 0; i++) {
        const AVStream *st = look->fmt->streams[i];
        if (st->codecpar->codec_type == AVMEDIA_TYPE_VIDEO &&
            !(st->disposition & AV_DISPOSITION_ATTACHED_PIC))
            look->video = (int)i;
    }
}

static int sounds_seen(const struct rn_write_look *look)
{
    int n = 0;
    for (unsigned i = 0; i < look->fmt->nb_streams && i < RN_LOOK_STREAMS; i++)
        n += look->fmt->streams[i]->codecpar->codec_type == AVMEDIA_TYPE_AUDIO &&
             look->stream[i].first_us != AV_NOPTS_VALUE;
    return n;
}

static void note_time(struct rn_write_look *look, const AVPacket *pkt)
{
    const AVStream *st = look->fmt->streams[pkt->stream_index];
    int64_t ts = pkt->pts != AV_NOPTS_VALUE ? pkt->pts : pkt->dts;
    int i = pkt->stream_index;
    if (i >= RN_LOOK_STREAMS || look->stream[i].first_us != AV_NOPTS_VALUE)
        return;
    if (ts == AV_NOPTS_VALUE) /* Matroska's packets before 0 have no timestamps */
        look->stream[i].untimed++;
    else
        look->stream[i].first_us = rn_io_to_us(ts, st->time_base);
}

static void read_first(struct rn_write_look *look, AVPacket *pkt, int sounds)
{
    bool pictures = false;
    for (int n = 0; n < MAX_PACKETS && (!pictures || sounds_seen(look) < sounds); n++) {
        if (av_read_frame(look->fmt, pkt) < 0)
            break;
        find_pictures(look); /* some headers list no streams */
        note_time(look, pkt);
        bool ours = pkt->stream_index == look->video;
        pictures |= ours;
        if (!ours || look->kept->n == MAX_KEPT || rn_io_frame_data_push(look->kept, pkt))
            av_packet_unref(pkt);
    }
}

/* Opens look->pb from its position. The caller closes *fmt in any case. */
static int open_format(struct rn_write_look *look, AVFormatContext **fmt)
{
    *fmt = avformat_alloc_context();
    if (!*fmt)
        return AVERROR(ENOMEM);
    (*fmt)->pb = look->pb;
    (*fmt)->protocol_whitelist = av_strdup(RN_AV_NOTHING_FURTHER);
    int ret = avformat_open_input(fmt, rn_io_probe_name(look->name), NULL, NULL);
    /* Until it knows the coding, libavformat fills in wrong times for packets before 0. */
    if (ret >= 0 && rn_container_of_input(*fmt)->whole_times)
        (*fmt)->flags |= AVFMT_FLAG_NOPARSE | AVFMT_FLAG_NOFILLIN;
    return ret;
}

int rn_write_look_open(struct rn_write_look *look, const char *temp,
                       const struct rn_write_head *head, const char *name, int sounds)
{
    RN_OWNED(av_packet_free) AVPacket *pkt = av_packet_alloc();
    RN_OWNED(av_freep) char *url = temp ? rn_io_file_url(temp) : NULL;
    if (!pkt || !(look->kept = rn_io_frame_data_create()))
        return AVERROR(ENOMEM);
    look->head = temp ? NULL : head;
    look->name = name;
    for (int i = 0; i < RN_LOOK_STREAMS; i++)
        look->stream[i] = unseen;
    rn_io_capture_begin();
    int ret = !temp ? open_head(look)
              : url ? avio_open(&look->pb, url, AVIO_FLAG_READ)
                    : AVERROR(ENOMEM);
    ret = ret < 0 ? ret : open_format(look, &look->fmt);
    if (ret >= 0) {
        find_pictures(look);
        read_first(look, pkt, sounds);
    }
    rn_io_capture_end();
    return ret < 0 ? ret : 0;
}

void rn_write_look_close(struct rn_write_look *look)
{
    av_frame_free(&look->frame);
    rn_io_frame_data_destroy(&look->kept);
    avformat_close_input(&look->fmt);
    if (look->head && look->pb) {
        av_freep(&look->pb->buffer);
        avio_context_free(&look->pb);
    }
    avio_closep(&look->pb);
}

/* ---- the first picture */

/* Returns the kept packets, then those after them, then an end of file. */
static int next_packet(struct rn_write_look *look, int n, AVPacket *pkt)
{
    if (n < look->kept->n)
        return av_packet_ref(pkt, look->kept->packet[n]);
    for (int i = 0; i < MAX_PACKETS && n < MAX_KEPT; i++) {
        int ret = av_read_frame(look->fmt, pkt);
        if (ret < 0 || pkt->stream_index == look->video)
            return ret;
        av_packet_unref(pkt);
    }
    return AVERROR_EOF;
}

static int decode(struct rn_write_look *look, AVCodecContext *ctx, AVPacket *pkt)
{
    int ret = AVERROR(EAGAIN);
    for (int n = 0; ret == AVERROR(EAGAIN); n++) {
        bool more = next_packet(look, n, pkt) >= 0;
        avcodec_send_packet(ctx, more ? pkt : NULL); /* a failure gives no picture */
        av_packet_unref(pkt);
        ret = avcodec_receive_frame(ctx, look->frame);
        if (!more)
            break;
    }
    return ret;
}

const AVFrame *rn_write_look_decode(struct rn_write_look *look)
{
    const AVStream *st = rn_write_look_pictures(look);
    const AVCodec *codec = st ? avcodec_find_decoder(st->codecpar->codec_id) : NULL;
    if (!codec || look->frame)
        return look->frame;
    RN_OWNED(avcodec_free_context) AVCodecContext *ctx = rn_io_codec_context(codec, st->codecpar);
    RN_OWNED(av_packet_free) AVPacket *pkt = av_packet_alloc();
    look->frame = av_frame_alloc();
    rn_io_capture_begin();
    bool fine = ctx && pkt && look->frame;
    if (fine) {
        ctx->thread_count = 1;                                  /* faster for one picture */
        ctx->skip_loop_filter = ctx->skip_idct = AVDISCARD_ALL; /* its samples are not used */
        fine = avcodec_open2(ctx, codec, NULL) >= 0 && decode(look, ctx, pkt) >= 0;
    }
    rn_io_capture_end();
    if (!fine)
        av_frame_free(&look->frame);
    return look->frame;
}

const struct rn_write_look_stream *rn_write_look_stream(const struct rn_write_look *look, int i)
{
    return i < RN_LOOK_STREAMS ? &look->stream[i] : &unseen;
}

/* ---- the ends of the streams: by the header */

static int64_t announced_end(const AVFormatContext *fmt, const AVStream *st)
{
    int64_t start = st->start_time == AV_NOPTS_VALUE ? 0 : st->start_time;
    double tagged = rn_read_announced_tagged_end(st);
    switch (rn_container_of_input(fmt)->totals) {
    case RN_TOTALS_TAGS:
        return tagged >= 0 ? llrint(tagged * AV_TIME_BASE) : AV_NOPTS_VALUE;
    case RN_TOTALS_STEPS: /* in frames, or samples */
        return st->nb_frames > 0 ? rn_io_to_us(st->nb_frames, st->time_base) : AV_NOPTS_VALUE;
    default:
        return st->duration > 0 ? rn_io_to_us(start + st->duration, st->time_base) : AV_NOPTS_VALUE;
    }
}

/* ---- by the packets */

static void later(int64_t *us, int64_t than)
{
    if (*us == AV_NOPTS_VALUE || than > *us)
        *us = than;
}

/* MPEG-PS has pts for some small pictures only: the others have the same delay after their dts. */
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
    later(&end->begins_us, rn_io_to_us(ts, st->time_base));
    later(&end->us, rn_io_to_us(ts + pkt->duration, st->time_base));
}

/* Reads to the end of the file. all: fmt is at its beginning. */
static void read_packets(struct rn_write_look *look, AVFormatContext *fmt, bool all)
{
    RN_OWNED(av_packet_free) AVPacket *pkt = av_packet_alloc();
    int64_t since = AV_NOPTS_VALUE, delay[RN_LOOK_STREAMS] = {0};
    for (int i = 0; i < RN_LOOK_STREAMS; i++)
        look->stream[i].end = (struct rn_write_look_end){since, since, since, 0, all};
    for (; pkt && av_read_frame(fmt, pkt) >= 0; av_packet_unref(pkt)) {
        const AVStream *st = fmt->streams[pkt->stream_index];
        int i = pkt->stream_index;
        if (i < RN_LOOK_STREAMS)
            note(&look->stream[i].end, &delay[i], st, pkt);
        if (since == AV_NOPTS_VALUE && pkt->dts != AV_NOPTS_VALUE)
            since = rn_io_to_us(pkt->dts, st->time_base);
    }
    for (int i = 0; i < RN_LOOK_STREAMS; i++)
        look->stream[i].end.since_us = since;
}

/* Reopens the file, as some demuxers cannot seek to the beginning. */
static void read_whole(struct rn_write_look *look)
{
    AVFormatContext *fmt = NULL;
    avio_seek(look->fmt->pb, 0, SEEK_SET);
    if (open_format(look, &fmt) >= 0)
        read_packets(look, fmt, true);
    avformat_close_input(&fmt);
}

/* Enlarges the tail until it contains a picture. */
static void read_tail(struct rn_write_look *look, int64_t size)
{
    for (int64_t tail = TAIL; tail < size; tail *= 4) {
        if (av_seek_frame(look->fmt, -1, size - tail, AVSEEK_FLAG_BYTE) < 0)
            return;
        read_packets(look, look->fmt, false);
        if (look->video < 0 || look->stream[look->video].end.us != AV_NOPTS_VALUE)
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
        for (unsigned i = 0; i < look->fmt->nb_streams && i < RN_LOOK_STREAMS; i++)
            look->stream[i].end.us = announced_end(look->fmt, look->fmt->streams[i]);
    else if (size <= SMALL)
        read_whole(look);
    else if (container->found_by_bytes)
        read_tail(look, size);
    else if (avformat_seek_file(look->fmt, -1, INT64_MIN, from, from, 0) >= 0)
        read_packets(look, look->fmt, false);
    rn_io_capture_end();
}
