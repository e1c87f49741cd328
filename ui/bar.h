/* SPDX-License-Identifier: MIT */
/* The seek bar: where it is on an output, how it is drawn, and what the mouse does to it. Lengths
 * are pixels of the output. Places are 0..1, of the first and of the last frame of the input. */
#pragma once

#include <SDL.h>

#include "ui/draw/osd.h"
#include "ui/draw/picture.h"
#include "ui/window.h"

struct rn_ui_bar {
    SDL_Rect track;
    int zone; /* the row from which on the pointer shows the bar */
    int out_w, out_h;
};

/* The bar on an output of out_w x out_h; px: size of the font. */
struct rn_ui_bar rn_ui_bar_lay_out(int out_w, int out_h, int px);

/* True if a pointer there shows the bar; if a press there seeks. */
bool rn_ui_bar_is_near(const struct rn_ui_bar *bar, int x, int y);
bool rn_ui_bar_is_hit(const struct rn_ui_bar *bar, int x, int y);

/* The place of column x, clamped to the bar; the column of a place. */
double rn_ui_bar_place(const struct rn_ui_bar *bar, int x);
int rn_ui_bar_column(const struct rn_ui_bar *bar, double place);

/* The box for a thumbnail of w x h at a place: above the bar, on the output, scaled down to a third
 * of its width and half of its height. */
SDL_Rect rn_ui_bar_box(const struct rn_ui_bar *bar, int w, int h, double place);

/* ---- in the window */

/* Zeroed before the first drawing. */
struct rn_ui_bar_place {
    struct rn_ui_bar bar;
    bool there;   /* the scene has one... */
    bool seen;    /* ...that is drawn */
    bool pointed; /* the pointer is near */
    bool drags;
    struct rn_ui_picture thumb;
};

/* Decides whether the bar is drawn for a pointer at x, y, pixels of the output. scene NULL: no bar.
 * Call it before everything that leaves space for the bar: it takes that. */
void rn_ui_bar_prepare(struct rn_ui_osd *osd, const struct rn_ui_scene_bar *scene, int x, int y,
                       struct rn_ui_bar_place *place);

/* Draws the bar. x: of the pointer. Returns 0 or RN_EINTERNAL (logged). */
int rn_ui_bar_draw(struct rn_ui_osd *osd, SDL_Renderer *renderer,
                   const struct rn_ui_scene_bar *scene, int x, struct rn_ui_bar_place *place);

/* Handles an event of the mouse. Returns true if it belongs to the bar; *event is then the result,
 * RN_EVENT_NONE if there is none. scale: pixels of the output to a unit of the window. */
bool rn_ui_bar_mouse(struct rn_ui_bar_place *place, const SDL_Event *e, double scale,
                     struct rn_ui_event *event);

/* The pointer has left the window. Returns true if *event is to be reported. */
bool rn_ui_bar_leave(struct rn_ui_bar_place *place, struct rn_ui_event *event);
