/* SPDX-License-Identifier: MIT */
#include "io/write/sinks/sink_ops.h"

#include "filters/base/log.h"
#include "filters/base/threads/stall.h"
#include "io/common/av.h"
#include "io/common/av_versions.h"
#include "io/common/frame_data.h"
#include "io/write/cells.h"
#include "io/write/encode/two_pass.h"
#include "io/write/mux/picture_times.h"

#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>

#define TEE_BUFFER (1 << 15)

struct media_sink {
    struct rn_write_sink base;
    AVFormatContext *out;
    const struct rn_container *container; /* of out */
    struct rn_write_encoder *enc;
    struct rn_write_remux *remux;
    AVStream *video;
    AVDictionary *options;
    unsigned requested;        /* traits, see compare.h */
    unsigned tag;              /* the user's codec tag of the video stream; 0: none */
    AVRational frame_base;     /* time base of the frames */
    AVIOContext *under;        /* below the tee of a streamed output; NULL: there is none */
    struct rn_write_head head; /* the beginning of that output */
    int64_t first_us;          /* time of the first picture; AV_NOPTS_VALUE: none yet */
    int64_t last_dts;
    int64_t origin_us; /* the time of the frames that is 0 in the file, see avi.c */
    struct rn_write_end_times end_times;
    struct rn_write_constant_rate rate; /* step.num 0: frames have times of their own */
    bool ended;                         /* writing the trailer was tried */
    bool doubtful;                      /* the file is ended, but parts may be missing */
    int64_t pictures;                   /* packets of pictures that the muxer took */
    int64_t picture_bytes;
    struct rn_write_passes *passes; /* NULL: one pass */
    struct rn_write_reserved reserved;
    bool streamed;  /* to a pipe, a device or an open descriptor: no seeking back */
    int descriptor; /* of this process, else -1 */
};

/* ---- a tee, which passes everything on and keeps the beginning, for outputs that cannot be read
 * again, such as pipes */

static int write_both(void *opaque, rn_io_written *data, int size)
{
    struct media_sink *s = opaque;
    size_t n = FFMIN(RN_MAX_HEAD - s->head.size, (size_t)size);
    memcpy(s->head.data + s->head.size, data, n);
    s->head.size += n;
    avio_write(s->under, data, size);
    avio_flush(s->under);
    return s->under->error < 0 ? s->under->error : size;
}

/* Puts the tee before the open output. Returns 0 or libav's error code. */
static int open_tee(struct media_sink *s)
{
    uint8_t *buf = av_malloc(TEE_BUFFER);
    s->head.data = av_malloc(RN_MAX_HEAD); /* the system provides its pages when they are used */
    AVIOContext *own = buf && s->head.data
                           ? avio_alloc_context(buf, TEE_BUFFER, 1, s, NULL, write_both, NULL)
                           : NULL;
    if (!own) {
        av_free(buf);
        return AVERROR(ENOMEM);
    }
    s->under = s->out->pb;
    s->out->pb = own;
    return 0;
}

/* Flushes and closes the output and its tee, if it has one. Returns 0 or libav's error code. */
static int close_output(struct media_sink *s)
{
    AVIOContext **pb = &s->out->pb;
    if (!s->under)
        return avio_closep(pb);
    avio_flush(*pb);
    int written = (*pb)->error, closed = avio_closep(&s->under);
    av_freep(&(*pb)->buffer);
    avio_context_free(pb);
    return written < 0 ? written : closed;
}

/* ---- packets of pictures */

static int write_packet(struct media_sink *s, AVPacket *pkt)
{
    s->picture_bytes += pkt->size;
    int err = rn_write_reserved_write(s->out, s->base.name, pkt);
    s->pictures += !err;
    return err;
}

