/* SPDX-License-Identifier: MIT */
/* TIFF through libtiff: its messages, and one page as packed pixels. */
#pragma once

#include <tiffio.h>

#include "io/volumes/volume.h"

/* Messages of libtiff for one file. */
struct rn_vol_tiff_log {
    char first[200]; /* the first error since the log was cleared */
    int cause;       /* its errno */
};

/* Sends messages of files opened with opts to log, which must outlive them, and limits a single
 * allocation of libtiff. */
void rn_vol_tiff_listen(TIFFOpenOptions *opts, struct rn_vol_tiff_log *log);

/* Opens path. mode: one of TIFFOpen that writes; "rm": to read; "rhm": likewise, from no page yet:
 * TIFFSetSubDirectory then does not go through all pages before. log must outlive the TIFF. Returns
 * NULL on failure. */
TIFF *rn_vol_tiff_open(const char *path, const char *mode, struct rn_vol_tiff_log *log);

/* NULL is legal; *tif is NULL afterwards. */
void rn_vol_tiff_close(TIFF **tif);

/* How a page stores its samples, and the format they are read to. */
struct rn_vol_tiff_page {
    int w, h;
    struct rn_format format; /* of the samples that come out */
    enum AVPixelFormat fmt;  /* which carries them: packed, native endian; floats planar */
    int comps;               /* samples per pixel of fmt */
    int channels;            /* samples of a pixel that are separate pictures */
    int first;               /* the channel to read, from 0; set by the caller */
    size_t stride, size;     /* bytes of a row of all samples and of all rows, without padding */
    double xres, yres;       /* dots per unit, in this order; 0 = unknown */
    int unit;                /* RESUNIT_... */
    /* in the file */
    bool convert; /* libtiff converts to RGBA: palettes, YCbCr, CMYK... */
    int bits, stored_comps;
    enum rn_vol_sample_type type; /* of samples of whole bytes */
    enum rn_number number;        /* of the stored samples */
    bool is_separate, is_inverted;
};

/* Describes the current page of tif. Returns false, with the reason in why, if it is unreadable. */
bool rn_vol_tiff_describe(TIFF *tif, struct rn_vol_tiff_page *page, char *why, size_t size);

enum rn_vol_tiff_result { RN_TIFF_WHOLE, RN_TIFF_PART, RN_TIFF_NOTHING };

/* The decoded samples of a page with several channels, so that it is decoded once and not for each
 * channel. Zero it before use; free(data) at the end. */
struct rn_vol_tiff_cache {
    uint8_t *data;
    size_t size;  /* of data */
    bool is_full; /* data is of the current page; the caller clears it for another page */
};

/* Reads the current page to pixels (page->size bytes, zeroed), rows in the file's order. Unreadable
 * samples stay zero. cache may be NULL. *found: a mask of rn_vol_samples_load. */
enum rn_vol_tiff_result rn_vol_tiff_read(TIFF *tif, const struct rn_vol_tiff_page *page,
                                         struct rn_vol_tiff_cache *cache, uint8_t *pixels,
                                         unsigned *found);

/* Returns the bytes of an uncompressed page if all its samples are contiguous, else 0. *offset:
 * where the samples of the current page begin. */
int64_t rn_vol_tiff_plain(TIFF *tif, const struct rn_vol_tiff_page *page, int64_t *offset);

/* Converts such bytes as rn_vol_tiff_read does. swapped: converts data to the machine's endianness
 * first. */
void rn_vol_tiff_convert(const struct rn_vol_tiff_page *page, uint8_t *data, bool swapped,
                         uint8_t *pixels, unsigned *found);
