/* SPDX-License-Identifier: MIT */
#include "filters/learn/gradient.h"

#include "filters/base/owned.h"
#include "filters/linear/linear.h"
#include "filters/learn/gradient_internal.h"

#include <stdlib.h>
#include <string.h>

/* Patches that go through all layers together on a CPU: what lies between stays near the core. */
#define CPU_CHUNK 4

enum kernel { ERROR, GRADIENT, SUM, KERNELS };

/* Planes of a step, with their memory. */
struct planes {
    struct rn_network_dplanes at;
    size_t bytes;
};

struct rn_gradient {
    struct rn_gradient_setup s;
    int chunk;
    struct rn_plain_gradient *plain; /* without a device */
    struct rn_cmd cmd;
    struct rn_kernel *layer, *last, kernel[KERNELS];
    struct planes in, target, out, act[RN_NETWORK_LAYERS], change[RN_NETWORK_LAYERS];
    cl_mem weight; /* of samples; as target */
    cl_mem forward[RN_NETWORK_LAYERS], backward[RN_NETWORK_LAYERS], limits;
    cl_mem sums[RN_NETWORK_LAYERS], result[RN_NETWORK_LAYERS];
    float *staging; /* of a chunk that is uploaded */
};

/* The side of what layer l gives. */
static int side_of(const struct rn_gradient *g, int l)
{
    return g->s.side + 2 * (g->s.net.layers - 1 - l);
}

static size_t layer_floats(const struct rn_network *n, int l)
{
    return rn_network_at(n, l + 1) - rn_network_at(n, l);
}

/* The floats of the lanes of a patch, for layer l. */
static int lane_floats(const struct rn_network *n, int l)
{
    return rn_network_out(n, l) * (rn_network_in(n, l) + 1) * 9 * 16;
}

/* ---- opening */

static int make(struct rn_gradient *g, struct planes *p, int side, int border, int planes)
{
    p->at = rn_network_lay_out(side, side, border, planes, g->chunk, &p->bytes);
    struct rn_scratch memory = {.mem = NULL};
    int err = rn_scratch_reserve(g->cmd.dev, &memory, p->bytes);
    p->at.mem = memory.mem;
    return err;
}

static int build(struct rn_gradient *g, const char *name, struct rn_kernel *kernel)
{
    RN_OWNED(rn_free_owned) char *log = NULL;
    const char *text = rn_source_find(rn_bench_sources, "learn.cl");
    int err = rn_kernel_build(g->cmd.dev, &text, 1, name, RN_SAMPLE_F32, kernel, &log);
    return log ? rn_fail_lines(err, log, "kernels/learn.cl does not build:") : err;
}

static int open_device(struct rn_gradient *g)
{
    static const char *const names[] = {
        [ERROR] = "learn_error", [GRADIENT] = "learn_gradient", [SUM] = "learn_sum"};
    const struct rn_network *n = &g->s.net;
    struct rn_device *dev = g->cmd.dev;
    float limits[255];
    int err = rn_network_get(dev, &g->layer, &g->last);
    for (int k = 0; k < KERNELS && !err; k++)
        err = build(g, names[k], &g->kernel[k]);
    err = err ? err : make(g, &g->in, side_of(g, -1), 0, n->inputs);
    err = err ? err : make(g, &g->target, g->s.side, 0, 1);
    err = err ? err : make(g, &g->out, g->s.side, 0, 1);
    for (int l = 0; l < n->layers && !err; l++) {
        if (l + 1 < n->layers)
            err = make(g, &g->act[l], side_of(g, l), 0, n->width);
        err = err ? err : make(g, &g->change[l], side_of(g, l), 2, rn_network_out(n, l));
        size_t sums = (size_t)lane_floats(n, l) * (size_t)g->s.batch;
        err = err ? err : rn_buffer_create(dev, CL_MEM_READ_WRITE, sums * 4, &g->sums[l]);
        err = err ? err
                  : rn_buffer_create(dev, CL_MEM_READ_WRITE, layer_floats(n, l) * 4, &g->result[l]);
    }
    err = err ? err : rn_buffer_create(dev, CL_MEM_READ_ONLY, g->target.bytes, &g->weight);
    for (int k = 1; k < 256; k++)
        limits[k - 1] = rn_network_logit(k);
    return err ? err : rn_buffer_from(dev, limits, sizeof limits, &g->limits);
}

