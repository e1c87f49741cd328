/* SPDX-License-Identifier: MIT */
/* What the window is made of: opening and drawing (window_draw.c), the keyboard, the mouse and
 * others (window_events.c), the desktop around it (desktop.c: fullscreen without a window manager,
 * X11 errors forgiven, the end of the display survived), and the parts below. */
#pragma once

#include <SDL.h>

#include "ui/draw/draw.h"
#include "ui/keys/keyboard.h"
#include "ui/window.h"

/* Makes an event of a kind, with count and position; what else it has stays. Returns true. */
static inline bool rn_ui_tell(struct rn_ui_event *event, enum rn_ui_event_kind kind, int count,
                              double position)
{
    event->kind = kind;
    event->count = count;
    event->position = position;
    return true;
}

/* ---- bar.c: the seek bar: where it is on an output, how it is drawn, what the mouse does to it.
 * Lengths are pixels of the output. Places are 0..1, of the first and last frame of the input. */

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

/* ---- panes.c: the pictures of a scene in their places, each looked at through a view (draw.h)
 *
 * The panes of a layout show one place at one scale: zooming or moving one does so with all, unless
 * each has a view of its own. Coordinates are pixels of the area beside the panel. */

struct rn_ui_pane {
    struct rn_ui_picture picture;
    struct rn_ui_view view; /* its output is the place */
    SDL_Rect place;
};

/* Zeroed before the first use, but for the aspect. */
struct rn_ui_panes {
    struct rn_ui_pane pane[RN_SCENE_PANES];
    int n; /* in the last drawing; 0 before the first one */
    enum rn_ui_arrangement layout;
    bool own_views;
    double aspect; /* of samples: width / height, unless the scene specifies it */
    SDL_Rect area; /* of the output: what is beside the panel */
    int line;      /* the column of the split line */
};

/* Sets the part of the output that they are in, and the places in it. */
void rn_ui_panes_resize(struct rn_ui_panes *panes, const SDL_Rect *area);

/* True if the current pictures can be drawn again in this layout without an upload. */
bool rn_ui_panes_keep(const struct rn_ui_panes *panes, enum rn_ui_arrangement layout);

/* See rn_ui_reduction. */
int rn_ui_panes_reduction(const struct rn_ui_panes *panes, enum rn_ui_arrangement layout);

/* Uploads the new pictures of the scene, and draws all pictures without overlays. Returns 0 or
 * RN_EINTERNAL (logged). */
int rn_ui_panes_draw(struct rn_ui_panes *panes, SDL_Renderer *renderer,
                     const struct rn_ui_scene *scene);

/* Draws the frame of a region, which has sides of `least` pixels where the region is smaller, and
 * the labels of panes, before all else at the top of the window. */
void rn_ui_panes_frame(const struct rn_ui_panes *panes, struct rn_ui_osd *osd,
                       const struct rn_ui_scene_region *region, int least);
void rn_ui_panes_label(const struct rn_ui_panes *panes, struct rn_ui_osd *osd,
                       const struct rn_ui_scene *scene);

/* Draws what lies under all texts, so that no line crosses one: the split line; the crosses, the
 * words at the sides, and the note of the scene. */
void rn_ui_panes_line(const struct rn_ui_panes *panes, struct rn_ui_osd *osd);
void rn_ui_panes_cross(const struct rn_ui_panes *panes, struct rn_ui_osd *osd,
                       const struct rn_ui_scene *scene);

/* Tells the layout of the overlay where the pictures are, before boxes are placed. */
void rn_ui_panes_show(const struct rn_ui_panes *panes, struct rn_ui_osd *osd);

/* The pane at a point, or the nearest one. */
int rn_ui_panes_at(const struct rn_ui_panes *panes, double x, double y);

/* The pixel of pane's picture at a point, as rn_ui_view_pixel. */
bool rn_ui_panes_pixel(const struct rn_ui_panes *panes, int pane, double x, double y, int *px,
                       int *py);

/* After a change of a pane's view: gives it to all others, unless they have their own. */
void rn_ui_panes_follow(struct rn_ui_panes *panes, int pane);

void rn_ui_panes_free(struct rn_ui_panes *panes);

/* ---- panel.c: the panel and lists: where their rows are, and what the mouse does to them */

