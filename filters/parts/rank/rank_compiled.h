/* A network of rank_network.h as a kernel of its own, for GPUs: its values are registers, so that
 * every radius has to be built. Work-items are tiles side by side, and pass each other what they
 * share through local memory. */
#ifndef RN_FILTERS_PARTS_RANK_RANK_COMPILED_H
#define RN_FILTERS_PARTS_RANK_RANK_COMPILED_H

#include "filters/core/device/opencl.h"

enum {
    RN_RANK_COMPILED_MAX = 8, /* radius: beyond it the values do not fit into 255 registers */
};

/* The kernel of one radius. Zeroed at first. */
struct rn_rank_compiled {
    struct rn_kernel kernel;
    enum rn_sample sample;
    bool tried; /* no kernel then means that the device does not take it */
    int width, height, items, useful;
};

/* Builds the kernel for the median of side x side samples, 3..17, unless that was tried before. If
 * the device does not take it, that is no error: see rn_rank_compiled_is_built. Device thread.
 * Returns 0, RN_EDEVICE or RN_EINTERNAL (logged). */
int rn_rank_compiled_prepare(struct rn_rank_compiled *c, struct rn_device *dev, int side,
                             enum rn_sample sample);

static inline bool rn_rank_compiled_is_built(const struct rn_rank_compiled *c)
{
    return c->kernel.cl != NULL;
}

/* Filters s, which has a margin of 15 and of which as much as the radius is filled, into d, of
 * equal size. Returns as rn_launch. */
int rn_rank_compiled_enqueue(struct rn_rank_compiled *c, struct rn_cmd *cmd,
                             const struct rn_dplane *s, const struct rn_dplane *d);

void rn_rank_compiled_release(struct rn_rank_compiled *c, struct rn_device *dev);

#endif