int rn_gradient_open(struct rn_gradient **gradient, struct rn_device *dev,
                     const struct rn_gradient_setup *setup)
{
    struct rn_gradient *g = *gradient = calloc(1, sizeof *g);
    if (!g)
        return rn_fail_memory();
    g->s = *setup;
    g->cmd = (struct rn_cmd){.dev = dev, .stage = -1};
    if (!dev)
        return rn_plain_gradient_open(&g->plain, setup);
    g->chunk = rn_form_alone(&dev->form) && g->s.batch > CPU_CHUNK ? CPU_CHUNK : g->s.batch;
    int err = open_device(g);
    size_t most = g->in.bytes > g->target.bytes ? g->in.bytes : g->target.bytes;
    if (!err && !(g->staging = calloc(1, most)))
        err = rn_fail_memory();
    return err;
}

void rn_gradient_close(struct rn_gradient **gradient)
{
    struct rn_gradient *g = *gradient;
    if (!g)
        return;
    struct rn_device *dev = g->cmd.dev;
    rn_plain_gradient_close(&g->plain);
    if (dev) {
        rn_device_finish(dev);
        cl_mem *const one[] = {&g->in.at.mem, &g->target.at.mem, &g->out.at.mem, &g->weight,
                               &g->limits};
        for (size_t i = 0; i < sizeof one / sizeof *one; i++)
            rn_buffer_release(dev, one[i]);
        for (int l = 0; l < RN_NETWORK_LAYERS; l++) {
            cl_mem *const each[] = {&g->act[l].at.mem, &g->change[l].at.mem, &g->forward[l],
                                    &g->backward[l],   &g->sums[l],          &g->result[l]};
            for (size_t i = 0; i < sizeof each / sizeof *each; i++)
                rn_buffer_release(dev, each[i]);
        }
        for (int k = 0; k < KERNELS; k++)
            rn_kernel_release(dev, &g->kernel[k]);
    }
    free(g->staging);
    free(g);
    *gradient = NULL;
}

/* ---- a batch */

/* Uploads planes without gaps for `pictures` patches. */
static int upload(struct rn_gradient *g, const float *from, int side, int planes, int pictures,
                  const struct rn_network_dplanes *to, cl_mem mem)
{
    for (int i = 0; i < planes * pictures; i++)
        for (int y = 0; y < side; y++)
            memcpy(g->staging + (size_t)i * to->pitch + (size_t)y * to->stride,
                   from + ((size_t)i * side + y) * side, (size_t)side * sizeof *from);
    cl_int code = clEnqueueWriteBuffer(g->cmd.dev->run, mem, CL_TRUE, 0,
                                       (size_t)to->picture * (size_t)pictures * sizeof *from,
                                       g->staging, 0, NULL, NULL);
    return code ? rn_cl_fail(code, "uploading patches") : 0;
}

/* Packs the weights for both ways; back: only the first layer's are not sent back. */
static int upload_weights(struct rn_gradient *g, const float *floats, bool back)
{
    const struct rn_network *n = &g->s.net;
    int err = 0;
    for (int l = 0; l < n->layers && !err; l++) {
        int in = rn_network_in(n, l), out = rn_network_out(n, l);
        const float *w = floats + rn_network_at(n, l), *bias = w + 9 * in * out;
        for (int turned = 0; turned < 1 + (back && l) && !err; turned++) {
            size_t count = turned ? rn_network_packed(out, in) : rn_network_packed(in, out);
            RN_OWNED(rn_free_owned) float *packed = malloc(count * sizeof *packed);
            if (!packed)
                return rn_fail_memory();
            rn_network_pack(w, bias, in, out, turned, packed);
            err = rn_buffer_from(g->cmd.dev, packed, count * sizeof *packed,
                                 turned ? &g->backward[l] : &g->forward[l]);
        }
    }
    return err;
}

