/* SPDX-License-Identifier: MIT */
#include "io/write/report/compare_internal.h"

#include "filters/base/output/path.h"
#include "filters/base/text/plural.h"
#include "io/common/tags.h"
#include "io/read/input.h"
#include "io/write/encode/convert_stream.h"

#include <stdarg.h>

#include <libavutil/pixdesc.h>

#define USUAL_RATE 25     /* of image files, here and in FFmpeg */
#define LEAD_IN_US 100000 /* where the encoder does not say its own */

void rn_write_names_add(struct rn_write_names *names, const char *name)
{
    names->n++;
    if (strlen(names->text) + strlen(name) + 3 > sizeof names->text - 20)
        names->unlisted++;
    else
        av_strlcatf(names->text, sizeof names->text, "%s%s", *names->text ? ", " : "", name);
}

const char *rn_write_names_text(struct rn_write_names *names)
{
    if (names->unlisted)
        av_strlcatf(names->text, sizeof names->text, " and %d more", names->unlisted);
    names->unlisted = 0;
    return names->text;
}

void rn_write_lose(const struct rn_write_pair *p, const char *kind, enum rn_container_kept kept,
                   const char *advice, const char *fmt, ...)
{
    const AVFormatContext *out = p->written->out;
    bool kept_anyway = !out || rn_container_of_output(out->oformat)->keeps & kept;
    char text[256];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    rn_losses_add(p->written->losses, kind, "'%s': %s%s", p->written->name, text,
                  kept_anyway ? "" : advice);
}

/* ---- tags */

/* True for tags that describe the old file or its maker, or are stored elsewhere: in side data or
 * in fields of the container. */
static bool is_own_tag(const char *key)
{
    static const char own[] = /* the second half: the index of FLV */
        "encoder,major_brand,minor_version,compatible_brands,handler_name,vendor_id,timecode,alpha_"
        "mode,stereo_mode,loop,rotate,filename,mimetype,variant_bitrate,service_name,service_"
        "provider,uid,generation_uid,company_name,modification_date,operational_pattern_ul,gamma,"
        "Software,hasVideo,hasAudio,hasMetadata,hasKeyframes,hasCuePoints,canSeekToEnd,datasize,"
        "videosize,audiosize,lasttimestamp,lastkeyframetimestamp,lastkeyframelocation";
    static const char *const begins[] = {
        "BPS",        "NUMBER_OF_",          "date:",        "lavfi.",           "_STATISTICS_",
        "DURATION",   "id3v2_priv",          "WM/",          "WMFSDK",           "IsVBR",
        "DeviceConf", "metadatacreator",     "file_package", "material_package", "product_",
        "toolkit_",   "application_platform"};
    bool found = av_match_name(key, own);
    for (size_t i = 0; i < sizeof begins / sizeof begins[0]; i++)
        found |= av_stristart(key, begins[i], NULL) != 0;
    return found;
}

static bool is_date(const AVDictionaryEntry *tag)
{
    return !av_strcasecmp(tag->key, "creation_time");
}

/* MOV and MP4 keep dates in whole seconds. */
static bool has_tag(const AVDictionary *tags, const AVDictionaryEntry *tag)
{
    const AVDictionaryEntry *e = av_dict_get(tags, tag->key, NULL, 0);
    return e && (is_date(tag) ? !strncmp(e->value, tag->value, strlen("2020-01-01T00:00:00"))
                              : !strcmp(e->value, tag->value));
}

void rn_write_names_add_tags(struct rn_write_names *names, const AVDictionary *was,
                             const AVDictionary *is, const char *stream, bool dates)
{
    const AVDictionaryEntry *e = NULL;
    while ((e = av_dict_get(was, "", e, AV_DICT_IGNORE_SUFFIX))) {
        char name[80] = "";
        bool unknown = !av_strcasecmp(e->key, "language") && !strcmp(e->value, "und");
        if (!*e->value || is_own_tag(e->key) || unknown || (is_date(e) && !dates) || has_tag(is, e))
            continue;
        if (stream)
            snprintf(name, sizeof name, "%.50s (%s)", e->key, stream);
        if (!stream || !strstr(names->text, name)) /* several streams may have the same tag */
            rn_write_names_add(names, stream ? name : e->key);
    }
}

