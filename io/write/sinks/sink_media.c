#include "io/write/sinks/sink_ops.h"

#include "filters/base/err.h"
#include "filters/base/log.h"
#include "filters/base/output/outfile.h"
#include "filters/base/output/outplace.h"
#include "io/common/av.h"
#include "io/common/av_versions.h"
#include "io/write/encode/asked.h"
#include "io/write/report/compare.h"
#include "io/write/mux/avi.h"
#include "io/write/mux/container.h"
#include "io/write/mux/describe.h"
#include "io/containers/table.h"
#include "io/write/mux/remux.h"
#include "io/write/mux/tee.h"
#include "io/write/mux/theora.h"
#include "io/common/traits.h"
#include "io/write/encode/codec_choice.h"
#include "io/write/encode/codec_options.h"
#include "io/write/mux/constant_rate.h"
#include "io/write/encode/encoder.h"
#include "io/write/mux/last.h"
#include "io/write/encode/midstream.h"
#include "io/write/mux/muxer.h"
#include "io/write/mux/room.h"
#include "io/common/media.h"
#include "io/common/frame_data.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <libavformat/avformat.h>
#include <libavutil/avstring.h>
#include <libavutil/mem.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>

struct media_sink {
    struct rn_write_sink base;
    char *name; /* of the output, as given */
    struct rn_outfile file;
    AVFormatContext *out;
    struct rn_write_encoder *enc;
    struct rn_write_remux *remux;
    AVStream *video;
    AVDictionary *options;
    unsigned asked;        /* see compare.h */
    unsigned tag;          /* the user's, of the pictures' coding in the container; 0: none */
    AVRational frame_base; /* of the frames that come */
    const struct rn_read_source *source;
    struct rn_geom geom;
    struct rn_io_ledger *ledger; /* borrowed, as losses; may be NULL */
    struct rn_losses *losses;
    struct rn_write_midstream midstream;
    struct rn_write_tee *tee;  /* keeps the beginning of what is streamed */
    struct rn_write_head head; /* that beginning, once all is written */
    int64_t first_us;          /* when the first picture is shown; AV_NOPTS_VALUE: none came */
    int64_t last_dts;
    int64_t origin_us;               /* the time of the frames that is 0 in the file, see avi.h */
    struct rn_write_last last;       /* of the pictures */
    struct rn_write_shortfall lacks; /* found after the end */
    struct rn_write_constant_rate rate; /* step.num 0: frames have times of their own */
    bool rehearsal;                     /* everything but the file: the header goes to memory */
    bool begun;                         /* the header is written */
    bool ended;                         /* the trailer, too, or it was tried */
    bool doubtful;                      /* all is written, but something may be missing in it */
    bool broken;                        /* all is written, but nobody can read it */
    bool failed;                        /* a write did: the encoder's last pictures are of no use */
    int64_t pictures; /* packets of them that the encoder gave and the muxer took */
    struct rn_write_room room;
    bool streamed;  /* to a pipe, a device or an open descriptor: nothing can be written twice */
    int descriptor; /* of this process, else -1 */
};

static bool to_stdout(const struct media_sink *s)
{
    return !strcmp(s->name, "-");
}

/* What an error with the place means is for rn_outfile_begin to say. */
static void look_at_place(struct media_sink *s)
{
    struct rn_outplace place;
    s->descriptor = to_stdout(s) ? STDOUT_FILENO : -1;
    s->streamed = to_stdout(s);
    if (s->streamed || rn_outplace_find(&place, s->name))
        return;
    s->descriptor = place.descriptor;
    s->streamed = place.special;
    rn_outplace_free(&place);
}

static const struct rn_container *container_of(const struct media_sink *s)
{
    return rn_container_of_output(s->out->oformat);
}

/* ---- opening */

static bool holds_pictures(const AVOutputFormat *of, enum AVCodecID id, const struct rn_geom *geom)
{
    AVCodecParameters *par = avcodec_parameters_alloc();
    if (!par)
        return false;
    par->codec_type = AVMEDIA_TYPE_VIDEO;
    par->codec_id = id;
    par->width = geom->w;
    par->height = geom->h;
    bool holds = rn_write_container_holds_coding(of, par, id);
    avcodec_parameters_free(&par);
    return holds;
}