static int put_packet(void *opaque, AVPacket *pkt, int64_t number)
{
    struct media_sink *s = opaque;
    av_packet_rescale_ts(pkt, s->enc->ctx->time_base, s->video->time_base);
    int64_t first = s->enc->origin;
    int64_t origin = av_rescale_q(first, s->frame_base, s->video->time_base);
    if (s->origin_us) /* rounds once, as the origin was rounded to the same steps */
        origin = av_rescale_q(av_rescale_q(first, s->frame_base, AV_TIME_BASE_Q) - s->origin_us,
                              AV_TIME_BASE_Q, s->video->time_base);
    pkt->pts += origin;
    pkt->dts += origin;
    pkt->stream_index = s->video->index;
    int ret = 0;
    if (s->last_dts == AV_NOPTS_VALUE && s->container->starts_at_zero)
        ret = rn_write_avi_begin(s->out, pkt);
    rn_write_remux_raise_dts(s->out, pkt, &s->last_dts);
    if (ret < 0)
        return rn_write_checked(s->out, s->base.name, ret);
    int err = rn_write_theora_fill(s->enc->ctx, pkt);
    if (err)
        return err;
    if (s->container->last_duration == RN_LAST_SUM) {
        err = rn_write_end_times_hold_packet(&s->end_times, pkt);
        if (err || !pkt->data)
            return err;
    }
    err = write_packet(s, pkt);
    if (err)
        av_packet_free(&s->end_times.delayed); /* no packet may follow one that is missing */
    return err;
}

/* ---- opening */

static bool holds_pictures(const AVOutputFormat *of, enum AVCodecID id, const struct rn_geom *geom)
{
    RN_OWNED(avcodec_parameters_free) AVCodecParameters *par = avcodec_parameters_alloc();
    if (!par)
        return false;
    par->codec_type = AVMEDIA_TYPE_VIDEO;
    par->codec_id = id;
    par->width = geom->w;
    par->height = geom->h;
    return rn_write_container_holds_coding(of, par, id);
}

/* Hardware and browsers decode 8 bits of 4:2:0 alone. */
static void warn_of_profile(const struct media_sink *s)
{
    const AVCodecContext *ctx = s->enc->ctx;
    const AVPixFmtDescriptor *desc = av_pix_fmt_desc_get(ctx->pix_fmt);
    bool sampled = desc->log2_chroma_w == 1 && desc->log2_chroma_h == 1;
    if (ctx->codec_id == AV_CODEC_ID_H264 &&
        (desc->comp[0].depth > 8 || (desc->nb_components > 1 && !sampled)))
        rn_log(RN_LOG_INFO,
               "'%s': few players open H.264 of %s; `--for phone` or --pix-fmt yuv420p makes what "
               "all do",
               s->base.name, desc->name);
}

static int open_encoder(struct media_sink *s, const struct rn_write_opts *opts)
{
    const char *name = s->base.name;
    const AVOutputFormat *of = s->out->oformat;
    AVRational time_base = rn_write_constant_rate_begin(&s->rate, of, &s->base.media);
    struct rn_write_encoder_setup setup = {
        .options = &s->options,
        .pix_fmt = opts->pix_fmt,
        .formats = s->container->pix_fmts,
        .time_base = time_base,
        .threads = opts->threads,
        .geom = s->base.geom,
        .media = &s->base.media,
        .constant = s->rate.step.num > 0,
        .repeats = s->container->last_duration == RN_LAST_UNTOLD,
        .global_header = of->flags & AVFMT_GLOBALHEADER,
        .quiet = s->base.quiet,
        .losses = s->base.losses,
        .passes = s->passes,
        .grid = opts->grid != RN_GRID_OFF && !s->passes,
        .cells = opts->cells,
        .rehearsal = s->base.purpose == RN_WRITE_REHEARSAL,
        .put = put_packet,
        .opaque = s,
    };
    int err = rn_write_codec_choose(&setup.codec, of, opts->codec, &s->base.media, &s->base.geom,
                                    name, s->base.quiet);
    if (!err && !holds_pictures(of, setup.codec->id, &s->base.geom))
        err = rn_fail(RN_EUSAGE, "'%s': %s cannot hold %s video", name, of->name,
                      avcodec_get_name(setup.codec->id));
    if (!err && s->passes)
        err = rn_write_passes_check(s->passes, setup.codec, s->options);
    /* libavcodec tells libvpx that each picture lasts one step, of which its bits are counted. */
    AVRational rate = rn_io_to_av(s->base.media.stream.rate);
    if (!err && s->passes && av_strstart(setup.codec->name, "libvpx", NULL) && rate.num > 0)
        setup.time_base = av_inv_q(rate);
    setup.limited = !err && !rn_write_codec_specifies_range(of, setup.codec->id);
    err = err ? err : rn_write_encoder_open(&s->enc, &setup);
    if (!err && !s->base.quiet && !opts->codec && !opts->pix_fmt)
        warn_of_profile(s);
    if (!err && setup.constant)
        s->rate.step = s->enc->ctx->time_base;
    return err;
}