static void compare_tags(const struct rn_write_pair *p)
{
    struct rn_write_names gone = {.n = 0};
    rn_write_names_add_tags(&gone, p->media->fmt->metadata, p->is->metadata, NULL, true);
    if (gone.n)
        rn_write_lose(p, "tags", RN_KEEPS_TAGS, "; .mkv keeps them", "tags are not kept: %s",
                      rn_write_names_text(&gone));
}

/* ---- the streams */

/* Streams of input and output are matched by kind, as containers reorder and renumber them. */
enum kind { PICTURES, SOUND, SUBTITLES, COVER, ATTACHMENT, OTHER };

static enum kind kind_of(const AVStream *st)
{
    const char *type = rn_io_tag(st->metadata, "mimetype");
    bool image = type && av_strstart(type, "image/", NULL);
    if (st->disposition & AV_DISPOSITION_ATTACHED_PIC || image)
        return COVER;
    switch (st->codecpar->codec_type) {
    case AVMEDIA_TYPE_VIDEO:
        return PICTURES;
    case AVMEDIA_TYPE_AUDIO:
        return SOUND;
    case AVMEDIA_TYPE_SUBTITLE:
        return SUBTITLES;
    case AVMEDIA_TYPE_ATTACHMENT:
        return ATTACHMENT;
    default:
        return OTHER;
    }
}

static const char *const kind_names[] = {"video", "audio",      "subtitle",
                                         "cover", "attachment", "data"};

const AVStream *rn_write_pair_stream(const struct rn_write_pair *p, unsigned i)
{
    enum kind kind = kind_of(p->written->out->streams[i]);
    int nth = 0;
    for (unsigned k = 0; k < i; k++)
        nth += kind_of(p->written->out->streams[k]) == kind;
    for (unsigned k = 0; k < p->is->nb_streams; k++)
        if (kind_of(p->is->streams[k]) == kind && nth-- == 0)
            return p->is->streams[k];
    return NULL;
}

/* The disposition, without the default flag of the first stream of a type, which a sole stream
 * always is. */
static int choices(const struct rn_write_pair *p, const AVStream *st, bool input)
{
    int own = AV_DISPOSITION_ATTACHED_PIC | AV_DISPOSITION_TIMED_THUMBNAILS;
    const AVFormatContext *fmt = input ? p->media->fmt : p->is;
    for (unsigned i = 0; i < fmt->nb_streams; i++) {
        if (kind_of(fmt->streams[i]) != kind_of(st))
            continue;
        if (fmt->streams[i] == st)
            own |= AV_DISPOSITION_DEFAULT;
        break;
    }
    return st->disposition & ~own;
}

static void add_dispositions(const struct rn_write_pair *p, const AVStream *was, const AVStream *is,
                             struct rn_write_names *other)
{
    int a = choices(p, was, true), b = choices(p, is, false);
    /* Without the flag players choose the first stream, but show subtitles only with it. */
    bool was_default = was->disposition & AV_DISPOSITION_DEFAULT;
    b &= ~AV_DISPOSITION_DEFAULT | (a & AV_DISPOSITION_DEFAULT);
    if (kind_of(was) == SUBTITLES && !was_default)
        b |= is->disposition & AV_DISPOSITION_DEFAULT;
    for (int bit = 1; bit > 0 && bit <= a + b; bit <<= 1) {
        const char *flag = (a ^ b) & bit ? av_disposition_to_string(bit) : NULL;
        char name[80];
        if (!flag)
            continue;
        snprintf(name, sizeof name, "%s (%s) %s", flag, kind_names[kind_of(was)],
                 b & bit ? "is new" : "is gone");
        if (!strstr(other->text, name))
            rn_write_names_add(other, name);
    }
}

