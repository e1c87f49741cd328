/* SPDX-License-Identifier: MIT */
#include "io/read/demux/demux_internal.h"

/* A decoding time never goes back; a tenth of a second allows for careless muxers. Presentation
 * times do, by as much as pictures are reordered. Longer silences than FORWARD are clocks that were
 * set, not pauses; ffmpeg's -dts_delta_threshold is the same. */
#define BACKWARD     (AV_TIME_BASE / 10)
#define BACKWARD_PTS AV_TIME_BASE
#define FORWARD      (INT64_C(10) * AV_TIME_BASE)

/* Where the clock itself may not jump, but its counter goes round: longer than any pause, as in
 * ffmpeg's -dts_error_threshold. FLV has 32 bits, which writers use as 24, 31 or 32. */
#define ROUND (INT64_C(30) * 3600 * AV_TIME_BASE)

/* A stretch of the file with one clock: what is added to its times. */
struct rn_read_one_clock {
    int64_t offset;
    AVRational time_base; /* of offset: that of the stream that met the jump; TS and PS have one */
    int64_t pos;          /* of its first packet in the file; -1: unknown */
    bool settled;         /* the pictures continue exactly */
};

struct rn_read_clock_track {
    size_t stretch;   /* in use */
    int64_t next;     /* the dts that should follow, repaired; AV_NOPTS_VALUE: none came yet */
    int64_t end;      /* largest pts + duration, repaired; likewise */
    int64_t duration; /* of the last packet that said it */
    bool reorders;    /* some packet of the stretch is decoded before it is shown */
};

bool rn_read_discontinuity_open(struct rn_read_discontinuity *d, const AVFormatContext *fmt,
                                int video)
{
    d->video = video;
    d->may_jump = fmt->iformat->flags & AVFMT_TS_DISCONT;
    d->ntracks = (int)fmt->nb_streams;
    d->track = av_calloc((size_t)d->ntracks, sizeof *d->track);
    d->stretch = av_calloc(1, sizeof *d->stretch);
    if (!d->track || !d->stretch)
        return false;
    d->stretch[0] = (struct rn_read_one_clock){0, AV_TIME_BASE_Q, 0, true};
    d->n = 1;
    rn_read_discontinuity_restart(d);
    return true;
}

void rn_read_discontinuity_close(struct rn_read_discontinuity *d)
{
    av_freep(&d->track);
    av_freep(&d->stretch);
}

void rn_read_discontinuity_restart(struct rn_read_discontinuity *d)
{
    for (int i = 0; i < d->ntracks; i++)
        d->track[i] = (struct rn_read_clock_track){.next = AV_NOPTS_VALUE, .end = AV_NOPTS_VALUE};
}

static int64_t offset_in(const struct rn_read_discontinuity *d, size_t i, AVRational tb)
{
    return av_rescale_q(d->stretch[i].offset, d->stretch[i].time_base, tb);
}

/* Microseconds by which ts would miss what should follow, if stretch i were its own. */
static int64_t misfit(const struct rn_read_discontinuity *d, size_t i, int64_t ts, int64_t next,
                      AVRational tb)
{
    return rn_io_to_us(ts + offset_in(d, i, tb) - next, tb);
}

static size_t nearest(const struct rn_read_discontinuity *d, int64_t ts, int64_t next,
                      AVRational tb, size_t from, size_t best)
{
    for (size_t i = d->n; i-- > from;)
        if (llabs(misfit(d, i, ts, next, tb)) < llabs(misfit(d, best, ts, next, tb)))
            best = i;
    return best;
}

/* Pictures go on where the last one ended, as shown: decoding times would leave an overlap where
 * reordering ends with the jump, or a gap where it begins. If pictures are reordered on both sides,
 * the later place is right: pictures shown before the first one may still come. */
static int64_t offset_for(const struct rn_read_clock_track *t, const AVPacket *pkt, int64_t ts,
                          bool video)
{
    int64_t decoded = t->next - ts;
    if (!video || pkt->pts == AV_NOPTS_VALUE || t->end == AV_NOPTS_VALUE)
        return decoded;
    int64_t shown = t->end - pkt->pts;
    return shown > decoded || !t->reorders ? shown : decoded;
}

static bool is_discontinuous(const struct rn_read_discontinuity *d, int64_t us,
                             const struct rn_read_clock_track *t, AVRational tb, bool dts)
{
    if (!d->may_jump)
        return llabs(us) > ROUND;
    int64_t pause = 3 * rn_io_to_us(t->duration, tb); /* slide shows */
    return us < (dts ? -BACKWARD : -BACKWARD_PTS) || us > (pause > FORWARD ? pause : FORWARD);
}

