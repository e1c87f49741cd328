#include "ui/osd.h"

#include "filters/base/err.h"
#include "filters/base/log.h"
#include "filters/base/printable.h"

#include <SDL_ttf.h>
#include <fontconfig/fontconfig.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define CACHE_SIZE  256
#define MAX_COLUMNS 6
#define MAX_CELL    1023 /* bytes of a cell that are shown */
#define MIN_FONT    7
#define READABLE    10 /* of what is set smaller only to leave more of the picture */

struct text {
    char *string;
    int px, wrap;
    SDL_Texture *texture; /* NULL: nothing to see, or it failed; then w is 0 */
    int w, h;
    unsigned used;
};

struct rn_osd {
    SDL_Renderer *renderer;
    TTF_Font *font; /* may be NULL */
    int font_px;    /* its present size */
    struct text cache[CACHE_SIZE];
    unsigned clock;

    /* Of the present drawing. */
    int w, h, px, margin;
    double scale;
    int bottom;   /* the row below what stands at the bottom, but for a margin */
    int right;    /* left edge of what stands at the bottom right */
    SDL_Rect top; /* what stands at the top left */
    SDL_Rect top_right;
    SDL_Rect beside; /* where the next histogram of several goes */
};

static const SDL_Color paper = {0, 0, 0, 176};
static const SDL_Color alarm_paper = {150, 16, 16, 224};
static const SDL_Color ink = {255, 255, 255, 255};
static const SDL_Color key_ink = {255, 214, 102, 255};

/* ---- font and cache */

/* The file of the font for body text; to be freed. NULL if there is none. */
static char *font_find(int *index)
{
    char *path = NULL;
    FcPattern *pattern = NULL;
    FcPattern *match = NULL;
    FcChar8 *file = NULL;
    FcResult result;

    if (!FcInit())
        return NULL;
    pattern = FcNameParse((const FcChar8 *)"sans:scalable=true");
    if (!pattern)
        goto done;
    FcConfigSubstitute(NULL, pattern, FcMatchPattern);
    FcDefaultSubstitute(pattern);
    match = FcFontMatch(NULL, pattern, &result);
    if (!match || FcPatternGetString(match, FC_FILE, 0, &file) != FcResultMatch)
        goto done;
    if (FcPatternGetInteger(match, FC_INDEX, 0, index) != FcResultMatch)
        *index = 0;
    /* The upper half names an instance of a variable font, which SDL2_ttf does not know. */
    *index &= 0xffff;
    path = strdup((const char *)file);
done:
    if (match)
        FcPatternDestroy(match);
    if (pattern)
        FcPatternDestroy(pattern);
    FcFini();
    return path;
}

int rn_osd_open(struct rn_osd **osd, SDL_Renderer *renderer)
{
    struct rn_osd *o = *osd = calloc(1, sizeof *o);
    if (!o)
        return rn_fail_memory();
    o->renderer = renderer;
    if (TTF_Init()) {
        rn_log(RN_LOG_WARNING, "no overlay: %s", TTF_GetError());
        return 0;
    }
    int index = 0;
    char *path = font_find(&index);
    if (path) {
        o->font_px = 16;
        o->font = TTF_OpenFontIndex(path, o->font_px, index);
        if (!o->font)
            rn_log(RN_LOG_WARNING, "no overlay: cannot read the font %s: %s", path, TTF_GetError());
    } else {
        rn_log(RN_LOG_WARNING, "no overlay: no font found; install one (fonts-dejavu-core)");
    }
    free(path);
    if (!o->font)
        TTF_Quit();
    return 0;
}

void rn_osd_close(struct rn_osd **osd)
{
    struct rn_osd *o = *osd;
    if (!o)
        return;
    *osd = NULL;
    rn_osd_flush(o);
    if (o->font) {
        TTF_CloseFont(o->font);
        TTF_Quit();
    }
    free(o);
}

static void text_clear(struct text *t)
{
    if (t->texture)
        SDL_DestroyTexture(t->texture);
    free(t->string);
    *t = (struct text){0};
}

void rn_osd_flush(struct rn_osd *osd)
{
    for (int i = 0; i < CACHE_SIZE; i++)
        text_clear(&osd->cache[i]);
}

