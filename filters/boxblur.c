/* SPDX-License-Identifier: MIT */
/* Box blur: the mean over a square of (2 * radius + 1)^2 samples.
 *
 * Definition, the same on every device: the exact sum, divided by the number of samples and rounded
 * to the nearest integer. The number is odd, so no mean lies halfway between two integers.
 *
 * On a device, running sums make the time independent of the radius, except at the start of each
 * run: first down the columns, giving sums of 2 * radius + 1 samples, then along the rows of those
 * sums. A work-item runs along a segment, whose length grows with the radius, so that the start
 * never takes longer than the run itself. On CPUs both are one launch (filters/parts/tile.h). The
 * largest sum is 65535 * 255^2 < 2^32. Signed samples are summed with 32768 added to each, which
 * the mean loses again.
 *
 * Floats, of which running sums would depend on all that went before: the sum is that of a
 * separable convolution with ones, in the order of blur (from the middle outwards, rows first),
 * times 1 / (2 * radius + 1)^2, all in fp32. */

#include "filters/base/owned.h"
#include "filters/parts/separable.h"
#include "filters/parts/tile.h"
#include "filters/parts/texts.h"

#define MAX_RADIUS 127 /* 128 would overflow 16 bits per column, and 32 in all */

struct boxblur {
    int radius;
    enum rn_border border;
    int planes;
};

static const struct rn_param params[] = {
    RN_P_INT(struct boxblur, radius, 1, MAX_RADIUS, 1, 1, "px", "reach of the square"),
    RN_P_BORDER(struct boxblur),
    RN_P_PLANES(struct boxblur),
    RN_P_END,
};

enum { COLUMNS, ROWS, TILE, NINE }; /* kernels */

static const char *const kernel_names[] = {"columns", "rows", "tile", "nine"};

struct priv {
    struct rn_scratch sums;
    struct rn_kernel *kernel[4]; /* the two passes; or both in one launch */
    struct rn_separable passes;  /* of floats */
};

static int check(const struct rn_stage *stage, const struct rn_geom *in, struct rn_traits *traits)
{
    traits->shift_invariant = true;
    traits->margin = MAX_RADIUS; /* the radius changes while running */
    return 0;
}

static const double ones[2 * MAX_RADIUS + 1] = {[0 ... 2 * MAX_RADIUS] = 1}; /* of floats */

/* ---- reference */

/* The sum of 2 * radius + 1 values around `at` in a line of n, step values apart; outside: values
 * without a counterpart. */
static uint32_t sum_at(const uint32_t *line, ptrdiff_t step, int n, int at, int radius,
                       enum rn_border border, uint32_t outside)
{
    uint32_t sum = 0;
    for (int i = at - radius; i <= at + radius; i++) {
        int k = rn_border_index(border, i, n);
        sum += k < 0 ? outside : line[k * step];
    }
    return sum;
}

static int ref(struct rn_bound *bound, const struct rn_snapshot *now, const struct rn_call *call,
               const struct rn_image *src, struct rn_image *dst, int p)
{
    const struct boxblur *b = now->params;
    const struct rn_plane *s = &src->plane[p];
    enum rn_sample sample = rn_format_sample(&src->geom.fmt);
    int w = s->w, h = s->h, side = 2 * b->radius + 1, zero = rn_format_min(&now->in.fmt);
    if (sample == RN_SAMPLE_F32)
        return rn_separable_ref(s, &dst->plane[p], &now->in.fmt, ones, b->radius, b->border,
                                1 / (float)(side * side));
    uint64_t count = (uint64_t)side * (uint64_t)side;
    uint32_t outside = (uint32_t)-zero; /* a sample of 0 */
    enum rn_border border = b->border;
    size_t n = (size_t)w * (size_t)h;
    RN_OWNED(rn_free_owned)
    uint32_t *samples = calloc(n, sizeof *samples), *columns = calloc(n, sizeof *columns);
    if (!samples || !columns)
        return rn_fail_memory();
    for (int i = 0; i < (int)n; i++)
        samples[i] = (uint32_t)((int)rn_sample_get(s, sample, i % w, i / w) - zero);
    for (int i = 0; i < (int)n; i++)
        columns[i] = sum_at(samples + i % w, w, h, i / w, b->radius, border, outside);
    for (int i = 0; i < (int)n; i++) {
        uint64_t sum =
            sum_at(columns + i / w * w, 1, w, i % w, b->radius, border, outside * (uint32_t)side);
        int mean = (int)((sum + count / 2) / count) + zero;
        rn_sample_put(&dst->plane[p], sample, i % w, i / w, (float)mean);
    }
    return 0;
}

/* ---- device */

/* The layout of the column sums: from radius + 1 columns left of the picture to radius right of it,
 * no rows above or below. */
static struct rn_dplane sums_plane(const struct rn_bound *bound, const struct rn_snapshot *now,
                                   int w, int h)
{
    const struct priv *priv = bound->priv;
    int margin = MAX_RADIUS + 1;
    struct rn_dplane plane = rn_dplane_in(&bound->dev->form, priv->sums.mem, w, h,
                                          rn_format_bytes(&now->in.fmt), margin);
    plane.origin -= margin * plane.stride;
    return plane;
}

