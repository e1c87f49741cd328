#include "io/write/encode/encoder.h"

#include "filters/base/err.h"
#include "filters/base/log.h"
#include "io/common/av.h"
#include "io/common/av_versions.h"
#include "io/pixels/convert.h"
#include "io/pixels/pixfmt.h"
#include "io/common/frame_data.h"
#include "io/write/encode/codec_options.h"
#include "io/write/encode/encoder_format.h"
#include "io/write/encode/light.h"
#include "io/common/traits.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <libavutil/avstring.h>
#include <libavutil/mem.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>

/* What a frame said that an encoder does not hand through; kept until its packet comes. */
struct pending {
    int64_t pts, duration, number;
};

struct rn_write_encoder {
    const AVCodec *codec; /* a context that could not be opened has none */
    AVCodecContext *ctx;
    struct rn_pix_export *export;
    struct rn_pix_orient turn;
    AVRational time_base; /* of the frames that come */
    AVPacket *pkt;
    AVFrame *frame;
    struct pending *pending;
    int npending, room;
    int64_t last_pts;
    int64_t origin;
    int64_t sent;  /* frames */
    bool constant; /* rate */
    bool keeps;    /* frame is the last picture, to be repeated */
    bool warned;   /* about moved pictures */
    struct rn_losses *losses;
    bool drained; /* the encoder knows that the stream has ended */
    int err;      /* logged while it was opened; libav's code is then AVERROR_EXIT */
    int worked;   /* libav's code of rn_write_encoder_work */
};

/* ---- choices */

/* libav's defaults aim at 200 kbit/s; these aim at a picture in which filtering shows, not coding.
 */
static int set_defaults(AVCodecContext *ctx, AVDictionary **options)
{
    static const char *const defaults[][3] = {
        {"libx264", "crf", "18"},        {"libx264rgb", "crf", "18"}, {"libx265", "crf", "20"},
        {"libvpx-vp9", "crf", "24"},     {"libvpx-vp9", "b", "0"},    {"libvpx-vp9", "row-mt", "1"},
        {"libvpx-vp9", "cpu-used", "3"}, {"libvpx", "crf", "10"},     {"libvpx", "b", "8M"},
        {"libaom-av1", "crf", "24"},     {"libaom-av1", "b", "0"},    {"libsvtav1", "crf", "24"},
        {"ffv1", "level", "3"},          {"ffv1", "slicecrc", "1"},
    };
    static const char *const by_scale[] = {"mpeg4",   "mpeg2video", "mpeg1video", "mjpeg", "flv",
                                           "libxvid", "msmpeg4",    "wmv2",       "wmv1",  "h263p"};
    static const char *const rates[] = {"b", "crf", "qp", "global_quality", "cq"};
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++)
        if (av_dict_get(*options, rates[i], NULL, 0))
            return 0;
    int ret = 0;
    for (size_t i = 0; i < sizeof defaults / sizeof defaults[0] && ret >= 0; i++)
        if (!strcmp(ctx->codec->name, defaults[i][0]))
            ret = av_dict_set(options, defaults[i][1], defaults[i][2], AV_DICT_DONT_OVERWRITE);
    for (size_t i = 0; i < sizeof by_scale / sizeof by_scale[0]; i++) {
        if (strcmp(ctx->codec->name, by_scale[i]) != 0)
            continue;
        ctx->flags |= AV_CODEC_FLAG_QSCALE;
        ctx->global_quality = 2 * FF_QP2LAMBDA;
    }
    return ret;
}

static bool is_rgb(enum AVPixelFormat fmt)
{
    const AVPixFmtDescriptor *desc = av_pix_fmt_desc_get(fmt);
    return desc->flags & (AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL);
}

/* ---- opening */

