/* SPDX-License-Identifier: MIT */
#include "io/write/sinks/sink_ops.h"

#include "filters/base/log.h"
#include "filters/base/threads/workers.h"
#include "io/common/av.h"
#include "io/common/av_versions.h"
#include "io/write/encode/encoder.h"

/* Several encoders share the pictures of a sequence if one has no threads, since each image is a
 * file of its own. Their packets are given in the order of the pictures. */
struct image_sink {
    struct rn_write_sink base;
    struct rn_write_encoder **enc; /* of the same kind */
    int nenc;
    struct rn_workers *workers; /* NULL: one encoder */
    AVDictionary *options;
    int64_t packets; /* of all encoders */
};

/* A numbered file, or a single image. A GIF is an animation, which is a media file. */
static bool image_match(const char *output)
{
    return rn_read_is_pattern(output) || rn_read_name_is_image(output);
}

/* Each packet is a whole file. */
static int put_image(void *opaque, AVPacket *pkt, int64_t number)
{
    struct image_sink *s = opaque;
    int64_t n = number >= 0 ? number : s->packets;
    s->packets++;
    return rn_write_picture_file(&s->base, n, pkt->data, (size_t)pkt->size);
}

static int find_codec(const char *name, const char *wanted, const AVCodec **codec)
{
    bool named = rn_read_name_is_image(name);
    enum AVCodecID id = av_guess_codec(av_guess_format(RN_CONTAINER_OF_IMAGES, NULL, NULL), NULL,
                                       name, NULL, AVMEDIA_TYPE_VIDEO);
    int err = wanted ? rn_write_encoder_find(wanted, codec) : 0;
    if (wanted && !err && named && (*codec)->id != id && !av_match_ext(name, "pnm"))
        return rn_fail(RN_EUSAGE, "'%s': --codec %s makes no files of this name, which are %s",
                       name, wanted, avcodec_get_name(id));
    if (wanted)
        return err;
    if (!named)
        return rn_fail(RN_EUSAGE, "'%s': the extension names no image format (try .png or .tif)",
                       name);
    /* libav's first encoder of WebP makes one animation of all pictures. */
    *codec = id == AV_CODEC_ID_WEBP ? avcodec_find_encoder_by_name("libwebp") : NULL;
    if (!*codec)
        *codec = avcodec_find_encoder(id);
    return *codec
               ? 0
               : rn_fail(RN_EUSAGE, "'%s': there is no encoder for %s", name, avcodec_get_name(id));
}

/* Translates --compression to options of libav's encoders. Its TIFF has no levels. */
static int set_compression(const char *output, const AVCodec *codec,
                           const struct rn_write_compression *wanted, AVDictionary **options)
{
    bool png = codec->id == AV_CODEC_ID_PNG, none = wanted->kind == RN_COMPRESSION_NONE;
    const char *format = png ? "PNG" : codec->id == AV_CODEC_ID_TIFF ? "TIFF of Y'CbCr" : "";
    int ret = 0, err = rn_write_compression_check(wanted, format, output);
    if (err || !wanted->kind)
        return err;
    if (!png)
        ret = av_dict_set(options, "compression_algo",
                          none ? "raw" : rn_write_compression_name(wanted->kind), 0);
    else if (none || wanted->level)
        ret = av_dict_set_int(options, "compression_level", wanted->level, 0);
    return ret < 0 ? rn_fail_memory() : 0;
}

/* Keeps the values of a scan's samples: if the codec has no format of their 9..15 bits, they are
 * declared as 16 bits. Only samples of films are widened. */
static void keep_values(struct rn_geom *geom, const AVCodec *codec, const char *wanted)
{
    const struct rn_format *fmt = &geom->fmt;
    enum AVPixelFormat own = rn_pix_format_to_av(fmt);
    bool has = false, wide = false;
    for (const enum AVPixelFormat *f = rn_io_pix_fmts(codec); f && *f != AV_PIX_FMT_NONE; f++) {
        has = has || *f == own;
        wide = wide || *f == AV_PIX_FMT_GRAY16BE || *f == AV_PIX_FMT_GRAY16LE;
    }
    if (geom->scan && fmt->number == RN_NUMBER_UNSIGNED && fmt->depth > 8 && !wanted && wide &&
        !has)
        geom->fmt.depth = 16;
}

/* Opens the encoders. The first one reports for all, and takes its options out of
 * setup->options. */
