#include "io/read/source_internal.h"

#include "filters/base/err.h"
#include "filters/base/log.h"
#include "io/read/demux/announced.h"
#include "io/common/av_versions.h"
#include "io/read/demux/coded_picture.h"
#include "io/read/seek/range.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include <libavutil/intreadwrite.h>
#include <libavutil/parseutils.h>

/* An error came instead of a picture. Behind a seek decoders stumble over pictures shown before the
 * keyframe. */
static void count_lost(struct rn_read_source *src)
{
    rn_read_decode_errors_since(src);
    if (!src->settling)
        rn_read_decode_flag(src, "could not be decoded");
}

/* Size, shape and rate as a sequence header of MPEG-1 or -2 in the packet has them; 0: none. It
 * stands at the beginning of a packet. */
static uint32_t sequence_of(const struct rn_read_source *src)
{
    const uint8_t *d = src->pkt->data;
    enum AVCodecID id = src->dec->codec_id;
    if ((id != AV_CODEC_ID_MPEG1VIDEO && id != AV_CODEC_ID_MPEG2VIDEO) || src->pkt->size < 8)
        return 0;
    return AV_RB32(d) == 0x1B3 ? AV_RB32(d + 4) : 0;
}

/* FFmpeg's decoder forgets the picture that it holds back when such a header changes. */
static bool must_restart(struct rn_read_source *src)
{
    uint32_t now = sequence_of(src), before = src->sequence;
    src->sequence = now ? now : before;
    return now && before && now != before;
}

/* What FFmpeg's decoders call an error: comments where Theora is chained (they take the other
 * headers), what stands behind the last picture of a GIF. */
static bool is_comment(const struct rn_read_source *src, const AVPacket *pkt)
{
    enum AVCodecID id = src->dec->codec_id;
    return (id == AV_CODEC_ID_THEORA && pkt->size > 0 && pkt->data[0] == 0x81) ||
           (id == AV_CODEC_ID_GIF && !rn_read_coded_picture_shows(id, pkt));
}

static void note_newest(struct rn_read_source *src, const AVPacket *pkt)
{
    bool shown = pkt->pts != AV_NOPTS_VALUE && !(pkt->flags & AV_PKT_FLAG_DISCARD);
    if (shown && (src->newest_pts == AV_NOPTS_VALUE || pkt->pts > src->newest_pts))
        src->newest_pts = pkt->pts;
    if (pkt->dts != AV_NOPTS_VALUE)
        src->newest_dts = pkt->dts;
}

static int send_packet(struct rn_read_source *src, AVPacket *pkt)
{
    if (pkt)
        note_newest(src, pkt);
    if (pkt && !src->came)
        rn_container_png_chromaticities(src->dec->codec_id, pkt, &src->primaries);
    if (pkt && rn_read_numbering_add(src, pkt))
        return RN_EINTERNAL;
    if (pkt)
        rn_io_set_number(src->dec, pkt,
                         rn_read_answers_sent(&src->answers, src->packets->par, pkt));
    errno = 0;
    int ret = avcodec_send_packet(src->dec, pkt);
    rn_io_watch_memory(&src->packets->watch);
    if (pkt || !src->restarting)
        av_packet_unref(src->pkt);
    if (ret == AVERROR(ENOMEM))
        return rn_fail_memory();
    if (ret < 0 && ret != AVERROR_EOF && ret != AVERROR(EAGAIN))
        count_lost(src);
    return 0;
}

/* The decoder is empty: it goes on with the packet of the change. */
static int restart(struct rn_read_source *src)
{
    src->restarting = false;
    avcodec_flush_buffers(src->dec);
    return send_packet(src, src->pkt);
}