static int open_encoder(struct media_sink *s, const struct rn_write_opts *opts,
                        const struct rn_read_source *source, const struct rn_geom *geom)
{
    AVRational time_base = rn_write_constant_rate_begin(&s->rate, s->out->oformat, source);
    struct rn_write_encoder_setup setup = {
        .options = &s->options,
        .pix_fmt = opts->pix_fmt,
        .formats = container_of(s)->pix_fmts,
        .time_base = time_base,
        .threads = opts->threads,
        .geom = *geom,
        .source = source,
        .constant = s->rate.step.num > 0,
        .repeats = container_of(s)->trailing_duration == RN_CONTAINER_TRAILING_UNTOLD,
        .global_header = s->out->oformat->flags & AVFMT_GLOBALHEADER,
        .quiet = s->rehearsal,
        .losses = s->losses,
    };
    int err = rn_write_codec_choose(&setup.codec, s->out->oformat, opts->codec,
                                    rn_read_media(source), geom, s->name, s->rehearsal);
    if (!err && !holds_pictures(s->out->oformat, setup.codec->id, geom))
        err = rn_fail(RN_EUSAGE, "'%s': %s cannot hold %s video", s->name, s->out->oformat->name,
                      avcodec_get_name(setup.codec->id));
    setup.limited = !err && !rn_write_codec_tells_range(s->out->oformat, setup.codec->id);
    err = err ? err : rn_write_encoder_open(&s->enc, &setup);
    if (!err && setup.constant)
        s->rate.step = rn_write_encoder_context(s->enc)->time_base;
    return err;
}

static int copy_coded_side_data(AVStream *st, const AVCodecContext *ctx)
{
    for (int i = 0; i < ctx->nb_coded_side_data; i++) {
        const AVPacketSideData *sd = &ctx->coded_side_data[i];
        uint8_t *data = rn_io_add_side_data(st, sd->type, sd->size);
        if (!data)
            return rn_fail_memory();
        memcpy(data, sd->data, sd->size);
    }
    return 0;
}

static void warn_of_rate(const struct media_sink *s, AVRational rate)
{
    double max = container_of(s)->max_read_rate;
    if (max > 0 && !s->rehearsal && rate.num > 0 && rate.den > 0 && av_q2d(rate) > max)
        rn_log(RN_LOG_WARNING,
               "'%s': players show a GIF at %.0f frames/s at most; at the input's rate of %.2f "
               "many show ten",
               s->name, max, av_q2d(rate));
}

/* HEVC as hev1, which libavformat takes, is not played by Apple's programs; hvc1 is by all. */
static unsigned choose_tag(const struct media_sink *s)
{
    bool hevc = s->video->codecpar->codec_id == AV_CODEC_ID_HEVC;
    if (s->tag)
        return s->tag;
    if (s->video->codecpar->codec_tag) /* the encoder knows one */
        return s->video->codecpar->codec_tag;
    return hevc ? container_of(s)->hevc_tag : 0;
}

/* Matroska writes down how long every picture lasts; of a variable rate that would be wrong. */
static bool is_rate_untold(const struct media_sink *s, const struct rn_read_source *source)
{
    const AVFrame *first = rn_read_media(source)->first;
    AVRational rate = s->video->avg_frame_rate;
    double step = (double)rn_io_duration(first) * av_q2d(s->frame_base);
    return container_of(s)->rate_is_duration && step > 0 && rate.num > 0 &&
           fabs(step * av_q2d(rate) - 1) > 0.1;
}

static int describe_video(struct media_sink *s, const struct rn_read_source *source)
{
    const struct rn_read_stream *stream = rn_read_stream_of(source);
    warn_of_rate(s, rn_io_to_av(stream->rate));
    const AVCodecContext *ctx = rn_write_encoder_context(s->enc);
    if (avcodec_parameters_from_context(s->video->codecpar, ctx) < 0)
        return rn_fail_memory();
    s->video->codecpar->codec_tag = choose_tag(s);
    s->video->time_base = ctx->time_base;
    s->video->sample_aspect_ratio = ctx->sample_aspect_ratio;
    if (stream->rate.num > 0 && stream->rate.den > 0)
        s->video->avg_frame_rate = rn_io_to_av(stream->rate);
    if (s->rate.step.num > 0)
        s->video->avg_frame_rate = av_inv_q(s->rate.step);
    if (is_rate_untold(s, source))
        s->video->avg_frame_rate = (AVRational){0, 1};
    int err = rn_write_describe_video(rn_read_media(source), container_of(s), s->name, s->video);
    err = err ? err : copy_coded_side_data(s->video, ctx);
    const struct rn_container *container = container_of(s);
    return err || !container->fit_metadata
               ? err
               : container->fit_metadata(s->out, rn_read_media(source), s->video, &s->options);
}

