/* SPDX-License-Identifier: MIT */
/* Levels: one lookup table for all planes, made on the host in double precision so that gamma is
 * the same on every device. With v, black and white in samples:
 *   t = (v - black) / (white - black), limited to 0..1
 *   out = low + (high - low) * t^(1 / gamma), rounded half to even
 * rn_format_from_8bit converts 8-bit units to samples, so the default is the identity at every
 * depth. black >= white is a step: samples above black are white. window and level follow the
 * LINEAR_EXACT function of DICOM PS3.3, C.11.2.1.3.2.
 *
 * Floats have no table of all values. For them, in fp32:
 *   t = (v - black) * (1 / (white - black)), limited to 0..1
 *   out = low + (high - low) * t, and high itself for t = 1; NaN stays NaN
 * where gamma other than 1 first replaces t by a linear interpolation between CURVE + 1 values of
 * t^(1 / gamma), made on the host. Their default limits the samples to the declared range. */
#include <float.h>

#include "filters/core/chain/level.h"
#include "filters/parts/lut.h"
#include "filters/core/chain/stage.h"
#include "filters/parts/texts.h"

struct levels {
    struct rn_level black, white, low, high, window, level;
    float gamma;
    int planes;
};

#define CURVE 65536 /* intervals */

static const struct rn_param params[] = {
    RN_P_LEVEL(struct levels, black, RN_POSITION, 0, 255, 1, 0, "input that becomes low"),
    RN_P_LEVEL(struct levels, white, RN_POSITION, 0, 255, 1, 255,
               "input that becomes high; if not above black: a step there"),
    RN_P_FLOAT(struct levels, gamma, 0.1, 10, 0.05, 1, "",
               "above 1 brightens what is in between, below 1 darkens it"),
    RN_P_LEVEL(struct levels, low, RN_POSITION, 0, 255, 1, 0,
               "output for black; above high: inverts"),
    RN_P_LEVEL(struct levels, high, RN_POSITION, 0, 255, 1, 255, "output for white"),
    RN_P_LEVEL(struct levels, window, RN_DISTANCE, 0, 510, 1, 0,
               "width of the window around level; 0 = use black and white"),
    RN_P_LEVEL(struct levels, level, RN_POSITION, 0, 255, 1, 128, "centre of the window"),
    RN_P_PLANES(struct levels),
    RN_P_END,
};

struct priv {
    uint16_t table[65536];
    struct rn_scratch mem;
    /* floats */
    float curve[CURVE + 1];
    struct rn_kernel *kernel;
};

static int check(const struct rn_stage *stage, const struct rn_geom *in, struct rn_traits *traits)
{
    const struct levels *l = stage->params;
    traits->shift_invariant = true;
    rn_traits_drop_unit(traits);
    if (l->window.value != 0)
        return rn_level_check_side(&l->level, "levels", in);
    int err = rn_level_check_side(&l->black, "levels", in);
    return err ? err : rn_level_check_side(&l->white, "levels", in);
}

/* What is computed, in samples. */
struct map {
    double black, white, low, high;
};

static struct map map_of(const struct levels *l, const struct rn_geom *geom)
{
    struct map m = {rn_level_position(&l->black, geom), rn_level_position(&l->white, geom),
                    rn_level_position(&l->low, geom), rn_level_position(&l->high, geom)};
    double level = 0, window = 0, width = fabs(rn_level_distance(&l->window, geom));
    if (width <= 0)
        return m;
    if (rn_level_8bit(&l->level, geom, &level) &&
        rn_level_8bit(&l->window, geom, &window)) { /* whose last unit is longer */
        m.black = rn_format_from_8bit(&geom->fmt, level - window / 2);
        m.white = rn_format_from_8bit(&geom->fmt, level + window / 2);
    } else {
        m.black = rn_level_position(&l->level, geom) - width / 2;
        m.white = rn_level_position(&l->level, geom) + width / 2;
    }
    return m;
}

static double curved(const struct levels *l, double t)
{
    return l->gamma == 1 ? t : pow(t, 1 / (double)l->gamma);
}

/* ---- tables */

int rn_lut_apply(struct rn_cmd *cmd, cl_mem table, const struct rn_format *fmt,
                 const struct rn_dplane *src, const struct rn_dplane *dst)
{
    struct rn_kernel *kernel = NULL;
    int err = rn_kernel_get(cmd->dev, "lut.cl", "lut_apply", rn_format_sample(fmt), &kernel);
    return err ? err
               : RN_LAUNCH(cmd, kernel, rn_area_of(dst), RN_ARG_PLANE(src), RN_ARG_PLANE(dst),
                           RN_ARG_MEM(table), RN_ARG_INT(rn_format_max(fmt)));
}

/* ---- floats */

enum mode { LINEAR, CURVED, STEP };

struct float_map {
    float black, inverse, low, range, high;
    enum mode mode;
};

static struct float_map float_map_of(const struct rn_snapshot *now)
{
    const struct levels *l = now->params;
    const struct map m = map_of(l, &now->in);
    double width = m.white - m.black;
    bool step = width < (double)FLT_MIN;
    return (struct float_map){(float)m.black, step ? 0 : (float)(1 / width),
                              (float)m.low,   (float)(m.high - m.low),
                              (float)m.high,  step ? STEP : l->gamma == 1 ? LINEAR : CURVED};
}

