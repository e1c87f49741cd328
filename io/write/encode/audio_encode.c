/* SPDX-License-Identifier: MIT */
#include "io/write/encode/convert_stream.h"
#include "io/write/mux/remux.h"

#include "filters/base/log.h"
#include "io/common/av_versions.h"
#include "io/write/encode/encoder.h"
#include "io/write/mux/container.h"

#include <assert.h>

#include <libavutil/channel_layout.h>
#include <libavutil/samplefmt.h>
#include <libswresample/swresample.h>

#define CHUNK       1024 /* samples in a frame for encoders that take any number */
#define MAX_SILENCE 600  /* seconds; a longer gap is not filled */

/* ---- channels */

/* The mask of the speakers that play the channels; 0: not known. */
static uint64_t speakers(const AVChannelLayout *layout, enum AVCodecID coding)
{
    const uint64_t sides = AV_CH_SIDE_LEFT | AV_CH_SIDE_RIGHT;
    const uint64_t backs = AV_CH_BACK_LEFT | AV_CH_BACK_RIGHT;
    AVChannelLayout known = *layout;
    if (layout->order == AV_CHANNEL_ORDER_UNSPEC)
        av_channel_layout_default(&known, layout->nb_channels);
    uint64_t mask = known.order == AV_CHANNEL_ORDER_NATIVE ? known.u.mask : 0;
    if (layout->order == AV_CHANNEL_ORDER_UNSPEC && coding == AV_CODEC_ID_FLAC)
        mask = layout->nb_channels == 3   ? AV_CH_LAYOUT_SURROUND
               : layout->nb_channels == 4 ? AV_CH_LAYOUT_QUAD
                                          : mask;
    if (mask == AV_CH_LAYOUT_STEREO_DOWNMIX)
        return AV_CH_LAYOUT_STEREO;
    return (mask & sides) == sides && !(mask & backs) ? (mask & ~sides) | backs : mask;
}

bool rn_write_channel_layout_same(const AVChannelLayout *a, enum AVCodecID a_coding,
                                  const AVChannelLayout *b, enum AVCodecID b_coding)
{
    uint64_t x = speakers(a, a_coding), y = speakers(b, b_coding);
    return a->nb_channels == b->nb_channels && (x && y ? x == y : !av_channel_layout_compare(a, b));
}

static int likeness(const AVChannelLayout *is, const AVChannelLayout *wanted)
{
    if (!av_channel_layout_compare(is, wanted))
        return 400;
    if (rn_write_channel_layout_same(is, AV_CODEC_ID_NONE, wanted, AV_CODEC_ID_NONE))
        return 300;
    int less = wanted->nb_channels - is->nb_channels;
    return less == 0 ? 200 : less > 0 ? 100 - less : 0;
}

/* The layout in list (which ends with one without channels) that keeps most of a decoder's layout:
 * the same, the same speakers, as many channels, or the most below. NULL: list is empty. */
static const AVChannelLayout *nearest_layout(const AVChannelLayout *list,
                                             const AVChannelLayout *layout)
{
    const AVChannelLayout *best = NULL;
    for (const AVChannelLayout *l = list; l && l->nb_channels; l++)
        if (!best || likeness(l, layout) > likeness(best, layout))
            best = l;
    return best;
}

/* ---- choices */

static bool is_lossless(const AVCodecParameters *in)
{
    const AVCodecDescriptor *desc = avcodec_descriptor_get(in->codec_id);
    return rn_io_is_pcm(in->codec_id) ||
           (desc && desc->props & AV_CODEC_PROP_LOSSLESS && !(desc->props & AV_CODEC_PROP_LOSSY));
}

#define MAX_BITS 24 /* that lossless codecs keep of a sample; wider ones are rounded */

/* The bits of a sample; 0: unknown. */
static int bits_of(const AVCodecParameters *in)
{
    int bits = av_get_exact_bits_per_sample(in->codec_id);
    return bits ? bits : in->bits_per_raw_sample;
}

