#include "io/write/sinks/sink_ops.h"

#include "filters/base/err.h"
#include "filters/base/log.h"
#include "filters/base/output/outfile.h"
#include "io/pixels/convert.h"
#include "io/common/av.h"
#include "io/common/av_versions.h"
#include "io/containers/table.h"
#include "io/write/encode/codec_options.h"
#include "io/write/report/compare.h"
#include "io/write/encode/encoder_find.h"
#include "io/write/encode/encoders.h"
#include "io/common/media.h"
#include "io/read/images/names.h"
#include "io/common/frame_data.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <libavformat/avformat.h>
#include <libavutil/avstring.h>
#include <libavutil/mem.h>

struct image_sink {
    struct rn_write_sink base;
    char *name;                     /* of the output, as given */
    struct rn_read_pattern pattern; /* prefix NULL: a single image */
    struct rn_write_encoders *enc;
    struct rn_outfile file; /* the single image, which gets its name when the sink is closed */
    AVDictionary *options;
    const struct rn_read_source *source;
    struct rn_geom geom;
    struct rn_losses *losses;
    struct rn_io_ledger *ledger; /* likewise */
    char *first;                 /* name of the first file of several */
    int64_t pictures;            /* that came */
    int64_t packets;             /* that the encoder gave */
    int64_t files;               /* of these that were written */
    bool failed; /* to write one of them, or as there were several, which was said */
};

/* A numbered file, or a single image. A GIF is an animation, which is a media file. */
static bool image_match(const char *output)
{
    return rn_read_is_pattern(output) || rn_read_name_is_image(output);
}

/* ---- opening */

static int find_codec(const char *name, const char *wanted, const AVCodec **codec)
{
    if (wanted)
        return rn_write_encoder_find(wanted, codec);
    if (!rn_read_name_is_image(name))
        return rn_fail(RN_EUSAGE, "'%s': the extension names no image format (try .png or .tif)",
                       name);
    enum AVCodecID id = av_guess_codec(av_guess_format(RN_CONTAINER_OF_IMAGES, NULL, NULL), NULL,
                                       name, NULL, AVMEDIA_TYPE_VIDEO);
    /* The first encoder that libav has for WebP makes one animation of all pictures. */
    *codec = id == AV_CODEC_ID_WEBP ? avcodec_find_encoder_by_name("libwebp") : NULL;
    if (!*codec)
        *codec = avcodec_find_encoder(id);
    return *codec
               ? 0
               : rn_fail(RN_EUSAGE, "'%s': there is no encoder for %s", name, avcodec_get_name(id));
}

/* --compression in the words of libav's encoders. Its TIFF knows no levels. */
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

static void image_free(struct image_sink *s)
{
    rn_write_encoders_close(&s->enc);
    rn_outfile_free(&s->file);
    rn_read_pattern_free(&s->pattern);
    av_dict_free(&s->options);
    av_free(s->first);
    av_free(s->name);
    av_free(s);
}

/* Samples of a scan of 9 to 15 bits that the codec has no format for stand in 16 as they are: only
 * those of films are widened. */
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

static int image_make(struct image_sink **out, bool quiet, const char *output,
                      const struct rn_write_opts *opts, const struct rn_read_source *source,
                      const struct rn_geom *geom)
{
    struct image_sink *s = av_mallocz(sizeof *s);
    if (!s)
        return rn_fail_memory();
    s->base.ops = &rn_write_image_sink;
    s->source = source;
    s->geom = *geom;
    s->losses = quiet ? NULL : opts->losses;
    s->ledger = quiet ? NULL : opts->ledger;
    s->name = av_strdup(output);
    bool parsed = rn_read_pattern_parse(output, &s->pattern) == rn_read_is_pattern(output);
    struct rn_write_encoder_setup setup = {
        .options = &s->options,
        .pix_fmt = opts->pix_fmt,
        .time_base = rn_io_to_av(rn_read_stream_of(source)->time_base),
        .threads = opts->threads,
        .geom = *geom,
        .source = source,
        .display_file = true,
        .turn = opts->turn,
        .quiet = quiet,
        .losses = s->losses,
    };
    int err = s->name && parsed ? find_codec(output, opts->codec, &setup.codec) : rn_fail_memory();
    if (!err)
        keep_values(&setup.geom, setup.codec, opts->pix_fmt);
    if (!err)
        err = rn_write_codec_options_parse(opts->codec_opts, &s->options);
    if (!err)
        err = set_compression(output, setup.codec, &opts->compression, &s->options);
    if (!err)
        err = rn_write_encoders_open(&s->enc, &setup, s->pattern.prefix && !quiet);
    if (!err)
        err = rn_write_codec_options_check(s->options, setup.codec->name, NULL);
    if (err)
        image_free(s);
    else
        *out = s;
    return err;
}

