/* SPDX-License-Identifier: MIT */
/* Where pictures are in a window: fitted, zoomed about a point, moved, never lost. */
#include "tests/unit.h"

#include "ui/draw/draw.h"

static const struct {
    int w, h;
    double aspect;
} pictures[] = {{320, 240, 1}, {3840, 2160, 1},   {720, 576, 64.0 / 45}, {512, 512, 0.5},
                {1, 1, 1},     {65535, 40000, 1}, {97, 4001, 1}};
static const int outputs[][2] = {{320, 200}, {1280, 720}, {3840, 2160}, {101, 1999}};

#define EACH(v)                                                                                    \
    for (int p = 0; p < COUNT(pictures); p++)                                                      \
        for (int o = 0; o < COUNT(outputs); o++)                                                   \
            for (struct rn_ui_view v = {.w = pictures[p].w,                                        \
                                       .h = pictures[p].h,                                         \
                                       .aspect = pictures[p].aspect,                               \
                                       .out_w = outputs[o][0],                                     \
                                       .out_h = outputs[o][1]},                                    \
                                   *once = &v;                                                     \
                 once; once = NULL)

TEST(fits)
{
    EACH(v)
    {
        SDL_Rect a = rn_ui_view_place(&v);
        double shape = (double)v.w * v.aspect / v.h;
        assert_true(a.x >= 0 && a.y >= 0 && a.x + a.w <= v.out_w && a.y + a.h <= v.out_h);
        assert_true(a.w == v.out_w || a.h == v.out_h);
        assert_true(abs(v.out_w - a.w - 2 * a.x) <= 1 && abs(v.out_h - a.h - 2 * a.y) <= 1);
        assert_true(fabs(a.w - a.h * shape) <= 1 + shape || fabs(a.h - a.w / shape) <= 1);
        assert_false(rn_ui_view_is_cut(&v));
    }
}

TEST(one_to_one)
{
    EACH(v)
    {
        double ux = v.aspect > 1 ? v.aspect : 1, uy = v.aspect < 1 ? 1 / v.aspect : 1;
        for (int scale = 1; scale <= 4; scale++) {
            rn_ui_view_zoom(&v, scale, 10, 10);
            SDL_Rect a = rn_ui_view_place(&v);
            assert_int_equal(a.w, (int)(v.w * ux * scale + 0.5));
            assert_int_equal(a.h, (int)(v.h * uy * scale + 0.5));
        }
    }
}

/* The point of the picture at a point of the output, in the picture's pixels. */
static double across(const struct rn_ui_view *v, double x)
{
    return v->x + (x - v->out_w / 2.0) / (v->scale * (v->aspect > 1 ? v->aspect : 1));
}

static double down(const struct rn_ui_view *v, double y)
{
    return v->y + (y - v->out_h / 2.0) / (v->scale * (v->aspect < 1 ? 1 / v->aspect : 1));
}

TEST(a_point_stays)
{
    EACH(v)
    {
        rn_ui_view_zoom(&v, 8, v.out_w / 2.0, v.out_h / 2.0);
        rn_ui_view_zoom(&v, 16, 0.3 * v.out_w, 0.6 * v.out_h);
        bool wide = v.w * 12.0 > 2 * v.out_w, high = v.h * 12.0 > 2 * v.out_h;
        double x = 0.4 * v.out_w, y = 0.55 * v.out_h;
        double before[] = {across(&v, x), down(&v, y)};
        for (int i = 0; i < 20; i++)
            rn_ui_view_zoom(&v, i % 2 ? 16 : 17.3, x, y);
        if (wide)
            assert_true(fabs(across(&v, x) - before[0]) < 1e-6);
        if (high)
            assert_true(fabs(down(&v, y) - before[1]) < 1e-6);
    }
}

TEST(never_lost)
{
    static const double far[] = {-1e9, -300, 17.5, 1e9};
    EACH(v)
    {
        for (double scale = 0.01; scale < 100; scale *= 1.37) {
            rn_ui_view_zoom(&v, scale, far[(int)(scale * 100) % 4], 3);
            rn_ui_view_pan(&v, far[(int)(scale * 10) % 4], far[(int)(scale * 1000) % 4]);
            SDL_Rect a = rn_ui_view_place(&v), seen = rn_ui_view_visible(&v);
            assert_true(rn_ui_view_scale(&v) <= RN_MAX_SCALE);
            assert_int_equal(seen.w, a.w < v.out_w ? a.w : v.out_w);
            assert_int_equal(seen.h, a.h < v.out_h ? a.h : v.out_h);
            assert_true(seen.x >= 0 && seen.x + seen.w <= v.out_w);
            assert_true(seen.y >= 0 && seen.y + seen.h <= v.out_h);
            assert_int_equal(rn_ui_view_is_cut(&v), a.w > v.out_w || a.h > v.out_h);
        }
    }
}

TEST(pans_by_what_the_pointer_moves)
{
    struct rn_ui_view v = {.w = 3840, .h = 2160, .aspect = 1, .out_w = 1280, .out_h = 720};
    rn_ui_view_zoom(&v, 3, 640, 360);
    SDL_Rect before = rn_ui_view_place(&v);
    for (int i = 0; i < 7; i++)
        rn_ui_view_pan(&v, -11, 5);
    SDL_Rect after = rn_ui_view_place(&v);
    assert_int_equal(after.x - before.x, -77);
    assert_int_equal(after.y - before.y, 35);
}