static int open_file(struct media_sink *s)
{
    int ret;
    if (s->rehearsal) {
        ret = avio_open_dyn_buf(&s->out->pb);
        if (ret >= 0 && s->streamed)
            s->out->pb->seekable = 0;
    } else if (s->descriptor >= 0) { /* opened anew, a file would be cut */
        char url[32];
        snprintf(url, sizeof url, "pipe:%d", s->descriptor);
        ret = avio_open(&s->out->pb, url, AVIO_FLAG_WRITE);
    } else {
        int err = rn_outfile_begin(&s->file, s->name);
        if (err)
            return err;
        char *url = rn_io_file_url(s->file.temp);
        av_free(s->out->url);
        s->out->url = url; /* +faststart opens it once more */
        ret = url ? avio_open(&s->out->pb, url, AVIO_FLAG_WRITE) : AVERROR(ENOMEM);
    }
    if (ret >= 0 && !s->rehearsal && (s->streamed || s->descriptor >= 0) && s->losses)
        ret = rn_write_tee_open(&s->tee, &s->out->pb);
    return ret < 0 ? rn_write_av_write_fail(s->name, ret) : 0;
}

static const char *hint(const struct media_sink *s)
{
    return s->streamed && container_of(s)->index_in_trailer
               ? "; through a pipe try --codec-opts movflags=frag_keyframe+empty_moov, or "
                 "--container matroska"
               : "";
}

/* Writes the header. What is wrong with the container's options or streams shows here, so the
 * rehearsal calls it a mistake of the user's and the real thing a failure of the output. */
static int begin(struct media_sink *s)
{
    int err =
        s->rehearsal ? rn_write_codec_options_try(s->options, s->out, s->out->oformat->name) : 0;
    if (err)
        return err;
    rn_io_capture_begin();
    int ret = avformat_write_header(s->out, &s->options);
    rn_io_capture_end();
    err = ret < 0 ? 0
                  : rn_write_codec_options_check(s->options,
                                                 rn_write_encoder_context(s->enc)->codec->name,
                                                 s->out->oformat->name);
    if (err)
        return err;
    if (ret < 0 && s->rehearsal)
        return rn_fail(RN_EUSAGE, "'%s': %s refuses these streams or options: %s%s", s->name,
                       s->out->oformat->name, rn_io_cause(ret), hint(s));
    if (ret >= 0 && !s->rehearsal) {
        avio_flush(s->out->pb);
        ret = s->out->pb->error;
    }
    if (ret < 0)
        return rn_write_av_write_fail(s->name, ret);
    s->begun = true;
    if (s->rehearsal)
        return 0;
    if (s->descriptor < 0)
        rn_write_room_begin(&s->room, s->out, &s->file);
    return rn_write_remux_begin(s->remux);
}

static void media_free(struct media_sink *s)
{
    if (s->out && s->out->pb && s->rehearsal) {
        uint8_t *buf = NULL;
        avio_close_dyn_buf(s->out->pb, &buf);
        av_free(buf);
    } else if (s->out && s->out->pb) {
        rn_write_tee_close(&s->tee, &s->out->pb, NULL);
    }
    av_free(s->head.data);
    rn_write_last_free(&s->last);
    rn_write_remux_close(&s->remux);
    rn_write_encoder_close(&s->enc);
    avformat_free_context(s->out);
    av_dict_free(&s->options);
    rn_outfile_free(&s->file);
    av_free(s->name);
    av_free(s);
}

