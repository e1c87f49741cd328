/* SPDX-License-Identifier: MIT */
/* Checks that a device computes what the C references do: a few filters of every kind on small
 * pictures of every sample type. The numeric tests cover all filters. */
#pragma once

#include "filters/base/image.h"
#include "filters/core/device/device.h"

struct rn_tick {
    int cases, differing;
    char first[96]; /* chain and format of the first case that differs */
};

/* Runs one synthetic frame of geometry geom through a chain, on dev and in plain C. *differing: the
 * number of samples that differ; *plain_seconds: the time of plain C. Returns 0 or an error
 * (logged). */
int rn_tick_compare(struct rn_device *dev, const char *chain, const struct rn_geom *geom,
                    int64_t *differing, double *plain_seconds);

/* dev: NULL = no cases. Returns 0, RN_EDEVICE or RN_EINTERNAL (logged); a difference is no
 * error. */
int rn_tick(struct rn_device *dev, struct rn_tick *tick);
