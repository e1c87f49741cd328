/* Histogram equalization, each plane by itself: at 8 bits exactly OpenCV's equalizeHist, above that
 * the same formula. With h the histogram, n the number of samples and `first` the first bin that is
 * not empty, in fp32:
 *   scale = (bins - 1) / (n - h[first])
 *   table[v] = (h[first + 1] + ... + h[v]) * scale, rounded half to even; 0 up to first
 * A flat plane stays as it is. Sums are converted to fp32 only when complete. The quotient must be
 * correctly rounded, which fp32 division on a device need not be: the device divides integers
 * instead. */
#include <stdlib.h>

#include "filters/base/err.h"
#include "filters/parts/histogram.h"
#include "filters/base/log.h"
#include "filters/parts/lut.h"
#include "filters/core/stage.h"

struct equalize {
    int planes;
};

static const struct rn_param params[] = {
    RN_P_PLANES(struct equalize),
    RN_P_END,
};

struct priv {
    struct rn_histogram histogram;
    cl_mem table;
    size_t table_bytes;
};

/* ---- reference */

static void make_table(const uint32_t *h, int bins, uint32_t total, uint16_t *table)
{
    int first = 0;
    while (!h[first])
        first++;
    if (h[first] == total) {
        table[first] = (uint16_t)first;
        return;
    }
    float scale = (float)(bins - 1) / (float)(total - h[first]);
    uint32_t sum = 0;
    for (int v = first + 1; v < bins; v++) {
        sum += h[v];
        table[v] = (uint16_t)rn_round_sample((float)sum * scale, (float)(bins - 1));
    }
}

static int ref(struct rn_bound *bound, const struct rn_snapshot *now, const struct rn_call *call,
               const struct rn_image *src, struct rn_image *dst, int p)
{
    (void)bound, (void)call;
    const struct rn_plane *s = &src->plane[p];
    const struct rn_format *fmt = &now->in.fmt;
    int bins = rn_format_max(fmt) + 1;
    uint32_t *h = calloc((size_t)bins, sizeof *h);
    uint16_t *table = calloc((size_t)bins, sizeof *table);
    int err = h && table ? 0 : rn_fail_memory();
    if (!err) {
        rn_histogram_ref(s, fmt, h);
        make_table(h, bins, (uint32_t)s->w * (uint32_t)s->h, table);
        rn_lut_ref(table, fmt, s, &dst->plane[p]);
    }
    free(h);
    free(table);
    return err;
}

/* ---- device */

static int prepare(struct rn_bound *bound, const struct rn_snapshot *now)
{
    struct priv *priv = bound->priv;
    struct rn_device *dev = bound->dev;
    const struct rn_format *fmt = &now->in.fmt;
    if (!dev)
        return 0;
    int err = rn_histogram_prepare(&priv->histogram, dev, fmt);
    err = err ? err : rn_histogram_reserve(&priv->histogram, bound->dev);
    if (priv->table_bytes != rn_lut_bytes(fmt)) {
        rn_buffer_release(bound->dev, &priv->table);
        priv->table_bytes = rn_lut_bytes(fmt);
    }
    if (!err && !priv->table)
        err = rn_buffer_create(bound->dev, CL_MEM_READ_WRITE, priv->table_bytes, &priv->table);
    return err;
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
                    RN_ARGS(RN_ARG_MEM(h->mem), RN_ARG_MEM(h->blocks), RN_ARG_INT(h->bins),
                            RN_ARG_INT((cl_int)((cl_uint)s->w * (cl_uint)s->h)),
                            RN_ARG_MEM(priv->table),
                            RN_ARG_LOCAL(sizeof(cl_ulong2) * rn_histogram_items(cmd))));
    return err ? err : rn_lut_apply(cmd, priv->table, &now->in.fmt, s, &dst->plane[p]);
}

static void release(struct rn_bound *bound)
{
    struct priv *priv = bound->priv;
    rn_histogram_release(&priv->histogram, bound->dev);
    rn_buffer_release(bound->dev, &priv->table);
}

const struct rn_stage_desc rn_equalize = {
    .name = "equalize",
    .help = "spreads the histogram of each plane evenly over the full range",
    .params = params,
    .params_size = sizeof(struct equalize),
    .priv_size = sizeof(struct priv),
    .source = "equalize.cl",
    .kernels = {"equalize_table"},
    .ref = ref,
    .prepare = prepare,
    .enqueue = enqueue,
    .release = release,
};
