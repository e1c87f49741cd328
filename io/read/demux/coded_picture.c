/* SPDX-License-Identifier: MIT */
#include "io/read/demux/coded_picture.h"

#include <libavutil/intreadwrite.h>
#include <libavutil/mem.h>

#include "io/containers/file.h"

/* Less is a place for a picture that the encoder left out: the one before stays. */
#define LEAST_PICTURE 20

/* ---- H.264 and HEVC: a chain of NAL units */

struct rn_read_units rn_read_units_of(const AVCodecParameters *par, const AVPacket *pkt)
{
    int at = par->codec_id == AV_CODEC_ID_H264 ? 4 : 21; /* how long lengths are, in extradata */
    bool has = par->extradata_size > at && par->extradata[0] == 1;
    return (struct rn_read_units){pkt->data, (size_t)pkt->size,
                                  has ? 1 + (par->extradata[at] & 3) : 0};
}

const uint8_t *rn_read_units_next(struct rn_read_units *u)
{
    size_t n = 0;
    if (u->length) {
        if (u->size <= (size_t)u->length)
            return NULL;
        for (int i = 0; i < u->length; i++)
            n = n << 8 | u->p[i];
        const uint8_t *unit = u->p + u->length;
        size_t rest = u->size - (size_t)u->length;
        n = n < rest ? n : rest;
        u->p = unit + n;
        u->size = rest - n;
        return unit;
    }
    while (u->size > 3 && AV_RB24(u->p) != 1)
        u->p++, u->size--;
    if (u->size <= 3)
        return NULL;
    u->p += 3;
    u->size -= 3;
    return u->p;
}

static int type_of(const AVCodecParameters *par, const uint8_t *unit)
{
    return par->codec_id == AV_CODEC_ID_H264 ? unit[0] & 31 : unit[0] >> 1 & 63;
}

static bool is_slice(const AVCodecParameters *par, const uint8_t *unit)
{
    int type = type_of(par, unit);
    return par->codec_id == AV_CODEC_ID_H264 ? type >= 1 && type <= 5 : type <= 31;
}

/* The first slice decides. */
static struct rn_read_coded_picture look_at_units(const AVCodecParameters *par, const AVPacket *pkt)
{
    struct rn_read_units u = rn_read_units_of(par, pkt);
    const uint8_t *unit;
    while ((unit = rn_read_units_next(&u)) != NULL) {
        int type = type_of(par, unit);
        if (is_slice(par, unit))
            return par->codec_id == AV_CODEC_ID_H264
                       ? (struct rn_read_coded_picture){true, type == 5, false}
                       : (struct rn_read_coded_picture){true, type >= 16 && type <= 23,
                                                        type >= 6 && type <= 9};
    }
    return (struct rn_read_coded_picture){0};
}

/* Fewer zeros may be a slip of an encoder. */
#define LEAST_HOLE 8

static bool has_zeros(const uint8_t *begin, const uint8_t *end)
{
    for (const uint8_t *p = begin; p < end; p += LEAST_HOLE) {
        const uint8_t *first = p;
        while (first > begin && !*p && !first[-1])
            first--;
        while (p < end && !*p)
            p++;
        if (p - first >= LEAST_HOLE && p < end) /* at the end they may be filler */
            return true;
    }
    return false;
}

struct rn_read_coded_slices rn_read_coded_slices(const AVCodecParameters *par, const AVPacket *pkt)
{
    struct rn_read_coded_slices slices = {0};
    if ((par->codec_id != AV_CODEC_ID_H264 && par->codec_id != AV_CODEC_ID_HEVC) || pkt->size <= 0)
        return slices;
    struct rn_read_units u = rn_read_units_of(par, pkt);
    const uint8_t *unit = rn_read_units_next(&u), *next;
    for (; unit; unit = next) {
        const uint8_t *end = u.length ? u.p : pkt->data + pkt->size;
        next = rn_read_units_next(&u);
        if (next && !u.length)
            end = next - 3; /* the start code */
        if (!is_slice(par, unit))
            continue;
        /* HEVC: of alpha, depth or another eye. The bytes behind a packet can be read. */
        bool further = par->codec_id == AV_CODEC_ID_HEVC && (unit[0] & 1 || unit[1] >> 3);
        slices.n += !further;
        slices.hole = slices.hole || has_zeros(unit, end);
    }
    return slices;
}

/* ---- VP8, VP9 */

/* Several frames in one packet (the last byte says so) are one that is shown and those it needs. */
static bool is_superframe(const AVPacket *pkt)
{
    return (pkt->data[pkt->size - 1] & 0xe0) == 0xc0;
}

