/* SPDX-License-Identifier: MIT */
#include "ui/window_internal.h"

#include <math.h>
#include <string.h>

/* One of two equal parts of a length, with one or two pixels between them. */
static void half(int length, bool second, int *begin, int *part)
{
    *part = (length - (2 - length % 2)) / 2;
    *part = *part > 0 ? *part : 1;
    *begin = second ? length - *part : 0;
}

static bool is_above(const struct rn_ui_panes *p, enum rn_ui_arrangement layout)
{
    const struct rn_ui_view *v = &p->pane[0].view;
    double aspect = v->h > 0 ? v->w * (v->aspect > 0 ? v->aspect : 1) / v->h : 0;
    double beside = fmin(p->area.w / 2.0, p->area.h * aspect);
    return layout == RN_LAYOUT_ROWS || (layout == RN_LAYOUT_BESIDE &&
                                        fmin(p->area.w, p->area.h / 2.0 * aspect) > 1.01 * beside);
}

bool rn_ui_is_above(const struct rn_ui_window *window, enum rn_ui_arrangement layout)
{
    return is_above(&window->panes, layout);
}

static void put(struct rn_ui_panes *p, int i)
{
    struct rn_ui_pane *pane = &p->pane[i];
    SDL_Rect r = {0, 0, p->area.w, p->area.h};
    bool above = is_above(p, p->layout);
    if (p->layout >= RN_LAYOUT_BESIDE && !above)
        half(p->area.w, i % 2, &r.x, &r.w);
    if (above || p->layout == RN_LAYOUT_GRID)
        half(p->area.h, above ? i % 2 : i / 2, &r.y, &r.h);
    pane->place = r;
    pane->view.out_w = pane->place.w;
    pane->view.out_h = pane->place.h;
}

void rn_ui_panes_resize(struct rn_ui_panes *panes, const SDL_Rect *area)
{
    panes->area = *area;
    for (int i = 0; i < RN_SCENE_PANES; i++)
        put(panes, i);
}

void rn_ui_panes_follow(struct rn_ui_panes *panes, int pane)
{
    const struct rn_ui_view *from = &panes->pane[pane].view;
    for (int i = 0; i < RN_SCENE_PANES && !panes->own_views; i++) {
        struct rn_ui_view *to = &panes->pane[i].view;
        to->zoomed = from->zoomed;
        to->scale = from->scale;
        to->x = from->x;
        to->y = from->y;
    }
}

/* ---- drawing */

bool rn_ui_panes_keep(const struct rn_ui_panes *panes, enum rn_ui_arrangement layout)
{
    bool all = panes->n > 0 && panes->layout == layout;
    for (int i = 0; i < panes->n && all; i++) {
        SDL_Rect place = rn_ui_view_place(&panes->pane[i].view);
        SDL_Point size = rn_ui_picture_size(panes->pane[i].view.w, panes->pane[i].view.h, &place);
        all = panes->pane[i].picture.texture && panes->pane[i].picture.w == size.x &&
              panes->pane[i].picture.h == size.y;
    }
    return all;
}

int rn_ui_panes_reduction(const struct rn_ui_panes *panes, enum rn_ui_arrangement layout)
{
    struct rn_ui_panes then = *panes; /* as it will be drawn */
    int least = 0;
    then.layout = layout;
    for (int i = 0; i < panes->n; i++) {
        put(&then, i);
        const struct rn_ui_view *view = &then.pane[i].view;
        SDL_Rect a = rn_ui_view_place(view);
        int across = a.w > 0 ? view->w / a.w : 1, down = a.h > 0 ? view->h / a.h : 1;
        int by = across < down ? across : down;
        least = !i || by < least ? by : least;
    }
    return least > 1 ? least : 1;
}

/* True if the picture is enlarged smoothly: not if the scale is an integer, nor if the user has
 * zoomed in to see the pixels. */
static bool is_smooth(const struct rn_ui_pane *pane, const SDL_Rect *place)
{
    const struct rn_ui_picture *pic = &pane->picture;
    if (pane->view.zoomed && place->w >= pic->w && place->h >= pic->h)
        return false;
    return place->w % pic->w || place->h % pic->h || place->w / pic->w != place->h / pic->h;
}

