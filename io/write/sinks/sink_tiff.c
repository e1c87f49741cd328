/* SPDX-License-Identifier: MIT */
#include "io/write/encode/encoder.h"
#include "io/write/sinks/sink_ops.h"
#include "io/write/sinks/tiff_pages.h"

#include "filters/base/log.h"
#include "filters/base/output/textout.h"
#include "filters/base/threads/stall.h"
#include "io/volumes/tiff/tiff_list.h"

#include <libavutil/pixdesc.h>

#define CLASSIC_LIMIT  3500000000.0 /* bytes; offsets have 32 bits, and compression may add some */
#define UNKNOWN_FRAMES 100000       /* assumed for inputs that do not specify it */
#define STRIP_BYTES    (1 << 18)

static const enum AVPixelFormat formats[] = {
    AV_PIX_FMT_GRAY8, AV_PIX_FMT_GRAY16, AV_PIX_FMT_RGB24,  AV_PIX_FMT_RGB48, AV_PIX_FMT_YA8,
    AV_PIX_FMT_YA16,  AV_PIX_FMT_RGBA,   AV_PIX_FMT_RGBA64, AV_PIX_FMT_NONE,
};

struct tiff_sink {
    struct rn_write_sink base; /* with a pattern, each page is a file */
    struct rn_vol volume;
    bool native; /* samples are written unchanged; else exported as fmt */
    struct rn_pix_export *export;
    enum AVPixelFormat fmt;
    AVFrame *frame;
    uint8_t *row; /* of pixels */
    int threads;
    struct rn_write_tiff_tags tags;
    bool big;
    TIFF *tif;                           /* opened for the first picture */
    struct rn_write_tiff_strips *strips; /* created for the first picture */
    int64_t begin;                       /* of the page that is being written */
    struct rn_vol_tiff_log log;
    int64_t *owner;         /* of the tags of each page: rn_vol_field */
    int taken;              /* pages so far */
    int64_t pages, largest; /* written; the most bytes of one */
};

/* Numbered names: see rn_write_tiff_takes_files. */
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

static int choose_format(struct tiff_sink *s, const char *wanted)
{
    const struct rn_geom *geom = &s->base.geom;
    if (wanted)
        return rn_pix_export_find(wanted, formats, "a TIFF stack", &s->fmt);
    s->native = geom->fmt.model != RN_YUV && (geom->scan || geom->fmt.number != RN_NUMBER_UNSIGNED);
    s->fmt = s->native ? rn_vol_pixfmt(&geom->fmt) : rn_pix_export_choose(geom, formats);
    return s->fmt != AV_PIX_FMT_NONE ? 0 : rn_pix_export_refuse(geom, "a TIFF stack");
}

static bool is_ome(const struct tiff_sink *s)
{
    const char *name = s->base.name, *end = strrchr(name, '.');
    return end && end - name > 4 && !av_strncasecmp(end - 4, ".ome", 4);
}

/* ImageJ takes no colours of 16 bits; OME-XML has the lines as a comment. */
static bool has_lines(const struct tiff_sink *s)
{
    const struct rn_format *fmt = &s->base.geom.fmt;
    return is_ome(s) || (fmt->model == RN_GRAY && !fmt->alpha) || s->fmt == AV_PIX_FMT_RGB24;
}

/* Chooses the storage. Numbered files get the native one, which always fits: no rewriting. */
static void choose_storage(struct tiff_sink *s)
{
    const AVPixFmtDescriptor *desc = av_pix_fmt_desc_get(s->fmt);
    const struct rn_format *fmt = &s->base.geom.fmt;
    bool whole = s->native && fmt->number == RN_NUMBER_UNSIGNED;
    char name[16], other[16];
    s->tags.comps = desc->nb_components;
    s->tags.storage = (struct rn_write_tiff_storage){.bits = desc->comp[0].depth};
    if (!s->native)
        return;
    s->tags.depth = whole && fmt->depth > 8 && fmt->depth < 16 ? fmt->depth : 0;
    struct rn_write_tiff_storage native = rn_write_tiff_storage_native(&s->volume, fmt);
    s->tags.storage = rn_write_tiff_storage_like(&s->volume, fmt);
    bool odd = s->tags.storage.bits < 8 || /* which OME-XML has no type for */
               (s->tags.storage.bits == 16 && s->tags.storage.number == RN_NUMBER_FLOAT);
    if (!(s->base.pattern.prefix || (odd && is_ome(s))) || s->tags.storage.bits == native.bits)
        return;
    if (s->base.purpose != RN_WRITE_REHEARSAL)
        rn_log(RN_LOG_INFO, "'%s': the input's %s are written as %s (a stack keeps them)",
               s->base.name, rn_write_tiff_storage_name(&s->tags.storage, name),
               rn_write_tiff_storage_name(&native, other));
    s->tags.storage = native;
}

