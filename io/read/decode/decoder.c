/* SPDX-License-Identifier: MIT */
#include "filters/base/log.h"
#include "io/common/tags.h"
#include "io/read/source_internal.h"

#include <libavutil/hwcontext.h>
#include <libavutil/intreadwrite.h>
#include <libavutil/pixdesc.h>

#define REFERENCES 4       /* frames that a decoder keeps for others, at large sizes */
#define MOST_EMPTY 1000000 /* packets in a row without a picture: 4 hours at 60 a second */

/* ---- hardware that FFmpeg knows (--hwdec: cuda, vaapi, vdpau...)
 *
 * By their standards pictures of H.264, HEVC, VP9 and AV1 are the same, bit for bit. Hardware tells
 * of no damage inside of a picture: what is told of it stems from packets and headers alone. */

static int refuse_type(const char *text)
{
    char list[256] = "";
    enum AVHWDeviceType type = AV_HWDEVICE_TYPE_NONE;
    while ((type = av_hwdevice_iterate_types(type)) != AV_HWDEVICE_TYPE_NONE)
        av_strlcatf(list, sizeof list, "%s %s", *list ? "," : "", av_hwdevice_get_type_name(type));
    return rn_fail(RN_EUSAGE, "--hwdec %.64s: FFmpeg has no such hardware, but%s", text,
                   *list ? list : " none at all");
}

/* Opens what `text`, TYPE or TYPE:DEVICE, names. Returns 0, RN_EUSAGE (FFmpeg has no such type) or
 * RN_EDEVICE (logged). */
static int open_hardware(AVBufferRef **device, const char *text)
{
    char name[32];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, ":"), text);
    const char *which = strchr(text, ':');
    enum AVHWDeviceType type = av_hwdevice_find_type_by_name(name);
    if (type == AV_HWDEVICE_TYPE_NONE)
        return refuse_type(text);
    rn_io_capture_begin();
    int ret = av_hwdevice_ctx_create(device, type, which ? which + 1 : NULL, NULL, 0);
    rn_io_capture_end();
    return ret < 0 ? rn_fail(RN_EDEVICE, "--hwdec %.64s: %s", text, rn_io_cause(ret)) : 0;
}

/* The first picture came, from the hardware or not: says what that costs. */
static void tell_hardware(const AVCodecContext *dec, const char *text, bool used, const char *name)
{
    enum AVCodecID id = dec->codec_id;
    bool exact = id == AV_CODEC_ID_H264 || id == AV_CODEC_ID_HEVC || id == AV_CODEC_ID_VP8 ||
                 id == AV_CODEC_ID_VP9 ||
                 id == AV_CODEC_ID_AV1; /* no choice of roundings is left */
    if (used)
        rn_log(RN_LOG_INFO, "'%s': %s decodes, which does not tell of damage inside of pictures%s",
               name, text, exact ? "" : ", and rounds otherwise than FFmpeg");
    else
        rn_log(RN_LOG_WARNING, "'%s': %s does not decode %s %s, the CPU does", name, text,
               avcodec_get_name(id), av_get_pix_fmt_name(dec->pix_fmt));
}

/* ---- opening */

/* FFmpeg's own decoders of VP8 and VP9 leave transparency out; that of libvpx does not. */
static const AVCodec *find_decoder(const struct rn_read_source *src)
{
    const struct rn_read_input *p = src->in;
    enum AVCodecID id = p->par->codec_id;
    if (id != AV_CODEC_ID_VP8 && id != AV_CODEC_ID_VP9)
        return avcodec_find_decoder(id);
    const AVStream *st = rn_read_stream_in(p);
    const char *mode = st ? rn_io_tag(st->metadata, "alpha_mode") : NULL;
    if (!mode || strcmp(mode, "1") != 0)
        return avcodec_find_decoder(id);
    const AVCodec *codec =
        avcodec_find_decoder_by_name(id == AV_CODEC_ID_VP8 ? "libvpx" : "libvpx-vp9");
    if (codec)
        return codec;
    rn_losses_add(src->opts.losses, "alpha",
                  "'%s': its transparency is left out: this FFmpeg lacks libvpx", src->name);
    return avcodec_find_decoder(id);
}

