/* SPDX-License-Identifier: MIT */
#include "io/common/traits.h"

#include "io/common/av_versions.h"
#include "io/common/tags.h"

#include <math.h>

#include <libavutil/avstring.h>
#include <libavutil/display.h>
#include <libavutil/pixdesc.h>
#include <libavutil/spherical.h>
#include <libavutil/stereo3d.h>

/* ---- from headers */

static void set_format(struct rn_io_traits *t, int format)
{
    const AVPixFmtDescriptor *desc = av_pix_fmt_desc_get(format);
    if (!desc)
        return;
    t->format = format;
    t->alpha |= (desc->flags & AV_PIX_FMT_FLAG_ALPHA) != 0;
    if (av_strstart(desc->name, "yuvj", NULL))
        t->range = AVCOL_RANGE_JPEG;
}

static enum rn_io_field_order fields_of(enum AVFieldOrder order)
{
    switch (order) {
    case AV_FIELD_PROGRESSIVE:
        return RN_FIELD_ORDER_NONE;
    case AV_FIELD_TT:
    case AV_FIELD_TB:
        return RN_FIELD_ORDER_TOP;
    case AV_FIELD_BB:
    case AV_FIELD_BT:
        return RN_FIELD_ORDER_BOTTOM;
    default:
        return RN_FIELD_ORDER_UNKNOWN;
    }
}

/* PNG's cHRM chunk comes as such: of sRGB, which is what nothing says, too. */
static bool is_srgb(const AVMasteringDisplayMetadata *m)
{
    static const double srgb[4][2] = {{0.64, 0.33}, {0.30, 0.60}, {0.15, 0.06}, {0.3127, 0.3290}};
    bool same = m->has_primaries && !m->has_luminance;
    for (int i = 0; i < 4 && same; i++)
        for (int k = 0; k < 2; k++)
            same &= fabs(av_q2d(i < 3 ? m->display_primaries[i][k] : m->white_point[k]) -
                         srgb[i][k]) < 0.001;
    return same;
}

static void set_mastering(struct rn_io_traits *t, const void *data)
{
    if (!is_srgb(data) && !t->mastering.has_primaries && !t->mastering.has_luminance)
        memcpy(&t->mastering, data, sizeof t->mastering);
}

static void set_light(struct rn_io_traits *t, const void *data)
{
    if (!t->light.MaxCLL && !t->light.MaxFALL)
        memcpy(&t->light, data, sizeof t->light);
}

static void set_stereo(struct rn_io_traits *t, const void *data)
{
    if (!t->stereo)
        t->stereo = (int)((const AVStereo3D *)data)->type + 1;
}

static void set_spherical(struct rn_io_traits *t, const void *data)
{
    if (!t->spherical)
        t->spherical = (int)((const AVSphericalMapping *)data)->projection + 1;
}

static void set_rotation(struct rn_io_traits *t, const void *data)
{
    double turned = t->rotation == 0 ? av_display_rotation_get(data) : t->rotation;
    t->rotation = isnan(turned) ? 0 : turned;
}

static void add_side_data(struct rn_io_traits *t, bool of_frame, int type, const void *data)
{
    static const struct {
        int in_stream, in_frame; /* the type there; -1: there is none */
        void (*set)(struct rn_io_traits *t, const void *data);
        size_t flag; /* without set: the member that becomes true */
    } kinds[] = {
#define FLAG(name) NULL, offsetof(struct rn_io_traits, name)
        {AV_PKT_DATA_DISPLAYMATRIX, AV_FRAME_DATA_DISPLAYMATRIX, set_rotation, 0},
        {AV_PKT_DATA_MASTERING_DISPLAY_METADATA, AV_FRAME_DATA_MASTERING_DISPLAY_METADATA,
         set_mastering, 0},
        {AV_PKT_DATA_CONTENT_LIGHT_LEVEL, AV_FRAME_DATA_CONTENT_LIGHT_LEVEL, set_light, 0},
        {AV_PKT_DATA_STEREO3D, AV_FRAME_DATA_STEREO3D, set_stereo, 0},
        {AV_PKT_DATA_SPHERICAL, AV_FRAME_DATA_SPHERICAL, set_spherical, 0},
        {AV_PKT_DATA_DOVI_CONF, AV_FRAME_DATA_DOVI_METADATA, FLAG(dolby_vision)},
        {-1, AV_FRAME_DATA_DYNAMIC_HDR_PLUS, FLAG(hdr10_plus)},
        {-1, AV_FRAME_DATA_A53_CC, FLAG(captions)},
        {-1, AV_FRAME_DATA_ICC_PROFILE, FLAG(icc)},
#undef FLAG
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if ((of_frame ? kinds[i].in_frame : kinds[i].in_stream) != type)
            continue;
        if (kinds[i].set)
            kinds[i].set(t, data);
        else
            *(bool *)((char *)t + kinds[i].flag) = true;
    }
}

