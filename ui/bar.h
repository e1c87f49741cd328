/* The seek bar: where it is on an output, how it is drawn, and what the mouse does to it. Lengths are
 * pixels of the output. Places are 0..1, of the first and of the last frame of the input. */
#ifndef RN_UI_BAR_H
#define RN_UI_BAR_H

#include <SDL.h>
#include <stdbool.h>

#include "ui/draw/osd.h"
#include "ui/draw/picture.h"
#include "ui/view.h"
#include "ui/window.h"

struct rn_ui_bar {
    SDL_Rect track;
    int zone; /* the row from which on the pointer shows the bar */
    int out_w, out_h;
};

/* The bar on an output of out_w x out_h; px: size of the font. */
struct rn_ui_bar rn_ui_bar_lay_out(int out_w, int out_h, int px);

/* Does a pointer there show the bar; does a press there seek? */
bool rn_ui_bar_is_near(const struct rn_ui_bar *bar, int x, int y);
bool rn_ui_bar_is_hit(const struct rn_ui_bar *bar, int x, int y);

/* The place that column x stands for, the nearest end where it is beyond the bar; the column of a
 * place. */
double rn_ui_bar_place(const struct rn_ui_bar *bar, int x);
int rn_ui_bar_column(const struct rn_ui_bar *bar, double place);

/* Where a box of w x h for a place stands: above the bar, on the output. It is made smaller, in its
 * shape, where it would take more than a third of the width or half of the height. */
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

/* Is the bar drawn, for a pointer at x, y, pixels of the output? scene: NULL: there is none. To be
 * called before anything that leaves room for it; returns the height of that room. */
int rn_ui_bar_prepare(struct rn_ui_osd *osd, const struct rn_ui_scene_bar *scene, int x, int y,
                      struct rn_ui_bar_place *place);

/* Draws it; x: of the pointer. Returns 0 or RN_EINTERNAL (logged). */
int rn_ui_bar_draw(struct rn_ui_osd *osd, SDL_Renderer *renderer,
                   const struct rn_ui_scene_bar *scene, int x, struct rn_ui_bar_place *place);

/* Whether the bar takes this event of the mouse; *event is then what it means, RN_EVENT_NONE if
 * nothing. scale: pixels of the output to a unit of the window. */
bool rn_ui_bar_mouse(struct rn_ui_bar_place *place, const SDL_Event *e, double scale,
                     struct rn_ui_event *event);

/* The pointer has left the window. Returns whether that means something, which is *event. */
bool rn_ui_bar_leave(struct rn_ui_bar_place *place, struct rn_ui_event *event);

#endif
