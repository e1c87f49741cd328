/* SPDX-License-Identifier: MIT */
#include "filters/learn/plain.h"

#include <math.h>

void rn_learn_plain_error(const struct rn_gradient_setup *s, const struct rn_network_planes *net,
                          const struct rn_network_planes *in,
                          const struct rn_network_planes *target,
                          const struct rn_network_planes *to, int pictures)
{
    for (int id = 0; id < pictures * s->side * s->side; id++) {
        int x = id % s->side, y = id / s->side % s->side, p = id / (s->side * s->side);
        float e = *rn_network_sample(in, p, 0, x, y) + *rn_network_sample(net, p, 0, x, y) -
                  *rn_network_sample(target, p, 0, x, y);
        *rn_network_sample(to, p, 0, x, y) = isnan(e) ? 0
                                             : !s->l1 ? e * s->step
                                             : e > 0  ? s->step
                                             : e < 0  ? -s->step
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

void rn_learn_plain_gradient(const struct rn_network_planes *in, int inputs,
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
