/* SPDX-License-Identifier: MIT */
#include "io/write/mux/picture_times.h"

#include "filters/base/log.h"
#include "io/common/av.h"
#include "io/common/av_versions.h"

void rn_write_end_times_note(struct rn_write_end_times *last, const struct rn_frame *frame,
                             AVRational time_base)
{
    last->us = rn_io_to_us(frame->duration, time_base);
    rn_write_span_add(&last->shown, rn_io_to_us(frame->pts, time_base), last->us);
    last->pts = frame->pts;
    /* Guessed durations of earlier pictures do not count. */
    last->shown.end = rn_io_to_us(frame->pts + frame->duration, time_base);
}

/* The durations of MOV and MP4, in the order of decoding, have to add up to what the pictures last,
 * and the last packet need not be the picture that is shown last. */
int rn_write_end_times_hold_packet(struct rn_write_end_times *last, AVPacket *pkt)
{
    if (!last->delayed)
        last->first_dts = pkt->dts;
    AVPacket *held = av_packet_alloc();
    if (!held)
        return rn_fail_memory();
    av_packet_move_ref(held, pkt);
    if (last->delayed)
        av_packet_move_ref(pkt, last->delayed);
    av_packet_free(&last->delayed);
    last->delayed = held;
    return 0;
}

AVPacket *rn_write_end_times_release_packet(struct rn_write_end_times *last, AVRational stream,
                                            AVRational encoder)
{
    AVPacket *pkt = last->delayed;
    if (!pkt || !pkt->data)
        return NULL;
    int64_t all = rn_io_from_us(last->shown.end - last->shown.first, stream);
    int64_t rest = all - (pkt->dts - last->first_dts);
    int64_t tick = av_rescale_q(1, encoder, stream);
    if (rest > pkt->duration + tick)
        pkt->duration = rest;
    return pkt;
}

int rn_write_end_times_repeat(struct rn_write_end_times *last, struct rn_write_encoder *enc,
                              const char *name, const AVOutputFormat *of, AVRational time_base)
{
    struct rn_write_span *shown = &last->shown;
    int64_t usual = shown->shortest < 40000 ? shown->shortest : 40000;
    bool single = shown->shortest == shown->end - shown->first;
    if (rn_container_of_output(of)->last_duration != RN_LAST_UNTOLD || !shown->begun ||
        usual <= 0 || 2 * last->us <= 3 * (single ? usual : shown->shortest))
        return 0;
    int64_t step = rn_io_from_us(usual, time_base);
    int64_t at = last->pts + rn_io_from_us(last->us, time_base) - step;
    int err = rn_write_encoder_repeat_at(enc, at, step);
    last->repeated += !err;
    shown->shortest = usual;
    if (!err)
        rn_log(RN_LOG_WARNING,
               "'%s': the last picture, which lasts %.3f s, is repeated at its end: %s tells only "
               "when pictures begin",
               name, (double)last->us / 1e6, of->name);
    return err;
}

/* ---- a constant rate */

#define MAX_RATE 240 /* per second; a finer raster is the clock of the container, not a rate */

/* The nominal rate, unless it counts fields or the pictures stand on no raster. In pictures per
 * second; either may be unknown (<= 0). 0/1: both are. */
static AVRational choose_rate(AVRational average, AVRational nominal)
{
    bool has_average = average.num > 0 && average.den > 0;
    if (nominal.num <= 0 || nominal.den <= 0 || av_q2d(nominal) > MAX_RATE)
        return has_average ? average : (AVRational){0, 1};
    if (!has_average)
        return nominal;
    /* Averages are taken from a few pictures. A whole multiple of them counts fields. */
    double ratio = av_q2d(nominal) / av_q2d(average), whole = round(ratio);
    if (whole >= 2 && fabs(ratio - whole) < 0.005 * whole)
        return average;
    return ratio > 0.98 ? nominal : average;
}

/* The source's, except where a container counts frames: AVI would fill every tick without a picture
 * with an empty one, y4m writes it down as the frame rate, Theora numbers its pictures and knows no
 * gap, in MPEG-PS most small pictures get no time of their own. */
AVRational rn_write_constant_rate_begin(struct rn_write_constant_rate *c, const AVOutputFormat *of,
                                        const struct rn_io_media *media)
{
    AVRational rate = rn_io_to_av(media->stream.rate);
    AVRational time_base = rn_io_to_av(media->stream.time_base);
    const struct rn_container *container = rn_container_of_output(of);
    bool counts = container->rate == RN_RATE_CONSTANT || of->flags & AVFMT_NOTIMESTAMPS;
    if (!counts && container->rate != RN_RATE_STEPS)
        return time_base;
    double step = (double)rn_io_duration(media->first) * av_q2d(time_base);
    if (media->nominal.num > 0 && fabs(step * av_q2d(media->nominal) - 1) < 0.02)
        rate = (AVRational){0, 1}; /* it counts pictures, not fields */
    rate = choose_rate(rate, media->nominal);
    if (rate.num <= 0)
        return time_base;
    if (av_q2d(rate) < 1 && container->listed_rates) /* stills: repeated, which is logged */
        rate = (AVRational){25, 1};
    if (counts)
        *c = (struct rn_write_constant_rate){.time_base = time_base, .step = av_inv_q(rate)};
    return av_inv_q(rate);
}

static int repeat(struct rn_write_constant_rate *c, struct rn_write_encoder *enc, int64_t to)
{
    int err = 0;
    while (!err && c->steps < to) {
        err = rn_write_encoder_repeat(enc);
        c->steps++;
        c->repeated++;
    }
    return err;
}

int rn_write_constant_rate_write(struct rn_write_constant_rate *c, struct rn_write_encoder *enc,
                                 const struct rn_image *img, const struct rn_frame *frame)
{
    if (!c->begun)
        c->first = frame->pts;
    int64_t at = av_rescale_q(frame->pts - c->first, c->time_base, c->step);
    c->end = frame->pts + frame->duration;
    if (c->begun && at < c->steps) {
        c->dropped++;
        return 0;
    }
    c->begun = true;
    int err = repeat(c, enc, at);
    c->steps++;
    return err ? err : rn_write_encoder_write(enc, img, frame);
}

int rn_write_constant_rate_finish(struct rn_write_constant_rate *c, struct rn_write_encoder *enc,
                                  const char *name, struct rn_losses *losses)
{
    if (!c->begun)
        return 0;
    int64_t end = av_rescale_q(c->end - c->first, c->time_base, c->step);
    int err = repeat(c, enc, end);
    char text[160];
    snprintf(text, sizeof text,
             "has a constant rate, %.6g fps: %" PRId64 " frame%s repeated and %" PRId64
             " dropped to keep the time",
             1 / av_q2d(c->step), c->repeated, c->repeated == 1 ? " was" : "s were", c->dropped);
    /* A repetition is no loss; a dropped picture is. */
    if (!err && c->dropped)
        rn_losses_add(losses, "rate", "'%s' %s", name, text);
    else if (!err && c->repeated)
        rn_log(RN_LOG_WARNING, "'%s' %s", name, text);
    return err;
}