static float map_float(const struct float_map *m, const float *curve, float v)
{
    float t = m->mode == STEP ? (v > m->black ? 1 : 0) : (v - m->black) * m->inverse;
    t = t > 0 ? t : 0;
    t = t < 1 ? t : 1;
    if (m->mode == CURVED) {
        int i = (int)(t * CURVE);
        i = i < CURVE - 1 ? i : CURVE - 1;
        float part = t * CURVE - (float)i, change = curve[i + 1] - curve[i];
        t = curve[i] + part * change;
    }
    return v != v ? v : t < 1 ? m->low + m->range * t : m->high;
}

static int prepare_floats(struct rn_bound *bound, const struct rn_snapshot *now)
{
    struct priv *priv = bound->priv;
    for (int i = 0; i <= CURVE; i++)
        priv->curve[i] = (float)curved(now->params, i / (double)CURVE);
    if (!bound->dev)
        return 0;
    int err = rn_buffer_from(bound->dev, priv->curve, sizeof priv->curve,
                             &rn_held(bound, &priv->mem)->mem);
    return err ? err
               : rn_kernel_get(bound->dev, "levels.cl", "levels_floats", RN_SAMPLE_F32,
                               &priv->kernel);
}

/* ---- integers, and both */

static int ref(struct rn_bound *bound, const struct rn_snapshot *now, const struct rn_call *call,
               const struct rn_image *src, struct rn_image *dst, int p)
{
    const struct priv *priv = bound->priv;
    const struct rn_plane *s = &src->plane[p];
    const struct rn_format *fmt = &src->geom.fmt;
    enum rn_sample sample = rn_format_sample(fmt);
    if (fmt->number != RN_NUMBER_FLOAT) { /* as rn_lut_apply */
        int min = rn_format_min(fmt), last = (1 << fmt->depth) - 1;
        RN_EACH_SAMPLE (s, x, y) {
            int i = (int)rn_sample_get(s, sample, x, y) - min;
            uint16_t v = priv->table[i < last ? i : last];
            rn_sample_put(&dst->plane[p], sample, x, y, min < 0 ? (float)(int16_t)v : (float)v);
        }
        return 0;
    }
    const struct float_map m = float_map_of(now);
    RN_EACH_SAMPLE (s, x, y)
        rn_sample_put(&dst->plane[p], RN_SAMPLE_F32, x, y,
                      map_float(&m, priv->curve, rn_sample_get(s, RN_SAMPLE_F32, x, y)));
    return 0;
}

static int prepare(struct rn_bound *bound, const struct rn_snapshot *now)
{
    struct priv *priv = bound->priv;
    const struct rn_format *fmt = &now->in.fmt;
    if (fmt->number == RN_NUMBER_FLOAT)
        return prepare_floats(bound, now);
    const struct map m = map_of(now->params, &now->in);
    int min = rn_format_min(fmt), max = rn_format_max(fmt);
    for (int v = min; v <= max; v++) {
        double t = m.white > m.black ? (v - m.black) / (m.white - m.black) : v > m.black;
        t = curved(now->params, t < 0 ? 0 : t > 1 ? 1 : t);
        priv->table[v - min] = (uint16_t)(int)rint(m.low + (m.high - m.low) * t);
    }
    if (!bound->dev)
        return 0;
    uint8_t narrow[256];
    bool is_narrow = rn_format_bytes(fmt) == 1;
    for (int i = 0; i < 256 && is_narrow; i++)
        narrow[i] = (uint8_t)priv->table[i];
    size_t bytes = ((size_t)1 << fmt->depth) * (size_t)rn_format_bytes(fmt);
    return rn_buffer_from(bound->dev, is_narrow ? (void *)narrow : priv->table, bytes,
                          &rn_held(bound, &priv->mem)->mem);
}

static int enqueue(struct rn_bound *bound, const struct rn_snapshot *now, struct rn_cmd *cmd,
                   const struct rn_dimage *src, struct rn_dimage *dst, int p)
{
    const struct priv *priv = bound->priv;
    const struct rn_dplane *s = &src->plane[p], *d = &dst->plane[p];
    if (now->in.fmt.number != RN_NUMBER_FLOAT)
        return rn_lut_apply(cmd, priv->mem.mem, &src->geom.fmt, s, d);
    const struct float_map m = float_map_of(now);
    return RN_LAUNCH(cmd, priv->kernel, rn_area_of(s), RN_ARG_PLANE(s), RN_ARG_PLANE(d),
                     RN_ARG_FLOAT4(m.black, m.inverse, m.low, m.range), RN_ARG_FLOAT(m.high),
                     RN_ARG_INT((int)m.mode), RN_ARG_MEM(priv->mem.mem));
}

RN_FILTER(levels) = {
    .name = RN_NAMED(levels),
    RN_SETTINGS(struct levels, params),
    RN_PREPARING(struct priv),
    .in_place = true,
};
