#include "ui/draw/renderer.h"

#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#define GL_RENDERER 0x1F01 /* of glGetString; its header is no reason to depend on OpenGL */

/* Not synchronous with the screen's refresh: waiting for it would delay what a key does, slow
 * --untimed down and, on some systems, block while the window is hidden. SDL_RENDER_VSYNC=1 in the
 * environment turns it on. */
enum { AS_SDL_LIKES = 0 };

/* Drivers of graphics hardware, and what stands for them in a guest of Windows. */
static bool has_hardware(void)
{
    static const char *const devices[] = {"/dev/dri", "/dev/nvidiactl", "/dev/dxg"};
    bool found = false;
    for (size_t i = 0; i < sizeof devices / sizeof *devices && !found; i++)
        found = !access(devices[i], F_OK);
    return found;
}

/* Software reaches a screen by itself only through X: elsewhere it needs OpenGL for that. */
static bool software_suffices(void)
{
    const char *driver = SDL_GetCurrentVideoDriver();
    return driver && !strcmp(driver, "x11");
}

/* Is its OpenGL computed on the processor? */
static bool is_computed(SDL_Renderer *renderer)
{
    typedef const unsigned char *get_string_fn(unsigned name);
    static const char *const names[] = {"llvmpipe", "softpipe", "swrast", "Software Rasterizer"};
    SDL_RendererInfo info;
    if (SDL_GetRendererInfo(renderer, &info) || strncmp(info.name, "opengl", 6) != 0)
        return false;
    union {
        void *address;
        get_string_fn *call;
    } get = {SDL_GL_GetProcAddress("glGetString")};
    const char *name = get.address ? (const char *)get.call(GL_RENDERER) : NULL;
    bool computed = false;
    for (size_t i = 0; name && i < sizeof names / sizeof *names; i++)
        computed |= strstr(name, names[i]) != NULL;
    return computed;
}

SDL_Renderer *rn_ui_renderer_open(SDL_Window *window)
{
    bool chosen = SDL_GetHint(SDL_HINT_RENDER_DRIVER) && *SDL_GetHint(SDL_HINT_RENDER_DRIVER);
    bool software = software_suffices();
    if (software)
        SDL_SetHint(SDL_HINT_FRAMEBUFFER_ACCELERATION, "0");
    if (chosen || !software)
        return SDL_CreateRenderer(window, -1, AS_SDL_LIKES);
    SDL_Renderer *renderer = has_hardware() ? SDL_CreateRenderer(window, -1, AS_SDL_LIKES) : NULL;
    if (renderer && !is_computed(renderer))
        return renderer;
    if (renderer)
        SDL_DestroyRenderer(renderer);
    return SDL_CreateRenderer(window, -1, SDL_RENDERER_SOFTWARE);
}
