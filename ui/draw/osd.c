/* SPDX-License-Identifier: MIT */
#include "ui/draw/draw.h"

#include "filters/base/log.h"
#include "filters/base/owned.h"
#include "filters/base/text/printable.h"

#include <limits.h>

#define LEAST_GRAPH  32 /* units: the narrowest useful histogram */
#define READABLE     10 /* units: the smallest font, if a text has the width */
#define MESSAGE_PART 5  /* of the height, at most */

static const SDL_Color alarm_paper = {150, 16, 16, 224};

/* ---- layout */

void rn_ui_layout_begin(struct rn_ui_layout *l, int w, int h, int margin, int gap)
{
    *l = (struct rn_ui_layout){.w = w, .h = h, .margin = margin, .gap = gap};
}

bool rn_ui_layout_is_free(const struct rn_ui_layout *l, const SDL_Rect *box)
{
    for (int i = 0; i < l->n; i++)
        if (SDL_HasIntersection(&l->taken[i], box))
            return false;
    return true;
}

void rn_ui_layout_take(struct rn_ui_layout *l, const SDL_Rect *box)
{
    if (l->n < RN_MAX_BOXES)
        l->taken[l->n++] = *box;
}

/* The i-th place along a side for something `length` long, counted from its corner: at the margin
 * (0), or behind box i - 1, from `begin` to `end`; from_end: counted from the other end. */
static int place_at(int i, int begin, int end, int length, int side, int margin, int gap,
                    bool from_end)
{
    if (!i)
        return from_end ? side - margin - length : margin;
    return from_end ? begin - gap - length : end + gap;
}

static int64_t common(const SDL_Rect *a, const SDL_Rect *b)
{
    SDL_Rect both;
    return SDL_IntersectRect(a, b, &both) ? (int64_t)both.w * both.h : 0;
}

/* Whether a box leaves enough of the pictures. */
static bool shows_pictures(const struct rn_ui_layout *l, enum rn_ui_cover cover,
                           const SDL_Rect *box)
{
    static const int hundredths[RN_MAX_PICTURES + 1] = {0, 50, 25, 0, 25};
    bool shows = cover >= RN_COVER_LINE || !SDL_HasIntersection(&l->line, box);
    for (int i = 0; i < l->npictures && cover != RN_COVER_ALL; i++) {
        const SDL_Rect *a = &l->picture[i];
        int share = cover == RN_COVER_NONE ? 0 : hundredths[l->npictures];
        int64_t most = (int64_t)a->w * a->h * share / 100;
        int64_t more = common(a, box);
        shows = shows && (!more || l->covered[i] + more <= most);
    }
    return shows;
}

/* Box or picture i, or the line behind these. */
static const SDL_Rect *obstacle(const struct rn_ui_layout *l, int i)
{
    return i < l->n ? &l->taken[i] : i < l->n + l->npictures ? &l->picture[i - l->n] : &l->line;
}

bool rn_ui_layout_place(struct rn_ui_layout *l, enum rn_ui_corner corner, enum rn_ui_cover cover,
                        int w, int h, SDL_Rect *box)
{
    static const SDL_Rect none = {0};
    bool right = corner == RN_TOP_RIGHT || corner == RN_BOTTOM_RIGHT;
    bool bottom = corner == RN_BOTTOM_LEFT || corner == RN_BOTTOM_RIGHT;
    if (cover == RN_COVER_NONE && l->npictures < 2)
        return false;
    int nearest = INT_MAX, n = l->n + 1 + (cover == RN_COVER_ALL ? 0 : l->npictures + 1);
    for (int i = 0; i < n * n && l->n < RN_MAX_BOXES; i++) {
        const SDL_Rect *a = i % n ? obstacle(l, i % n - 1) : &none;
        const SDL_Rect *b = i / n ? obstacle(l, i / n - 1) : &none;
        SDL_Rect at = {.w = w, .h = h};
        at.x = place_at(i % n, a->x, a->x + a->w, w, l->w, l->margin, l->gap, right);
        at.y = place_at(i / n, b->y, b->y + b->h, h, l->h, l->margin, l->gap, bottom);
        int dx = right ? l->w - l->margin - at.w - at.x : at.x - l->margin;
        int dy = bottom ? l->h - l->margin - at.h - at.y : at.y - l->margin;
        int distance = dx < 0 || dy < 0 ? INT_MAX : dx + dy;
        if (distance < nearest && at.x >= l->margin && at.y >= l->margin &&
            at.x + at.w <= l->w - l->margin && at.y + at.h <= l->h - l->margin &&
            rn_ui_layout_is_free(l, &at) && shows_pictures(l, cover, &at)) {
            nearest = distance;
            *box = at;
        }
    }
    if (nearest == INT_MAX)
        return false;
    rn_ui_layout_take(l, box);
    for (int i = 0; i < l->npictures && cover != RN_COVER_ALL; i++)
        l->covered[i] += common(&l->picture[i], box);
    return true;
}

