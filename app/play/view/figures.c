/* SPDX-License-Identifier: MIT */
#include "app/play/view/compare.h"

#include "filters/base/log.h"
#include "filters/base/owned.h"
#include "filters/base/sample.h"

#include <math.h>

#define DISTANCES 65536 /* of integers: 0 and up */

/* A row of both pictures, and how often integers are so far apart. */
struct work {
    float *a, *b;
    uint64_t *apart;
};

static int work_alloc(struct work *w, int columns)
{
    w->a = calloc((size_t)columns, sizeof *w->a);
    w->b = calloc((size_t)columns, sizeof *w->b);
    w->apart = calloc(DISTANCES, sizeof *w->apart);
    return w->a && w->b && w->apart ? 0 : rn_fail_memory();
}

static void work_free(struct work *w)
{
    free(w->a);
    free(w->b);
    free(w->apart);
}

static void load(struct work *w, const struct rn_image *a, const struct rn_image *b, int p, int y)
{
    enum rn_sample sample = rn_format_sample(&a->geom.fmt);
    rn_sample_row(&a->plane[p], sample, y, a->plane[p].w, w->a);
    rn_sample_row(&b->plane[p], sample, y, a->plane[p].w, w->b);
}

static bool is_float(const struct rn_image *img)
{
    return img->geom.fmt.number == RN_NUMBER_FLOAT;
}

bool rn_play_figures_fit(const struct rn_geom *a, const struct rn_geom *b)
{
    return a->w == b->w && a->h == b->h && rn_format_equal(&a->fmt, &b->fmt);
}

int rn_play_figures_shown(const struct rn_format *fmt)
{
    return rn_format_planes(fmt) - fmt->alpha;
}

/* ---- distances */

/* What is summed over the samples of a plane. */
struct sum {
    double squares;
    int64_t samples;
    double max;
};

static void put(struct rn_play_figures *f, double distance, double limit, uint64_t times)
{
    double at = distance / limit * RN_FIGURES_BINS;
    f->bins[at < RN_FIGURES_BINS - 1 ? (int)at : RN_FIGURES_BINS - 1] += times;
}

/* Counting first keeps the sum exact and the loop short. */
static void add_integers(struct rn_play_figures *f, struct work *w, const struct rn_image *a,
                         const struct rn_image *b, int p, double limit, struct sum *sum)
{
    uint64_t squares = 0;
    for (int d = 0; d < DISTANCES; d++)
        w->apart[d] = 0;
    for (int y = 0; y < a->plane[p].h; y++) {
        load(w, a, b, p, y);
        for (int x = 0; x < a->plane[p].w; x++)
            w->apart[abs((int)w->a[x] - (int)w->b[x])]++;
    }
    for (int d = 0; d < DISTANCES; d++) {
        if (!w->apart[d])
            continue;
        squares += w->apart[d] * (uint64_t)d * (uint64_t)d;
        sum->max = d;
        f->differing += d ? (int64_t)w->apart[d] : 0;
        if (p < rn_play_figures_shown(&a->geom.fmt))
            put(f, d, limit, w->apart[d]);
    }
    sum->squares = (double)squares;
    sum->samples = (int64_t)a->plane[p].w * a->plane[p].h;
}

static void add_floats(struct rn_play_figures *f, struct work *w, const struct rn_image *a,
                       const struct rn_image *b, int p, double limit, struct sum *sum)
{
    for (int y = 0; y < a->plane[p].h; y++) {
        load(w, a, b, p, y);
        for (int x = 0; x < a->plane[p].w; x++) {
            double d = fabs((double)w->a[x] - (double)w->b[x]);
            bool same = w->a[x] == w->b[x] || (isnan(w->a[x]) && isnan(w->b[x]));
            f->differing += !same;
            if (!isfinite(d))
                continue;
            sum->squares += d * d;
            sum->samples++;
            sum->max = fmax(sum->max, d);
            if (p < rn_play_figures_shown(&a->geom.fmt))
                put(f, d, limit, 1);
        }
    }
}

/* ---- structural similarity */

/* Of a block of 4 x 4. Sums of integers are exact: none comes near 2^53. */
struct sums {
    double a, b, squares, product;
};

