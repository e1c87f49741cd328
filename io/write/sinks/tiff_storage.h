/* How the samples of a TIFF stand in the file. Gray ones that the reader had to widen (1 to 7 bits,
 * signed bytes, half floats, whole numbers of 32 bits) are stored as the input has them, as long as
 * all of them fit; and where white is 0 in the input it is 0 in the output. */
#ifndef RN_IO_WRITE_SINKS_TIFF_STORAGE_H
#define RN_IO_WRITE_SINKS_TIFF_STORAGE_H

#include "io/volumes/volume.h"

struct rn_write_tiff_storage {
    int bits; /* of a sample: 1..8, 16, 32 */
    enum rn_number number;
    bool white_is_zero; /* gray, unsigned */
};

/* Samples of fmt, as they are. v: whether white is 0. */
struct rn_write_tiff_storage rn_write_tiff_storage_native(const struct rn_vol *v,
                                                          const struct rn_format *fmt);

/* Samples of fmt, as the input that v describes has them; as they are if it has no other ones. */
struct rn_write_tiff_storage rn_write_tiff_storage_like(const struct rn_vol *v,
                                                        const struct rn_format *fmt);

/* Packs n samples of fmt, a row; to has room for 4 n bytes. Returns false where a sample does not
 * fit. */
bool rn_write_tiff_storage_pack(const struct rn_write_tiff_storage *storage,
                                const struct rn_format *fmt, const uint8_t *row, size_t n,
                                uint8_t *to);

/* Its name for people: uint1, int8, float16... */
const char *rn_write_tiff_storage_name(const struct rn_write_tiff_storage *storage, char buf[16]);

#endif
