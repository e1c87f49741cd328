/* SPDX-License-Identifier: MIT */
/* PSNR, SSIM, distances and the picture of a difference, against plain sums in double. */
#include "tests/unit.h"

#include "app/play/view/compare.h"
#include "filters/base/sample.h"

static const struct rn_format formats[] = {
    {.model = RN_GRAY, .depth = 8},
    {.model = RN_GRAY, .depth = 16},
    {.model = RN_YUV, .depth = 8, .sub_x = 1, .sub_y = 1},
    {.model = RN_YUV, .depth = 10, .sub_x = 1, .alpha = true},
    {.model = RN_RGB, .depth = 12},
    {.model = RN_GRAY, .depth = 16, .number = RN_NUMBER_SIGNED},
    {.model = RN_GRAY, .depth = 32, .number = RN_NUMBER_FLOAT},
};

static const int sizes[][2] = {{64, 48}, {37, 29}, {8, 8}, {7, 40}, {1, 1}};

static unsigned seed;
static int any(int n)
{
    seed = seed * 1664525 + 1013904223;
    return (int)(seed >> 8) % n;
}

/* Of the current test. */
static struct rn_image one, two;
static struct rn_play_distance_view view;

static int free_images(void **state)
{
    rn_image_free(&one);
    rn_image_free(&two);
    rn_play_distance_view_free(&view);
    return 0;
}

/* Of their difference. limit: what is white. */
static const struct rn_image *draw_difference(double limit)
{
    assert_int_equal(rn_play_distance_view_make(&view, &one, &two, limit, &RN_VIEWING_PLAIN), 0);
    return &view.image;
}

/* Makes two, which is one with small distances, a few large ones, and some samples equal. */
static void make(const struct rn_format *fmt, const int size[2])
{
    struct rn_image *a = &one, *b = &two;
    free_images(NULL);
    struct rn_geom geom = {
        RN_SIZED(struct rn_geom), .fmt = *fmt, .w = size[0], .h = size[1], .low = -1, .high = 1};
    enum rn_sample sample = rn_format_sample(fmt);
    assert_int_equal(rn_image_alloc(a, &geom), 0);
    assert_int_equal(rn_image_alloc(b, &geom), 0);
    bool floats = fmt->number == RN_NUMBER_FLOAT;
    int least = floats ? -1000 : rn_format_min(fmt), most = floats ? 1000 : rn_format_max(fmt);
    for (int p = 0; p < rn_format_planes(fmt); p++)
        for (int i = 0; i < a->plane[p].w * a->plane[p].h; i++) {
            int x = i % a->plane[p].w, y = i / a->plane[p].w;
            int v = least + any(most - least + 1);
            int w = any(3) ? v + any(9) - 4 : any(5) ? v : least + any(most - least + 1);
            w = w < least ? least : w > most ? most : w;
            rn_sample_put(&a->plane[p], sample, x, y, floats ? (float)v / 999 : (float)v);
            rn_sample_put(&b->plane[p], sample, x, y, floats ? (float)w / 999 : (float)w);
        }
}

static double at(const struct rn_image *img, int p, int x, int y)
{
    return (double)rn_sample_get(&img->plane[p], rn_format_sample(&img->geom.fmt), x, y);
}

static double plain_mse(const struct rn_image *a, const struct rn_image *b, int p)
{
    double sum = 0;
    for (int y = 0; y < a->plane[p].h; y++)
        for (int x = 0; x < a->plane[p].w; x++)
            sum += pow(at(a, p, x, y) - at(b, p, x, y), 2);
    return sum / a->plane[p].w / a->plane[p].h;
}

/* By the definition: means, variances and the covariance of each window. */
static double plain_window(const struct rn_image *a, const struct rn_image *b, int p, int x0,
                           int y0, double least, double peak)
{
    double ma = 0, mb = 0, va = 0, vb = 0, cov = 0;
    double c1 = pow(0.01 * peak, 2) / 64, c2 = pow(0.03 * peak, 2);
    for (int i = 0; i < 64; i++) {
        ma += (at(a, p, x0 + i % 8, y0 + i / 8) - least) / 64;
        mb += (at(b, p, x0 + i % 8, y0 + i / 8) - least) / 64;
    }
    for (int i = 0; i < 64; i++) {
        double u = at(a, p, x0 + i % 8, y0 + i / 8) - least - ma;
        double v = at(b, p, x0 + i % 8, y0 + i / 8) - least - mb;
        va += u * u / 63;
        vb += v * v / 63;
        cov += u * v / 63;
    }
    return (2 * ma * mb + c1) * (2 * cov + c2) / ((ma * ma + mb * mb + c1) * (va + vb + c2));
}

