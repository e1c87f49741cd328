#include "io/write/encode/codec_options.h"
#include "io/write/report/compare.h"
#include "io/write/sinks/sink_ops.h"
#include "io/write/sinks/tiff_strips.h"
#include "io/write/sinks/tiff_tags.h"

#include "filters/base/err.h"
#include "filters/base/log.h"
#include "filters/base/output/outfile.h"
#include "filters/base/output/textout.h"
#include "io/pixels/convert.h"
#include "io/common/av.h"
#include "io/common/frame_data.h"
#include "io/read/images/names.h"
#include "io/read/viewing.h"
#include "io/volumes/tiff/tiff.h"
#include "io/volumes/tiff/tiff_text.h"
#include "io/write/sinks/volume_out.h"

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
    struct rn_write_sink base;
    const struct rn_read_source *source;
    struct rn_geom geom;
    struct rn_losses *losses;
    struct rn_io_ledger *ledger; /* likewise borrowed; may be NULL */
    char *name;                  /* of the output, as given */
    struct rn_vol volume;
    bool own; /* samples are written as they are; else by way of export, as fmt */
    struct rn_pix_export *export;
    enum AVPixelFormat fmt;
    AVFrame *frame;
    uint8_t *row; /* one of pixels */
    int threads;
    struct rn_write_tiff_tags tags;
    bool big;
    struct rn_read_pattern pattern; /* prefix NULL: all pages are one file; else each is a file */
    struct rn_outfile file;
    TIFF *tif;                           /* opened for the first picture */
    struct rn_write_tiff_strips *strips; /* likewise */
    bool failed;                         /* which was said */
    int64_t begin;                       /* of the page that is being written */
    struct rn_vol_tiff_log log;
    int64_t taken;          /* pages that came */
    int64_t pages, largest; /* whole ones, and the most bytes that one took */
};

/* Numbered names are those of rn_write_tiff_takes_files. */
static bool tiff_match(const char *output)
{
    return !rn_read_is_pattern(output) && av_match_ext(output, "tif,tiff");
}

bool rn_write_tiff_takes_files(const char *output, const struct rn_write_opts *opts,
                               const struct rn_geom *geom)
{
    return rn_read_is_pattern(output) && av_match_ext(output, "tif,tiff") &&
           geom->fmt.model != RN_YUV && !opts->codec && !opts->codec_opts && !opts->pix_fmt;
}

/* ---- opening */

static int choose_format(struct tiff_sink *s, const struct rn_geom *geom, const char *wanted)
{
    if (wanted)
        return rn_pix_export_find(wanted, formats, "a TIFF stack", &s->fmt);
    s->own = geom->fmt.model != RN_YUV && (geom->scan || geom->fmt.number != RN_NUMBER_UNSIGNED);
    s->fmt = s->own ? rn_vol_pixfmt(&geom->fmt) : rn_pix_export_choose(geom, formats);
    return s->fmt != AV_PIX_FMT_NONE ? 0 : rn_pix_export_refuse(geom, "a TIFF stack");
}

/* What the samples are stored as. Files of their own cannot be made again if one does not fit. */
static void choose_storage(struct tiff_sink *s, bool quiet)
{
    const AVPixFmtDescriptor *desc = av_pix_fmt_desc_get(s->fmt);
    const struct rn_format *fmt = &s->geom.fmt;
    bool whole = s->own && fmt->number == RN_NUMBER_UNSIGNED;
    char name[16], other[16];
    s->tags.comps = desc->nb_components;
    s->tags.storage = (struct rn_write_tiff_storage){.bits = desc->comp[0].depth};
    if (!s->own)
        return;
    s->tags.depth = whole && fmt->depth > 8 && fmt->depth < 16 ? fmt->depth : 0;
    struct rn_write_tiff_storage native = rn_write_tiff_storage_native(&s->volume, fmt);
    s->tags.storage = rn_write_tiff_storage_like(&s->volume, fmt);
    if (!s->pattern.prefix || s->tags.storage.bits == native.bits)
        return;
    if (!quiet)
        rn_log(RN_LOG_INFO, "'%s': the input's %s are written as %s (a stack keeps them)", s->name,
               rn_write_tiff_storage_name(&s->tags.storage, name),
               rn_write_tiff_storage_name(&native, other));
    s->tags.storage = native;
}

