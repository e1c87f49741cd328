/* SPDX-License-Identifier: MIT */
/* Tables of text: each text of the overlay is one. */
#pragma once

#include <SDL.h>
#include <stdbool.h>
#include <stddef.h>

/* Text as textures, by SDL2_ttf in the font that fontconfig calls "sans", cached by its string. */
struct rn_ui_font;

struct rn_ui_text {
    char *string;
    int px, wrap;
    SDL_Texture *texture; /* NULL: nothing to see, or it failed; then w is 0 */
    int w, h;
    unsigned used;
};

/* Returns 0, also when no font is found (a warning; *font is NULL then), or RN_EINTERNAL (logged).
 */
int rn_ui_font_open(struct rn_ui_font **font, SDL_Renderer *renderer);
void rn_ui_font_close(struct rn_ui_font **font);

/* Forgets the textures; NULL is legal. */
void rn_ui_font_flush(struct rn_ui_font *font);

/* The text of len bytes at a size of px pixels. wrap: the width at which lines break, 0: one line,
 * < 0: one line, which is cut with an ellipsis where it is wider than -wrap. Returns NULL without
 * a font or memory. Valid until 256 other texts were requested. */
const struct rn_ui_text *rn_ui_text_get(struct rn_ui_font *font, const char *s, size_t len, int px,
                                        int wrap);

/* Draws it with its corner at x, y. NULL is legal. */
void rn_ui_text_draw(struct rn_ui_font *font, const struct rn_ui_text *text, int x, int y,
                     SDL_Color colour);

#define RN_TABLE_COLUMNS 6    /* at most */
#define RN_TABLE_CELL    1023 /* bytes of a cell that are shown */
#define RN_MIN_FONT      7    /* pixels: the smallest font */

/* The cells of a text. The strings are the caller's, who also frees cells. */
struct rn_ui_table {
    int rows, columns;
    struct rn_ui_cell {
        const char *s;
        size_t len;
    } * cells; /* rows x columns */
    int px;
    int width[RN_TABLE_COLUMNS]; /* at px */
    int row_h;                   /* likewise */
    int w, h;                    /* likewise, of all */
};

/* Makes a table of a text with rows separated by \n and columns by \t. Returns 0 or RN_EINTERNAL
 * (logged). */
int rn_ui_table_parse(struct rn_ui_table *t, const char *text);

/* Measures the table at a font size of px pixels; at the largest size up to px at which it fits
 * into w x h, or the least. */
void rn_ui_table_measure(struct rn_ui_font *font, struct rn_ui_table *t, int px);
void rn_ui_table_fit(struct rn_ui_font *font, struct rn_ui_table *t, int px, int least, int w,
                     int h);

/* Puts an ellipsis for the last two of at least two lines. */
void rn_ui_table_cut(struct rn_ui_table *t);

/* flush: columns after the first end at the right. */
void rn_ui_table_draw(struct rn_ui_font *font, const struct rn_ui_table *t, int x, int y,
                      bool flush);
