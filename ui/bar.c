/* SPDX-License-Identifier: MIT */
#include "ui/window_internal.h"

#include <math.h>

static const SDL_Color track_paper = {255, 255, 255, 64};
static const SDL_Color played = {255, 255, 255, 160};
static const SDL_Color mark_paper = {255, 214, 102, 96};

/* ---- places */

struct rn_ui_bar rn_ui_bar_lay_out(int out_w, int out_h, int px)
{
    int margin = px / 2, h = px / 2 > 4 ? px / 2 : 4, near = 3 * px;
    struct rn_ui_bar bar = {.out_w = out_w, .out_h = out_h};
    bar.track = (SDL_Rect){margin, out_h - margin - h, SDL_max(1, out_w - 2 * margin), h};
    bar.zone = out_h - SDL_max(near, out_h / 8);
    return bar;
}

bool rn_ui_bar_is_near(const struct rn_ui_bar *bar, int x, int y)
{
    return x >= 0 && x < bar->out_w && y >= bar->zone && y < bar->out_h;
}

bool rn_ui_bar_is_hit(const struct rn_ui_bar *bar, int x, int y)
{
    return rn_ui_bar_is_near(bar, x, y) && y >= bar->track.y - bar->track.h;
}

double rn_ui_bar_place(const struct rn_ui_bar *bar, int x)
{
    int last = bar->track.w - 1;
    double place = last > 0 ? (double)(x - bar->track.x) / last : 0;
    return place < 0 ? 0 : place > 1 ? 1 : place;
}

int rn_ui_bar_column(const struct rn_ui_bar *bar, double place)
{
    return bar->track.x + (int)lround(SDL_clamp(place, 0, 1) * (bar->track.w - 1));
}

/* The column where something `w` wide begins, so that it leaves neither end of the track. */
static int kept_inside(const struct rn_ui_bar *bar, int x, int w)
{
    return SDL_max(bar->track.x, SDL_min(x, bar->out_w - bar->track.x - w));
}

SDL_Rect rn_ui_bar_box(const struct rn_ui_bar *bar, int w, int h, double place)
{
    double by = fmin(1, fmin(bar->out_w / 3.0 / w, bar->out_h / 2.0 / h));
    SDL_Rect box = {.w = SDL_max(1, (int)(w * by)), .h = SDL_max(1, (int)(h * by))};
    box.x = kept_inside(bar, rn_ui_bar_column(bar, place) - box.w / 2, box.w);
    box.y = bar->track.y - bar->track.h - box.h;
    return box;
}

/* ---- drawing */

/* The rows of the curve, above the half height that is left free over the track. */
static int curve_rows(const struct rn_ui_bar *bar, const struct rn_ui_scene_bar *scene)
{
    return scene->curve ? 3 * bar->track.h - bar->track.h / 2 : 0;
}

/* The thumbnail's place, `above` rows higher than rn_ui_bar_box. */
static SDL_Rect thumb_box(const struct rn_ui_bar *bar, const struct rn_screen *thumb, int x,
                          int above)
{
    SDL_Rect box = rn_ui_bar_box(bar, thumb->w, thumb->h, rn_ui_bar_place(bar, x));
    box.y -= above;
    return box;
}

void rn_ui_bar_prepare(struct rn_ui_osd *osd, const struct rn_ui_scene_bar *scene, int x, int y,
                       struct rn_ui_bar_place *place)
{
    place->there = scene && osd->w > 0;
    place->drags = place->drags && place->there;
    place->seen = false;
    if (!place->there)
        return;
    place->bar = rn_ui_bar_lay_out(osd->w, osd->h, osd->px);
    place->seen = scene->always || place->drags || rn_ui_bar_is_near(&place->bar, x, y);
    int curve = curve_rows(&place->bar, scene);
    int above = osd->font && (place->drags || place->pointed) ? osd->px * 3 / 2 : 0;
    if (place->seen && (place->drags || place->pointed) && scene->thumb) {
        /* reserved for the thumbnail and its frame */
        SDL_Rect box = thumb_box(&place->bar, scene->thumb, x, curve + (*scene->label ? above : 0));
        int gap = osd->margin / 2;
        SDL_Rect room = {box.x - gap, box.y - gap, box.w + 2 * gap, box.h + 2 * gap};
        rn_ui_osd_claim(osd, &room);
    }
    SDL_Rect rows = {0, place->bar.track.y - place->bar.track.h / 2 - curve - above, osd->w,
                     osd->h};
    if (place->seen)
        rn_ui_layout_take(&osd->layout, &rows);
}

