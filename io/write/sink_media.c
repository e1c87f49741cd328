#include "io/write/sink_ops.h"

#include "filters/base/err.h"
#include "filters/base/log.h"
#include "filters/base/outfile.h"
#include "filters/base/outplace.h"
#include "io/read/av.h"
#include "io/read/av_versions.h"
#include "io/write/asked.h"
#include "io/write/compare.h"
#include "io/write/avi.h"
#include "io/write/container.h"
#include "io/write/metadata.h"
#include "io/write/remux.h"
#include "io/write/tee.h"
#include "io/write/traits.h"
#include "io/write/codec_choice.h"
#include "io/write/codec_options.h"
#include "io/write/constant_rate.h"
#include "io/write/encoder.h"
#include "io/write/midstream.h"
#include "io/write/room.h"
#include "io/read/media.h"
#include "io/read/frame_data.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <libavformat/avformat.h>
#include <libavutil/avstring.h>
#include <libavutil/mem.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>

#define MOVIE_TIMESCALE 90000

struct media_sink {
    struct rn_sink base;
    char *name; /* of the output, as given */
    struct rn_outfile file;
    AVFormatContext *out;
    struct rn_encoder *enc;
    struct rn_remux *remux;
    AVStream *video;
    AVDictionary *options;
    unsigned asked;        /* see compare.h */
    unsigned tag;          /* the user's, of the pictures' coding in the container; 0: none */
    AVRational frame_base; /* of the frames that come */
    const struct rn_source *source;
    struct rn_geom geom;
    struct rn_ledger *ledger; /* borrowed, as losses; may be NULL */
    struct rn_losses *losses;
    struct rn_midstream midstream;
    struct rn_tee *tee;  /* keeps the beginning of what is streamed */
    struct rn_head head; /* that beginning, once all is written */
    int64_t first_us;    /* when the first picture is shown; AV_NOPTS_VALUE: none came */
    int64_t last_dts;
    int64_t origin_us;            /* the time of the frames that is 0 in the file, see avi.h */
    int64_t packets;              /* of the pictures, from the encoder */
    struct rn_span shown;         /* of the pictures, in microseconds */
    double time_lost;             /* seconds, found after the end */
    AVPacket *held;               /* the last one of the pictures, see hold() */
    int64_t first_dts;            /* of them */
    int64_t last_pts, repeated;   /* of the last frame; repetitions at the end */
    int64_t last_us;              /* how long the last picture is shown; 0: unknown */
    struct rn_constant_rate rate; /* step.num 0: frames have times of their own */
    bool rehearsal;               /* everything but the file: the header goes to memory */
    bool begun;                   /* the header is written */
    bool ended;                   /* the trailer, too, or it was tried */
    bool failed;                  /* a write did: the encoder's last pictures are of no use */
    int64_t pictures;             /* whose packets the muxer has taken */
    struct rn_room room;
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

static bool is_y4m(const struct media_sink *s)
{
    return !strcmp(s->out->oformat->name, "yuv4mpegpipe");
}

/* ---- opening */

static const AVOutputFormat *find_container(const char *name)
{
    char sample[40] = "x.";
    av_strlcat(sample, name, sizeof sample);
    const AVOutputFormat *of = av_guess_format(name, NULL, NULL);
    return of ? of : av_guess_format(NULL, sample, NULL);
}

static const AVOutputFormat *guess_container(const char *output, const char *container)
{
    return container              ? find_container(container)
           : !strcmp(output, "-") ? av_guess_format("yuv4mpegpipe", NULL, NULL)
                                  : av_guess_format(NULL, output, NULL);
}

static bool media_holds_matrix(const char *output, const struct rn_sink_opts *opts)
{
    const AVOutputFormat *of = guess_container(output, opts->container);
    return of && rn_container_holds_matrix(of);
}

static int choose_muxer(struct media_sink *s, const char *container)
{
    const AVOutputFormat *of = guess_container(s->name, container);
    if (!of && container)
        return rn_fail(RN_EUSAGE, "--container %s: FFmpeg has no such container (try matroska)",
                       container);
    if (!of && s->streamed)
        return rn_fail(RN_EUSAGE, "'%s': which container? Add --container matroska, or another",
                       s->name);
    if (!of)
        return rn_fail(RN_EUSAGE, "'%s': the extension names no container (try .mp4 or .mkv)",
                       s->name);
    if (of->flags & AVFMT_NOFILE || of->video_codec == AV_CODEC_ID_NONE)
        return rn_fail(RN_EUSAGE, "'%s': %s cannot hold video in one file (try .mp4 or .mkv)",
                       s->name, of->name);
    if (s->streamed && av_match_name(of->name, "avi"))
        return rn_fail(RN_EUSAGE, "'%s': %s cannot be written through a pipe (try matroska or nut)",
                       s->name, of->name);
    if (avformat_alloc_output_context2(&s->out, of, NULL, s->name) < 0)
        return rn_fail_memory();
    s->out->flags |= AVFMT_FLAG_BITEXACT; /* no dates, no versions: the same bytes every time */
    s->out->strict_std_compliance = rn_container_compliance(of); /* y4m: more than 8 bits, gray16 */
    /* It would look at the name of the file, which is a temporary one. */
    if (av_match_ext(s->name, "m2ts") &&
        av_opt_set_int(s->out->priv_data, "mpegts_m2ts_mode", 1, 0) < 0)
        return rn_fail_memory();
    /* Where streams begin is told in its ticks, of a millisecond by default. */
    if (rn_container_is_mov(of) &&
        av_opt_set_int(s->out->priv_data, "movie_timescale", MOVIE_TIMESCALE, 0) < 0)
        return rn_fail_memory();
    /* Sound encoded with a lead-in starts before 0; by default the muxer would move every other
     * stream back by as much, in AVI by whole pictures. Matroska holds negative times, of what goes
     * to AVI the lead-in is left out. */
    if (av_match_name(of->name, "matroska,webm,avi"))
        s->out->avoid_negative_ts = 0;
    return 0;
}

/* What yuv4mpegpipe writes; its codec takes every format. */
static const enum AVPixelFormat y4m_formats[] = {
    AV_PIX_FMT_YUV420P,   AV_PIX_FMT_YUV422P,   AV_PIX_FMT_YUV444P,   AV_PIX_FMT_GRAY8,
    AV_PIX_FMT_YUV420P9,  AV_PIX_FMT_YUV422P9,  AV_PIX_FMT_YUV444P9,  AV_PIX_FMT_GRAY9,
    AV_PIX_FMT_YUV420P10, AV_PIX_FMT_YUV422P10, AV_PIX_FMT_YUV444P10, AV_PIX_FMT_GRAY10,
    AV_PIX_FMT_YUV420P12, AV_PIX_FMT_YUV422P12, AV_PIX_FMT_YUV444P12, AV_PIX_FMT_GRAY12,
    AV_PIX_FMT_YUV420P14, AV_PIX_FMT_YUV422P14, AV_PIX_FMT_YUV444P14, AV_PIX_FMT_YUV420P16,
    AV_PIX_FMT_YUV422P16, AV_PIX_FMT_YUV444P16, AV_PIX_FMT_GRAY16,    AV_PIX_FMT_NONE,
};

/* They have a list of rates. */
static const char *const no_slides = "mxf,mxf_d10,gxf,dv,mpeg,vcd,svcd,vob,dvd";

/* The source's, except where a container counts frames: AVI would fill every tick without a picture
 * with an empty one, y4m writes it down as the frame rate, Theora numbers its pictures and knows no
 * gap, in MPEG-PS most small pictures get no time of their own. */
static AVRational choose_time_base(struct media_sink *s, const struct rn_source *source)
{
    const struct rn_media *media = rn_source_media(source);
    const AVOutputFormat *of = s->out->oformat;
    AVRational rate = rn_to_av(rn_source_stream(source)->rate);
    AVRational time_base = rn_to_av(rn_source_stream(source)->time_base);
    bool counts =
        av_match_name(of->name, "yuv4mpegpipe,mxf,mxf_d10,gxf,dv,swf,mpeg,vcd,svcd,vob,dvd,"
                                "ogg,ogv") ||
        of->flags & AVFMT_NOTIMESTAMPS;
    if (!counts && !av_match_name(of->name, "avi"))
        return time_base;
    double step = (double)rn_av_duration(media->first) * av_q2d(time_base);
    if (media->nominal.num > 0 && fabs(step * av_q2d(media->nominal) - 1) < 0.02)
        rate = (AVRational){0, 1}; /* it counts no fields: a picture lasts so long */
    rate = rn_constant_rate_choose(rate, media->nominal);
    if (rate.num <= 0)
        return time_base;
    if (av_q2d(rate) < 1 &&
        av_match_name(of->name, no_slides)) /* stills: repeated, which is said */
        rate = (AVRational){25, 1};
    if (counts)
        s->rate = (struct rn_constant_rate){.time_base = time_base, .step = av_inv_q(rate)};
    return av_inv_q(rate);
}

static bool holds_pictures(const AVOutputFormat *of, enum AVCodecID id, const struct rn_geom *geom)
{
    AVCodecParameters *par = avcodec_parameters_alloc();
    if (!par)
        return false;
    par->codec_type = AVMEDIA_TYPE_VIDEO;
    par->codec_id = id;
    par->width = geom->w;
    par->height = geom->h;
    bool holds = rn_container_holds_coding(of, par, id);
    avcodec_parameters_free(&par);
    return holds;
}

/* Containers that tell when a picture is shown, but not for how long: the last one's is lost. */
static bool is_end_untold(const AVOutputFormat *of)
{
    return av_match_name(of->name, "mpegts,nut");
}

static int open_encoder(struct media_sink *s, const struct rn_sink_opts *opts,
                        const struct rn_source *source, const struct rn_geom *geom)
{
    bool y4m = is_y4m(s);
    AVRational time_base = choose_time_base(s, source);
    struct rn_encoder_setup setup = {
        .options = &s->options,
        .pix_fmt = opts->pix_fmt,
        .formats = y4m ? y4m_formats : NULL,
        .time_base = time_base,
        .threads = opts->threads,
        .geom = *geom,
        .source = source,
        .constant = s->rate.step.num > 0,
        .repeats = is_end_untold(s->out->oformat),
        .global_header = s->out->oformat->flags & AVFMT_GLOBALHEADER,
        .quiet = s->rehearsal,
        .losses = s->losses,
    };
    int err = rn_codec_choose(&setup.codec, s->out->oformat, opts->codec, rn_source_media(source),
                              geom, s->name, s->rehearsal);
    if (!err && !holds_pictures(s->out->oformat, setup.codec->id, geom))
        err = rn_fail(RN_EUSAGE, "'%s': %s cannot hold %s video", s->name, s->out->oformat->name,
                      avcodec_get_name(setup.codec->id));
    setup.limited = !err && !rn_codec_tells_range(s->out->oformat, setup.codec->id);
    err = err ? err : rn_encoder_open(&s->enc, &setup);
    if (!err && setup.constant)
        s->rate.step = rn_encoder_context(s->enc)->time_base;
    return err;
}

static int copy_coded_side_data(AVStream *st, const AVCodecContext *ctx)
{
    for (int i = 0; i < ctx->nb_coded_side_data; i++) {
        const AVPacketSideData *sd = &ctx->coded_side_data[i];
        uint8_t *data = rn_av_add_side_data(st, sd->type, sd->size);
        if (!data)
            return rn_fail_memory();
        memcpy(data, sd->data, sd->size);
    }
    return 0;
}

static void warn_of_rate(const struct media_sink *s, AVRational rate)
{
    if (!strcmp(s->out->oformat->name, "gif") && !s->rehearsal && rate.num > 0 && rate.den > 0 &&
        av_cmp_q(rate, (AVRational){50, 1}) > 0)
        rn_log(RN_LOG_WARNING,
               "'%s': players show a GIF at 50 frames/s at most; at the input's rate of %.2f many "
               "show ten",
               s->name, av_q2d(rate));
}

/* It is known that nothing but pictures goes through this. */
static bool is_known_pipe(const struct media_sink *s)
{
    return to_stdout(s) && is_y4m(s);
}

/* HEVC as hev1, which libavformat takes, is not played by Apple's programs; hvc1 is by all. */
static unsigned choose_tag(const struct media_sink *s)
{
    bool hevc = s->video->codecpar->codec_id == AV_CODEC_ID_HEVC;
    if (s->tag)
        return s->tag;
    if (s->video->codecpar->codec_tag) /* the encoder knows one */
        return s->video->codecpar->codec_tag;
    return hevc && av_match_name(s->out->oformat->name, "mov,mp4,ipod") ? MKTAG('h', 'v', 'c', '1')
                                                                        : 0;
}

/* Matroska writes down how long every picture lasts; of a variable rate that would be wrong. */
static bool is_rate_untold(const struct media_sink *s, const struct rn_source *source)
{
    const AVFrame *first = rn_source_media(source)->first;
    AVRational rate = s->video->avg_frame_rate;
    double step = (double)rn_av_duration(first) * av_q2d(s->frame_base);
    return av_match_name(s->out->oformat->name, "matroska,webm") && step > 0 && rate.num > 0 &&
           fabs(step * av_q2d(rate) - 1) > 0.1;
}

static int describe_video(struct media_sink *s, const struct rn_source *source)
{
    const struct rn_stream *stream = rn_source_stream(source);
    warn_of_rate(s, rn_to_av(stream->rate));
    const AVCodecContext *ctx = rn_encoder_context(s->enc);
    if (avcodec_parameters_from_context(s->video->codecpar, ctx) < 0)
        return rn_fail_memory();
    s->video->codecpar->codec_tag = choose_tag(s);
    s->video->time_base = ctx->time_base;
    s->video->sample_aspect_ratio = ctx->sample_aspect_ratio;
    if (stream->rate.num > 0 && stream->rate.den > 0)
        s->video->avg_frame_rate = rn_to_av(stream->rate);
    if (s->rate.step.num > 0)
        s->video->avg_frame_rate = av_inv_q(s->rate.step);
    if (is_rate_untold(s, source))
        s->video->avg_frame_rate = (AVRational){0, 1};
    int err = rn_remux_describe(rn_source_media(source), s->name, s->video);
    err = err ? err : copy_coded_side_data(s->video, ctx);
    return err ? err : rn_metadata_fit(s->out, rn_source_media(source), s->video, &s->options);
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
        char *url = rn_av_file_url(s->file.temp);
        av_free(s->out->url);
        s->out->url = url; /* +faststart opens it once more */
        ret = url ? avio_open(&s->out->pb, url, AVIO_FLAG_WRITE) : AVERROR(ENOMEM);
    }
    if (ret >= 0 && !s->rehearsal && (s->streamed || s->descriptor >= 0) && s->losses)
        ret = rn_tee_open(&s->tee, &s->out->pb);
    return ret < 0 ? rn_av_write_fail(s->name, ret) : 0;
}

