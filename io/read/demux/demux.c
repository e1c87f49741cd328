/* SPDX-License-Identifier: MIT */
#include "io/read/demux/demux_internal.h"

#include "filters/base/log.h"
#include "io/read/decode/prepare.h"
#include "io/read/demux/select.h"
#include "io/read/demux/coded_picture.h"
#include "io/read/demux/other_streams.h"

#include <poll.h>

#define LEAST_CODED   8 /* bytes of a packet of sound, to be sure that zeros are none */
#define NARROW_US     (2 * AV_TIME_BASE) /* about which a search for a keyframe is exact */
#define MAX_BAD_READS 100                /* in a row; demuxers find back after less or never */

#define FROM_BEGINNING SIZE_MAX /* for demux.back: all is decoded, no earlier place is left */

/* Some streams have no second keyframe: pictures behind so much are decoded up to the target. */
#define MAX_BYTES (INT64_C(64) << 20)

bool rn_read_stream_is_copied(const AVFormatContext *fmt, int video, int i)
{
    const AVStream *st = fmt->streams[i];
    /* The muxer makes the timecode track again from the metadata; the text track of chapters, which
     * the demuxer itself discards, from the chapters. */
    return i != video && rn_read_select_has(st) &&
           st->codecpar->codec_tag != MKTAG('t', 'm', 'c', 'd') &&
           st->codecpar->codec_type != AVMEDIA_TYPE_UNKNOWN;
}

int rn_read_first_copied(const AVFormatContext *fmt, int video, enum AVMediaType type)
{
    for (unsigned i = 0; i < fmt->nb_streams; i++)
        if (fmt->streams[i]->codecpar->codec_type == type &&
            rn_read_stream_is_copied(fmt, video, (int)i))
            return (int)i;
    return -1;
}

/* ---- opening */

static int open_input(struct demux *d)
{
    int err = rn_read_av_input_open(&d->in, d->input, d->opts, &d->base.watch, d->stop);
    d->base.fmt = d->in.fmt;
    d->base.loop_count = d->in.loop_count;
    d->base.paced = d->in.paced;
    d->base.container = rn_container_of_input(d->in.fmt);
    return err ? err : rn_read_select_streams(d->in.fmt, d->opts, d->input);
}

static void close_input(struct demux *d)
{
    d->base.fmt = NULL;
    rn_read_av_input_close(&d->in);
}

/* Sets the number of pictures: as many as the container lists, or by their duration. The header of
 * an AVI also counts steps without pictures. */
static void count_announced(struct demux *d, AVStream *st)
{
    struct rn_read_input *p = &d->base;
    int64_t listed = rn_read_announced_pictures(p->fmt, st, d->nindex);
    /* With one or two pictures, libav takes the clock of the container for their rate. */
    bool clock = !av_cmp_q(av_inv_q(st->r_frame_rate), st->time_base);
    double rate = st->avg_frame_rate.num > 0           ? av_q2d(st->avg_frame_rate)
                  : clock || st->r_frame_rate.num <= 0 ? 0
                                                       : av_q2d(st->r_frame_rate);
    int64_t frames = rn_read_demux_frames_in(rn_read_announced_picture_seconds(p->fmt, st), rate);
    p->exact = listed >= 0;
    bool unknown = p->container->endless || (listed < 0 && p->container->totals == RN_TOTALS_STEPS);
    p->frames = unknown             ? -1
                : listed >= 0       ? listed
                : st->nb_frames > 0 ? st->nb_frames
                : frames > 0        ? frames
                                    : -1;
}

static bool can_seek(const struct demux *d)
{
    const AVFormatContext *fmt = d->base.fmt;
    return fmt && fmt->pb && fmt->pb->seekable & AVIO_SEEKABLE_NORMAL;
}

