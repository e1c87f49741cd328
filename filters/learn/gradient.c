/* SPDX-License-Identifier: MIT */
#include "filters/learn/gradient.h"

#include "filters/base/owned.h"
#include "filters/learn/plain.h"
#include "filters/linear/linear.h"

/* Patches that go through all layers together on a CPU: what lies between stays near the core. */
#define CPU_CHUNK 4

enum kernel { ERROR, GRADIENT, SUM, KERNELS };

/* Planes of patches, with their memory. */
struct part {
    struct rn_network_memory memory;
    struct rn_network_planes at;
};

struct rn_gradient {
    struct rn_gradient_setup s;
    int chunk;
    struct rn_cmd cmd; /* without a device: plain C */
    struct rn_kernel kernel[KERNELS];
    struct rn_network_bound bound;
    /* act: what layers give, the last one the net; change: what it has to change by */
    struct part in, target, act[RN_NETWORK_LAYERS], change[RN_NETWORK_LAYERS];
    struct rn_network_memory sums[RN_NETWORK_LAYERS], result[RN_NETWORK_LAYERS];
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
    return rn_network_out(n, l) * (rn_network_in(n, l) + 1) * 9 * RN_NETWORK_LANES;
}

/* ---- opening */

/* hosted: it is filled or read by the host, which on a device has floats of its own for that: those
 * between rows stay 0. */
static int make(struct rn_gradient *g, struct part *part, int side, int border, int planes,
                bool hosted)
{
    struct rn_network_memory *m = &part->memory;
    int err = rn_network_lay_out(g->cmd.dev, m, side, side, border, planes, g->chunk, &part->at);
    if (!err && hosted && !m->data &&
        !(m->data = calloc((size_t)part->at.picture * (size_t)g->chunk, sizeof *m->data)))
        err = rn_fail_memory();
    return err;
}

static int build(struct rn_gradient *g, const char *name, struct rn_kernel *kernel)
{
    RN_OWNED(rn_free_owned) char *log = NULL;
    const char *text = rn_source_find(rn_bench_sources, "learn.cl");
    int err = rn_kernel_build(g->cmd.dev, &text, 1, name, RN_SAMPLE_F32, kernel, &log);
    return log ? rn_fail_lines(err, log, "kernels/learn.cl does not build:") : err;
}

int rn_gradient_open(struct rn_gradient **gradient, struct rn_device *dev,
                     const struct rn_gradient_setup *setup)
{
    static const char *const names[] = {
        [ERROR] = "learn_error", [GRADIENT] = "learn_gradient", [SUM] = "learn_sum"};
    struct rn_gradient *g = *gradient = calloc(1, sizeof *g);
    if (!g)
        return rn_fail_memory();
    const struct rn_network *n = &setup->net;
    int err = 0;
    g->s = *setup;
    g->cmd = (struct rn_cmd){.dev = dev, .stage = -1};
    g->chunk =
        (!dev || rn_form_alone(&dev->form)) && setup->batch > CPU_CHUNK ? CPU_CHUNK : setup->batch;
    for (int k = 0; dev && k < KERNELS && !err; k++)
        err = build(g, names[k], &g->kernel[k]);
    err = err ? err : make(g, &g->in, side_of(g, -1), 0, n->inputs, true);
    err = err ? err : make(g, &g->target, setup->side, 0, 1, true);
    for (int l = 0; l < n->layers && !err; l++) {
        err = make(g, &g->act[l], side_of(g, l), 0, rn_network_out(n, l), l + 1 == n->layers);
        err = err ? err : make(g, &g->change[l], side_of(g, l), 2, rn_network_out(n, l), false);
        err = err ? err : rn_network_reserve(dev, &g->result[l], layer_floats(n, l));
        if (dev && !err)
            err = rn_network_reserve(dev, &g->sums[l],
                                     (size_t)lane_floats(n, l) * (size_t)setup->batch);
    }
    return err;
}

