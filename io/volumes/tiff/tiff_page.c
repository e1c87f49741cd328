/* SPDX-License-Identifier: MIT */
#include "io/volumes/tiff/tiff.h"

#include "filters/base/log.h"
#include "filters/base/text/printable.h"
#include "io/common/read_at.h"
#include "io/pixels/pixfmt.h"

#include <stdarg.h>
#include <sys/stat.h>

#define LARGE_BLOCK   ((size_t)64 << 20)
#define LARGEST_RATIO 32768 /* of samples to packed bytes: more than Deflate, LZW and JPEG reach */
#define MAX_BYTES     (INT32_MAX / 2) /* of a page, and of a strip or tile */
#define MAX_CACHED    (64u << 20)     /* of a decoded page that serves its other channels */
#define MAX_FAILED                                                                                 \
    (256 << 20) /* of unreadable blocks before the first good one; then the page is bad */

/* ---- messages */

static int on_error(TIFF *tif, void *opaque, const char *module, const char *fmt, va_list args)
{
    struct rn_vol_tiff_log *log = opaque;
    int cause = errno;
    char text[sizeof log->first];
    vsnprintf(text, sizeof text, fmt, args);
    rn_printable(text, false); /* it may be written to a metrics file */
    rn_log(RN_LOG_DEBUG, "libtiff: %s", text);
    if (!*log->first) {
        memcpy(log->first, text, sizeof text);
        log->cause = cause;
    }
    return 1;
}

/* Warnings of unknown tags or wrong orders: users cannot act on them. */
static int on_warning(TIFF *tif, void *opaque, const char *module, const char *fmt, va_list args)
{
    return 1;
}

void rn_vol_tiff_listen(TIFFOpenOptions *opts, struct rn_vol_tiff_log *log)
{
    TIFFOpenOptionsSetMaxSingleMemAlloc(opts, MAX_BYTES);
    TIFFOpenOptionsSetErrorHandlerExtR(opts, on_error, log);
    TIFFOpenOptionsSetWarningHandlerExtR(opts, on_warning, NULL);
}

/* A file that is read: libtiff's own functions take a signal for its end. */
struct file {
    int fd;
    off_t at;
};

static tmsize_t file_read(thandle_t handle, void *to, tmsize_t size)
{
    struct file *f = handle;
    ssize_t got = rn_io_read_all(f->fd, to, (size_t)size, f->at);
    f->at += got > 0 ? got : 0;
    return got;
}

static tmsize_t file_write(thandle_t handle, void *data, tmsize_t size)
{
    errno = EBADF;
    return -1;
}

static toff_t file_size(thandle_t handle)
{
    struct stat st;
    return fstat(((struct file *)handle)->fd, &st) ? 0 : (toff_t)st.st_size;
}

static toff_t file_seek(thandle_t handle, toff_t offset, int whence)
{
    struct file *f = handle;
    off_t from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? f->at : (off_t)file_size(f);
    off_t at = from + (off_t)offset;
    if (at < 0)
        return (toff_t)-1;
    f->at = at;
    return (toff_t)at;
}

static int file_close(thandle_t handle)
{
    struct file *f = handle;
    int err = close(f->fd);
    free(f);
    return err;
}

static TIFF *open_to_read(const char *path, const char *mode, TIFFOpenOptions *opts,
                          struct rn_vol_tiff_log *log)
{
    struct file *f = malloc(sizeof *f);
    int fd = f ? open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY) : -1;
    if (fd < 0) {
        snprintf(log->first, sizeof log->first, "%s", strerror(f ? errno : ENOMEM));
        free(f);
        return NULL;
    }
    *f = (struct file){fd, 0};
    errno = 0;
    /* "m": reading a mapped file that shrinks would raise SIGBUS */
    TIFF *tif = TIFFClientOpenExt(path, mode, f, file_read, file_write, file_seek, file_close,
                                  file_size, NULL, NULL, opts);
    if (!tif && log->cause == EIO)
        snprintf(log->first, sizeof log->first, "%s", strerror(EIO));
    if (tif)
        (void)TIFFSetFileno(tif, fd);
    else
        file_close(f);
    return tif;
}

