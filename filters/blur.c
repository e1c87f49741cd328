/* SPDX-License-Identifier: MIT */
/* Gaussian blur.
 *
 * Definition, the same on every device, for sigma below 4: the weights are k[d] = exp(-d * d / (2 *
 * sigma * sigma)) for |d| <= radius = ceil(4 * sigma), divided by their sum, in double precision,
 * then rounded to fp32. Rows are summed first, then columns, each sum from the middle outwards in
 * fp32: s = k[0] * v(0), then s = fma(k[d], v(-d) + v(d), s) for d = 1, 2, ... Of integers the
 * result is rounded half to even.
 * The radius is 4 sigma, not 3: beyond 3 sigma lies 0.27 % of the weight along a line, up to 0.7
 * levels at 8 bits and 177 at 16; beyond 4 sigma lies 0.006 %, 0.02 levels and 4.
 *
 * From 4 on the cost hardly grows with sigma: the picture is reduced to every factor-th sample of
 * every factor-th row, blurred on that coarse grid, and interpolated (kernels/coarse.cl).
 * b is the cubic B-spline, b(t) = 2/3 - t^2 + |t|^3 / 2 for |t| < 1, (2 - |t|)^3 / 6
 * for |t| < 2, else 0; f the factor; v the picture, continued by its border rule. All sums are in
 * fp32, over weights that were computed in double precision and rounded.
 *   reduce       column sums at the rows f * j, then row sums at the columns f * i: from the middle
 *                outwards, s = k[0] * v(0), then s = fma(k[d], v(-d) + v(d), s) for d = 1 ..
 *                2 f - 1, with k[d] = b(d / f) / f
 *   blur         the sums of filters/parts/separable.h, `paired`, row first, over -reach..reach,
 *                times 1, plus 0. The weights make all three steps together a Gaussian: they are,
 *                but for a factor that makes their sum 1, the sum over the frequencies w = 2 pi n /
 *                512, n = -256..255, of cos(w d) * exp(-(sigma / f * w)^2 / 2) / (sin(w / 2) / (w /
 *                2))^8
 *   interpolate  along rows, then along columns; with x = f * i + p: s = q[p][0] * u(i - 1), then
 *                s = fma(q[p][k], u(i - 1 + k), s) for k = 1..3, with q[p][k] = b(p / f - k + 1)
 * What the coarse grid cannot show is less than 2e-4 of the range away from the Gaussian. */
#include "filters/base/owned.h"
#include "filters/core/device/kernel_constants.h"
#include "filters/parts/separable.h"
#include "filters/parts/texts.h"

#define MAX_SIGMA   20
#define MAX_REACH   16  /* sums of more samples go by the coarse grid */
#define MAX_MARGIN  112 /* samples that are read beyond the edge */
#define FREQUENCIES 512

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

enum { REDUCE_COLUMNS, REDUCE_ROWS, INTERPOLATE_ROWS, INTERPOLATE_COLUMNS }; /* kernels */

struct priv {
    int factor;                       /* of the grid; 1: there is none */
    int reach;                        /* of the blur, the radius where there is no grid */
    double weight[2 * MAX_REACH + 1]; /* of the blur, at -reach..reach */
    struct rn_separable passes;       /* device: the blur */
    /* with a grid: */
    float reduce[2 * RN_COARSE_FACTOR];    /* k */
    float interpolate[4][RN_COARSE_LANES]; /* q[i % factor][k] at [k][i] */
    struct rn_kernel *kernel[4];
    struct rn_scratch tables;                   /* k, then q */
    struct rn_scratch partial, reduced, result; /* sums of columns, later of rows; the grid, and
                                                   blurred */
};

/* At a factor of half sigma the grid still shows what a Gaussian lets through. Below 4 the way
 * there and back costs as much as the direct sums do. */
static int factor_of(double sigma)
{
    return sigma >= 16 ? 8 : sigma >= 8 ? 4 : sigma >= 4 ? 2 : 1;
}

static double spline(double t)
{
    t = fabs(t);
    return t < 1 ? 2.0 / 3 - t * t + t * t * t / 2 : t < 2 ? (2 - t) * (2 - t) * (2 - t) / 6 : 0;
}

