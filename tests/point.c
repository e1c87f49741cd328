/* SPDX-License-Identifier: MIT */
/* The references of invert, levels, threshold, equalize and noise, worked by hand or written a
 * second time in another way. Needs no device. */
#include "tests/samples.h"

static struct check check;

/* Runs a chain over one frame of this index; every plane begins as in, and plane p is taken. */
static bool run(const char *text, const char *format, int64_t frame, int w, int h, const float *in,
                int p, float *out)
{
    struct rn_geom geom = geometry(format, w, h);
    struct samples samples = {.in = in, .out = out, .first = frame, .plane = p};
    return run_samples(&check, text, &geom, 1, &samples);
}

#define MAX_SAMPLES 65536
static float got[MAX_SAMPLES], other[MAX_SAMPLES], ramp[MAX_SAMPLES], work[MAX_SAMPLES];

/* One row of n samples. */
static void expect(const char *text, const char *format, int n, const float *in, const float *want)
{
    struct rn_geom geom = geometry(format, n, 1);
    expect_samples(&check, text, &geom, 1, in, want);
}

/* The sample that v becomes in a picture of all values. */
static float value_of(const char *text, const char *format, int v)
{
    struct rn_format fmt;
    rn_format_parse(format, &fmt);
    int n = rn_format_max(&fmt) + 1, w = n < 256 ? n : 256;
    return run(text, format, 0, w, n / w, ramp, 0, got) ? got[v] : -1;
}

static void inverts(void)
{
    expect("invert", "gray", 4, ROW(0, 1, 200, 255), ROW(255, 254, 55, 0));
    expect("invert", "gray10", 3, ROW(0, 512, 1023), ROW(1023, 511, 0));
    expect("invert", "gray16", 3, ROW(0, 1, 65535), ROW(65535, 65534, 0));
    check_end(&check, "invert");
}

/* ---- levels */

static void units(void)
{
    static const int depths[] = {8, 9, 10, 12, 14, 16};
    for (int i = 0; i < 6; i++) {
        struct rn_format fmt = {.depth = depths[i]};
        int unit = 1 << (depths[i] - 8);
        CHECK_EQ(&check, (int)rn_format_from_8bit(&fmt, 0), 0);
        CHECK_EQ(&check, (int)rn_format_from_8bit(&fmt, 16), 16 * unit);
        CHECK_EQ(&check, (int)rn_format_from_8bit(&fmt, 128), 128 * unit);
        CHECK_EQ(&check, (int)rn_format_from_8bit(&fmt, 254), 254 * unit);
        CHECK_EQ(&check, (int)rn_format_from_8bit(&fmt, 255), rn_format_max(&fmt));
    }
    check_end(&check, "8-bit units: 128 is mid-scale and 255 white at every depth");
}

static void identities(void)
{
    static const char *const formats[] = {"gray", "gray9", "gray10", "gray12", "gray14", "gray16"};
    static const char *const texts[] = {"levels", "levels=window=255:level=127.5",
                                        "levels=low=255:high=0,invert"};
    for (int f = 0; f < 6; f++) {
        struct rn_format fmt;
        rn_format_parse(formats[f], &fmt);
        int n = rn_format_max(&fmt) + 1;
        for (int k = 0; k < 3; k++) {
            if (!run(texts[k], formats[f], 0, 256, n / 256, ramp, 0, got))
                continue;
            for (int v = 0; v < n; v++)
                if (got[v] != v) {
                    check_bad(&check, "%s on %s: %d becomes %g", texts[k], formats[f], v,
                              (double)got[v]);
                    break;
                }
        }
    }
    check_end(&check, "levels that change nothing");
}