/* The option of FFmpeg's encoder means the same; its word for none is raw. */
static int take_algorithm(struct tiff_sink *s, AVDictionary **dict)
{
    static const char key[] = "compression_algo";
    const AVDictionaryEntry *e = av_dict_get(*dict, key, NULL, AV_DICT_MATCH_CASE);
    if (!e)
        return 0;
    const char *name = strcmp(e->value, "raw") != 0 ? e->value : "none";
    if (!rn_write_compression_parse(name, &s->tags.wanted))
        return rn_fail(RN_EUSAGE,
                       "--codec-opts: compression_algo is raw, packbits, lzw or deflate");
    return av_dict_set(dict, key, NULL, AV_DICT_MATCH_CASE) < 0 ? rn_fail_memory() : 0;
}

static int set_options(struct tiff_sink *s, const struct rn_write_opts *opts)
{
    if (opts->codec && strcmp(opts->codec, "tiff") != 0)
        return rn_fail(RN_EUSAGE, "'%s' is a TIFF stack: its only codec is tiff", s->name);
    AVDictionary *dict = NULL;
    int err = rn_write_codec_options_parse(opts->codec_opts, &dict);
    err = err ? err : take_algorithm(s, &dict);
    err = err ? err : rn_write_codec_options_check(dict, "a TIFF stack", NULL);
    av_dict_free(&dict);
    if (opts->compression.kind)
        s->tags.wanted = opts->compression;
    return err ? err : rn_write_tiff_tags_check(&s->tags.wanted);
}

static void tiff_free(struct tiff_sink *s)
{
    rn_write_tiff_strips_destroy(&s->strips);
    if (s->tif)
        TIFFClose(s->tif);
    rn_outfile_free(&s->file);
    rn_read_pattern_free(&s->pattern);
    rn_pix_export_destroy(&s->export);
    av_frame_free(&s->frame);
    av_free(s->row);
    av_free(s->name);
    av_free(s);
}

static int tiff_make(struct tiff_sink **out, bool quiet, const char *output,
                     const struct rn_write_opts *opts, const struct rn_read_source *source,
                     const struct rn_geom *geom)
{
    const struct rn_read_stream *stream = rn_read_stream_of(source);
    struct tiff_sink *s = av_mallocz(sizeof *s);
    if (!s)
        return rn_fail_memory();
    s->base.ops = &rn_write_tiff_sink;
    s->source = source;
    s->geom = *geom;
    s->losses = opts->losses;
    s->ledger = quiet ? NULL : opts->ledger;
    s->threads = rn_io_threads(opts->threads);
    s->name = av_strdup(output);
    s->frame = av_frame_alloc();
    bool parsed = rn_read_pattern_parse(output, &s->pattern) == rn_read_is_pattern(output);
    int err = s->name && s->frame && parsed ? set_options(s, opts) : rn_fail_memory();
    if (!err)
        err = choose_format(s, geom, opts->pix_fmt);
    if (!err && s->own)
        err = (s->row = av_malloc_array((size_t)geom->w, 16)) ? 0 : rn_fail_memory();
    if (!err && !s->own) /* like the encoder of single images */
        err = rn_pix_export_create(&s->export, geom, s->fmt,
                                   geom->full_range && geom->fmt.model != RN_RGB, geom->matrix,
                                   rn_read_media(source)->first->chroma_location);
    if (err) {
        tiff_free(s);
        return err;
    }
    bool known;
    rn_write_volume_out(&s->volume, source, geom, opts->made_by, quiet ? NULL : opts->losses,
                        &known);
    choose_storage(s, quiet);
    double pages = (double)(stream->frames >= 0 ? stream->frames : UNKNOWN_FRAMES);
    double bytes = (double)geom->w * geom->h * s->tags.comps * rn_format_bytes(&geom->fmt);
    s->big = bytes * (s->pattern.prefix ? 1 : pages) > CLASSIC_LIMIT;
    if (s->volume.spacing[0] > 0 && s->volume.spacing[1] > 0) {
        s->tags.xres = 1 / s->volume.spacing[0];
        s->tags.yres = 1 / s->volume.spacing[1];
    } else if (stream->aspect.den && stream->aspect.num != stream->aspect.den) {
        s->tags.xres = stream->aspect.den; /* wide pixels: fewer of them per unit */
        s->tags.yres = stream->aspect.num;
    }
    if (!quiet && !s->own && rn_pix_export_uses_matrix(s->export))
        rn_read_announce_matrix(source);
    if (!quiet && !s->own)
        rn_pix_export_announce(s->export, "tiff", "", !rn_read_media(source)->transparent,
                               opts->pix_fmt ? NULL : opts->losses);
    *out = s;
    return 0;
}

