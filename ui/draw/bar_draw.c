#include "ui/draw/bar_draw.h"

#include <math.h>

static const SDL_Color paper = {0, 0, 0, 176};
static const SDL_Color track_paper = {255, 255, 255, 64};
static const SDL_Color played = {255, 255, 255, 160};
static const SDL_Color mark_ink = {255, 214, 102, 255};
static const SDL_Color mark_paper = {255, 214, 102, 96};
static const SDL_Color bright = {255, 255, 255, 255};

/* ---- drawing */

static SDL_Rect rect_of(const struct rn_ui_area *a)
{
    return (SDL_Rect){a->x, a->y, a->w, a->h};
}

/* The picture's place, so many rows above the bar's box. */
static struct rn_ui_area thumb_box(const struct rn_ui_bar *bar, const struct rn_screen *thumb,
                                   int x, int above)
{
    struct rn_ui_area box = rn_ui_bar_box(bar, thumb->w, thumb->h, rn_ui_bar_place(bar, x));
    box.y -= above;
    return box;
}

int rn_ui_bar_prepare(struct rn_ui_osd *osd, const struct rn_ui_scene_bar *scene, int x, int y,
                      struct rn_ui_bar_place *place)
{
    struct rn_ui_osd_size o;
    bool text = rn_ui_osd_size(osd, &o);
    place->there = scene && o.w > 0;
    place->drags = place->drags && place->there;
    if (!place->there) {
        place->seen = false;
        return 0;
    }
    place->bar = rn_ui_bar_lay_out(o.w, o.h, o.px);
    place->seen = scene->always || place->drags || rn_ui_bar_is_near(&place->bar, x, y);
    int above = text && (place->drags || place->pointed) ? o.px * 3 / 2 : 0;
    if (place->seen && (place->drags || place->pointed) && scene->thumb) {
        /* Keeps others from the picture and its frame. */
        struct rn_ui_area box =
            thumb_box(&place->bar, scene->thumb, x, (*scene->label ? above : 0));
        int gap = o.margin / 2;
        SDL_Rect room = {box.x - gap, box.y - gap, box.w + 2 * gap, box.h + 2 * gap};
        rn_ui_osd_claim(osd, &room);
    }
    return place->seen ? o.h - place->bar.track.y + place->bar.track.h / 2 + above : 0;
}

static void fill_part(struct rn_ui_osd *osd, const struct rn_ui_bar *bar, double from, double to,
                      SDL_Color colour)
{
    SDL_Rect part = rect_of(&bar->track);
    part.x = rn_ui_bar_column(bar, from);
    part.w = rn_ui_bar_column(bar, to) + 1 - part.x;
    if (part.w > 0)
        rn_ui_osd_fill(osd, &part, colour);
}

/* From above the track to below it. */
static void draw_mark(struct rn_ui_osd *osd, const struct rn_ui_bar *bar, double place,
                      SDL_Color colour)
{
    int over = bar->track.h / 3 + 1, thick = bar->track.h / 4 > 1 ? bar->track.h / 4 : 2;
    SDL_Rect box = {rn_ui_bar_column(bar, place) - thick / 2, bar->track.y - over, thick,
                    bar->track.h + 2 * over};
    rn_ui_osd_fill(osd, &box, colour);
}

/* Returns the height that it takes. */
static int draw_label(struct rn_ui_osd *osd, const char *text, const struct rn_ui_bar *bar,
                      double place)
{
    struct rn_ui_osd_size o;
    if (!*text || !rn_ui_osd_size(osd, &o))
        return 0;
    int w = rn_ui_osd_label(osd, text, 0, 0, 0, false, bright) + o.px, h = o.px * 3 / 2;
    int right = bar->out_w - bar->track.x, x = rn_ui_bar_column(bar, place) - w / 2;
    x = x + w > right ? right - w : x;
    x = x < bar->track.x ? bar->track.x : x;
    SDL_Rect box = {x, bar->track.y - bar->track.h - h, w, h};
    rn_ui_osd_fill(osd, &box, paper);
    rn_ui_osd_label(osd, text, x + o.px / 2, box.y, w - o.px / 2, false, bright);
    return h;
}

static int draw_thumb(struct rn_ui_osd *osd, SDL_Renderer *renderer, const struct rn_screen *screen,
                      int x, int above, struct rn_ui_bar_place *p)
{
    struct rn_ui_area box = thumb_box(&p->bar, screen, x, above);
    SDL_Rect frame = rect_of(&box);
    int err = rn_ui_picture_upload(&p->thumb, renderer, screen, &box);
    if (!err)
        err = rn_ui_picture_draw(&p->thumb, renderer, &box, &box, 0, p->thumb.w, true);
    if (!err)
        rn_ui_osd_frame(osd, &frame, NULL);
    return err;
}

int rn_ui_bar_draw(struct rn_ui_osd *osd, SDL_Renderer *renderer,
                   const struct rn_ui_scene_bar *scene, int x, struct rn_ui_bar_place *place)
{
    if (!place->seen)
        return 0;
    SDL_Rect back = rect_of(&place->bar.track);
    rn_ui_osd_fill(osd, &back, paper);
    rn_ui_osd_fill(osd, &back, track_paper);
    fill_part(osd, &place->bar, 0, scene->at, played);
    if (!isnan(scene->begin) || !isnan(scene->end))
        fill_part(osd, &place->bar, isnan(scene->begin) ? 0 : scene->begin,
                  isnan(scene->end) ? 1 : scene->end, mark_paper);
    if (!isnan(scene->begin))
        draw_mark(osd, &place->bar, scene->begin, mark_ink);
    if (!isnan(scene->end))
        draw_mark(osd, &place->bar, scene->end, mark_ink);
    draw_mark(osd, &place->bar, scene->at, bright);
    if (!place->pointed && !place->drags)
        return 0;
    int above = draw_label(osd, scene->label, &place->bar, rn_ui_bar_place(&place->bar, x));
    return scene->thumb ? draw_thumb(osd, renderer, scene->thumb, x, above, place) : 0;
}

/* ---- the mouse */

static void tell(struct rn_ui_event *event, enum rn_ui_event_kind kind, int count, double position)
{
    event->kind = kind;
    event->count = count;
    event->position = position;
}

bool rn_ui_bar_leave(struct rn_ui_bar_place *place, struct rn_ui_event *event)
{
    bool was = place->pointed;
    place->pointed = false;
    if (was)
        tell(event, RN_EVENT_BAR_POINT, 0, -1);
    return was;
}

static bool on_motion(struct rn_ui_bar_place *place, const SDL_MouseMotionEvent *e, double scale,
                      struct rn_ui_event *event)
{
    int x = (int)(e->x * scale), y = (int)(e->y * scale);
    place->drags = place->drags && e->state & SDL_BUTTON_LMASK;
    if (place->drags) {
        tell(event, RN_EVENT_BAR_SEEK, 0, rn_ui_bar_place(&place->bar, x));
        return true;
    }
    if (e->state || !rn_ui_bar_is_near(&place->bar, x, y))
        return rn_ui_bar_leave(place, event) && !e->state;
    place->pointed = true;
    tell(event, RN_EVENT_BAR_POINT, 0, rn_ui_bar_place(&place->bar, x));
    return true;
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
        tell(event, RN_EVENT_BAR_SEEK, 1, rn_ui_bar_place(&place->bar, x));
        return true;
    case SDL_MOUSEBUTTONUP: {
        bool was = place->drags && e->button.button == SDL_BUTTON_LEFT;
        place->drags = place->drags && !was;
        return was;
    }
    default:
        return false;
    }
}
