#include "io/source.h"

#include "filters/core/err.h"
#include "filters/core/log.h"
#include "io/convert.h"
#include "io/media.h"
#include "io/packets.h"

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <libavutil/mem.h>
#include <libavutil/pixdesc.h>

struct rn_source {
    char *input;
    struct rn_source_opts opts;
    struct rn_stream stream;
    struct rn_media media;
    struct rn_packets *packets;
    AVCodecContext *dec;
    AVPacket *pkt;
    AVFrame *frame; /* the next picture, decoded ahead */
    AVFrame *first; /* properties of the first picture */
    struct rn_import *import;
    atomic_bool stop;

    bool have;              /* frame holds a picture */
    bool draining;          /* the decoder got its last packet */
    bool ended;             /* no more pictures will come */
    bool cut;               /* ended by --to or --frames, not by the input */
    bool warned;            /* about a change of format */
    int64_t decoded, given; /* pictures */
    int64_t from_us, to_us;
    int64_t offset; /* taken off all timestamps, in the stream's time base */
    int64_t last_pts, last_duration;
    int64_t flagged; /* pictures with errors, and errors instead of pictures */
    int64_t logged;  /* pictures during whose decoding libav reported errors */
    int watched;     /* packets->watch.errors seen so far */
    int64_t base;    /* `decoded` where `given` was 0 */
    int settling;    /* pictures after a seek for which libav's messages mean nothing */
    bool finished;   /* the end was looked at */

    pthread_mutex_t lock;
    struct rn_damage damage; /* protected by lock */
};

/* ---- damage */

/* True if libav reported errors since the last call. */
static bool errors_since(struct rn_source *src)
{
    int now = atomic_load(&src->packets->watch.errors);
    bool some = now != src->watched;
    src->watched = now;
    return some;
}

static void count_flagged(struct rn_source *src, const char *what)
{
    const char *said = atomic_load(&src->packets->watch.errors) ? src->packets->watch.first : "";
    src->flagged++;
    if (src->packets->ops->name)
        return; /* image files name themselves */
    AVRational tb = src->packets->time_base;
    double t = src->last_pts == AV_NOPTS_VALUE ? 0 : (double)src->last_pts * av_q2d(tb);
    rn_damage_note(&src->packets->damage, "frame %" PRId64 " (near %.3f s) %s%s%s", src->decoded, t,
                   what, *said ? ": " : "", said);
}

/* Makes the sum that other threads see. The same damage shows in several places (a broken packet, a
 * picture with errors, libav's messages), so the largest count is taken, not their sum. */
static void publish_damage(struct rn_source *src)
{
    const struct rn_packets *p = src->packets;
    struct rn_damage d = p->damage;
    int64_t pictures = p->corrupt > src->flagged ? p->corrupt : src->flagged;
    if (!pictures && !d.damaged && !d.missing)
        pictures = src->logged;
    d.damaged += pictures;
    if ((d.damaged || d.missing) && !*d.what)
        snprintf(d.what, sizeof d.what, "%s", p->watch.first);
    pthread_mutex_lock(&src->lock);
    src->damage = d;
    pthread_mutex_unlock(&src->lock);
}

struct tally {
    int64_t flagged, logged, corrupt;
    struct rn_damage damage;
};

static struct tally tally_of(const struct rn_source *src)
{
    return (struct tally){src->flagged, src->logged, src->packets->corrupt, src->packets->damage};
}

/* Takes back what was counted since, among pictures that nobody asked for. */
static void set_tally(struct rn_source *src, const struct tally *tally)
{
    errors_since(src);
    src->flagged = tally->flagged;
    src->logged = tally->logged;
    src->packets->corrupt = tally->corrupt;
    src->packets->damage = tally->damage;
}

/* ---- decoding */

/* An error came instead of a picture. Behind a seek decoders stumble over pictures shown before the
 * keyframe. */
static void count_lost(struct rn_source *src)
{
    errors_since(src);
    if (!src->settling)
        count_flagged(src, "could not be decoded");
}

