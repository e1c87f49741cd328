/* SPDX-License-Identifier: MIT */
/* High dynamic range on the screen, against a reference in double precision that is written here
 * from the texts of ITU-R BT.2100, BT.2390 (EETF) and BT.2087, with their own constants. */
#include "tests/shown.h"

/* ---- reference */

static const double m1 = 0.1593017578125, m2 = 78.84375;
static const double c1 = 0.8359375, c2 = 18.8515625, c3 = 18.6875;

static double eotf(double e)
{
    double p = pow(e, 1 / m2);
    return 10000 * pow(fmax(p - c1, 0) / (c2 - c3 * p), 1 / m1);
}

static double inverse_eotf(double fd)
{
    double y = pow(fd / 10000, m1);
    return pow((c1 + c2 * y) / (1 + c3 * y), m2);
}

static double hermite(double e1, double ks, double max)
{
    double t = (e1 - ks) / (1 - ks);
    return (2 * t * t * t - 3 * t * t + 1) * ks + (t * t * t - 2 * t * t + t) * (1 - ks) +
           (-2 * t * t * t + 3 * t * t) * max;
}

/* cd/m2 -> cd/m2 */
static double eetf(double light, double peak)
{
    double lw = inverse_eotf(peak), max = inverse_eotf(100) / lw, ks = 1.5 * max - 0.5;
    double e1 = fmin(inverse_eotf(light) / lw, 1);
    return eotf((e1 < ks || ks >= 1 ? e1 : hermite(e1, ks, max)) * lw);
}

static double inverse_oetf_hlg(double e)
{
    const double a = 0.17883277, b = 0.28466892, c = 0.55991073;
    return e <= 0.5 ? e * e / 3 : (exp((e - c) / a) + b) / 12;
}

static const double to_bt709[3][3] = {{1.660491, -0.587641, -0.072850},
                                      {-0.124550, 1.132900, -0.008349},
                                      {-0.018151, -0.100579, 1.118730}};

/* R'G'B' of 0..1 in BT.2020 -> levels of 8 bits in BT.709, by BT.1886 and BT.2407, 2. */
static void clipped(double v[3])
{
    double light[3];
    for (int c = 0; c < 3; c++)
        light[c] = pow(v[c], 2.4);
    for (int c = 0; c < 3; c++) {
        double sum = 0;
        for (int k = 0; k < 3; k++)
            sum += to_bt709[c][k] * light[k];
        v[c] = 255 * pow(fmin(fmax(sum, 0), 1), 1 / 2.4);
    }
}

/* R'G'B' of 0..1 in BT.2020 -> levels of 8 bits in BT.709. */
static void reference(double v[3], bool hlg, double peak)
{
    double light[3], out[3], share = 1;
    for (int c = 0; c < 3; c++) {
        v[c] = fmin(fmax(v[c], 0), 1);
        light[c] = hlg ? inverse_oetf_hlg(v[c]) : eotf(v[c]);
    }
    double ys = 0.2627 * light[0] + 0.6780 * light[1] + 0.0593 * light[2];
    for (int c = 0; c < 3; c++)
        light[c] = eetf(hlg ? 1000 * pow(ys, 0.2) * light[c] : light[c], peak) / 100;
    for (int c = 0; c < 3; c++)
        out[c] = to_bt709[c][0] * light[0] + to_bt709[c][1] * light[1] + to_bt709[c][2] * light[2];
    double y = 0.2126 * out[0] + 0.7152 * out[1] + 0.0722 * out[2];
    for (int c = 0; c < 3; c++) {
        if (out[c] > 1)
            share = fmin(share, fmax(1 - y, 0) / (out[c] - y));
        if (out[c] < 0)
            share = fmin(share, y / (y - out[c]));
    }
    for (int c = 0; c < 3; c++)
        v[c] = 255 * pow(fmin(fmax(y + share * (out[c] - y), 0), 1), 1 / 2.4);
}

/* ---- pictures */

enum { SIDE = 129 };

/* All grays in the first rows, dark colours in the next, then all colours. */
static void paint_chart(struct rn_image *img)
{
    struct rng rng = rng_seed(5);
    int max = rn_format_max(&img->geom.fmt);
    for (int i = 0; i < SIDE * SIDE; i++)
        for (int p = 0, gray = i % (max + 1); p < 3; p++) {
            int v = i < 8 * SIDE ? gray : rng_below(&rng, i < 40 * SIDE ? max / 8 : max + 1);
            rn_plane_put(&img->plane[p], rn_format_bytes(&img->geom.fmt), i % SIDE, i / SIDE, v);
        }
}

