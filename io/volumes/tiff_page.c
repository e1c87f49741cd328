#include "io/volumes/tiff.h"

#include "filters/base/image.h"
#include "filters/base/log.h"
#include "filters/base/printable.h"
#include "io/pixels/convert.h"
#include "io/pixels/pixfmt.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES (INT32_MAX / 2) /* of a page, and of a strip or tile */

/* ---- messages */

static int on_error(TIFF *tif, void *opaque, const char *module, const char *fmt, va_list args)
{
    (void)tif, (void)module;
    struct rn_tiff_log *log = opaque;
    int cause = errno;
    char text[sizeof log->first];
    vsnprintf(text, sizeof text, fmt, args);
    rn_printable(text, false); /* it may become a part of a metrics file */
    rn_log(RN_LOG_DEBUG, "libtiff: %s", text);
    if (!*log->first) {
        memcpy(log->first, text, sizeof text);
        log->cause = cause;
    }
    return 1;
}

/* Unknown tags, wrong orders: nothing that a user could act on. */
static int on_warning(TIFF *tif, void *opaque, const char *module, const char *fmt, va_list args)
{
    (void)tif, (void)opaque, (void)module, (void)fmt, (void)args;
    return 1;
}

void rn_tiff_listen(TIFFOpenOptions *opts, struct rn_tiff_log *log)
{
    TIFFOpenOptionsSetMaxSingleMemAlloc(opts, MOST_BYTES);
    TIFFOpenOptionsSetErrorHandlerExtR(opts, on_error, log);
    TIFFOpenOptionsSetWarningHandlerExtR(opts, on_warning, NULL);
}

TIFF *rn_tiff_open(const char *path, const char *mode, struct rn_tiff_log *log)
{
    TIFFOpenOptions *opts = TIFFOpenOptionsAlloc();
    if (!opts)
        return NULL;
    rn_tiff_listen(opts, log);
    TIFF *tif = TIFFOpenExt(path, mode, opts);
    TIFFOpenOptionsFree(opts);
    return tif;
}

/* ---- layout */

static enum AVPixelFormat format_of(int comps, int depth)
{
    switch (comps) {
    case 1:
        return rn_format_to_av(&(struct rn_format){.model = RN_GRAY, .depth = depth});
    case 2:
        return depth == 8 ? AV_PIX_FMT_YA8 : AV_PIX_FMT_YA16;
    case 3:
        return depth == 8 ? AV_PIX_FMT_RGB24 : AV_PIX_FMT_RGB48;
    default:
        return depth == 8 ? AV_PIX_FMT_RGBA : AV_PIX_FMT_RGBA64;
    }
}

/* The depth in which samples of so many bits keep their values; others are widened. */
static int depth_for(int bits, int comps)
{
    bool own = comps == 1 && (bits == 9 || bits == 10 || bits == 12 || bits == 14);
    return bits <= 8 ? 8 : own ? bits : 16;
}

static bool has_alpha(TIFF *tif)
{
    uint16_t n = 0, *types = NULL;
    TIFFGetFieldDefaulted(tif, TIFFTAG_EXTRASAMPLES, &n, &types);
    return n > 0 && types &&
           (types[0] == EXTRASAMPLE_ASSOCALPHA || types[0] == EXTRASAMPLE_UNASSALPHA);
}

/* Can the samples be taken as they are stored? */
static bool describe_samples(TIFF *tif, struct rn_tiff_page *page, int photometric, char *why,
                             size_t size)
{
    uint16_t format = SAMPLEFORMAT_UINT;
    TIFFGetFieldDefaulted(tif, TIFFTAG_SAMPLEFORMAT, &format);
    page->is_float = format == SAMPLEFORMAT_IEEEFP;
    page->is_signed = format == SAMPLEFORMAT_INT;
    page->is_inverted = photometric == PHOTOMETRIC_MINISWHITE;
    int colours = photometric == PHOTOMETRIC_RGB ? 3 : 1;
    bool ok = page->is_float
                  ? page->bits == 32 || page->bits == 64
                  : page->bits >= 1 && page->bits <= 16 && format != SAMPLEFORMAT_COMPLEXINT;
    if (!ok || page->stored_comps < colours) {
        snprintf(why, size, "%d samples of %d bits%s cannot be read", page->stored_comps,
                 page->bits, page->is_float ? " (floating point)" : "");
        return false;
    }
    page->comps = colours + (page->stored_comps > colours && has_alpha(tif));
    page->depth = page->is_float ? 16 : depth_for(page->bits, page->comps);
    return true;
}