/* The source's tags, except where the pictures are not what they describe any more. */
static void set_colours(AVCodecContext *ctx, const struct rn_write_encoder_setup *setup, bool full,
                        enum rn_colour_matrix matrix)
{
    const AVFrame *first = setup->media->first;
    const struct rn_read_stream *stream = &setup->media->stream;
    const struct rn_geom *from = &stream->geom;
    bool assumed;
    bool misleads =
        rn_pix_matrix_of(AVCOL_SPC_UNSPECIFIED, ctx->width, ctx->height, &assumed) != matrix;
    ctx->color_primaries = first->color_primaries;
    ctx->color_trc = first->color_trc;
    if (is_rgb(ctx->pix_fmt)) {
        ctx->colorspace = AVCOL_SPC_RGB;
        ctx->color_range = AVCOL_RANGE_JPEG;
        return;
    }
    ctx->chroma_sample_location = first->chroma_location;
    ctx->colorspace = first->colorspace;
    if (from->fmt.model == RN_RGB || from->matrix != matrix ||
        (stream->matrix_assumed && misleads)) /* its size is another now */
        ctx->colorspace = matrix == RN_BT709    ? AVCOL_SPC_BT709
                          : matrix == RN_BT2020 ? AVCOL_SPC_BT2020_NCL
                                                : AVCOL_SPC_SMPTE170M;
    ctx->color_range = first->color_range;
    if (from->fmt.model == RN_RGB || from->full_range != full)
        ctx->color_range = full ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG;
}

/* coded: in fields, where the pictures have them; else only the container tells of them. Of PNG
 * the flag means another thing: pictures that come up blurred and become clear. */
static void set_fields(AVCodecContext *ctx, const struct rn_write_encoder_setup *setup, bool coded)
{
    const struct rn_io_media *media = setup->media;
    ctx->field_order = media->field_order;
    if (!rn_io_is_interlaced(media->first))
        return;
    bool png = ctx->codec_id == AV_CODEC_ID_PNG || ctx->codec_id == AV_CODEC_ID_APNG;
    if (coded && !png)
        ctx->flags |= AV_CODEC_FLAG_INTERLACED_DCT | AV_CODEC_FLAG_INTERLACED_ME;
    if (ctx->field_order == AV_FIELD_UNKNOWN || ctx->field_order == AV_FIELD_PROGRESSIVE)
        ctx->field_order = rn_io_top_field_first(media->first) ? AV_FIELD_TT : AV_FIELD_BB;
}

/* What libraries take only by options of their own. By its default x264 would call every picture
 * top field first, whatever the order in which it codes the fields. */
static int set_own_options(const struct rn_write_encoder_setup *setup, enum AVPixelFormat fmt,
                           AVDictionary **options)
{
    bool alpha = av_pix_fmt_desc_get(fmt)->flags & AV_PIX_FMT_FLAG_ALPHA;
    const struct rn_io_media *media = setup->media;
    const char *name = setup->codec->name;
    int ret = rn_write_light_tell(setup->codec, media, options);
    if (ret >= 0 && !strcmp(name, "libx265"))
        ret = rn_write_codec_options_add(options, "x265-params", "log-level", "error");
    if (ret >= 0 && !strcmp(name, "libvpx") && alpha) /* VP8 has one or the other */
        ret = av_dict_set(options, "auto-alt-ref", "0", AV_DICT_DONT_OVERWRITE);
    bool x264 = !strcmp(name, "libx264") || !strcmp(name, "libx264rgb");
    if (ret < 0 || !x264 || !rn_io_is_interlaced(media->first))
        return ret;
    const AVDictionaryEntry *own = av_dict_get(*options, "x264-params", NULL, 0);
    if (own && (strstr(own->value, "tff") || strstr(own->value, "bff")))
        return 0;
    return rn_write_codec_options_add(options, "x264-params",
                                      rn_io_top_field_first(media->first) ? "tff" : "bff", "1");
}

