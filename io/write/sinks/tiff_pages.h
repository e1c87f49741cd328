/* SPDX-License-Identifier: MIT */
/* TIFF pages: their tags, samples and strips. */
#pragma once

#include <libavutil/frame.h>

#include "io/volumes/tiff/tiff.h"
#include "io/write/sinks/compression.h"

/* ---- the tags and samples of pages in the file
 *
 * The reader widens gray samples of 1..7 bits, signed bytes, half floats, and 32-bit integers. They
 * are stored in the input's type if all of them fit. If white is 0 in the input it is 0 in the
 * output. */

struct rn_write_tiff_storage {
    int bits; /* of a sample: 1..8, 16, 32 */
    enum rn_number number;
    bool white_is_zero; /* gray, unsigned */
};

/* The storage that keeps samples of fmt unchanged. v: specifies whether white is 0. */
struct rn_write_tiff_storage rn_write_tiff_storage_native(const struct rn_vol *v,
                                                          const struct rn_format *fmt);

/* The storage of the input of v, if it is narrower than that of samples of fmt; else as above. */
struct rn_write_tiff_storage rn_write_tiff_storage_like(const struct rn_vol *v,
                                                        const struct rn_format *fmt);

/* Packs n samples of fmt, a row, into `to`, of 4 n bytes. Returns false if one does not fit. */
bool rn_write_tiff_storage_pack(const struct rn_write_tiff_storage *storage,
                                const struct rn_format *fmt, const uint8_t *row, size_t n,
                                uint8_t *to);

/* Its name for people: uint1, int8, float16... */
const char *rn_write_tiff_storage_name(const struct rn_write_tiff_storage *storage, char buf[16]);

struct rn_write_tiff_tags {
    int comps;                            /* of a pixel: gray, with alpha, RGB, with alpha */
    struct rn_write_tiff_storage storage; /* of their samples */
    int depth;                            /* bits in use; 0: all */
    struct rn_write_compression wanted;
    double xres, yres; /* dots per unit; 0 = square pixels */
    int unit;          /* RESUNIT_...; 0: NONE */
};

/* Checks whether libtiff has the codec that wanted names. Returns 0 or RN_EUSAGE (logged). */
int rn_write_tiff_tags_check(const struct rn_write_compression *wanted);

/* Bytes of a row of w pixels. */
static inline size_t rn_write_tiff_tags_row(const struct rn_write_tiff_tags *tags, int w)
{
    return ((size_t)w * (size_t)tags->comps * (size_t)tags->storage.bits + 7) / 8;
}

/* Sets the tags of a page of w x h pixels in one strip. Any thread. Returns false if libtiff
 * failed.
 */
bool rn_write_tiff_tags_set(const struct rn_write_tiff_tags *tags, TIFF *t, int w, int h);

/* ---- compresses the strips of pages by libtiff in several threads
 *
 * Each strip is compressed in a TIFF of its own in memory, so all codecs and predictors of libtiff
 * work, and the file is the same for any number of threads. One thread calls all functions. */

struct rn_write_tiff_strips;

/* A strip of the file. */
struct rn_write_tiff_strip {
    const AVFrame *page; /* the whole page */
    int y, rows;         /* its rows in the page */
    bool last;           /* of the page */
    const void *data;    /* compressed; NULL: libtiff failed, and log says why */
    size_t size;
    struct rn_vol_tiff_log log;
};

/* How strips are compressed, and where they go. */
struct rn_write_tiff_strips_setup {
    int threads; /* >= 1 */
    int rows;    /* of a strip; the last one of a page may have less */
    size_t row;  /* bytes of a row, packed */
    /* Sets the tags of a page of w x h pixels in one strip. Called from any thread. Returns false
     * if libtiff failed. */
    bool (*tags)(const void *opaque, TIFF *tif, int w, int h);
    /* Writes a strip. Called in the order of pages and rows, from the thread that calls the
     * functions below. Returns 0 or an error (logged). */
    int (*put)(void *opaque, const struct rn_write_tiff_strip *strip);
    void *opaque;
};

/* Withdraws the page that was begun in tif, which is then not written when the file is closed. */
void rn_write_tiff_withdraw(TIFF *tif);

/* Returns NULL when out of memory. */
struct rn_write_tiff_strips *
rn_write_tiff_strips_create(const struct rn_write_tiff_strips_setup *setup);

/* Ends the threads. Strips that were not put are dropped. NULL is legal. */
void rn_write_tiff_strips_destroy(struct rn_write_tiff_strips **s);

/* Takes a reference to a page, whose samples nobody may change, and puts the strips that are ready.
 * Returns 0 or the first error of put, which only destroy may follow; or RN_EINTERNAL (logged). */
int rn_write_tiff_strips_write(struct rn_write_tiff_strips *s, const AVFrame *page);

/* Puts the rest. Returns as above. */
int rn_write_tiff_strips_flush(struct rn_write_tiff_strips *s);
