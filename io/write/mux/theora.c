/* SPDX-License-Identifier: MIT */
#include "io/write/mux/container.h"

#include "filters/base/log.h"
#include "filters/base/owned.h"

#include <libavutil/pixdesc.h>

#define MAX_BYTES 1024 /* a run of 4129 superblocks takes 3: more than sides of 65535 need */

struct bits {
    uint8_t *data;
    int n;
};

static void put(struct bits *b, unsigned value, int count)
{
    for (int i = count - 1; i >= 0; i--, b->n++)
        b->data[b->n / 8] |= (uint8_t)((value >> i & 1) << (7 - b->n % 8));
}

/* Superblocks of 4 x 4 blocks of 8 x 8 samples, of planes that are padded to macroblocks. */
static int superblocks(const AVCodecContext *enc)
{
    const AVPixFmtDescriptor *desc = av_pix_fmt_desc_get(enc->pix_fmt);
    int bw = (enc->width + 15) / 16 * 2, bh = (enc->height + 15) / 16 * 2;
    int cw = bw >> desc->log2_chroma_w, ch = bh >> desc->log2_chroma_h;
    return ((bw + 3) / 4) * ((bh + 3) / 4) + 2 * ((cw + 3) / 4) * ((ch + 3) / 4);
}

/* n zeros in the coding of long runs (Theora specification, 7.2.1). */
static void put_zeros(struct bits *b, int n)
{
    static const struct {
        int start, extra;
        unsigned code;
        int length;
    } runs[] = {{34, 12, 0x3f, 6}, {18, 4, 0x3e, 6}, {10, 3, 0x1e, 5}, {6, 2, 0xe, 4},
                {4, 1, 6, 3},      {2, 1, 2, 2},     {1, 0, 0, 1}};
    const int most = 4129;
    put(b, 0, 1);
    for (int run; n > 0; n -= run) {
        run = n < most ? n : most;
        size_t i = 0;
        while (runs[i].start > run)
            i++;
        put(b, runs[i].code, runs[i].length);
        put(b, (unsigned)(run - runs[i].start), runs[i].extra);
        if (run == most && n > most) /* the value is repeated after such a run */
            put(b, 0, 1);
    }
}

int rn_write_theora_fill(const AVCodecContext *enc, AVPacket *pkt)
{
    uint8_t data[MAX_BYTES] = {0};
    struct bits b = {data, 0};
    if (enc->codec_id != AV_CODEC_ID_THEORA || pkt->size)
        return 0;
    int n = superblocks(enc);
    put(&b, 1, 2);      /* a picture, predicted */
    put(&b, 0, 6 + 1);  /* one quantizer, unused */
    put_zeros(&b, n);   /* none is coded in part */
    put_zeros(&b, n);   /* none as a whole */
    put(&b, 1, 3);      /* modes of macroblocks: a scheme without a table */
    put(&b, 0, 1 + 16); /* motion vectors, tables for coefficients */
    RN_OWNED(av_packet_free) AVPacket *full = av_packet_alloc();
    int size = (b.n + 7) / 8;
    if (!full || av_new_packet(full, size) < 0 || av_packet_copy_props(full, pkt) < 0)
        return rn_fail_memory();
    memcpy(full->data, data, (size_t)size);
    av_packet_unref(pkt);
    av_packet_move_ref(pkt, full);
    return 0;
}