static int describe_video(struct media_sink *s)
{
    const struct rn_io_media *media = &s->base.media;
    const struct rn_container *container = s->container;
    const AVCodecContext *ctx = s->enc->ctx;
    AVRational rate = rn_io_to_av(media->stream.rate);
    bool known = rate.num > 0 && rate.den > 0;
    if (container->max_read_rate > 0 && !s->base.quiet && known &&
        av_q2d(rate) > container->max_read_rate)
        rn_log(RN_LOG_WARNING,
               "'%s': players show a GIF at %.0f frames/s at most; at the input's rate of %.2f "
               "many show ten",
               s->base.name, container->max_read_rate, av_q2d(rate));
    if (avcodec_parameters_from_context(s->video->codecpar, ctx) < 0)
        return rn_fail_memory();
    AVCodecParameters *par = s->video->codecpar;
    if (s->tag)
        par->codec_tag = s->tag;
    else if (!par->codec_tag && par->codec_id == AV_CODEC_ID_HEVC)
        par->codec_tag = container->hevc_tag; /* hvc1: Apple's programs do not play hev1 */
    s->video->time_base = ctx->time_base;
    s->video->sample_aspect_ratio = ctx->sample_aspect_ratio;
    if (known)
        s->video->avg_frame_rate = rate;
    if (s->rate.step.num > 0)
        s->video->avg_frame_rate = av_inv_q(s->rate.step);
    /* Matroska writes the rate as every picture's duration: wrong at a variable rate. */
    rate = s->video->avg_frame_rate;
    double step = (double)rn_io_duration(media->first) * av_q2d(s->frame_base);
    if (container->rate_is_duration && step > 0 && rate.num > 0 &&
        fabs(step * av_q2d(rate) - 1) > 0.1)
        s->video->avg_frame_rate = (AVRational){0, 1};
    int err = rn_write_describe_video(media, container, s->base.name, s->video);
    for (int i = 0; i < ctx->nb_coded_side_data && !err; i++) {
        const AVPacketSideData *sd = &ctx->coded_side_data[i];
        if (!rn_io_add_side_data(s->video, sd->type, sd->data, sd->size))
            err = rn_fail_memory();
    }
    if (!err && container->fit_metadata)
        err = container->fit_metadata(s->out, media, s->video, &s->options);
    return err;
}

static int goes_on(void *none)
{
    rn_stall_beat(); /* libav asks with every write */
    return 0;
}

static int open_file(struct media_sink *s)
{
    int ret;
    if (s->base.purpose == RN_WRITE_REHEARSAL) {
        ret = avio_open_dyn_buf(&s->out->pb);
        if (ret >= 0 && s->streamed)
            s->out->pb->seekable = 0;
    } else if (s->base.purpose != RN_WRITE_OUTPUT) {
        ret = avio_open(&s->out->pb, "/dev/null", AVIO_FLAG_WRITE);
    } else if (s->descriptor >= 0) { /* opening the file anew would truncate it */
        char url[32];
        snprintf(url, sizeof url, "pipe:%d", s->descriptor);
        ret = avio_open(&s->out->pb, url, AVIO_FLAG_WRITE);
    } else {
        int err = rn_write_begin_file(&s->base, 0);
        if (err)
            return err;
        char *url = rn_io_file_url(s->base.file.temp);
        av_free(s->out->url);
        s->out->interrupt_callback.callback = goes_on;
        s->out->url = url; /* +faststart opens the file once more */
        ret = url ? avio_open2(&s->out->pb, url, AVIO_FLAG_WRITE, &s->out->interrupt_callback, NULL)
                  : AVERROR(ENOMEM);
    }
    if (ret >= 0 && s->base.purpose != RN_WRITE_REHEARSAL && (s->streamed || s->descriptor >= 0) &&
        s->base.losses)
        ret = open_tee(s);
    return ret < 0 ? rn_write_av_write_fail(s->base.name, ret) : 0;
}

/* Writes the header, where mistakes in the container's options or streams show. A failure is a
 * usage error in the rehearsal and an output error afterwards. */
