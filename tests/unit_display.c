/* SPDX-License-Identifier: MIT */
/* What the screen gets: charts of colours in every matrix, range and depth, against R'G'B' that is
 * computed here, in double precision, from the equations of ITU-R BT.601, BT.709 and BT.2020. */
#include "tests/shown.h"

enum { W = 131, H = 21 }; /* odd, and no whole number of blocks */

/* How a picture is shown. */
struct how {
    struct rn_pix_siting siting;
    bool by_field;
    enum rn_pix_lines_shown lines;
};

static const struct how usual = {.siting = {RN_SITE_FIRST, RN_SITE_BETWEEN}};

/* Where sample i of chroma lies among luma. */
static double place_of(int i, enum rn_pix_site site)
{
    return 2 * i + (site == RN_SITE_FIRST ? 0 : site == RN_SITE_BETWEEN ? 0.5 : 1);
}

/* The sample before place x of luma along one side of n samples of chroma; what the next counts. */
static int before_of(int x, int n, enum rn_pix_site site, double *next)
{
    int i = 0;
    *next = 0;
    if (x <= place_of(0, site))
        return 0;
    while (i < n - 1 && place_of(i + 1, site) <= x)
        i++;
    if (i < n - 1)
        *next = (x - place_of(i, site)) / 2;
    return i;
}

/* Chroma at a pixel, interpolated linearly between four samples. */
static double chroma_at(const struct rn_image *img, int p, int x, int y, const struct how *how)
{
    const struct rn_format *fmt = &img->geom.fmt;
    const struct rn_plane *plane = &img->plane[p];
    enum rn_sample sample = rn_format_sample(fmt);
    int step = how->by_field && fmt->sub_y && img->geom.h % 4 == 0 ? 2 : 1, field = y % step;
    double right = 0, below = 0;
    int cx = fmt->sub_x ? before_of(x, plane->w, how->siting.x, &right) : x;
    int cy = fmt->sub_y ? before_of(y / step, plane->h / step, how->siting.y, &below) : y;
    double v[2][2];
    for (int i = 0; i < 4; i++) {
        int sx = cx + (i % 2 && right > 0), sy = (cy + (i / 2 && below > 0)) * step + field;
        v[i / 2][i % 2] = (double)rn_sample_get(plane, sample, sx, sy);
    }
    return (1 - below) * ((1 - right) * v[0][0] + right * v[0][1]) +
           below * ((1 - right) * v[1][0] + right * v[1][1]);
}

