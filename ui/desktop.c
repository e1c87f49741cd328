/* SPDX-License-Identifier: MIT */
#include "ui/window_internal.h"

#include "filters/base/log.h"

#include <SDL_syswm.h>

static struct {
    void (*fn)(void *arg);
    void *arg;
    SDL_threadID thread;
} lost;

void rn_ui_when_lost(void (*fn)(void *arg), void *arg)
{
    lost.fn = fn;
    lost.arg = arg;
}

#ifdef SDL_VIDEO_DRIVER_X11
/* Fullscreen under X11 is a request to the window manager. Without one, SDL believes that it was
 * granted and draws for a window that never grew. The property asked for is what managers set that
 * know such requests. The library is the one that SDL has loaded: no dependency of ours. */
static bool manager_missing(SDL_Window *window)
{
    SDL_SysWMinfo info;
    SDL_VERSION(&info.version);
    if (!SDL_GetWindowWMInfo(window, &info) || info.subsystem != SDL_SYSWM_X11)
        return false;
    void *lib = SDL_LoadObject("libX11.so.6");
    if (!lib)
        return false;
    Atom (*intern)(Display *, const char *, Bool) = SDL_LoadFunction(lib, "XInternAtom");
    Window (*root)(Display *) = SDL_LoadFunction(lib, "XDefaultRootWindow");
    int (*release)(void *) = SDL_LoadFunction(lib, "XFree");
    int (*get)(Display *, Window, Atom, long, long, Bool, Atom, Atom *, int *, unsigned long *,
               unsigned long *, unsigned char **) = SDL_LoadFunction(lib, "XGetWindowProperty");
    bool missing = false;
    if (intern && root && release && get) {
        Display *display = info.info.x11.display;
        Atom name = intern(display, "_NET_SUPPORTING_WM_CHECK", False), type = None;
        int format;
        unsigned long n, after;
        unsigned char *value = NULL;
        int bad = get(display, root(display), name, 0, 1, False, AnyPropertyType, &type, &format,
                      &n, &after, &value);
        missing = !bad && type == None;
        if (value)
            release(value);
    }
    SDL_UnloadObject(lib);
    return missing;
}

static int forgive(Display *display, XErrorEvent *error)
{
    rn_log(RN_LOG_DEBUG, "X11: error %d of request %d", error->error_code, error->request_code);
    return 0;
}

/* Xlib calls exit() when this returns. */
static int give_up(Display *display)
{
    while (SDL_ThreadID() != lost.thread) /* SDL's threads wait: the main one is called as well */
        SDL_Delay(1000);
    if (lost.fn)
        lost.fn(lost.arg);
    return 0;
}

void rn_ui_desktop_forgive(void)
{
    lost.thread = SDL_ThreadID();
    void *lib = SDL_LoadObject("libX11.so.6");
    XErrorHandler (*set)(XErrorHandler) = lib ? SDL_LoadFunction(lib, "XSetErrorHandler") : NULL;
    XIOErrorHandler (*set_io)(XIOErrorHandler) =
        lib ? SDL_LoadFunction(lib, "XSetIOErrorHandler") : NULL;
    if (set)
        set(forgive);
    if (set_io)
        set_io(give_up);
    /* The library stays loaded: SDL would unload it, and the handlers, with its last window. */
}
#else
void rn_ui_desktop_forgive(void)
{
}

static bool manager_missing(SDL_Window *window)
{
    return false;
}
#endif

void rn_ui_fullscreen(struct rn_ui_window *win, bool on)
{
    SDL_Window *window = win->window;
    SDL_Rect screen, *windowed = &win->windowed;
    if (on == win->fullscreen)
        return;
    if (on) {
        SDL_GetWindowPosition(window, &windowed->x, &windowed->y);
        SDL_GetWindowSize(window, &windowed->w, &windowed->h);
    }
    int display = SDL_GetWindowDisplayIndex(window), w, h;
    if (on && manager_missing(window) && display >= 0 && !SDL_GetDisplayBounds(display, &screen)) {
        SDL_SetWindowPosition(window, screen.x, screen.y);
        SDL_SetWindowSize(window, screen.w, screen.h);
    } else if (SDL_SetWindowFullscreen(window, on ? SDL_WINDOW_FULLSCREEN_DESKTOP : 0)) {
        rn_log(RN_LOG_WARNING, "no fullscreen: %s", SDL_GetError());
        return;
    }
    win->fullscreen = on;
    SDL_ShowCursor(on ? SDL_DISABLE : SDL_ENABLE);
    SDL_GetWindowSize(window, &w, &h);
    if (!on && (w != windowed->w || h != windowed->h)) {
        /* Some managers do not restore the size. */
        SDL_SetWindowSize(window, windowed->w, windowed->h);
        SDL_SetWindowPosition(window, windowed->x, windowed->y);
    }
}