/* ---- opening and closing */

int rn_ui_osd_open(struct rn_ui_osd **osd, SDL_Renderer *renderer)
{
    struct rn_ui_osd *o = *osd = calloc(1, sizeof *o);
    if (!o)
        return rn_fail_memory();
    o->renderer = renderer;
    return rn_ui_font_open(&o->font, renderer);
}

void rn_ui_osd_close(struct rn_ui_osd **osd)
{
    struct rn_ui_osd *o = rn_take_owned(osd);
    if (!o)
        return;
    rn_ui_font_close(&o->font);
    free(o);
}

void rn_ui_osd_fill(struct rn_ui_osd *o, const SDL_Rect *box, SDL_Color c)
{
    SDL_SetRenderDrawBlendMode(o->renderer, SDL_BLENDMODE_BLEND);
    SDL_SetRenderDrawColor(o->renderer, c.r, c.g, c.b, c.a);
    SDL_RenderFillRect(o->renderer, box);
}

bool rn_ui_osd_box(struct rn_ui_osd *o, const SDL_Rect *box, SDL_Color c)
{
    bool seen = !SDL_HasIntersection(&o->menu, box);
    if (seen)
        rn_ui_osd_fill(o, box, c);
    return seen;
}

/* ---- for what is laid out elsewhere */

/* Draws a text dx, dy from the corner of clip, and no more of it than lies in clip. */
static void draw_clipped(struct rn_ui_osd *osd, const struct rn_ui_text *t, const SDL_Rect *clip,
                         int dx, int dy, SDL_Color colour)
{
    SDL_RenderSetClipRect(osd->renderer, clip);
    rn_ui_text_draw(osd->font, t, clip->x + dx, clip->y + dy, colour);
    SDL_RenderSetClipRect(osd->renderer, NULL);
}

int rn_ui_osd_label(struct rn_ui_osd *osd, const char *text, int x, int y, int width, bool flush,
                    SDL_Color colour)
{
    size_t len = SDL_min(strlen(text), RN_TABLE_CELL);
    const struct rn_ui_text *t = len ? rn_ui_text_get(osd->font, text, len, osd->px, 0) : NULL;
    if (!t || width <= 0)
        return t ? t->w : 0;
    SDL_Rect clip = {x, y, width, osd->px * 3 / 2};
    int high = t->h, wide = t->w;
    if (wide > width && flush) {
        const struct rn_ui_text *sign =
            rn_ui_text_get(osd->font, RN_CUT, strlen(RN_CUT), osd->px, 0);
        int w = sign ? SDL_min(sign->w, width) : 0;
        draw_clipped(osd, sign, &clip, 0, (clip.h - high) / 2, colour);
        clip = (SDL_Rect){x + w, y, width - w, clip.h};
    }
    t = rn_ui_text_get(osd->font, text, len, osd->px, wide > width && !flush ? -width : 0);
    draw_clipped(osd, t, &clip, flush ? clip.w - wide : 0, (clip.h - high) / 2, colour);
    return SDL_min(wide, width);
}

int rn_ui_osd_paragraph(struct rn_ui_osd *osd, const char *text, int x, int y, int width, bool draw,
                        SDL_Color colour)
{
    int px = osd->px * 4 / 5 > RN_MIN_FONT ? osd->px * 4 / 5 : RN_MIN_FONT;
    const struct rn_ui_text *t =
        *text && width > 0 ? rn_ui_text_get(osd->font, text, strlen(text), px, width) : NULL;
    if (draw)
        rn_ui_text_draw(osd->font, t, x, y, colour);
    return t ? t->h : 0;
}

/* ---- what is drawn */

