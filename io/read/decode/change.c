/* SPDX-License-Identifier: MIT */
#include "io/read/source_internal.h"

#include "filters/base/log.h"
#include "io/pixels/pixfmt.h"

AVRational rn_read_change_aspect(const struct rn_read_input *p,
                                 const struct rn_read_prepare *prepare, const AVFrame *frame)
{
    const AVStream *st = rn_read_stream_in(p);
    AVRational said = st ? st->sample_aspect_ratio : (AVRational){0, 1};
    if (said.num > 0 && !p->container->changing_aspect)
        return rn_read_prepare_aspect(prepare, said);
    return frame->sample_aspect_ratio.num > 0 ? frame->sample_aspect_ratio
                                              : rn_read_prepare_aspect(prepare, p->aspect);
}

/* How a picture of w x h is shown. */
static AVRational display_shape(int w, int h, AVRational aspect)
{
    AVRational shape = {w, h};
    if (aspect.num > 0 && aspect.den > 0)
        shape = av_mul_q(shape, aspect);
    av_reduce(&shape.num, &shape.den, shape.num, shape.den, 1 << 20);
    return shape;
}

static void count(struct rn_read_change_count *c, const AVFrame *f, AVRational aspect,
                  struct rn_read_change_place place)
{
    if (!c->pictures++)
        *c = (struct rn_read_change_count){1, place, f->width, f->height, aspect, false};
    c->further |= c->w != f->width || c->h != f->height || av_cmp_q(c->aspect, aspect) != 0;
}

static const char *say_place(struct rn_read_change_place place, char text[48])
{
    if (place.number >= 0)
        snprintf(text, 48, "frame %" PRId64, place.number);
    else
        snprintf(text, 48, "the picture at %.3f s", place.time);
    return text;
}

/* " and so are shown 16:9 instead of 4:3", or "". */
static const char *say_shape(const struct rn_read_change_count *c, const struct rn_io_stream *s,
                             char text[64])
{
    AVRational before = display_shape(s->geom.w, s->geom.h, rn_io_to_av(s->aspect));
    AVRational after = display_shape(c->w, c->h, c->aspect);
    double ratio = av_q2d(before) / av_q2d(after);
    *text = '\0';
    /* Coded shapes are rounded: to whole pixels, or to the few that a codec knows. */
    if (!(ratio > 0.99 && ratio < 1.01))
        snprintf(text, 64, ", shown %d:%d instead of %d:%d", after.num, after.den, before.num,
                 before.den);
    return text;
}

/* Says why reading ends before the picture in src->frame. */
static void explain_stop(struct rn_read_source *src, AVRational aspect,
                         struct rn_read_change_place place)
{
    const struct rn_io_stream *s = &src->media.stream;
    struct rn_read_changes *changes = &src->changes;
    struct rn_read_change_count c = {1,      place, src->frame->width, src->frame->height,
                                     aspect, false};
    bool same = c.w == s->geom.w && c.h == s->geom.h; /* scaled or cropped to the same size */
    char shape[64], where[48];
    bool known = *changes->stopped;
    snprintf(changes->stopped, sizeof changes->stopped,
             "'%.120s': %s is %dx%d%s, those before it are %dx%d (--on-change scale goes on)",
             src->name, say_place(place, where), same ? place.w : c.w, same ? place.h : c.h,
             say_shape(&c, s, shape), same ? changes->w : s->geom.w, same ? changes->h : s->geom.h);
    if (!src->opts.losses && !known)
        rn_log(RN_LOG_WARNING, "%s", changes->stopped);
}

/* Ends the stream, or this part of it, before the picture in src->frame. */
static int end_stream(struct rn_read_source *src)
{
    src->changed = src->opts.on_change == RN_CHANGE_SPLIT;
    if (!src->changed) {
        src->has_picture = false;
        src->ended = src->range.ended_by_option = true;
    }
    src->range.end_us = rn_io_to_us(src->frame->pts, src->time_base);
    src->media.end_us = src->changed ? src->range.end_us : src->media.end_us;
    return RN_END;
}

/* Whether the picture in src->frame has another pixel format than the first, and not only another
 * order of the same samples: hardware gives nv12 where FFmpeg's decoder gives yuv420p. */
static bool is_converted(const struct rn_read_source *src)
{
    const AVFrame *f = src->frame;
    struct rn_format fmt;
    bool exact;
    if (f->format == src->first->format)
        return false;
    bool same = rn_pix_format_of_frame(f, &fmt, &exact) && exact &&
                rn_format_equal(&fmt, &src->media.stream.geom.fmt);
    return !same || rn_pix_pixfmt_plain(f->format, NULL) != f->format ||
           rn_pix_pixfmt_plain(src->first->format, NULL) != src->first->format;
}