/* One attempt with one pixel format and time base; quiet, the cause stays for rn_io_cause. */
static int open_context(struct rn_write_encoder *enc, const struct rn_write_encoder_setup *setup,
                        enum AVPixelFormat fmt, AVRational time_base, bool fields,
                        AVDictionary **options)
{
    const struct rn_read_stream *stream = &setup->media->stream;
    bool full = rn_write_encoder_full_range(setup, fmt);
    bool bt601 = rn_io_traits_prescribes_bt601(setup->codec->id, setup->display_file);
    enum rn_colour_matrix matrix = bt601 ? RN_BT601 : setup->geom.matrix;
    avcodec_free_context(&enc->ctx);
    AVCodecContext *ctx = enc->ctx = rn_io_codec_context(setup->codec);
    if (!ctx)
        return AVERROR(ENOMEM);
    bool quarter = rn_pix_orient_is_quarter(&enc->turn);
    AVRational aspect = stream->aspect.den ? rn_io_to_av(stream->aspect) : (AVRational){0, 1};
    ctx->width = quarter ? setup->geom.h : setup->geom.w;
    ctx->height = quarter ? setup->geom.w : setup->geom.h;
    ctx->pix_fmt = fmt;
    ctx->time_base = time_base;
    if (stream->rate.num > 0 && stream->rate.den > 0)
        ctx->framerate = rn_io_to_av(stream->rate);
    if (setup->constant)
        ctx->framerate = av_inv_q(time_base);
    ctx->sample_aspect_ratio = quarter && aspect.num > 0 ? av_inv_q(aspect) : aspect;
    ctx->thread_count = rn_io_threads(setup->threads);
    ctx->flags |= AV_CODEC_FLAG_BITEXACT; /* the same bytes every time */
    if (setup->global_header)
        ctx->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
    set_colours(ctx, setup, full, matrix);
    set_fields(ctx, setup, fields);
    int ret = set_defaults(ctx, options);
    if (ret >= 0)
        ret = set_own_options(setup, fmt, options);
    if (ret < 0)
        return ret;
    rn_pix_export_destroy(&enc->export);
    enc->err = rn_pix_export_create(&enc->export, &setup->geom, fmt, full, matrix,
                                    setup->media->first->chroma_location);
    if (enc->err)
        return AVERROR_EXIT;
    return avcodec_open2(ctx, setup->codec, options);
}

/* Some encoders take only frame rates, or small numbers (MPEG-4), and some no fields: each has
 * further attempts. */
static int open_any(struct rn_write_encoder *enc, const struct rn_write_encoder_setup *setup,
                    enum AVPixelFormat fmt, AVDictionary **options)
{
    const struct rn_read_stream *stream = &setup->media->stream;
    AVRational bases[2] = {setup->time_base, {0, 1}};
    if (stream->rate.num > 0 && stream->rate.den > 0)
        bases[1] = av_inv_q(rn_io_to_av(stream->rate));
    bool interlaced = rn_io_is_interlaced(setup->media->first);
    int ret = AVERROR(EINVAL);
    for (int n = 0; n < (interlaced ? 4 : 2) && ret != AVERROR(ENOMEM); n++) {
        int i = n % 2;
        if (bases[i].num <= 0 || (i && !av_cmp_q(bases[0], bases[1])))
            continue;
        AVDictionary *copy = NULL;
        ret = av_dict_copy(&copy, *options, 0);
        rn_io_capture_begin(); /* anew: the rate says more than the source's ticks */
        ret = ret < 0 ? ret : open_context(enc, setup, fmt, bases[i], n < 2, &copy);
        rn_io_capture_end();
        if (ret >= 0 || ret == AVERROR_EXIT) {
            av_dict_free(options);
            *options = copy;
            return ret;
        }
        av_dict_free(&copy);
    }
    return ret;
}

/* A wrong request is the user's to mend; a missing driver or device fails the output. */
static int fail_open(const struct rn_write_encoder_setup *setup, enum AVPixelFormat fmt, int ret)
{
    char *options = NULL;
    if (*setup->options && av_dict_get_string(*setup->options, &options, '=', ':') < 0)
        return rn_fail_memory();
    bool usage = options || ret == AVERROR(EINVAL) || ret == AVERROR(ERANGE) ||
                 ret == AVERROR_PATCHWELCOME || ret == AVERROR_EXPERIMENTAL;
    rn_fail(usage ? RN_EUSAGE : RN_EOUTPUT, "cannot open the encoder %s for %dx%d %s%s%.200s: %s",
            setup->codec->name, setup->geom.w, setup->geom.h, av_get_pix_fmt_name(fmt),
            options ? " with --codec-opts " : "", options ? options : "", rn_io_cause(ret));
    av_free(options);
    return usage ? RN_EUSAGE : RN_EOUTPUT;
}