TIFF *rn_vol_tiff_open(const char *path, const char *mode, struct rn_vol_tiff_log *log)
{
    TIFFOpenOptions *opts = TIFFOpenOptionsAlloc();
    if (!opts)
        return NULL;
    rn_vol_tiff_listen(opts, log);
    TIFF *tif = *mode == 'r' ? open_to_read(path, mode, opts, log) : TIFFOpenExt(path, mode, opts);
    TIFFOpenOptionsFree(opts);
    return tif;
}

void rn_vol_tiff_close(TIFF **tif)
{
    if (*tif)
        TIFFClose(*tif);
    *tif = NULL;
}

/* ---- layout */

/* Sets the type of the samples, widened to whole bytes, and the format that holds them. Without
 * alpha more than 8 bits keep their number. */
static void set_format(struct rn_vol_tiff_page *page)
{
    int bits = page->bits <= 8 ? 8 : page->bits <= 16 ? 16 : page->bits;
    for (int t = 0; t < RN_STORED_TYPES; t++)
        if (rn_vol_sample_types[t].number == page->number &&
            8 * rn_vol_sample_types[t].bytes == bits)
            page->type = (enum rn_vol_sample_type)t;
    rn_vol_sample_type_format(page->type, page->comps, &page->format);
    if (page->format.depth == 16 && page->number == RN_NUMBER_UNSIGNED && !page->format.alpha)
        page->format.depth = page->bits;
}

static bool has_alpha(TIFF *tif)
{
    uint16_t n = 0, *types = NULL;
    TIFFGetFieldDefaulted(tif, TIFFTAG_EXTRASAMPLES, &n, &types);
    return n > 0 && types &&
           (types[0] == EXTRASAMPLE_ASSOCALPHA || types[0] == EXTRASAMPLE_UNASSALPHA);
}

/* Describes samples that are read as they are stored. */
static bool describe_samples(TIFF *tif, struct rn_vol_tiff_page *page, int photometric, char *why,
                             size_t size)
{
    uint16_t format = SAMPLEFORMAT_UINT;
    TIFFGetFieldDefaulted(tif, TIFFTAG_SAMPLEFORMAT, &format);
    bool is_float = format == SAMPLEFORMAT_IEEEFP;
    page->number = is_float                     ? RN_NUMBER_FLOAT
                   : format == SAMPLEFORMAT_INT ? RN_NUMBER_SIGNED
                                                : RN_NUMBER_UNSIGNED;
    page->is_inverted = photometric == PHOTOMETRIC_MINISWHITE;
    int colours = photometric == PHOTOMETRIC_RGB ? 3 : 1;
    bool whole = page->bits == 8 || page->bits == 16 || page->bits == 32 || page->bits == 64;
    bool ok = format <= SAMPLEFORMAT_VOID &&
              (is_float ? whole && page->bits > 8 : whole || page->bits <= 16);
    if (!ok || page->bits < 1 || page->stored_comps < colours) {
        snprintf(why, size, "%d samples of %d bits%s cannot be read", page->stored_comps,
                 page->bits, is_float ? " (floating point)" : "");
        return false;
    }
    page->comps = colours + (page->stored_comps > colours && has_alpha(tif));
    if (page->comps == 2 && (is_float || page->bits > 16))
        page->comps = 1; /* no pixel format has alpha here */
    page->channels = colours == 1 && !has_alpha(tif) ? page->stored_comps : 1;
    set_format(page);
    return true;
}

static bool describe_converted(TIFF *tif, struct rn_vol_tiff_page *page, char *why, size_t size)
{
    char text[1024] = "";
    page->convert = true;
    page->comps = has_alpha(tif) ? 4 : 3;
    page->format = (struct rn_format){.model = RN_RGB, .depth = 8, .alpha = page->comps == 4};
    if (TIFFRGBAImageOK(tif, text))
        return true;
    snprintf(why, size, "%.120s", text);
    return false;
}

