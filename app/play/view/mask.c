/* SPDX-License-Identifier: MIT */
#include "app/play/view/presentation.h"

#include "filters/base/log.h"
#include "filters/base/sample.h"

#include <stdlib.h>
#include <string.h>

#define DEFAULT_OPACITY 50 /* percent */

static const int colour[] = {48, 48, 255}; /* B G R */

static int opacity(const struct rn_play_mask *mask)
{
    return mask->opacity ? mask->opacity : DEFAULT_OPACITY;
}

int rn_play_mask_change(struct rn_play_mask *mask, int steps)
{
    int to = opacity(mask) + RN_MASK_STEP * steps;
    return mask->opacity = to < RN_MASK_STEP ? RN_MASK_STEP : to > 100 ? 100 : to;
}

bool rn_play_mask_fits(const struct rn_geom *in, const struct rn_geom *out)
{
    return in->w == out->w && in->h == out->h;
}

/* ---- what is in it */

static bool is_set(const struct rn_geom *geom, float v)
{
    float black = rn_geom_black(geom), white = rn_geom_white(geom);
    if (geom->scan)
        return v != 0 && v != black && v == v;
    return v > black + (white - black) / 2;
}

void rn_play_mask_row(const struct rn_image *out, int y, int n, uint8_t *set)
{
    const struct rn_geom *geom = &out->geom;
    enum rn_sample sample = rn_format_sample(&geom->fmt);
    int planes = geom->fmt.model == RN_RGB ? 3 : 1;
    memset(set, 0, (size_t)n);
    for (int p = 0; p < planes; p++)
        for (int x = 0; x < n; x++)
            set[x] |= is_set(geom, rn_sample_get(&out->plane[p], sample, x, y));
}

/* ---- drawing it */

/* What it is made of, once for each geometry. */
static int prepare(struct rn_play_mask_view *v, const struct rn_geom *geom,
                   const struct rn_pix_viewing *viewing)
{
    if (v->display && rn_geom_equal(&v->geom, geom))
        return 0;
    rn_play_mask_view_free(v);
    size_t n = (size_t)geom->w * (size_t)geom->h;
    int err = rn_pix_display_create(&v->display, geom, viewing);
    v->set = malloc(n);
    v->turned = malloc(n);
    v->pixels = malloc(4 * n);
    if (!err && (!v->set || !v->turned || !v->pixels))
        err = rn_fail_memory();
    v->geom = *geom;
    if (err)
        rn_play_mask_view_free(v);
    return err;
}

int rn_play_mask_show(const struct rn_play_mask *mask, struct rn_play_mask_view *v,
                      const struct rn_image *in, const struct rn_image *out,
                      const struct rn_pix_viewing *viewing, const double window[2],
                      struct rn_screen *screen)
{
    int w = in->geom.w, h = in->geom.h;
    int err = prepare(v, &in->geom, viewing);
    if (err)
        return err;
    if (in->geom.fmt.depth > 8)
        rn_pix_display_window(v->display, window[0], window[1]);
    rn_pix_display_show(v->display, in, screen);
    for (int y = 0; y < h; y++)
        rn_play_mask_row(out, y, w, v->set + (ptrdiff_t)y * w);
    rn_pix_turn(&viewing->orient, v->set, w, w, h, 1, v->turned, screen->w);
    const uint8_t *set = v->turned;
    uint8_t *to = v->pixels;
    int share = opacity(mask);
    for (int y = 0; y < screen->h; y++) {
        const uint8_t *row = screen->pixels + (ptrdiff_t)y * screen->stride;
        for (int x = 0; x < screen->w; x++, to += 4, row += 4, set++)
            for (int c = 0; c < 4; c++)
                to[c] = *set && c < 3
                            ? (uint8_t)((row[c] * (100 - share) + colour[c] * share + 50) / 100)
                            : row[c];
    }
    screen->pixels = v->pixels;
    screen->stride = 4 * screen->w;
    return 0;
}

void rn_play_mask_view_free(struct rn_play_mask_view *v)
{
    rn_pix_display_destroy(&v->display);
    free(v->set);
    free(v->turned);
    free(v->pixels);
    *v = (struct rn_play_mask_view){0};
}