static int feed_decoder(struct rn_source *src)
{
    int err = src->packets->ops->next(src->packets, src->pkt);
    if (err < 0)
        return err;
    if (atomic_load(&src->stop))
        return RN_END;
    if (err == RN_END)
        src->draining = true;
    int ret = avcodec_send_packet(src->dec, err == RN_END ? NULL : src->pkt);
    av_packet_unref(src->pkt);
    if (ret == AVERROR(ENOMEM))
        return rn_fail_memory();
    if (ret < 0 && ret != AVERROR_EOF && ret != AVERROR(EAGAIN))
        count_lost(src);
    return 0;
}

/* The next picture in src->frame. Returns 0, RN_END or an error. */
static int decode(struct rn_source *src)
{
    for (;;) {
        if (atomic_load(&src->stop))
            return RN_END;
        int ret = avcodec_receive_frame(src->dec, src->frame);
        if (ret == 0)
            return 0;
        if (ret == AVERROR_EOF)
            return RN_END;
        if (ret == AVERROR(ENOMEM))
            return rn_fail_memory();
        if (ret != AVERROR(EAGAIN)) {
            count_lost(src);
            continue;
        }
        int err = feed_decoder(src);
        if (err)
            return err;
    }
}

/* Sets pts (strictly rising) and duration of the picture in src->frame. */
static void set_times(struct rn_source *src)
{
    AVFrame *f = src->frame;
    AVRational tb = src->packets->time_base, rate = src->packets->rate;
    int64_t duration = f->pkt_duration;
    if (duration <= 0 && rate.num > 0)
        duration = av_rescale_q(1, av_inv_q(rate), tb);
    if (duration <= 0)
        duration = src->last_duration > 0 ? src->last_duration : 1;
    int64_t pts = f->best_effort_timestamp;
    bool first = src->last_pts == AV_NOPTS_VALUE;
    if (pts == AV_NOPTS_VALUE)
        pts = first ? 0 : src->last_pts + src->last_duration;
    if (!first && pts <= src->last_pts) {
        rn_log(RN_LOG_DEBUG, "frame %" PRId64 " is not later than the one before: %" PRId64,
               src->decoded, pts);
        pts = src->last_pts + 1;
    }
    f->pts = src->last_pts = pts;
    f->pkt_duration = src->last_duration = duration;
}

static bool before(const struct rn_source *src, const struct rn_time *t, int64_t us)
{
    if (t->kind == RN_TIME_FRAME)
        return src->decoded < t->frame;
    return t->kind == RN_TIME_SECONDS &&
           av_rescale_q(src->frame->pts, src->packets->time_base, AV_TIME_BASE_Q) < us;
}

static void judge(struct rn_source *src)
{
    const AVFrame *f = src->frame;
    bool ok = !f->decode_error_flags && !(f->flags & AV_FRAME_FLAG_CORRUPT);
    if (src->packets->ops->decoded)
        src->packets->ops->decoded(src->packets, f->pts, ok);
    else if (!ok)
        count_flagged(src, "was decoded with errors");
    bool logged = errors_since(src);
    if (!src->settling)
        src->logged += logged;
    else if (!--src->settling)
        atomic_store(&src->packets->watch.quiet, false);
}

/* Takes the picture in src->frame, if it lies before the end of the range. Returns 0 or RN_END. */
static int accept_picture(struct rn_source *src)
{
    const struct rn_source_opts *o = &src->opts;
    if (!src->packets->ranged && o->to.kind != RN_TIME_NONE && !before(src, &o->to, src->to_us)) {
        src->ended = src->cut = true;
        src->media.end_us = av_rescale_q(src->frame->pts, src->packets->time_base, AV_TIME_BASE_Q);
        return RN_END;
    }
    judge(src);
    src->decoded++;
    src->have = true;
    return 0;
}

