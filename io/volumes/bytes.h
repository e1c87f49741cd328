/* The bytes of a file from a place on, unpacked where they are compressed. One thread at a time. */
#ifndef RN_IO_VOLUMES_BYTES_H
#define RN_IO_VOLUMES_BYTES_H

#include <stddef.h>
#include <stdint.h>

enum rn_vol_packing {
    RN_PACKING_NONE,
    RN_PACKING_GZIP, /* any number of members, one behind the other */
    RN_PACKING_ZLIB,
    RN_PACKING_DEFLATE, /* with neither head nor checksum */
    RN_PACKING_MAT,     /* an array of a .mat: rn_vol_bytes_open_mat */
};

struct rn_vol_bytes;

/* Opens path, whose bytes begin at offset. Returns 0, or an errno. */
int rn_vol_bytes_open(struct rn_vol_bytes **bytes, const char *path, int64_t offset,
                      enum rn_vol_packing packing);

/* Likewise, of a file that is open for reading, and stays the caller's: its own place is not moved.
 */
int rn_vol_bytes_borrow(struct rn_vol_bytes **bytes, int fd, int64_t offset,
                        enum rn_vol_packing packing);

/* Opens an array of a .mat by its number (mat_worker.h), whose pictures have so many bytes. */
int rn_vol_bytes_open_mat(struct rn_vol_bytes **bytes, const char *path, int variable,
                          int64_t picture);
void rn_vol_bytes_close(struct rn_vol_bytes **bytes);

/* Reads n bytes from place `at` on, counted from the beginning and unpacked. Packed ones are read
 * forward; a place further back begins anew. Returns how many there are: less than n where they end
 * or cannot be unpacked any further. */
size_t rn_vol_bytes_read(struct rn_vol_bytes *bytes, int64_t at, void *to, size_t n);

/* Why they ended too early: static text. */
const char *rn_vol_bytes_fault(const struct rn_vol_bytes *bytes);

/* How many bytes the file has from the place on, packed as they are; -1: unknown. */
int64_t rn_vol_bytes_size(const struct rn_vol_bytes *bytes);

#endif