/* The bit that says whether a frame is shown again stands behind the profile, of which the last has
 * one more bit; two behind it, the one that says whether this frame is shown. */
static int again_bit(const AVPacket *pkt)
{
    return (pkt->data[0] >> 4 & 3) == 3 ? 2 : 3;
}

/* Shows the picture of another packet, which may bring that one's number. */
static bool vp9_shows_again(const AVPacket *pkt)
{
    return !is_superframe(pkt) && pkt->data[0] >> again_bit(pkt) & 1;
}

bool rn_read_coded_picture_shows(enum AVCodecID codec, const AVPacket *pkt)
{
    if (pkt->size < 1 || pkt->flags & AV_PKT_FLAG_DISCARD)
        return false;
    switch (codec) {
    case AV_CODEC_ID_VP8:
        return pkt->data[0] & 0x10;
    case AV_CODEC_ID_VP9:
        return is_superframe(pkt) || vp9_shows_again(pkt) ||
               pkt->data[0] >> (again_bit(pkt) - 2) & 1;
    case AV_CODEC_ID_GIF:
        return rn_container_gif_holds_picture(pkt->data, (size_t)pkt->size);
    case AV_CODEC_ID_THEORA:
        return !(pkt->data[0] & 0x80); /* else a header, where files were chained */
    default:
        return true;
    }
}

struct rn_read_coded_picture rn_read_coded_picture(const AVCodecParameters *par,
                                                   const AVPacket *pkt)
{
    bool shows = rn_read_coded_picture_shows(par->codec_id, pkt);
    struct rn_read_coded_picture picture = {shows, pkt->flags & AV_PKT_FLAG_KEY, false};
    if (!shows)
        return picture;
    switch (par->codec_id) {
    case AV_CODEC_ID_H264:
    case AV_CODEC_ID_HEVC:
        return look_at_units(par, pkt);
    case AV_CODEC_ID_VP8:
    case AV_CODEC_ID_AV1: /* of a temporal unit one picture is shown */
        break;
    case AV_CODEC_ID_VP9:
        picture.due = !vp9_shows_again(pkt);
        break;
    default:
        picture.due = pkt->size >= LEAST_PICTURE;
        break;
    }
    return picture;
}

/* ---- counting */

static bool may_have_fields(const AVCodecParameters *par)
{
    return par->codec_id == AV_CODEC_ID_H264 && par->field_order != AV_FIELD_PROGRESSIVE;
}

bool rn_read_shown_all(const AVCodecParameters *par)
{
    return !may_have_fields(par) && par->codec_id != AV_CODEC_ID_VP8 &&
           par->codec_id != AV_CODEC_ID_VP9;
}

bool rn_read_shown_open(struct rn_read_shown *s, const AVCodecParameters *par)
{
    s->codec = par->codec_id;
    if (!may_have_fields(par))
        return true;
    s->parser = av_parser_init(par->codec_id);
    s->context = avcodec_alloc_context3(NULL);
    if (!s->parser || !s->context || avcodec_parameters_to_context(s->context, par) < 0)
        return false;
    s->parser->flags |= PARSER_FLAG_COMPLETE_FRAMES;
    return true;
}

void rn_read_shown_close(struct rn_read_shown *s)
{
    av_parser_close(s->parser);
    avcodec_free_context(&s->context);
}

static bool is_second_field(struct rn_read_shown *s, const AVPacket *pkt)
{
    uint8_t *out;
    int size;
    s->parser->picture_structure = AV_PICTURE_STRUCTURE_UNKNOWN;
    av_parser_parse2(s->parser, s->context, &out, &size, pkt->data, pkt->size, pkt->pts, pkt->dts,
                     pkt->pos);
    enum AVPictureStructure current = s->parser->picture_structure;
    bool field =
        current == AV_PICTURE_STRUCTURE_TOP_FIELD || current == AV_PICTURE_STRUCTURE_BOTTOM_FIELD;
    bool second = field && s->half != AV_PICTURE_STRUCTURE_UNKNOWN && s->half != current;
    s->half = field && !second ? current : AV_PICTURE_STRUCTURE_UNKNOWN;
    return second;
}

bool rn_read_shown_take(struct rn_read_shown *s, const AVPacket *pkt)
{
    if (pkt->size <= 0)
        return false;
    bool second = s->parser && is_second_field(s, pkt);
    return !second && rn_read_coded_picture_shows(s->codec, pkt);
}
