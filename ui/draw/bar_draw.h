/* The seek bar in the window: how it is drawn, and what the mouse does to it. */
#ifndef RN_UI_DRAW_BAR_DRAW_H
#define RN_UI_DRAW_BAR_DRAW_H

#include <SDL.h>
#include <stdbool.h>

#include "ui/bar.h"
#include "ui/draw/osd.h"
#include "ui/draw/picture.h"
#include "ui/window.h"

/* Zeroed before the first drawing. */
struct rn_ui_bar_place {
    struct rn_ui_bar bar;
    bool there;   /* there is one to be shown... */
    bool seen;    /* ...and it is */
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
