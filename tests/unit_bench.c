/* SPDX-License-Identifier: MIT */
/* What `bench` makes of what it measured. */
#include "tests/unit.h"

#include "filters/bench/bench.h"

TEST(spreads)
{
    const double odd[] = {3, 1, 2}, even[] = {4, 1, 3, 2};
    struct rn_times t = rn_times_of(odd, 3);
    assert_true(t.min == 1 && t.median == 2 && t.max == 3);
    t = rn_times_of(even, 4);
    assert_true(t.min == 1 && t.median == 2.5 && t.max == 4);
    t = rn_times_of(odd, 0);
    assert_true(t.min == 0 && t.median == 0 && t.max == 0);
}

/* A runner that timed the first of 8 frames, which was slow, and then the ninth. */
TEST(sampled_times)
{
    const struct rn_timings none = {.frames = 0};
    const struct rn_timings before = {
        .frames = 8, .timed = 1, .stage = {8 * 1.0}, .upload = 1, .uploaded = 100};
    const struct rn_timings now = {
        .frames = 9, .timed = 2, .stage = {(1.0 + 0.25) * 9 / 2}, .upload = 3, .uploaded = 150};
    struct rn_timings t = rn_timings_between(&before, &now);
    assert_true(t.frames == 1 && t.upload == 2 && t.uploaded == 50);
    assert_true(t.stage[0] > 0.249 && t.stage[0] < 0.251);
    /* nothing was timed in between: by the mean of all */
    struct rn_timings later = now;
    later.frames = 13;
    later.stage[0] = (1.0 + 0.25) * 13 / 2;
    t = rn_timings_between(&now, &later);
    assert_true(t.stage[0] > 2.499 && t.stage[0] < 2.501);
    t = rn_timings_between(&none, &now);
    assert_true(t.frames == 9 && t.stage[0] == now.stage[0]);
    t = rn_timings_between(&none, &none);
    assert_true(t.frames == 0 && t.stage[0] == 0);
}

/* A filter that refuses a format ends the whole table. */
TEST(every_chain_takes_every_format)
{
    const char *text;
    for (int i = 0; (text = rn_filtertime_chain(i)) != NULL; i++) {
        OWNED(rn_chain_destroy) struct rn_chain *chain = unit_chain(text);
        for (const char *const *format = rn_filtertime_formats; *format; format++) {
            struct rn_analysis analysis;
            struct rn_geom geom = rn_synthetic_geom(*format, 1280, 720);
            if (rn_chain_check(chain, &geom, &analysis))
                fail_msg("%s does not take %s", text, *format);
        }
    }
}

GROUP(.quiet = true);