static int forward(struct rn_gradient *g, int pictures)
{
    const struct rn_network *n = &g->s.net;
    int err = 0;
    for (int l = 0; l < n->layers && !err; l++) {
        bool last = l + 1 == n->layers;
        const struct rn_network_step step = {.in = l ? g->act[l - 1].at : g->in.at,
                                             .out = last ? g->out.at : g->act[l].at,
                                             .inputs = rn_network_in(n, l),
                                             .outputs = rn_network_out(n, l),
                                             .w = side_of(g, l),
                                             .h = side_of(g, l),
                                             .pictures = pictures,
                                             .weight = g->forward[l],
                                             .flags = last ? 0 : RN_NETWORK_RELU};
        err = rn_network_enqueue(&g->cmd, g->layer, g->last, &step);
    }
    return err;
}

#define PLANES(p) RN_ARG_MEM((p).mem), RN_ARG_INT4((p).origin, (p).stride, (p).pitch, (p).picture)

static int enqueue_error(struct rn_gradient *g, int pictures, bool weighted)
{
    const struct rn_network *n = &g->s.net;
    struct rn_network_dplanes in = g->in.at;
    const struct rn_network_dplanes *t = &g->target.at;
    in.origin += n->inputs / 2 * in.pitch + n->layers * (in.stride + 1);
    int flags = (g->s.l1 ? 1 : 0) | (n->mask ? 2 : 0) | (weighted ? 4 : 0);
    return RN_LAUNCH_ITEMS(
        &g->cmd, &g->kernel[ERROR], ((struct rn_range){g->s.side, g->s.side, pictures}),
        RN_OWN_GROUP, PLANES(g->out.at), PLANES(in), RN_ARG_MEM(t->mem), RN_ARG_MEM(g->weight),
        RN_ARG_INT4(t->origin, t->stride, t->pitch, t->picture),
        PLANES(g->change[n->layers - 1].at), RN_ARG_INT4(g->s.side, g->s.side, 0, 0),
        RN_ARG_MEM(g->limits), RN_ARG_FLOAT(g->s.step), RN_ARG_INT(flags));
}

/* From the error back to the sums of every layer. first: the number of picture 0 in the batch. */
static int backward(struct rn_gradient *g, int first, int pictures)
{
    const struct rn_network *n = &g->s.net;
    int err = 0;
    for (int l = n->layers - 1; l >= 0 && !err; l--) {
        int in = rn_network_in(n, l), out = rn_network_out(n, l), side = side_of(g, l);
        struct rn_network_dplanes from = l ? g->act[l - 1].at : g->in.at;
        struct rn_network_dplanes change = g->change[l].at;
        struct rn_range items = {(in + 1) * 16 / g->kernel[GRADIENT].width, out, pictures};
        err = RN_LAUNCH_ITEMS(&g->cmd, &g->kernel[GRADIENT], items, RN_OWN_GROUP, PLANES(from),
                              PLANES(change), RN_ARG_INT4(side, side, in, out),
                              RN_ARG_MEM(g->sums[l]), RN_ARG_INT(first));
        change.origin -= 2 * (change.stride + 1); /* with the zeros around */
        const struct rn_network_step step = {.in = change,
                                             .out = l ? g->change[l - 1].at : change,
                                             .gate = from,
                                             .inputs = out,
                                             .outputs = in,
                                             .w = side + 2,
                                             .h = side + 2,
                                             .pictures = pictures,
                                             .weight = g->backward[l],
                                             .flags = RN_NETWORK_GATE};
        if (!err && l)
            err = rn_network_enqueue(&g->cmd, g->layer, g->last, &step);
    }
    return err;
}