/* Options whose values the encoder's table forbids are told apart from what it refuses later. */
static int try_options(const struct rn_write_encoder_setup *setup)
{
    AVCodecContext *scratch = rn_io_codec_context(setup->codec);
    int err = scratch ? rn_write_codec_options_try(*setup->options, scratch, setup->codec->name)
                      : rn_fail_memory();
    avcodec_free_context(&scratch);
    return err;
}

static void announce(const struct rn_write_encoder *enc, const struct rn_write_encoder_setup *setup)
{
    if (rn_pix_export_uses_matrix(enc->export))
        rn_io_media_announce_matrix(setup->media);
    const char *codec =
        setup->codec->id == AV_CODEC_ID_WRAPPED_AVFRAME ? "y4m" : setup->codec->name;
    rn_pix_export_announce(enc->export, codec,
                           rn_write_encoder_needs_full_chroma(setup) ? " of odd size" : "",
                           !setup->media->transparent, setup->pix_fmt ? NULL : setup->losses);
}

int rn_write_encoder_open(struct rn_write_encoder **out, const struct rn_write_encoder_setup *setup)
{
    enum AVPixelFormat fmt;
    int ret, err = rn_write_encoder_choose_format(setup, &fmt);
    err = err ? err : try_options(setup);
    if (err)
        return err;
    struct rn_write_encoder *enc = av_mallocz(sizeof *enc);
    if (!enc)
        return rn_fail_memory();
    enc->codec = setup->codec;
    enc->turn = setup->turn ? *setup->turn : RN_UPRIGHT;
    enc->last_pts = INT64_MIN;
    enc->constant = setup->constant;
    enc->keeps = setup->constant || setup->repeats;
    enc->losses = setup->losses;
    enc->time_base = rn_io_to_av(setup->media->stream.time_base);
    enc->pkt = av_packet_alloc();
    enc->frame = av_frame_alloc();
    if (!enc->pkt || !enc->frame) {
        err = rn_fail_memory();
        goto fail;
    }
    ret = open_any(enc, setup, fmt, setup->options);
    if (ret < 0) {
        err = ret == AVERROR_EXIT ? enc->err : fail_open(setup, fmt, ret);
        goto fail;
    }
    if (!setup->quiet)
        announce(enc, setup);
    *out = enc;
    return 0;
fail:
    rn_write_encoder_close(&enc);
    return err;
}

/* SVT-AV1 hangs when it is closed before it got a picture and was told that the stream ends. */
static void drain(struct rn_write_encoder *enc)
{
    AVCodecContext *ctx = enc->ctx;
    AVFrame *blank = NULL;
    if (!avcodec_is_open(ctx) || enc->drained)
        return;
    if (enc->last_pts == INT64_MIN) {
        if (rn_pix_frame_buffer(&blank, ctx->pix_fmt, ctx->width, ctx->height) == 0) {
            blank->pts = 0;
            avcodec_send_frame(ctx, blank);
        }
        av_frame_free(&blank);
    }
    if (avcodec_send_frame(ctx, NULL) >= 0)
        while (avcodec_receive_packet(ctx, enc->pkt) >= 0)
            av_packet_unref(enc->pkt);
}

void rn_write_encoder_close(struct rn_write_encoder **enc)
{
    if (!*enc)
        return;
    if ((*enc)->ctx && !strcmp((*enc)->codec->name, "libsvtav1"))
        drain(*enc);
    avcodec_free_context(&(*enc)->ctx);
    rn_pix_export_destroy(&(*enc)->export);
    av_packet_free(&(*enc)->pkt);
    av_frame_free(&(*enc)->frame);
    av_freep(&(*enc)->pending);
    av_freep(enc);
}

const AVCodecContext *rn_write_encoder_context(const struct rn_write_encoder *enc)
{
    return enc->ctx;
}

