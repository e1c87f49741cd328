/* What the window is made of, for its two halves: opening and drawing (window_draw.c), and what the
 * keyboard, the mouse and others do (window_events.c). */
#ifndef RN_UI_WINDOW_INTERNAL_H
#define RN_UI_WINDOW_INTERNAL_H

#include <SDL.h>

#include "ui/draw/bar_draw.h"
#include "ui/keys/gamepad.h"
#include "ui/keys/keyboard.h"
#include "ui/draw/panel_draw.h"
#include "ui/panes.h"
#include "ui/window.h"

/* The window among others (desktop.c): fullscreen without a window manager, X11 errors forgiven,
 * and the end of the display survived. Zeroed before the first use. */
struct rn_ui_desktop {
    bool fullscreen;
    int x, y, w, h; /* of the window before that */
};

enum rn_ui_drag { DRAG_NONE, DRAG_LINE, DRAG_PICTURE, DRAG_REGION, DRAG_WINDOW, DRAG_CROSS };

struct rn_ui_window {
    SDL_Window *window;
    SDL_Renderer *renderer;
    struct rn_ui_osd *osd;
    struct rn_ui_panes panes;
    struct rn_ui_desktop desktop;
    double scale; /* pixels of the output to a unit of the window */
    struct rn_ui_panel_place panel;
    struct rn_ui_bar_place bar;
    int pages;   /* of the help */
    bool framed; /* there is room for the frame, too */

    /* Of the last drawing. */
    bool region; /* is there one? */

    /* Of the keyboard and mouse. */
    /* With the last key: events of text and mouse do not tell, and SDL_GetModState is ahead of
     * those that still wait. */
    Uint16 mods;
    struct rn_ui_keyboard keyboard;
    const struct rn_ui_keymap *keys;
    SDL_Point pointer; /* units of the window; outside of it where it is not known */
    enum rn_ui_drag drag;
    int pane;     /* that is dragged */
    Uint8 button; /* that drags, or did last */
    SDL_Point pressed;
    bool dragged;  /* it has moved since: two of that are no double click */
    double wheel;  /* turned, and not yet a step */
    char *dropped; /* the name of the last file that was; SDL's */
    int ndropped;  /* of those that were dropped together */
    struct rn_ui_gamepads gamepads;
    bool crossed; /* the panes are, of the last drawing */
    bool stack;   /* the wheel steps slices */
    bool typing;
    char typed[SDL_TEXTINPUTEVENT_TEXT_SIZE];
    SDL_Cursor *grip;
};

/* The frame that a window manager puts around the window must not push its edges off the screen:
 * makes it smaller, once, when the frame is known. */
void rn_ui_make_room(struct rn_ui_window *window);

/* Enters or leaves fullscreen; what cannot be done is logged as a warning. */
void rn_ui_desktop_fullscreen(struct rn_ui_desktop *desktop, SDL_Window *window, bool on);

/* X11's own way with an error, such as a message to a window that has just gone, is to end the
 * process. From now on it is logged and forgotten. Call it before SDL's video is initialized: SDL
 * puts its own handler before it, and this one back before it closes its displays, where the last
 * errors are read. Nothing happens elsewhere. */
void rn_ui_desktop_forgive(void);

#endif
