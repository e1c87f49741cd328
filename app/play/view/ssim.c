#include "app/play/view/ssim.h"

#include "filters/base/err.h"
#include "filters/base/log.h"
#include "filters/base/sample.h"

#include <math.h>
#include <stdlib.h>

/* Of a block of 4 x 4. Sums of integers are exact: none comes near 2^53. */
struct sums {
    double a, b, squares, product;
};

struct work {
    float *a, *b;      /* a row of samples */
    struct sums *s[2]; /* a row of blocks, and the one above */
    int n;             /* blocks in a row */
    double c1, c2;
};

static int work_alloc(struct work *w, int columns)
{
    w->n = columns / 4;
    w->a = calloc((size_t)columns, sizeof *w->a);
    w->b = calloc((size_t)columns, sizeof *w->b);
    w->s[0] = calloc((size_t)w->n, sizeof *w->s[0]);
    w->s[1] = calloc((size_t)w->n, sizeof *w->s[1]);
    return w->a && w->b && w->s[0] && w->s[1] ? 0 : rn_fail_memory();
}

static void work_free(struct work *w)
{
    free(w->a);
    free(w->b);
    free(w->s[0]);
    free(w->s[1]);
}

static void add_row(struct sums *to, const float *a, const float *b, int n, double least)
{
    for (int i = 0; i < n; i++)
        for (int k = 4 * i; k < 4 * i + 4; k++) {
            double u = (double)a[k] - least, v = (double)b[k] - least;
            to[i].a += u;
            to[i].b += v;
            to[i].squares += u * u + v * v;
            to[i].product += u * v;
        }
}

static void sum_blocks(struct work *w, const struct rn_plane *a, const struct rn_plane *b,
                       enum rn_sample sample, double least, int row)
{
    struct sums *to = w->s[row % 2];
    for (int i = 0; i < w->n; i++)
        to[i] = (struct sums){0};
    for (int y = 4 * row; y < 4 * row + 4; y++) {
        rn_sample_row(a, sample, y, 4 * w->n, w->a);
        rn_sample_row(b, sample, y, 4 * w->n, w->b);
        add_row(to, w->a, w->b, w->n, least);
    }
}

static struct sums sum_of(const struct sums *s)
{
    return (struct sums){s[0].a + s[1].a, s[0].b + s[1].b, s[0].squares + s[1].squares,
                         s[0].product + s[1].product};
}

static double of_window(const struct sums *s, double c1, double c2)
{
    double variances = 64 * s->squares - s->a * s->a - s->b * s->b;
    double covariance = 64 * s->product - s->a * s->b;
    return (2 * s->a * s->b + c1) * (2 * covariance + c2) /
           ((s->a * s->a + s->b * s->b + c1) * (variances + c2));
}

/* Adds the windows over two rows of blocks. */
static void add_windows(const struct work *w, double *sum, int64_t *count)
{
    for (int i = 0; i + 1 < w->n; i++) {
        struct sums upper = sum_of(&w->s[0][i]), lower = sum_of(&w->s[1][i]);
        struct sums both[] = {upper, lower}, all = sum_of(both);
        double v = of_window(&all, w->c1, w->c2);
        if (isfinite(v)) {
            *sum += v;
            ++*count;
        }
    }
}

int rn_play_ssim(const struct rn_plane *a, const struct rn_plane *b, enum rn_sample sample,
                 double least, double peak, double *ssim)
{
    struct work w = {.c1 = 0.01 * 0.01 * peak * peak * 64,
                     .c2 = 0.03 * 0.03 * peak * peak * 64 * 63};
    double sum = 0;
    int64_t count = 0;
    *ssim = NAN;
    if (a->w < 8 || a->h < 8)
        return 0;
    if (sample != RN_SAMPLE_F32) { /* as FFmpeg does */
        w.c1 = floor(w.c1 + 0.5);
        w.c2 = floor(w.c2 + 0.5);
    }
    int err = work_alloc(&w, a->w);
    for (int row = 0; row < a->h / 4 && !err; row++) {
        sum_blocks(&w, a, b, sample, least, row);
        if (row)
            add_windows(&w, &sum, &count);
    }
    work_free(&w);
    *ssim = count ? sum / (double)count : NAN;
    return err;
}
