#include "io/write/compare.h"

#include "io/read/av.h"
#include "io/write/container.h"
#include "io/write/loops.h"
#include "io/write/traits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <libavutil/avstring.h>
#include <libavutil/pixdesc.h>
#include <libavutil/spherical.h>
#include <libavutil/stereo3d.h>

#define LEAD_IN_US 100000 /* of any sound encoder: less */

/* Both sides. */
struct pair {
    const struct rn_written *written;
    const struct rn_media *media;
    struct rn_look *look;
    const AVFormatContext *is;
};

struct names {
    char text[160];
    int n, left; /* counted; those that found no place */
};

static void add_name(struct names *names, const char *name)
{
    names->n++;
    if (strlen(names->text) + strlen(name) + 3 > sizeof names->text - 20)
        names->left++;
    else
        av_strlcatf(names->text, sizeof names->text, "%s%s", *names->text ? ", " : "", name);
}

/* The list, with how many more there are. */
static const char *listed(struct names *names)
{
    if (names->left)
        av_strlcatf(names->text, sizeof names->text, " and %d more", names->left);
    names->left = 0;
    return names->text;
}

/* Who would have kept it, if that is another container. */
static const char *advice(const struct pair *p, const char *text, const char *keepers)
{
    const AVFormatContext *out = p->written->out;
    return !out || av_match_name(out->oformat->name, keepers) ? "" : text;
}

static void lose(const struct pair *p, const char *kind, const char *text, const char *more)
{
    rn_losses_add(p->written->losses, kind, "'%s': %s%s", p->written->name, text, more);
}

/* ---- the pictures */

static bool is_rgb(enum AVPixelFormat fmt)
{
    const AVPixFmtDescriptor *desc = av_pix_fmt_desc_get(fmt);
    return desc && desc->flags & (AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL);
}

static bool is_hdr_curve(enum AVColorTransferCharacteristic transfer)
{
    return transfer == AVCOL_TRC_SMPTE2084 || transfer == AVCOL_TRC_ARIB_STD_B67;
}

static bool is_wide(enum AVColorPrimaries primaries)
{
    return primaries == AVCOL_PRI_BT2020 || primaries == AVCOL_PRI_SMPTE431 ||
           primaries == AVCOL_PRI_SMPTE432;
}

/* A filter, or the encoder's format, made the pictures something that the input's words do not
 * describe any more. */
static void forget_what_changed(const struct rn_written *w, struct rn_traits *was)
{
    const struct rn_geom *from = &rn_source_stream(w->source)->geom, *to = &w->geom;
    const AVPixFmtDescriptor *coded = av_pix_fmt_desc_get(w->coded);
    bool other = from->fmt.model != to->fmt.model || from->matrix != to->matrix;
    bool rgb = is_rgb(w->coded) || to->fmt.model == RN_RGB;
    if (w->w == from->h && w->h == from->w && w->w != w->h) /* the pixels were turned */
        was->rotation = 0;
    if (other || rgb || to->fmt.model == RN_GRAY)
        was->matrix = AVCOL_SPC_UNSPECIFIED;
    if (rgb && !is_hdr_curve(was->transfer))
        was->transfer = AVCOL_TRC_UNSPECIFIED;
    if (rgb)
        was->primaries = AVCOL_PRI_UNSPECIFIED;
    if (rgb || !from->fmt.sub_x || coded->log2_chroma_w != from->fmt.sub_x ||
        coded->log2_chroma_h != from->fmt.sub_y)
        was->chroma = AVCHROMA_LOC_UNSPECIFIED;
    if (!w->out) { /* image files are taken for sRGB, which has these */
        was->transfer = is_hdr_curve(was->transfer) ? was->transfer : AVCOL_TRC_UNSPECIFIED;
        was->primaries = is_wide(was->primaries) ? was->primaries : AVCOL_PRI_UNSPECIFIED;
    }
    bool left = was->chroma == AVCHROMA_LOC_TOPLEFT || was->chroma == AVCHROMA_LOC_BOTTOMLEFT;
    if (!from->fmt.sub_y && left) /* as many rows of chroma: their place is no other */
        was->chroma = AVCHROMA_LOC_LEFT;
}

