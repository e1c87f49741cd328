#include "io/write/codec_options.h"
#include "io/write/compare.h"
#include "io/write/sink_ops.h"

#include "filters/base/err.h"
#include "filters/base/log.h"
#include "filters/base/outfile.h"
#include "filters/base/textout.h"
#include "io/pixels/convert.h"
#include "io/read/names.h"
#include "io/volumes/tiff.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <libavformat/avformat.h>
#include <libavutil/avstring.h>
#include <libavutil/dict.h>
#include <libavutil/error.h>
#include <libavutil/mem.h>
#include <libavutil/pixdesc.h>

#define CLASSIC_LIMIT  3500000000.0 /* bytes; offsets have 32 bits, and compression may add some */
#define UNKNOWN_FRAMES 100000       /* counts for inputs that do not say how many come */
#define STRIP_BYTES    (1 << 18)

static const enum AVPixelFormat formats[] = {
    AV_PIX_FMT_GRAY8, AV_PIX_FMT_GRAY16, AV_PIX_FMT_RGB24,  AV_PIX_FMT_RGB48, AV_PIX_FMT_YA8,
    AV_PIX_FMT_YA16,  AV_PIX_FMT_RGBA,   AV_PIX_FMT_RGBA64, AV_PIX_FMT_NONE,
};

struct tiff_sink {
    struct rn_sink base;
    const struct rn_source *source;
    struct rn_geom geom;
    struct rn_losses *losses;
    char *name; /* of the output, as given */
    struct rn_export *export;
    enum AVPixelFormat fmt;
    AVFrame *frame;
    int compression;
    bool big;
    double xres, yres; /* 0 = square pixels */
    struct rn_outfile file;
    TIFF *tif; /* opened for the first picture */
    struct rn_tiff_log log;
    int64_t pages, largest; /* whole ones, and the most bytes that one took */
    bool broken;            /* a page failed, which was said */
};

/* A numbered name is a sequence of files. */
static bool tiff_match(const char *output)
{
    return !rn_is_pattern(output) && av_match_ext(output, "tif,tiff");
}

/* ---- opening */

static int choose_format(struct tiff_sink *s, const struct rn_geom *geom, const char *wanted)
{
    if (wanted)
        return rn_export_find(wanted, formats, "a TIFF stack", &s->fmt);
    s->fmt = rn_export_choose(geom, formats);
    return s->fmt != AV_PIX_FMT_NONE
               ? 0
               : rn_fail(RN_EUSAGE, "a TIFF stack cannot hold these pictures");
}

/* The words are those of FFmpeg's encoder. */
static int set_compression(struct tiff_sink *s, const char *name)
{
    static const struct {
        const char *name;
        int compression;
    } kinds[] = {
        {"raw", COMPRESSION_NONE},
        {"packbits", COMPRESSION_PACKBITS},
        {"lzw", COMPRESSION_LZW},
        {"deflate", COMPRESSION_ADOBE_DEFLATE},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (!strcmp(name, kinds[i].name)) {
            s->compression = kinds[i].compression;
            return 0;
        }
    }
    return rn_fail(RN_EUSAGE, "--codec-opts: compression_algo is raw, packbits, lzw or deflate");
}

static int set_options(struct tiff_sink *s, const struct rn_sink_opts *opts)
{
    s->compression = COMPRESSION_ADOBE_DEFLATE;
    if (opts->codec && strcmp(opts->codec, "tiff") != 0)
        return rn_fail(RN_EUSAGE, "'%s' is a TIFF stack: its only codec is tiff", s->name);
    static const char key[] = "compression_algo";
    AVDictionary *dict = NULL;
    int err = rn_codec_options_parse(opts->codec_opts, &dict);
    const AVDictionaryEntry *e = err ? NULL : av_dict_get(dict, key, NULL, AV_DICT_MATCH_CASE);
    if (e)
        err = set_compression(s, e->value);
    if (!err && av_dict_set(&dict, key, NULL, AV_DICT_MATCH_CASE) < 0)
        err = rn_fail_memory();
    if (!err)
        err = rn_codec_options_check(dict, "a TIFF stack", NULL);
    av_dict_free(&dict);
    return err;
}

static void tiff_free(struct tiff_sink *s)
{
    if (s->tif)
        TIFFClose(s->tif);
    rn_outfile_free(&s->file);
    rn_export_destroy(&s->export);
    av_frame_free(&s->frame);
    av_free(s->name);
    av_free(s);
}

