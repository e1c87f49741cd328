/* SPDX-License-Identifier: MIT */
#include "io/read/demux/demux_internal.h"

#include "filters/base/text/plural.h"
#include "io/containers/checks/checks.h"
#include "io/containers/file.h"
#include "io/read/demux/select.h"

#include <inttypes.h>
#include <math.h>

static bool begins(const struct demux *d)
{
    return !d->sought && d->opts->from.kind != RN_TIME_SECONDS;
}

static void check_index(struct demux *d)
{
    struct rn_read_input *p = &d->base;
    for (int i = 0; i < d->ntracks; i++) {
        AVStream *st = p->fmt->streams[i];
        if (!rn_read_select_has(st) || st->disposition & AV_DISPOSITION_ATTACHED_PIC)
            continue;
        if (d->sought && i != p->video)
            continue;  /* the last of its packets may be among those left out */
        int64_t n = 0; /* samples that the index has behind the last one */
        for (int k = avformat_index_get_entries_count(st) - 1; k >= 0; k--, n++)
            if (avformat_index_get_entry(st, k)->timestamp <= d->track[i].last_dts)
                break;
        if (n && i == p->video) /* the ledger counts all that were not read */
            p->damage.missing += n;
        else if (n)
            rn_read_demux_count_other(d, i);
        if (n)
            rn_io_damage_note(&p->damage,
                              "the file ends early: %" PRId64 " packet%s of stream %d %s missing",
                              n, rn_plural(n), i, rn_is_or_are(n));
    }
}

/* Overwritten packets of sound, which reach nobody as such. */
static void check_sound(struct demux *d)
{
    for (int i = 0; i < d->ntracks && begins(d); i++) {
        const AVFormatContext *fmt = d->base.fmt;
        const struct track *t = &d->track[i];
        if (!rn_read_stream_is_copied(fmt, d->base.video, i) || t->damaged)
            continue;
        bool all = d->base.container->index == RN_CONTAINER_INDEX_SAMPLES;
        struct rn_read_listed_sound grown = rn_read_announced_sound(fmt, fmt->streams[i]);
        const struct rn_read_listed_sound *listed = all ? &grown : &t->listed;
        if (t->n >= listed->packets && t->bytes >= listed->bytes)
            continue;
        rn_read_demux_count_other(d, i);
        rn_io_damage_note(
            &d->base.damage,
            "packets of stream %d (audio) are damaged or missing: the index lists more", i);
    }
}

/* Seconds between the end that the container announces and the end of what was read. One that
 * leaves its duration to be guessed from the file's end gives no bound. */
static double short_by(const struct demux *d)
{
    const AVFormatContext *fmt = d->base.fmt;
    if (d->sought || !d->base.container->total_bounds ||
        rn_read_announced_is_unfinished(fmt, fmt->streams[d->base.video]) ||
        fmt->duration_estimation_method != AVFMT_DURATION_FROM_STREAM || fmt->duration <= 0 ||
        d->end_us == INT64_MIN)
        return 0;
    int64_t start = fmt->start_time != AV_NOPTS_VALUE && fmt->start_time < 0 ? fmt->start_time : 0;
    double gap = (double)(fmt->duration - (d->end_us - start)) / AV_TIME_BASE;
    /* The last picture may be shown for long, or sound was announced and never came. */
    bool filled = gap >= 1 && d->in.is_file &&
                  rn_container_file_is_filled(d->base.container, d->input, d->holes.end);
    return filled ? 0 : gap;
}

static bool is_apart(const struct track *own, const struct track *other)
{
    return other->n && (other->first_pos > own->last_pos || other->last_pos < own->first_pos);
}

/* Counts pictures of another stream that begin where those that were read end, or end where they
 * begin: recordings that were joined. */
static void check_other_pictures(struct demux *d)
{
    struct rn_read_input *p = &d->base;
    const struct track *own = &d->track[p->video];
    int64_t n = is_apart(own, &d->late) && !d->opts->map.n ? d->late.n : 0;
    if (!begins(d) || !(p->fmt->iformat->flags & AVFMT_TS_DISCONT))
        return;
    for (int i = 0; i < d->ntracks; i++) {
        const AVStream *st = p->fmt->streams[i];
        bool pictures = st->codecpar->codec_type == AVMEDIA_TYPE_VIDEO &&
                        !(st->disposition & AV_DISPOSITION_ATTACHED_PIC);
        n += i != p->video && pictures && is_apart(own, &d->track[i]) ? d->track[i].n : 0;
    }
    p->damage.missing += n;
    if (n)
        rn_io_damage_note(&p->damage, "the pictures go on in another stream, which is not read: "
                                      "join such files with ffmpeg -f concat");
}

/* Returns true if nothing lies between the last packet and the end of the file, so nothing was cut
 * out: the duration of the last picture in Matroska is that of the whole file, and AVI and ASF may
 * announce sound that never came. */
static bool is_filled(const struct demux *d, int i)
{
    const AVFormatContext *fmt = d->base.fmt;
    const struct track *t = &d->track[i];
    bool sound = i != d->base.video;
    if ((d->base.container->totals == RN_CONTAINER_TOTALS_TAGS) == sound ||
        !rn_container_file_is_filled(d->base.container, d->input, d->holes.end))
        return false;
    return sound ? t->n >= avformat_index_get_entries_count(fmt->streams[i])
                 : !rn_read_pauses_unheld(&d->pauses, &t->pause);
}