static int sum(struct rn_gradient *g, float *to)
{
    const struct rn_network *n = &g->s.net;
    cl_int code = 0;
    int err = 0;
    for (int l = 0; l < n->layers && !err; l++) {
        int in = rn_network_in(n, l), out = rn_network_out(n, l);
        err = RN_LAUNCH_ITEMS(&g->cmd, &g->kernel[SUM], ((struct rn_range){(in + 1) * 9, out, 1}),
                              RN_OWN_GROUP, RN_ARG_MEM(g->sums[l]), RN_ARG_INT(lane_floats(n, l)),
                              RN_ARG_INT(g->s.batch), RN_ARG_INT(in), RN_ARG_INT(out),
                              RN_ARG_MEM(g->result[l]));
    }
    for (int l = 0; l < n->layers && !err && !code; l++)
        code = clEnqueueReadBuffer(g->cmd.dev->run, g->result[l], l + 1 == n->layers, 0,
                                   layer_floats(n, l) * sizeof *to, to + rn_network_at(n, l), 0,
                                   NULL, NULL);
    return code ? rn_cl_fail(code, "reading a gradient") : err;
}

static size_t input_floats(const struct rn_gradient *g)
{
    size_t side = (size_t)side_of(g, -1);
    return side * side * (size_t)g->s.net.inputs;
}

int rn_gradient_compute(struct rn_gradient *g, const float *floats, const float *input,
                        const float *target, const float *weight, float *to)
{
    size_t area = (size_t)g->s.side * (size_t)g->s.side;
    if (g->plain)
        return rn_plain_gradient_compute(g->plain, floats, input, target, weight, to);
    int err = upload_weights(g, floats, true), side = g->s.side;
    for (int i = 0; i < g->s.batch && !err; i += g->chunk) {
        int n = g->s.batch - i < g->chunk ? g->s.batch - i : g->chunk;
        const struct rn_network_dplanes *t = &g->target.at;
        err = upload(g, input + (size_t)i * input_floats(g), side_of(g, -1), g->s.net.inputs, n,
                     &g->in.at, g->in.at.mem);
        err = err ? err : upload(g, target + (size_t)i * area, side, 1, n, t, t->mem);
        if (!err && weight)
            err = upload(g, weight + (size_t)i * area, side, 1, n, t, g->weight);
        err = err ? err : forward(g, n);
        err = err ? err : enqueue_error(g, n, weight);
        err = err ? err : backward(g, i, n);
    }
    return err ? err : sum(g, to);
}

int rn_gradient_forward(struct rn_gradient *g, const float *floats, const float *input, float *net)
{
    if (g->plain)
        return rn_plain_gradient_forward(g->plain, floats, input, net);
    int err = upload_weights(g, floats, false), side = g->s.side;
    for (int i = 0; i < g->s.batch && !err; i += g->chunk) {
        int n = g->s.batch - i < g->chunk ? g->s.batch - i : g->chunk;
        const struct rn_network_dplanes *out = &g->out.at;
        err = upload(g, input + (size_t)i * input_floats(g), side_of(g, -1), g->s.net.inputs, n,
                     &g->in.at, g->in.at.mem);
        err = err ? err : forward(g, n);
        cl_int code = err ? 0
                          : clEnqueueReadBuffer(g->cmd.dev->run, out->mem, CL_TRUE, 0,
                                                (size_t)out->picture * (size_t)n * sizeof *net,
                                                g->staging, 0, NULL, NULL);
        err = code ? rn_cl_fail(code, "reading a network's output") : err;
        for (int row = 0; row < n * side && !err; row++)
            memcpy(net + ((size_t)i * side + row) * side,
                   g->staging + (size_t)(row / side) * out->picture +
                       (size_t)(row % side) * out->stride,
                   (size_t)side * sizeof *net);
    }
    memset(g->staging, 0, g->in.bytes); /* what lies between rows is zero */
    return err;
}