static int begin(struct media_sink *s)
{
    const AVOutputFormat *of = s->out->oformat;
    bool rehearsal = s->base.purpose == RN_WRITE_REHEARSAL;
    int err = rehearsal ? rn_write_codec_options_try(s->options, s->out, of->name) : 0;
    if (err)
        return err;
    rn_io_capture_begin();
    int ret = avformat_write_header(s->out, &s->options);
    rn_io_capture_end();
    if (ret >= 0)
        err = rn_write_codec_options_check(s->options, s->enc->ctx->codec->name, of->name);
    if (err)
        return err;
    if (ret < 0 && rehearsal)
        return rn_fail(RN_EUSAGE, "'%s': %s refuses these streams or options: %s%s", s->base.name,
                       of->name, rn_io_cause(ret),
                       s->streamed && s->container->index_in_trailer
                           ? "; through a pipe try --codec-opts "
                             "movflags=frag_keyframe+empty_moov, or --container matroska"
                           : "");
    if (ret >= 0 && !rehearsal) {
        avio_flush(s->out->pb);
        ret = s->out->pb->error;
    }
    if (ret < 0)
        return rn_write_av_write_fail(s->base.name, ret);
    if (rehearsal)
        return 0;
    if (!s->streamed && s->descriptor < 0 && s->base.purpose == RN_WRITE_OUTPUT)
        rn_write_reserved_begin(&s->reserved, s->out, &s->base.file);
    return rn_write_remux_begin(s->remux);
}

/* Makes the streams of the output. Needs the open encoder of the pictures. */
static int open_streams(struct media_sink *s, const struct rn_write_opts *opts)
{
    const struct rn_io_media *media = &s->base.media;
    if (s->container->starts_at_zero)
        s->origin_us = rn_write_avi_origin(media, s->enc->ctx);
    const struct rn_write_remux_opts others = {
        .audio = opts->audio,
        .stays = opts->stays,
        .subs = opts->subs,
        .quiet = s->base.quiet,
        .losses = s->base.losses,
        .origin_us = s->origin_us,
    };
    s->base.captions_reported =
        s->requested & RN_TRAIT_CAPTIONS || rn_write_encoder_keeps_captions(s->enc);
    int err = rn_write_remux_open(&s->remux, s->out, media, s->base.name, &others, &s->video);
    return err ? err : describe_video(s);
}

static int media_open(struct rn_write_sink *sink, const struct rn_write_opts *opts)
{
    struct media_sink *s = (struct media_sink *)sink;
    s->first_us = s->last_dts = AV_NOPTS_VALUE;
    s->frame_base = rn_io_to_av(sink->media.stream.time_base);
    struct rn_outplace place;
    s->streamed = !strcmp(sink->name, "-");
    s->descriptor = s->streamed ? STDOUT_FILENO : -1;
    if (!s->streamed &&
        !rn_outplace_find(&place, sink->name)) { /* rn_outfile_begin reports errors */
        s->descriptor = place.descriptor;
        s->streamed = place.special;
        rn_outplace_free(&place);
    }
    int err = rn_write_muxer_open(&s->out, sink->name, opts->container, s->streamed);
    s->container = err ? NULL : rn_container_of_output(s->out->oformat);
    err = err ? err : rn_write_codec_options_parse(opts->codec_opts, &s->options);
    err = err ? err : rn_write_codec_options_take_tag(&s->options, &s->tag);
    s->requested = rn_write_codec_options_traits(s->options);
    s->passes = opts->passes;
    bool to_nothing = sink->purpose == RN_WRITE_FIRST_PASS || sink->purpose == RN_WRITE_SEGMENT;
    if (!err && to_nothing && av_dict_get(s->options, "movflags", NULL, 0) && /* reads the file */
        av_dict_set(&s->options, "movflags", "-faststart", AV_DICT_APPEND) < 0)
        err = rn_fail_memory();
    err = err ? err : open_encoder(s, opts);
    err = err ? err : open_streams(s, opts);
    err = err ? err : open_file(s);
    return err ? err : begin(s);
}

static void media_release(struct rn_write_sink *sink)
{
    struct media_sink *s = (struct media_sink *)sink;
    if (s->out && s->out->pb && sink->purpose == RN_WRITE_REHEARSAL) {
        uint8_t *buf = NULL;
        avio_close_dyn_buf(s->out->pb, &buf);
        av_free(buf);
    } else if (s->out && s->out->pb) {
        close_output(s);
    }
    av_free(s->head.data);
    av_packet_free(&s->end_times.delayed);
    rn_write_remux_close(&s->remux);
    rn_write_encoder_close(&s->enc);
    avformat_free_context(s->out);
    av_dict_free(&s->options);
}

/* ---- writing */

static int write_packets(struct media_sink *s, const struct rn_frame *frame)
{
    int err = 0;
    for (int i = 0; i < frame->data->n && !err; i++)
        err = rn_write_remux_packet(s->remux, frame->data->packet[i]);
    return err;
}

