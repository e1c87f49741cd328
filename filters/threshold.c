/* SPDX-License-Identifier: MIT */
/* Threshold: samples above the level become white, all others black. The output is a mask: 8 bits,
 * whatever came in, where white is 255 or (values=01) 1. With values=range, in Y'CbCr, and where
 * not all planes are chosen, samples keep their type; black and white are then the smallest and
 * the largest value, of floats the ends of their declared range.
 *
 * The level is given, or found for each plane by Otsu's method (N. Otsu, "A Threshold Selection
 * Method from Gray-Level Histograms", 1979): the level that divides the samples into two classes
 * with the largest variance between them. For N samples with sum S, of which n with sum s are at or
 * below the level, this variance is, up to the factor 1 / N^2,
 *   (n * S - N * s)^2 / (n * (N - n)).
 * It counts in bins (filters/parts/histogram.h); of floats, those in a higher bin than the level
 * become white.
 * The fractions are compared exactly, in integers of up to 256 bits, so every device finds the same
 * level. Among equals the lowest level wins; a flat plane has the first bin as its level. */
#include "filters/base/owned.h"
#include "filters/parts/histogram.h"
#include "filters/core/chain/level.h"
#include "filters/parts/texts.h"

struct threshold {
    struct rn_level level;
    int otsu, planes;
    enum { VALUES_MASK, VALUES_01, VALUES_RANGE } values;
};

static const char *const values_names[] = {"mask", "01", "range", NULL};

static const struct rn_param params[] = {
    RN_P_LEVEL(struct threshold, level, RN_POSITION, 0, 255, 1, 128,
               "above it white, else black; without meaning if otsu is on"),
    RN_P_INT(struct threshold, otsu, 0, 1, 1, 0, "",
             "1 = the level of each plane by Otsu's method"),
    RN_P_FIXED_CHOICE(struct threshold, values, values_names, 3, VALUES_MASK,
                      "mask = 8 bits, 0 and 255; 01 = 8 bits, 0 and 1; range = the ends of the "
                      "input's own range, in its type. Y'CbCr stays in its type"),
    RN_P_PLANES(struct threshold),
    RN_P_END,
};

static int check(const struct rn_stage *stage, const struct rn_geom *in, struct rn_traits *traits)
{
    const struct threshold *t = stage->params;
    rn_traits_drop_unit(traits);
    if (t->values != VALUES_RANGE && in->fmt.model != RN_YUV && !in->fmt.complex &&
        traits->planes == rn_geom_all_planes(in)) {
        traits->out.fmt.depth = 8;
        traits->out.fmt.number = RN_NUMBER_UNSIGNED;
        traits->out.full_range |= in->fmt.number != RN_NUMBER_UNSIGNED;
        traits->out.low = traits->out.high = 0;
    }
    /* planes of several frames lie one above the other in samples of one size */
    traits->shift_invariant =
        !t->otsu && rn_format_bytes(&in->fmt) == rn_format_bytes(&traits->out.fmt);
    return t->otsu ? 0 : rn_level_check_side(&t->level, "threshold", in);
}

enum { APPLY, APPLY_TO_MASK, OTSU_SPLIT, OTSU_BEST }; /* kernels */

struct priv {
    struct rn_histogram histogram;
    struct rn_scratch found; /* int per block of bins: its best level; the first: the level */
    struct rn_scratch score; /* ulong4 per block */
};

/* The largest sample that stays black. */
static float given_level(const struct threshold *t, const struct rn_geom *geom)
{
    double level = rn_level_position(&t->level, geom);
    if (geom->fmt.number == RN_NUMBER_FLOAT)
        return (float)level;
    double min = rn_format_min(&geom->fmt), max = rn_format_max(&geom->fmt);
    return (float)floor(level < min ? min : level > max ? max : level);
}

static void find_ends(const struct rn_snapshot *now, float *black, float *white)
{
    const struct threshold *t = now->params;
    const struct rn_geom *out = &now->traits.out;
    *black = t->values == VALUES_01 ? 0 : rn_geom_black(out);
    *white = t->values == VALUES_01 ? 1 : rn_geom_white(out);
}

/* ---- reference */

struct words {
    cl_ulong x, y, z, w;
};

#define RN_INLINE        static inline
#define ulong            cl_ulong
#define ulong2           struct words
#define ulong4           struct words
#define mul_hi(a, b)     ((cl_ulong)((unsigned __int128)(a) * (b) >> 64))
#define OTSU_ULONG4(...) ((struct words){__VA_ARGS__})
#include "kernels/otsu.clh"

static int otsu_level(const uint32_t *h, int bins)
{
    struct words all = {0}, below = {0};
    for (int v = 0; v < bins; v++) {
        all.x += h[v];
        all.y += (cl_ulong)h[v] * (cl_ulong)v;
    }
    struct words best = OTSU_NONE;
    int level = 0;
    for (int v = 0; v < bins; v++) {
        below.x += h[v];
        below.y += (cl_ulong)h[v] * (cl_ulong)v;
        struct words score = otsu_score(below, all);
        if (otsu_better(score, v, best, level)) {
            best = score;
            level = v;
        }
    }
    return level;
}

