/* SPDX-License-Identifier: MIT */
/* Time in the preview: speed, marks, places that are typed. */
#include "tests/unit.h"

#include "app/play/loop/loop.h"
#include "app/play/stacks/stacks.h"
#include "app/help/help.h"

TEST(speeds)
{
    assert_true(rn_play_speed_of(0) == 1);
    assert_float_equal(rn_play_speed_of(1), 1.1, 1e-12);
    assert_float_equal(rn_play_speed_of(-1), 1 / 1.1, 1e-12);
    assert_true(rn_play_speed_of(RN_SPEED_STEPS) == 8);
    assert_true(rn_play_speed_of(-RN_SPEED_STEPS) == 0.125);
    for (int i = -RN_SPEED_STEPS; i < RN_SPEED_STEPS; i++)
        assert_true(rn_play_speed_of(i) < rn_play_speed_of(i + 1));
}

TEST(clocks)
{
    struct rn_play_stream_clock c = {.speed = 1};
    rn_play_stream_clock_set(&c, 100, 7);
    assert_float_equal(rn_play_stream_clock_time(&c, 102.5), 9.5, 1e-12);
    c.speed = 0.5;
    assert_float_equal(rn_play_stream_clock_time(&c, 104), 9, 1e-12);
}

static void expect_part(const struct rn_play_marks *marks, const struct rn_io_read_opts *opts,
                        int64_t first, const char *want)
{
    char text[RN_RANGE_TEXT];
    struct rn_play_range part;
    assert_int_equal(rn_play_marks_range(marks, opts, first, &part), *want != '\0');
    assert_string_equal(rn_play_range_options(&part, text), want);
}

static void expect_range(const struct rn_play_marks *marks, int64_t shift, const char *want)
{
    expect_part(marks, &(struct rn_io_read_opts){.frames = -1, .renumber = true}, shift, want);
}

TEST(marks)
{
    struct rn_play_marks m = {0};
    expect_range(&m, 0, "");
    assert_false(rn_play_marks_cross(&m, 1, 2));
    rn_play_marks_begin(&m, 150, 6);
    expect_range(&m, 0, "--from 150f");
    rn_play_marks_end(&m, 175, 7);
    expect_range(&m, 0, "--from 150f --to 176f");
    expect_range(&m, 1000, "--from 1150f --to 1176f");
    assert_false(rn_play_marks_cross(&m, 174, 175));
    assert_true(rn_play_marks_cross(&m, 175, 176));
    assert_true(rn_play_marks_cross(&m, 10, 200)); /* frames between were dropped */
    assert_false(rn_play_marks_cross(&m, 176, 177));
    rn_play_marks_begin(&m, 175, 7); /* one frame */
    expect_range(&m, 0, "--from 175f --to 176f");
    rn_play_marks_begin(&m, 180, 8);
    expect_range(&m, 0, "--from 180f");
    rn_play_marks_end(&m, 20, 1);
    expect_range(&m, 0, "--to 21f");
    m.a = m.e = (struct rn_play_mark){.set = true, .index = INT64_MAX / 2};
    expect_range(&m, 0, "--from 4611686018427387903f --to 4611686018427387904f");
}

static struct rn_io_time at(const char *text)
{
    struct rn_io_time time;
    assert_true(rn_read_time_parse(text, &time));
    return time;
}

/* What the command line leaves out stays left out. */
TEST(marks_in_a_part)
{
    struct rn_io_read_opts opts = {.from = at("10f"), .to = at("1:30.5"), .frames = 50};
    struct rn_play_marks none = {0}, a = {0}, e = {0}, both = {0};
    rn_play_marks_begin(&a, 30, 1);
    rn_play_marks_end(&e, 40, 2);
    rn_play_marks_begin(&both, 30, 1);
    rn_play_marks_end(&both, 40, 2);
    expect_part(&none, &opts, 10, "");
    expect_part(&a, &opts, 10, "--from 30f --to 90.5 --frames 30");
    expect_part(&e, &opts, 10, "--from 10f --to 41f");
    expect_part(&both, &opts, 10, "--from 30f --to 41f");
    opts.renumber = true;
    expect_part(&a, &opts, 10, "--from 40f --to 90.5 --frames 20");
    expect_part(&both, &opts, 10, "--from 40f --to 51f");
    opts = (struct rn_io_read_opts){.from = at("0.000004"), .to = at("70f"), .frames = -1};
    expect_part(&a, &opts, 1, "--from 30f --to 70f");
    expect_part(&e, &opts, 1, "--from 0.000004 --to 41f");
    opts = (struct rn_io_read_opts){.from = at("100"), .frames = INT64_MAX};
    expect_part(&a, &opts, 30, "--from 30f --frames 9223372036854775807");
    expect_part(&e, &opts, 30, "--from 100 --to 41f");
}

/* kind: f, frames; s, seconds; n, whole seconds, which may be the number of a slice. */
static void expect_place(const char *text, int direction, double want, char kind)
{
    struct rn_play_place p;
    assert_true(rn_play_place_parse(text, &p));
    assert_int_equal(p.direction, direction);
    assert_int_equal(p.time.kind, kind == 'f' ? RN_TIME_FRAME : RN_TIME_SECONDS);
    if (kind != 'f')
        assert_float_equal(p.time.seconds, want, 1e-9);
    if (kind == 's')
        return;
    assert_int_equal(p.time.frame, (int64_t)want);
    assert_int_equal(p.number, kind == 'n');
}

TEST(places)
{
    expect_place("150f", 0, 150, 'f');
    expect_place("-10f", -1, 10, 'f');
    expect_place("+1f", 1, 1, 'f');
    expect_place("90", 0, 90, 's');
    expect_place(" 1:30.5", 0, 90.5, 's');
    expect_place("+5", 1, 5, 's');
    expect_place("-0.04", -1, 0.04, 's');
    expect_place("12", 0, 12, 'n');
    expect_place("+5", 1, 5, 'n');
    expect_place("-0", -1, 0, 'n');
    static const char *const bad[] = {"", "+", "-", "f", "--5", "+-5", "5x", "now", "-5f5", "1e3"};
    for (int i = 0; i < COUNT(bad); i++) {
        struct rn_play_place p;
        if (rn_play_place_parse(bad[i], &p))
            fail_msg("'%s' is taken", bad[i]);
    }
}

TEST(typing)
{
    struct rn_app_typed t = {0};
    rn_app_typed_begin(&t, "12");
    rn_app_typed_add(&t, "3"); /* takes its place */
    assert_string_equal(t.text, "3");
    rn_app_typed_add(&t, "\xc3\xa9");
    assert_string_equal(t.text, "3\xc3\xa9");
    rn_app_typed_erase(&t);
    assert_string_equal(t.text, "3");
    rn_app_typed_begin(&t, "12");
    rn_app_typed_erase(&t);
    assert_string_equal(t.text, "1");
    rn_app_typed_erase(&t);
    rn_app_typed_erase(&t);
    assert_string_equal(t.text, "");
    for (int i = 0; i < 600; i++)
        rn_app_typed_add(&t, "x");
    assert_int_equal(strlen(t.text), sizeof t.text - 1);
}
