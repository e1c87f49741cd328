#include "pixel.clh"

/* out = clamp(round(R * k.x + (in * k.y + k.z)), 0, k.w), where R is a sum over the 3x3 neighbours:
 * see filters/differences.c. k.y is 0 or 1, so a base that is the picture is not
 * rounded itself. k is float4, or int4 in the kernels ..._whole, where |k.x| < 16 and all values
 * are integers; not for floats. */
#if RN_IS_FLOAT
typedef floats sums;
typedef float sum_t;
#define to_sums(v) (v)
#elif RN_BYTES == 1
typedef shorts sums; /* R is +-2040 at most */
typedef short sum_t;
#define to_sums(v) rn_to_shorts(v)
#else
typedef ints sums;
typedef int sum_t;
#define to_sums(v) rn_to_ints(v)
#endif

RN_INLINE samples finish(sums r, samples in, float4 k)
{
#if RN_IS_FLOAT /* what does not count may be NaN */
    if (k.y == 0)
        return rn_round(r * k.x + k.z, k.w);
#endif
    return rn_round(rn_to_floats(r) * k.x + (rn_to_floats(in) * k.y + k.z), k.w);
}

RN_INLINE samples finish_whole(sums r, samples in, int4 k)
{
    const sums v = r * (sums)(sum_t)k.x + (to_sums(in) * (sums)(sum_t)k.y + (sums)(sum_t)k.z);
#if RN_SAMPLE == RN_SAMPLE_S16
    const sums low = (sums)(sum_t)RN_LEAST, high = (sums)(sum_t)k.w;
#else
    const sums low = (sums)(sum_t)0, high = (sums)(sum_t)k.w;
#endif
    return rn_to_samples(rn_clamp(v, low, high));
}

#define AT(i) to_sums(rn_load(s + (i)))

#define FOUR  ((AT(-sp.y) + AT(sp.y)) + (AT(-1) + AT(1)) - to_sums(in) * (sums)(sum_t)4)
#define ABOVE (AT(-sp.y - 1) + AT(-sp.y) + AT(-sp.y + 1))
#define BELOW (AT(sp.y - 1) + AT(sp.y) + AT(sp.y + 1))
#define EIGHT (ABOVE + BELOW + (AT(-1) + AT(1)) - to_sums(in) * (sums)(sum_t)8)
/* at: offsets of the three bright neighbours, in samples from the middle; the first counts
 * twice. */
#define FIRST  (AT(at.x) - AT(-at.x))
#define RELIEF (FIRST + FIRST + (AT(at.y) - AT(-at.y)) + (AT(at.z) - AT(-at.z)))

#define DETAIL(name, r, finish, k_t)                                                               \
    __kernel void name(rn_area area, __global const sample *src, int4 sp, __global sample *dst,    \
                       int4 dp, k_t k, int4 at)                                                    \
    {                                                                                              \
        RN_EACH_ROW(area, x, y)                                                                    \
        {                                                                                          \
            __global const sample *s = RN_AT(src, sp, x, y);                                       \
            const samples in = rn_load(s);                                                         \
            rn_fetch_next(s, RN_AT(dst, dp, x, y));                                                \
            rn_store(RN_AT(dst, dp, x, y), finish(r, in, k));                                      \
        }                                                                                          \
    }

DETAIL(four, FOUR, finish, float4)
DETAIL(eight, EIGHT, finish, float4)
DETAIL(relief, RELIEF, finish, float4)
DETAIL(four_whole, FOUR, finish_whole, int4)
DETAIL(eight_whole, EIGHT, finish_whole, int4)
DETAIL(relief_whole, RELIEF, finish_whole, int4)
