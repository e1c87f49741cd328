/* SPDX-License-Identifier: MIT */
#include "io/pixels/pixfmt.h"

#include "filters/base/log.h"
#include "io/pixels/convert.h"

#include <errno.h>
#include <string.h>

#include <libavutil/opt.h>

enum AVPixelFormat rn_pix_format_to_av(const struct rn_format *fmt)
{
    if (fmt->number == RN_NUMBER_SIGNED)
        return AV_PIX_FMT_NONE;
    if (fmt->model == RN_GRAY && fmt->alpha)
        return fmt->depth == 8    ? AV_PIX_FMT_YA8
               : fmt->depth == 16 ? AV_PIX_FMT_YA16
                                  : AV_PIX_FMT_NONE;
    char name[24];
    return av_get_pix_fmt(rn_format_name(fmt, name));
}

enum AVPixelFormat rn_pix_pixfmt_plain(enum AVPixelFormat fmt, bool *full_range)
{
    static const enum AVPixelFormat pairs[][2] = {
        {AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUV420P}, {AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUV422P},
        {AV_PIX_FMT_YUVJ444P, AV_PIX_FMT_YUV444P}, {AV_PIX_FMT_YUVJ440P, AV_PIX_FMT_YUV440P},
        {AV_PIX_FMT_YUVJ411P, AV_PIX_FMT_YUV411P},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        if (fmt == pairs[i][0]) {
            if (full_range)
                *full_range = true;
            return pairs[i][1];
        }
    }
    return fmt;
}

bool rn_pix_frame_is_opaque(const AVFrame *frame)
{
    const AVPixFmtDescriptor *desc = av_pix_fmt_desc_get(frame->format);
    const AVComponentDescriptor *alpha = &desc->comp[3];
    if (!(desc->flags & AV_PIX_FMT_FLAG_ALPHA) || desc->nb_components < 4 || alpha->depth != 8)
        return true;
    for (int y = 0; y < frame->height; y++) {
        const uint8_t *row = frame->data[alpha->plane] + y * frame->linesize[alpha->plane];
        for (int x = 0; x < frame->width; x++)
            if (row[x * alpha->step + alpha->offset] != 255)
                return false;
    }
    return true;
}

bool rn_pix_format_of_frame(const AVFrame *frame, struct rn_format *fmt, bool *exact)
{
    const AVPixFmtDescriptor *desc = av_pix_fmt_desc_get(rn_pix_pixfmt_plain(frame->format, NULL));
    if (!desc || desc->flags & AV_PIX_FMT_FLAG_HWACCEL || !desc->nb_components)
        return false;
    int depth = 0;
    for (int c = 0; c < desc->nb_components; c++)
        depth = desc->comp[c].depth > depth ? desc->comp[c].depth : depth;
    /* The descriptors of rgb8 and its kin contradict what decoders and swscale make of them. */
    bool coarse = desc->flags & AV_PIX_FMT_FLAG_RGB && depth < 4;
    bool real = desc->flags & AV_PIX_FMT_FLAG_FLOAT;
    *exact = !(desc->flags & AV_PIX_FMT_FLAG_BAYER) && (real ? depth == 32 : depth <= 16) &&
             !coarse && !strstr(desc->name, "xyz");
    *fmt = (struct rn_format){.model = rn_pix_pixfmt_is_gray(desc) ? RN_GRAY : RN_YUV};
    if (desc->flags & AV_PIX_FMT_FLAG_RGB || desc->flags & AV_PIX_FMT_FLAG_PAL || !*exact)
        fmt->model = rn_pix_pixfmt_is_gray(desc) ? RN_GRAY : RN_RGB;
    if (desc->flags & AV_PIX_FMT_FLAG_PAL) {
        depth = 8;
        for (int i = 0; i < 256; i++)
            fmt->alpha |= frame->data[1][4 * i + (AV_HAVE_BIGENDIAN ? 0 : 3)] != 255;
    } else {
        fmt->alpha = desc->flags & AV_PIX_FMT_FLAG_ALPHA;
    }
    fmt->depth = depth < 8 ? 8 : depth > 16 ? 16 : depth;
    if (real && *exact) {
        fmt->depth = 32;
        fmt->number = RN_NUMBER_FLOAT;
    }
    if (fmt->model == RN_YUV) {
        int sx = desc->log2_chroma_w, sy = desc->log2_chroma_h;
        fmt->sub_x = sx > 0; /* 4:1:1 becomes 4:2:2, 4:1:0 becomes 4:2:0, 4:4:0 becomes 4:4:4 */
        fmt->sub_y = sx > 0 && sy > 0;
        *exact = *exact && sx == fmt->sub_x && sy == fmt->sub_y;
    }
    /* swscale needs a format that libav has: the next depth up. */
    while (!*exact && fmt->depth < 16 && rn_pix_format_to_av(fmt) == AV_PIX_FMT_NONE)
        fmt->depth++;
    return true;
}

enum rn_colour_matrix rn_pix_matrix_of(enum AVColorSpace space, int w, int h, bool *assumed)
{
    *assumed = false;
    switch (space) {
    case AVCOL_SPC_BT709:
        return RN_BT709;
    case AVCOL_SPC_BT2020_NCL:
    case AVCOL_SPC_BT2020_CL:
        return RN_BT2020;
    case AVCOL_SPC_BT470BG:
    case AVCOL_SPC_SMPTE170M:
        return RN_BT601;
    default:
        *assumed = true;
        return w >= 1280 || h > 576 ? RN_BT709 : RN_BT601;
    }
}

