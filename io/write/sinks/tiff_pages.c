/* SPDX-License-Identifier: MIT */
#include "io/write/sinks/tiff_pages.h"

#include "filters/base/log.h"
#include "filters/base/threads/workers.h"
#include "io/common/av.h"
#include "io/pixels/pixfmt.h"

#include <assert.h>

#include <libavutil/intfloat.h>

/* White can be 0 only if all values of the stored samples are levels. */
struct rn_write_tiff_storage rn_write_tiff_storage_native(const struct rn_vol *v,
                                                          const struct rn_format *fmt)
{
    int bits = 8 * rn_format_bytes(fmt);
    bool whole = fmt->number == RN_NUMBER_UNSIGNED && fmt->model == RN_GRAY && !fmt->alpha;
    return (struct rn_write_tiff_storage){.bits = bits,
                                          .number = fmt->number,
                                          .white_is_zero =
                                              v->white_is_zero && whole && bits == fmt->depth};
}

struct rn_write_tiff_storage rn_write_tiff_storage_like(const struct rn_vol *v,
                                                        const struct rn_format *fmt)
{
    struct rn_write_tiff_storage s = rn_write_tiff_storage_native(v, fmt);
    bool gray = fmt->model == RN_GRAY && !fmt->alpha;
    bool narrow = fmt->number == RN_NUMBER_UNSIGNED     ? fmt->depth == 8 && v->stored_bits < 8
                  : fmt->number == RN_NUMBER_SIGNED     ? v->stored_bits == 8
                  : v->stored_number == RN_NUMBER_FLOAT ? v->stored_bits == 16
                                                        : v->stored_bits == 32;
    if (!gray || !v->stored_bits || !narrow)
        return s;
    s.bits = v->stored_bits;
    s.number = v->stored_number;
    return s;
}

const char *rn_write_tiff_storage_name(const struct rn_write_tiff_storage *s, char buf[16])
{
    snprintf(buf, 16, "%s%d",
             s->number == RN_NUMBER_FLOAT    ? "float"
             : s->number == RN_NUMBER_SIGNED ? "int"
                                             : "uint",
             s->bits);
    return buf;
}

/* ---- packing */

static bool pack_bits(const struct rn_write_tiff_storage *s, const uint8_t *row, size_t n,
                      uint8_t *to)
{
    unsigned max = (1u << s->bits) - 1, buffer = 0;
    int bits = 0; /* in the buffer */
    for (size_t x = 0; x < n; x++) {
        unsigned v = (unsigned)row[x] >> (8 - s->bits);
        if (rn_pix_sample_widen(v, s->bits, 8) != row[x])
            return false;
        buffer = buffer << s->bits | (s->white_is_zero ? max - v : v);
        for (bits += s->bits; bits >= 8; bits -= 8)
            *to++ = (uint8_t)(buffer >> (bits - 8));
    }
    if (bits)
        *to = (uint8_t)(buffer << (8 - bits));
    return true;
}

static bool to_half(float v, uint16_t *half)
{
    uint32_t bits = av_float2int(v);
    uint16_t sign = (uint16_t)(bits >> 16 & 0x8000);
    float size = fabsf(v);
    if (!isfinite(v)) {
        *half = (uint16_t)(sign | 0x7c00 | (isnan(v) ? 0x200 : 0));
        return true;
    }
    if (size < 0x1p-14f) {
        float steps = size * 0x1p24f;
        *half = (uint16_t)(sign | (uint16_t)steps);
        return steps == truncf(steps);
    }
    *half = (uint16_t)(sign | (((bits >> 13) - (112u << 10)) & 0x7fff));
    return size <= 65504 && !(bits & 0x1fff);
}

