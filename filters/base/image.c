/* SPDX-License-Identifier: MIT */
#include "filters/base/image.h"

#include <assert.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filters/base/arguments.h"

/* Compiler options that would change results. The C references define the samples of every device,
 * bit for bit, so the compiler must not relax their arithmetic. The Makefile puts the necessary
 * flags last; a build that overrides them is rejected here. Contraction of a product and a sum
 * shows in no macro: passing -ffp-contract=off remains the builder's duty. */
#if defined __FAST_MATH__ || defined __ASSOCIATIVE_MATH__ || defined __RECIPROCAL_MATH__ ||        \
    defined __NO_SIGNED_ZEROS__ || (defined __FINITE_MATH_ONLY__ && __FINITE_MATH_ONLY__)
#error "results have to be exact: build without -ffast-math, -Ofast and the like"
#endif
#if FLT_EVAL_METHOD != 0
#error "floats have to be computed as floats: build with SSE (-msse2 -mfpmath=sse), not for x87"
#endif

_Static_assert(sizeof(float) == 4 && sizeof(int) == 4, "samples and kernel arguments of 4 bytes");

int rn_format_planes(const struct rn_format *fmt)
{
    return (fmt->model == RN_GRAY ? 1 : 3) + fmt->alpha + fmt->complex;
}

enum rn_sample rn_format_sample(const struct rn_format *fmt)
{
    if (fmt->number != RN_NUMBER_UNSIGNED)
        return fmt->number == RN_NUMBER_FLOAT ? RN_SAMPLE_F32 : RN_SAMPLE_S16;
    return fmt->depth > 8 ? RN_SAMPLE_U16 : RN_SAMPLE_U8;
}

int rn_sample_bytes(enum rn_sample sample)
{
    assert(sample < RN_SAMPLES);
    return sample == RN_SAMPLE_F32 ? 4 : sample == RN_SAMPLE_U8 ? 1 : 2;
}

int rn_format_bytes(const struct rn_format *fmt)
{
    return rn_sample_bytes(rn_format_sample(fmt));
}

int rn_format_min(const struct rn_format *fmt)
{
    return fmt->number == RN_NUMBER_SIGNED ? -(1 << (fmt->depth - 1)) : 0;
}

int rn_format_max(const struct rn_format *fmt)
{
    return (1 << (fmt->depth - (fmt->number == RN_NUMBER_SIGNED))) - 1;
}

float rn_geom_black(const struct rn_geom *geom)
{
    return geom->fmt.number == RN_NUMBER_FLOAT ? geom->low : (float)rn_format_min(&geom->fmt);
}

float rn_geom_white(const struct rn_geom *geom)
{
    return geom->fmt.number == RN_NUMBER_FLOAT ? geom->high : (float)rn_format_max(&geom->fmt);
}

float rn_geom_middle(const struct rn_geom *geom)
{
    if (geom->fmt.number == RN_NUMBER_FLOAT)
        return (float)(((double)geom->low + (double)geom->high) / 2);
    return geom->fmt.number == RN_NUMBER_SIGNED ? 0 : (float)(1 << (geom->fmt.depth - 1));
}

double rn_format_from_8bit(const struct rn_format *fmt, double v)
{
    double unit = 1 << (fmt->depth - 8), last = v < 254 ? 0 : v > 255 ? 1 : v - 254;
    return v * unit + last * (unit - 1);
}

bool rn_format_equal(const struct rn_format *a, const struct rn_format *b)
{
    RN_NEED(false, "a b", a, b);
    return a->model == b->model && a->depth == b->depth && a->sub_x == b->sub_x &&
           a->sub_y == b->sub_y && a->alpha == b->alpha && a->number == b->number &&
           a->complex == b->complex;
}

/* The formats that can be named: layouts, and the samples of each. Those of the first may be signed
 * or floats, too. FFmpeg has no 11, 13 or 15 bits. */
#define FIRST_LAYOUT(X) X("gray", .model = RN_GRAY)
#define SCAN_LAYOUTS(X) X("gbrp", .model = RN_RGB) X("gbrap", .model = RN_RGB, .alpha = true)
#define VIDEO_LAYOUTS(X)                                                                           \
    X("yuv420p", .model = RN_YUV, .sub_x = 1, .sub_y = 1)                                          \
    X("yuv422p", .model = RN_YUV, .sub_x = 1)                                                      \
    X("yuv444p", .model = RN_YUV)                                                                  \
    X("yuva420p", .model = RN_YUV, .sub_x = 1, .sub_y = 1, .alpha = true)                          \
    X("yuva422p", .model = RN_YUV, .sub_x = 1, .alpha = true)                                      \
    X("yuva444p", .model = RN_YUV, .alpha = true)
