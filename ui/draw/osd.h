/* Draws text and small graphics over the picture, with SDL2_ttf and the font that fontconfig calls
 * "sans".
 *
 * Every drawing lays everything out again, in pixels of the output; rendered text is cached by its
 * string. No box lies over another (layout.h), and none beside the help. What is drawn first gets
 * the best place. What finds no room is set smaller, then loses its last lines, then is left out. A
 * text at the top left that takes more than a quarter of the picture is set smaller while it stays
 * easy to read. Without a font only histograms are drawn. */
#ifndef RN_UI_DRAW_OSD_H
#define RN_UI_DRAW_OSD_H

#include <SDL.h>
#include <stdbool.h>

#include "ui/keys/keymap.h"

struct rn_ui_osd;

enum rn_ui_osd_place {
    RN_OSD_TOP_LEFT,
    RN_OSD_TOP_RIGHT,
    RN_OSD_BOTTOM_LEFT,
};

/* Returns 0 also when no font is found (a warning), or RN_EINTERNAL. */
int rn_ui_osd_open(struct rn_ui_osd **osd, SDL_Renderer *renderer);
void rn_ui_osd_close(struct rn_ui_osd **osd);

/* Forgets the textures; after the renderer lost them. */
void rn_ui_osd_flush(struct rn_ui_osd *osd);

/* Keeps `rows` rows at the bottom free of what is drawn later; until rn_ui_osd_begin. */
void rn_ui_osd_raise(struct rn_ui_osd *osd, int rows);

/* Starts a drawing on an output of w x h pixels, scale pixels to the unit of the window system. */
void rn_ui_osd_begin(struct rn_ui_osd *osd, int w, int h, double scale);

/* Lines parted by \n; \t parts columns, and those after the first are flush right. */
void rn_ui_osd_text(struct rn_ui_osd *osd, enum rn_ui_osd_place place, const char *text);

/* The same at the top left of a rectangle, without leaving it. */
void rn_ui_osd_note(struct rn_ui_osd *osd, const SDL_Rect *room, const char *text);

/* Draws a message at the bottom left, above what stands there: wrapped, and set smaller if it takes
 * more than a fifth of the height. If it is still too long only its first lines are drawn. */
void rn_ui_osd_message(struct rn_ui_osd *osd, const char *text);

/* Text across the middle, on red, wrapped. */
void rn_ui_osd_alert(struct rn_ui_osd *osd, const char *text);

/* All keys; in a small window page number `page` of them, from 0. Returns how many pages there
 * are. */
int rn_ui_osd_help(struct rn_ui_osd *osd, const struct rn_ui_keymap *keys, int page);

/* n bins, bottom right, below what stands at the top right. It leaves text, which is to stand at
 * the bottom left, room to be read beside it, if there is as much; NULL: none is. */
void rn_ui_osd_histogram(struct rn_ui_osd *osd, const uint64_t *bins, int n, const char *text);

/* Around a rectangle, not on it; what of that is within another one. */
void rn_ui_osd_frame(struct rn_ui_osd *osd, const SDL_Rect *box, const SDL_Rect *within);

/* Two histograms of n bins, before and after, one over the other, with a name; below what stands at
 * the top right, or left of the last one: there are `all` of them. */
void rn_ui_osd_compare(struct rn_ui_osd *osd, const char *name, const uint64_t *const bins[2],
                       const int n[2], int all);

/* ---- for what is laid out elsewhere (panel.c) */

/* Of the present drawing, in pixels of the output. */
struct rn_ui_osd_size {
    int w, h, px, margin; /* px: of the font */
};

/* Returns false where no text can be drawn. */
bool rn_ui_osd_size(const struct rn_ui_osd *osd, struct rn_ui_osd_size *size);

void rn_ui_osd_fill(struct rn_ui_osd *osd, const SDL_Rect *box, SDL_Color colour);

/* Reserves a place and returns true, unless something stands there. */
bool rn_ui_osd_claim(struct rn_ui_osd *osd, const SDL_Rect *box);

/* A line of text in the font's size at x, y, one and a half as high; what does not fit
 * into the room is not seen: its end, or, flush with the right end of the room, its beginning.
 * Returns the width that it took; with no room nothing is drawn, and it is the width of it all. */
int rn_ui_osd_label(struct rn_ui_osd *osd, const char *text, int x, int y, int room, bool flush,
                    SDL_Color colour);

/* A line at the left edge of a rectangle, as high as this. */
void rn_ui_osd_line(struct rn_ui_osd *osd, const SDL_Rect *box);

/* The name of what is seen in a rectangle: at the top of it, at its left or right end, below what
 * stands at the top of the window, which was drawn before. It never leaves the rectangle: it is set
 * smaller, then cut at its end, and in one too narrow for a few letters it is left out. */
void rn_ui_osd_name(struct rn_ui_osd *osd, const SDL_Rect *room, const char *name, bool right);

#endif