bool rn_write_tiff_storage_pack(const struct rn_write_tiff_storage *s, const struct rn_format *fmt,
                                const uint8_t *row, size_t n, uint8_t *to)
{
    const void *samples = row;
    const float *values = samples;
    void *out = to;
    size_t x = 0;
    if (s->bits < 8)
        return pack_bits(s, row, n, to);
    if (fmt->number == RN_NUMBER_SIGNED && s->bits == 8) {
        const int16_t *shorts = samples;
        for (; x < n && shorts[x] >= INT8_MIN && shorts[x] <= INT8_MAX; x++)
            to[x] = (uint8_t)shorts[x];
        return x == n;
    }
    if (fmt->number == RN_NUMBER_FLOAT && s->bits == 16) {
        uint16_t *halves = out;
        while (x < n && to_half(values[x], &halves[x]))
            x++;
        return x == n;
    }
    if (fmt->number == RN_NUMBER_FLOAT && s->number != RN_NUMBER_FLOAT) {
        bool is_signed = s->number == RN_NUMBER_SIGNED;
        float least = is_signed ? -0x1p31f : 0, end = is_signed ? 0x1p31f : 0x1p32f;
        uint32_t *integers = out;
        for (x = 0; x < n; x++) {
            if (!(values[x] >= least && values[x] < end) || values[x] != truncf(values[x]))
                return false;
            integers[x] = (uint32_t)(int64_t)values[x];
        }
        return true;
    }
    size_t bytes = n * (size_t)s->bits / 8;
    if (!s->white_is_zero)
        memcpy(to, row, bytes);
    for (size_t i = 0; s->white_is_zero && i < bytes; i++)
        to[i] = (uint8_t)~row[i];
    return true;
}

/* ---- tags */

static const int codecs[] = {
    [RN_COMPRESSION_DEFAULT] = COMPRESSION_ADOBE_DEFLATE, [RN_COMPRESSION_NONE] = COMPRESSION_NONE,
    [RN_COMPRESSION_PACKBITS] = COMPRESSION_PACKBITS,     [RN_COMPRESSION_LZW] = COMPRESSION_LZW,
    [RN_COMPRESSION_DEFLATE] = COMPRESSION_ADOBE_DEFLATE, [RN_COMPRESSION_ZSTD] = COMPRESSION_ZSTD,
};

int rn_write_tiff_tags_check(const struct rn_write_compression *wanted)
{
    return TIFFIsCODECConfigured((uint16_t)codecs[wanted->kind])
               ? 0
               : rn_fail(RN_EUSAGE, "this libtiff was built without %s",
                         rn_write_compression_name(wanted->kind));
}

/* libdeflate takes two to four times as long at level 6 as at 4, for files that are 3 to 5 %
 * smaller, or larger if scans are noisy. */
#define DEFLATE_LEVEL 4

/* Floats get no predictor: not all readers know theirs. */
static bool set_compression(const struct rn_write_tiff_tags *tags, TIFF *t)
{
    const struct rn_write_tiff_storage *s = &tags->storage;
    int codec = codecs[tags->wanted.kind], level = tags->wanted.level;
    bool ok = TIFFSetField(t, TIFFTAG_COMPRESSION, codec);
    bool predicts = codec != COMPRESSION_NONE && codec != COMPRESSION_PACKBITS;
    if (predicts && s->number != RN_NUMBER_FLOAT && s->bits >= 8)
        ok = ok && TIFFSetField(t, TIFFTAG_PREDICTOR, PREDICTOR_HORIZONTAL);
    if (codec == COMPRESSION_ADOBE_DEFLATE)
        ok = ok && TIFFSetField(t, TIFFTAG_ZIPQUALITY, level ? level : DEFLATE_LEVEL);
    else if (level) /* which LZW has not */
        ok = ok && TIFFSetField(t, TIFFTAG_ZSTD_LEVEL, level);
    return ok;
}

