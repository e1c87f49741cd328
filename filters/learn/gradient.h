/* SPDX-License-Identifier: MIT */
/* The gradient of a network (parts/network/network.h) over a batch of patches, on a device or in
 * plain C: the same floats everywhere, as every sum has an order that is written down.
 *
 * What layer l has to change by is that of the layer behind it, sent back by the layer's own
 * arithmetic with the taps turned, no bias, and zeros around the patch; it passes where the layer's
 * output is above 0. The change of a weight is summed, by fma, over the rows of a patch one after
 * the other, in 16 lanes by the column; then lanes are added, halves upon halves (i and i + 8, then
 * i and i + 4...), and last the patches, in their order. What the last layer has to change by is
 * step * (in + net - target), or step with the sign of that; of a probability, by cross-entropy,
 * step * (sigmoid(net) - target). It is 0 where the target is NaN.
 *
 * Patches are `side` samples wide and high; what goes in has a sample for each layer more on every
 * side. One thread at a time. */
#pragma once

#include "filters/parts/network/layers.h"

#define RN_GRADIENT_KERNELS 3

struct rn_gradient_setup {
    struct rn_network net;
    int batch; /* patches */
    int side;
    float step; /* of the error, such as 2 / number of samples */
    bool l1;    /* the sign of the error counts alone, unless it is that of a probability */
};

/* What goes in and comes out, in the host's memory, `batch` pictures each (rn_network_sample): the
 * planes of the input, side + 2 layers samples a row and as many rows; targets, of which samples
 * that do not count are NaN; what the network gives, both as many planes as its last layer has. */
struct rn_gradient_data {
    struct rn_network_planes in, target, net;
};

struct rn_gradient {
    struct rn_gradient_setup s;
    int chunk;
    struct rn_cmd cmd; /* without a device: plain C */
    struct rn_kernel kernel[RN_GRADIENT_KERNELS];
    struct rn_network_bound bound;
    struct rn_gradient_data data;
    /* What layers give, but the last one, and what that has to change by, of a chunk. */
    struct rn_network_planes act[RN_NETWORK_LAYERS], change[RN_NETWORK_LAYERS];
    struct rn_network_memory hosted[3], acts[RN_NETWORK_LAYERS], changes[RN_NETWORK_LAYERS];
    struct rn_network_memory sums[RN_NETWORK_LAYERS], result[RN_NETWORK_LAYERS];
};

/* gradient: zeroed but for its setup; closed by the caller in any case. dev: NULL: plain C; else
 * borrowed, it outlives the gradient. Returns 0 or an error (logged). */
int rn_gradient_open(struct rn_gradient *gradient, struct rn_device *dev);
void rn_gradient_close(struct rn_gradient *gradient);

/* Computes the gradient of `floats` (as many as the network's) for a batch; or what the network
 * gives for it. Both return 0 or an error (logged). */
int rn_gradient_compute(struct rn_gradient *gradient, const float *floats, float *to);
int rn_gradient_forward(struct rn_gradient *gradient, const float *floats);
