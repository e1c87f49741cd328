/* SPDX-License-Identifier: MIT */
#include "pixel.clh"
#include "sigmoid.clh"

/* The way back through a network, with that of network_layer.cl; filters/learn/gradient.h has the
 * order of the sums. Planes as there. */

#define LANES 16 /* of a sum over a row: column x counts in lane x % LANES */

RN_SIGMOID(rn_sigmoid_of, float)

/* net against its target: what the last layer's output has to change by. in: the plane that is
 * added to it, of a residual. loss: 0: the error counts; 1: its sign; 2: that of net's probability,
 * by cross-entropy. */
__kernel void learn_error(__global const float *net, int4 np, __global const float *in, int4 ip,
                          __global const float *target, int4 tp, __global float *dst, int4 dp,
                          int side, float step, int loss, int outputs)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1);
    const int p = (int)get_global_id(2) / outputs, o = (int)get_global_id(2) % outputs;
    if (x >= side || y >= side)
        return;
    const float z = net[np.x + p * np.w + o * np.z + y * np.y + x];
    const float is = loss == 2 ? rn_sigmoid_of(z) : in[ip.x + p * ip.w + y * ip.y + x] + z;
    const float e = is - target[tp.x + p * tp.w + o * tp.z + y * tp.y + x];
    const float g = loss != 1 ? e * step : e > 0.0f ? step : e < 0.0f ? -step : 0.0f;
    dst[dp.x + p * dp.w + o * dp.z + y * dp.y + x] = e == e ? g : 0.0f;
}

/* Per picture, output, input and tap (the input behind the last: the bias) the sums of the lanes,
 * over rows one after the other. size: width, height, inputs, outputs. first: the picture in sums
 * of picture 0 here. */
__kernel void learn_gradient(__global const float *src, int4 sp, __global const float *grad,
                             int4 gp, int4 size, __global float *sums, int first)
{
    const int parts = LANES / RN_WIDTH;
    const int lane = (int)get_global_id(0) % parts * RN_WIDTH, c = (int)get_global_id(0) / parts;
    const int o = (int)get_global_id(1), p = (int)get_global_id(2);
    if (c > size.z || o >= size.w)
        return;
    floats sum[9];
    RN_UNROLL for (int t = 0; t < 9; t++)
        sum[t] = (floats)0.0f;
    __global const float *g = grad + gp.x + p * gp.w + o * gp.z + lane;
    __global const float *in = src + sp.x + p * sp.w + c * sp.z + lane;
    for (int y = 0; y < size.y; y++, g += gp.y, in += sp.y)
        for (int x = 0; x < size.x; x += LANES) {
            const floats v = rn_get(floats, __global, g + x);
            if (c == size.z) {
                sum[0] = sum[0] + v;
                continue;
            }
            RN_UNROLL for (int t = 0; t < 9; t++)
                sum[t] = fma(v, rn_get(floats, __global, in + t / 3 * sp.y + t % 3 + x), sum[t]);
        }
    __global float *to = sums + (((first + p) * size.w + o) * (size.z + 1) + c) * 9 * LANES + lane;
    RN_UNROLL for (int t = 0; t < 9; t++)
        rn_set(floats, __global, to + t * LANES, sum[t]);
}

/* Adds up lanes, halves upon halves, and then pictures, in order. all: the floats of a picture's
 * sums. to: the weights' gradient, and behind it the biases'. */
__kernel void learn_sum(__global const float *sums, int all, int pictures, int inputs, int outputs,
                        __global float *to)
{
    const int id = (int)get_global_id(0), t = id % 9, c = id / 9, o = (int)get_global_id(1);
    if (c > inputs || o >= outputs || (c == inputs && t))
        return;
    float sum = 0.0f;
    for (int p = 0; p < pictures; p++) {
        __global const float *from = sums + p * all + ((o * (inputs + 1) + c) * 9 + t) * LANES;
        float lane[LANES];
        for (int i = 0; i < LANES; i++)
            lane[i] = from[i];
        for (int span = LANES / 2; span; span /= 2)
            for (int i = 0; i < span; i++)
                lane[i] = lane[i] + lane[i + span];
        sum = sum + lane[0];
    }
    to[c == inputs ? outputs * inputs * 9 + o : (o * inputs + c) * 9 + t] = sum;
}
