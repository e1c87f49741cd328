#include "io/read/demux/announced.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <libavutil/avstring.h>
#include <libavutil/parseutils.h>

#define OPUS_RATE 48000. /* samples per second of all its delays */

bool rn_read_announced_is_avi(const AVFormatContext *fmt)
{
    return !strcmp(fmt->iformat->name, "avi");
}

bool rn_read_announced_is_ivf(const AVFormatContext *fmt)
{
    return !strcmp(fmt->iformat->name, "ivf");
}

bool rn_read_announced_is_matroska(const AVFormatContext *fmt)
{
    return av_match_name("matroska", fmt->iformat->name);
}

bool rn_read_announced_is_mov(const AVFormatContext *fmt)
{
    return !strncmp(fmt->iformat->name, "mov,", 4);
}

bool rn_read_announced_is_numbered(const AVFormatContext *fmt)
{
    return !strcmp(fmt->iformat->name, "mxf");
}

static const char *tag(AVDictionary *tags, const char *key)
{
    const AVDictionaryEntry *entry = av_dict_get(tags, key, NULL, 0);
    return entry ? entry->value : NULL;
}

/* mkvmerge counts the frames of every track, and programs that copy tags copy the count, true or
 * not: it holds where it has the date of the file and the file is mkvmerge's. */
static int64_t counted_by_mkvmerge(const AVFormatContext *fmt, const AVStream *st)
{
    const char *count = tag(st->metadata, "NUMBER_OF_FRAMES");
    const char *date = tag(st->metadata, "_STATISTICS_WRITING_DATE_UTC");
    const char *by = tag(fmt->metadata, "encoder"), *made = tag(fmt->metadata, "creation_time");
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
static bool reaches_the_end(AVStream *st, int nlisted)
{
    const AVIndexEntry *last = nlisted > 1 ? avformat_index_get_entry(st, nlisted - 1) : NULL;
    return last && 2 * last->timestamp + 4 >= st->nb_frames;
}

static int entries(const AVFormatContext *fmt, AVStream *st, int nlisted)
{
    if (rn_read_announced_is_avi(fmt))
        return reaches_the_end(st, nlisted) ? nlisted : 0;
    return rn_read_announced_is_mov(fmt) ? avformat_index_get_entries_count(st) : 0;
}

int64_t rn_read_announced_pictures(const AVFormatContext *fmt, AVStream *st, int nlisted)
{
    int n = entries(fmt, st, nlisted);
    int64_t shown = 0; /* edit lists hide some of what is stored */
    if (rn_read_announced_is_mov(fmt) && st->nb_frames <= 0)
        return -1; /* fragments are listed as they are read */
    for (int i = 0; i < n; i++) {
        const AVIndexEntry *e = avformat_index_get_entry(st, i);
        shown += e->size > 0 && !(e->flags & AVINDEX_DISCARD_FRAME);
    }
    return n > 0 ? shown : rn_read_announced_is_matroska(fmt) ? counted_by_mkvmerge(fmt, st) : -1;
}

bool rn_read_announced_is_unfinished(const AVFormatContext *fmt, const AVStream *st)
{
    return rn_read_announced_is_avi(fmt) && st->nb_frames >= 1 << 30;
}

/* A number of all says nothing of a part. */
static int64_t by_statistics(const AVFormatContext *fmt, const AVStream *st,
                             const struct rn_read_stretch *read)
{
    return read->begins && read->whole && rn_read_announced_is_matroska(fmt)
               ? counted_by_mkvmerge(fmt, st)
               : -1;
}

/* The header of an AVI counts pictures and places where one was left out; so do its times. */
static int64_t by_header(const AVFormatContext *fmt, const AVStream *st,
                         const struct rn_read_stretch *read)
{
    if (!rn_read_announced_is_avi(fmt) || rn_read_announced_is_unfinished(fmt, st) ||
        !read->whole || !read->begins || read->first_dts != 0 || st->nb_frames <= 0)
        return -1;
    int64_t unread = st->nb_frames - (read->last_dts + 1);
    int64_t step = read->n > 1 ? read->last_dts / (read->n - 1) : 1; /* some count milliseconds */
    return read->n + (unread > 0 ? unread / (step > 0 ? step : 1) : 0);
}

/* MXF counts pictures, as the time of its streams. */
static int64_t by_length(const AVFormatContext *fmt, const AVStream *st,
                         const struct rn_read_stretch *read)
{
    bool frames = !av_cmp_q(st->avg_frame_rate, av_inv_q(st->time_base));
    bool all = read->begins && read->whole && st->duration > 0;
    return rn_read_announced_is_numbered(fmt) && frames && all ? st->duration : -1;
}

int64_t rn_read_announced_packets(const AVFormatContext *fmt, AVStream *st, int nlisted,
                                  const struct rn_read_stretch *read)
{
    int n = entries(fmt, st, nlisted);
    int64_t listed = 0, last = read->whole ? INT64_MAX : read->last_dts;
    for (int i = 0; i < n; i++) {
        const AVIndexEntry *e = avformat_index_get_entry(st, i);
        listed += e->size > 0 && e->timestamp >= read->first_dts && e->timestamp <= last;
    }
    return n > 0                                ? listed
           : rn_read_announced_is_avi(fmt)      ? by_header(fmt, st, read)
           : rn_read_announced_is_numbered(fmt) ? by_length(fmt, st, read)
                                                : by_statistics(fmt, st, read);
}

static double tagged_end(const AVStream *st)
{
    const char *text = tag(st->metadata, "DURATION");
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
    bool asf = !strcmp(fmt->iformat->name, "asf"); /* all streams have the length of the file */
    double start =
        st->start_time != AV_NOPTS_VALUE ? (double)st->start_time * av_q2d(st->time_base) : 0;
    double end = rn_read_announced_is_matroska(fmt) ? rn_read_announced_tagged_end(st) : -1;
    if (end > 0 && end > start)
        return end - start;
    bool own = fmt->nb_streams == 1 || (st->duration > 0 && !asf);
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
    if (!rn_read_announced_is_matroska(fmt))
        return length;
    double end = rn_read_announced_tagged_end(st); /* from 0 on, as that of the whole file */
    return end > start ? end - start : length > start ? length - start : length;
}

int64_t rn_read_announced_behind(AVStream *st, int64_t dts)
{
    int64_t n = 0;
    for (int k = avformat_index_get_entries_count(st) - 1; k >= 0; k--, n++)
        if (avformat_index_get_entry(st, k)->timestamp <= dts)
            break;
    return n;
}

int64_t rn_read_announced_before(AVStream *st, int64_t dts)
{
    int64_t before = 0;
    const AVIndexEntry *e = NULL;
    int n = avformat_index_get_entries_count(st);
    for (int i = 0; i < n && (e = avformat_index_get_entry(st, i))->timestamp < dts; i++)
        before += !(e->flags & AVINDEX_DISCARD_FRAME);
    return e && e->timestamp == dts ? before : -1;
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
    if (rn_read_announced_is_mov(fmt) && sound && st->nb_frames > 0 && length > 0)
        return first + length; /* of pictures the last one may be shown for long */
    if (rn_read_announced_is_avi(fmt) && sound && !rn_read_announced_is_unfinished(fmt, st))
        return length;
    if (rn_read_announced_is_numbered(fmt) && sound && length > 0)
        return first + length;
    return rn_read_announced_is_matroska(fmt) && has_true_tags(fmt)
               ? rn_read_announced_tagged_end(st)
               : -1;
}