void rn_gradient_close(struct rn_gradient **gradient)
{
    struct rn_gradient *g = *gradient;
    if (!g)
        return;
    struct rn_device *dev = g->cmd.dev;
    if (dev)
        rn_device_finish(dev);
    rn_network_release(dev, &g->in.memory);
    rn_network_release(dev, &g->target.memory);
    for (int l = 0; l < RN_NETWORK_LAYERS; l++) {
        struct rn_network_memory *const each[] = {&g->act[l].memory, &g->change[l].memory,
                                                  &g->sums[l], &g->result[l]};
        for (size_t i = 0; i < sizeof each / sizeof *each; i++)
            rn_network_release(dev, each[i]);
    }
    rn_network_unbind(&g->bound, dev);
    for (int k = 0; dev && k < KERNELS; k++)
        rn_kernel_release(dev, &g->kernel[k]);
    free(g);
    *gradient = NULL;
}

/* ---- a batch */

static struct rn_cmd *cmd_of(struct rn_gradient *g)
{
    return g->cmd.dev ? &g->cmd : NULL;
}

/* Copies rows between a part and planes without gaps, for `pictures` patches. */
static void copy_rows(const struct part *part, float *packed, int side, int planes, int pictures,
                      bool into)
{
    for (int row = 0; row < planes * pictures * side; row++) {
        float *a = part->memory.data + (size_t)(row / side) * part->at.pitch +
                   (size_t)(row % side) * part->at.stride;
        float *b = packed + (size_t)row * side;
        memcpy(into ? a : b, into ? b : a, (size_t)side * sizeof *a);
    }
}

static int upload(struct rn_gradient *g, const float *from, int side, int planes, int pictures,
                  const struct part *to)
{
    size_t bytes = (size_t)to->at.picture * (size_t)pictures * sizeof *from;
    copy_rows(to, (float *)(size_t)from, side, planes, pictures, true);
    cl_int code = g->cmd.dev ? clEnqueueWriteBuffer(g->cmd.dev->run, to->at.mem, CL_TRUE, 0, bytes,
                                                    to->memory.data, 0, NULL, NULL)
                             : 0;
    return code ? rn_cl_fail(code, "uploading patches") : 0;
}

static int forward(struct rn_gradient *g, int pictures)
{
    struct rn_network_planes out[RN_NETWORK_LAYERS];
    for (int l = 0; l < g->s.net.layers; l++)
        out[l] = g->act[l].at;
    return rn_network_forward(&g->bound, cmd_of(g), &g->in.at, out, g->s.side, g->s.side, pictures);
}

static int find_error(struct rn_gradient *g, int pictures)
{
    const struct rn_network *n = &g->s.net;
    const struct rn_network_planes *t = &g->target.at, *net = &g->act[n->layers - 1].at,
                                   *to = &g->change[n->layers - 1].at;
    struct rn_network_planes in = g->in.at;
    in.origin += n->inputs / 2 * in.pitch + n->layers * (in.stride + 1);
    if (!g->cmd.dev) {
        rn_learn_plain_error(&g->s, net, &in, t, to, pictures);
        return 0;
    }
    struct rn_range items = {g->s.side, g->s.side, pictures};
    return RN_LAUNCH_ITEMS(&g->cmd, &g->kernel[ERROR], items, RN_OWN_GROUP, RN_NETWORK_PLANES(*net),
                           RN_NETWORK_PLANES(in), RN_NETWORK_PLANES(*t), RN_NETWORK_PLANES(*to),
                           RN_ARG_INT(g->s.side), RN_ARG_FLOAT(g->s.step), RN_ARG_INT(g->s.l1));
}

/* From the error back to the sums of every layer. first: the number of picture 0 in the batch. */
static int backward(struct rn_gradient *g, int first, int pictures)
{
    const struct rn_network *n = &g->s.net;
    int err = 0;
    for (int l = n->layers - 1; l >= 0 && !err; l--) {
        int in = rn_network_in(n, l), out = rn_network_out(n, l), side = side_of(g, l);
        struct rn_network_planes from = l ? g->act[l - 1].at : g->in.at, change = g->change[l].at;
        if (g->cmd.dev)
            err = RN_LAUNCH_ITEMS(
                &g->cmd, &g->kernel[GRADIENT],
                ((struct rn_range){(in + 1) * RN_NETWORK_LANES / g->kernel[GRADIENT].width, out,
                                   pictures}),
                RN_OWN_GROUP, RN_NETWORK_PLANES(from), RN_NETWORK_PLANES(change),
                RN_ARG_INT4(side, side, in, out), RN_ARG_MEM(g->sums[l].on.mem), RN_ARG_INT(first));
        else
            rn_learn_plain_gradient(&from, in, &change, out, side, pictures, g->result[l].data);
        change.origin -= 2 * (change.stride + 1); /* with the zeros around */
        const struct rn_network_step step = {.in = change,
                                             .out = l ? g->change[l - 1].at : change,
                                             .gate = from,
                                             .inputs = out,
                                             .outputs = in,
                                             .w = side + 2,
                                             .h = side + 2,
                                             .pictures = pictures,
                                             .weight = &g->bound.back[l],
                                             .flags = RN_NETWORK_GATE};
        if (!err && l)
            err = rn_network_layer(&g->bound, cmd_of(g), &step);
    }
    return err;
}

