#include "ui/window.h"

#include "filters/base/err.h"
#include "filters/base/log.h"
#include "ui/desktop.h"
#include "ui/osd.h"
#include "ui/panel_draw.h"
#include "ui/picture.h"

#include <SDL.h>
#include <stdlib.h>

#define GRIP                                                                                       \
    6 /* units from the split line within which the cursor shows that it can be dragged            \
       */

struct rn_window {
    SDL_Window *window;
    SDL_Renderer *renderer;
    struct rn_osd *osd;
    struct rn_picture filtered, original;
    double aspect; /* of a sample */
    struct rn_desktop desktop;

    /* Of the last drawing. */
    SDL_Rect picture; /* where it is, pixels of the output */
    int line;         /* of the split view, likewise */
    bool split;
    double scale; /* pixels of the output to a unit of the window */
    struct rn_panel_place panel;

    /* Of the keyboard and mouse. */
    Uint16 mods; /* with the last key: text events do not tell */
    bool repeat; /* likewise */
    bool dragging;
    bool typing;
    char typed[SDL_TEXTINPUTEVENT_TEXT_SIZE];
    SDL_Cursor *grip;
};

/* ---- opening and closing */

/* A picture smaller than both is enlarged. */
enum { LEAST_W = 320, LEAST_H = 240 };

/* The size of a window in units for a picture of w x h: as large as it is if that fits, but small
 * pictures several times as large, so that there is room for text over them. */
static void window_size(int w, int h, double aspect, int *out_w, int *out_h)
{
    double ww = aspect > 1 ? w * aspect : w;
    double hh = aspect < 1 ? h / aspect : h;
    int times = 1;
    while (ww * times < LEAST_W && hh * times < LEAST_H)
        times++;
    ww *= times;
    hh *= times;
    SDL_Rect screen;
    if (!SDL_GetDisplayUsableBounds(0, &screen) && screen.w > 0 && screen.h > 0) {
        double by = 1;
        if (ww > screen.w)
            by = screen.w / ww;
        if (hh > screen.h && screen.h / hh < by)
            by = screen.h / hh;
        ww *= by;
        hh *= by;
    }
    *out_w = ww < 1.5 ? 1 : (int)(ww + 0.5);
    *out_h = hh < 1.5 ? 1 : (int)(hh + 0.5);
}

static bool env_set(const char *name)
{
    const char *value = getenv(name);
    return value && *value;
}

void rn_window_when_lost(void (*lost)(void *arg), void *arg)
{
    rn_desktop_when_lost(lost, arg);
}

static int video_init(void)
{
    /* Left to itself SDL would go on to the console, or to a driver that shows nothing. */
    bool x11 = env_set("DISPLAY");
    bool wayland = env_set("WAYLAND_DISPLAY");
    if (!env_set("SDL_VIDEODRIVER")) {
        if (!x11 && !wayland)
            return rn_fail(RN_EINTERNAL, "no display: neither DISPLAY nor WAYLAND_DISPLAY is set");
        SDL_SetHint(SDL_HINT_VIDEODRIVER, !wayland ? "x11" : !x11 ? "wayland" : "x11,wayland");
    }
    SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");
    SDL_SetHint(SDL_HINT_VIDEO_X11_NET_WM_BYPASS_COMPOSITOR, "0");
    SDL_SetHint(SDL_HINT_APP_NAME, "runnel");
    rn_desktop_forgive();
    if (SDL_InitSubSystem(SDL_INIT_VIDEO)) {
        const char *display = getenv("DISPLAY");
        return rn_fail(RN_EINTERNAL, "no display: %s (DISPLAY=%s)", SDL_GetError(),
                       display ? display : "");
    }
    return 0;
}