void rn_ui_osd_begin(struct rn_ui_osd *osd, int w, int h, double scale)
{
    double most = SDL_max(h / 54.0, 22 * scale); /* the same on 4K as on half of it */
    double px = SDL_clamp(h / 32.0, 13 * scale, most);
    osd->w = w;
    osd->h = h;
    osd->scale = scale;
    osd->px = (int)(px + 0.5);
    osd->margin = osd->px / 2;
    osd->thick = SDL_max(1, osd->px / 16);
    osd->right = w - osd->margin;
    osd->compared = osd->menu = (SDL_Rect){0};
    rn_ui_layout_begin(&osd->layout, w, h, osd->margin, osd->margin / 2);
}

/* The smallest font of texts that have the width for it. */
static int least_font(const struct rn_ui_osd *osd)
{
    return SDL_max((int)(READABLE * osd->scale + 0.5), osd->px * 2 / 3);
}

/* Sets the table smaller, or puts an ellipsis for its last two lines if the font is the smallest
 * and `cuts`, as long as two are left. Returns false if it is as small as it can be. */
static bool make_smaller(struct rn_ui_osd *osd, struct rn_ui_table *t, bool cuts)
{
    int least = least_font(osd);
    if (t->px <= least && (t->rows < 4 || !cuts))
        return false;
    if (t->px <= least) {
        struct rn_ui_cell *last = &t->cells[(--t->rows - 1) * t->columns];
        memset(last, 0, (size_t)t->columns * sizeof *last);
        *last = (struct rn_ui_cell){RN_CUT, strlen(RN_CUT)};
    }
    rn_ui_table_measure(osd->font, t, SDL_min(t->px, SDL_max(t->px * 7 / 8, least)));
    return true;
}

/* A copy of a text, to be freed, with lines broken at blanks where they are wider than w. */
static char *break_lines(struct rn_ui_osd *osd, const char *text, int px, int w)
{
    char *copy = strdup(text), *line = copy, *blank = NULL;
    for (char *p = copy; p && *p; p += *p != '\0') {
        p += strcspn(p, " \n");
        const struct rn_ui_text *t = rn_ui_text_get(osd->font, line, (size_t)(p - line), px, 0);
        if (t && t->w > w && blank) {
            *blank = '\n';
            line = blank + 1;
        }
        blank = *p == ' ' ? p : NULL;
        line = *p == '\n' ? p + 1 : line;
    }
    return copy;
}

bool rn_ui_osd_text(struct rn_ui_osd *osd, enum rn_ui_corner corner, const char *text)
{
    struct rn_ui_table t;
    if (!osd->font || !text || !*text || rn_ui_table_parse(&t, text))
        return true;
    int pad = osd->px / 2;
    int room = osd->w - 2 * osd->margin - 2 * pad;
    int beside = corner == RN_BOTTOM_LEFT ? room - osd->w + osd->right : room;
    int h = osd->h - 2 * osd->margin - pad, least = least_font(osd);
    rn_ui_table_fit(osd->font, &t, osd->px, least, beside, h);
    if (t.w > beside) /* above what stands at the bottom right */
        rn_ui_table_fit(osd->font, &t, osd->px, least, room, h);
    RN_OWNED(rn_free_owned) char *broken = NULL;
    if (t.w > room && t.columns == 1) {
        broken = break_lines(osd, text, least, room);
        free(t.cells);
        if (!broken || rn_ui_table_parse(&t, broken))
            return true;
        rn_ui_table_fit(osd->font, &t, osd->px, least, room, h);
    }
    /* A lasting text covers at most a quarter of the picture, if it stays readable. */
    while (corner != RN_BOTTOM_LEFT && t.px > least && 4LL * t.w * t.h > (long long)osd->w * osd->h)
        rn_ui_table_measure(osd->font, &t, t.px - 1);
    SDL_Rect box;
    bool placed = false;
    int px = t.px;
    for (int over = 0; over < 2 && !placed; over++) { /* rather small than over pictures */
        enum rn_ui_cover cover = over ? RN_COVER_LINE : RN_COVER_NONE;
        rn_ui_table_measure(osd->font, &t, px);
        do
            placed =
                rn_ui_layout_place(&osd->layout, corner, cover, t.w + 2 * pad, t.h + pad, &box);
        while (!placed && make_smaller(osd, &t, over));
    }
    if (placed && rn_ui_osd_box(osd, &box, RN_UI_PAPER))
        rn_ui_table_draw(osd->font, &t, box.x + pad, box.y + pad / 2);
    free(t.cells);
    return placed;
}

