/* SPDX-License-Identifier: MIT */
#include "ui/window_internal.h"

#include <math.h>

static const SDL_Color paper = {0, 0, 0, 200};
static const SDL_Color list_paper = {24, 24, 24, 244};
static const SDL_Color marked = {255, 255, 255, 48};
static const SDL_Color bar_paper = {255, 255, 255, 40};
static const SDL_Color dim = {160, 160, 160, 255};

/* ---- where it is, in font sizes */

static const int widths[] = {
    [RN_PANEL_DOCK] = 20, [RN_PANEL_FIELD] = 46, [RN_PANEL_LIST] = 46,
    [RN_PANEL_HELP] = 36, [RN_PANEL_MENU] = 26,
};
enum { ROOM = 16, LIST_ROOM = 36 };   /* beside the panel; likewise while there is a list */
enum { HELP_TAB = 13, LIST_TAB = 9 }; /* where notes begin */
enum { SCROLL = 3 };                  /* rows */
#define LEAST_HELP 12 /* units: the smallest font to show all of the help or a menu */

int rn_ui_panel_dock(const struct rn_ui_osd *o, bool listed)
{
    int w = widths[RN_PANEL_DOCK] * o->px;
    return o->w < w + (listed ? LIST_ROOM : ROOM) * o->px ? 0 : w;
}

/* Nothing else takes the mouse. */
static bool alone(const struct rn_ui_panel_place *place)
{
    return place->kind == RN_PANEL_MENU || place->kind == RN_PANEL_HELP;
}

/* Chooses the first row so that the selected one is visible, if it is another one than before. */
static void keep_seen(const struct rn_ui_panel *panel, struct rn_ui_panel_place *place)
{
    int i = 0;
    while (i < panel->n && !panel->row[i].selected)
        i++;
    int now = i < panel->n ? i : 0;
    if (i != place->selected || panel->n != place->all)
        place->first = now < 2 ? 0 /* with the heading above it */
                               : SDL_max(SDL_min(place->first, now), now - place->n + 1);
    place->first = SDL_max(0, SDL_min(place->first, panel->n - place->n));
    place->selected = i;
    place->all = panel->n;
}

static int row_height(const struct rn_ui_osd *o, const struct rn_ui_panel *panel)
{
    return panel->kind >= RN_PANEL_HELP ? o->px * 5 / 4 : o->px * 3 / 2;
}

/* The help in as many columns as fit, and in a smaller font if that shows all of it. */
static void lay_out_help(struct rn_ui_osd *o, const struct rn_ui_panel *panel,
                         struct rn_ui_panel_place *place)
{
    int was = o->px, columns, lines;
    do {
        columns = SDL_max(1, (o->w - was) / (widths[RN_PANEL_HELP] * o->px));
        lines = (o->h - 2 * o->margin) / row_height(o, panel) - 1;
    } while (columns * lines < panel->n && --o->px >= LEAST_HELP * o->scale);
    bool fits = columns * lines >= panel->n;
    o->px = fits ? o->px : was;
    place->columns = fits && lines < panel->n ? columns : 1;
}

/* Computes the place of the panel and the rows that are visible. */
static void lay_out(struct rn_ui_osd *o, const struct rn_ui_panel *panel, const SDL_Point *at,
                    struct rn_ui_panel_place *place)
{
    int m = o->margin, title = *panel->title != '\0';
    int dock = panel->kind == RN_PANEL_DOCK ? rn_ui_panel_dock(o, false) : 0;
    place->kind = panel->kind;
    place->columns = 1;
    if (panel->kind == RN_PANEL_HELP)
        lay_out_help(o, panel, place);
    if (panel->kind == RN_PANEL_MENU) /* beside the panel there may be less room */
        o->px = SDL_max(SDL_min(o->px, o->w / widths[RN_PANEL_MENU]), (int)(LEAST_HELP * o->scale));
    int most_w = panel->kind == RN_PANEL_MENU ? o->w : o->w - 2 * m;
    int w = SDL_min(widths[panel->kind] * place->columns * o->px, most_w);
    if (panel->kind == RN_PANEL_DOCK && !dock)
        w = o->w - 2 * m;
    place->row_h = row_height(o, panel);
    place->check = o->px * 3 / 2;
    place->track = w - o->px * 5 / 2;
    int text_h =
        panel->about ? rn_ui_osd_paragraph(o, panel->about, 0, 0, place->track, false, dim) : 0;
    place->about = (text_h + place->row_h - 1) / place->row_h;
    if (panel->kind == RN_PANEL_DOCK)
        place->about = dock ? 3 : 2; /* rows must not move when one is chosen */
    int most = (o->h - 2 * m) / place->row_h - title - place->about;
    int lines = (panel->n + place->columns - 1) / place->columns;
    place->scrolls = lines > most;
    place->lines = !place->scrolls ? lines : SDL_max(most - 2, 1);
    place->n = SDL_min(place->lines * place->columns, panel->n);
    int h = (title + place->about + place->lines + 2 * place->scrolls) * place->row_h;
    place->box = (SDL_Rect){o->w - m - w, m, w, h};
    if (dock)
        place->box = (SDL_Rect){panel->left ? 0 : o->w - w, 0, w, o->h};
    else if (panel->kind == RN_PANEL_HELP)
        place->box.x = (o->w - w) / 2;
    else if (panel->kind == RN_PANEL_MENU)
        place->box = (SDL_Rect){SDL_max(0, SDL_min(at->x, o->w - w)),
                                SDL_max(0, SDL_min(at->y, o->h - h)), w, h};
    place->px = o->px;
}