static struct media_sink *media_new(bool rehearsal, const char *output,
                                    const struct rn_write_opts *opts,
                                    const struct rn_read_source *source, const struct rn_geom *geom)
{
    struct media_sink *s = av_mallocz(sizeof *s);
    if (!s)
        return NULL;
    s->base.ops = &rn_write_media_sink;
    s->rehearsal = rehearsal;
    s->source = source;
    s->geom = *geom;
    s->ledger = opts->ledger;
    s->losses = rehearsal ? NULL : opts->losses; /* which would be added twice */
    s->first_us = s->last_dts = AV_NOPTS_VALUE;
    s->frame_base = rn_io_to_av(rn_read_stream_of(source)->time_base);
    s->name = av_strdup(output);
    if (s->name)
        look_at_place(s);
    else
        av_freep(&s);
    return s;
}

/* Makes the streams of the output; the encoder of the pictures is open. */
static int open_streams(struct media_sink *s, const struct rn_write_opts *opts)
{
    const struct rn_io_media *media = rn_read_media(s->source);
    if (container_of(s)->starts_at_zero)
        s->origin_us = rn_write_avi_origin(media, rn_write_encoder_context(s->enc));
    const struct rn_write_remux_opts others = {
        .audio = opts->audio,
        .subs = opts->subs,
        .quiet = s->rehearsal,
        .losses = s->losses,
        .origin_us = s->origin_us,
    };
    int err = rn_write_remux_open(&s->remux, s->out, media, s->name, &others, &s->video);
    if (err)
        return err;
    s->midstream.captions_said =
        s->asked & RN_TRAIT_CAPTIONS || rn_write_encoder_keeps_captions(s->enc);
    return describe_video(s, s->source);
}

static int media_make(struct media_sink **out, bool rehearsal, const char *output,
                      const struct rn_write_opts *opts, const struct rn_read_source *source,
                      const struct rn_geom *geom)
{
    struct media_sink *s = media_new(rehearsal, output, opts, source, geom);
    if (!s)
        return rn_fail_memory();
    int err = rn_write_muxer_open(&s->out, s->name, opts->container, s->streamed);
    if (!err)
        err = rn_write_codec_options_parse(opts->codec_opts, &s->options);
    if (!err)
        err = rn_write_codec_options_take_tag(&s->options, &s->tag);
    s->asked = rn_write_asked_traits(s->options);
    if (!err)
        err = open_encoder(s, opts, source, geom);
    if (!err)
        err = open_streams(s, opts);
    if (!err)
        err = open_file(s);
    if (!err)
        err = begin(s);
    if (err)
        media_free(s);
    else
        *out = s;
    return err;
}

static int media_check(const char *output, const struct rn_write_opts *opts,
                       const struct rn_read_source *source, const struct rn_geom *geom)
{
    int err = strcmp(output, "-") != 0 ? rn_write_check_target(output, source) : 0;
    struct media_sink *s = NULL;
    if (!err)
        err = media_make(&s, true, output, opts, source, geom);
    if (s)
        media_free(s);
    return err;
}

static int media_open(struct rn_write_sink **sink, const char *output,
                      const struct rn_write_opts *opts, const struct rn_read_source *source,
                      const struct rn_geom *geom)
{
    struct media_sink *s;
    int err = media_make(&s, false, output, opts, source, geom);
    if (!err)
        *sink = &s->base;
    return err;
}

/* ---- writing */

static int write_packet(void *opaque, AVPacket *pkt)
{
    struct media_sink *s = opaque;
    int err = rn_write_room_write(s->out, s->name, pkt);
    s->pictures += !err;
    return err;
}