static void levels(void)
{
    static const float in[] = {0, 49, 50, 100, 150, 151, 255};
    expect("levels=black=50:white=150", "gray", 7, in, ROW(0, 0, 0, 128, 255, 255, 255));
    expect("levels=window=100:level=100", "gray", 7, in, ROW(0, 0, 0, 128, 255, 255, 255));
    expect("levels=window=100:level=100:black=3:white=4", "gray", 7, in,
           ROW(0, 0, 0, 128, 255, 255, 255));
    expect("levels=black=50:white=150:low=10:high=30", "gray", 7, in,
           ROW(10, 10, 10, 20, 30, 30, 30));
    expect("levels=black=50:white=150:low=30:high=10", "gray", 7, in,
           ROW(30, 30, 30, 20, 10, 10, 10));
    /* a step: above black */
    expect("levels=black=100:white=100", "gray", 7, in, ROW(0, 0, 0, 0, 255, 255, 255));
    expect("levels=black=50:white=20", "gray", 7, in, ROW(0, 0, 0, 255, 255, 255, 255));
    /* 16 * 4 and 235 * 4 are the ends of limited range at 10 bit; 502 is half way */
    expect("levels=black=16:white=235", "gray10", 5, ROW(63, 64, 502, 940, 1023),
           ROW(0, 0, 512, 1023, 1023));
    CHECK_EQ(&check, value_of("levels=gamma=2", "gray", 64), 128);   /* 255 * sqrt(64 / 255) */
    CHECK_EQ(&check, value_of("levels=gamma=0.5", "gray", 128), 64); /* 255 * (128 / 255)^2 */
    CHECK_EQ(&check, value_of("levels=gamma=2", "gray16", 16384), 32768);
    check_end(&check, "levels");
}

/* ---- threshold */

/* Otsu's level from the definition, in long double: enough for few samples. */
static int otsu(const float *in, int n, int bins)
{
    long double best = 0;
    int level = 0;
    for (int t = 0; t < bins; t++) {
        long double n0 = 0, n1 = 0, s0 = 0, s1 = 0;
        for (int i = 0; i < n; i++) {
            if (in[i] <= t) {
                n0++;
                s0 += in[i];
            } else {
                n1++;
                s1 += in[i];
            }
        }
        if (n0 == 0 || n1 == 0)
            continue;
        long double between = n0 * n1 * (s1 / n1 - s0 / n0) * (s1 / n1 - s0 / n0);
        if (between > best * (1 + 1e-15L)) {
            best = between;
            level = t;
        }
    }
    return level;
}

static void thresholds(void)
{
    static const float in[] = {0, 99, 100, 101, 128, 129, 255};
    expect("threshold", "gray", 7, in, ROW(0, 0, 0, 0, 0, 255, 255));
    expect("threshold=99.5", "gray", 7, in, ROW(0, 0, 255, 255, 255, 255, 255));
    expect("threshold=255", "gray", 7, in, ROW(0, 0, 0, 0, 0, 0, 0));
    expect("threshold=0", "gray", 7, in, ROW(0, 255, 255, 255, 255, 255, 255));
    expect("threshold", "gray10", 3, ROW(512, 513, 1023), ROW(0, 255, 255));
    expect("threshold=255", "gray10", 2, ROW(1020, 1023), ROW(0, 0));
    expect("threshold=99.5", "gray16", 2, ROW(25472, 25473), ROW(0, 255));
    expect("threshold=99.5:values=01", "gray16", 2, ROW(25472, 25473), ROW(0, 1));
    expect("threshold=99.5:values=range", "gray16", 2, ROW(25472, 25473), ROW(0, 65535));
    expect("threshold=values=01", "gray", 2, ROW(128, 129), ROW(0, 1));
    /* two classes: the level is the upper end of the lower one */
    expect("threshold=otsu=1", "gray", 6, ROW(10, 11, 12, 200, 201, 202),
           ROW(0, 0, 0, 255, 255, 255));
    expect("threshold=otsu=1", "gray", 3, ROW(7, 7, 8), ROW(0, 0, 255));
    /* a flat plane has the level 0 */
    expect("threshold=otsu=1", "gray", 2, ROW(7, 7), ROW(255, 255));
    expect("threshold=otsu=1", "gray", 2, ROW(0, 0), ROW(0, 0));
    struct rng rng = rng_seed(5);
    for (int round = 0; round < 60; round++) {
        const char *format = round & 1 ? "gray" : "gray12";
        int n = 3 + rng_below(&rng, 150), max = round & 1 ? 255 : 4095;
        for (int i = 0; i < n; i++)
            work[i] =
                rng_below(&rng, 3) ? rng_below(&rng, max / 2) : max - rng_below(&rng, max / 3);
        int level = otsu(work, n, max + 1);
        for (int i = 0; i < n; i++)
            other[i] = work[i] > level ? 255 : 0;
        expect("threshold=otsu=1", format, n, work, other);
    }
    check_end(&check, "threshold, Otsu's method");
}

