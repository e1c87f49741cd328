/* SPDX-License-Identifier: MIT */
/* The layers of a network on a device: kernels/network_layer.cl. */
#pragma once

#include "filters/core/device/opencl.h"
#include "filters/parts/network/network.h"

/* Planes of floats: their place in mem, and how far apart they lie, in samples. */
struct rn_network_dplanes {
    cl_mem mem;
    int origin, stride, pitch, picture; /* picture: to the same plane of the next one */
};

/* Lays out planes of w x h floats with `border` zeros on each side, for so many pictures. *bytes:
 * of all of them, which become their owner's with mem. */
struct rn_network_dplanes rn_network_lay_out(int w, int h, int border, int planes, int pictures,
                                             size_t *bytes);

/* What one layer does beside the convolution. */
enum { RN_NETWORK_RELU = 1, RN_NETWORK_GATE = 2 };

struct rn_network_step {
    struct rn_network_dplanes in, out, gate; /* gate: only of RN_NETWORK_GATE */
    int inputs, outputs, w, h, pictures;
    cl_mem weight; /* packed for these inputs and outputs */
    int flags;
};

/* Gets the kernels. Returns 0 or an error (logged, but for RN_UNBUILT). */
int rn_network_get(struct rn_device *dev, struct rn_kernel **layer, struct rn_kernel **last);

/* The floats of packed weights, and packs those of a layer. turned: for the way back, from outputs
 * to inputs, with the taps in the opposite order and no biases. */
size_t rn_network_packed(int inputs, int outputs);
void rn_network_pack(const float *weight, const float *bias, int inputs, int outputs, bool turned,
                     float *packed);

/* Enqueues one layer. Returns 0 or RN_EDEVICE (logged). */
int rn_network_enqueue(struct rn_cmd *cmd, struct rn_kernel *layer, struct rn_kernel *last,
                       const struct rn_network_step *step);