int rn_window_open(struct rn_window **window, const char *title, int w, int h, double aspect)
{
    *window = NULL;
    if (video_init())
        return RN_EINTERNAL;
    struct rn_window *win = calloc(1, sizeof *win);
    if (!win) {
        SDL_QuitSubSystem(SDL_INIT_VIDEO);
        return rn_fail_memory();
    }
    win->aspect = aspect > 0 ? aspect : 1;
    win->scale = 1;
    int ww;
    int wh;
    window_size(w, h, win->aspect, &ww, &wh);
    win->window = SDL_CreateWindow(title, SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, ww, wh,
                                   SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI);
    if (!win->window) {
        rn_fail(RN_EINTERNAL, "cannot open a window of %d x %d: %s", ww, wh, SDL_GetError());
        goto fail;
    }
    /* Not synchronous with the screen's refresh: waiting for it would delay what a key does, slow
     * --untimed down and, on some systems, block while the window is hidden. SDL_RENDER_VSYNC=1 in
     * the environment turns it on. */
    win->renderer = SDL_CreateRenderer(win->window, -1, 0);
    if (!win->renderer) {
        rn_fail(RN_EINTERNAL, "cannot draw into the window: %s", SDL_GetError());
        goto fail;
    }
    if (rn_osd_open(&win->osd, win->renderer))
        goto fail;
    win->grip = SDL_CreateSystemCursor(SDL_SYSTEM_CURSOR_SIZEWE);
    SDL_StartTextInput();
    *window = win;
    return 0;
fail:
    rn_window_close(&win);
    return RN_EINTERNAL;
}

void rn_window_close(struct rn_window **window)
{
    struct rn_window *win = *window;
    if (!win)
        return;
    *window = NULL;
    rn_osd_close(&win->osd);
    rn_picture_free(&win->filtered);
    rn_picture_free(&win->original);
    if (win->grip)
        SDL_FreeCursor(win->grip);
    if (win->renderer)
        SDL_DestroyRenderer(win->renderer);
    if (win->window)
        SDL_DestroyWindow(win->window);
    SDL_QuitSubSystem(SDL_INIT_VIDEO);
    free(win);
}

bool rn_window_converts(const struct rn_window *window)
{
    SDL_RendererInfo info;
    return !SDL_GetRendererInfo(window->renderer, &info) && info.flags & SDL_RENDERER_ACCELERATED;
}

void rn_window_title(struct rn_window *window, const char *title)
{
    SDL_SetWindowTitle(window->window, title);
}

/* ---- events */

static bool is_redraw(const SDL_Event *e)
{
    if (e->type == SDL_RENDER_TARGETS_RESET || e->type == SDL_RENDER_DEVICE_RESET)
        return true;
    if (e->type != SDL_WINDOWEVENT)
        return false;
    switch (e->window.event) {
    case SDL_WINDOWEVENT_SHOWN:
    case SDL_WINDOWEVENT_EXPOSED:
    case SDL_WINDOWEVENT_SIZE_CHANGED:
    case SDL_WINDOWEVENT_RESTORED:
    case SDL_WINDOWEVENT_DISPLAY_CHANGED:
        return true;
    default:
        return false;
    }
}

/* Takes the next event off the queue if it says no more than this one does. */
static bool take_same(const SDL_Event *e, SDL_Event *next)
{
    if (SDL_PeepEvents(next, 1, SDL_PEEKEVENT, SDL_FIRSTEVENT, SDL_LASTEVENT) != 1)
        return false;
    bool same = is_redraw(e) ? is_redraw(next) && next->type == e->type
                             : e->type == SDL_MOUSEMOTION && next->type == SDL_MOUSEMOTION;
    return same && SDL_PeepEvents(next, 1, SDL_GETEVENT, next->type, next->type) == 1;
}

static bool on_key(struct rn_window *win, const struct rn_key *key, bool repeated,
                   struct rn_event *event)
{
    if (!key || (repeated && !key->repeats))
        return false;
    if (win->desktop.fullscreen)
        SDL_ShowCursor(SDL_DISABLE);
    if (key->action == RN_ACT_FULLSCREEN) {
        if (!key->count && !win->desktop.fullscreen)
            return false;
        rn_desktop_fullscreen(&win->desktop, win->window, !win->desktop.fullscreen);
    }
    event->action = key->action;
    event->count = key->count;
    return true;
}

