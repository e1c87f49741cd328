/* SPDX-License-Identifier: MIT */
#include "filters/base/err.h"
#include "io/read/source.h"
#include "io/read/source_internal.h"

void rn_read_range_begin(struct rn_read_source *src, int64_t zero_us)
{
    src->range = (struct rn_read_range){
        .from_us = zero_us + llrint(src->opts.from.seconds * 1e6),
        .to_us = zero_us + llrint(src->opts.to.seconds * 1e6),
        .end_us = INT64_MAX,
    };
}

void rn_read_range_set_end(struct rn_read_source *src)
{
    if (src->opts.to.kind == RN_TIME_SECONDS)
        src->range.end_us = src->range.to_us;
    else if (src->opts.to.kind == RN_TIME_FRAME || src->opts.frames >= 0)
        src->range.end_us = rn_io_to_us(src->frame->pts, src->time_base) +
                            (int64_t)(src->media.stream.duration * 1e6 + 0.5);
    src->range.requested_end_us = src->range.end_us;
}

/* Pictures in a second: where they are counted, by that; streams of fields and of variable rate say
 * others. 0: unknown. */
static double rate_of(const struct rn_read_source *src)
{
    const struct rn_read_input *p = src->in;
    if (p->exact && p->frames > 0 && p->duration > 0)
        return src->prepare.factor * (double)p->frames / p->duration;
    return av_q2d(rn_read_rate(src));
}

int64_t rn_read_range_frames(const struct rn_read_source *src)
{
    const struct rn_io_read_opts *o = &src->opts;
    const struct rn_read_input *p = src->in;
    if (rn_read_is_stills(p))
        return p->frames;
    double rate = rate_of(src);
    double begin = 0, end = p->frames >= 0 ? (double)p->frames : INFINITY;
    end *= src->prepare.factor;
    if (o->from.kind == RN_TIME_FRAME)
        begin = (double)o->from.frame;
    else if (o->from.kind == RN_TIME_SECONDS)
        begin = ceil(o->from.seconds * rate - 1e-3);
    if (o->to.kind == RN_TIME_FRAME)
        end = fmin(end, (double)o->to.frame);
    else if (o->to.kind == RN_TIME_SECONDS && rate > 0)
        end = fmin(end, ceil(o->to.seconds * rate - 1e-3));
    if (o->frames >= 0)
        end = fmin(end, begin + (double)o->frames);
    return isinf(end) ? -1 : end > begin ? (int64_t)(end - begin) : 1;
}

bool rn_read_range_is_exact(const struct rn_read_source *src)
{
    const struct rn_io_read_opts *o = &src->opts;
    bool seconds = o->from.kind == RN_TIME_SECONDS || o->to.kind == RN_TIME_SECONDS;
    return rn_read_is_stills(src->in) || (src->in->exact && !seconds && src->prepare.factor == 1);
}

double rn_read_range_duration(const struct rn_read_source *src)
{
    const struct rn_io_read_opts *o = &src->opts;
    bool whole = o->from.kind == RN_TIME_NONE && o->to.kind == RN_TIME_NONE && o->frames < 0;
    if (whole || rn_read_is_stills(src->in))
        return src->in->duration;
    int64_t frames = rn_read_range_frames(src);
    return frames >= 0 && rn_read_rate(src).num > 0 ? (double)frames / rate_of(src) : -1;
}

/* The start of the input and the time as shown are rounded, so that a picture's own may be a
 * microsecond off. */
bool rn_read_range_is_before(const struct rn_read_source *src, const struct rn_io_time *t,
                             int64_t us)
{
    if (t->kind == RN_TIME_FRAME)
        return src->decoded < t->frame;
    return t->kind == RN_TIME_SECONDS && rn_io_to_us(src->frame->pts, src->time_base) < us - 1;
}

bool rn_read_range_is_short(const struct rn_read_source *src)
{
    const struct rn_io_read_opts *o = &src->opts;
    const struct rn_read_input *p = src->in;
    if (rn_read_is_stills(p))
        return p->short_range;
    int64_t end = src->last_pts + (src->previous_duration + 1) / 2;
    bool to_end = (o->to.kind == RN_TIME_FRAME && src->decoded < o->to.frame) ||
                  (o->to.kind == RN_TIME_SECONDS && src->last_pts != AV_NOPTS_VALUE &&
                   rn_io_to_us(end, p->time_base) <
                       src->range.to_us - rn_io_to_us(src->previous_duration, p->time_base));
    return to_end || (o->frames >= 0 && src->given < o->frames);
}

/* ---- parts: --on-change split */

int rn_read_resume(struct rn_read_source *src)
{
    const AVFrame *f = src->frame;
    if (!src->changed)
        return RN_END;
    src->changed = false;
    src->resumed = true;
    src->start += (double)(f->pts - src->offset) * av_q2d(src->time_base);
    src->offset = f->pts;
    src->media.cut = true;
    src->media.offset_us = rn_io_to_us(f->pts, src->time_base);
    src->range.end_us = src->media.end_us = src->range.requested_end_us;
    rn_pix_import_destroy(&src->import);
    return rn_read_describe_pictures(src);
}
