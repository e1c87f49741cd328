/* What pictures say of themselves may change in mid-stream; an output says it once, for all. */
#ifndef RN_IO_WRITE_ENCODE_MIDSTREAM_H
#define RN_IO_WRITE_ENCODE_MIDSTREAM_H

#include <stdbool.h>

#include <libavutil/frame.h>

#include "filters/base/losses.h"

struct rn_write_midstream {
    bool fields_said, range_said;
    bool captions_said; /* set it where the encoder keeps them */
};

/* Adds a line to losses where props, of the picture `index` of the input, is interlaced in another
 * way than first, its first picture, or its samples have another range and so were converted, or
 * closed captions begin there (those of first are for rn_write_compare). name: of the output. Each
 * is said once. */
void rn_write_midstream_watch(struct rn_write_midstream *m, const AVFrame *first,
                              const AVFrame *props, int64_t index, const char *name,
                              struct rn_losses *losses);

#endif