/* MPEG-TS, MPEG-PS, Ogg: places in the file are found by times, which joined recordings repeat. */
static bool is_ambiguous(const struct demux *d)
{
    const AVFormatContext *fmt = d->base.fmt;
    return fmt && fmt->iformat->flags & AVFMT_TS_DISCONT &&
           (fmt->streams[d->base.video]->pts_wrap_bits < 63 || d->base.container->clock_restarts);
}

static int describe(struct demux *d)
{
    struct rn_read_input *p = &d->base;
    p->video = rn_read_select_pictures(p->fmt);
    if (p->video < 0)
        return rn_fail(RN_EINPUT, "'%s' holds no video", d->input);
    AVStream *st = p->fmt->streams[p->video];
    p->par = st->codecpar;
    p->time_base = st->time_base;
    /* Newer versions of libav take the clock for the rate of DV. A rate on the average is no higher
     * than the one of which all durations are multiples. */
    bool clock = !av_cmp_q(av_inv_q(st->avg_frame_rate), st->time_base);
    if (clock && st->r_frame_rate.num > 0 && av_cmp_q(st->r_frame_rate, st->avg_frame_rate) < 0)
        st->avg_frame_rate = st->r_frame_rate;
    p->rate = st->avg_frame_rate.num > 0 ? st->avg_frame_rate : st->r_frame_rate;
    p->aspect = av_guess_sample_aspect_ratio(p->fmt, st, NULL);
    p->start_us = p->fmt->start_time == AV_NOPTS_VALUE ? 0 : p->fmt->start_time;
    p->duration = rn_read_announced_seconds(p->fmt, st);
    p->seekable = can_seek(d);
    p->ambiguous = is_ambiguous(d);
    p->unbroken = d->in.transport;
    p->before = 0;
    d->nindex = avformat_index_get_entries_count(st);
    count_announced(d, st);
    d->ntracks = (int)p->fmt->nb_streams;
    d->track = av_calloc((size_t)d->ntracks, sizeof *d->track);
    if (!d->track)
        return rn_fail_memory();
    for (int i = 0; i < d->ntracks; i++)
        d->track[i] = (struct track){
            AV_NOPTS_VALUE,         AV_NOPTS_VALUE,
            .first_pos = INT64_MAX, .first_us = INT64_MAX,
            .end_us = INT64_MIN,    .listed = rn_read_announced_sound(p->fmt, p->fmt->streams[i])};
    d->late = (struct track){.first_pos = INT64_MAX};
    d->end_us = INT64_MIN;
    d->end_pos = -1;
    return d->clock.n || rn_read_discontinuity_open(&d->clock, p->fmt, p->video) ? 0
                                                                                 : rn_fail_memory();
}

/* ---- reading */

void rn_read_demux_count_other(struct demux *d, int stream)
{
    bool known = stream >= d->ntracks || d->track[stream].damaged;
    d->base.damage.damaged += !known;
    d->base.damage.other_streams += !known;
    if (stream < d->ntracks)
        d->track[stream].damaged = true;
}

void rn_read_demux_settle_corrupt(struct demux *d, int i)
{
    struct track *t = &d->track[i];
    if (!t->corrupt)
        return;
    const AVStream *st = d->base.fmt->streams[i];
    const char *kind = av_get_media_type_string(st->codecpar->codec_type);
    double s = t->corrupt_ts == AV_NOPTS_VALUE ? 0 : (double)t->corrupt_ts * av_q2d(st->time_base);
    rn_io_damage_note(&d->base.damage, "stream %d (%s) has a broken packet at %.3f s", i,
                      kind ? kind : "unknown", s);
    if (i == d->base.video)
        d->base.corrupt += t->corrupt;
    else
        rn_read_demux_count_other(d, i);
    t->corrupt = 0;
}

/* Returns true for a block that was never written, in codecs of sound where 0 is not silence. */
static bool is_zeroed(const AVPacket *pkt, enum AVCodecID codec)
{
    bool coded = codec >= AV_CODEC_ID_MP2 && codec < AV_CODEC_ID_FIRST_SUBTITLE;
    int i = 0;
    while (coded && i < pkt->size && !pkt->data[i])
        i++;
    return coded && pkt->size >= LEAST_CODED && i == pkt->size;
}

