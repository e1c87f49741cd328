/* SPDX-License-Identifier: MIT */
#include "io/write/encode/encoder.h"

#include "io/common/av.h"
#include "io/common/av_versions.h"
#include "io/write/encode/two_pass.h"

#include <libavutil/pixdesc.h>

/* ---- the format */

bool rn_write_encoder_needs_full_chroma(const struct rn_write_encoder_setup *setup)
{
    const struct rn_geom *g = &setup->geom;
    return g->fmt.model == RN_YUV && ((g->fmt.sub_x && g->w % 2) || (g->fmt.sub_y && g->h % 2)) &&
           (!strcmp(setup->codec->name, "libx264") || !strcmp(setup->codec->name, "libx265"));
}

/* Is it full-range Y'CbCr in a file whose readers all take it for limited? Gray is full everywhere.
 */
static bool is_narrowed(const struct rn_write_encoder_setup *setup)
{
    return setup->limited && setup->geom.full_range && setup->geom.fmt.model == RN_YUV;
}

int rn_write_encoder_choose_format(const struct rn_write_encoder_setup *setup,
                                   enum AVPixelFormat *fmt)
{
    struct rn_geom geom = setup->geom;
    if (rn_write_encoder_needs_full_chroma(setup))
        geom.fmt.sub_x = geom.fmt.sub_y = 0;
    if (is_narrowed(setup))
        geom.full_range = false;
    /* 256 steps do not fit between 16 and 235: with two more bits, lossless coding keeps them. */
    if (is_narrowed(setup) && setup->codec->id == AV_CODEC_ID_FFV1 && geom.fmt.depth <= 14)
        geom.fmt.depth += 2;
    const enum AVPixelFormat *list = setup->formats ? setup->formats : rn_io_pix_fmts(setup->codec);
    enum AVPixelFormat rgb[64];
    if (setup->pix_fmt)
        return rn_pix_export_find(setup->pix_fmt, list, setup->codec->name, fmt);
    if (list && setup->display_file && setup->codec->id == AV_CODEC_ID_TIFF) {
        /* Without Y'CbCr: readers of such files expect RGB or gray. */
        int n = 0;
        for (; *list != AV_PIX_FMT_NONE && n + 1 < (int)(sizeof rgb / sizeof rgb[0]); list++) {
            const AVPixFmtDescriptor *desc = av_pix_fmt_desc_get(*list);
            if (desc->nb_components < 3 || desc->flags & AV_PIX_FMT_FLAG_RGB)
                rgb[n++] = *list;
        }
        rgb[n] = AV_PIX_FMT_NONE;
        list = rgb;
    }
    *fmt = rn_pix_export_choose(&geom, list);
    return *fmt != AV_PIX_FMT_NONE ? 0 : rn_pix_export_refuse(&geom, setup->codec->name);
}

/* Are samples of fmt coded with full range? R'G'B' becomes Y'CbCr of limited range, which every
 * player understands. */
static bool is_full_range(const struct rn_write_encoder_setup *setup, enum AVPixelFormat fmt)
{
    bool jpeg = setup->codec->id == AV_CODEC_ID_MJPEG || setup->codec->id == AV_CODEC_ID_LJPEG;
    return jpeg || av_strstart(av_get_pix_fmt_name(fmt), "yuvj", NULL) ||
           (setup->geom.full_range && setup->geom.fmt.model != RN_RGB && !is_narrowed(setup));
}

static enum rn_colour_matrix matrix_of(const struct rn_write_encoder_setup *setup)
{
    bool bt601 = rn_io_traits_prescribes_bt601(setup->codec->id, setup->display_file);
    return bt601 ? RN_BT601 : setup->geom.matrix;
}

int rn_write_encoder_export(struct rn_pix_export **exp, const struct rn_write_encoder_setup *setup,
                            enum AVPixelFormat fmt)
{
    return rn_pix_export_create(exp, &setup->geom, fmt, is_full_range(setup, fmt), matrix_of(setup),
                                setup->media->first->chroma_location);
}

/* Sets the source's tags, except those that no longer match the pictures. */
static void set_colours(AVCodecContext *ctx, const struct rn_write_encoder_setup *setup,
                        enum AVPixelFormat fmt)
{
    const AVFrame *first = setup->media->first;
    const struct rn_io_stream *stream = &setup->media->stream;
    const struct rn_geom *from = &stream->geom;
    enum rn_colour_matrix matrix = matrix_of(setup);
    bool assumed, full = is_full_range(setup, fmt);
    bool misleads =
        rn_pix_matrix_of(AVCOL_SPC_UNSPECIFIED, ctx->width, ctx->height, &assumed) != matrix;
    ctx->color_primaries = first->color_primaries;
    ctx->color_trc = first->color_trc;
    if (av_pix_fmt_desc_get(fmt)->flags & (AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL)) {
        ctx->colorspace = AVCOL_SPC_RGB;
        ctx->color_range = AVCOL_RANGE_JPEG;
        return;
    }
    ctx->chroma_sample_location = first->chroma_location;
    ctx->colorspace = first->colorspace;
    if (from->fmt.model == RN_RGB || from->matrix != matrix ||
        (stream->matrix_assumed && misleads)) /* the size has changed */
        ctx->colorspace = matrix == RN_BT709    ? AVCOL_SPC_BT709
                          : matrix == RN_BT2020 ? AVCOL_SPC_BT2020_NCL
                                                : AVCOL_SPC_SMPTE170M;
    ctx->color_range = first->color_range;
    if (from->fmt.model == RN_RGB || from->full_range != full)
        ctx->color_range = full ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG;
}

