#include "io/read/source_internal.h"

#include "filters/base/err.h"
#include "filters/base/log.h"
#include "io/read/others.h"
#include "io/read/range.h"

#include <math.h>

/* A time in the pictures' base as the packets count. */
static int64_t in_packets(const struct rn_source *src, int64_t pts)
{
    return av_rescale_q_rnd(pts, src->time_base, src->packets->time_base, AV_ROUND_DOWN);
}

/* Goes to where the picture at target can be decoded from, with the decoder as if just opened. */
static int go_back(struct rn_source *src, int64_t target, bool again)
{
    struct rn_packets *p = src->packets;
    AVRational lead = av_d2q(rn_prepare_lead(&src->opts.geometry), 1000);
    int64_t from = in_packets(src, target) - av_rescale_q(1, lead, p->time_base);
    int err = p->ops->seek(p, from, again);
    if (err)
        return err;
    src->media.fmt = p->fmt;
    rn_numbering_restart(src);
    avcodec_flush_buffers(src->dec);
    rn_prepare_restart(src->prepare);
    rn_answers_restart(&src->answers);
    src->answers.from = in_packets(src, target);
    av_frame_unref(src->frame);
    src->have = src->draining = src->restarting = src->ended = src->range.cut = false;
    src->sequence = 0;
    av_packet_unref(src->pkt);
    src->last_pts = AV_NOPTS_VALUE;
    src->last_duration = src->claimed = 0;
    src->cadence.begun = false;
    if (!p->ops->name)
        src->settling = src->dec->thread_count + src->dec->has_b_frames + 1;
    return 0;
}

/* Decodes up to the first picture at or after target. *late: the very first one is behind it, so
 * that others before may be lost. *before: pictures that came out before it. */
static int catch_up(struct rn_source *src, int64_t target, const struct rn_tally *tally, bool *late,
                    int64_t *before)
{
    *late = true;
    for (*before = 0;; ++*before) {
        av_frame_unref(src->frame);
        int err = rn_decode_next(src);
        if (err)
            return err;
        if (src->frame->pts >= target) {
            *late &= src->frame->pts > target;
            return 0;
        }
        *late = false;
        rn_decode_set_tally(src, tally);
    }
}

/* Goes to the first picture at or after target, a pts: it is in src->frame then, and *number is its
 * number. *none: there is none, or the source was stopped. */
static int go_to(struct rn_source *src, int64_t target, int64_t *number, bool *none)
{
    struct rn_packets *p = src->packets;
    struct rn_tally tally = rn_decode_tally(src);
    bool late = false;
    int64_t before = 0;
    atomic_store(&p->watch.quiet, true);
    int found = 0, err = rn_numbering_look_ahead(src, in_packets(src, target));
    err = err ? err : go_back(src, target, false);
    while (!err) {
        rn_decode_set_tally(src, &tally);
        found = catch_up(src, target, &tally, &late, &before);
        if (!late || found < 0 || atomic_load(&src->stop))
            break;
        err = go_back(src, target, true);
    }
    atomic_store(&p->watch.quiet, src->settling > 0);
    *none = found == RN_END;
    if (err < 0 || found)
        return err < 0 ? err : found < 0 ? found : 0;
    rn_others_drop(src, target);
    err = rn_numbering_find(src, before, number);
    if (err != RN_END)
        return err;
    p->jumps = true; /* as if: then all packets in front are read */
    return go_to(src, target, number, none);
}

int rn_source_go_to_from(struct rn_source *src)
{
    struct rn_packets *p = src->packets;
    bool none;
    int64_t us = src->range.from_us - 1; /* which may have been rounded up */
    int64_t number, target = av_rescale_q(us, AV_TIME_BASE_Q, src->time_base);
    target += av_rescale_q(target, src->time_base, AV_TIME_BASE_Q) < us;
    int err = rn_decode_next(src);
    if (err)
        return err;
    if (target < src->frame->pts)
        target = src->frame->pts;
    src->decoded = 1;
    p->jumps = p->ambiguous; /* all packets have to be read anyway: to be counted */
    rn_decode_set_tally(src, &(struct rn_tally){0});
    err = go_to(src, target, &number, &none);
    p->jumps = false;
    src->settling = 0; /* what is damaged from here on counts */
    if (err || none)
        return err ? err : RN_END;
    src->decoded = number;
    return rn_decode_accept(src);
}

/* Goes on with the picture in src->frame. */
static void resume(struct rn_source *src, int64_t number)
{
    const struct rn_source_opts *o = &src->opts;
    src->decoded = number;
    src->given = number - src->base;
    if (!src->packets->ranged && o->frames >= 0 && src->given >= o->frames)
        src->ended = src->range.cut = true;
    else
        rn_decode_accept(src);
}

int rn_source_seek(struct rn_source *src, double seconds)
{
    struct rn_packets *p = src->packets;
    if (!p->ops->seek || !p->seekable)
        return RN_EUSAGE;
    /* Times that went through floating point find their own picture again. */
    double ticks = ceil((fmax(seconds, 0) - 5e-7) / av_q2d(src->time_base)) + (double)src->offset;
    int64_t number, target = ticks < (double)(INT64_MAX / 4) ? (int64_t)ticks : INT64_MAX / 4;
    bool none;
    if (target < src->first->pts)
        target = src->first->pts;
    int err = go_to(src, target, &number, &none);
    if (err)
        return err;
    src->ended = none;
    if (!none)
        resume(src, number);
    return 0;
}