static void describe_input(const struct pair *p, struct rn_traits *was)
{
    const struct rn_written *w = p->written;
    const struct rn_stream *stream = rn_source_stream(w->source);
    const AVPixFmtDescriptor *coded = av_pix_fmt_desc_get(w->coded);
    if (p->media->fmt)
        rn_traits_add_stream(was, p->media->fmt->streams[p->media->video]);
    rn_traits_add_frame(was, p->media->first);
    was->w = w->w;
    was->h = w->h;
    was->aspect = stream->aspect.den ? rn_to_av(stream->aspect) : (AVRational){0, 1};
    was->alpha = w->geom.fmt.alpha && coded->flags & AV_PIX_FMT_FLAG_ALPHA;
    was->range = w->full_range ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG;
    forget_what_changed(w, was);
}

static void say_size(const struct pair *p, const struct rn_traits *was, const struct rn_traits *is)
{
    char text[100];
    snprintf(text, sizeof text, "the size %dx%d has become %dx%d", was->w, was->h, is->w, is->h);
    lose(p, "size", text, "");
}

static void say_aspect(const struct pair *p, const struct rn_traits *was,
                       const struct rn_traits *is)
{
    char text[120], now[40] = "is gone";
    if (is->aspect.num > 0)
        snprintf(now, sizeof now, "has become %d:%d", is->aspect.num, is->aspect.den);
    snprintf(text, sizeof text, "the pixels' aspect %d:%d %s",
             was->aspect.num > 0 ? was->aspect.num : 1, was->aspect.num > 0 ? was->aspect.den : 1,
             now);
    lose(p, "aspect", text, advice(p, "; .mkv and .mp4 keep it", "matroska,mp4,mov"));
}

static void say_rotation(const struct pair *p, const struct rn_traits *was,
                         const struct rn_traits *is)
{
    char text[120];
    snprintf(text, sizeof text, "the rotation by %.0f degrees %s", was->rotation,
             is->rotation == 0 ? "is gone" : "is another");
    lose(p, "rotation", text, advice(p, "; .mp4 and .mov keep it", "mp4,mov"));
}

static void say_fields(const struct pair *p, const struct rn_traits *was,
                       const struct rn_traits *is)
{
    static const char *const names[] = {"no fields", "no fields", "the top field first",
                                        "the bottom field first"};
    char text[160];
    snprintf(text, sizeof text, "the field order is another: %s, not %s", names[is->fields],
             names[was->fields]);
    lose(p, "fields", text, "");
}

static void say_range(const struct pair *p, const struct rn_traits *was, const struct rn_traits *is)
{
    (void)is;
    lose(p, "range",
         was->range == AVCOL_RANGE_JPEG ? "that the colours have full range is not kept"
                                        : "the limited range of the colours is called full",
         advice(p, "; .mkv and .mp4 keep it", "matroska,mp4,mov"));
}

static void add_colour(struct names *names, const char *what, bool known, int was, int is,
                       const char *text)
{
    char name[60];
    if (!known || was == is)
        return;
    snprintf(name, sizeof name, "%s %s", what, text ? text : "unknown");
    add_name(names, name);
}

static void say_colour(const struct pair *p, const struct rn_traits *was,
                       const struct rn_traits *is)
{
    struct names names = {.n = 0};
    char text[240];
    add_colour(&names, "primaries",
               was->primaries != AVCOL_PRI_UNSPECIFIED && was->primaries != AVCOL_PRI_RESERVED0,
               was->primaries, is->primaries, av_color_primaries_name(was->primaries));
    add_colour(&names, "transfer",
               was->transfer != AVCOL_TRC_UNSPECIFIED && was->transfer != AVCOL_TRC_RESERVED0,
               was->transfer, is->transfer, av_color_transfer_name(was->transfer));
    add_colour(&names, "matrix", was->matrix != AVCOL_SPC_UNSPECIFIED, was->matrix, is->matrix,
               av_color_space_name(was->matrix));
    snprintf(text, sizeof text, "the colour tags are not kept: %s", listed(&names));
    lose(p, "colour", text, advice(p, "; .mkv and .mp4 keep them", "matroska,mp4,mov"));
}

static void say_chroma(const struct pair *p, const struct rn_traits *was,
                       const struct rn_traits *is)
{
    const char *name = av_chroma_location_name(was->chroma);
    char text[120];
    (void)is;
    snprintf(text, sizeof text, "the place of the chroma samples (%s) is not kept",
             name ? name : "?");
    lose(p, "chroma", text, "");
}