/* ---- options */

/* libav's defaults aim at 200 kbit/s; these at pictures that show the filters, not the coding. */
static int set_defaults(AVCodecContext *ctx, AVDictionary **options)
{
    static const char *const defaults[][3] = {
        {"libx264", "crf", "18"},        {"libx264rgb", "crf", "18"}, {"libx265", "crf", "20"},
        {"libvpx-vp9", "crf", "24"},     {"libvpx-vp9", "b", "0"},    {"libvpx-vp9", "row-mt", "1"},
        {"libvpx-vp9", "cpu-used", "3"}, {"libvpx", "crf", "10"},     {"libvpx", "b", "8M"},
        {"libaom-av1", "crf", "24"},     {"libaom-av1", "b", "0"},    {"libsvtav1", "crf", "24"},
        {"ffv1", "level", "3"},          {"ffv1", "slicecrc", "1"},
    };
    static const char *const by_scale[] = {"mpeg4",   "mpeg2video", "mpeg1video", "mjpeg", "flv",
                                           "libxvid", "msmpeg4",    "wmv2",       "wmv1",  "h263p"};
    int ret = 0;
    if (rn_write_rate_option(*options))
        return 0;
    for (size_t i = 0; i < sizeof defaults / sizeof defaults[0] && ret >= 0; i++)
        if (!strcmp(ctx->codec->name, defaults[i][0]))
            ret = av_dict_set(options, defaults[i][1], defaults[i][2], AV_DICT_DONT_OVERWRITE);
    for (size_t i = 0; i < sizeof by_scale / sizeof by_scale[0]; i++) {
        if (strcmp(ctx->codec->name, by_scale[i]) != 0)
            continue;
        ctx->flags |= AV_CODEC_FLAG_QSCALE;
        ctx->global_quality = 2 * FF_QP2LAMBDA;
    }
    return ret;
}

/* Appends key=value to the option `list`, which holds options of a library (x264-params), unless it
 * has the key. Returns 0 or a libav error. */
static int append_option(AVDictionary **options, const char *list, const char *key,
                         const char *value)
{
    const AVDictionaryEntry *e = av_dict_get(*options, list, NULL, 0);
    if (e && strstr(e->value, key))
        return 0;
    char *text = av_asprintf("%s%s%s=%s", e ? e->value : "", e ? ":" : "", key, value);
    int ret = text ? av_dict_set(options, list, text, AV_DICT_DONT_STRDUP_VAL) : AVERROR(ENOMEM);
    return ret < 0 ? ret : 0;
}

static const void *find_side_data(const struct rn_io_media *media, enum AVFrameSideDataType frame,
                                  enum AVPacketSideDataType stream)
{
    const AVFrameSideData *sd = av_frame_get_side_data(media->first, frame);
    if (sd)
        return sd->data;
    const AVPacketSideData *own =
        media->fmt ? rn_io_find_side_data(media->fmt->streams[media->video], stream) : NULL;
    return own ? own->data : NULL;
}

static long in_units(AVRational value, double per_unit)
{
    return value.den ? lround(av_q2d(value) * per_unit) : 0;
}

/* Chromaticities in 1/50000, luminances in 1/10000 cd/m2, as the standards code them. */
static void print_display(const AVMasteringDisplayMetadata *m, char *text, size_t size)
{
    static const int order[3] = {1, 2, 0};
    for (int i = 0; i < 3; i++) {
        const AVRational *primary = m->display_primaries[order[i]];
        av_strlcatf(text, size, "%c(%ld,%ld)", "RGB"[order[i]], in_units(primary[0], 50000),
                    in_units(primary[1], 50000));
    }
    av_strlcatf(text, size, "WP(%ld,%ld)L(%ld,%ld)", in_units(m->white_point[0], 50000),
                in_units(m->white_point[1], 50000), in_units(m->max_luminance, 10000),
                in_units(m->min_luminance, 10000));
}

/* Adds the HDR10 metadata of the mastering display and of the content, for encoders that code it
 * only by options of their own. */
