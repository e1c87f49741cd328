#include "io/write/constant_rate.h"

#include "filters/base/log.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include <libavutil/mathematics.h>

#define MOST_STEPS 240 /* per second; a finer raster is the clock of the container, not a rate */

AVRational rn_constant_rate_choose(AVRational average, AVRational nominal)
{
    bool has_average = average.num > 0 && average.den > 0;
    if (nominal.num <= 0 || nominal.den <= 0 || av_q2d(nominal) > MOST_STEPS)
        return has_average ? average : (AVRational){0, 1};
    if (!has_average)
        return nominal;
    /* Averages are taken from a few pictures. A whole multiple of them counts fields. */
    double ratio = av_q2d(nominal) / av_q2d(average), whole = round(ratio);
    if (whole >= 2 && fabs(ratio - whole) < 0.005 * whole)
        return average;
    return ratio > 0.98 ? nominal : average;
}

static int repeat(struct rn_constant_rate *c, struct rn_encoder *enc, int64_t to, rn_packet_fn *fn,
                  void *opaque)
{
    int err = 0;
    while (!err && c->steps < to) {
        err = rn_encoder_repeat(enc, fn, opaque);
        c->steps++;
        c->repeated++;
    }
    return err;
}

int rn_constant_rate_write(struct rn_constant_rate *c, struct rn_encoder *enc,
                           const struct rn_image *img, const struct rn_frame *frame,
                           rn_packet_fn *fn, void *opaque)
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
    int err = repeat(c, enc, at, fn, opaque);
    c->steps++;
    return err ? err : rn_encoder_write(enc, img, frame, fn, opaque);
}

/* Nothing is lost by repeating, but a picture that fell on another's place is. */
static void say_what(const struct rn_constant_rate *c, const char *name, struct rn_losses *losses)
{
    char text[160];
    snprintf(text, sizeof text,
             "has a constant rate, %.6g fps: %" PRId64 " frames were repeated and %" PRId64
             " dropped to keep the time",
             1 / av_q2d(c->step), c->repeated, c->dropped);
    if (c->dropped)
        rn_losses_add(losses, "rate", "'%s' %s", name, text);
    else if (c->repeated)
        rn_log(RN_LOG_WARNING, "'%s' %s", name, text);
}

int rn_constant_rate_finish(struct rn_constant_rate *c, struct rn_encoder *enc, const char *name,
                            struct rn_losses *losses, rn_packet_fn *fn, void *opaque)
{
    if (!c->begun)
        return 0;
    int64_t end = av_rescale_q(c->end - c->first, c->time_base, c->step);
    int err = repeat(c, enc, end, fn, opaque);
    if (!err)
        say_what(c, name, losses);
    return err;
}
