#include "ui/window_internal.h"

#include <math.h>

static const SDL_Color paper = {0, 0, 0, 200};
static const SDL_Color marked = {255, 255, 255, 48};
static const SDL_Color bar_paper = {255, 255, 255, 40};
static const SDL_Color bar_ink = {255, 214, 102, 255};
static const SDL_Color bright = {255, 255, 255, 255};
static const SDL_Color dim = {160, 160, 160, 255};

/* ---- drawing */

enum {
    WIDTH = 20,
    LEAST_WIDTH = 30
}; /* in font sizes; narrower windows have a panel of their width */

/* Chooses the first row so that the selected one is visible. */
static void keep_seen(const struct rn_ui_panel *panel, struct rn_ui_panel_place *place)
{
    int i = 0;
    while (i < panel->n && !panel->row[i].selected)
        i++;
    int now = i < panel->n ? i : 0;
    if (place->first > now)
        place->first = now;
    if (place->first < now - place->n + 1)
        place->first = now - place->n + 1;
    if (place->first > panel->n - place->n)
        place->first = panel->n - place->n;
}

/* Computes the place of the panel and the number of visible rows. */
static void lay_out(const struct rn_ui_osd *o, const struct rn_ui_panel *panel,
                    struct rn_ui_panel_place *place)
{
    int title = *panel->title != '\0', pad = o->px / 2;
    int w = o->w < LEAST_WIDTH * o->px ? o->w - 2 * o->margin : WIDTH * o->px;
    place->row_h = o->px * 3 / 2;
    int most = (o->h - 2 * o->margin) / place->row_h - title;
    most = most < 1 ? 1 : most;
    place->n = panel->n < most ? panel->n : most;
    place->box = (SDL_Rect){o->w - o->margin - w, o->margin, w, (place->n + title) * place->row_h};
    place->rows_y = o->margin + title * place->row_h;
    place->check = pad + o->px;
    place->track = w - 3 * pad - o->px;
}

static void draw_bar(struct rn_ui_osd *o, const SDL_Rect *row,
                     const struct rn_ui_panel_place *place, double at)
{
    int thick = o->px / 7 > 1 ? o->px / 7 : 2;
    SDL_Rect bar = {row->x + place->check + o->px / 2, row->y + row->h - thick - 1, place->track,
                    thick};
    rn_ui_osd_fill(o, &bar, bar_paper);
    bar.w = (int)(bar.w * at + 0.5);
    rn_ui_osd_fill(o, &bar, bar_ink);
}

static void draw_check(struct rn_ui_osd *o, const SDL_Rect *row, bool on)
{
    int side = o->px * 3 / 4;
    SDL_Rect box = {row->x + o->px / 2, row->y + (row->h - side) / 2, side, side};
    SDL_Rect inner = {box.x + 1, box.y + 1, side - 2, side - 2};
    rn_ui_osd_fill(o, &box, bright);
    if (!on)
        rn_ui_osd_fill(o, &inner, (SDL_Color){0, 0, 0, 255});
}

static void draw_row(struct rn_ui_osd *o, const SDL_Rect *at, const struct rn_ui_panel_place *place,
                     const struct rn_ui_panel_row *row)
{
    int pad = o->px / 2, x = at->x + place->check + pad, right = at->x + at->w - pad;
    SDL_Color colour = row->off ? dim : row->selected ? bar_ink : bright;
    if (row->selected)
        rn_ui_osd_fill(o, at, marked);
    if (row->head)
        draw_check(o, at, !row->off);
    else if (!isnan(row->at))
        draw_bar(o, at, place, row->at);
    x += rn_ui_osd_label(o, row->name, x, at->y, right - x, false, colour) + o->px;
    if (*row->value)
        rn_ui_osd_label(o, row->value, x, at->y, right - x, true, row->off ? dim : bright);
    if (*row->note)
        rn_ui_osd_label(o, row->note, x, at->y, right - x, false, dim);
}

