#include "filters/parts/coarse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "filters/base/sample.h"

#define FREQUENCIES 512

enum { REDUCE_COLUMNS, REDUCE_ROWS, INTERPOLATE_ROWS, INTERPOLATE_COLUMNS }; /* kernels */

/* At a factor of half sigma the grid still shows what a Gaussian lets through. Below 4 the way
 * there and back costs as much as the direct sums do. */
int rn_coarse_factor(double sigma)
{
    return sigma >= 16 ? 8 : sigma >= 8 ? 4 : sigma >= 4 ? 2 : 1;
}

static double spline(double t)
{
    t = fabs(t);
    return t < 1 ? 2.0 / 3 - t * t + t * t * t / 2 : t < 2 ? (2 - t) * (2 - t) * (2 - t) / 6 : 0;
}

static double blur_weight(double sigma, int d)
{
    const double pi = 3.14159265358979323846;
    double sum = 0;
    for (int n = -FREQUENCIES / 2; n < FREQUENCIES / 2; n++) {
        double w = 2 * pi * n / FREQUENCIES, smooth = n ? sin(w / 2) / (w / 2) : 1;
        sum += cos(w * d) * exp(-sigma * w * sigma * w / 2) / pow(smooth, 8);
    }
    return sum;
}

void rn_coarse_set(struct rn_coarse *c, double sigma)
{
    int f = c->factor = rn_coarse_factor(sigma);
    c->reach = (int)ceil(4 * sigma / f);
    for (int d = 0; d < 2 * f; d++)
        c->reduce[d] = (float)(spline((double)d / f) / f);
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < RN_COARSE_LANES; i++)
            c->interpolate[k][i] = (float)spline((double)(i % f) / f - k + 1);
    double sum = 0;
    for (int i = 0; i <= 2 * c->reach; i++)
        sum += c->weight[i] = blur_weight(sigma / f, i - c->reach);
    for (int i = 0; i <= 2 * c->reach; i++)
        c->weight[i] /= sum;
}

/* Sizes of the steps' results, for a plane of w x h. The grid begins one point before the
 * picture and ends two points after its last; around it is room for the blur. */
struct sizes {
    int beyond; /* samples that the reduction needs left of the picture, and right */
    int grid_w, grid_h;
    int across, down; /* grid_w and grid_h with the reach on both sides */
    int wide;         /* w with `beyond` on both sides */
};

static int points(int n, int factor)
{
    return (n - 1) / factor + 4;
}

static struct sizes sizes_of(const struct rn_coarse *c, int w, int h)
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

static float sum_four(const struct rn_coarse *c, int phase, const float *at, ptrdiff_t step)
{
    float sum = c->interpolate[0][phase] * *at;
    for (int k = 1; k < 4; k++)
        sum = fmaf(c->interpolate[k][phase], at[k * step], sum);
    return sum;
}

struct steps {
    float *column, *partial, *reduced, *rows, *grid, *fine;
};

static void reduce(const struct rn_coarse *c, const struct sizes *s, const struct rn_plane *src,
                   enum rn_sample sample, enum rn_border border, const struct steps *t)
{
    int f = c->factor, n = 2 * f;
    for (int x = 0; x < s->wide; x++) {
        int from = rn_border_index(border, x - s->beyond, src->w);
        for (int y = -s->beyond; y < src->h + s->beyond; y++) {
            int row = rn_border_index(border, y, src->h);
            t->column[y + s->beyond] =
                from < 0 || row < 0 ? 0 : rn_sample_get(src, sample, from, row);
        }
        for (int j = 0; j < s->down; j++)
            t->partial[j * s->wide + x] =
                sum_pairs(c->reduce, n, t->column + s->beyond + f * (j - c->reach - 1), 1);
    }
    for (int j = 0; j < s->down; j++)
        for (int i = 0; i < s->across; i++)
            t->reduced[j * s->across + i] = sum_pairs(
                c->reduce, n, t->partial + j * s->wide + s->beyond + f * (i - c->reach - 1), 1);
}

