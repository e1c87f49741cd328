/* SPDX-License-Identifier: MIT */
#include "app/play/loop/player.h"
#include "app/play/stacks/stacks.h"
#include "filters/base/text/number.h"

#include <string.h>

void rn_play_point(struct rn_play *p, const struct rn_ui_event *e)
{
    struct rn_play_probe *probe = p->probe;
    const struct rn_play_probe before = *probe;
    const struct rn_geom *geom = rn_runner_output(p->session->runner);
    *probe = (struct rn_play_probe){probe->on, e->on_picture, e->pane, e->x, e->y};
    if (!rn_play_three_is_on(p->three) || !e->pane)
        rn_pix_turn_back(&p->viewing.orient, geom->w, geom->h, &probe->x, &probe->y);
    bool moved = probe->x != before.x || probe->y != before.y;
    if (probe->on && (probe->pane != before.pane || probe->on_picture != before.on_picture ||
                      (probe->on_picture && moved)))
        rn_play_redraw(p);
}

/* ---- the text */

/* The shortest text that reads as this float. */
static void write_float(FILE *f, float v)
{
    char number[32];
    for (int digits = 6; digits <= 9; digits++) {
        rn_number_print(number, sizeof number, "%.*g", digits, (double)v);
        if ((float)rn_number_parse(number, NULL) == v)
            break;
    }
    fputs(number, f);
}

/* Plane p of the picture before or after, if there is one. */
static void write_value(FILE *f, const struct rn_image *img, int p, int x, int y)
{
    const struct rn_geom *geom = &img->geom;
    const struct rn_rescale *r = &geom->rescale;
    if (p >= rn_format_planes(&geom->fmt)) {
        fputs("\t-", f);
        return;
    }
    int w, h;
    rn_geom_plane_size(geom, p, &w, &h);
    if (w < geom->w)
        x >>= geom->fmt.sub_x;
    if (h < geom->h)
        y >>= geom->fmt.sub_y;
    float v = rn_sample_get(&img->plane[p], rn_format_sample(&geom->fmt), x, y);
    fputc('\t', f);
    if (geom->fmt.number == RN_NUMBER_FLOAT)
        write_float(f, v);
    else
        fprintf(f, "%d", (int)v);
    if (r->slope != 0)
        rn_number_write(f, " = %.9g", r->slope * (double)v + r->intercept);
    if (*r->unit)
        fprintf(f, " %s", r->unit);
}

/* title: of the pixel; NULL: "x, y". place: its position, as the last line; "": unknown. Returns
 * false if one of the pictures has no such pixel. */
static bool write_samples(const struct rn_image *in, const struct rn_image *out, int x, int y,
                          const char *title, const char *place, char *buf, size_t size)
{
    *buf = buf[size - 1] = '\0';
    bool inside = x < in->geom.w && y < in->geom.h && x < out->geom.w && y < out->geom.h;
    FILE *f = inside ? fmemopen(buf, size - 1, "w") : NULL; /* cuts off what does not fit */
    if (!f)
        return false;
    if (title)
        fputs(title, f);
    else
        fprintf(f, "%d, %d", x, y);
    fputs("\toriginal\tfiltered", f);
    int before = rn_format_planes(&in->geom.fmt), after = rn_format_planes(&out->geom.fmt);
    for (int p = 0; p < before || p < after; p++) {
        const char *name = p < before ? rn_plane_name(&in->geom.fmt, p) : "-";
        const char *other = p < after ? rn_plane_name(&out->geom.fmt, p) : "-";
        bool same = !strcmp(name, other);
        fprintf(f, "\n%s%s%s", name, same ? "" : " > ", same ? "" : other);
        write_value(f, in, p, x, y);
        write_value(f, out, p, x, y);
    }
    if (*place)
        fprintf(f, "\n%s", place);
    fclose(f);
    return true;
}

/* A sample of one of the planes across the slices. */
static bool describe_across(const struct rn_play *p, char *buf, size_t size)
{
    const struct rn_play_probe *probe = p->probe;
    char place[128], title[64];
    int at[2], slice = probe->y;
    const struct rn_io_stack *stack = rn_play_slices_stack(p->slices);
    const struct rn_image *plane = rn_play_three_sample(p->three, probe->pane, probe->x, slice, at);
    if (!plane)
        return false;
    snprintf(title, sizeof title, "%d, %d, slice %d", at[0], at[1], slice + 1);
    rn_play_slices_place(stack, at[0], at[1], slice, place, sizeof place);
    return write_samples(&plane[1], &plane[0], probe->x, slice, title, place, buf, size);
}

bool rn_play_describe_samples(const struct rn_play *p, char *buf, size_t size)
{
    const struct rn_play_probe *probe = p->probe;
    const struct rn_io_stack *stack = rn_play_slices_stack(p->slices);
    char place[128];
    *buf = '\0';
    if (!probe->on_picture)
        return false;
    if (rn_play_three_is_on(p->three) && probe->pane > 0)
        return describe_across(p, buf, size);
    rn_play_slices_place(stack, probe->x, probe->y,
                         stack ? rn_io_stack_slice(stack, p->shown->frame.index) : 0, place,
                         sizeof place);
    return write_samples(&p->shown->in, &p->shown->out, probe->x, probe->y, NULL, place, buf, size);
}

char *rn_play_describe_pixel(const struct rn_play *p, int x, int y, char *buf, size_t size)
{
    write_samples(&p->shown->in, &p->shown->out, x, y, NULL, "", buf, size);
    return buf;
}