static bool describe_converted(TIFF *tif, struct rn_tiff_page *page, char *why, size_t size)
{
    char text[1024] = "";
    page->convert = true;
    page->comps = has_alpha(tif) ? 4 : 3;
    page->depth = 8;
    if (TIFFRGBAImageOK(tif, text))
        return true;
    snprintf(why, size, "%.120s", text);
    return false;
}

bool rn_tiff_describe(TIFF *tif, struct rn_tiff_page *page, char *why, size_t size)
{
    *page = (struct rn_tiff_page){0};
    uint32_t w = 0, h = 0;
    uint16_t bits = 1, comps = 1, photometric = PHOTOMETRIC_MINISBLACK, planar = 0, codec = 0;
    TIFFGetField(tif, TIFFTAG_IMAGEWIDTH, &w);
    TIFFGetField(tif, TIFFTAG_IMAGELENGTH, &h);
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
        page->xres = (int64_t)(xres * 1000);
        page->yres = (int64_t)(yres * 1000);
    }
    page->fmt = format_of(page->comps, page->depth);
    page->stride = (size_t)w * (size_t)page->comps * (page->depth > 8 ? 2 : 1);
    page->size = page->stride * h;
    if (page->size > MOST_BYTES)
        snprintf(why, size, "%ux%u pixels are too many", w, h);
    return page->size <= MOST_BYTES;
}

/* ---- samples */

struct block {
    const uint8_t *data;
    size_t row_bytes;
    int x, y, w, h; /* in the page, without what lies outside */
    int comp;       /* the only one in it; -1: all of them, interleaved */
};

/* libtiff gives bytes in the machine's order; samples of less stand from the highest bit down. */
static unsigned load_bits(const uint8_t *row, size_t i, int bits)
{
    size_t pos = i * (size_t)bits;
    unsigned v = 0;
    for (int left = bits; left > 0;) {
        int room = 8 - (int)(pos % 8), n = left < room ? left : room;
        v = v << n | (row[pos / 8] >> (room - n) & ((1u << n) - 1));
        pos += (size_t)n;
        left -= n;
    }
    return v;
}

static unsigned load_float(const uint8_t *row, size_t i, int bits, bool *clipped)
{
    double v;
    if (bits == 32) {
        float f;
        memcpy(&f, row + 4 * i, sizeof f);
        v = (double)f;
    } else {
        memcpy(&v, row + 8 * i, sizeof v);
    }
    *clipped |= !(v >= 0 && v <= 1);
    return v >= 1 ? 65535 : v > 0 ? (unsigned)(v * 65535 + 0.5) : 0; /* not a number: black */
}

static unsigned load(const struct rn_tiff_page *p, const uint8_t *row, size_t i, int comp,
                     bool *clipped)
{
    unsigned max = p->is_float ? 65535 : (1u << p->bits) - 1, v;
    if (p->is_float)
        v = load_float(row, i, p->bits, clipped);
    else if (p->bits == 8)
        v = row[i];
    else if (p->bits == 16)
        v = ((const uint16_t *)(const void *)row)[i];
    else
        v = load_bits(row, i, p->bits);
    if (p->is_signed)
        v ^= 1u << (p->bits - 1);
    if (p->is_inverted && comp == 0)
        v = max - v;
    return p->is_float || p->bits == p->depth ? v : rn_sample_widen(v, p->bits, p->depth);
}

