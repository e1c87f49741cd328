/* SPDX-License-Identifier: MIT */
/* What is drawn: pictures, and text and graphs over them. */
#pragma once

#include <SDL.h>

#include "filters/base/screen.h"

/* Of texts; of what is marked or chosen; what lies under texts. */
#define RN_UI_INK    ((SDL_Color){255, 255, 255, 255})
#define RN_UI_MARKED ((SDL_Color){255, 214, 102, 255})
#define RN_UI_PAPER  ((SDL_Color){0, 0, 0, 176})

/* ---- view.c: computes where a picture is on an output: fitted into it, or zoomed about a point.
 * Rectangles may exceed the output.
 *
 * Points and lengths of the output are in device pixels: at scale 1 a pixel of the picture takes
 * one of them. Pictures whose pixels are not square keep their shape, so the scale is that of the
 * shorter side of a pixel. */

#define RN_MAX_SCALE 64.0 /* largest scale */

struct rn_ui_view {
    /* The sizes of the picture and the output, set by the caller; 0: unknown. */
    int w, h, out_w, out_h;
    double aspect; /* of a pixel of the picture: width / height; > 0 */
    bool zoomed;   /* else the whole picture is fitted, and the fields below are unused */
    double scale;  /* pixels of the output to one of the picture */
    double x, y;   /* the point of the picture in the middle of the output, its pixels */
};

/* The current scale; 0 if a size is unknown, as for all functions here. */
double rn_ui_view_scale(const struct rn_ui_view *view);

/* The place of the whole picture: centred if it is smaller than the output, else without bars. */
SDL_Rect rn_ui_view_place(const struct rn_ui_view *view);

/* The part of rn_ui_view_place that is on the output. */
SDL_Rect rn_ui_view_visible(const struct rn_ui_view *view);

/* True if the picture exceeds the output, so that it can be moved. */
bool rn_ui_view_is_cut(const struct rn_ui_view *view);

/* Changes the scale, up to RN_MAX_SCALE. The point x, y of the output keeps showing the same point
 * of the picture, as far as its edges allow. */
void rn_ui_view_zoom(struct rn_ui_view *view, double scale, double x, double y);

/* Zooms in or (steps < 0) out: from one scale to the next of 1, 1.5, 2, 3, 4, 6, 8 ... and their
 * reciprocals. Zooming out ends when the whole picture fits. */
void rn_ui_view_step(struct rn_ui_view *view, int steps, double x, double y);

/* Moves the picture, not beyond its edges. */
void rn_ui_view_pan(struct rn_ui_view *view, double dx, double dy);

/* The picture's pixel at a point of the output, or the nearest one. Returns true if the point is on
 * the picture. Without a picture px and py are 0. */
bool rn_ui_view_pixel(const struct rn_ui_view *view, double x, double y, int *px, int *py);

/* Divides a line from start into n equal parts: where part i begins; which edge is nearest to x. */
int rn_ui_view_edge(int start, int length, int n, int i);
int rn_ui_view_nearest_edge(int start, int length, int n, int x);

/* ---- picture.c: a picture as textures. A picture that is shown smaller than its size is shrunk
 * first, so its textures have the size on the output. A picture that exceeds the largest texture
 * has several, side by side. */

/* ---- pictures made smaller for the screen
 *
 * Each sample is a mean of all those under it, with weights that fall linearly from its middle to
 * those of its neighbours (linear interpolation whose reach grows with the step, so that detail
 * finer than the screen becomes gray and no false pattern). Fixed point: an even area keeps its
 * value exactly, and the same size its samples. */

/* The samples that contribute to each row or column of the result. */
struct rn_ui_taps {
    int from, to, most; /* sizes; the most samples for one */
    int *first, *n;     /* of each of `to` */
    uint16_t *weight;   /* most for each; their sum is 1 << 14 */
};

/* Kept for pictures of the same sizes. Zeroed before the first use. */
struct rn_ui_shrink {
    struct rn_ui_taps across, down;
    uint16_t *row;
    size_t samples; /* of row, allocated */
};

/* Prepares for pixels of 4 samples of 8 bits, from w x h to to_w x to_h, which are not larger.
 * Returns 0 or RN_EINTERNAL (logged). */
int rn_ui_shrink_prepare(struct rn_ui_shrink *shrink, int w, int h, int to_w, int to_h);

/* Shrinks a picture of the prepared size. Strides are in bytes. */
void rn_ui_shrink(const struct rn_ui_shrink *shrink, const uint8_t *from, int from_stride,
                  uint8_t *to, int to_stride);

void rn_ui_shrink_free(struct rn_ui_shrink *shrink);

/* ---- textures */

