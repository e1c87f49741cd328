/* SPDX-License-Identifier: MIT */
#include "io/pixels/display.h"

#include "filters/base/log.h"
#include "io/common/av.h"

#include <libavutil/intfloat.h>

#define BLOCK    RN_RGB_BLOCK
#define SCREEN   100.0  /* cd/m2 */
#define GAMMA    2.4    /* of the screen */
#define HLG_PEAK 1000.0 /* cd/m2, of the display that HLG is made for */

/* Tables of light have 2^8 entries for each doubling, which the upper bits of a float index; the
 * first entry is for all light up to 2^-32. Values between two entries are interpolated: near the
 * edge of the screen's gamut two colours that differ by a thousandth are a dozen levels apart. */
#define LOG_SHIFT (23 - 8)
#define LOG_MIN   0x2f800000
#define LOG_MAX   0x3f800000
#define LOG_SIZE  (((LOG_MAX - LOG_MIN) >> LOG_SHIFT) + 2)

#define CURVE_SIZE 8192 /* entries for signals from 0 to 1; one more follows */

/* Of light of R, G and B: its weights in the luminance and the matrix to light of BT.709, both from
 * the standards' chromaticities as SMPTE RP 177 says; white is D65 (0.3127, 0.3290). */
static const struct space {
    float luma[3], matrix[3][3];
} spaces[] = {
    [RN_PRIMARIES_BT709] = {{0.212639004f, 0.715168655f, 0.0721923187f},
                            {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
    [RN_PRIMARIES_BT2020] = {{0.2627002f, 0.677998066f, 0.0593017153f},
                             {{1.66049099f, -0.58764112f, -0.0728498623f},
                              {-0.124550477f, 1.13289988f, -0.00834942237f},
                              {-0.0181507636f, -0.100578897f, 1.11872971f}}},
    [RN_PRIMARIES_P3] = {{0.228974566f, 0.691738546f, 0.0792869106f},
                         {{1.22494018f, -0.224940181f, 0},
                          {-0.0420569554f, 1.04205692f, 0},
                          {-0.0196375549f, -0.0786360428f, 1.09827363f}}},
};

struct rn_pix_tone {
    enum rn_pix_transfer transfer;
    const struct space *space;
    float curve[CURVE_SIZE + 1]; /* signal -> light on the screen, white is 1; HLG: of the scene */
    float gain[LOG_SIZE];        /* HLG: luminance of the scene, 0..1 -> gain of the OOTF */
    float down[LOG_SIZE];        /* HLG: light of its display, 0..1 -> light on the screen */
    float encoded[LOG_SIZE];     /* light on the screen -> 0..255 */
};

/* ---- equations */

static double pq_of(double light) /* cd/m2 */
{
    double y = pow(light / 10000, 1305.0 / 8192);
    return pow((107.0 / 128 + 2413.0 / 128 * y) / (1 + 2392.0 / 128 * y), 2523.0 / 32);
}

static double light_of_pq(double signal)
{
    double e = pow(signal, 32 / 2523.0), above = e - 107.0 / 128;
    return above > 0 ? 10000 * pow(above / (2413.0 / 128 - 2392.0 / 128 * e), 8192.0 / 1305) : 0;
}

/* The EETF of BT.2390 for a signal of PQ, from peak cd/m2 to the screen. */
static double eetf(double signal, double peak)
{
    double top = pq_of(peak), screen = pq_of(SCREEN) / top, knee = 1.5 * screen - 0.5;
    double e = signal / top < 1 ? signal / top : 1;
    if (screen >= 1)
        return e * top;
    if (e >= knee) {
        double t = (e - knee) / (1 - knee), t2 = t * t, t3 = t2 * t;
        e = (2 * t3 - 3 * t2 + 1) * knee + (t3 - 2 * t2 + t) * (1 - knee) +
            (-2 * t3 + 3 * t2) * screen;
    }
    return e * top;
}

/* Light of the scene, 0..1. */
static double scene_of_hlg(double signal)
{
    const double a = 0.17883277, b = 1 - 4 * a, c = 0.5 - a * log(4 * a);
    return signal <= 0.5 ? signal * signal / 3 : (exp((signal - c) / a) + b) / 12;
}

int rn_pix_tone_create(struct rn_pix_tone **tone, enum rn_pix_transfer transfer,
                       enum rn_pix_primaries primaries, double peak)
{
    struct rn_pix_tone *t = av_mallocz(sizeof *t);
    if (!t)
        return rn_fail_memory();
    t->transfer = transfer;
    t->space = &spaces[primaries];
    for (int i = 0; i <= CURVE_SIZE; i++) {
        double signal = fmin((double)i / (CURVE_SIZE - 1), 1);
        t->curve[i] = (float)(transfer == RN_TRANSFER_PQ ? light_of_pq(eetf(signal, peak)) / SCREEN
                              : transfer == RN_TRANSFER_HLG ? scene_of_hlg(signal)
                                                            : pow(signal, GAMMA));
    }
    for (int i = 0; i < LOG_SIZE; i++) {
        double v = fmin(ldexp(1 + i % 256 / 256.0, i / 256 - 32), 1);
        t->encoded[i] = (float)(255 * pow(v, 1 / GAMMA));
        t->gain[i] = (float)pow(v, 0.2);
        t->down[i] = (float)(light_of_pq(eetf(pq_of(v * HLG_PEAK), HLG_PEAK)) / SCREEN);
    }
    t->encoded[0] = 0;
    *tone = t;
    return 0;
}

/* ---- pictures */

/* Maps values of 0..255 through the curve; others are clipped, NaN is 0. */
static void linearize(const float curve[CURVE_SIZE + 1], float v[BLOCK])
{
    int32_t at[BLOCK];
    float place[BLOCK], rest[BLOCK];
    for (int i = 0; i < BLOCK; i++) {
        float f = v[i] * ((CURVE_SIZE - 1) / 255.0f);
        f = f > 0 ? f : 0;
        place[i] = f < CURVE_SIZE - 1 ? f : CURVE_SIZE - 1;
    }
    for (int i = 0; i < BLOCK; i++) {
        at[i] = (int32_t)place[i];
        rest[i] = place[i] - (float)at[i];
    }
    for (int i = 0; i < BLOCK; i++)
        v[i] = curve[at[i]] + rest[i] * (curve[at[i] + 1] - curve[at[i]]);
}

/* Maps light of 0..1 through a table; other values are clipped. */
static void look_up(const float table[LOG_SIZE], const float light[BLOCK], float out[BLOCK])
{
    int32_t at[BLOCK];
    float rest[BLOCK];
    for (int i = 0; i < BLOCK; i++) {
        int32_t b = (int32_t)av_float2int(light[i]);
        b = b > LOG_MIN ? b : LOG_MIN;
        b = b < LOG_MAX ? b : LOG_MAX;
        at[i] = (b - LOG_MIN) >> LOG_SHIFT;
        rest[i] = (float)(b & ((1 << LOG_SHIFT) - 1)) * (1.0f / (1 << LOG_SHIFT));
    }
    for (int i = 0; i < BLOCK; i++)
        out[i] = table[at[i]] + rest[i] * (table[at[i] + 1] - table[at[i]]);
}

/* Light of an HLG scene -> light on the screen. */
static void show_hlg(const struct rn_pix_tone *t, float rgb[3][BLOCK])
{
    const float *luma = t->space->luma;
    float y[BLOCK], gain[BLOCK];
    for (int i = 0; i < BLOCK; i++)
        y[i] = luma[0] * rgb[0][i] + luma[1] * rgb[1][i] + luma[2] * rgb[2][i];
    look_up(t->gain, y, gain);
    for (int c = 0; c < 3; c++) {
        for (int i = 0; i < BLOCK; i++)
            rgb[c][i] *= gain[i];
        look_up(t->down, rgb[c], rgb[c]);
    }
}

static void change_primaries(const float matrix[3][3], float rgb[3][BLOCK])
{
    float out[3][BLOCK];
    for (int c = 0; c < 3; c++) {
        const float m[3] = {matrix[c][0], matrix[c][1], matrix[c][2]};
        for (int i = 0; i < BLOCK; i++)
            out[c][i] = m[0] * rgb[0][i] + m[1] * rgb[1][i] + m[2] * rgb[2][i];
    }
    memcpy(rgb, out, sizeof out);
}

/* Mixes colours outside 0..1 with the gray of their luminance. Quotients by 0 are computed but not
 * used, so there are no branches. */
static void fit_gamut(float rgb[3][BLOCK])
{
    float y[BLOCK], over[BLOCK], under[BLOCK], share[BLOCK]; /* share: of the colour in the mix */
    /* Below 0 the sign bit of the float is set; above 1, that of its difference from 1. */
    uint32_t outside = 0;
    for (int c = 0; c < 3; c++) {
        for (int i = 0; i < BLOCK; i++) {
            uint32_t bits = av_float2int(rgb[c][i]);
            outside |= bits | (LOG_MAX - bits);
        }
    }
    if (!(outside >> 31))
        return;
    for (int i = 0; i < BLOCK; i++) {
        float r = rgb[0][i], g = rgb[1][i], b = rgb[2][i];
        float luminance = 0.2126f * r + 0.7152f * g + 0.0722f * b;
        float most = r > g ? r : g, least = r < g ? r : g;
        over[i] = b > most ? b : most;
        under[i] = b < least ? b : least;
        y[i] = luminance < 1 ? luminance : 1;
    }
    for (int i = 0; i < BLOCK; i++) {
        float high = (1 - y[i]) / (over[i] - y[i]), low = y[i] / (y[i] - under[i]);
        high = over[i] > 1 ? high : 1;
        low = under[i] < 0 ? low : 1;
        share[i] = high < low ? high : low;
    }
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < BLOCK; i++)
            rgb[c][i] = y[i] + (rgb[c][i] - y[i]) * share[i];
}

void rn_pix_tone_map(const struct rn_pix_tone *t, float rgb[3][BLOCK])
{
    for (int c = 0; c < 3; c++)
        linearize(t->curve, rgb[c]);
    if (t->transfer == RN_TRANSFER_HLG)
        show_hlg(t, rgb);
    change_primaries(t->space->matrix, rgb);
    if (t->transfer != RN_TRANSFER_SDR)
        fit_gamut(rgb);
    for (int c = 0; c < 3; c++)
        look_up(t->encoded, rgb[c], rgb[c]);
}