/* Decodes the next picture within the range of the options. Returns 0, RN_END or an error. */
static int advance(struct rn_source *src)
{
    const struct rn_source_opts *o = &src->opts;
    bool ranged = src->packets->ranged;
    src->have = false;
    if (!ranged && o->frames >= 0 && src->given >= o->frames) {
        src->ended = src->cut = true;
        return RN_END;
    }
    for (;;) {
        av_frame_unref(src->frame);
        int err = decode(src);
        if (err == RN_END)
            src->ended = true;
        if (err)
            return err;
        set_times(src);
        if (!ranged && before(src, &o->from, src->from_us)) {
            set_tally(src, &(struct tally){0});
            src->decoded++;
            continue;
        }
        return accept_picture(src);
    }
}

/* ---- opening */

static int open_decoder(struct rn_source *src)
{
    const struct rn_packets *p = src->packets;
    const AVCodec *codec = avcodec_find_decoder(p->par->codec_id);
    if (!codec)
        return rn_fail(RN_EINPUT, "'%s': no decoder for %s", src->input,
                       avcodec_get_name(p->par->codec_id));
    src->dec = avcodec_alloc_context3(codec);
    src->pkt = av_packet_alloc();
    src->frame = av_frame_alloc();
    src->first = av_frame_alloc();
    if (!src->dec || !src->pkt || !src->frame || !src->first ||
        avcodec_parameters_to_context(src->dec, p->par) < 0)
        return rn_fail_memory();
    src->dec->opaque = &src->packets->watch;
    src->dec->pkt_timebase = p->time_base;
    src->dec->framerate = p->rate;
    src->dec->thread_count = rn_av_threads(src->opts.threads);
    src->dec->err_recognition |= AV_EF_CRCCHECK;
    rn_av_capture_begin();
    int ret = avcodec_open2(src->dec, codec, NULL);
    rn_av_capture_end();
    return ret < 0 ? rn_fail(RN_EINPUT, "cannot decode '%s' (%s): %s", src->input, codec->name,
                             rn_av_cause(ret))
                   : 0;
}

/* How many pictures will come, as far as the container knows. */
static int64_t expected(const struct rn_source *src)
{
    const struct rn_source_opts *o = &src->opts;
    const struct rn_packets *p = src->packets;
    if (p->ranged)
        return p->frames;
    double rate = p->rate.num > 0 ? av_q2d(p->rate) : 0;
    double begin = 0, end = p->frames >= 0 ? (double)p->frames : INFINITY;
    if (o->from.kind == RN_TIME_FRAME)
        begin = (double)o->from.frame;
    else if (o->from.kind == RN_TIME_SECONDS)
        begin = ceil(o->from.seconds * rate - 1e-3);
    if (o->to.kind == RN_TIME_FRAME)
        end = fmin(end, (double)o->to.frame);
    else if (o->to.kind == RN_TIME_SECONDS && rate > 0)
        end = fmin(end, ceil(o->to.seconds * rate - 1e-3));
    if (o->frames >= 0)
        end = fmin(end, begin + (double)o->frames);
    return isinf(end) ? -1 : end > begin ? (int64_t)(end - begin) : 1;
}

static void describe(struct rn_source *src)
{
    const struct rn_packets *p = src->packets;
    const AVFrame *f = src->frame;
    AVRational aspect = f->sample_aspect_ratio.num > 0 ? f->sample_aspect_ratio : p->aspect;
    if (p->fmt && p->aspect.num > 0)
        aspect = p->aspect; /* the container's, as libav and players prefer it */
    src->stream.time_base = rn_from_av(p->time_base);
    src->stream.rate = rn_from_av(p->rate);
    src->stream.aspect = aspect.num > 0 ? rn_from_av(aspect) : (struct rn_rational){0, 0};
    src->stream.frames = expected(src);
    bool whole = src->opts.from.kind == RN_TIME_NONE && src->opts.to.kind == RN_TIME_NONE &&
                 src->opts.frames < 0;
    src->stream.duration = p->duration;
    if (!whole && !p->ranged)
        src->stream.duration = src->stream.frames >= 0 && p->rate.num > 0
                                   ? (double)src->stream.frames / av_q2d(p->rate)
                                   : -1;
    if (src->opts.from.kind != RN_TIME_NONE) {
        src->offset = f->pts;
        src->media.cut = true;
        src->media.offset_us = av_rescale_q(f->pts, p->time_base, AV_TIME_BASE_Q);
    }
    if (src->opts.to.kind == RN_TIME_SECONDS)
        src->media.end_us = src->to_us;
    else if (src->opts.to.kind == RN_TIME_FRAME || src->opts.frames >= 0)
        src->media.end_us = av_rescale_q(f->pts, p->time_base, AV_TIME_BASE_Q) +
                            (int64_t)(src->stream.duration * 1e6 + 0.5);
    src->media.name = src->input;
    src->media.fmt = p->fmt;
    src->media.video = p->video;
    src->media.par = p->par;
    src->media.first = src->first;
    src->media.number = -1;
    if (p->ops->name)
        p->ops->name(p, f->pts, &src->media.number);
}

