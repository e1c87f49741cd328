/* SPDX-License-Identifier: MIT */
/* Pictures made smaller for the screen: by the definition in doubles; what they must not show. */
#include "tests/unit.h"

#include "ui/draw/draw.h"

struct pixels {
    uint8_t *data;
    int stride, w, h;
};

#define CHANNELS 4

static struct pixels pixels_of(int w, int h)
{
    struct pixels p = {.stride = w * CHANNELS + 5, .w = w, .h = h};
    p.data = calloc((size_t)h, (size_t)p.stride);
    assert_non_null(p.data);
    return p;
}

static void fill(struct pixels *p)
{
    uint32_t state = 1;
    for (int y = 0; y < p->h; y++)
        for (int x = 0; x < p->w * CHANNELS; x++) {
            state = state * 1664525 + 1013904223;
            p->data[y * p->stride + x] = (uint8_t)(state >> 24);
        }
}

static double tent(double distance, double reach)
{
    double v = 1 - fabs(distance) / reach;
    return v > 0 ? v : 0;
}

/* One sample, as the header says. */
static double wanted(const struct pixels *p, int w, int h, int x, int y, int c)
{
    double sx = (double)p->w / w, sy = (double)p->h / h, sum = 0, all = 0;
    for (int j = 0; j < p->h; j++)
        for (int i = 0; i < p->w; i++) {
            double weight =
                tent(i - ((x + 0.5) * sx - 0.5), sx) * tent(j - ((y + 0.5) * sy - 0.5), sy);
            sum += weight * p->data[j * p->stride + i * CHANNELS + c];
            all += weight;
        }
    return sum / all;
}

static void shrink_into(const struct pixels *in, struct pixels *out)
{
    OWNED(rn_ui_shrink_free) struct rn_ui_shrink s = {0};
    assert_int_equal(rn_ui_shrink_prepare(&s, in->w, in->h, out->w, out->h), 0);
    rn_ui_shrink(&s, in->data, in->stride, out->data, out->stride);
}

TEST(as_defined)
{
    static const int sizes[][4] = {{37, 29, 36, 28}, {37, 29, 19, 29}, {40, 30, 20, 10},
                                   {37, 29, 11, 3},  {64, 9, 1, 1},    {3, 2, 2, 1}};
    for (int s = 0; s < COUNT(sizes); s++) {
        struct pixels in = pixels_of(sizes[s][0], sizes[s][1]);
        struct pixels out = pixels_of(sizes[s][2], sizes[s][3]);
        fill(&in);
        shrink_into(&in, &out);
        for (int y = 0; y < out.h; y++)
            for (int i = 0; i < out.w * CHANNELS; i++)
                assert_true(fabs(out.data[y * out.stride + i] -
                                 wanted(&in, out.w, out.h, i / CHANNELS, y, i % CHANNELS)) < 0.6);
        free(in.data);
        free(out.data);
    }
}

TEST(the_same_size_is_the_same)
{
    struct pixels in = pixels_of(33, 21), out = pixels_of(33, 21);
    fill(&in);
    shrink_into(&in, &out);
    assert_memory_equal(in.data, out.data, 21 * in.stride - 5);
    free(in.data);
    free(out.data);
}

/* What an even area becomes, at all sizes; and the finest checks, which are to become even. */
TEST(no_false_patterns)
{
    struct pixels even = pixels_of(90, 90), checks = pixels_of(90, 90);
    for (int i = 0; i < 90 * 90; i++)
        for (int c = 0; c < CHANNELS; c++) {
            even.data[i / 90 * even.stride + i % 90 * CHANNELS + c] = 203;
            checks.data[i / 90 * checks.stride + i % 90 * CHANNELS + c] =
                (i / 90 + i % 90) % 2 ? 255 : 0;
        }
    for (int side = 1; side < 90; side++) {
        struct pixels out = pixels_of(side, side);
        shrink_into(&even, &out);
        for (int y = 0; y < side; y++)
            for (int i = 0; i < side * CHANNELS; i++)
                assert_int_equal(out.data[y * out.stride + i], 203);
        shrink_into(&checks, &out);
        int edge = side > 3, most = side > 72 ? 128 : side > 60 ? 21 : 5; /* of 127 */
        for (int y = edge; y < side - edge; y++)
            for (int i = edge * CHANNELS; i < (side - edge) * CHANNELS; i++)
                assert_in_range(out.data[y * out.stride + i], 128 - most, 127 + most);
        free(out.data);
    }
    free(even.data);
    free(checks.data);
}
