/* SPDX-License-Identifier: MIT */
#include "io/read/decode/unwritten.h"

#include <stdint.h>
#include <string.h>

#include <libavutil/pixdesc.h>

#define SQUARE 16
#define ROW                                                                                        \
    4 /* of a mark in its square; at its side, too, 4 samples lie before a mark and behind */
#define SIDE   4
#define LENGTH 8

bool rn_read_may_leave_unwritten(enum AVCodecID id)
{
    return id == AV_CODEC_ID_HEVC;
}

/* Returns bytes a sample of the first plane; 0: it takes no marks. */
static int sample_bytes(const AVFrame *f)
{
    const AVPixFmtDescriptor *desc = av_pix_fmt_desc_get(f->format);
    const uint64_t others = AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_BITSTREAM;
    if (!desc || desc->flags & others || !f->buf[0] || f->linesize[0] <= 0)
        return 0;
    int step = desc->comp[0].step;
    return step == (desc->comp[0].depth + 7) / 8 ? step : 0;
}

/* The values of a mark. They stay below 256: where samples have more bits, decoders look others up
 * in tables. The constants are those of SplitMix64 (Steele, Lea, Flood 2014). */
static void make_mark(int x, int y, int bytes, uint8_t mark[2 * LENGTH])
{
    uint64_t v = ((uint64_t)y << 32 | (uint32_t)x) * 0x9E3779B97F4A7C15u;
    v = (v ^ v >> 30) * 0xBF58476D1CE4E5B9u;
    v = (v ^ v >> 27) * 0x94D049BB133111EBu;
    v ^= v >> 31;
    for (int i = 0; i < LENGTH; i++, v >>= 8) {
        uint16_t value = v & 255;
        bytes == 1 ? (void)(mark[i] = (uint8_t)value) : (void)memcpy(mark + 2 * i, &value, 2);
    }
}

/* Cropping moves frame->data, but not the buffer. Returns the buffer's place for a mark, NULL where
 * it ends. */
static uint8_t *place_of(const AVFrame *f, int x, int y, int bytes)
{
    size_t at = (size_t)y * f->linesize[0] + (size_t)x * bytes;
    return at + (size_t)LENGTH * bytes <= f->buf[0]->size ? f->buf[0]->data + at : NULL;
}

/* Returns true if the plane has a mark; write: puts marks everywhere, and returns false. */
static bool walk(const AVFrame *f, int width, int height, bool write)
{
    int bytes = sample_bytes(f);
    for (int y = ROW; bytes && y < height; y += SQUARE)
        for (int x = SIDE; x + LENGTH <= width; x += SQUARE) {
            uint8_t mark[2 * LENGTH], *at = place_of(f, x, y, bytes);
            if (!at)
                return false;
            make_mark(x, y, bytes, mark);
            if (write)
                memcpy(at, mark, (size_t)LENGTH * bytes);
            else if (memcmp(at, mark, (size_t)LENGTH * bytes) == 0)
                return true;
        }
    return false;
}

void rn_read_unwritten_mark(const AVFrame *frame)
{
    if (frame->buf[0] && frame->data[0] == frame->buf[0]->data)
        walk(frame, frame->width, frame->height, true);
}

bool rn_read_unwritten_is_left(const AVFrame *frame, int width, int height)
{
    return frame->buf[0] && walk(frame, width, height, false);
}