static const char *hint(const struct media_sink *s)
{
    return s->streamed && rn_container_is_mov(s->out->oformat)
               ? "; through a pipe try --codec-opts movflags=frag_keyframe+empty_moov, or "
                 "--container matroska"
               : "";
}

/* Writes the header. What is wrong with the container's options or streams shows here, so the
 * rehearsal calls it a mistake of the user's and the real thing a failure of the output. */
static int begin(struct media_sink *s)
{
    int err = s->rehearsal ? rn_codec_options_try(s->options, s->out, s->out->oformat->name) : 0;
    if (err)
        return err;
    rn_av_capture_begin();
    int ret = avformat_write_header(s->out, &s->options);
    rn_av_capture_end();
    err = ret < 0 ? 0
                  : rn_codec_options_check(s->options, rn_encoder_context(s->enc)->codec->name,
                                           s->out->oformat->name);
    if (err)
        return err;
    if (ret < 0 && s->rehearsal)
        return rn_fail(RN_EUSAGE, "'%s': %s refuses these streams or options: %s%s", s->name,
                       s->out->oformat->name, rn_av_cause(ret), hint(s));
    if (ret >= 0 && !s->rehearsal) {
        avio_flush(s->out->pb);
        ret = s->out->pb->error;
    }
    if (ret < 0)
        return rn_av_write_fail(s->name, ret);
    s->begun = true;
    if (s->rehearsal)
        return 0;
    if (s->descriptor < 0)
        rn_room_begin(&s->room, s->out, &s->file);
    return rn_remux_begin(s->remux);
}

