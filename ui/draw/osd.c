/* SPDX-License-Identifier: MIT */
#include "ui/draw/osd.h"

#include "filters/base/log.h"
#include "filters/base/owned.h"
#include "filters/base/text/printable.h"
#include "ui/draw/table.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_GRAPH  32 /* units: the narrowest useful histogram */
#define READABLE     10 /* units: the smallest font, if a text has the width */
#define MESSAGE_PART 5  /* of the height, at most */

static const SDL_Color paper = {0, 0, 0, 176};
static const SDL_Color alarm_paper = {150, 16, 16, 224};
static const SDL_Color ink = {255, 255, 255, 255};

/* ---- layout */

void rn_ui_layout_begin(struct rn_ui_layout *l, int w, int h, int margin, int gap)
{
    l->w = w;
    l->h = h;
    l->margin = margin;
    l->gap = gap;
    l->n = 0;
    l->npictures = 0;
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

enum cover { COVERS_ALL, COVERS_PART, COVERS_NONE }; /* of the pictures, at most */

/* The i-th place along one side for something `length` long, counted from its corner: at the margin
 * (0), or behind box i - 1, which begins at `begin` and ends at `end`; from_end: counted from the
 * other end. */
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
static bool shows_pictures(const struct rn_ui_layout *l, enum cover cover, const SDL_Rect *box)
{
    static const int hundredths[RN_MAX_PICTURES + 1] = {0, 50, 25, 0, 25};
    bool shows = true;
    for (int i = 0; i < l->npictures && cover != COVERS_ALL; i++) {
        const SDL_Rect *a = &l->picture[i];
        int share = cover == COVERS_NONE ? 0 : hundredths[l->npictures];
        int64_t most = (int64_t)a->w * a->h * share / 100;
        int64_t more = common(a, box);
        shows = shows && (!more || l->covered[i] + more <= most);
    }
    return shows;
}

/* Box or picture i. */
static const SDL_Rect *obstacle(const struct rn_ui_layout *l, int i)
{
    return i < l->n ? &l->taken[i] : &l->picture[i - l->n];
}

static bool place(struct rn_ui_layout *l, enum rn_ui_corner corner, enum cover cover, int w, int h,
                  SDL_Rect *box)
{
    static const SDL_Rect none = {0};
    bool right = corner == RN_TOP_RIGHT || corner == RN_BOTTOM_RIGHT;
    bool bottom = corner == RN_BOTTOM_LEFT || corner == RN_BOTTOM_RIGHT;
    int nearest = INT_MAX, n = l->n + 1 + (cover == COVERS_ALL ? 0 : l->npictures);
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
    for (int i = 0; i < l->npictures && cover != COVERS_ALL; i++)
        l->covered[i] += common(&l->picture[i], box);
    return true;
}

bool rn_ui_layout_place(struct rn_ui_layout *l, enum rn_ui_corner corner, int w, int h,
                        SDL_Rect *box)
{
    return place(l, corner, COVERS_ALL, w, h, box);
}

bool rn_ui_layout_place_lasting(struct rn_ui_layout *l, enum rn_ui_corner corner, bool over, int w,
                                int h, SDL_Rect *box)
{
    return (over || l->npictures > 1) &&
           place(l, corner, over ? COVERS_PART : COVERS_NONE, w, h, box);
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
    struct rn_ui_osd *o = *osd;
    if (!o)
        return;
    *osd = NULL;
    rn_ui_font_close(&o->font);
    free(o);
}

void rn_ui_osd_flush(struct rn_ui_osd *osd)
{
    rn_ui_font_flush(osd->font);
}

void rn_ui_osd_fill(struct rn_ui_osd *o, const SDL_Rect *box, SDL_Color c)
{
    SDL_SetRenderDrawBlendMode(o->renderer, SDL_BLENDMODE_BLEND);
    SDL_SetRenderDrawColor(o->renderer, c.r, c.g, c.b, c.a);
    SDL_RenderFillRect(o->renderer, box);
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
    double px = h / 32.0;
    double most =
        h / 54.0 > 22 * scale ? h / 54.0 : 22 * scale; /* the same on 4K as on half of it */
    px = px < 13 * scale ? 13 * scale : px > most ? most : px;
    osd->w = w;
    osd->h = h;
    osd->scale = scale;
    osd->px = (int)(px + 0.5);
    osd->margin = osd->px / 2;
    osd->thick = SDL_max(1, osd->px / 16);
    osd->right = w - osd->margin;
    osd->compared = (SDL_Rect){0, 0, 0, 0};
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
    if (t->px <= least)
        rn_ui_table_cut(t);
    rn_ui_table_measure(osd->font, t, SDL_min(t->px, SDL_max(t->px * 7 / 8, least)));
    return true;
}

bool rn_ui_osd_text(struct rn_ui_osd *osd, enum rn_ui_corner corner, const char *text)
{
    struct rn_ui_table t;
    if (!osd->font || !text || !*text || rn_ui_table_parse(&t, text))
        return true;
    int pad = osd->px / 2;
    int room = (corner == RN_BOTTOM_LEFT ? osd->right : osd->w) - 2 * osd->margin - 2 * pad;
    int h = osd->h - 2 * osd->margin - pad, least = least_font(osd);
    rn_ui_table_fit(osd->font, &t, osd->px, room, h);
    if (t.px < least) /* above what stands at the bottom right */
        rn_ui_table_fit(osd->font, &t, osd->px, osd->w - 2 * osd->margin - 2 * pad, h);
    /* A lasting text covers at most a quarter of the picture, if it stays readable. */
    while (corner != RN_BOTTOM_LEFT && t.px > least && 4LL * t.w * t.h > (long long)osd->w * osd->h)
        rn_ui_table_measure(osd->font, &t, t.px - 1);
    SDL_Rect box;
    bool placed = false;
    int px = t.px;
    for (int over = 0; over < 2 && !placed; over++) { /* rather small than over pictures */
        rn_ui_table_measure(osd->font, &t, px);
        do
            placed = rn_ui_layout_place_lasting(&osd->layout, corner, over, t.w + 2 * pad,
                                                t.h + pad, &box);
        while (!placed && make_smaller(osd, &t, over));
    }
    if (placed) {
        rn_ui_osd_fill(osd, &box, paper);
        rn_ui_table_draw(osd->font, &t, box.x + pad, box.y + pad / 2, true);
    }
    free(t.cells);
    return placed;
}

void rn_ui_osd_mark(struct rn_ui_osd *osd, const char *text)
{
    int pad = osd->px / 3;
    SDL_Rect box;
    const struct rn_ui_text *t =
        osd->font ? rn_ui_text_get(osd->font, text, strlen(text), least_font(osd),
                                   -(osd->w - 2 * osd->margin - 2 * pad))
                  : NULL;
    if (!t || (!rn_ui_osd_place(osd, RN_BOTTOM_RIGHT, t->w + 2 * pad, t->h, &box) &&
               !rn_ui_layout_place(&osd->layout, RN_BOTTOM_RIGHT, t->w + 2 * pad, t->h, &box)))
        return;
    rn_ui_osd_fill(osd, &box, paper);
    rn_ui_text_draw(osd->font, t, box.x + pad, box.y, ink);
}

void rn_ui_osd_show(struct rn_ui_osd *osd, const SDL_Rect *picture, int n)
{
    memcpy(osd->layout.picture, picture, (size_t)n * sizeof *picture);
    memset(osd->layout.covered, 0, sizeof osd->layout.covered);
    osd->layout.npictures = n;
}

void rn_ui_osd_raise(struct rn_ui_osd *osd, int rows)
{
    SDL_Rect bottom = {0, osd->h - rows, osd->w, rows};
    rn_ui_layout_take(&osd->layout, &bottom);
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
    rn_ui_table_fit(osd->font, &t, osd->px, w, h);
    SDL_Rect box = {room->x + osd->margin, room->y + osd->margin, t.w, t.h};
    if (rn_ui_osd_claim(osd, &box))
        rn_ui_table_draw(osd->font, &t, box.x, box.y, true);
    free(t.cells);
}

/* Text in lines at most w long, at the largest size at which it is at most h high, or the least.
 * NULL: nothing to see. */
static const struct rn_ui_text *wrapped(struct rn_ui_osd *osd, const char *text, int w, int h,
                                        int least)
{
    size_t len = text ? strlen(text) : 0;
    while (len && text[len - 1] == '\n')
        len--;
    RN_OWNED(rn_free_owned)
    char *clean = osd->font && len && w >= osd->px ? strndup(text, len) : NULL;
    if (!clean)
        return NULL;
    rn_printable(clean, true);
    const struct rn_ui_text *t = NULL;
    for (int px = osd->px; px >= least || !t; px--) {
        t = rn_ui_text_get(osd->font, clean, strlen(clean), px, w);
        if (!t || t->h <= h)
            break;
    }
    return t && t->texture ? t : NULL;
}

/* The longest beginning of a wrapped text that is at most h high with an ellipsis behind it, at
 * least one line. */
static const struct rn_ui_text *shortened(struct rn_ui_osd *osd, const struct rn_ui_text *whole,
                                          int h)
{
    RN_OWNED(rn_free_owned)
    char *text = strdup(whole->string), *cut = text ? malloc(strlen(text) + sizeof RN_CUT) : NULL;
    const struct rn_ui_text *t = NULL, *line;
    int px = whole->px, wrap = whole->wrap;
    size_t low = 0, high = text ? strlen(text) : 0;
    line = rn_ui_text_get(osd->font, RN_CUT, strlen(RN_CUT), px, wrap);
    h = line ? SDL_max(h, line->h) : h;
    while (cut && low < high) {
        size_t n = (low + high + 1) / 2;
        while (n > low + 1 && (text[n] & 0xc0) == 0x80)
            n--;
        memcpy(cut, text, n);
        memcpy(cut + n, RN_CUT, sizeof RN_CUT);
        t = rn_ui_text_get(osd->font, cut, strlen(cut), px, wrap);
        low = t && t->h <= h ? n : low;
        high = t && t->h <= h ? high : n - 1;
    }
    if (cut) {
        memcpy(cut, text, low);
        memcpy(cut + low, RN_CUT, sizeof RN_CUT);
        t = rn_ui_text_get(osd->font, cut, strlen(cut), px, wrap);
    }
    return t && t->texture ? t : NULL;
}

void rn_ui_osd_message(struct rn_ui_osd *osd, const char *text)
{
    int pad = osd->px / 2, room = osd->right - 2 * osd->margin - 2 * pad;
    int most = osd->h / MESSAGE_PART;
    const struct rn_ui_text *t = wrapped(osd, text, room, most, (int)(READABLE * osd->scale + 0.5));
    SDL_Rect box;
    t = t && t->h > most ? shortened(osd, t, most) : t;
    if (!t || !rn_ui_layout_place(&osd->layout, RN_BOTTOM_LEFT, t->w + 2 * pad, t->h + pad, &box))
        return;
    rn_ui_osd_fill(osd, &box, paper);
    rn_ui_text_draw(osd->font, t, box.x + pad, box.y + pad / 2, ink);
}

void rn_ui_osd_alert(struct rn_ui_osd *osd, const char *text, const SDL_Rect *menu)
{
    int pad = osd->px / 2, high = osd->h - 2 * osd->margin;
    const struct rn_ui_text *t =
        wrapped(osd, text, osd->w - 2 * osd->margin - 2 * pad, high, RN_MIN_FONT);
    if (!t)
        return;
    SDL_Rect box = {0, (osd->h - t->h) / 2 - pad, osd->w, t->h + 2 * pad};
    if (box.y < 0)
        box.y = 0; /* too long: the first lines matter most */
    if (menu && SDL_HasIntersection(&box, menu))
        box.y = menu->y >= osd->h - menu->y - menu->h ? 0 : SDL_max(0, osd->h - box.h);
    rn_ui_osd_claim(osd, &box);
    rn_ui_osd_fill(osd, &box, alarm_paper);
    rn_ui_text_draw(osd->font, t, osd->margin + pad, box.y + pad, ink);
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
        int to = (int)((int64_t)(x + 1) * n / w);
        to = to > from ? to : from + 1;
        for (int i = from; i < to; i++)
            column[x] += (double)bins[i] / (to - from);
        most = column[x] > most ? column[x] : most;
    }
    SDL_SetRenderDrawBlendMode(osd->renderer, SDL_BLENDMODE_BLEND);
    SDL_SetRenderDrawColor(osd->renderer, c.r, c.g, c.b, c.a);
    for (int x = 0; x < w && most > 0; x++) {
        /* Square root: one full bin (a black border) must not flatten the rest. */
        int high = (int)(SDL_sqrt(column[x] / most) * h + 0.5);
        if (!high && column[x] > 0)
            high = 1;
        SDL_Rect bar = {area->x + x, area->y + h - high, 1, high};
        if (high)
            SDL_RenderFillRect(osd->renderer, &bar);
    }
}