static void report_coding(const struct rn_write_pair *p, const AVStream *was, const AVStream *is)
{
    enum kind kind = kind_of(was);
    enum AVCodecID a = was->codecpar->codec_id, b = is->codecpar->codec_id;
    bool mpeg = (a == AV_CODEC_ID_MP1 || a == AV_CODEC_ID_MP2 || a == AV_CODEC_ID_MP3) &&
                (b == AV_CODEC_ID_MP1 || b == AV_CODEC_ID_MP2 || b == AV_CODEC_ID_MP3);
    bool plain = a == AV_CODEC_ID_TEXT && b == AV_CODEC_ID_SUBRIP; /* of the same lines */
    if ((kind != SOUND && kind != SUBTITLES) || a == b || mpeg || plain || a == AV_CODEC_ID_NONE ||
        b == AV_CODEC_ID_NONE)
        return;
    rn_write_lose(p, "codec", 0, "", "a stream of %s becomes %s", avcodec_get_name(a),
                  avcodec_get_name(b));
}

static void report_channels(const struct rn_write_pair *p, const AVChannelLayout *was,
                            const AVChannelLayout *is)
{
    char from[48] = "", to[48] = "";
    av_channel_layout_describe(was, from, sizeof from);
    av_channel_layout_describe(is, to, sizeof to);
    if (was->nb_channels != is->nb_channels)
        rn_write_lose(p, "channels", 0, "", "sound of %d channels becomes %d", was->nb_channels,
                      is->nb_channels);
    else if (is->order != AV_CHANNEL_ORDER_UNSPEC)
        rn_write_lose(p, "channels", 0, "", "the channels of the sound were %s and become %s", from,
                      to);
    else
        rn_write_lose(p, "channels", RN_KEEPS_CHANNELS, "; .mov keeps it",
                      "which channels the sound has (%s) is not kept", from);
}

static void compare_sound(const struct rn_write_pair *p, const AVStream *was, const AVStream *given,
                          const AVStream *is)
{
    const AVCodecParameters *from = was->codecpar, *to = given->codecpar;
    /* Other codings store their channels themselves, and a copy does not change them. */
    bool told = rn_io_is_pcm(is->codecpar->codec_id) || is->codecpar->codec_id == AV_CODEC_ID_FLAC;
    bool same = is->codecpar->ch_layout.nb_channels == to->ch_layout.nb_channels;
    const AVChannelLayout *heard = told && same ? &is->codecpar->ch_layout : &to->ch_layout;
    if (from->codec_type != AVMEDIA_TYPE_AUDIO)
        return;
    if (!rn_write_channel_layout_same(&from->ch_layout, from->codec_id, heard,
                                      is->codecpar->codec_id))
        report_channels(p, &from->ch_layout, heard);
    if (from->sample_rate > to->sample_rate)
        rn_write_lose(p, "samplerate", 0, "", "the sample rate of the sound, %d Hz, becomes %d",
                      from->sample_rate, to->sample_rate);
}

static double tick_us(const AVStream *st)
{
    double tick = 1e6 * av_q2d(st->time_base);
    return tick < 10000 ? tick : 10000;
}

/* Compares when sound begins, relative to the first picture. Encoded sound may have a lead-in
 * before it, which is not heard. */