static void fill_part(struct rn_ui_osd *osd, const struct rn_ui_bar *bar, double from, double to,
                      SDL_Color colour)
{
    SDL_Rect part = bar->track;
    part.x = rn_ui_bar_column(bar, from);
    part.w = rn_ui_bar_column(bar, to) + 1 - part.x;
    if (part.w > 0)
        rn_ui_osd_fill(osd, &part, colour);
}

/* Draws a mark from above the track to below it. */
static void draw_mark(struct rn_ui_osd *osd, const struct rn_ui_bar *bar, double place,
                      SDL_Color colour)
{
    int over = bar->track.h / 3 + 1, thick = bar->track.h / 4 > 1 ? bar->track.h / 4 : 2;
    SDL_Rect box = {rn_ui_bar_column(bar, place) - thick / 2, bar->track.y - over, thick,
                    bar->track.h + 2 * over};
    rn_ui_osd_fill(osd, &box, colour);
}

/* Draws the changes of settings below the track, and above it a value over time. */
static void draw_recording(struct rn_ui_osd *osd, const struct rn_ui_bar *bar,
                           const struct rn_ui_scene_bar *scene)
{
    const SDL_Rect *track = &bar->track;
    int thick = track->h / 4 > 1 ? track->h / 4 : 2;
    for (int i = 0; i < scene->nchanges; i++) {
        bool chosen = scene->change[i] <= scene->at &&
                      (i + 1 == scene->nchanges || scene->change[i + 1] > scene->at);
        SDL_Rect box = {rn_ui_bar_column(bar, scene->change[i]) - thick / 2, track->y + track->h,
                        thick, track->h};
        rn_ui_osd_fill(osd, &box, chosen ? RN_UI_INK : RN_UI_MARKED);
    }
    if (!scene->curve)
        return;
    int before = -1, height = 2 * track->h;
    SDL_Rect room = {track->x, track->y - track->h - height, track->w, height + thick};
    for (int x = 0; x < track->w; x++) {
        float v = scene->curve[(int)((double)x * (RN_UI_BAR_CURVE - 1) / track->w)];
        if (isnan(v)) {
            before = -1;
            continue;
        }
        if (room.h)
            rn_ui_osd_fill(osd, &room, RN_UI_PAPER);
        room.h = 0; /* once */
        int y = room.y + (int)lround((1 - v) * height), from = before < 0 ? y : before;
        SDL_Rect box = {track->x + x, y < from ? y : from, 1, abs(y - from) + thick};
        rn_ui_osd_fill(osd, &box, RN_UI_MARKED);
        before = y;
    }
}

/* Returns the height of the label. above: rows that it leaves to the curve. */
static int draw_label(struct rn_ui_osd *osd, const char *text, const struct rn_ui_bar *bar,
                      double place, int above)
{
    if (!*text || !osd->font)
        return 0;
    int w = rn_ui_osd_label(osd, text, 0, 0, 0, false, RN_UI_INK) + osd->px, h = osd->px * 3 / 2;
    int x = kept_inside(bar, rn_ui_bar_column(bar, place) - w / 2, w);
    SDL_Rect box = {x, bar->track.y - bar->track.h - h - above, w, h};
    rn_ui_osd_fill(osd, &box, RN_UI_PAPER);
    rn_ui_osd_label(osd, text, x + osd->px / 2, box.y, w - osd->px / 2, false, RN_UI_INK);
    return h;
}

