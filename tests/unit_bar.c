/* SPDX-License-Identifier: MIT */
/* The seek bar: columns and places, and what stands above it. */
#include "tests/unit.h"

#include "ui/window_internal.h"

static const int sizes[][3] = {
    /* w, h, px */
    {320, 200, 13}, {1280, 720, 22}, {3840, 2160, 44}, {64, 48, 13}, {20, 10, 13}, {1, 1, 13}};

TEST(ends_and_middle)
{
    struct rn_ui_bar bar = rn_ui_bar_lay_out(320, 200, 13);
    int left = bar.track.x, right = left + bar.track.w - 1;
    assert_true(rn_ui_bar_place(&bar, left) == 0);
    assert_true(rn_ui_bar_place(&bar, right) == 1);
    assert_true(rn_ui_bar_place(&bar, -50) == 0);
    assert_true(rn_ui_bar_place(&bar, 5000) == 1);
    assert_int_equal(rn_ui_bar_column(&bar, 0), left);
    assert_int_equal(rn_ui_bar_column(&bar, 1), right);
    assert_int_equal(rn_ui_bar_column(&bar, -1), left);
    assert_int_equal(rn_ui_bar_column(&bar, 7), right);
    assert_in_range(rn_ui_bar_column(&bar, 0.5), 159, 160);
}

TEST(every_column_comes_back)
{
    for (int i = 0; i < COUNT(sizes); i++) {
        struct rn_ui_bar bar = rn_ui_bar_lay_out(sizes[i][0], sizes[i][1], sizes[i][2]);
        double before = -1;
        for (int x = bar.track.x; x < bar.track.x + bar.track.w; x++) {
            double place = rn_ui_bar_place(&bar, x);
            assert_true(place > before && place <= 1);
            assert_int_equal(rn_ui_bar_column(&bar, place), x);
            before = place;
        }
    }
}

TEST(near_and_hit)
{
    struct rn_ui_bar bar = rn_ui_bar_lay_out(320, 200, 13);
    assert_in_range(bar.zone, 100, 199);
    assert_true(rn_ui_bar_is_near(&bar, 0, 199));
    assert_true(rn_ui_bar_is_near(&bar, 319, bar.zone));
    assert_false(rn_ui_bar_is_near(&bar, 160, bar.zone - 1));
    assert_false(rn_ui_bar_is_near(&bar, -1, -1));
    assert_false(rn_ui_bar_is_near(&bar, 160, 200));
    assert_true(rn_ui_bar_is_hit(&bar, 160, bar.track.y));
    assert_true(rn_ui_bar_is_hit(&bar, 160, 199));
    assert_false(rn_ui_bar_is_hit(&bar, 160, bar.zone));
}

TEST(boxes_stay_on_the_output)
{
    for (int i = 0; i < COUNT(sizes) - 2; i++) {
        struct rn_ui_bar bar = rn_ui_bar_lay_out(sizes[i][0], sizes[i][1], sizes[i][2]);
        for (double place = 0; place <= 1; place += 0.01) {
            SDL_Rect box = rn_ui_bar_box(&bar, 160, 90, place);
            assert_true(box.x >= 0 && box.x + box.w <= bar.out_w);
            assert_true(box.y >= 0 && box.y + box.h <= bar.track.y);
            assert_true(box.w <= 160 && box.h <= 90 && box.w <= bar.out_w / 3 + 1);
            assert_true(abs(box.w * 90 - box.h * 160) <= 160);
        }
    }
    struct rn_ui_bar bar = rn_ui_bar_lay_out(1280, 720, 22);
    SDL_Rect box = rn_ui_bar_box(&bar, 160, 90, 0.5);
    assert_int_equal(box.w, 160);
    assert_in_range(box.x + box.w / 2, 639, 640);
}

TEST(nothing_stands_on_the_curve)
{
    const float curve[RN_UI_BAR_CURVE] = {0};
    struct rn_ui_osd osd = {.w = 1280, .h = 720, .px = 22};
    struct rn_ui_scene_bar scene = {.always = true, .curve = curve};
    struct rn_ui_bar_place at = {.seen = false};
    rn_ui_bar_prepare(&osd, &scene, -1, -1, &at);
    SDL_Rect top = {11, at.bar.track.y - 3 * at.bar.track.h, 9, 1};
    assert_false(rn_ui_layout_is_free(&osd.layout, &top));
}
