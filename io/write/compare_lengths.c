#include "io/write/compare_internal.h"

#include <math.h>

#define SOUND_SLACK_US 50000 /* an encoder's lead-in, a last packet that is filled up */

static double ticks_us(const AVStream *a, const AVStream *b)
{
    return 1e6 * (av_q2d(a->time_base) + av_q2d(b->time_base));
}

/* What is as long as it may be wrong: half a picture, or, of sound, a packet or two at the end. */
static double slack_of(const struct rn_pair *p, const struct rn_span *given, const AVStream *out,
                       const AVStream *is)
{
    const AVFormatContext *fmt = p->media->fmt;
    const AVStream *was = fmt && p->media->video >= 0 ? fmt->streams[p->media->video] : out;
    double ticks = 2 * fmax(ticks_us(out, is), 1e6 * av_q2d(was->time_base));
    if (out->codecpar->codec_type == AVMEDIA_TYPE_AUDIO)
        return SOUND_SLACK_US + 2 * (double)given->longest + ticks;
    return fmax((double)given->shortest / 2, 1000) + (ticks < 1e5 ? ticks : 1e5);
}

static void say(const struct rn_pair *p, const char *what, double given, double found, bool time)
{
    char text[160];
    snprintf(text, sizeof text, "%s %.3f s by the file, %.3f s by what was written", what,
             found / 1e6, given / 1e6);
    rn_lose(p, "duration", text, "");
    if (time && p->written->time_lost)
        *p->written->time_lost = fmax(*p->written->time_lost, fabs(given - found) / 1e6);
}

static void compare_pictures(const struct rn_pair *p, const AVStream *is, int64_t zero)
{
    const struct rn_written *w = p->written;
    bool begins;
    int64_t end = rn_look_end_us(p->look, is->index, &begins);
    if (end == AV_NOPTS_VALUE || !w->shown.begun)
        return;
    end += begins ? w->shown.shortest : 0;
    const AVStream *out = w->out->streams[0];
    for (unsigned i = 0; i < w->out->nb_streams; i++)
        if (rn_remux_is_video(w->remux, w->out->streams[i]))
            out = w->out->streams[i];
    double given = (double)(w->shown.end - w->shown.first), found = (double)(end - zero);
    if (fabs(given - found) > slack_of(p, &w->shown, out, is))
        say(p, "the pictures last", given, found, true);
}

static void compare_sound(const struct rn_pair *p, const AVStream *out, const AVStream *is,
                          int64_t zero)
{
    const struct rn_span *given = rn_remux_span(p->written->remux, out);
    bool begins = false;
    int64_t end = is ? rn_look_end_us(p->look, is->index, &begins) : AV_NOPTS_VALUE;
    if (!given || !given->begun || end == AV_NOPTS_VALUE)
        return;
    end += begins ? given->longest : 0;
    double was = (double)(given->end - p->written->first_us), now = (double)(end - zero);
    if (fabs(was - now) > slack_of(p, given, out, is))
        say(p, "the sound ends at", was, now, now < was);
}

void rn_compare_lengths(const struct rn_pair *p)
{
    const AVFormatContext *out = p->written->out;
    const AVStream *pictures = rn_look_pictures(p->look);
    int before;
    int64_t zero = pictures ? rn_look_first_us(p->look, pictures->index, &before) : AV_NOPTS_VALUE;
    if (zero == AV_NOPTS_VALUE || before)
        return;
    rn_look_find_ends(p->look);
    compare_pictures(p, pictures, zero);
    for (unsigned i = 0; i < out->nb_streams; i++)
        if (out->streams[i]->codecpar->codec_type == AVMEDIA_TYPE_AUDIO)
            compare_sound(p, out->streams[i], rn_compare_find(p, i), zero);
}
