/* The description of a volume (io/volumes/volume.h) that is written. */
#ifndef RN_IO_WRITE_SINKS_VOLUME_OUT_H
#define RN_IO_WRITE_SINKS_VOLUME_OUT_H

#include "io/volumes/volume.h"
#include "io/write/sink.h"

/* Fills v with what is known of the pictures of geom that a chain made of the source's: the
 * source's own volume, as far as it still holds, and who made it (opts->made_by). Pictures of other
 * inputs are slices, those of media points in time. The number of pictures that will come is
 * expected; *known: it is. What cannot be kept is added to the losses; losses NULL: nobody wants to
 * know. */
void rn_write_volume_out(struct rn_vol *v, const struct rn_read_source *source,
                         const struct rn_geom *geom, const char *made_by, struct rn_losses *losses,
                         bool *known);

/* Makes it that of the n pictures that were written. */
void rn_write_volume_out_end(struct rn_vol *v, const struct rn_read_source *source, int64_t n,
                             const char *name, struct rn_losses *losses);

/* Adds that white, which is 0 in the source of v, is the largest value in the output. */
void rn_write_volume_out_turned(const struct rn_vol *v, const char *name, struct rn_losses *losses);

/* Adds what source says of its pictures and no volume has a place for (compare.h). */
void rn_write_volume_out_compare(const struct rn_vol *v, const struct rn_read_source *source,
                                 const char *name, struct rn_losses *losses);

#endif
