/* Compresses the strips of TIFF pages by libtiff in several threads, and puts them in order. Each
 * strip is compressed in a TIFF of its own in memory, so all codecs and predictors of libtiff work,
 * and the file is the same for any number of threads. One thread, the owner, calls all functions.
 */
#ifndef RN_IO_WRITE_SINKS_TIFF_STRIPS_H
#define RN_IO_WRITE_SINKS_TIFF_STRIPS_H

#include <libavutil/frame.h>

#include "io/volumes/tiff/tiff.h"

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
 * Returns 0 or the first error of put, after which only destroy is allowed; or RN_EINTERNAL
 * (logged). */
int rn_write_tiff_strips_write(struct rn_write_tiff_strips *s, const AVFrame *page);

/* Puts the rest. Returns as above. */
int rn_write_tiff_strips_flush(struct rn_write_tiff_strips *s);

#endif