#define DEEP_SAMPLES(X) X(" 9", 9) X(" 10", 10) X(" 12", 12) X(" 14", 14) X(" 16", 16)

#define ONE_NAME(name, ...)   name
#define COMMA_NAME(name, ...) ", " name
#define A_LAYOUT(name, ...)   {name, {__VA_ARGS__}},
#define A_DEPTH(name, bits)   {bits, RN_NUMBER_UNSIGNED},

#define ALL_LAYOUTS(X) FIRST_LAYOUT(X) SCAN_LAYOUTS(X) VIDEO_LAYOUTS(X)
#define SCAN_NAMES     FIRST_LAYOUT(ONE_NAME) SCAN_LAYOUTS(COMMA_NAME)
#define ALL_NAMES      SCAN_NAMES VIDEO_LAYOUTS(COMMA_NAME)
#define ALL_DEPTHS     DEEP_SAMPLES(ONE_NAME)

const char rn_format_names[] =
    ALL_NAMES "; with a depth behind it," ALL_DEPTHS ": gray10; " SCAN_NAMES
              " also with s16 (signed) or f32 (float)";

static const struct {
    const char *name;
    struct rn_format fmt;
} layouts[] = {ALL_LAYOUTS(A_LAYOUT)};

const char *rn_format_name(const struct rn_format *fmt, char buf[24])
{
    RN_NEED("", "fmt buf", fmt, buf);
    static const char *const kinds[] = {
        [RN_NUMBER_UNSIGNED] = "", [RN_NUMBER_SIGNED] = "s", [RN_NUMBER_FLOAT] = "f"};
    const char *name = fmt->complex ? "complex" : "graya"; /* that cannot be read */
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++) {
        const struct rn_format *f = &layouts[i].fmt;
        if (f->model == fmt->model && f->sub_x == fmt->sub_x && f->sub_y == fmt->sub_y &&
            f->alpha == fmt->alpha && !fmt->complex)
            name = layouts[i].name;
    }
    if (fmt->depth == 8)
        snprintf(buf, 24, "%s", name);
    else
        snprintf(buf, 24, "%s%s%d", name, kinds[fmt->number], fmt->depth);
    return buf;
}

bool rn_format_parse(const char *name, struct rn_format *fmt)
{
    RN_NEED(false, "name fmt", name, fmt);
    static const struct {
        int depth;
        enum rn_number number;
    } samples[] = {{8, RN_NUMBER_UNSIGNED},
                   {16, RN_NUMBER_SIGNED},
                   {32, RN_NUMBER_FLOAT},
                   DEEP_SAMPLES(A_DEPTH)};
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++)
        for (size_t k = 0; k < sizeof samples / sizeof samples[0]; k++) {
            struct rn_format f = layouts[i].fmt;
            f.depth = samples[k].depth;
            f.number = samples[k].number;
            if (f.number != RN_NUMBER_UNSIGNED && f.model == RN_YUV)
                continue;
            char buf[24];
            size_t n = strlen(rn_format_name(&f, buf));
            if (!strncmp(name, buf, n) && (!name[n] || (f.depth > 8 && !strcmp(name + n, "le")))) {
                *fmt = f;
                return true;
            }
        }
    return false;
}

void rn_geom_plane_size(const struct rn_geom *geom, int p, int *w, int *h)
{
    const struct rn_format *f = &geom->fmt;
    bool chroma = f->model == RN_YUV && (p == 1 || p == 2);
    int sx = chroma ? f->sub_x : 0, sy = chroma ? f->sub_y : 0;
    *w = (geom->w + (1 << sx) - 1) >> sx;
    *h = (geom->h + (1 << sy) - 1) >> sy;
}

int64_t rn_geom_samples(const struct rn_geom *geom)
{
    RN_NEED(0, "geom", geom);
    int64_t sum = 0;
    for (int p = 0; p < rn_format_planes(&geom->fmt); p++) {
        int w, h;
        rn_geom_plane_size(geom, p, &w, &h);
        sum += (int64_t)w * h;
    }
    return sum;
}

const char *rn_plane_name(const struct rn_format *fmt, int p)
{
    RN_NEED("", "fmt", fmt);
    static const char *const names[][RN_MAX_PLANES] = {
        [RN_GRAY] = {"gray"}, [RN_YUV] = {"Y", "U", "V"}, [RN_RGB] = {"G", "B", "R"}};
    static const char *const parts[] = {"real", "imaginary", "complex"};
    if (rn_argument_within(__func__, "p", p, 0, rn_format_planes(fmt) - !fmt->complex))
        return "";
    if (fmt->complex)
        return parts[p];
    return fmt->alpha && p == rn_format_planes(fmt) - 1 ? "alpha" : names[fmt->model][p];
}