/* Draws the columns from..to - 1 of the picture. */
static int draw(const struct rn_ui_panes *panes, struct rn_ui_pane *pane, SDL_Renderer *renderer,
                int from, int to)
{
    SDL_Rect place = rn_ui_view_place(&pane->view), seen = rn_ui_view_visible(&pane->view);
    SDL_Rect port = {panes->area.x + pane->place.x, panes->area.y + pane->place.y, pane->place.w,
                     pane->place.h};
    if (!pane->picture.texture)
        return 0;
    SDL_RenderSetViewport(renderer, &port);
    int err = rn_ui_picture_draw(&pane->picture, renderer, &place, &seen, from, to,
                                 is_smooth(pane, &place));
    SDL_RenderSetViewport(renderer, &panes->area);
    return err;
}

/* The split line stands between columns of the picture, so that each is on one side. */
static int draw_split(struct rn_ui_panes *p, SDL_Renderer *renderer, double at)
{
    struct rn_ui_pane *left = &p->pane[0], *right = &p->pane[1];
    SDL_Rect place = rn_ui_view_place(&right->view), seen = rn_ui_view_visible(&right->view);
    int w = right->picture.w, x = seen.x + (int)(fmin(fmax(at, 0), 1) * seen.w + 0.5);
    if (!left->picture.texture || !right->picture.texture)
        return 0;
    int column = rn_ui_view_nearest_edge(place.x, place.w, w, x);
    p->line = rn_ui_view_edge(place.x, place.w, w, column);
    /* A picture of another size ends at its own column next to the line. */
    SDL_Rect other = rn_ui_view_place(&left->view);
    int end = rn_ui_view_nearest_edge(other.x, other.w, left->picture.w, p->line);
    int err = draw(p, left, renderer, 0, end);
    return err ? err : draw(p, right, renderer, column, w);
}

int rn_ui_panes_draw(struct rn_ui_panes *panes, SDL_Renderer *renderer,
                     const struct rn_ui_scene *scene)
{
    int err = 0;
    panes->layout = scene->layout;
    panes->n = scene->npanes;
    panes->own_views = scene->own_views;
    for (int i = 0; i < panes->n; i++) {
        const struct rn_ui_scene_pane *from = &scene->pane[i];
        struct rn_ui_view *view = &panes->pane[i].view;
        view->aspect = from->aspect > 0 ? from->aspect : panes->aspect;
        memcpy(panes->pane[i].picture.mirrored, from->mirrored, sizeof from->mirrored);
        const struct rn_screen *picture = from->picture;
        view->w = !picture ? view->w : picture->whole_w ? picture->whole_w : picture->w;
        view->h = !picture ? view->h : picture->whole_h ? picture->whole_h : picture->h;
    }
    for (int i = 0; i < RN_SCENE_PANES; i++)
        put(panes, i);
    rn_ui_panes_follow(panes, 0);
    for (int i = 0; i < panes->n && !err; i++) {
        SDL_Rect place = rn_ui_view_place(&panes->pane[i].view);
        if (scene->pane[i].picture)
            err = rn_ui_picture_upload(&panes->pane[i].picture, renderer, scene->pane[i].picture,
                                       &place);
    }
    if (!err && panes->layout == RN_LAYOUT_SPLIT)
        return draw_split(panes, renderer, scene->split_at);
    for (int i = 0; i < panes->n && !err; i++)
        err = draw(panes, &panes->pane[i], renderer, 0, panes->pane[i].picture.w);
    return err;
}

/* ---- over the pictures */

/* The visible part of a pane's picture. */
static SDL_Rect seen_of(const struct rn_ui_pane *pane)
{
    SDL_Rect a = rn_ui_view_visible(&pane->view);
    return (SDL_Rect){pane->place.x + a.x, pane->place.y + a.y, a.w, a.h};
}

/* Where pixel i of n in a row or column is drawn, and which one is drawn there. */
static int mirrored(const struct rn_ui_pane *pane, int side, int n, int i)
{
    return pane->picture.mirrored[side] ? n - 1 - i : i;
}