static int image_check(const char *output, const struct rn_write_opts *opts,
                       const struct rn_read_source *source, const struct rn_geom *geom)
{
    struct image_sink *s;
    int err = image_make(&s, true, output, opts, source, geom);
    if (err)
        return err;
    err = s->pattern.prefix ? rn_write_check_pattern(&s->pattern, source)
                            : rn_write_check_single(output, source);
    if (!err && !s->pattern.prefix)
        err = rn_write_check_target(output, source);
    image_free(s);
    return err;
}

static int image_open(struct rn_write_sink **sink, const char *output,
                      const struct rn_write_opts *opts, const struct rn_read_source *source,
                      const struct rn_geom *geom)
{
    struct image_sink *s;
    int err = image_make(&s, false, output, opts, source, geom);
    if (!err)
        *sink = &s->base;
    return err;
}

/* ---- writing */

static int put_image(void *opaque, AVPacket *pkt, int64_t number)
{
    struct image_sink *s = opaque;
    int64_t n = number >= 0 ? number : s->packets;
    s->packets++;
    char *path = s->pattern.prefix ? rn_read_pattern_name(&s->pattern, n) : av_strdup(s->name);
    int err = path ? rn_outfile_begin(&s->file, path) : rn_fail_memory();
    av_free(path);
    if (!err)
        err = rn_write_file(&s->file, pkt->data, (size_t)pkt->size); /* a whole file */
    if (!err && s->pattern.prefix)
        err = rn_outfile_commit(&s->file, false);
    s->files += !err;
    if (!err && s->pattern.prefix && !s->first)
        s->first = av_strdup(s->file.path);
    if (err || s->pattern.prefix)
        rn_outfile_free(&s->file);
    return err;
}

static int image_write(struct rn_write_sink *sink, const struct rn_image *img,
                       const struct rn_frame *frame)
{
    struct image_sink *s = (struct image_sink *)sink;
    bool several = !s->pattern.prefix && s->pictures > 0;
    s->pictures++;
    int err = several ? rn_write_fail_several(s->name)
                      : rn_write_encoders_write(s->enc, img, frame, put_image, s);
    s->failed |= err != 0;
    return err;
}

/* One picture tells for all. */
static void report_losses(const struct image_sink *s)
{
    const AVCodecContext *enc = rn_write_encoders_context(s->enc);
    if (s->first || s->file.temp)
        rn_write_compare(&(struct rn_write_written){.name = s->name,
                                                    .source = s->source,
                                                    .geom = s->geom,
                                                    .w = enc->width,
                                                    .h = enc->height,
                                                    .coded = enc->pix_fmt,
                                                    .first_us = AV_NOPTS_VALUE,
                                                    .temp = s->first ? s->first : s->file.temp,
                                                    .losses = s->losses});
}

static int image_close(struct rn_write_sink *sink, enum rn_write_ending ending)
{
    struct image_sink *s = (struct image_sink *)sink;
    int err = 0;
    if (s->failed)
        ending = RN_ENDING_ABANDON; /* the files are there already */
    if (ending != RN_ENDING_ABANDON)
        err = rn_write_encoders_write(s->enc, NULL, NULL, put_image, s);
    if (s->ledger)
        s->ledger->out = (struct rn_io_outflow){.counted = true,
                                                .frames = s->pictures,
                                                .copied = s->pictures,
                                                .encoded = s->packets,
                                                .packets = s->files};
    if (!err && ending == RN_ENDING_COMPLETE)
        report_losses(s);
    if (!err && ending != RN_ENDING_ABANDON && s->file.temp)
        err = rn_outfile_commit(&s->file, ending == RN_ENDING_PARTIAL);
    image_free(s);
    return err;
}

static const char *image_path(const struct rn_write_sink *sink)
{
    const struct image_sink *s = (const struct image_sink *)sink;
    return s->name;
}

const struct rn_write_ops rn_write_image_sink = {
    .match = image_match,
    .check = image_check,
    .open = image_open,
    .write = image_write,
    .close = image_close,
    .compresses = true,
    .path = image_path,
};