/* Where recordings were joined, packet counters jump: the demuxer takes the last packet before for
 * cut off, and parsers mark the one before it. The decoder tells whether they are. So two packets
 * have to follow before a broken one is counted. */
static void account_corrupt(struct demux *d, const AVPacket *pkt, int64_t ts)
{
    struct track *t = &d->track[pkt->stream_index];
    if (t->corrupt && (++t->since > 2 || t->corrupt > 2))
        rn_read_demux_settle_corrupt(d, pkt->stream_index);
    const AVCodecParameters *par = d->base.fmt->streams[pkt->stream_index]->codecpar;
    if (!(pkt->flags & AV_PKT_FLAG_CORRUPT) && !is_zeroed(pkt, par->codec_id) &&
        !rn_read_coded_slices(par, pkt).hole)
        return;
    if (!t->corrupt++)
        t->corrupt_ts = ts;
    t->since = 0;
}

static void note_place(struct track *t, const AVPacket *pkt)
{
    int64_t pos = pkt->pos;
    t->n++;
    t->bytes += pkt->size;
    if (pos < 0)
        return;
    t->first_pos = pos < t->first_pos ? pos : t->first_pos;
    t->last_pos = pos > t->last_pos ? pos : t->last_pos;
}

static void account(struct demux *d, const AVPacket *pkt)
{
    const AVStream *st = d->base.fmt->streams[pkt->stream_index];
    struct track *t = pkt->stream_index < d->ntracks ? &d->track[pkt->stream_index] : NULL;
    int64_t ts = pkt->pts != AV_NOPTS_VALUE ? pkt->pts : pkt->dts;
    bool video = pkt->stream_index == d->base.video;
    if (ts != AV_NOPTS_VALUE && !(st->disposition & AV_DISPOSITION_ATTACHED_PIC)) {
        int64_t end = rn_io_to_us(ts + pkt->duration, st->time_base);
        int64_t begin = rn_io_to_us(ts, st->time_base);
        if (t) {
            bool untold = !pkt->duration && t->end_us != INT64_MIN;
            t->untold_us = untold ? FFMAX(begin - t->end_us, 0) : 0;
            t->first_us = begin < t->first_us ? begin : t->first_us;
            t->end_us = end > t->end_us ? end : t->end_us;
        }
        d->end_us = end > d->end_us ? end : d->end_us;
    }
    if (t)
        note_place(t, pkt);
    else if (st->codecpar->codec_type == AVMEDIA_TYPE_VIDEO)
        note_place(&d->late, pkt);
    if (t && pkt->dts != AV_NOPTS_VALUE) {
        t->duration += pkt->duration;
        t->first_dts = t->first_dts == AV_NOPTS_VALUE ? pkt->dts : t->first_dts;
        t->last_dts = pkt->dts;
    }
    d->base.read += video;
    rn_read_demux_add_hole(d, pkt);
    if (video && pkt->pos >= 0)
        d->end_pos = pkt->pos + pkt->size;
    if (t && rn_read_select_has(st))
        account_corrupt(d, pkt, ts);
}

/* Counts streams that were unknown when the output was opened. */
static void count_late(struct demux *d, int i)
{
    const AVStream *st = d->base.fmt->streams[i];
    enum AVMediaType type = st->codecpar->codec_type;
    bool counts =
        type == AVMEDIA_TYPE_AUDIO || type == AVMEDIA_TYPE_VIDEO || type == AVMEDIA_TYPE_SUBTITLE;
    if (i < d->nlate || !counts)
        return;
    d->nlate = i + 1;
    d->base.damage.damaged++;
    d->base.damage.other_streams++;
    rn_io_damage_note(&d->base.damage,
                      "stream %d (%s) begins too late to be found: try a larger --analyzeduration "
                      "and --probesize",
                      i, av_get_media_type_string(type));
}

