/* SPDX-License-Identifier: MIT */
/* The negative: black + white - v, which is the largest sample minus the sample, -1 - v for signed
 * samples, and for floats the two ends of their declared range, added in fp32, less the sample. */
#include "filters/core/device/opencl.h"
#include "filters/core/chain/stage.h"
#include "filters/parts/texts.h"

struct invert {
    int planes;
};

static const struct rn_param params[] = {
    RN_P_PLANES(struct invert),
    RN_P_END,
};

static int check(const struct rn_stage *stage, const struct rn_geom *in, struct rn_traits *traits)
{
    traits->shift_invariant = true;
    rn_traits_drop_unit(traits);
    return 0;
}

static int ref(struct rn_bound *bound, const struct rn_snapshot *now, const struct rn_call *call,
               const struct rn_image *src, struct rn_image *dst, int p)
{
    const struct rn_plane *s = &src->plane[p];
    enum rn_sample sample = rn_format_sample(&now->in.fmt);
    float sum = rn_geom_black(&now->in) + rn_geom_white(&now->in);
    RN_EACH_SAMPLE (s, x, y)
        rn_sample_put(&dst->plane[p], sample, x, y, sum - rn_sample_get(s, sample, x, y));
    return 0;
}

static int enqueue(struct rn_bound *bound, const struct rn_snapshot *now, struct rn_cmd *cmd,
                   const struct rn_dimage *src, struct rn_dimage *dst, int p)
{
    const struct rn_dplane *d = &dst->plane[p];
    return RN_LAUNCH(cmd, bound->kernel[0], rn_area_of(d), RN_ARG_PLANE(&src->plane[p]),
                     RN_ARG_PLANE(d),
                     RN_ARG_FLOAT(rn_geom_black(&now->in) + rn_geom_white(&now->in)));
}

RN_FILTER(invert) = {
    .name = RN_NAMED(invert),
    RN_SETTINGS(struct invert, params),
    .source = "invert.cl",
    .kernels = {"invert"},
    RN_COMPUTING,
    .in_place = true,
};