static int tiff_make(struct tiff_sink **out, bool quiet, const char *output,
                     const struct rn_sink_opts *opts, const struct rn_source *source,
                     const struct rn_geom *geom)
{
    const struct rn_stream *stream = rn_source_stream(source);
    struct tiff_sink *s = av_mallocz(sizeof *s);
    if (!s)
        return rn_fail_memory();
    s->base.ops = &rn_tiff_sink;
    s->source = source;
    s->geom = *geom;
    s->losses = opts->losses;
    s->name = av_strdup(output);
    s->frame = av_frame_alloc();
    int err = s->name && s->frame ? set_options(s, opts) : rn_fail_memory();
    if (!err)
        err = choose_format(s, geom, opts->pix_fmt);
    if (!err) /* like the encoder of single images */
        err = rn_export_create(&s->export, geom, s->fmt,
                               geom->full_range && geom->fmt.model != RN_RGB, geom->matrix);
    if (err) {
        tiff_free(s);
        return err;
    }
    double bytes = (double)av_get_bits_per_pixel(av_pix_fmt_desc_get(s->fmt)) / 8 * geom->w;
    bytes *= (double)geom->h * (double)(stream->frames >= 0 ? stream->frames : UNKNOWN_FRAMES);
    s->big = bytes > CLASSIC_LIMIT;
    if (stream->aspect.den && stream->aspect.num != stream->aspect.den) {
        s->xres = stream->aspect.den; /* wide pixels: fewer of them per unit */
        s->yres = stream->aspect.num;
    }
    if (!quiet)
        rn_export_announce(s->export, "tiff", "", opts->pix_fmt ? NULL : opts->losses);
    *out = s;
    return 0;
}

static int tiff_check(const char *output, const struct rn_sink_opts *opts,
                      const struct rn_source *source, const struct rn_geom *geom)
{
    struct tiff_sink *s;
    int err = tiff_make(&s, true, output, opts, source, geom);
    if (err)
        return err;
    tiff_free(s);
    return rn_check_target(output, source);
}

static int tiff_open(struct rn_sink **sink, const char *output, const struct rn_sink_opts *opts,
                     const struct rn_source *source, const struct rn_geom *geom)
{
    struct tiff_sink *s;
    int err = tiff_make(&s, false, output, opts, source, geom);
    if (!err)
        *sink = &s->base;
    return err;
}

/* ---- writing */

static int failed(const struct tiff_sink *s)
{
    if (s->log.cause)
        return rn_write_fail(s->name, s->log.cause);
    return rn_fail(RN_EOUTPUT, "cannot write '%s': %s", s->name,
                   *s->log.first ? s->log.first : "libtiff failed");
}

static bool set_tags(const struct tiff_sink *s)
{
    TIFF *t = s->tif;
    const AVPixFmtDescriptor *desc = av_pix_fmt_desc_get(s->fmt);
    int comps = desc->nb_components;
    bool ok = TIFFSetField(t, TIFFTAG_SUBFILETYPE, FILETYPE_PAGE) &&
              TIFFSetField(t, TIFFTAG_IMAGEWIDTH, s->frame->width) &&
              TIFFSetField(t, TIFFTAG_IMAGELENGTH, s->frame->height) &&
              TIFFSetField(t, TIFFTAG_BITSPERSAMPLE, desc->comp[0].depth) &&
              TIFFSetField(t, TIFFTAG_SAMPLESPERPIXEL, comps) &&
              TIFFSetField(t, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) &&
              TIFFSetField(t, TIFFTAG_PHOTOMETRIC,
                           comps > 2 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK) &&
              TIFFSetField(t, TIFFTAG_COMPRESSION, s->compression);
    if (comps == 2 || comps == 4) {
        uint16_t alpha = EXTRASAMPLE_UNASSALPHA;
        ok = ok && TIFFSetField(t, TIFFTAG_EXTRASAMPLES, 1, &alpha);
    }
    if (s->compression == COMPRESSION_ADOBE_DEFLATE || s->compression == COMPRESSION_LZW)
        ok = ok && TIFFSetField(t, TIFFTAG_PREDICTOR, PREDICTOR_HORIZONTAL);
    if (s->xres > 0)
        ok = ok && TIFFSetField(t, TIFFTAG_RESOLUTIONUNIT, RESUNIT_NONE) &&
             TIFFSetField(t, TIFFTAG_XRESOLUTION, s->xres) &&
             TIFFSetField(t, TIFFTAG_YRESOLUTION, s->yres);
    return ok;
}

/* Writes s->frame as one more page. libtiff changes the samples that it is given. */
static bool put_page(struct tiff_sink *s)
{
    const AVFrame *f = s->frame;
    size_t row = (size_t)av_get_bits_per_pixel(av_pix_fmt_desc_get(s->fmt)) / 8 * (size_t)f->width;
    int rows = row < STRIP_BYTES ? (int)(STRIP_BYTES / row) : 1;
    rows = rows < f->height ? rows : f->height;
    if (!set_tags(s) || !TIFFSetField(s->tif, TIFFTAG_ROWSPERSTRIP, rows))
        return false;
    uint8_t *strip = av_malloc(row * (size_t)rows);
    bool ok = strip != NULL;
    for (int y = 0; ok && y < f->height; y += rows) {
        int n = f->height - y < rows ? f->height - y : rows;
        for (int i = 0; i < n; i++)
            memcpy(strip + (size_t)i * row, f->data[0] + (ptrdiff_t)(y + i) * f->linesize[0], row);
        ok = TIFFWriteEncodedStrip(s->tif, TIFFComputeStrip(s->tif, (uint32_t)y, 0), strip,
                                   (tmsize_t)(row * (size_t)n)) >= 0;
    }
    av_free(strip);
    return ok && TIFFWriteDirectory(s->tif);
}

