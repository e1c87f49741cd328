/* SPDX-License-Identifier: MIT */
#include "io/write/encode/encoder.h"

#include "filters/base/log.h"
#include "filters/base/threads/stall.h"
#include "io/common/av.h"
#include "io/common/av_versions.h"
#include "io/pixels/pixfmt.h"
#include "io/common/frame_data.h"
#include "io/write/cells.h"

#include <assert.h>

#include <libavutil/opt.h>

/* True if the last picture may be repeated. */
static bool keeps_frame(const struct rn_write_encoder *enc)
{
    return enc->setup.constant || enc->setup.repeats;
}

int rn_write_encoder_send(AVCodecContext *ctx, const AVFrame *frame)
{
    enum rn_stall outer = rn_stall_enter(RN_STALL_WRITE);
    int ret = avcodec_send_frame(ctx, frame);
    rn_stall_leave(outer);
    return ret;
}

int rn_write_encoder_receive(AVCodecContext *ctx, AVPacket *pkt)
{
    enum rn_stall outer = rn_stall_enter(RN_STALL_WRITE);
    int ret = avcodec_receive_packet(ctx, pkt);
    rn_stall_leave(outer);
    return ret;
}

/* ---- cells of a film: after a fixed number of pictures another encoder of the same settings goes
 * on. So the bytes of a cell depend on its own pictures alone, and cells that are encoded apart, by
 * any number of processes, are together what one process makes.
 *
 * The encoder before ends in a thread of its own while its successor takes pictures and gives no
 * packet yet. Its packets come before the successor's first, so the order is always the same. */

/* What rn_write_encoder_configure sets is in options, but for these fields. */
static int copy_context(AVCodecContext *to, const AVCodecContext *from)
{
    to->width = from->width;
    to->height = from->height;
    to->pix_fmt = from->pix_fmt;
    to->framerate = from->framerate;
    return av_opt_copy(to, from);
}

/* Keeps how ctx and options are configured, before ctx is opened with them. */
static int grid_note(struct rn_write_grid *g, const AVCodecContext *ctx,
                     const AVDictionary *options)
{
    avcodec_free_context(&g->next);
    av_dict_free(&g->options);
    g->next = rn_io_codec_context(ctx->codec, NULL);
    int ret = g->next ? copy_context(g->next, ctx) : AVERROR(ENOMEM);
    return ret < 0 ? ret : av_dict_copy(&g->options, options, 0);
}

/* Chooses the cells for ctx, which was opened: whole groups of pictures, RN_GRID_LEAST pictures or
 * more. None where all pictures are one animation. single: pictures are coded one by one. */
static void grid_begin(struct rn_write_grid *g, const AVCodecContext *ctx, bool single)
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
static void *end_encoder(void *grid)
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

/* Whether the next picture is the first one of another cell. The encoder before must have ended by
 * then, and its packets be put: one at a time is ending. */
static bool grid_begins(const struct rn_write_grid *g)
{
    return g->size && g->taken == g->size;
}