static int set_options(struct tiff_sink *s, const struct rn_write_opts *opts)
{
    static const char key[] = "compression_algo";
    if (opts->codec && strcmp(opts->codec, "tiff") != 0)
        return rn_fail(RN_EUSAGE, "'%s' is a TIFF stack: its only codec is tiff", s->base.name);
    RN_OWNED(av_dict_free) AVDictionary *dict = NULL;
    int err = rn_write_codec_options_parse(opts->codec_opts, &dict);
    const AVDictionaryEntry *e = av_dict_get(dict, key, NULL, AV_DICT_MATCH_CASE);
    /* FFmpeg's encoder calls none raw. */
    if (!err && e &&
        !rn_write_compression_parse(strcmp(e->value, "raw") != 0 ? e->value : "none",
                                    &s->tags.wanted))
        err = rn_fail(RN_EUSAGE, "--codec-opts: compression_algo is raw, packbits, lzw or deflate");
    if (!err && e && av_dict_set(&dict, key, NULL, AV_DICT_MATCH_CASE) < 0)
        err = rn_fail_memory();
    err = err ? err : rn_write_codec_options_check(dict, "a TIFF stack", NULL);
    if (opts->compression.kind)
        s->tags.wanted = opts->compression;
    return err ? err : rn_write_tiff_tags_check(&s->tags.wanted);
}

static int tiff_open(struct rn_write_sink *sink, const struct rn_write_opts *opts)
{
    struct tiff_sink *s = (struct tiff_sink *)sink;
    const struct rn_io_media *media = &sink->media;
    const struct rn_io_stream *stream = &media->stream;
    const struct rn_geom *geom = &sink->geom;
    s->threads = rn_io_threads(opts->threads);
    s->frame = av_frame_alloc();
    int err = s->frame ? set_options(s, opts) : rn_fail_memory();
    err = err ? err : choose_format(s, opts->pix_fmt);
    if (!err && s->native)
        err = (s->row = av_malloc_array((size_t)geom->w, 16)) ? 0 : rn_fail_memory();
    if (!err && !s->native) /* like the encoder of single images */
        err = rn_pix_export_create(&s->export, geom, s->fmt,
                                   geom->full_range && geom->fmt.model != RN_RGB, geom->matrix,
                                   media->first->chroma_location);
    if (err)
        return err;
    rn_write_volume_out(&s->volume, sink, opts->made_by);
    s->volume.changed |= (opts->pix_fmt ? RN_CHANGED_VALUES : 0) |
                         (!has_lines(s)          ? RN_TIFF_NO_LINES
                          : sink->pattern.prefix ? RN_TIFF_LINES | RN_TIFF_PAGE_LINES
                                                 : RN_TIFF_LINES) |
                         (is_ome(s) ? 0 : RN_TIFF_NO_XML);
    choose_storage(s);
    double pages = (double)(stream->frames >= 0 ? stream->frames : UNKNOWN_FRAMES);
    double bytes = (double)geom->w * geom->h * s->tags.comps * rn_format_bytes(&geom->fmt);
    s->big = bytes * (sink->pattern.prefix ? 1 : pages) > CLASSIC_LIMIT;
    const struct rn_vol_field *dots =
        rn_vol_fields_find(&s->volume, RN_TIFF_FORMAT, RN_TIFF_RESOLUTION, RN_TIFF_TAG_NONE);
    if (s->volume.spacing[0] > 0 && s->volume.spacing[1] > 0) {
        double unit = rn_vol_tiff_text_unit(&s->volume);
        s->tags.xres = unit / s->volume.spacing[0];
        s->tags.yres = unit / s->volume.spacing[1];
        s->tags.unit = unit == 10 ? RESUNIT_CENTIMETER : RESUNIT_NONE;
    } else if (dots) {
        s->tags.xres = ((const double *)dots->data)[0];
        s->tags.yres = ((const double *)dots->data)[1];
        s->tags.unit = RESUNIT_INCH;
    } else if (stream->aspect.den && stream->aspect.num != stream->aspect.den) {
        s->tags.xres = stream->aspect.den; /* wide pixels: fewer of them per unit */
        s->tags.yres = stream->aspect.num;
    }
    if (sink->purpose == RN_WRITE_REHEARSAL || s->native)
        return 0;
    if (rn_pix_export_uses_matrix(s->export))
        rn_io_media_announce_matrix(media);
    rn_pix_export_announce(s->export, "tiff", "", !media->transparent,
                           opts->pix_fmt ? NULL : opts->losses);
    return 0;
}

