/* The tags of a page of a TIFF that is written. */
#ifndef RN_IO_WRITE_SINKS_TIFF_TAGS_H
#define RN_IO_WRITE_SINKS_TIFF_TAGS_H

#include "io/volumes/tiff/tiff.h"
#include "io/write/sinks/compression.h"
#include "io/write/sinks/tiff_storage.h"

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