static bool holds(const AVOutputFormat *of, const AVCodecParameters *in, const AVCodec *codec)
{
    return codec && rn_write_container_holds_coding(of, in, codec->id);
}

/* False if the codec would need another layout, so that channels are mixed. */
static bool keeps_channels(const AVCodec *codec, const AVCodecParameters *in)
{
    const AVChannelLayout *list = rn_io_channel_layouts(codec);
    const AVChannelLayout *best = nearest_layout(list, &in->ch_layout);
    return !list || (best && rn_write_channel_layout_same(best, AV_CODEC_ID_NONE, &in->ch_layout,
                                                          AV_CODEC_ID_NONE));
}

/* The encoder of PCM that is as wide as the samples of in: its own, if the container holds it. */
static const AVCodec *find_pcm(const AVOutputFormat *of, const AVCodecParameters *in,
                               bool *lossless)
{
    bool pcm = rn_io_is_pcm(in->codec_id);
    const AVCodec *same = pcm ? avcodec_find_encoder(in->codec_id) : NULL;
    int bits = bits_of(in);
    *lossless = is_lossless(in);
    if (holds(of, in, same))
        return same;
    bool fraction = pcm && (in->format == AV_SAMPLE_FMT_FLT || in->format == AV_SAMPLE_FMT_DBL);
    return avcodec_find_encoder(fraction && bits > 32     ? AV_CODEC_ID_PCM_F64LE
                                : fraction                ? AV_CODEC_ID_PCM_F32LE
                                : !*lossless || bits < 17 ? AV_CODEC_ID_PCM_S16LE
                                : bits < 25               ? AV_CODEC_ID_PCM_S24LE
                                                          : AV_CODEC_ID_PCM_S32LE);
}

bool rn_write_audio_needs_silence(const AVOutputFormat *of, const AVCodecParameters *in)
{
    return rn_container_of_output(of)->pcm_untimed && rn_io_is_pcm(in->codec_id) &&
           holds(of, in, avcodec_find_encoder(in->codec_id));
}

const AVCodec *rn_write_audio_target(const AVOutputFormat *of, const AVCodecParameters *in,
                                     bool *lossless)
{
    static const char *const exact[] = {"alac", "flac"};
    const struct rn_container *container = rn_container_of_output(of);
    int first = container->prefers_alac ? 0 : 1;
    /* If the container stores no times of sound, only PCM can begin and pause at any time. */
    if (container->starts_at_zero || rn_write_audio_needs_silence(of, in))
        return find_pcm(of, in, lossless);
    for (int i = first; i < 2 && is_lossless(in); i++) {
        const AVCodec *codec = avcodec_find_encoder_by_name(exact[i]);
        if (holds(of, in, codec) && keeps_channels(codec, in)) {
            *lossless = bits_of(in) <= MAX_BITS;
            return codec;
        }
    }
    *lossless = false;
    const char *usual = container->audio_encoder;
    const AVCodec *codec = usual ? avcodec_find_encoder_by_name(usual) : NULL;
    if (holds(of, in, codec))
        return codec;
    codec = avcodec_find_encoder(of->audio_codec);
    return holds(of, in, codec) ? codec : NULL;
}

/* Chooses the format that loses least: the same, else the narrowest sufficient one, else the
 * widest.
 */
static enum AVSampleFormat choose_format(const AVCodec *codec, enum AVSampleFormat from)
{
    const enum AVSampleFormat *list = rn_io_sample_fmts(codec);
    enum AVSampleFormat best = list ? list[0] : from;
    int wanted = av_get_bytes_per_sample(from), best_score = -1;
    for (; list && *list != AV_SAMPLE_FMT_NONE; list++) {
        int size = av_get_bytes_per_sample(*list);
        bool same = av_get_packed_sample_fmt(*list) == av_get_packed_sample_fmt(from);
        int score = same ? 100 : size >= wanted ? 50 - size : size;
        if (score > best_score) {
            best = *list;
            best_score = score;
        }
    }
    return best;
}

