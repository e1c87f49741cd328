/* SPDX-License-Identifier: MIT */
#include "io/write/encode/grid.h"

#include "filters/base/owned.h"
#include "io/common/av.h"
#include "io/write/encode/encoder.h"

#include <string.h>

#include <libavutil/mem.h>
#include <libavutil/opt.h>

/* What rn_write_encoder_configure sets is in options, but for these fields. */
static int copy_context(AVCodecContext *to, const AVCodecContext *from)
{
    to->width = from->width;
    to->height = from->height;
    to->pix_fmt = from->pix_fmt;
    to->framerate = from->framerate;
    return av_opt_copy(to, from);
}

int rn_write_grid_note(struct rn_write_grid *g, const AVCodecContext *ctx,
                       const AVDictionary *options)
{
    avcodec_free_context(&g->next);
    av_dict_free(&g->options);
    g->next = rn_io_codec_context(ctx->codec);
    int ret = g->next ? copy_context(g->next, ctx) : AVERROR(ENOMEM);
    return ret < 0 ? ret : av_dict_copy(&g->options, options, 0);
}

void rn_write_grid_begin(struct rn_write_grid *g, const AVCodecContext *ctx, bool single)
{
    int group = ctx->gop_size > 0 ? ctx->gop_size : 250; /* that of x264 and x265 */
    int least = group < RN_GRID_LEAST ? (RN_GRID_LEAST + group - 1) / group * group : group;
    enum AVCodecID id = ctx->codec_id;
    bool animation = id == AV_CODEC_ID_GIF || id == AV_CODEC_ID_APNG || id == AV_CODEC_ID_WEBP;
    g->size = animation ? 0 : single ? RN_GRID_LEAST : least;
    g->restarts = !single;
    for (int i = 0; i < RN_GRID_DELAY; i++)
        g->recent[i] = g->cell.before[i] = AV_NOPTS_VALUE;
}

/* Keeps the packets of an encoder that ends. */
static void *drain(void *grid)
{
    struct rn_write_grid *g = grid;
    RN_OWNED(av_packet_free) AVPacket *pkt = av_packet_alloc();
    int ret = pkt ? rn_write_encoder_send(g->ending, NULL) : AVERROR(ENOMEM);
    while (ret >= 0 && (ret = rn_write_encoder_receive(g->ending, pkt)) >= 0) {
        ret = av_dynarray_add_nofree(&g->packets, &g->npackets, pkt);
        pkt = ret < 0 ? pkt : av_packet_alloc();
        ret = pkt ? ret : AVERROR(ENOMEM);
    }
    g->ended = ret == AVERROR_EOF ? 0 : ret;
    return NULL;
}

bool rn_write_grid_begins(const struct rn_write_grid *g)
{
    return g->size && g->taken == g->size;
}

bool rn_write_grid_take(struct rn_write_grid *g, int64_t pts)
{
    bool begins = rn_write_grid_begins(g);
    if (begins) {
        g->ending_cell = g->cell;
        g->taken = g->cell.put = 0;
        memcpy(g->cell.before, g->recent, sizeof g->recent);
    }
    if (!g->taken++)
        g->cell.first = pts;
    memmove(g->recent, g->recent + 1, sizeof g->recent - sizeof *g->recent);
    g->recent[RN_GRID_DELAY - 1] = pts;
    return begins;
}

int rn_write_grid_restart(struct rn_write_grid *g, AVCodecContext **ctx)
{
    AVCodecContext *opened = g->next;
    RN_OWNED(av_dict_free) AVDictionary *options = NULL;
    g->next = rn_io_codec_context(opened->codec);
    int ret = g->next ? copy_context(g->next, opened) : AVERROR(ENOMEM);
    ret = ret < 0 ? ret : av_dict_copy(&options, g->options, 0);
    ret = ret < 0 ? ret : avcodec_open2(opened, opened->codec, &options);
    g->ending = *ctx;
    *ctx = opened;
    if (ret >= 0 && !rn_thread_try(&g->thread, "encoder's end", drain, g))
        drain(g);
    return ret;
}

int rn_write_grid_end(struct rn_write_grid *g)
{
    rn_thread_join(&g->thread);
    avcodec_free_context(&g->ending);
    return g->ended;
}

void rn_write_grid_clear(struct rn_write_grid *g)
{
    for (int i = 0; i < g->npackets; i++)
        av_packet_free(&g->packets[i]);
    av_freep(&g->packets);
    g->npackets = 0;
}

void rn_write_cell_time(struct rn_write_cell *cell, const AVCodecContext *ctx, AVPacket *pkt)
{
    int64_t behind = ctx->has_b_frames - cell->put++; /* pictures before the first one */
    if (behind <= 0 || behind > RN_GRID_DELAY || pkt->dts == AV_NOPTS_VALUE ||
        pkt->dts >= cell->first)
        return;
    int64_t dts = cell->before[RN_GRID_DELAY - behind];
    pkt->dts = dts == AV_NOPTS_VALUE || dts > pkt->pts ? pkt->dts : dts;
}

void rn_write_grid_free(struct rn_write_grid *g)
{
    rn_write_grid_end(g);
    rn_write_grid_clear(g);
    avcodec_free_context(&g->next);
    av_dict_free(&g->options);
}
