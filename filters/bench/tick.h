/* Does a device compute what the C references do? A few filters of every kind on small pictures
 * of every sample type; the numeric tests try all of them. */
#ifndef RN_FILTERS_BENCH_TICK_H
#define RN_FILTERS_BENCH_TICK_H

#include "filters/core/device/device.h"

struct rn_tick {
    int cases, differing;
    char first[96]; /* chain and format of the first that differs */
};

/* dev: NULL makes no cases. Returns 0, RN_EDEVICE or RN_EINTERNAL (logged); what differs is no
 * error here. */
int rn_tick(struct rn_device *dev, struct rn_tick *tick);

#endif
