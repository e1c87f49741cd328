/* SPDX-License-Identifier: MIT */
/* The regions of stages: what a stage made is mixed with its input, in the whole frame, when both
 * of its fields are there. Stages without a region have neither weights nor a pass. */
#include "filters/base/owned.h"
#include "filters/core/chain/region_weights.h"
#include "filters/core/device/opencl.h"
#include "filters/core/runner/runner_internal.h"

#define SLACK 64 /* weights that a work-item may read behind the last one */

/* Planes of the same size share weights. */
static int index_of(const struct rn_geom *in, int p)
{
    return in->fmt.model == RN_YUV && (p == 1 || p == 2);
}

void rn_blend_close(struct rn_runner *r, int i)
{
    struct rn_blend *b = &r->blend[i];
    for (int k = 0; k < 2; k++) {
        free(b->weight[k]);
        if (r->dev)
            rn_buffer_release(r->dev, &b->mem[k]);
    }
    *b = (struct rn_blend){0};
}

/* Plane k has weights k. */
static int weigh(struct rn_runner *r, struct rn_blend *b, const struct rn_snapshot *s, int k)
{
    int w, h;
    rn_geom_plane_size(&s->in, k, &w, &h);
    size_t n = (size_t)w * (size_t)h + SLACK;
    RN_OWNED(rn_free_owned) float *weight = calloc(n, sizeof *weight);
    if (!weight)
        return rn_fail_memory();
    rn_region_weights(&s->region, &s->in, k, weight);
    if (r->dev)
        return rn_buffer_from(r->dev, weight, n * sizeof *weight, &b->mem[k]);
    free(b->weight[k]);
    b->weight[k] = rn_take_owned(&weight);
    return 0;
}

int rn_blend_prepare(struct rn_runner *r, int i, const struct rn_snapshot *s)
{
    struct rn_blend *b = &r->blend[i];
    int err = 0;
    if (rn_region_equal(&b->region, &s->region) && rn_geom_equal(&b->in, &s->in))
        return 0;
    b->region.kind = RN_REGION_NONE; /* unknown if this fails */
    if (!s->region.kind) {
        rn_blend_close(r, i);
        return 0;
    }
    if (r->dev)
        err = rn_kernel_get(r->dev, "region.cl", "region_blend", rn_format_sample(&s->in.fmt),
                            &b->kernel);
    for (int k = 0; k <= index_of(&s->in, 1) && !err; k++)
        err = weigh(r, b, s, k);
    if (!err) {
        b->region = s->region;
        b->in = s->in;
    }
    return err;
}

void rn_blend_plane(const struct rn_blend *b, const struct rn_geom *in, int p,
                    const struct rn_plane *src, struct rn_plane *dst)
{
    const float *weights = b->weight[index_of(in, p)];
    enum rn_sample sample = rn_format_sample(&in->fmt);
    RN_EACH_SAMPLE (dst, x, y) {
        float weight = *weights++;
        float from = rn_sample_get(src, sample, x, y), to = rn_sample_get(dst, sample, x, y);
        float v = from + (to - from) * weight;
        v = weight <= 0 ? from : weight >= 1 ? to : rn_round_sample(&in->fmt, v);
        rn_sample_put(dst, sample, x, y, v);
    }
}

int rn_blend_enqueue(const struct rn_blend *b, struct rn_cmd *cmd, const struct rn_geom *in, int p,
                     const struct rn_dimage *src, const struct rn_dimage *dst)
{
    return RN_LAUNCH(cmd, b->kernel, rn_area_of(&dst->plane[p]), RN_ARG_PLANE(&src->plane[p]),
                     RN_ARG_PLANE(&dst->plane[p]), RN_ARG_MEM(b->mem[index_of(in, p)]));
}
