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

static void sum_blocks(struct work *w, const struct rn_plane *a, const struct rn_plane *b,
                       enum rn_sample sample, double least, int row)
{
    struct sums *to = w->s[row % 2];
    for (int i = 0; i < w->n; i++)
        to[i] = (struct sums){0};
    for (int y = 4 * row; y < 4 * row + 4; y++) {
        rn_sample_row(a, sample, y, 4 * w->n, w->a);
        rn_sample_row(b, sample, y, 4 * w->n, w->b);
        for (int i = 0; i < w->n; i++)
            for (int k = 4 * i; k < 4 * i + 4; k++) {
                double u = (double)w->a[k] - least, v = (double)w->b[k] - least;
                to[i].a += u;
                to[i].b += v;
                to[i].squares += u * u + v * v;
                to[i].product += u * v;
            }
    }
}

static struct sums sum_of(const struct sums *s)
{
    return (struct sums){s[0].a + s[1].a, s[0].b + s[1].b, s[0].squares + s[1].squares,
                         s[0].product + s[1].product};
}

/* Adds the windows over two rows of blocks. */
static void add_windows(const struct work *w, double *sum, int64_t *count)
{
    for (int i = 0; i + 1 < w->n; i++) {
        struct sums upper = sum_of(&w->s[0][i]), lower = sum_of(&w->s[1][i]);
        struct sums both[] = {upper, lower}, all = sum_of(both);
        double variances = 64 * all.squares - all.a * all.a - all.b * all.b;
        double covariance = 64 * all.product - all.a * all.b;
        double v = (2 * all.a * all.b + w->c1) * (2 * covariance + w->c2) /
                   ((all.a * all.a + all.b * all.b + w->c1) * (variances + w->c2));
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
    w.n = a->w / 4;
    w.a = calloc((size_t)a->w, sizeof *w.a);
    w.b = calloc((size_t)a->w, sizeof *w.b);
    w.s[0] = calloc((size_t)w.n, sizeof *w.s[0]);
    w.s[1] = calloc((size_t)w.n, sizeof *w.s[1]);
    int err = w.a && w.b && w.s[0] && w.s[1] ? 0 : rn_fail_memory();
    for (int row = 0; row < a->h / 4 && !err; row++) {
        sum_blocks(&w, a, b, sample, least, row);
        if (row)
            add_windows(&w, &sum, &count);
    }
    free(w.a);
    free(w.b);
    free(w.s[0]);
    free(w.s[1]);
    *ssim = count ? sum / (double)count : NAN;
    return err;
}
