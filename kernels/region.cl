/* SPDX-License-Identifier: MIT */
#include "pixel.clh"

/* Mixes dst, what a filter made of src, with src: a + (b - a) * weight, which is exactly a at
 * weight 0 and, for integers, exactly b at 1. weights: of one picture, row by row, and slack behind
 * them. */
__kernel void region_blend(rn_area area, RN_PLANES, __global const float *weights)
{
    RN_EACH_ROW(area, x, y)
    {
        const int at = (y - RN_TOP(area)) * dp.z + x;
        const floats weight = rn_get(floats, __global const, weights + at);
        const floats a = rn_to_floats(rn_load(RN_AT(src, sp, x, y)));
        const floats b = rn_to_floats(rn_load(RN_AT(dst, dp, x, y)));
        floats v = a + (b - a) * weight;
#if RN_IS_FLOAT /* infinity and NaN, too, stay on their own side */
        v = weight > 0.0f ? v : a;
        v = weight < 1.0f ? v : b;
        rn_store(RN_AT(dst, dp, x, y), rn_round(v, 0));
#else
        rn_store(RN_AT(dst, dp, x, y), rn_round(v, (float)RN_GREATEST));
#endif
    }
}