static void media_free(struct media_sink *s)
{
    if (s->out && s->out->pb && s->rehearsal) {
        uint8_t *buf = NULL;
        avio_close_dyn_buf(s->out->pb, &buf);
        av_free(buf);
    } else if (s->out && s->out->pb) {
        rn_tee_close(&s->tee, &s->out->pb, NULL);
    }
    av_free(s->head.data);
    av_packet_free(&s->held);
    rn_remux_close(&s->remux);
    rn_encoder_close(&s->enc);
    avformat_free_context(s->out);
    av_dict_free(&s->options);
    rn_outfile_free(&s->file);
    av_free(s->name);
    av_free(s);
}

static int media_make(struct media_sink **out, bool rehearsal, const char *output,
                      const struct rn_sink_opts *opts, const struct rn_source *source,
                      const struct rn_geom *geom)
{
    struct media_sink *s = av_mallocz(sizeof *s);
    if (!s)
        return rn_fail_memory();
    s->base.ops = &rn_media_sink;
    s->rehearsal = rehearsal;
    s->source = source;
    s->geom = *geom;
    s->ledger = opts->ledger;
    s->losses = rehearsal ? NULL : opts->losses; /* which would be added twice */
    s->first_us = s->last_dts = AV_NOPTS_VALUE;
    s->frame_base = rn_to_av(rn_source_stream(source)->time_base);
    s->name = av_strdup(output);
    if (s->name)
        look_at_place(s);
    int err = s->name ? choose_muxer(s, opts->container) : rn_fail_memory();
    if (!err)
        err = rn_codec_options_parse(opts->codec_opts, &s->options);
    if (!err)
        err = rn_codec_options_take_tag(&s->options, &s->tag);
    s->asked = rn_asked_traits(s->options);
    if (!err)
        err = open_encoder(s, opts, source, geom);
    bool alone = !err && is_known_pipe(s);
    if (!err && rn_avi_is(s->out->oformat))
        s->origin_us = rn_avi_origin(rn_source_media(source), rn_encoder_context(s->enc));
    const struct rn_remux_opts others = {
        .audio = opts->audio,
        .subs = opts->subs,
        .quiet = rehearsal || alone,
        .losses = alone ? NULL : s->losses,
        .origin_us = s->origin_us,
    };
    if (!err)
        err =
            rn_remux_open(&s->remux, s->out, rn_source_media(source), s->name, &others, &s->video);
    if (!err)
        s->midstream.captions_said =
            s->asked & RN_TRAIT_CAPTIONS || rn_encoder_keeps_captions(s->enc);
    if (!err)
        err = describe_video(s, source);
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

static int media_check(const char *output, const struct rn_sink_opts *opts,
                       const struct rn_source *source, const struct rn_geom *geom)
{
    int err = strcmp(output, "-") != 0 ? rn_check_target(output, source) : 0;
    struct media_sink *s = NULL;
    if (!err)
        err = media_make(&s, true, output, opts, source, geom);
    if (s)
        media_free(s);
    return err;
}

static int media_open(struct rn_sink **sink, const char *output, const struct rn_sink_opts *opts,
                      const struct rn_source *source, const struct rn_geom *geom)
{
    struct media_sink *s;
    int err = media_make(&s, false, output, opts, source, geom);
    if (!err)
        *sink = &s->base;
    return err;
}

/* ---- writing */

static int write_packet(struct media_sink *s, AVPacket *pkt)
{
    int err = rn_room_write(s->out, s->name, pkt);
    s->pictures += !err;
    return err;
}

/* The last packet waits for the end in MOV and MP4: there the durations, in the order of decoding,
 * have to add up to what the pictures last, and it need not be the picture that is shown last. */
static int hold(struct media_sink *s, AVPacket *pkt)
{
    if (!s->held)
        s->first_dts = pkt->dts;
    if (!s->held && !(s->held = av_packet_alloc()))
        return rn_fail_memory();
    int err = s->held->data ? write_packet(s, s->held) : 0;
    av_packet_unref(s->held);
    if (!err)
        av_packet_move_ref(s->held, pkt);
    return err;
}

static int release(struct media_sink *s)
{
    AVPacket *pkt = s->held;
    if (!pkt || !pkt->data)
        return 0;
    int64_t all = av_rescale_q(s->shown.end - s->shown.first, AV_TIME_BASE_Q, s->video->time_base);
    int64_t rest = all - (pkt->dts - s->first_dts);
    int64_t tick = av_rescale_q(1, rn_encoder_context(s->enc)->time_base, s->video->time_base);
    if (rest > pkt->duration + tick)
        pkt->duration = rest;
    return write_packet(s, pkt);
}

static int put_packet(void *opaque, AVPacket *pkt, int64_t number)
{
    (void)number;
    struct media_sink *s = opaque;
    s->packets++;
    av_packet_rescale_ts(pkt, rn_encoder_context(s->enc)->time_base, s->video->time_base);
    int64_t origin = av_rescale_q(rn_encoder_origin(s->enc), s->frame_base, s->video->time_base);
    if (s->origin_us) /* to the step: of a sum, for both were rounded to the same */
        origin = av_rescale_q(
            av_rescale_q(rn_encoder_origin(s->enc), s->frame_base, AV_TIME_BASE_Q) - s->origin_us,
            AV_TIME_BASE_Q, s->video->time_base);
    pkt->pts += origin;
    pkt->dts += origin;
    pkt->stream_index = s->video->index;
    int ret = 0;
    if (s->last_dts == AV_NOPTS_VALUE && rn_avi_is(s->out->oformat))
        ret = rn_avi_begin(s->out, pkt);
    rn_remux_order(s->out, pkt, &s->last_dts);
    if (ret < 0)
        return rn_write_check(s->out, s->name, ret);
    return rn_container_is_mov(s->out->oformat) ? hold(s, pkt) : write_packet(s, pkt);
}

static int media_tail(struct rn_sink *sink, const struct rn_frame *frame)
{
    struct media_sink *s = (struct media_sink *)sink;
    int err = 0;
    for (int i = 0; i < frame->data->n && !err; i++)
        err = rn_remux_packet(s->remux, frame->data->packet[i]);
    s->failed |= err != 0;
    return err;
}

static int media_write(struct rn_sink *sink, const struct rn_image *img,
                       const struct rn_frame *frame)
{
    struct media_sink *s = (struct media_sink *)sink;
    int err = frame->data ? media_tail(sink, frame) : 0;
    if (err)
        return err;
    s->last_us = av_rescale_q(frame->duration, s->frame_base, AV_TIME_BASE_Q);
    rn_span_add(&s->shown, av_rescale_q(frame->pts, s->frame_base, AV_TIME_BASE_Q), s->last_us);
    s->last_pts = frame->pts; /* what was guessed of those before does not count */
    s->shown.end = av_rescale_q(frame->pts + frame->duration, s->frame_base, AV_TIME_BASE_Q);
    if (frame->data && frame->data->props)
        rn_midstream_watch(&s->midstream, rn_source_media(s->source)->first, frame->data->props,
                           frame->index, s->name, s->losses);
    if (s->first_us == AV_NOPTS_VALUE)
        s->first_us = av_rescale_q(frame->pts, s->frame_base, AV_TIME_BASE_Q);
    err = s->rate.step.num > 0 ? rn_constant_rate_write(&s->rate, s->enc, img, frame, put_packet, s)
                               : rn_encoder_write(s->enc, img, frame, put_packet, s);
    s->failed |= err != 0;
    return err;
}

/* ---- ending */

/* Of the last picture a GIF would repeat the time of the one before, of a single one none. */
static void set_final_delay(struct media_sink *s)
{
    int64_t set, cs = av_rescale(s->last_us, 100, AV_TIME_BASE);
    if (!strcmp(s->out->oformat->name, "gif") && cs > 0 && cs <= UINT16_MAX &&
        av_opt_get_int(s->out->priv_data, "final_delay", 0, &set) >= 0 && set < 0)
        av_opt_set_int(s->out->priv_data, "final_delay", cs, 0);
}

/* Repeats the last picture at its end, if it lasts longer than one would guess. */
static int keep_last(struct media_sink *s)
{
    int64_t usual = s->shown.shortest < 40000 ? s->shown.shortest : 40000;
    bool single = s->shown.shortest == s->shown.end - s->shown.first;
    if (!is_end_untold(s->out->oformat) || !s->shown.begun || s->rate.step.num > 0 || usual <= 0 ||
        2 * s->last_us <= 3 * (single ? usual : s->shown.shortest))
        return 0;
    int64_t step = av_rescale_q(usual, AV_TIME_BASE_Q, s->frame_base);
    int64_t at = s->last_pts + av_rescale_q(s->last_us, AV_TIME_BASE_Q, s->frame_base) - step;
    int err = rn_encoder_repeat_at(s->enc, at, step, put_packet, s);
    s->repeated += !err;
    s->shown.shortest = usual;
    if (!err)
        rn_log(RN_LOG_WARNING,
               "'%s': the last picture, which lasts %.3f s, is repeated at its end: %s tells only "
               "when pictures begin",
               s->name, (double)s->last_us / 1e6, s->out->oformat->name);
    return err;
}

/* Encoder, trailer, close: each can be where a full disk shows. */
static int finish(struct media_sink *s)
{
    int err = rn_constant_rate_finish(&s->rate, s->enc, s->name, s->losses, put_packet, s);
    if (!err)
        err = keep_last(s);
    if (!err)
        err = rn_encoder_write(s->enc, NULL, NULL, put_packet, s);
    if (!err)
        err = release(s);
    if (err)
        return err;
    err = rn_remux_finish(s->remux);
    if (err)
        return err;
    set_final_delay(s);
    s->ended = true;
    err = rn_write_check(s->out, s->name, av_write_trailer(s->out));
    if (err)
        return err;
    avio_flush(s->out->pb);
    err = rn_write_check(s->out, s->name, 0);
    if (err)
        return err;
    int ret = rn_tee_close(&s->tee, &s->out->pb, &s->head);
    return ret < 0 ? rn_av_write_fail(s->name, ret) : 0;
}

/* Once the trailer stands: what muxers keep back is written then. */
static void enter_counts(const struct media_sink *s, struct rn_ledger *ledger)
{
    ledger->out = (struct rn_outflow){.counted = true,
                                      .frames = rn_encoder_frames(s->enc),
                                      .repeated = s->rate.repeated + s->repeated,
                                      .dropped = s->rate.dropped,
                                      .encoded = s->packets,
                                      .packets = s->video->nb_frames,
                                      .seconds_lost = s->time_lost};
}

/* A write has failed, and that was said: the file is ended where it stands, in the room that was
 * kept for that, or cut where it is of use without an end. Returns whether anything can be kept. */
static bool rescue(struct media_sink *s)
{
    if (!s->ended)
        release(s);
    bool ended = !s->ended && av_write_trailer(s->out) >= 0 && s->out->pb->error >= 0;
    s->ended = true;
    if (s->out->pb && avio_closep(&s->out->pb) < 0)
        ended = false;
    return s->pictures > 0 && (ended || rn_room_cut(&s->room, s->out->oformat));
}

static bool is_full(const AVCodecContext *enc)
{
    return enc->color_range == AVCOL_RANGE_JPEG ||
           av_strstart(av_get_pix_fmt_name(enc->pix_fmt), "yuvj", NULL);
}

static void report_losses(struct media_sink *s)
{
    const AVCodecContext *enc = rn_encoder_context(s->enc);
    rn_compare(&(struct rn_written){
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
        .shown = s->shown,
        .time_lost = &s->time_lost,
        .temp = s->head.data ? NULL : s->file.temp,
        .head = &s->head,
        .losses = s->losses});
}

static int media_close(struct rn_sink *sink, enum rn_ending ending)
{
    struct media_sink *s = (struct media_sink *)sink;
    int err = 0, committed = 0;
    if (ending != RN_ENDING_ABANDON) {
        err = s->failed ? 0 : finish(s);
        bool broken = err || s->failed, kept = !broken || (s->room.file && rescue(s));
        if (!broken && ending == RN_ENDING_COMPLETE)
            report_losses(s);
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

static int64_t media_damaged(const struct rn_sink *sink)
{
    return rn_remux_damaged(((const struct media_sink *)sink)->remux);
}

static const char *media_path(const struct rn_sink *sink)
{
    const struct media_sink *s = (const struct media_sink *)sink;
    return to_stdout(s) ? NULL : s->name;
}

const struct rn_sink_ops rn_media_sink = {
    .check = media_check,
    .open = media_open,
    .write = media_write,
    .tail = media_tail,
    .close = media_close,
    .damaged = media_damaged,
    .holds_matrix = media_holds_matrix,
    .path = media_path,
};
