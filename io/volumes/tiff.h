/* TIFF through libtiff: its messages, and one page as packed pixels. */
#ifndef RN_TIFF_H
#define RN_TIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <libavutil/pixfmt.h>
#include <tiffio.h>

/* What libtiff says about one file. */
struct rn_tiff_log {
    char first[200]; /* the first error since it was emptied */
    int cause;       /* errno of it */
};

/* Lets messages of files that are opened with opts go to log, which outlives them, and bounds what
 * libtiff may allocate at once. */
void rn_tiff_listen(TIFFOpenOptions *opts, struct rn_tiff_log *log);

/* Opens path in a mode of TIFFOpen; messages go to log, which outlives the TIFF. Returns NULL on
 * failure. */
TIFF *rn_tiff_open(const char *path, const char *mode, struct rn_tiff_log *log);

/* How the samples of a page are stored, and what they become. */
struct rn_tiff_page {
    int w, h;
    enum AVPixelFormat fmt; /* packed, native endian */
    int comps;              /* samples per pixel of fmt */
    int depth;              /* of fmt */
    size_t stride, size;    /* bytes of a row and of all of them, without padding */
    int64_t xres, yres;     /* dots per unit; 0 = unknown */
    /* in the file */
    bool convert; /* libtiff converts to RGBA: palettes, YCbCr, CMYK... */
    int bits, stored_comps;
    bool is_separate, is_inverted, is_signed, is_float;
};

/* Describes the current page of tif. Returns false, and why, if it cannot be read. */
bool rn_tiff_describe(TIFF *tif, struct rn_tiff_page *page, char *why, size_t size);

enum rn_tiff_result { RN_TIFF_WHOLE, RN_TIFF_PART, RN_TIFF_NOTHING };

/* Reads the current page to pixels (page->size bytes, zeroed), in the order of the rows in the
 * file. What cannot be read stays zero. *clipped: floating-point samples lay outside 0..1. */
enum rn_tiff_result rn_tiff_read(TIFF *tif, const struct rn_tiff_page *page, uint8_t *pixels,
                                 bool *clipped);

#endif