static void tiff_release(struct rn_write_sink *sink)
{
    struct tiff_sink *s = (struct tiff_sink *)sink;
    rn_write_tiff_strips_destroy(&s->strips);
    rn_vol_tiff_close(&s->tif);
    rn_pix_export_destroy(&s->export);
    av_frame_free(&s->frame);
    av_free(s->row);
    av_free(s->owner);
}

/* ---- writing */

static int fail(const struct tiff_sink *s)
{
    if (s->log.cause)
        return rn_write_fail(s->base.name, s->log.cause);
    return rn_fail(RN_EOUTPUT, "cannot write '%s': %s", s->base.name,
                   *s->log.first ? s->log.first : "libtiff failed");
}

static bool set_description(const struct tiff_sink *s)
{
    struct rn_vol v = s->volume;
    int first = s->base.pattern.prefix ? (int)s->pages : 0;
    if (s->base.pattern.prefix)
        rn_vol_cut(&v, s->pages, 1);
    bool is_float = s->tags.storage.number == RN_NUMBER_FLOAT;
    RN_OWNED(rn_free_owned) char *text = NULL;
    char type[16];
    rn_write_tiff_storage_name(&s->tags.storage, type);
    if (has_lines(s))
        text = is_ome(s) ? rn_vol_ome_write(&v, is_float ? "float" : type, s->tags.comps)
                         : rn_vol_tiff_text_write(&v);
    bool ok =
        rn_vol_tiff_tags_set(s->tif, &v, 0) && rn_vol_tiff_tags_set(s->tif, &v, s->owner[first]) &&
        (!has_lines(s) || (text && TIFFSetField(s->tif, TIFFTAG_IMAGEDESCRIPTION, text) &&
                           rn_vol_tiff_imagej_set(s->tif, &v, s->owner + first, s->taken - first)));
    return ok && (!*v.made_by || TIFFSetField(s->tif, TIFFTAG_SOFTWARE, v.made_by));
}

/* Returns the colour profile of the input if it is for such samples. */
static const AVFrameSideData *profile_of(const struct tiff_sink *s)
{
    const AVFrameSideData *icc =
        av_frame_get_side_data(s->base.media.first, AV_FRAME_DATA_ICC_PROFILE);
    const char *space = s->tags.comps > 2 ? "RGB " : "GRAY"; /* behind 16 bytes of the profile */
    return icc && icc->size >= 128 && !memcmp(icc->data + 16, space, 4) ? icc : NULL;
}

static bool set_tags(const void *opaque, TIFF *t, int w, int h)
{
    return rn_write_tiff_tags_set(&((const struct tiff_sink *)opaque)->tags, t, w, h);
}

static int64_t size_so_far(const struct tiff_sink *s)
{
    struct stat st;
    return stat(s->base.file.temp, &st) ? 0 : st.st_size;
}

/* Drops a page that libtiff has no memory for: those before it are a whole file. */
static int withdraw_page(struct tiff_sink *s, const struct rn_vol_tiff_log *log)
{
    int err = rn_fail(RN_EINTERNAL, "cannot make a page of '%s': %s", s->base.name,
                      *log->first ? log->first : "out of memory");
    rn_write_tiff_withdraw(s->tif);
    s->log = (struct rn_vol_tiff_log){.cause = 0};
    return err;
}

