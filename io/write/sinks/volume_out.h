/* The description of a volume (io/volumes/volume.h) that is written. */
#ifndef RN_IO_WRITE_SINKS_VOLUME_OUT_H
#define RN_IO_WRITE_SINKS_VOLUME_OUT_H

#include "io/volumes/volume.h"
#include "io/write/sinks/sink_ops.h"

/* Fills v with what is known of the pictures that sink gets: the volume of its input as far as it
 * still holds, and who made it (opts->made_by). Pictures of other inputs are slices, those of media
 * points in time. The number of pictures is the expected one; *known: the input specifies it. What
 * cannot be kept is added to the losses. */
void rn_write_volume_out(struct rn_vol *v, const struct rn_write_sink *sink, const char *made_by,
                         bool *known);

/* Makes it that of the n pictures that were written. */
void rn_write_volume_out_end(struct rn_vol *v, const struct rn_write_sink *sink, int64_t n);

/* Adds that white, which is 0 in the input of v, is the largest value in the output. */
void rn_write_volume_out_turned(const struct rn_vol *v, const struct rn_write_sink *sink);

/* Adds what the input specifies of its pictures and no volume has a place for (compare.h). */
void rn_write_volume_out_compare(const struct rn_vol *v, const struct rn_write_sink *sink);

#endif