/* Decodes the first picture, which alone tells for certain what will come. */
static int open_first(struct rn_source *src)
{
    /* On the way to --from a decoder misses what lies before the keyframe; and where nothing can be
     * decoded, one message is enough. */
    atomic_store(&src->packets->watch.quiet, true);
    int err = advance(src);
    atomic_store(&src->packets->watch.quiet, false);
    if (err == RN_END && src->cut)
        return rn_fail(RN_EUSAGE, "--from, --to and --frames leave nothing of '%s'", src->input);
    if (err == RN_END && src->decoded > 0)
        return rn_fail(RN_EUSAGE, "--from is behind the end of '%s' (%" PRId64 " frames read)",
                       src->input, src->decoded);
    publish_damage(src);
    if (err == RN_END)
        return rn_fail(RN_EINPUT, "no picture could be decoded from '%s'%s%s", src->input,
                       *src->damage.what ? ": " : "", src->damage.what);
    if (err)
        return err;
    const struct rn_packets *p = src->packets;
    if (p->ranged && p->frames == 1 && src->damage.damaged)
        return rn_fail(RN_EINPUT, "damaged image: %s", src->damage.what);
    err = rn_geom_of_frame(src->frame, &src->stream.geom);
    if (!err && av_frame_copy_props(src->first, src->frame) < 0)
        err = rn_fail_memory();
    if (err)
        return err;
    src->first->format = src->frame->format;
    src->base = src->decoded - 1;
    describe(src);
    return 0;
}

static int open_packets(struct rn_source *src)
{
    static const struct {
        bool (*match)(const char *input);
        int (*open)(struct rn_packets **packets, const char *input,
                    const struct rn_source_opts *opts, atomic_bool *stop);
    } kinds[] = {
        {rn_tiff_match, rn_tiff_open_stack},
        {rn_images_match, rn_images_open},
        {NULL, rn_demux_open}, /* everything else */
    };
    size_t i = 0;
    while (kinds[i].match && !kinds[i].match(src->input))
        i++;
    return kinds[i].open(&src->packets, src->input, &src->opts, &src->stop);
}

int rn_source_open(struct rn_source **source, const char *input, const struct rn_source_opts *opts)
{
    struct rn_source *src = calloc(1, sizeof *src);
    if (!src)
        return rn_fail_memory();
    int err = 0;
    pthread_mutex_init(&src->lock, NULL);
    atomic_init(&src->stop, false);
    src->opts = *opts;
    src->last_pts = AV_NOPTS_VALUE;
    src->media.end_us = INT64_MAX;
    src->input = av_strdup(input);
    if (!src->input) {
        err = rn_fail_memory();
        goto fail;
    }
    err = open_packets(src);
    if (err)
        goto fail;
    src->from_us = src->packets->start_us + llrint(opts->from.seconds * 1e6);
    src->to_us = src->packets->start_us + llrint(opts->to.seconds * 1e6);
    if ((err = open_decoder(src)) != 0 || (err = open_first(src)) != 0)
        goto fail;
    *source = src;
    return 0;
fail:
    rn_source_close(&src);
    return err == RN_END ? RN_EINPUT : err;
}