int rn_ui_bar_draw(struct rn_ui_osd *osd, SDL_Renderer *renderer,
                   const struct rn_ui_scene_bar *scene, int x, struct rn_ui_bar_place *place)
{
    if (!place->seen)
        return 0;
    rn_ui_osd_fill(osd, &place->bar.track, RN_UI_PAPER);
    rn_ui_osd_fill(osd, &place->bar.track, track_paper);
    fill_part(osd, &place->bar, 0, scene->at, played);
    if (!isnan(scene->begin) || !isnan(scene->end))
        fill_part(osd, &place->bar, isnan(scene->begin) ? 0 : scene->begin,
                  isnan(scene->end) ? 1 : scene->end, mark_paper);
    if (!isnan(scene->begin))
        draw_mark(osd, &place->bar, scene->begin, RN_UI_MARKED);
    if (!isnan(scene->end))
        draw_mark(osd, &place->bar, scene->end, RN_UI_MARKED);
    draw_mark(osd, &place->bar, scene->at, RN_UI_INK);
    draw_recording(osd, &place->bar, scene);
    if (!place->pointed && !place->drags)
        return 0;
    int above = curve_rows(&place->bar, scene);
    above += draw_label(osd, scene->label, &place->bar, rn_ui_bar_place(&place->bar, x), above);
    if (!scene->thumb)
        return 0;
    SDL_Rect box = thumb_box(&place->bar, scene->thumb, x, above);
    int err = rn_ui_picture_upload(&place->thumb, renderer, scene->thumb, &box);
    if (!err)
        err = rn_ui_picture_draw(&place->thumb, renderer, &box, &box, 0, place->thumb.w, true);
    if (!err)
        rn_ui_osd_frame(osd, &box, NULL);
    return err;
}

/* ---- the mouse */

bool rn_ui_bar_leave(struct rn_ui_bar_place *place, struct rn_ui_event *event)
{
    bool was = place->pointed;
    place->pointed = false;
    return was && rn_ui_tell(event, RN_EVENT_BAR_POINT, 0, -1);
}

static bool on_motion(struct rn_ui_bar_place *place, const SDL_MouseMotionEvent *e, double scale,
                      struct rn_ui_event *event)
{
    int x = (int)(e->x * scale), y = (int)(e->y * scale);
    place->drags = place->drags && e->state & SDL_BUTTON_LMASK;
    if (place->drags)
        return rn_ui_tell(event, RN_EVENT_BAR_SEEK, 0, rn_ui_bar_place(&place->bar, x));
    if (e->state || !rn_ui_bar_is_near(&place->bar, x, y))
        return rn_ui_bar_leave(place, event) && !e->state;
    place->pointed = true;
    return rn_ui_tell(event, RN_EVENT_BAR_POINT, 0, rn_ui_bar_place(&place->bar, x));
}

bool rn_ui_bar_mouse(struct rn_ui_bar_place *place, const SDL_Event *e, double scale,
                     struct rn_ui_event *event)
{
    int x = (int)(e->button.x * scale), y = (int)(e->button.y * scale);
    if (!place->there)
        return false;
    switch (e->type) {
    case SDL_MOUSEMOTION:
        return on_motion(place, &e->motion, scale, event);
    case SDL_MOUSEBUTTONDOWN:
        if (!place->seen || e->button.button != SDL_BUTTON_LEFT ||
            !rn_ui_bar_is_hit(&place->bar, x, y))
            return false;
        place->drags = place->pointed = true;
        return rn_ui_tell(event, RN_EVENT_BAR_SEEK, 1, rn_ui_bar_place(&place->bar, x));
    case SDL_MOUSEBUTTONUP: {
        bool was = place->drags && e->button.button == SDL_BUTTON_LEFT;
        place->drags = place->drags && !was;
        return was;
    }
    default:
        return false;
    }
}
