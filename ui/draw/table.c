#include "ui/draw/table.h"

#include "filters/base/err.h"
#include "filters/base/log.h"

#include <stdlib.h>
#include <string.h>

static const SDL_Color ink = {255, 255, 255, 255};
static const SDL_Color key_ink = {255, 214, 102, 255};

int rn_ui_table_alloc(struct rn_ui_table *t, int rows, int columns)
{
    *t = (struct rn_ui_table){.rows = rows, .columns = columns};
    if (rows < 1 || columns < 1)
        return RN_EINTERNAL;
    t->cells = calloc((size_t)rows * (size_t)columns, sizeof *t->cells);
    if (t->cells)
        return 0;
    rn_fail_memory();
    return RN_EINTERNAL;
}

int rn_ui_table_parse(struct rn_ui_table *t, const char *text)
{
    int rows = 1;
    int columns = 1;
    int column = 1;
    for (const char *p = text; *p; p++) {
        if (*p == '\n') {
            rows += p[1] != 0;
            column = 1;
        } else if (*p == '\t' && column < RN_TABLE_COLUMNS) {
            column++;
            columns = column > columns ? column : columns;
        }
    }
    if (rn_ui_table_alloc(t, rows, columns))
        return RN_EINTERNAL;
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
    for (int c = 0; c < t->columns; c++) {
        t->width[c] = 0;
        for (int r = 0; r < t->rows; r++) {
            const struct rn_ui_cell *cell = &t->cells[r * t->columns + c];
            const struct rn_ui_text *text =
                rn_ui_text_get(font, cell->s ? cell->s : "", cell->len, px, 0);
            if (text && text->w > t->width[c])
                t->width[c] = text->w;
            if (text && text->h > t->row_h)
                t->row_h = text->h;
        }
        t->w += t->width[c];
    }
    t->h = t->row_h * t->rows;
}

void rn_ui_table_fit(struct rn_ui_font *font, struct rn_ui_table *t, int px, int w, int h)
{
    rn_ui_table_measure(font, t, px);
    while (px > RN_TABLE_LEAST && (t->w > w || t->h > h)) {
        double by = 1;
        if (t->w > w)
            by = (double)w / t->w;
        if (t->h > h && (double)h / t->h < by)
            by = (double)h / t->h;
        int next = by > 0 ? (int)(px * by) : RN_TABLE_LEAST;
        px = next < px ? next : px - 1;
        px = px > RN_TABLE_LEAST ? px : RN_TABLE_LEAST;
        rn_ui_table_measure(font, t, px);
    }
}

void rn_ui_table_draw(struct rn_ui_font *font, const struct rn_ui_table *t, int x, int y,
                      bool flush, bool keys)
{
    for (int c = 0; c < t->columns; c++) {
        for (int r = 0; r < t->rows; r++) {
            const struct rn_ui_cell *cell = &t->cells[r * t->columns + c];
            if (!cell->len)
                continue;
            const struct rn_ui_text *text = rn_ui_text_get(font, cell->s, cell->len, t->px, 0);
            int shift = flush && c > 0 && text ? t->width[c] - text->w : 0;
            rn_ui_text_draw(font, text, x + shift, y + r * t->row_h,
                            keys && c % 2 == 0 ? key_ink : ink);
        }
        x += t->width[c] + t->px;
    }
}