void rn_source_close(struct rn_source **source)
{
    struct rn_source *src = *source;
    if (!src)
        return;
    rn_import_destroy(&src->import);
    avcodec_free_context(&src->dec);
    av_packet_free(&src->pkt);
    av_frame_free(&src->frame);
    av_frame_free(&src->first);
    if (src->packets)
        src->packets->ops->close(src->packets);
    av_free(src->input);
    pthread_mutex_destroy(&src->lock);
    free(src);
    *source = NULL;
}

/* ---- reading */

/* Time of a packet of another stream, in microseconds of the input. */
static int64_t packet_us(const struct rn_source *src, const AVPacket *pkt)
{
    int64_t ts = pkt->pts != AV_NOPTS_VALUE ? pkt->pts : pkt->dts;
    AVRational tb = src->packets->fmt->streams[pkt->stream_index]->time_base;
    return ts == AV_NOPTS_VALUE ? AV_NOPTS_VALUE : av_rescale_q(ts, tb, AV_TIME_BASE_Q);
}

/* A subtitle that is on screen where the range begins stays for the rest of its time. */
static void trim_subtitle(const struct rn_source *src, AVPacket *pkt)
{
    const AVStream *st = src->packets->fmt->streams[pkt->stream_index];
    int64_t off = av_rescale_q(src->offset, src->packets->time_base, st->time_base);
    if (st->codecpar->codec_type != AVMEDIA_TYPE_SUBTITLE || pkt->pts == AV_NOPTS_VALUE ||
        pkt->pts >= off || pkt->pts + pkt->duration <= off)
        return;
    pkt->duration -= off - pkt->pts;
    pkt->pts = pkt->dts = off;
}

static void shift_packet(const struct rn_source *src, AVPacket *pkt)
{
    AVRational tb = src->packets->fmt->streams[pkt->stream_index]->time_base;
    int64_t off = av_rescale_q(src->offset, src->packets->time_base, tb);
    if (pkt->pts != AV_NOPTS_VALUE)
        pkt->pts -= off;
    if (pkt->dts != AV_NOPTS_VALUE)
        pkt->dts -= off;
}

/* Moves the packets up to time `until` from what was demuxed to a frame. With a limit counted in
 * frames the end of the range is known only when it is reached, so packets wait here until their
 * time. */
static int take_packets(struct rn_source *src, struct rn_side *to, int64_t until)
{
    struct rn_side *from = src->packets->side;
    int kept = 0, err = 0;
    for (int i = 0; i < from->n; i++) {
        AVPacket *pkt = from->packet[i];
        if (src->media.cut)
            trim_subtitle(src, pkt);
        int64_t us = packet_us(src, pkt);
        if (us != AV_NOPTS_VALUE && us >= until && !err) {
            from->packet[kept++] = pkt;
            continue;
        }
        bool inside = !src->media.cut || us == AV_NOPTS_VALUE || us >= src->media.offset_us;
        if (inside && !err) {
            shift_packet(src, pkt);
            err = rn_side_push(to, pkt);
        }
        av_packet_free(&pkt);
    }
    from->n = kept;
    return err;
}

/* Behind the last picture of a range the other streams still have packets of its time. */
static int read_others(struct rn_source *src)
{
    struct rn_packets *p = src->packets;
    int64_t end = src->media.end_us;
    bool many = !src->opts.pictures_only && p->ops->others_past;
    int err = 0;
    while (many && !err && !p->ops->others_past(p, end)) {
        err = p->ops->next(p, src->pkt);
        if (err)
            break;
        int64_t us = packet_us(src, src->pkt);
        av_packet_unref(src->pkt);
        if (us != AV_NOPTS_VALUE && us > end + 10 * AV_TIME_BASE)
            break;
    }
    return err < 0 ? err : 0;
}

/* RN_END, with what stands behind the last picture. */
static int read_tail(struct rn_source *src, struct rn_frame *frame)
{
    struct rn_packets *p = src->packets;
    bool stopped = atomic_load(&src->stop);
    int err = 0;
    if (!stopped && src->cut)
        err = read_others(src);
    else if (!stopped && !src->finished)
        p->ops->finish(p);
    src->finished |= !stopped && !src->cut;
    src->logged += !src->cut && errors_since(src);
    publish_damage(src);
    if (err || !p->side->n || !p->fmt)
        return err ? err : RN_END;
    frame->side = rn_side_create();
    if (!frame->side)
        return rn_fail_memory();
    err = take_packets(src, frame->side, src->cut ? src->media.end_us : INT64_MAX);
    return err ? err : RN_END;
}

