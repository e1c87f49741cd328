/* SPDX-License-Identifier: MIT */
#include "filters/learn/gradient.h"

#include "filters/base/owned.h"
#include "filters/linear/linear.h"

/* Patches that go through all layers together on a CPU: what lies between stays near the core. */
#define CPU_CHUNK 4

enum kernel { ERROR, GRADIENT, SUM, KERNELS = RN_GRADIENT_KERNELS };

enum loss { SQUARE, SIZE, CROSS_ENTROPY }; /* as kernels/learn.cl numbers them */

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

/* Planes of the whole batch that the host fills or reads: on a device it has floats of its own. */
static int make_hosted(struct rn_gradient *g, int i, int side, int planes,
                       struct rn_network_planes *at)
{
    struct rn_network_memory *m = &g->hosted[i];
    int err = rn_network_lay_out(g->cmd.dev, m, side, side, 0, planes, g->s.batch, at);
    if (!err && !m->data)
        m->data = calloc((size_t)at->picture * (size_t)g->s.batch, sizeof *m->data);
    at->data = m->data;
    return err || m->data ? err : rn_fail_memory();
}

/* Planes of a layer, of a chunk. */
static int make(struct rn_gradient *g, int l, struct rn_network_memory *m, int border,
                struct rn_network_planes *at)
{
    return rn_network_lay_out(g->cmd.dev, m, side_of(g, l), side_of(g, l), border,
                              rn_network_out(&g->s.net, l), g->chunk, at);
}

static int build(struct rn_gradient *g, const char *name, struct rn_kernel *kernel)
{
    RN_OWNED(rn_free_owned) char *log = NULL;
    const char *text = rn_source_find(rn_bench_sources, "learn.cl");
    int err = rn_kernel_build(g->cmd.dev, &text, 1, name, RN_SAMPLE_F32, kernel, &log);
    return log ? rn_fail_lines(err, log, "kernels/learn.cl does not build:") : err;
}

int rn_gradient_open(struct rn_gradient *g, struct rn_device *dev)
{
    static const char *const names[] = {
        [ERROR] = "learn_error", [GRADIENT] = "learn_gradient", [SUM] = "learn_sum"};
    const struct rn_gradient_setup *setup = &g->s;
    const struct rn_network *n = &setup->net;
    int err = 0;
    g->cmd = (struct rn_cmd){.dev = dev, .stage = -1};
    g->chunk =
        (!dev || rn_form_alone(&dev->form)) && setup->batch > CPU_CHUNK ? CPU_CHUNK : setup->batch;
    for (int k = 0; dev && k < KERNELS && !err; k++)
        err = build(g, names[k], &g->kernel[k]);
    err = err ? err : make_hosted(g, 0, side_of(g, -1), n->inputs, &g->data.in);
    int outputs = rn_network_out(n, n->layers - 1);
    err = err ? err : make_hosted(g, 1, setup->side, outputs, &g->data.target);
    err = err ? err : make_hosted(g, 2, setup->side, outputs, &g->data.net);
    for (int l = 0; l < n->layers && !err; l++) {
        if (l + 1 < n->layers)
            err = make(g, l, &g->acts[l], 0, &g->act[l]);
        err = err ? err : make(g, l, &g->changes[l], 2, &g->change[l]);
        err = err ? err : rn_network_reserve(dev, &g->result[l], layer_floats(n, l));
        if (dev && !err)
            err = rn_network_reserve(dev, &g->sums[l],
                                     (size_t)lane_floats(n, l) * (size_t)setup->batch);
    }
    return err;
}

void rn_gradient_close(struct rn_gradient *g)
{
    struct rn_device *dev = g->cmd.dev;
    if (dev)
        rn_device_finish(dev);
    for (int i = 0; i < 3; i++)
        rn_network_release(dev, &g->hosted[i]);
    for (int l = 0; l < RN_NETWORK_LAYERS; l++) {
        struct rn_network_memory *const each[] = {&g->acts[l], &g->changes[l], &g->sums[l],
                                                  &g->result[l]};
        for (size_t i = 0; i < sizeof each / sizeof *each; i++)
            rn_network_release(dev, each[i]);
    }
    rn_network_unbind(&g->bound, dev);
    for (int k = 0; dev && k < KERNELS; k++)
        rn_kernel_release(dev, &g->kernel[k]);
}