static void text_render(struct rn_osd *o, struct text *t)
{
    if (o->font_px != t->px) {
        if (TTF_SetFontSize(o->font, t->px))
            return;
        o->font_px = t->px;
    }
    SDL_Surface *surface =
        t->wrap ? TTF_RenderUTF8_Blended_Wrapped(o->font, t->string, ink, (Uint32)t->wrap)
                : TTF_RenderUTF8_Blended(o->font, t->string, ink);
    if (!surface)
        return;
    t->texture = SDL_CreateTextureFromSurface(o->renderer, surface);
    if (t->texture) {
        t->w = surface->w;
        t->h = surface->h;
    }
    SDL_FreeSurface(surface);
}

/* Text of len bytes at a size of px pixels; wrap: width at which lines break, 0: one line.
 * Returns NULL if memory ran out. Valid until CACHE_SIZE others were asked for. */
static struct text *text_get(struct rn_osd *o, const char *s, size_t len, int px, int wrap)
{
    struct text *oldest = &o->cache[0];
    o->clock++;
    for (int i = 0; i < CACHE_SIZE; i++) {
        struct text *t = &o->cache[i];
        if (t->string && t->px == px && t->wrap == wrap && !strncmp(t->string, s, len) &&
            !t->string[len]) {
            t->used = o->clock;
            return t;
        }
        if (t->used < oldest->used)
            oldest = t;
    }
    text_clear(oldest);
    oldest->string = malloc(len + 1);
    if (!oldest->string)
        return NULL;
    memcpy(oldest->string, s, len);
    oldest->string[len] = 0;
    oldest->px = px;
    oldest->wrap = wrap;
    oldest->used = o->clock;
    if (len)
        text_render(o, oldest);
    return oldest;
}

/* ---- tables: every text is one */

/* Where the cells of a text are; the strings are the caller's. */
struct table {
    int rows, columns;
    struct cell {
        const char *s;
        size_t len;
    } * cells; /* rows x columns */
    int px;
    int width[MAX_COLUMNS]; /* at px */
    int row_h;              /* likewise */
    int w, h;               /* likewise, of all */
};

static int table_alloc(struct table *t, int rows, int columns)
{
    *t = (struct table){.rows = rows, .columns = columns};
    if (rows < 1 || columns < 1)
        return RN_EINTERNAL;
    t->cells = calloc((size_t)rows * (size_t)columns, sizeof *t->cells);
    if (t->cells)
        return 0;
    rn_fail_memory();
    return RN_EINTERNAL;
}

/* Splits text at \n and \t. */
static int table_parse(struct table *t, const char *text)
{
    int rows = 1;
    int columns = 1;
    int column = 1;
    for (const char *p = text; *p; p++) {
        if (*p == '\n') {
            rows += p[1] != 0;
            column = 1;
        } else if (*p == '\t' && column < MAX_COLUMNS) {
            column++;
            columns = column > columns ? column : columns;
        }
    }
    if (table_alloc(t, rows, columns))
        return RN_EINTERNAL;
    int row = 0;
    column = 0;
    for (const char *p = text; row < rows; p++) {
        size_t len = strcspn(p, "\n\t");
        struct cell *cell = &t->cells[row * columns + column];
        cell->s = p;
        cell->len = len < MAX_CELL ? len : MAX_CELL;
        p += len;
        if (*p == '\t') {
            column += column < columns - 1;
        } else {
            row++;
            column = 0;
        }
        if (!*p)
            break;
    }
    return 0;
}

/* Measures the table at a size of px pixels. */
static void table_measure(struct rn_osd *o, struct table *t, int px)
{
    int gap = px;
    t->px = px;
    t->row_h = px * 5 / 4;
    t->w = gap * (t->columns - 1);
    for (int c = 0; c < t->columns; c++) {
        t->width[c] = 0;
        for (int r = 0; r < t->rows; r++) {
            const struct cell *cell = &t->cells[r * t->columns + c];
            const struct text *text = text_get(o, cell->s ? cell->s : "", cell->len, px, 0);
            if (text && text->w > t->width[c])
                t->width[c] = text->w;
            if (text && text->h > t->row_h)
                t->row_h = text->h;
        }
        t->w += t->width[c];
    }
    t->h = t->row_h * t->rows;
}

