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

/* Packs the weights of a layer from the order of the file: for each block of outputs those of an
 * input after the other, of each tap one for each output; behind them all biases, all slopes, and
 * the two limits. */
static int put_weights(struct rn_device *dev, struct rn_network_memory *memory, const float *weight,
                       const struct rn_network_layer *layer, bool back)
{
    int inputs = layer->inputs, outputs = layer->outputs, taps = layer->size * layer->size;
    int to = back ? inputs : outputs, from = back ? outputs : inputs;
    int block = rn_network_block(to, layer->size), all = rn_round_up(to, block);
    size_t n = (size_t)all * (size_t)(taps * from + 2) + 2;
    RN_OWNED(rn_free_owned) float *packed = malloc(n * sizeof *packed);
    if (!packed)
        return rn_fail_memory();
    float *next = packed;
    for (int first = 0; first < to; first += block)
        for (int c = 0; c < from; c++)
            for (int t = 0; t < taps; t++)
                for (int o = first; o < first + block; o++)
                    *next++ = o >= to ? 0
                              : back  ? weight[(c * to + o) * taps + taps - 1 - t]
                                      : weight[(o * from + c) * taps + t];
    weight += taps * inputs * outputs;
    for (int o = 0; o < all; o++) {
        next[o] = o < to && !back ? weight[o] : 0;
        next[all + o] = o < to && layer->bends ? weight[to + o] : 0;
    }
    for (int i = 0; i < 2; i++)
        next[2 * all + i] = layer->bends ? weight[2 * to + i] : 0;
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
    if (dev && (!bound->last || bound->net.imported != net->imported)) {
        const char *layer = net->imported ? "network_bends" : "network_layer";
        err = rn_kernel_get(dev, file, layer, RN_SAMPLE_F32, &bound->layer);
        err = err ? err : rn_kernel_get(dev, file, "network_last", RN_SAMPLE_F32, &bound->last);
        if (net->imported && !err)
            err = rn_kernel_get(dev, file, "network_any", RN_SAMPLE_F32, &bound->any);
    }
    bound->net = *net;
    for (int l = 0; l < net->layers && !err; l++) {
        const float *weight = floats + rn_network_at(net, l);
        err = put_weights(dev, &bound->there[l], weight, &net->layer[l], false);
        if (back && !err)
            err = put_weights(dev, &bound->back[l], weight, &net->layer[l], true);
    }
    return err;
}

void rn_network_unbind(struct rn_network_bound *bound, struct rn_device *dev)
{
    for (int l = 0; l < RN_NETWORK_MOST; l++)
        rn_network_release(dev, &bound->there[l]);
    for (int l = 0; l < RN_NETWORK_LAYERS; l++)
        rn_network_release(dev, &bound->back[l]);
}

/* ---- layers */

int rn_network_layer(const struct rn_network_bound *bound, struct rn_cmd *cmd,
                     const struct rn_network_step *s)
{
    if (!cmd) {
        rn_network_plain(s);
        return 0;
    }
    int block = rn_network_block(s->outputs, s->size);
    bool last = block == 1;
    struct rn_kernel *kernel = last ? bound->last : s->size == 3 ? bound->layer : bound->any;
    int rows = last ? RN_NETWORK_SLACK : RN_NETWORK_ROWS << rn_form_by_index(&cmd->dev->form);
    struct rn_range items = {(s->w + kernel->width - 1) / kernel->width, (s->h + rows - 1) / rows,
                             rn_round_up(s->outputs, block) / block * s->pictures};
    bool other = s->flags & (RN_NETWORK_GATE | RN_NETWORK_ADD);
    return RN_LAUNCH_ITEMS(
        cmd, kernel, items, RN_OWN_GROUP, RN_NETWORK_PLANES(s->in), RN_NETWORK_PLANES(s->out),
        RN_ARG_INT4(s->w, s->h, s->inputs, s->outputs), RN_ARG_MEM(s->weight->on.mem),
        RN_NETWORK_PLANES(other ? s->other : s->out),
        RN_ARG_INT4(s->columns, s->first, s->end, s->size), RN_ARG_INT(s->flags));
}

/* Where sample (0, 0) is in what layer l gives, counted from 1, or in the picture (0), in columns
 * and in rows. A layer that pads has a row more above, for the zeros behind it. */
static int column_of(const struct rn_network *n, int l)
{
    return !l ? n->reach : n->pads ? 0 : n->layer[l - 1].reach;
}

static int row_of(const struct rn_network *n, int l)
{
    return l ? n->layer[l - 1].reach + (n->pads && l < n->layers) : n->reach;
}

/* What layer `from` gives, from the place on that lies `half` left of and above the first sample of
 * layer l. */
static struct rn_network_planes seen_from(const struct rn_network *n,
                                          const struct rn_network_planes *in,
                                          const struct rn_network_planes out[], int l, int from,
                                          int half)
{
    struct rn_network_planes p = from ? out[from - 1] : *in;
    p.origin += (row_of(n, from) - row_of(n, l) - half) * p.stride + column_of(n, from) -
                column_of(n, l) - half;
    return p;
}

int rn_network_forward(const struct rn_network_bound *bound, struct rn_cmd *cmd,
                       const struct rn_network_planes *in, const struct rn_network_planes out[],
                       int w, int h, int above, int below, int pictures)
{
    const struct rn_network *n = &bound->net;
    int zeros = n->pads ? RN_NETWORK_LANES : 0,
        err = 0; /* behind a row, in front of the next one */
    for (int l = 0; l < n->layers && !err; l++) {
        const struct rn_network_layer *layer = &n->layer[l];
        int more = n->pads ? 0 : 2 * layer->reach, row = row_of(n, l + 1);
        struct rn_network_step step = {
            .in = seen_from(n, in, out, l + 1, layer->from, layer->size / 2),
            .out = out[l],
            .inputs = layer->inputs,
            .outputs = layer->outputs,
            .size = layer->size,
            .w = w + more + zeros,
            .h = h + row + layer->reach,
            .pictures = pictures,
            .columns = w + more,
            .first = n->pads && row > above ? row - above : 0,
            .weight = &bound->there[l],
            .flags = layer->bends                        ? RN_NETWORK_BENDS
                     : !n->imported && l + 1 < n->layers ? RN_NETWORK_RELU
                                                         : 0,
        };
        step.end = n->pads && layer->reach > below ? row + h + below : step.h;
        if (layer->add) {
            step.other = seen_from(n, in, out, l + 1, layer->add, 0);
            step.flags |= RN_NETWORK_ADD;
        }
        err = rn_network_layer(bound, cmd, &step);
    }
    return err;
}
