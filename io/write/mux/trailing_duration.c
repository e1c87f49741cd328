/* SPDX-License-Identifier: MIT */
#include "io/write/mux/trailing_duration.h"

#include "filters/base/log.h"
#include "io/containers/table.h"

#include <libavutil/mathematics.h>

void rn_write_trailing_note(struct rn_write_trailing *trailing, const struct rn_frame *frame,
                            AVRational time_base)
{
    trailing->us = av_rescale_q(frame->duration, time_base, AV_TIME_BASE_Q);
    rn_write_span_add(&trailing->shown, av_rescale_q(frame->pts, time_base, AV_TIME_BASE_Q),
                      trailing->us);
    trailing->pts = frame->pts;
    /* Guessed durations of earlier pictures do not count. */
    trailing->shown.end = av_rescale_q(frame->pts + frame->duration, time_base, AV_TIME_BASE_Q);
}

/* There the durations, in the order of decoding, have to add up to what the pictures last, and the
 * last packet need not be the picture that is shown last. */
int rn_write_trailing_hold(struct rn_write_trailing *trailing, AVPacket *pkt)
{
    if (!trailing->delayed)
        trailing->first_dts = pkt->dts;
    AVPacket *held = av_packet_alloc();
    if (!held)
        return rn_fail_memory();
    av_packet_move_ref(held, pkt);
    if (trailing->delayed)
        av_packet_move_ref(pkt, trailing->delayed);
    av_packet_free(&trailing->delayed);
    trailing->delayed = held;
    return 0;
}

AVPacket *rn_write_trailing_release(struct rn_write_trailing *trailing, AVRational stream,
                                    AVRational encoder)
{
    AVPacket *pkt = trailing->delayed;
    if (!pkt || !pkt->data)
        return NULL;
    int64_t all = av_rescale_q(trailing->shown.end - trailing->shown.first, AV_TIME_BASE_Q, stream);
    int64_t rest = all - (pkt->dts - trailing->first_dts);
    int64_t tick = av_rescale_q(1, encoder, stream);
    if (rest > pkt->duration + tick)
        pkt->duration = rest;
    return pkt;
}

int rn_write_trailing_repeat(struct rn_write_trailing *trailing, struct rn_write_encoder *enc,
                             const char *name, const AVOutputFormat *of, AVRational time_base)
{
    struct rn_write_span *shown = &trailing->shown;
    int64_t usual = shown->shortest < 40000 ? shown->shortest : 40000;
    bool single = shown->shortest == shown->end - shown->first;
    if (rn_container_of_output(of)->trailing_duration != RN_CONTAINER_TRAILING_UNTOLD ||
        !shown->begun || usual <= 0 || 2 * trailing->us <= 3 * (single ? usual : shown->shortest))
        return 0;
    int64_t step = av_rescale_q(usual, AV_TIME_BASE_Q, time_base);
    int64_t at = trailing->pts + av_rescale_q(trailing->us, AV_TIME_BASE_Q, time_base) - step;
    int err = rn_write_encoder_repeat_at(enc, at, step);
    trailing->repeated += !err;
    shown->shortest = usual;
    if (!err)
        rn_log(RN_LOG_WARNING,
               "'%s': the last picture, which lasts %.3f s, is repeated at its end: %s tells only "
               "when pictures begin",
               name, (double)trailing->us / 1e6, of->name);
    return err;
}

void rn_write_trailing_free(struct rn_write_trailing *trailing)
{
    av_packet_free(&trailing->delayed);
}