bool rn_vol_tiff_describe(TIFF *tif, struct rn_vol_tiff_page *page, char *why, size_t size)
{
    *page = (struct rn_vol_tiff_page){.channels = 1};
    uint32_t w = 0, h = 0, slices = 1;
    uint16_t bits = 1, comps = 1, photometric = PHOTOMETRIC_MINISBLACK, planar = 0, codec = 0;
    TIFFGetField(tif, TIFFTAG_IMAGEWIDTH, &w);
    TIFFGetField(tif, TIFFTAG_IMAGELENGTH, &h);
    TIFFGetField(tif, TIFFTAG_IMAGEDEPTH, &slices);
    TIFFGetFieldDefaulted(tif, TIFFTAG_BITSPERSAMPLE, &bits);
    TIFFGetFieldDefaulted(tif, TIFFTAG_SAMPLESPERPIXEL, &comps);
    TIFFGetFieldDefaulted(tif, TIFFTAG_PLANARCONFIG, &planar);
    TIFFGetFieldDefaulted(tif, TIFFTAG_COMPRESSION, &codec);
    if (!TIFFGetField(tif, TIFFTAG_PHOTOMETRIC, &photometric) && comps >= 3)
        photometric = PHOTOMETRIC_RGB;
    if (!w || !h || w > RN_MAX_SIDE || h > RN_MAX_SIDE) {
        snprintf(why, size, "%ux%u pixels: at most %d a side", w, h, RN_MAX_SIDE);
        return false;
    }
    if (slices > 1) {
        snprintf(why, size, "it is a volume of %u slices (ImageDepth), of which libtiff reads one",
                 slices);
        return false;
    }
    if (!TIFFIsCODECConfigured(codec)) {
        snprintf(why, size, "compression %d is unknown", codec);
        return false;
    }
    page->w = (int)w;
    page->h = (int)h;
    page->bits = bits;
    page->stored_comps = comps;
    page->is_separate = comps > 1 && planar == PLANARCONFIG_SEPARATE;
    bool direct = photometric == PHOTOMETRIC_MINISBLACK || photometric == PHOTOMETRIC_MINISWHITE ||
                  photometric == PHOTOMETRIC_RGB || photometric == PHOTOMETRIC_CFA;
    if (!(direct ? describe_samples(tif, page, photometric, why, size)
                 : describe_converted(tif, page, why, size)))
        return false;
    float xres = 0, yres = 0;
    if (TIFFGetField(tif, TIFFTAG_XRESOLUTION, &xres) &&
        TIFFGetField(tif, TIFFTAG_YRESOLUTION, &yres) && xres > 0 && yres > 0 && xres < 1e6f &&
        yres < 1e6f) {
        uint16_t unit = RESUNIT_INCH;
        TIFFGetFieldDefaulted(tif, TIFFTAG_RESOLUTIONUNIT, &unit);
        page->xres = (double)xres;
        page->yres = (double)yres;
        page->unit = unit;
    }
    page->fmt = rn_vol_pixfmt(&page->format);
    page->stride = (size_t)w * (size_t)page->comps * (size_t)rn_format_bytes(&page->format);
    page->size = page->stride * h;
    if (page->size > MAX_BYTES)
        snprintf(why, size, "%ux%u pixels are too many", w, h);
    return page->size <= MAX_BYTES;
}

/* ---- samples */

struct block {
    const uint8_t *data;
    size_t row_bytes;
    int x, y, w, h; /* in the page; parts outside are cut off */
    int comp;       /* the only one in it; -1: all of them, interleaved */
};

/* Reads a sample that is no whole number of bytes: libtiff leaves the highest bit first. */
static unsigned load_bits(const uint8_t *row, size_t i, int bits)
{
    size_t pos = i * (size_t)bits;
    unsigned v = 0;
    for (int missing = bits; missing > 0;) {
        int unread = 8 - (int)(pos % 8), n = missing < unread ? missing : unread;
        v = v << n | (row[pos / 8] >> (unread - n) & ((1u << n) - 1));
        pos += (size_t)n;
        missing -= n;
    }
    return v;
}

