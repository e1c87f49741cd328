/* SPDX-License-Identifier: MIT */
/* Seeks by a time or by the number of a picture. The demuxer goes to a key frame, or reads forward
 * from the beginning (demux_seek in demux.c); from there, pictures in front of the one that
 * is wanted are passed. A number is bracketed by times, and its last pictures are read forward. */
#include "io/read/source.h"
#include "io/read/source_internal.h"

#include "filters/base/clock.h"
#include "filters/base/err.h"
#include "io/read/demux/other_streams.h"

/* A pts behind all others, whose time can be told in microseconds, too. */
static int64_t far_pts(const struct rn_read_source *src)
{
    double ticks = 1e10 / av_q2d(src->time_base);
    return ticks < (double)(INT64_MAX / 4) ? (int64_t)ticks : INT64_MAX / 4;
}

/* A time in the pictures' base as the packets count. */
static int64_t in_packets(const struct rn_read_source *src, int64_t pts)
{
    return av_rescale_q_rnd(pts, src->time_base, src->in->time_base, AV_ROUND_DOWN);
}

#define MAX_SEARCH 1.5 /* seconds in a file that has become shorter than its index says */

static void begin_search(struct rn_read_source *src)
{
    src->search_end = rn_read_has_shrunk(src->in) ? rn_clock() + MAX_SEARCH : INFINITY;
}

static bool gives_up(const struct rn_read_source *src)
{
    return src->search_end > 0 && rn_clock() >= src->search_end;
}

struct sought {
    int64_t number; /* of the picture that was sought */
    bool none;      /* there is no such one, or the source was stopped */
    int64_t before; /* pictures that came out before it */
    int64_t last;   /* pts of the last of them; AV_NOPTS_VALUE: there was none */
};

/* Goes to where the picture at target can be decoded from, with the decoder as if just opened. */
static int rewind_before(struct rn_read_source *src, int64_t target, bool again)
{
    struct rn_read_input *p = src->in;
    AVRational lead = av_d2q(rn_read_prepare_lead(&src->opts.geometry), 1000);
    int64_t from = in_packets(src, target) - av_rescale_q(1, lead, p->time_base);
    int err = p->ops->seek(p, from, again);
    if (err)
        return err;
    src->media.fmt = p->fmt;
    rn_read_frame_numbering_restart(src);
    rn_read_decoder_restart(src);
    rn_read_prepare_restart(&src->prepare);
    src->audit.from = in_packets(src, target);
    av_frame_unref(src->frame);
    src->has_picture = src->ended = src->range.ended_by_option = false;
    src->last_pts = AV_NOPTS_VALUE;
    src->previous_duration = src->claimed_duration = 0;
    src->cadence.begun = false;
    return 0;
}

/* Decodes up to the first picture at or after target. *late: the very first one is behind it, so
 * that others before may be lost. */
static int decode_up_to(struct rn_read_source *src, int64_t target,
                        const struct rn_read_tally *tally, bool *late, struct sought *found)
{
    *late = true;
    found->last = AV_NOPTS_VALUE;
    rn_read_passed_pictures_clear(src);
    for (found->before = 0;; ++found->before) {
        av_frame_unref(src->frame);
        int err = rn_read_decode_next(src);
        if (err)
            return err;
        if (src->frame->pts >= target || gives_up(src)) {
            *late &= src->frame->pts > target;
            return 0;
        }
        *late = false;
        found->last = src->frame->pts;
        rn_read_passed_pictures_add(src);
        rn_read_decode_set_tally(src, tally);
    }
}

/* The number of the picture that is passed next, as rn_frame.index has it. */
static void number_passed_pictures(struct rn_read_source *src, int64_t number)
{
    if (src->numbering.guess >= 0)
        rn_read_passed_pictures_clear(src);
    rn_read_passed_pictures_number(src,
                                   src->opts.renumber ? number - src->media.first_index : number);
}

