/* SPDX-License-Identifier: MIT */
/* Gives the pictures of a source, one after the other. */
#include "io/read/source.h"

#include "filters/base/log.h"
#include "io/common/stack.h"
#include "io/read/demux/other_streams.h"
#include "io/read/source_internal.h"
#include "io/volumes/reader.h"

/* RN_END, with what stands behind the last picture. */
static int read_tail(struct rn_read_source *src, struct rn_frame *frame)
{
    struct rn_read_input *p = src->in;
    bool stopped = atomic_load(&src->stop), early = src->range.ended_by_option || src->changed;
    int err = 0;
    if (!stopped && early)
        err = rn_read_other_streams_read_on(src);
    else if (!stopped && !src->finished && p->ops->finish)
        p->ops->finish(p);
    if (!stopped && !src->changed)
        rn_read_decode_audit_finish(&src->audit,
                                    src->range.ended_by_option ? src->last_pts : INT64_MAX);
    src->finished |= !stopped && !early;
    src->faults.logged += !early && rn_read_decode_errors_since(src);
    rn_read_decode_publish(src);
    if (err || (!p->data->n && !src->changed))
        return err ? err : RN_END;
    frame->data = rn_io_frame_data_create();
    if (!frame->data)
        return rn_fail_memory();
    frame->data->end_us = src->media.end_us;
    err =
        rn_read_other_streams_take(src, frame->data, early ? src->range.end_us : INT64_MAX, false);
    return err ? err : RN_END;
}

static int fill_side(struct rn_read_source *src, struct rn_frame *frame)
{
    const AVFrame *f = src->frame;
    frame->data = rn_io_frame_data_create();
    if (frame->data)
        frame->data->props = av_frame_alloc();
    if (!frame->data || !frame->data->props || av_frame_copy_props(frame->data->props, f) < 0)
        return rn_fail_memory();
    if (src->in->ops->name)
        src->in->ops->name(src->in, f->pts, &frame->data->number);
    bool counted = src->opts.frames >= 0 || src->opts.to.kind == RN_TIME_FRAME ||
                   src->opts.on_change == RN_CHANGE_SPLIT;
    int64_t until = src->opts.to.kind == RN_TIME_SECONDS ? src->range.to_us : INT64_MAX;
    int64_t end = rn_io_to_us(f->pts + rn_io_duration(f), src->time_base);
    if (src->opts.frames >= 0 && src->given + 1 >= src->opts.frames)
        src->range.end_us = end;
    if (counted && end < until)
        until = end;
    return rn_read_other_streams_take(src, frame->data, until, true);
}

/* Which of several channels and points in time the picture is of, and whether the one before it in
 * its stack was given. number: in the whole input. */
static void find_stack(struct rn_read_source *src, int64_t number, struct rn_frame *frame)
{
    const struct rn_vol *v = src->media.volume;
    struct rn_io_stack stack;
    int64_t at[RN_AXES];
    if (!v)
        return;
    rn_io_media_stack(&src->media, &stack);
    if (stack.known)
        frame->located =
            rn_io_stack_depth(&stack, rn_io_stack_slice(&stack, frame->index), &frame->z_mm);
    if (!src->media.stream.geom.several)
        return;
    rn_vol_at(v, number, at);
    src->unbroken = number == src->last_number + 1 ? src->unbroken + 1 : 0;
    src->last_number = number;
    frame->first = at[rn_vol_along(v)] == 0 || src->unbroken < src->media.stream.geom.turns;
    frame->time_s = rn_vol_seconds(v, at[RN_AXIS_TIME]);
    rn_vol_selection_at(v, number, at);
    frame->channel = at[RN_AXIS_CHANNEL] + 1;
    frame->moment = at[RN_AXIS_TIME] + 1;
    frame->timed = v->interval > 0 && v->n[RN_AXIS_TIME] > 1;
}

void rn_read_describe_frame(const struct rn_read_source *src, int64_t index, struct rn_frame *frame)
{
    *frame = (struct rn_frame){
        .index = index,
        .start = src->start,
        .pts = src->frame->pts - src->offset,
        .duration = rn_io_duration(src->frame),
        .by_field = rn_read_is_by_field(src),
    };
    frame->time = (double)frame->pts * av_q2d(src->time_base);
}

static int read_picture(struct rn_read_source *src, struct rn_image *img, struct rn_frame *frame)
{
    *frame = (struct rn_frame){0};
    int err = src->has_picture || src->ended ? 0 : rn_read_decode_advance(src);
    if (err < 0)
        return err;
    if (!src->has_picture || atomic_load(&src->stop))
        return read_tail(src, frame);
    int64_t correction = rn_read_frame_numbering_error(src);
    src->given += correction;
    src->decoded += correction;
    int64_t number = src->in->ops->index ? src->in->ops->index(src->in, src->origin.pts)
                                         : src->media.first_index + src->given;
    if (src->opts.renumber)
        number -= src->media.first_index;
    err = rn_read_change_look(src, number);
    if (err == RN_END)
        return read_tail(src, frame);
    bool left_out = !src->frame->buf[0];
    if (!err && !left_out)
        err = rn_pix_import(&src->import, src->frame, img);
    src->copied += !err && !left_out;
    rn_read_describe_frame(src, number, frame);
    err = err ? err : fill_side(src, frame);
    if (!err) {
        frame->data->left_out = left_out;
        frame->data->copied = !left_out;
    }
    src->in->leaves_out = src->leaves_out && src->in->ops->samples && !src->prepare.active &&
                          rn_pix_import_copies(src->import);
    if (err) {
        rn_io_frame_release(frame);
        return err;
    }
    rn_read_cadence_add(&src->cadence, src->frame->pts, rn_io_duration(src->frame),
                        src->origin.behind);
    find_stack(src, src->opts.renumber ? number + src->media.first_index : number, frame);
    src->given++;
    frame->about = src->numbering.guess >= 0;
    src->has_picture = false;
    rn_read_decode_publish(src);
    return 0;
}

int rn_read_read(struct rn_read_source *source, struct rn_image *img, struct rn_frame *frame)
{
    enum rn_stall outer = rn_stall_enter(source->stall);
    int err = read_picture(source, img, frame);
    rn_stall_leave(outer);
    return err;
}

void rn_read_leave_out(struct rn_read_source *source)
{
    source->leaves_out = true;
}

bool rn_read_is_alone(const struct rn_read_source *src)
{
    return !src->in->leaves_out || !src->in->ops->is_apart(src->in);
}

bool rn_read_samples(struct rn_read_source *source, const struct rn_frame *frame,
                     struct rn_image *img)
{
    bool copied,
        whole = source->in->ops->samples(source->in, frame->data->props->pts, img, &copied);
    frame->data->copied = whole && copied;
    source->copied += frame->data->copied;
    if (whole)
        rn_pix_saturate(img);
    return whole;
}

void rn_read_return(struct rn_read_source *src, const struct rn_frame *frame)
{
    if (src->leaves_out) {
        src->leaves_out = src->in->leaves_out = false;
        src->ended = src->range.ended_by_option = src->has_picture = src->cadence.begun = false;
        src->last_pts = frame->data->props->pts - 1; /* of stills: the time base counts them */
        if (src->in->ops->go_back)
            src->in->ops->go_back(src->in, frame->data->props->pts);
        else
            src->in->ops->seek(src->in, frame->data->props->pts, false);
    }
    src->given--;
    src->decoded--;
    src->pictures_out--;
    src->in->read--;
    src->last_number--; /* where they count, the pictures of a scan follow each other */
    src->unbroken--;
    src->copied -= frame->data->copied;
    rn_read_decode_publish(src);
}