TEST(a_resized_window_shows_the_same)
{
    struct rn_ui_view v = {.w = 3840, .h = 2160, .aspect = 1, .out_w = 1280, .out_h = 720};
    rn_ui_view_zoom(&v, 2, 100, 100);
    rn_ui_view_pan(&v, -500, -600);
    SDL_Rect before = rn_ui_view_place(&v);
    v.out_w = 3840;
    v.out_h = 2160;
    assert_true(rn_ui_view_scale(&v) == 2);
    v.out_w = 1280;
    v.out_h = 720;
    SDL_Rect after = rn_ui_view_place(&v);
    assert_memory_equal(&before, &after, sizeof before);
}

TEST(steps_lead_back)
{
    static const double steps[] = {1.0 / 3, 0.5, 2.0 / 3, 1, 1.5, 2, 3, 4, 6, 8};
    enum { N = COUNT(steps) };
    struct rn_ui_view v = {.w = 38400, .h = 21600, .aspect = 1, .out_w = 1280, .out_h = 720};
    rn_ui_view_zoom(&v, steps[0], 5, 5);
    for (int i = 1; i < N; i++) {
        rn_ui_view_step(&v, 1, 5, 5);
        assert_true(fabs(rn_ui_view_scale(&v) / steps[i] - 1) < 1e-6);
    }
    for (int i = N - 2; i >= 0; i--) {
        rn_ui_view_step(&v, -1, 5, 5);
        assert_true(fabs(rn_ui_view_scale(&v) / steps[i] - 1) < 1e-6);
    }
    rn_ui_view_step(&v, 100, 5, 5);
    assert_true(rn_ui_view_scale(&v) == RN_MAX_SCALE);
    rn_ui_view_step(&v, -100, 5, 5);
    assert_false(v.zoomed);
    rn_ui_view_step(&v, -1, 5, 5);
    assert_false(v.zoomed);
}

TEST(a_small_picture_may_be_smaller_than_fitted)
{
    struct rn_ui_view v = {.w = 100, .h = 100, .aspect = 1, .out_w = 1000, .out_h = 1000};
    rn_ui_view_zoom(&v, 1, 500, 500);
    rn_ui_view_step(&v, -1, 500, 500);
    assert_true(v.zoomed && rn_ui_view_scale(&v) == 1);
    rn_ui_view_step(&v, 1, 500, 500);
    assert_true(rn_ui_view_scale(&v) == 1.5);
}

TEST(finds_pixels)
{
    struct rn_ui_view v = {.w = 64, .h = 48, .aspect = 1, .out_w = 320, .out_h = 200};
    int x, y;
    rn_ui_view_zoom(&v, 8, 160, 100);
    SDL_Rect a = rn_ui_view_place(&v);
    for (int i = 0; i < v.out_w; i++) {
        assert_true(rn_ui_view_pixel(&v, i + 0.5, 100.5, &x, &y));
        assert_int_equal(x, (i - a.x) / 8);
        assert_int_equal(y, (100 - a.y) / 8);
    }
    rn_ui_view_zoom(&v, 1, 160, 100);
    assert_false(rn_ui_view_pixel(&v, 127.5, 100, &x, &y));
    assert_int_equal(x, 0);
    assert_true(rn_ui_view_pixel(&v, 128.5, 100, &x, &y));
    assert_true(rn_ui_view_pixel(&v, 191.5, 100, &x, &y));
    assert_int_equal(x, 63);
    assert_false(rn_ui_view_pixel(&v, 192.5, 1e9, &x, &y));
    assert_int_equal(x, 63);
    assert_int_equal(y, 47);
}

TEST(edges_meet)
{
    static const int cases[][2] = {{320, 320}, {960, 320}, {500, 320}, {100, 320}, {1, 1}};
    for (int c = 0; c < COUNT(cases); c++) {
        int length = cases[c][0], n = cases[c][1];
        assert_int_equal(rn_ui_view_edge(-7, length, n, 0), -7);
        assert_int_equal(rn_ui_view_edge(-7, length, n, n), length - 7);
        for (int i = 0; i <= n && length >= n; i++)
            assert_int_equal(
                rn_ui_view_nearest_edge(-7, length, n, rn_ui_view_edge(-7, length, n, i)), i);
        assert_int_equal(rn_ui_view_nearest_edge(-7, length, n, -100), 0);
        assert_int_equal(rn_ui_view_nearest_edge(-7, length, n, 100000), n);
    }
}

TEST(nothing_known)
{
    struct rn_ui_view v = {.aspect = 1, .out_w = 100, .out_h = 100};
    int x, y;
    rn_ui_view_zoom(&v, 2, 1, 1);
    rn_ui_view_step(&v, 3, 1, 1);
    rn_ui_view_pan(&v, 3, 3);
    assert_false(rn_ui_view_pixel(&v, 1, 1, &x, &y));
    assert_int_equal(rn_ui_view_place(&v).w, 0);
    assert_false(rn_ui_view_is_cut(&v));
    assert_false(v.zoomed);
}
