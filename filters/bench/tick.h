/* Does a device compute what the C references do? A few filters of every kind on small pictures
 * of every sample type; the numeric tests try all of them. */
#ifndef RN_FILTERS_BENCH_TICK_H
#define RN_FILTERS_BENCH_TICK_H

#include "filters/base/image.h"
#include "filters/core/device/device.h"

struct rn_tick {
    int cases, differing;
    char first[96]; /* chain and format of the first that differs */
};

/* Runs one synthetic frame of geometry geom through a chain, on dev and in plain C. *differing: the
 * samples that are not the same; *plain_seconds: of plain C. Returns 0 or an error (logged). */
int rn_tick_compare(struct rn_device *dev, const char *chain, const struct rn_geom *geom,
                    int64_t *differing, double *plain_seconds);

/* dev: NULL makes no cases. Returns 0, RN_EDEVICE or RN_EINTERNAL (logged); what differs is no
 * error here. */
int rn_tick(struct rn_device *dev, struct rn_tick *tick);

#endif
