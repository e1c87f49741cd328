/* Fullscreen, with and without a window manager. */
#ifndef RN_DESKTOP_H
#define RN_DESKTOP_H

#include <SDL.h>
#include <stdbool.h>

/* Zeroed before the first use. */
struct rn_desktop {
    bool fullscreen;
    int x, y, w, h; /* of the window before that */
};

/* Enters or leaves fullscreen; what cannot be done is logged as a warning. */
void rn_desktop_fullscreen(struct rn_desktop *desktop, SDL_Window *window, bool on);

#endif
