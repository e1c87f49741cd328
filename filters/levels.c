/* Levels: one table for all planes, made here in double precision, so that gamma is the same on
 * every device. With v and the points black and white in samples:
 *   t = (v - black) / (white - black), 0 and 1 outside
 *   out = low + (high - low) * t^(1 / gamma), rounded half to even
 * 8-bit units become samples as rn_format_from_8bit says, so the default is the identity at every
 * depth. black >= white is a step: samples above black are white. Window and level are the
 * LINEAR_EXACT function of DICOM PS3.3, C.11.2.1.3.2. */
#include <math.h>
#include <stdlib.h>

#include "filters/core/err.h"
#include "filters/core/log.h"
#include "filters/core/lut.h"
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

static int check(struct rn_stage *stage, const struct rn_geom *in, struct rn_geom *out)
{
    (void)out;
    struct priv *priv = stage->priv;
    if (!priv->table && !(priv->table = malloc(65536 * sizeof *priv->table)))
        return rn_fail_memory();
    make_table(stage->params, &in->fmt, priv->table);
    return 0;
}

static void destroy(struct rn_stage *stage)
{
    struct priv *priv = stage->priv;
    free(priv->table);
}

static int ref(struct rn_stage *stage, const struct rn_call *call, const struct rn_image *src,
               struct rn_image *dst, int p)
{
    (void)call;
    const struct priv *priv = stage->priv;
    rn_lut_ref(priv->table, &src->geom.fmt, &src->plane[p], &dst->plane[p]);
    return 0;
}

static int prepare(struct rn_stage *stage, struct rn_device *dev)
{
    struct priv *priv = stage->priv;
    if (priv->mem_depth != stage->in.fmt.depth)
        rn_buffer_release(dev, &priv->mem);
    priv->mem_depth = stage->in.fmt.depth;
    return rn_lut_upload(dev, &priv->mem, priv->table, &stage->in.fmt);
}

static int enqueue(struct rn_stage *stage, struct rn_cmd *cmd, const struct rn_dimage *src,
                   struct rn_dimage *dst, int p)
{
    const struct priv *priv = stage->priv;
    return rn_lut_apply(cmd, priv->mem, &src->geom.fmt, &src->plane[p], &dst->plane[p]);
}

static void release(struct rn_stage *stage, struct rn_device *dev)
{
    struct priv *priv = stage->priv;
    rn_buffer_release(dev, &priv->mem);
}

const struct rn_stage_desc rn_levels = {
    .name = "levels",
    .help = "maps black..white, or a window, to low..high, with gamma",
    .params = params,
    .params_size = sizeof(struct levels),
    .priv_size = sizeof(struct priv),
    .check = check,
    .ref = ref,
    .prepare = prepare,
    .enqueue = enqueue,
    .release = release,
    .destroy = destroy,
};
