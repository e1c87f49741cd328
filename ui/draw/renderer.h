/* What draws into the window: graphics hardware, or else SDL's own software.
 *
 * Left to itself SDL also takes OpenGL that Mesa computes on the processor, and shows what its own
 * software has drawn by way of that. A picture is then copied and scaled once more, by threads of
 * Mesa's, and LLVM is loaded for it: half as much again of the processor and 50 MB, before anything
 * is filtered. What there is to draw here, pictures of the size of the window and some rectangles,
 * goes to the X server through shared memory. */
#ifndef RN_UI_DRAW_RENDERER_H
#define RN_UI_DRAW_RENDERER_H

#include <SDL.h>

/* Makes what draws into the window; SDL_RENDER_DRIVER and SDL_FRAMEBUFFER_ACCELERATION in the
 * environment have the last word. The caller destroys it. NULL: SDL_GetError says why. */
SDL_Renderer *rn_ui_renderer_open(SDL_Window *window);

#endif