static int begin_file(struct tiff_sink *s, int64_t number)
{
    int err = rn_write_begin_file(&s->base, number);
    if (err)
        return err;
    errno = 0;
    s->tif = rn_vol_tiff_open(s->base.file.temp, s->big ? "w8" : "w", &s->log);
    if (s->tif)
        rn_vol_tiff_tags_declare(s->tif);
    return s->tif ? 0 : fail(s);
}

/* Begins a page if it fits on the disk; else those before it are a whole file. A page takes about
 * as much as the largest before it, the first one as much as its samples and what compression may
 * add.
 */
static int begin_page(struct tiff_sink *s, const struct rn_write_tiff_strip *strip)
{
    bool numbered = s->base.pattern.prefix;
    int err = numbered ? begin_file(s, strip->page->pts) : 0;
    if (err)
        return err;
    int64_t raw = ((int64_t)rn_write_tiff_tags_row(&s->tags, s->base.geom.w) + 32) * s->base.geom.h;
    int64_t estimate = s->pages ? s->largest + s->largest / 4 : raw + raw / 2;
    s->begin = size_so_far(s);
    int cause = rn_outfile_reserve(&s->base.file, s->begin + estimate + 2048);
    if (cause)
        return rn_write_fail(s->base.name, cause);
    const AVFrameSideData *icc = profile_of(s);
    bool described = !s->pages || numbered; /* the first page of a file */
    if (!set_tags(s, s->tif, strip->page->width, strip->page->height) ||
        !TIFFSetField(s->tif, TIFFTAG_ROWSPERSTRIP, strip->rows) ||
        (icc && !TIFFSetField(s->tif, TIFFTAG_ICCPROFILE, (uint32_t)icc->size, icc->data)) ||
        !(described ? set_description(s)
                    : rn_vol_tiff_tags_set(s->tif, &s->volume, s->owner[s->pages])))
        return withdraw_page(s, &s->log);
    return 0;
}

/* True if the file has the pages that were written: libtiff does not report every failure. */
static bool has_pages(struct tiff_sink *s, int64_t wanted)
{
    RN_OWNED(rn_vol_tiff_close) TIFF *tif = rn_vol_tiff_open(s->base.file.temp, "rm", &s->log);
    int64_t n = 0;
    bool fine = tif != NULL;
    for (; fine; n++) {
        struct rn_vol_tiff_page page;
        fine = rn_vol_tiff_describe(tif, &page, s->log.first, sizeof s->log.first) &&
               page.w == s->base.geom.w && page.h == s->base.geom.h && page.fmt == s->fmt;
        if (!TIFFReadDirectory(tif))
            break;
    }
    return fine && n + 1 == wanted && !*s->log.first;
}

static int end_page(struct tiff_sink *s)
{
    int64_t size = size_so_far(s) - s->begin;
    int err = 0;
    s->largest = size > s->largest ? size : s->largest;
    if (s->base.pattern.prefix) {
        rn_vol_tiff_close(&s->tif);
        err = !*s->log.first && has_pages(s, 1) ? 0 : fail(s);
        err = err ? err : rn_outfile_commit(&s->base.file, false);
        rn_outfile_free(&s->base.file);
    }
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
    rn_stall_beat();
    if (TIFFWriteRawStrip(s->tif, number, (void *)(uintptr_t)strip->data, (tmsize_t)strip->size) <
            0 ||
        (strip->last && !TIFFWriteDirectory(s->tif)) ||
        *s->log.first) /* libtiff logs some failures, but does not return them */
        return fail(s);
    return strip->last ? end_page(s) : 0;
}

static int begin(struct tiff_sink *s)
{
    size_t row = rn_write_tiff_tags_row(&s->tags, s->base.geom.w);
    int rows = row < STRIP_BYTES ? (int)(STRIP_BYTES / row) : 1;
    s->strips = rn_write_tiff_strips_create(&(struct rn_write_tiff_strips_setup){
        .threads = s->tags.wanted.kind == RN_COMPRESSION_NONE ? 1 : s->threads,
        .rows = rows < s->base.geom.h ? rows : s->base.geom.h,
        .row = row,
        .tags = set_tags,
        .put = put_strip,
        .opaque = s,
    });
    if (!s->strips)
        return rn_fail_memory();
    return s->base.pattern.prefix ? 0 : begin_file(s, 0);
}

