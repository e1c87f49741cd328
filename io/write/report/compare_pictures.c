/* SPDX-License-Identifier: MIT */
#include "io/write/report/compare_internal.h"

#include "io/common/av.h"
#include "io/common/frame_data.h"
#include "io/read/demux/coded_picture.h"

#include <libavutil/intreadwrite.h>
#include <libavutil/pixdesc.h>
#include <libavutil/spherical.h>
#include <libavutil/stereo3d.h>

/* ---- HDR10 metadata in SEI messages of H.264, which FFmpeg's decoder returns since version 6.1 */

#define UNIT_SEI      6
#define SEI_MASTERING 137
#define SEI_LIGHT     144
#define MAX_MESSAGES  1024 /* bytes of a unit that are looked at */

/* Chromaticities in 1/50000, green first; luminances in 1/10000 cd/m2. */
static void take_mastering(struct rn_io_traits *t, const uint8_t *p)
{
    static const int order[3] = {1, 2, 0};
    AVMasteringDisplayMetadata *m = &t->mastering;
    if (m->has_primaries || m->has_luminance)
        return;
    for (int i = 0; i < 3; i++)
        for (int xy = 0; xy < 2; xy++)
            m->display_primaries[order[i]][xy] = (AVRational){AV_RB16(p + 4 * i + 2 * xy), 50000};
    m->white_point[0] = (AVRational){AV_RB16(p + 12), 50000};
    m->white_point[1] = (AVRational){AV_RB16(p + 14), 50000};
    m->max_luminance = (AVRational){(int)AV_RB32(p + 16), 10000};
    m->min_luminance = (AVRational){(int)AV_RB32(p + 20), 10000};
    m->has_primaries = m->has_luminance = 1;
}

/* The sum of bytes of 255 and of the first other byte. */
static size_t read_number(const uint8_t *p, size_t n, size_t *at)
{
    size_t value = 0;
    while (*at < n && p[*at] == 255)
        value += p[(*at)++];
    return *at < n ? value + p[(*at)++] : value;
}

/* Reads the messages of one unit, of n bytes after its header. */
static void take_unit(struct rn_io_traits *t, const uint8_t *p, size_t n)
{
    uint8_t raw[MAX_MESSAGES];
    size_t len = 0, at = 0;
    int zeros = 0;
    for (size_t i = 0; i < n && len < sizeof raw; i++) {
        bool escape = zeros >= 2 && p[i] == 3;
        zeros = escape || p[i] ? 0 : zeros + 1;
        if (!escape)
            raw[len++] = p[i];
    }
    while (at + 2 <= len) {
        int type = (int)read_number(raw, len, &at);
        size_t size = read_number(raw, len, &at);
        const uint8_t *payload = raw + at;
        if (size > len - at)
            break;
        if (type == SEI_MASTERING && size >= 24)
            take_mastering(t, payload);
        if (type == SEI_LIGHT && size >= 4 && !t->light.MaxCLL && !t->light.MaxFALL)
            t->light = (AVContentLightMetadata){AV_RB16(payload), AV_RB16(payload + 2)};
        at += size;
    }
}

/* Adds mastering display and content light level from a packet of a stream with these parameters,
 * unless t has them. */
static void add_sei_light(struct rn_io_traits *t, const AVCodecParameters *par, const AVPacket *pkt)
{
    if (par->codec_id != AV_CODEC_ID_H264 || pkt->size <= 0)
        return;
    struct rn_read_units units = rn_read_units_of(par, pkt);
    for (const uint8_t *unit; (unit = rn_read_units_next(&units)) != NULL;) {
        /* By start codes, the bytes of the next one do no harm at the end of a unit. */
        size_t n = units.length ? (size_t)(units.p - unit) : units.size;
        if (n && (unit[0] & 31) == UNIT_SEI)
            take_unit(t, unit + 1, n - 1);
    }
}

/* ---- what the output should keep */

static bool is_rgb(enum AVPixelFormat fmt)
{
    const AVPixFmtDescriptor *desc = av_pix_fmt_desc_get(fmt);
    return desc && desc->flags & (AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL);
}