void rn_ui_panel_draw(struct rn_ui_osd *osd, const struct rn_ui_panel *panel,
                      struct rn_ui_panel_place *place)
{
    if (!panel || !osd->font) {
        *place = (struct rn_ui_panel_place){.first = place->first};
        return;
    }
    lay_out(osd, panel, place);
    bool free = rn_ui_osd_claim(osd, &place->box);
    for (; !free && place->n > 0; place->n--) {
        place->box.h -= place->row_h;
        free = place->box.h > 0 && rn_ui_osd_claim(osd, &place->box);
    }
    if (!free) {
        *place = (struct rn_ui_panel_place){.first = place->first};
        return;
    }
    keep_seen(panel, place);
    rn_ui_osd_fill(osd, &place->box, paper);
    SDL_Rect at = {place->box.x, place->box.y, place->box.w, place->row_h};
    if (*panel->title) {
        int pad = osd->px / 2, x = at.x + pad, right = at.x + at.w - pad;
        x += rn_ui_osd_label(osd, panel->title, x, at.y, right - x, false, dim) + pad;
        /* Shows the end of a long text, where the cursor is. */
        int room = right - x - osd->px / 4,
            w = rn_ui_osd_label(osd, panel->typed, x, at.y, 0, false, dim);
        x += rn_ui_osd_label(osd, panel->typed, x, at.y, room, w > room, bright);
        SDL_Rect cursor = {x < right ? x + 1 : right, at.y + at.h / 5, osd->px / 8 + 1,
                           at.h * 3 / 5};
        rn_ui_osd_fill(osd, &cursor, bar_ink);
    }
    for (int i = 0; i < place->n; i++) {
        at.y = place->rows_y + i * place->row_h;
        draw_row(osd, &at, place, &panel->row[place->first + i]);
    }
}

/* ---- the mouse */

/* The row at a place of the output; -1: none. */
static int row_at(const struct rn_ui_panel_place *place, int x, int y)
{
    SDL_Point at = {x, y};
    if (!SDL_PointInRect(&at, &place->box) || y < place->rows_y)
        return -1;
    int row = (y - place->rows_y) / place->row_h;
    return row < place->n ? place->first + row : -1;
}

static bool is_inside(const struct rn_ui_panel_place *place, int x, int y)
{
    SDL_Point at = {x, y};
    return SDL_PointInRect(&at, &place->box);
}

static void press(struct rn_ui_panel_place *place, int x, int row, bool twice,
                  struct rn_ui_event *event)
{
    place->pressed = row + 1;
    place->from_x = x;
    place->slides = false;
    if (row < 0)
        return;
    bool box = x < place->box.x + place->check;
    event->kind = box ? RN_EVENT_PANEL_SWITCH : twice ? RN_EVENT_PANEL_TYPE : RN_EVENT_PANEL_PICK;
    event->count = row;
}

static bool on_wheel(const struct rn_ui_panel_place *place, const SDL_MouseWheelEvent *wheel,
                     double scale, struct rn_ui_event *event)
{
    int x, y;
    SDL_GetMouseState(&x, &y);
    x = (int)(x * scale);
    y = (int)(y * scale);
    event->count = row_at(place, x, y);
    event->kind = event->count >= 0 && wheel->y ? RN_EVENT_PANEL_STEP : RN_EVENT_NONE;
    event->position = wheel->y;
    return is_inside(place, x, y);
}

bool rn_ui_panel_mouse(struct rn_ui_panel_place *place, const SDL_Event *e, double scale,
                       struct rn_ui_event *event)
{
    int x = (int)(e->button.x * scale), y = (int)(e->button.y * scale);
    switch (e->type) {
    case SDL_MOUSEWHEEL:
        return on_wheel(place, &e->wheel, scale, event);
    case SDL_MOUSEBUTTONDOWN:
        if (!is_inside(place, x, y))
            return false;
        if (e->button.button == SDL_BUTTON_LEFT)
            press(place, x, row_at(place, x, y), e->button.clicks == 2, event);
        return true;
    case SDL_MOUSEBUTTONUP:
        place->pressed = 0;
        return false;
    default: /* motion */
        if (!(e->motion.state & SDL_BUTTON_LMASK))
            place->pressed = 0;
        if (!place->pressed)
            return false;
        x = (int)(e->motion.x * scale);
        *event = (struct rn_ui_event){
            .kind = RN_EVENT_PANEL_SLIDE,
            .count = place->pressed - 1,
            .position = place->track > 0 ? (double)(x - place->from_x) / place->track : 0,
            .again = place->slides,
        };
        place->slides = true;
        return true;
    }
}
