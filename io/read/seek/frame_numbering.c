/* SPDX-License-Identifier: MIT */
#include "io/read/seek/frame_numbering.h"

#include "filters/base/log.h"
#include "io/read/demux/coded_picture.h"
#include "io/read/demux/packet_index.h"
#include "io/read/source_internal.h"

#include <math.h>

#include <libavutil/mem.h>

int rn_read_frame_numbering_open(struct rn_read_source *src)
{
    struct rn_read_frame_numbering *n = &src->numbering;
    n->begin = AV_NOPTS_VALUE;
    n->guess = -1;
    n->shown = rn_read_shown_create(src->in->par);
    return n->shown ? 0 : rn_fail_memory();
}

void rn_read_frame_numbering_close(struct rn_read_source *src)
{
    rn_read_packet_index_destroy(&src->numbering.index);
    rn_read_shown_destroy(&src->numbering.shown);
    av_freep(&src->numbering.ts);
}

/* ---- what is read */

static bool counts(const struct rn_read_source *src)
{
    return !rn_read_is_stills(src->in) && src->in->seekable &&
           src->opts.index_mode != RN_FRAME_INDEX_ANY;
}

void rn_read_frame_numbering_restart(struct rn_read_source *src)
{
    struct rn_read_frame_numbering *n = &src->numbering;
    rn_read_shown_restart(n->shown);
    n->collecting = counts(src);
    n->n = n->untimed = 0;
    n->key = AV_NOPTS_VALUE;
    n->since = n->sought = n->guess = -1;
}

static int push(struct rn_read_frame_numbering *n, int64_t ts)
{
    const uint8_t *bytes = (const uint8_t *)&ts;
    return av_dynarray2_add((void **)&n->ts, &n->n, sizeof ts, bytes) ? 0 : rn_fail_memory();
}

/* In MPEG-PS, pictures that others refer to may have no pts: they are shown when the next of their
 * kind is decoded. Pictures of HEVC that a cut has left in Matroska in front of its start have
 * none, too: they come before the keyframe. */
int rn_read_frame_numbering_add(struct rn_read_source *src, const AVPacket *pkt)
{
    struct rn_read_frame_numbering *n = &src->numbering;
    if (!n->collecting)
        return 0;
    bool none = pkt->pts == AV_NOPTS_VALUE, refers = none || pkt->pts > pkt->dts;
    if (none && n->key != AV_NOPTS_VALUE && rn_read_coded_picture(src->in->par, pkt).leads)
        return push(n, n->key - 1);
    if (n->untimed && refers && pkt->dts != AV_NOPTS_VALUE) {
        n->ts[n->n - n->untimed] = pkt->dts;
        n->key = n->untimed == n->n ? pkt->dts : n->key;
        n->untimed = 0;
    }
    if (!rn_read_shown_take(n->shown, pkt))
        return 0;
    n->key = n->n ? n->key : pkt->pts;
    n->untimed += n->untimed || none;
    return push(n, none ? INT64_MAX : pkt->pts);
}

/* All pictures shown before one are decoded before it: they have been read. */
static int64_t earlier_than(const struct rn_read_frame_numbering *n, int64_t pts)
{
    int64_t earlier = 0;
    for (int i = 0; i < n->n; i++)
        earlier += n->ts[i] < pts;
    return earlier;
}

/* Those that are shown before the keyframe may come or not. From the first of the others on every
 * picture comes, so that packets without a time do not matter. */
int64_t rn_read_frame_numbering_decoded(struct rn_read_source *src)
{
    struct rn_read_frame_numbering *n = &src->numbering;
    int64_t pts = src->frame->pts;
    if (n->begin == AV_NOPTS_VALUE && src->in->before == 0) {
        n->begin = pts;
        n->lead = n->collecting ? earlier_than(n, pts) : 0;
        n->collecting = false;
    } else if (n->since >= 0) {
        n->since++;
    } else if (n->collecting && n->key != AV_NOPTS_VALUE && pts >= n->key) {
        n->since = earlier_than(n, pts);
    }
    n->collecting &= n->since < 0;
    return n->since;
}

/* ---- numbers */