/* Digits stand at the same place on every keyboard, but some need Shift to type them. */
static int digit_at(SDL_Scancode code)
{
    return code >= SDL_SCANCODE_1 && code <= SDL_SCANCODE_9 ? SDLK_1 + (int)(code - SDL_SCANCODE_1)
                                                            : 0;
}

static bool on_symbol(struct rn_window *win, const SDL_Keysym *key, struct rn_event *event)
{
    if (win->mods & (KMOD_CTRL | KMOD_RALT | KMOD_GUI))
        return false;
    if (win->mods & KMOD_LALT)
        return on_key(win, rn_key_by_symbol(digit_at(key->scancode), RN_MOD_ALT), win->repeat,
                      event);
    enum rn_mod mod = win->mods & KMOD_SHIFT ? RN_MOD_SHIFT : RN_MOD_NONE;
    return on_key(win, rn_key_by_symbol(key->sym, mod), win->repeat, event);
}

static bool on_text(struct rn_window *win, const char *text, struct rn_event *event)
{
    char typed[SDL_TEXTINPUTEVENT_TEXT_SIZE];
    /* Alt on the right is what types symbols on many layouts. */
    if (win->mods & (KMOD_CTRL | KMOD_LALT | KMOD_GUI))
        return false;
    SDL_strlcpy(typed, text, sizeof typed);
    if (win->mods & KMOD_CAPS && !typed[1])
        typed[0] = (char)(SDL_isupper(typed[0]) ? SDL_tolower(typed[0]) : SDL_toupper(typed[0]));
    return on_key(win, rn_key_by_text(typed), win->repeat, event);
}

static bool drag_to(const struct rn_window *win, int x, struct rn_event *event)
{
    if (!win->split || win->picture.w < 1)
        return false;
    double at = (x * win->scale - win->picture.x) / win->picture.w;
    event->action = RN_ACT_SPLIT_TO;
    event->position = at < 0 ? 0 : at > 1 ? 1 : at;
    return true;
}

static bool on_mouse(struct rn_window *win, const SDL_Event *e, struct rn_event *event)
{
    switch (e->type) {
    case SDL_MOUSEBUTTONDOWN:
        if (e->button.button != SDL_BUTTON_LEFT)
            return false;
        if (e->button.clicks == 2) {
            rn_desktop_fullscreen(&win->desktop, win->window, !win->desktop.fullscreen);
            win->dragging = false;
            event->action = RN_ACT_FULLSCREEN;
            event->count = 1;
            return true;
        }
        win->dragging = win->split;
        return drag_to(win, e->button.x, event);
    case SDL_MOUSEBUTTONUP:
        if (e->button.button == SDL_BUTTON_LEFT)
            win->dragging = false;
        return false;
    default: /* motion */
        SDL_ShowCursor(SDL_ENABLE);
        if (win->dragging && e->motion.state & SDL_BUTTON_LMASK)
            return drag_to(win, e->motion.x, event);
        win->dragging = false;
        bool near = win->split && SDL_abs((int)(e->motion.x * win->scale) - win->line) <=
                                      (int)(GRIP * win->scale);
        SDL_Cursor *cursor = near && win->grip ? win->grip : SDL_GetDefaultCursor();
        if (SDL_GetCursor() != cursor)
            SDL_SetCursor(cursor);
        return false;
    }
}

/* ---- typing */

void rn_window_type(struct rn_window *window, bool typing)
{
    window->typing = typing;
}

static enum rn_action typing_action(const SDL_Keysym *key, int *count)
{
    *count = key->sym == SDLK_UP ? -1 : 1;
    switch (key->sym) {
    case SDLK_BACKSPACE:
        return RN_ACT_ERASE;
    case SDLK_RETURN:
    case SDLK_KP_ENTER:
        return RN_ACT_ENTER;
    case SDLK_ESCAPE:
        return RN_ACT_CANCEL;
    case SDLK_TAB:
        return RN_ACT_COMPLETE;
    case SDLK_UP:
    case SDLK_DOWN:
        return RN_ACT_CHOOSE;
    default:
        return RN_ACT_NONE;
    }
}

