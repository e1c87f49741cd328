/* SPDX-License-Identifier: MIT */
#include "io/read/source_internal.h"

#include "filters/base/log.h"
#include "io/common/tags.h"
#include "io/read/demux/announced.h"

#include <libavutil/timecode.h>

/* When the pictures end, in their time base, by what the container says of the whole stream;
 * AV_NOPTS_VALUE: it does not. Only of use behind the last packet. */
static int64_t announced_end(const struct rn_read_source *src)
{
    const AVStream *st = rn_read_stream_in(src->in);
    if (src->in->container->totals == RN_TOTALS_SAMPLES) {
        int n = avformat_index_get_entries_count(st);
        const AVIndexEntry *last = avformat_index_get_entry((AVStream *)st, n - 1);
        bool all = last && src->newest_dts != AV_NOPTS_VALUE && src->newest_dts >= last->timestamp;
        int64_t start = st->start_time == AV_NOPTS_VALUE ? 0 : st->start_time;
        return all && st->duration > 0 ? start + st->duration : AV_NOPTS_VALUE;
    }
    if (src->in->container->totals != RN_TOTALS_TAGS)
        return AV_NOPTS_VALUE;
    int64_t us = llrint(rn_read_announced_tagged_end(st) * AV_TIME_BASE);
    return us < 0 || us > src->in->fmt->duration + 1000 /* of another */
               ? AV_NOPTS_VALUE
               : rn_io_from_us(us, st->time_base);
}

/* Matroska has one duration for all pictures of a track, the average: where a picture comes after
 * less than half of what the one before claimed, so will the next. */
static int64_t likely_duration(struct rn_read_source *src, int64_t pts, int64_t claimed)
{
    bool may_be = src->in->container->average_duration && !src->origin.behind;
    int64_t step = src->last_pts == AV_NOPTS_VALUE ? INT64_MAX / 2 : pts - src->last_pts;
    bool wrong = may_be && step > 0 && 2 * step <= src->claimed_duration && step < claimed;
    src->claimed_duration = claimed;
    return wrong ? step : claimed;
}

static void set_times(struct rn_read_source *src)
{
    AVFrame *f = src->frame;
    AVRational tb = src->in->time_base, rate = src->in->rate;
    int64_t duration = rn_io_duration(f);
    if (duration <= 0 && rate.num > 0)
        duration = av_rescale_q(1, av_inv_q(rate), tb);
    if (duration <= 0)
        duration = src->previous_duration > 0 ? src->previous_duration : 1;
    int64_t pts = f->best_effort_timestamp;
    bool first = src->last_pts == AV_NOPTS_VALUE;
    if (pts == AV_NOPTS_VALUE)
        pts = first ? 0 : src->last_pts + src->previous_duration;
    src->origin.behind = first || pts > src->last_pts ? 0 : src->last_pts + 1 - pts;
    if (src->origin.behind) {
        rn_log(RN_LOG_DEBUG, "frame %" PRId64 " is not later than the one before: %" PRId64,
               src->decoded, pts);
        pts = src->last_pts + 1;
    }
    duration = likely_duration(src, pts, duration);
    /* Of the last picture many containers tell none, and libavformat guesses one by the rate. */
    int64_t end = src->draining && pts == src->newest_pts ? announced_end(src) : AV_NOPTS_VALUE;
    if (end != AV_NOPTS_VALUE && end > pts)
        duration = end - pts;
    f->pts = src->last_pts = src->origin.pts = pts;
    src->previous_duration = duration;
    rn_io_set_duration(f, duration);
    src->origin.second = false;
    src->origin.w = f->width;
    src->origin.h = f->height;
    src->origin.count = rn_read_frame_numbering_decoded(src);
}