/* Measures it at the largest size up to px pixels at which it fits into w x h. */
static void table_fit(struct rn_osd *o, struct table *t, int px, int w, int h)
{
    table_measure(o, t, px);
    while (px > MIN_FONT && (t->w > w || t->h > h)) {
        double by = 1;
        if (t->w > w)
            by = (double)w / t->w;
        if (t->h > h && (double)h / t->h < by)
            by = (double)h / t->h;
        int next = by > 0 ? (int)(px * by) : MIN_FONT;
        px = next < px ? next : px - 1;
        px = px > MIN_FONT ? px : MIN_FONT;
        table_measure(o, t, px);
    }
}

static void box_fill(struct rn_osd *o, const SDL_Rect *box, SDL_Color c)
{
    SDL_SetRenderDrawBlendMode(o->renderer, SDL_BLENDMODE_BLEND);
    SDL_SetRenderDrawColor(o->renderer, c.r, c.g, c.b, c.a);
    SDL_RenderFillRect(o->renderer, box);
}

static void text_draw(struct rn_osd *o, const struct text *t, int x, int y, SDL_Color c)
{
    if (!t || !t->texture)
        return;
    SDL_Rect to = {x, y, t->w, t->h};
    SDL_SetTextureColorMod(t->texture, c.r, c.g, c.b);
    SDL_RenderCopy(o->renderer, t->texture, NULL, &to);
}

/* flush: columns after the first end at the right; keys: odd columns are keys. */
static void table_draw(struct rn_osd *o, const struct table *t, int x, int y, bool flush, bool keys)
{
    for (int c = 0; c < t->columns; c++) {
        for (int r = 0; r < t->rows; r++) {
            const struct cell *cell = &t->cells[r * t->columns + c];
            if (!cell->len)
                continue;
            const struct text *text = text_get(o, cell->s, cell->len, t->px, 0);
            int shift = flush && c > 0 && text ? t->width[c] - text->w : 0;
            text_draw(o, text, x + shift, y + r * t->row_h, keys && c % 2 == 0 ? key_ink : ink);
        }
        x += t->width[c] + t->px;
    }
}

/* ---- for what is laid out elsewhere */

bool rn_osd_size(const struct rn_osd *o, struct rn_osd_size *size)
{
    *size = (struct rn_osd_size){o->w, o->h, o->px, o->margin};
    return o->font != NULL;
}

void rn_osd_fill(struct rn_osd *osd, const SDL_Rect *box, SDL_Color colour)
{
    box_fill(osd, box, colour);
}

int rn_osd_label(struct rn_osd *osd, const char *text, int x, int y, int room, bool flush,
                 SDL_Color colour)
{
    size_t len = strlen(text);
    const struct text *t =
        len ? text_get(osd, text, len < MAX_CELL ? len : MAX_CELL, osd->px, 0) : NULL;
    if (!t || room <= 0)
        return t ? t->w : 0;
    SDL_Rect clip = {x, y, room, osd->px * 3 / 2};
    SDL_RenderSetClipRect(osd->renderer, &clip);
    text_draw(osd, t, flush ? x + room - t->w : x, y + (clip.h - t->h) / 2, colour);
    SDL_RenderSetClipRect(osd->renderer, NULL);
    return t->w < room ? t->w : room;
}

/* ---- what is drawn */

void rn_osd_begin(struct rn_osd *osd, int w, int h, double scale)
{
    double px = h / 32.0;
    px = px < 13 * scale ? 13 * scale : px > 22 * scale ? 22 * scale : px;
    osd->w = w;
    osd->h = h;
    osd->scale = scale;
    osd->px = (int)(px + 0.5);
    osd->margin = osd->px / 2;
    osd->bottom = h;
    osd->right = w - osd->margin;
    osd->top = osd->top_right = osd->beside = (SDL_Rect){0, 0, 0, 0};
}

void rn_osd_raise(struct rn_osd *osd, int rows)
{
    osd->bottom = osd->h - rows;
}