/* One more than cores, as FFmpeg itself takes: whoever waits for the oldest picture does not keep a
 * core from the next ones. Each thread holds a frame: fewer of them, if those would take more than
 * a quarter of the memory. */
static int choose_threads(const struct rn_read_source *src)
{
    int n = rn_io_threads(src->opts.threads);
    n += src->opts.threads <= 0 && n > 1 && n < RN_AV_THREADS_MOST;
    const AVCodecParameters *par = src->in->par;
    int64_t pixels = (int64_t)par->width * par->height;
    n = src->opts.hwdec && n < 2 ? 2 : n; /* one decodes by itself: see open_context */
    int64_t fit = pixels > 0 ? rn_io_max_pixels(par, src->opts.memory / 4) / pixels : n;
    return fit < 1 ? 1 : fit < n ? (int)fit : n;
}

int64_t rn_read_decoder_bytes(const struct rn_read_source *src)
{
    const struct rn_geom *geom = &src->media.stream.geom;
    int64_t bytes = rn_geom_bytes(geom), frames = 1;
    if (src->dec && !rn_read_is_stills(src->in)) {
        const AVCodecDescriptor *desc = avcodec_descriptor_get(src->dec->codec_id);
        bool threaded = src->dec->active_thread_type & FF_THREAD_FRAME;
        frames = threaded ? src->dec->thread_count : 1;
        frames += desc && desc->props & AV_CODEC_PROP_INTRA_ONLY ? 0 : REFERENCES;
    }
    return frames * bytes;
}

/* What a decoder leaves out of a damaged picture would show what lay in the memory before: parts of
 * another picture, and others from run to run. Only a decoder of one thread gives damaged pictures
 * (struct rn_read_retry); those of several do not pay for this. */
static int get_buffer(AVCodecContext *dec, AVFrame *frame, int flags)
{
    int ret = avcodec_default_get_buffer2(dec, frame, flags);
    if (frame->hw_frames_ctx)
        return ret;
    bool clear = ret >= 0 && dec->thread_count == 1;
    for (int i = 0; clear && i < AV_NUM_DATA_POINTERS && frame->buf[i]; i++)
        memset(frame->buf[i]->data, 0, frame->buf[i]->size);
    const struct rn_io_watch *watch = dec->opaque;
    if (ret >= 0 && dec->codec_id == AV_CODEC_ID_HEVC) /* see decode_watch.h */
        rn_read_unwritten_mark(watch->owner, frame);
    return ret;
}

/* Opens src->dec, closed before. Hardware does the work of several threads: whatever asks for one
 * wants FFmpeg's own decoder. */
static int open_context(struct rn_read_source *src, const AVCodec *codec, int threads)
{
    const struct rn_read_input *p = src->in;
    src->dec = rn_io_codec_context(codec, p->par);
    if (!src->dec)
        return rn_fail_memory();
    rn_io_number_frames(src->dec);
    src->dec->pkt_timebase = p->time_base;
    src->dec->framerate = p->rate;
    src->dec->thread_count = threads;
    src->dec->max_pixels = rn_io_max_pixels(p->par, src->opts.memory);
    src->dec->err_recognition |= AV_EF_CRCCHECK;
    src->dec->get_buffer2 = get_buffer;
    rn_io_share_callbacks(src->dec);
    if (src->hardware && threads > 1 && !(src->dec->hw_device_ctx = av_buffer_ref(src->hardware)))
        return rn_fail_memory();
    src->in->watch.owner = src->retry.overlooked.owner = &src->retry.unwritten;
    src->dec->opaque = &src->in->watch;
    rn_io_capture_begin();
    int w, h, ret = avcodec_open2(src->dec, codec, NULL);
    rn_io_capture_end();
    if (ret < 0 && rn_io_oversized(&w, &h))
        return rn_read_refuse_size(src, w, h);
    return ret < 0 ? rn_fail(RN_EINPUT, "cannot decode '%s' (%s): %s", src->name, codec->name,
                             rn_io_cause(ret))
                   : 0;
}