static void report_sync(const struct rn_write_pair *p, unsigned i, const AVStream *was,
                        const AVStream *is)
{
    const struct rn_write_written *w = p->written;
    const AVStream *pictures = rn_write_look_pictures(p->look), *given_as = w->out->streams[i];
    if (!pictures || kind_of(was) != SOUND)
        return;
    const struct rn_write_look_stream *sound = rn_write_look_stream(p->look, is->index),
                                      *shown = rn_write_look_stream(p->look, pictures->index);
    const struct rn_write_remuxed made = rn_write_remux_find(w->remux, given_as);
    bool recoded = !made.copied, known = recoded ? made.span->begun : sound->untimed < made.ntimes;
    int64_t given = !known    ? AV_NOPTS_VALUE
                    : recoded ? made.span->first
                              : made.time_us[sound->untimed];
    if (given == AV_NOPTS_VALUE || sound->first_us == AV_NOPTS_VALUE ||
        shown->first_us == AV_NOPTS_VALUE || shown->untimed || w->first_us == AV_NOPTS_VALUE)
        return;
    const AVStream *from = p->media->fmt->streams[p->media->video];
    double slack = fmax(tick_us(was), tick_us(is)) + fmax(tick_us(from), tick_us(pictures));
    double off = (double)((sound->first_us - shown->first_us) - (given - w->first_us));
    const AVCodecParameters *par = given_as->codecpar;
    double lead = 1e6 * par->initial_padding / FFMAX(par->sample_rate, 1);
    bool silent = -off < fmax(LEAD_IN_US, lead + slack) ||
                  rn_container_of_output(w->out->oformat)->sound_untimed;
    if (recoded && (sound->untimed || (off < 0 && silent)))
        return; /* packets before 0 have no timestamps in Matroska */
    if (fabs(off) > fmax(1.01 * slack, 1000))
        rn_write_lose(p, "sync", 0, "",
                      "sound begins %.1f ms %s against the pictures than in the input",
                      fabs(off) / 1000, off > 0 ? "later" : "earlier");
}

static void compare_streams(const struct rn_write_pair *p)
{
    const AVFormatContext *out = p->written->out;
    struct rn_write_names gone = {.n = 0}, tags = {.n = 0}, flags = {.n = 0};
    for (unsigned i = 0; i < out->nb_streams; i++) {
        const AVStream *was = rn_write_remux_find(p->written->remux, out->streams[i]).origin;
        const AVStream *is = rn_write_pair_stream(p, i);
        if (was && !is) {
            /* in a pipe, subtitles and data may begin after what was kept */
            if (p->written->temp || kind_of(was) == SOUND)
                rn_write_names_add(&gone, kind_names[kind_of(was)]);
        } else if (was) {
            rn_write_names_add_tags(&tags, was->metadata, is->metadata, kind_names[kind_of(was)],
                                    false); /* the file has a date, too */
            add_dispositions(p, was, is, &flags);
            report_coding(p, out->streams[i], is);
            if (was->codecpar->codec_tag == MKTAG('h', 'v', 'c', '1') &&
                is->codecpar->codec_tag == MKTAG('h', 'e', 'v', '1')) /* Apple's want hvc1 */
                rn_write_lose(p, "codectag", 0, "",
                              "the sample entry hvc1 has become hev1; add --codec-opts tag=hvc1");
            compare_sound(p, was, out->streams[i], is);
            report_sync(p, i, was, is);
        }
    }
    if (gone.n)
        rn_write_lose(p, "missing", RN_KEEPS_STREAMS, "; .mkv holds more",
                      "streams are missing: %s", rn_write_names_text(&gone));
    if (tags.n)
        rn_write_lose(p, "streamtags", RN_KEEPS_STREAM_TAGS, "; .mkv keeps them",
                      "tags of streams are not kept: %s", rn_write_names_text(&tags));
    if (flags.n)
        rn_write_lose(p, "disposition", RN_KEEPS_DISPOSITIONS, "; .mkv keeps most",
                      "dispositions are not the same: %s", rn_write_names_text(&flags));
}

/* ---- chapters, programs, timecode, loops */

static const char *title(const AVChapter *chapter)
{
    const char *text = rn_io_tag(chapter->metadata, "title");
    return text ? text : "";
}

static void compare_chapters(const struct rn_write_pair *p)
{
    const AVFormatContext *out = p->written->out;
    unsigned n = out->nb_chapters, has = p->is->nb_chapters, moved = 0, renamed = 0;
    char text[160] = "";
    for (unsigned i = 0; i < n && i < has; i++) {
        const AVChapter *was = out->chapters[i], *is = p->is->chapters[i];
        double a = (double)was->start * av_q2d(was->time_base);
        double b = (double)is->start * av_q2d(is->time_base);
        moved += fabs(a - b) > 0.02;
        renamed += strcmp(title(was), title(is)) != 0;
    }
    if (!n)
        return;
    if (!has)
        snprintf(text, sizeof text, "the chapters are gone");
    else if (has < n)
        snprintf(text, sizeof text, "%u of %u chapters %s gone", n - has, n, rn_is_or_are(n - has));
    else if (moved)
        snprintf(text, sizeof text, "%u of %u chapters begin%s at another time", moved, n,
                 moved == 1 ? "s" : "");
    else if (renamed)
        snprintf(text, sizeof text, "the titles of %u of %u chapters are not kept", renamed, n);
    if (*text)
        rn_write_lose(p, "chapters", RN_KEEPS_CHAPTERS, "; .mkv and .mp4 keep them", "%s", text);
}