bool rn_ui_osd_place(struct rn_ui_osd *osd, enum rn_ui_corner corner, int w, int h, SDL_Rect *box)
{
    return rn_ui_layout_place_lasting(&osd->layout, corner, false, w, h, box) ||
           rn_ui_layout_place_lasting(&osd->layout, corner, true, w, h, box);
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
    rn_ui_osd_fill(osd, &box, paper);

    SDL_Rect area = {box.x + pad, box.y + pad, w, h};
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
    rn_ui_osd_fill(osd, &box, paper);
    SDL_Rect area = {box.x + pad, box.y + pad, w, h};
    for (int i = 0; i < 2; i++)
        if (n[i] > 0)
            bars_draw(osd, &area, bins[i], n[i], inks[i]);
    rn_ui_text_draw(osd->font,
                    osd->font ? rn_ui_text_get(osd->font, name, strlen(name), osd->px, 0) : NULL,
                    box.x + pad, box.y, ink);
    return true;
}

/* ---- panes */

void rn_ui_osd_line(struct rn_ui_osd *osd, const SDL_Rect *box)
{
    int thick = osd->thick;
    SDL_Rect dark = {box->x - thick, box->y, thick, box->h};
    SDL_Rect bright = {box->x, box->y, thick, box->h};
    rn_ui_osd_fill(osd, &dark, (SDL_Color){0, 0, 0, 255});
    rn_ui_osd_fill(osd, &bright, ink);
}

/* The name at the largest font that fits, or cut at the smallest; NULL: nothing to draw. */
static const struct rn_ui_text *fit_name(struct rn_ui_osd *osd, const char *name, int room)
{
    const struct rn_ui_text *t = NULL;
    size_t len = SDL_min(strlen(name), RN_TABLE_CELL);
    int px = osd->px, least = least_font(osd);
    while (osd->font && (t = rn_ui_text_get(osd->font, name, len, px, 0)) && t->w > room &&
           px > least)
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
    /* Moves down to a free place, unless that is below the rectangle. */
    while (box.y + box.h <= room->y + room->h && !rn_ui_osd_claim(osd, &box))
        box.y++;
    if (!(box.y + box.h <= room->y + room->h))
        return;
    rn_ui_osd_fill(osd, &box, paper);
    rn_ui_text_draw(osd->font, t, box.x + pad, box.y + pad / 2, ink);
}