static int put_packet(void *opaque, AVPacket *pkt, int64_t number)
{
    (void)number;
    struct media_sink *s = opaque;
    av_packet_rescale_ts(pkt, rn_write_encoder_context(s->enc)->time_base, s->video->time_base);
    int64_t origin =
        av_rescale_q(rn_write_encoder_origin(s->enc), s->frame_base, s->video->time_base);
    if (s->origin_us) /* to the step: of a sum, for both were rounded to the same */
        origin = av_rescale_q(
            av_rescale_q(rn_write_encoder_origin(s->enc), s->frame_base, AV_TIME_BASE_Q) -
                s->origin_us,
            AV_TIME_BASE_Q, s->video->time_base);
    pkt->pts += origin;
    pkt->dts += origin;
    pkt->stream_index = s->video->index;
    int ret = 0;
    if (s->last_dts == AV_NOPTS_VALUE && container_of(s)->starts_at_zero)
        ret = rn_write_avi_begin(s->out, pkt);
    rn_write_remux_order(s->out, pkt, &s->last_dts);
    if (ret < 0)
        return rn_write_checked(s->out, s->name, ret);
    int err = rn_write_theora_fill(rn_write_encoder_context(s->enc), pkt);
    if (err)
        return err;
    return container_of(s)->trailing_duration == RN_CONTAINER_TRAILING_SUM
               ? rn_write_last_hold(&s->last, pkt, write_packet, s)
               : write_packet(s, pkt);
}

static int media_tail(struct rn_write_sink *sink, const struct rn_frame *frame)
{
    struct media_sink *s = (struct media_sink *)sink;
    int err = 0;
    for (int i = 0; i < frame->data->n && !err; i++)
        err = rn_write_remux_packet(s->remux, frame->data->packet[i]);
    s->failed |= err != 0;
    return err;
}

static int media_write(struct rn_write_sink *sink, const struct rn_image *img,
                       const struct rn_frame *frame)
{
    struct media_sink *s = (struct media_sink *)sink;
    int err = frame->data ? media_tail(sink, frame) : 0;
    if (err)
        return err;
    rn_write_last_note(&s->last, frame, s->frame_base);
    if (frame->data && frame->data->props)
        rn_write_midstream_watch(&s->midstream, rn_read_media(s->source)->first, frame->data->props,
                                 frame->index, s->name, s->losses);
    if (s->first_us == AV_NOPTS_VALUE)
        s->first_us = av_rescale_q(frame->pts, s->frame_base, AV_TIME_BASE_Q);
    err = s->rate.step.num > 0
              ? rn_write_constant_rate_write(&s->rate, s->enc, img, frame, put_packet, s)
              : rn_write_encoder_write(s->enc, img, frame, put_packet, s);
    s->failed |= err != 0;
    return err;
}

/* ---- ending */

/* Of the last picture a GIF would repeat the time of the one before, of a single one none. */
static int set_final_delay(struct media_sink *s)
{
    int64_t set, cs = av_rescale(s->last.us, 100, AV_TIME_BASE);
    if (container_of(s)->trailing_duration == RN_CONTAINER_TRAILING_OPTION && cs > 0 &&
        cs <= UINT16_MAX && av_opt_get_int(s->out->priv_data, "final_delay", 0, &set) >= 0 &&
        set < 0 && av_opt_set_int(s->out->priv_data, "final_delay", cs, 0) < 0)
        return rn_fail_memory();
    return 0;
}

static int release_last(struct media_sink *s)
{
    return rn_write_last_release(&s->last, s->video->time_base,
                                 rn_write_encoder_context(s->enc)->time_base, write_packet, s);
}

/* Encoder, trailer, close: each can be where a full disk shows. */
static int finish(struct media_sink *s)
{
    int err = rn_write_constant_rate_finish(&s->rate, s->enc, s->name, s->losses, put_packet, s);
    if (!err && s->rate.step.num <= 0)
        err = rn_write_last_repeat(
            &s->last, s->enc,
            &(struct rn_write_last_place){s->name, s->out->oformat, s->frame_base}, put_packet, s);
    if (!err)
        err = rn_write_encoder_write(s->enc, NULL, NULL, put_packet, s);
    if (!err)
        err = release_last(s);
    if (err)
        return err;
    err = rn_write_remux_finish(s->remux);
    err = err ? err : set_final_delay(s);
    if (err)
        return err;
    s->ended = true;
    errno = 0; /* muxers leave out what they have no memory for, and tell nobody */
    int ret = av_write_trailer(s->out);
    bool doubtful = errno == ENOMEM;
    err = rn_write_checked(s->out, s->name, ret);
    if (err)
        return err;
    avio_flush(s->out->pb);
    err = rn_write_checked(s->out, s->name, 0);
    if (err)
        return err;
    ret = rn_write_tee_close(&s->tee, &s->out->pb, &s->head);
    if (ret < 0)
        return rn_write_av_write_fail(s->name, ret);
    s->doubtful = doubtful;
    return doubtful
               ? rn_fail(RN_EINTERNAL,
                         "'%s': out of memory at its end: something may be missing in it", s->name)
               : 0;
}