static void compare_timecode(const struct rn_write_pair *p)
{
    const char *given = rn_io_timecode(p->written->out), *is = rn_io_timecode(p->is);
    const char *was = given || p->media->cut ? given : rn_io_timecode(p->media->fmt);
    if (was && (!is || strcmp(was, is) != 0))
        rn_write_lose(p, "timecode", RN_KEEPS_TIMECODE, "; .mov and .mkv keep it",
                      "the timecode %.20s %s%.20s", was, is ? "has become " : "is not kept",
                      is ? is : "");
}

static void compare_loops(const struct rn_write_pair *p)
{
    int was = p->media->loop_count, is = rn_container_loop_count(p->is);
    char times[2][24] = {"for ever", "for ever"};
    if (!was || !is || was == is)
        return;
    if (was != RN_LOOP_FOREVER)
        snprintf(times[0], sizeof times[0], "%d time%s", was, rn_plural(was));
    if (is != RN_LOOP_FOREVER)
        snprintf(times[1], sizeof times[1], "%d time%s", is, rn_plural(is));
    rn_write_lose(p, "loop", 0, "", "the animation plays %s, not %s as its input", times[1],
                  times[0]);
}

/* ---- all */

/* Adds tags, chapters, programs and the timecode of the input. */
static void report_omitted_headers(struct rn_losses *losses, const char *output,
                                   const struct rn_io_media *media)
{
    struct rn_write_names gone = {.n = 0};
    unsigned chapters = 0;
    rn_write_names_add_tags(&gone, media->fmt->metadata, NULL, NULL, true);
    rn_write_names_add_tags(&gone, media->fmt->streams[media->video]->metadata, NULL, "video",
                            true);
    for (unsigned i = 0; i < media->fmt->nb_chapters; i++)
        chapters += rn_write_chapter_is_read(media, media->fmt->chapters[i]);
    if (gone.n)
        rn_losses_add(losses, "tags", "'%s': tags are not kept: %s", output,
                      rn_write_names_text(&gone));
    if (chapters)
        rn_losses_add(losses, "chapters", "'%s': the chapters are gone", output);
    if (media->fmt->nb_programs > 1)
        rn_losses_add(losses, "programs", "'%s': %u programs are not kept", output,
                      media->fmt->nb_programs);
    if (rn_io_timecode(media->fmt))
        rn_losses_add(losses, "timecode", "'%s': the timecode is not kept", output);
}

static void report_headerless(const struct rn_write_pair *p)
{
    const struct rn_write_written *w = p->written;
    struct rn_io_rational rate = w->media->stream.rate;
    rn_write_lose(p, "header", 0, "", "no header says that the pictures are %dx%d, %s, %.6g fps",
                  w->w, w->h, av_get_pix_fmt_name(w->coded),
                  rate.den ? (double)rate.num / rate.den : 0);
    rn_write_compare_pictures(p);
    if (p->media->fmt)
        report_omitted_headers(w->losses, w->name, w->media);
}