static void scatter(const struct rn_tiff_page *p, const struct block *b, uint8_t *pixels,
                    bool *clipped)
{
    bool plain = (p->bits == 8 || p->bits == 16) && !p->is_float && !p->is_signed &&
                 !p->is_inverted && b->comp < 0 && p->comps == p->stored_comps;
    size_t bytes = p->depth > 8 ? 2 : 1, step = b->comp < 0 ? (size_t)p->stored_comps : 1;
    int first = b->comp < 0 ? 0 : b->comp, end = b->comp < 0 ? p->comps : b->comp + 1;
    for (int y = 0; y < b->h; y++) {
        const uint8_t *row = b->data + (size_t)y * b->row_bytes;
        uint8_t *to =
            pixels + (size_t)(b->y + y) * p->stride + (size_t)b->x * (size_t)p->comps * bytes;
        if (plain) {
            memcpy(to, row, (size_t)b->w * (size_t)p->comps * bytes);
            continue;
        }
        for (int c = first; c < end; c++) {
            for (size_t x = 0; x < (size_t)b->w; x++) {
                unsigned v = load(p, row, x * step + (size_t)(c - first), c, clipped);
                size_t at = x * (size_t)p->comps + (size_t)c;
                if (bytes == 1)
                    to[at] = (uint8_t)v;
                else
                    ((uint16_t *)(void *)to)[at] = (uint16_t)v;
            }
        }
    }
}

/* ---- strips and tiles */

struct grid {
    bool tiled;
    uint32_t w, h; /* of a block */
    size_t bytes, row_bytes;
};

static bool get_grid(TIFF *tif, const struct rn_tiff_page *page, struct grid *g)
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
    size_t least = (g->w * comps * (size_t)page->bits + 7) / 8; /* JPEG could contradict the tags */
    if (!g->w || !g->h || bytes < 1 || bytes > MOST_BYTES || row < 1 || (size_t)row < least ||
        (size_t)bytes < (size_t)row * g->h)
        return false;
    g->bytes = (size_t)bytes;
    g->row_bytes = (size_t)row;
    return true;
}

static enum rn_tiff_result read_blocks(TIFF *tif, const struct rn_tiff_page *page, uint8_t *pixels,
                                       bool *clipped)
{
    struct grid g;
    uint8_t *buf = get_grid(tif, page, &g) ? malloc(g.bytes) : NULL;
    if (!buf)
        return RN_TIFF_NOTHING;
    int64_t good = 0, all = 0;
    int planes = page->is_separate ? page->comps : 1;
    uint32_t w = (uint32_t)page->w, h = (uint32_t)page->h;
    for (int s = 0; s < planes; s++) {
        for (uint32_t y = 0; y < h; y += g.h) {
            for (uint32_t x = 0; x < w; x += g.w) {
                uint16_t plane = (uint16_t)s;
                memset(buf, 0, g.bytes); /* of a broken one the beginning may be there */
                tmsize_t n =
                    g.tiled
                        ? TIFFReadEncodedTile(tif, TIFFComputeTile(tif, x, y, 0, plane), buf, -1)
                        : TIFFReadEncodedStrip(tif, TIFFComputeStrip(tif, y, plane), buf, -1);
                struct block b = {buf, g.row_bytes, (int)x, (int)y, 0, 0, -1};
                b.w = (int)(w - x < g.w ? w - x : g.w);
                b.h = (int)(h - y < g.h ? h - y : g.h);
                b.comp = page->is_separate ? s : -1;
                scatter(page, &b, pixels, clipped);
                good += n >= 0 && (size_t)n >= (size_t)b.h * g.row_bytes;
                all++;
            }
        }
    }
    free(buf);
    return good == all ? RN_TIFF_WHOLE : good ? RN_TIFF_PART : RN_TIFF_NOTHING;
}

static enum rn_tiff_result read_converted(TIFF *tif, const struct rn_tiff_page *page,
                                          uint8_t *pixels)
{
    size_t n = (size_t)page->w * (size_t)page->h;
    uint32_t *raster = calloc(n, sizeof *raster);
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
    free(raster);
    return ok ? RN_TIFF_WHOLE : RN_TIFF_NOTHING;
}

enum rn_tiff_result rn_tiff_read(TIFF *tif, const struct rn_tiff_page *page, uint8_t *pixels,
                                 bool *clipped)
{
    return page->convert ? read_converted(tif, page, pixels)
                         : read_blocks(tif, page, pixels, clipped);
}