static bool set_samples(const struct rn_write_tiff_tags *tags, TIFF *t)
{
    const struct rn_write_tiff_storage *s = &tags->storage;
    int format = s->number == RN_NUMBER_FLOAT    ? SAMPLEFORMAT_IEEEFP
                 : s->number == RN_NUMBER_SIGNED ? SAMPLEFORMAT_INT
                                                 : SAMPLEFORMAT_UINT;
    int photometric = tags->comps > 2    ? PHOTOMETRIC_RGB
                      : s->white_is_zero ? PHOTOMETRIC_MINISWHITE
                                         : PHOTOMETRIC_MINISBLACK;
    bool ok = TIFFSetField(t, TIFFTAG_BITSPERSAMPLE, s->bits) &&
              TIFFSetField(t, TIFFTAG_SAMPLEFORMAT, format) &&
              TIFFSetField(t, TIFFTAG_SAMPLESPERPIXEL, tags->comps) &&
              TIFFSetField(t, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) &&
              TIFFSetField(t, TIFFTAG_PHOTOMETRIC, photometric);
    if (tags->comps == 2 || tags->comps == 4) {
        uint16_t alpha = EXTRASAMPLE_UNASSALPHA;
        ok = ok && TIFFSetField(t, TIFFTAG_EXTRASAMPLES, 1, &alpha);
    }
    if (tags->depth)
        ok = ok && TIFFSetField(t, TIFFTAG_MAXSAMPLEVALUE, (1 << tags->depth) - 1);
    return ok;
}

bool rn_write_tiff_tags_set(const struct rn_write_tiff_tags *tags, TIFF *t, int w, int h)
{
    bool ok = TIFFSetField(t, TIFFTAG_SUBFILETYPE, FILETYPE_PAGE) &&
              TIFFSetField(t, TIFFTAG_IMAGEWIDTH, w) && TIFFSetField(t, TIFFTAG_IMAGELENGTH, h) &&
              TIFFSetField(t, TIFFTAG_ROWSPERSTRIP, h) && set_samples(tags, t) &&
              set_compression(tags, t);
    if (tags->xres > 0)
        ok = ok &&
             TIFFSetField(t, TIFFTAG_RESOLUTIONUNIT, tags->unit ? tags->unit : RESUNIT_NONE) &&
             TIFFSetField(t, TIFFTAG_XRESOLUTION, tags->xres) &&
             TIFFSetField(t, TIFFTAG_YRESOLUTION, tags->yres);
    return ok;
}

struct memory {
    uint8_t *data;
    size_t size, capacity, at;
};

struct job {
    struct rn_write_tiff_strip strip;
    const struct rn_write_tiff_strips_setup *setup;
    AVFrame *page; /* a reference */
    struct memory file;
};

struct rn_write_tiff_strips {
    struct rn_write_tiff_strips_setup setup;
    struct rn_workers *workers;
    int njobs;
    int64_t pushed;
    struct job job[];
};

/* ---- a TIFF in memory */

static tmsize_t memory_write(thandle_t handle, void *data, tmsize_t size)
{
    struct memory *m = handle;
    size_t end = m->at + (size_t)size;
    if (end > m->capacity) {
        uint8_t *more = av_realloc(m->data, end + end / 4);
        if (!more) {
            errno = ENOMEM;
            return -1;
        }
        m->data = more;
        m->capacity = end + end / 4;
    }
    if (m->at > m->size)
        memset(m->data + m->size, 0, m->at - m->size);
    memcpy(m->data + m->at, data, (size_t)size);
    m->at = end;
    m->size = end > m->size ? end : m->size;
    return size;
}

/* libtiff reads nothing of a strip that it writes. */
static tmsize_t memory_read(thandle_t handle, void *data, tmsize_t size)
{
    return -1;
}

static toff_t memory_seek(thandle_t handle, toff_t offset, int whence)
{
    struct memory *m = handle;
    size_t from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? m->at : m->size;
    m->at = from + (size_t)offset;
    return m->at;
}

static int memory_close(thandle_t handle)
{
    return 0;
}

static toff_t memory_size(thandle_t handle)
{
    return ((const struct memory *)handle)->size;
}

static TIFF *open_memory(struct memory *m, struct rn_vol_tiff_log *log)
{
    TIFFOpenOptions *opts = TIFFOpenOptionsAlloc();
    if (!opts)
        return NULL;
    rn_vol_tiff_listen(opts, log);
    m->size = m->at = 0;
    TIFF *tif = TIFFClientOpenExt("memory", "wm", m, memory_read, memory_write, memory_seek,
                                  memory_close, memory_size, NULL, NULL, opts);
    TIFFOpenOptionsFree(opts);
    return tif;
}