/* E'R, E'G, E'B of a pixel in levels of 8 bits, not limited. */
static void expected(const struct rn_image *img, int x, int y, const struct how *how, double rgb[3])
{
    static const double kr[] = {0.299, 0.2126, 0.2627}, kb[] = {0.114, 0.0722, 0.0593};
    const struct rn_geom *g = &img->geom;
    enum rn_sample sample = rn_format_sample(&g->fmt);
    double v[3], unit = exp2(g->fmt.depth - 8), max = exp2(g->fmt.depth) - 1;
    for (int p = 0; p < 3; p++) {
        bool chroma = g->fmt.model == RN_YUV && p;
        const struct rn_plane *plane = &img->plane[g->fmt.model == RN_GRAY ? 0 : p];
        v[p] = chroma ? chroma_at(img, p, x, y, how) : (double)rn_sample_get(plane, sample, x, y);
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

/* The same of a line that may be another field's. */
static void expected_line(const struct rn_image *img, int x, int y, const struct how *how,
                          double rgb[3])
{
    double next[3];
    int h = img->geom.h;
    if (how->lines == RN_SHOW_ALL || y % 2 == (how->lines == RN_SHOW_ODD)) {
        expected(img, x, y, how, rgb);
        return;
    }
    expected(img, x, y ? y - 1 : y + 1, how, rgb);
    expected(img, x, y + 1 < h ? y + 1 : y - 1, how, next);
    for (int c = 0; c < 3; c++)
        rgb[c] = (rgb[c] + next[c]) / 2;
}

/* The largest difference of what is shown from what is to be. */
static double worst_of(const struct rn_image *img, const struct rn_screen *screen,
                       const struct how *how)
{
    double worst = 0;
    for (int y = 0; y < img->geom.h; y++) {
        for (int x = 0; x < img->geom.w; x++) {
            const uint8_t *pixel = screen->pixels + (ptrdiff_t)y * screen->stride + x * 4;
            double rgb[3];
            expected_line(img, x, y, how, rgb);
            for (int c = 0; c < 3; c++)
                worst = fmax(worst, fabs(fmin(fmax(rgb[c], 0), 255) - pixel[2 - c]));
        }
    }
    return worst;
}

static double worst_shown(const struct rn_geom *geom, const struct how *how, int pictures)
{
    struct rn_pix_viewing viewing = RN_VIEWING_PLAIN;
    OWNED(rn_pix_display_destroy) struct rn_pix_display *display;
    struct rn_screen screen;
    double worst = 0;
    viewing.siting = how->siting;
    OWNED(rn_image_free) struct rn_image img = unit_image(geom);
    assert_int_equal(rn_pix_display_create(&display, geom, &viewing), 0);
    for (int n = 0; n < pictures; n++) {
        paint(&img, n);
        rn_pix_display_fields(display, how->by_field, how->lines);
        rn_pix_display_show(display, &img, &screen);
        worst = fmax(worst, worst_of(&img, &screen, how));
    }
    return worst;
}

/* Of every size around a block; large ones are shared out to threads. */
TEST(chroma_wherever_it_lies)
{
    static const char *const formats[] = {"yuv420p", "yuv422p", "yuv420p10"};
    static const int sizes[][2] = {{1, 1},   {2, 2},   {3, 4},    {255, 3},   {256, 4},
                                   {257, 5}, {511, 8}, {513, 12}, {515, 2100}};
    for (int i = 0; i < 3 * 9 * 18; i++) {
        struct rn_geom geom = geometry(formats[i / 162], sizes[i % 9][0], sizes[i % 9][1]);
        struct how how = {.siting = {(enum rn_pix_site)(i / 9 % 3), (enum rn_pix_site)(i / 27 % 3)},
                          .by_field = i / 81 % 2};
        if (i % 9 == 8 && (i / 9 % 9 != 3 || i >= 162))
            continue; /* once of frames and once of fields is enough */
        geom.full_range = false;
        double worst = worst_shown(&geom, &how, 1);
        if (worst > (geom.fmt.depth > 8 ? 0.999 : 0.501))
            fail_msg("%s of %d x %d, %d across, %d down, %s: off by %.3f", formats[i / 162], geom.w,
                     geom.h, (int)how.siting.x, (int)how.siting.y,
                     how.by_field ? "fields" : "frames", worst);
    }
}

/* The other field's lines are the mean of those beside them, and nothing of it is seen. */
TEST(one_field)
{
    static const char *const formats[] = {"yuv420p", "yuv444p", "gray", "gbrp"};
    for (int i = 0; i < 4 * 2 * 6; i++) {
        struct rn_geom geom = geometry(formats[i / 12], 67, (int[]){1, 2, 3, 4, 8, 21}[i % 6]);
        struct how how = usual;
        how.by_field = true;
        how.lines = i / 6 % 2 && geom.h > 1 ? RN_SHOW_ODD : RN_SHOW_EVEN;
        double worst = worst_shown(&geom, &how, 2);
        if (worst > 0.501)
            fail_msg("%s, %d lines, field %d: off by %.3f", formats[i / 12], geom.h, how.lines,
                     worst);
    }
}

TEST(charts_of_every_matrix_range_and_depth)
{
    static const char *const formats[] = {"yuv420p", "yuv422p", "yuv444p", "gbrp", "gray"};
    static const int depths[] = {8, 10, 12, 16};
    for (int f = 0; f < 5; f++) {
        for (int i = 0; i < 24; i++) {
            struct rn_geom geom = geometry(formats[f], W, H);
            geom.fmt.depth = depths[i / 6];
            geom.matrix = (enum rn_colour_matrix)(i % 3);
            geom.full_range = i / 3 % 2 || geom.fmt.model == RN_RGB;
            double worst = worst_shown(&geom, &usual, 8);
            if (worst > (geom.fmt.depth > 8 ? 0.999 : 0.501)) /* deep ones are dithered */
                fail_msg("%s of %d bit, matrix %d, %s range: off by %.3f", formats[f],
                         geom.fmt.depth, i % 3, geom.full_range ? "full" : "limited", worst);
        }
    }
}

TEST(numbers_between_black_and_white)
{
    static const char *const formats[] = {"grays16", "gbrps16", "grayf32", "gbrpf32"};
    for (int f = 0; f < 4; f++) {
        struct rn_geom geom = geometry(formats[f], W, H);
        geom.low = -100;
        geom.high = 900;
        double worst = worst_shown(&geom, &usual, 8);
        if (worst > 0.999)
            fail_msg("%s: off by %.3f", formats[f], worst);
    }
}

TEST(what_is_no_number_is_black)
{
    static const float values[] = {NAN, -NAN, INFINITY, -INFINITY, -1, 0, 1, 2};
    static const int levels[] = {0, 0, 255, 0, 0, 0, 255, 255};
    struct rn_geom geom = geometry("grayf32", 8, 1);
    geom.high = 1;
    OWNED(rn_image_free) struct rn_image img = unit_image(&geom);
    memcpy(img.plane[0].data, values, sizeof values);
    struct rn_screen screen = shown(&img, &RN_VIEWING_PLAIN);
    for (int x = 0; x < 8; x++)
        assert_int_equal(screen.pixels[4 * x], levels[x]);
}

static struct rn_screen show_flat(const char *format, int sample)
{
    struct rn_geom geom = geometry(format, 72, 16);
    OWNED(rn_image_free) struct rn_image img = unit_image(&geom);
    for (int i = 0; i < 72 * 16; i++)
        rn_plane_put(&img.plane[0], rn_format_bytes(&geom.fmt), i % 72, i / 72, sample);
    return shown(&img, &RN_VIEWING_PLAIN);
}

/* The mean of every 8 x 8 pixels, wherever they begin, is the value to a 64th of a level; no pixel
 * is a whole level away. What is a level is flat, at every depth. */
TEST(deep_samples_are_dithered)
{
    for (int v = 0; v <= 65535; v += v < 600 ? 7 : 1111) {
        struct rn_screen s = show_flat("gray16", v);
        double want = v / 257.0;
        for (int at = 0; at < 9 * 9; at++) {
            int sum = 0;
            for (int i = 0; i < 64; i++) {
                int level = s.pixels[(at / 9 + i / 8) * s.stride + 4 * (at % 9 + 56 + i % 8)];
                assert_true(fabs(level - want) < 1);
                sum += level;
            }
            assert_true(fabs(sum / 64.0 - want) <= 1 / 64.0);
        }
    }
    for (int v = 0; v < 256; v++) {
        struct rn_screen deep = show_flat("gray16", 257 * v);
        for (int i = 0; i < 72 * 16; i++)
            assert_int_equal(deep.pixels[i / 72 * deep.stride + 4 * (i % 72)], v);
    }
}

/* Where the pixel at (x, y) of a picture of 3 x 2, counted row by row, comes to lie, for the eight
 * ways; two ways that take it to the same place by other arithmetic would differ at another one. */
TEST(turned_and_mirrored)
{
    static const struct {
        struct rn_pix_orient orient;
        const char *rows;
    } ways[] = {
        {{1, 0, 0, 1}, "012 345"},   {{0, 1, -1, 0}, "30 41 52"},  {{-1, 0, 0, -1}, "543 210"},
        {{0, -1, 1, 0}, "25 14 03"}, {{-1, 0, 0, 1}, "210 543"},   {{1, 0, 0, -1}, "345 012"},
        {{0, 1, 1, 0}, "03 14 25"},  {{0, -1, -1, 0}, "52 41 30"},
    };
    struct rn_geom geom = geometry("gray", 3, 2);
    OWNED(rn_image_free) struct rn_image img = unit_image(&geom);
    for (int i = 0; i < 6; i++)
        rn_plane_put(&img.plane[0], 1, i % 3, i / 3, '0' + i);
    for (int i = 0; i < 8; i++) {
        struct rn_pix_viewing viewing = {.orient = ways[i].orient};
        char rows[16] = "";
        size_t n = 0;
        struct rn_screen screen = shown(&img, &viewing);
        for (int y = 0; y < screen.h; y++, rows[n++] = ' ')
            for (int x = 0; x < screen.w; x++)
                rows[n++] = (char)screen.pixels[y * screen.stride + 4 * x];
        rows[n - 1] = '\0';
        assert_string_equal(rows, ways[i].rows);
    }
}

TEST(reduced)
{
    static const struct {
        const char *format;
        int by;
    } cases[] = {{"yuv420p", 2}, {"yuv420p10", 3}, {"gbrp", 5}, {"gray16", 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct rn_geom geom = geometry(cases[i].format, 2 * W + 1, H);
        const int by = cases[i].by;
        OWNED(rn_image_free) struct rn_image img = unit_image(&geom);
        for (int p = 0; p < rn_format_planes(&geom.fmt); p++)
            for (int k = 0; k < img.plane[p].w * img.plane[p].h; k++)
                rn_plane_put(&img.plane[p], rn_format_bytes(&geom.fmt), k % img.plane[p].w,
                             k / img.plane[p].w,
                             (int)((unsigned)k * 2654435761U >> (32 - geom.fmt.depth)));
        enum rn_sample sample = rn_format_sample(&geom.fmt);
        geom.w = (geom.w + by - 1) / by;
        geom.h = (geom.h + by - 1) / by;
        OWNED(rn_image_free) struct rn_image means = unit_image(&geom);
        for (int p = 0; p < rn_format_planes(&geom.fmt); p++)
            for (int k = 0; k < means.plane[p].w * means.plane[p].h; k++) {
                int x = k % means.plane[p].w, y = k / means.plane[p].w, n = 0;
                const struct rn_plane *from = &img.plane[p];
                double sum = 0;
                for (int v = y * by; v < (y + 1) * by && v < from->h; v++)
                    for (int u = x * by; u < (x + 1) * by && u < from->w; u++, n++)
                        sum += (double)rn_sample_get(from, sample, u, v);
                rn_plane_put(&means.plane[p], rn_format_bytes(&geom.fmt), x, y,
                             (int)floor(sum / n + 0.5));
            }
        struct rn_screen want = shown(&means, &RN_VIEWING_PLAIN), got;
        OWNED(rn_pix_display_destroy) struct rn_pix_display *display = NULL;
        assert_int_equal(rn_pix_display_create(&display, &img.geom, &RN_VIEWING_PLAIN), 0);
        rn_pix_display_reduce(display, by);
        rn_pix_display_show(display, &img, &got);
        assert_int_equal(got.whole_w, img.geom.w);
        for (int y = 0; y < want.h; y++)
            assert_memory_equal(got.pixels + y * got.stride, want.pixels + y * want.stride,
                                4 * (size_t)want.w);
    }
}