static int add_light(const AVCodec *codec, const struct rn_io_media *media, AVDictionary **options)
{
    const AVMasteringDisplayMetadata *display = find_side_data(
        media, AV_FRAME_DATA_MASTERING_DISPLAY_METADATA, AV_PKT_DATA_MASTERING_DISPLAY_METADATA);
    const AVContentLightMetadata *content =
        find_side_data(media, AV_FRAME_DATA_CONTENT_LIGHT_LEVEL, AV_PKT_DATA_CONTENT_LIGHT_LEVEL);
    bool x265 = !strcmp(codec->name, "libx265");
    const char *params = x265 ? "x265-params" : "x264-params";
    char text[200] = "";
    int ret = 0;
    if (!x265 && strcmp(codec->name, "libx264") != 0)
        return 0;
    if (display && display->has_primaries && display->has_luminance) {
        print_display(display, text, sizeof text);
        ret = append_option(options, params, x265 ? "master-display" : "mastering-display", text);
    }
    if (ret >= 0 && content) {
        snprintf(text, sizeof text, "%u,%u", content->MaxCLL, content->MaxFALL);
        ret = append_option(options, params, x265 ? "max-cll" : "cll", text);
    }
    return ret;
}

/* Sets properties that libraries take only by options of their own. By default x264 would call
 * every picture top field first, in whatever order it codes the fields. */
static int set_own_options(const struct rn_write_encoder_setup *setup, enum AVPixelFormat fmt,
                           AVDictionary **options)
{
    bool alpha = av_pix_fmt_desc_get(fmt)->flags & AV_PIX_FMT_FLAG_ALPHA;
    const struct rn_io_media *media = setup->media;
    const char *name = setup->codec->name;
    int ret = add_light(setup->codec, media, options);
    if (ret >= 0 && !strcmp(name, "libx265"))
        ret = append_option(options, "x265-params", "log-level", "error");
    if (ret >= 0 && !strcmp(name, "libvpx") && alpha) /* VP8 has one or the other */
        ret = av_dict_set(options, "auto-alt-ref", "0", AV_DICT_DONT_OVERWRITE);
    bool x264 = !strcmp(name, "libx264") || !strcmp(name, "libx264rgb");
    /* Else x264 weighs macroblocks by approximations that differ from processor to processor, and
     * (164) by memory that it never wrote where a row has no multiple of 8 of them. As fast. */
    if (ret >= 0 && x264)
        ret = append_option(options, "x264-params", "cpu-independent", "1");
    if (ret < 0 || !x264 || !rn_io_is_interlaced(media->first))
        return ret;
    const AVDictionaryEntry *own = av_dict_get(*options, "x264-params", NULL, 0);
    if (own && (strstr(own->value, "tff") || strstr(own->value, "bff")))
        return 0;
    return append_option(options, "x264-params",
                         rn_io_top_field_first(media->first) ? "tff" : "bff", "1");
}

int rn_write_encoder_configure(AVCodecContext *ctx, const struct rn_write_encoder_setup *setup,
                               enum AVPixelFormat fmt, AVRational time_base, bool fields,
                               AVDictionary **options)
{
    const struct rn_io_stream *stream = &setup->media->stream;
    bool quarter = setup->turn && rn_pix_orient_is_quarter(setup->turn);
    AVRational aspect = stream->aspect.den ? rn_io_to_av(stream->aspect) : (AVRational){0, 1};
    ctx->width = quarter ? setup->geom.h : setup->geom.w;
    ctx->height = quarter ? setup->geom.w : setup->geom.h;
    ctx->pix_fmt = fmt;
    ctx->time_base = time_base;
    if (stream->rate.num > 0 && stream->rate.den > 0)
        ctx->framerate = rn_io_to_av(stream->rate);
    if (setup->constant)
        ctx->framerate = av_inv_q(time_base);
    ctx->sample_aspect_ratio = quarter && aspect.num > 0 ? av_inv_q(aspect) : aspect;
    ctx->thread_count = rn_io_threads(setup->threads);
    ctx->flags |= AV_CODEC_FLAG_BITEXACT; /* the same bytes every time */
    if (setup->global_header)
        ctx->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
    set_colours(ctx, setup, fmt);
    const struct rn_io_media *media = setup->media;
    bool interlaced = rn_io_is_interlaced(media->first);
    /* In PNG the flag of interlacing means pictures that appear blurred and become clear. */
    bool png = ctx->codec_id == AV_CODEC_ID_PNG || ctx->codec_id == AV_CODEC_ID_APNG;
    if (interlaced && fields && !png)
        ctx->flags |= AV_CODEC_FLAG_INTERLACED_DCT | AV_CODEC_FLAG_INTERLACED_ME;
    ctx->field_order = media->field_order;
    if (interlaced &&
        (ctx->field_order == AV_FIELD_UNKNOWN || ctx->field_order == AV_FIELD_PROGRESSIVE))
        ctx->field_order = rn_io_top_field_first(media->first) ? AV_FIELD_TT : AV_FIELD_BB;
    int ret = setup->passes
                  ? rn_write_passes_configure(setup->passes, setup->rehearsal, ctx, options)
                  : 0;
    ret = ret < 0 ? ret : set_defaults(ctx, options);
    return ret < 0 ? ret : set_own_options(setup, fmt, options);
}
