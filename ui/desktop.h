/* What the desktop needs besides SDL: fullscreen without a window manager, X11 errors forgiven, and
 * its end survived. */
#ifndef RN_UI_DESKTOP_H
#define RN_UI_DESKTOP_H

#include <SDL.h>
#include <stdbool.h>

/* Zeroed before the first use. */
struct rn_ui_desktop {
    bool fullscreen;
    int x, y, w, h; /* of the window before that */
};

/* Enters or leaves fullscreen; what cannot be done is logged as a warning. */
void rn_ui_desktop_fullscreen(struct rn_ui_desktop *desktop, SDL_Window *window, bool on);

/* X11's own way with an error, such as a message to a window that has just gone, is to end the
 * process. From now on it is logged and forgotten. Call it before SDL's video is initialized: SDL
 * puts its own handler before it, and this one back before it closes its displays, where the last
 * errors are read. Nothing happens elsewhere. */
void rn_ui_desktop_forgive(void);

/* Sets what is done before X11 ends the process, as it does in any case where the display itself
 * has gone: lost(arg) is called in the thread that called rn_ui_desktop_forgive; NULL: nothing.
 * Call this first. */
void rn_ui_desktop_when_lost(void (*lost)(void *arg), void *arg);

#endif