static int tiff_check(const char *output, const struct rn_write_opts *opts,
                      const struct rn_read_source *source, const struct rn_geom *geom)
{
    struct tiff_sink *s;
    int err = tiff_make(&s, true, output, opts, source, geom);
    if (err)
        return err;
    err = s->pattern.prefix ? rn_write_check_pattern(&s->pattern, source)
                            : rn_write_check_target(output, source);
    tiff_free(s);
    return err;
}

static int tiff_open(struct rn_write_sink **sink, const char *output,
                     const struct rn_write_opts *opts, const struct rn_read_source *source,
                     const struct rn_geom *geom)
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

/* The lines for ImageJ, which takes no colours of 16 bits. */
static bool set_description(const struct tiff_sink *s)
{
    char text[4096];
    struct rn_vol v = s->volume;
    bool gray = s->geom.fmt.model == RN_GRAY && !s->geom.fmt.alpha;
    bool told = gray || s->fmt == AV_PIX_FMT_RGB24;
    if (!told)
        return true;
    if (s->pattern.prefix)
        rn_vol_cut(&v, s->pages, 1);
    rn_vol_tiff_text_write(&v, text, sizeof text);
    return TIFFSetField(s->tif, TIFFTAG_IMAGEDESCRIPTION, text);
}

static bool set_tags(const void *opaque, TIFF *t, int w, int h)
{
    return rn_write_tiff_tags_set(&((const struct tiff_sink *)opaque)->tags, t, w, h);
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
    int64_t raw = ((int64_t)rn_write_tiff_tags_row(&s->tags, s->geom.w) + 32) * s->geom.h;
    int64_t most = s->pages ? s->largest + s->largest / 4 : raw + raw / 2;
    int code = rn_outfile_reserve(&s->file, begin + most + 2048);
    return code ? rn_write_fail(s->name, code) : 0;
}

/* What libtiff has no memory for is no page: those before it are a whole file. */
static int withdraw_page(struct tiff_sink *s, const struct rn_vol_tiff_log *log)
{
    int err = rn_fail(RN_EINTERNAL, "cannot make a page of '%s': %s", s->name,
                      *log->first ? log->first : "out of memory");
    rn_write_tiff_withdraw(s->tif);
    s->log = (struct rn_vol_tiff_log){.cause = 0};
    return err;
}

static int begin_file(struct tiff_sink *s, const char *path)
{
    int err = rn_outfile_begin(&s->file, path);
    if (err)
        return err;
    errno = 0;
    s->tif = rn_vol_tiff_open(s->file.temp, s->big ? "w8" : "w", &s->log);
    return s->tif ? 0 : failed(s);
}

static int begin_numbered(struct tiff_sink *s, int64_t number)
{
    char *path = rn_read_pattern_name(&s->pattern, number);
    int err = path ? begin_file(s, path) : rn_fail_memory();
    av_free(path);
    return err;
}