/* Goes to the first picture at or after target, a pts: it is in src->frame then. */
static int seek_pts(struct rn_read_source *src, int64_t target, struct sought *found)
{
    struct rn_read_input *p = src->in;
    struct rn_read_tally tally = rn_read_decode_tally(src);
    bool late = false;
    atomic_store(&p->watch.quiet, true);
    int caught = 0, err = rn_read_frame_numbering_find_clock_jumps(src);
    err = err ? err : rewind_before(src, target, false);
    while (!err) {
        rn_read_decode_set_tally(src, &tally);
        caught = decode_up_to(src, target, &tally, &late, found);
        if (!late || caught < 0 || atomic_load(&src->stop))
            break;
        err = rewind_before(src, target, true);
    }
    atomic_store(&p->watch.quiet, src->settling > 0);
    found->none = caught == RN_END;
    if (found->none)
        rn_read_passed_pictures_clear(src);
    if (err < 0 || caught)
        return err < 0 ? err : caught < 0 ? caught : 0;
    rn_read_other_streams_drop(p, rn_io_to_us(target, src->time_base), false);
    err = rn_read_frame_numbering_find(src, found->before, &found->number);
    if (err != RN_END) {
        number_passed_pictures(src, found->number);
        return err;
    }
    p->must_read_all = true; /* so that they are counted */
    return seek_pts(src, target, found);
}

int rn_read_go_to_from(struct rn_read_source *src)
{
    struct rn_read_input *p = src->in;
    struct sought found;
    int64_t us = src->range.from_us - 1; /* which may have been rounded up */
    int64_t target = rn_io_from_us(us, src->time_base);
    target += rn_io_to_us(target, src->time_base) < us;
    int err = rn_read_decode_next(src);
    if (err)
        return err;
    if (target < src->frame->pts)
        target = src->frame->pts;
    src->decoded = 1;
    p->must_read_all = p->ambiguous; /* which counts them at once */
    rn_read_decode_set_tally(src, &(struct rn_read_tally){0});
    err = seek_pts(src, target, &found);
    p->must_read_all = false;
    src->settling = 0; /* what is damaged from here on counts */
    if (err || found.none)
        return err ? err : RN_END;
    src->decoded = found.number;
    return rn_read_decode_accept(src);
}

/* Goes on with the picture that was found, which is in src->frame. */
static int continue_with(struct rn_read_source *src, int err, const struct sought *found)
{
    const struct rn_io_read_opts *o = &src->opts;
    if (err)
        return err;
    src->ended = found->none;
    src->end_pts = found->none ? found->last : AV_NOPTS_VALUE;
    if (found->none)
        return 0;
    src->decoded = found->number;
    src->given = found->number - src->media.first_index;
    if (!rn_read_is_stills(src->in) && o->frames >= 0 && src->given >= o->frames)
        src->ended = src->range.ended_by_option = true;
    else
        rn_read_decode_accept(src);
    return 0;
}

bool rn_read_can_seek(const struct rn_read_source *source)
{
    return source->in->ops->seek && source->in->seekable;
}

int rn_read_seek(struct rn_read_source *src, double seconds)
{
    if (!rn_read_can_seek(src))
        return RN_EUSAGE;
    /* Times that went through floating point find their own picture again. */
    double ticks = ceil((fmax(seconds, 0) - 5e-7) / av_q2d(src->time_base)) + (double)src->offset;
    int64_t max = far_pts(src), target = ticks < (double)max ? (int64_t)ticks : max;
    struct sought found;
    begin_search(src);
    if (target < src->first->pts)
        target = src->first->pts;
    int err = seek_pts(src, target, &found);
    return continue_with(src, err, &found);
}

/* ---- by number */

#define MAX_SEEKS           12 /* then reads forward from the last picture in front */
#define MAX_DECODED_FORWARD 12 /* behind where a seek has led: read on rather than sought again */

/* Two pictures between which another one is. */
struct bracket {
    int64_t pts, number;
    int64_t end_pts, end_number; /* -1: its number is not known */
};

/* Where the picture may be, between both ends; no further on than the middle every other time, as
 * pictures of variable rate may lie anywhere. */
static int64_t guess_pts(const struct rn_read_source *src, const struct bracket *b, int64_t number,
                         bool half)
{
    AVRational rate = rn_read_rate(src);
    double ahead = (double)(number - b->number), span = (double)(b->end_pts - b->pts);
    double step = rate.num > 0 ? 1 / (av_q2d(rate) * av_q2d(src->time_base)) : 1;
    double by = ahead * step;
    if (b->end_number > b->number)
        by = span * ahead / (double)(b->end_number - b->number);
    if (half && b->end_pts != far_pts(src) && by > span / 2)
        by = span / 2;
    by = by < 1 ? 1 : by >= span ? span - 1 : by;
    return b->pts + (int64_t)by;
}

