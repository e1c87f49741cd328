/* SPDX-License-Identifier: MIT */
#include "app/play/view/presentation.h"

#include "filters/base/text/number.h"

#include <math.h>
#include <string.h>

bool rn_play_window_level_fits(const struct rn_geom *geom)
{
    bool rgb_of_video = geom->fmt.number == RN_NUMBER_UNSIGNED && geom->fmt.model != RN_GRAY;
    return geom->scan && rn_format_bytes(&geom->fmt) > 1 && !rgb_of_video;
}

bool rn_play_window_level_can(const struct rn_geom *geom)
{
    return rn_format_bytes(&geom->fmt) > 1;
}

/* It only ever grows, so that neighbouring slices are shown alike. */
static void grow(struct rn_play_spread *s, const struct rn_image *img)
{
    double low, high;
    if (!rn_pix_display_percentiles(img, &low, &high))
        return;
    s->low = s->known ? fmin(s->low, low) : low;
    s->high = s->known ? fmax(s->high, high) : high;
    s->known = true;
}

void rn_play_window_level_look(struct rn_play_window_level *w, const struct rn_image *in,
                               const struct rn_image *out, bool anew)
{
    if (anew)
        w->out.known = false;
    grow(&w->in, in);
    grow(&w->out, out);
    /* Do the two have more in common than not? */
    const struct rn_play_spread *a = &w->in, *b = &w->out;
    double common = fmin(a->high, b->high) - fmax(a->low, b->low);
    bool alike = common > 0 && common >= 0.5 * (fmax(a->high, b->high) - fmin(a->low, b->low));
    w->keeps = a->known && b->known && in->geom.fmt.number == out->geom.fmt.number &&
               in->geom.fmt.depth == out->geom.fmt.depth && alike;
}

static bool is_set(const struct rn_play_window_level *w, const struct rn_geom *geom, bool original)
{
    return w->set[original].on && rn_format_equal(&w->set[original].fmt, &geom->fmt);
}

void rn_play_window_level_get(const struct rn_play_window_level *w, const struct rn_geom *geom,
                              bool original, double window[2])
{
    const struct rn_play_spread *s = original || w->keeps ? &w->in : &w->out;
    bool fits = rn_play_window_level_fits(geom), spread = fits && s->known && s->low < s->high;
    const double seen[] = {s->low, s->high}, *from = spread ? seen : NULL;
    rn_pix_rgb_whole(geom, window);
    if (fits && w->of_file && (original || w->keeps))
        from = w->file;
    if (is_set(w, geom, original))
        from = w->set[original].window;
    if (from)
        memcpy(window, from, 2 * sizeof *window);
}

void rn_play_window_level_apply(const struct rn_play_window_level *w,
                                struct rn_pix_display *display, const struct rn_geom *geom,
                                bool original)
{
    double window[2];
    if (!rn_play_window_level_can(geom))
        return;
    rn_play_window_level_get(w, geom, original, window);
    rn_pix_display_window(display, window[0], window[1]);
}

/* In the unit of the input. */
static void get_rescaled(const struct rn_play_window_level *w, const struct rn_geom *geom,
                         bool original, double v[2])
{
    const struct rn_rescale *r = &geom->rescale;
    rn_play_window_level_get(w, geom, original, v);
    for (int i = 0; i < 2 && r->slope != 0; i++)
        v[i] = r->slope * v[i] + r->intercept;
}

/* A number with five digits, or as many as it has before the point: no exponents. */
static double plain(double v)
{
    double unit = fabs(v) >= 1e5 || v == 0 ? 1 : pow(10, floor(log10(fabs(v))) - 4);
    return rint(v / unit) * unit;
}

char *rn_play_window_level_range(const struct rn_play_window_level *w, const struct rn_geom *geom,
                                 bool original, char *buf, size_t size)
{
    const struct rn_rescale *r = &geom->rescale;
    double v[2];
    *buf = '\0';
    if (!rn_play_window_level_fits(geom) && !is_set(w, geom, original))
        return buf;
    get_rescaled(w, geom, original, v);
    rn_number_print(buf, size, "%.10g to %.10g%s%s, %s", plain(v[0]), plain(v[1]),
                    *r->unit ? " " : "", r->unit,
                    is_set(w, geom, original)              ? "by hand"
                    : w->of_file && (original || w->keeps) ? "of the file"
                                                           : "99 % of the samples");
    return buf;
}

/* ---- by hand */

void rn_play_window_level_begin(struct rn_play_window_level *w, const struct rn_geom *geom,
                                bool original)
{
    rn_play_window_level_get(w, geom, original, w->began);
}

void rn_play_window_level_drag(struct rn_play_window_level *w, const struct rn_geom *geom,
                               bool original, double right, double down)
{
    double width = w->began[1] - w->began[0], half = width / 2 * exp2(4 * right);
    double middle = (w->began[0] + w->began[1]) / 2 + 2 * down * fabs(width);
    double reach = fabs((middle + half) - (middle - half)); /* as numbers have it */
    if (!(reach > 0) || !isfinite(reach))
        return;
    for (int side = 0; side < 2; side++) {
        if (side != original && !w->keeps && rn_play_window_level_fits(geom))
            continue; /* of video both sides have one range */
        w->set[side].on = true;
        w->set[side].fmt = geom->fmt;
        w->set[side].window[0] = middle - half;
        w->set[side].window[1] = middle + half;
    }
}

void rn_play_window_level_clear(struct rn_play_window_level *w)
{
    w->set[0].on = w->set[1].on = false;
}

char *rn_play_window_level_describe(const struct rn_play_window_level *w,
                                    const struct rn_geom *geom, bool original, char *buf,
                                    size_t size)
{
    double v[2];
    get_rescaled(w, geom, original, v);
    rn_number_print(buf, size, "window %.10g level %.10g%s%s: black at %.10g, white at %.10g",
                    plain(fabs(v[1] - v[0])), plain((v[0] + v[1]) / 2),
                    *geom->rescale.unit ? " " : "", geom->rescale.unit, plain(v[0]), plain(v[1]));
    return buf;
}