int rn_read_decoder_open(struct rn_read_source *src)
{
    enum AVCodecID id = src->in->par->codec_id;
    const AVCodec *codec = find_decoder(src);
    if (!codec)
        return rn_fail(RN_EINPUT, "'%s': no decoder for %s", src->name, avcodec_get_name(id));
    src->pkt = av_packet_alloc();
    if (!src->pkt)
        return rn_fail_memory();
    /* Theora in Ogg may be chained: a new header comes, which several threads would not take. The
     * decoders of VP8 and of FFV1 before version 2 (without a header of its own, and without sums
     * to check) notice no damage, so that nothing would tell where threads differ. */
    bool alone = id == AV_CODEC_ID_THEORA || id == AV_CODEC_ID_VP8 ||
                 (id == AV_CODEC_ID_FFV1 && !src->in->par->extradata_size);
    int err = src->opts.hwdec ? open_hardware(&src->hardware, src->opts.hwdec) : 0;
    err = err ? err : open_context(src, codec, alone ? 1 : choose_threads(src));
    if (!err)
        rn_read_retry_open(src, !alone);
    return err;
}

int rn_read_decoder_change(struct rn_read_source *src, int threads)
{
    int delay = src->dec->has_b_frames;
    const AVCodec *codec = src->dec->codec;
    avcodec_free_context(&src->dec);
    int err = open_context(src, codec, threads);
    if (err)
        return err;
    src->dec->has_b_frames = delay; /* as it has learned: else the order would be guessed again */
    av_packet_unref(src->pkt);
    src->restarting = false;
    src->sequence = 0;
    return 0;
}

/* ---- pictures */

/* An error came instead of a picture. Behind a seek decoders stumble over pictures shown before the
 * keyframe. */
static void count_lost(struct rn_read_source *src)
{
    int w, h;
    rn_read_decode_errors_since(src);
    bool oversized = src->pictures_out && rn_io_oversized(&w, &h);
    bool again = src->dec->opaque != &src->in->watch; /* it was counted, or will be */
    if (!src->settling && (!again || rn_read_retry_may_stumble(src)))
        rn_read_decode_flag(src, oversized ? "is larger than the memory (--memory)"
                                           : "could not be decoded");
}

/* Size, shape and rate as a sequence header of MPEG-1 or -2 in the packet has them; 0: none. It
 * stands at the beginning of a packet. */
static uint32_t sequence_of(const struct rn_read_source *src)
{
    const uint8_t *d = src->pkt->data;
    enum AVCodecID id = src->dec->codec_id;
    if ((id != AV_CODEC_ID_MPEG1VIDEO && id != AV_CODEC_ID_MPEG2VIDEO) || src->pkt->size < 8)
        return 0;
    return AV_RB32(d) == 0x1B3 ? AV_RB32(d + 4) : 0;
}

/* What FFmpeg's decoders call an error: comments where Theora is chained (they take the other
 * headers), what stands behind the last picture of a GIF. */
static bool is_comment(const struct rn_read_source *src, const AVPacket *pkt)
{
    enum AVCodecID id = src->dec->codec_id;
    return (id == AV_CODEC_ID_THEORA && pkt->size > 0 && pkt->data[0] == 0x81) ||
           (id == AV_CODEC_ID_GIF && !rn_read_coded_picture_shows(id, pkt));
}