/* The sound came first and could only guess where the pictures would go on. */
static void settle(struct rn_read_discontinuity *d, const AVFormatContext *fmt, size_t i,
                   int64_t offset, AVRational tb)
{
    struct rn_read_one_clock *s = &d->stretch[i];
    int64_t old = s->offset;
    AVRational old_tb = s->time_base;
    s->offset = offset;
    s->time_base = tb;
    s->settled = true;
    for (int k = 0; k < d->ntracks; k++) {
        struct rn_read_clock_track *t = &d->track[k];
        AVRational own = fmt->streams[k]->time_base;
        if (t->stretch == i && t->next != AV_NOPTS_VALUE)
            t->next += av_rescale_q(offset, tb, own) - av_rescale_q(old, old_tb, own);
    }
}

/* Finds the stretch of a packet of sound or pictures that has another before it to compare with:
 * its own; one that other streams have reached already; an earlier one, after a single packet with
 * a wrong time; or a new one. */
static size_t follow(struct rn_read_discontinuity *d, const AVFormatContext *fmt,
                     const AVPacket *pkt, int64_t ts, bool *made)
{
    struct rn_read_clock_track *t = &d->track[pkt->stream_index];
    AVRational tb = fmt->streams[pkt->stream_index]->time_base;
    bool video = pkt->stream_index == d->video, dts = pkt->dts != AV_NOPTS_VALUE;
    if (llabs(misfit(d, t->stretch, ts, t->next, tb)) <= BACKWARD)
        return t->stretch;
    size_t i = nearest(d, ts, t->next, tb, t->stretch + 1, t->stretch);
    if (i != t->stretch && llabs(misfit(d, i, ts, t->next, tb)) <= FORWARD) {
        if (video && !d->stretch[i].settled)
            settle(d, fmt, i, offset_for(t, pkt, ts, true), tb);
        return i;
    }
    i = nearest(d, ts, t->next, tb, 0, t->stretch);
    if (llabs(misfit(d, i, ts, t->next, tb)) <= BACKWARD ||
        !is_discontinuous(d, misfit(d, t->stretch, ts, t->next, tb), t, tb, dts))
        return llabs(misfit(d, i, ts, t->next, tb)) <= BACKWARD ? i : t->stretch;
    struct rn_read_one_clock *list = av_realloc_array(d->stretch, d->n + 1, sizeof *list);
    if (!list) /* the jump stays */
        return t->stretch;
    d->stretch = list;
    d->stretch[d->n++] =
        (struct rn_read_one_clock){offset_for(t, pkt, ts, video), tb, pkt->pos, video};
    *made = true;
    return d->n - 1;
}

static size_t stretch_of(struct rn_read_discontinuity *d, const AVFormatContext *fmt,
                         const AVPacket *pkt, int64_t ts, bool *made)
{
    const AVStream *st = fmt->streams[pkt->stream_index];
    const struct rn_read_clock_track *t = &d->track[pkt->stream_index];
    enum AVMediaType type = st->codecpar->codec_type;
    if (t->next != AV_NOPTS_VALUE && (type == AVMEDIA_TYPE_VIDEO || type == AVMEDIA_TYPE_AUDIO))
        return follow(d, fmt, pkt, ts, made);
    /* Subtitles and data come rarely: they go with the pictures. */
    const struct rn_read_clock_track *pictures = &d->track[d->video];
    if (pictures->next != AV_NOPTS_VALUE)
        return nearest(
            d, ts, av_rescale_q(pictures->next, fmt->streams[d->video]->time_base, st->time_base),
            st->time_base, 0, pictures->stretch);
    size_t by_place = 0;
    for (size_t i = 1; i < d->n; i++)
        if (d->stretch[i].pos >= 0 && d->stretch[i].pos <= pkt->pos)
            by_place = i;
    return by_place;
}

bool rn_read_discontinuity_repair(struct rn_read_discontinuity *d, const AVFormatContext *fmt,
                                  AVPacket *pkt, bool *made)
{
    *made = false;
    int64_t ts = pkt->dts != AV_NOPTS_VALUE ? pkt->dts : pkt->pts;
    if (pkt->stream_index >= d->ntracks || ts == AV_NOPTS_VALUE)
        return false;
    if (!d->may_jump && fmt->streams[pkt->stream_index]->pts_wrap_bits >= 63)
        return false; /* such counters never go round */
    struct rn_read_clock_track *t = &d->track[pkt->stream_index];
    size_t i = stretch_of(d, fmt, pkt, ts, made);
    bool first = t->next != AV_NOPTS_VALUE && i != t->stretch;
    int64_t offset = offset_in(d, i, fmt->streams[pkt->stream_index]->time_base);
    if (first)
        t->reorders = false;
    t->stretch = i;
    rn_io_packet_shift(pkt, offset);
    ts += offset;
    if (pkt->duration > 0)
        t->duration = pkt->duration;
    t->next = ts + t->duration;
    int64_t end = pkt->pts == AV_NOPTS_VALUE ? t->next : pkt->pts + t->duration;
    if (t->end == AV_NOPTS_VALUE || end > t->end)
        t->end = end;
    t->reorders |= pkt->pts != AV_NOPTS_VALUE && pkt->pts > ts;
    return first;
}