static int check_change(struct rn_source *src)
{
    const AVFrame *f = src->frame;
    const struct rn_geom *g = &src->stream.geom;
    int64_t number;
    const char *file =
        src->packets->ops->name ? src->packets->ops->name(src->packets, f->pts, &number) : NULL;
    bool same = f->width == g->w && f->height == g->h;
    if (!same && file)
        return rn_fail(RN_EINPUT, "'%s' is %dx%d, the images before it are %dx%d", file, f->width,
                       f->height, g->w, g->h);
    if (!same)
        return rn_fail(RN_EINPUT, "'%s': frame %" PRId64 " is %dx%d, those before it are %dx%d",
                       src->input, src->decoded - 1, f->width, f->height, g->w, g->h);
    if (f->format != src->first->format && !src->warned) {
        src->warned = true;
        rn_log(RN_LOG_WARNING,
               "'%s': the pixel format changes at frame %" PRId64 " from %s to %s; it is converted",
               src->input, src->decoded - 1, av_get_pix_fmt_name(src->first->format),
               av_get_pix_fmt_name(f->format));
    }
    return 0;
}

static int fill_side(struct rn_source *src, struct rn_frame *frame)
{
    const AVFrame *f = src->frame;
    frame->side = rn_side_create();
    if (frame->side)
        frame->side->props = av_frame_alloc();
    if (!frame->side || !frame->side->props || av_frame_copy_props(frame->side->props, f) < 0)
        return rn_fail_memory();
    if (src->packets->ops->name)
        src->packets->ops->name(src->packets, f->pts, &frame->side->number);
    bool counted = src->opts.frames >= 0 || src->opts.to.kind == RN_TIME_FRAME;
    int64_t until = src->opts.to.kind == RN_TIME_SECONDS ? src->to_us : INT64_MAX;
    int64_t end = av_rescale_q(f->pts + f->pkt_duration, src->packets->time_base, AV_TIME_BASE_Q);
    if (src->opts.frames >= 0 && src->given + 1 >= src->opts.frames)
        src->media.end_us = end;
    if (counted && end < until)
        until = end;
    return src->packets->fmt ? take_packets(src, frame->side, until) : 0;
}

int rn_source_read(struct rn_source *src, struct rn_image *img, struct rn_frame *frame)
{
    *frame = (struct rn_frame){0};
    int err = src->have || src->ended ? 0 : advance(src);
    if (err < 0)
        return err;
    if (!src->have || atomic_load(&src->stop))
        return read_tail(src, frame);
    err = check_change(src);
    if (!err)
        err = rn_import(&src->import, src->frame, img);
    if (!err)
        err = fill_side(src, frame);
    if (err) {
        rn_frame_release(frame);
        return err;
    }
    frame->index = src->given++;
    frame->pts = src->frame->pts - src->offset;
    frame->duration = src->frame->pkt_duration;
    frame->time = (double)frame->pts * av_q2d(src->packets->time_base);
    src->have = false;
    publish_damage(src);
    return 0;
}

/* ---- seeking */

/* Goes to where the picture at target can be decoded from, with the decoder as if just opened. */
static int go_back(struct rn_source *src, int64_t target, bool again)
{
    struct rn_packets *p = src->packets;
    int err = p->ops->seek(p, target, again);
    if (err)
        return err;
    src->media.fmt = p->fmt;
    src->media.par = p->par;
    avcodec_flush_buffers(src->dec);
    av_frame_unref(src->frame);
    src->have = src->draining = src->ended = src->cut = false;
    src->last_pts = AV_NOPTS_VALUE;
    src->last_duration = 0;
    if (!p->ops->name)
        src->settling = src->dec->thread_count + src->dec->has_b_frames + 1;
    return 0;
}