/* Returns a libav error without memory. */
static int limit_texts(struct rn_read_source *src, AVPacket *pkt)
{
    enum AVCodecID id = src->dec->codec_id;
    if (id != AV_CODEC_ID_PNG && id != AV_CODEC_ID_APNG)
        return 0;
    int ret = av_packet_make_writable(pkt);
    int n = ret < 0 ? 0 : rn_container_png_limit_texts(id, pkt->data, &pkt->size);
    if (n)
        rn_losses_add(
            src->opts.losses, "tags",
            "'%.120s': %d text%s of a picture, longer than %d MB or more than %d, are left out",
            src->name, n, n == 1 ? "" : "s", RN_CONTAINER_MAX_TEXTS >> 20, RN_CONTAINER_MAX_CHUNKS);
    return ret;
}

/* Learns of the packet that was read into src->pkt and goes to the decoder next. */
static int take_packet(struct rn_read_source *src)
{
    AVPacket *pkt = src->pkt;
    bool shown = pkt->pts != AV_NOPTS_VALUE && !(pkt->flags & AV_PKT_FLAG_DISCARD);
    if (shown && (src->newest_pts == AV_NOPTS_VALUE || pkt->pts > src->newest_pts))
        src->newest_pts = pkt->pts;
    if (pkt->dts != AV_NOPTS_VALUE)
        src->newest_dts = pkt->dts;
    if (limit_texts(src, pkt))
        return rn_fail_memory();
    if (!src->pictures_out)
        rn_container_png_read(src->dec->codec_id, pkt, &src->png);
    src->empty += !(pkt->flags & AV_PKT_FLAG_DISCARD);
    if (src->empty > MOST_EMPTY) /* each costs little, but a file of some MB holds many millions */
        return !src->pictures_out
                   ? RN_END
                   : rn_fail(RN_EINPUT,
                             "'%s': %d packets in a row gave no picture, and more are not tried "
                             "(--from goes on behind them)",
                             src->name, MOST_EMPTY);
    if (rn_read_frame_numbering_add(src, pkt))
        return RN_EINTERNAL;
    src->pkt_number = rn_read_decode_audit_packet(&src->audit, src->in->par, pkt);
    return rn_read_retry_remember(src);
}

/* pkt: src->pkt, or NULL: there are no more. */
static int send_packet(struct rn_read_source *src, AVPacket *pkt)
{
    if (pkt)
        rn_io_set_number(src->dec, pkt, src->pkt_number);
    errno = 0;
    int ret = avcodec_send_packet(src->dec, pkt);
    rn_io_watch_memory(&src->in->watch);
    if (pkt || !src->restarting)
        av_packet_unref(src->pkt);
    if (ret == AVERROR(ENOMEM))
        return rn_fail_memory();
    if (ret < 0 && ret != AVERROR_EOF && ret != AVERROR(EAGAIN)) {
        src->retry.suspect = true;
        count_lost(src);
    }
    return 0;
}

/* The decoder is empty: it goes on with the packet of the change. */
static int restart(struct rn_read_source *src)
{
    src->restarting = false;
    avcodec_flush_buffers(src->dec);
    return send_packet(src, src->pkt);
}

static int read_packet(struct rn_read_source *src)
{
    bool kept = rn_io_frame_data_take(src->packets_ahead, src->pkt);
    int err = kept ? 0 : src->in->ops->next(src->in, src->pkt);
    if (err < 0)
        return err;
    if (atomic_load(&src->stop))
        return RN_END;
    src->in->read +=
        rn_read_is_stills(src->in) && !err; /* the demuxer counts itself: it reads ahead */
    if (err == RN_END)
        src->draining = true;
    else if (is_comment(src, src->pkt))
        av_packet_unref(src->pkt);
    else
        return take_packet(src);
    return 0;
}