bool rn_write_encoder_keeps_captions(const struct rn_write_encoder *enc)
{
    static const char *const names[] = {"a53cc", "a53_cc"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        int64_t on;
        if (av_opt_get_int(enc->ctx, names[i], AV_OPT_SEARCH_CHILDREN, &on) >= 0)
            return on;
    }
    return false;
}

int64_t rn_write_encoder_frames(const struct rn_write_encoder *enc)
{
    return enc->sent;
}

int64_t rn_write_encoder_origin(const struct rn_write_encoder *enc)
{
    return enc->origin;
}

/* ---- encoding */

static int remember(struct rn_write_encoder *enc, const struct pending *p)
{
    if (enc->npending == enc->room) {
        int room = enc->room ? 2 * enc->room : 64;
        struct pending *list = av_realloc_array(enc->pending, (size_t)room, sizeof *list);
        if (!list)
            return rn_fail_memory();
        enc->pending = list;
        enc->room = room;
    }
    enc->pending[enc->npending++] = *p;
    return 0;
}

/* Takes the frame with this timestamp off the list; as many are on it as the encoder holds back. */
static struct pending recall(struct rn_write_encoder *enc, int64_t pts)
{
    struct pending p = {.pts = pts, .number = -1};
    for (int i = 0; i < enc->npending; i++) {
        if (enc->pending[i].pts != pts)
            continue;
        p = enc->pending[i];
        memmove(enc->pending + i, enc->pending + i + 1, (size_t)(enc->npending - i - 1) * sizeof p);
        enc->npending--;
        break;
    }
    return p;
}