static int begin_page(struct tiff_sink *s, const struct rn_write_tiff_strip *strip)
{
    int err = s->pattern.prefix ? begin_numbered(s, strip->page->pts) : 0;
    s->begin = size_so_far(s);
    err = err ? err : make_room(s, s->begin);
    bool told = s->pages && !s->pattern.prefix; /* the first page of a file tells */
    if (!err && (!set_tags(s, s->tif, strip->page->width, strip->page->height) ||
                 !TIFFSetField(s->tif, TIFFTAG_ROWSPERSTRIP, strip->rows) ||
                 (!told && !set_description(s))))
        err = withdraw_page(s, &s->log);
    return err;
}

/* Whether what was written can be found: libtiff does not look at all that it does. */
static bool has_pages(struct tiff_sink *s, int64_t wanted)
{
    TIFF *tif = rn_vol_tiff_open(s->file.temp, "rm", &s->log);
    int64_t n = 0;
    bool fine = tif != NULL;
    for (; fine; n++) {
        struct rn_vol_tiff_page page;
        fine = rn_vol_tiff_describe(tif, &page, s->log.first, sizeof s->log.first) &&
               page.w == s->geom.w && page.h == s->geom.h && page.fmt == s->fmt;
        if (!TIFFReadDirectory(tif))
            break;
    }
    if (tif)
        TIFFClose(tif);
    return fine && n + 1 == wanted && !*s->log.first;
}

static int commit_numbered(struct tiff_sink *s)
{
    TIFFClose(s->tif);
    s->tif = NULL;
    int err = !*s->log.first && has_pages(s, 1) ? 0 : failed(s);
    err = err ? err : rn_outfile_commit(&s->file, false);
    rn_outfile_free(&s->file);
    return err;
}

static int end_page(struct tiff_sink *s)
{
    int64_t took = size_so_far(s) - s->begin;
    s->largest = took > s->largest ? took : s->largest;
    int err = s->pattern.prefix ? commit_numbered(s) : 0;
    s->pages += !err;
    return err;
}

static int put_strip(void *opaque, const struct rn_write_tiff_strip *strip)
{
    struct tiff_sink *s = opaque;
    int err = strip->y == 0 && strip->data ? begin_page(s, strip) : 0;
    if (err)
        return err;
    if (!strip->data)
        return withdraw_page(s, &strip->log);
    uint32_t number = TIFFComputeStrip(s->tif, (uint32_t)strip->y, 0);
    errno = 0;
    if (TIFFWriteRawStrip(s->tif, number, (void *)(uintptr_t)strip->data, (tmsize_t)strip->size) <
            0 ||
        (strip->last && !TIFFWriteDirectory(s->tif)) ||
        *s->log.first) /* some that fails it says, but does not return */
        return failed(s);
    return strip->last ? end_page(s) : 0;
}

static int create_strips(struct tiff_sink *s)
{
    size_t row = rn_write_tiff_tags_row(&s->tags, s->geom.w);
    int rows = row < STRIP_BYTES ? (int)(STRIP_BYTES / row) : 1;
    s->strips = rn_write_tiff_strips_create(&(struct rn_write_tiff_strips_setup){
        .threads = s->tags.wanted.kind == RN_COMPRESSION_NONE ? 1 : s->threads,
        .rows = rows < s->geom.h ? rows : s->geom.h,
        .row = row,
        .tags = set_tags,
        .put = put_strip,
        .opaque = s,
    });
    return s->strips ? 0 : rn_fail_memory();
}

static int begin(struct tiff_sink *s)
{
    int err = create_strips(s);
    return err || s->pattern.prefix ? err : begin_file(s, s->name);
}

/* ---- samples as they are stored */

static int make_page(struct tiff_sink *s)
{
    AVFrame *f = s->frame;
    size_t row = rn_write_tiff_tags_row(&s->tags, s->geom.w);
    av_frame_unref(f);
    f->buf[0] = av_buffer_alloc(row * (size_t)s->geom.h);
    if (!f->buf[0])
        return rn_fail_memory();
    f->format = s->fmt;
    f->width = s->geom.w;
    f->height = s->geom.h;
    f->data[0] = f->buf[0]->data;
    f->linesize[0] = (int)row;
    return 0;
}