/* Where a box comes to stand at the top right. */
static void place_right(struct rn_osd *osd, SDL_Rect *box)
{
    int gap = osd->margin / 2;
    box->x = osd->w - osd->margin - box->w;
    if (osd->top_right.h)
        box->y = osd->top_right.y + osd->top_right.h + gap;
    else if (SDL_HasIntersection(box, &osd->top))
        box->y = osd->top.y + osd->top.h + gap;
    SDL_UnionRect(&osd->top_right, box, &osd->top_right);
}

/* What stands there for long takes a quarter of the picture at most, if it can be read then. */
static void leave_room(struct rn_osd *o, struct table *t)
{
    int least = (int)(READABLE * o->scale + 0.5);
    while (t->px > least && 4LL * t->w * t->h > (long long)o->w * o->h)
        table_measure(o, t, t->px - 1);
}

void rn_osd_text(struct rn_osd *osd, enum rn_osd_place place, const char *text)
{
    struct table t;
    if (!osd->font || !*text || table_parse(&t, text))
        return;
    int pad = osd->px / 2;
    int room = (place == RN_OSD_BOTTOM_LEFT ? osd->right : osd->w) - 2 * osd->margin - 2 * pad;
    table_fit(osd, &t, osd->px, room, osd->h - 2 * osd->margin - pad);
    if (place == RN_OSD_TOP_LEFT || (place == RN_OSD_TOP_RIGHT && osd->top.h))
        leave_room(osd, &t);
    SDL_Rect box = {osd->margin, osd->margin, t.w + 2 * pad, t.h + pad};
    if (place == RN_OSD_BOTTOM_LEFT)
        box.y = osd->bottom - osd->margin - box.h;
    else if (place == RN_OSD_TOP_RIGHT)
        place_right(osd, &box);
    else
        osd->top = box;
    box_fill(osd, &box, paper);
    table_draw(osd, &t, box.x + pad, box.y + pad / 2, true, false);
    free(t.cells);
}

void rn_osd_alert(struct rn_osd *osd, const char *text)
{
    if (!osd->font || !*text)
        return;
    int pad = osd->px / 2;
    int wrap = osd->w - 2 * osd->margin - 2 * pad;
    if (wrap < osd->px)
        return;
    size_t len = strlen(text);
    while (len && text[len - 1] == '\n')
        len--;
    char *clean = strndup(text, len);
    if (!clean)
        return;
    rn_printable(clean, true);
    len = strlen(clean);
    const struct text *t = NULL;
    for (int px = osd->px; px >= MIN_FONT; px--) {
        t = text_get(osd, clean, len, px, wrap);
        if (t && t->h <= osd->h - 2 * osd->margin)
            break;
    }
    free(clean);
    if (!t)
        return;
    SDL_Rect box = {0, (osd->h - t->h) / 2 - pad, osd->w, t->h + 2 * pad};
    if (box.y < 0)
        box.y = 0; /* too long: the first lines matter most */
    box_fill(osd, &box, alarm_paper);
    text_draw(osd, t, osd->margin + pad, box.y + pad, ink);
}

/* What the help says. */
struct help {
    struct rn_key_line *line;
    int n;
};

/* The keys in as many pairs of columns. */
static int help_table(const struct help *help, struct table *t, int pairs)
{
    int rows = (help->n + pairs - 1) / pairs;
    if (table_alloc(t, rows, 2 * pairs))
        return RN_EINTERNAL;
    for (int i = 0; i < help->n; i++) {
        const struct rn_key_line *line = &help->line[i];
        struct cell *cell = &t->cells[i % rows * t->columns + i / rows * 2];
        cell[0] = (struct cell){line->keys, strlen(line->keys)};
        cell[1] = (struct cell){line->help, strlen(line->help)};
    }
    return 0;
}

/* All keys in one column or, where that is too high, in two; whichever is larger. */
static int help_fit(struct rn_osd *osd, const struct help *help, struct table *t, int w, int h)
{
    struct table two;
    if (help_table(help, t, 1))
        return RN_EINTERNAL;
    table_fit(osd, t, osd->px, w, h);
    if (t->px == osd->px || help_table(help, &two, 2))
        return 0;
    table_fit(osd, &two, osd->px, w, h);
    struct table worse = two.px > t->px ? *t : two;
    *t = two.px > t->px ? two : *t;
    free(worse.cells);
    return 0;
}

