/* SPDX-License-Identifier: MIT */
#include "filters/learn/gradient_internal.h"

#include <stdlib.h>
#include <string.h>

struct rn_plain_gradient {
    struct rn_gradient_setup s;
    float *act[RN_NETWORK_LAYERS], *change[RN_NETWORK_LAYERS]; /* of one patch */
    float *turned, *none;                                      /* weights sent back, and biases */
    float *ones;
};

static int side_of(const struct rn_plain_gradient *g, int l)
{
    return g->s.side + 2 * (g->s.net.layers - 1 - l);
}

/* Planes of a patch without gaps, with `border` zeros around. */
static struct rn_network_planes planes_of(float *data, int side, int border)
{
    int all = side + 2 * border;
    return (struct rn_network_planes){data, all, all * all};
}

int rn_plain_gradient_open(struct rn_plain_gradient **plain, const struct rn_gradient_setup *setup)
{
    struct rn_plain_gradient *g = *plain = calloc(1, sizeof *g);
    if (!g)
        return rn_fail_memory();
    g->s = *setup;
    const struct rn_network *n = &g->s.net;
    bool all = true;
    for (int l = 0; l < n->layers; l++) {
        size_t planes = (size_t)rn_network_out(n, l), side = (size_t)side_of(g, l);
        g->act[l] = calloc(planes * side * side, sizeof(float));
        g->change[l] = calloc(planes * (side + 4) * (side + 4), sizeof(float));
        all = all && g->act[l] && g->change[l];
    }
    g->turned = calloc(rn_network_floats(n), sizeof(float));
    g->none = calloc(RN_NETWORK_WIDTH, sizeof(float));
    g->ones = calloc((size_t)side_of(g, -1), sizeof(float));
    for (int i = 0; g->ones && i < side_of(g, -1); i++)
        g->ones[i] = 1;
    return all && g->turned && g->none && g->ones ? 0 : rn_fail_memory();
}

void rn_plain_gradient_close(struct rn_plain_gradient **plain)
{
    struct rn_plain_gradient *g = *plain;
    for (int l = 0; g && l < RN_NETWORK_LAYERS; l++) {
        free(g->act[l]);
        free(g->change[l]);
    }
    if (g) {
        free(g->turned);
        free(g->none);
        free(g->ones);
    }
    free(g);
    *plain = NULL;
}

static void forward(struct rn_plain_gradient *g, const float *floats, const float *input)
{
    const struct rn_network *n = &g->s.net;
    struct rn_network_planes in = planes_of((float *)(size_t)input, side_of(g, -1), 0);
    for (int l = 0; l < n->layers; l++) {
        int inputs = rn_network_in(n, l), outputs = rn_network_out(n, l), side = side_of(g, l);
        const float *weight = floats + rn_network_at(n, l);
        struct rn_network_planes out = planes_of(g->act[l], side, 0);
        rn_network_plain(&in, inputs, &out, outputs, side, side, weight,
                         weight + 9 * inputs * outputs, l + 1 < n->layers);
        in = out;
    }
}

static void compute_error(struct rn_plain_gradient *g, const float *input, const float *target,
                          const float *weight)
{
    const struct rn_network *n = &g->s.net;
    int side = g->s.side, wide = side_of(g, -1);
    struct rn_network_planes out = planes_of(g->change[n->layers - 1], side, 2);
    const float *net = g->act[n->layers - 1];
    const float *in = input + (size_t)(n->inputs / 2) * wide * wide + n->layers * (wide + 1);
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++) {
            int i = y * side + x, level = 0;
            float e = in[y * wide + x] + net[i] - target[i];
            float d = g->s.l1 ? (e > 0 ? g->s.step : e < 0 ? -g->s.step : 0) : e * g->s.step;
            for (int k = 1; k < 256 && n->mask; k++)
                level += net[i] >= rn_network_logit(k);
            if (n->mask)
                d = ((float)level * (1.0F / 255.0F) - target[i]) * g->s.step;
            out.data[(y + 2) * out.stride + x + 2] = weight && !(weight[i] > 0) ? 0 : d;
        }
}

