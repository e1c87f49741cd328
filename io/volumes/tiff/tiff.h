/* TIFF through libtiff: its messages, and one page as packed pixels. */
#ifndef RN_IO_VOLUMES_TIFF_TIFF_H
#define RN_IO_VOLUMES_TIFF_TIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tiffio.h>

#include "io/volumes/volume.h"

/* What libtiff says about one file. */
struct rn_vol_tiff_log {
    char first[200]; /* the first error since it was emptied */
    int cause;       /* errno of it */
};

/* Lets messages of files that are opened with opts go to log, which outlives them, and bounds what
 * libtiff may allocate at once. */
void rn_vol_tiff_listen(TIFFOpenOptions *opts, struct rn_vol_tiff_log *log);

/* Opens path in a mode of TIFFOpen; messages go to log, which outlives the TIFF. Returns NULL on
 * failure. */
TIFF *rn_vol_tiff_open(const char *path, const char *mode, struct rn_vol_tiff_log *log);

/* How the samples of a page are stored, and what they become. */
struct rn_vol_tiff_page {
    int w, h;
    struct rn_format format; /* of the samples that come out */
    enum AVPixelFormat fmt;  /* which carries them: packed, native endian; floats planar */
    int comps;               /* samples per pixel of fmt */
    int channels;            /* samples of a pixel that are no colours but pictures of their own */
    int first;               /* which of them is read, from 0: the caller's to set */
    size_t stride, size;     /* bytes of a row of all samples and of all rows, without padding */
    double xres, yres;       /* dots per unit; 0 = unknown */
    int unit;                /* RESUNIT_... */
    /* in the file */
    bool convert; /* libtiff converts to RGBA: palettes, YCbCr, CMYK... */
    int bits, stored_comps;
    enum rn_vol_sample_type type; /* of samples of whole bytes */
    bool is_separate, is_inverted, is_signed, is_float;
};

/* Describes the current page of tif. Returns false, and why, if it cannot be read. */
bool rn_vol_tiff_describe(TIFF *tif, struct rn_vol_tiff_page *page, char *why, size_t size);

enum rn_vol_tiff_result { RN_TIFF_WHOLE, RN_TIFF_PART, RN_TIFF_NOTHING };

/* The samples of a whole page whose pixels have several channels, so that it is decoded once and
 * not for each of them. Zeroed: none. free(data) in the end. */
struct rn_vol_tiff_kept {
    uint8_t *data;
    size_t room;
    bool is_full; /* they are those of the current page: the caller's to unset for another one */
};

/* Reads the current page to pixels (page->size bytes, zeroed), in the order of the rows in the
 * file. What cannot be read stays zero. kept may be NULL. *found: a mask of rn_vol_samples_load. */
enum rn_vol_tiff_result rn_vol_tiff_read(TIFF *tif, const struct rn_vol_tiff_page *page,
                                         struct rn_vol_tiff_kept *kept, uint8_t *pixels,
                                         unsigned *found);

/* Bytes of a page that stands in the file without compression, rows and all samples in one piece;
 * 0: these pages cannot. *offset: where the current one begins. */
int64_t rn_vol_tiff_plain(TIFF *tif, const struct rn_vol_tiff_page *page, int64_t *offset);

/* The same as rn_vol_tiff_read of such bytes. swapped: they are of the file's other endianness, and
 * then of the machine's. */
void rn_vol_tiff_convert(const struct rn_vol_tiff_page *page, uint8_t *data, bool swapped,
                         uint8_t *pixels, unsigned *found);

#endif