/* The weight at distance d of a blur that makes all steps on the grid a Gaussian. */
static double grid_weight(double sigma, int d)
{
    const double pi = 3.14159265358979323846;
    double sum = 0;
    for (int n = -FREQUENCIES / 2; n < FREQUENCIES / 2; n++) {
        double w = 2 * pi * n / FREQUENCIES, smooth = n ? sin(w / 2) / (w / 2) : 1;
        sum += cos(w * d) * exp(-sigma * w * sigma * w / 2) / pow(smooth, 8);
    }
    return sum;
}

static void set_weights(struct priv *c, double sigma)
{
    int f = c->factor = factor_of(sigma);
    double sum = 0;
    c->reach = (int)ceil(4 * sigma / f);
    for (int i = 0; i <= 2 * c->reach; i++) {
        double d = i - c->reach;
        c->weight[i] =
            f > 1 ? grid_weight(sigma / f, i - c->reach) : exp(-d * d / (2 * sigma * sigma));
        sum += c->weight[i];
    }
    for (int i = 0; i <= 2 * c->reach; i++)
        c->weight[i] /= sum;
    for (int d = 0; d < 2 * f; d++)
        c->reduce[d] = (float)(spline((double)d / f) / f);
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < RN_COARSE_LANES; i++)
            c->interpolate[k][i] = (float)spline((double)(i % f) / f - k + 1);
}

static int check(const struct rn_stage *stage, const struct rn_geom *in, struct rn_traits *traits)
{
    const struct blur *b = stage->params;
    traits->shift_invariant = factor_of((double)b->sigma) == 1;
    traits->margin = MAX_MARGIN; /* sigma changes while running */
    return 0;
}

/* Sizes of the steps' results, for a plane of w x h. The grid begins one point before the
 * picture and ends two points after its last; around it is room for the blur. */
struct sizes {
    int beyond; /* samples that the reduction needs left of the picture, and right */
    int grid_w, grid_h;
    int across, down; /* grid_w and grid_h with the reach on both sides */
    int wide;         /* w with `beyond` on both sides */
};

static const struct rn_format grid_format = {
    .model = RN_GRAY, .depth = 32, .number = RN_NUMBER_FLOAT};

static int points(int n, int factor)
{
    return (n - 1) / factor + 4;
}

static struct sizes sizes_of(const struct priv *c, int w, int h)
{
    struct sizes s = {.beyond = c->factor * (c->reach + 4),
                      .grid_w = points(w, c->factor),
                      .grid_h = points(h, c->factor)};
    s.across = s.grid_w + 2 * c->reach;
    s.down = s.grid_h + 2 * c->reach;
    s.wide = w + 2 * s.beyond;
    return s;
}

/* ---- reference */

/* The sum around `at`, whose samples are step floats apart. */
static float sum_pairs(const float *weight, int n, const float *at, ptrdiff_t step)
{
    float sum = weight[0] * *at;
    for (int d = 1; d < n; d++)
        sum = fmaf(weight[d], at[-d * step] + at[d * step], sum);
    return sum;
}

static float sum_four(const struct priv *c, int phase, const float *at, ptrdiff_t step)
{
    float sum = c->interpolate[0][phase] * *at;
    for (int k = 1; k < 4; k++)
        sum = fmaf(c->interpolate[k][phase], at[k * step], sum);
    return sum;
}

struct steps {
    float *column, *partial, *reduced, *fine;
};

static void reduce(const struct priv *c, const struct sizes *s, const struct rn_plane *src,
                   enum rn_sample sample, enum rn_border border, const struct steps *t)
{
    int f = c->factor, n = 2 * f;
    for (int x = 0; x < s->wide; x++) {
        for (int y = -s->beyond; y < src->h + s->beyond; y++)
            t->column[y + s->beyond] = rn_sample_around(src, sample, border, x - s->beyond, y);
        for (int j = 0; j < s->down; j++)
            t->partial[j * s->wide + x] =
                sum_pairs(c->reduce, n, t->column + s->beyond + f * (j - c->reach - 1), 1);
    }
    for (int j = 0; j < s->down; j++)
        for (int i = 0; i < s->across; i++)
            t->reduced[j * s->across + i] = sum_pairs(
                c->reduce, n, t->partial + j * s->wide + s->beyond + f * (i - c->reach - 1), 1);
}