static bool is_hdr_curve(enum AVColorTransferCharacteristic transfer)
{
    return transfer == AVCOL_TRC_SMPTE2084 || transfer == AVCOL_TRC_ARIB_STD_B67;
}

/* Drops descriptions of the input that no longer apply, because a filter or the encoder's format
 * has changed the pictures. */
static void forget_what_changed(const struct rn_write_written *w, struct rn_io_traits *was)
{
    const struct rn_geom *from = &w->media->stream.geom, *to = &w->geom;
    const AVPixFmtDescriptor *coded = av_pix_fmt_desc_get(w->coded);
    bool other = from->fmt.model != to->fmt.model || from->matrix != to->matrix;
    bool rgb = is_rgb(w->coded) || to->fmt.model == RN_RGB;
    if (other || rgb || to->fmt.model == RN_GRAY)
        was->matrix = AVCOL_SPC_UNSPECIFIED;
    if (rgb && !is_hdr_curve(was->transfer))
        was->transfer = AVCOL_TRC_UNSPECIFIED;
    if (rgb)
        was->primaries = AVCOL_PRI_UNSPECIFIED;
    if (rgb || !from->fmt.sub_x || coded->log2_chroma_w != from->fmt.sub_x ||
        coded->log2_chroma_h != from->fmt.sub_y)
        was->chroma = AVCHROMA_LOC_UNSPECIFIED;
    if (!w->out) { /* readers assume sRGB for image files */
        was->transfer = is_hdr_curve(was->transfer) ? was->transfer : AVCOL_TRC_UNSPECIFIED;
        bool wide = was->primaries == AVCOL_PRI_BT2020 || was->primaries == AVCOL_PRI_SMPTE431 ||
                    was->primaries == AVCOL_PRI_SMPTE432;
        was->primaries = wide ? was->primaries : AVCOL_PRI_UNSPECIFIED;
    }
    bool left = was->chroma == AVCHROMA_LOC_TOPLEFT || was->chroma == AVCHROMA_LOC_BOTTOMLEFT;
    if (!from->fmt.sub_y && left) /* chroma has all rows: vertical positions are equal */
        was->chroma = AVCHROMA_LOC_LEFT;
}

static void describe_input(const struct rn_write_pair *p, struct rn_io_traits *was)
{
    const struct rn_write_written *w = p->written;
    const struct rn_io_stream *stream = &w->media->stream;
    const AVPixFmtDescriptor *coded = av_pix_fmt_desc_get(w->coded);
    if (p->media->fmt)
        rn_io_traits_add_stream(was, p->media->fmt->streams[p->media->video]);
    rn_io_traits_add_frame(was, p->media->first);
    rn_io_traits_set_matrix(was, p->media->matrix);
    if (p->media->moved)
        was->stereo = was->spherical = 0;
    if (p->media->field_order == AV_FIELD_PROGRESSIVE)
        was->fields = RN_FIELD_ORDER_NONE;
    was->w = w->w;
    was->h = w->h;
    was->aspect = stream->aspect.den ? rn_io_to_av(stream->aspect) : (AVRational){0, 1};
    was->alpha = w->geom.fmt.alpha && coded->flags & AV_PIX_FMT_FLAG_ALPHA;
    was->range = w->full_range ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG;
    forget_what_changed(w, was);
}

/* ---- lines of the report */