static int feed_decoder(struct rn_read_source *src)
{
    bool kept = rn_read_ahead_take(src, src->pkt);
    int err = kept ? 0 : src->packets->ops->next(src->packets, src->pkt);
    if (err < 0)
        return err;
    if (atomic_load(&src->stop))
        return RN_END;
    src->packets->read +=
        src->packets->ranged && !err; /* the demuxer counts itself: it reads ahead */
    if (err == RN_END)
        src->draining = true;
    if (!src->draining && is_comment(src, src->pkt)) {
        av_packet_unref(src->pkt);
        return 0;
    }
    src->restarting = !src->draining && must_restart(src);
    return send_packet(src, src->draining || src->restarting ? NULL : src->pkt);
}

/* The next picture as it comes out of the decoder. */
static int decode_picture(struct rn_read_source *src)
{
    for (;;) {
        if (atomic_load(&src->stop))
            return RN_END;
        errno = 0;
        int ret = avcodec_receive_frame(src->dec, src->frame);
        rn_io_watch_memory(&src->packets->watch);
        if (ret == 0) {
            src->came++;
            rn_read_answers_came(&src->answers, rn_io_number(src->frame),
                                 rn_io_is_interlaced(src->frame));
            return 0;
        }
        if (ret == AVERROR_EOF && !src->restarting)
            return RN_END;
        if (ret == AVERROR(ENOMEM))
            return rn_fail_memory();
        if (ret != AVERROR(EAGAIN) && ret != AVERROR_EOF) {
            count_lost(src);
            continue;
        }
        int err = ret == AVERROR_EOF ? restart(src) : feed_decoder(src);
        if (err)
            return err;
    }
}

/* When the pictures end, in their time base, by what the container says of the whole stream;
 * AV_NOPTS_VALUE: it does not. Only of use behind the last packet. */
static int64_t announced_end(const struct rn_read_source *src)
{
    const AVFormatContext *fmt = src->packets->fmt;
    const AVStream *st = fmt ? fmt->streams[src->packets->video] : NULL;
    if (st && !strncmp(fmt->iformat->name, "mov,", 4)) {
        int n = avformat_index_get_entries_count(st);
        const AVIndexEntry *last = avformat_index_get_entry((AVStream *)st, n - 1);
        bool all = last && src->newest_dts != AV_NOPTS_VALUE && src->newest_dts >= last->timestamp;
        int64_t start = st->start_time == AV_NOPTS_VALUE ? 0 : st->start_time;
        return all && st->duration > 0 ? start + st->duration : AV_NOPTS_VALUE;
    }
    const AVDictionaryEntry *tag = NULL;
    int64_t us;
    if (st && !strcmp(fmt->iformat->name, "matroska,webm"))
        tag = av_dict_get(st->metadata, "DURATION", NULL, 0);
    if (!tag || av_parse_time(&us, tag->value, 1) < 0 || us > fmt->duration + 1000) /* of another */
        return AV_NOPTS_VALUE;
    return av_rescale_q(us, AV_TIME_BASE_Q, st->time_base);
}

/* Of the last picture many containers tell no duration, and libavformat guesses one by the rate. */
static int64_t last_duration(const struct rn_read_source *src, int64_t pts, int64_t guess)
{
    int64_t end = AV_NOPTS_VALUE;
    if (src->draining && pts == src->newest_pts)
        end = announced_end(src);
    return end != AV_NOPTS_VALUE && end > pts ? end - pts : guess;
}

/* Matroska has one duration for all pictures of a track, the average: where a picture comes after
 * less than half of what the one before claimed, so will the next. */
static int64_t likely_duration(struct rn_read_source *src, int64_t pts, int64_t claimed)
{
    const AVFormatContext *fmt = src->packets->fmt;
    bool may_be = fmt && rn_read_announced_is_matroska(fmt) && !src->origin.behind;
    int64_t step = src->last_pts == AV_NOPTS_VALUE ? INT64_MAX / 2 : pts - src->last_pts;
    bool wrong = may_be && step > 0 && 2 * step <= src->claimed && step < claimed;
    src->claimed = claimed;
    return wrong ? step : claimed;
}

