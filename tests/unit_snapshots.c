/* SPDX-License-Identifier: MIT */
/* Snapshots: what they hold, and where flipping leads; and how two pictures are compared. */
#include "tests/unit.h"

#include "app/play/view/figures.h"
#include "app/play/edit/snapshots.h"

static struct rn_chain *of_radius(int radius)
{
    return unit_chain(formatted("erosion=radius=%d", radius));
}

static int radius_of(const struct rn_chain *chain)
{
    const struct rn_stage *s = rn_chain_stage(chain, 0);
    return rn_param_int(rn_param_find(s->table, "radius"), s->params);
}

static void expect_flip(struct rn_play_snapshots *s, const struct rn_chain *now, int radius,
                        bool back)
{
    bool found;
    const struct rn_chain *there = rn_play_snapshots_flip(s, now, &found);
    assert_int_equal(found, back);
    assert_int_equal(there ? radius_of(there) : 0, radius);
}

TEST(flipping)
{
    struct rn_play_snapshots s = {.recent = 0};
    struct rn_chain *two = of_radius(2), *three = of_radius(3), *four = of_radius(4);
    expect_flip(&s, three, 0, false); /* no snapshot */
    assert_null(rn_play_snapshots_store(&s, 1, of_radius(2)));
    expect_flip(&s, two, 0, true);    /* nothing to go back to */
    expect_flip(&s, three, 2, false); /* to it... */
    assert_int_equal(rn_play_snapshots_leave(&s, 1, three), 0);
    expect_flip(&s, two, 3, true);   /* ...and back */
    expect_flip(&s, four, 2, false); /* tuned on: to it again */
    assert_int_equal(rn_play_snapshots_leave(&s, 1, four), 0);
    expect_flip(&s, two, 4, true);
    assert_int_equal(rn_play_snapshots_leave(&s, 1, two), 0); /* gone to where one is: back stays */
    expect_flip(&s, two, 4, true);
    struct rn_chain *before = rn_play_snapshots_store(&s, 1, of_radius(7));
    assert_int_equal(radius_of(before), 2);
    expect_flip(&s, four, 7, false);
    rn_chain_destroy(&before);
    rn_chain_destroy(&two);
    rn_chain_destroy(&three);
    rn_chain_destroy(&four);
    rn_play_snapshots_clear(&s);
    assert_null(s.chain[1]);
}

static void expect_told(const struct rn_image *a, const struct rn_image *b, const char *want)
{
    struct rn_play_figures f;
    assert_int_equal(rn_play_figures_measure(&f, a, b, 1), 0);
    assert_string_equal(formatted("%d of %d, %g", (int)f.differing, (int)f.samples, f.all.max),
                        want);
}

/* In every type, where one sample of the last plane is another. */
TEST(pictures)
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
        struct rn_image b;
        assert_true(rn_format_parse(cases[i].format, &geom.fmt));
        struct rn_image a = unit_image(&geom);
        assert_int_equal(rn_image_alloc(&b, &geom), 0);
        expect_told(&a, &b, formatted("0 of %d, 0", (int)rn_geom_samples(&geom)));
        struct rn_plane *last = &b.plane[rn_format_planes(&geom.fmt) - 1];
        rn_sample_put(last, rn_format_sample(&geom.fmt), last->w - 1, last->h - 1, cases[i].value);
        expect_told(&a, &b, cases[i].want);
        rn_image_free(&a);
        rn_image_free(&b);
    }
}

GROUP(.quiet = true);