/* ---- native samples */

static int make_page(struct tiff_sink *s)
{
    AVFrame *f = s->frame;
    size_t row = rn_write_tiff_tags_row(&s->tags, s->base.geom.w);
    av_frame_unref(f);
    f->buf[0] = av_buffer_alloc(row * (size_t)s->base.geom.h);
    if (!f->buf[0])
        return rn_fail_memory();
    f->format = s->fmt;
    f->width = s->base.geom.w;
    f->height = s->base.geom.h;
    f->data[0] = f->buf[0]->data;
    f->linesize[0] = (int)row;
    return 0;
}

static bool pack_row(struct tiff_sink *s, int y, const uint8_t *row)
{
    return rn_write_tiff_storage_pack(&s->tags.storage, &s->base.geom.fmt, row,
                                      (size_t)s->base.geom.w * (size_t)s->tags.comps,
                                      s->frame->data[0] + y * s->frame->linesize[0]);
}

static bool pack(struct tiff_sink *s, const struct rn_image *img)
{
    bool fits = true;
    for (int y = 0; y < s->base.geom.h && fits; y++)
        fits = pack_row(s, y, rn_vol_pixels_row(img, y, s->row));
    return fits;
}

static int copy_pages(struct tiff_sink *s, const char *path, int64_t n)
{
    const struct rn_geom *geom = &s->base.geom;
    size_t row = (size_t)geom->w * (size_t)s->tags.comps * (size_t)rn_format_bytes(&geom->fmt);
    RN_OWNED(rn_vol_tiff_close) TIFF *from = rn_vol_tiff_open(path, "rm", &s->log);
    /* As the reader gives them. */
    RN_OWNED(av_freep) uint8_t *pixels = av_malloc(row * (size_t)geom->h);
    int err = !pixels ? rn_fail_memory() : from ? 0 : fail(s);
    for (int64_t i = 0; i < n && !err; i++) {
        struct rn_vol_tiff_page page;
        unsigned found = 0;
        bool ok = rn_vol_tiff_describe(from, &page, s->log.first, sizeof s->log.first) &&
                  page.size == row * (size_t)geom->h &&
                  rn_vol_tiff_read(from, &page, NULL, pixels, &found) == RN_TIFF_WHOLE;
        TIFFReadDirectory(from);
        err = ok ? make_page(s) : fail(s);
        for (int y = 0; y < geom->h && !err; y++)
            pack_row(s, y, pixels + (size_t)y * page.stride);
        err = err ? err : rn_write_tiff_strips_write(s->strips, s->frame);
    }
    return err;
}

/* Changes to the native storage, because a sample does not fit that of the input. Rewrites the
 * pages before it, too, since all pages of a stack are alike. */
static int store_natively(struct tiff_sink *s)
{
    char name[16], other[16];
    struct rn_write_tiff_storage before = s->tags.storage;
    struct rn_write_tiff_storage native =
        rn_write_tiff_storage_native(&s->volume, &s->base.geom.fmt);
    rn_log(RN_LOG_INFO,
           "'%s': filtered samples do not fit %s, the input's type: they are stored as %s",
           s->base.name, rn_write_tiff_storage_name(&before, name),
           rn_write_tiff_storage_name(&native, other));
    int err = s->strips ? rn_write_tiff_strips_flush(s->strips) : 0;
    s->tags.storage = native;
    if (err || !s->tif)
        return err;
    rn_write_tiff_strips_destroy(&s->strips);
    rn_vol_tiff_close(&s->tif);
    struct rn_outfile old = s->base.file;
    int64_t n = s->pages;
    s->base.file = (struct rn_outfile){0};
    s->pages = s->largest = 0;
    err = begin(s);
    err = err ? err : copy_pages(s, old.temp, n);
    rn_outfile_free(&old);
    return err;
}

/* Fills s->frame with the samples as the file stores them. */
static int store(struct tiff_sink *s, const struct rn_image *img)
{
    int err = make_page(s);
    if (err || pack(s, img))
        return err;
    err = store_natively(s);
    err = err ? err : make_page(s);
    return err || pack(s, img) ? err
                               : rn_fail(RN_EINTERNAL, "'%s': samples do not fit", s->base.name);
}