/* Zeroed before the first use. */
struct rn_ui_picture {
    bool mirrored[2];      /* by the caller: drawn from its right end, from its lower one */
    int w, h;              /* in the textures, pixels; 0 before the first upload */
    SDL_Texture **texture; /* columns x rows of them */
    int columns, rows;
    int side; /* of all but the last in a row or column, pixels */
    struct rn_ui_shrink shrink;
    uint8_t *buffer; /* what was shrunk */
    size_t size;     /* of it, bytes */
};

/* The size in textures of a picture of w x h shown in an area: the smaller of both sizes. */
SDL_Point rn_ui_picture_size(int w, int h, const SDL_Rect *area);

/* Uploads the pixels, to be shown in the area. Returns 0 or RN_EINTERNAL (logged). */
int rn_ui_picture_upload(struct rn_ui_picture *pic, SDL_Renderer *renderer,
                         const struct rn_screen *screen, const SDL_Rect *area);

/* Draws the columns from..to - 1 of the textures; all columns would fill the area. visible: the
 * part of the area on the output. smooth: linear interpolation, else each pixel is a plain
 * rectangle. Returns 0 or RN_EINTERNAL (logged). */
int rn_ui_picture_draw(struct rn_ui_picture *pic, SDL_Renderer *renderer, const SDL_Rect *area,
                       const SDL_Rect *visible, int from, int to, bool smooth);

/* Frees the textures; the next upload makes new ones. */
void rn_ui_picture_clear(struct rn_ui_picture *pic);

void rn_ui_picture_free(struct rn_ui_picture *pic);

/* ---- osd.c: draws text and small graphics over the picture, with SDL2_ttf and the font that
 * fontconfig calls "sans".
 *
 * Every drawing lays everything out again, in pixels of the output; rendered text is cached by its
 * string. No box overlaps another. The box that is drawn first gets the best place. Texts that stay
 * for long leave the pictures visible: several pictures are covered only where there is no place
 * beside them. A text without a free place is set smaller, while it stays easy to read, then loses
 * its last lines, which an ellipsis tells, then is left out; lines that are too long are broken.
 * Such a text that takes more than a quarter of the output is set smaller. Without a font only
 * histograms are drawn. */

/* ---- layout: where the boxes of the overlay stand, so that none lies over another
 *
 * Boxes are placed one by one, each as near to its corner as those before allow: the first gets the
 * best place. A box without a free place is not placed; the caller may ask for a smaller one. */

#define RN_MAX_BOXES    48 /* further boxes are not placed */
#define RN_MAX_PICTURES 4

enum rn_ui_corner { RN_TOP_LEFT, RN_TOP_RIGHT, RN_BOTTOM_LEFT, RN_BOTTOM_RIGHT };

struct rn_ui_layout {
    int w, h;        /* of the output */
    int margin, gap; /* at its edges; between boxes */
    SDL_Rect taken[RN_MAX_BOXES];
    int n;
    SDL_Rect picture[RN_MAX_PICTURES];
    int64_t covered[RN_MAX_PICTURES]; /* pixels of each, by boxes that stay */
    int npictures;
    SDL_Rect line; /* that divides a picture; graphs leave it visible. Empty: none */
};

enum rn_ui_cover { RN_COVER_NONE, RN_COVER_PART, RN_COVER_LINE, RN_COVER_ALL };

/* Starts anew with an empty output of w x h. */
void rn_ui_layout_begin(struct rn_ui_layout *l, int w, int h, int margin, int gap);

/* True if the box overlaps no other one. */
bool rn_ui_layout_is_free(const struct rn_ui_layout *l, const SDL_Rect *box);

/* Takes a place chosen by the caller. */
void rn_ui_layout_take(struct rn_ui_layout *l, const SDL_Rect *box);

/* Finds and takes the free place for a box of w x h that is nearest to the corner, between the
 * margins. Returns false if there is none. A box that stays for long covers, by `cover`:
 * RN_COVER_NONE: no picture if there are several;
 * RN_COVER_PART: not the line, and with other such boxes at most half of a single picture, or a
 * quarter of each of two or four; three leave a quarter of the output for what has room there;
 * RN_COVER_LINE: the line, too. */
bool rn_ui_layout_place(struct rn_ui_layout *l, enum rn_ui_corner corner, enum rn_ui_cover cover,
                        int w, int h, SDL_Rect *box);

/* ---- table.c: tables of text: each text of the overlay is one */

/* Text as textures, by SDL2_ttf in the font that fontconfig calls "sans", cached by its string. */
struct rn_ui_font;

struct rn_ui_text {
    char *string;
    int px, wrap;
    SDL_Texture *texture; /* NULL: nothing to see, or it failed; then w is 0 */
    int w, h;
    unsigned used;
};

/* Returns 0, also if no font is found (a warning; *font: NULL), or RN_EINTERNAL (logged). */
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

