#include "pixel.clh"

/* The extremum over a list of taps: int4 (dx, dy, plane, 0). list is (first tap, taps that read
 * src, taps after them that read the scratch planes, 0); those stand one behind the other,
 * scratch_size samples each. filters/morphology.c says how a structuring element becomes a few such
 * passes. */
#define EXTREMUM(name, better)                                                                     \
    __kernel void name(int4 area, __global const sample *src, int4 sp,                             \
                       __global const sample *scratch, int4 cp, int scratch_size,                  \
                       __global sample *dst, int4 dp, __global const int4 *taps, int4 list)        \
    {                                                                                              \
        RN_EACH_ROW(area, x, y)                                                                    \
        {                                                                                          \
            __global const sample *s = RN_AT(src, sp, x, y);                                       \
            __global const sample *c = RN_AT(scratch, cp, x, y);                                   \
            __global const int4 *t = taps + list.x;                                                \
            int i;                                                                                 \
            samples v = list.y ? rn_load(s + t[0].y * sp.y + t[0].x)                               \
                               : rn_load(c + t[0].z * scratch_size + t[0].y * cp.y + t[0].x);      \
            for (i = 1; i < list.y; i++) {                                                         \
                samples w = rn_load(s + t[i].y * sp.y + t[i].x);                                   \
                v = better(v, w);                                                                  \
            }                                                                                      \
            for (; i < list.y + list.z; i++) {                                                     \
                samples w = rn_load(c + t[i].z * scratch_size + t[i].y * cp.y + t[i].x);           \
                v = better(v, w);                                                                  \
            }                                                                                      \
            rn_store(RN_AT(dst, dp, x, y), v);                                                     \
        }                                                                                          \
    }

EXTREMUM(dilate, rn_max)
EXTREMUM(erode, rn_min)
