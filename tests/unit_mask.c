/* SPDX-License-Identifier: MIT */
/* The filtered picture as a mask over the source. */
#include "tests/unit.h"

#include "app/play/view/presentation.h"

#define MOST 8

static struct rn_geom gray(int depth, enum rn_number number, bool scan)
{
    return (struct rn_geom){RN_SIZED(struct rn_geom),
                            .fmt = {.model = RN_GRAY, .depth = depth, .number = number},
                            .w = MOST,
                            .h = 1,
                            .full_range = true,
                            .low = -1,
                            .high = 1,
                            .scan = scan};
}

/* data: MOST samples; want: as many of '0' and '1'. */
static void expect_row(struct rn_geom geom, const void *data, const char *want)
{
    uint8_t set[MOST];
    OWNED(rn_image_free) struct rn_image img = unit_image(&geom);
    memcpy(img.plane[0].data, data, (size_t)(MOST * rn_format_bytes(&geom.fmt)));
    rn_play_mask_row(&img, 0, MOST, set);
    for (int i = 0; i < MOST; i++)
        assert_int_equal(set[i], want[i] - '0');
}

TEST(what_is_in)
{
    const uint8_t bytes[MOST] = {0, 1, 16, 127, 128, 129, 254, 255};
    const uint16_t deep[MOST] = {0, 1, 511, 512, 1000, 1023};
    const int16_t whole[MOST] = {-32768, -32767, -1, 0, 1, 32767};
    const float real[MOST] = {-1, -2, 0, 0.5f, NAN, INFINITY, -INFINITY, -0.0f};
    expect_row(gray(8, RN_NUMBER_UNSIGNED, false), bytes, "00001111");
    expect_row(gray(8, RN_NUMBER_UNSIGNED, true), bytes, "01111111");
    expect_row(gray(10, RN_NUMBER_UNSIGNED, false), deep, "00011100");
    expect_row(gray(10, RN_NUMBER_UNSIGNED, true), deep, "01111100");
    expect_row(gray(16, RN_NUMBER_SIGNED, true), whole, "01101100");
    expect_row(gray(32, RN_NUMBER_FLOAT, true), real, "01010110");
    expect_row(gray(32, RN_NUMBER_FLOAT, false), real, "00010100");
}

TEST(any_colour)
{
    uint8_t set[MOST];
    struct rn_geom g = gray(8, RN_NUMBER_UNSIGNED, false);
    g.fmt.model = RN_RGB;
    OWNED(rn_image_free) struct rn_image img = unit_image(&g);
    for (int p = 0; p < 3; p++)
        img.plane[p].data[2 * p] = 200;
    rn_play_mask_row(&img, 0, MOST, set);
    for (int i = 0; i < MOST; i++)
        assert_int_equal(set[i], i % 2 == 0 && i < 6);
}

TEST(steps)
{
    struct rn_play_mask mask = {0};
    assert_int_equal(rn_play_mask_change(&mask, 0), 50);
    assert_int_equal(rn_play_mask_change(&mask, 2), 70);
    assert_int_equal(rn_play_mask_change(&mask, 9), 100);
    assert_int_equal(rn_play_mask_change(&mask, -1), 90);
    assert_int_equal(rn_play_mask_change(&mask, -99), 10);
}

/* A picture of 3 x 2, turned clockwise: what was on the left is at the top. */
TEST(over_the_source)
{
    struct rn_play_mask mask = {.on = true};
    OWNED(rn_play_mask_view_free) struct rn_play_mask_view view = {0};
    struct rn_screen screen;
    struct rn_geom g = gray(8, RN_NUMBER_UNSIGNED, false),
                   deep = gray(16, RN_NUMBER_UNSIGNED, false);
    g.w = deep.w = 3;
    g.h = deep.h = 2;
    OWNED(rn_image_free) struct rn_image in = unit_image(&g), out = unit_image(&deep);
    memset(in.plane[0].data, 100, 3);
    memset(in.plane[0].data + in.plane[0].stride, 100, 3);
    rn_plane_put(&out.plane[0], 2, 0, 1, 65535); /* bottom left: top left then */
    rn_play_mask_change(&mask, -2);              /* 30 % */
    struct rn_pix_viewing viewing = {.orient = {0, 1, -1, 0}};
    const double window[] = {0, 255};
    assert_true(rn_play_mask_fits(&g, &deep));
    assert_int_equal(rn_play_mask_show(&mask, &view, &in, &out, &viewing, window, &screen), 0);
    assert_int_equal(screen.w, 2);
    assert_int_equal(screen.h, 3);
    for (int i = 0; i < 6; i++) {
        const uint8_t *pixel = screen.pixels + i / 2 * screen.stride + i % 2 * 4;
        const uint8_t red[] = {84, 84, 147}; /* 0.7 * 100 + 0.3 * (48, 48, 255), rounded */
        for (int c = 0; c < 3; c++)
            assert_int_equal(pixel[c], i ? 100 : red[c]);
    }
    deep.w = 2;
    assert_false(rn_play_mask_fits(&g, &deep));
}
