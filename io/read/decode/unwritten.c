/* SPDX-License-Identifier: MIT */
#include "io/read/decode/decode_watch.h"

#include "io/common/av_versions.h"

#include <string.h>

#include <libavutil/pixdesc.h>

#define SQUARE 16
#define ROW    4 /* of a mark in its square: 4 samples lie before it and behind, as at its sides */
#define SIDE   4

/* Random values below 256: where samples have more bits, decoders look others up in tables. */
#define MARK 201, 54, 167, 18, 236, 91, 122, 5

static const uint8_t mark8[] = {MARK};
static const uint16_t mark16[] = {MARK};

bool rn_read_may_leave_unwritten(enum AVCodecID id)
{
    return id == AV_CODEC_ID_HEVC;
}

/* Returns bytes a sample of the first plane; 0: it takes no marks. */
static int sample_bytes(const AVFrame *f)
{
    const AVPixFmtDescriptor *desc = av_pix_fmt_desc_get(f->format);
    const uint64_t others = AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_BITSTREAM;
    if (!desc || desc->flags & others || !f->buf[0] || f->data[0] != f->buf[0]->data)
        return 0;
    int step = desc->comp[0].step;
    return f->linesize[0] > 0 && step == (desc->comp[0].depth + 7) / 8 ? step : 0;
}

/* Returns true if the picture has a mark; write: puts marks everywhere, and returns false. */
static bool walk(const struct rn_read_marked *p, bool write)
{
    const void *mark = p->bytes == 1 ? (const void *)mark8 : mark16;
    size_t length = sizeof mark8 * (size_t)p->bytes;
    for (int y = ROW; y < p->height; y += SQUARE)
        for (int x = SIDE; x + (int)sizeof mark8 <= p->width; x += SQUARE) {
            uint8_t *at = p->buffer->data + (size_t)y * p->linesize + (size_t)x * p->bytes;
            if (write)
                memcpy(at, mark, length);
            else if (memcmp(at, mark, length) == 0)
                return true;
        }
    return false;
}

void rn_read_unwritten_init(struct rn_read_unwritten *u)
{
    pthread_mutex_init(&u->lock, NULL);
    u->n = 0;
}

static void forget(struct rn_read_unwritten *u, int i)
{
    av_buffer_unref(&u->picture[i].buffer);
    u->n--;
    memmove(u->picture + i, u->picture + i + 1, (size_t)(u->n - i) * sizeof *u->picture);
}

void rn_read_unwritten_clear(struct rn_read_unwritten *u)
{
    while (u->n)
        forget(u, u->n - 1);
}

void rn_read_unwritten_destroy(struct rn_read_unwritten *u)
{
    rn_read_unwritten_clear(u);
    pthread_mutex_destroy(&u->lock);
}

void rn_read_unwritten_mark(struct rn_read_unwritten *u, const AVFrame *f)
{
    struct rn_read_marked p = {NULL,           false,    rn_io_number(f), sample_bytes(f),
                               f->linesize[0], f->width, f->height};
    if (!p.bytes || !(p.buffer = av_buffer_ref(f->buf[0])))
        return;
    walk(&p, true);
    pthread_mutex_lock(&u->lock);
    if (u->n == RN_READ_MARKED)
        forget(u, 0);
    u->picture[u->n++] = p;
    pthread_mutex_unlock(&u->lock);
}

int64_t rn_read_unwritten_find(struct rn_read_unwritten *u, int64_t number, bool *own)
{
    int64_t found = -1;
    *own = false;
    pthread_mutex_lock(&u->lock);
    for (int i = u->n - 1; i >= 0; i--) {
        struct rn_read_marked *p = &u->picture[i];
        if (p->number > number)
            continue;
        if (p->buffer)
            p->left = walk(p, false);
        av_buffer_unref(&p->buffer);
        if (p->left && p->number > found)
            found = p->number;
        if (p->number == number) {
            *own = p->left;
            forget(u, i);
        }
    }
    pthread_mutex_unlock(&u->lock);
    return found;
}
