/* SPDX-License-Identifier: MIT */
/* Reads bytes of a file from an offset on, unpacked if they are compressed. One thread at a time.
 */
#pragma once

#include "io/volumes/volume.h"

enum rn_vol_packing {
    RN_PACKING_NONE,
    RN_PACKING_GZIP, /* any number of members */
    RN_PACKING_ZLIB,
    RN_PACKING_DEFLATE, /* raw: no header, no checksum */
    RN_PACKING_BZIP2,   /* any number of streams */
    RN_PACKING_HEX,     /* two digits a byte */
    RN_PACKING_TEXT,    /* numbers, in decimal digits: rn_vol_bytes_set */
    RN_PACKING_MAT,     /* an array of a .mat: rn_vol_bytes_open_mat */
};

/* The number in so many bytes, at most 8. */
static inline uint64_t rn_vol_number(const uint8_t *p, size_t bytes, bool is_big_endian)
{
    uint64_t v = 0;
    for (size_t i = 0; i < bytes; i++)
        v = v << 8 | p[is_big_endian ? i : bytes - 1 - i];
    return v;
}

struct rn_vol_bytes;

/* Opens path, whose bytes begin at offset. Returns 0, or an errno. */
int rn_vol_bytes_open(struct rn_vol_bytes **bytes, const char *path, int64_t offset,
                      enum rn_vol_packing packing);

/* Likewise, of an open file, which stays the caller's. Its own offset does not move. */
int rn_vol_bytes_borrow(struct rn_vol_bytes **bytes, int fd, int64_t offset,
                        enum rn_vol_packing packing);

/* Opens an array of a .mat by its index (mat_worker.h). path: borrowed; picture: bytes of one. */
int rn_vol_bytes_open_mat(struct rn_vol_bytes **bytes, const char *path, int variable,
                          int64_t picture);
/* Sets the type of the samples that the numbers of a text are unpacked to, and n files (borrowed,
 * paths[0]: the one that is open; NULL: no others) of each of which `each` bytes are read. */
void rn_vol_bytes_set(struct rn_vol_bytes *bytes, enum rn_vol_sample_type type, char *const *paths,
                      int n, int64_t each);
void rn_vol_bytes_close(struct rn_vol_bytes **bytes);

/* Reads n unpacked bytes from offset `at`. Packed files are read forward; an earlier offset
 * restarts at the beginning. Returns the bytes read: fewer at the end, or where unpacking fails. */
size_t rn_vol_bytes_read(struct rn_vol_bytes *bytes, int64_t at, void *to, size_t n);

/* Reads h rows of `row` bytes each, which lie one behind the other in one file without packing, to
 * rows that stand `stride` bytes apart. Any threads, several at once. Returns false if they were
 * not all read. */
bool rn_vol_bytes_read_rows(const struct rn_vol_bytes *bytes, int64_t at, size_t row, int h,
                            uint8_t *to, ptrdiff_t stride);

/* Returns how many bytes from offset `at` to `end` (-1: of the file) may be samples. 0: they are
 * padding, less than a row, or zeros and less than a picture, in bytes. Of packed bytes at most
 * 1 GiB is looked at. */
int64_t rn_vol_bytes_surplus(struct rn_vol_bytes *bytes, int64_t at, int64_t end, int64_t row,
                             int64_t picture);

/* Returns the offset behind `lines` lines from an offset on; -1: path has fewer. */
int64_t rn_vol_bytes_behind_lines(const char *path, int64_t offset, int64_t lines);

/* Returns why a read was short: static text. */
const char *rn_vol_bytes_fault(const struct rn_vol_bytes *bytes);

/* Returns true if what was read so far is damaged: a checksum does not fit, or packed data breaks
 * off. A file without packing that ends is not. */
bool rn_vol_bytes_broken(const struct rn_vol_bytes *bytes);

/* Returns the bytes of the file from its offset on, still packed; -1: unknown. */
int64_t rn_vol_bytes_size(const struct rn_vol_bytes *bytes);
