/* SPDX-License-Identifier: MIT */
/* Scopes: what levels and chroma the samples of both sides have. */
#include "app/play/view/compare.h"

#include "app/play/loop/player.h"
#include "filters/base/text/number.h"

#include <math.h>
#include <string.h>

enum { NO_SCOPE, WAVEFORM, VECTORSCOPE, HISTOGRAM, SCOPES };

#define W        192 /* of one side, pixels */
#define H        128
#define GAP      8
#define MAX_ROWS 512 /* of a picture that are looked at */
#define MARKS    8   /* of a side's scale, at most */

struct rn_play_scopes {
    int scope;
    uint32_t count[3][H][W]; /* of the samples that fall there: B, G, R */
    uint8_t pixels[H][2 * W + GAP][4];
    struct rn_screen screen;
    float row[3][RN_MAX_SIDE];
    struct rn_ui_scene_mark mark[2 * MARKS];
    int nmarks;
};

const struct rn_play_part_type rn_play_scopes_part = {.size = sizeof(struct rn_play_scopes)};

static const char *const names[] = {[WAVEFORM] = "waveform: left | right",
                                    [VECTORSCOPE] = "vectorscope: left | right",
                                    [HISTOGRAM] = "histogram: left | right"};

void rn_play_next_scope(struct rn_play *p)
{
    p->scopes->scope = (p->scopes->scope + 1) % SCOPES;
    rn_play_say(p, "%s", p->scopes->scope ? names[p->scopes->scope] : "no scope");
    rn_play_redraw_pictures(p);
}

/* v: 0..1; values beyond lie at the ends. NaN lies at 0. */
static int at(double v, int n)
{
    return v > 0 ? (int)(fmin(v, 1) * (n - 1) + 0.5) : 0;
}

/* Chroma of B'G'R', 0..1. */
static void to_chroma(enum rn_colour_matrix matrix, const double v[3], double *u, double *w)
{
    double kr = rn_luma(matrix)[0], kb = rn_luma(matrix)[1];
    double luma = kb * v[0] + (1 - kr - kb) * v[1] + kr * v[2];
    *u = (v[0] - luma) / (2 - 2 * kb) + 0.5;
    *w = (v[2] - luma) / (2 - 2 * kr) + 0.5;
}

/* Counts n samples of a row. range: of the values that are black and white; channels: 1 or 3. */
static void count_row(struct rn_play_scopes *s, const double range[2], int n, int channels)
{
    for (int x = 0; x < n; x++) {
        double v[3], u, w;
        for (int c = 0; c < channels; c++)
            v[c] = ((double)s->row[c][x] - range[0]) / (range[1] - range[0]);
        for (int c = 0; c < channels && s->scope == WAVEFORM; c++)
            s->count[c][H - 1 - at(v[c], H)][(int)((int64_t)x * W / n)]++;
        for (int c = 0; c < channels && s->scope == HISTOGRAM; c++)
            s->count[c][0][at(v[c], W)]++;
        if (s->scope == VECTORSCOPE && channels == 3) {
            to_chroma(RN_BT709, v, &u, &w);
            s->count[1][H - 1 - at(w, H)][(W - H) / 2 + at(u, H)]++;
        }
    }
}

/* Y'CbCr has its chroma in planes of its own. */
static void count_chroma(struct rn_play_scopes *s, const struct rn_image *img, int y)
{
    enum rn_sample sample = rn_format_sample(&img->geom.fmt);
    int w = img->plane[1].w, most = rn_format_max(&img->geom.fmt);
    for (int c = 0; c < 2; c++)
        rn_sample_row(&img->plane[1 + c], sample, y, w, s->row[c]);
    for (int x = 0; x < w; x++)
        s->count[1][H - 1 - at((double)s->row[1][x] / most, H)]
                [(W - H) / 2 + at((double)s->row[0][x] / most, H)]++;
}

static void count(struct rn_play_scopes *s, const struct rn_image *img, const double range[2])
{
    static const int plane[] = {1, 0, 2}; /* planes are G, B, R */
    bool rgb = img->geom.fmt.model == RN_RGB;
    bool chroma = s->scope == VECTORSCOPE && img->geom.fmt.model == RN_YUV;
    int h = img->plane[chroma].h;
    memset(s->count, 0, sizeof s->count);
    for (int y = 0; y < h; y += h / MAX_ROWS + 1) {
        for (int c = 0; c < (rgb ? 3 : 1); c++)
            rn_sample_row(&img->plane[rgb ? plane[c] : 0], rn_format_sample(&img->geom.fmt), y,
                          img->geom.w, s->row[c]);
        if (chroma)
            count_chroma(s, img, y);
        else
            count_row(s, range, img->geom.w, rgb ? 3 : 1);
    }
}

