/* SPDX-License-Identifier: MIT */
/* Lookup tables that map sample values to sample values: made by the host (levels.c) or by a
 * kernel (equalize), applied by one kernel.
 *
 * A table has 2^depth entries, for the samples from the smallest on. On the device each entry is a
 * sample: 1 byte at depth 8, 2 above; signed ones in two's complement. Floats have no tables. */
#pragma once

#include "filters/core/device/opencl.h"

/* Enqueues dst = table[src] for planes of the same size. Samples above the largest value are looked
 * up as the largest value. Returns 0, RN_EDEVICE or RN_EINTERNAL (logged). */
int rn_lut_apply(struct rn_cmd *cmd, cl_mem table, const struct rn_format *fmt,
                 const struct rn_dplane *src, const struct rn_dplane *dst);