static int open_encoders(struct image_sink *s, const struct rn_write_encoder_setup *setup)
{
    bool sequence = s->base.pattern.prefix && s->base.purpose != RN_WRITE_REHEARSAL;
    int threads = sequence ? rn_io_threads(setup->threads) : 1, n = threads > 1 ? threads + 2 : 1;
    struct rn_write_encoder_setup again = *setup;
    RN_OWNED(av_dict_free) AVDictionary *options = NULL;
    again.quiet = true;
    again.losses = NULL;
    s->enc = av_calloc((size_t)n, sizeof *s->enc);
    int err = s->enc && av_dict_copy(&options, *setup->options, 0) >= 0 ? 0 : rn_fail_memory();
    for (int i = 0; i < n && !err; i++) {
        RN_OWNED(av_dict_free) AVDictionary *copy = NULL;
        again.options = &copy;
        if (i && av_dict_copy(&copy, options, 0) < 0)
            err = rn_fail_memory();
        err = err ? err : rn_write_encoder_open(&s->enc[i], i ? &again : setup);
        s->nenc += !err;
        if (!err && !i && !rn_write_encoder_is_single(s->enc[0]))
            n = 1;
    }
    if (!err && n > 1 && !(s->workers = rn_workers_create(threads, n, rn_write_encoder_work)))
        err = rn_fail_memory();
    return err;
}

static int image_open(struct rn_write_sink *sink, const struct rn_write_opts *opts)
{
    struct image_sink *s = (struct image_sink *)sink;
    struct rn_write_encoder_setup setup = {
        .options = &s->options,
        .pix_fmt = opts->pix_fmt,
        .time_base = rn_io_to_av(sink->media.stream.time_base),
        .threads = opts->threads,
        .geom = sink->geom,
        .media = &sink->media,
        .display_file = true,
        .turn = opts->turn,
        .quiet = sink->quiet,
        .losses = sink->losses,
        .put = put_image,
        .opaque = s,
    };
    int err = find_codec(sink->name, opts->codec, &setup.codec);
    if (!err)
        keep_values(&setup.geom, setup.codec, opts->pix_fmt);
    err = err ? err : rn_write_codec_options_parse(opts->codec_opts, &s->options);
    err = err ? err : set_compression(sink->name, setup.codec, &opts->compression, &s->options);
    err = err ? err : open_encoders(s, &setup);
    return err ? err : rn_write_codec_options_check(s->options, setup.codec->name, NULL);
}

static void image_release(struct rn_write_sink *sink)
{
    struct image_sink *s = (struct image_sink *)sink;
    rn_workers_destroy(&s->workers);
    for (int i = 0; i < s->nenc; i++)
        rn_write_encoder_close(&s->enc[i]);
    av_free(s->enc);
    av_dict_free(&s->options);
}

/* Writes the packets that are ready, and makes room for the next picture; all: writes all. */
static int write_ready(struct image_sink *s, bool all)
{
    struct rn_write_encoder *enc;
    int err = 0;
    while (!err && (enc = rn_workers_pop(s->workers, all || rn_workers_are_full(s->workers))))
        err = rn_write_encoder_give(enc);
    return err;
}

static int image_write(struct rn_write_sink *sink, const struct rn_image *img,
                       const struct rn_frame *frame)
{
    struct image_sink *s = (struct image_sink *)sink;
    if (!s->workers)
        return rn_write_encoder_write(s->enc[0], img, frame);
    struct rn_write_encoder *enc = s->enc[(sink->frames - 1) % s->nenc];
    int err = rn_write_encoder_take(enc, img, frame);
    if (err)
        return err;
    rn_workers_push(s->workers, enc);
    return write_ready(s, false);
}

static int image_close(struct rn_write_sink *sink, enum rn_write_ending ending)
{
    struct image_sink *s = (struct image_sink *)sink;
    bool abandoned = sink->failed || ending == RN_ENDING_ABANDON; /* numbered files stay */
    int err = abandoned    ? 0
              : s->workers ? write_ready(s, true)
                           : rn_write_encoder_write(s->enc[0], NULL, NULL);
    if (sink->ledger)
        sink->ledger->out = (struct rn_io_outflow){.counted = true,
                                                   .frames = sink->frames,
                                                   .copied = sink->frames,
                                                   .encoded = s->packets,
                                                   .packets = sink->files};
    if (err || abandoned)
        return err;
    const AVCodecContext *enc = s->enc[0]->ctx;
    struct rn_write_written written =
        rn_write_written_of(sink, enc->width, enc->height, enc->pix_fmt);
    written.temp = sink->first_path ? sink->first_path : sink->file.temp; /* one file is enough */
    if (ending == RN_ENDING_COMPLETE && written.temp)
        rn_write_compare(&written);
    return sink->file.temp ? rn_outfile_commit(&sink->file, ending == RN_ENDING_PARTIAL) : 0;
}

static const AVCodecContext *image_encoder(const struct rn_write_sink *sink, const char **container)
{
    return ((const struct image_sink *)sink)->enc[0]->ctx;
}

const struct rn_write_ops rn_write_image_sink = {
    .size = sizeof(struct image_sink),
    .numbered = true,
    .file_per_picture = true,
    .compresses = true,
    .match = image_match,
    .open = image_open,
    .write = image_write,
    .close = image_close,
    .release = image_release,
    .encoder = image_encoder,
};