static void say_stereo(const struct pair *p, const struct rn_traits *was,
                       const struct rn_traits *is)
{
    char text[120];
    (void)is;
    snprintf(text, sizeof text, "how the stereo views are packed (%s) is not kept",
             av_stereo3d_type_name((unsigned)was->stereo - 1));
    lose(p, "stereo", text, advice(p, "; .mkv keeps it", "matroska"));
}

static void say_spherical(const struct pair *p, const struct rn_traits *was,
                          const struct rn_traits *is)
{
    char text[120];
    (void)is;
    snprintf(text, sizeof text, "the spherical projection (%s) is not kept",
             av_spherical_projection_name(was->spherical - 1));
    lose(p, "spherical", text, advice(p, "; .mkv and .mp4 keep it", "matroska,mp4,mov"));
}

static void say_alpha(const struct pair *p, const struct rn_traits *was, const struct rn_traits *is)
{
    (void)was, (void)is;
    lose(p, "alpha", "the transparency (alpha) is gone", advice(p, "; .mkv keeps it", "matroska"));
}

static void say_captions(const struct pair *p, const struct rn_traits *was,
                         const struct rn_traits *is)
{
    (void)was, (void)is;
    lose(p, "captions", "the closed captions in the pictures are gone", "");
}

static void say_icc(const struct pair *p, const struct rn_traits *was, const struct rn_traits *is)
{
    (void)was, (void)is;
    lose(p, "colour", "the colour profile (ICC) is gone", "");
}

static void say_light(const struct pair *p, unsigned differ)
{
    struct names names = {.n = 0};
    char text[240];
    if (differ & RN_TRAIT_MASTERING)
        add_name(&names, "mastering display");
    if (differ & RN_TRAIT_LIGHT)
        add_name(&names, "content light level");
    if (differ & RN_TRAIT_HDR10_PLUS)
        add_name(&names, "HDR10+");
    if (differ & RN_TRAIT_DOLBY_VISION)
        add_name(&names, "Dolby Vision");
    if (!names.n)
        return;
    snprintf(text, sizeof text, "HDR metadata is not kept: %s", listed(&names));
    bool still = differ & (RN_TRAIT_MASTERING | RN_TRAIT_LIGHT);
    lose(p, "hdr", text, still ? advice(p, "; .mkv and .mp4 keep it", "matroska,mp4,mov") : "");
}

static void compare_pictures(const struct pair *p)
{
    static const struct {
        enum rn_trait trait;
        void (*say)(const struct pair *p, const struct rn_traits *was, const struct rn_traits *is);
    } lines[] = {
        {RN_TRAIT_SIZE, say_size},         {RN_TRAIT_ASPECT, say_aspect},
        {RN_TRAIT_ROTATION, say_rotation}, {RN_TRAIT_FIELDS, say_fields},
        {RN_TRAIT_ALPHA, say_alpha},       {RN_TRAIT_RANGE, say_range},
        {RN_TRAIT_COLOUR, say_colour},     {RN_TRAIT_CHROMA, say_chroma},
        {RN_TRAIT_STEREO, say_stereo},     {RN_TRAIT_SPHERICAL, say_spherical},
        {RN_TRAIT_CAPTIONS, say_captions}, {RN_TRAIT_ICC, say_icc},
    };
    struct rn_traits was = {.w = 0}, is = {.w = 0};
    const AVStream *st = p->look ? rn_look_pictures(p->look) : NULL;
    if (p->look && !st) {
        lose(p, "missing", "no pictures are found in what was written", "");
        return;
    }
    describe_input(p, &was);
    unsigned ignored = is_rgb(p->written->coded) ? RN_TRAIT_RANGE : 0;
    if (!p->written->out) /* the file format says it for all */
        ignored = RN_TRAIT_RANGE | RN_TRAIT_CHROMA | RN_TRAIT_ALPHA;
    if (st)
        rn_traits_add_stream(&is, st);
    else
        is.aspect = was.aspect; /* the sinks of our own keep it */
    unsigned differ = rn_traits_differ(&was, &is) & ~ignored;
    /* Of the chroma samples the header may say one thing and the pictures another. */
    bool unsure =
        differ || (was.chroma != AVCHROMA_LOC_UNSPECIFIED && was.chroma != AVCHROMA_LOC_LEFT);
    const AVFrame *first = st && unsure ? rn_look_decode(p->look) : NULL;
    if (first) {
        rn_traits_add_frame(&is, first);
        differ = rn_traits_differ(&was, &is) & ~ignored;
    }
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        if (differ & lines[i].trait)
            lines[i].say(p, &was, &is);
    say_light(p, differ);
}