/* Keeps a packet of another stream for the output, or drops it. */
static int keep_other(struct demux *d, AVPacket *pkt)
{
    const AVFormatContext *fmt = d->base.fmt;
    int i = pkt->stream_index;
    bool take = !d->opts->pictures_only && i < d->ntracks &&
                rn_read_stream_is_copied(fmt, d->base.video, i) &&
                !(fmt->streams[i]->disposition & AV_DISPOSITION_ATTACHED_PIC);
    if (!d->opts->pictures_only && !d->opts->map.n && i >= d->ntracks)
        count_late(d, i);
    if (take)
        return rn_io_frame_data_push(d->base.data, pkt);
    av_packet_unref(pkt);
    return 0;
}

/* One packet of any stream. Returns 0, RN_END or an error. */
static int read_any(struct demux *d, AVPacket *pkt)
{
    for (;;) {
        errno = 0;
        int ret = av_read_frame(d->base.fmt, pkt);
        rn_io_watch_memory(&d->base.watch);
        if (atomic_load(d->stop)) {
            av_packet_unref(pkt);
            return RN_END;
        }
        if (ret >= 0) {
            d->bad_reads = 0;
            bool made, jumped = rn_read_discontinuity_repair(&d->clock, d->base.fmt, pkt, &made);
            if (jumped && pkt->stream_index < d->ntracks)
                d->track[pkt->stream_index].corrupt = 0;
            d->base.damage.discontinuities += made;
            rn_read_demux_note_lost(d, pkt, jumped);
            account(d, pkt);
            return 0;
        }
        /* A generator without a frame now is stuck: it waits for nobody. */
        if (ret == AVERROR(EAGAIN) && !d->base.container->endless) {
            poll(NULL, 0, 10);
            continue;
        }
        /* Some demuxers take an error of the file for its end. */
        if (ret == AVERROR_EOF && d->base.fmt->pb && d->base.fmt->pb->error < 0)
            ret = d->base.fmt->pb->error;
        /* RoQ: its demuxer calls the end an error; whether it is there its chunks tell. */
        const AVIOContext *pb = d->base.fmt->pb;
        if (ret == AVERROR(EIO) && pb && pb->eof_reached && pb->error >= 0 &&
            d->base.container->is_complete)
            ret = AVERROR_EOF;
        if (ret == AVERROR_EOF || (ret == AVERROR_INVALIDDATA && d->base.watch.harmless))
            return RN_END;
        /* Out of memory is among them: broken files announce packets of gigabytes. */
        if (!d->bad_reads)
            d->base.damage.damaged++;
        rn_io_damage_note(&d->base.damage, "reading failed: %s", rn_io_error(ret));
        if (ret != AVERROR_INVALIDDATA || ++d->bad_reads > MAX_BAD_READS)
            return RN_END;
    }
}

static int demux_next(struct rn_read_input *p, AVPacket *pkt)
{
    struct demux *d = (struct demux *)p;
    if (!p->fmt)
        return RN_EINPUT; /* seeking failed, and said so */
    if (rn_io_frame_data_take(d->ahead, pkt))
        return 0;
    rn_io_frame_data_destroy(&d->ahead);
    rn_read_regular_resume(d);
    for (;;) {
        int err = read_any(d, pkt);
        if (err || pkt->stream_index == p->video)
            return err;
        err = keep_other(d, pkt);
        if (err)
            return err;
    }
}

static bool demux_leave_out(struct rn_read_input *p, AVPacket *pkt)
{
    bool is = rn_read_regular_leave_out(p, pkt);
    if (is)
        account((struct demux *)p, pkt);
    return is;
}

static bool demux_others_past(const struct rn_read_input *p, int64_t us)
{
    const struct demux *d = (const struct demux *)p;
    for (int i = 0; i < d->ntracks; i++) {
        const AVStream *st = p->fmt->streams[i];
        if (st->codecpar->codec_type != AVMEDIA_TYPE_AUDIO ||
            !rn_read_stream_is_copied(p->fmt, p->video, i))
            continue;
        int64_t dts = d->track[i].last_dts;
        if (dts == AV_NOPTS_VALUE || rn_io_to_us(dts, st->time_base) < us)
            return false;
    }
    return true;
}

