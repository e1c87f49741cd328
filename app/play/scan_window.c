#include "app/play/scan_window.h"

#include "filters/base/number.h"
#include "io/pixels/spread.h"

#include <math.h>
#include <stdio.h>

bool rn_scan_window_fits(const struct rn_geom *geom)
{
    bool rgb_of_video = geom->fmt.number == RN_NUMBER_UNSIGNED && geom->fmt.model != RN_GRAY;
    return geom->scan && rn_format_bytes(&geom->fmt) > 1 && !rgb_of_video;
}

/* It only ever grows, so that neighbouring slices are shown alike. */
static void grow(struct rn_spread *s, const struct rn_image *img)
{
    double low, high;
    if (!rn_spread_of(img, &low, &high))
        return;
    s->low = s->known ? fmin(s->low, low) : low;
    s->high = s->known ? fmax(s->high, high) : high;
    s->known = true;
}

/* Do the two have more in common than not? */
static bool are_alike(const struct rn_spread *a, const struct rn_spread *b)
{
    double common = fmin(a->high, b->high) - fmax(a->low, b->low);
    return common > 0 && common >= 0.5 * (fmax(a->high, b->high) - fmin(a->low, b->low));
}

void rn_scan_window_look(struct rn_scan_window *w, const struct rn_image *in,
                         const struct rn_image *out, bool anew)
{
    if (anew)
        w->out.known = false;
    grow(&w->in, in);
    grow(&w->out, out);
    w->keeps = w->in.known && w->out.known && in->geom.fmt.number == out->geom.fmt.number &&
               in->geom.fmt.depth == out->geom.fmt.depth && are_alike(&w->in, &w->out);
}

void rn_scan_window_get(const struct rn_scan_window *w, const struct rn_geom *geom, bool original,
                        double window[2])
{
    const struct rn_spread *s = original || w->keeps ? &w->in : &w->out;
    bool whole = !s->known || s->low >= s->high;
    window[0] = whole ? (double)rn_geom_black(geom) : s->low;
    window[1] = whole ? (double)rn_geom_white(geom) : s->high;
    if (w->of_file && (original || w->keeps)) {
        window[0] = w->file[0];
        window[1] = w->file[1];
    }
}

char *rn_scan_window_tell(const struct rn_scan_window *w, const struct rn_geom *geom, bool original,
                          char *buf, size_t size)
{
    const struct rn_rescale *r = &geom->rescale;
    double v[2];
    rn_scan_window_get(w, geom, original, v);
    for (int i = 0; i < 2 && r->slope != 0; i++)
        v[i] = r->slope * v[i] + r->intercept;
    rn_number_print(buf, size, "%.5g..%.5g%s%s, %s", v[0], v[1], *r->unit ? " " : "", r->unit,
                    w->of_file && (original || w->keeps) ? "of the file" : "99 % of the samples");
    return buf;
}