bool rn_io_traits_prescribes_bt601(enum AVCodecID id, bool file)
{
    return id == AV_CODEC_ID_MJPEG || id == AV_CODEC_ID_LJPEG || id == AV_CODEC_ID_WEBP ||
           (file && id == AV_CODEC_ID_JPEG2000);
}

void rn_io_traits_add_stream(struct rn_io_traits *t, const AVStream *st)
{
    const AVCodecParameters *par = st->codecpar;
    const char *mode = rn_io_tag(st->metadata, "alpha_mode");
    t->w = par->width;
    t->h = par->height;
    t->aspect =
        st->sample_aspect_ratio.num > 0 ? st->sample_aspect_ratio : par->sample_aspect_ratio;
    t->fields = fields_of(par->field_order);
    t->range = par->color_range;
    set_format(t, par->format);
    t->alpha |= mode && !strcmp(mode, "1");
    t->primaries = par->color_primaries;
    t->transfer = par->color_trc;
    t->matrix = par->color_space;
    if (rn_io_traits_prescribes_bt601(par->codec_id, false)) /* decoders take that */
        t->matrix = AVCOL_SPC_BT470BG;
    t->chroma = par->chroma_location;
    int n;
    const AVPacketSideData *all = rn_io_side_data(st, &n);
    for (int i = 0; i < n; i++)
        add_side_data(t, false, (int)all[i].type, all[i].data);
}

/* ---- from pictures */

void rn_io_traits_set_matrix(struct rn_io_traits *t, const int32_t *matrix)
{
    t->rotation = 0;
    if (matrix)
        set_rotation(t, matrix);
}

void rn_io_traits_add_frame(struct rn_io_traits *t, const AVFrame *frame)
{
    if (!t->w) {
        t->w = frame->width;
        t->h = frame->height;
    }
    if (t->aspect.num <= 0)
        t->aspect = frame->sample_aspect_ratio;
    if (rn_io_is_interlaced(frame))
        t->fields = rn_io_top_field_first(frame) ? RN_FIELD_ORDER_TOP : RN_FIELD_ORDER_BOTTOM;
    if (t->range == AVCOL_RANGE_UNSPECIFIED)
        t->range = frame->color_range;
    set_format(t, frame->format);
    if (t->primaries == AVCOL_PRI_UNSPECIFIED || t->primaries == AVCOL_PRI_RESERVED0)
        t->primaries = frame->color_primaries;
    if (t->transfer == AVCOL_TRC_UNSPECIFIED || t->transfer == AVCOL_TRC_RESERVED0)
        t->transfer = frame->color_trc;
    if (t->matrix == AVCOL_SPC_UNSPECIFIED)
        t->matrix = frame->colorspace;
    if (frame->chroma_location != AVCHROMA_LOC_UNSPECIFIED)
        t->chroma = frame->chroma_location;
    for (int i = 0; i < frame->nb_side_data; i++)
        add_side_data(t, true, (int)frame->side_data[i]->type, frame->side_data[i]->data);
}

/* ---- comparing */

static double shape(const struct rn_io_traits *t)
{
    return t->aspect.num > 0 && t->aspect.den > 0 ? av_q2d(t->aspect) : 1;
}

/* Two names of one matrix. */
static bool is_bt601(enum AVColorSpace matrix)
{
    return matrix == AVCOL_SPC_BT470BG || matrix == AVCOL_SPC_SMPTE170M;
}