/* Sums a row of n blocks. least: the smallest value of the format, taken as 0. */
static void sum_blocks(struct work *w, const struct rn_image *a, const struct rn_image *b, int p,
                       int row, double least, struct sums *to, int n)
{
    for (int i = 0; i < n; i++)
        to[i] = (struct sums){0};
    for (int y = 4 * row; y < 4 * row + 4; y++) {
        load(w, a, b, p, y);
        for (int k = 0; k < 4 * n; k++) {
            double u = (double)w->a[k] - least, v = (double)w->b[k] - least;
            to[k / 4].a += u;
            to[k / 4].b += v;
            to[k / 4].squares += u * u + v * v;
            to[k / 4].product += u * v;
        }
    }
}

static struct sums sum_of(const struct sums *s)
{
    return (struct sums){s[0].a + s[1].a, s[0].b + s[1].b, s[0].squares + s[1].squares,
                         s[0].product + s[1].product};
}

/* peak: > 0. Returns 0 or RN_EINTERNAL (logged). */
static int measure_ssim(struct work *w, const struct rn_image *a, const struct rn_image *b, int p,
                        double peak, double *ssim)
{
    double c1 = 0.01 * 0.01 * peak * peak * 64, c2 = 0.03 * 0.03 * peak * peak * 64 * 63;
    double sum = 0, least = is_float(a) ? 0 : rn_format_min(&a->geom.fmt);
    int n = a->plane[p].w / 4, rows = a->plane[p].h / 4;
    int64_t count = 0;
    *ssim = NAN;
    if (n < 2 || rows < 2)
        return 0;
    if (!is_float(a)) { /* as FFmpeg does */
        c1 = floor(c1 + 0.5);
        c2 = floor(c2 + 0.5);
    }
    RN_OWNED(rn_free_owned) struct sums *even = calloc((size_t)n, sizeof *even);
    RN_OWNED(rn_free_owned) struct sums *odd = calloc((size_t)n, sizeof *odd);
    if (!even || !odd)
        return rn_fail_memory();
    for (int row = 0; row < rows; row++) {
        sum_blocks(w, a, b, p, row, least, row % 2 ? odd : even, n);
        for (int i = 0; row && i + 1 < n; i++) { /* windows over this row and the one above */
            struct sums both[] = {sum_of(&even[i]), sum_of(&odd[i])}, all = sum_of(both);
            double variances = 64 * all.squares - all.a * all.a - all.b * all.b;
            double covariance = 64 * all.product - all.a * all.b;
            double v = (2 * all.a * all.b + c1) * (2 * covariance + c2) /
                       ((all.a * all.a + all.b * all.b + c1) * (variances + c2));
            sum += isfinite(v) ? v : 0;
            count += isfinite(v);
        }
    }
    *ssim = count ? sum / (double)count : NAN;
    return 0;
}

/* ---- figures */

/* The range that the samples of floats cover; 0: none are finite. */
static double range_of(struct work *w, const struct rn_image *img)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int p = 0; p < rn_play_figures_shown(&img->geom.fmt); p++)
        for (int y = 0; y < img->plane[p].h; y++) {
            load(w, img, img, p, y);
            for (int x = 0; x < img->plane[p].w; x++)
                if (isfinite(w->a[x])) {
                    low = fmin(low, (double)w->a[x]);
                    high = fmax(high, (double)w->a[x]);
                }
        }
    return low < high ? high - low : 0;
}

static double psnr_of(double mse, double peak)
{
    return !(mse >= 0) || !(peak > 0) ? NAN : mse > 0 ? 10 * log10(peak * peak / mse) : HUGE_VAL;
}

/* Means over the planes that have the figure. */
static void measure_all(struct rn_play_figures *f, const struct rn_geom *geom)
{
    double mse = 0, ssim = 0, of_mse = 0, of_ssim = 0;
    f->all.max = 0;
    for (int p = 0; p < f->planes; p++) {
        const struct rn_play_figures_plane *plane = &f->plane[p];
        int w, h;
        rn_geom_plane_size(geom, p, &w, &h);
        double weight = (double)w * h;
        f->all.max = fmax(f->all.max, plane->max);
        mse += isnan(plane->mse) ? 0 : weight * plane->mse;
        of_mse += isnan(plane->mse) ? 0 : weight;
        ssim += isnan(plane->ssim) ? 0 : weight * plane->ssim;
        of_ssim += isnan(plane->ssim) ? 0 : weight;
    }
    f->all.mse = of_mse > 0 ? mse / of_mse : NAN;
    f->all.ssim = of_ssim > 0 ? ssim / of_ssim : NAN;
    f->all.psnr = psnr_of(f->all.mse, f->peak);
}