/* ---- drawing */

static void draw_bar(struct rn_ui_osd *o, const SDL_Rect *row,
                     const struct rn_ui_panel_place *place, double at)
{
    int thick = o->px / 7 > 1 ? o->px / 7 : 2;
    SDL_Rect bar = {row->x + place->check + o->px / 2, row->y + row->h - thick - 1, place->track,
                    thick};
    rn_ui_osd_fill(o, &bar, bar_paper);
    bar.w = (int)(bar.w * at + 0.5);
    rn_ui_osd_fill(o, &bar, RN_UI_MARKED);
}

static void draw_check(struct rn_ui_osd *o, const SDL_Rect *row, bool on)
{
    int side = o->px * 3 / 4;
    SDL_Rect box = {row->x + o->px / 2, row->y + (row->h - side) / 2, side, side};
    SDL_Rect inner = {box.x + 1, box.y + 1, side - 2, side - 2};
    rn_ui_osd_fill(o, &box, RN_UI_INK);
    if (!on)
        rn_ui_osd_fill(o, &inner, (SDL_Color){0, 0, 0, 255});
}

static void draw_row(struct rn_ui_osd *o, const SDL_Rect *at, const struct rn_ui_panel_place *place,
                     const struct rn_ui_panel_row *row, int tab)
{
    bool dock = place->kind == RN_PANEL_DOCK, help = place->kind == RN_PANEL_HELP;
    int y = at->y + (at->h - o->px * 3 / 2) / 2; /* of a label, which is higher than some rows */
    int pad = o->px / 2, right = at->x + at->w - pad;
    int x = at->x + (dock ? place->check : 0) + pad;
    SDL_Color colour = row->off                                ? dim
                       : row->selected || (help && !row->head) ? RN_UI_MARKED
                                                               : RN_UI_INK;
    if (row->selected)
        rn_ui_osd_fill(o, at, marked);
    if (row->head && dock) {
        draw_check(o, at, !row->off);
        right -= o->px;
        rn_ui_osd_label(o, row->folded ? "+" : "-", right + pad, y, o->px, false, dim);
    } else if (!isnan(row->at)) {
        draw_bar(o, at, place, row->at);
    }
    if (*row->value) {
        int w = rn_ui_osd_label(o, row->value, 0, 0, 0, false, dim), room = right - x;
        int name = dock ? rn_ui_osd_label(o, row->name, 0, 0, 0, false, dim) + pad : room;
        w = SDL_min(w, SDL_max(room / 2, row->head ? 0 : room - name));
        rn_ui_osd_label(o, row->value, right - w, y, w, true, row->off || !dock ? dim : RN_UI_INK);
        right -= w + pad;
    }
    int name = rn_ui_osd_label(o, row->name, x, y, right - x, false, colour) + o->px;
    x += name > tab || dock || row->head ? name : tab;
    if (*row->note)
        rn_ui_osd_label(o, row->note, x, y, right - x, false, help ? RN_UI_INK : dim);
}

/* Where the notes begin behind the names: the help's behind the longest that is seen. */
static int tab_of(struct rn_ui_osd *o, const struct rn_ui_panel *panel,
                  const struct rn_ui_panel_place *place)
{
    bool help = place->kind == RN_PANEL_HELP;
    int w = place->box.w / SDL_max(1, place->columns); /* less where it is narrow */
    int tab = (help ? HELP_TAB : LIST_TAB) * w / widths[place->kind];
    for (int i = place->first; help && i < place->first + place->n; i++)
        if (!panel->row[i].head)
            tab = SDL_max(tab, rn_ui_osd_label(o, panel->row[i].name, 0, 0, 0, false, dim) + o->px);
    return SDL_min(tab, w / 2);
}

