/* Levels: one lookup table for all planes, made on the host in double precision so that gamma is
 * the same on every device. With v, black and white in samples:
 *   t = (v - black) / (white - black), limited to 0..1
 *   out = low + (high - low) * t^(1 / gamma), rounded half to even
 * rn_format_from_8bit converts 8-bit units to samples, so the default is the identity at every
 * depth. black >= white is a step: samples above black are white. window and level follow the
 * LINEAR_EXACT function of DICOM PS3.3, C.11.2.1.3.2. */
#include <math.h>
#include <stdlib.h>

#include "filters/base/err.h"
#include "filters/base/log.h"
#include "filters/parts/lut.h"
#include "filters/core/stage.h"

struct levels {
    float black, white, gamma, low, high, window, level;
    int planes;
};

#define UNIT "8-bit units"

static const struct rn_param params[] = {
    RN_P_FLOAT(struct levels, black, 0, 255, 1, 0, UNIT, "input that becomes low"),
    RN_P_FLOAT(struct levels, white, 0, 255, 1, 255, UNIT,
               "input that becomes high; not above black: a step there"),
    RN_P_FLOAT(struct levels, gamma, 0.1, 10, 0.05, 1, "",
               "above 1 brightens what is in between, below 1 darkens it"),
    RN_P_FLOAT(struct levels, low, 0, 255, 1, 0, UNIT, "output for black; above high: inverts"),
    RN_P_FLOAT(struct levels, high, 0, 255, 1, 255, UNIT, "output for white"),
    RN_P_FLOAT(struct levels, window, 0, 510, 1, 0, UNIT,
               "width of the window around level; 0 = use black and white"),
    RN_P_FLOAT(struct levels, level, 0, 255, 1, 128, UNIT, "centre of the window"),
    RN_P_PLANES(struct levels),
    RN_P_END,
};

struct priv {
    uint16_t *table;
    cl_mem mem;
    int mem_depth;
};

static double clamp01(double v)
{
    return v < 0 ? 0 : v > 1 ? 1 : v;
}

static void make_table(const struct levels *l, const struct rn_format *fmt, uint16_t *table)
{
    double from = l->black, to = l->white;
    if (l->window > 0) {
        from = (double)l->level - (double)l->window / 2;
        to = (double)l->level + (double)l->window / 2;
    }
    double black = rn_format_from_8bit(fmt, from), white = rn_format_from_8bit(fmt, to);
    double low = rn_format_from_8bit(fmt, l->low), high = rn_format_from_8bit(fmt, l->high);
    for (int v = 0; v <= rn_format_max(fmt); v++) {
        double t = white > black ? clamp01((v - black) / (white - black)) : v > black;
        double curved = l->gamma == 1 ? t : pow(t, 1 / (double)l->gamma);
        table[v] = (uint16_t)rint(low + (high - low) * curved);
    }
}

static int ref(struct rn_bound *bound, const struct rn_snapshot *now, const struct rn_call *call,
               const struct rn_image *src, struct rn_image *dst, int p)
{
    (void)now, (void)call;
    const struct priv *priv = bound->priv;
    rn_lut_ref(priv->table, &src->geom.fmt, &src->plane[p], &dst->plane[p]);
    return 0;
}

static int prepare(struct rn_bound *bound, const struct rn_snapshot *now)
{
    struct priv *priv = bound->priv;
    const struct rn_format *fmt = &now->in.fmt;
    if (!priv->table && !(priv->table = malloc(65536 * sizeof *priv->table)))
        return rn_fail_memory();
    make_table(now->params, fmt, priv->table);
    if (!bound->dev)
        return 0;
    if (priv->mem_depth != fmt->depth)
        rn_buffer_release(bound->dev, &priv->mem);
    priv->mem_depth = fmt->depth;
    return rn_lut_upload(bound->dev, &priv->mem, priv->table, fmt);
}

static int enqueue(struct rn_bound *bound, const struct rn_snapshot *now, struct rn_cmd *cmd,
                   const struct rn_dimage *src, struct rn_dimage *dst, int p)
{
    (void)now;
    const struct priv *priv = bound->priv;
    return rn_lut_apply(cmd, priv->mem, &src->geom.fmt, &src->plane[p], &dst->plane[p]);
}

static void release(struct rn_bound *bound)
{
    struct priv *priv = bound->priv;
    free(priv->table);
    rn_buffer_release(bound->dev, &priv->mem);
}

const struct rn_stage_desc rn_levels = {
    .name = "levels",
    .help = "maps black..white, or a window, to low..high, with gamma",
    .params = params,
    .params_size = sizeof(struct levels),
    .priv_size = sizeof(struct priv),
    .ref = ref,
    .prepare = prepare,
    .enqueue = enqueue,
    .release = release,
};