/* Returns by how many seconds containers may be wrong about the end of sound: MXF, which counts
 * samples, by less than a packet. */
static double sound_slack(const struct demux *d, int i)
{
    const AVFormatContext *fmt = d->base.fmt;
    const AVStream *st = fmt->streams[i];
    const struct track *t = &d->track[i];
    bool counts = d->base.container->totals == RN_CONTAINER_TOTALS_PACKETS && t->duration > 0 &&
                  av_get_exact_bits_per_sample(st->codecpar->codec_id) > 0;
    double packet = counts ? (double)t->duration / (double)t->n * av_q2d(st->time_base) : 0.25;
    return counts ? fmin(0.75 * packet, 0.25) : packet;
}

/* Returns how many seconds before its announced end stream i ends. */
static double stream_short_by(const struct demux *d, int i)
{
    const struct rn_read_input *p = &d->base;
    const struct track *t = &d->track[i];
    const AVStream *st = p->fmt->streams[i];
    bool sound = st->codecpar->codec_type == AVMEDIA_TYPE_AUDIO;
    if (!t->n || t->end_us == INT64_MIN || !rn_read_select_has(st) || (!sound && i != p->video))
        return 0;
    double first = (double)t->first_us / AV_TIME_BASE;
    bool counts = p->container->totals == RN_CONTAINER_TOTALS_PACKETS && t->duration > 0;
    double end = counts ? first + (double)t->duration * av_q2d(st->time_base)
                        : (double)(t->end_us + t->untold_us) / AV_TIME_BASE;
    double gap = rn_read_announced_end(p->fmt, st, first) - end;
    double least = sound             ? sound_slack(d, i)
                   : p->rate.num > 0 ? fmax(1.5 / av_q2d(p->rate), 0.1)
                                     : 1;
    return gap > least && !is_filled(d, i) ? gap : 0;
}

static void check_streams(struct demux *d)
{
    struct rn_read_input *p = &d->base;
    bool judged = d->in.is_file && begins(d);
    for (int i = 0; i < d->ntracks && judged; i++) {
        double gap = stream_short_by(d, i);
        if (gap <= 0)
            continue;
        int64_t frames = rn_read_demux_frames_in(gap, av_q2d(p->rate));
        if (i != p->video)
            rn_read_demux_count_other(d, i);
        else if (!p->damage.missing)
            p->damage.missing += frames > 0 ? frames : 1;
        rn_io_damage_note(&p->damage, "stream %d ends %.3f s before the time that the file says", i,
                          gap);
    }
}

/* A recording that was cut off also ends with less sound, which comes later than its pictures. */
static void look_at_sound(struct demux *d)
{
    struct rn_read_input *p = &d->base;
    int64_t end_us = d->track[p->video].end_us;
    for (int i = 0; i < d->ntracks && p->container->losses & RN_CONTAINER_GAP_OF_SOUND_CLOCK; i++) {
        const struct track *t = &d->track[i];
        bool sound = p->fmt->streams[i]->codecpar->codec_type == AVMEDIA_TYPE_AUDIO;
        double s = sound && t->n && t->end_us != INT64_MIN && end_us != INT64_MIN
                       ? (double)(end_us - t->end_us) / AV_TIME_BASE
                       : 0;
        if (s > 0.1 && s > p->sound_short)
            p->sound_short = s;
    }
}

static void check_end(struct demux *d)
{
    struct rn_read_input *p = &d->base;
    double gap = short_by(d);
    bool cut = d->in.is_file && !rn_container_file_is_complete(p->container, d->input);
    if (p->damage.missing || (!cut && gap < 1))
        return;
    int64_t frames = rn_read_demux_frames_in(gap, av_q2d(p->rate));
    p->damage.missing += frames > 0 ? frames : 1;
    if (gap > 0.1)
        rn_io_damage_note(&p->damage, "the file ends early: %.1f of %.1f s",
                          (double)d->end_us / 1e6, (double)p->fmt->duration / 1e6);
    else
        rn_io_damage_note(&p->damage, "the file is cut off at its end");
}

void rn_read_demux_finish(struct rn_read_input *p)
{
    struct demux *d = (struct demux *)p;
    for (int i = 0; i < d->ntracks; i++)
        rn_read_demux_settle_corrupt(d, i);
    if (p->container->bare_frames) {
        if (d->end_pos >= 0 && avio_tell(p->fmt->pb) > d->end_pos) {
            p->damage.missing++;
            rn_io_damage_note(&p->damage, "the input ends inside a frame");
        }
        return;
    }
    if (!d->in.is_file && !d->in.is_pipe)
        return;
    if (p->container->index == RN_CONTAINER_INDEX_SAMPLES)
        check_index(d);
    check_sound(d);
    rn_read_demux_count_holes(d);
    check_other_pictures(d);
    struct rn_container_input input = {.fmt = p->fmt,
                                       .video = p->video,
                                       .end = d->holes.end,
                                       .from_start = begins(d),
                                       .read = p->read,
                                       .frames = p->frames};
    if (d->in.is_file)
        rn_container_file_find_missing(p->container, d->input, &input, &p->damage);
    check_streams(d);
    look_at_sound(d);
    check_end(d);
}