static void interpolate(const struct priv *c, const struct sizes *s, struct rn_plane *dst,
                        const struct rn_format *fmt, const struct steps *t)
{
    int f = c->factor, w = dst->w;
    const float *grid = t->reduced + c->reach * s->across + c->reach;
    for (int j = 0; j < s->grid_h; j++)
        for (int x = 0; x < w; x++)
            t->fine[j * w + x] = sum_four(c, x % f, grid + j * s->across + x / f, 1);
    RN_EACH_SAMPLE (dst, x, y)
        rn_sample_put(dst, rn_format_sample(fmt), x, y,
                      rn_round_sample(fmt, sum_four(c, y % f, t->fine + y / f * w + x, w)));
}

static int ref_grid(const struct priv *c, const struct rn_plane *src, struct rn_plane *dst,
                    const struct rn_format *fmt, enum rn_border border)
{
    struct sizes s = sizes_of(c, src->w, src->h);
    size_t down = (size_t)s.down, w = (size_t)src->w, column = (size_t)(src->h + 2 * s.beyond);
    size_t partial = (size_t)s.wide * down, reduced = (size_t)s.across * down;
    RN_OWNED(rn_free_owned) float *all = calloc(column + partial + reduced + w * down, sizeof *all);
    if (!all)
        return rn_fail_memory();
    struct steps t = {.column = all};
    t.partial = t.column + column;
    t.reduced = t.partial + partial;
    t.fine = t.reduced + reduced;
    reduce(c, &s, src, rn_format_sample(fmt), border, &t);
    /* The border rule has no say: what it makes of the edge is not read. */
    struct rn_plane grid = {(void *)t.reduced, s.across * (ptrdiff_t)sizeof *all, s.across, s.down};
    int err = rn_separable_ref(&grid, &grid, &grid_format, c->weight, c->reach, RN_CLAMP, 1);
    if (!err)
        interpolate(c, &s, dst, fmt, &t);
    return err;
}

static int ref(struct rn_bound *bound, const struct rn_snapshot *now, const struct rn_call *call,
               const struct rn_image *src, struct rn_image *dst, int p)
{
    const struct blur *b = now->params;
    const struct priv *c = bound->priv;
    if (c->factor > 1)
        return ref_grid(c, &src->plane[p], &dst->plane[p], &now->in.fmt, b->border);
    return rn_separable_ref(&src->plane[p], &dst->plane[p], &now->in.fmt, c->weight, c->reach,
                            b->border, 1);
}

/* ---- device */

static int prepare_grid(struct priv *c, struct rn_bound *bound, enum rn_sample sample,
                        const struct sizes *s)
{
    static const char *const names[] = {"reduce_columns", "reduce_rows", "interpolate_rows",
                                        "interpolate_columns"};
    struct rn_device *dev = bound->dev;
    const struct rn_form *form = &dev->form;
    const int bytes = sizeof(cl_float), w = s->grid_w, h = s->grid_h;
    cl_float tables[2 * RN_COARSE_FACTOR + 4 * RN_COARSE_LANES];
    memcpy(tables, c->reduce, sizeof c->reduce);
    memcpy(tables + 2 * RN_COARSE_FACTOR, c->interpolate, sizeof c->interpolate);
    int err = rn_buffer_from(dev, tables, sizeof tables, &rn_held(bound, &c->tables)->mem);
    size_t partial = rn_layout(form, s->wide, s->down, bytes, 0).bytes;
    err = err ? err : rn_scratch_reserve(dev, rn_held(bound, &c->partial), partial);
    size_t reduced = rn_layout(form, w, h, bytes, c->reach).bytes;
    err = err ? err : rn_scratch_reserve(dev, rn_held(bound, &c->reduced), reduced);
    size_t result = rn_layout(form, w, h, bytes, 0).bytes;
    err = err ? err : rn_scratch_reserve(dev, rn_held(bound, &c->result), result);
    for (int k = 0; k < 4 && !err; k++)
        err = rn_kernel_get(dev, "coarse.cl", names[k],
                            k == REDUCE_ROWS || k == INTERPOLATE_ROWS ? RN_SAMPLE_F32 : sample,
                            &c->kernel[k]);
    return err;
}