static bool pack_row(struct tiff_sink *s, int y, const uint8_t *row)
{
    return rn_write_tiff_storage_pack(&s->tags.storage, &s->geom.fmt, row,
                                      (size_t)s->geom.w * (size_t)s->tags.comps,
                                      s->frame->data[0] + y * s->frame->linesize[0]);
}

static bool pack(struct tiff_sink *s, const struct rn_image *img)
{
    bool fits = true;
    for (int y = 0; y < s->geom.h && fits; y++)
        fits = pack_row(s, y, rn_vol_pixels_row(img, y, s->row));
    return fits;
}

/* Of samples as the reader gives them. */
static size_t row_bytes(const struct tiff_sink *s)
{
    return (size_t)s->geom.w * (size_t)s->tags.comps * (size_t)rn_format_bytes(&s->geom.fmt);
}

/* Copies a page of a file that stored its samples in another way. */
static int copy_page(struct tiff_sink *s, TIFF *from, uint8_t *pixels)
{
    struct rn_vol_tiff_page page;
    unsigned found = 0;
    bool ok = rn_vol_tiff_describe(from, &page, s->log.first, sizeof s->log.first) &&
              page.size == row_bytes(s) * (size_t)s->geom.h &&
              rn_vol_tiff_read(from, &page, NULL, pixels, &found) == RN_TIFF_WHOLE;
    TIFFReadDirectory(from);
    if (!ok)
        return failed(s);
    int err = make_page(s);
    for (int y = 0; y < s->geom.h && !err; y++)
        pack_row(s, y, pixels + (size_t)y * page.stride);
    return err ? err : rn_write_tiff_strips_write(s->strips, s->frame);
}

static int copy_pages(struct tiff_sink *s, const char *path, int64_t n)
{
    TIFF *from = rn_vol_tiff_open(path, "rm", &s->log);
    uint8_t *pixels = av_malloc(row_bytes(s) * (size_t)s->geom.h);
    int err = !pixels ? rn_fail_memory() : from ? 0 : failed(s);
    for (int64_t i = 0; i < n && !err; i++)
        err = copy_page(s, from, pixels);
    if (from)
        TIFFClose(from);
    av_free(pixels);
    return err;
}

/* A sample came that does not fit what those of the input are stored in: they are written as they
 * are, also those of the pages before it, since all pages of a stack are alike. */
static int store_natively(struct tiff_sink *s)
{
    char name[16], other[16];
    struct rn_write_tiff_storage before = s->tags.storage;
    struct rn_write_tiff_storage native = rn_write_tiff_storage_native(&s->volume, &s->geom.fmt);
    rn_log(RN_LOG_INFO, "'%s': the input's %s do not hold what the filters made: it gets %s",
           s->name, rn_write_tiff_storage_name(&before, name),
           rn_write_tiff_storage_name(&native, other));
    int err = s->strips ? rn_write_tiff_strips_flush(s->strips) : 0;
    s->tags.storage = native;
    if (err || !s->tif)
        return err;
    rn_write_tiff_strips_destroy(&s->strips);
    TIFFClose(s->tif);
    s->tif = NULL;
    struct rn_outfile old = s->file;
    int64_t n = s->pages;
    s->file = (struct rn_outfile){0};
    s->pages = s->largest = 0;
    err = begin(s);
    err = err ? err : copy_pages(s, old.temp, n);
    rn_outfile_free(&old);
    return err;
}

/* Makes s->frame hold the samples as they are to stand in the file. */
static int store(struct tiff_sink *s, const struct rn_image *img)
{
    int err = make_page(s);
    if (err || pack(s, img))
        return err;
    err = store_natively(s);
    err = err ? err : make_page(s);
    return err || pack(s, img) ? err : rn_fail(RN_EINTERNAL, "'%s': samples do not fit", s->name);
}

static int64_t number_of(const struct rn_frame *frame)
{
    return frame->data && frame->data->number >= 0 ? frame->data->number : frame->index;
}