static int choose_rate(const AVCodec *codec, const AVOutputFormat *of, int from)
{
    const int *list = rn_io_sample_rates(codec);
    int best = list ? list[0] : from;
    if (codec->id == AV_CODEC_ID_OPUS)
        return 48000; /* at others Matroska's muxer writes a wrong lead-in */
    if (rn_container_of_output(of)->sound_rate)
        return rn_container_of_output(of)->sound_rate;
    for (; list && *list; list++)
        if (*list == from || (best < from ? *list > best : *list >= from && *list < best))
            best = *list;
    return best;
}

static int choose_layout(const AVCodec *codec, const AVChannelLayout *from, AVChannelLayout *to)
{
    const AVChannelLayout *list = rn_io_channel_layouts(codec);
    const AVChannelLayout *best = list ? nearest_layout(list, from) : from;
    if (best && best->order != AV_CHANNEL_ORDER_UNSPEC)
        return av_channel_layout_copy(to, best);
    av_channel_layout_default(to, best ? best->nb_channels : 2);
    return 0;
}

/* ---- opening */

static int open_decoder(struct rn_write_audio_encoder *a, const AVStream *in)
{
    const AVCodec *codec = avcodec_find_decoder(in->codecpar->codec_id);
    if (!codec)
        return AVERROR_DECODER_NOT_FOUND;
    a->dec = rn_io_codec_context(codec, in->codecpar);
    if (!a->dec)
        return AVERROR(ENOMEM);
    a->dec->pkt_timebase = in->time_base;
    a->dec->opaque = &a->watch;
    a->dec->err_recognition |= AV_EF_CRCCHECK;
    atomic_store(&a->watch.quiet, true); /* errors are counted, and reported once */
    return avcodec_open2(a->dec, codec, NULL);
}

static int open_encoder(struct rn_write_audio_encoder *a, const AVCodec *codec,
                        AVDictionary **options, const AVOutputFormat *of)
{
    AVCodecContext *ctx = a->enc = rn_io_codec_context(codec, NULL);
    if (!ctx)
        return AVERROR(ENOMEM);
    ctx->sample_fmt = choose_format(codec, a->dec->sample_fmt);
    ctx->sample_rate = choose_rate(codec, of, a->dec->sample_rate);
    int ret = choose_layout(codec, &a->dec->ch_layout, &ctx->ch_layout);
    if (ret < 0)
        return ret;
    ctx->time_base = (AVRational){1, ctx->sample_rate};
    if (codec->id == AV_CODEC_ID_AAC)
        ctx->bit_rate =
            ctx->ch_layout.nb_channels > 2 ? 80000LL * ctx->ch_layout.nb_channels : 160000;
    if (av_get_packed_sample_fmt(ctx->sample_fmt) == AV_SAMPLE_FMT_S32)
        ctx->bits_per_raw_sample = MAX_BITS;
    ctx->flags |= AV_CODEC_FLAG_BITEXACT;
    ctx->flags |= of->flags & AVFMT_GLOBALHEADER ? AV_CODEC_FLAG_GLOBAL_HEADER : 0;
    return avcodec_open2(ctx, codec, options);
}

static int open_both(struct rn_write_audio_encoder *a, const AVStream *in, const AVCodec *codec,
                     AVDictionary **options, const AVOutputFormat *of)
{
    const char *from = avcodec_get_name(in->codecpar->codec_id);
    rn_io_capture_begin();
    int decoder = open_decoder(a, in);
    int encoder = decoder < 0 ? 0 : open_encoder(a, codec, options, of);
    rn_io_capture_end();
    if (decoder < 0)
        return rn_fail(RN_EOUTPUT, "'%s': the sound of stream %d (%s) cannot be decoded: %s",
                       a->name, in->index, from, rn_io_cause(decoder));
    const AVDictionaryEntry *unknown = av_dict_get(*options, "", NULL, AV_DICT_IGNORE_SUFFIX);
    if (encoder >= 0 && unknown)
        return rn_fail(RN_EUSAGE, "--audio: %s does not know '%s'", codec->name, unknown->key);
    return encoder < 0
               ? rn_fail(RN_EUSAGE, "'%s': %s cannot encode the sound of stream %d (%s): %s",
                         a->name, codec->name, in->index, from, rn_io_cause(encoder))
               : 0;
}

