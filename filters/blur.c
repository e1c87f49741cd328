/* Gaussian blur.
 *
 * Definition, the same on every device: the weights are k[d] = exp(-d * d / (2 * sigma * sigma))
 * for |d| <= radius = ceil(4 * sigma), divided by their sum, in double precision, then rounded to
 * fp32. Rows are summed first, then columns, each sum from the middle outwards in fp32: s = k[0] *
 * v(0), then s = s + k[d] * (v(-d) + v(d)) for d = 1, 2, ... The result is rounded half to even.
 * The radius is 4 sigma, not 3: beyond 3 sigma lies 0.27 % of the weight along a line, up to 0.7
 * levels at 8 bits and 177 at 16; beyond 4 sigma lies 0.006 %, 0.02 levels and 4. */
#include <math.h>
#include <stdlib.h>

#include "filters/core/opencl.h"
#include "filters/parts/separable.h"
#include "filters/core/stage.h"

#define MAX_SIGMA  20
#define MAX_RADIUS (4 * MAX_SIGMA)

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
    int radius;
    double weight[2 * MAX_RADIUS + 1]; /* of the samples at -radius..radius */
    struct rn_separable passes;
};

static int check(const struct rn_stage *stage, const struct rn_geom *in, struct rn_traits *traits)
{
    (void)stage, (void)in;
    traits->margin = MAX_RADIUS; /* sigma changes while running */
    return 0;
}

static void make_weights(struct priv *priv, double sigma)
{
    int radius = (int)ceil(4 * sigma), n = 2 * radius + 1;
    double sum = 0;
    for (int i = 0; i < n; i++) {
        double d = i - radius;
        priv->weight[i] = exp(-d * d / (2 * sigma * sigma));
        sum += priv->weight[i];
    }
    for (int i = 0; i < n; i++)
        priv->weight[i] /= sum;
    priv->radius = radius;
}

static int prepare(struct rn_bound *bound, const struct rn_snapshot *now)
{
    const struct blur *b = now->params;
    struct priv *priv = bound->priv;
    make_weights(priv, (double)b->sigma);
    int n = 2 * priv->radius + 1;
    struct rn_factors factors = {priv->weight, priv->weight, n, n, false, true};
    return bound->dev ? rn_separable_prepare(&priv->passes, bound->dev, &now->in, &factors) : 0;
}

/* ---- reference */

/* The sum at `at` of a line of n values, step floats apart; values without a counterpart are 0. */
static float sum_at(const struct priv *priv, const float *line, ptrdiff_t step, int n, int at,
                    enum rn_border border)
{
    float sum = (float)priv->weight[priv->radius] * line[at * step];
    for (int d = 1; d <= priv->radius; d++) {
        int before = rn_border_index(border, at - d, n), after = rn_border_index(border, at + d, n);
        float pair = (before < 0 ? 0 : line[before * step]) + (after < 0 ? 0 : line[after * step]);
        sum = sum + (float)priv->weight[priv->radius + d] * pair;
    }
    return sum;
}

static int ref(struct rn_bound *bound, const struct rn_snapshot *now, const struct rn_call *call,
               const struct rn_image *src, struct rn_image *dst, int p)
{
    (void)call;
    const struct blur *b = now->params;
    const struct priv *priv = bound->priv;
    const struct rn_plane *s = &src->plane[p];
    int bytes = rn_format_bytes(&src->geom.fmt), w = s->w, h = s->h;
    enum rn_border border = b->border;
    float max = (float)rn_format_max(&src->geom.fmt);
    float *row = calloc((size_t)w, sizeof *row);
    float *mid = calloc((size_t)w * (size_t)h, sizeof *mid);
    if (!row || !mid) {
        free(row);
        free(mid);
        return rn_fail_memory();
    }
    for (int y = 0; y < h; y++) {
        for (int x = 0; x < w; x++)
            row[x] = (float)rn_plane_get(s, bytes, x, y);
        for (int x = 0; x < w; x++)
            mid[(ptrdiff_t)y * w + x] = sum_at(priv, row, 1, w, x, border);
    }
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            rn_plane_put(&dst->plane[p], bytes, x, y,
                         rn_round_sample(sum_at(priv, mid + x, w, h, y, border), max));
    free(row);
    free(mid);
    return 0;
}

/* ---- device */

static int enqueue(struct rn_bound *bound, const struct rn_snapshot *now, struct rn_cmd *cmd,
                   const struct rn_dimage *src, struct rn_dimage *dst, int p)
{
    const struct blur *b = now->params;
    struct priv *priv = bound->priv;
    const struct rn_format *fmt = &now->in.fmt;
    int radius = priv->radius;
    int err =
        rn_fill_border(cmd, &src->plane[p], rn_format_sample(fmt), radius, radius, b->border, 0);
    return err ? err
               : rn_separable_enqueue(&priv->passes, cmd, &src->plane[p], &dst->plane[p],
                                      rn_format_bytes(fmt), 1, 0, (float)rn_format_max(fmt));
}

static void release(struct rn_bound *bound)
{
    struct priv *priv = bound->priv;
    rn_separable_release(&priv->passes, bound->dev);
}

const struct rn_stage_desc rn_blur = {
    .name = "blur",
    .help = "Gaussian blur",
    .params = params,
    .params_size = sizeof(struct blur),
    .priv_size = sizeof(struct priv),
    .check = check,
    .ref = ref,
    .prepare = prepare,
    .enqueue = enqueue,
    .release = release,
};
