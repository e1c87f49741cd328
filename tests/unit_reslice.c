/* SPDX-License-Identifier: MIT */
/* Planes across a stack, sample by sample against a plain look into the slices; and those that a
 * sweep brings through a chain. */
#include "tests/unit.h"

#include "app/play/stacks/stacks.h"
#include "filters/base/sample.h"

enum { W = 7, H = 5, N = 4 };

static const struct rn_format formats[] = {
    {.model = RN_GRAY, .depth = 8},
    {.model = RN_GRAY, .depth = 12},
    {.model = RN_GRAY, .depth = 16, .number = RN_NUMBER_SIGNED},
    {.model = RN_GRAY, .depth = 32, .number = RN_NUMBER_FLOAT},
    {.model = RN_GRAY, .depth = 32, .number = RN_NUMBER_FLOAT, .complex = true},
    {.model = RN_RGB, .depth = 16},
    {.model = RN_YUV, .depth = 8, .sub_x = 1, .sub_y = 1, .alpha = true},
    {.model = RN_YUV, .depth = 10, .sub_x = 1},
};

static struct rn_geom geom_of(const struct rn_format *fmt)
{
    return (struct rn_geom){RN_SIZED(struct rn_geom), .fmt = *fmt, .w = W,   .h = H,
                            .full_range = true,       .low = -5,   .high = 5};
}

/* Every sample of every slice is another one. */
static float value(int side, int p, int x, int y, int slice)
{
    return (float)(1 + (side * 97 + p * 53 + x + y * W + slice * 29) % 250);
}

static void make_slice(struct rn_image *img, const struct rn_geom *geom, int side, int slice)
{
    assert_int_equal(rn_image_alloc(img, geom), 0);
    for (int p = 0; p < rn_format_planes(&geom->fmt); p++)
        for (int y = 0; y < img->plane[p].h; y++)
            for (int x = 0; x < img->plane[p].w; x++)
                rn_sample_put(&img->plane[p], rn_format_sample(&geom->fmt), x, y,
                              value(side, p, x, y, slice));
}

static void put(struct rn_play_reslice *r, int slice)
{
    struct rn_image img[2] = {{.plane = {{0}}}};
    for (int side = 0; side < 2; side++)
        make_slice(&img[side], &r->geom[side], side, slice);
    assert_int_equal(rn_play_reslice_put(r, slice, &img[0], &img[1]), 0);
    rn_image_free(&img[0]);
    rn_image_free(&img[1]);
}

/* What is to be seen in plane p at pixel x, y of slice k. */
static float wanted(const struct rn_geom *geom, int side, int p, int x, int y, int slice)
{
    int w, h;
    rn_geom_plane_size(geom, p, &w, &h);
    return value(side, p, w < W ? x >> geom->fmt.sub_x : x, h < H ? y >> geom->fmt.sub_y : y,
                 slice);
}

static float black(const struct rn_geom *geom, int p)
{
    bool chroma = geom->fmt.model == RN_YUV && (p == 1 || p == 2);
    return chroma ? rn_geom_middle(geom) : rn_geom_black(geom);
}

/* has: a bit for each slice that is there. */
static void expect_planes(const struct rn_play_reslice *r, int x, int y, unsigned has)
{
    for (int i = 0; i < 4; i++) {
        int across = i / 2, side = i % 2;
        const struct rn_geom *geom = &r->geom[side];
        const struct rn_image *plane = &r->plane[across][side];
        int n = across == RN_ACROSS_ROWS ? W : H;
        assert_int_equal(plane->geom.w, n);
        assert_int_equal(plane->geom.h, N);
        for (int p = 0; p < rn_format_planes(&geom->fmt); p++) {
            for (int at = 0; at < n * N; at++) {
                int px = across == RN_ACROSS_ROWS ? at % n : x, slice = at / n;
                int py = across == RN_ACROSS_ROWS ? y : at % n;
                float got =
                    rn_sample_get(&plane->plane[p], rn_format_sample(&geom->fmt), at % n, slice);
                float want =
                    has >> slice & 1 ? wanted(geom, side, p, px, py, slice) : black(geom, p);
                assert_true(got == want);
            }
        }
    }
}

TEST(planes)
{
    for (size_t f = 0; f < 2 * COUNT(formats); f++) {
        OWNED(rn_play_reslice_free) struct rn_play_reslice r = {.n = 0};
        /* Another format behind the chain; slices are kept, or not. */
        size_t i = f / 2;
        struct rn_geom in = geom_of(&formats[i]), out = geom_of(&formats[i ? i - 1 : 0]);
        bool keeps = f % 2;
        rn_play_reslice_aim(&r, 3, 2);
        assert_int_equal(rn_play_reslice_begin(&r, &out, &in, N, keeps ? 1 << 20 : 0), 0);
        expect_planes(&r, 3, 2, 0);
        put(&r, 2);
        put(&r, 0);
        assert_int_equal(r.filled, 2);
        expect_planes(&r, 3, 2, 5);
        assert_true(rn_play_reslice_aim(&r, 3, 2)); /* nothing is other */
        assert_true(rn_play_reslice_aim(&r, W - 1, 0) == keeps);
        expect_planes(&r, W - 1, 0, keeps ? 5 : 0);
        for (int k = 0; k < N; k++)
            put(&r, k);
        put(&r, 1); /* twice is once */
        assert_int_equal(r.filled, N);
        expect_planes(&r, W - 1, 0, 15);
        assert_int_equal(rn_play_reslice_begin(&r, &out, &in, N, keeps ? 1 << 20 : 0), 0);
        assert_int_equal(r.filled, 0);
        expect_planes(&r, W - 1, 0, 0); /* empty, where it was */
    }
}

/* As many bytes as there are, and one less. */
TEST(bounded)
{
    OWNED(rn_play_reslice_free) struct rn_play_reslice r = {.n = 0};
    struct rn_geom geom = geom_of(&formats[1]);
    int64_t bytes = (int64_t)N * 2 * H * 64;
    assert_int_equal(rn_play_reslice_begin(&r, &geom, &geom, N, bytes), 0);
    assert_non_null(r.kept);
    rn_play_reslice_free(&r);
    assert_int_equal(rn_play_reslice_begin(&r, &geom, &geom, N, bytes - 1), 0);
    assert_null(r.kept);
    rn_log_set_level(RN_LOG_QUIET);
    assert_int_equal(rn_play_reslice_begin(&r, &geom, &geom, RN_MAX_SIDE + 1, bytes), RN_EUSAGE);
}