/* ---- seeking */

static void forget_packets(struct demux *d)
{
    rn_io_frame_data_destroy(&d->ahead);
    rn_io_frame_data_destroy(&d->base.data);
    d->base.data = rn_io_frame_data_create();
    d->base.corrupt = d->base.read = d->base.breaks = 0;
    d->base.unbroken = d->in.transport;
    d->holes = (struct rn_read_holes){0};
    d->pauses = (struct rn_read_pauses){0};
    rn_read_discontinuity_restart(&d->clock);
    for (int i = 0; d->track && i < d->ntracks; i++) {
        d->track[i].corrupt = 0;
        d->track[i].first_dts = d->track[i].last_dts = AV_NOPTS_VALUE;
        d->track[i].follows = false;
    }
    d->base.damage = (struct rn_io_damage){0};
}

/* Reads up to the next keyframe of the video. Returns 0 if it is shown at or before target, so that
 * everything from target on can be decoded from here; RN_END if it is not; or an error. */
static int read_keyframe(struct demux *d, int64_t target)
{
    RN_OWNED(av_packet_free) AVPacket *pkt = av_packet_alloc();
    if (!pkt)
        return rn_fail_memory();
    int err;
    while ((err = demux_next(&d->base, pkt)) == 0) {
        if (pkt->flags & AV_PKT_FLAG_KEY)
            break;
        av_packet_unref(pkt);
    }
    if (!err && (pkt->pts == AV_NOPTS_VALUE || pkt->pts > target))
        err = RN_END;
    if (err)
        return err;
    d->ahead = rn_io_frame_data_create();
    return d->ahead ? rn_io_frame_data_push(d->ahead, pkt) : rn_fail_memory();
}

/* Returns the number of pictures before a packet by the sample tables of a MOV or MP4; -1: unknown.
 * The tables of fragments grow while reading, and may have gaps. */
static int64_t before_by_table(const struct demux *d, const AVPacket *pkt)
{
    AVStream *st = d->base.fmt->streams[d->base.video];
    int n = avformat_index_get_entries_count(st);
    if (d->base.container->index != RN_INDEX_SAMPLES || st->nb_frames <= 0 || n != d->nindex ||
        !rn_read_shown_all(d->base.par))
        return -1;
    int64_t before = 0;
    const AVIndexEntry *e = NULL;
    for (int i = 0; i < n && (e = avformat_index_get_entry(st, i))->timestamp < pkt->dts; i++)
        before += !(e->flags & AVINDEX_DISCARD_FRAME);
    return e && e->timestamp == pkt->dts ? before : -1;
}

static int reopen(struct demux *d)
{
    close_input(d);
    av_freep(&d->track);
    forget_packets(d);
    int err = open_input(d);
    return err ? err : describe(d);
}

/* Goes to a keyframe at or before `to`, if one is there from which target can be decoded. *sought:
 * libavformat could seek. Returns as read_keyframe. */
static int seek_keyframe(struct demux *d, int64_t to, int64_t target, bool *sought)
{
    *sought = avformat_seek_file(d->base.fmt, d->base.video, INT64_MIN, to, to, 0) >= 0;
    if (!*sought)
        return RN_END;
    forget_packets(d);
    int err = d->base.data ? read_keyframe(d, target) : rn_fail_memory();
    d->base.before = err ? -1 : before_by_table(d, d->ahead->packet[0]);
    return err;
}

/* Goes to about the last keyframe in front of `end`, where there is none: the file may have been
 * cut far in front of the target. Returns as read_keyframe. */