static double worst_of(enum rn_pix_transfer transfer, double peak, const char *format)
{
    struct rn_pix_viewing viewing = RN_VIEWING_PLAIN;
    struct rn_geom geom = geometry(format, SIDE, SIDE);
    double worst = 0;
    viewing.transfer = transfer;
    viewing.primaries = RN_PRIMARIES_BT2020;
    viewing.peak = peak;
    OWNED(rn_image_free) struct rn_image img = unit_image(&geom);
    paint_chart(&img);
    struct rn_screen screen = shown(&img, &viewing);
    for (int i = 0; i < SIDE * SIDE; i++) {
        int x = i % SIDE, y = i / SIDE;
        const uint8_t *pixel = screen.pixels + y * screen.stride + 4 * x;
        double v[3];
        for (int c = 0; c < 3; c++) /* our planes are G B R */
            v[c] = rn_plane_get(&img.plane[(c + 2) % 3], rn_format_bytes(&geom.fmt), x, y) /
                   (double)rn_format_max(&geom.fmt);
        if (transfer == RN_TRANSFER_SDR)
            clipped(v);
        else
            reference(v, transfer == RN_TRANSFER_HLG, peak);
        for (int c = 0; c < 3; c++)
            worst = fmax(worst, fabs(v[c] - pixel[2 - c]));
    }
    return worst;
}

TEST(screen_follows_the_reference)
{
    static const struct {
        enum rn_pix_transfer transfer;
        double peak;
    } cases[] = {{RN_TRANSFER_PQ, 1000}, {RN_TRANSFER_PQ, 4000}, {RN_TRANSFER_PQ, 10000},
                 {RN_TRANSFER_PQ, 203},  {RN_TRANSFER_PQ, 100},  {RN_TRANSFER_HLG, 1000}};
    for (int i = 0; i < COUNT(cases); i++) {
        double worst = worst_of(cases[i].transfer, cases[i].peak, "gbrp10");
        print_message("# transfer %d, peak %.0f: %.2f levels\n", cases[i].transfer, cases[i].peak,
                      worst);
        assert_true(worst < 2);
    }
}

TEST(other_primaries_are_clipped)
{
    double of_8 = worst_of(RN_TRANSFER_SDR, 100, "gbrp");
    double of_10 = worst_of(RN_TRANSFER_SDR, 100, "gbrp10");
    print_message("# 8 bits: %.3f levels, 10 bits, dithered: %.3f\n", of_8, of_10);
    assert_true(of_8 < 0.6);
    assert_true(of_10 < 1);
}

/* R, G and B in 0..1 of one pixel -> what the screen gets. */
static void show_one(const struct rn_pix_viewing *viewing, const double rgb[3], int levels[3])
{
    struct rn_geom geom = geometry("gbrp16", 1, 1);
    OWNED(rn_image_free) struct rn_image img = unit_image(&geom);
    for (int c = 0; c < 3; c++)
        rn_plane_put(&img.plane[(c + 2) % 3], 2, 0, 0, (int)lrint(65535 * rgb[c]));
    struct rn_screen screen = shown(&img, viewing);
    for (int c = 0; c < 3; c++)
        levels[c] = screen.pixels[2 - c];
}

/* Black is black, the peak and beyond white, gray gray; primaries of BT.709 stay where they are. */
TEST(landmarks)
{
    static const double signals[][3] = {
        {0, 0, 0}, {0.7518, 0.7518, 0.7518}, {1, 1, 1}, {0.7518, 0, 0}};
    static const int wanted[][3] = {{0, 0, 0}, {255, 255, 255}, {255, 255, 255}, {255, 0, 0}};
    struct rn_pix_viewing viewing = {
        .orient = RN_UPRIGHT, .transfer = RN_TRANSFER_PQ, .peak = 1000};
    int levels[3];
    for (int p = RN_PRIMARIES_BT709; p <= RN_PRIMARIES_P3; p++) {
        viewing.primaries = (enum rn_pix_primaries)p;
        for (int i = 0; i < (p == RN_PRIMARIES_BT709 ? 4 : 3); i++) {
            show_one(&viewing, signals[i], levels);
            for (int c = 0; c < 3; c++)
                assert_in_range(levels[c] + 1, wanted[i][c], wanted[i][c] + 2);
        }
    }
    show_one(&viewing, (double[]){0.4, 0.4, 0.4}, levels);
    assert_int_equal(levels[0], levels[1]);
    assert_int_equal(levels[1], levels[2]);
}