static void blur(const struct rn_coarse *c, const struct sizes *s, const struct steps *t)
{
    float weight[RN_COARSE_REACH + 1];
    int n = c->reach + 1;
    for (int d = 0; d < n; d++)
        weight[d] = (float)c->weight[c->reach + d];
    for (int j = 0; j < s->down; j++)
        for (int i = 0; i < s->grid_w; i++)
            t->rows[j * s->grid_w + i] =
                sum_pairs(weight, n, t->reduced + j * s->across + i + c->reach, 1);
    for (int j = 0; j < s->grid_h; j++)
        for (int i = 0; i < s->grid_w; i++)
            t->grid[j * s->grid_w + i] =
                sum_pairs(weight, n, t->rows + (j + c->reach) * s->grid_w + i, s->grid_w) + 0.0f;
}

static void interpolate(const struct rn_coarse *c, const struct sizes *s, struct rn_plane *dst,
                        const struct rn_format *fmt, const struct steps *t)
{
    int f = c->factor, w = dst->w;
    for (int j = 0; j < s->grid_h; j++)
        for (int x = 0; x < w; x++)
            t->fine[j * w + x] = sum_four(c, x % f, t->grid + j * s->grid_w + x / f, 1);
    for (int y = 0; y < dst->h; y++)
        for (int x = 0; x < w; x++)
            rn_sample_put(dst, rn_format_sample(fmt), x, y,
                          rn_round_sample(fmt, sum_four(c, y % f, t->fine + y / f * w + x, w)));
}

int rn_coarse_ref(const struct rn_coarse *c, const struct rn_plane *src, struct rn_plane *dst,
                  const struct rn_format *fmt, enum rn_border border)
{
    struct sizes s = sizes_of(c, src->w, src->h);
    size_t down = (size_t)s.down, w = (size_t)src->w;
    size_t partial = (size_t)s.wide * down, reduced = (size_t)s.across * down;
    size_t rows = (size_t)s.grid_w * down, column = (size_t)(src->h + 2 * s.beyond);
    float *all = calloc(column + partial + reduced + 2 * rows + w * down, sizeof *all);
    if (!all)
        return rn_fail_memory();
    struct steps t = {.column = all};
    t.partial = t.column + column;
    t.reduced = t.partial + partial;
    t.rows = t.reduced + reduced;
    t.grid = t.rows + rows;
    t.fine = t.grid + rows;
    reduce(c, &s, src, rn_format_sample(fmt), border, &t);
    blur(c, &s, &t);
    interpolate(c, &s, dst, fmt, &t);
    free(all);
    return 0;
}

/* ---- device */

static int make_planes(struct rn_coarse *c, struct rn_device *dev, const struct sizes *s)
{
    const struct rn_form *form = &dev->form;
    const int bytes = sizeof(cl_float);
    int err = rn_buffer_reserve(dev, &c->partial, &c->partial_bytes,
                                rn_layout(form, s->wide, s->down, bytes, 0).bytes);
    err = err ? err
              : rn_buffer_reserve(dev, &c->reduced, &c->reduced_bytes,
                                  rn_layout(form, s->grid_w, s->grid_h, bytes, c->reach).bytes);
    return err ? err
               : rn_buffer_reserve(dev, &c->result, &c->result_bytes,
                                   rn_layout(form, s->grid_w, s->grid_h, bytes, 0).bytes);
}

