/* SPDX-License-Identifier: MIT */
/* Kernels: four eight relief four_whole eight_whole relief_whole */
#include "window.clh"

/* out = clamp(round(R * k.x + (in * k.y + k.z)), 0, k.w), where R is a sum over the 3x3 neighbours:
 * see filters/differences.c. k.y is 0 or 1, so a base that is the picture is not
 * rounded itself. k is float4, or int4 in the kernels ..._whole, where |k.x| < 16 and all values
 * are integers; not for floats. */
#if RN_IS_FLOAT
typedef floats sums;
typedef float sum_t;
#define to_sums(v) (v)
#define sums_to_floats(v) (v)
#elif RN_BYTES == 1
typedef shorts sums; /* R is +-2040 at most */
typedef short_t sum_t;
#define to_sums(v) rn_to_shorts(v)
#define sums_to_floats(v) rn_small_to_floats(v)
#else
typedef ints sums;
typedef int sum_t;
#define to_sums(v) rn_to_ints(v)
#define sums_to_floats(v) rn_small_to_floats(v)
#endif

RN_INLINE samples finish(sums r, nears in, float4 k)
{
#if RN_IS_FLOAT /* what does not count may be NaN */
    if (k.y == 0)
        return rn_round(r * k.x + k.z, k.w);
#endif
    return rn_round(sums_to_floats(r) * k.x + (sums_to_floats(to_sums(in)) * k.y + k.z), k.w);
}

RN_INLINE samples finish_whole(sums r, nears in, int4 k)
{
    const sums v = r * (sums)(sum_t)k.x + (to_sums(in) * (sums)(sum_t)k.y + (sums)(sum_t)k.z);
#if RN_SAMPLE == RN_SAMPLE_S16
    const sums low = (sums)(sum_t)RN_LEAST, high = (sums)(sum_t)k.w;
#else
    const sums low = (sums)(sum_t)0, high = (sums)(sum_t)k.w;
#endif
    return rn_to_samples(rn_clamp(v, low, high));
}

#define AT(dx, dy) to_sums(rn_near(dx, dy))

#define FOUR  ((AT(0, -1) + AT(0, 1)) + (AT(-1, 0) + AT(1, 0)) - to_sums(in) * (sums)(sum_t)4)
#define ABOVE (AT(-1, -1) + AT(0, -1) + AT(1, -1))
#define BELOW (AT(-1, 1) + AT(0, 1) + AT(1, 1))
#define EIGHT (ABOVE + BELOW + (AT(-1, 0) + AT(1, 0)) - to_sums(in) * (sums)(sum_t)8)
/* The neighbour that counts twice, and those beside it on the ring of eight. */
#define PAIR(dx, dy) (AT(dx, dy) - AT(-(dx), -(dy)))
#define RELIEF(xa, ya, xb, yb, xc, yc)                                                             \
    r = PAIR(xa, ya) + PAIR(xa, ya) + PAIR(xb, yb) + PAIR(xc, yc);                                 \
    break;

/* R for one of the first four of the eight directions of filters/differences.c; the others are
 * these with the opposite sign, which rounds nothing, and which k.x has. */
#define RELIEFS                                                                                    \
    sums r;                                                                                        \
    switch (direction) {                                                                           \
    case 0: RELIEF(0, -1, 1, -1, -1, -1)                                                           \
    case 1: RELIEF(1, -1, 1, 0, 0, -1)                                                             \
    case 2: RELIEF(1, 0, 1, 1, 1, -1)                                                              \
    default: RELIEF(1, 1, 0, 1, 1, 0)                                                              \
    }

#define DETAIL(name, r_is, finish, k_t)                                                            \
    RN_KERNEL(name)(rn_area area, RN_PLANES, int2 edge, k_t k, int direction)                      \
    {                                                                                              \
        RN_EACH_WINDOW(area, src, sp, edge, x, y)                                                  \
        {                                                                                          \
            rn_fetch_next(RN_AT(src, sp, x, y), RN_AT(dst, dp, x, y));                             \
            const nears in = rn_near(0, 0);                                                        \
            r_is;                                                                                  \
            rn_put(RN_AT(dst, dp, x, y), finish(r, in, k));                                        \
        }                                                                                          \
    }

DETAIL(four, const sums r = FOUR, finish, float4)
DETAIL(eight, const sums r = EIGHT, finish, float4)
DETAIL(relief, RELIEFS, finish, float4)
DETAIL(four_whole, const sums r = FOUR, finish_whole, int4)
DETAIL(eight_whole, const sums r = EIGHT, finish_whole, int4)
DETAIL(relief_whole, RELIEFS, finish_whole, int4)