/* Loads a sample that has no whole bytes, or is inverted. */
static int load(const struct rn_vol_tiff_page *p, const uint8_t *row, size_t i, int comp)
{
    unsigned max = (1u << p->bits) - 1, v;
    if (p->bits == 8)
        v = row[i];
    else if (p->bits == 16)
        v = ((const uint16_t *)(const void *)row)[i];
    else
        v = load_bits(row, i, p->bits);
    if (p->number == RN_NUMBER_SIGNED)
        return (int)(v ^ 1u << (p->bits - 1)) - (1 << (p->bits - 1));
    if (p->is_inverted && comp == 0)
        v = max - v;
    return (int)(p->bits == p->format.depth ? v : rn_pix_sample_widen(v, p->bits, p->format.depth));
}

/* Returns true if samples need no conversion of bits. Inverting levels (white is 0) is one. */
static bool is_whole(const struct rn_vol_tiff_page *p)
{
    bool whole = p->bits == 8 || p->bits >= 16;
    return whole && (!p->is_inverted || p->format.number != RN_NUMBER_UNSIGNED);
}

/* Returns true if the samples of a block are those of pixels, in their order. */
static bool is_plain(const struct rn_vol_tiff_page *p)
{
    bool planar = p->format.number == RN_NUMBER_FLOAT && p->comps > 1;
    return is_whole(p) && rn_vol_sample_type_is_native(p->type, false) && !planar &&
           !p->is_separate && p->comps == p->stored_comps;
}

static unsigned scatter(const struct rn_vol_tiff_page *p, const struct block *b, uint8_t *pixels)
{
    static const int plane_of[] = {2, 0, 1, 3}; /* R G B A in planes of G B R A */
    bool planar = p->format.number == RN_NUMBER_FLOAT && p->comps > 1;
    size_t bytes = (size_t)rn_format_bytes(&p->format), stored = (size_t)p->bits / 8;
    size_t step = b->comp < 0 ? (size_t)p->stored_comps : 1,
           to_step = planar ? 1 : (size_t)p->comps;
    size_t plane = (size_t)p->w * (size_t)p->h;
    int first = b->comp < 0 ? 0 : b->comp, end = b->comp < 0 ? p->comps : b->comp + 1;
    bool plain = is_plain(p);
    unsigned found = 0;
    for (int y = 0; y < b->h; y++) {
        const uint8_t *row = b->data + (size_t)y * b->row_bytes;
        size_t pixel = (size_t)(b->y + y) * (size_t)p->w + (size_t)b->x, each = bytes * to_step;
        if (plain) {
            memcpy(pixels + pixel * each, row, (size_t)b->w * each);
            continue;
        }
        for (int c = first; c < end; c++) {
            size_t comp = (size_t)(c - first + (b->comp < 0 ? p->first : 0));
            uint8_t *to = pixels + bytes * (planar ? (size_t)plane_of[c] * plane + pixel
                                                   : pixel * (size_t)p->comps + (size_t)c);
            if (is_whole(p)) {
                found |= rn_vol_samples_load(p->type, false, row + comp * stored, step * stored,
                                             (size_t)b->w, to, to_step);
                continue;
            }
            for (size_t x = 0; x < (size_t)b->w; x++) {
                int v = load(p, row, x * step + comp, c);
                if (bytes == 1)
                    to[x * to_step] = (uint8_t)v;
                else
                    ((uint16_t *)(void *)to)[x * to_step] = (uint16_t)v;
            }
        }
    }
    return found;
}

/* ---- strips and tiles */

struct grid {
    bool tiled;
    uint32_t w, h; /* of a block */
    size_t bytes, row_bytes;
};

