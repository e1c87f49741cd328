/* SPDX-License-Identifier: MIT */
#include "io/dicom/pixels.h"

#include "io/common/av.h"
#include "io/volumes/bytes.h"

#include <libavutil/intreadwrite.h>

/* PS3.5 A.4: items have heads of 8 bytes, always little endian. The first item is the Basic Offset
 * Table. */
enum { HEAD = 8, ITEM = 0xE000, SEQUENCE_END = 0xE0DD };

struct rn_dicom_fragment {
    int64_t at; /* of its value */
    uint32_t size;
};

/* ---- items */

/* Returns false if the sequence does not end. */
static bool list_fragments(struct rn_dicom_pixels *p, int64_t at, struct rn_dicom_fragment *table)
{
    uint8_t head[HEAD];
    *table = (struct rn_dicom_fragment){0};
    for (bool is_table = true;; is_table = false) {
        if (rn_vol_bytes_read(p->bytes, at, head, HEAD) != HEAD || AV_RL16(head) != 0xFFFE)
            return false;
        struct rn_dicom_fragment item = {at + HEAD, AV_RL32(head + 4)};
        if (AV_RL16(head + 2) == SEQUENCE_END)
            return !is_table;
        if (AV_RL16(head + 2) != ITEM || item.size == UINT32_MAX)
            return false;
        if (is_table)
            *table = item;
        else if (!av_dynarray2_add((void **)&p->fragment, &p->fragments, sizeof item,
                                   (const uint8_t *)&item))
            return false;
        at += HEAD + (int64_t)item.size;
    }
}

/* ---- fragments of each frame */

/* A table has one offset for each frame, of `bytes` bytes, counted from the first fragment's item.
 * Each must point to an item behind the previous one. It may have more frames than the header. */
static bool follow_table(struct rn_dicom_pixels *p, int64_t at, int64_t size, size_t bytes)
{
    uint8_t offset[8];
    int i = 0;
    if (!p->fragments || size % (int64_t)bytes || size < p->frames * (int64_t)bytes)
        return false;
    p->first[p->frames] = p->fragments;
    for (int frame = 0; frame <= p->frames && frame * (int64_t)bytes < size; frame++, i++) {
        if (rn_vol_bytes_read(p->bytes, at + frame * (int64_t)bytes, offset, bytes) != bytes)
            return false;
        const uint64_t wanted = bytes == 8 ? AV_RL64(offset) : AV_RL32(offset);
        while (i < p->fragments && (uint64_t)(p->fragment[i].at - p->fragment[0].at) < wanted)
            i++;
        if (i == p->fragments || (uint64_t)(p->fragment[i].at - p->fragment[0].at) != wanted)
            return false;
        p->first[frame] = i;
    }
    return p->first[0] == 0;
}

/* PS3.5 G.5: a count of up to 15 segments, and the offset of the first. A frame is one fragment. */
static bool is_rle(const struct rn_dicom_pixels *p, const struct rn_dicom_fragment *f)
{
    uint8_t head[8];
    return f->size >= 64 && rn_vol_bytes_read(p->bytes, f->at, head, 8) == 8 && AV_RL32(head) &&
           AV_RL32(head) <= 15 && AV_RL32(head + 4) == 64;
}

/* JPEG and JPEG-LS begin with SOI and another marker, JPEG 2000 with SOC and SIZ. */
static bool begins_image(const struct rn_dicom_pixels *p, const struct rn_dicom_fragment *f)
{
    uint8_t mark[4];
    return f->size >= sizeof mark && rn_vol_bytes_read(p->bytes, f->at, mark, 4) == 4 &&
           ((mark[0] == 0xFF && mark[1] == 0xD8 && mark[2] == 0xFF) ||
            !memcmp(mark, "\xFF\x4F\xFF\x51", 4) || is_rle(p, f));
}

/* EOI and EOC have the same code; padding zeros may follow. */
static bool ends_image(const struct rn_dicom_pixels *p, const struct rn_dicom_fragment *f)
{
    uint8_t end[16];
    size_t n = f->size < sizeof end ? f->size : sizeof end;
    if (is_rle(p, f))
        return true;
    if (rn_vol_bytes_read(p->bytes, f->at + f->size - (int64_t)n, end, n) != n)
        return false;
    while (n > 0 && end[n - 1] == 0)
        n--;
    return n >= 2 && end[n - 2] == 0xFF && end[n - 1] == 0xD9;
}

static bool follow_marks(struct rn_dicom_pixels *p)
{
    int frame = 0, i = 0;
    bool ended = true;
    for (; i < p->fragments && !(ended && frame == p->frames); i++) {
        if (ended && !begins_image(p, &p->fragment[i]))
            return false;
        if (ended)
            p->first[frame++] = i;
        ended = ends_image(p, &p->fragment[i]);
    }
    p->first[p->frames] = i;
    return ended && frame == p->frames;
}

static bool assign_fragments(struct rn_dicom_pixels *p, const struct rn_dicom_pixel_data *data,
                             const struct rn_dicom_fragment *table)
{
    if (p->frames < 1 || p->frames > p->fragments)
        return false;
    p->first = calloc((size_t)p->frames + 1, sizeof *p->first);
    if (!p->first)
        return false;
    if (p->frames == 1) {
        p->first[1] = p->fragments;
        return true;
    }
    for (int i = 0; i <= p->frames && p->fragments == p->frames; i++)
        p->first[i] = i;
    if (p->fragments == p->frames) /* ignores the table, which may be zeros or wrong beyond 4 GiB */
        return true;
    return table->size        ? follow_table(p, table->at, table->size, 4)
           : data->table_size ? follow_table(p, data->table, data->table_size, 8)
                              : follow_marks(p);
}