bool rn_geom_equal(const struct rn_geom *a, const struct rn_geom *b)
{
    RN_NEED(false, "a b", a, b);
    const struct rn_rescale *r = &a->rescale, *o = &b->rescale;
    if (a->fmt.number == RN_NUMBER_FLOAT && (a->low != b->low || a->high != b->high))
        return false;
    for (int i = 0; i < 3; i++)
        if (a->spacing[i] != b->spacing[i])
            return false;
    return rn_format_equal(&a->fmt, &b->fmt) && a->w == b->w && a->h == b->h &&
           a->matrix == b->matrix && a->full_range == b->full_range && a->scan == b->scan &&
           r->slope == o->slope && r->intercept == o->intercept && !strcmp(r->unit, o->unit);
}

unsigned rn_geom_all_planes(const struct rn_geom *geom)
{
    return (1u << rn_format_planes(&geom->fmt)) - 1;
}

unsigned rn_geom_planes(const struct rn_geom *geom, int mask)
{
    if (!mask && geom->fmt.complex)
        return 3u;
    if (!mask)
        return geom->fmt.model == RN_RGB ? 7u : 1u;
    return (unsigned)mask & rn_geom_all_planes(geom);
}

int rn_geom_check(const struct rn_geom *geom)
{
    RN_NEED(RN_EUSAGE, "geom", geom);
    return rn_argument_geom(__func__, geom);
}

int rn_image_alloc(struct rn_image *img, const struct rn_geom *geom)
{
    RN_NEED(RN_EUSAGE, "img geom", img, geom);
    int err = rn_argument_shape(__func__, geom);
    if (err)
        return err;
    *img = (struct rn_image){.geom = *geom};
    size_t total = 0, offset[RN_MAX_PLANES];
    int planes = rn_format_planes(&geom->fmt), bytes = rn_format_bytes(&geom->fmt);
    for (int p = 0; p < planes; p++) {
        struct rn_plane *pl = &img->plane[p];
        rn_geom_plane_size(geom, p, &pl->w, &pl->h);
        pl->stride = rn_row_stride(pl->w, bytes);
        offset[p] = total;
        total += (size_t)pl->stride * (size_t)pl->h;
    }
    uint8_t *data = aligned_alloc(64, total);
    if (!data)
        return rn_fail_memory();
    memset(data, 0, total);
    for (int p = 0; p < planes; p++)
        img->plane[p].data = data + offset[p];
    return 0;
}

void rn_image_free(struct rn_image *img)
{
    RN_NEED(, "img", img);
    free(img->plane[0].data);
    memset(img, 0, sizeof *img);
}

void rn_plane_copy(const struct rn_plane *src, struct rn_plane *dst, int bytes)
{
    RN_NEED(, "src dst", src, dst);
    if (src->w != dst->w || src->h != dst->h) {
        rn_fail(RN_EUSAGE, "%s: dst is %dx%d, which is not %dx%d", __func__, dst->w, dst->h, src->w,
                src->h);
        return;
    }
    for (int y = 0; y < src->h; y++)
        memcpy(dst->data + y * dst->stride, src->data + y * src->stride,
               (size_t)src->w * (size_t)bytes);
}

int rn_image_keep_plane(struct rn_image *kept, const struct rn_image *src, int p)
{
    const struct rn_plane *s = &src->plane[p];
    const struct rn_format *fmt = &src->geom.fmt;
    struct rn_geom geom = {.fmt = {.model = RN_GRAY, .depth = fmt->depth, .number = fmt->number},
                           .w = s->w,
                           .h = s->h};
    if (!rn_geom_equal(&kept->geom, &geom)) {
        rn_image_free(kept);
        int err = rn_image_alloc(kept, &geom);
        if (err)
            return err;
    }
    rn_plane_copy(s, &kept->plane[0], rn_format_bytes(fmt));
    return 0;
}

void rn_image_copy(const struct rn_image *src, struct rn_image *dst)
{
    RN_NEED(, "src dst", src, dst);
    if (rn_argument_image(__func__, "dst", dst, &src->geom))
        return;
    for (int p = 0; p < rn_format_planes(&src->geom.fmt); p++)
        rn_plane_copy(&src->plane[p], &dst->plane[p], rn_format_bytes(&src->geom.fmt));
}