/* ---- tags */

/* Describes the old file or its maker, or stands elsewhere: in side data, in the container's own
 * fields. */
static bool is_own_tag(const char *key)
{
    static const char *const own[] = {
        "encoder",
        "creation_time",
        "major_brand",
        "minor_version",
        "compatible_brands",
        "handler_name",
        "vendor_id",
        "timecode",
        "alpha_mode",
        "stereo_mode",
        "loop",
        "rotate",
        "filename",
        "mimetype",
        "variant_bitrate",
        "service_name",
        "service_provider",
        "uid",
        "generation_uid",
        "company_name",
        "modification_date",
        "operational_pattern_ul",
    };
    static const char *const begins[] = {
        "BPS",          "NUMBER_OF_",       "_STATISTICS_", "DURATION",   "id3v2_priv",
        "WM/",          "WMFSDK",           "IsVBR",        "DeviceConf", "metadatacreator",
        "file_package", "material_package", "product_",     "toolkit_",   "application_platform",
    };
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        if (!av_strcasecmp(key, own[i]))
            return true;
    for (size_t i = 0; i < sizeof begins / sizeof begins[0]; i++)
        if (av_stristart(key, begins[i], NULL))
            return true;
    return false;
}

static bool has_tag(const AVDictionary *tags, const AVDictionaryEntry *tag)
{
    const AVDictionaryEntry *e = av_dict_get(tags, tag->key, NULL, 0);
    return e && !strcmp(e->value, tag->value);
}

static bool is_worth_keeping(const AVDictionaryEntry *tag)
{
    return *tag->value && !is_own_tag(tag->key) &&
           (av_strcasecmp(tag->key, "language") != 0 || strcmp(tag->value, "und") != 0);
}

static void compare_tags(const struct pair *p)
{
    struct names gone = {.n = 0};
    const AVDictionaryEntry *e = NULL;
    char text[240];
    while ((e = av_dict_get(p->media->fmt->metadata, "", e, AV_DICT_IGNORE_SUFFIX)))
        if (is_worth_keeping(e) && !has_tag(p->is->metadata, e))
            add_name(&gone, e->key);
    snprintf(text, sizeof text, "tags are not kept: %s", listed(&gone));
    if (gone.n)
        lose(p, "tags", text, advice(p, "; .mkv keeps them", "matroska,webm"));
}

/* ---- the streams */

/* Kinds by which streams of the input and of the output find each other: containers order and
 * number them as they like. */
enum kind { PICTURES, SOUND, SUBTITLES, COVER, ATTACHMENT, OTHER };

