#include "io/write/encode/encoder_format.h"

#include "io/pixels/convert.h"
#include "io/pixels/pixfmt.h"
#include "io/common/av.h"
#include "io/common/av_versions.h"

#include <string.h>

#include <libavutil/avstring.h>
#include <libavutil/pixdesc.h>

/* The encoder's formats without Y'CbCr, for files whose readers expect RGB or gray. Ends with NONE.
 */
static void without_yuv(const enum AVPixelFormat *list, enum AVPixelFormat *out, int size)
{
    int n = 0;
    for (int i = 0; list[i] != AV_PIX_FMT_NONE && n + 1 < size; i++) {
        const AVPixFmtDescriptor *desc = av_pix_fmt_desc_get(list[i]);
        bool yuv = desc->nb_components >= 3 && !(desc->flags & AV_PIX_FMT_FLAG_RGB);
        if (!yuv)
            out[n++] = list[i];
    }
    out[n] = AV_PIX_FMT_NONE;
}

bool rn_write_encoder_needs_full_chroma(const struct rn_write_encoder_setup *setup)
{
    const struct rn_geom *g = &setup->geom;
    return g->fmt.model == RN_YUV && ((g->fmt.sub_x && g->w % 2) || (g->fmt.sub_y && g->h % 2)) &&
           (!strcmp(setup->codec->name, "libx264") || !strcmp(setup->codec->name, "libx265"));
}

/* Y'CbCr of full range that every reader of the file would take for limited. Gray has no such
 * difference: it is full everywhere. */
static bool is_narrowed(const struct rn_write_encoder_setup *setup)
{
    return setup->limited && setup->geom.full_range && setup->geom.fmt.model == RN_YUV;
}

/* 256 steps have no room between 16 and 235: two more bits keep them apart in the lossless coding
 * that has every depth. */
static void narrow(struct rn_geom *geom, const AVCodec *codec)
{
    geom->full_range = false;
    if (codec->id == AV_CODEC_ID_FFV1 && geom->fmt.depth <= 14)
        geom->fmt.depth += 2;
}

int rn_write_encoder_choose_format(const struct rn_write_encoder_setup *setup,
                                   enum AVPixelFormat *fmt)
{
    struct rn_geom geom = setup->geom;
    if (rn_write_encoder_needs_full_chroma(setup))
        geom.fmt.sub_x = geom.fmt.sub_y = 0;
    if (is_narrowed(setup))
        narrow(&geom, setup->codec);
    const enum AVPixelFormat *list = setup->formats ? setup->formats : rn_io_pix_fmts(setup->codec);
    enum AVPixelFormat rgb[64];
    if (setup->pix_fmt) {
        return rn_pix_export_find(setup->pix_fmt, list, setup->codec->name, fmt);
    }
    if (list && setup->display_file && setup->codec->id == AV_CODEC_ID_TIFF) {
        without_yuv(list, rgb, (int)(sizeof rgb / sizeof rgb[0]));
        list = rgb;
    }
    *fmt = rn_pix_export_choose(&geom, list);
    return *fmt != AV_PIX_FMT_NONE ? 0 : rn_pix_export_refuse(&geom, setup->codec->name);
}

static bool is_j(enum AVPixelFormat fmt)
{
    return av_strstart(av_get_pix_fmt_name(fmt), "yuvj", NULL);
}

bool rn_write_encoder_full_range(const struct rn_write_encoder_setup *setup, enum AVPixelFormat fmt)
{
    bool jpeg = setup->codec->id == AV_CODEC_ID_MJPEG || setup->codec->id == AV_CODEC_ID_LJPEG;
    /* RGB becomes limited-range Y'CbCr, which every player understands. */
    return jpeg || is_j(fmt) ||
           (setup->geom.full_range && setup->geom.fmt.model != RN_RGB && !is_narrowed(setup));
}
