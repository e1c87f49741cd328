/* SPDX-License-Identifier: MIT */
#include "io/read/demux/announced.h"

#include "io/common/tags.h"
#include "io/containers/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <libavutil/parseutils.h>

#define OPUS_RATE 48000. /* samples per second of all its delays */

static enum rn_container_totals totals_of(const AVFormatContext *fmt)
{
    return rn_container_of_input(fmt)->totals;
}

/* mkvmerge counts the frames of every track, and programs that copy tags copy the count, true or
 * not: it holds where it has the date of the file and the file is mkvmerge's. */
static int64_t counted_by_mkvmerge(const AVFormatContext *fmt, const AVStream *st)
{
    const char *count = rn_io_tag(st->metadata, "NUMBER_OF_FRAMES");
    const char *date = rn_io_tag(st->metadata, "_STATISTICS_WRITING_DATE_UTC");
    const char *by = rn_io_tag(fmt->metadata, "encoder"),
               *made = rn_io_tag(fmt->metadata, "creation_time");
    if (!count || !date || !by || !made || strncmp(by, "libebml", 7) != 0)
        return -1;
    bool same = strlen(date) >= 19 && strlen(made) >= 19 && !strncmp(date, made, 10) &&
                !strncmp(date + 11, made + 11, 8);
    int64_t n = same ? strtoll(count, NULL, 10) : 0;
    return n > 0 ? n : -1;
}

/* An AVI without its index has the few entries that were made while it was looked at: of pictures
 * at its beginning. They cannot be told by their number, for the header counts places without a
 * picture, too, of which some programs write 39 for every picture; but so do entries' times. */
static int entries(const AVFormatContext *fmt, AVStream *st, int nlisted)
{
    enum rn_container_index index = rn_container_of_input(fmt)->index;
    const AVIndexEntry *last = nlisted > 1 ? avformat_index_get_entry(st, nlisted - 1) : NULL;
    if (index == RN_INDEX_CHUNKS)
        return last && 2 * last->timestamp + 4 >= st->nb_frames ? nlisted : 0;
    return index == RN_INDEX_SAMPLES ? avformat_index_get_entries_count(st) : 0;
}

int64_t rn_read_announced_pictures(const AVFormatContext *fmt, AVStream *st, int nlisted)
{
    int n = entries(fmt, st, nlisted);
    int64_t shown = 0; /* edit lists hide some of what is stored */
    if (rn_container_of_input(fmt)->index == RN_INDEX_SAMPLES && st->nb_frames <= 0)
        return -1; /* fragments are listed as they are read */
    for (int i = 0; i < n; i++) {
        const AVIndexEntry *e = avformat_index_get_entry(st, i);
        shown += e->size > 0 && !(e->flags & AVINDEX_DISCARD_FRAME);
    }
    bool tagged = totals_of(fmt) == RN_TOTALS_TAGS;
    return n > 0 ? shown : tagged ? counted_by_mkvmerge(fmt, st) : -1;
}

bool rn_read_announced_is_unfinished(const AVFormatContext *fmt, const AVStream *st)
{
    return totals_of(fmt) == RN_TOTALS_STEPS && st->nb_frames >= 1 << 30;
}

int64_t rn_read_announced_packets(const AVFormatContext *fmt, AVStream *st, int nlisted,
                                  const struct rn_read_stretch *read,
                                  struct rn_read_counted *counted)
{
    int n = entries(fmt, st, nlisted);
    int64_t last = read->whole ? INT64_MAX : read->last_dts;
    if (read->whole || read->first_dts != counted->first_dts || last < counted->last_dts)
        *counted = (struct rn_read_counted){.first_dts = read->first_dts};
    counted->last_dts = last;
    for (; counted->n < n; counted->n++) { /* in the order of time */
        const AVIndexEntry *e = avformat_index_get_entry(st, counted->n);
        if (e->timestamp > last)
            break;
        counted->listed += e->size > 0 && e->timestamp >= read->first_dts;
    }
    if (n > 0)
        return counted->listed;
    if (!read->begins || !read->whole) /* a number of all says nothing of a part */
        return -1;
    bool pictures = !av_cmp_q(st->avg_frame_rate, av_inv_q(st->time_base));
    switch (totals_of(fmt)) {
    case RN_TOTALS_STEPS: { /* so do the times */
        if (rn_read_announced_is_unfinished(fmt, st) || read->first_dts != 0 || st->nb_frames <= 0)
            return -1;
        int64_t step = read->n > 1 ? read->last_dts / (read->n - 1) : 1; /* some count ms */
        int64_t unread = st->nb_frames - (read->last_dts + 1);
        return read->n + (unread > 0 ? unread / (step > 0 ? step : 1) : 0);
    }
    case RN_TOTALS_PACKETS: /* the time of the stream counts them */
        return pictures && st->duration > 0 ? st->duration : -1;
    case RN_TOTALS_TAGS:
        return counted_by_mkvmerge(fmt, st);
    default:
        return -1;
    }
}