/* Of one column as wide as there is room for: page number `page`. Returns how many there are. */
static int help_page(struct rn_osd *osd, struct table *t, int page, int w, int h)
{
    table_fit(osd, t, osd->px, w, INT_MAX);
    int most = h / t->row_h > 1 ? h / t->row_h : 1, pages = (t->rows + most - 1) / most;
    int first = page * most < t->rows ? page * most : 0;
    memmove(t->cells, t->cells + first * t->columns,
            (size_t)((t->rows - first) * t->columns) * sizeof *t->cells);
    t->rows = t->rows - first < most ? t->rows - first : most;
    t->h = t->row_h * t->rows;
    return pages;
}

static int help_draw(struct rn_osd *osd, const struct help *help, int page)
{
    struct table t;
    int pad = osd->px, pages = 1;
    int w = osd->w - 2 * osd->margin - 2 * pad;
    int h = osd->h - 2 * osd->margin - 2 * pad;
    if (help_fit(osd, help, &t, w, h))
        return 1;
    if (t.px < READABLE * osd->scale) { /* fewer lines then */
        free(t.cells);
        if (help_table(help, &t, 1))
            return 1;
        pages = help_page(osd, &t, page, w, h);
    }
    SDL_Rect box = {(osd->w - t.w) / 2 - pad, (osd->h - t.h) / 2 - pad, t.w + 2 * pad,
                    t.h + 2 * pad};
    /* Twice: it covers other overlays and has the most to read. */
    box_fill(osd, &box, paper);
    box_fill(osd, &box, paper);
    table_draw(osd, &t, box.x + pad, box.y + pad, false, true);
    free(t.cells);
    return pages;
}

int rn_osd_help(struct rn_osd *osd, const struct rn_keymap *keys, int page)
{
    struct help help = {.n = 0};
    if (osd->font)
        help.n = rn_keymap_lines(keys, &help.line);
    int pages = help.n ? help_draw(osd, &help, page) : 1;
    free(help.line);
    return pages;
}

/* Bars of n bins over an area: mean of the bins below each column, so that its height means the
 * same whatever the width is. */
static void bars_draw(struct rn_osd *osd, const SDL_Rect *area, const uint64_t *bins, int n,
                      SDL_Color c)
{
    int w = area->w, h = area->h;
    double *column = calloc((size_t)w, sizeof *column);
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
        /* Square root: one full bin (a black border) shall not flatten the rest. */
        int high = (int)(SDL_sqrt(column[x] / most) * h + 0.5);
        if (!high && column[x] > 0)
            high = 1;
        SDL_Rect bar = {area->x + x, area->y + h - high, 1, high};
        if (high)
            SDL_RenderFillRect(osd->renderer, &bar);
    }
    free(column);
}

void rn_osd_histogram(struct rn_osd *osd, const uint64_t *bins, int n)
{
    int pad = osd->px / 3;
    int w = (int)(192 * osd->scale);
    int h = (int)(72 * osd->scale);
    w = w > osd->w / 3 ? osd->w / 3 : w;
    h = h > osd->h / 4 ? osd->h / 4 : h;
    int room = osd->h - osd->margin - 2 * pad - (osd->top_right.y + osd->top_right.h);
    h = h > room ? room : h;
    if (n < 1 || w < 1 || h < (osd->top_right.h ? osd->px : 1))
        return;
    SDL_Rect box = {osd->w - osd->margin - w - 2 * pad, osd->bottom - osd->margin - h - 2 * pad,
                    w + 2 * pad, h + 2 * pad};
    osd->right = box.x;
    box_fill(osd, &box, paper);

    SDL_Rect area = {box.x + pad, box.y + pad, w, h};
    bars_draw(osd, &area, bins, n, (SDL_Color){255, 255, 255, 224});
}

void rn_osd_frame(struct rn_osd *osd, const SDL_Rect *box, const SDL_Rect *within)
{
    SDL_RenderSetClipRect(osd->renderer, within);
    int thick = osd->scale >= 1.5 ? (int)(osd->scale + 0.5) : 1;
    SDL_SetRenderDrawBlendMode(osd->renderer, SDL_BLENDMODE_NONE);
    for (int i = 1; i <= 2 * thick; i++) {
        SDL_Rect r = {box->x - i, box->y - i, box->w + 2 * i, box->h + 2 * i};
        Uint8 v = i <= thick ? 255 : 0;
        SDL_SetRenderDrawColor(osd->renderer, v, v, v, 255);
        SDL_RenderDrawRect(osd->renderer, &r);
    }
    SDL_RenderSetClipRect(osd->renderer, NULL);
}