static int64_t size_so_far(const struct tiff_sink *s)
{
    struct stat st;
    return stat(s->file.temp, &st) ? 0 : st.st_size;
}

/* A page that does not fit is not begun: those before it are a whole file. It takes about as much
 * as the largest before it; the first one what it has, and what compression may add. */
static int make_room(struct tiff_sink *s, int64_t begin)
{
    int64_t bits = av_get_bits_per_pixel(av_pix_fmt_desc_get(s->fmt));
    int64_t raw = (bits / 8 * s->frame->width + 32) * s->frame->height;
    int64_t most = s->pages ? s->largest + s->largest / 4 : raw + raw / 2;
    int code = rn_outfile_reserve(&s->file, begin + most + 2048);
    return code ? rn_write_fail(s->name, code) : 0;
}

static int begin_file(struct tiff_sink *s)
{
    int err = rn_outfile_begin(&s->file, s->name);
    if (err)
        return err;
    errno = 0;
    s->tif = rn_tiff_open(s->file.temp, s->big ? "w8" : "w", &s->log);
    return s->tif ? 0 : failed(s);
}

static int tiff_write(struct rn_sink *sink, const struct rn_image *img,
                      const struct rn_frame *frame)
{
    struct tiff_sink *s = (struct tiff_sink *)sink;
    int err = s->tif ? 0 : begin_file(s);
    if (err)
        return err;
    av_frame_unref(s->frame);
    err = rn_export(s->export, img, frame->by_field, s->frame);
    int64_t begin = size_so_far(s);
    err = err ? err : make_room(s, begin);
    errno = 0;
    if (!err && (!put_page(s) || *s->log.first)) /* some that fails it says, but does not return */
        err = failed(s);
    s->broken |= err != 0;
    int64_t took = size_so_far(s) - begin;
    s->largest = took > s->largest ? took : s->largest;
    s->pages += !err;
    return err;
}

/* Whether what was written can be found: libtiff does not look at all that it does. */
static bool has_all_pages(struct tiff_sink *s)
{
    TIFF *tif = rn_tiff_open(s->file.temp, "rm", &s->log);
    int64_t n = 0;
    bool fine = tif != NULL;
    for (; fine; n++) {
        struct rn_tiff_page page;
        fine = rn_tiff_describe(tif, &page, s->log.first, sizeof s->log.first) &&
               page.w == s->geom.w && page.h == s->geom.h && page.fmt == s->fmt;
        if (!TIFFReadDirectory(tif))
            break;
    }
    if (tif)
        TIFFClose(tif);
    return fine && n + 1 == s->pages && !*s->log.first;
}

static void report_losses(const struct tiff_sink *s)
{
    rn_compare(&(struct rn_written){.name = s->name,
                                    .source = s->source,
                                    .geom = s->geom,
                                    .w = s->geom.w,
                                    .h = s->geom.h,
                                    .coded = s->fmt,
                                    .first_us = AV_NOPTS_VALUE,
                                    .losses = s->losses});
}

static int tiff_close(struct rn_sink *sink, enum rn_ending ending)
{
    struct tiff_sink *s = (struct tiff_sink *)sink;
    int err = 0;
    if (s->tif) {
        TIFFClose(s->tif);
        s->tif = NULL;
        bool whole = !*s->log.first && s->pages > 0 && has_all_pages(s);
        if (ending != RN_ENDING_ABANDON && whole)
            err = rn_outfile_commit(&s->file, ending == RN_ENDING_PARTIAL);
        else if (ending != RN_ENDING_ABANDON && !s->broken)
            err = failed(s);
        if (ending != RN_ENDING_ABANDON && !whole)
            rn_log(RN_LOG_WARNING, "'%s': nothing of it could be kept", s->name);
    }
    if (!err && ending == RN_ENDING_COMPLETE)
        report_losses(s);
    tiff_free(s);
    return err;
}

static const char *tiff_path(const struct rn_sink *sink)
{
    return ((const struct tiff_sink *)sink)->name;
}

const struct rn_sink_ops rn_tiff_sink = {
    .match = tiff_match,
    .check = tiff_check,
    .open = tiff_open,
    .write = tiff_write,
    .close = tiff_close,
    .path = tiff_path,
};
