/* What the screen gets: charts of colours in every matrix, range and depth, against R'G'B' that is
 * computed here, in double precision, from the equations of ITU-R BT.601, BT.709 and BT.2020. */
#include "tests/unit.h"

#include "io/pixels/display.h"
#include "tests/pictures.h"

#include <math.h>

enum { W = 131, H = 21 }; /* odd, and no whole number of blocks */

/* E'R, E'G, E'B of a pixel in levels of 8 bits, not limited. */
static void expected(const struct rn_image *img, int x, int y, double rgb[3])
{
    static const double kr[] = {0.299, 0.2126, 0.2627}, kb[] = {0.114, 0.0722, 0.0593};
    const struct rn_geom *g = &img->geom;
    enum rn_sample sample = rn_format_sample(&g->fmt);
    double v[3], unit = exp2(g->fmt.depth - 8), max = exp2(g->fmt.depth) - 1;
    for (int p = 0; p < 3; p++) {
        bool chroma = g->fmt.model == RN_YUV && p;
        const struct rn_plane *plane = &img->plane[g->fmt.model == RN_GRAY ? 0 : p];
        v[p] = (double)rn_sample_get(plane, sample, chroma ? x >> g->fmt.sub_x : x,
                                     chroma ? y >> g->fmt.sub_y : y);
        if (g->fmt.number != RN_NUMBER_UNSIGNED)
            v[p] = (v[p] - (double)rn_geom_black(g)) /
                   ((double)rn_geom_white(g) - (double)rn_geom_black(g));
        else if (chroma)
            v[p] = (v[p] - 128 * unit) / (g->full_range ? max : 224 * unit);
        else
            v[p] = g->full_range ? v[p] / max : (v[p] - 16 * unit) / (219 * unit);
    }
    double r = kr[g->matrix], b = kb[g->matrix];
    rgb[0] = g->fmt.model == RN_YUV ? v[0] + 2 * (1 - r) * v[2] : v[2];
    rgb[2] = g->fmt.model == RN_YUV ? v[0] + 2 * (1 - b) * v[1] : v[1];
    rgb[1] = g->fmt.model == RN_YUV ? (v[0] - r * rgb[0] - b * rgb[2]) / (1 - r - b) : v[0];
    for (int c = 0; c < 3; c++)
        rgb[c] *= 255;
}

/* The largest difference of what is shown from what is to be. */
static double worst_of(const struct rn_image *img, const struct rn_screen *screen)
{
    double worst = 0;
    assert_int_equal(screen->kind, RN_SCREEN_BGRX);
    for (int y = 0; y < img->geom.h; y++) {
        for (int x = 0; x < img->geom.w; x++) {
            const uint8_t *pixel = screen->data[0] + (ptrdiff_t)y * screen->stride[0] + x * 4;
            double rgb[3];
            expected(img, x, y, rgb);
            for (int c = 0; c < 3; c++)
                worst = fmax(worst, fabs(fmin(fmax(rgb[c], 0), 255) - pixel[2 - c]));
        }
    }
    return worst;
}

static double worst_shown(const struct rn_geom *geom)
{
    struct rn_image img;
    struct rn_display *display;
    struct rn_screen screen;
    double worst = 0;
    assert_int_equal(rn_image_alloc(&img, geom), 0);
    assert_int_equal(rn_display_create(&display, geom, &RN_VIEWING_PLAIN), 0);
    for (int n = 0; n < 8; n++) {
        paint(&img, n);
        rn_display_show(display, &img, &screen);
        worst = fmax(worst, worst_of(&img, &screen));
    }
    rn_display_destroy(&display);
    rn_image_free(&img);
    return worst;
}

static void test_charts_of_every_matrix_range_and_depth(void **state)
{
    static const char *const formats[] = {"yuv420p", "yuv422p", "yuv444p", "gbrp", "gray"};
    static const int depths[] = {8, 10, 12, 16};
    (void)state;
    for (int f = 0; f < 5; f++) {
        for (int i = 0; i < 24; i++) {
            struct rn_geom geom = geometry(formats[f], W, H);
            geom.fmt.depth = depths[i / 6];
            geom.matrix = (enum rn_colour_matrix)(i % 3);
            geom.full_range = i / 3 % 2 || geom.fmt.model == RN_RGB;
            double worst = worst_shown(&geom);
            if (worst > (geom.fmt.depth > 8 ? 0.999 : 0.501)) /* deep ones are dithered */
                fail_msg("%s of %d bit, matrix %d, %s range: off by %.3f", formats[f],
                         geom.fmt.depth, i % 3, geom.full_range ? "full" : "limited", worst);
        }
    }
}

static void test_numbers_between_black_and_white(void **state)
{
    static const char *const formats[] = {"grays16", "gbrps16", "grayf32", "gbrpf32"};
    (void)state;
    for (int f = 0; f < 4; f++) {
        struct rn_geom geom = geometry(formats[f], W, H);
        geom.low = -100;
        geom.high = 900;
        double worst = worst_shown(&geom);
        if (worst > 0.999)
            fail_msg("%s: off by %.3f", formats[f], worst);
    }
}

static void test_what_is_no_number_is_black(void **state)
{
    static const float values[] = {NAN, -NAN, INFINITY, -INFINITY, -1, 0, 1, 2};
    static const int levels[] = {0, 0, 255, 0, 0, 0, 255, 255};
    struct rn_geom geom = geometry("grayf32", 8, 1);
    struct rn_image img;
    struct rn_display *display;
    struct rn_screen screen;
    (void)state;
    geom.high = 1;
    assert_int_equal(rn_image_alloc(&img, &geom), 0);
    assert_int_equal(rn_display_create(&display, &geom, &RN_VIEWING_PLAIN), 0);
    memcpy(img.plane[0].data, values, sizeof values);
    rn_display_show(display, &img, &screen);
    for (int x = 0; x < 8; x++)
        assert_int_equal(screen.data[0][4 * x], levels[x]);
    rn_display_destroy(&display);
    rn_image_free(&img);
}