static void set_times(struct rn_read_source *src)
{
    AVFrame *f = src->frame;
    AVRational tb = src->packets->time_base, rate = src->packets->rate;
    int64_t duration = rn_io_duration(f);
    if (duration <= 0 && rate.num > 0)
        duration = av_rescale_q(1, av_inv_q(rate), tb);
    if (duration <= 0)
        duration = src->last_duration > 0 ? src->last_duration : 1;
    int64_t pts = f->best_effort_timestamp;
    bool first = src->last_pts == AV_NOPTS_VALUE;
    if (pts == AV_NOPTS_VALUE)
        pts = first ? 0 : src->last_pts + src->last_duration;
    src->origin.behind = first || pts > src->last_pts ? 0 : src->last_pts + 1 - pts;
    if (src->origin.behind) {
        rn_log(RN_LOG_DEBUG, "frame %" PRId64 " is not later than the one before: %" PRId64,
               src->decoded, pts);
        pts = src->last_pts + 1;
    }
    duration = last_duration(src, pts, likely_duration(src, pts, duration));
    f->pts = src->last_pts = src->origin.pts = pts;
    src->last_duration = duration;
    rn_io_set_duration(f, duration);
    src->origin.second = false;
    src->origin.w = f->width;
    src->origin.h = f->height;
    src->origin.count = rn_read_numbering_came(src);
}

int rn_read_decode_next(struct rn_read_source *src)
{
    for (;;) {
        int err = rn_read_prepare_take(src->prepare, src->frame, &src->origin);
        if (err != RN_END || rn_read_prepare_has_ended(src->prepare))
            return err;
        bool goes_by = false, end = false;
        err = decode_picture(src);
        if (err == RN_END && !atomic_load(&src->stop)) {
            err = rn_read_prepare_end(src->prepare);
            end = true;
        }
        if (!err && !end) {
            set_times(src);
            err = rn_read_prepare_give(src->prepare, src->frame, &src->origin, &goes_by);
        }
        if (err || goes_by)
            return err;
    }
}

static void judge(struct rn_read_source *src)
{
    const AVFrame *f = src->frame;
    bool ok = !f->decode_error_flags && !(f->flags & AV_FRAME_FLAG_CORRUPT);
    if (src->packets->ops->decoded)
        src->packets->ops->decoded(src->packets, f->pts, ok);
    else if (!ok)
        rn_read_decode_flag(src, "was decoded with errors");
    /* Before the first picture, messages tell of those that need pictures before the start. */
    bool leading = src->came == 1 && src->answers.first > 1;
    bool logged = rn_read_decode_errors_since(src) && !leading;
    if (!src->settling)
        src->faults.logged += logged;
    else if (!--src->settling)
        atomic_store(&src->packets->watch.quiet, false);
}

int rn_read_decode_accept(struct rn_read_source *src)
{
    const struct rn_read_opts *o = &src->opts;
    if (!src->packets->ranged && o->to.kind != RN_TIME_NONE &&
        !rn_read_range_is_before(src, &o->to, src->range.to_us)) {
        src->ended = src->range.cut = true;
        src->range.end_us = av_rescale_q(src->frame->pts, src->time_base, AV_TIME_BASE_Q);
        return RN_END;
    }
    judge(src);
    src->decoded++;
    src->have = true;
    return 0;
}

int rn_read_decode_advance(struct rn_read_source *src)
{
    const struct rn_read_opts *o = &src->opts;
    bool ranged = src->packets->ranged;
    src->have = false;
    if (!ranged && o->frames >= 0 && src->given >= o->frames) {
        src->ended = src->range.cut = true;
        return RN_END;
    }
    for (;;) {
        av_frame_unref(src->frame);
        int err = rn_read_decode_next(src);
        if (err == RN_END)
            src->ended = true;
        if (err)
            return err;
        if (!ranged && rn_read_range_is_before(src, &o->from, src->range.from_us)) {
            rn_read_decode_set_tally(src, &(struct rn_read_tally){0});
            src->decoded++;
            continue;
        }
        return rn_read_decode_accept(src);
    }
}
