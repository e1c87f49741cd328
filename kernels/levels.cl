/* SPDX-License-Identifier: MIT */
#include "pixel.clh"

/* The levels of floats, as filters/levels.c defines them: k is (black, 1 / (white - black), low,
 * high - low); mode 0: a straight line, 1: by the curve, 2: a step at black. Other samples have
 * lookup tables. */
#if RN_IS_FLOAT
#define CURVE 65536

__kernel void levels_floats(rn_area area, RN_PLANES, float4 k, float high, int mode,
                            __global const float *curve)
{
    const floats zero = (floats)0.0f, one = (floats)1.0f, top = (floats)high;
    RN_EACH_ROW(area, x, y)
    {
        const floats v = rn_load(RN_AT(src, sp, x, y));
        union {
            floats v;
            float lane[RN_WIDTH];
        } t;
        t.v = mode == 2 ? (v > (floats)k.x ? one : zero) : (v - k.x) * k.y;
        t.v = t.v > zero ? t.v : zero;
        t.v = t.v < one ? t.v : one;
        for (int n = 0; n < RN_WIDTH && mode == 1; n++) {
            const float at = t.lane[n] * (float)CURVE;
            const int i = min((int)at, CURVE - 1);
            const float part = at - (float)i, change = curve[i + 1] - curve[i];
            t.lane[n] = curve[i] + part * change;
        }
        floats out = k.z + k.w * t.v;
        out = t.v < one ? out : top;
        out = v == v ? out : v;
        rn_store(RN_AT(dst, dp, x, y), rn_quiet(out));
    }
}
#endif