/* Zeroed before the first drawing; pixels of where it is drawn. */
struct rn_ui_panel_place {
    enum rn_ui_panel_kind kind;
    SDL_Rect box;        /* empty: no panel */
    int shift;           /* the left edge of where it is drawn, on the output */
    int px;              /* of the font */
    int rows_y, row_h;   /* of the first visible row */
    int first, n;        /* visible rows */
    int columns, lines;  /* that they are in */
    bool scrolls;        /* a line above and one below say how many there are */
    int about;           /* lines below the rows, for what explains the selected one */
    int selected, all;   /* of the last drawing */
    int check, track;    /* right end of the boxes, from the left; length of the bars */
    int pressed, from_x; /* row + 1 that the button is held on, 0: none; where it was pressed */
    bool slides;         /* the mouse has moved since */
};

/* The width that the panel takes from the pictures; 0: it stands over them, or (listed) there is a
 * list in its place. */
int rn_ui_panel_dock(const struct rn_ui_osd *osd, bool listed);

/* Finds and takes the place for rows with the selected one visible; NULL: none. at: the corner of a
 * menu. What was placed before stays free of it, but not of the help nor of menus. */
void rn_ui_panel_put(struct rn_ui_osd *osd, const struct rn_ui_panel *panel, const SDL_Point *at,
                     struct rn_ui_panel_place *place);

/* Draws the rows in their place. */
void rn_ui_panel_draw(struct rn_ui_osd *osd, const struct rn_ui_panel *panel,
                      struct rn_ui_panel_place *place);

/* Handles an event of the mouse, as rn_ui_bar_mouse does. */
bool rn_ui_panel_mouse(struct rn_ui_panel_place *place, const SDL_Event *e, double scale,
                       struct rn_ui_event *event);

/* ---- the window */

enum rn_ui_drag { DRAG_NONE, DRAG_LINE, DRAG_PICTURE, DRAG_REGION, DRAG_WINDOW, DRAG_CROSS };

struct rn_ui_window {
    SDL_Window *window;
    SDL_Renderer *renderer;
    struct rn_ui_osd *osd;
    struct rn_ui_panes panes;
    bool fullscreen;
    SDL_Rect windowed; /* where the window was before that, units of the desktop */
    double scale;      /* pixels of the output to a unit of the window */
    int w, h;          /* of the output */
    bool docked, left; /* the panel is there, and where */
    bool listed;       /* a list is there */
    struct rn_ui_panel_place panel, list;
    SDL_Point menu; /* its corner, in the area */
    struct rn_ui_bar_place bar;
    struct rn_ui_picture scope;
    bool framed; /* there is room for the frame, too */

    /* Of the last drawing. */
    bool region;  /* the scene has one */
    bool crossed; /* the panes have crosses */
    bool limits;  /* as in the scene */
    bool picks;   /* likewise */

    /* Of the keyboard and mouse. */
    Uint16 mods; /* of the last key: others lack them, SDL_GetModState is ahead of the queue */
    struct rn_ui_keyboard keyboard;
    const struct rn_ui_keymap *keys;
    SDL_Point pointer;          /* units, from the corner of the area; outside of it if unknown */
    struct rn_ui_event located; /* the last event, of which only what is under the pointer counts */
    enum rn_ui_drag drag;
    int pane;     /* that is dragged */
    Uint8 button; /* of the current or the last drag */
    SDL_Point pressed;
    Uint64 pick_at;    /* ticks until which a second click may follow one that picks; 0: none */
    int picked;        /* its pane */
    SDL_Event delayed; /* what came after it; of type 0: nothing */
    bool held;         /* a button went down on the pictures */
    bool dragged;      /* the pointer has moved since: no double click */
    double wheel;      /* turned, less than a step */
    char *dropped;     /* the name of the last dropped file; SDL's */
    int ndropped;      /* files that were dropped together */
    struct rn_ui_gamepads gamepads;
    bool stack; /* the wheel steps slices */
    bool typing;
    char typed[SDL_TEXTINPUTEVENT_TEXT_SIZE];
    SDL_Cursor *grip;
};

/* Makes the window smaller, once, when the window manager's frame is known and would exceed the
 * screen. */
void rn_ui_fit_frame(struct rn_ui_window *window);

/* Logs and ignores X11 errors, such as a message to a closed window, for which X11 would end the
 * process. Call it before SDL's video is initialized: SDL puts its own handler before this one, and
 * restores this one before it closes its displays, when the last errors arrive. */
void rn_ui_desktop_forgive(void);