/* The brightness of a place; rare samples are seen, too. of: the largest count. */
static uint8_t ink(const struct rn_play_scopes *s, int c, int x, int y, double of)
{
    if (s->scope == HISTOGRAM)
        return sqrt(s->count[c][0][x] / of) * H >= H - y ? 220 : 24;
    return (uint8_t)(24 + 231 * log1p(s->count[c][y][x]) / log1p(of));
}

static void draw(struct rn_play_scopes *s, int left, bool rgb)
{
    double most = 1;
    for (int c = 0; c < 3; c++)
        for (int y = 0; y < H; y++)
            for (int x = 0; x < W; x++)
                most = fmax(most, s->count[c][y][x]);
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            for (int c = 0; c < 3; c++) {
                int of = s->scope == VECTORSCOPE ? 1 : rgb ? c : 0;
                s->pixels[y][left + x][c] = ink(s, of, x, y, most);
            }
}

/* ---- scales */

static struct rn_ui_scene_mark *add_mark(struct rn_play_scopes *s, int side, double x, double y,
                                         double w, double h)
{
    const double whole = 2 * W + GAP;
    struct rn_ui_scene_mark *mark = &s->mark[s->nmarks++];
    *mark = (struct rn_ui_scene_mark){.x = (float)((side * (W + GAP) + x * W) / whole),
                                      .y = (float)y,
                                      .w = (float)(w * W / whole),
                                      .h = (float)h};
    return mark;
}

/* Levels from black to white, along columns or rows: the ends first, named if no more fit. */
static void mark_levels(struct rn_play_scopes *s, int side, const struct rn_geom *geom,
                        const double range[2])
{
    double slope = geom->rescale.slope != 0 ? geom->rescale.slope : 1;
    static const int order[] = {0, 4, 1, 2, 3};
    for (int k = 0; k <= 4; k++) {
        int i = order[k];
        bool across = s->scope == WAVEFORM;
        struct rn_ui_scene_mark *mark =
            across ? add_mark(s, side, 0, 1 - i / 4.0, 1, 0) : add_mark(s, side, i / 4.0, 0, 0, 1);
        double v = range[0] + i / 4.0 * (range[1] - range[0]);
        v = geom->fmt.number == RN_NUMBER_FLOAT ? v : rint(v);
        mark->ends = !across && i == 4;
        if (i % 2 == 0)
            rn_number_print(mark->text, sizeof mark->text, "%.5g",
                            slope * v + geom->rescale.intercept);
    }
}

/* Gray in the middle, and the colours of bars of 75 %. */
static void mark_colours(struct rn_play_scopes *s, int side, const struct rn_geom *geom)
{
    static const char *const name[] = {"", "B", "G", "Cy", "R", "Mg", "Yl"};
    bool yuv = geom->fmt.model == RN_YUV;
    double scale = yuv && !geom->full_range ? 224.0 / 255 : 1, round = (double)H / W, u, w;
    add_mark(s, side, 0.5 - round / 2, 0.5, round, 0);
    add_mark(s, side, 0.5, 0, 0, 1);
    for (int i = 1; i < 7 && geom->fmt.model != RN_GRAY; i++) {
        const double v[] = {0.75 * (i & 1), 0.75 * (i >> 1 & 1), 0.75 * (i >> 2)};
        to_chroma(yuv ? geom->matrix : RN_BT709, v, &u, &w);
        struct rn_ui_scene_mark *mark =
            add_mark(s, side, 0.5 + (u - 0.5) * scale * round, 0.5 - (w - 0.5) * scale, 0, 0);
        snprintf(mark->text, sizeof mark->text, "%s", name[i]);
    }
}

void rn_play_show_scope(struct rn_play *p, struct rn_ui_scene *scene)
{
    struct rn_play_scopes *s = p->scopes;
    s->nmarks = p->drawing == RN_DRAWING_PICTURES ? 0 : s->nmarks;
    for (int side = 0; side < 2 && s->scope && p->drawing == RN_DRAWING_PICTURES; side++) {
        const struct rn_image *img = rn_play_side_image(p, side);
        double range[2];
        rn_play_shown_range(p, &img->geom, range);
        count(s, img, range);
        draw(s, side * (W + GAP), img->geom.fmt.model == RN_RGB);
        if (s->scope == VECTORSCOPE)
            mark_colours(s, side, &img->geom);
        else
            mark_levels(s, side, &img->geom, range);
    }
    s->screen = (struct rn_screen){
        .w = 2 * W + GAP, .h = H, .pixels = s->pixels[0][0], .stride = 4 * (2 * W + GAP)};
    scene->scope = s->scope ? &s->screen : NULL;
    scene->scope_name = names[s->scope];
    scene->mark = s->mark;
    scene->nmarks = s->nmarks;
}
