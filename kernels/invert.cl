#include "pixel.clh"

/* max_sample is 2^depth - 1, so the difference is the complement. */
__kernel void invert(int4 area, __global const sample *src, int4 sp, __global sample *dst, int4 dp,
                     int max_sample)
{
    const samples top = (samples)(sample)max_sample;
    RN_EACH_ROW(area, x, y)
    {
        const samples v = rn_load(RN_AT(src, sp, x, y));
        rn_store(RN_AT(dst, dp, x, y), v ^ top);
    }
}