/* Decodes up to the first picture at or after target. *late: the very first one is behind it, so
 * that others before may be lost. */
static int catch_up(struct rn_source *src, int64_t target, const struct tally *tally, bool *late)
{
    *late = true;
    for (;;) {
        av_frame_unref(src->frame);
        int err = decode(src);
        if (err)
            return err;
        set_times(src);
        if (src->frame->pts >= target) {
            *late &= src->frame->pts > target;
            return 0;
        }
        *late = false;
        set_tally(src, tally);
    }
}

/* Leaves out what other streams have before target. */
static void drop_packets(struct rn_source *src, int64_t target)
{
    struct rn_side *side = src->packets->side;
    int64_t start = av_rescale_q(target, src->packets->time_base, AV_TIME_BASE_Q);
    int kept = 0;
    for (int i = 0; i < side->n; i++) {
        AVPacket *pkt = side->packet[i];
        AVRational tb = src->packets->fmt->streams[pkt->stream_index]->time_base;
        int64_t us = packet_us(src, pkt);
        if (us == AV_NOPTS_VALUE || us + av_rescale_q(pkt->duration, tb, AV_TIME_BASE_Q) > start)
            side->packet[kept++] = pkt;
        else
            av_packet_free(&pkt);
    }
    side->n = kept;
}

static int64_t index_of(const struct rn_source *src, int64_t pts)
{
    AVRational rate = src->packets->rate;
    double ticks = (double)(pts - src->first->pts);
    if (rate.num > 0)
        return llrint(ticks * av_q2d(src->packets->time_base) * av_q2d(rate));
    return llrint(ticks / (double)src->last_duration);
}

/* Goes on with the picture in src->frame. */
static int resume(struct rn_source *src, int64_t target)
{
    const struct rn_source_opts *o = &src->opts;
    drop_packets(src, target);
    src->given = index_of(src, src->frame->pts);
    src->decoded = src->base + src->given;
    if (!src->packets->ranged && o->frames >= 0 && src->given >= o->frames)
        src->ended = src->cut = true;
    else
        accept_picture(src);
    return 0;
}

int rn_source_seek(struct rn_source *src, double seconds)
{
    struct rn_packets *p = src->packets;
    if (!p->ops->seek)
        return RN_EUSAGE;
    /* Times that went through floating point find their own picture again. */
    double ticks = ceil((fmax(seconds, 0) - 5e-7) / av_q2d(p->time_base)) + (double)src->offset;
    int64_t target = ticks < INT64_MAX / 4 ? (int64_t)ticks : INT64_MAX / 4;
    if (target < src->first->pts)
        target = src->first->pts;
    struct tally tally = tally_of(src);
    atomic_store(&p->watch.quiet, true);
    bool late = false;
    int none = 0, err = go_back(src, target, false);
    while (!err) {
        set_tally(src, &tally);
        none = catch_up(src, target, &tally, &late);
        if (!late || none < 0 || atomic_load(&src->stop))
            break;
        err = go_back(src, target, true);
    }
    atomic_store(&p->watch.quiet, src->settling > 0);
    if (err < 0 || none < 0)
        return err < 0 ? err : none;
    src->ended = none == RN_END;
    return none == RN_END ? 0 : resume(src, target);
}

/* ---- answers */

const struct rn_stream *rn_source_stream(const struct rn_source *source)
{
    return &source->stream;
}

const struct rn_media *rn_source_media(const struct rn_source *source)
{
    return &source->media;
}

void rn_source_interrupt(struct rn_source *source)
{
    atomic_store(&source->stop, true);
}

void rn_source_damage(const struct rn_source *source, struct rn_damage *damage)
{
    struct rn_source *src = (struct rn_source *)source; /* the lock alone changes */
    pthread_mutex_lock(&src->lock);
    *damage = src->damage;
    pthread_mutex_unlock(&src->lock);
}

bool rn_source_is_file(const struct rn_source *source, const char *path)
{
    struct stat st;
    return !stat(path, &st) && source->packets->ops->is_file(source->packets, &st);
}
