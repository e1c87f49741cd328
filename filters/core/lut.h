/* Tables that give every sample value another one: made by the host (levels) or by a kernel
 * (equalize), applied by one kernel.
 *
 * A table has 2^depth entries. On the device they are samples: 1 byte each at depth 8, 2 above. */
#ifndef RN_LUT_H
#define RN_LUT_H

#include "filters/core/image.h"
#include "filters/core/opencl.h"

/* Bytes of a table on the device. */
size_t rn_lut_bytes(const struct rn_format *fmt);

/* Copies a table of the host's to the device. *mem: made if NULL, then owned by the caller;
 * otherwise its contents are replaced, ordered after what the run queue holds, and the format is
 * the one it was made for. Returns 0 or RN_EDEVICE (logged). */
int rn_lut_upload(struct rn_device *dev, cl_mem *mem, const uint16_t *table,
                  const struct rn_format *fmt);

/* Enqueues dst = table[src], planes of the same size. Samples above the largest value count as
 * that. Returns 0 or RN_EDEVICE (logged). */
int rn_lut_apply(struct rn_cmd *cmd, cl_mem table, const struct rn_format *fmt,
                 const struct rn_dplane *src, const struct rn_dplane *dst);

/* The reference of rn_lut_apply. */
void rn_lut_ref(const uint16_t *table, const struct rn_format *fmt, const struct rn_plane *src,
                struct rn_plane *dst);

#endif