static int prepare(struct rn_bound *bound, const struct rn_snapshot *now)
{
    const struct blur *b = now->params;
    struct priv *c = bound->priv;
    struct rn_geom geom = now->in; /* of what is blurred */
    set_weights(c, (double)b->sigma);
    if (!bound->dev)
        return 0;
    if (c->factor > 1) {
        struct sizes s = sizes_of(c, geom.w, geom.h);
        int err = prepare_grid(c, bound, rn_format_sample(&geom.fmt), &s);
        if (err)
            return err;
        geom = (struct rn_geom){.fmt = grid_format, .w = s.grid_w, .h = s.grid_h};
    }
    int n = 2 * c->reach + 1;
    struct rn_factors factors = {c->weight, c->weight, n, n, false, true};
    return rn_separable_prepare(&c->passes, bound, &geom, &factors);
}

static int enqueue_grid(struct priv *c, struct rn_cmd *cmd, const struct rn_dplane *src,
                        const struct rn_dplane *dst, const struct rn_geom *geom,
                        enum rn_border border)
{
    const struct rn_form *form = &cmd->dev->form;
    struct sizes s = sizes_of(c, src->w, src->h);
    const int bytes = sizeof(cl_float), w = s.grid_w, h = s.grid_h;
    struct rn_dplane partial = rn_dplane_in(form, c->partial.mem, s.wide, s.down, bytes, 0);
    struct rn_dplane reduced = rn_dplane_in(form, c->reduced.mem, w, h, bytes, c->reach);
    struct rn_dplane result = rn_dplane_in(form, c->result.mem, w, h, bytes, 0), fine = partial;
    struct rn_area all = {-c->reach, -c->reach, w + c->reach, h + c->reach};
    fine.w = src->w;
    fine.h = h;
    int err = rn_fill_border(cmd, src, rn_format_sample(&geom->fmt), s.beyond, s.beyond, border, 0);
    err = err ? err
              : RN_LAUNCH(cmd, c->kernel[REDUCE_COLUMNS], rn_area_of(&partial), RN_ARG_PLANE(src),
                          RN_ARG_PLANE(&partial), RN_ARG_MEM(c->tables.mem),
                          RN_ARG_INT4(c->factor, c->reach + 1, s.beyond, 0));
    err = err ? err
              : RN_LAUNCH(cmd, c->kernel[REDUCE_ROWS], all, RN_ARG_PLANE(&partial),
                          RN_ARG_PLANE(&reduced), RN_ARG_MEM(c->tables.mem),
                          RN_ARG_INT4(c->factor, c->reach, s.beyond, 0));
    err = err ? err
              : rn_separable_enqueue(&c->passes, cmd, &reduced, &result, RN_SAMPLE_F32, 1, 0, 0);
    if (!err)
        err = RN_LAUNCH(cmd, c->kernel[INTERPOLATE_ROWS], rn_area_of(&fine), RN_ARG_PLANE(&result),
                        RN_ARG_PLANE(&fine), RN_ARG_MEM(c->tables.mem), RN_ARG_INT(c->factor));
    return err ? err
               : RN_LAUNCH(cmd, c->kernel[INTERPOLATE_COLUMNS], rn_area_of(dst),
                           RN_ARG_PLANE(&fine), RN_ARG_PLANE(dst), RN_ARG_MEM(c->tables.mem),
                           RN_ARG_INT(c->factor), RN_ARG_FLOAT(rn_geom_white(geom)));
}

static int enqueue(struct rn_bound *bound, const struct rn_snapshot *now, struct rn_cmd *cmd,
                   const struct rn_dimage *src, struct rn_dimage *dst, int p)
{
    const struct blur *b = now->params;
    struct priv *c = bound->priv;
    const struct rn_dplane *s = &src->plane[p], *d = &dst->plane[p];
    enum rn_sample sample = rn_format_sample(&now->in.fmt);
    if (c->factor > 1)
        return enqueue_grid(c, cmd, s, d, &now->in, b->border);
    int err = rn_fill_border(cmd, s, sample, c->reach, c->reach, b->border, 0);
    return err ? err
               : rn_separable_enqueue(&c->passes, cmd, s, d, sample, 1, 0, rn_geom_white(&now->in));
}

RN_FILTER(blur) = {
    .name = RN_NAMED(blur),
    RN_SETTINGS(struct blur, params),
    RN_PREPARING(struct priv),
};