/* Reads from the picture that was found up to the one of this number, which is behind it. */
static int decode_forward(struct rn_read_source *src, int64_t number, struct sought *found)
{
    int err = 0;
    struct rn_read_tally tally = rn_read_decode_tally(src);
    while (!err && found->number < number && !gives_up(src)) {
        rn_read_passed_pictures_add(src);
        av_frame_unref(src->frame);
        err = rn_read_decode_next(src);
        rn_read_decode_set_tally(src, &tally);
        found->number++;
    }
    found->none = err == RN_END;
    if (found->none)
        rn_read_passed_pictures_clear(src);
    number_passed_pictures(src, found->number);
    return err < 0 ? err : 0;
}

/* Goes to the picture of a number, counted over the whole input. */
static int search_number(struct rn_read_source *src, int64_t number, struct sought *found)
{
    struct bracket b = {src->first->pts, src->media.first_index, far_pts(src), -1};
    int64_t at = src->first->pts;
    int err = 0;
    number = number > src->media.first_index ? number : src->media.first_index;
    if (number > src->media.first_index)
        at = guess_pts(src, &b, number, false);
    for (int i = 0; i < MAX_SEEKS && !err; i++) {
        err = seek_pts(src, at, found);
        if (err || (!found->none && found->number == number) || atomic_load(&src->stop))
            return err;
        /* So close behind that reading up to it takes less than another seek? */
        if (!found->none && found->number < number && number - found->number <= MAX_DECODED_FORWARD)
            return decode_forward(src, number, found);
        if (!found->none && found->number < number) {
            b.pts = src->frame->pts;
            b.number = found->number;
        } else {
            b.end_pts = at;
            b.end_number = found->none ? -1 : found->number;
        }
        if (b.end_pts - b.pts < 2)
            break;
        at = guess_pts(src, &b, number, i & 1);
    }
    err = err ? err : seek_pts(src, b.pts, found);
    return err || found->none ? err : decode_forward(src, number, found);
}

/* The same, until all numbers are known. */
static int seek_number(struct rn_read_source *src, int64_t number, struct sought *found)
{
    enum rn_io_index_mode numbers = src->opts.index_mode;
    src->opts.index_mode = numbers == RN_FRAME_INDEX_ANY ? numbers : RN_FRAME_INDEX_EXACT;
    int err = search_number(src, number, found);
    src->opts.index_mode = numbers;
    return err;
}

int rn_read_seek_frame(struct rn_read_source *src, int64_t index)
{
    struct sought found;
    if (!rn_read_can_seek(src))
        return RN_EUSAGE;
    begin_search(src);
    int64_t shift = src->opts.renumber ? src->media.first_index : 0;
    int err = seek_number(src, index + shift, &found);
    return continue_with(src, err, &found);
}

/* ---- the last one */

/* The first pts behind the range, as far as that is one of time. */
static int64_t end_of_range(const struct rn_read_source *src)
{
    if (src->opts.to.kind != RN_TIME_SECONDS)
        return far_pts(src);
    int64_t us = src->range.to_us - 1, pts = rn_io_from_us(us, src->time_base);
    return pts + (rn_io_to_us(pts, src->time_base) < us);
}

/* The number of the last picture, as far as it is known; -1: it is not. */
static int64_t last_number(const struct rn_read_source *src)
{
    const struct rn_io_read_opts *o = &src->opts;
    int64_t end = INT64_MAX;
    if (rn_read_is_stills(src->in))
        return src->media.stream.frames > 0 ? src->media.first_index + src->media.stream.frames - 1
                                            : -1;
    if (o->to.kind == RN_TIME_FRAME)
        end = o->to.frame;
    if (o->frames >= 0 && o->frames < end - src->media.first_index)
        end = src->media.first_index + o->frames;
    return end < INT64_MAX ? end - 1 : -1;
}

int rn_read_seek_last(struct rn_read_source *src)
{
    struct sought found = {.none = true};
    int64_t number = last_number(src), target = end_of_range(src) - 1;
    int err = 0;
    if (!rn_read_can_seek(src))
        return RN_EUSAGE;
    begin_search(src);
    if (src->ended && src->end_pts != AV_NOPTS_VALUE && src->end_pts < target)
        target = src->end_pts;
    if (number >= 0)
        err = seek_number(src, number, &found);
    if (!err && found.none) {
        err = seek_pts(src, target, &found);
        bool sought = !found.none && src->frame->pts == target;
        if (!err && !sought && found.last != AV_NOPTS_VALUE)
            err = seek_pts(src, found.last, &found);
    }
    return continue_with(src, err, &found);
}
