/* SPDX-License-Identifier: MIT */
/* Compresses a stream of bytes for gzip or zlib in pieces, with several threads. The end of each
 * piece is the dictionary of the next one, so the result is hardly larger than a stream compressed
 * in one piece, and the same for any number of threads. One thread, the owner, calls all functions.
 */
#pragma once

#include "io/volumes/bytes.h"

struct rn_write_deflater;

struct rn_write_deflater_setup {
    enum rn_vol_packing packing; /* RN_PACKING_GZIP: one member; RN_PACKING_ZLIB */
    int level;                   /* 1..9; 0: 4 */
    int threads;                 /* >= 1 */
    /* Writes packed bytes. Called in order, from the thread that calls the functions below. Returns
     * 0 or an error (logged). */
    int (*put)(void *opaque, const void *data, size_t n);
    void *opaque;
};

/* Returns NULL when out of memory. */
struct rn_write_deflater *rn_write_deflater_create(const struct rn_write_deflater_setup *setup);

/* Ends the threads and drops bytes that were not put. Sets *d to NULL; NULL is legal. */
void rn_write_deflater_destroy(struct rn_write_deflater **d);

/* Takes n bytes, which the caller may change on return. Returns 0, the first error of put, after
 * which only destroy is allowed, or RN_EINTERNAL (logged). */
int rn_write_deflater_write(struct rn_write_deflater *d, const void *data, size_t n);

/* Ends the stream and puts the rest. Returns as above; then only destroy is allowed. */
int rn_write_deflater_finish(struct rn_write_deflater *d);
