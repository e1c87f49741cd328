#include "io/write/encode/sei.h"

#include <string.h>

#include <libavutil/intreadwrite.h>

#define UNIT_SEI      6
#define SEI_MASTERING 137
#define SEI_LIGHT     144
#define MOST_MESSAGES 1024 /* bytes of a unit that are looked at */

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

static void take_message(struct rn_io_traits *t, int type, const uint8_t *p, size_t n)
{
    if (type == SEI_MASTERING && n >= 24)
        take_mastering(t, p);
    if (type == SEI_LIGHT && n >= 4 && !t->light.MaxCLL && !t->light.MaxFALL)
        t->light = (AVContentLightMetadata){AV_RB16(p), AV_RB16(p + 2)};
}

/* A number in bytes of 255 and a last one. */
static size_t take_number(const uint8_t *p, size_t n, size_t *at)
{
    size_t value = 0;
    while (*at < n && p[*at] == 255)
        value += p[(*at)++];
    return *at < n ? value + p[(*at)++] : value;
}

/* The messages of one unit, whose n bytes stand behind its header. */
static void take_unit(struct rn_io_traits *t, const uint8_t *p, size_t n)
{
    uint8_t raw[MOST_MESSAGES];
    size_t len = 0, at = 0;
    int zeros = 0;
    for (size_t i = 0; i < n && len < sizeof raw; i++) {
        bool escape = zeros >= 2 && p[i] == 3;
        zeros = escape || p[i] ? 0 : zeros + 1;
        if (!escape)
            raw[len++] = p[i];
    }
    while (at + 2 <= len) {
        int type = (int)take_number(raw, len, &at);
        size_t size = take_number(raw, len, &at);
        if (size > len - at)
            break;
        take_message(t, type, raw + at, size);
        at += size;
    }
}

/* Units behind start codes; the bytes of the next start code do no harm at the end of one. */
static void take_stream(struct rn_io_traits *t, const uint8_t *p, size_t n)
{
    for (size_t i = 0; i + 4 < n; i++)
        if (AV_RB24(p + i) == 1 && (p[i + 3] & 31) == UNIT_SEI)
            take_unit(t, p + i + 4, n - i - 4);
}

/* Units behind their length, of `length` bytes. */
static void take_chain(struct rn_io_traits *t, const uint8_t *p, size_t n, size_t length)
{
    while (n > length) {
        size_t size = 0;
        for (size_t i = 0; i < length; i++)
            size = size << 8 | p[i];
        p += length;
        n -= length;
        if (!size || size > n)
            return;
        if ((p[0] & 31) == UNIT_SEI)
            take_unit(t, p + 1, size - 1);
        p += size;
        n -= size;
    }
}

void rn_write_sei_add_light(struct rn_io_traits *t, const AVCodecParameters *par,
                            const AVPacket *pkt)
{
    if (par->codec_id != AV_CODEC_ID_H264 || pkt->size <= 0)
        return;
    if (par->extradata_size > 4 && par->extradata[0] == 1)
        take_chain(t, pkt->data, (size_t)pkt->size, 1 + (par->extradata[4] & 3));
    else
        take_stream(t, pkt->data, (size_t)pkt->size);
}