/* ---- equalize */

static void equalizes(void)
{
    /* h = 2, 1, 3, 2; scale = 255 / 6: sums 0, 1, 4, 6; 42.5 becomes the even 42 */
    expect("equalize", "gray", 8, ROW(5, 5, 9, 30, 30, 30, 31, 31),
           ROW(0, 0, 42, 170, 170, 170, 255, 255));
    expect("equalize", "gray16", 8, ROW(5, 5, 9, 30, 30, 30, 31, 31),
           ROW(0, 0, 10922, 43690, 43690, 43690, 65535, 65535));
    expect("equalize", "gray", 3, ROW(77, 77, 77), ROW(77, 77, 77));
    expect("equalize", "gray10", 1, ROW(600), ROW(600));
    expect("equalize", "gray", 256, ramp, ramp);
    check_end(&check, "equalize");
}

/* ---- noise */

static const float *flat(float value)
{
    for (int i = 0; i < MAX_SAMPLES; i++)
        work[i] = value;
    return work;
}

/* What 16 bits add at 16 bit, found by bisection in the distribution function. */
static int quantile_sample(unsigned bits, double sigma)
{
    double p = 0.5 + (bits % 16384 + 0.5) / 32768, low = 0, high = 8;
    for (int i = 0; i < 100; i++) {
        double middle = (low + high) / 2;
        if (1 - erfc(middle / sqrt(2)) / 2 < p)
            low = middle;
        else
            high = middle;
    }
    double z = rint(low * 4096) / 4096;
    return (int)rint(sigma * 256 * (bits >> 14 & 1 ? -z : z));
}

/* The words that the generator's authors publish for 13 rounds: key and counter 0 give 9d1c5ec6
 * and 8bd50731. Sample 0 has frame, seed, plane, x, y of 0. */
static void generator(void)
{
    static const unsigned bits[] = {0x5ec6, 0x9d1c, 0x0731, 0x8bd5};
    if (run("noise=sigma=8", "gray16", 0, 4, 1, flat(32768), 0, got))
        for (int i = 0; i < 4; i++)
            CHECK_EQ(&check, got[i] - 32768, quantile_sample(bits[i], 8));
    /* the share whose border is between these draws and the next */
    for (int i = 0; i < 4; i++) {
        unsigned rank = bits[i] < 32768 ? bits[i] : 65535 - bits[i];
        for (unsigned more = 0; more < 2; more++) {
            const char *text =
                formatted("noise=type=salt-and-pepper:amount=%.8f", (rank + more) * 2 / 65536.0);
            if (run(text, "gray", 0, 4, 1, flat(77), 0, got))
                CHECK_EQ(&check, got[i], !more ? 77 : bits[i] < 32768 ? 0 : 255);
        }
    }
    check_end(&check, "the generator's published words");
}

static int differing(const float *a, const float *b, int n)
{
    int count = 0;
    for (int i = 0; i < n; i++)
        count += a[i] != b[i];
    return count;
}

static void independence(void)
{
    static const char noise[] = "noise=sigma=20:planes=7";
    const float *in = flat(30000);
    int n = 64 * 64;
    run(noise, "yuv444p16", 3, 64, 64, in, 0, other);
    run(noise, "yuv444p16", 3, 64, 64, in, 0, got);
    CHECK_EQ(&check, differing(got, other, n), 0);
    static const struct {
        const char *text;
        int64_t frame;
        int plane;
    } cases[] = {{noise, 4, 0},
                 {noise, 3 + ((int64_t)1 << 32), 0},
                 {noise, 3, 1},
                 {noise, 3, 2},
                 {"noise=sigma=20:seed=1", 3, 0}};
    for (int i = 0; i < 5; i++) {
        run(cases[i].text, "yuv444p16", cases[i].frame, 64, 64, in, cases[i].plane, got);
        if (differing(got, other, n) < n * 9 / 10)
            check_bad(&check, "case %d: other frames, planes and seeds must differ", i);
    }
    /* the same position has the same noise, whatever the picture's width */
    run(noise, "gray16", 3, 37, 20, in, 0, got);
    for (int i = 0; i < 37 * 20; i++)
        if (got[i] != other[i / 37 * 64 + i % 37])
            check_bad(&check, "x %d y %d differs in a narrower picture", i % 37, i / 37);
    check_end(&check, "noise depends on seed, frame, plane and position alone");
}