static bool on_typing(struct rn_window *win, const SDL_Event *e, struct rn_event *event)
{
    if (e->type == SDL_KEYDOWN)
        event->action = typing_action(&e->key.keysym, &event->count);
    if (e->type == SDL_TEXTINPUT) {
        SDL_strlcpy(win->typed, e->text.text, sizeof win->typed);
        event->action = RN_ACT_TYPED;
        event->text = win->typed;
    }
    return event->action != RN_ACT_NONE;
}

/* What an event of SDL's means. Returns false if nothing. */
static bool translate(struct rn_window *win, const SDL_Event *e, struct rn_event *event)
{
    *event = (struct rn_event){.action = RN_ACT_NONE};
    if (win->typing && (e->type == SDL_KEYDOWN || e->type == SDL_TEXTINPUT))
        return on_typing(win, e, event);
    switch (e->type) {
    case SDL_QUIT:
        event->action = RN_ACT_QUIT;
        return true;
    case SDL_KEYDOWN:
        win->mods = e->key.keysym.mod;
        win->repeat = e->key.repeat;
        return on_symbol(win, &e->key.keysym, event);
    case SDL_KEYUP:
        win->mods = e->key.keysym.mod;
        return false;
    case SDL_TEXTINPUT:
        return on_text(win, e->text.text, event);
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
    case SDL_MOUSEMOTION:
    case SDL_MOUSEWHEEL:
        if (rn_panel_mouse(&win->panel, e, win->scale, event))
            return event->action != RN_ACT_NONE;
        return e->type != SDL_MOUSEWHEEL && on_mouse(win, e, event);
    case SDL_RENDER_TARGETS_RESET:
    case SDL_RENDER_DEVICE_RESET:
        rn_picture_clear(&win->filtered);
        rn_picture_clear(&win->original);
        rn_osd_flush(win->osd);
        break;
    default:
        break;
    }
    if (!is_redraw(e))
        return false;
    event->action = RN_ACT_REDRAW;
    return true;
}

bool rn_window_event(struct rn_window *window, double timeout, struct rn_event *event)
{
    if (timeout > 3600)
        timeout = 3600;
    /* At least one millisecond, so that a caller with less to wait does not spin. */
    int wait = timeout > 0 ? (int)(timeout * 1000 + 0.5) : 0;
    if (timeout > 0 && !wait)
        wait = 1;
    Uint64 end = SDL_GetTicks64() + (Uint64)wait;
    for (;;) {
        SDL_Event e;
        SDL_Event next;
        Uint64 now = SDL_GetTicks64();
        int left = now < end ? (int)(end - now) : 0;
        if (!(left ? SDL_WaitEventTimeout(&e, left) : SDL_PollEvent(&e)))
            return false;
        while (take_same(&e, &next))
            e = next;
        if (translate(window, &e, event))
            return true;
    }
}

/* ---- drawing */

/* The largest rectangle of the picture's shape in the middle of w x h. */
static SDL_Rect picture_place(const struct rn_window *win, int w, int h)
{
    double pw = win->filtered.w;
    double ph = win->filtered.h;
    if (win->aspect > 1)
        pw *= win->aspect;
    else
        ph /= win->aspect;
    double by = w / pw < h / ph ? w / pw : h / ph;
    SDL_Rect r = {0, 0, (int)(pw * by + 0.5), (int)(ph * by + 0.5)};
    r.w = r.w < 1 ? 1 : r.w;
    r.h = r.h < 1 ? 1 : r.h;
    r.x = (w - r.w) / 2;
    r.y = (h - r.h) / 2;
    return r;
}

/* Nearest pixels where the place is the picture's size or a multiple of it, so that the screen
 * shows its values. */