void rn_osd_compare(struct rn_osd *osd, const char *name, const uint64_t *const bins[2],
                    const int n[2], int all)
{
    static const SDL_Color inks[] = {{255, 214, 102, 160}, {255, 255, 255, 160}};
    int pad = osd->px / 3, gap = osd->margin / 2;
    int w = (osd->w - 2 * osd->margin) / (all > 1 ? all : 2) - 2 * pad - gap;
    int h = (int)(72 * osd->scale);
    w = w > (int)(160 * osd->scale) ? (int)(160 * osd->scale) : w;
    h = h > osd->h / 5 ? osd->h / 5 : h;
    if (w < 1 || h < 1)
        return;
    SDL_Rect box = {0, osd->margin, w + 2 * pad, h + 2 * pad};
    if (!osd->beside.w) { /* the first */
        place_right(osd, &box);
        osd->beside = box;
    }
    box = osd->beside;
    osd->beside.x -= box.w + gap;
    box_fill(osd, &box, paper);
    SDL_Rect area = {box.x + pad, box.y + pad, w, h};
    for (int i = 0; i < 2; i++)
        if (n[i] > 0)
            bars_draw(osd, &area, bins[i], n[i], inks[i]);
    text_draw(osd, osd->font ? text_get(osd, name, strlen(name), osd->px, 0) : NULL, box.x + pad,
              box.y, ink);
}

/* ---- panes */

void rn_osd_line(struct rn_osd *osd, const SDL_Rect *box)
{
    int thick = osd->scale >= 1.5 ? (int)(osd->scale + 0.5) : 1;
    SDL_Rect dark = {box->x - thick, box->y, thick, box->h};
    SDL_Rect bright = {box->x, box->y, thick, box->h};
    box_fill(osd, &dark, (SDL_Color){0, 0, 0, 255});
    box_fill(osd, &bright, ink);
}

/* The name at the largest size at which it fits, or the least; NULL: nothing to see. */
static const struct text *fit_name(struct rn_osd *osd, const char *name, int room)
{
    const struct text *t = NULL;
    size_t len = strlen(name);
    for (int px = osd->px; px >= READABLE && osd->font; px--) {
        t = text_get(osd, name, len < MAX_CELL ? len : MAX_CELL, px, 0);
        if (!t || t->w <= room)
            break;
    }
    return t && t->texture ? t : NULL;
}

/* Down, until nothing stands there. */
static void below(SDL_Rect *box, const SDL_Rect *other, int gap)
{
    if (SDL_HasIntersection(box, other))
        box->y = other->y + other->h + gap;
}

void rn_osd_name(struct rn_osd *osd, const SDL_Rect *room, const char *name, bool right)
{
    int pad = osd->px / 3, most = room->w - 2 * (osd->margin + pad);
    const struct text *t = fit_name(osd, name, most);
    if (!t || (t->w > most && most < 3 * t->h))
        return;
    SDL_Rect box = {room->x + osd->margin, room->y + osd->margin, t->w + 2 * pad, t->h + pad};
    box.w = t->w > most ? most + 2 * pad : box.w;
    box.x = right ? room->x + room->w - osd->margin - box.w : box.x;
    for (int i = 0; i < 2; i++) { /* either may push it below the other */
        below(&box, &osd->top, osd->margin / 2);
        below(&box, &osd->top_right, osd->margin / 2);
    }
    if (box.y + box.h > osd->h)
        box.y = room->y + osd->margin; /* there is no room: over what stands there */
    box_fill(osd, &box, paper);
    SDL_Rect clip = {box.x + pad, box.y, box.w - 2 * pad, box.h};
    SDL_RenderSetClipRect(osd->renderer, &clip);
    text_draw(osd, t, clip.x, box.y + pad / 2, ink);
    SDL_RenderSetClipRect(osd->renderer, NULL);
}