void rn_ui_osd_mark(struct rn_ui_osd *osd, const char *text)
{
    int pad = osd->px / 3;
    SDL_Rect box;
    const struct rn_ui_text *t = rn_ui_text_get(osd->font, text, strlen(text), least_font(osd),
                                                -(osd->w - 2 * osd->margin - 2 * pad));
    bool placed = t && (rn_ui_osd_place(osd, RN_BOTTOM_RIGHT, t->w + 2 * pad, t->h, &box) ||
                        rn_ui_layout_place(&osd->layout, RN_BOTTOM_RIGHT, RN_COVER_ALL,
                                           t->w + 2 * pad, t->h, &box));
    if (placed && rn_ui_osd_box(osd, &box, RN_UI_PAPER))
        rn_ui_text_draw(osd->font, t, box.x + pad, box.y, RN_UI_INK);
}

bool rn_ui_osd_claim(struct rn_ui_osd *osd, const SDL_Rect *box)
{
    bool is_free = rn_ui_layout_is_free(&osd->layout, box);
    if (is_free)
        rn_ui_layout_take(&osd->layout, box);
    return is_free;
}

void rn_ui_osd_note(struct rn_ui_osd *osd, const SDL_Rect *room, const char *text)
{
    struct rn_ui_table t;
    int w = room->w - 2 * osd->margin, h = room->h - 2 * osd->margin;
    if (!osd->font || !*text || w < osd->px || h < osd->px || rn_ui_table_parse(&t, text))
        return;
    rn_ui_table_fit(osd->font, &t, osd->px, least_font(osd), w, h);
    SDL_Rect box = {room->x + osd->margin, room->y + osd->margin, t.w, t.h};
    if (t.w <= w && t.h <= h && rn_ui_osd_claim(osd, &box) &&
        rn_ui_osd_box(osd, &box, (SDL_Color){0}))
        rn_ui_table_draw(osd->font, &t, box.x, box.y);
    free(t.cells);
}

/* The longest beginning of a wrapped text that is at most h high with an ellipsis behind it, at
 * least one line. */
static const struct rn_ui_text *shortened(struct rn_ui_osd *osd, const struct rn_ui_text *whole,
                                          int h)
{
    size_t low = 0, high = strlen(whole->string), size = high + sizeof RN_CUT;
    RN_OWNED(rn_free_owned) char *text = strdup(whole->string), *cut = text ? malloc(size) : NULL;
    int px = whole->px, wrap = whole->wrap;
    const struct rn_ui_text *best = rn_ui_text_get(osd->font, RN_CUT, strlen(RN_CUT), px, wrap);
    h = best ? SDL_max(h, best->h) : h;
    while (cut && low < high) {
        size_t n = (low + high + 1) / 2;
        while (n > low + 1 && (text[n] & 0xc0) == 0x80)
            n--;
        snprintf(cut, size, "%.*s" RN_CUT, (int)n, text);
        const struct rn_ui_text *t = rn_ui_text_get(osd->font, cut, strlen(cut), px, wrap);
        bool fits = t && t->h <= h;
        best = fits ? t : best; /* the font keeps more texts than the search takes */
        low = fits ? n : low;
        high = fits ? high : n - 1;
    }
    return best && best->texture ? best : NULL;
}

/* Text in lines at most w long, at the largest size at which it is at most h high, or shortened at
 * the least. NULL: nothing to see. */
static const struct rn_ui_text *wrapped(struct rn_ui_osd *osd, const char *text, int w, int h)
{
    int least = (int)(READABLE * osd->scale + 0.5);
    size_t len = text ? strlen(text) : 0;
    while (len && text[len - 1] == '\n')
        len--;
    bool fits = osd->font && len && w >= osd->px;
    RN_OWNED(rn_free_owned) char *clean = fits ? rn_printable(strndup(text, len), true) : NULL;
    const struct rn_ui_text *t = NULL;
    if (!clean)
        return NULL;
    for (int px = osd->px; px >= least || !t; px--) {
        t = rn_ui_text_get(osd->font, clean, strlen(clean), px, w);
        if (!t || t->h <= h)
            break;
    }
    t = t && t->h > h ? shortened(osd, t, h) : t;
    return t && t->texture ? t : NULL;
}

void rn_ui_osd_message(struct rn_ui_osd *osd, const char *text)
{
    int pad = osd->px / 2, room = osd->right - 2 * osd->margin - 2 * pad;
    const struct rn_ui_text *t = wrapped(osd, text, room, osd->h / MESSAGE_PART);
    SDL_Rect box;
    if (t &&
        rn_ui_layout_place(&osd->layout, RN_BOTTOM_LEFT, RN_COVER_ALL, t->w + 2 * pad, t->h + pad,
                           &box) &&
        rn_ui_osd_box(osd, &box, RN_UI_PAPER))
        rn_ui_text_draw(osd->font, t, box.x + pad, box.y + pad / 2, RN_UI_INK);
}

