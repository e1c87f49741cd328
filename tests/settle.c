/* SPDX-License-Identifier: MIT */
/* Stands before SDL in the player that the tests of the window start, and tells them when all that
 * they have sent is done: they write into the file that the environment's SETTLE names how long, in
 * ms, the player waits for the next event if nothing is on its way, and this removes the file as
 * soon as it does. */
#define _GNU_SOURCE
#include <SDL.h>
#include <SDL_syswm.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static Display *display(void)
{
    SDL_SysWMinfo info;
    SDL_VERSION(&info.version);
    for (Uint32 id = 1; id < 16; id++) {
        SDL_Window *window = SDL_GetWindowFromID(id);
        if (window && SDL_GetWindowWMInfo(window, &info) && info.subsystem == SDL_SYSWM_X11)
            return info.info.x11.display;
    }
    return NULL;
}

/* Brings all that the X server had for the player until now, once it has drawn what it got. */
static SDL_bool is_nothing_left(void)
{
    static int (*sync)(Display *, Bool);
    void *x11 = sync ? NULL : dlopen("libX11.so.6", RTLD_LAZY | RTLD_NOLOAD);
    if (x11)
        sync = (int (*)(Display *, Bool))dlsym(x11, "XSync");
    Display *server = display();
    if (!sync || !server)
        return SDL_FALSE;
    sync(server, False);
    SDL_PumpEvents();
    return !SDL_HasEvents(SDL_FIRSTEVENT, SDL_LASTEVENT);
}

static SDL_bool is_asked(const char *name, int timeout)
{
    int least = 0;
    FILE *file = name ? fopen(name, "re") : NULL;
    SDL_bool asked = file && fscanf(file, "%d", &least) == 1 && timeout >= least;
    if (file)
        fclose(file);
    return asked;
}

int SDL_WaitEventTimeout(SDL_Event *event, int timeout)
{
    int (*wait)(SDL_Event *, int) =
        (int (*)(SDL_Event *, int))dlsym(RTLD_NEXT, "SDL_WaitEventTimeout");
    const char *asked = getenv("SETTLE");
    if (is_asked(asked, timeout) && is_nothing_left())
        unlink(asked);
    return wait(event, timeout);
}

#ifdef KEEP_LIBRARIES
/* Leaks of libraries that are unloaded before the end have no name that could be told from ours. */
int dlclose(void *library)
{
    (void)library;
    return 0;
}
#endif