static void report_shape(const struct rn_write_pair *p, const struct rn_io_traits *was,
                         const struct rn_io_traits *is, unsigned differ)
{
    static const char *const fields[] = {"no fields", "no fields", "the top field first",
                                         "the bottom field first"};
    if (differ & RN_TRAIT_SIZE)
        rn_write_lose(p, "size", 0, "", "the size %dx%d has become %dx%d", was->w, was->h, is->w,
                      is->h);
    if (differ & RN_TRAIT_ASPECT) {
        char current[40] = "is gone";
        if (is->aspect.num > 0)
            snprintf(current, sizeof current, "has become %d:%d", is->aspect.num, is->aspect.den);
        rn_write_lose(p, "aspect", RN_KEEPS_ASPECT, "; .mkv and .mp4 keep it",
                      "the pixels' aspect %d:%d %s", was->aspect.num > 0 ? was->aspect.num : 1,
                      was->aspect.num > 0 ? was->aspect.den : 1, current);
    }
    if (differ & RN_TRAIT_ROTATION)
        rn_write_lose(p, "rotation", RN_KEEPS_ROTATION, "; .mp4 and .mov keep it",
                      "the rotation by %.0f degrees %s", was->rotation,
                      is->rotation == 0 ? "is gone" : "is another");
    if (differ & RN_TRAIT_FIELDS)
        rn_write_lose(p, "fields", 0, "", "the field order is another: %s, not %s",
                      fields[is->fields], fields[was->fields]);
}

static void add_colour(struct rn_write_names *names, const char *what, bool known, int was, int is,
                       const char *text)
{
    char name[60];
    if (!known || was == is)
        return;
    snprintf(name, sizeof name, "%s %s", what, text ? text : "unknown");
    rn_write_names_add(names, name);
}

static void report_colour(const struct rn_write_pair *p, const struct rn_io_traits *was,
                          const struct rn_io_traits *is)
{
    struct rn_write_names names = {.n = 0};
    add_colour(&names, "primaries",
               was->primaries != AVCOL_PRI_UNSPECIFIED && was->primaries != AVCOL_PRI_RESERVED0,
               was->primaries, is->primaries, av_color_primaries_name(was->primaries));
    add_colour(&names, "transfer",
               was->transfer != AVCOL_TRC_UNSPECIFIED && was->transfer != AVCOL_TRC_RESERVED0,
               was->transfer, is->transfer, av_color_transfer_name(was->transfer));
    add_colour(&names, "matrix", was->matrix != AVCOL_SPC_UNSPECIFIED, was->matrix, is->matrix,
               av_color_space_name(was->matrix));
    rn_write_lose(p, "colour", RN_KEEPS_COLOUR, "; .mkv and .mp4 keep them",
                  "the colour tags are not kept: %s", rn_write_names_text(&names));
}

static void report_samples(const struct rn_write_pair *p, const struct rn_io_traits *was,
                           const struct rn_io_traits *is, unsigned differ)
{
    const char *chroma = av_chroma_location_name(was->chroma);
    if (differ & RN_TRAIT_ALPHA)
        rn_write_lose(p, "alpha", RN_KEEPS_ALPHA, "; .mkv keeps it",
                      "the transparency (alpha) is gone");
    if (differ & RN_TRAIT_RANGE)
        rn_write_lose(p, "range", RN_KEEPS_COLOUR, "; .mkv and .mp4 keep it", "%s",
                      was->range == AVCOL_RANGE_JPEG
                          ? "that the colours have full range is not kept"
                          : "the limited range of the colours is called full");
    if (differ & RN_TRAIT_COLOUR)
        report_colour(p, was, is);
    if (differ & RN_TRAIT_CHROMA)
        rn_write_lose(p, "chroma", 0, "", "the place of the chroma samples (%s) is not kept",
                      chroma ? chroma : "?");
}

