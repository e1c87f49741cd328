/* SPDX-License-Identifier: MIT */
#include "io/write/mux/last_picture.h"

#include "filters/base/log.h"
#include "io/common/av.h"

#include <libavutil/mathematics.h>

void rn_write_last_picture_note(struct rn_write_last_picture *last, const struct rn_frame *frame,
                                AVRational time_base)
{
    last->us = av_rescale_q(frame->duration, time_base, AV_TIME_BASE_Q);
    rn_write_span_add(&last->shown, av_rescale_q(frame->pts, time_base, AV_TIME_BASE_Q), last->us);
    last->pts = frame->pts;
    /* Guessed durations of earlier pictures do not count. */
    last->shown.end = av_rescale_q(frame->pts + frame->duration, time_base, AV_TIME_BASE_Q);
}

/* The durations of MOV and MP4, in the order of decoding, have to add up to what the pictures last,
 * and the last packet need not be the picture that is shown last. */
int rn_write_last_packet_hold(struct rn_write_last_picture *last, AVPacket *pkt)
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

AVPacket *rn_write_last_packet_release(struct rn_write_last_picture *last, AVRational stream,
                                       AVRational encoder)
{
    AVPacket *pkt = last->delayed;
    if (!pkt || !pkt->data)
        return NULL;
    int64_t all = av_rescale_q(last->shown.end - last->shown.first, AV_TIME_BASE_Q, stream);
    int64_t rest = all - (pkt->dts - last->first_dts);
    int64_t tick = av_rescale_q(1, encoder, stream);
    if (rest > pkt->duration + tick)
        pkt->duration = rest;
    return pkt;
}

int rn_write_last_picture_repeat(struct rn_write_last_picture *last, struct rn_write_encoder *enc,
                                 const char *name, const AVOutputFormat *of, AVRational time_base)
{
    struct rn_write_span *shown = &last->shown;
    int64_t usual = shown->shortest < 40000 ? shown->shortest : 40000;
    bool single = shown->shortest == shown->end - shown->first;
    if (rn_container_of_output(of)->last_duration != RN_CONTAINER_LAST_UNTOLD || !shown->begun ||
        usual <= 0 || 2 * last->us <= 3 * (single ? usual : shown->shortest))
        return 0;
    int64_t step = av_rescale_q(usual, AV_TIME_BASE_Q, time_base);
    int64_t at = last->pts + av_rescale_q(last->us, AV_TIME_BASE_Q, time_base) - step;
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

void rn_write_last_picture_free(struct rn_write_last_picture *last)
{
    av_packet_free(&last->delayed);
}