static int ref(struct rn_bound *bound, const struct rn_snapshot *now, const struct rn_call *call,
               const struct rn_image *src, struct rn_image *dst, int p)
{
    const struct threshold *t = now->params;
    const struct rn_plane *s = &src->plane[p];
    enum rn_sample sample = rn_format_sample(&now->in.fmt);
    enum rn_sample to = rn_format_sample(&now->traits.out.fmt);
    float black, white;
    find_ends(now, &black, &white);
    float level = given_level(t, &now->in);
    const struct rn_binning b = rn_binning_of(&now->in);
    int bin = 0;
    if (t->otsu) {
        RN_OWNED(rn_free_owned) uint32_t *h = calloc((size_t)b.bins, sizeof *h);
        if (!h)
            return rn_fail_memory();
        rn_histogram_ref(s, &now->in, h);
        bin = otsu_level(h, b.bins);
    }
    RN_EACH_SAMPLE (s, x, y) {
        float v = rn_sample_get(s, sample, x, y);
        bool above = t->otsu ? rn_bin_of(&b, &now->in.fmt, v) > bin : v > level;
        rn_sample_put(&dst->plane[p], to, x, y, above ? white : black);
    }
    return 0;
}

/* ---- device */

/* Makes what otsu=1 needs in any case: it may be switched on while running. */
static int prepare(struct rn_bound *bound, const struct rn_snapshot *now)
{
    struct priv *priv = bound->priv;
    struct rn_device *dev = bound->dev;
    if (!dev)
        return 0;
    int err = rn_histogram_prepare(&priv->histogram, bound, &now->in, true);
    size_t blocks = (size_t)(priv->histogram.bins / RN_HISTOGRAM_BLOCK);
    err =
        err ? err : rn_scratch_reserve(dev, rn_held(bound, &priv->found), sizeof(cl_int) * blocks);
    return err ? err
               : rn_scratch_reserve(dev, rn_held(bound, &priv->score), sizeof(cl_ulong4) * blocks);
}

static int find_level(struct rn_bound *bound, struct rn_cmd *cmd, const struct rn_dplane *plane)
{
    struct priv *priv = bound->priv;
    struct rn_histogram *h = &priv->histogram;
    size_t items = rn_histogram_items(cmd);
    int blocks = h->bins / RN_HISTOGRAM_BLOCK;
    const struct rn_range group = {cmd->dev->form.local_x, cmd->dev->form.local_y, 1};
    int err = rn_histogram_measure(h, cmd, plane);
    err = err ? err
              : rn_histogram_launch(h, cmd, bound->kernel[OTSU_SPLIT],
                                    RN_ARGS(RN_ARG_MEM(h->mem.mem), RN_ARG_MEM(h->blocks.mem),
                                            RN_ARG_INT(blocks), RN_ARG_MEM(priv->score.mem),
                                            RN_ARG_MEM(priv->found.mem),
                                            RN_ARG_LOCAL(sizeof(cl_ulong2) * items),
                                            RN_ARG_LOCAL(sizeof(cl_ulong4) * items),
                                            RN_ARG_LOCAL(sizeof(cl_int) * items)));
    if (err || blocks == 1)
        return err;
    return RN_LAUNCH_ITEMS(cmd, bound->kernel[OTSU_BEST], group, group, RN_ARG_INT(blocks),
                           RN_ARG_MEM(priv->score.mem), RN_ARG_MEM(priv->found.mem),
                           RN_ARG_LOCAL(sizeof(cl_ulong4) * items),
                           RN_ARG_LOCAL(sizeof(cl_int) * items));
}

static int enqueue(struct rn_bound *bound, const struct rn_snapshot *now, struct rn_cmd *cmd,
                   const struct rn_dimage *src, struct rn_dimage *dst, int p)
{
    const struct threshold *t = now->params;
    struct priv *priv = bound->priv;
    const struct rn_dplane *s = &src->plane[p];
    const struct rn_binning *b = &priv->histogram.binning;
    bool same = rn_format_sample(&now->in.fmt) == rn_format_sample(&now->traits.out.fmt);
    float black, white;
    find_ends(now, &black, &white);
    int err = t->otsu ? find_level(bound, cmd, s) : 0;
    return err ? err
               : RN_LAUNCH(cmd, bound->kernel[same ? APPLY : APPLY_TO_MASK], rn_area_of(s),
                           RN_ARG_PLANE(s), RN_ARG_PLANE(&dst->plane[p]),
                           RN_ARG_FLOAT(given_level(t, &now->in)), RN_ARG_INT(t->otsu),
                           RN_ARG_MEM(priv->found.mem),
                           RN_ARG_FLOAT4(black, white, b->low, b->scale));
}

RN_FILTER(threshold) = {
    .name = RN_NAMED(threshold),
    RN_SETTINGS(struct threshold, params),
    RN_PREPARING(struct priv),
    .source = "threshold.cl",
    .kernels = {[APPLY] = "threshold",
                [APPLY_TO_MASK] = "threshold_to_mask",
                [OTSU_SPLIT] = "otsu_split",
                [OTSU_BEST] = "otsu_best"},
    .in_place = true,
};