static enum loss loss_of(const struct rn_gradient_setup *s)
{
    return s->net.output == RN_NETWORK_PROBABILITY ? CROSS_ENTROPY : s->l1 ? SIZE : SQUARE;
}

/* ---- plain C, the reference of kernels/learn.cl */

static void find_plain_error(const struct rn_gradient_setup *s, const struct rn_network_planes *net,
                             const struct rn_network_planes *in,
                             const struct rn_network_planes *target,
                             const struct rn_network_planes *to, int pictures)
{
    enum loss loss = loss_of(s);
    int area = s->side * s->side, outputs = rn_network_out(&s->net, s->net.layers - 1);
    for (int id = 0; id < pictures * outputs * area; id++) {
        int x = id % s->side, y = id / s->side % s->side;
        int p = id / area / outputs, o = id / area % outputs;
        float z = *rn_network_sample(net, p, o, x, y);
        float is =
            loss == CROSS_ENTROPY ? rn_network_sigmoid(z) : *rn_network_sample(in, p, 0, x, y) + z;
        float e = is - *rn_network_sample(target, p, o, x, y);
        *rn_network_sample(to, p, o, x, y) = isnan(e)       ? 0
                                             : loss != SIZE ? e * s->step
                                             : e > 0        ? s->step
                                             : e < 0        ? -s->step
                                                            : 0;
    }
}

/* The sum of the lanes, halves upon halves. */
static float add_lanes(float *lane)
{
    for (int half = RN_NETWORK_LANES / 2; half; half /= 2)
        for (int i = 0; i < half; i++)
            lane[i] += lane[i + half];
    return lane[0];
}

/* Adds the gradient of a layer to its floats, picture after picture. */
static void add_plain_gradient(const struct rn_network_planes *in, int inputs,
                               const struct rn_network_planes *change, int outputs, int w,
                               int pictures, float *to)
{
    float sums[9][RN_NETWORK_LANES];
    for (int p = 0; p < pictures; p++)
        for (int o = 0; o < outputs; o++) {
            const float *a = rn_network_sample(change, p, o, 0, 0);
            for (int c = 0; c <= inputs; c++) {
                const float *b = c < inputs ? rn_network_sample(in, p, c, 0, 0) : NULL;
                rn_network_products(a, change->stride, b, in->stride, w, w, sums[0]);
                for (int t = 0; t < (c < inputs ? 9 : 1); t++)
                    to[c < inputs ? (o * inputs + c) * 9 + t : outputs * inputs * 9 + o] +=
                        add_lanes(sums[t]);
            }
        }
}

/* ---- a batch */

static struct rn_cmd *cmd_of(struct rn_gradient *g)
{
    return g->cmd.dev ? &g->cmd : NULL;
}

/* The planes from picture `first` on. */
static struct rn_network_planes from_picture(struct rn_network_planes p, int first)
{
    p.origin += first * p.picture;
    return p;
}

static size_t bytes_of(const struct rn_gradient *g, const struct rn_network_planes *p)
{
    return (size_t)p->picture * (size_t)g->s.batch * sizeof *p->data;
}

static int upload(struct rn_gradient *g, const struct rn_network_planes *p)
{
    cl_int code = g->cmd.dev ? clEnqueueWriteBuffer(g->cmd.dev->run, p->mem, CL_TRUE, 0,
                                                    bytes_of(g, p), p->data, 0, NULL, NULL)
                             : 0;
    return rn_cl_check(code, "uploading patches");
}

/* The net of so many pictures. */
static int forward(struct rn_gradient *g, int first, int pictures)
{
    const struct rn_network_planes in = from_picture(g->data.in, first);
    struct rn_network_planes out[RN_NETWORK_LAYERS];
    int last = g->s.net.layers - 1, side = g->s.side;
    memcpy(out, g->act, sizeof out);
    out[last] = from_picture(g->data.net, first);
    return rn_network_forward(&g->bound, cmd_of(g), &in, out, side, side, 0, 0, pictures);
}