static int64_t by_rate(const struct rn_read_source *src, int64_t pts)
{
    const struct rn_read_input *p = src->in;
    AVRational rate = p->rate;
    int64_t begin = src->numbering.begin;
    if (begin == AV_NOPTS_VALUE)
        begin = av_rescale_q(p->start_us, AV_TIME_BASE_Q, p->time_base);
    double ticks = (double)(pts - begin);
    double number = rate.num > 0 ? ticks * av_q2d(p->time_base) * av_q2d(rate)
                                 : ticks / (double)src->last_duration;
    return number > 0 && number < 1e15 ? llrint(number) : 0;
}

/* The number of src->frame, or of the first made of the same, where that of the decoded picture is
 * `decoded`. */
static int64_t of_pictures(const struct rn_read_source *src, int64_t decoded)
{
    return rn_read_prepare_factor(src->prepare) * decoded + src->numbering.second;
}

static int open_index(struct rn_read_source *src)
{
    struct rn_read_frame_numbering *n = &src->numbering;
    if (n->index_tried)
        return 0;
    n->index_tried = true;
    return rn_read_packet_index_create(&n->index, src->name, &src->opts);
}

static bool may_wait(const struct rn_read_source *src)
{
    return src->opts.index_mode == RN_FRAME_INDEX_EXACT ||
           rn_read_packet_index_is_quick(src->numbering.index);
}

int rn_read_frame_numbering_look_ahead(struct rn_read_source *src)
{
    struct rn_read_input *p = src->in;
    if (p->clock_jumps || !p->ambiguous || !counts(src))
        return 0;
    int err = open_index(src);
    if (!err && src->numbering.index && may_wait(src))
        p->clock_jumps = rn_read_packet_index_jumps(src->numbering.index, &src->stop);
    return err;
}

static enum rn_read_indexed ask_index(struct rn_read_source *src, bool wait, int64_t *number)
{
    struct rn_read_frame_numbering *n = &src->numbering;
    if (!n->index || n->key == AV_NOPTS_VALUE)
        return RN_INDEX_NEVER;
    int64_t before = 0;
    enum rn_read_indexed state =
        rn_read_packet_index_before(n->index, n->key, wait, &src->stop, &before);
    *number = of_pictures(src, before + n->sought - n->lead);
    return state;
}

int rn_read_frame_numbering_find(struct rn_read_source *src, int64_t decoded, int64_t *number)
{
    struct rn_read_frame_numbering *n = &src->numbering;
    const struct rn_read_input *p = src->in;
    int64_t pts = src->origin.pts;
    n->collecting = false;
    n->sought = src->origin.count;
    n->second = src->origin.second;
    *number = p->ops->index    ? p->ops->index(p, pts)
              : p->before == 0 ? decoded
                               : of_pictures(src, by_rate(src, pts));
    if (p->before == 0 || !counts(src))
        return 0;
    if (p->before > 0) {
        *number = of_pictures(src, p->before + n->sought - n->lead);
        return 0;
    }
    int64_t counted = 0;
    int err = open_index(src);
    enum rn_read_indexed state =
        err ? RN_INDEX_NEVER : ask_index(src, n->index && may_wait(src), &counted);
    if (state == RN_INDEX_KNOWN)
        *number = counted;
    else if (state == RN_INDEX_PENDING)
        n->guess = *number;
    else if (!err && p->ambiguous && n->index && may_wait(src))
        return RN_END;
    else if (!err && !n->warned) {
        if (src->opts.index_mode == RN_FRAME_INDEX_EXACT)
            rn_log(RN_LOG_WARNING,
                   "'%s': the frames behind what was skipped are numbered by the average rate: "
                   "they cannot be counted here",
                   src->name);
        n->warned = true;
    }
    return err;
}

int64_t rn_read_frame_numbering_error(struct rn_read_source *src)
{
    struct rn_read_frame_numbering *n = &src->numbering;
    int64_t number = 0, guess = n->guess;
    if (guess < 0)
        return 0;
    enum rn_read_indexed state = ask_index(src, false, &number);
    if (state != RN_INDEX_PENDING)
        n->guess = -1;
    return state == RN_INDEX_KNOWN ? number - guess : 0;
}
