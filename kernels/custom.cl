/* SPDX-License-Identifier: MIT */
#include "pixel.clh"

/* The text before a user's own filter. The host builds one program from
 *   - the parameters that the user's file declares, as the four lists below,
 *   - this file,
 *   - the user's file, which holds `float filter(IN)`,
 *   - RN_CUSTOM_KERNEL, which calls it for every sample.
 * Everything that is not meant for users begins with rn_ or RN_. */
#ifndef RN_PARAMS
#define RN_PARAMS        /* , float gain, float level */
#define RN_NAMES         /* , gain, level */
#define RN_KERNEL_PARAMS /* , float rn_v0, float rn_v1 */
#define RN_KERNEL_NAMES  /* , rn_v0, rn_v1 */
#define RN_REACH 0       /* how far PIXEL may reach */
#endif

/* The sample that is being computed. */
struct rn_here {
    __global const sample *at;
    int stride, x, y, w, h, plane, frame;
    float unit; /* what users see of one step of the sample: see filters/custom.c */
};

/* The margin of the source is filled RN_REACH wide, and no read goes beyond it. */
RN_INLINE float rn_pixel(const struct rn_here here, int dx, int dy)
{
    const int column = clamp(dx, -RN_REACH, RN_REACH), row = clamp(dy, -RN_REACH, RN_REACH);
    return here.unit * (float)here.at[row * here.stride + column];
}

#define IN            const struct rn_here rn_here RN_PARAMS
#define ARGS          rn_here RN_NAMES
#define PIXEL(dx, dy) rn_pixel(rn_here, dx, dy)
#define X             rn_here.x
#define Y             rn_here.y
#define W             rn_here.w
#define H             rn_here.h
#define PLANE         rn_here.plane
#define FRAME         rn_here.frame

/* Rounds half to even and saturates, where NaN becomes the smallest value; floats stay. */
RN_INLINE sample rn_round_one(float v, float max)
{
#if RN_IS_FLOAT
    return v != v ? as_float(0x7fc00000) : v;
#elif RN_SAMPLE == RN_SAMPLE_S16
    v = v > -32768.0f ? v : -32768.0f;
    v = v < 32767.0f ? v : 32767.0f;
    return (sample)(int)((v + 12582912.0f) - 12582912.0f);
#else
    v = v > 0.0f ? v : 0.0f;
    v = v < max ? v : max;
    return (sample)(int)((v + 8388608.0f) - 8388608.0f);
#endif
}

/* which: plane, index of the frame. */
#define RN_CUSTOM_KERNEL                                                                           \
    __kernel void rn_custom(rn_area rn_where, __global const sample *rn_src, int4 rn_sp,           \
                            __global sample *rn_dst, int4 rn_dp, int2 rn_which, float rn_unit,     \
                            float rn_scale, float rn_max RN_KERNEL_PARAMS)                         \
    {                                                                                              \
        RN_EACH_ROW(rn_where, rn_x, rn_y)                                                          \
        {                                                                                          \
            const int rn_n = min(RN_WIDTH, rn_where.x1 - rn_x);                                    \
            for (int rn_i = 0; rn_i < rn_n; rn_i++) {                                              \
                const int rn_column = rn_x + rn_i;                                                 \
                const struct rn_here rn_here = {RN_AT(rn_src, rn_sp, rn_column, rn_y), rn_sp.y,    \
                                                rn_column, rn_y, rn_sp.z, rn_sp.w, rn_which.x,     \
                                                rn_which.y, rn_unit};                              \
                const float rn_v = filter(rn_here RN_KERNEL_NAMES) * rn_scale;                     \
                *RN_AT(rn_dst, rn_dp, rn_column, rn_y) = rn_round_one(rn_v, rn_max);               \
            }                                                                                      \
        }                                                                                          \
    }