void rn_ui_panes_frame(const struct rn_ui_panes *panes, struct rn_ui_osd *osd,
                       const struct rn_ui_scene_region *r, int least)
{
    int n = panes->own_views || panes->layout == RN_LAYOUT_SPLIT ? 1 : panes->n;
    for (int i = 0; i < n; i++) {
        const struct rn_ui_pane *pane = &panes->pane[i];
        SDL_Rect a = rn_ui_view_place(&pane->view);
        int x = a.x + pane->place.x, y = a.y + pane->place.y;
        int w = pane->view.w, h = pane->view.h;
        int x0 = mirrored(pane, 0, w, r->x0), x1 = mirrored(pane, 0, w, r->x1);
        int y0 = mirrored(pane, 1, h, r->y0), y1 = mirrored(pane, 1, h, r->y1);
        SDL_Rect box = {rn_ui_view_edge(x, a.w, w, SDL_min(x0, x1)),
                        rn_ui_view_edge(y, a.h, h, SDL_min(y0, y1)), 0, 0};
        box.w = rn_ui_view_edge(x, a.w, w, SDL_max(x0, x1) + 1) - box.x;
        box.h = rn_ui_view_edge(y, a.h, h, SDL_max(y0, y1) + 1) - box.y;
        int dx = box.w < least ? least - box.w : 0, dy = box.h < least ? least - box.h : 0;
        box = (SDL_Rect){box.x - dx / 2, box.y - dy / 2, box.w + dx, box.h + dy};
        rn_ui_osd_frame(osd, &box, &pane->place);
    }
}

/* Where the split line is; empty: nowhere. */
static SDL_Rect line_of(const struct rn_ui_panes *panes, int thick)
{
    SDL_Rect seen = seen_of(&panes->pane[0]);
    bool split = panes->layout == RN_LAYOUT_SPLIT && panes->n;
    return (SDL_Rect){panes->line - thick, seen.y, split ? 2 * thick : 0, seen.h};
}

void rn_ui_panes_line(const struct rn_ui_panes *panes, struct rn_ui_osd *osd)
{
    SDL_Rect dark = line_of(panes, osd->thick), bright = dark;
    bright.x += bright.w /= 2;
    if (!dark.w)
        return;
    rn_ui_osd_fill(osd, &dark, (SDL_Color){0, 0, 0, 255});
    rn_ui_osd_fill(osd, &bright, (SDL_Color){255, 255, 255, 255});
}

void rn_ui_panes_label(const struct rn_ui_panes *panes, struct rn_ui_osd *osd,
                       const struct rn_ui_scene *scene)
{
    bool split = panes->layout == RN_LAYOUT_SPLIT;
    for (int i = 0; i < panes->n; i++) {
        SDL_Rect room = split ? seen_of(&panes->pane[i]) : panes->pane[i].place;
        int end = room.x + room.w;
        if (split && i == 0)
            room.w = panes->line - room.x;
        if (split && i == 1)
            room = (SDL_Rect){panes->line, room.y, end - panes->line, room.h};
        if (scene->pane[i].label)
            rn_ui_osd_name(osd, &room, scene->pane[i].label, split && i == 0);
    }
}

static const SDL_Color cross_ink = {255, 220, 64, 255};

/* Draws a line of the crosses, clipped. */
static void line(struct rn_ui_osd *osd, int x, int y, int w, int h, const SDL_Rect *within)
{
    SDL_Rect box = {x, y, w, h};
    if (SDL_IntersectRect(&box, within, &box))
        rn_ui_osd_fill(osd, &box, cross_ink);
}

static void cross(const struct rn_ui_pane *pane, struct rn_ui_osd *osd,
                  const struct rn_ui_scene_pane *from)
{
    SDL_Rect a = rn_ui_view_place(&pane->view);
    SDL_Rect seen = seen_of(pane);
    if (a.w < 1)
        return;
    int w = pane->view.w, h = pane->view.h;
    int column = mirrored(pane, 0, w, from->cross_x), row = mirrored(pane, 1, h, from->cross_y);
    int x = rn_ui_view_edge(a.x, a.w, 2 * w, 2 * column + 1) + pane->place.x;
    int y = rn_ui_view_edge(a.y, a.h, 2 * h, 2 * row + 1) + pane->place.y;
    line(osd, x - osd->thick / 2, seen.y, osd->thick, seen.h, &seen);
    line(osd, seen.x, y - osd->thick / 2, seen.w, osd->thick, &seen);
}