/* On GPUs 3x3 samples go through one kernel, of integers. */
static bool is_nine(const struct boxblur *b, const struct rn_form *form)
{
    return b->radius == 1 && rn_form_by_index(form);
}

static int prepare(struct rn_bound *bound, const struct rn_snapshot *now)
{
    const struct boxblur *b = now->params;
    struct priv *priv = bound->priv;
    if (!bound->dev)
        return 0;
    if (now->in.fmt.number == RN_NUMBER_FLOAT) {
        int n = 2 * b->radius + 1;
        struct rn_factors factors = {ones, ones, n, n, false, true};
        return rn_separable_prepare(&priv->passes, bound, &now->in, &factors);
    }
    if (is_nine(b, &bound->dev->form))
        return rn_kernel_get(bound->dev, "boxblur.cl", kernel_names[NINE],
                             rn_format_sample(&now->in.fmt), &priv->kernel[NINE]);
    bool tiled = rn_tile_pays(&bound->dev->form);
    int err = 0;
    for (int k = tiled ? TILE : COLUMNS; k <= (tiled ? TILE : ROWS) && !err; k++)
        err = rn_kernel_get(bound->dev, "boxblur.cl", kernel_names[k],
                            rn_format_sample(&now->in.fmt), &priv->kernel[k]);
    if (err || tiled)
        return err;
    /* The column left of the first sum and those right of the last are read but do not matter; they
     * only need a defined value, which new memory has. */
    struct rn_dplane plane = sums_plane(bound, now, now->in.w, now->in.h);
    return rn_scratch_reserve(bound->dev, rn_held(bound, &priv->sums),
                              (size_t)plane.stride * (size_t)plane.h *
                                  (size_t)(2 * rn_format_bytes(&now->in.fmt)));
}

/* Length of a run: a power of two, so that vectors fit; at least as long as its start, and at least
 * `least`. A GPU needs many work-items. */
static int segment(const struct rn_device *dev, int radius, int least)
{
    int n = dev->form.local_x > 1 ? 32 : least;
    while (n < 2 * radius)
        n *= 2;
    return n;
}

static int enqueue(struct rn_bound *bound, const struct rn_snapshot *now, struct rn_cmd *cmd,
                   const struct rn_dimage *src, struct rn_dimage *dst, int p)
{
    const struct boxblur *b = now->params;
    struct priv *priv = bound->priv;
    const struct rn_dplane *s = &src->plane[p], *d = &dst->plane[p];
    enum rn_sample sample = rn_format_sample(&now->in.fmt);
    int r = b->radius, side = 2 * r + 1;
    if (sample != RN_SAMPLE_F32 && is_nine(b, &cmd->dev->form))
        return RN_LAUNCH(cmd, priv->kernel[NINE], rn_area_of(s), RN_ARG_PLANE(s), RN_ARG_PLANE(d),
                         RN_ARG_INT2((cl_int)b->border, 0));
    int err = rn_fill_border(cmd, s, sample, r, r, b->border, 0);
    if (err)
        return err;
    if (sample == RN_SAMPLE_F32)
        return rn_separable_enqueue(&priv->passes, cmd, s, d, sample, 1 / (float)(side * side), 0,
                                    0);
    if (rn_tile_pays(&cmd->dev->form)) {
        /* Only one row of sums is kept: rows to walk down cost no memory. */
        struct rn_tile tile = rn_tile_choose(cmd->dev, s->w, s->h, r, 0, RN_TILE_WIDE);
        return RN_LAUNCH_ITEMS(cmd, priv->kernel[TILE], rn_tile_range(&tile, s->w, s->h),
                               RN_OWN_GROUP, RN_ARG_PLANE(s), RN_ARG_PLANE(d), RN_ARG_INT(r),
                               RN_ARG_INT2(tile.columns, tile.rows), RN_ARG_INT(side * side),
                               RN_ARG_FLOAT(1 / (float)(side * side)));
    }
    int width = priv->kernel[COLUMNS]->width;
    int down = segment(cmd->dev, r, 128), along = segment(cmd->dev, r, 4096);
    struct rn_range columns = {(s->w + 2 * r + width - 1) / width, (s->h + down - 1) / down, 1};
    struct rn_range rows = {(s->w + along - 1) / along, s->h, 1};
    struct rn_dplane sums = sums_plane(bound, now, s->w, s->h);
    err = RN_LAUNCH_ITEMS(cmd, priv->kernel[COLUMNS], columns, RN_OWN_GROUP, RN_ARG_PLANE(s),
                          RN_ARG_PLANE(&sums), RN_ARG_INT(r), RN_ARG_INT(down));
    return err ? err
               : RN_LAUNCH_ITEMS(cmd, priv->kernel[ROWS], rows, RN_OWN_GROUP, RN_ARG_PLANE(&sums),
                                 RN_ARG_PLANE(d), RN_ARG_INT(r), RN_ARG_INT(along),
                                 RN_ARG_INT(side * side), RN_ARG_FLOAT(1 / (float)(side * side)));
}

RN_FILTER(boxblur) = {
    .name = RN_NAMED(boxblur),
    RN_SETTINGS(struct boxblur, params),
    RN_PREPARING(struct priv),
};
