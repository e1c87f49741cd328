/* Gaussian blur.
 *
 * Definition, the same on every device, for sigma below 4: the weights are k[d] = exp(-d * d / (2 *
 * sigma * sigma)) for |d| <= radius = ceil(4 * sigma), divided by their sum, in double precision,
 * then rounded to fp32. Rows are summed first, then columns, each sum from the middle outwards in
 * fp32: s = k[0] * v(0), then s = fma(k[d], v(-d) + v(d), s) for d = 1, 2, ... Of integers the
 * result is rounded half to even. From 4 on it is that of filters/parts/coarse.h, whose cost hardly
 * grows.
 * The radius is 4 sigma, not 3: beyond 3 sigma lies 0.27 % of the weight along a line, up to 0.7
 * levels at 8 bits and 177 at 16; beyond 4 sigma lies 0.006 %, 0.02 levels and 4. */
#include <math.h>

#include "filters/core/device/opencl.h"
#include "filters/parts/coarse.h"
#include "filters/parts/separable.h"
#include "filters/core/chain/stage.h"

#define MAX_SIGMA  20
#define MAX_RADIUS 16 /* sums of more samples go by the coarse grid */

struct blur {
    float sigma;
    enum rn_border border;
    int planes;
};

static const struct rn_param params[] = {
    RN_P_FLOAT(struct blur, sigma, 0.1, MAX_SIGMA, 0.1, 1, "px", "standard deviation"),
    RN_P_BORDER(struct blur),
    RN_P_PLANES(struct blur),
    RN_P_END,
};

struct priv {
    bool coarse;
    struct rn_coarse grid; /* if coarse; else: */
    int radius;
    double weight[2 * MAX_RADIUS + 1]; /* of the samples at -radius..radius */
    struct rn_separable passes;
};

static int check(const struct rn_stage *stage, const struct rn_geom *in, struct rn_traits *traits)
{
    const struct blur *b = stage->params;
    (void)in;
    traits->shift_invariant = rn_coarse_factor((double)b->sigma) == 1;
    traits->margin = RN_COARSE_MARGIN; /* sigma changes while running */
    return 0;
}

static int prepare(struct rn_bound *bound, const struct rn_snapshot *now)
{
    const struct blur *b = now->params;
    struct priv *priv = bound->priv;
    double sigma = (double)b->sigma, sum = 0;
    priv->coarse = rn_coarse_factor(sigma) > 1;
    if (priv->coarse) {
        rn_coarse_set(&priv->grid, sigma);
        return bound->dev ? rn_coarse_prepare(&priv->grid, bound->dev, &now->in) : 0;
    }
    priv->radius = (int)ceil(4 * sigma);
    int n = 2 * priv->radius + 1;
    for (int i = 0; i < n; i++) {
        double d = i - priv->radius;
        priv->weight[i] = exp(-d * d / (2 * sigma * sigma));
        sum += priv->weight[i];
    }
    for (int i = 0; i < n; i++)
        priv->weight[i] /= sum;
    struct rn_factors factors = {priv->weight, priv->weight, n, n, false, true};
    return bound->dev ? rn_separable_prepare(&priv->passes, bound->dev, &now->in, &factors) : 0;
}

/* ---- reference */

static int ref(struct rn_bound *bound, const struct rn_snapshot *now, const struct rn_call *call,
               const struct rn_image *src, struct rn_image *dst, int p)
{
    (void)call;
    const struct blur *b = now->params;
    const struct priv *priv = bound->priv;
    if (priv->coarse)
        return rn_coarse_ref(&priv->grid, &src->plane[p], &dst->plane[p], &now->in.fmt, b->border);
    return rn_separable_ref(&src->plane[p], &dst->plane[p], &now->in.fmt, priv->weight,
                            priv->radius, b->border, 1);
}

/* ---- device */

static int enqueue(struct rn_bound *bound, const struct rn_snapshot *now, struct rn_cmd *cmd,
                   const struct rn_dimage *src, struct rn_dimage *dst, int p)
{
    const struct blur *b = now->params;
    struct priv *priv = bound->priv;
    const struct rn_format *fmt = &now->in.fmt;
    int radius = priv->radius;
    if (priv->coarse)
        return rn_coarse_enqueue(&priv->grid, cmd, &src->plane[p], &dst->plane[p], &now->in,
                                 b->border);
    int err =
        rn_fill_border(cmd, &src->plane[p], rn_format_sample(fmt), radius, radius, b->border, 0);
    return err ? err
               : rn_separable_enqueue(&priv->passes, cmd, &src->plane[p], &dst->plane[p],
                                      rn_format_sample(fmt), 1, 0, rn_geom_white(&now->in));
}

static void release(struct rn_bound *bound)
{
    struct priv *priv = bound->priv;
    rn_separable_release(&priv->passes, bound->dev);
    rn_coarse_release(&priv->grid, bound->dev);
}

const struct rn_stage_desc rn_blur = {
    .name = "blur",
    .help = "Gaussian blur",
    .aliases = "gblur, Gaussian Blur, GaussianBlur",
    .params = params,
    .params_size = sizeof(struct blur),
    .priv_size = sizeof(struct priv),
    .check = check,
    .ref = ref,
    .prepare = prepare,
    .enqueue = enqueue,
    .release = release,
};