int rn_coarse_prepare(struct rn_coarse *c, struct rn_device *dev, const struct rn_geom *geom)
{
    static const char *const names[] = {"reduce_columns", "reduce_rows", "interpolate_rows",
                                        "interpolate_columns"};
    enum rn_sample sample = rn_format_sample(&geom->fmt);
    struct sizes s = sizes_of(c, geom->w, geom->h);
    struct rn_geom grid = {.fmt = {.model = RN_GRAY, .depth = 32, .number = RN_NUMBER_FLOAT},
                           .w = s.grid_w,
                           .h = s.grid_h};
    cl_float tables[2 * RN_COARSE_FACTOR + 4 * RN_COARSE_LANES];
    memcpy(tables, c->reduce, sizeof c->reduce);
    memcpy(tables + 2 * RN_COARSE_FACTOR, c->interpolate, sizeof c->interpolate);
    int n = 2 * c->reach + 1;
    struct rn_factors factors = {c->weight, c->weight, n, n, false, true};
    int err = rn_buffer_from(dev, tables, sizeof tables, &c->tables);
    err = err ? err : make_planes(c, dev, &s);
    for (int k = 0; k < 4 && !err; k++)
        err = rn_kernel_get(dev, "coarse.cl", names[k],
                            k == REDUCE_ROWS || k == INTERPOLATE_ROWS ? RN_SAMPLE_F32 : sample,
                            &c->kernel[k]);
    return err ? err : rn_separable_prepare(&c->blur, dev, &grid, &factors);
}

int rn_coarse_enqueue(struct rn_coarse *c, struct rn_cmd *cmd, const struct rn_dplane *src,
                      const struct rn_dplane *dst, const struct rn_geom *geom,
                      enum rn_border border)
{
    const struct rn_form *form = &cmd->dev->form;
    struct sizes s = sizes_of(c, src->w, src->h);
    const int bytes = sizeof(cl_float), w = s.grid_w, h = s.grid_h;
    struct rn_dplane partial = rn_dplane_in(form, c->partial, s.wide, s.down, bytes, 0);
    struct rn_dplane reduced = rn_dplane_in(form, c->reduced, w, h, bytes, c->reach);
    struct rn_dplane result = rn_dplane_in(form, c->result, w, h, bytes, 0), fine = partial;
    struct rn_area all = {-c->reach, -c->reach, w + c->reach, h + c->reach};
    fine.w = src->w;
    fine.h = h;
    int err = rn_fill_border(cmd, src, rn_format_sample(&geom->fmt), s.beyond, s.beyond, border, 0);
    err = err ? err
              : RN_LAUNCH(cmd, c->kernel[REDUCE_COLUMNS], rn_area_of(&partial), RN_ARG_PLANE(src),
                          RN_ARG_PLANE(&partial), RN_ARG_MEM(c->tables),
                          RN_ARG_INT4(c->factor, c->reach + 1, s.beyond, 0));
    err = err ? err
              : RN_LAUNCH(cmd, c->kernel[REDUCE_ROWS], all, RN_ARG_PLANE(&partial),
                          RN_ARG_PLANE(&reduced), RN_ARG_MEM(c->tables),
                          RN_ARG_INT4(c->factor, c->reach, s.beyond, 0));
    err =
        err ? err : rn_separable_enqueue(&c->blur, cmd, &reduced, &result, RN_SAMPLE_F32, 1, 0, 0);
    err =
        err ? err
            : RN_LAUNCH(cmd, c->kernel[INTERPOLATE_ROWS], rn_area_of(&fine), RN_ARG_PLANE(&result),
                        RN_ARG_PLANE(&fine), RN_ARG_MEM(c->tables), RN_ARG_INT(c->factor));
    return err ? err
               : RN_LAUNCH(cmd, c->kernel[INTERPOLATE_COLUMNS], rn_area_of(dst),
                           RN_ARG_PLANE(&fine), RN_ARG_PLANE(dst), RN_ARG_MEM(c->tables),
                           RN_ARG_INT(c->factor), RN_ARG_FLOAT(rn_geom_white(geom)));
}

void rn_coarse_release(struct rn_coarse *c, struct rn_device *dev)
{
    rn_buffer_release(dev, &c->tables);
    rn_buffer_release(dev, &c->partial);
    rn_buffer_release(dev, &c->reduced);
    rn_buffer_release(dev, &c->result);
    c->partial_bytes = c->reduced_bytes = c->result_bytes = 0;
    rn_separable_release(&c->blur, dev);
}
