/* SPDX-License-Identifier: MIT */
#include "filters/parts/network/layers.h"

#include "filters/base/owned.h"

/* ---- memory */

int rn_network_reserve(struct rn_device *dev, struct rn_network_memory *m, size_t n)
{
    if (dev)
        return rn_scratch_reserve(dev, &m->on, n * sizeof *m->data);
    if (m->n >= n)
        return 0;
    free(m->data);
    m->data = calloc(n, sizeof *m->data);
    m->n = m->data ? n : 0;
    return m->data ? 0 : rn_fail_memory();
}

void rn_network_release(struct rn_device *dev, struct rn_network_memory *m)
{
    if (dev)
        rn_scratch_release(dev, &m->on);
    free(m->data);
    *m = (struct rn_network_memory){.data = NULL};
}

int rn_network_lay_out(struct rn_device *dev, struct rn_network_memory *memory, int w, int h,
                       int border, int planes, int pictures, struct rn_network_planes *p)
{
    p->stride = rn_round_up(w + 2 * border, RN_NETWORK_LANES) + RN_NETWORK_LANES;
    p->pitch = p->stride * (h + 2 * border + RN_NETWORK_SLACK);
    p->picture = p->pitch * planes;
    p->origin = border * (p->stride + 1);
    int err = rn_network_reserve(dev, memory, (size_t)p->picture * (size_t)pictures);
    p->mem = memory->on.mem;
    p->data = memory->data;
    return err;
}

/* ---- weights */

/* Planes that a work-item computes. */
static int block_of(int outputs)
{
    return outputs > 1 ? RN_NETWORK_BLOCK : 1;
}

/* Packs the weights of a layer from the order of the file: for each block of outputs those of an
 * input after the other, of each tap one for each output; behind them all biases. */
static int put_weights(struct rn_device *dev, struct rn_network_memory *memory, const float *weight,
                       int inputs, int outputs, bool back)
{
    int to = back ? inputs : outputs, from = back ? outputs : inputs, block = block_of(to);
    size_t n = (size_t)rn_round_up(to, block) * (size_t)(9 * from + 1);
    RN_OWNED(rn_free_owned) float *packed = malloc(n * sizeof *packed);
    if (!packed)
        return rn_fail_memory();
    float *next = packed;
    for (int first = 0; first < to; first += block)
        for (int c = 0; c < from; c++)
            for (int t = 0; t < 9; t++)
                for (int o = first; o < first + block; o++)
                    *next++ = o >= to ? 0
                              : back  ? weight[(c * to + o) * 9 + 8 - t]
                                      : weight[(o * from + c) * 9 + t];
    for (int o = 0; o < rn_round_up(to, block); o++)
        *next++ = o < to && !back ? weight[9 * inputs * outputs + o] : 0;
    if (dev) /* commands under way keep what they were given */
        return rn_buffer_from(dev, packed, n * sizeof *packed, &memory->on.mem);
    int err = rn_network_reserve(NULL, memory, n);
    if (!err)
        memcpy(memory->data, packed, n * sizeof *packed);
    return err;
}

int rn_network_bind(struct rn_network_bound *bound, struct rn_device *dev,
                    const struct rn_network *net, const float *floats, bool back)
{
    static const char file[] = "network_layer.cl";
    int err = 0;
    bound->net = *net;
    if (dev && !bound->last) {
        err = rn_kernel_get(dev, file, "network_layer", RN_SAMPLE_F32, &bound->layer);
        err = err ? err : rn_kernel_get(dev, file, "network_last", RN_SAMPLE_F32, &bound->last);
    }
    for (int l = 0; l < net->layers && !err; l++) {
        int in = rn_network_in(net, l), out = rn_network_out(net, l);
        const float *weight = floats + rn_network_at(net, l);
        err = put_weights(dev, &bound->there[l], weight, in, out, false);
        if (back && !err)
            err = put_weights(dev, &bound->back[l], weight, in, out, true);
    }
    return err;
}

void rn_network_unbind(struct rn_network_bound *bound, struct rn_device *dev)
{
    for (int l = 0; l < RN_NETWORK_LAYERS; l++) {
        rn_network_release(dev, &bound->there[l]);
        rn_network_release(dev, &bound->back[l]);
    }
}

/* ---- layers */

int rn_network_layer(const struct rn_network_bound *bound, struct rn_cmd *cmd,
                     const struct rn_network_step *s)
{
    if (!cmd) {
        rn_network_plain(s);
        return 0;
    }
    bool several = s->outputs > 1;
    struct rn_kernel *kernel = several ? bound->layer : bound->last;
    int block = block_of(s->outputs);
    int rows = several ? RN_NETWORK_ROWS << rn_form_by_index(&cmd->dev->form) : RN_NETWORK_SLACK;
    struct rn_range items = {(s->w + kernel->width - 1) / kernel->width, (s->h + rows - 1) / rows,
                             rn_round_up(s->outputs, block) / block * s->pictures};
    return RN_LAUNCH_ITEMS(
        cmd, kernel, items, RN_OWN_GROUP, RN_NETWORK_PLANES(s->in), RN_NETWORK_PLANES(s->out),
        RN_ARG_INT4(s->w, s->h, s->inputs, s->outputs), RN_ARG_MEM(s->weight->on.mem),
        RN_NETWORK_PLANES(s->flags & RN_NETWORK_GATE ? s->gate : s->out), RN_ARG_INT(s->flags));
}

int rn_network_forward(const struct rn_network_bound *bound, struct rn_cmd *cmd,
                       const struct rn_network_planes *in, const struct rn_network_planes out[],
                       int w, int h, int pictures)
{
    const struct rn_network *n = &bound->net;
    int err = 0;
    for (int l = 0; l < n->layers && !err; l++) {
        int more = 2 * (n->layers - 1 - l);
        const struct rn_network_step step = {.in = l ? out[l - 1] : *in,
                                             .out = out[l],
                                             .inputs = rn_network_in(n, l),
                                             .outputs = rn_network_out(n, l),
                                             .w = w + more,
                                             .h = h + more,
                                             .pictures = pictures,
                                             .weight = &bound->there[l],
                                             .flags = l + 1 < n->layers ? RN_NETWORK_RELU : 0};
        err = rn_network_layer(bound, cmd, &step);
    }
    return err;
}