int rn_play_figures_measure(struct rn_play_figures *f, const struct rn_image *a,
                            const struct rn_image *b, double limit)
{
    const struct rn_format *fmt = &a->geom.fmt;
    RN_OWNED(work_free) struct work w = {.a = NULL};
    *f = (struct rn_play_figures){.planes = rn_format_planes(fmt),
                                  .samples = rn_geom_samples(&a->geom)};
    int err = work_alloc(&w, a->geom.w);
    if (!err)
        f->peak = is_float(a) ? range_of(&w, a) : rn_format_max(fmt) - rn_format_min(fmt);
    for (int p = 0; p < f->planes && !err; p++) {
        struct rn_play_figures_plane *to = &f->plane[p];
        struct sum sum = {0};
        (is_float(a) ? add_floats : add_integers)(f, &w, a, b, p, limit, &sum);
        to->max = sum.max;
        to->mse = sum.samples ? sum.squares / (double)sum.samples : NAN;
        to->psnr = psnr_of(to->mse, f->peak);
        to->ssim = NAN;
        err = f->peak > 0 ? measure_ssim(&w, a, b, p, f->peak, &to->ssim) : 0;
    }
    measure_all(f, &a->geom);
    return err;
}

/* ---- the picture */

static uint8_t level_of(double distance, double limit)
{
    double v = distance / limit * 255;
    return v >= 255 ? 255 : v > 0 ? (uint8_t)lround(v) : 0;
}

/* levels: by the distance of integers; NULL: floats. */
static void draw_row(const struct work *w, const uint8_t *levels, double limit, bool chroma,
                     uint8_t *to, int n)
{
    for (int x = 0; x < n && levels; x++)
        to[x] = levels[abs((int)w->a[x] - (int)w->b[x])];
    for (int x = 0; x < n && !levels; x++)
        to[x] = level_of(fabs((double)w->a[x] - (double)w->b[x]), limit);
    for (int x = 0; x < n && chroma; x++)
        to[x] = (uint8_t)(128 + to[x] / 2);
}

static int draw_picture(const struct rn_image *a, const struct rn_image *b, double limit,
                        struct rn_image *to)
{
    RN_OWNED(work_free) struct work w = {.a = NULL};
    RN_OWNED(rn_free_owned) uint8_t *levels = is_float(a) ? NULL : malloc(DISTANCES);
    int err = levels || is_float(a) ? work_alloc(&w, a->geom.w) : rn_fail_memory();
    if (err)
        return err;
    for (int d = 0; d < DISTANCES && levels; d++)
        levels[d] = level_of(d, limit);
    for (int p = 0; p < rn_format_planes(&to->geom.fmt); p++)
        for (int y = 0; y < to->plane[p].h; y++) {
            load(&w, a, b, p, y);
            draw_row(&w, levels, limit, p && to->geom.fmt.model == RN_YUV,
                     to->plane[p].data + y * to->plane[p].stride, to->plane[p].w);
        }
    return 0;
}

int rn_play_distance_view_make(struct rn_play_distance_view *view, const struct rn_image *a,
                               const struct rn_image *b, double limit,
                               const struct rn_pix_viewing *viewing)
{
    const struct rn_format *fmt = &b->geom.fmt;
    const struct rn_geom shown = {
        RN_SIZED(struct rn_geom),
        .fmt = {.model = fmt->model, .depth = 8, .sub_x = fmt->sub_x, .sub_y = fmt->sub_y},
        .w = b->geom.w,
        .h = b->geom.h,
        .matrix = RN_BT601,
        .full_range = true};
    int err = 0;
    if (!rn_geom_equal(&shown, &view->image.geom)) {
        rn_image_free(&view->image);
        err = rn_image_alloc(&view->image, &shown);
    }
    err = err ? err : rn_pix_display_fit(&view->display, &shown, viewing);
    return err ? err : draw_picture(a, b, limit, &view->image);
}

void rn_play_distance_view_free(struct rn_play_distance_view *view)
{
    rn_pix_display_destroy(&view->display);
    rn_image_free(&view->image);
    *view = (struct rn_play_distance_view){.display = NULL};
}