static double tagged_end(const AVStream *st)
{
    const char *text = rn_io_tag(st->metadata, "DURATION");
    int64_t us;
    return text && av_parse_time(&us, text, 1) >= 0 && us > 0 ? (double)us / AV_TIME_BASE : -1;
}

double rn_read_announced_tagged_end(const AVStream *st)
{
    double end = tagged_end(st);
    double delay = st->codecpar->codec_id == AV_CODEC_ID_OPUS ? st->codecpar->initial_padding : 0;
    return end > 0 ? end - delay / OPUS_RATE : -1;
}

double rn_read_announced_picture_seconds(const AVFormatContext *fmt, const AVStream *st)
{
    double start =
        st->start_time != AV_NOPTS_VALUE ? (double)st->start_time * av_q2d(st->time_base) : 0;
    const struct rn_container *container = rn_container_of_input(fmt);
    bool tagged = container->totals == RN_TOTALS_TAGS;
    double end = tagged ? rn_read_announced_tagged_end(st) : -1;
    if (end > 0 && end > start)
        return end - start;
    bool own = fmt->nb_streams == 1 || (st->duration > 0 && !container->shared_duration);
    bool guessed = fmt->duration_estimation_method == AVFMT_DURATION_FROM_BITRATE;
    return own && !guessed ? rn_read_announced_seconds(fmt, st) : -1;
}

double rn_read_announced_seconds(const AVFormatContext *fmt, const AVStream *st)
{
    double start = fmt->start_time > 0 ? (double)fmt->start_time / AV_TIME_BASE : 0;
    double length = fmt->duration > 0 ? (double)fmt->duration / AV_TIME_BASE : -1;
    if (rn_read_announced_is_unfinished(fmt, st))
        return -1;
    if (st->duration > 0 && st->duration != AV_NOPTS_VALUE)
        return (double)st->duration * av_q2d(st->time_base);
    if (totals_of(fmt) != RN_TOTALS_TAGS)
        return length;
    double end = rn_read_announced_tagged_end(st); /* from 0 on, as that of the whole file */
    return end > start ? end - start : length > start ? length - start : length;
}

/* Programs that copy tags may copy them to another file, whose own duration then is another. */
static bool has_true_tags(const AVFormatContext *fmt)
{
    double last = -1;
    for (unsigned i = 0; i < fmt->nb_streams; i++)
        last = fmax(last, tagged_end(fmt->streams[i]));
    return fabs(last - (double)fmt->duration / AV_TIME_BASE) < 0.02;
}

double rn_read_announced_end(const AVFormatContext *fmt, const AVStream *st, double first)
{
    bool sound = st->codecpar->codec_type == AVMEDIA_TYPE_AUDIO;
    double length = st->duration > 0 ? (double)st->duration * av_q2d(st->time_base) : -1;
    switch (totals_of(fmt)) {
    case RN_TOTALS_SAMPLES: /* of pictures the last one may be shown for long */
        return sound && st->nb_frames > 0 && length > 0 ? first + length : -1;
    case RN_TOTALS_STEPS:
        return sound && !rn_read_announced_is_unfinished(fmt, st) ? length : -1;
    case RN_TOTALS_PACKETS:
        return sound && length > 0 ? first + length : -1;
    case RN_TOTALS_TAGS:
        return has_true_tags(fmt) ? rn_read_announced_tagged_end(st) : -1;
    default:
        return -1;
    }
}

/* An index may count bytes instead, of which packets begin anywhere. */
static bool counts_packets(AVStream *st, int n)
{
    for (int i = 1; i < n; i++)
        if (avformat_index_get_entry(st, i)->timestamp -
                avformat_index_get_entry(st, i - 1)->timestamp !=
            1)
            return false;
    return n > 1;
}

struct rn_read_listed_sound rn_read_announced_sound(const AVFormatContext *fmt, AVStream *st)
{
    struct rn_read_listed_sound listed = {0};
    enum rn_container_index index = rn_container_of_input(fmt)->index;
    int n = avformat_index_get_entries_count(st);
    if (st->codecpar->codec_type != AVMEDIA_TYPE_AUDIO || index == RN_INDEX_NONE)
        return listed;
    for (int i = 0; i < n; i++) {
        const AVIndexEntry *e = avformat_index_get_entry(st, i);
        listed.packets += e->size > 0;
        listed.bytes += e->size;
    }
    bool chunks = index == RN_INDEX_CHUNKS;
    /* In old MOVs samples are those of the sound itself, which stand in chunks. */
    if (chunks ? !counts_packets(st, n) : st->nb_frames > 2 * (int64_t)n)
        listed.packets = 0;
    if (!chunks)
        listed.bytes = 0;
    return listed;
}