static int tiff_write(struct rn_write_sink *sink, const struct rn_image *img,
                      const struct rn_frame *frame)
{
    struct tiff_sink *s = (struct tiff_sink *)sink;
    av_frame_unref(s->frame);
    int err = s->native ? store(s, img) : rn_pix_export(s->export, img, frame->by_field, s->frame);
    err = err || s->strips ? err : begin(s);
    s->frame->pts = rn_io_frame_number(frame);
    int64_t owner = frame->index - sink->media.first_number + sink->media.first_index + 1;
    if (!err && !av_dynarray2_add((void **)&s->owner, &s->taken, sizeof owner, (void *)&owner))
        err = rn_fail_memory();
    return err ? err : rn_write_tiff_strips_write(s->strips, s->frame);
}

/* ---- the end */

static int commit_stack(struct tiff_sink *s, enum rn_write_ending ending)
{
    bool miscounted = s->pages && rn_vol_pictures(&s->volume) != s->pages;
    if (!*s->log.first && ending != RN_ENDING_ABANDON && miscounted) {
        rn_write_volume_out_end(&s->volume, &s->base, s->pages);
        if (TIFFSetDirectory(s->tif, 0) && set_description(s))
            TIFFRewriteDirectory(s->tif);
    }
    rn_vol_tiff_close(&s->tif);
    if (ending == RN_ENDING_ABANDON)
        return 0;
    if (!*s->log.first && s->pages > 0 && has_pages(s, s->pages))
        return rn_outfile_commit(&s->base.file, ending == RN_ENDING_PARTIAL);
    int err = s->base.failed ? 0 : fail(s);
    rn_log(RN_LOG_WARNING, "'%s': nothing could be kept", s->base.name);
    return err;
}

/* Writes the remaining pages, and ends the file. */
static int end_file(struct tiff_sink *s, enum rn_write_ending ending)
{
    int err = 0;
    if (ending != RN_ENDING_ABANDON && !s->base.failed &&
        (err = rn_write_tiff_strips_flush(s->strips)) != 0) {
        s->base.failed = true;
        ending = RN_ENDING_PARTIAL;
    }
    if (s->base.ledger)
        s->base.ledger->out = (struct rn_io_outflow){.counted = true,
                                                     .frames = s->taken,
                                                     .copied = s->native ? 0 : s->taken,
                                                     .encoded = s->pages,
                                                     .packets = s->pages};
    rn_write_tiff_strips_destroy(&s->strips);
    int ended = s->base.pattern.prefix || !s->tif ? 0 : commit_stack(s, ending);
    return err ? err : ended;
}

static int tiff_close(struct rn_write_sink *sink, enum rn_write_ending ending)
{
    struct tiff_sink *s = (struct tiff_sink *)sink;
    int err = s->strips ? end_file(s, ending) : 0;
    if (err || ending != RN_ENDING_COMPLETE)
        return err;
    if (!is_ome(s) && !rn_vol_tiff_text_has_order(&s->volume))
        rn_losses_add(sink->losses, "geometry",
                      "'%s': ImageJ's order is channels, slices, times: these pictures have "
                      "another one, and count as slices (.nrrd keeps it)",
                      sink->name);
    rn_write_volume_out_fields(&s->volume, sink, RN_TIFF_FORMAT);
    if (!s->tags.storage.white_is_zero && s->native)
        rn_write_volume_out_inverted(&s->volume, sink);
    struct rn_write_written written = rn_write_written_of(sink, sink->geom.w, sink->geom.h, s->fmt);
    written.requested = profile_of(s) ? RN_TRAIT_ICC : 0;
    rn_write_compare(&written);
    return 0;
}

const struct rn_write_ops rn_write_tiff_sink = {
    .size = sizeof(struct tiff_sink),
    .numbered = true,
    .compresses = true,
    .rated = true, /* by ImageJ's lines in the first page */
    .match = tiff_match,
    .open = tiff_open,
    .write = tiff_write,
    .close = tiff_close,
    .release = tiff_release,
};