void rn_ui_osd_alert(struct rn_ui_osd *osd, const char *text)
{
    int pad = osd->px / 2, high = osd->h - 2 * osd->margin;
    const SDL_Rect *menu = &osd->menu;
    const struct rn_ui_text *t = wrapped(osd, text, osd->w - 2 * osd->margin - 2 * pad, high);
    if (!t)
        return;
    SDL_Rect box = {0, 0, osd->w, t->h + 2 * pad};
    box.y = SDL_max(0, (osd->h - box.h) / 2); /* too long: the first lines matter most */
    if (SDL_HasIntersection(&box, menu))
        box.y = menu->y >= osd->h - menu->y - menu->h ? 0 : SDL_max(0, osd->h - box.h);
    rn_ui_osd_claim(osd, &box);
    rn_ui_osd_fill(osd, &box, alarm_paper);
    rn_ui_text_draw(osd->font, t, osd->margin + pad, box.y + pad, RN_UI_INK);
}

/* Bars of n bins over an area: mean of the bins below each column, so that its height means the
 * same whatever the width is. */
static void bars_draw(struct rn_ui_osd *osd, const SDL_Rect *area, const uint64_t *bins, int n,
                      SDL_Color c)
{
    int w = area->w, h = area->h;
    RN_OWNED(rn_free_owned) double *column = calloc((size_t)w, sizeof *column);
    if (!column)
        return;
    double most = 0;
    for (int x = 0; x < w; x++) {
        int from = (int)((int64_t)x * n / w);
        int to = SDL_max((int)((int64_t)(x + 1) * n / w), from + 1);
        for (int i = from; i < to; i++)
            column[x] += (double)bins[i] / (to - from);
        most = column[x] > most ? column[x] : most;
    }
    for (int x = 0; x < w && most > 0; x++) {
        /* Square root: one full bin (a black border) must not flatten the rest. */
        int high = SDL_max((int)(SDL_sqrt(column[x] / most) * h + 0.5), column[x] > 0);
        SDL_Rect bar = {area->x + x, area->y + h - high, 1, high};
        if (high)
            rn_ui_osd_fill(osd, &bar, c);
    }
}

bool rn_ui_osd_place(struct rn_ui_osd *osd, enum rn_ui_corner corner, int w, int h, SDL_Rect *box)
{
    return rn_ui_layout_place(&osd->layout, corner, RN_COVER_NONE, w, h, box) ||
           rn_ui_layout_place(&osd->layout, corner, RN_COVER_PART, w, h, box);
}

/* Pixels of a unit of graphs, which grow with large fonts. */
static double graph_unit(const struct rn_ui_osd *osd)
{
    return SDL_max(osd->scale, osd->px / 22.0);
}

/* The width of a box beside text that stays legible; negative if the text takes the whole width. */
static int room_beside(struct rn_ui_osd *osd, const char *text)
{
    struct rn_ui_table t;
    int room = osd->w - 2 * osd->margin, pad = osd->px / 2;
    if (!osd->font || !text || !*text || rn_ui_table_parse(&t, text))
        return room;
    rn_ui_table_measure(osd->font, &t, least_font(osd));
    free(t.cells);
    return room - osd->margin - t.w - 2 * pad;
}

bool rn_ui_osd_histogram(struct rn_ui_osd *osd, const uint64_t *bins, int n, const char *text)
{
    int pad = osd->px / 3;
    int w = (int)(192 * graph_unit(osd));
    int h = (int)(72 * graph_unit(osd)), room = room_beside(osd, text) - 2 * pad;
    w = w > osd->w / 3 ? osd->w / 3 : w;
    w = w > room && room >= w / 2 ? room : w;
    h = h > osd->h / 4 ? osd->h / 4 : h;
    if (n < 1 || w < 1 || h < 1)
        return true;
    SDL_Rect box;
    for (; !rn_ui_osd_place(osd, RN_BOTTOM_RIGHT, w + 2 * pad, h + 2 * pad, &box); h = h * 3 / 4)
        if ((w = w * 3 / 4) < (int)(LEAST_GRAPH * osd->scale))
            return false;
    osd->right = box.x;
    SDL_Rect area = {box.x + pad, box.y + pad, w, h};
    if (rn_ui_osd_box(osd, &box, RN_UI_PAPER))
        bars_draw(osd, &area, bins, n, (SDL_Color){255, 255, 255, 224});
    return true;
}