static void send_back(struct rn_plain_gradient *g, const float *floats, int l)
{
    const struct rn_network *n = &g->s.net;
    int inputs = rn_network_in(n, l), outputs = rn_network_out(n, l), side = side_of(g, l);
    const float *weight = floats + rn_network_at(n, l);
    struct rn_network_planes from = planes_of(g->change[l], side, 2);
    struct rn_network_planes to = planes_of(g->change[l - 1], side + 2, 2), inside = to;
    inside.data += 2 * (to.stride + 1);
    for (int o = 0; o < inputs; o++)
        for (int c = 0; c < outputs; c++)
            for (int t = 0; t < 9; t++)
                g->turned[(o * outputs + c) * 9 + t] = weight[(c * inputs + o) * 9 + 8 - t];
    rn_network_plain(&from, outputs, &inside, inputs, side + 2, side + 2, g->turned, g->none,
                     false);
    for (int c = 0; c < inputs; c++)
        for (int y = 0; y < side + 2; y++)
            for (int x = 0; x < side + 2; x++) {
                float *v = inside.data + (size_t)c * to.pitch + (size_t)y * to.stride + x;
                float gate = g->act[l - 1][((size_t)c * (side + 2) + y) * (side + 2) + x];
                *v = gate > 0 ? *v : 0;
            }
}

static void add_gradient(struct rn_plain_gradient *g, const float *input, int l, float *to)
{
    const struct rn_network *n = &g->s.net;
    int inputs = rn_network_in(n, l), outputs = rn_network_out(n, l), side = side_of(g, l);
    struct rn_network_planes change = planes_of(g->change[l], side, 2);
    struct rn_network_planes in =
        planes_of(l ? g->act[l - 1] : (float *)(size_t)input, side_of(g, l - 1), 0);
    for (int o = 0; o < outputs; o++) {
        const float *d = change.data + (size_t)o * change.pitch + 2 * (change.stride + 1);
        for (int c = 0; c < inputs; c++)
            for (int t = 0; t < 9; t++)
                to[(o * inputs + c) * 9 + t] += rn_network_products(
                    d, change.stride,
                    in.data + (size_t)c * in.pitch + (size_t)(t / 3) * in.stride + t % 3, in.stride,
                    side, side);
        to[9 * inputs * outputs + o] +=
            rn_network_products(d, change.stride, g->ones, 0, side, side);
    }
}

int rn_plain_gradient_compute(struct rn_plain_gradient *g, const float *floats, const float *input,
                              const float *target, const float *weight, float *to)
{
    const struct rn_network *n = &g->s.net;
    size_t wide = (size_t)side_of(g, -1), area = (size_t)g->s.side * (size_t)g->s.side;
    memset(to, 0, rn_network_floats(n) * sizeof *to);
    for (int i = 0; i < g->s.batch; i++) {
        const float *in = input + (size_t)i * wide * wide * (size_t)n->inputs;
        forward(g, floats, in);
        compute_error(g, in, target + (size_t)i * area, weight ? weight + (size_t)i * area : NULL);
        for (int l = n->layers - 1; l >= 0; l--) {
            add_gradient(g, in, l, to + rn_network_at(n, l));
            if (l)
                send_back(g, floats, l);
        }
    }
    return 0;
}

int rn_plain_gradient_forward(struct rn_plain_gradient *g, const float *floats, const float *input,
                              float *net)
{
    const struct rn_network *n = &g->s.net;
    size_t wide = (size_t)side_of(g, -1), area = (size_t)g->s.side * (size_t)g->s.side;
    for (int i = 0; i < g->s.batch; i++) {
        forward(g, floats, input + (size_t)i * wide * wide * (size_t)n->inputs);
        memcpy(net + (size_t)i * area, g->act[n->layers - 1], area * sizeof *net);
    }
    return 0;
}