/* What describes the decoder's work or belongs to the container would only mislead the encoder. */
static void keep_properties(AVFrame *f, const AVCodecContext *ctx)
{
    static const enum AVFrameSideDataType kept[] = {
        AV_FRAME_DATA_A53_CC,
        AV_FRAME_DATA_AFD,
        AV_FRAME_DATA_S12M_TIMECODE,
        AV_FRAME_DATA_MASTERING_DISPLAY_METADATA,
        AV_FRAME_DATA_CONTENT_LIGHT_LEVEL,
        AV_FRAME_DATA_DYNAMIC_HDR_PLUS,
        AV_FRAME_DATA_ICC_PROFILE,
        AV_FRAME_DATA_STEREO3D,
    };
    for (int i = 0; i < f->nb_side_data;) {
        enum AVFrameSideDataType type = f->side_data[i]->type;
        bool keep = false;
        for (size_t k = 0; k < sizeof kept / sizeof kept[0]; k++)
            keep |= type == kept[k];
        if (keep)
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

static int make_frame(struct rn_write_encoder *enc, const struct rn_image *img,
                      const struct rn_frame *frame)
{
    AVFrame *f = enc->frame;
    av_frame_unref(f);
    if (frame->data && frame->data->props && av_frame_copy_props(f, frame->data->props) < 0)
        return rn_fail_memory();
    keep_properties(f, enc->ctx);
    int err = rn_pix_export(enc->export, img, frame->by_field, f);
    if (!err && !rn_pix_orient_is_upright(&enc->turn))
        err = rn_pix_turn_frame(&enc->turn, f);
    if (err)
        return err;
    AVRational tb = enc->ctx->time_base;
    bool first = enc->last_pts == INT64_MIN;
    if (first && av_cmp_q(tb, enc->time_base) != 0)
        enc->origin = frame->pts;
    f->pts = av_rescale_q(frame->pts - enc->origin, enc->time_base, tb);
    if (enc->constant && !first)
        f->pts = enc->last_pts + 1;
    if (f->pts <= enc->last_pts && !first) {
        if (!enc->warned)
            rn_losses_add(enc->losses, "times",
                          "the output counts time in steps of %d/%d s: frame %" PRId64
                          " and others move",
                          tb.num, tb.den, frame->index);
        enc->warned = true;
        f->pts = enc->last_pts + 1;
    }
    enc->last_pts = f->pts;
    int64_t duration = enc->constant ? 1 : av_rescale_q(frame->duration, enc->time_base, tb);
    rn_io_set_duration(f, duration);
    bool named = frame->data && frame->data->number >= 0;
    struct pending p = {f->pts, duration, named ? frame->data->number : frame->index};
    return remember(enc, &p);
}

static int fail(const struct rn_write_encoder *enc, int ret)
{
    return rn_fail(RN_EOUTPUT, "the encoder %s failed: %s", enc->codec->name, rn_io_error(ret));
}

static int give_packet(struct rn_write_encoder *enc, rn_write_packet_fn *fn, void *opaque)
{
    struct pending p = recall(enc, enc->pkt->pts);
    if (enc->pkt->duration <= 0)
        enc->pkt->duration = p.duration;
    int err = fn(opaque, enc->pkt, p.number);
    av_packet_unref(enc->pkt);
    return err;
}

/* Sends enc->frame, or says that the stream ends, and gives away what comes out. */
static int encode(struct rn_write_encoder *enc, bool end, rn_write_packet_fn *fn, void *opaque)
{
    enc->drained |= end;
    int err, ret = avcodec_send_frame(enc->ctx, end ? NULL : enc->frame);
    enc->sent += !end && ret >= 0;
    if (!enc->keeps)
        av_frame_unref(enc->frame);
    while (ret >= 0 && (ret = avcodec_receive_packet(enc->ctx, enc->pkt)) >= 0)
        if ((err = give_packet(enc, fn, opaque)) != 0)
            return err;
    if (ret == AVERROR(EAGAIN) || ret == AVERROR_EOF)
        return 0;
    return fail(enc, ret);
}

int rn_write_encoder_write(struct rn_write_encoder *enc, const struct rn_image *img,
                           const struct rn_frame *frame, rn_write_packet_fn *fn, void *opaque)
{
    int err = img ? make_frame(enc, img, frame) : 0;
    return err ? err : encode(enc, !img, fn, opaque);
}

bool rn_write_encoder_is_single(const struct rn_write_encoder *enc)
{
    const AVCodecDescriptor *desc = avcodec_descriptor_get(enc->codec->id);
    int others = AV_CODEC_CAP_DELAY | AV_CODEC_CAP_FRAME_THREADS | AV_CODEC_CAP_SLICE_THREADS |
                 AV_CODEC_CAP_OTHER_THREADS;
    return desc && desc->props & AV_CODEC_PROP_INTRA_ONLY && !(enc->codec->capabilities & others);
}

int rn_write_encoder_take(struct rn_write_encoder *enc, const struct rn_image *img,
                          const struct rn_frame *frame)
{
    return make_frame(enc, img, frame);
}

void rn_write_encoder_work(struct rn_write_encoder *enc)
{
    enc->worked = avcodec_send_frame(enc->ctx, enc->frame);
    if (enc->worked >= 0)
        enc->worked = avcodec_receive_packet(enc->ctx, enc->pkt);
}

int rn_write_encoder_give(struct rn_write_encoder *enc, rn_write_packet_fn *fn, void *opaque)
{
    av_frame_unref(enc->frame);
    enc->sent += enc->worked >= 0;
    return enc->worked < 0 ? fail(enc, enc->worked) : give_packet(enc, fn, opaque);
}

int rn_write_encoder_repeat(struct rn_write_encoder *enc, rn_write_packet_fn *fn, void *opaque)
{
    enc->frame->pts = ++enc->last_pts;
    struct pending p = {enc->last_pts, 1, -1};
    int err = remember(enc, &p);
    return err ? err : encode(enc, false, fn, opaque);
}

int rn_write_encoder_repeat_at(struct rn_write_encoder *enc, int64_t pts, int64_t duration,
                               rn_write_packet_fn *fn, void *opaque)
{
    AVRational tb = enc->ctx->time_base;
    int64_t at = av_rescale_q(pts - enc->origin, enc->time_base, tb);
    if (at <= enc->last_pts)
        return 0;
    enc->frame->pts = enc->last_pts = at;
    rn_io_set_duration(enc->frame, av_rescale_q(duration, enc->time_base, tb));
    struct pending p = {at, rn_io_duration(enc->frame), -1};
    int err = remember(enc, &p);
    return err ? err : encode(enc, false, fn, opaque);
}