struct rn_pix_siting rn_pix_siting_of(enum AVChromaLocation place)
{
    static const struct rn_pix_siting sitings[] = {
        [AVCHROMA_LOC_UNSPECIFIED] = RN_SITING_LEFT,
        [AVCHROMA_LOC_LEFT] = RN_SITING_LEFT,
        [AVCHROMA_LOC_CENTER] = {RN_SITE_BETWEEN, RN_SITE_BETWEEN},
        [AVCHROMA_LOC_TOPLEFT] = {RN_SITE_FIRST, RN_SITE_FIRST},
        [AVCHROMA_LOC_TOP] = {RN_SITE_BETWEEN, RN_SITE_FIRST},
        [AVCHROMA_LOC_BOTTOMLEFT] = {RN_SITE_FIRST, RN_SITE_LAST},
        [AVCHROMA_LOC_BOTTOM] = {RN_SITE_BETWEEN, RN_SITE_LAST},
    };
    bool known = place > 0 && place < (int)(sizeof sitings / sizeof sitings[0]);
    return sitings[known ? place : AVCHROMA_LOC_UNSPECIFIED];
}

int rn_pix_geom_of_frame(const AVFrame *frame, struct rn_geom *geom)
{
    *geom = (struct rn_geom){RN_SIZED(struct rn_geom), .w = frame->width, .h = frame->height};
    bool exact, assumed, full = frame->color_range == AVCOL_RANGE_JPEG;
    if (!rn_pix_format_of_frame(frame, &geom->fmt, &exact)) {
        const char *name = av_get_pix_fmt_name(frame->format);
        return rn_fail(RN_EINPUT, "pictures in the pixel format %s cannot be read",
                       name ? name : "(none)");
    }
    if (frame->width > RN_MAX_SIDE || frame->height > RN_MAX_SIDE)
        return rn_fail(RN_EINPUT, "pictures of %dx%d are too large: at most %d pixels a side",
                       frame->width, frame->height, RN_MAX_SIDE);
    rn_pix_pixfmt_plain(frame->format, &full);
    /* Gray without a tag comes from scanners and image files. */
    geom->full_range = full || geom->fmt.model == RN_RGB ||
                       (geom->fmt.model == RN_GRAY && frame->color_range != AVCOL_RANGE_MPEG);
    geom->high = geom->fmt.number == RN_NUMBER_FLOAT; /* white is 1 in image files of floats */
    geom->matrix = geom->fmt.model == RN_YUV
                       ? rn_pix_matrix_of(frame->colorspace, frame->width, frame->height, &assumed)
                       : RN_BT601;
    return 0;
}

int rn_pix_pixfmt_component(const struct rn_format *fmt, int p)
{
    static const int rgb[] = {1, 2, 0, 3}; /* our planes are G B R A */
    return fmt->model == RN_RGB ? rgb[p] : p;
}

struct SwsContext *rn_pix_sws_open(int w, int h, const struct rn_pix_sws_side *from,
                                   const struct rn_pix_sws_side *to)
{
    if (!sws_isSupportedInput(from->fmt) || !sws_isSupportedOutput(to->fmt))
        return NULL;
    errno = 0; /* sws_alloc_context returns a context also where its defaults found no memory */
    struct SwsContext *sws = sws_alloc_context();
    int ret = sws && errno != ENOMEM ? 0 : AVERROR(ENOMEM);
    static const int spaces[] = {
        [RN_BT601] = SWS_CS_ITU601, [RN_BT709] = SWS_CS_ITU709, [RN_BT2020] = SWS_CS_BT2020};
    const struct {
        const char *name;
        int value;
    } options[] = {
        {"srcw", w},
        {"srch", h},
        {"dstw", w},
        {"dsth", h},
        {"src_format", from->fmt},
        {"dst_format", to->fmt},
        {"sws_flags", RN_SWS_FLAGS},
        /* Before sws_init_context, which decides whether rows may be copied. */
        {"src_range", from->full_range},
        {"dst_range", to->full_range},
    };
    for (size_t i = 0; i < sizeof options / sizeof options[0] && ret >= 0; i++)
        ret = av_opt_set_int(sws, options[i].name, options[i].value, 0);
    if (ret < 0 || sws_init_context(sws, NULL, NULL) < 0) {
        sws_freeContext(sws);
        return NULL;
    }
    /* Fails for formats without a matrix, which need none. */
    sws_setColorspaceDetails(sws, sws_getCoefficients(spaces[from->matrix]), from->full_range,
                             sws_getCoefficients(spaces[to->matrix]), to->full_range, 0, 1 << 16,
                             1 << 16);
    return sws;
}

int rn_pix_frame_buffer(AVFrame **frame, enum AVPixelFormat fmt, int w, int h)
{
    *frame = av_frame_alloc();
    if (!*frame)
        return rn_fail_memory();
    (*frame)->format = fmt;
    (*frame)->width = w;
    (*frame)->height = h;
    return av_frame_get_buffer(*frame, 0) < 0 ? rn_fail_memory() : 0;
}