static void picture_scaling(const struct rn_window *win, struct rn_picture *pic)
{
    bool exact = win->picture.w % pic->visible.w == 0 && win->picture.h % pic->visible.h == 0 &&
                 win->picture.w / pic->visible.w == win->picture.h / pic->visible.h;
    SDL_ScaleMode mode = exact ? SDL_ScaleModeNearest : SDL_ScaleModeLinear;
    SDL_ScaleMode now;
    if (!SDL_GetTextureScaleMode(pic->texture, &now) && now == mode)
        return;
    SDL_SetTextureScaleMode(pic->texture, mode);
    /* SDL's OpenGL leaves the V plane bound as if it were Y (seen in 2.26). Binding all again sets
     * it right; where there is no OpenGL it fails without harm. */
    SDL_GL_BindTexture(pic->texture, NULL, NULL);
}

/* Draws the columns of the output from x0 to before x1. The whole picture is placed and then
 * clipped, so that a pixel is the same wherever the line of the split view stands. */
static int picture_draw(struct rn_window *win, struct rn_picture *pic, int x0, int x1)
{
    if (x1 <= x0)
        return 0;
    SDL_Rect clip = {x0, win->picture.y, x1 - x0, win->picture.h};
    SDL_RenderSetClipRect(win->renderer, &clip);
    int bad = SDL_RenderCopy(win->renderer, pic->texture, &pic->visible, &win->picture);
    SDL_RenderSetClipRect(win->renderer, NULL);
    return bad ? rn_fail(RN_EINTERNAL, "cannot draw a picture: %s", SDL_GetError()) : 0;
}

static int pictures_draw(struct rn_window *win, const struct rn_scene *scene, int w, int h)
{
    win->split = false;
    if (!win->filtered.texture)
        return 0;
    win->picture = picture_place(win, w, h);
    win->split = scene->original && win->original.texture;
    picture_scaling(win, &win->filtered);
    if (win->split)
        picture_scaling(win, &win->original);
    int x0 = win->picture.x;
    int x1 = x0 + win->picture.w;
    if (!win->split)
        return picture_draw(win, &win->filtered, x0, x1);
    double at = scene->split < 0 ? 0 : scene->split > 1 ? 1 : scene->split;
    win->line = x0 + (int)(at * win->picture.w + 0.5);
    int err = picture_draw(win, &win->original, x0, win->line);
    return err ? err : picture_draw(win, &win->filtered, win->line, x1);
}

static void overlay_draw(struct rn_window *win, const struct rn_scene *scene, int w, int h)
{
    rn_osd_begin(win->osd, w, h, win->scale);
    if (scene->times)
        rn_osd_text(win->osd, RN_OSD_TOP_LEFT, scene->times);
    if (win->split)
        rn_osd_split(win->osd, &win->picture, win->line, scene->status);
    if (scene->histogram && !scene->panel)
        rn_osd_histogram(win->osd, scene->histogram, scene->nbins);
    if (scene->status)
        rn_osd_text(win->osd, RN_OSD_BOTTOM_LEFT, scene->status);
    rn_panel_draw(win->osd, scene->panel, &win->panel);
    if (scene->alert)
        rn_osd_alert(win->osd, scene->alert);
    if (scene->help)
        rn_osd_help(win->osd);
}

int rn_window_draw(struct rn_window *window, const struct rn_scene *scene)
{
    int w;
    int h;
    int units;
    int err = 0;

    if (scene->filtered)
        err = rn_picture_upload(&window->filtered, window->renderer, scene->filtered);
    if (!err && scene->original)
        err = rn_picture_upload(&window->original, window->renderer, scene->original);
    if (err)
        return err;
    if (SDL_GetRendererOutputSize(window->renderer, &w, &h))
        return rn_fail(RN_EINTERNAL, "cannot draw into the window: %s", SDL_GetError());
    SDL_GetWindowSize(window->window, &units, NULL);
    window->scale = units > 0 && w > 0 ? (double)w / units : 1;
    SDL_SetRenderDrawColor(window->renderer, 0, 0, 0, 255);
    SDL_RenderClear(window->renderer);
    err = pictures_draw(window, scene, w, h);
    if (!err)
        overlay_draw(window, scene, w, h);
    SDL_RenderPresent(window->renderer);
    return err;
}