void rn_write_tiff_withdraw(TIFF *tif)
{
    TIFFSetField(tif, TIFFTAG_COMPRESSION, COMPRESSION_NONE); /* frees the codec's memory */
    TIFFFreeDirectory(tif);
    TIFFCreateDirectory(tif);
}

/* ---- one strip */

static void compress_strip(void *piece)
{
    struct job *job = piece;
    struct rn_write_tiff_strip *strip = &job->strip;
    const AVFrame *f = job->page;
    size_t row = job->setup->row, size = row * (size_t)strip->rows;
    errno = 0;
    TIFF *tif = open_memory(&job->file, &strip->log);
    uint8_t *rows = tif ? av_malloc(size) : NULL; /* a copy, because libtiff changes its input */
    bool ok = rows && job->setup->tags(job->setup->opaque, tif, f->width, strip->rows);
    for (int i = 0; ok && i < strip->rows; i++)
        memcpy(rows + (size_t)i * row, f->data[0] + (ptrdiff_t)(strip->y + i) * f->linesize[0],
               row);
    ok = ok && TIFFWriteEncodedStrip(tif, 0, rows, (tmsize_t)size) >= 0;
    av_free(rows);
    size_t offset = ok ? TIFFGetStrileOffset(tif, 0) : 0;
    strip->size = ok ? TIFFGetStrileByteCount(tif, 0) : 0;
    if (tif) { /* after failing to get memory libtiff would stumble over a directory */
        rn_write_tiff_withdraw(tif);
        TIFFClose(tif);
    }
    strip->data = ok ? job->file.data + offset : NULL;
}

/* ---- pages */

struct rn_write_tiff_strips *
rn_write_tiff_strips_create(const struct rn_write_tiff_strips_setup *setup)
{
    int n = setup->threads > 1 ? 2 * setup->threads + 2 : 1;
    struct rn_write_tiff_strips *s = av_mallocz(sizeof *s + (size_t)n * sizeof s->job[0]);
    if (!s)
        return NULL;
    s->setup = *setup;
    s->njobs = n;
    s->workers = rn_workers_create(setup->threads, n, compress_strip);
    bool ok = s->workers != NULL;
    for (int i = 0; i < n && ok; i++) {
        s->job[i].setup = &s->setup;
        ok = (s->job[i].page = av_frame_alloc()) != NULL;
    }
    if (!ok)
        rn_write_tiff_strips_destroy(&s);
    return s;
}

void rn_write_tiff_strips_destroy(struct rn_write_tiff_strips **strips)
{
    struct rn_write_tiff_strips *s = *strips;
    if (!s)
        return;
    rn_workers_destroy(&s->workers);
    for (int i = 0; i < s->njobs; i++) {
        av_frame_free(&s->job[i].page);
        av_free(s->job[i].file.data);
    }
    av_freep(strips);
}

/* Puts the strips that are compressed, and makes room for the next one; all: puts all. */
static int put_ready(struct rn_write_tiff_strips *s, bool all)
{
    const struct job *job;
    int err = 0;
    while (!err && (job = rn_workers_pop(s->workers, all || rn_workers_are_full(s->workers)))) {
        err = s->setup.put(s->setup.opaque, &job->strip);
        av_frame_unref(job->page);
    }
    return err;
}

int rn_write_tiff_strips_write(struct rn_write_tiff_strips *s, const AVFrame *page)
{
    int err = 0;
    assert(page->width > 0 && (size_t)abs(page->linesize[0]) >= s->setup.row);
    for (int y = 0; !err && y < page->height; y += s->setup.rows) {
        struct job *job = &s->job[s->pushed % s->njobs];
        int unwritten = page->height - y;
        int rows = unwritten < s->setup.rows ? unwritten : s->setup.rows;
        if (av_frame_ref(job->page, page) < 0)
            return rn_fail_memory();
        job->strip = (struct rn_write_tiff_strip){
            .page = job->page, .y = y, .rows = rows, .last = rows == unwritten};
        rn_workers_push(s->workers, job);
        s->pushed++;
        err = put_ready(s, false);
    }
    return err;
}

int rn_write_tiff_strips_flush(struct rn_write_tiff_strips *s)
{
    return put_ready(s, true);
}
