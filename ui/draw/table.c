/* SPDX-License-Identifier: MIT */
#include "ui/draw/draw.h"

#include "filters/base/log.h"
#include "filters/base/owned.h"
#include "filters/base/text/printable.h"

#include <math.h>
#include <SDL_ttf.h>
#include <fontconfig/fontconfig.h>

int rn_ui_table_parse(struct rn_ui_table *t, const char *text)
{
    int rows = 1, columns = 1, column = 1;
    for (const char *p = text; *p; p++) {
        if (*p == '\n') {
            rows += p[1] != 0;
            column = 1;
        } else if (*p == '\t' && column < RN_TABLE_COLUMNS) {
            column++;
            columns = column > columns ? column : columns;
        }
    }
    *t = (struct rn_ui_table){.rows = rows, .columns = columns};
    t->cells = calloc((size_t)rows * (size_t)columns, sizeof *t->cells);
    if (!t->cells)
        return rn_fail_memory();
    int row = 0;
    column = 0;
    for (const char *p = text; row < rows; p++) {
        size_t len = strcspn(p, "\n\t");
        struct rn_ui_cell *cell = &t->cells[row * columns + column];
        cell->s = p;
        cell->len = len < RN_TABLE_CELL ? len : RN_TABLE_CELL;
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

void rn_ui_table_measure(struct rn_ui_font *font, struct rn_ui_table *t, int px)
{
    int gap = px;
    t->px = px;
    t->row_h = px * 5 / 4;
    t->w = gap * (t->columns - 1);
    int widest = 0; /* of the lines without columns, which may reach across all */
    for (int c = 0; c < t->columns; c++) {
        t->width[c] = 0;
        for (int r = 0; r < t->rows; r++) {
            const struct rn_ui_cell *cell = &t->cells[r * t->columns + c];
            const struct rn_ui_text *text =
                rn_ui_text_get(font, cell->s ? cell->s : "", cell->len, px, 0);
            int *width = !c && t->columns > 1 && !cell[1].s ? &widest : &t->width[c];
            if (text && text->w > *width)
                *width = text->w;
            if (text && text->h > t->row_h)
                t->row_h = text->h;
        }
        t->w += t->width[c];
    }
    t->w = SDL_max(t->w, widest);
    t->h = t->row_h * t->rows;
}

void rn_ui_table_fit(struct rn_ui_font *font, struct rn_ui_table *t, int px, int least, int w,
                     int h)
{
    rn_ui_table_measure(font, t, px);
    while (px > least && (t->w > w || t->h > h)) {
        double by = fmin((double)w / t->w, (double)h / t->h);
        int next = by > 0 ? (int)(px * by) : least;
        px = SDL_max(least, next < px ? next : px - 1);
        rn_ui_table_measure(font, t, px);
    }
}

void rn_ui_table_draw(struct rn_ui_font *font, const struct rn_ui_table *t, int x, int y)
{
    for (int c = 0; c < t->columns; c++) {
        for (int r = 0; r < t->rows; r++) {
            const struct rn_ui_cell *cell = &t->cells[r * t->columns + c];
            if (!cell->len)
                continue;
            const struct rn_ui_text *text = rn_ui_text_get(font, cell->s, cell->len, t->px, 0);
            int shift = c > 0 && text ? t->width[c] - text->w : 0;
            rn_ui_text_draw(font, text, x + shift, y + r * t->row_h, RN_UI_INK);
        }
        x += t->width[c] + t->px;
    }
}

#define CACHE_SIZE 256

struct rn_ui_font {
    SDL_Renderer *renderer;
    TTF_Font *ttf;
    int px; /* its present size */
    struct rn_ui_text cache[CACHE_SIZE];
    unsigned clock;
};

/* ---- font */

/* The file of the font for body text; to be freed. NULL if there is none. */
static char *font_find(int *index)
{
    char *path = NULL;
    FcPattern *match = NULL;
    FcChar8 *file = NULL;
    FcResult result;

    if (!FcInit())
        return NULL;
    FcPattern *pattern = FcNameParse((const FcChar8 *)"sans:scalable=true");
    if (pattern) {
        FcConfigSubstitute(NULL, pattern, FcMatchPattern);
        FcDefaultSubstitute(pattern);
        match = FcFontMatch(NULL, pattern, &result);
    }
    if (match && FcPatternGetString(match, FC_FILE, 0, &file) == FcResultMatch) {
        if (FcPatternGetInteger(match, FC_INDEX, 0, index) != FcResultMatch)
            *index = 0;
        /* The upper half names an instance of a variable font, which SDL2_ttf does not know. */
        *index &= 0xffff;
        path = strdup((const char *)file);
    }
    if (match)
        FcPatternDestroy(match);
    if (pattern)
        FcPatternDestroy(pattern);
    FcFini();
    return path;
}

int rn_ui_font_open(struct rn_ui_font **font, SDL_Renderer *renderer)
{
    *font = NULL;
    if (TTF_Init()) {
        rn_log(RN_LOG_WARNING, "no overlay: %s", TTF_GetError());
        return 0;
    }
    int index = 0;
    RN_OWNED(rn_free_owned) char *path = font_find(&index);
    TTF_Font *ttf = path ? TTF_OpenFontIndex(path, 16, index) : NULL;
    if (!path)
        rn_log(RN_LOG_WARNING, "no overlay: no font found; install one (fonts-dejavu-core)");
    else if (!ttf)
        rn_log(RN_LOG_WARNING, "no overlay: cannot read the font %s: %s", path, TTF_GetError());
    struct rn_ui_font *f = ttf ? calloc(1, sizeof *f) : NULL;
    if (f) {
        f->renderer = renderer;
        f->ttf = ttf;
        *font = f;
        return 0;
    }
    int err = ttf ? rn_fail_memory() : 0;
    if (ttf)
        TTF_CloseFont(ttf);
    TTF_Quit();
    return err;
}

void rn_ui_font_close(struct rn_ui_font **font)
{
    struct rn_ui_font *f = rn_take_owned(font);
    if (!f)
        return;
    rn_ui_font_flush(f);
    TTF_CloseFont(f->ttf);
    TTF_Quit();
    free(f);
}

/* ---- texts */

static void text_clear(struct rn_ui_text *t)
{
    if (t->texture)
        SDL_DestroyTexture(t->texture);
    free(t->string);
    *t = (struct rn_ui_text){0};
}

void rn_ui_font_flush(struct rn_ui_font *font)
{
    for (int i = 0; font && i < CACHE_SIZE; i++)
        text_clear(&font->cache[i]);
}

/* The longest beginning that is at most w wide with RN_CUT behind it; to be freed. NULL: all is. */
static char *cut_off(struct rn_ui_font *font, const char *text, int w)
{
    int whole = 0, end, chars = 0, sign = 0;
    TTF_SizeUTF8(font->ttf, text, &whole, NULL);
    char *cut = whole > w ? malloc(strlen(text) + sizeof RN_CUT) : NULL, *at = cut;
    if (!cut)
        return NULL;
    TTF_SizeUTF8(font->ttf, RN_CUT, &sign, NULL);
    TTF_MeasureUTF8(font->ttf, text, SDL_max(w - sign, 0), &end, &chars);
    for (; *text && ((*text & 0xc0) == 0x80 || chars-- > 0); text++)
        *at++ = *text;
    memcpy(at, RN_CUT, sizeof RN_CUT);
    return cut;
}

static void text_render(struct rn_ui_font *font, struct rn_ui_text *t)
{
    if (font->px != t->px) {
        if (TTF_SetFontSize(font->ttf, t->px))
            return;
        font->px = t->px;
    }
    RN_OWNED(rn_free_owned) char *cut = t->wrap < 0 ? cut_off(font, t->string, -t->wrap) : NULL;
    SDL_Surface *surface =
        t->wrap > 0
            ? TTF_RenderUTF8_Blended_Wrapped(font->ttf, t->string, RN_UI_INK, (Uint32)t->wrap)
            : TTF_RenderUTF8_Blended(font->ttf, cut ? cut : t->string, RN_UI_INK);
    if (!surface)
        return;
    t->texture = SDL_CreateTextureFromSurface(font->renderer, surface);
    if (t->texture) {
        t->w = surface->w;
        t->h = surface->h;
    }
    SDL_FreeSurface(surface);
}

const struct rn_ui_text *rn_ui_text_get(struct rn_ui_font *font, const char *s, size_t len, int px,
                                        int wrap)
{
    if (!font)
        return NULL;
    struct rn_ui_text *oldest = &font->cache[0];
    font->clock++;
    for (int i = 0; i < CACHE_SIZE; i++) {
        struct rn_ui_text *t = &font->cache[i];
        if (t->string && t->px == px && t->wrap == wrap && !strncmp(t->string, s, len) &&
            !t->string[len]) {
            t->used = font->clock;
            return t;
        }
        if (t->used < oldest->used)
            oldest = t;
    }
    text_clear(oldest);
    oldest->string = strndup(s, len);
    if (!oldest->string)
        return NULL;
    oldest->px = px;
    oldest->wrap = wrap;
    oldest->used = font->clock;
    if (len)
        text_render(font, oldest);
    return oldest;
}

void rn_ui_text_draw(struct rn_ui_font *font, const struct rn_ui_text *t, int x, int y, SDL_Color c)
{
    if (!t || !t->texture)
        return;
    SDL_Rect to = {x, y, t->w, t->h};
    SDL_SetTextureColorMod(t->texture, c.r, c.g, c.b);
    SDL_RenderCopy(font->renderer, t->texture, NULL, &to);
}
