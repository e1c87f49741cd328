/* SPDX-License-Identifier: MIT */
/* Compares where pictures and sound end in a file, and how many packets they have there. */
#include "io/write/report/compare_internal.h"

#include "filters/base/text/plural.h"

#define SOUND_SLACK_US 50000 /* an encoder's lead-in, a padded last packet */

/* Includes the ticks of the input, to which its times were rounded. */
static double rounding_us(const struct rn_write_pair *p, const AVStream *out, const AVStream *is)
{
    const AVFormatContext *fmt = p->media->fmt;
    const AVStream *was = fmt && p->media->video >= 0 ? fmt->streams[p->media->video] : out;
    double ticks = fmax(av_q2d(out->time_base) + av_q2d(is->time_base), av_q2d(was->time_base));
    return fmin(2e6 * ticks, 1e5);
}

static void report_duration(const struct rn_write_pair *p, const char *what, double given,
                            double found, bool time)
{
    rn_write_lose(p, "duration", 0, "", "%s %.3f s by the file, %.3f s by what was written", what,
                  found / 1e6, given / 1e6);
    if (time)
        p->lacks->seconds = fmax(p->lacks->seconds, fabs(given - found) / 1e6);
}

/* The end of a stream; a stream without packets in the last part of the file ends before it. */
static int64_t found_end(const struct rn_write_look_end *end, bool begins, int64_t last)
{
    if (end->us == AV_NOPTS_VALUE)
        return end->since_us;
    return begins && end->begins_us != AV_NOPTS_VALUE ? end->begins_us + last : end->us;
}

static const AVStream *given_pictures(const struct rn_write_written *w)
{
    const AVStream *out = w->out->streams[0];
    for (unsigned i = 0; i < w->out->nb_streams; i++)
        if (rn_write_remux_find(w->remux, w->out->streams[i]).pictures)
            out = w->out->streams[i];
    return out;
}

/* The end may be wrong by half a picture. If the container does not store the duration of the last
 * picture, libav guesses it: then it is that of the shortest. */
static void compare_picture_lengths(const struct rn_write_pair *p, const AVStream *is, int64_t zero)
{
    const struct rn_write_span *shown = &p->written->shown;
    const struct rn_write_look_end *end = &rn_write_look_stream(p->look, is->index)->end;
    const AVStream *out = given_pictures(p->written);
    int64_t told = found_end(end, false, 0), guessed = found_end(end, true, shown->shortest);
    bool slowed = rn_container_of_input(p->is)->max_read_rate > 0; /* which was said */
    if (told == AV_NOPTS_VALUE || !shown->begun || slowed)
        return;
    double given = (double)(shown->end - shown->first);
    double found = (double)(told - zero), other = (double)(guessed - zero);
    double slack = fmax((double)shown->shortest / 2, 1000) + rounding_us(p, out, is);
    if (fabs(given - other) < fabs(given - found))
        found = other;
    if (fabs(given - found) > slack)
        report_duration(p, "the pictures last", given, found, true);
}

/* False for PCM, whose packets begin anywhere, and for encoded sound, which has new packets. */
static bool has_own_packets(const struct rn_write_pair *p, const AVStream *out)
{
    return rn_write_remux_find(p->written->remux, out).copied &&
           !av_get_exact_bits_per_sample(out->codecpar->codec_id);
}

static void count_sound(const struct rn_write_pair *p, const AVStream *out, const AVStream *is,
                        const struct rn_write_span *given)
{
    const struct rn_write_look_end *end = &rn_write_look_stream(p->look, is->index)->end;
    int64_t n = out->nb_frames - end->packets;
    bool same = out->codecpar->codec_id == is->codecpar->codec_id && has_own_packets(p, out);
    if (!end->all || !same || n <= 0)
        return;
    rn_write_lose(p, "sound", 0, "", "%lld of %lld packets of the sound %s not there", (long long)n,
                  (long long)out->nb_frames, rn_is_or_are(n));
    p->lacks->seconds = fmax(p->lacks->seconds, 1e-6 * (double)(n * given->longest));
}

static void compare_sound_lengths(const struct rn_write_pair *p, const AVStream *out,
                                  const AVStream *is, int64_t zero)
{
    const struct rn_write_span *given = rn_write_remux_find(p->written->remux, out).span;
    if (!given || !given->begun || !is)
        return;
    const struct rn_write_look_end *end = &rn_write_look_stream(p->look, is->index)->end;
    count_sound(p, out, is, given);
    bool begins = end->begins_us != AV_NOPTS_VALUE && has_own_packets(p, out);
    int64_t last = begins ? given->end - given->last : 0;
    int64_t at = found_end(end, begins, last);
    double slack = rounding_us(p, out, is) + 1000;
    if (!begins)
        slack += SOUND_SLACK_US + 2 * (double)given->longest;
    double was = (double)(given->end - p->written->first_us), now = (double)(at - zero);
    if (at != AV_NOPTS_VALUE && fabs(was - now) > slack)
        report_duration(p, "the sound ends at", was, now, now < was);
}

void rn_write_compare_lengths(const struct rn_write_pair *p)
{
    const AVFormatContext *out = p->written->out;
    const struct rn_write_span *shown = &p->written->shown;
    const AVStream *pictures = rn_write_look_pictures(p->look);
    if (!pictures)
        return;
    const struct rn_write_look_stream *found = rn_write_look_stream(p->look, pictures->index);
    int64_t zero = found->first_us;
    /* Readers make up the times of raw streams. */
    if (found->untimed || rn_container_of_output(out->oformat)->untimed ||
        (out->oformat->flags & AVFMT_NOTIMESTAMPS &&
         rn_write_container_is_pictures_only(out->oformat)))
        zero = AV_NOPTS_VALUE;
    rn_write_look_find_ends(p->look,
                            (zero == AV_NOPTS_VALUE ? 0 : zero) + shown->end - shown->first);
    const AVStream *given = given_pictures(p->written);
    const struct rn_write_look_end *end = &found->end;
    /* Readers skip Theora's empty packets, which repeat a picture. */
    bool counted = end->all && given->codecpar->codec_id != AV_CODEC_ID_THEORA;
    if (counted && end->packets < given->nb_frames)
        p->lacks->pictures = given->nb_frames - end->packets;
    if (zero == AV_NOPTS_VALUE)
        return;
    compare_picture_lengths(p, pictures, zero);
    for (unsigned i = 0; i < out->nb_streams; i++)
        if (out->streams[i]->codecpar->codec_type == AVMEDIA_TYPE_AUDIO)
            compare_sound_lengths(p, out->streams[i], rn_write_pair_stream(p, i), zero);
}
