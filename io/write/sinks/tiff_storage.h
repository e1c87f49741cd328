/* How the pages of a TIFF stand in the file: their tags and their samples.
 *
 * The reader widens gray samples of 1 to 7 bits, signed bytes, half floats, and integers of 32
 * bits. They are stored as the input has them if all of them fit. Where white is 0 in the input it
 * is 0 in the output. */
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

/* Stores samples of fmt unchanged. v: specifies whether white is 0. */
struct rn_write_tiff_storage rn_write_tiff_storage_native(const struct rn_vol *v,
                                                          const struct rn_format *fmt);

/* Stores samples of fmt as the input of v does; unchanged if that stores them no narrower. */
struct rn_write_tiff_storage rn_write_tiff_storage_like(const struct rn_vol *v,
                                                        const struct rn_format *fmt);

/* Packs n samples of fmt, a row; to has room for 4 n bytes. Returns false where a sample does not
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
    int depth;                            /* how many of the bits count; 0: all of them */
    struct rn_write_compression wanted;
    double xres, yres; /* dots per unit that nobody names; 0 = square pixels */
};

/* Is there what wanted asks for? Returns 0 or RN_EUSAGE (logged). */
int rn_write_tiff_tags_check(const struct rn_write_compression *wanted);

/* Bytes of a row of w pixels. */
size_t rn_write_tiff_tags_row(const struct rn_write_tiff_tags *tags, int w);

/* Gives t the tags of a page of w x h pixels, as one strip if the caller says no more. Any thread.
 * Returns false if libtiff failed. */
bool rn_write_tiff_tags_set(const struct rn_write_tiff_tags *tags, TIFF *t, int w, int h);

#endif