/* ---- the file */

enum rn_dicom_result rn_dicom_pixels_open(struct rn_dicom_pixels *p, int file,
                                          const struct rn_dicom_header *h, const char **why)
{
    struct rn_dicom_pixel_data data;
    struct rn_dicom_fragment table;
    if (!rn_dicom_find_pixels(file, &data, &p->bytes))
        return RN_DICOM_NO_PICTURE;
    p->is_big = data.is_big;
    p->frames = h->frames;
    p->at = data.at;
    p->bits = (int64_t)h->w * h->h * h->pixel_bits;
    *why = "holds fewer samples than its header says";
    if (!data.is_compressed)
        return (double)h->frames * (double)p->bits / 8 <= (double)data.size ? RN_DICOM_OK
                                                                            : RN_DICOM_UNREADABLE;
    *why = "is cut off at its end";
    if (!list_fragments(p, data.at, &table))
        return RN_DICOM_UNREADABLE;
    *why = "holds fragments that cannot be told apart into its frames";
    if (!assign_fragments(p, &data, &table))
        return RN_DICOM_UNREADABLE;
    /* Ends the last frame where another image begins: the header counts fewer. */
    int i = p->first[p->frames - 1] + 1, *end = &p->first[p->frames];
    while (i < *end && !(ends_image(p, &p->fragment[i - 1]) && begins_image(p, &p->fragment[i])))
        i++;
    *end = FFMIN(i, *end);
    return RN_DICOM_OK;
}

void rn_dicom_pixels_close(struct rn_dicom_pixels *p)
{
    rn_vol_bytes_close(&p->bytes);
    av_freep(&p->fragment);
    free(rn_take_owned(&p->first));
}

size_t rn_dicom_pixels_size(const struct rn_dicom_pixels *p, int frame)
{
    if (!p->first)
        return (size_t)(((frame + INT64_C(1)) * p->bits + 7) / 8 - frame * p->bits / 8);
    size_t size = 0;
    for (int i = p->first[frame]; i < p->first[frame + 1]; i++)
        size += p->fragment[i].size;
    return size;
}

struct rn_dicom_surplus rn_dicom_pixels_surplus(const struct rn_dicom_pixels *p)
{
    struct rn_dicom_surplus surplus = {0};
    for (int i = 0; p->first && i < p->fragments; i++)
        *(i < p->first[p->frames] ? &surplus.frame : &surplus.bytes) += p->fragment[i].size;
    surplus.frame = FFMAX(surplus.frame / p->frames, 1);
    return surplus;
}

bool rn_dicom_pixels_read(struct rn_dicom_pixels *p, int frame, void *to)
{
    if (!p->first) {
        const size_t n = rn_dicom_pixels_size(p, frame);
        return rn_vol_bytes_read(p->bytes, p->at + frame * p->bits / 8, to, n) == n;
    }
    uint8_t *next = to;
    for (int i = p->first[frame]; i < p->first[frame + 1]; i++) {
        const struct rn_dicom_fragment *f = &p->fragment[i];
        if (rn_vol_bytes_read(p->bytes, f->at, next, f->size) != f->size)
            return false;
        next += f->size;
    }
    return true;
}

/* ITU-T T.81 B.2.2: segments with their lengths follow SOI. */
static bool read_jpeg(const uint8_t *data, size_t n, struct rn_dicom_codestream *picture)
{
    for (size_t at = 2; at + 10 <= n && data[at] == 0xFF;) {
        const uint8_t *p = data + at;
        if (p[1] == 0xFF) { /* fill */
            at++;
            continue;
        }
        /* SOF0 to SOF15, without DHT, JPG and DAC in that range; or SOF55 of JPEG-LS */
        if ((p[1] >= 0xC0 && p[1] <= 0xCF && p[1] != 0xC4 && p[1] != 0xC8 && p[1] != 0xCC) ||
            p[1] == 0xF7) {
            picture->bits = p[4];
            picture->h = AV_RB16(p + 5);
            picture->w = AV_RB16(p + 7);
            picture->colours = p[9];
            return true;
        }
        at += 2 + AV_RB16(p + 2);
    }
    return false;
}

/* ITU-T T.800 A.5.1: SIZ follows SOC. Some writers keep the boxes of a JP2 file in front. */
static bool read_jpeg2000(const uint8_t *data, size_t n, struct rn_dicom_codestream *picture)
{
    enum { SIZ = 43, BOXES = 4096 };
    for (size_t at = 0; at + SIZ <= n && at < BOXES; at++) {
        const uint8_t *p = data + at;
        if (memcmp(p, "\xFF\x4F\xFF\x51", 4) != 0)
            continue;
        picture->w = AV_RB32(p + 8) - AV_RB32(p + 16);
        picture->h = AV_RB32(p + 12) - AV_RB32(p + 20);
        picture->colours = AV_RB16(p + 40);
        picture->bits = (p[42] & 0x7Fu) + 1;
        return true;
    }
    return false;
}

bool rn_dicom_codestream_read(const uint8_t *data, size_t n, struct rn_dicom_codestream *picture)
{
    return n > 2 && data[0] == 0xFF && data[1] == 0xD8 ? read_jpeg(data, n, picture)
                                                       : read_jpeg2000(data, n, picture);
}