static bool get_grid(TIFF *tif, const struct rn_vol_tiff_page *page, struct grid *g)
{
    *g = (struct grid){.tiled = TIFFIsTiled(tif), .w = (uint32_t)page->w, .h = UINT32_MAX};
    if (g->tiled) {
        TIFFGetField(tif, TIFFTAG_TILEWIDTH, &g->w);
        TIFFGetField(tif, TIFFTAG_TILELENGTH, &g->h);
    } else {
        TIFFGetFieldDefaulted(tif, TIFFTAG_ROWSPERSTRIP, &g->h);
        if (g->h > (uint32_t)page->h)
            g->h = (uint32_t)page->h;
    }
    tmsize_t bytes = g->tiled ? TIFFTileSize(tif) : TIFFStripSize(tif);
    tmsize_t row = g->tiled ? TIFFTileRowSize(tif) : TIFFScanlineSize(tif);
    size_t comps = page->is_separate ? 1 : (size_t)page->stored_comps;
    size_t least =
        (g->w * comps * (size_t)page->bits + 7) / 8; /* a JPEG stream may contradict the tags */
    if (!g->w || !g->h || bytes < 1 || bytes > MAX_BYTES || row < 1 || (size_t)row < least ||
        (size_t)bytes < (size_t)row * g->h)
        return false;
    g->bytes = (size_t)bytes;
    g->row_bytes = (size_t)row;
    return true;
}

/* Returns true if the cache can hold all blocks of a page that is read once for each channel. */
static bool reserve_cache(const struct rn_vol_tiff_page *page, const struct grid *g,
                          struct rn_vol_tiff_cache *cache)
{
    uint64_t across = ((uint64_t)page->w + g->w - 1) / g->w;
    uint64_t down = ((uint64_t)page->h + g->h - 1) / g->h;
    if (!cache || page->channels == 1 || page->is_separate || across * down > MAX_CACHED / g->bytes)
        return false;
    size_t bytes = (size_t)(across * down) * g->bytes;
    if (bytes > cache->size) {
        free(cache->data);
        cache->data = malloc(bytes);
        cache->size = cache->data ? bytes : 0;
        cache->is_full = false;
    }
    return cache->data != NULL;
}

/* Returns the decoded bytes; -1: some, maybe; 0: none was tried. libtiff unpacks a whole block
 * first, in memory of its own: a few bytes must not take gigabytes. */
static tmsize_t decode_block(TIFF *tif, const struct grid *g, uint32_t x, uint32_t y, int plane,
                             uint8_t *to)
{
    uint16_t sample = (uint16_t)plane;
    uint64_t packed = TIFFGetStrileByteCount(tif, g->tiled ? TIFFComputeTile(tif, x, y, 0, sample)
                                                           : TIFFComputeStrip(tif, y, sample));
    if (g->bytes > LARGE_BLOCK && g->bytes / LARGEST_RATIO > packed) {
        TIFFErrorExtR(tif, "TIFF", "%" PRIu64 " bytes cannot hold a block of %zu", packed,
                      g->bytes);
        return 0;
    }
    return g->tiled ? TIFFReadEncodedTile(tif, TIFFComputeTile(tif, x, y, 0, sample), to, -1)
                    : TIFFReadEncodedStrip(tif, TIFFComputeStrip(tif, y, sample), to, -1);
}

static enum rn_vol_tiff_result read_converted(TIFF *tif, const struct rn_vol_tiff_page *page,
                                              uint8_t *pixels)
{
    size_t n = (size_t)page->w * (size_t)page->h;
    RN_OWNED(rn_free_owned) uint32_t *raster = calloc(n, sizeof *raster);
    uint16_t orientation = ORIENTATION_TOPLEFT;
    if (!raster)
        return RN_TIFF_NOTHING;
    /* As stored, like all other pages: orientations that turn the picture are not applied. */
    TIFFGetFieldDefaulted(tif, TIFFTAG_ORIENTATION, &orientation);
    bool ok = TIFFReadRGBAImageOriented(tif, (uint32_t)page->w, (uint32_t)page->h, raster,
                                        orientation, 1);
    for (size_t i = 0; i < n; i++, pixels += page->comps) {
        pixels[0] = (uint8_t)TIFFGetR(raster[i]);
        pixels[1] = (uint8_t)TIFFGetG(raster[i]);
        pixels[2] = (uint8_t)TIFFGetB(raster[i]);
        if (page->comps == 4)
            pixels[3] = (uint8_t)TIFFGetA(raster[i]);
    }
    return ok ? RN_TIFF_WHOLE : RN_TIFF_NOTHING;
}