static int bisect(struct demux *d, int64_t end, int64_t target)
{
    int64_t narrow = rn_io_from_us(NARROW_US, d->base.time_base);
    int64_t begin = rn_io_from_us(d->base.start_us, d->base.time_base);
    int err = RN_END;
    bool sought = true, found = false;
    /* A file without a keyframe in between would be read to its end again by each seek. */
    if (d->keyless && !rn_read_has_shrunk(&d->base))
        return RN_END;
    while (err >= 0 && sought && end - begin > narrow && !atomic_load(d->stop)) {
        int64_t middle = begin + (end - begin) / 2;
        err = seek_keyframe(d, middle, target, &sought);
        found |= !err;
        *(err ? &end : &begin) = middle;
    }
    d->keyless = err == RN_END && !found && !atomic_load(d->stop);
    return err == RN_END && found ? seek_keyframe(d, begin, target, &sought) : err;
}

/* Goes to the last keyframe from which the picture at target can be decoded; containers with vague
 * indexes are asked for ever earlier ones, and the beginning always does. again: that one was too
 * late all the same (its pictures become whole only later), so the next earlier one. Returns 0,
 * RN_END if there is none, or an error. */
static int jump_to_keyframe(struct demux *d, int64_t target, bool again)
{
    static const int64_t back[] = {0, 2, 10, 60};
    const size_t n = sizeof back / sizeof back[0];
    bool sought = false;
    int64_t last = target;
    for (d->back = again ? d->back + 1 : 0; d->back < n; d->back++) {
        int64_t us = rn_io_to_us(target, d->base.time_base);
        us -= back[d->back] * AV_TIME_BASE;
        int64_t to = rn_io_from_us(us, d->base.time_base);
        if (!back[d->back])
            to = target;
        else if (us <= d->base.start_us)
            d->back = n;
        int err = d->back == n ? RN_END : seek_keyframe(d, to, target, &sought);
        if (err <= 0)
            return err;
        if (d->back == n || !sought) {
            d->back = n;
            break;
        }
        last = to;
    }
    int err = again || !sought ? RN_END : bisect(d, last, target);
    if (err <= 0) {
        d->back = n - 1;
        return err;
    }
    return d->back > n ? RN_END : reopen(d);
}

/* Empties what was kept: a keyframe follows. */
static int begin_kept(struct demux *d, int64_t target, struct rn_io_frame_data **kept)
{
    int64_t us = rn_io_to_us(target, d->base.time_base);
    rn_read_other_streams_drop(&d->base, us, true);
    rn_io_frame_data_destroy(kept);
    *kept = rn_io_frame_data_create();
    return *kept ? 0 : rn_fail_memory();
}

/* Goes to the picture at pts target by reading all packets up to it, without decoding. For inputs
 * whose clock may jump: their times say nothing of what lies between two places. The next packets
 * are those from the last keyframe before target on; packets of other streams that end before
 * target are dropped. Returns 0 (also if the input ends before target) or an error (logged). */
static int read_packets_from_start(struct demux *d, int64_t target)
{
    struct rn_read_input *p = &d->base;
    struct rn_io_frame_data *kept = NULL; /* from the last keyframe on */
    RN_OWNED(av_packet_free) AVPacket *pkt = av_packet_alloc();
    RN_OWNED(rn_read_shown_close) struct rn_read_shown shown = {0};
    int64_t bytes = 0, pictures = 0; /* of those kept */
    bool there = false;
    int err =
        pkt && rn_read_shown_open(&shown, p->par) ? begin_kept(d, target, &kept) : rn_fail_memory();
    while (!err && !there && bytes < MAX_BYTES && (err = p->ops->next(p, pkt)) == 0) {
        bool key = pkt->flags & AV_PKT_FLAG_KEY;
        int64_t ts = pkt->pts != AV_NOPTS_VALUE ? pkt->pts : pkt->dts;
        there = key && ts != AV_NOPTS_VALUE && ts > target;
        if (key && !there) {
            err = begin_kept(d, target, &kept);
            p->before += pictures;
            bytes = pictures = 0;
        }
        pictures += rn_read_shown_take(&shown, pkt);
        bytes += pkt->size;
        err = err ? err : rn_io_frame_data_push(kept, pkt);
    }
    d->ahead = kept;
    p->corrupt = 0;
    p->damage = (struct rn_io_damage){0};
    return err == RN_END ? 0 : err;
}