static void report_side_data(const struct rn_write_pair *p, const struct rn_io_traits *was,
                             unsigned differ)
{
    struct rn_write_names names = {.n = 0};
    if (differ & RN_TRAIT_STEREO)
        rn_write_lose(p, "stereo", RN_KEEPS_STEREO, "; .mkv keeps it",
                      "how the stereo views are packed (%s) is not kept",
                      av_stereo3d_type_name((unsigned)was->stereo - 1));
    if (differ & RN_TRAIT_SPHERICAL)
        rn_write_lose(p, "spherical", RN_KEEPS_SPHERICAL, "; .mkv and .mp4 keep it",
                      "the spherical projection (%s) is not kept",
                      av_spherical_projection_name(was->spherical - 1));
    if (differ & RN_TRAIT_CAPTIONS)
        rn_write_lose(p, "captions", 0, "", "the closed captions in the pictures are gone");
    if (differ & RN_TRAIT_ICC)
        rn_write_lose(p, "colour", 0, "", "the colour profile (ICC) is gone");
    if (differ & RN_TRAIT_MASTERING && was->mastering.has_luminance)
        rn_write_names_add(&names, "mastering display");
    if (differ & RN_TRAIT_LIGHT)
        rn_write_names_add(&names, "content light level");
    if (differ & RN_TRAIT_HDR10_PLUS)
        rn_write_names_add(&names, "HDR10+");
    if (differ & RN_TRAIT_DOLBY_VISION)
        rn_write_names_add(&names, "Dolby Vision");
    if (differ & RN_TRAIT_MASTERING && !was->mastering.has_luminance)
        rn_write_lose(p, "colour", 0, "", "the chromaticities of the primaries are not kept");
    bool container_keeps = differ & (RN_TRAIT_MASTERING | RN_TRAIT_LIGHT);
    if (names.n)
        rn_write_lose(p, "hdr", RN_KEEPS_COLOUR, container_keeps ? "; .mkv and .mp4 keep it" : "",
                      "HDR metadata is not kept: %s", rn_write_names_text(&names));
}

/* Tags of image files belong to the picture: texts of PNG, EXIF. */
static void compare_tags(const struct rn_write_pair *p)
{
    struct rn_write_names gone = {.n = 0};
    const AVDictionary *was = p->media->first->metadata;
    if (p->media->fmt || !was)
        return;
    const AVFrame *is = p->look ? rn_write_look_decode(p->look) : NULL;
    if (p->look && !is)
        return;
    rn_write_names_add_tags(&gone, was, is ? is->metadata : NULL, NULL, true);
    if (gone.n)
        rn_write_lose(p, "tags", 0, "", "tags are not kept: %s", rn_write_names_text(&gone));
}

void rn_write_compare_pictures(const struct rn_write_pair *p)
{
    struct rn_io_traits was = RN_TRAITS_UNKNOWN, is = RN_TRAITS_UNKNOWN;
    const AVStream *st = p->look ? rn_write_look_pictures(p->look) : NULL;
    if (p->look && !st) {
        rn_write_lose(p, "missing", 0, "", "no pictures are found in what was written");
        return;
    }
    describe_input(p, &was);
    if (st && rn_io_traits_prescribes_bt601(st->codecpar->codec_id, !p->written->out))
        was.matrix = AVCOL_SPC_UNSPECIFIED; /* to which the samples were converted */
    unsigned ignored = p->written->requested | (is_rgb(p->written->coded) ? RN_TRAIT_RANGE : 0);
    if (!p->written->out) /* the file format implies it */
        ignored |= RN_TRAIT_RANGE | RN_TRAIT_CHROMA | RN_TRAIT_ALPHA;
    if (st)
        rn_io_traits_add_stream(&is, st);
    else
        is.alpha = was.alpha;
    /* No header was read: TIFF keeps the aspect, which for a scan is its spacing. */
    if (!st && !p->written->bare && !p->written->out)
        is.aspect = was.aspect;
    unsigned differ = rn_io_traits_differ(&was, &is) & ~ignored;
    /* The header and the pictures may specify different locations of the chroma samples. */
    bool unsure =
        differ || (was.chroma != AVCHROMA_LOC_UNSPECIFIED && was.chroma != AVCHROMA_LOC_LEFT);
    const AVFrame *first = st && unsure ? rn_write_look_decode(p->look) : NULL;
    if (first) {
        rn_io_traits_add_frame(&is, first);
        if (p->look->kept->n)
            add_sei_light(&is, st->codecpar, p->look->kept->packet[0]);
        differ = rn_io_traits_differ(&was, &is) & ~ignored;
    }
    report_shape(p, &was, &is, differ);
    report_samples(p, &was, &is, differ);
    report_side_data(p, &was, differ);
    compare_tags(p);
}