/* Takes a picture. Returns true if it is the first one of another cell. */
static bool grid_take(struct rn_write_grid *g, int64_t pts)
{
    bool begins = grid_begins(g);
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

/* Then: ends *ctx, and opens its successor there. */
static int grid_restart(struct rn_write_grid *g, AVCodecContext **ctx)
{
    AVCodecContext *opened = g->next;
    RN_OWNED(av_dict_free) AVDictionary *options = NULL;
    g->next = rn_io_codec_context(opened->codec, NULL);
    int ret = g->next ? copy_context(g->next, opened) : AVERROR(ENOMEM);
    ret = ret < 0 ? ret : av_dict_copy(&options, g->options, 0);
    ret = ret < 0 ? ret : avcodec_open2(opened, opened->codec, &options);
    g->ending = *ctx;
    *ctx = opened;
    if (ret >= 0 && !rn_thread_try(&g->thread, "encoder's end", end_encoder, g))
        end_encoder(g);
    return ret;
}

/* Gives the next packet of a cell the decoding time that it has in one sequence of all pictures: an
 * encoder counts from its own first picture, and guesses what was before where the rate varies. */
static void set_cell_time(struct rn_write_grid_cell *cell, const AVCodecContext *ctx, AVPacket *pkt)
{
    int64_t behind = ctx->has_b_frames - cell->put++; /* pictures before the first one */
    if (behind <= 0 || behind > RN_GRID_DELAY || pkt->dts == AV_NOPTS_VALUE ||
        pkt->dts >= cell->first)
        return;
    int64_t dts = cell->before[RN_GRID_DELAY - behind];
    pkt->dts = dts == AV_NOPTS_VALUE || dts > pkt->pts ? pkt->dts : dts;
}

/* Waits until the encoder before has ended, and frees it with its packets, in any state. */
static void grid_end(struct rn_write_grid *g)
{
    rn_thread_join(&g->thread);
    avcodec_free_context(&g->ending);
    for (int i = 0; i < g->npackets; i++)
        av_packet_free(&g->packets[i]);
    av_freep(&g->packets);
    g->npackets = 0;
}

/* ---- opening */

/* Tries one pixel format and time base. Logs nothing: the cause stays for rn_io_cause. */
static int open_context(struct rn_write_encoder *enc, const struct rn_write_encoder_setup *setup,
                        enum AVPixelFormat fmt, AVRational time_base, bool fields,
                        AVDictionary **options)
{
    avcodec_free_context(&enc->ctx);
    enc->ctx = rn_io_codec_context(setup->codec, NULL);
    if (!enc->ctx)
        return AVERROR(ENOMEM);
    int ret = rn_write_encoder_configure(enc->ctx, setup, fmt, time_base, fields, options);
    if (ret >= 0 && setup->grid)
        ret = grid_note(&enc->grid, enc->ctx, *options);
    if (ret < 0)
        return ret;
    rn_pix_export_destroy(&enc->export);
    enc->err = rn_write_encoder_export(&enc->export, setup, fmt);
    return enc->err ? AVERROR_EXIT : avcodec_open2(enc->ctx, setup->codec, options);
}

/* Tries up to four combinations: some encoders take only frame rates, or small numbers (MPEG-4), as
 * time base, and some take no fields. */
static int open_any(struct rn_write_encoder *enc, const struct rn_write_encoder_setup *setup,
                    enum AVPixelFormat fmt, AVDictionary **options)
{
    const struct rn_io_stream *stream = &setup->media->stream;
    AVRational bases[2] = {setup->time_base, {0, 1}};
    if (stream->rate.num > 0 && stream->rate.den > 0)
        bases[1] = av_inv_q(rn_io_to_av(stream->rate));
    bool interlaced = rn_io_is_interlaced(setup->media->first);
    int ret = AVERROR(EINVAL);
    for (int n = 0; n < (interlaced ? 4 : 2) && ret != AVERROR(ENOMEM); n++) {
        int i = n % 2;
        if (bases[i].num <= 0 || (i && !av_cmp_q(bases[0], bases[1])))
            continue;
        RN_OWNED(av_dict_free) AVDictionary *copy = NULL;
        ret = av_dict_copy(&copy, *options, 0);
        rn_io_capture_begin(); /* the later error, about the rate, is the clearer one */
        ret = ret < 0 ? ret : open_context(enc, setup, fmt, bases[i], n < 2, &copy);
        rn_io_capture_end();
        if (ret >= 0 || ret == AVERROR_EXIT) {
            FFSWAP(AVDictionary *, *options, copy);
            return ret;
        }
    }
    return ret;
}

/* A wrong request is a usage error; a missing driver or device fails the output. */
static int fail_open(const struct rn_write_encoder_setup *setup, enum AVPixelFormat fmt, int ret)
{
    RN_OWNED(av_freep) char *options = NULL;
    if (*setup->options && av_dict_get_string(*setup->options, &options, '=', ':') < 0)
        return rn_fail_memory();
    bool usage = options || ret == AVERROR(EINVAL) || ret == AVERROR(ERANGE) ||
                 ret == AVERROR_PATCHWELCOME || ret == AVERROR_EXPERIMENTAL;
    return rn_fail(usage ? RN_EUSAGE : RN_EOUTPUT,
                   "cannot open the encoder %s for %dx%d %s%s%.200s: %s", setup->codec->name,
                   setup->geom.w, setup->geom.h, av_get_pix_fmt_name(fmt),
                   options ? " with --codec-opts " : "", options ? options : "", rn_io_cause(ret));
}

int rn_write_encoder_open(struct rn_write_encoder **out, const struct rn_write_encoder_setup *setup)
{
    enum AVPixelFormat fmt;
    int err = rn_write_encoder_choose_format(setup, &fmt);
    /* Values that an option forbids get a message of their own, before the encoder refuses them. */
    RN_OWNED(avcodec_free_context)
    AVCodecContext *scratch = err ? NULL : rn_io_codec_context(setup->codec, NULL);
    if (!err)
        err = scratch ? rn_write_codec_options_try(*setup->options, scratch, setup->codec->name)
                      : rn_fail_memory();
    if (err)
        return err;
    RN_OWNED(rn_write_encoder_close) struct rn_write_encoder *enc = av_mallocz(sizeof *enc);
    if (!enc)
        return rn_fail_memory();
    enc->setup = *setup;
    enc->turn = setup->turn ? *setup->turn : RN_UPRIGHT;
    enc->last_pts = INT64_MIN;
    enc->time_base = rn_io_to_av(setup->media->stream.time_base);
    enc->pkt = av_packet_alloc();
    enc->frame = av_frame_alloc();
    if (!enc->pkt || !enc->frame)
        return rn_fail_memory();
    int ret = open_any(enc, setup, fmt, setup->options);
    if (ret < 0)
        return ret == AVERROR_EXIT ? enc->err : fail_open(setup, fmt, ret);
    if (setup->grid)
        grid_begin(&enc->grid, enc->ctx, rn_write_encoder_is_single(enc));
    if (!setup->quiet && rn_pix_export_uses_matrix(enc->export))
        rn_io_media_announce_matrix(setup->media);
    if (!setup->quiet)
        rn_pix_export_announce(
            enc->export,
            setup->codec->id == AV_CODEC_ID_WRAPPED_AVFRAME ? "y4m" : enc->setup.codec->name,
            rn_write_encoder_needs_full_chroma(setup) ? " of odd size" : "",
            !setup->media->transparent, setup->pix_fmt ? NULL : setup->losses);
    *out = rn_take_owned(&enc);
    return 0;
}

/* SVT-AV1 hangs when it is closed before it got a picture and was drained. */
static void drain(struct rn_write_encoder *enc)
{
    AVCodecContext *ctx = enc->ctx;
    AVFrame *blank = NULL;
    if (!avcodec_is_open(ctx) || enc->drained)
        return;
    if (enc->last_pts == INT64_MIN &&
        rn_pix_frame_buffer(&blank, ctx->pix_fmt, ctx->width, ctx->height) == 0) {
        blank->pts = 0;
        rn_write_encoder_send(ctx, blank);
    }
    av_frame_free(&blank);
    if (rn_write_encoder_send(ctx, NULL) >= 0)
        while (rn_write_encoder_receive(ctx, enc->pkt) >= 0)
            av_packet_unref(enc->pkt);
}

void rn_write_encoder_close(struct rn_write_encoder **enc)
{
    if (!*enc)
        return;
    if ((*enc)->ctx && !strcmp((*enc)->setup.codec->name, "libsvtav1"))
        drain(*enc);
    grid_end(&(*enc)->grid);
    avcodec_free_context(&(*enc)->grid.next);
    av_dict_free(&(*enc)->grid.options);
    avcodec_free_context(&(*enc)->ctx);
    rn_pix_export_destroy(&(*enc)->export);
    av_packet_free(&(*enc)->pkt);
    av_frame_free(&(*enc)->frame);
    av_freep(&(*enc)->pending);
    av_freep(enc);
}

bool rn_write_encoder_keeps_captions(const struct rn_write_encoder *enc)
{
    int64_t on;
    return (av_opt_get_int(enc->ctx, "a53cc", AV_OPT_SEARCH_CHILDREN, &on) >= 0 ||
            av_opt_get_int(enc->ctx, "a53_cc", AV_OPT_SEARCH_CHILDREN, &on) >= 0) &&
           on;
}

/* ---- encoding */

static int remember(struct rn_write_encoder *enc, const struct rn_write_pending *p)
{
    return av_dynarray2_add((void **)&enc->pending, &enc->npending, sizeof *p, (const void *)p)
               ? 0
               : rn_fail_memory();
}

/* Takes the frame with this timestamp off the list, which is as long as the encoder's delay. */
static struct rn_write_pending recall(struct rn_write_encoder *enc, int64_t pts)
{
    struct rn_write_pending p = {.pts = pts, .number = -1};
    int i = 0;
    while (i < enc->npending && enc->pending[i].pts != pts)
        i++;
    if (i == enc->npending)
        return p;
    p = enc->pending[i];
    enc->npending--;
    memmove(enc->pending + i, enc->pending + i + 1, (size_t)(enc->npending - i) * sizeof p);
    return p;
}

/* Drops properties of the decoder's work or of the container, which would mislead the encoder. */
static void keep_properties(AVFrame *f, const AVCodecContext *ctx)
{
    const uint64_t kept =
        1ULL << AV_FRAME_DATA_A53_CC | 1ULL << AV_FRAME_DATA_AFD |
        1ULL << AV_FRAME_DATA_S12M_TIMECODE | 1ULL << AV_FRAME_DATA_MASTERING_DISPLAY_METADATA |
        1ULL << AV_FRAME_DATA_CONTENT_LIGHT_LEVEL | 1ULL << AV_FRAME_DATA_DYNAMIC_HDR_PLUS |
        1ULL << AV_FRAME_DATA_ICC_PROFILE | 1ULL << AV_FRAME_DATA_STEREO3D;
    for (int i = 0; i < f->nb_side_data;) {
        enum AVFrameSideDataType type = f->side_data[i]->type;
        if (type < 64 && kept >> type & 1)
            i++;
        else
            av_frame_remove_side_data(f, type);
    }
    f->pict_type = AV_PICTURE_TYPE_NONE; /* else it would force the source's picture types */
    f->quality = 0;
    f->opaque = NULL;
    f->decode_error_flags = 0;
    rn_io_clear_flags(f);
    f->color_range = ctx->color_range;
    f->color_primaries = ctx->color_primaries;
    f->color_trc = ctx->color_trc;
    f->colorspace = ctx->colorspace;
    f->chroma_location = ctx->chroma_sample_location;
    f->sample_aspect_ratio = ctx->sample_aspect_ratio;
}

static int take_times(struct rn_write_encoder *enc, const struct rn_frame *frame)
{
    AVFrame *f = enc->frame;
    AVRational tb = enc->ctx->time_base;
    bool first = enc->last_pts == INT64_MIN;
    const struct rn_write_cells *cells = enc->setup.cells;
    if (first && av_cmp_q(tb, enc->time_base) != 0)
        enc->origin = cells ? cells->parts->first_pts : frame->pts;
    f->pts = av_rescale_q(frame->pts - enc->origin, enc->time_base, tb);
    if (enc->setup.constant && !first)
        f->pts = enc->last_pts + 1;
    if (f->pts <= enc->last_pts && !first) {
        if (!enc->warned)
            rn_losses_add(enc->setup.losses, "times",
                          "the output counts time in steps of %d/%d s: frame %" PRId64
                          " and others move",
                          tb.num, tb.den, frame->index);
        enc->warned = true;
        f->pts = enc->last_pts + 1;
    }
    enc->last_pts = f->pts;
    int64_t duration = enc->setup.constant ? 1 : av_rescale_q(frame->duration, enc->time_base, tb);
    rn_io_set_duration(f, duration);
    struct rn_write_pending p = {f->pts, duration, rn_io_frame_number(frame)};
    return remember(enc, &p);
}

int rn_write_encoder_take(struct rn_write_encoder *enc, const struct rn_image *img,
                          const struct rn_frame *frame)
{
    AVFrame *f = enc->frame;
    assert(!enc->drained);
    av_frame_unref(f);
    if (frame->data && frame->data->props && av_frame_copy_props(f, frame->data->props) < 0)
        return rn_fail_memory();
    keep_properties(f, enc->ctx);
    int err = rn_pix_export(enc->export, img, frame->by_field, f);
    if (!err && !rn_pix_orient_is_upright(&enc->turn))
        err = rn_pix_turn_frame(&enc->turn, f);
    return err ? err : take_times(enc, frame);
}

static int fail(const struct rn_write_encoder *enc, int ret)
{
    return rn_fail(RN_EOUTPUT, "the encoder %s failed: %s", enc->setup.codec->name,
                   rn_io_error(ret));
}

/* True if packets go to cells, and not on. */
static bool writes_cells(const struct rn_write_encoder *enc)
{
    return enc->setup.cells && enc->setup.cells->writes;
}

/* cell: of the packet, whose encoder was at `moment`. */
static int put_packet(struct rn_write_encoder *enc, struct rn_write_grid_cell *cell, int64_t moment,
                      AVPacket *pkt)
{
    struct rn_write_pending p = recall(enc, pkt->pts);
    if (enc->setup.cells && !writes_cells(enc) && pkt->pos >= 0 && pkt->pos != p.number)
        return rn_fail(RN_EDAMAGED,
                       "the cell of frame %" PRId64 " is of another run: its times differ",
                       pkt->pos);
    if (pkt->duration <= 0)
        pkt->duration = p.duration;
    if (enc->grid.size && !writes_cells(enc))
        set_cell_time(cell, enc->ctx, pkt);
    if (writes_cells(enc))
        pkt->pos = p.number;
    int err = writes_cells(enc) ? rn_write_cells_put_packet(enc->setup.cells, pkt, moment)
                                : enc->setup.put(enc->setup.opaque, pkt, p.number);
    av_packet_unref(pkt);
    return err;
}

/* Puts what is left of the cell before. */
static int end_cell(struct rn_write_encoder *enc)
{
    struct rn_write_grid *g = &enc->grid;
    rn_thread_join(&g->thread);
    int err = g->ended < 0 ? fail(enc, g->ended) : 0;
    for (int i = 0; i < g->npackets && !err; i++)
        err = put_packet(enc, &g->ending_cell, RN_CELL_LAST, g->packets[i]);
    grid_end(g);
    return err || !writes_cells(enc) ? err : rn_write_cells_end_cell(enc->setup.cells, false);
}

/* Counts enc->frame, which may begin another cell. */
static int begin_picture(struct rn_write_encoder *enc)
{
    /* An encoder may look further ahead than a cell, and have given no packet of it yet. */
    bool ending = grid_begins(&enc->grid) && enc->grid.ending;
    int err = ending ? end_cell(enc) : 0;
    if (err || !grid_take(&enc->grid, enc->frame->pts))
        return err;
    int ret = enc->grid.restarts ? grid_restart(&enc->grid, &enc->ctx) : 0;
    if (!enc->grid.restarts && writes_cells(enc))
        return rn_write_cells_end_cell(enc->setup.cells, false);
    return ret < 0 ? fail(enc, ret) : 0;
}

/* Sends enc->frame, or the end of the stream, and puts the packets. */
static int encode(struct rn_write_encoder *enc, bool end)
{
    struct rn_write_grid *g = &enc->grid;
    int err = end ? 0 : begin_picture(enc);
    if (err)
        return err;
    enc->drained |= end;
    int ret = rn_write_encoder_send(enc->ctx, end ? NULL : enc->frame);
    enc->sent += !end && ret >= 0;
    if (!keeps_frame(enc))
        av_frame_unref(enc->frame);
    while (ret >= 0 && (ret = rn_write_encoder_receive(enc->ctx, enc->pkt)) >= 0) {
        err = g->ending ? end_cell(enc) : 0;
        int64_t moment = end ? RN_CELL_LAST : g->taken;
        if (err || (err = put_packet(enc, &g->cell, moment, enc->pkt)) != 0)
            return err;
    }
    if (ret != AVERROR(EAGAIN) && ret != AVERROR_EOF)
        return fail(enc, ret);
    err = end && g->ending ? end_cell(enc) : 0;
    return err || !end || !writes_cells(enc) ? err
                                             : rn_write_cells_end_cell(enc->setup.cells, true);
}

/* Puts the packets of a cell that came at a moment. */
static int put_kept(struct rn_write_encoder *enc, int64_t number, struct rn_write_grid_cell *cell,
                    int64_t moment)
{
    struct rn_write_cells *cells = enc->setup.cells;
    int err;
    while ((err = rn_write_cells_get_packet(cells, number, moment, enc->pkt)) == 0) {
        bool carries = enc->carries && number == enc->cell;
        enc->carries &= !carries;
        RN_OWNED(av_packet_free) AVPacket *pkt = av_packet_alloc();
        if (!pkt)
            return rn_fail_memory();
        av_packet_move_ref(pkt, enc->pkt); /* those of the cell before come first */
        err = carries ? put_kept(enc, number - 1, &enc->grid.ending_cell, RN_CELL_LAST) : 0;
        err = err ? err : put_packet(enc, cell, moment, pkt);
        if (err)
            return err;
    }
    return err == RN_END ? 0 : err;
}

/* As encode, where the packets lie in cells. */
static int encode_kept(struct rn_write_encoder *enc, bool end)
{
    struct rn_write_grid *g = &enc->grid;
    int err = 0;
    if (!end && enc->carries && grid_begins(g))
        err = put_kept(enc, enc->cell - 1, &g->ending_cell, RN_CELL_LAST);
    if (!err && !end && grid_take(g, enc->frame->pts)) {
        enc->cell++;
        enc->carries = g->restarts;
    }
    enc->drained |= end;
    enc->sent += !end;
    err = err ? err : put_kept(enc, enc->cell, &g->cell, end ? RN_CELL_LAST : g->taken);
    if (!err && end && enc->carries)
        err = put_kept(enc, enc->cell - 1, &g->ending_cell, RN_CELL_LAST);
    return err || !end ? err : rn_write_cells_conclude(enc->setup.cells, enc->cell);
}

int rn_write_encoder_write(struct rn_write_encoder *enc, const struct rn_image *img,
                           const struct rn_frame *frame)
{
    bool kept = enc->setup.cells && !writes_cells(enc);
    int err = !img ? 0 : kept ? take_times(enc, frame) : rn_write_encoder_take(enc, img, frame);
    return err ? err : kept ? encode_kept(enc, !img) : encode(enc, !img);
}

bool rn_write_encoder_is_single(const struct rn_write_encoder *enc)
{
    const AVCodecDescriptor *desc = avcodec_descriptor_get(enc->setup.codec->id);
    int others = AV_CODEC_CAP_DELAY | AV_CODEC_CAP_FRAME_THREADS | AV_CODEC_CAP_SLICE_THREADS |
                 AV_CODEC_CAP_OTHER_THREADS;
    /* CLJR dithers, and SpeedHQ chooses qualities, by what was before. */
    return desc && desc->props & AV_CODEC_PROP_INTRA_ONLY && desc->id != AV_CODEC_ID_CLJR &&
           desc->id != AV_CODEC_ID_SPEEDHQ && !(enc->setup.codec->capabilities & others);
}

void rn_write_encoder_work(void *encoder)
{
    struct rn_write_encoder *enc = encoder;
    enc->worked = rn_write_encoder_send(enc->ctx, enc->frame);
    if (enc->worked >= 0)
        enc->worked = rn_write_encoder_receive(enc->ctx, enc->pkt);
}

int rn_write_encoder_give(struct rn_write_encoder *enc)
{
    av_frame_unref(enc->frame);
    enc->sent += enc->worked >= 0;
    return enc->worked < 0 ? fail(enc, enc->worked) : put_packet(enc, &enc->grid.cell, 0, enc->pkt);
}

/* Encodes enc->frame once more. */
static int repeat(struct rn_write_encoder *enc, int64_t pts, int64_t duration)
{
    assert(keeps_frame(enc) && enc->sent > 0);
    enc->frame->pts = enc->last_pts = pts;
    struct rn_write_pending p = {pts, duration, -1};
    int err = remember(enc, &p);
    bool kept = enc->setup.cells && !writes_cells(enc);
    return err ? err : kept ? encode_kept(enc, false) : encode(enc, false);
}

int rn_write_encoder_repeat(struct rn_write_encoder *enc)
{
    assert(enc->setup.constant);
    return repeat(enc, enc->last_pts + 1, 1);
}

int rn_write_encoder_repeat_at(struct rn_write_encoder *enc, int64_t pts, int64_t duration)
{
    AVRational tb = enc->ctx->time_base;
    int64_t at = av_rescale_q(pts - enc->origin, enc->time_base, tb);
    duration = av_rescale_q(duration, enc->time_base, tb);
    rn_io_set_duration(enc->frame, duration);
    return at > enc->last_pts ? repeat(enc, at, duration) : 0;
}