enum rn_vol_tiff_result rn_vol_tiff_read(TIFF *tif, const struct rn_vol_tiff_page *page,
                                         struct rn_vol_tiff_cache *cache, uint8_t *pixels,
                                         unsigned *found)
{
    struct grid g;
    if (page->convert)
        return read_converted(tif, page, pixels);
    if (!get_grid(tif, page, &g))
        return RN_TIFF_NOTHING;
    const bool whole = reserve_cache(page, &g, cache), again = whole && cache->is_full;
    const bool direct = is_plain(page) && !g.tiled && g.bytes == g.h * page->stride;
    uint8_t *buf = whole    ? cache->data
                   : direct ? pixels
                            : calloc(1, g.bytes); /* until it is written, no memory */
    if (!buf)
        return RN_TIFF_NOTHING;
    int64_t good = 0, all = 0, failed = 0; /* failed: bytes */
    int planes = page->is_separate ? page->comps : 1;
    uint32_t w = (uint32_t)page->w, h = (uint32_t)page->h;
    for (int s = 0; s < planes; s++) {
        for (uint32_t y = 0; y < h; y += g.h) {
            for (uint32_t x = 0; x < w && (good || failed < MAX_FAILED); x += g.w) {
                uint8_t *data = whole || direct ? buf + (size_t)all * g.bytes : buf;
                if (!again && !direct && (whole || all)) /* it may be decoded in part */
                    memset(data, 0, g.bytes);
                tmsize_t n =
                    again ? (tmsize_t)g.bytes : decode_block(tif, &g, x, y, s + page->first, data);
                struct block b = {data, g.row_bytes, (int)x, (int)y, 0, 0, -1};
                b.w = (int)(w - x < g.w ? w - x : g.w);
                b.h = (int)(h - y < g.h ? h - y : g.h);
                b.comp = page->is_separate ? s : -1;
                if (n && !direct) /* else the pixels stay 0, and take no memory */
                    *found |= scatter(page, &b, pixels);
                good += n >= 0 && (size_t)n >= (size_t)b.h * g.row_bytes;
                failed += n <= 0 ? (int64_t)g.bytes : 0;
                all++;
            }
        }
    }
    if (!whole && !direct)
        free(buf);
    else if (whole)
        cache->is_full = good == all; /* each channel of a damaged page reports the damage */
    return good == all ? RN_TIFF_WHOLE : good ? RN_TIFF_PART : RN_TIFF_NOTHING;
}

/* ---- pages without compression */

int64_t rn_vol_tiff_plain(TIFF *tif, const struct rn_vol_tiff_page *page, int64_t *offset)
{
    uint64_t *at = NULL;
    uint16_t codec = 0;
    TIFFGetFieldDefaulted(tif, TIFFTAG_COMPRESSION, &codec);
    bool plain = codec == COMPRESSION_NONE && !TIFFIsTiled(tif) && !page->convert &&
                 !page->is_separate && is_whole(page);
    if (!plain || !TIFFGetField(tif, TIFFTAG_STRIPOFFSETS, &at) || !at || at[0] > INT64_MAX / 2)
        return 0;
    *offset = (int64_t)at[0];
    int64_t bytes = (int64_t)page->w * page->h * page->stored_comps * (page->bits / 8);
    return bytes <= MAX_BYTES ? bytes : 0;
}

void rn_vol_tiff_convert(const struct rn_vol_tiff_page *page, uint8_t *data, bool swapped,
                         uint8_t *pixels, unsigned *found)
{
    size_t row = (size_t)page->w * (size_t)page->stored_comps * ((size_t)page->bits / 8);
    tmsize_t n = (tmsize_t)page->w * page->h * page->stored_comps;
    struct block b = {data, row, 0, 0, page->w, page->h, -1};
    if (swapped && page->bits == 16)
        TIFFSwabArrayOfShort((uint16_t *)(void *)data, n);
    else if (swapped && page->bits == 32)
        TIFFSwabArrayOfLong((uint32_t *)(void *)data, n);
    else if (swapped && page->bits == 64)
        TIFFSwabArrayOfLong8((uint64_t *)(void *)data, n);
    *found |= scatter(page, &b, pixels);
}
