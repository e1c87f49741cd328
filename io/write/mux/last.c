#include "io/write/mux/last.h"

#include "filters/base/err.h"
#include "filters/base/log.h"
#include "io/containers/table.h"

#include <libavutil/mathematics.h>

void rn_write_last_note(struct rn_write_last *last, const struct rn_frame *frame,
                        AVRational time_base)
{
    last->us = av_rescale_q(frame->duration, time_base, AV_TIME_BASE_Q);
    rn_write_span_add(&last->shown, av_rescale_q(frame->pts, time_base, AV_TIME_BASE_Q), last->us);
    last->pts = frame->pts;
    /* What was guessed of those before does not count. */
    last->shown.end = av_rescale_q(frame->pts + frame->duration, time_base, AV_TIME_BASE_Q);
}

/* There the durations, in the order of decoding, have to add up to what the pictures last, and the
 * last packet need not be the picture that is shown last. */
int rn_write_last_hold(struct rn_write_last *last, AVPacket *pkt, rn_write_last_write_fn *write,
                       void *opaque)
{
    if (!last->held)
        last->first_dts = pkt->dts;
    if (!last->held && !(last->held = av_packet_alloc()))
        return rn_fail_memory();
    int err = last->held->data ? write(opaque, last->held) : 0;
    av_packet_unref(last->held);
    if (!err)
        av_packet_move_ref(last->held, pkt);
    return err;
}

int rn_write_last_release(struct rn_write_last *last, AVRational stream, AVRational encoder,
                          rn_write_last_write_fn *write, void *opaque)
{
    AVPacket *pkt = last->held;
    if (!pkt || !pkt->data)
        return 0;
    int64_t all = av_rescale_q(last->shown.end - last->shown.first, AV_TIME_BASE_Q, stream);
    int64_t rest = all - (pkt->dts - last->first_dts);
    int64_t tick = av_rescale_q(1, encoder, stream);
    if (rest > pkt->duration + tick)
        pkt->duration = rest;
    return write(opaque, pkt);
}

int rn_write_last_repeat(struct rn_write_last *last, struct rn_write_encoder *enc,
                         const struct rn_write_last_place *place, rn_write_packet_fn *fn,
                         void *opaque)
{
    struct rn_write_span *shown = &last->shown;
    int64_t usual = shown->shortest < 40000 ? shown->shortest : 40000;
    bool single = shown->shortest == shown->end - shown->first;
    if (rn_container_of_output(place->of)->trailing_duration != RN_CONTAINER_TRAILING_UNTOLD ||
        !shown->begun || usual <= 0 || 2 * last->us <= 3 * (single ? usual : shown->shortest))
        return 0;
    int64_t step = av_rescale_q(usual, AV_TIME_BASE_Q, place->time_base);
    int64_t at = last->pts + av_rescale_q(last->us, AV_TIME_BASE_Q, place->time_base) - step;
    int err = rn_write_encoder_repeat_at(enc, at, step, fn, opaque);
    last->repeated += !err;
    shown->shortest = usual;
    if (!err)
        rn_log(RN_LOG_WARNING,
               "'%s': the last picture, which lasts %.3f s, is repeated at its end: %s tells only "
               "when pictures begin",
               place->name, (double)last->us / 1e6, place->of->name);
    return err;
}

void rn_write_last_free(struct rn_write_last *last)
{
    av_packet_free(&last->held);
}