static SDL_Rect place_of(const struct rn_ui_panel_place *place, int row)
{
    int i = row - place->first, lines = place->lines > 0 ? place->lines : 1;
    int w = place->box.w / place->columns;
    return (SDL_Rect){place->box.x + i / lines * w, place->rows_y + i % lines * place->row_h, w,
                      place->row_h};
}

static void draw_title(struct rn_ui_osd *o, const struct rn_ui_panel *panel, const SDL_Rect *at)
{
    int pad = o->px / 2, x = at->x + pad, right = at->x + at->w - pad;
    x += rn_ui_osd_label(o, panel->title, x, at->y, right - x, false, dim) + pad;
    /* Shows the end of a long text, where the cursor is. */
    int room = right - x - o->px / 4, w = rn_ui_osd_label(o, panel->typed, x, at->y, 0, false, dim);
    x += rn_ui_osd_label(o, panel->typed, x, at->y, room, w > room, RN_UI_INK);
    SDL_Rect cursor = {x < right ? x + 1 : right, at->y + at->h / 5, o->px / 8 + 1, at->h * 3 / 5};
    rn_ui_osd_fill(o, &cursor, RN_UI_MARKED);
}

/* How many rows are above or below those that are seen. */
static void draw_more(struct rn_ui_osd *o, const struct rn_ui_panel_place *place, int y, int n,
                      const char *where)
{
    char text[48];
    snprintf(text, sizeof text, "... %d more %s", n, where);
    if (n > 0)
        rn_ui_osd_label(o, text, place->box.x + place->check + o->px / 2, y, place->track, false,
                        RN_UI_MARKED);
}

void rn_ui_panel_put(struct rn_ui_osd *osd, const struct rn_ui_panel *panel, const SDL_Point *at,
                     struct rn_ui_panel_place *place)
{
    const struct rn_ui_panel_place none = {.all = -1};
    if (!panel || !osd->font) {
        *place = none;
        return;
    }
    int px = osd->px;
    lay_out(osd, panel, at, place);
    osd->px = px;
    while (place->kind == RN_PANEL_MENU && place->box.y > 0 &&
           !rn_ui_layout_is_free(&osd->layout, &place->box)) /* above the seek bar */
        place->box.y--;
    /* What lies over all, or stands beside the picture, has its place. */
    bool dock = place->kind == RN_PANEL_DOCK && rn_ui_panel_dock(osd, false);
    bool free = dock || alone(place) || rn_ui_osd_claim(osd, &place->box);
    while (!free && place->lines > 1) {
        place->lines--;
        place->scrolls = true;
        place->n = place->lines < panel->n ? place->lines : panel->n;
        place->box.h = ((*panel->title != '\0') + place->about + place->lines + 2) * place->row_h;
        free = rn_ui_osd_claim(osd, &place->box);
    }
    if (free)
        keep_seen(panel, place);
    else
        *place = none;
}

void rn_ui_panel_draw(struct rn_ui_osd *osd, const struct rn_ui_panel *panel,
                      struct rn_ui_panel_place *place)
{
    int px = osd->px;
    if (place->box.w <= 0 ||
        !rn_ui_osd_box(osd, &place->box, place->kind == RN_PANEL_DOCK ? paper : list_paper))
        return;
    osd->px = place->px;
    SDL_Rect row = {place->box.x, place->box.y, place->box.w, place->row_h};
    if (place->kind == RN_PANEL_DOCK && rn_ui_panel_dock(osd, false))
        row.y += osd->margin;
    if (*panel->title) {
        draw_title(osd, panel, &row);
        row.y += row.h;
    }
    place->rows_y = row.y + place->scrolls * place->row_h;
    int end = place->rows_y + place->lines * place->row_h, tab = tab_of(osd, panel, place);
    if (place->scrolls) {
        draw_more(osd, place, row.y, place->first, "above");
        draw_more(osd, place, end, panel->n - place->first - place->n, "below");
    }
    for (int i = place->first; i < place->first + place->n; i++) {
        row = place_of(place, i);
        draw_row(osd, &row, place, &panel->row[i], tab);
    }
    if (panel->about) {
        SDL_Rect clip = {place->box.x, end + place->scrolls * place->row_h, place->box.w,
                         place->about * place->row_h};
        SDL_RenderSetClipRect(osd->renderer, &clip);
        rn_ui_osd_paragraph(osd, panel->about, clip.x + place->check + osd->px / 2, clip.y,
                            place->track, true, RN_UI_MARKED);
        SDL_RenderSetClipRect(osd->renderer, NULL);
    }
    osd->px = px;
}

/* ---- the mouse */

static bool is_inside(const struct rn_ui_panel_place *place, int x, int y)
{
    SDL_Point at = {x, y};
    return SDL_PointInRect(&at, &place->box);
}