static int media_tail(struct rn_write_sink *sink, const struct rn_frame *frame)
{
    if (sink->media.open_end)
        sink->media.end_us = frame->data->end_us;
    return write_packets((struct media_sink *)sink, frame);
}

static int media_write(struct rn_write_sink *sink, const struct rn_image *img,
                       const struct rn_frame *frame)
{
    struct media_sink *s = (struct media_sink *)sink;
    int err = frame->data ? write_packets(s, frame) : 0;
    if (err)
        return err;
    rn_write_end_times_note(&s->end_times, frame, s->frame_base);
    if (s->first_us == AV_NOPTS_VALUE)
        s->first_us = av_rescale_q(frame->pts, s->frame_base, AV_TIME_BASE_Q);
    return s->rate.step.num > 0 ? rn_write_constant_rate_write(&s->rate, s->enc, img, frame)
                                : rn_write_encoder_write(s->enc, img, frame);
}

/* ---- ending */

static int release_last_packet(struct media_sink *s)
{
    AVPacket *pkt = rn_write_end_times_release_packet(&s->end_times, s->video->time_base,
                                                      s->enc->ctx->time_base);
    return pkt ? write_packet(s, pkt) : 0;
}

/* After the first pass, in which libvpx gives no packets; the container needs bytes for each. */
static int note_pass(struct media_sink *s)
{
    const struct rn_write_span *shown = &s->end_times.shown;
    const AVCodecContext *ctx = s->enc->ctx;
    s->passes->others =
        avio_tell(s->out->pb) - s->picture_bytes + 24 * (s->enc->sent - s->pictures);
    s->passes->seconds = (double)(shown->end - shown->first) / AV_TIME_BASE;
    s->passes->stats = ctx->stats_out ? strdup(ctx->stats_out) : NULL;
    return ctx->stats_out && !s->passes->stats ? rn_fail_memory() : 0;
}

/* Ends the encoder; last: the pictures were the last ones of the run. */
static int finish_pictures(struct media_sink *s, bool last)
{
    const char *name = s->base.name;
    int err = rn_write_constant_rate_finish(&s->rate, s->enc, name, s->base.losses);
    if (!err && last && s->rate.step.num <= 0)
        err =
            rn_write_end_times_repeat(&s->end_times, s->enc, name, s->out->oformat, s->frame_base);
    return err ? err : rn_write_encoder_write(s->enc, NULL, NULL);
}

/* Ends the encoder and the file. A full disk may show in any step. */
static int finish(struct media_sink *s)
{
    const char *name = s->base.name;
    int err = finish_pictures(s, true);
    err = err ? err : release_last_packet(s);
    err = err ? err : rn_write_remux_finish(s->remux);
    /* By default a GIF repeats the delay of the second to last picture; a single one gets none. */
    int64_t delay, cs = av_rescale(s->end_times.us, 100, AV_TIME_BASE);
    if (!err && s->container->last_duration == RN_LAST_OPTION && cs > 0 && cs <= UINT16_MAX &&
        av_opt_get_int(s->out->priv_data, "final_delay", 0, &delay) >= 0 && delay < 0 &&
        av_opt_set_int(s->out->priv_data, "final_delay", cs, 0) < 0)
        err = rn_fail_memory();
    if (err)
        return err;
    s->ended = true;
    errno = 0; /* muxers that are out of memory leave things out, but return no error */
    int ret = av_write_trailer(s->out);
    bool doubtful = errno == ENOMEM;
    err = rn_write_checked(s->out, name, ret);
    if (err)
        return err;
    avio_flush(s->out->pb);
    err = rn_write_checked(s->out, name, 0);
    if (!err && s->base.purpose == RN_WRITE_FIRST_PASS)
        err = note_pass(s);
    if (err)
        return err;
    ret = close_output(s);
    if (ret < 0)
        return rn_write_av_write_fail(name, ret);
    s->doubtful = doubtful;
    return doubtful ? rn_fail(RN_EINTERNAL,
                              "'%s': out of memory at the end of the file, which may be incomplete",
                              name)
                    : 0;
}

/* Ends the file after a failed write, in the space that was reserved for the trailer, or cuts it
 * where it can be read without one. Returns whether anything can be kept. */