static int demux_seek(struct rn_read_input *p, int64_t target, bool again)
{
    struct demux *d = (struct demux *)p;
    if (!can_seek(d))
        return RN_EUSAGE;
    for (int i = 0; i < d->ntracks; i++)
        d->track[i].last_dts = AV_NOPTS_VALUE;
    d->bad_reads = 0;
    d->regular.behind = false;
    d->sought = true;
    /* Where the clock jumps, or may do so, only reading forward from the beginning finds a time. */
    if (d->clock.n == 1 && !(is_ambiguous(d) && d->base.must_read_all))
        return jump_to_keyframe(d, target, again); /* from the beginning only if none serves */
    if (again && d->back == FROM_BEGINNING)
        return RN_END;
    d->back = again ? FROM_BEGINNING : 0;
    int err = reopen(d);
    return err || again ? err : read_packets_from_start(d, target);
}

/* ---- the end */

static int64_t demux_announced(struct rn_read_input *p, bool whole)
{
    struct demux *d = (struct demux *)p;
    const struct track *t = &d->track[p->video];
    if (!p->fmt || t->first_dts == AV_NOPTS_VALUE)
        return -1;
    bool begins = !d->sought && d->opts->from.kind != RN_TIME_SECONDS;
    const struct rn_read_stretch read = {p->read, t->first_dts, t->last_dts, begins, whole};
    return rn_read_announced_packets(p->fmt, p->fmt->streams[p->video], d->nindex, &read,
                                     &d->counted);
}

static void demux_close(struct rn_read_input *p)
{
    struct demux *d = (struct demux *)p;
    rn_io_frame_data_destroy(&d->ahead);
    close_input(d);
    rn_vol_bytes_close(&d->regular.bytes);
    av_freep(&d->track);
    rn_read_discontinuity_close(&d->clock);
    rn_read_forget_files(p);
    rn_io_frame_data_destroy(&p->data);
    av_free(d);
}

static const struct rn_read_input_ops demux_ops = {
    .next = demux_next,
    .is_apart = rn_read_regular_is_apart,
    .leave_out = demux_leave_out,
    .samples = rn_read_regular_samples,
    .go_back = rn_read_regular_go_back,
    .finish = rn_read_demux_finish,
    .announced = demux_announced,
    .other_streams_read_to = demux_others_past,
    .seek = demux_seek,
    .close = demux_close,
};

int rn_read_demux_open(struct rn_read_input **in, const char *input,
                       const struct rn_io_read_opts *opts, atomic_bool *stop)
{
    struct demux *d = av_mallocz(sizeof *d);
    if (!d)
        return rn_fail_memory();
    d->base.ops = &demux_ops;
    d->base.data = rn_io_frame_data_create();
    d->input = input;
    d->opts = opts;
    d->stop = stop;
    int err = d->base.data ? open_input(d) : rn_fail_memory();
    if (!err && d->in.is_file)
        err = rn_read_note_file(&d->base, input, &d->in.st);
    err = err ? err : describe(d);
    if (!err)
        rn_read_regular_open(d);
    if (!err && opts->from.kind == RN_TIME_SECONDS && opts->index_mode == RN_FRAME_INDEX_ANY) {
        double from = fmax(opts->from.seconds - rn_read_prepare_lead(&opts->geometry), 0);
        int64_t us = d->base.start_us + (int64_t)(from * 1e6 + 0.5);
        int64_t target = rn_io_from_us(us, d->base.time_base);
        /* before anything was read, so that no jump is known yet */
        err = is_ambiguous(d) ? read_packets_from_start(d, target)
              : can_seek(d)   ? jump_to_keyframe(d, target, false)
                              : 0;
    }
    if (err) {
        demux_close(&d->base);
        return err;
    }
    *in = &d->base;
    return 0;
}