/* Once the trailer stands: what muxers keep back is written then. */
static void enter_counts(const struct media_sink *s, struct rn_io_ledger *ledger)
{
    ledger->out = (struct rn_io_outflow){.counted = true,
                                         .frames = rn_write_encoder_frames(s->enc),
                                         .copied = rn_write_encoder_frames(s->enc) -
                                                   s->rate.repeated - s->last.repeated,
                                         .repeated = s->rate.repeated + s->last.repeated,
                                         .dropped = s->rate.dropped,
                                         .encoded = s->pictures,
                                         .packets = s->video->nb_frames - s->lacks.pictures,
                                         .seconds_lost = s->lacks.seconds};
}

/* A write has failed, and that was said: the file is ended where it stands, in the room that was
 * kept for that, or cut where it is of use without an end. Returns whether anything can be kept. */
static bool rescue(struct media_sink *s)
{
    if (!s->ended)
        release_last(s);
    bool ended = !s->ended && av_write_trailer(s->out) >= 0 && s->out->pb->error >= 0;
    s->ended = true;
    if (s->out->pb && avio_closep(&s->out->pb) < 0)
        ended = false;
    return s->pictures > 0 && (ended || rn_write_room_cut(&s->room));
}

static bool is_full(const AVCodecContext *enc)
{
    return enc->color_range == AVCOL_RANGE_JPEG ||
           av_strstart(av_get_pix_fmt_name(enc->pix_fmt), "yuvj", NULL);
}

static void report_losses(struct media_sink *s)
{
    const AVCodecContext *enc = rn_write_encoder_context(s->enc);
    rn_write_compare(&(struct rn_write_written){
        .name = s->name,
        .source = s->source,
        .geom = s->geom,
        .w = enc->width,
        .h = enc->height,
        .coded = enc->pix_fmt,
        .full_range = is_full(enc),
        .asked = s->asked,
        .out = s->out,
        .remux = s->remux,
        .first_us = s->first_us == AV_NOPTS_VALUE ? AV_NOPTS_VALUE : s->first_us - s->origin_us,
        .shown = s->last.shown,
        .lacks = &s->lacks,
        .broken = &s->broken,
        .temp = s->head.data ? NULL : s->file.temp,
        .head = &s->head,
        .losses = s->losses});
}

static int media_close(struct rn_write_sink *sink, enum rn_write_ending ending)
{
    struct media_sink *s = (struct media_sink *)sink;
    int err = 0, committed = 0;
    if (ending != RN_ENDING_ABANDON) {
        err = s->failed ? 0 : finish(s);
        bool broken = err || s->failed;
        bool kept = !broken || s->doubtful || (s->room.file && rescue(s));
        if (!broken && ending == RN_ENDING_COMPLETE)
            report_losses(s);
        if (s->broken) {
            err = rn_fail(RN_EOUTPUT, "'%s' cannot be read again: it was not written as it should",
                          s->name);
            broken = true;
        }
        if (!broken && s->ledger)
            enter_counts(s, s->ledger);
        if (kept && s->file.path)
            committed = rn_outfile_commit(&s->file, broken || ending == RN_ENDING_PARTIAL);
        else if (s->file.path && !s->streamed)
            rn_log(RN_LOG_WARNING, "'%s': nothing of it could be kept", s->name);
    }
    media_free(s);
    return err ? err : committed;
}

static int64_t media_damaged(const struct rn_write_sink *sink)
{
    return rn_write_remux_damaged(((const struct media_sink *)sink)->remux);
}

static const char *media_path(const struct rn_write_sink *sink)
{
    const struct media_sink *s = (const struct media_sink *)sink;
    return to_stdout(s) ? NULL : s->name;
}

const struct rn_write_ops rn_write_media_sink = {
    .holds = RN_HOLDS_STREAMS,
    .check = media_check,
    .open = media_open,
    .write = media_write,
    .tail = media_tail,
    .close = media_close,
    .damaged = media_damaged,
    .path = media_path,
};