static double plain_ssim(const struct rn_image *a, const struct rn_image *b, int p, double least,
                         double peak)
{
    double sum = 0;
    int n = 0;
    for (int y = 0; y + 8 <= a->plane[p].h / 4 * 4; y += 4)
        for (int x = 0; x + 8 <= a->plane[p].w / 4 * 4; x += 4, n++)
            sum += plain_window(a, b, p, x, y, least, peak);
    return n ? sum / n : NAN;
}

static void assert_near(double got, double want, double by)
{
    if (isnan(want))
        assert_true(isnan(got));
    else if (!(fabs(got - want) <= by * fmax(1, fabs(want))))
        fail_msg("%.12g, not %.12g", got, want);
}

static double peak_of(const struct rn_image *a)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    if (a->geom.fmt.number != RN_NUMBER_FLOAT)
        return rn_format_max(&a->geom.fmt) - rn_format_min(&a->geom.fmt);
    for (int i = 0; i < a->geom.w * a->geom.h; i++) {
        low = fmin(low, at(a, 0, i % a->geom.w, i / a->geom.w));
        high = fmax(high, at(a, 0, i % a->geom.w, i / a->geom.w));
    }
    return high - low;
}

static void check_plane(const struct rn_image *a, const struct rn_image *b,
                        const struct rn_play_figures *f, int p)
{
    bool floats = a->geom.fmt.number == RN_NUMBER_FLOAT;
    double mse = plain_mse(a, b, p), least = floats ? 0 : rn_format_min(&a->geom.fmt);
    assert_near(f->plane[p].mse, mse, 1e-12);
    if (f->peak > 0 && mse > 0)
        assert_near(f->plane[p].psnr, 20 * log10(f->peak / sqrt(mse)), 1e-12);
    /* the constants of integers are rounded, as FFmpeg's are */
    if (f->peak > 0)
        assert_near(f->plane[p].ssim, plain_ssim(a, b, p, least, f->peak), floats ? 1e-9 : 2e-5);
}

TEST(as_plain_sums)
{
    for (int i = 0; i < COUNT(formats) * COUNT(sizes); i++) {
        struct rn_play_figures f;
        double mse = 0, samples = 0;
        uint64_t counted = 0;
        seed = (unsigned)i;
        make(&formats[i / COUNT(sizes)], sizes[i % COUNT(sizes)]);
        assert_int_equal(rn_play_figures_measure(&f, &one, &two, 100), 0);
        assert_near(f.peak, peak_of(&one), 1e-12);
        for (int p = 0; p < f.planes; p++) {
            double n = (double)one.plane[p].w * one.plane[p].h;
            check_plane(&one, &two, &f, p);
            mse += n * plain_mse(&one, &two, p);
            samples += n;
            counted += p < rn_play_figures_shown(&one.geom.fmt) ? (uint64_t)n : 0;
        }
        assert_near(f.all.mse, mse / samples, 1e-12);
        for (int k = 0; k < RN_FIGURES_BINS; k++)
            counted -= f.bins[k];
        assert_true(counted == 0);
    }
}

TEST(equal_pictures)
{
    for (int i = 0; i < COUNT(formats); i++) {
        struct rn_play_figures f;
        make(&formats[i], sizes[0]);
        assert_int_equal(rn_play_figures_measure(&f, &one, &one, 100), 0);
        assert_true(f.all.mse == 0 && isinf(f.all.psnr) && f.all.max == 0);
        assert_near(f.all.ssim, 1, 1e-15);
    }
}

/* The largest sums there are: 16 bits, as far apart as can be. */
TEST(far_apart)
{
    const struct rn_format *fmts[] = {&formats[1], &formats[5]};
    for (int i = 0; i < 2; i++) {
        struct rn_play_figures f;
        make(fmts[i], sizes[0]);
        for (int k = 0; k < 64 * 48; k++) {
            enum rn_sample sample = rn_format_sample(fmts[i]);
            rn_sample_put(&one.plane[0], sample, k % 64, k / 64, (float)rn_format_min(fmts[i]));
            rn_sample_put(&two.plane[0], sample, k % 64, k / 64, (float)rn_format_max(fmts[i]));
        }
        assert_int_equal(rn_play_figures_measure(&f, &one, &two, 1), 0);
        assert_true(f.all.mse == 65535.0 * 65535 && f.all.psnr == 0 && f.all.max == 65535);
        assert_true(f.bins[RN_FIGURES_BINS - 1] == 64 * 48);
    }
}

