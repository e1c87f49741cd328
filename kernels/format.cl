/* SPDX-License-Identifier: MIT */
/* Kernels: convert_to_u8 convert_to_u16 convert_to_s16 convert_to_f32 */
#include "store_as.clh"

/* One plane in another format, whose type is the kernel's: out = round(k.x * c0 + k.y * c1 + k.z *
 * c2 + k.w), where ci is plane i of the source at the same place. Planes with weight 0 are not
 * read. */

/* The mean of the source's samples at x, y of the output. to: log2 of how much finer (> 0: a block
 * of samples is averaged) or coarser (< 0: a sample is repeated) the source's plane is, in x and
 * y. */
RN_INLINE float sample_mean(__global const sample *src, int4 sp, int x, int y, int2 to)
{
    int nx = 1 << max(to.x, 0), ny = 1 << max(to.y, 0);
    int x0 = to.x < 0 ? x >> -to.x : x << to.x, y0 = to.y < 0 ? y >> -to.y : y << to.y;
    float sum = 0; /* of integers it is exact */
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++)
            sum = sum + (float) *RN_AT(src, sp, min(x0 + i, sp.z - 1), min(y0 + j, sp.w - 1));
    /* 1, 2 or 4 samples: an exact factor instead of a division, which OpenCL may round. */
    return sum * (nx * ny == 4 ? 0.25f : nx * ny == 2 ? 0.5f : 1.0f);
}

RN_INLINE floats means(__global const sample *src, int4 sp, int x, int y, int2 to)
{
    if (to.x == 0 && to.y == 0)
        return rn_to_floats(rn_load(RN_AT(src, sp, x, y)));
#if RN_WIDTH == 1
    return sample_mean(src, sp, x, y, to);
#else
    union {
        floats v;
        float lane[RN_WIDTH];
    } out;
    for (int i = 0; i < RN_WIDTH; i++)
        out.lane[i] = sample_mean(src, sp, x + i, y, to);
    return out.v;
#endif
}

/* to0, to1, to2: for the source's planes, as in sample_mean. */
#define CONVERT(name, out_t, finish)                                                               \
    RN_KERNEL(name)(rn_area area, __global const sample *s0, int4 p0,                              \
                    __global const sample *s1, int4 p1, __global const sample *s2, int4 p2,        \
                    int2 to0, int2 to1, int2 to2, __global out_t *dst, int4 dp, float4 k,          \
                    float max)                                                                     \
    {                                                                                              \
        RN_EACH_ROW(area, x, y)                                                                    \
        {                                                                                          \
            floats v = (floats)0.0f;                                                               \
            if (k.x != 0)                                                                          \
                v = v + k.x * means(s0, p0, x, y, to0);                                            \
            if (k.y != 0)                                                                          \
                v = v + k.y * means(s1, p1, x, y, to1);                                            \
            if (k.z != 0)                                                                          \
                v = v + k.z * means(s2, p2, x, y, to2);                                            \
            v = v + k.w;                                                                           \
            rn_store_as(out_t, RN_AT(dst, dp, x, y), finish);                                      \
        }                                                                                          \
    }

CONVERT(convert_to_u8, uchar, rn_to_ints(rn_round_f(v, max)))
CONVERT(convert_to_u16, ushort, rn_to_ints(rn_round_f(v, max)))
CONVERT(convert_to_s16, short, rn_to_ints(rn_round_signed(v)))
CONVERT(convert_to_f32, float, rn_quiet(v))
