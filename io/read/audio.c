/* SPDX-License-Identifier: MIT */
#include "io/read/audio.h"

#include "filters/base/log.h"
#include "filters/base/text/number.h"
#include "io/common/graph.h"
#include "io/common/media.h"
#include "io/read/input.h"

#include <limits.h>

#include <libavutil/channel_layout.h>
#include <libswresample/swresample.h>

#define MAX_CHANNELS 2
#define MAX_RATE     192000

struct samples {
    int16_t *at; /* n for each channel, in `size` bytes */
    unsigned size;
    int n;
};

struct rn_read_audio {
    int stream;           /* index in the source */
    AVRational time_base; /* of its packets */
    AVCodecContext *dec;
    AVFrame *frame, *converted;
    struct SwrContext *swr;
    int rate, channels;
    struct samples decoded;
    double next; /* time behind the last sample */
    double speed;
    struct rn_io_graph tempo; /* not open: none, or it has had nothing since the last seek */
    double begin;             /* time of its first sample */
    int64_t in, out;          /* samples that went in and came out */
    struct samples stretched; /* what comes out */
    struct rn_io_watch watch;
};

/* ---- opening */

static int open_decoder(struct rn_read_audio *a, const struct rn_io_media *media)
{
    const AVStream *st = media->fmt->streams[a->stream];
    const AVCodec *codec = avcodec_find_decoder(st->codecpar->codec_id);
    if (!codec)
        return RN_EINPUT;
    a->dec = rn_io_codec_context(codec, st->codecpar);
    a->frame = av_frame_alloc();
    a->converted = av_frame_alloc();
    a->swr = swr_alloc();
    if (!a->dec || !a->frame || !a->converted || !a->swr)
        return RN_EINTERNAL;
    a->time_base = a->dec->pkt_timebase = st->time_base;
    a->dec->opaque = &a->watch;
    atomic_store(&a->watch.quiet, true); /* what is wrong with a file is render's to say */
    if (avcodec_open2(a->dec, codec, NULL) < 0 || a->dec->sample_rate < 1 ||
        a->dec->sample_rate > MAX_RATE || a->dec->ch_layout.nb_channels < 1)
        return RN_EINPUT;
    a->rate = a->dec->sample_rate;
    a->channels = a->dec->ch_layout.nb_channels < MAX_CHANNELS ? 1 : MAX_CHANNELS;
    return 0;
}

int rn_read_audio_open(struct rn_read_audio **audio, const struct rn_read_source *source, int *rate,
                       int *channels)
{
    const struct rn_io_media *media = rn_read_media(source);
    *audio = NULL;
    int stream = -1;
    if (media->fmt) /* libav only reads the context here */
        stream = av_find_best_stream((AVFormatContext *)media->fmt, AVMEDIA_TYPE_AUDIO, -1,
                                     media->video, NULL, 0);
    /* Its choice of the best stream minds neither --map nor --drop. */
    if (stream >= 0 && !rn_read_stream_is_copied(media->fmt, media->video, stream))
        stream = rn_read_first_copied(media->fmt, media->video, AVMEDIA_TYPE_AUDIO);
    if (stream < 0)
        return 0;
    struct rn_read_audio *a = av_mallocz(sizeof *a);
    if (!a)
        return rn_fail_memory();
    a->stream = stream;
    a->speed = 1;
    rn_io_capture_begin();
    int err = open_decoder(a, media);
    rn_io_capture_end();
    if (err == RN_EINTERNAL) {
        err = rn_fail_memory();
    } else if (err) {
        enum AVCodecID id = media->fmt->streams[stream]->codecpar->codec_id;
        rn_log(RN_LOG_WARNING, "'%s': its sound (%s) cannot be decoded", media->name,
               avcodec_get_name(id));
    }
    if (err) {
        rn_read_audio_close(&a);
        return err;
    }
    *rate = a->rate;
    *channels = a->channels;
    *audio = a;
    return 0;
}

void rn_read_audio_close(struct rn_read_audio **audio)
{
    struct rn_read_audio *a = rn_take_owned(audio);
    if (!a)
        return;
    avcodec_free_context(&a->dec);
    av_frame_free(&a->frame);
    av_frame_free(&a->converted);
    swr_free(&a->swr);
    av_free(a->decoded.at);
    rn_io_graph_close(&a->tempo);
    av_free(a->stretched.at);
    av_free(a);
}

/* ---- decoding */

static int append(struct samples *to, const AVFrame *f)
{
    size_t sample = sizeof *to->at * (size_t)f->ch_layout.nb_channels;
    int16_t *all = av_fast_realloc(to->at, &to->size, (size_t)(to->n + f->nb_samples) * sample);
    if (!all)
        return rn_fail_memory();
    to->at = all;
    memcpy(all + (ptrdiff_t)to->n * f->ch_layout.nb_channels, f->data[0],
           (size_t)f->nb_samples * sample);
    to->n += f->nb_samples;
    return 0;
}

