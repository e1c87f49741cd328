#include "ui/window.h"

#include "filters/base/err.h"
#include "filters/base/log.h"
#include "ui/bar_draw.h"
#include "ui/desktop.h"
#include "ui/drop.h"
#include "ui/gamepad.h"
#include "ui/keyboard.h"
#include "ui/osd.h"
#include "ui/panel_draw.h"
#include "ui/panes.h"
#include "ui/renderer.h"

#include <SDL.h>
#include <math.h>
#include <stdlib.h>

/* Units from the split line within which it can be seized. */
#define GRIP 6

/* Units by which the mouse may move in a click. */
#define TREMBLE 3

enum drag { DRAG_NONE, DRAG_LINE, DRAG_PICTURE, DRAG_REGION, DRAG_WINDOW, DRAG_CROSS };

struct rn_window {
    SDL_Window *window;
    SDL_Renderer *renderer;
    struct rn_osd *osd;
    struct rn_panes panes;
    struct rn_desktop desktop;
    double scale; /* pixels of the output to a unit of the window */
    struct rn_panel_place panel;
    struct rn_bar_place bar;
    int pages; /* of the help */

    /* Of the last drawing. */
    bool region; /* is there one? */

    /* Of the keyboard and mouse. */
    Uint16 mods; /* with the last key: events of text and mouse do not tell */
    struct rn_keyboard keyboard;
    const struct rn_keymap *keys;
    SDL_Point pointer; /* units of the window; outside of it where it is not known */
    enum drag drag;
    int pane;     /* that is dragged */
    Uint8 button; /* that drags, or did last */
    SDL_Point pressed;
    bool dragged; /* it has moved since: two of that are no double click */
    double wheel; /* turned, and not yet a step */
    struct rn_drop drop;
    struct rn_gamepads gamepads;
    bool crossed; /* the panes are, of the last drawing */
    bool stack;   /* the wheel steps slices */
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

int rn_window_open(struct rn_window **window, const char *title, int w, int h, double aspect,
                   const struct rn_keymap *keys)
{
    *window = NULL;
    if (video_init())
        return RN_EINTERNAL;
    struct rn_window *win = calloc(1, sizeof *win);
    if (!win) {
        SDL_QuitSubSystem(SDL_INIT_VIDEO);
        return rn_fail_memory();
    }
    win->panes.aspect = aspect > 0 ? aspect : 1;
    win->keys = keys;
    win->scale = 1;
    win->pointer = (SDL_Point){-1, -1};
    win->button = SDL_BUTTON_LEFT;
    int ww;
    int wh;
    window_size(w, h, win->panes.aspect, &ww, &wh);
    win->window = SDL_CreateWindow(title, SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, ww, wh,
                                   SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI);
    if (!win->window) {
        rn_fail(RN_EINTERNAL, "cannot open a window of %d x %d: %s", ww, wh, SDL_GetError());
        goto fail;
    }
    win->renderer = rn_renderer_open(win->window);
    if (!win->renderer) {
        rn_fail(RN_EINTERNAL, "cannot draw into the window: %s", SDL_GetError());
        goto fail;
    }
    if (rn_osd_open(&win->osd, win->renderer))
        goto fail;
    win->grip = SDL_CreateSystemCursor(SDL_SYSTEM_CURSOR_SIZEWE);
    SDL_StartTextInput();
    rn_gamepads_start(&win->gamepads);
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
    rn_panes_free(&win->panes);
    rn_picture_free(&win->bar.thumb);
    rn_drop_free(&win->drop);
    rn_gamepads_stop(&win->gamepads);
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

void rn_window_renew(struct rn_window *win, const char *title, int w, int h, double aspect)
{
    const struct rn_view *now = &win->panes.pane[0].view;
    aspect = aspect > 0 ? aspect : 1;
    bool other = w != now->w || h != now->h || fabs(aspect - win->panes.aspect) > 1e-9;
    for (int i = 0; i < RN_SCENE_PANES && other; i++)
        rn_view_fit(&win->panes.pane[i].view);
    win->panes.aspect = aspect;
    win->drag = DRAG_NONE;
    rn_window_title(win, title);
}

void rn_window_title(struct rn_window *window, const char *title)
{
    SDL_SetWindowTitle(window->window, title);
}

bool rn_window_copy(const char *text)
{
    bool done = !SDL_SetClipboardText(text);
    if (!done)
        rn_log(RN_LOG_WARNING, "nothing copied: %s", SDL_GetError());
    return done;
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

/* ---- zoom */

/* The middle of the output's pixel under the pointer; of the first pane, if that is elsewhere.
 * Returns the pane. */
static int pointed_at(const struct rn_window *win, double *x, double *y)
{
    const struct rn_panes *p = &win->panes;
    const SDL_Rect *first = &p->pane[0].place;
    *x = (win->pointer.x + 0.5) * win->scale;
    *y = (win->pointer.y + 0.5) * win->scale;
    if (*x >= 0 && *y >= 0 && *x < p->out_w && *y < p->out_h)
        return rn_panes_at(p, *x, *y);
    *x = first->x + first->w / 2.0;
    *y = first->y + first->h / 2.0;
    return 0;
}

static bool tell_zoom(const struct rn_window *win, int pane, struct rn_event *event)
{
    const struct rn_view *view = &win->panes.pane[pane].view;
    event->action = RN_ACT_ZOOM;
    event->count = view->zoomed;
    event->position = rn_view_scale(view);
    return event->position > 0;
}

static bool zoom_to(struct rn_window *win, double scale, struct rn_event *event)
{
    double x, y;
    int pane = pointed_at(win, &x, &y);
    rn_panes_zoom(&win->panes, pane, scale, x, y);
    return tell_zoom(win, pane, event);
}

static bool on_wheel(struct rn_window *win, const SDL_MouseWheelEvent *wheel,
                     struct rn_event *event)
{
    double x, y;
    win->wheel += (double)wheel->preciseY;
    int steps = (int)win->wheel;
    win->wheel -= steps;
    if (!steps)
        return false;
    if (win->stack && !(SDL_GetModState() & KMOD_CTRL)) {
        event->action = RN_ACT_SLICE;
        event->count = -steps;
        return true;
    }
    int pane = pointed_at(win, &x, &y);
    rn_panes_step(&win->panes, pane, steps, x, y);
    return tell_zoom(win, pane, event);
}

/* Two fingers: from one side of the pad to the other it is a factor of 16. */
static bool on_pinch(struct rn_window *win, const SDL_MultiGestureEvent *pinch,
                     struct rn_event *event)
{
    double x, y;
    const struct rn_view *view = &win->panes.pane[pointed_at(win, &x, &y)].view;
    double scale = rn_view_scale(view) * exp2(4 * (double)pinch->dDist);
    return pinch->numFingers == 2 && scale > 0 && zoom_to(win, scale, event);
}

/* ---- keys and mouse */

static bool tell_region(struct rn_window *win, int count, struct rn_event *event)
{
    win->region = count >= 0; /* what comes next may come before it is drawn */
    event->action = RN_ACT_REGION;
    event->count = count;
    return true;
}

static bool tell_window(const struct rn_window *win, int count, struct rn_event *event)
{
    event->action = RN_ACT_WINDOW;
    event->count = count;
    event->position = (win->pointer.x - win->pressed.x) * win->scale / win->panes.out_w;
    event->down = (win->pointer.y - win->pressed.y) * win->scale / win->panes.out_h;
    return true;
}

static bool tell_cross(struct rn_event *event)
{
    event->action = RN_ACT_CROSS; /* where it is is told of every event */
    return true;
}

/* What the window does itself of an action, and the event that tells of it, if one does. */
static bool do_action(struct rn_window *win, enum rn_action action, int count,
                      struct rn_event *event)
{
    event->action = action;
    event->count = count;
    if (event->action == RN_ACT_FULLSCREEN && !event->count && win->region)
        return tell_region(win, -1, event);
    if (event->action == RN_ACT_FULLSCREEN && (event->count || win->desktop.fullscreen))
        rn_desktop_fullscreen(&win->desktop, win->window, !win->desktop.fullscreen);
    return event->action != RN_ACT_ZOOM || zoom_to(win, event->count, event);
}

static bool on_key(struct rn_window *win, const struct rn_binding *key, struct rn_event *event)
{
    if (!key || !key->action || (win->keyboard.repeat && !key->action->repeats))
        return false;
    if (win->desktop.fullscreen)
        SDL_ShowCursor(SDL_DISABLE);
    return do_action(win, key->action->action, key->count, event);
}

static bool is_split(const struct rn_window *win)
{
    return win->panes.n && win->panes.layout == RN_LAYOUT_SPLIT;
}

static bool line_to(const struct rn_window *win, int x, struct rn_event *event)
{
    struct rn_area seen = rn_view_visible(&win->panes.pane[0].view);
    if (!is_split(win) || seen.w < 1)
        return false;
    double at = (x * win->scale - seen.x) / seen.w;
    event->action = RN_ACT_SPLIT_TO;
    event->position = at < 0 ? 0 : at > 1 ? 1 : at;
    return true;
}

static bool is_at_line(const struct rn_window *win, int x)
{
    return is_split(win) && fabs(x * win->scale - win->panes.line) <= GRIP * win->scale;
}

/* What a button that went down drags. A picture that is all there has nowhere to go: the split line
 * then comes to the mouse. */
static enum drag drag_of(const struct rn_window *win, const SDL_MouseButtonEvent *e)
{
    if (e->button == SDL_BUTTON_LEFT && win->mods & KMOD_SHIFT)
        return win->panes.n ? DRAG_REGION : DRAG_NONE;
    if (e->button == SDL_BUTTON_RIGHT)
        return win->panes.n ? DRAG_WINDOW : DRAG_NONE;
    if (e->button == SDL_BUTTON_LEFT && win->crossed)
        return DRAG_CROSS;
    bool moves = rn_view_is_cut(&win->panes.pane[win->pane].view);
    if (e->button == SDL_BUTTON_LEFT && (is_at_line(win, e->x) || (is_split(win) && !moves)))
        return DRAG_LINE;
    bool pans = e->button == SDL_BUTTON_LEFT || e->button == SDL_BUTTON_MIDDLE;
    return pans && moves ? DRAG_PICTURE : DRAG_NONE;
}

static bool on_press(struct rn_window *win, const SDL_MouseButtonEvent *e, struct rn_event *event)
{
    double x, y;
    if (win->drag)
        return false; /* another button */
    bool again = !win->dragged;
    win->dragged = false;
    win->pressed = win->pointer;
    win->button = e->button;
    win->pane = pointed_at(win, &x, &y);
    win->drag = drag_of(win, e);
    if (win->drag == DRAG_REGION)
        return tell_region(win, 1, event);
    if (win->drag == DRAG_WINDOW)
        return tell_window(win, 1, event);
    if (win->drag == DRAG_CROSS)
        return tell_cross(event);
    if (e->button == SDL_BUTTON_LEFT && e->clicks == 2 && again) {
        win->drag = DRAG_NONE;
        rn_desktop_fullscreen(&win->desktop, win->window, !win->desktop.fullscreen);
        event->action = RN_ACT_FULLSCREEN;
        event->count = 1;
        return true;
    }
    return win->drag == DRAG_LINE && line_to(win, e->x, event);
}

static void show_grip(const struct rn_window *win, int x)
{
    SDL_Cursor *cursor = is_at_line(win, x) && win->grip ? win->grip : SDL_GetDefaultCursor();
    if (SDL_GetCursor() != cursor)
        SDL_SetCursor(cursor);
}

static bool on_motion(struct rn_window *win, const SDL_MouseMotionEvent *e, SDL_Point from,
                      struct rn_event *event)
{
    SDL_ShowCursor(SDL_ENABLE);
    if (!(e->state & SDL_BUTTON(win->button)))
        win->drag = DRAG_NONE; /* let go beyond the window */
    win->dragged |= abs(e->x - win->pressed.x) > TREMBLE || abs(e->y - win->pressed.y) > TREMBLE;
    if (win->drag == DRAG_LINE)
        return line_to(win, e->x, event);
    if (win->drag == DRAG_REGION)
        return tell_region(win, 0, event);
    if (win->drag == DRAG_WINDOW)
        return tell_window(win, 0, event);
    if (win->drag == DRAG_CROSS)
        return tell_cross(event);
    if (win->drag == DRAG_NONE) {
        show_grip(win, e->x);
        event->action = RN_ACT_POINT;
        return true;
    }
    rn_panes_pan(&win->panes, win->pane, (e->x - from.x) * win->scale,
                 (e->y - from.y) * win->scale);
    event->action = RN_ACT_REDRAW;
    return true;
}

static bool on_mouse(struct rn_window *win, const SDL_Event *e, struct rn_event *event)
{
    SDL_Point from = win->pointer;
    if (e->type == SDL_MOUSEMOTION)
        win->pointer = (SDL_Point){e->motion.x, e->motion.y};
    else
        win->pointer = (SDL_Point){e->button.x, e->button.y};
    if (e->type == SDL_MOUSEMOTION)
        return on_motion(win, &e->motion, from, event);
    if (e->type == SDL_MOUSEBUTTONDOWN)
        return on_press(win, &e->button, event);
    if (e->button.button != win->button)
        return false;
    bool click = win->button == SDL_BUTTON_LEFT && win->drag != DRAG_REGION && !win->dragged;
    win->drag = DRAG_NONE;
    return click && win->region && tell_region(win, -1, event);
}

void rn_window_wake(void)
{
    SDL_Event e = {.type = SDL_USEREVENT};
    SDL_PushEvent(&e);
}

int rn_window_help_pages(const struct rn_window *window)
{
    return window->pages;
}

void rn_window_stack(struct rn_window *window, bool stack)
{
    window->stack = stack;
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
    if (e->type == SDL_KEYDOWN) {
        rn_keyboard_ignore(&win->keyboard);
        event->action = typing_action(&e->key.keysym, &event->count);
    } else if (!rn_keyboard_takes(&win->keyboard)) {
        SDL_strlcpy(win->typed, e->text.text, sizeof win->typed);
        event->action = RN_ACT_TYPED;
        event->text = win->typed;
    }
    return event->action != RN_ACT_NONE;
}

static bool on_drop(struct rn_window *win, const SDL_DropEvent *e, struct rn_event *event)
{
    if (!rn_drop_event(&win->drop, e, &event->count))
        return false;
    event->action = RN_ACT_DROP;
    event->text = win->drop.name;
    return true;
}

/* The mouse is on the seek bar. */
static bool take_pointer(struct rn_window *win, const SDL_Event *e, const struct rn_event *event)
{
    if (e->type == SDL_MOUSEMOTION)
        win->pointer = (SDL_Point){e->motion.x, e->motion.y};
    SDL_ShowCursor(SDL_ENABLE);
    return event->action != RN_ACT_NONE;
}

static bool on_gamepad(struct rn_window *win, const SDL_Event *e, struct rn_event *event)
{
    enum rn_action action;
    int count;
    return rn_gamepads_event(&win->gamepads, e, &action, &count) && !win->typing &&
           do_action(win, action, count, event);
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
        return on_key(win, rn_keyboard_down(&win->keyboard, win->keys, &e->key), event);
    case SDL_KEYUP:
        win->mods = e->key.keysym.mod;
        return false;
    case SDL_CONTROLLERDEVICEADDED:
    case SDL_CONTROLLERDEVICEREMOVED:
    case SDL_CONTROLLERBUTTONDOWN:
    case SDL_CONTROLLERAXISMOTION:
        return on_gamepad(win, e, event);
    case SDL_DROPBEGIN:
    case SDL_DROPFILE:
        return on_drop(win, &e->drop, event);
    case SDL_TEXTINPUT:
        return on_key(win, rn_keyboard_text(&win->keyboard, win->keys, e->text.text, win->mods),
                      event);
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
    case SDL_MOUSEMOTION:
    case SDL_MOUSEWHEEL:
        if (rn_panel_mouse(&win->panel, e, win->scale, event))
            return event->action != RN_ACT_NONE;
        if (!win->drag && rn_bar_mouse(&win->bar, e, win->scale, event))
            return take_pointer(win, e, event);
        return e->type == SDL_MOUSEWHEEL ? on_wheel(win, &e->wheel, event)
                                         : on_mouse(win, e, event);
    case SDL_MULTIGESTURE:
        return on_pinch(win, &e->mgesture, event);
    case SDL_RENDER_TARGETS_RESET:
    case SDL_RENDER_DEVICE_RESET:
        rn_panes_clear(&win->panes);
        rn_picture_clear(&win->bar.thumb);
        rn_osd_flush(win->osd);
        break;
    default:
        break;
    }
    bool left = e->type == SDL_WINDOWEVENT && e->window.event == SDL_WINDOWEVENT_LEAVE;
    if (left)
        win->pointer = (SDL_Point){-1, -1};
    if (left && rn_bar_leave(&win->bar, event))
        return true;
    event->action = left ? RN_ACT_POINT : RN_ACT_REDRAW;
    return left || is_redraw(e);
}

/* What is under the pointer, after what the event has done. */
static void locate(const struct rn_window *win, struct rn_event *event)
{
    double x = (win->pointer.x + 0.5) * win->scale, y = (win->pointer.y + 0.5) * win->scale;
    event->pane = win->drag ? win->pane : rn_panes_at(&win->panes, x, y);
    event->on_picture = rn_panes_pixel(&win->panes, event->pane, x, y, &event->x, &event->y) &&
                        win->pointer.x >= 0 && win->pointer.y >= 0;
}

bool rn_window_do(struct rn_window *window, enum rn_action action, int count,
                  struct rn_event *event)
{
    *event = (struct rn_event){.action = RN_ACT_NONE};
    bool told = do_action(window, action, count, event);
    locate(window, event);
    return told;
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
        if (e.type == SDL_USEREVENT)
            return false; /* rn_window_wake */
        while (take_same(&e, &next))
            e = next;
        if (translate(window, &e, event)) {
            locate(window, event);
            return true;
        }
    }
}

/* ---- drawing */

/* How large everything is now. */
static int measure(struct rn_window *win)
{
    int units, w, h;
    if (SDL_GetRendererOutputSize(win->renderer, &w, &h))
        return rn_fail(RN_EINTERNAL, "cannot draw into the window: %s", SDL_GetError());
    SDL_GetWindowSize(win->window, &units, NULL);
    win->scale = units > 0 && w > 0 ? (double)w / units : 1;
    rn_panes_resize(&win->panes, w, h);
    return 0;
}

bool rn_window_keeps(struct rn_window *window, enum rn_layout layout)
{
    return !measure(window) && rn_panes_keep(&window->panes, layout);
}

static void region_draw(struct rn_window *win, const struct rn_scene_region *r)
{
    rn_panes_frame(&win->panes, win->osd, r);
    rn_osd_text(win->osd, RN_OSD_TOP_RIGHT, r->table);
    for (int p = r->planes - 1; p >= 0; p--) /* from right to left */
        rn_osd_compare(win->osd, r->plane[p].name, r->plane[p].bins, r->plane[p].n, r->planes);
}

/* In the order in which they get their places. */
static int overlay_draw(struct rn_window *win, const struct rn_scene *scene)
{
    int x = (int)(win->pointer.x * win->scale), y = (int)(win->pointer.y * win->scale);
    rn_osd_begin(win->osd, win->panes.out_w, win->panes.out_h, win->scale);
    rn_osd_raise(win->osd, rn_bar_prepare(win->osd, scene->bar, x, y, &win->bar));
    if (scene->alert)
        rn_osd_alert(win->osd, scene->alert);
    if (scene->histogram && !scene->panel)
        rn_osd_histogram(win->osd, scene->histogram, scene->nbins);
    if (scene->status)
        rn_osd_text(win->osd, RN_OSD_BOTTOM_LEFT, scene->status);
    rn_panel_draw(win->osd, scene->panel, &win->panel);
    if (scene->times)
        rn_osd_text(win->osd, RN_OSD_TOP_LEFT, scene->times);
    if (scene->readout)
        rn_osd_text(win->osd, RN_OSD_TOP_RIGHT, scene->readout);
    if (scene->figures)
        rn_osd_text(win->osd, RN_OSD_TOP_RIGHT, scene->figures);
    win->region = scene->region;
    if (scene->region)
        region_draw(win, scene->region);
    win->crossed = scene->npanes && scene->pane[0].crossed;
    rn_panes_cross(&win->panes, win->osd, scene);
    rn_panes_label(&win->panes, win->osd, scene);
    int err = rn_bar_draw(win->osd, win->renderer, scene->bar, x, &win->bar);
    if (scene->help)
        win->pages = rn_osd_help(win->osd, win->keys, scene->help - 1);
    return err;
}

int rn_window_draw(struct rn_window *window, const struct rn_scene *scene)
{
    int err = measure(window);
    if (err)
        return err;
    SDL_SetRenderDrawColor(window->renderer, 0, 0, 0, 255);
    SDL_RenderClear(window->renderer);
    err = rn_panes_draw(&window->panes, window->renderer, scene);
    if (!err)
        err = overlay_draw(window, scene);
    SDL_RenderPresent(window->renderer);
    return err;
}