struct rn_write_shortfall rn_write_compare(const struct rn_write_written *w)
{
    struct rn_write_shortfall lacks = {0};
    struct rn_write_pair p = {.written = w, .media = w->media, .lacks = &lacks};
    if (!w->losses)
        return lacks;
    if (w->out && rn_container_of_output(w->out->oformat)->no_header) {
        report_headerless(&p); /* readers accept anything */
        return lacks;
    }
    struct stat st;
    int found = w->temp ? rn_path_look(w->temp, &st) : 0; /* < 0: opening it reports why */
    if (!w->head && (!found || (found > 0 && !S_ISREG(st.st_mode)))) { /* others read a pipe */
        rn_write_compare_pictures(&p);
        return lacks;
    }
    int sounds = 0;
    for (unsigned i = 0; w->out && i < w->out->nb_streams; i++)
        sounds += kind_of(w->out->streams[i]) == SOUND;
    RN_OWNED(rn_write_look_close) struct rn_write_look look = {.video = -1};
    int ret = rn_write_look_open(&look, w->temp, w->head, w->name, sounds);
    bool readable = w->temp && w->out && rn_container_of_output(w->out->oformat)->always_readable;
    lacks.unreadable = ret == AVERROR_INVALIDDATA && readable;
    if (ret < 0 && !lacks.unreadable)
        rn_losses_add(w->losses, "unread",
                      "'%s': FFmpeg cannot read it again (%s), so what it keeps beside the "
                      "pictures is not known",
                      w->name, rn_io_error(ret));
    if (ret < 0)
        return lacks;
    p.look = &look;
    p.is = look.fmt;
    rn_write_compare_pictures(&p);
    if (w->temp && w->out)
        compare_loops(&p);
    if (p.media->fmt && w->out) {
        compare_streams(&p);
        compare_tags(&p);
        compare_chapters(&p);
        unsigned n = w->out->nb_programs, gone = n - FFMIN(n, p.is->nb_programs);
        if (n > 1 && gone)
            rn_write_lose(&p, "programs", RN_KEEPS_PROGRAMS, "; .ts keeps them",
                          "%u of %u programs %s not kept", gone, n, rn_is_or_are(gone));
        compare_timecode(&p);
    }
    if (w->temp && w->out)
        rn_write_compare_lengths(&p);
    return lacks;
}

/* ---- outputs of pictures only */

void rn_write_omitted_begin(struct rn_write_omitted *l, const char *output,
                            const struct rn_io_media *media, const char *audio, const char *subs,
                            struct rn_losses *losses)
{
    if (!media->fmt || !losses)
        return;
    *l = (struct rn_write_omitted){.media = media, .losses = losses};
    for (unsigned i = 0; i < media->fmt->nb_streams; i++) {
        const AVStream *st = media->fmt->streams[i];
        enum AVMediaType type = st->codecpar->codec_type;
        const char *wanted = type == AVMEDIA_TYPE_AUDIO      ? audio
                             : type == AVMEDIA_TYPE_SUBTITLE ? subs
                                                             : NULL;
        if (rn_read_stream_is_copied(media->fmt, media->video, (int)i) &&
            (!wanted || strcmp(wanted, "none") != 0))
            rn_write_lose_stream(losses, output, st, "this output holds pictures only");
    }
    report_omitted_headers(losses, output, media);
}

/* Times of a constant rate are rounded, to a millisecond at worst. */
void rn_write_omitted_watch(struct rn_write_omitted *l, const struct rn_frame *frame)
{
    int64_t step = frame->pts - l->pts;
    if (l->n == 1)
        l->step = step;
    double tick = av_q2d(rn_io_to_av(l->media->stream.time_base));
    int64_t slack = l->step / 4 > 1 || tick > 0.001 ? l->step / 4 : 1;
    l->varies |= l->n > 1 && llabs(step - l->step) > slack;
    l->pts = frame->pts;
    l->n++;
}

void rn_write_omitted_end(const struct rn_write_omitted *l, const char *output, bool rated)
{
    if (!l->media || l->n < 2)
        return;
    struct rn_io_rational rate = l->media->stream.rate;
    char text[32];
    snprintf(text, sizeof text, rate.den == 1 ? "%d" : "%d/%d", rate.num, rate.den);
    if (l->varies)
        rn_losses_add(l->losses, "times",
                      "'%s': the times of the pictures, which vary, are not kept", output);
    else if (!rated && rate.num > 0 && rate.den > 0 && rate.num != USUAL_RATE * rate.den)
        rn_losses_add(l->losses, "rate",
                      "'%s': the rate of the pictures is not kept: --fps %s when they are read "
                      "again",
                      output, text);
}