static int find_error(struct rn_gradient *g, int first, int pictures)
{
    const struct rn_network *n = &g->s.net;
    const struct rn_network_planes net = from_picture(g->data.net, first),
                                   target = from_picture(g->data.target, first),
                                   *to = &g->change[n->layers - 1];
    struct rn_network_planes in = from_picture(g->data.in, first);
    int outputs = rn_network_out(n, n->layers - 1);
    struct rn_range items = {g->s.side, g->s.side, pictures * outputs};
    in.origin += n->inputs / 2 * in.pitch + n->layers * (in.stride + 1);
    if (g->cmd.dev)
        return RN_LAUNCH_ITEMS(&g->cmd, &g->kernel[ERROR], items, RN_OWN_GROUP,
                               RN_NETWORK_PLANES(net), RN_NETWORK_PLANES(in),
                               RN_NETWORK_PLANES(target), RN_NETWORK_PLANES(*to),
                               RN_ARG_INT(g->s.side), RN_ARG_FLOAT(g->s.step),
                               RN_ARG_INT(loss_of(&g->s)), RN_ARG_INT(outputs));
    find_plain_error(&g->s, &net, &in, &target, to, pictures);
    return 0;
}

/* From the error back to the sums of every layer. first: the number of picture 0 in the batch. */
static int backward(struct rn_gradient *g, int first, int pictures)
{
    const struct rn_network *n = &g->s.net;
    int err = 0;
    for (int l = n->layers - 1; l >= 0 && !err; l--) {
        int in = rn_network_in(n, l), out = rn_network_out(n, l), side = side_of(g, l);
        struct rn_network_planes from = l ? g->act[l - 1] : from_picture(g->data.in, first);
        struct rn_network_planes change = g->change[l];
        if (g->cmd.dev)
            err = RN_LAUNCH_ITEMS(
                &g->cmd, &g->kernel[GRADIENT],
                ((struct rn_range){(in + 1) * RN_NETWORK_LANES / g->kernel[GRADIENT].width, out,
                                   pictures}),
                RN_OWN_GROUP, RN_NETWORK_PLANES(from), RN_NETWORK_PLANES(change),
                RN_ARG_INT4(side, side, in, out), RN_ARG_MEM(g->sums[l].on.mem), RN_ARG_INT(first));
        else
            add_plain_gradient(&from, in, &change, out, side, pictures, g->result[l].data);
        change.origin -= 2 * (change.stride + 1); /* with the zeros around */
        const struct rn_network_step step = {.in = change,
                                             .out = l ? g->change[l - 1] : change,
                                             .other = from,
                                             .inputs = out,
                                             .outputs = in,
                                             .size = 3,
                                             .w = side + 2,
                                             .h = side + 2,
                                             .columns = side + 2,
                                             .end = side + 2,
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
    int err = 0;
    for (int l = 0; l < n->layers && !err; l++) {
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
        err =
            err ? err
                : rn_cl_check(clEnqueueReadBuffer(g->cmd.dev->run, g->result[l].on.mem,
                                                  l + 1 == n->layers, 0, bytes, at, 0, NULL, NULL),
                              "reading a gradient");
    }
    return err;
}

int rn_gradient_compute(struct rn_gradient *g, const float *floats, float *to)
{
    const struct rn_network *net = &g->s.net;
    int err = rn_network_bind(&g->bound, g->cmd.dev, net, floats, true);
    for (int l = 0; !g->cmd.dev && l < net->layers; l++)
        memset(g->result[l].data, 0, layer_floats(net, l) * sizeof *to);
    err = err ? err : upload(g, &g->data.in);
    err = err ? err : upload(g, &g->data.target);
    for (int i = 0; i < g->s.batch && !err; i += g->chunk) {
        int n = g->s.batch - i < g->chunk ? g->s.batch - i : g->chunk;
        err = forward(g, i, n);
        err = err ? err : find_error(g, i, n);
        err = err ? err : backward(g, i, n);
    }
    return err ? err : add_up(g, to);
}

int rn_gradient_forward(struct rn_gradient *g, const float *floats)
{
    const struct rn_network_planes *net = &g->data.net;
    int err = rn_network_bind(&g->bound, g->cmd.dev, &g->s.net, floats, false);
    err = err ? err : upload(g, &g->data.in);
    for (int i = 0; i < g->s.batch && !err; i += g->chunk)
        err = forward(g, i, g->s.batch - i < g->chunk ? g->s.batch - i : g->chunk);
    if (err || !g->cmd.dev)
        return err;
    cl_int code = clEnqueueReadBuffer(g->cmd.dev->run, net->mem, CL_TRUE, 0, bytes_of(g, net),
                                      net->data, 0, NULL, NULL);
    return rn_cl_check(code, "reading a network's output");
}