int rn_read_change_look(struct rn_read_source *src, int64_t number)
{
    const struct rn_read_input *p = src->in;
    const struct rn_io_stream *s = &src->media.stream;
    const struct rn_io_read_opts *opts = &src->opts;
    struct rn_read_changes *changes = &src->changes;
    const AVFrame *f = src->frame;
    AVRational aspect = rn_read_change_aspect(p, &src->prepare, f);
    bool size = f->width != s->geom.w || f->height != s->geom.h;
    bool shape = !size && s->aspect.num > 0 && aspect.num > 0 &&
                 av_cmp_q(aspect, rn_io_to_av(s->aspect)) != 0;
    bool unknown = opts->index_mode == RN_FRAME_INDEX_ANY && opts->from.kind == RN_TIME_SECONDS;
    double since = (double)(f->pts - src->offset) * av_q2d(src->time_base);
    struct rn_read_change_place place = {.w = src->origin.w,
                                         .h = src->origin.h,
                                         .number = unknown ? -1 : number,
                                         .time = src->start + since};
    int64_t member;
    const char *file = p->ops->name ? p->ops->name(p, f->pts, &member) : NULL;
    if (size && file && opts->on_change == RN_CHANGE_DEFAULT)
        return rn_fail(RN_EINPUT,
                       "'%s' is %dx%d, the images before it are %dx%d (--on-change scale takes it)",
                       file, f->width, f->height, s->geom.w, s->geom.h);
    bool inside = !size && (place.w != changes->w || place.h != changes->h);
    if ((size || shape) && opts->on_change == RN_CHANGE_SPLIT)
        return end_stream(src);
    if ((size || shape || inside) && opts->on_change == RN_CHANGE_STOP) {
        explain_stop(src, aspect, place);
        return end_stream(src);
    }
    if (size || shape)
        count(size ? &changes->size : &changes->shape, f, aspect, place);
    if (inside && opts->geometry.crop.w && !opts->geometry.scale.w)
        count(&changes->part, f, aspect, place);
    if (is_converted(src)) {
        count(&changes->format, f, aspect, place);
        changes->from = src->first->format;
        changes->to = changes->format.pictures == 1 ? f->format : changes->to;
    }
    /* Nobody reads a report where the pictures are only shown: a word at the first of them. */
    const struct rn_read_change_count *c =
        changes->size.pictures ? &changes->size : &changes->shape;
    char text[64], where[48];
    if ((size || shape) && !opts->losses && changes->size.pictures + changes->shape.pictures == 1)
        rn_log(RN_LOG_WARNING, "'%s': %s is %dx%d%s%s", src->name, say_place(c->first, where), c->w,
               c->h, say_shape(c, s, text), changes->size.pictures ? "; it is scaled" : "");
    return 0;
}

void rn_read_change_report(const struct rn_read_source *src)
{
    const struct rn_read_changes *changes = &src->changes;
    const struct rn_io_stream *s = &src->media.stream;
    struct rn_losses *losses = src->opts.losses;
    const char *input = src->name;
    const struct rn_read_change_count *size = &changes->size, *shape = &changes->shape;
    char text[64], where[48];
    if (size->pictures)
        rn_losses_add(
            losses, "size", "'%.90s': %" PRId64 " frame%s scaled to %dx%d: from %s on %s %dx%d%s%s",
            input, size->pictures, size->pictures == 1 ? " was" : "s were", s->geom.w, s->geom.h,
            say_place(size->first, where), size->pictures == 1 ? "it is" : "they are", size->w,
            size->h, say_shape(size, s, text), size->further ? ", and others" : "");
    if (shape->pictures)
        rn_losses_add(losses, "aspect",
                      "'%.90s': %" PRId64 " frame%s of another shape than the first: samples %d:%d "
                      "from %s on%s%s",
                      input, shape->pictures, shape->pictures == 1 ? " is" : "s are",
                      shape->aspect.num, shape->aspect.den, say_place(shape->first, where),
                      say_shape(shape, s, text), shape->further ? ", and others" : "");
    if (changes->part.pictures)
        rn_losses_add(losses, "size",
                      "'%.120s': the pictures change their size from %dx%d to %dx%d at %s: --crop "
                      "takes another part of them",
                      input, changes->w, changes->h, changes->part.first.w, changes->part.first.h,
                      say_place(changes->part.first, where));
    if (changes->format.pictures)
        rn_losses_add(losses, "format",
                      "'%.120s': the pixel format changes at %s from %s to %s; it is converted",
                      input, say_place(changes->format.first, where),
                      av_get_pix_fmt_name(changes->from), av_get_pix_fmt_name(changes->to));
}