static int feed_decoder(struct rn_read_source *src)
{
    int err = rn_read_retry_take(src);
    bool past = err == 0;
    if (err == RN_END) {
        err = src->draining ? 0 : read_packet(src);
        /* What was read is no picture, or another decoder begins at an earlier packet. */
        if (!err && !src->pkt->data && !src->draining)
            return 0;
    }
    if (err)
        return err;
    bool last = !past && src->draining;
    /* FFmpeg's decoder forgets the picture that it holds back when such a header changes. */
    uint32_t previous = src->sequence, current = last ? 0 : sequence_of(src);
    src->sequence = current ? current : previous;
    src->restarting = current && previous && current != previous;
    return send_packet(src, last || src->restarting ? NULL : src->pkt);
}

/* Copies all but the samples. Returns 0 or RN_EINTERNAL (logged). */
static int copy_form(AVFrame *to, const AVFrame *from)
{
    if (!to || av_frame_copy_props(to, from) < 0)
        return rn_fail_memory();
    to->format = from->format;
    to->width = from->width;
    to->height = from->height;
    return 0;
}

/* Keeps what the pictures of an input have in common whose packets may be left out. */
static int keep_model(struct rn_read_source *src)
{
    if (src->model || !src->in->ops->leave_out || !src->in->ops->is_apart(src->in))
        return 0;
    src->model = av_frame_alloc();
    return copy_form(src->model, src->frame);
}

/* Makes a picture without samples of a packet that is left out. Returns 0; RN_END: it is not; or
 * RN_EINTERNAL (logged). */
static int leave_out(struct rn_read_source *src)
{
    AVFrame *f = src->frame;
    AVPacket *pkt = src->pkt;
    if (!src->in->leaves_out || !src->model || src->packets_ahead || src->draining ||
        !src->in->ops->leave_out(src->in, pkt))
        return RN_END;
    int err = copy_form(f, src->model);
    f->pts = f->best_effort_timestamp = f->pkt_dts = pkt->pts;
    rn_io_set_duration(f, pkt->duration);
    src->newest_pts = pkt->pts;
    src->newest_dts = pkt->dts;
    src->pictures_out++;
    av_packet_unref(pkt);
    return err;
}

int rn_read_decoder_next(struct rn_read_source *src)
{
    if (!src->dec) {
        int err = src->in->ops->picture(src->in, src->frame);
        if (err || atomic_load(&src->stop))
            return err ? err : RN_END;
        src->in->read++;
        src->pictures_out++;
        return 0;
    }
    int left_out = leave_out(src);
    if (left_out != RN_END)
        return left_out;
    for (;;) {
        if (atomic_load(&src->stop))
            return RN_END;
        int ret, err = rn_read_retry_receive(src, &ret);
        if (err)
            return err;
        if (ret == 0) {
            src->empty = 0;
            if (!src->pictures_out++ && src->hardware)
                tell_hardware(src->dec, src->opts.hwdec, src->by_hardware, src->name);
            rn_read_decode_audit_picture(&src->audit, rn_io_number(src->frame),
                                         rn_io_is_interlaced(src->frame));
            return keep_model(src);
        }
        if (ret == AVERROR_EOF && !src->restarting)
            return RN_END;
        if (ret == AVERROR(ENOMEM))
            return rn_fail_memory();
        if (ret != AVERROR(EAGAIN) && ret != AVERROR_EOF) {
            count_lost(src);
            continue;
        }
        if ((err = ret == AVERROR_EOF ? restart(src) : feed_decoder(src)) != 0)
            return err;
    }
}

void rn_read_decoder_restart(struct rn_read_source *src)
{
    if (!src->dec)
        return;
    avcodec_flush_buffers(src->dec);
    rn_read_decode_audit_restart(&src->audit);
    rn_read_retry_restart(src);
    src->draining = src->restarting = false;
    src->sequence = 0;
    av_packet_unref(src->pkt);
    if (!rn_read_is_stills(src->in))
        src->settling = src->dec->thread_count + src->dec->has_b_frames + 1;
}

void rn_read_decoder_close(struct rn_read_source *src)
{
    avcodec_free_context(&src->dec);
    av_buffer_unref(&src->hardware);
    av_frame_free(&src->model);
    rn_read_packet_history_clear(&src->retry.history);
}
