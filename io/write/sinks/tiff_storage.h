/* The tags and samples of TIFF pages in the file.
 *
 * The reader widens gray samples of 1..7 bits, signed bytes, half floats, and 32-bit integers. They
 * are stored in the input's type if all of them fit. Where white is 0 in the input it is 0 in the
 * output. */
#ifndef RN_IO_WRITE_SINKS_TIFF_STORAGE_H
#define RN_IO_WRITE_SINKS_TIFF_STORAGE_H

#include "io/volumes/tiff/tiff.h"
#include "io/volumes/volume.h"
#include "io/write/sinks/compression.h"

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

/* Packs a row of n samples of fmt into `to`, of 4 n bytes. Returns false if a sample does not
 * fit. */
bool rn_write_tiff_storage_pack(const struct rn_write_tiff_storage *storage,
                                const struct rn_format *fmt, const uint8_t *row, size_t n,
                                uint8_t *to);

/* Its name for people: uint1, int8, float16... */
const char *rn_write_tiff_storage_name(const struct rn_write_tiff_storage *storage, char buf[16]);

/* ---- tags */

struct rn_write_tiff_tags {
    int comps;                            /* of a pixel: gray, with alpha, RGB, with alpha */
    struct rn_write_tiff_storage storage; /* of their samples */
    int depth;                            /* bits in use; 0: all */
    struct rn_write_compression wanted;
    double xres, yres; /* dots per unspecified unit; 0 = square pixels */
};

/* Checks whether libtiff has the codec that wanted names. Returns 0 or RN_EUSAGE (logged). */
int rn_write_tiff_tags_check(const struct rn_write_compression *wanted);

/* Bytes of a row of w pixels. */
size_t rn_write_tiff_tags_row(const struct rn_write_tiff_tags *tags, int w);

/* Sets the tags of a page of w x h pixels in one strip. Any thread. Returns false if libtiff
 * failed.
 */
bool rn_write_tiff_tags_set(const struct rn_write_tiff_tags *tags, TIFF *t, int w, int h);

#endif
