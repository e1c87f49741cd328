/* SPDX-License-Identifier: MIT */
#include "pixel.clh"

/* sum: black + white. Of integers it is 2^depth - 1 or -1, so the difference is the complement. */
__kernel void invert(rn_area area, RN_PLANES, float sum)
{
    RN_EACH_ROW(area, x, y)
    {
        const samples v = rn_load(RN_AT(src, sp, x, y));
        rn_fetch_next(RN_AT(src, sp, x, y), RN_AT(dst, dp, x, y));
#if RN_IS_FLOAT
        rn_store(RN_AT(dst, dp, x, y), rn_quiet(sum - v));
#else
        rn_store(RN_AT(dst, dp, x, y), v ^ (samples)(sample)(int)sum);
#endif
    }
}
