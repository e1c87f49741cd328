#include "io/pixels/to_rgb.h"

#include <string.h>

#define BLOCK RN_RGB_BLOCK

bool rn_pix_to_rgb_fits(const struct rn_geom *geom, const AVPixFmtDescriptor *fmt)
{
    uint64_t bad = AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BITSTREAM | AV_PIX_FMT_FLAG_HWACCEL |
                   AV_PIX_FMT_FLAG_FLOAT | AV_PIX_FMT_FLAG_BAYER;
    if (geom->fmt.model != RN_YUV || geom->fmt.number != RN_NUMBER_UNSIGNED || geom->fmt.alpha ||
        fmt->flags & bad || !(fmt->flags & AV_PIX_FMT_FLAG_RGB) || strstr(fmt->name, "xyz"))
        return false;
    for (int c = 0; c < fmt->nb_components; c++)
        if (fmt->comp[c].depth < 8 || fmt->comp[c].depth != fmt->comp[0].depth)
            return false;
    return fmt->nb_components >= 3 && fmt->comp[0].depth <= 16;
}

/* Left where nothing is said: see RN_SITING_LEFT. */
struct rn_pix_siting rn_pix_to_rgb_siting(enum AVChromaLocation place)
{
    switch (place) {
    case AVCHROMA_LOC_CENTER:
        return (struct rn_pix_siting){RN_SITE_BETWEEN, RN_SITE_BETWEEN};
    case AVCHROMA_LOC_TOPLEFT:
        return (struct rn_pix_siting){RN_SITE_FIRST, RN_SITE_FIRST};
    case AVCHROMA_LOC_TOP:
        return (struct rn_pix_siting){RN_SITE_BETWEEN, RN_SITE_FIRST};
    case AVCHROMA_LOC_BOTTOMLEFT:
        return (struct rn_pix_siting){RN_SITE_FIRST, RN_SITE_LAST};
    case AVCHROMA_LOC_BOTTOM:
        return (struct rn_pix_siting){RN_SITE_BETWEEN, RN_SITE_LAST};
    default:
        return RN_SITING_LEFT;
    }
}

static void round_block(const float v[BLOCK], int n, float most, uint16_t *to)
{
    for (int i = 0; i < n; i++) {
        float level = v[i] * (most / 255) + 0.5f;
        level = level > 0 ? level : 0;
        to[i] = (uint16_t)(level < most ? level : most);
    }
}

void rn_pix_to_rgb(const struct rn_pix_rgb *rgb, const struct rn_image *img, bool by_field,
                   uint16_t *row, AVFrame *frame)
{
    const AVPixFmtDescriptor *fmt = av_pix_fmt_desc_get(frame->format);
    float most = (float)((1 << fmt->comp[0].depth) - 1), v[3][BLOCK];
    int w = img->geom.w;
    for (int y = 0; y < img->geom.h; y++) {
        for (int x = 0; x < w; x += BLOCK) {
            int n = w - x < BLOCK ? w - x : BLOCK;
            rn_pix_rgb_get(rgb, img, by_field, x, y, n, v);
            for (int c = 0; c < 3; c++)
                round_block(v[c], n, most, row + (ptrdiff_t)c * w + x);
        }
        for (int c = 0; c < 3; c++)
            av_write_image_line2(row + (ptrdiff_t)c * w, frame->data, frame->linesize, fmt, 0, y, c,
                                 w, 2);
    }
}
