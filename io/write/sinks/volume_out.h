/* SPDX-License-Identifier: MIT */
/* Describes the volume (io/volumes/volume.h) that a sink writes. */
#pragma once

#include "io/volumes/volume.h"
#include "io/write/sinks/sink_ops.h"

/* Fills v with the volume of the input as far as it still holds for the pictures of sink, and adds
 * made_by (opts->made_by). Pictures of other inputs are slices, those of media points in time. The
 * number of pictures is the expected one, or 1. Adds what v cannot keep to the losses. */
void rn_write_volume_out(struct rn_vol *v, const struct rn_write_sink *sink, const char *made_by);

/* Refuses options of encoders for files of `format`. Returns 0 or RN_EUSAGE (logged). */
int rn_write_volume_out_check(const struct rn_write_sink *sink, const char *format,
                              const struct rn_write_opts *opts);

/* Corrects v for the n pictures that were written. */
void rn_write_volume_out_end(struct rn_vol *v, const struct rn_write_sink *sink, int64_t n);

/* Adds to the losses which other fields of the input's header an output of `format` (NULL: of none
 * that keeps any) does not hold. */
void rn_write_volume_out_fields(const struct rn_vol *v, const struct rn_write_sink *sink,
                                const char *format);

/* Adds to the losses that white, which is 0 in the input of v, is the largest value in the
 * output. */
void rn_write_volume_out_inverted(const struct rn_vol *v, const struct rn_write_sink *sink);

/* Adds to the losses what the input specifies and no volume can hold (compare.h). */
void rn_write_volume_out_compare(const struct rn_vol *v, const struct rn_write_sink *sink);
