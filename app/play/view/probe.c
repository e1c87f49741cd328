#include "app/play/view/probe.h"

#include "filters/base/text/number.h"
#include "filters/base/sample.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool rn_play_probe_point(struct rn_play_probe *probe, bool on_picture, int x, int y)
{
    bool elsewhere =
        on_picture != probe->on_picture || (on_picture && (x != probe->x || y != probe->y));
    probe->on_picture = on_picture;
    probe->x = x;
    probe->y = y;
    return elsewhere;
}

/* Appends to a text of so many bytes. */
struct text {
    char *buf;
    size_t size, used;
};

static void add(struct text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void add(struct text *t, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    int n = rn_number_vprint(t->buf + t->used, t->size - t->used, fmt, args);
    va_end(args);
    if (n > 0)
        t->used += (size_t)n < t->size - t->used ? (size_t)n : t->size - t->used - 1;
}

/* The shortest text that reads as this float. */
static void add_float(struct text *t, float v)
{
    char number[32];
    for (int digits = 6; digits <= 9; digits++) {
        rn_number_print(number, sizeof number, "%.*g", digits, (double)v);
        if ((float)rn_number_parse(number, NULL) == v)
            break;
    }
    add(t, "%s", number);
}

static void add_sample(struct text *t, const struct rn_image *img, int p, int x, int y)
{
    const struct rn_geom *geom = &img->geom;
    const struct rn_rescale *r = &geom->rescale;
    int w, h;
    rn_geom_plane_size(geom, p, &w, &h);
    if (w < geom->w)
        x >>= geom->fmt.sub_x;
    if (h < geom->h)
        y >>= geom->fmt.sub_y;
    float v = rn_sample_get(&img->plane[p], rn_format_sample(&geom->fmt), x, y);
    if (geom->fmt.number == RN_NUMBER_FLOAT)
        add_float(t, v);
    else
        add(t, "%d", (int)v);
    if (r->slope != 0)
        add(t, " = %.9g", r->slope * (double)v + r->intercept);
    if (*r->unit)
        add(t, " %s", r->unit);
}

/* Plane p of the picture before or after, if there is one. */
static void add_cell(struct text *t, const struct rn_image *img, int p, int x, int y)
{
    add(t, "\t");
    if (p < rn_format_planes(&img->geom.fmt))
        add_sample(t, img, p, x, y);
    else
        add(t, "-");
}

/* The plane's name; where the chain has changed the format, both. */
static void add_name(struct text *t, const struct rn_format *in, const struct rn_format *out, int p)
{
    const char *before = p < rn_format_planes(in) ? rn_plane_name(in, p) : "-";
    const char *after = p < rn_format_planes(out) ? rn_plane_name(out, p) : "-";
    add(t, "\n%s", before);
    if (strcmp(before, after) != 0)
        add(t, " > %s", after);
}

bool rn_play_probe_tell(const struct rn_play_probe *probe, const struct rn_image *in,
                        const struct rn_image *out, const char *title, const char *place, char *buf,
                        size_t size)
{
    struct text t = {buf, size, 0};
    *buf = '\0';
    int x = probe->x, y = probe->y;
    if (!probe->on_picture || x >= in->geom.w || y >= in->geom.h || x >= out->geom.w ||
        y >= out->geom.h)
        return false;
    int before = rn_format_planes(&in->geom.fmt), after = rn_format_planes(&out->geom.fmt);
    if (title)
        add(&t, "%s", title);
    else
        add(&t, "%d, %d", x, y);
    add(&t, "\tbefore\tafter");
    for (int p = 0; p < before || p < after; p++) {
        add_name(&t, &in->geom.fmt, &out->geom.fmt, p);
        add_cell(&t, in, p, x, y);
        add_cell(&t, out, p, x, y);
    }
    if (*place)
        add(&t, "\n%s", place);
    return true;
}