void rn_ui_osd_frame(struct rn_ui_osd *osd, const SDL_Rect *box, const SDL_Rect *within)
{
    SDL_RenderSetClipRect(osd->renderer, within);
    int thick = osd->thick;
    SDL_SetRenderDrawBlendMode(osd->renderer, SDL_BLENDMODE_NONE);
    for (int i = 1; i <= 2 * thick; i++) {
        SDL_Rect r = {box->x - i, box->y - i, box->w + 2 * i, box->h + 2 * i};
        Uint8 v = i <= thick ? 255 : 0;
        SDL_SetRenderDrawColor(osd->renderer, v, v, v, 255);
        SDL_RenderDrawRect(osd->renderer, &r);
    }
    SDL_RenderSetClipRect(osd->renderer, NULL);
}

bool rn_ui_osd_compare(struct rn_ui_osd *osd, const char *name, const uint64_t *const bins[2],
                       const int n[2], int all)
{
    static const SDL_Color inks[] = {{255, 214, 102, 160}, {255, 255, 255, 160}};
    int pad = osd->px / 3, gap = osd->margin / 2;
    int w = (osd->w - 2 * osd->margin) / (all > 1 ? all : 2) - 2 * pad - gap;
    int h = (int)(72 * graph_unit(osd));
    w = SDL_min(w, (int)(160 * graph_unit(osd)));
    h = h > osd->h / 5 ? osd->h / 5 : h;
    if (w < 1 || h < 1)
        return true;
    SDL_Rect row;
    int each = w + 2 * pad + gap;
    if (!osd->compared.w) { /* the first one: find a place for all */
        while (!rn_ui_osd_place(osd, RN_TOP_RIGHT, each * all - gap, h + 2 * pad, &row)) {
            if ((w = w * 3 / 4) < (int)(LEAST_GRAPH * osd->scale))
                return false;
            each = w + 2 * pad + gap;
        }
        osd->compared = (SDL_Rect){row.x + each * (all - 1), row.y, w + 2 * pad, h + 2 * pad};
    }
    SDL_Rect box = osd->compared;
    w = box.w - 2 * pad;
    osd->compared.x -= box.w + gap;
    if (!rn_ui_osd_box(osd, &box, RN_UI_PAPER))
        return true;
    SDL_Rect area = {box.x + pad, box.y + pad, w, h};
    for (int i = 0; i < 2; i++)
        if (n[i] > 0)
            bars_draw(osd, &area, bins[i], n[i], inks[i]);
    rn_ui_text_draw(osd->font, rn_ui_text_get(osd->font, name, strlen(name), osd->px, 0),
                    box.x + pad, box.y, RN_UI_INK);
    return true;
}

/* ---- panes */

/* The name at the largest font that fits, or cut at the smallest; NULL: nothing to draw. */
static const struct rn_ui_text *fit_name(struct rn_ui_osd *osd, const char *name, int room)
{
    const struct rn_ui_text *t = NULL;
    size_t len = SDL_min(strlen(name), RN_TABLE_CELL);
    int px = osd->px, least = least_font(osd);
    while ((t = rn_ui_text_get(osd->font, name, len, px, 0)) && t->w > room && px > least)
        px--;
    if (t && t->w > room)
        t = room < 3 * px ? NULL : rn_ui_text_get(osd->font, name, len, px, -room);
    return t && t->texture ? t : NULL;
}

void rn_ui_osd_name(struct rn_ui_osd *osd, const SDL_Rect *room, const char *name, bool right)
{
    int pad = osd->px / 3, most = room->w - 2 * (osd->margin + pad);
    const struct rn_ui_text *t = fit_name(osd, name, most);
    if (!t)
        return;
    SDL_Rect box = {room->x + osd->margin, room->y + osd->margin, t->w + 2 * pad, t->h + pad};
    box.x = right ? room->x + room->w - osd->margin - box.w : box.x;
    int last = room->y + room->h - box.h;
    /* Moves down to a free place, unless that is below the rectangle. */
    while (box.y <= last && !rn_ui_osd_claim(osd, &box))
        box.y++;
    if (box.y <= last && rn_ui_osd_box(osd, &box, RN_UI_PAPER))
        rn_ui_text_draw(osd->font, t, box.x + pad, box.y + pad / 2, RN_UI_INK);
}