int rn_write_audio_encoder_open(struct rn_write_audio_encoder *a, const AVStream *in,
                                const AVCodec *codec, const char *options,
                                const AVFormatContext *out, const char *name, AVStream *st,
                                rn_write_audio_packet_fn *put, void *opaque)
{
    RN_OWNED(av_dict_free) AVDictionary *dict = NULL;
    a->name = name;
    a->put = put;
    a->opaque = opaque;
    a->stream = in->index;
    a->time_base = in->time_base;
    a->fifo_pts = AV_NOPTS_VALUE;
    a->from_zero = rn_container_of_output(out->oformat)->sound_untimed;
    int err = 0;
    if (options && av_dict_parse_string(&dict, options, "=", ":", 0) < 0)
        err = rn_fail(RN_EUSAGE, "--audio %s:%s is not CODEC:key=value:key=value", codec->name,
                      options);
    err = err ? err : open_both(a, in, codec, &dict, out->oformat);
    if (!err) {
        a->fifo = av_audio_fifo_alloc(a->enc->sample_fmt, a->enc->ch_layout.nb_channels, CHUNK);
        a->frame = av_frame_alloc();
        a->out = av_frame_alloc();
        a->pkt = av_packet_alloc();
        if (!a->fifo || !a->frame || !a->out || !a->pkt ||
            avcodec_parameters_from_context(st->codecpar, a->enc) < 0)
            err = rn_fail_memory();
    }
    return err;
}

void rn_write_audio_encoder_close(struct rn_write_audio_encoder *a)
{
    avcodec_free_context(&a->dec);
    avcodec_free_context(&a->enc);
    swr_free(&a->swr);
    av_channel_layout_uninit(&a->in_layout);
    if (a->fifo)
        av_audio_fifo_free(a->fifo);
    av_frame_free(&a->frame);
    av_frame_free(&a->out);
    av_packet_free(&a->pkt);
}

/* ---- encoding */

static int fail_encode(const struct rn_write_audio_encoder *a, int ret)
{
    if (ret == AVERROR(ENOMEM))
        return rn_fail_memory();
    return rn_fail(RN_EOUTPUT, "the encoder %s failed: %s", a->enc->codec->name, rn_io_error(ret));
}

/* frame NULL: drains the encoder. */
static int encode(struct rn_write_audio_encoder *a, const AVFrame *frame)
{
    int ret = rn_write_encoder_send(a->enc, frame);
    while (ret >= 0 && (ret = rn_write_encoder_receive(a->enc, a->pkt)) >= 0) {
        int err = a->put(a->opaque, a->pkt, a->enc->time_base);
        av_packet_unref(a->pkt);
        if (err)
            return err;
    }
    return ret == AVERROR(EAGAIN) || ret == AVERROR_EOF ? 0 : fail_encode(a, ret);
}

static int get_frame(struct rn_write_audio_encoder *a, int n)
{
    av_frame_unref(a->out);
    a->out->format = a->enc->sample_fmt;
    a->out->sample_rate = a->enc->sample_rate;
    a->out->nb_samples = n;
    if (av_channel_layout_copy(&a->out->ch_layout, &a->enc->ch_layout) < 0 ||
        av_frame_get_buffer(a->out, 0) < 0)
        return rn_fail_memory();
    return 0;
}

/* Encodes whole frames of the fifo; with `all`, also the last, shorter one. */
static int drain(struct rn_write_audio_encoder *a, bool all)
{
    int size = a->enc->frame_size > 0 ? a->enc->frame_size : CHUNK, err = 0;
    while (!err) {
        int waiting = av_audio_fifo_size(a->fifo), n = waiting < size ? waiting : size;
        if (!n || (n < size && !all))
            break;
        if ((err = get_frame(a, n)) != 0)
            return err;
        av_audio_fifo_read(a->fifo, (void **)a->out->extended_data, n);
        a->out->pts = a->fifo_pts;
        a->fifo_pts += n;
        err = encode(a, a->out);
    }
    return err;
}