static enum kind kind_of(const AVStream *st)
{
    const AVDictionaryEntry *type = av_dict_get(st->metadata, "mimetype", NULL, 0);
    bool image = type && av_strstart(type->value, "image/", NULL);
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

static int count_kind(const AVFormatContext *fmt, enum kind kind)
{
    int n = 0;
    for (unsigned i = 0; i < fmt->nb_streams; i++)
        n += kind_of(fmt->streams[i]) == kind;
    return n;
}

/* The stream of the output that stream i of what was given to the muxer has become, or NULL. */
static const AVStream *find_stream(const struct pair *p, unsigned i)
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

static void add_stream_tags(const AVStream *was, const AVStream *is, struct names *gone)
{
    const AVDictionaryEntry *e = NULL;
    while ((e = av_dict_get(was->metadata, "", e, AV_DICT_IGNORE_SUFFIX))) {
        char name[80];
        if (!is_worth_keeping(e) || has_tag(is->metadata, e))
            continue;
        snprintf(name, sizeof name, "%.50s (%s)", e->key, kind_names[kind_of(was)]);
        if (!strstr(gone->text, name))
            add_name(gone, name);
    }
}

/* Of one stream of a kind it says nothing that it is the default, nor where the first one is. */
static int choices(const struct pair *p, const AVStream *st, bool input)
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

static void add_dispositions(const struct pair *p, const AVStream *was, const AVStream *is,
                             struct names *other)
{
    int a = choices(p, was, true), b = choices(p, is, false);
    /* Containers without the flag play the first one. */
    if (!(a & AV_DISPOSITION_DEFAULT))
        b &= ~AV_DISPOSITION_DEFAULT;
    for (int bit = 1; bit > 0 && bit <= a + b; bit <<= 1) {
        const char *flag = (a ^ b) & bit ? av_disposition_to_string(bit) : NULL;
        char name[80];
        if (!flag)
            continue;
        snprintf(name, sizeof name, "%s (%s) %s", flag, kind_names[kind_of(was)],
                 b & bit ? "is new" : "is gone");
        if (!strstr(other->text, name))
            add_name(other, name);
    }
}

static bool same_coding(enum AVCodecID a, enum AVCodecID b)
{
    bool mpeg = (a == AV_CODEC_ID_MP1 || a == AV_CODEC_ID_MP2 || a == AV_CODEC_ID_MP3) &&
                (b == AV_CODEC_ID_MP1 || b == AV_CODEC_ID_MP2 || b == AV_CODEC_ID_MP3);
    return a == b || mpeg || a == AV_CODEC_ID_NONE || b == AV_CODEC_ID_NONE;
}

static void say_coding(const struct pair *p, const AVStream *was, const AVStream *is)
{
    enum kind kind = kind_of(was);
    char text[160];
    if ((kind != SOUND && kind != SUBTITLES) ||
        same_coding(was->codecpar->codec_id, is->codecpar->codec_id))
        return;
    snprintf(text, sizeof text, "a stream of %s becomes %s",
             avcodec_get_name(was->codecpar->codec_id), avcodec_get_name(is->codecpar->codec_id));
    lose(p, "codec", text, "");
}

/* Apple's players want hvc1. */
static void say_entry(const struct pair *p, const AVStream *was, const AVStream *is)
{
    unsigned hvc1 = MKTAG('h', 'v', 'c', '1'), hev1 = MKTAG('h', 'e', 'v', '1');
    if (was->codecpar->codec_tag == hvc1 && is->codecpar->codec_tag == hev1)
        lose(p, "codectag", "the sample entry hvc1 has become hev1", "; add --codec-opts tag=hvc1");
}

static double tick_us(const AVStream *st)
{
    double tick = 1e6 * av_q2d(st->time_base);
    return tick < 10000 ? tick : 10000;
}

/* Sound that was to begin earlier or later, counted from the first picture. Of sound that was
 * encoded anew a lead-in may stand before it, which is not heard. */
static void say_drift(const struct pair *p, unsigned i, const AVStream *was, const AVStream *is)
{
    const struct rn_written *w = p->written;
    const AVStream *pictures = rn_look_pictures(p->look), *given_as = w->out->streams[i];
    bool recoded = was->codecpar->codec_id != given_as->codecpar->codec_id;
    int nth, first = 0;
    int64_t found = rn_look_first_us(p->look, is->index, &nth);
    int64_t given = rn_remux_time_us(w->remux, given_as, recoded ? 0 : nth);
    int64_t zero = pictures ? rn_look_first_us(p->look, pictures->index, &first) : AV_NOPTS_VALUE;
    char text[160];
    if (given == AV_NOPTS_VALUE || found == AV_NOPTS_VALUE || zero == AV_NOPTS_VALUE || first ||
        w->first_us == AV_NOPTS_VALUE || kind_of(was) != SOUND)
        return;
    const AVStream *from = p->media->fmt->streams[p->media->video];
    double slack = fmax(tick_us(was), tick_us(is)) + fmax(tick_us(from), tick_us(pictures));
    double off = (double)((found - zero) - (given - w->first_us));
    if (recoded && off < 0 && off > -LEAD_IN_US)
        return;
    if (fabs(off) <= fmax(1.01 * slack, 1000))
        return;
    snprintf(text, sizeof text, "sound begins %.1f ms %s against the pictures than in the input",
             fabs(off) / 1000, off > 0 ? "later" : "earlier");
    lose(p, "sync", text, "");
}

static void compare_streams(const struct pair *p)
{
    const AVFormatContext *out = p->written->out;
    struct names gone = {.n = 0}, tags = {.n = 0}, flags = {.n = 0};
    char text[240];
    for (unsigned i = 0; i < out->nb_streams; i++) {
        const AVStream *was = rn_remux_origin(p->written->remux, out->streams[i]);
        const AVStream *is = find_stream(p, i);
        if (was && !is) {
            /* of subtitles and data in a pipe nothing may have come yet */
            bool late = !p->written->temp && kind_of(was) != SOUND;
            if (!late)
                add_name(&gone, kind_names[kind_of(was)]);
        } else if (was) {
            add_stream_tags(was, is, &tags);
            add_dispositions(p, was, is, &flags);
            say_coding(p, out->streams[i], is);
            say_entry(p, was, is);
            say_drift(p, i, was, is);
        }
    }
    snprintf(text, sizeof text, "streams are missing: %s", listed(&gone));
    if (gone.n)
        lose(p, "missing", text, advice(p, "; .mkv holds more", "matroska"));
    snprintf(text, sizeof text, "tags of streams are not kept: %s", listed(&tags));
    if (tags.n)
        lose(p, "streamtags", text, advice(p, "; .mkv keeps them", "matroska,webm"));
    snprintf(text, sizeof text, "dispositions are not the same: %s", listed(&flags));
    if (flags.n)
        lose(p, "disposition", text, advice(p, "; .mkv keeps most", "matroska"));
}

/* ---- chapters, programs, timecode, loops */

static const char *title(const AVChapter *chapter)
{
    const AVDictionaryEntry *e = av_dict_get(chapter->metadata, "title", NULL, 0);
    return e ? e->value : "";
}

static void compare_chapters(const struct pair *p)
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
        snprintf(text, sizeof text, "%u of %u chapters are gone", n - has, n);
    else if (moved)
        snprintf(text, sizeof text, "%u of %u chapters begin at another time", moved, n);
    else if (renamed)
        snprintf(text, sizeof text, "the titles of %u of %u chapters are not kept", renamed, n);
    if (*text)
        lose(p, "chapters", text, advice(p, "; .mkv and .mp4 keep them", "matroska,mp4,mov"));
}