static void moments(const float *a, int n, float centre, double *mean, double *variance)
{
    double sum = 0, squares = 0;
    for (int i = 0; i < n; i++) {
        sum += a[i] - centre;
        squares += (double)(a[i] - centre) * (a[i] - centre);
    }
    *mean = sum / n;
    *variance = squares / n - *mean * *mean;
}

/* Bounds are five standard errors of 65,536 samples. */
static void distribution(void)
{
    double mean, variance, n = MAX_SAMPLES, sigma = 10 * 256;
    run("noise", "gray16", 0, 256, 256, flat(32768), 0, got);
    moments(got, MAX_SAMPLES, 32768, &mean, &variance);
    if (fabs(mean) > 5 * sigma / sqrt(n) || fabs(variance / sigma / sigma - 1) > 5 * sqrt(2 / n))
        check_bad(&check, "gaussian: mean %g, variance %g of %g", mean, variance, sigma * sigma);
    double inside = 0, neighbours = 0, rows = 0;
    for (int i = 0; i < MAX_SAMPLES; i++) {
        double v = got[i] - 32768;
        inside += fabs(v) < sigma;
        neighbours += i % 256 < 255 ? v * (got[i + 1] - 32768) : 0;
        rows += i < MAX_SAMPLES - 256 ? v * (got[i + 256] - 32768) : 0;
    }
    if (fabs(inside / n - 0.682689) > 5 * sqrt(0.6827 * 0.3173 / n))
        check_bad(&check, "gaussian: %g of the samples within sigma", inside / n);
    if (fabs(neighbours) > 5 * sigma * sigma * sqrt(n) || fabs(rows) > 5 * sigma * sigma * sqrt(n))
        check_bad(&check, "neighbours are correlated: %g, %g", neighbours / sigma / sigma / n,
                  rows / sigma / sigma / n);
    run("noise", "gray", 0, 256, 256, flat(128), 0, got);
    moments(got, MAX_SAMPLES, 128, &mean, &variance); /* rounding adds 1/12 */
    if (fabs(mean) > 0.2 || fabs(variance - 100 - 1.0 / 12) > 100 * 5 * sqrt(2 / n))
        check_bad(&check, "gaussian at 8 bit: mean %g, variance %g", mean, variance);

    run("noise=type=salt-and-pepper:amount=0.2", "gray10", 0, 256, 256, flat(300), 0, got);
    double black = 0, white = 0;
    for (int i = 0; i < MAX_SAMPLES; i++) {
        black += got[i] == 0;
        white += got[i] == 1023;
        if (got[i] != 0 && got[i] != 1023 && got[i] != 300)
            check_bad(&check, "salt and pepper: a sample becomes %g", (double)got[i]);
    }
    if (fabs(black / n - 0.1) > 5 * sqrt(0.09 / n) || fabs(white / n - 0.1) > 5 * sqrt(0.09 / n))
        check_bad(&check, "salt and pepper: shares %g and %g", black / n, white / n);
    check_end(&check, "the distributions of noise");
}

static void no_noise(void)
{
    expect("noise=sigma=0", "gray", 256, ramp, ramp);
    expect("noise=type=salt-and-pepper:amount=0", "gray", 256, ramp, ramp);
    run("noise=type=salt-and-pepper:amount=1", "gray", 0, 256, 256, flat(9), 0, got);
    for (int i = 0; i < MAX_SAMPLES; i++)
        if (got[i] != 0 && got[i] != 255)
            check_bad(&check, "amount=1: sample %d stays %g", i, (double)got[i]);
    check_end(&check, "noise: the ends of the ranges");
}

int main(void)
{
    rn_log_set_level(RN_LOG_WARNING);
    for (int i = 0; i < MAX_SAMPLES; i++)
        ramp[i] = i;
    inverts();
    units();
    identities();
    levels();
    thresholds();
    equalizes();
    generator();
    independence();
    distribution();
    no_noise();
    return check.failed ? 1 : 0;
}
