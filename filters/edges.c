/* SPDX-License-Identifier: MIT */
/* Edges: the magnitude of the gradient, as computed by FFmpeg 5.1's filters of these names.
 *
 * Definition, the same on every device (samples are named by points of the compass, C is the middle
 * one):
 *   prewitt  a = (SW + S + SE) - (NW + N + NE)          b = (NE + E + SE) - (NW + W + SW)
 *   sobel    a = (SW + 2 S + SE) - (NW + 2 N + NE)      b = (NE + 2 E + SE) - (NW + 2 W + SW)
 *   roberts  a = NW - N                                 b = C - W
 *   result   sqrt(a * a + b * b) * scale + delta, saturated, its fraction dropped
 * a and b are exact for integers; for floats they are computed in fp32 as a = (f - r) + (S - N) and
 * b = (f + r) + (E - W), the second term of each twice for sobel, with f = SE - NW and r = NE - SW.
 * Every later operation is rounded in fp32, in this order. Signed samples are rounded half to even
 * instead, and floats are not rounded and not saturated. The fraction of the others
 * is dropped because FFmpeg's conversion to integers drops it. roberts is FFmpeg's too: it takes
 * differences along the rows, not along the diagonals. Inside the image the samples equal FFmpeg's;
 * at its edges the border rule applies. */

#include "filters/core/chain/level.h"
#include "filters/core/device/opencl.h"
#include "filters/core/chain/stage.h"
#include "filters/parts/texts.h"

struct edges {
    float scale;
    struct rn_level delta;
    enum rn_border border;
    int planes;
};

static const struct rn_param params[] = {
    /* Up to 1000, the largest magnitude of 16-bit samples stays below 2^31, the limit of FFmpeg's
     * conversion to integers. */
    RN_P_FLOAT(struct edges, scale, 0, 1000, 0.1, 1, "", "multiplies the magnitude"),
    RN_P_LEVEL(struct edges, delta, RN_DISTANCE, -255, 255, 1, 0, "added after that"),
    RN_P_BORDER(struct edges),
    RN_P_PLANES(struct edges),
    RN_P_END,
};

/* The weight of the samples beside the middle one; 0: roberts. */
struct gradient {
    float middle;
};
static const struct gradient prewitt = {1}, sobel = {2}, roberts = {0};

static int check(const struct rn_stage *stage, const struct rn_geom *in, struct rn_traits *traits)
{
    traits->shift_invariant = true;
    traits->margin = 1;
    rn_traits_drop_unit(traits);
    return 0;
}

static float delta_of(const struct rn_snapshot *now)
{
    const struct edges *e = now->params;
    return (float)rn_level_distance(&e->delta, &now->in);
}

/* ---- reference */

/* The sums a and b; v: the 3x3 samples, row by row. Sums of integers are exact in fp32. */
static void differentiate(const struct gradient *g, const float v[9], float *a, float *b)
{
    if (g->middle == 0) {
        *a = v[0] - v[1];
        *b = v[4] - v[3];
        return;
    }
    float falling = v[8] - v[0], rising = v[2] - v[6];
    *a = (falling - rising) + g->middle * (v[7] - v[1]);
    *b = (falling + rising) + g->middle * (v[5] - v[3]);
}

static int ref(struct rn_bound *bound, const struct rn_snapshot *now, const struct rn_call *call,
               const struct rn_image *src, struct rn_image *dst, int p)
{
    const struct edges *e = now->params;
    const struct rn_plane *from = &src->plane[p];
    const struct rn_format *fmt = &now->in.fmt;
    enum rn_sample sample = rn_format_sample(fmt);
    float delta = delta_of(now);
    RN_EACH_SAMPLE (from, x, y) {
        float at[9], a, b;
        for (int i = 0; i < 9; i++)
            at[i] = rn_sample_around(from, sample, e->border, x + i % 3 - 1, y + i / 3 - 1);
        differentiate(now->desc->variant, at, &a, &b);
        float v = sqrtf(a * a + b * b) * e->scale + delta;
        v = fmt->number == RN_NUMBER_UNSIGNED ? floorf(v) : v;
        rn_sample_put(&dst->plane[p], sample, x, y, rn_round_sample(fmt, v));
    }
    return 0;
}

/* ---- device */

static int enqueue(struct rn_bound *bound, const struct rn_snapshot *now, struct rn_cmd *cmd,
                   const struct rn_dimage *src, struct rn_dimage *dst, int p)
{
    const struct edges *e = now->params;
    const struct rn_dplane *s = &src->plane[p], *d = &dst->plane[p];
    int err = rn_window_border(cmd, s, rn_format_sample(&now->in.fmt), 1, 1, e->border, 0);
    return err ? err
               : RN_LAUNCH(cmd, bound->kernel[0], rn_area_of(s), RN_ARG_PLANE(s), RN_ARG_PLANE(d),
                           RN_ARG_INT2((cl_int)e->border, 0), RN_ARG_FLOAT(e->scale),
                           RN_ARG_FLOAT(delta_of(now)), RN_ARG_FLOAT(rn_geom_white(&now->in)));
}

#define EDGES(name_)                                                                               \
    RN_FILTER(name_) = {                                                                           \
        .name = RN_NAMED(name_),                                                                   \
        RN_SETTINGS(struct edges, params),                                                         \
        .variant = &name_,                                                                         \
        .source = "edges.cl",                                                                      \
        .kernels = {#name_},                                                                       \
        RN_COMPUTING,                                                                              \
    }

EDGES(prewitt);
EDGES(sobel);
EDGES(roberts);
