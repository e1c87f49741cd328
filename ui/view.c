/* SPDX-License-Identifier: MIT */
#include "ui/draw/draw.h"

#include <math.h>
#include <stdint.h>

static bool is_known(const struct rn_ui_view *v)
{
    return v->w > 0 && v->h > 0 && v->out_w > 0 && v->out_h > 0;
}

/* The shape of a pixel at scale 1. */
static double unit_w(const struct rn_ui_view *v)
{
    return v->aspect > 1 ? v->aspect : 1;
}

static double unit_h(const struct rn_ui_view *v)
{
    return v->aspect < 1 ? 1 / v->aspect : 1;
}

static double fit_scale(const struct rn_ui_view *v)
{
    return fmin(v->out_w / (v->w * unit_w(v)), v->out_h / (v->h * unit_h(v)));
}

double rn_ui_view_scale(const struct rn_ui_view *view)
{
    if (!is_known(view))
        return 0;
    return view->zoomed ? view->scale : fit_scale(view);
}

static int rounded(double v)
{
    return v < 1.5 ? 1 : (int)(v + 0.5);
}

/* The coordinate in the middle of the output along one side, so that neither the picture leaves it
 * nor a bar comes in at one end only. side: of the picture; unit: of its pixels on the output. */
static double kept_inside(double middle, int side, double unit, int out)
{
    double half = out / (2 * unit);
    if (2 * half >= side)
        return side / 2.0;
    return fmin(fmax(middle, half), side - half);
}

/* The beginning of one side. */
static int begin_of(double middle, int length, double unit, int out)
{
    if (length <= out)
        return (out - length) / 2;
    int begin = (int)floor(out / 2.0 - middle * unit + 0.5);
    return begin > 0 ? 0 : begin < out - length ? out - length : begin;
}

SDL_Rect rn_ui_view_place(const struct rn_ui_view *view)
{
    double scale = rn_ui_view_scale(view), ux = scale * unit_w(view), uy = scale * unit_h(view);
    if (!(scale > 0))
        return (SDL_Rect){0};
    SDL_Rect a = {.w = rounded(view->w * ux), .h = rounded(view->h * uy)};
    a.x = begin_of(kept_inside(view->x, view->w, ux, view->out_w), a.w, ux, view->out_w);
    a.y = begin_of(kept_inside(view->y, view->h, uy, view->out_h), a.h, uy, view->out_h);
    return a;
}

SDL_Rect rn_ui_view_visible(const struct rn_ui_view *view)
{
    SDL_Rect a = rn_ui_view_place(view), out = {0, 0, view->out_w, view->out_h};
    SDL_IntersectRect(&a, &out, &a);
    return a;
}

bool rn_ui_view_is_cut(const struct rn_ui_view *view)
{
    SDL_Rect a = rn_ui_view_place(view);
    return a.w > view->out_w || a.h > view->out_h;
}

/* Stores the current view, as the output may have changed since. */
static void settle(struct rn_ui_view *v)
{
    double scale = rn_ui_view_scale(v);
    v->x = kept_inside(v->zoomed ? v->x : v->w / 2.0, v->w, scale * unit_w(v), v->out_w);
    v->y = kept_inside(v->zoomed ? v->y : v->h / 2.0, v->h, scale * unit_h(v), v->out_h);
    v->scale = scale;
}

void rn_ui_view_zoom(struct rn_ui_view *view, double scale, double x, double y)
{
    if (!is_known(view) || !(scale > 0))
        return;
    settle(view);
    double dx = x - view->out_w / 2.0, dy = y - view->out_h / 2.0;
    double by = 1 / view->scale;
    view->zoomed = true;
    view->scale = fmin(scale, RN_MAX_SCALE);
    by -= 1 / view->scale;
    view->x += dx / unit_w(view) * by;
    view->y += dy / unit_h(view) * by;
    settle(view);
}

/* The scale next to this one: above it, or below. */
static double next_scale(double scale, bool up)
{
    double whole = exp2(floor(log2(scale) + 1e-9)); /* 1, 2, 4, ... */
    double over = scale / whole;
    if (up)
        return whole * (over < 1.5 - 1e-9 ? 1.5 : 2);
    return whole * (over > 1.5 + 1e-9 ? 1.5 : over > 1 + 1e-9 ? 1 : 0.75);
}

/* Below 1 the steps are the reciprocals, 2/3, 1/2, 1/3 ..., so that steps in and out cancel. */
static double stepped(double scale, bool up)
{
    if (scale > 1 + 1e-9 || (up && scale > 1 - 1e-9))
        return next_scale(scale, up);
    return 1 / next_scale(1 / scale, !up);
}

void rn_ui_view_step(struct rn_ui_view *view, int steps, double x, double y)
{
    double least = is_known(view) ? fit_scale(view) : 0;
    for (; steps && is_known(view); steps += steps > 0 ? -1 : 1) {
        double now = rn_ui_view_scale(view), next = stepped(now, steps > 0);
        if (steps < 0 && next <= least) {
            if (now >= least)
                view->zoomed = false;
            return;
        }
        rn_ui_view_zoom(view, next, x, y);
    }
}

void rn_ui_view_pan(struct rn_ui_view *view, double dx, double dy)
{
    if (!is_known(view) || !view->zoomed)
        return;
    settle(view);
    view->x -= dx / (view->scale * unit_w(view));
    view->y -= dy / (view->scale * unit_h(view));
    settle(view);
}

static int pixel_at(double x, int begin, int length, int n)
{
    double i = floor((x - begin) * n / length);
    return i < 0 ? 0 : i < n ? (int)i : n - 1;
}

bool rn_ui_view_pixel(const struct rn_ui_view *view, double x, double y, int *px, int *py)
{
    SDL_Rect a = rn_ui_view_place(view);
    *px = *py = 0;
    if (a.w < 1)
        return false;
    *px = pixel_at(x, a.x, a.w, view->w);
    *py = pixel_at(y, a.y, a.h, view->h);
    return x >= a.x && y >= a.y && x < a.x + a.w && y < a.y + a.h;
}

int rn_ui_view_edge(int start, int length, int n, int i)
{
    return start + (int)(((int64_t)i * length * 2 + n) / (2 * (int64_t)n));
}

int rn_ui_view_nearest_edge(int start, int length, int n, int x)
{
    int64_t i = x <= start ? 0 : ((int64_t)(x - start) * n * 2 + length) / (2 * (int64_t)length);
    return i < n ? (int)i : n;
}
