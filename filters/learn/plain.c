/* SPDX-License-Identifier: MIT */
#include "filters/learn/plain.h"

void rn_learn_plain_error(const struct rn_gradient_setup *s, const struct rn_network_planes *net,
                          const struct rn_network_planes *in,
                          const struct rn_network_planes *target, const float *weight,
                          const float *limits, const struct rn_network_planes *to, int pictures)
{
    for (int id = 0; id < pictures * s->side * s->side; id++) {
        int x = id % s->side, y = id / s->side % s->side, p = id / (s->side * s->side);
        size_t at = (size_t)p * target->picture + (size_t)y * target->stride + x;
        float v = net->data[(size_t)p * net->picture + (size_t)y * net->stride + x];
        float e = in->data[(size_t)in->origin + (size_t)p * in->picture + y * in->stride + x] + v -
                  target->data[at];
        float d = s->l1 ? (e > 0 ? s->step : e < 0 ? -s->step : 0) : e * s->step;
        if (s->net.mask)
            d = ((float)rn_network_level(limits, v) * (1.0F / 255.0F) - target->data[at]) * s->step;
        to->data[(size_t)to->origin + (size_t)p * to->picture + y * to->stride + x] =
            weight && !(weight[at] > 0) ? 0 : d;
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

void rn_learn_plain_gradient(const struct rn_network_planes *in, int inputs,
                             const struct rn_network_planes *change, int outputs, int w,
                             int pictures, float *to)
{
    float sums[9][RN_NETWORK_LANES];
    for (int p = 0; p < pictures; p++)
        for (int o = 0; o < outputs; o++) {
            const float *a = change->data + change->origin + (size_t)p * change->picture +
                             (size_t)o * change->pitch;
            for (int c = 0; c <= inputs; c++) {
                const float *b = in->data + in->origin + (size_t)p * in->picture +
                                 (size_t)c * in->pitch;
                rn_network_products(a, change->stride, c < inputs ? b : NULL, in->stride, w, w,
                                    sums[0]);
                for (int t = 0; t < (c < inputs ? 9 : 1); t++)
                    to[c < inputs ? (o * inputs + c) * 9 + t : outputs * inputs * 9 + o] +=
                        add_lanes(sums[t]);
            }
        }
}