static int add_silence(struct rn_write_audio_encoder *a, int64_t n)
{
    int err = 0;
    while (n > 0 && !err) {
        int part = n < CHUNK ? (int)n : CHUNK;
        if ((err = get_frame(a, part)) != 0)
            return err;
        av_samples_set_silence(a->out->extended_data, 0, part, a->enc->ch_layout.nb_channels,
                               a->enc->sample_fmt);
        if (av_audio_fifo_write(a->fifo, (void **)a->out->extended_data, part) < part)
            return rn_fail_memory();
        n -= part;
        err = drain(a, false);
    }
    return err;
}

/* ---- converting */

/* Converts samples into the fifo. frame NULL: drains the converter. */
static int convert(struct rn_write_audio_encoder *a, const AVFrame *frame)
{
    int max = swr_get_out_samples(a->swr, frame ? frame->nb_samples : 0);
    if (max < 1)
        return 0;
    int err = get_frame(a, max);
    if (err)
        return err;
    int n = swr_convert(a->swr, a->out->extended_data, max,
                        frame ? (const uint8_t **)frame->extended_data : NULL,
                        frame ? frame->nb_samples : 0);
    if (n < 0)
        return fail_encode(a, n);
    int64_t skip = a->skip < n ? a->skip : n;
    a->skip -= skip;
    int size = av_get_bytes_per_sample(a->enc->sample_fmt);
    int channels = a->enc->ch_layout.nb_channels;
    bool planar = av_sample_fmt_is_planar(a->enc->sample_fmt);
    RN_OWNED(av_freep) void **planes = av_calloc((size_t)channels, sizeof *planes);
    if (!planes)
        return rn_fail_memory();
    for (int i = 0; i < (planar ? channels : 1); i++)
        planes[i] = a->out->extended_data[i] + skip * size * (planar ? 1 : channels);
    n -= (int)skip;
    int put = n ? av_audio_fifo_write(a->fifo, planes, n) : 0;
    return put < n ? rn_fail_memory() : drain(a, false);
}

static int empty_converter(struct rn_write_audio_encoder *a)
{
    int err = a->swr ? convert(a, NULL) : 0;
    swr_free(&a->swr);
    return err;
}

/* Makes a new converter if the decoder's format has changed, as it does in some streams. */
static int fit_converter(struct rn_write_audio_encoder *a)
{
    const AVFrame *f = a->frame;
    if (a->swr && f->sample_rate == a->in_rate && f->format == a->in_format &&
        !av_channel_layout_compare(&f->ch_layout, &a->in_layout))
        return 0;
    int err = empty_converter(a);
    if (err)
        return err;
    AVChannelLayout in = {0};
    if (f->ch_layout.order == AV_CHANNEL_ORDER_UNSPEC)
        av_channel_layout_default(&in, f->ch_layout.nb_channels);
    else if (av_channel_layout_copy(&in, &f->ch_layout) < 0)
        return rn_fail_memory();
    int ret = swr_alloc_set_opts2(&a->swr, &a->enc->ch_layout, a->enc->sample_fmt,
                                  a->enc->sample_rate, &in, f->format, f->sample_rate, 0, NULL);
    av_channel_layout_uninit(&in);
    if (ret >= 0)
        ret = swr_init(a->swr);
    if (ret < 0)
        return rn_fail(RN_EOUTPUT, "'%s': the sound of stream %d cannot be converted: %s", a->name,
                       a->stream, rn_io_error(ret));
    a->in_rate = f->sample_rate;
    a->in_format = f->format;
    return av_channel_layout_copy(&a->in_layout, &f->ch_layout) < 0 ? rn_fail_memory() : 0;
}