/* The sums of the batch. */
static int add_up(struct rn_gradient *g, float *to)
{
    const struct rn_network *n = &g->s.net;
    cl_int code = 0;
    int err = 0;
    for (int l = 0; l < n->layers && !err && !code; l++) {
        int in = rn_network_in(n, l), out = rn_network_out(n, l);
        size_t bytes = layer_floats(n, l) * sizeof *to;
        float *at = to + rn_network_at(n, l);
        if (!g->cmd.dev) {
            memcpy(at, g->result[l].data, bytes);
            continue;
        }
        err = RN_LAUNCH_ITEMS(&g->cmd, &g->kernel[SUM], ((struct rn_range){(in + 1) * 9, out, 1}),
                              RN_OWN_GROUP, RN_ARG_MEM(g->sums[l].on.mem),
                              RN_ARG_INT(lane_floats(n, l)), RN_ARG_INT(g->s.batch), RN_ARG_INT(in),
                              RN_ARG_INT(out), RN_ARG_MEM(g->result[l].on.mem));
        code = err ? 0
                   : clEnqueueReadBuffer(g->cmd.dev->run, g->result[l].on.mem, l + 1 == n->layers,
                                         0, bytes, at, 0, NULL, NULL);
    }
    return code ? rn_cl_fail(code, "reading a gradient") : err;
}

/* Uploads the patches of a chunk from number i on, and computes the net. */
static int begin(struct rn_gradient *g, const float *input, int i, int *pictures)
{
    int side = side_of(g, -1), left = g->s.batch - i, planes = g->s.net.inputs;
    *pictures = left < g->chunk ? left : g->chunk;
    int err = upload(g, input + (size_t)i * side * side * planes, side, planes, *pictures, &g->in);
    return err ? err : forward(g, *pictures);
}

int rn_gradient_compute(struct rn_gradient *g, const float *floats, const float *input,
                        const float *target, float *to)
{
    const struct rn_network *net = &g->s.net;
    int err = rn_network_bind(&g->bound, g->cmd.dev, net, floats, true), side = g->s.side, n;
    for (int l = 0; !g->cmd.dev && l < net->layers; l++)
        memset(g->result[l].data, 0, layer_floats(net, l) * sizeof *to);
    for (int i = 0; i < g->s.batch && !err; i += g->chunk) {
        err = begin(g, input, i, &n);
        err = err ? err : upload(g, target + (size_t)i * side * side, side, 1, n, &g->target);
        err = err ? err : find_error(g, n);
        err = err ? err : backward(g, i, n);
    }
    return err ? err : add_up(g, to);
}

int rn_gradient_forward(struct rn_gradient *g, const float *floats, const float *input, float *net)
{
    const struct part *out = &g->act[g->s.net.layers - 1];
    int err = rn_network_bind(&g->bound, g->cmd.dev, &g->s.net, floats, false), n;
    for (int i = 0; i < g->s.batch && !err; i += g->chunk) {
        err = begin(g, input, i, &n);
        size_t bytes = (size_t)out->at.picture * (size_t)n * sizeof *net;
        cl_int code = err || !g->cmd.dev
                          ? 0
                          : clEnqueueReadBuffer(g->cmd.dev->run, out->at.mem, CL_TRUE, 0, bytes,
                                                out->memory.data, 0, NULL, NULL);
        err = code ? rn_cl_fail(code, "reading a network's output") : err;
        if (!err)
            copy_rows(out, net + (size_t)i * g->s.side * g->s.side, g->s.side, 1, n, false);
    }
    return err;
}