static void compare_programs(const struct pair *p)
{
    unsigned n = p->written->out->nb_programs, has = p->is->nb_programs;
    char text[100];
    snprintf(text, sizeof text, "%u of %u programs are not kept", has < n ? n - has : 0, n);
    if (n > 1 && has < n)
        lose(p, "programs", text, advice(p, "; .ts keeps them", "mpegts"));
}

static const char *timecode(const AVFormatContext *fmt)
{
    const AVDictionaryEntry *e = av_dict_get(fmt->metadata, "timecode", NULL, 0);
    for (unsigned i = 0; !e && i < fmt->nb_streams; i++)
        e = av_dict_get(fmt->streams[i]->metadata, "timecode", NULL, 0);
    return e ? e->value : NULL;
}

static void compare_timecode(const struct pair *p)
{
    const char *given = timecode(p->written->out), *is = timecode(p->is);
    const char *was = given || p->media->cut ? given : timecode(p->media->fmt);
    char text[120];
    if (!was || (is && !strcmp(was, is)))
        return;
    snprintf(text, sizeof text, "the timecode %.20s %s%.20s", was,
             is ? "has become " : "is not kept", is ? is : "");
    lose(p, "timecode", text, advice(p, "; .mov and .mkv keep it", "mov,matroska"));
}

static void compare_loops(const struct pair *p)
{
    int was = rn_loops_of(p->media->name), is = rn_loops_of(p->written->temp);
    char text[120], times[2][24] = {"for ever", "for ever"};
    if (was == RN_LOOPS_UNKNOWN || is == RN_LOOPS_UNKNOWN || was == is)
        return;
    if (was)
        snprintf(times[0], sizeof times[0], "%d times", was);
    if (is)
        snprintf(times[1], sizeof times[1], "%d times", is);
    snprintf(text, sizeof text, "the animation plays %s, not %s as its input", times[1], times[0]);
    lose(p, "loop", text, "");
}

void rn_compare(const struct rn_written *w)
{
    struct pair p = {.written = w, .media = rn_source_media(w->source)};
    if (!w->losses)
        return;
    if (!w->temp && !w->head) {
        compare_pictures(&p);
        return;
    }
    int sounds = w->out ? count_kind(w->out, SOUND) : 0;
    int ret = rn_look_open(&p.look, w->temp, w->head, w->name, sounds);
    if (ret < 0) {
        rn_losses_add(
            w->losses, "unread",
            "'%s': FFmpeg cannot read it again (%s), so what it keeps beside the pictures "
            "is not known",
            w->name, rn_av_error(ret));
        return;
    }
    p.is = rn_look_format(p.look);
    compare_pictures(&p);
    if (w->temp && w->out)
        compare_loops(&p);
    if (p.media->fmt && w->out) {
        compare_streams(&p);
        compare_tags(&p);
        compare_chapters(&p);
        compare_programs(&p);
        compare_timecode(&p);
    }
    rn_look_close(&p.look);
}