static bool rescue(struct media_sink *s)
{
    if (!s->ended)
        release_last_packet(s);
    bool ended = !s->ended && av_write_trailer(s->out) >= 0 && s->out->pb->error >= 0;
    s->ended = true;
    if (s->out->pb && avio_closep(&s->out->pb) < 0)
        ended = false;
    return s->pictures > 0 && (ended || rn_write_reserved_cut(&s->reserved));
}

static struct rn_write_shortfall report_losses(struct media_sink *s)
{
    const AVCodecContext *enc = s->enc->ctx;
    struct rn_write_written w =
        rn_write_written_of(&s->base, enc->width, enc->height, enc->pix_fmt);
    w.full_range = enc->color_range == AVCOL_RANGE_JPEG ||
                   av_strstart(av_get_pix_fmt_name(enc->pix_fmt), "yuvj", NULL);
    w.requested = s->requested;
    w.out = s->out;
    w.remux = s->remux;
    if (s->first_us != AV_NOPTS_VALUE)
        w.first_us = s->first_us - s->origin_us;
    w.shown = s->end_times.shown;
    w.temp = s->head.data ? NULL : s->base.file.temp;
    w.head = &s->head;
    return rn_write_compare(&w);
}

static int media_close(struct rn_write_sink *sink, enum rn_write_ending ending)
{
    struct media_sink *s = (struct media_sink *)sink;
    if (ending == RN_ENDING_ABANDON)
        return 0;
    struct stat st;
    if (sink->purpose == RN_WRITE_SEGMENT) {
        const struct rn_write_cells *c = sink->cells;
        bool last =
            c->short_input || c->first * c->parts->cell_frames + sink->frames >= c->parts->frames;
        return ending == RN_ENDING_COMPLETE && !sink->failed ? finish_pictures(s, last) : 0;
    }
    int err = sink->failed ? 0 : finish(s);
    if (sink->purpose == RN_WRITE_FIRST_PASS)
        return err;
    bool whole = !err && !sink->failed && ending == RN_ENDING_COMPLETE;
    if (s->passes && whole && !stat(sink->file.temp, &st))
        err = rn_write_passes_judge(s->passes, sink->name, st.st_size);
    if (!err && s->passes && s->passes->again)
        return 0;
    bool broken = err || sink->failed;
    bool kept = whole || !broken || s->doubtful || (s->reserved.file && rescue(s));
    struct rn_write_shortfall lacks = {0};
    if (!broken && ending == RN_ENDING_COMPLETE)
        lacks = report_losses(s);
    if (lacks.unreadable) {
        err = rn_fail(RN_EOUTPUT, "'%s' cannot be read: it was written wrong", sink->name);
        broken = true;
    }
    int64_t frames = s->enc->sent;
    int64_t repeated = s->rate.repeated + s->end_times.repeated;
    if (!broken && sink->ledger) /* counted after the trailer: muxers hold packets back */
        sink->ledger->out = (struct rn_io_outflow){.counted = true,
                                                   .frames = frames,
                                                   .copied = frames - repeated,
                                                   .repeated = repeated,
                                                   .dropped = s->rate.dropped,
                                                   .encoded = s->pictures,
                                                   .packets = s->video->nb_frames - lacks.pictures,
                                                   .seconds_lost = lacks.seconds};
    int committed = 0;
    if (kept && sink->file.path)
        committed = rn_outfile_commit(&sink->file, broken || ending == RN_ENDING_PARTIAL);
    else if (sink->file.path && !s->streamed)
        rn_log(RN_LOG_WARNING, "'%s': nothing could be kept", sink->name);
    return err ? err : committed;
}

static int64_t media_damaged(const struct rn_write_sink *sink)
{
    return rn_write_remux_damaged(((const struct media_sink *)sink)->remux);
}

static int media_cell(const struct rn_write_sink *sink)
{
    const struct media_sink *s = (const struct media_sink *)sink;
    bool counts = s->rate.step.num > 0; /* pictures depend on those before: they are repeated */
    return counts ? 0 : s->enc->grid.size;
}

static const AVCodecContext *media_encoder(const struct rn_write_sink *sink, const char **container)
{
    const struct media_sink *s = (const struct media_sink *)sink;
    *container = s->out->oformat->name;
    return s->enc->ctx;
}

const struct rn_write_ops rn_write_media_sink = {
    .size = sizeof(struct media_sink),
    .holds = RN_HOLDS_STREAMS,
    .open = media_open,
    .write = media_write,
    .tail = media_tail,
    .close = media_close,
    .release = media_release,
    .cell = media_cell,
    .encoder = media_encoder,
    .damaged = media_damaged,
};