/* Returns false if the picture has none, or 0, with which encoders begin that know of none. */
static bool timecode_of(const AVFrame *f, AVRational rate, char text[AV_TIMECODE_STR_SIZE])
{
    const AVFrameSideData *gop = av_frame_get_side_data(f, AV_FRAME_DATA_GOP_TIMECODE);
    const AVFrameSideData *s12m = av_frame_get_side_data(f, AV_FRAME_DATA_S12M_TIMECODE);
    if (gop && gop->size >= sizeof(int64_t)) {
        int64_t code;
        memcpy(&code, gop->data, sizeof code);
        av_timecode_make_mpeg_tc_string(text, (uint32_t)code);
    } else if (s12m && s12m->size >= 2 * sizeof(uint32_t)) {
        uint32_t code[2]; /* how many there are, and the first */
        memcpy(code, s12m->data, sizeof code);
        av_timecode_make_smpte_tc_string2(text, rate, code[1], 0, 0);
    } else {
        return false;
    }
    return strspn(text, "0:;.") != strlen(text);
}

/* Makes the timecode of the picture in src->frame, the first of the input, the stream's, unless the
 * container has one: headers of groups of pictures (MPEG-1, -2) and SEI (SMPTE ST 12-1) have it.
 * Returns 0 or RN_EINTERNAL (logged). */
static int take_timecode(const struct rn_read_source *src)
{
    const struct rn_read_input *in = src->in;
    AVStream *st = rn_read_stream_in(in) ? in->fmt->streams[in->video] : NULL;
    char text[AV_TIMECODE_STR_SIZE];
    if (!st || rn_io_tag(st->metadata, "timecode") || rn_io_tag(in->fmt->metadata, "timecode") ||
        !timecode_of(src->frame, in->rate, text))
        return 0;
    return av_dict_set(&st->metadata, "timecode", text, 0) < 0 ? rn_fail_memory() : 0;
}

int rn_read_decode_next(struct rn_read_source *src)
{
    for (;;) {
        int err = rn_read_prepare_take(&src->prepare, src->frame, &src->origin);
        if (err != RN_END || src->prepare.ended)
            return err;
        bool goes_by = false, end = false;
        err = rn_read_decoder_next(src);
        if (err == RN_END && !atomic_load(&src->stop)) {
            err = rn_read_prepare_end(&src->prepare);
            end = true;
        }
        if (!err && !end && src->pictures_out == 1)
            err = take_timecode(src);
        if (!err && !end) {
            set_times(src);
            err = rn_read_prepare_give(&src->prepare, src->frame, &src->origin, &goes_by);
        }
        if (err || goes_by)
            return err;
    }
}

static void judge(struct rn_read_source *src)
{
    const AVFrame *f = src->frame;
    bool ok = !rn_read_retry_is_flawed(f);
    if (src->in->ops->decoded)
        src->in->ops->decoded(src->in, f->pts, ok);
    else if (!ok)
        rn_read_decode_flag(src, "was decoded with errors");
    /* Before the first picture, messages tell of those that need pictures before the start. */
    bool leading = src->pictures_out == 1 && src->audit.first > 1;
    bool logged = rn_read_decode_errors_since(src) && !leading;
    if (!src->settling)
        src->faults.logged += logged;
    else if (!--src->settling)
        atomic_store(&src->in->watch.quiet, false);
}

int rn_read_decode_accept(struct rn_read_source *src)
{
    const struct rn_io_read_opts *o = &src->opts;
    if (!rn_read_is_stills(src->in) && o->to.kind != RN_TIME_NONE &&
        !rn_read_range_is_before(src, &o->to, src->range.to_us)) {
        src->ended = src->range.ended_by_option = true;
        src->range.end_us = rn_io_to_us(src->frame->pts, src->time_base);
        return RN_END;
    }
    judge(src);
    src->decoded++;
    src->has_picture = true;
    return 0;
}

int rn_read_decode_advance(struct rn_read_source *src)
{
    const struct rn_io_read_opts *o = &src->opts;
    bool ranged = rn_read_is_stills(src->in);
    src->has_picture = false;
    if (!ranged && o->frames >= 0 && src->given >= o->frames) {
        src->ended = src->range.ended_by_option = true;
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
