/* SPDX-License-Identifier: MIT */
#include "filters/parts/network/layers.h"

#include "filters/core/device/kernel_constants.h"

#define LANES 16 /* the widest vector */

struct rn_network_dplanes rn_network_lay_out(int w, int h, int border, int planes, int pictures,
                                             size_t *bytes)
{
    struct rn_network_dplanes p = {.mem = NULL};
    p.stride = rn_round_up(w + 2 * border, LANES) + LANES;
    p.pitch = p.stride * (h + 2 * border + RN_NETWORK_SLACK);
    p.picture = p.pitch * planes;
    p.origin = border * (p.stride + 1);
    *bytes = (size_t)p.picture * (size_t)pictures * sizeof(cl_float);
    return p;
}

int rn_network_get(struct rn_device *dev, struct rn_kernel **layer, struct rn_kernel **last)
{
    static const char file[] = "network_layer.cl";
    int err = rn_kernel_get(dev, file, "network_layer", RN_SAMPLE_F32, layer);
    return err ? err : rn_kernel_get(dev, file, "network_last", RN_SAMPLE_F32, last);
}

static int block_of(int outputs)
{
    return outputs > 1 ? RN_NETWORK_BLOCK : 1;
}

size_t rn_network_packed(int inputs, int outputs)
{
    return (size_t)rn_round_up(outputs, block_of(outputs)) * (size_t)(9 * inputs + 1);
}

void rn_network_pack(const float *weight, const float *bias, int inputs, int outputs, bool turned,
                     float *packed)
{
    int to = turned ? inputs : outputs, from = turned ? outputs : inputs, block = block_of(to);
    for (int first = 0; first < to; first += block)
        for (int c = 0; c < from; c++)
            for (int t = 0; t < 9; t++)
                for (int o = first; o < first + block; o++)
                    *packed++ = o >= to  ? 0
                                : turned ? weight[(c * to + o) * 9 + 8 - t]
                                         : weight[(o * from + c) * 9 + t];
    for (int o = 0; o < rn_round_up(to, block); o++)
        *packed++ = o < to && !turned ? bias[o] : 0;
}

int rn_network_enqueue(struct rn_cmd *cmd, struct rn_kernel *layer, struct rn_kernel *last,
                       const struct rn_network_step *s)
{
    struct rn_kernel *kernel = s->outputs > 1 ? layer : last;
    int block = block_of(s->outputs);
    int rows =
        s->outputs > 1 ? RN_NETWORK_ROWS << rn_form_by_index(&cmd->dev->form) : RN_NETWORK_SLACK;
    struct rn_range items = {(s->w + kernel->width - 1) / kernel->width, (s->h + rows - 1) / rows,
                             rn_round_up(s->outputs, block) / block * s->pictures};
    const struct rn_network_dplanes *in = &s->in, *out = &s->out,
                                    *gate = s->flags & RN_NETWORK_GATE ? &s->gate : out;
    return RN_LAUNCH_ITEMS(
        cmd, kernel, items, RN_OWN_GROUP, RN_ARG_MEM(in->mem),
        RN_ARG_INT4(in->origin, in->stride, in->pitch, in->picture), RN_ARG_MEM(out->mem),
        RN_ARG_INT4(out->origin, out->stride, out->pitch, out->picture),
        RN_ARG_INT4(s->w, s->h, s->inputs, s->outputs), RN_ARG_MEM(s->weight),
        RN_ARG_MEM(gate->mem), RN_ARG_INT4(gate->origin, gate->stride, gate->pitch, gate->picture),
        RN_ARG_INT(s->flags));
}
