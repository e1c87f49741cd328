/* SPDX-License-Identifier: MIT */
/* Slices of a stack: which one, where it lies, how the wheel goes through them; and the window that
 * the mouse sets. */
#include "tests/unit.h"

#include "app/play/loop/loop.h"
#include "app/play/view/presentation.h"
#include "app/play/stacks/stacks.h"
#include "io/volumes/volume.h"

/* As a reader of DICOM gives it: axial slices, feet first, the first sample at -100 -80 5.5. */
static const struct rn_io_stack axial = {.known = true,
                                         .space = true,
                                         .n = 771,
                                         .turn = 1,
                                         .end = 771,
                                         .spacing = {0.5, 0.75, 2.5},
                                         .placed = true,
                                         .origin = {-100, -80, 5.5},
                                         .direction = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

static void expect_told(const struct rn_io_stack *s, int64_t index, const char *want)
{
    char text[64];
    assert_string_equal(rn_play_slices_describe(s, index, text, sizeof text), want);
}

static void expect_place(const struct rn_io_stack *s, int x, int y, int slice, const char *want)
{
    char text[128];
    assert_string_equal(rn_play_slices_place(s, x, y, slice, text, sizeof text), want);
}

TEST(places)
{
    struct rn_io_stack s = axial;
    expect_told(&s, 0, "slice 1/771  z = 5.5 mm");
    expect_told(&s, 11, "slice 12/771  z = 33 mm");
    expect_place(&s, 200, 4, 2, "0 -77 10.5 mm LPS");
    s.placed = false;
    expect_told(&s, 11, "slice 12/771  z = 27.5 mm");
    expect_place(&s, 200, 4, 2, "100 3 5 mm");
    s.spacing[2] = 0;
    expect_told(&s, 11, "slice 12/771");
    expect_place(&s, 200, 4, 2, "");
    s.space = false; /* a film: one place */
    expect_place(&s, 200, 4, 2, "100 3 0 mm");
    s.known = false;
    expect_place(&s, 200, 4, 2, "");
}

/* Rows to the back, columns to the feet, slices to the left: sagittal. */
TEST(turned)
{
    struct rn_io_stack s = axial;
    const double sagittal[3][3] = {{0, 1, 0}, {0, 0, -1}, {-1, 0, 0}};
    char letters[4];
    memcpy(s.direction, sagittal, sizeof sagittal);
    expect_told(&s, 2, "slice 3/771  z = 105 mm"); /* along the normal, -x */
    expect_place(&s, 200, 4, 2, "-105 20 2.5 mm LPS");
    static const char *const to[] = {"P", "I", "R"}, *const from[] = {"A", "S", "L"};
    for (int axis = 0; axis < 3; axis++) {
        rn_io_stack_letters(&s, axis, false, letters);
        assert_string_equal(letters, to[axis]);
        rn_io_stack_letters(&s, axis, true, letters);
        assert_string_equal(letters, from[axis]);
    }
    const double oblique[3] = {-0.6, 0.78, 0.18};
    memcpy(s.direction[0], oblique, sizeof oblique);
    rn_io_stack_letters(&s, 0, false, letters);
    assert_string_equal(letters, "PR");
    s.placed = false;
    rn_io_stack_letters(&s, 0, false, letters);
    assert_string_equal(letters, "");
}

TEST(uneven)
{
    static const double origins[][3] = {{-100, -80, 1}, {-100, -80, 2.25}, {-100, -78, 7}};
    struct rn_io_stack s = axial;
    s.placed = false;
    s.origins = origins;
    s.n = s.end = 3;
    expect_told(&s, 1, "slice 2/3  z = 2.25 mm");
    expect_place(&s, 2, 0, 2, "-99 -78 7 mm LPS");
}

TEST(renumbered)
{
    struct rn_io_stack s = axial;
    s.base = 100; /* --from 100f --renumber */
    s.end = 50;
    expect_told(&s, 0, "slice 101/771  z = 255.5 mm");
    assert_int_equal(rn_io_stack_step(&s, 3, -10), 0);
    assert_int_equal(rn_io_stack_step(&s, 3, 1000), 49);
}

/* Two channels in turn, three points in time one after the other, of 5 slices; all but the first
 * frame and the last are read. */
TEST(turns)
{
    const struct rn_io_stack s = {.known = true, .n = 5, .turn = 2, .first = 1, .end = 29};
    assert_int_equal(rn_io_stack_slice(&s, 13), 1);
    assert_int_equal(rn_io_stack_step(&s, 13, 1), 15);
    assert_int_equal(rn_io_stack_step(&s, 13, 100), 19);
    assert_int_equal(rn_io_stack_step(&s, 13, -100), 11);
    assert_int_equal(rn_io_stack_step(&s, 4, -100), 2); /* 0 is not read */
    assert_int_equal(rn_io_stack_step(&s, 25, 100), 27);
    assert_int_equal(rn_io_stack_step(&s, 24, 100), 28);
    assert_int_equal(rn_io_stack_step(&s, 21, 100), 27); /* 29 is not read */
}

/* Four points in time, and three of them chosen: their seconds are those of the file. */
TEST(times)
{
    const int64_t chosen[] = {0, 2, 4};
    struct rn_vol v = {.n = {5, 1, 4}, .interval = 2.5};
    struct rn_io_stack s = axial;
    s.n = 5;
    s.end = 20;
    s.times = 4;
    s.time_turn = 5;
    s.volume = &v;
    expect_told(&s, 12, "slice 3/5  z = 10.5 mm  time 3/4  5 s");
    assert_int_equal(rn_io_stack_step_time(&s, 12, 1), 17);
    assert_int_equal(rn_io_stack_step_time(&s, 12, 9), 17);
    assert_int_equal(rn_io_stack_step_time(&s, 12, -9), 2);
    s.first = 3; /* neither the first time nor the last is whole */
    s.end = 19;
    assert_int_equal(rn_io_stack_step_time(&s, 12, -9), 7);
    assert_int_equal(rn_io_stack_step_time(&s, 14, 9), 14);
    v.file_index[RN_AXIS_TIME] = chosen;
    v.n[RN_AXIS_TIME] = s.times = 3;
    v.interval = 5;
    expect_told(&s, 12, "slice 3/5  z = 10.5 mm  time 3/3  10 s");
    v.interval = 0;
    expect_told(&s, 12, "slice 3/5  z = 10.5 mm  time 3/3");
    s.times = 1;
    assert_int_equal(rn_io_stack_step_time(&s, 12, 1), 12);
}

TEST(wheel)
{
    OWNED(rn_free_owned) struct rn_play_slices *s = calloc(1, rn_play_slices_part.size);
    assert_non_null(s);
    rn_play_slices_begin(s, &axial);
    assert_int_equal(rn_play_slices_next(s, 4), 0);
    rn_play_slices_step(s, 4, 1);
    rn_play_slices_step(s, 4, 1); /* before anything is shown: two */
    assert_int_equal(rn_play_slices_next(s, 4), 2);
    rn_play_slices_step(s, 4, 3); /* while it is sought */
    assert_int_equal(rn_play_slices_next(s, 6), 3);
    assert_int_equal(rn_play_slices_next(s, 9), 0);
    assert_int_equal(rn_play_slices_next(s, 9), 0);
    rn_play_slices_step(s, 9, -100);
    assert_int_equal(rn_play_slices_next(s, 9), -9);
    assert_int_equal(rn_play_slices_next(s, 9), 0); /* it was sought in vain: no second time */
    rn_play_slices_go(s, 9, 770);
    rn_play_slices_step(s, 9, 1);
    assert_int_equal(rn_play_slices_next(s, 9), 761);
    rn_play_slices_stay(s);
    assert_int_equal(rn_play_slices_next(s, 9), 0);
}

/* ---- the window */

static const struct rn_geom ct = {
    .fmt = {.model = RN_GRAY, .depth = 16, .number = RN_NUMBER_SIGNED},
    .w = 4,
    .h = 4,
    .full_range = true,
    .scan = true,
    .rescale = {2, -1000, "HU"}};

static void expect_window(const struct rn_play_window_level *w, const struct rn_geom *geom,
                          bool original, double low, double high)
{
    double v[2];
    rn_play_window_level_get(w, geom, original, v);
    assert_true(fabs(v[0] - low) < 1e-9 * fabs(low) + 1e-12);
    assert_true(fabs(v[1] - high) < 1e-9 * fabs(high) + 1e-12);
}

TEST(by_hand)
{
    char text[96];
    struct rn_play_window_level w = {.of_file = true, .file = {420, 620}, .keeps = true};
    assert_string_equal(rn_play_window_level_describe(&w, &ct, false, text, sizeof text),
                        "window 400 level 40 HU: black at -160, white at 240");
    rn_play_window_level_begin(&w, &ct, false);
    rn_play_window_level_drag(&w, &ct, false, 0.25, 0.5); /* twice as wide, a whole window up */
    expect_window(&w, &ct, false, 520, 920);
    expect_window(&w, &ct, true, 520, 920); /* both sides have the same values */
    rn_play_window_level_drag(&w, &ct, false, 0, 0);
    expect_window(&w, &ct, false, 420, 620);
    rn_play_window_level_drag(&w, &ct, false, -0.5, 0);
    expect_window(&w, &ct, false, 495, 545);
    rn_play_window_level_drag(&w, &ct, false, -1000, 0); /* of no width: left as it was */
    expect_window(&w, &ct, false, 495, 545);
    rn_play_window_level_drag(&w, &ct, false, 1000, 0);
    expect_window(&w, &ct, false, 495, 545);
    assert_string_equal(rn_play_window_level_range(&w, &ct, false, text, sizeof text),
                        "-10 to 90 HU, by hand");
    struct rn_geom other = ct;
    other.fmt = (struct rn_format){.model = RN_GRAY, .depth = 32, .number = RN_NUMBER_FLOAT};
    other.high = 1;
    w.keeps = false; /* the chain gives floats now */
    expect_window(&w, &other, false, 0, 1);
    w.keeps = true;
    rn_play_window_level_clear(&w);
    expect_window(&w, &ct, false, 420, 620);
}

TEST(of_one_side)
{
    struct rn_play_window_level w = {.of_file = true, .file = {420, 620}, .keeps = false};
    rn_play_window_level_begin(&w, &ct, true);
    rn_play_window_level_drag(&w, &ct, true, 0.25, 0);
    expect_window(&w, &ct, true, 320, 720);
    expect_window(&w, &ct, false, -32768, 32767); /* nothing was seen of it */
}

TEST(of_video)
{
    char text[96];
    const struct rn_geom video = {
        .fmt = {.model = RN_YUV, .depth = 10, .sub_x = 1, .sub_y = 1}, .w = 4, .h = 4};
    struct rn_play_window_level w = {.keeps = false};
    assert_true(rn_play_window_level_can(&video));
    assert_string_equal(rn_play_window_level_range(&w, &video, false, text, sizeof text), "");
    expect_window(&w, &video, false, 64, 940);
    rn_play_window_level_begin(&w, &video, false);
    rn_play_window_level_drag(&w, &video, false, -0.25, 0);
    expect_window(&w, &video, false, 283, 721);
    expect_window(&w, &video, true, 283, 721); /* the original, and thumbnails */
    assert_string_not_equal(rn_play_window_level_range(&w, &video, false, text, sizeof text), "");
    struct rn_geom shallow = video;
    shallow.fmt.depth = 8;
    assert_false(rn_play_window_level_can(&shallow));
}
