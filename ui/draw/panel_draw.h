/* The panel in the window: where its rows are, and what the mouse does to them. */
#ifndef RN_UI_DRAW_PANEL_DRAW_H
#define RN_UI_DRAW_PANEL_DRAW_H

#include <SDL.h>

#include "ui/draw/osd.h"
#include "ui/panel.h"

struct rn_ui_event;

/* Zeroed before the first drawing; pixels of the output. */
struct rn_ui_panel_place {
    SDL_Rect box;        /* empty: there is no panel */
    int rows_y, row_h;   /* of the first row that is seen */
    int first, n;        /* rows that are seen */
    int check, track;    /* right end of the boxes, from the left; length of the bars */
    int pressed, from_x; /* row + 1 that the button is held on, 0: none; where it was pressed */
    bool slides;         /* the mouse has moved since */
};

/* Draws the panel, so that the selected row is seen; NULL: none. */
void rn_ui_panel_draw(struct rn_ui_osd *osd, const struct rn_ui_panel *panel,
                      struct rn_ui_panel_place *place);

/* Whether the panel takes this event of the mouse; *event is then what it means, RN_EVENT_NONE if
 * nothing. scale: pixels of the output to a unit of the window. */
bool rn_ui_panel_mouse(struct rn_ui_panel_place *place, const SDL_Event *e, double scale,
                       struct rn_ui_event *event);

#endif