/* Appends the sound in a->frame. Leaves out what cannot be converted. */
static int append_converted(struct rn_read_audio *a)
{
    AVFrame *in = a->frame, *out = a->converted;
    if (in->ch_layout.order == AV_CHANNEL_ORDER_UNSPEC)
        av_channel_layout_default(&in->ch_layout, in->ch_layout.nb_channels);
    out->format = AV_SAMPLE_FMT_S16;
    out->sample_rate = a->rate;
    av_channel_layout_default(&out->ch_layout, a->channels);
    int ret = swr_convert_frame(a->swr, out, in);
    if (ret == AVERROR_INPUT_CHANGED) { /* some streams change on the way */
        swr_close(a->swr);
        ret = swr_convert_frame(a->swr, out, in);
    }
    if (ret < 0)
        rn_log(RN_LOG_DEBUG, "sound with %d channels at %d Hz cannot be converted",
               in->ch_layout.nb_channels, in->sample_rate);
    bool fits = ret >= 0 && out->nb_samples > 0 && out->nb_samples <= INT_MAX / 8 - a->decoded.n;
    int err = fits ? append(&a->decoded, out) : 0;
    av_frame_unref(out);
    return err;
}

/* Sends a packet and appends all that comes out. Returns 0 or RN_EINTERNAL. */
static int decode(struct rn_read_audio *a, const AVPacket *pkt, double *time)
{
    int ret = avcodec_send_packet(a->dec, pkt);
    if (ret == AVERROR(ENOMEM))
        return rn_fail_memory();
    while ((ret = avcodec_receive_frame(a->dec, a->frame)) >= 0) {
        int64_t pts = a->frame->best_effort_timestamp;
        if (pts != AV_NOPTS_VALUE)
            a->next = (double)pts * av_q2d(a->time_base);
        if (!a->decoded.n)
            *time = a->next;
        a->next += (double)a->frame->nb_samples / a->frame->sample_rate;
        int err = append_converted(a);
        av_frame_unref(a->frame);
        if (err)
            return err;
    }
    return ret == AVERROR(ENOMEM) ? rn_fail_memory() : 0;
}

/* ---- speed */

static int send(struct rn_read_audio *a, double time)
{
    char text[32];
    AVFrame *frame = a->converted;
    size_t sample = sizeof *a->decoded.at * (size_t)a->channels;
    /* After a gap the times begin anew. */
    if (a->tempo.graph && fabs(time - a->begin - (double)a->in / a->rate) > 0.1)
        rn_io_graph_close(&a->tempo);
    frame->format = AV_SAMPLE_FMT_S16;
    frame->sample_rate = a->rate;
    frame->nb_samples = a->decoded.n;
    av_channel_layout_default(&frame->ch_layout, a->channels);
    int err = a->decoded.n && av_frame_get_buffer(frame, 0) < 0 ? rn_fail_memory() : 0;
    if (!err && !a->tempo.graph) {
        rn_number_print(text, sizeof text, "atempo=%.6f", a->speed);
        err = rn_io_graph_open(&a->tempo, text, frame, 1);
        a->begin = time;
        a->in = a->out = 0;
    }
    if (!err) {
        memcpy(frame->data[0], a->decoded.at, (size_t)a->decoded.n * sample);
        frame->pts = a->in;
        a->in += a->decoded.n;
        err = rn_io_graph_send(&a->tempo, frame);
    }
    av_frame_unref(frame);
    return err;
}

/* Replaces the sound at a time by what the filter has of it. */
static int stretch(struct rn_read_audio *a, const int16_t **samples, size_t *frames, double *time)
{
    AVFrame *frame = a->converted;
    int err = send(a, *time), got = 0;
    a->stretched.n = 0;
    while (!err && !(got = rn_io_graph_receive(&a->tempo, frame))) {
        err = append(&a->stretched, frame);
        av_frame_unref(frame);
    }
    *time = a->begin + (double)a->out * a->speed / a->rate;
    a->out += a->stretched.n;
    *samples = a->stretched.at;
    *frames = err ? 0 : (size_t)a->stretched.n;
    return err ? err : got == RN_END ? 0 : got;
}

int rn_read_audio_decode(struct rn_read_audio *a, const struct rn_frame *frame,
                         const int16_t **samples, size_t *frames, double *time)
{
    const struct rn_io_frame_data *data = frame->data;
    a->decoded.n = 0;
    *time = a->next;
    int err = 0;
    for (int i = 0; data && i < data->n && !err; i++)
        if (data->packet[i]->stream_index == a->stream)
            err = decode(a, data->packet[i], time);
    *samples = a->decoded.at;
    *frames = err ? 0 : (size_t)a->decoded.n;
    return err || !a->decoded.n || !(a->speed < 1 || a->speed > 1)
               ? err
               : stretch(a, samples, frames, time);
}

int rn_read_audio_tempo(struct rn_read_audio *a, double speed)
{
    bool same = speed >= 1 && speed <= 1;
    int err = same ? 0 : rn_io_graph_load("sound at another speed of", "the input");
    rn_io_graph_close(&a->tempo);
    a->speed = err ? 1 : speed;
    return err;
}

void rn_read_audio_flush(struct rn_read_audio *a)
{
    avcodec_flush_buffers(a->dec);
    swr_close(a->swr); /* holds the end of what came before */
    a->next = 0;
    rn_io_graph_close(&a->tempo);
}