static bool other_colour(const struct rn_io_traits *was, const struct rn_io_traits *is)
{
    bool primaries = was->primaries != AVCOL_PRI_UNSPECIFIED &&
                     was->primaries != AVCOL_PRI_RESERVED0 && was->primaries != is->primaries;
    bool transfer = was->transfer != AVCOL_TRC_UNSPECIFIED &&
                    was->transfer != AVCOL_TRC_RESERVED0 && was->transfer != is->transfer;
    bool matrix = was->matrix != AVCOL_SPC_UNSPECIFIED && was->matrix != is->matrix &&
                  !(is_bt601(was->matrix) && is_bt601(is->matrix));
    return primaries || transfer || matrix;
}

static bool near(AVRational a, AVRational b)
{
    double x = a.den ? av_q2d(a) : 0, y = b.den ? av_q2d(b) : 0;
    return fabs(x - y) <= 0.0005 + 0.001 * fabs(x);
}

static bool other_mastering(const AVMasteringDisplayMetadata *a,
                            const AVMasteringDisplayMetadata *b)
{
    bool same = (!a->has_primaries || b->has_primaries) && (!a->has_luminance || b->has_luminance);
    for (int i = 0; i < 3 && a->has_primaries; i++)
        same &= near(a->display_primaries[i][0], b->display_primaries[i][0]) &&
                near(a->display_primaries[i][1], b->display_primaries[i][1]);
    if (a->has_luminance)
        same &=
            near(a->max_luminance, b->max_luminance) && near(a->min_luminance, b->min_luminance);
    return !same;
}

static unsigned bit(bool differs, enum rn_io_trait trait)
{
    return differs ? trait : 0;
}

unsigned rn_io_traits_differ(const struct rn_io_traits *was, const struct rn_io_traits *is)
{
    bool size = is->w > 0 && (was->w != is->w || was->h != is->h);
    bool full = was->range == AVCOL_RANGE_JPEG, is_full = is->range == AVCOL_RANGE_JPEG;
    double turned = fabs(was->rotation - is->rotation);
    double a = shape(was), b = shape(is), pixel = is->w > 0 ? 0.6 / is->w : 0;
    bool aspect = fabs(a - b) > a * fmax(pixel, 0.002); /* some containers round the size to show */
    bool fields = was->fields > RN_FIELD_ORDER_NONE, is_fields = is->fields > RN_FIELD_ORDER_NONE;
    bool light = was->light.MaxCLL || was->light.MaxFALL;
    bool chroma = was->chroma != AVCHROMA_LOC_UNSPECIFIED &&
                  was->chroma != AVCHROMA_LOC_LEFT; /* what everybody assumes */
    return bit(size, RN_TRAIT_SIZE) | bit(aspect, RN_TRAIT_ASPECT) |
           bit(!size && turned > 0.5 && turned < 359.5, RN_TRAIT_ROTATION) |
           bit(fields != is_fields || (fields && was->fields != is->fields), RN_TRAIT_FIELDS) |
           bit(was->alpha && !is->alpha, RN_TRAIT_ALPHA) | bit(full != is_full, RN_TRAIT_RANGE) |
           bit(other_colour(was, is), RN_TRAIT_COLOUR) |
           bit(chroma && was->chroma != is->chroma, RN_TRAIT_CHROMA) |
           bit(other_mastering(&was->mastering, &is->mastering), RN_TRAIT_MASTERING) |
           bit(light && (was->light.MaxCLL != is->light.MaxCLL ||
                         was->light.MaxFALL != is->light.MaxFALL),
               RN_TRAIT_LIGHT) |
           bit(was->dolby_vision && !is->dolby_vision, RN_TRAIT_DOLBY_VISION) |
           bit(was->hdr10_plus && !is->hdr10_plus, RN_TRAIT_HDR10_PLUS) |
           bit(was->captions && !is->captions, RN_TRAIT_CAPTIONS) |
           bit(was->icc && !is->icc, RN_TRAIT_ICC) |
           bit(was->stereo && was->stereo != is->stereo, RN_TRAIT_STEREO) |
           bit(was->spherical && was->spherical != is->spherical, RN_TRAIT_SPHERICAL);
}