TEST(nan_does_not_count)
{
    struct rn_play_figures f;
    make(&formats[6], sizes[0]);
    for (int k = 0; k < 64 * 48; k++)
        rn_sample_put(&two.plane[0], RN_SAMPLE_F32, k % 64, k / 64,
                      (float)at(&one, 0, k % 64, k / 64) + 0.25F);
    rn_sample_put(&one.plane[0], RN_SAMPLE_F32, 3, 4, NAN);
    rn_sample_put(&two.plane[0], RN_SAMPLE_F32, 5, 4, INFINITY);
    assert_int_equal(rn_play_figures_measure(&f, &one, &two, 1), 0);
    assert_near(f.all.mse, 0.0625, 1e-6);
    assert_near(f.all.max, 0.25, 1e-6);
    assert_true(f.bins[16] + f.bins[15] == 64 * 48 - 2 && isfinite(f.all.ssim));
    const struct rn_image *drawn = draw_difference(1);
    assert_true(at(drawn, 0, 3, 4) == 0 && at(drawn, 0, 5, 4) == 255 && at(drawn, 0, 0, 0) == 64);
}

/* Amplified at full depth, then made 8 bits; chroma about 128. */
TEST(pictures)
{
    for (int i = 0; i < COUNT(formats) - 1; i++)
        for (int gain = 1; gain <= 64; gain *= 8) {
            double white = rn_format_max(&formats[i]) - rn_format_min(&formats[i]);
            make(&formats[i], sizes[1]);
            const struct rn_image *drawn = draw_difference(white / gain);
            for (int p = 0; p < rn_format_planes(&drawn->geom.fmt); p++)
                for (int k = 0; k < one.plane[p].w * one.plane[p].h; k++) {
                    int x = k % one.plane[p].w, y = k / one.plane[p].w;
                    double d = fabs(at(&one, p, x, y) - at(&two, p, x, y));
                    int want = (int)fmin(255, floor(255 * gain * d / white + 0.5 + 1e-9));
                    int got = (int)at(drawn, p, x, y);
                    bool chroma = p && drawn->geom.fmt.model == RN_YUV;
                    assert_true(abs(got - (chroma ? 128 + want / 2 : want)) <= (white > 255));
                }
        }
}

static void expect_told(const struct rn_image *a, const struct rn_image *b, const char *want)
{
    struct rn_play_figures f;
    assert_int_equal(rn_play_figures_measure(&f, a, b, 1), 0);
    assert_string_equal(formatted("%d of %d, %g", (int)f.differing, (int)f.samples, f.all.max),
                        want);
}

/* In every type, where one sample of the last plane is another. */
TEST(one_sample)
{
    static const struct {
        const char *format;
        float value;
        const char *want;
    } cases[] = {{"gray", 255, "1 of 35, 255"},        {"yuv420p", 3, "1 of 59, 3"},
                 {"gbrp16", 65535, "1 of 105, 65535"}, {"grays16", -1000, "1 of 35, 1000"},
                 {"grayf32", 0.25F, "1 of 35, 0.25"},  {"grayf32", -0.0F, "0 of 35, 0"},
                 {"grayf32", NAN, "1 of 35, 0"}};
    for (int i = 0; i < COUNT(cases); i++) {
        struct rn_geom geom = {RN_SIZED(struct rn_geom), .w = 7, .h = 5};
        assert_true(rn_format_parse(cases[i].format, &geom.fmt));
        OWNED(rn_image_free) struct rn_image a = unit_image(&geom), b = unit_image(&geom);
        expect_told(&a, &b, formatted("0 of %d, 0", (int)rn_geom_samples(&geom)));
        struct rn_plane *last = &b.plane[rn_format_planes(&geom.fmt) - 1];
        rn_sample_put(last, rn_format_sample(&geom.fmt), last->w - 1, last->h - 1, cases[i].value);
        expect_told(&a, &b, cases[i].want);
    }
}

GROUP(.after_all = free_images);
