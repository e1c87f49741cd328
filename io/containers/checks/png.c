/* SPDX-License-Identifier: MIT */
/* PNG and its animations: chunks of a length, a type, data, and a checksum. FFmpeg's demuxer of
 * APNG does not pass on the numbers of images and loops; since version 6 its decoder leaves out
 * primaries of colour spaces that it does not know. */
#include "io/containers/checks/checks.h"

#include "filters/base/log.h"
#include "io/common/read_at.h"
#include "io/containers/file.h"

#include <limits.h>

#include <zlib.h>

#include <libavutil/intreadwrite.h>

/* The data of the first chunk of a type, of which `least` bytes lie in the size bytes at p; NULL:
 * there is none in front of the samples. */
static const uint8_t *find_chunk(const uint8_t *p, size_t size, const char *type, size_t least)
{
    for (size_t pos = 8; pos + 8 + least <= size; pos += 12 + (size_t)AV_RB32(p + pos)) {
        if (!memcmp(p + pos + 4, type, 4))
            return p + pos + 8;
        if (!memcmp(p + pos + 4, "IDAT", 4))
            break;
    }
    return NULL;
}

void rn_container_apng_find_missing(const struct rn_container_input *in,
                                    struct rn_io_damage *damage)
{
    uint8_t head[4096];
    ssize_t n = rn_io_read_at(in->fd, head, sizeof head, 0);
    const uint8_t *control = find_chunk(head, n > 0 ? (size_t)n : 0, "acTL", 4);
    if (in->from_start && control)
        rn_container_add_missing(damage, (int64_t)AV_RB32(control) - in->read,
                                 RN_CONTAINER_LOST_IMAGES);
}

int rn_container_apng_loop_count(const uint8_t *head, int n)
{
    const uint8_t *control = find_chunk(head, (size_t)n, "acTL", 8);
    uint32_t loops = control ? AV_RB32(control + 4) : 0;
    return !control ? 0 : !loops || loops > INT_MAX ? RN_LOOP_FOREVER : (int)loops;
}

bool rn_container_png_is_complete(const uint8_t *p, size_t size)
{
    size_t pos = 8;
    while (size - pos >= 12 && pos < size) {
        size_t length = AV_RB32(p + pos);
        if (length > size - pos - 12)
            return false;
        if (!memcmp(p + pos + 4, "IEND", 4))
            return true;
        pos += 12 + length;
    }
    return false;
}

void rn_container_png_read(enum AVCodecID codec, const AVPacket *pkt,
                           struct rn_container_png_chunks *c)
{
    size_t size = codec == AV_CODEC_ID_PNG ? (size_t)pkt->size : 0;
    const uint8_t *value = find_chunk(pkt->data, size, "cHRM", 32);
    const uint8_t *dots = find_chunk(pkt->data, size, "pHYs", 9);
    AVMasteringDisplayMetadata *m = &c->primaries;
    AVRational pair[4][2];
    for (int i = 0; dots && dots[8] == 1 && i < 2; i++) /* per metre */
        c->dots[i] = AV_RB32(dots + 4 * i);
    for (int i = 0; value && i < 8; i++)
        pair[i / 2][i % 2] =
            (AVRational){(int)(AV_RB32(value + 4 * (size_t)i) & INT32_MAX), 100000};
    if (!value)
        return;
    memcpy(m->white_point, pair[0], sizeof pair[0]);
    memcpy(m->display_primaries, pair[1], 3 * sizeof pair[0]);
    m->has_primaries = 1;
}

/* Returns the bytes that n deflated ones become; a little more than `most` if those are more. */
static size_t inflated(const uint8_t *data, size_t n, size_t most)
{
    static _Thread_local uint8_t out[1 << 15];
    z_stream z = {.next_in = (Bytef *)data, .avail_in = (uInt)n};
    int ret = inflateInit(&z);
    while (ret == Z_OK && z.total_out <= most) {
        z.next_out = out;
        z.avail_out = sizeof out;
        ret = inflate(&z, Z_NO_FLUSH);
    }
    inflateEnd(&z);
    return z.total_out;
}

/* What a chunk takes when FFmpeg reads it; 0: it is no text. Behind a name and its zero zTXt and
 * iCCP have a method, and what is deflated. */
static size_t text_bytes(const uint8_t *type, const uint8_t *data, size_t n, size_t most)
{
    bool deflated = !memcmp(type, "zTXt", 4) || !memcmp(type, "iCCP", 4);
    if (!deflated && memcmp(type, "tEXt", 4) != 0 && memcmp(type, "iTXt", 4) != 0)
        return 0;
    const uint8_t *end = deflated ? memchr(data, 0, n) : NULL;
    size_t skip = end ? (size_t)(end - data) + 2 : n;
    return n + (skip < n ? inflated(data + skip, n - skip, most) : 1);
}

int rn_container_png_limit_texts(enum AVCodecID codec, uint8_t *data, int *size)
{
    size_t n = (size_t)*size, pos, to, left = RN_CONTAINER_MAX_TEXTS;
    int chunks = 0, dropped = 0;
    if ((codec != AV_CODEC_ID_PNG && codec != AV_CODEC_ID_APNG) || !data || *size < 8)
        return 0;
    pos = to = codec == AV_CODEC_ID_APNG ? 0 : 8; /* the demuxer takes the signature off */
    while (n - pos >= 12 && AV_RB32(data + pos) <= n - pos - 12) {
        size_t length = 12 + (size_t)AV_RB32(data + pos);
        size_t bytes = text_bytes(data + pos + 4, data + pos + 8, length - 12, left);
        bool kept = !bytes || (++chunks <= RN_CONTAINER_MAX_CHUNKS && bytes <= left);
        left = bytes <= left ? left - bytes : 0; /* none after one that is too long */
        if (kept && to < pos)
            memmove(data + to, data + pos, length);
        to += kept ? length : 0;
        dropped += !kept;
        pos += length;
    }
    memmove(data + to, data + pos, n - pos);
    *size -= (int)(pos - to);
    if (dropped)
        memset(data + *size, 0, pos - to);
    return dropped;
}

int rn_container_png_describe(AVFrame *frame, const struct rn_container_png_chunks *c)
{
    const AVMasteringDisplayMetadata *m = &c->primaries;
    char dots[60];
    snprintf(dots, sizeof dots, "%u x %u dots per metre", c->dots[0], c->dots[1]);
    if (c->dots[0] && av_dict_set(&frame->metadata, "resolution", dots, 0) < 0)
        return rn_fail_memory();
    if (!m->has_primaries || frame->color_primaries != AVCOL_PRI_UNSPECIFIED ||
        av_frame_get_side_data(frame, AV_FRAME_DATA_MASTERING_DISPLAY_METADATA))
        return 0;
    AVMasteringDisplayMetadata *own = av_mastering_display_metadata_create_side_data(frame);
    if (!own)
        return rn_fail_memory();
    *own = *m;
    return 0;
}
