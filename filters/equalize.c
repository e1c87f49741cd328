/* SPDX-License-Identifier: MIT */
/* Histogram equalization, each plane by itself: at 8 bits exactly OpenCV's equalizeHist, above that
 * the same formula. With h the histogram, n the number of samples and `first` the first bin that is
 * not empty, in fp32:
 *   scale = (bins - 1) / (n - h[first])
 *   table[v] = (h[first + 1] + ... + h[v]) * scale, rounded half to even; 0 up to first
 * Bin 0 is the smallest sample. A table of floats maps their bins, of which the values are spread
 * evenly: low + table[bin] * step in fp32, with step = (high - low) / (bins - 1), and high itself
 * for the last; NaN stays, and is not counted. A flat plane, where all samples have one bin, stays
 * as it is. Sums are converted to fp32 only when complete. The quotient must be correctly rounded,
 * which fp32 division on a device need not be: the device divides integers instead. */
#include "filters/base/owned.h"
#include "filters/parts/histogram.h"
#include "filters/parts/lut.h"
#include "filters/parts/texts.h"

struct equalize {
    int planes;
};

static const struct rn_param params[] = {
    RN_P_PLANES(struct equalize),
    RN_P_END,
};

struct priv {
    struct rn_histogram histogram;
    struct rn_scratch table;
    struct rn_kernel *apply; /* of floats; integers have lookup tables */
};

static int check(const struct rn_stage *stage, const struct rn_geom *in, struct rn_traits *traits)
{
    rn_traits_drop_unit(traits);
    return 0;
}

/* ---- reference */

/* False: the plane is flat. */
static bool make_table(const uint32_t *h, int bins, uint32_t total, uint16_t *table)
{
    int first = 0;
    while (first < bins && !h[first])
        first++;
    if (first == bins || h[first] == total)
        return false;
    float scale = (float)(bins - 1) / (float)(total - h[first]), top = (float)(bins - 1);
    uint32_t sum = 0;
    for (int v = first + 1; v < bins; v++) {
        sum += h[v];
        float exact = (float)sum * scale;
        table[v] = (uint16_t)rintf(exact < top ? exact : top);
    }
    return true;
}

/* The step from one bin to the next. */
static float step_of(const struct rn_geom *geom)
{
    return (float)(((double)geom->high - (double)geom->low) / (RN_FLOAT_BINS - 1));
}

static float spread(const struct rn_geom *geom, int v)
{
    if (geom->fmt.number != RN_NUMBER_FLOAT)
        return (float)(v + rn_format_min(&geom->fmt));
    return v == RN_FLOAT_BINS - 1 ? geom->high : geom->low + (float)v * step_of(geom);
}

static int ref(struct rn_bound *bound, const struct rn_snapshot *now, const struct rn_call *call,
               const struct rn_image *src, struct rn_image *dst, int p)
{
    const struct rn_plane *s = &src->plane[p];
    const struct rn_binning b = rn_binning_of(&now->in);
    enum rn_sample sample = rn_format_sample(&now->in.fmt);
    RN_OWNED(rn_free_owned) uint32_t *h = calloc((size_t)b.bins, sizeof *h + sizeof(uint16_t));
    if (!h)
        return rn_fail_memory();
    uint16_t *table = (void *)(h + b.bins);
    bool changes = make_table(h, b.bins, rn_histogram_ref(s, &now->in, h), table);
    RN_EACH_SAMPLE (s, x, y) {
        float v = rn_sample_get(s, sample, x, y);
        int bin = changes ? rn_bin_of(&b, &now->in.fmt, v) : -1;
        rn_sample_put(&dst->plane[p], sample, x, y, bin < 0 ? v : spread(&now->in, table[bin]));
    }
    return 0;
}

/* ---- device */

static int prepare(struct rn_bound *bound, const struct rn_snapshot *now)
{
    struct priv *priv = bound->priv;
    struct rn_device *dev = bound->dev;
    if (!dev)
        return 0;
    int err = rn_histogram_prepare(&priv->histogram, bound, &now->in, true);
    size_t bytes = (size_t)priv->histogram.bins * (size_t)rn_format_bytes(&now->in.fmt);
    if (!err && now->in.fmt.number == RN_NUMBER_FLOAT)
        err = rn_kernel_get(dev, "equalize.cl", "equalize_floats", RN_SAMPLE_F32, &priv->apply);
    return err ? err : rn_scratch_reserve(dev, rn_held(bound, &priv->table), bytes);
}

static int enqueue(struct rn_bound *bound, const struct rn_snapshot *now, struct rn_cmd *cmd,
                   const struct rn_dimage *src, struct rn_dimage *dst, int p)
{
    struct priv *priv = bound->priv;
    struct rn_histogram *h = &priv->histogram;
    const struct rn_dplane *s = &src->plane[p];
    int err = rn_histogram_measure(h, cmd, s);
    err = err ? err
              : rn_histogram_launch(
                    h, cmd, bound->kernel[0],
                    RN_ARGS(RN_ARG_MEM(h->mem.mem), RN_ARG_MEM(h->blocks.mem), RN_ARG_INT(h->bins),
                            RN_ARG_FLOAT4(now->in.low, step_of(&now->in), now->in.high, 0),
                            RN_ARG_MEM(priv->table.mem),
                            RN_ARG_LOCAL(sizeof(cl_ulong2) * rn_histogram_items(cmd))));
    if (err || now->in.fmt.number != RN_NUMBER_FLOAT)
        return err ? err : rn_lut_apply(cmd, priv->table.mem, &now->in.fmt, s, &dst->plane[p]);
    return RN_LAUNCH(cmd, priv->apply, rn_area_of(s), RN_ARG_PLANE(s), RN_ARG_PLANE(&dst->plane[p]),
                     RN_ARG_MEM(priv->table.mem), RN_ARG_FLOAT(h->binning.low),
                     RN_ARG_FLOAT(h->binning.scale));
}

RN_FILTER(equalize) = {
    .name = RN_NAMED(equalize),
    RN_SETTINGS(struct equalize, params),
    RN_PREPARING(struct priv),
    .source = "equalize.cl",
    .kernels = {"equalize_table"},
    .in_place = true,
};