/* Draws words in the middles of the sides: left, right, top, bottom. */
static void sides(const struct rn_ui_pane *pane, struct rn_ui_osd *osd, const char *const side[4])
{
    const SDL_Rect *r = &pane->place;
    int high = osd->px * 3 / 2, middle = r->x + r->w / 2, gap = osd->margin / 2;
    for (int i = 0; i < 4; i++) {
        int room = side[i] ? rn_ui_osd_label(osd, side[i], 0, 0, 0, false, cross_ink) : 0;
        int x = i == 0 ? r->x + gap : i == 1 ? r->x + r->w - gap - room : middle + gap;
        int y = i < 2 ? r->y + r->h / 2 - high : i == 2 ? r->y : r->y + r->h - high;
        SDL_Rect box = {x, y, room, high};
        if (!room || room >= r->w / 2 || 2 * high >= r->h)
            continue;
        while (!rn_ui_osd_claim(osd, &box) && box.y > r->y) /* above the seek bar */
            box.y--;
        if (rn_ui_osd_box(osd, &box, (SDL_Color){0}))
            rn_ui_osd_label(osd, side[i], x, box.y, room, false, cross_ink);
    }
}

void rn_ui_panes_cross(const struct rn_ui_panes *panes, struct rn_ui_osd *osd,
                       const struct rn_ui_scene *scene)
{
    for (int i = 0; i < panes->n; i++) {
        if (scene->pane[i].crossed)
            cross(&panes->pane[i], osd, &scene->pane[i]);
        sides(&panes->pane[i], osd, scene->pane[i].side);
    }
    if (scene->note && panes->layout == RN_LAYOUT_GRID)
        rn_ui_osd_note(osd, &panes->pane[RN_SCENE_PANES - 1].place, scene->note);
}

void rn_ui_panes_show(const struct rn_ui_panes *panes, struct rn_ui_osd *osd)
{
    struct rn_ui_layout *l = &osd->layout;
    int n = panes->layout == RN_LAYOUT_SPLIT ? SDL_min(panes->n, 1) : panes->n; /* in one place */
    for (int i = 0; i < n; i++)
        l->picture[i] = seen_of(&panes->pane[i]);
    l->npictures = n;
    l->line = line_of(panes, osd->thick);
}

/* ---- what is pointed at */

static double beyond(double v, int begin, int length)
{
    return v < begin ? begin - v : fmax(v - begin - length, 0);
}

int rn_ui_panes_at(const struct rn_ui_panes *panes, double x, double y)
{
    int nearest = 0;
    double least = HUGE_VAL;
    if (panes->layout == RN_LAYOUT_SPLIT)
        return x >= panes->line;
    for (int i = 0; i < panes->n; i++) {
        const SDL_Rect *r = &panes->pane[i].place;
        double far = beyond(x, r->x, r->w) + beyond(y, r->y, r->h);
        nearest = far < least ? i : nearest;
        least = fmin(far, least);
    }
    return nearest;
}

bool rn_ui_panes_pixel(const struct rn_ui_panes *panes, int pane, double x, double y, int *px,
                       int *py)
{
    const struct rn_ui_pane *p = &panes->pane[pane];
    bool in = x >= p->place.x && y >= p->place.y && x < p->place.x + p->place.w &&
              y < p->place.y + p->place.h;
    in = rn_ui_view_pixel(&p->view, x - p->place.x, y - p->place.y, px, py) && in;
    *px = mirrored(p, 0, p->view.w, *px);
    *py = mirrored(p, 1, p->view.h, *py);
    return in;
}

void rn_ui_panes_free(struct rn_ui_panes *panes)
{
    for (int i = 0; i < RN_SCENE_PANES; i++)
        rn_ui_picture_free(&panes->pane[i].picture);
}