/* The row at a place of the output; -1: none. */
static int row_at(const struct rn_ui_panel_place *place, int x, int y)
{
    SDL_Point at = {x, y};
    for (int i = place->first; i < place->first + place->n && is_inside(place, x, y); i++) {
        SDL_Rect row = place_of(place, i);
        if (SDL_PointInRect(&at, &row))
            return i;
    }
    return -1;
}

static void scroll(struct rn_ui_panel_place *place, int by, struct rn_ui_event *event)
{
    place->first = place->first + by > 0 ? place->first + by : 0;
    event->kind = RN_EVENT_REDRAW;
}

static void press(struct rn_ui_panel_place *place, int x, int y, bool twice,
                  struct rn_ui_event *event)
{
    int row = row_at(place, x, y);
    bool dock = place->kind == RN_PANEL_DOCK;
    place->pressed = dock ? row + 1 : 0;
    place->from_x = x;
    place->slides = false;
    event->count = row;
    if (row < 0 && place->scrolls)
        scroll(place, y < place->rows_y ? -place->lines : place->lines, event);
    else if (row >= 0)
        event->kind = !dock                                             ? RN_EVENT_LIST_PICK
                      : x < place->box.x + place->check                 ? RN_EVENT_PANEL_SWITCH
                      : x >= place->box.x + place->box.w - place->check ? RN_EVENT_PANEL_FOLD
                      : twice                                           ? RN_EVENT_PANEL_TYPE
                                                                        : RN_EVENT_PANEL_PICK;
    SDL_Rect at = place_of(place, row);
    if (event->kind == RN_EVENT_PANEL_PICK && y >= at.y + at.h * 2 / 3) {
        event->again = place->slides = true; /* what is dragged from there is the same change */
        event->position = SDL_clamp((x - at.x - place->check * 4 / 3.0) / place->track, 0, 1);
    }
}

/* Of a list it moves the choice; in the panel it steps a value, or scrolls. */
static bool on_wheel(struct rn_ui_panel_place *place, const SDL_MouseWheelEvent *wheel, int x,
                     int y, struct rn_ui_event *event)
{
    bool dock = place->kind == RN_PANEL_DOCK, inside = is_inside(place, x, y);
    if (!wheel->y || (!alone(place) && !inside))
        return inside;
    rn_ui_tell(event, dock ? RN_EVENT_PANEL_STEP : RN_EVENT_CHOOSE,
               dock ? row_at(place, x, y) : -wheel->y, wheel->y);
    if (dock && event->count < 0)
        scroll(place, -SCROLL * wheel->y, event);
    return inside || alone(place);
}

static bool on_motion(struct rn_ui_panel_place *place, const SDL_MouseMotionEvent *e, int x, int y,
                      struct rn_ui_event *event)
{
    int row = place->kind == RN_PANEL_DOCK ? -1 : row_at(place, x, y);
    if (!(e->state & SDL_BUTTON_LMASK))
        place->pressed = 0;
    if (!place->pressed) {
        event->kind = row >= 0 && row != place->selected ? RN_EVENT_LIST_POINT : RN_EVENT_NONE;
        event->count = row;
        return row >= 0;
    }
    event->again = place->slides;
    place->slides = true;
    return rn_ui_tell(event, RN_EVENT_PANEL_SLIDE, place->pressed - 1,
                      place->track > 0 ? (double)(x - place->from_x) / place->track : 0);
}

bool rn_ui_panel_mouse(struct rn_ui_panel_place *place, const SDL_Event *e, double scale,
                       struct rn_ui_event *event)
{
    int x = (int)(e->button.x * scale) - place->shift, y = (int)(e->button.y * scale);
    if (place->box.w <= 0)
        return false;
    switch (e->type) {
    case SDL_MOUSEWHEEL:
        SDL_GetMouseState(&x, &y);
        return on_wheel(place, &e->wheel, (int)(x * scale) - place->shift, (int)(y * scale), event);
    case SDL_MOUSEBUTTONDOWN:
        if (!is_inside(place, x, y)) {
            event->kind = alone(place) ? RN_EVENT_CANCEL : RN_EVENT_NONE;
            return alone(place);
        }
        if (e->button.button == SDL_BUTTON_LEFT)
            press(place, x, y, e->button.clicks == 2, event);
        if (e->button.button == SDL_BUTTON_RIGHT && place->kind == RN_PANEL_DOCK)
            rn_ui_tell(event, RN_EVENT_MENU, RN_MENU_STAGE, row_at(place, x, y));
        return true;
    case SDL_MOUSEBUTTONUP:
        place->pressed = 0;
        return alone(place);
    default:
        return on_motion(place, &e->motion, x, y, event);
    }
}