/* Makes the frame's samples follow those in the fifo: drops an overlap or fills a gap. */
static int align(struct rn_write_audio_encoder *a)
{
    int64_t ts = a->frame->best_effort_timestamp, rate = a->enc->sample_rate;
    int64_t pts = av_rescale_q(ts, a->time_base, a->enc->time_base);
    int64_t lead = a->enc->initial_padding, size = a->enc->frame_size;
    bool begun = a->fifo_pts != AV_NOPTS_VALUE || a->from_zero;
    /* A packet must begin at 0, after the encoder's lead-in. */
    if (a->from_zero && a->fifo_pts == AV_NOPTS_VALUE)
        a->fifo_pts = lead > 0 && size > 0 ? lead - (lead + size - 1) / size * size : 0;
    if (!begun)
        a->fifo_pts = ts == AV_NOPTS_VALUE ? 0 : pts;
    if (!begun || ts == AV_NOPTS_VALUE)
        return 0;
    int64_t delay = a->swr ? swr_get_delay(a->swr, rate) : 0;
    int64_t gap = pts - (a->fifo_pts + av_audio_fifo_size(a->fifo) + delay - a->skip);
    bool first = a->from_zero && !a->swr;
    int64_t least = first ? 0 : rate / 100 + av_rescale_q(1, a->time_base, a->enc->time_base);
    if (llabs(gap) <= least)
        return 0;
    rn_log(RN_LOG_DEBUG, "stream %d: the sound's times jump by %lld samples", a->stream,
           (long long)gap);
    if (gap < 0) {
        a->skip = -gap;
        return 0;
    }
    bool fill = gap <= rate * MAX_SILENCE || a->from_zero;
    a->silence += first || !fill ? 0 : gap;
    int err = empty_converter(a);
    if (err || fill)
        return err ? err : add_silence(a, gap);
    /* Encoders take only one short frame, the last. */
    int whole = a->enc->frame_size, over = whole ? av_audio_fifo_size(a->fifo) % whole : 0;
    err = over ? add_silence(a, whole - over) : 0;
    err = err ? err : drain(a, true);
    a->fifo_pts = pts;
    return err;
}

static int decode(struct rn_write_audio_encoder *a, const AVPacket *pkt,
                  struct rn_write_span *heard)
{
    int errors = atomic_load(&a->watch.errors);
    int ret = avcodec_send_packet(a->dec, pkt);
    while (ret >= 0 && (ret = avcodec_receive_frame(a->dec, a->frame)) >= 0) {
        const AVFrame *f = a->frame;
        int64_t at = f->best_effort_timestamp == AV_NOPTS_VALUE
                         ? heard->end
                         : rn_io_to_us(f->best_effort_timestamp, a->time_base);
        if (f->sample_rate > 0)
            rn_write_span_add(heard, at, av_rescale(f->nb_samples, AV_TIME_BASE, f->sample_rate));
        int err = align(a);
        err = err ? err : fit_converter(a);
        err = err ? err : convert(a, a->frame);
        av_frame_unref(a->frame);
        if (err)
            return err;
    }
    if (ret == AVERROR(ENOMEM))
        return rn_fail_memory();
    bool failed = ret < 0 && ret != AVERROR(EAGAIN) && ret != AVERROR_EOF;
    if ((failed || atomic_load(&a->watch.errors) > errors) && !a->damaged++)
        rn_log(RN_LOG_WARNING, "'%s': the sound of stream %d cannot be decoded everywhere", a->name,
               a->stream);
    return 0;
}

int rn_write_audio_encoder_write(struct rn_write_audio_encoder *a, const AVPacket *pkt,
                                 struct rn_write_span *heard)
{
    assert(!a->ended);
    a->ended = !pkt;
    int err = decode(a, pkt, heard);
    if (pkt || err)
        return err;
    if (a->silence)
        rn_log(RN_LOG_WARNING,
               "'%s': the sound of stream %d pauses for %.3f s; silence stands there", a->name,
               a->stream, (double)a->silence / a->enc->sample_rate);
    err = empty_converter(a);
    err = err ? err : drain(a, true);
    return err ? err : encode(a, NULL);
}