static int tiff_write(struct rn_write_sink *sink, const struct rn_image *img,
                      const struct rn_frame *frame)
{
    struct tiff_sink *s = (struct tiff_sink *)sink;
    av_frame_unref(s->frame);
    int err = s->own ? store(s, img) : rn_pix_export(s->export, img, frame->by_field, s->frame);
    err = err || s->strips ? err : begin(s);
    s->frame->pts = number_of(frame);
    s->taken += !err;
    err = err ? err : rn_write_tiff_strips_write(s->strips, s->frame);
    s->failed |= err != 0;
    return err;
}

/* ---- the end */

/* Where other pages came than were expected the first one is told. */
static void correct_description(struct tiff_sink *s)
{
    if (!s->pages || rn_vol_pictures(&s->volume) == s->pages)
        return;
    rn_write_volume_out_end(&s->volume, s->source, s->pages, s->name, s->losses);
    if (TIFFSetDirectory(s->tif, 0) && set_description(s))
        TIFFRewriteDirectory(s->tif);
}

static void report_losses(const struct tiff_sink *s)
{
    if (!rn_vol_tiff_text_holds(&s->volume))
        rn_losses_add(s->losses, "geometry",
                      "'%s': ImageJ's order is channels, slices, times: these pictures have "
                      "another one, and count as slices (.nrrd keeps it)",
                      s->name);
    if (!s->tags.storage.white_is_zero && s->own)
        rn_write_volume_out_turned(&s->volume, s->name, s->losses);
    rn_write_compare(&(struct rn_write_written){.name = s->name,
                                                .source = s->source,
                                                .geom = s->geom,
                                                .w = s->geom.w,
                                                .h = s->geom.h,
                                                .coded = s->fmt,
                                                .first_us = AV_NOPTS_VALUE,
                                                .losses = s->losses});
}

static int commit_stack(struct tiff_sink *s, enum rn_write_ending ending)
{
    if (!*s->log.first && ending != RN_ENDING_ABANDON)
        correct_description(s);
    TIFFClose(s->tif);
    s->tif = NULL;
    if (ending == RN_ENDING_ABANDON)
        return 0;
    bool whole = !*s->log.first && s->pages > 0 && has_pages(s, s->pages);
    int err = 0;
    if (whole)
        err = rn_outfile_commit(&s->file, ending == RN_ENDING_PARTIAL);
    else if (!s->failed)
        err = failed(s);
    if (!whole)
        rn_log(RN_LOG_WARNING, "'%s': nothing of it could be kept", s->name);
    return err;
}

/* Writes the pages that are still under way, and ends the file. */
static int end_file(struct tiff_sink *s, enum rn_write_ending ending)
{
    int err = 0;
    if (ending != RN_ENDING_ABANDON && !s->failed &&
        (err = rn_write_tiff_strips_flush(s->strips)) != 0) {
        s->failed = true;
        ending = RN_ENDING_PARTIAL;
    }
    if (s->ledger)
        s->ledger->out = (struct rn_io_outflow){.counted = true,
                                                .frames = s->taken,
                                                .copied = s->own ? 0 : s->taken,
                                                .encoded = s->pages,
                                                .packets = s->pages};
    rn_write_tiff_strips_destroy(&s->strips);
    if (s->pattern.prefix || !s->tif)
        return err;
    int ended = commit_stack(s, ending);
    return err ? err : ended;
}

static int tiff_close(struct rn_write_sink *sink, enum rn_write_ending ending)
{
    struct tiff_sink *s = (struct tiff_sink *)sink;
    int err = s->strips ? end_file(s, ending) : 0;
    if (!err && ending == RN_ENDING_COMPLETE)
        report_losses(s);
    tiff_free(s);
    return err;
}

static const char *tiff_path(const struct rn_write_sink *sink)
{
    return ((const struct tiff_sink *)sink)->name;
}

/* ImageJ's lines in the first page. */
static bool tiff_rated(const struct rn_write_sink *sink)
{
    return !((const struct tiff_sink *)sink)->pattern.prefix;
}

const struct rn_write_ops rn_write_tiff_sink = {
    .match = tiff_match,
    .check = tiff_check,
    .open = tiff_open,
    .write = tiff_write,
    .close = tiff_close,
    .rated = tiff_rated,
    .compresses = true,
    .path = tiff_path,
};
