/* SPDX-License-Identifier: MIT */
#include "pixel.clh"
#include "separable.clh"

/* The steps of filters/blur.c but for the blur itself. tables: the weights k, then those of
 * the interpolation: for each of 4 points RN_COARSE_LANES, of which number i is that of phase i %
 * factor. */
#define Q(i, k) tables[2 * RN_COARSE_FACTOR + RN_COARSE_LANES * (k) + (i)]

#define LOAD_FLOATS(p)     rn_get(floats, __global, p)
#define STORE_FLOATS(p, v) rn_set(floats, __global, p, v)

/* rn_fetch for a vector of floats, two vectors ahead. */
RN_INLINE void fetch_floats(__global const float *p, const int to_write)
{
    for (int i = 0; i < RN_WIDTH; i += 16) {
        if (to_write)
            rn_fetch(p + 2 * RN_WIDTH + i, 1);
        else
            rn_fetch(p + 2 * RN_WIDTH + i, 0);
    }
}

#pragma OPENCL FP_CONTRACT ON
FUSED(fused, floats, RN_WIDTH)
#pragma OPENCL FP_CONTRACT OFF

/* shape: (factor, grid rows above the picture, samples to the left of it). */
__kernel void reduce_columns(rn_area area, __global const sample *src, int4 sp, __global float *dst,
                             int4 dp, __global const float *tables, int4 shape)
{
    RN_EACH_ROW(area, x, y)
    {
        __global const sample *s = RN_AT(src, sp, x - shape.z, shape.x * (y - shape.y));
        floats sum = tables[0] * rn_to_floats(rn_load(s));
        for (int d = shape.x; d < 2 * shape.x; d++)
            rn_fetch(s + d * sp.y + 4 * RN_WIDTH, 0);
        fetch_floats(RN_AT(dst, dp, x, y), 1);
        for (int d = 1; d < 2 * shape.x; d++)
            sum = fused((floats)tables[d],
                        rn_to_floats(widen(rn_load(s - d * sp.y)) + widen(rn_load(s + d * sp.y))),
                        sum);
        STORE_FLOATS(RN_AT(dst, dp, x, y), sum);
    }
}

#if RN_WIDTH > 1
/* Samples that lie factor apart, from p on. */
RN_INLINE floats load_apart(__global const float *p, int factor)
{
    floats v[RN_COARSE_FACTOR];
    for (int i = 0; i < factor; i++)
        v[i] = LOAD_FLOATS(p + i * RN_WIDTH);
    for (int n = factor / 2; n > 0; n /= 2) {
        for (int i = 0; i < n; i++) {
            floats w;
            w.lo = v[2 * i].even;
            w.hi = v[2 * i + 1].even;
            v[i] = w;
        }
    }
    return v[0];
}

/* The samples from p on, each factor times. */
RN_INLINE floats load_repeated(__global const float *p, int factor)
{
    floats v = LOAD_FLOATS(p);
    for (; factor > 1; factor /= 2) {
        const floats w = v;
        v.even = w.lo;
        v.odd = w.lo;
    }
    return v;
}

RN_INLINE floats reduce_row(__global const float *s, __global const float *k, const int factor)
{
    floats sum = k[0] * load_apart(s, factor);
    for (int d = 1; d < 2 * factor; d++)
        sum = fused((floats)k[d], load_apart(s - d, factor) + load_apart(s + d, factor), sum);
    return sum;
}

RN_INLINE floats interpolate_row(__global const float *s, __global const float *tables,
                                 const int factor)
{
    floats sum = LOAD_FLOATS(&Q(0, 0)) * load_repeated(s, factor);
    for (int k = 1; k < 4; k++)
        sum = fused(LOAD_FLOATS(&Q(0, k)), load_repeated(s + k, factor), sum);
    return sum;
}
#endif

/* shape: (factor, reach around the grid, samples left of the picture). */
__kernel void reduce_rows(rn_area area, __global const float *src, int4 sp, __global float *dst,
                          int4 dp, __global const float *tables, int4 shape)
{
    RN_EACH_ROW(area, x, y)
    {
        __global const float *s = RN_AT(src, sp, shape.z + shape.x * (x - 1), y + shape.y);
        __global float *d = RN_AT(dst, dp, x, y);
        for (int i = 0; i < shape.x; i++)
            rn_fetch(s + (2 * shape.x + i) * RN_WIDTH, 0);
        fetch_floats(d, 1);
#if RN_WIDTH > 1
        if (x + RN_WIDTH <= area.x1) {
            STORE_FLOATS(d, shape.x == 2   ? reduce_row(s, tables, 2)
                            : shape.x == 4 ? reduce_row(s, tables, 4)
                                           : reduce_row(s, tables, 8));
            continue;
        }
#endif
        for (int i = 0; i < min(RN_WIDTH, area.x1 - x); i++, s += shape.x) {
            float sum = tables[0] * s[0];
            for (int n = 1; n < 2 * shape.x; n++)
                sum = fma(tables[n], s[-n] + s[n], sum);
            d[i] = sum;
        }
    }
}

__kernel void interpolate_rows(rn_area area, __global const float *src, int4 sp,
                               __global float *dst, int4 dp, __global const float *tables,
                               int factor)
{
    RN_EACH_ROW(area, x, y)
    {
#if RN_WIDTH >= RN_COARSE_FACTOR
        __global const float *s = RN_AT(src, sp, x / factor, y);
        fetch_floats(RN_AT(dst, dp, x, y), 1);
        STORE_FLOATS(RN_AT(dst, dp, x, y), factor == 2   ? interpolate_row(s, tables, 2)
                                           : factor == 4 ? interpolate_row(s, tables, 4)
                                                         : interpolate_row(s, tables, 8));
#else
        for (int i = x; i < min(x + RN_WIDTH, area.x1); i++) {
            __global const float *s = RN_AT(src, sp, i / factor, y);
            float sum = Q(i & (factor - 1), 0) * s[0];
            for (int k = 1; k < 4; k++)
                sum = fma(Q(i & (factor - 1), k), s[k], sum);
            *RN_AT(dst, dp, i, y) = sum;
        }
#endif
    }
}

__kernel void interpolate_columns(rn_area area, __global const float *src, int4 sp,
                                  __global sample *dst, int4 dp, __global const float *tables,
                                  int factor, float max)
{
    RN_EACH_ROW(area, x, y)
    {
        const int phase = y & (factor - 1); /* a power of 2 */
        __global const float *s = RN_AT(src, sp, x, y / factor);
        floats sum = Q(phase, 0) * LOAD_FLOATS(s);
        if (phase == 0)
            fetch_floats(s + 3 * sp.y, 0);
        rn_fetch(RN_AT(dst, dp, x + 4 * RN_WIDTH, y), 1);
        for (int k = 1; k < 4; k++)
            sum = fused((floats)Q(phase, k), LOAD_FLOATS(s + k * sp.y), sum);
        rn_store(RN_AT(dst, dp, x, y), rn_round(sum, max));
    }
}