static const struct rn_screen *show_flat(const char *format, int sample)
{
    static struct rn_display *display;
    static struct rn_screen screen;
    struct rn_geom geom = geometry(format, 72, 16);
    struct rn_image img;
    rn_display_destroy(&display);
    assert_int_equal(rn_image_alloc(&img, &geom), 0);
    for (int i = 0; i < 72 * 16; i++)
        rn_plane_put(&img.plane[0], rn_format_bytes(&geom.fmt), i % 72, i / 72, sample);
    assert_int_equal(rn_display_create(&display, &geom, &RN_VIEWING_PLAIN), 0);
    rn_display_show(display, &img, &screen);
    rn_image_free(&img);
    return &screen;
}

/* The mean of every 8 x 8 pixels, wherever they begin, is the value to a 64th of a level; no pixel
 * is a whole level away. What is a level is flat, at every depth. */
static void test_deep_samples_are_dithered(void **state)
{
    (void)state;
    for (int v = 0; v <= 65535; v += v < 600 ? 7 : 1111) {
        const struct rn_screen *s = show_flat("gray16", v);
        double want = v / 257.0;
        for (int at = 0; at < 9 * 9; at++) {
            int sum = 0;
            for (int i = 0; i < 64; i++) {
                int level = s->data[0][(at / 9 + i / 8) * s->stride[0] + 4 * (at % 9 + 56 + i % 8)];
                assert_true(fabs(level - want) < 1);
                sum += level;
            }
            assert_true(fabs(sum / 64.0 - want) <= 1 / 64.0);
        }
    }
    for (int v = 0; v < 256; v++) {
        const struct rn_screen *deep = show_flat("gray16", 257 * v);
        for (int i = 0; i < 72 * 16; i++)
            assert_int_equal(deep->data[0][i / 72 * deep->stride[0] + 4 * (i % 72)], v);
    }
}

/* Where the pixel at (x, y) of a picture of 3 x 2, counted row by row, comes to lie, for the eight
 * ways; two ways that take it to the same place by other arithmetic would differ at another one. */
static void test_turned_and_mirrored(void **state)
{
    static const struct {
        struct rn_orient orient;
        const char *rows;
    } ways[] = {
        {{1, 0, 0, 1}, "012 345"},   {{0, 1, -1, 0}, "30 41 52"},  {{-1, 0, 0, -1}, "543 210"},
        {{0, -1, 1, 0}, "25 14 03"}, {{-1, 0, 0, 1}, "210 543"},   {{1, 0, 0, -1}, "345 012"},
        {{0, 1, 1, 0}, "03 14 25"},  {{0, -1, -1, 0}, "52 41 30"},
    };
    struct rn_geom geom = geometry("gray", 3, 2);
    struct rn_image img;
    struct rn_display *display;
    struct rn_screen screen;
    (void)state;
    assert_int_equal(rn_image_alloc(&img, &geom), 0);
    for (int i = 0; i < 6; i++)
        rn_plane_put(&img.plane[0], 1, i % 3, i / 3, '0' + i);
    for (int i = 0; i < 8; i++) {
        struct rn_viewing viewing = {.orient = ways[i].orient, .yuv = true};
        char rows[16] = "";
        size_t n = 0;
        assert_int_equal(rn_display_create(&display, &geom, &viewing), 0);
        rn_display_show(display, &img, &screen);
        for (int y = 0; y < screen.h; y++, rows[n++] = ' ')
            for (int x = 0; x < screen.w; x++)
                rows[n++] = (char)screen.data[0][y * screen.stride[0] + 4 * x];
        rows[n - 1] = '\0';
        assert_string_equal(rows, ways[i].rows);
        rn_display_destroy(&display);
    }
    rn_image_free(&img);
}

/* Only what SDL has a mode for is left to it. */
static void test_what_is_left_to_the_screen(void **state)
{
    static const bool left[3][2] = {{true, true}, {true, false}, {false, false}};
    struct rn_viewing viewing = RN_VIEWING_PLAIN;
    struct rn_display *display;
    struct rn_screen screen;
    struct rn_image img;
    (void)state;
    viewing.yuv = true;
    for (int i = 0; i < 6; i++) {
        struct rn_geom geom = geometry("yuv420p", W, H);
        geom.matrix = (enum rn_colour_matrix)(i / 2);
        geom.full_range = i % 2;
        assert_int_equal(rn_image_alloc(&img, &geom), 0);
        assert_int_equal(rn_display_create(&display, &geom, &viewing), 0);
        rn_display_show(display, &img, &screen);
        assert_int_equal(screen.kind, left[i / 2][i % 2] ? RN_SCREEN_YUV420 : RN_SCREEN_BGRX);
        rn_display_destroy(&display);
        rn_image_free(&img);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_charts_of_every_matrix_range_and_depth),
        cmocka_unit_test(test_numbers_between_black_and_white),
        cmocka_unit_test(test_what_is_no_number_is_black),
        cmocka_unit_test(test_deep_samples_are_dithered),
        cmocka_unit_test(test_turned_and_mirrored),
        cmocka_unit_test(test_what_is_left_to_the_screen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