/* Columns after the first end at the right. */
void rn_ui_table_draw(struct rn_ui_font *font, const struct rn_ui_table *t, int x, int y);

/* ---- the overlay */

struct rn_ui_osd {
    SDL_Renderer *renderer;
    struct rn_ui_font *font; /* NULL: no text can be drawn */

    /* Of the current drawing, in pixels of the output. */
    int w, h, px, margin; /* px: of the font */
    double scale;
    int thick; /* of lines over the picture, to be seen in every window */
    int right; /* left edge of what stands at the bottom right */
    struct rn_ui_layout layout;
    SDL_Rect compared; /* where the next histogram of rn_ui_osd_compare goes */
    SDL_Rect menu;     /* over all; what it would cut is left out, all else stays where it is */
};

/* Returns 0 also when no font is found (a warning), or RN_EINTERNAL. */
int rn_ui_osd_open(struct rn_ui_osd **osd, SDL_Renderer *renderer);
void rn_ui_osd_close(struct rn_ui_osd **osd);

/* Starts a drawing on an output of w x h pixels, scale pixels to the unit of the window system. */
void rn_ui_osd_begin(struct rn_ui_osd *osd, int w, int h, double scale);

/* Draws lines separated by \n; \t separates columns, and those after the first are flush right.
 * NULL is legal, as for messages and alerts: nothing is drawn. Returns false if there is no room,
 * as rn_ui_osd_histogram and rn_ui_osd_compare do. */
bool rn_ui_osd_text(struct rn_ui_osd *osd, enum rn_ui_corner corner, const char *text);

/* Draws such lines at the top left of a rectangle, inside it. */
void rn_ui_osd_note(struct rn_ui_osd *osd, const SDL_Rect *room, const char *text);

/* Draws a message at the bottom left, above other boxes: wrapped, and set smaller if it takes more
 * than a fifth of the height. If it is still too long it ends with an ellipsis. */
void rn_ui_osd_message(struct rn_ui_osd *osd, const char *text);

/* Draws text across the middle, on red, as a message; at the end of the window where that is below
 * a menu. */
void rn_ui_osd_alert(struct rn_ui_osd *osd, const char *text);

/* Draws n bins at the bottom right. Leaves space for text, which will be drawn at the bottom left,
 * if there is enough; NULL: no text. */
bool rn_ui_osd_histogram(struct rn_ui_osd *osd, const uint64_t *bins, int n, const char *text);

/* Draws a frame around a rectangle, clipped to another one. */
void rn_ui_osd_frame(struct rn_ui_osd *osd, const SDL_Rect *box, const SDL_Rect *within);

/* Draws two histograms of n bins, before and after, over each other with a name, at the top right
 * below other boxes, or left of the previous one of `all`. */
bool rn_ui_osd_compare(struct rn_ui_osd *osd, const char *name, const uint64_t *const bins[2],
                       const int n[2], int all);

/* Draws a short line at the bottom right, as small as can be read, if need be over pictures. */
void rn_ui_osd_mark(struct rn_ui_osd *osd, const char *text);

/* ---- for panel.c, panes.c and bar.c, which have layouts of their own */

void rn_ui_osd_fill(struct rn_ui_osd *osd, const SDL_Rect *box, SDL_Color colour);

/* Begins what has its place in a box: fills that. Returns false if it is left out for a menu. */
bool rn_ui_osd_box(struct rn_ui_osd *osd, const SDL_Rect *box, SDL_Color colour);

/* Finds and takes the best place for a graph that stays. Returns false if there is none. */
bool rn_ui_osd_place(struct rn_ui_osd *osd, enum rn_ui_corner corner, int w, int h, SDL_Rect *box);

/* Reserves a place. Returns false if it is not free. */
bool rn_ui_osd_claim(struct rn_ui_osd *osd, const SDL_Rect *box);

/* Draws a line of text at x, y, one and a half times as high as the font. An ellipsis cuts it to
 * `width`, at its end or, if it is flush right, at its beginning. Returns the width that it took;
 * width 0: draws nothing and returns the width of the whole text. */
int rn_ui_osd_label(struct rn_ui_osd *osd, const char *text, int x, int y, int width, bool flush,
                    SDL_Color colour);

/* Draws a text in lines of a smaller font, or only measures it. Returns its height. */
int rn_ui_osd_paragraph(struct rn_ui_osd *osd, const char *text, int x, int y, int width, bool draw,
                        SDL_Color colour);

/* Draws the name of a rectangle inside it: at its top left or right, below the boxes that are at
 * the top of the window. A long name is set smaller, then cut; without space for a few letters it
 * is left out. */
void rn_ui_osd_name(struct rn_ui_osd *osd, const SDL_Rect *room, const char *name, bool right);
