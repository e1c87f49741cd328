/* SPDX-License-Identifier: MIT */
/* The layers of a network where they are computed: on a device (kernels/network_layer.cl), or in
 * plain C (plain.c), which is the reference of that. */
#pragma once

#include "filters/core/device/kernel_constants.h"
#include "filters/core/device/opencl.h"
#include "filters/parts/network/network.h"

/* Floats on a device, or of the host where there is none. Zeroed: none. */
struct rn_network_memory {
    struct rn_scratch on;
    float *data;
    size_t n;
};

/* dev: NULL: the host. Makes sure that it holds n floats; new ones are 0. Returns 0 or an error
 * (logged). */
int rn_network_reserve(struct rn_device *dev, struct rn_network_memory *memory, size_t n);
void rn_network_release(struct rn_device *dev, struct rn_network_memory *memory);

/* Planes of floats: their memory, and how far apart they lie in it, in samples. */
struct rn_network_planes {
    cl_mem mem;
    float *data;
    int origin, stride, pitch, picture; /* picture: to the same plane of the next one */
};

/* A sample of plane `plane` of a picture, in the host's memory. */
static inline float *rn_network_sample(const struct rn_network_planes *p, int picture, int plane,
                                       int x, int y)
{
    return p->data + p->origin + (ptrdiff_t)picture * p->picture + (ptrdiff_t)plane * p->pitch +
           (ptrdiff_t)y * p->stride + x;
}

/* As kernels take them: the memory and int4. */
#define RN_NETWORK_PLANES(p)                                                                       \
    RN_ARG_MEM((p).mem), RN_ARG_INT4((p).origin, (p).stride, (p).pitch, (p).picture)

/* Lays out planes of w x h floats with `border` more on each side, for so many pictures, in memory
 * that is reserved for them: zeros at first. Returns 0 or an error (logged). */
int rn_network_lay_out(struct rn_device *dev, struct rn_network_memory *memory, int w, int h,
                       int border, int planes, int pictures, struct rn_network_planes *p);

/* A network with its weights, packed for the layers: there, and back for a gradient, from outputs
 * to inputs, with the taps in the opposite order and no biases. Zeroed at first. */
struct rn_network_bound {
    struct rn_network net;
    struct rn_kernel *layer, *last, *any; /* any: kernels of any size */
    struct rn_network_memory there[RN_NETWORK_MOST], back[RN_NETWORK_LAYERS];
};

/* Planes that a work-item computes of a layer with so many outputs and kernels of this size. */
static inline int rn_network_block(int outputs, int size)
{
    return outputs > 1 || size != 3 ? RN_NETWORK_BLOCK : 1;
}

/* dev: NULL: plain C. floats: as many as the network's. back: these weights, too. Returns 0 or an
 * error (logged, but for RN_UNBUILT). */
int rn_network_bind(struct rn_network_bound *bound, struct rn_device *dev,
                    const struct rn_network *net, const float *floats, bool back);
void rn_network_unbind(struct rn_network_bound *bound, struct rn_device *dev);

/* One layer: out, w x h samples, from in, size - 1 more in each direction. Samples beyond `columns`
 * and outside of the rows from `first` to `end` become 0: the next layer's padding. */
struct rn_network_step {
    struct rn_network_planes in, out, other; /* other: of RN_NETWORK_GATE and RN_NETWORK_ADD */
    int inputs, outputs, size, w, h, pictures;
    int columns, first, end;
    const struct rn_network_memory *weight;
    int flags;
};

/* What it does beside the convolution: what is negative becomes 0; what `other` has not above 0
 * becomes 0; it bends; `other` is added before it does. */
enum { RN_NETWORK_RELU = 1, RN_NETWORK_GATE = 2, RN_NETWORK_BENDS = 4, RN_NETWORK_ADD = 8 };

/* Computes a layer. cmd: NULL: in plain C. Returns 0 or RN_EDEVICE (logged). */
int rn_network_layer(const struct rn_network_bound *bound, struct rn_cmd *cmd,
                     const struct rn_network_step *step);

/* Computes all layers for w x h samples of pictures that have `above` more rows in front of these,
 * and `below` behind them. in: the planes that go in, from the sample on that is net.reach left of
 * and above the first one. out[l]: what layer l gives; it holds w and h plus twice the net's reach
 * and one, but the last w x h alone. Returns 0 or RN_EDEVICE (logged). */
int rn_network_forward(const struct rn_network_bound *bound, struct rn_cmd *cmd,
                       const struct rn_network_planes *in, const struct rn_network_planes out[],
                       int w, int h, int above, int below, int pictures);

/* ---- plain.c: the reference */

/* For functions that call fmaf, which without the instruction takes a hundred times as long. The
 * choice runs while the program is loaded, before the thread sanitizer is. */
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__SANITIZE_THREAD__)
#define RN_FUSED __attribute__((target_clones("avx512f", "arch=haswell", "default")))
#else
#define RN_FUSED
#endif

/* Planes that it takes: vectors of RN_NETWORK_LANES reach beyond the end of a row, where there is
 * room; what a layer writes there is 0. */
#define RN_NETWORK_LANES 16

void rn_network_plain(const struct rn_network_step *step);

/* to[9 * lanes]: sums over an area of w x h samples of its products with what lies around in `in`,
 * of each tap RN_NETWORK_LANES by the column, by fma, row after row. in: NULL: sums of the area
 * alone, in the first lanes. Both from planes of this stride; a has zeros behind a row's end. */
void rn_network_products(const float *a, int a_stride, const float *in, int in_stride, int w, int h,
                         float *to);
