/* SPDX-License-Identifier: MIT */
#include "ui/window_internal.h"

#include <math.h>

/* Units from the split line within which it can be seized. */
#define GRIP 6

/* Units by which the mouse may move in a click. */
#define TREMBLE 3

static bool is_redraw(const SDL_Event *e)
{
    if (e->type != SDL_WINDOWEVENT)
        return e->type == SDL_RENDER_TARGETS_RESET || e->type == SDL_RENDER_DEVICE_RESET;
    Uint8 what = e->window.event;
    return what == SDL_WINDOWEVENT_SHOWN || what == SDL_WINDOWEVENT_EXPOSED ||
           what == SDL_WINDOWEVENT_SIZE_CHANGED || what == SDL_WINDOWEVENT_RESTORED ||
           what == SDL_WINDOWEVENT_DISPLAY_CHANGED;
}

/* Takes the next event off the queue if it replaces this one. */
static bool take_same(const SDL_Event *e, SDL_Event *next)
{
    if (SDL_PeepEvents(next, 1, SDL_PEEKEVENT, SDL_FIRSTEVENT, SDL_LASTEVENT) != 1)
        return false;
    bool same = is_redraw(e) ? is_redraw(next) && next->type == e->type
                             : e->type == SDL_MOUSEMOTION && next->type == SDL_MOUSEMOTION;
    return same && SDL_PeepEvents(next, 1, SDL_GETEVENT, next->type, next->type) == 1;
}

/* ---- zoom */

/* The pane under the pointer, and the middle of the pixel there, from the corner of the pane; or
 * the middle of the first pane, if the pointer is elsewhere. */
static int pointed_at(const struct rn_ui_window *win, double *x, double *y)
{
    const struct rn_ui_panes *p = &win->panes;
    *x = (win->pointer.x + 0.5) * win->scale;
    *y = (win->pointer.y + 0.5) * win->scale;
    bool inside = *x >= 0 && *y >= 0 && *x < p->area.w && *y < p->area.h;
    int pane = inside ? rn_ui_panes_at(p, *x, *y) : 0;
    const SDL_Rect *place = &p->pane[pane].place;
    *x = inside ? *x - place->x : place->w / 2.0;
    *y = inside ? *y - place->y : place->h / 2.0;
    return pane;
}

/* After the view of a pane was zoomed. */
static bool zoom_event(struct rn_ui_window *win, int pane, struct rn_ui_event *event)
{
    const struct rn_ui_view *view = &win->panes.pane[pane].view;
    rn_ui_panes_follow(&win->panes, pane);
    rn_ui_tell(event, RN_EVENT_ZOOM, view->zoomed, rn_ui_view_scale(view));
    return event->position > 0;
}

/* scale: 0: the whole picture. */
static bool zoom_to(struct rn_ui_window *win, double scale, struct rn_ui_event *event)
{
    double x, y;
    int pane = pointed_at(win, &x, &y);
    rn_ui_view_zoom(&win->panes.pane[pane].view, scale, x, y);
    win->panes.pane[pane].view.zoomed &= scale > 0;
    return zoom_event(win, pane, event);
}

static bool on_wheel(struct rn_ui_window *win, const SDL_MouseWheelEvent *wheel,
                     struct rn_ui_event *event)
{
    double x, y;
    win->wheel += (double)wheel->preciseY;
    int steps = (int)win->wheel;
    win->wheel -= steps;
    if (!steps)
        return false;
    if (win->stack && !(win->mods & KMOD_CTRL))
        return rn_ui_tell(event, RN_EVENT_SLICE, -steps, 0);
    int pane = pointed_at(win, &x, &y);
    rn_ui_view_step(&win->panes.pane[pane].view, steps, x, y);
    return zoom_event(win, pane, event);
}

/* Two fingers: the width of the pad is a factor of 16. */
static bool on_pinch(struct rn_ui_window *win, const SDL_MultiGestureEvent *pinch,
                     struct rn_ui_event *event)
{
    double x, y;
    const struct rn_ui_view *view = &win->panes.pane[pointed_at(win, &x, &y)].view;
    double scale = rn_ui_view_scale(view) * exp2(4 * (double)pinch->dDist);
    return pinch->numFingers == 2 && scale > 0 && zoom_to(win, scale, event);
}

/* ---- keys and mouse */

static bool region_event(struct rn_ui_window *win, int count, struct rn_ui_event *event)
{
    win->region = count >= 0; /* events may follow before it is drawn */
    return rn_ui_tell(event, RN_EVENT_REGION, count, 0);
}

static bool command_event(const struct rn_ui_binding *key, struct rn_ui_event *event)
{
    event->command = key->command;
    return rn_ui_tell(event, RN_EVENT_COMMAND, key->count, 0);
}

static bool on_key(struct rn_ui_window *win, const struct rn_ui_binding *key,
                   struct rn_ui_event *event)
{
    bool repeats = key && key->command && key->command->flags & RN_COMMAND_REPEATS;
    if (!key || !key->command || (win->keyboard.repeat && !repeats))
        return false;
    if (win->fullscreen)
        SDL_ShowCursor(SDL_DISABLE);
    return command_event(key, event);
}

static bool is_split(const struct rn_ui_window *win)
{
    return win->panes.n && win->panes.layout == RN_LAYOUT_SPLIT;
}

static bool line_to(const struct rn_ui_window *win, int x, struct rn_ui_event *event)
{
    SDL_Rect seen = rn_ui_view_visible(&win->panes.pane[0].view);
    if (!is_split(win) || seen.w < 1)
        return false;
    double at = (x * win->scale - seen.x) / seen.w;
    return rn_ui_tell(event, RN_EVENT_SPLIT, 0, SDL_clamp(at, 0, 1));
}

static bool is_at_line(const struct rn_ui_window *win, int x)
{
    return is_split(win) && fabs(x * win->scale - win->panes.line) <= GRIP * win->scale;
}

/* What a button that went down drags. A picture that is all there has nowhere to go: the split line
 * then comes to the mouse. */
static enum rn_ui_drag drag_of(const struct rn_ui_window *win, const SDL_MouseButtonEvent *e)
{
    if (e->button == SDL_BUTTON_LEFT && (win->mods & KMOD_SHIFT || win->limits))
        return win->panes.n ? DRAG_REGION : DRAG_NONE;
    if (e->button == SDL_BUTTON_RIGHT)
        return win->panes.n ? DRAG_WINDOW : DRAG_NONE;
    if (e->button == SDL_BUTTON_LEFT && win->crossed)
        return DRAG_CROSS;
    bool moves = rn_ui_view_is_cut(&win->panes.pane[win->pane].view);
    if (e->button == SDL_BUTTON_LEFT && (is_at_line(win, e->x) || (is_split(win) && !moves)))
        return DRAG_LINE;
    bool pans = e->button == SDL_BUTTON_LEFT || e->button == SDL_BUTTON_MIDDLE;
    return pans && moves ? DRAG_PICTURE : DRAG_NONE;
}

/* What the drag of the split line, a region, the window of the samples or the cross means, at its
 * beginning (count 1) or when the mouse has moved (0). */
static bool drag_event(struct rn_ui_window *win, int count, struct rn_ui_event *event)
{
    if (win->drag == DRAG_LINE)
        return line_to(win, win->pointer.x, event);
    if (win->drag == DRAG_REGION)
        return region_event(win, count, event);
    event->down = (win->pointer.y - win->pressed.y) * win->scale / win->panes.area.h;
    return rn_ui_tell(event, win->drag == DRAG_WINDOW ? RN_EVENT_WINDOW : RN_EVENT_CROSS, count,
                      (win->pointer.x - win->pressed.x) * win->scale / win->panes.area.w);
}

static bool on_press(struct rn_ui_window *win, const SDL_MouseButtonEvent *e,
                     struct rn_ui_event *event)
{
    double x, y;
    if (win->drag)
        return false; /* another button */
    bool again = !win->dragged;
    win->dragged = false;
    win->held = true;
    win->pressed = win->pointer;
    win->button = e->button;
    win->pane = pointed_at(win, &x, &y);
    win->drag = drag_of(win, e);
    if (win->drag == DRAG_REGION || win->drag == DRAG_CROSS)
        return drag_event(win, 1, event);
    if (e->button == SDL_BUTTON_LEFT && e->clicks == 2 && again) {
        win->drag = DRAG_NONE;
        win->held = false;
        win->pick_at = 0;
        rn_ui_fullscreen(win, !win->fullscreen);
        return rn_ui_tell(event, RN_EVENT_REDRAW, 0, 0);
    }
    return win->drag == DRAG_LINE && drag_event(win, 1, event);
}

static bool on_motion(struct rn_ui_window *win, const SDL_MouseMotionEvent *e, SDL_Point from,
                      struct rn_ui_event *event)
{
    SDL_ShowCursor(SDL_ENABLE);
    if (!(e->state & SDL_BUTTON(win->button)))
        win->drag = DRAG_NONE; /* released outside the window */
    bool first = !win->dragged;
    win->dragged |= abs(e->x - win->pressed.x) > TREMBLE || abs(e->y - win->pressed.y) > TREMBLE;
    if (win->drag == DRAG_WINDOW && !win->dragged)
        return false; /* it may become a click */
    if (win->drag != DRAG_NONE && win->drag != DRAG_PICTURE)
        return drag_event(win, win->drag == DRAG_WINDOW && first, event);
    if (win->drag == DRAG_NONE) {
        SDL_Cursor *cursor =
            is_at_line(win, e->x) && win->grip ? win->grip : SDL_GetDefaultCursor();
        if (SDL_GetCursor() != cursor)
            SDL_SetCursor(cursor);
        return rn_ui_tell(event, RN_EVENT_POINT, 0, 0);
    }
    rn_ui_view_pan(&win->panes.pane[win->pane].view, (e->x - from.x) * win->scale,
                   (e->y - from.y) * win->scale);
    rn_ui_panes_follow(&win->panes, win->pane);
    return rn_ui_tell(event, RN_EVENT_REDRAW, 0, 0);
}

static bool on_mouse(struct rn_ui_window *win, const SDL_Event *e, struct rn_ui_event *event)
{
    SDL_Point from = win->pointer;
    if (e->type == SDL_MOUSEMOTION) {
        win->pointer = (SDL_Point){e->motion.x, e->motion.y};
        return on_motion(win, &e->motion, from, event);
    }
    win->pointer = (SDL_Point){e->button.x, e->button.y};
    if (e->type == SDL_MOUSEBUTTONDOWN)
        return on_press(win, &e->button, event);
    if (e->button.button != win->button)
        return false;
    bool click = win->button == SDL_BUTTON_LEFT && win->drag != DRAG_REGION && !win->dragged;
    bool on_bar = win->bar.seen && rn_ui_bar_is_hit(&win->bar.bar, (int)(e->button.x * win->scale),
                                                    (int)(e->button.y * win->scale));
    bool menu = win->drag == DRAG_WINDOW && !win->dragged, held = win->held;
    win->drag = DRAG_NONE;
    win->held = false;
    if (menu)
        return rn_ui_tell(event, RN_EVENT_MENU, on_bar ? RN_MENU_BAR : RN_MENU_PICTURE, 0);
    if (click && win->region)
        return region_event(win, -1, event);
    if (click && held && win->picks) {
        double x, y;
        const char *hint = SDL_GetHint(SDL_HINT_MOUSE_DOUBLE_CLICK_TIME);
        int time = hint ? SDL_atoi(hint) : 0; /* within which SDL counts two clicks as one */
        win->picked = pointed_at(win, &x, &y);
        win->pick_at = SDL_GetTicks64() + (time > 0 ? (Uint64)time : 500);
    }
    return false;
}

void rn_ui_wake(void)
{
    SDL_Event e = {.type = SDL_USEREVENT};
    SDL_PushEvent(&e);
}

void rn_ui_stack(struct rn_ui_window *window, bool stack)
{
    window->stack = stack;
}

/* ---- typing */

bool rn_ui_is_seen(void)
{
    const char *driver = SDL_GetCurrentVideoDriver();
    return driver && strcmp(driver, "dummy") != 0 && strcmp(driver, "offscreen") != 0;
}

void rn_ui_type(struct rn_ui_window *window, bool typing)
{
    window->typing = typing;
}

static enum rn_ui_event_kind typing_event(SDL_Keycode key)
{
    static const struct {
        SDL_Keycode key;
        enum rn_ui_event_kind kind;
    } keys[] = {
        {SDLK_BACKSPACE, RN_EVENT_ERASE}, {SDLK_RETURN, RN_EVENT_ENTER},
        {SDLK_KP_ENTER, RN_EVENT_ENTER},  {SDLK_ESCAPE, RN_EVENT_CANCEL},
        {SDLK_TAB, RN_EVENT_COMPLETE},    {SDLK_UP, RN_EVENT_CHOOSE},
        {SDLK_DOWN, RN_EVENT_CHOOSE},     {SDLK_PAGEUP, RN_EVENT_PAGE},
        {SDLK_PAGEDOWN, RN_EVENT_PAGE},   {SDLK_HOME, RN_EVENT_PAGE},
        {SDLK_END, RN_EVENT_PAGE},
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i].key == key)
            return keys[i].kind;
    return RN_EVENT_NONE;
}

/* By how many suggestions a key chooses further. */
static int count_of(const struct rn_ui_panel_place *list, SDL_Keycode key)
{
    bool page = key == SDLK_PAGEUP || key == SDLK_PAGEDOWN,
         all = key == SDLK_HOME || key == SDLK_END;
    int n = page ? list->n : all ? list->all : 1;
    return key == SDLK_UP || key == SDLK_PAGEUP || key == SDLK_HOME ? -n : n;
}

static bool on_typing(struct rn_ui_window *win, const SDL_Event *e, struct rn_ui_event *event)
{
    if (e->type == SDL_KEYDOWN) {
        rn_ui_keyboard_ignore(&win->keyboard);
        event->kind = typing_event(e->key.keysym.sym);
        event->count = count_of(&win->list, e->key.keysym.sym);
        if (event->kind == RN_EVENT_PAGE) /* the rows move with what is chosen */
            win->list.first = SDL_max(0, win->list.first + event->count);
    } else if (!rn_ui_keyboard_takes(&win->keyboard)) {
        SDL_strlcpy(win->typed, e->text.text, sizeof win->typed);
        event->kind = RN_EVENT_TYPED;
        event->text = win->typed;
    }
    return event->kind != RN_EVENT_NONE;
}

static bool on_drop(struct rn_ui_window *win, const SDL_DropEvent *e, struct rn_ui_event *event)
{
    if (e->type == SDL_DROPBEGIN)
        win->ndropped = 0;
    if (e->type != SDL_DROPFILE || !e->file)
        return false;
    SDL_free(win->dropped);
    event->text = win->dropped = e->file;
    return rn_ui_tell(event, RN_EVENT_DROP, win->ndropped++, 0);
}

static bool on_gamepad(struct rn_ui_window *win, const SDL_Event *e, struct rn_ui_event *event)
{
    struct rn_ui_key key = rn_ui_gamepads_event(&win->gamepads, e, win->typing);
    if (win->typing)
        event->kind = typing_event(key.code);
    const struct rn_ui_binding *found = key.code ? rn_ui_keymap_find(win->keys, &key) : NULL;
    return event->kind || (found && found->command && !win->typing && command_event(found, event));
}

/* By the mouse: what is over the pictures takes it first. */
static bool on_pointer(struct rn_ui_window *win, SDL_Event e, struct rn_ui_event *event)
{
    if (rn_ui_panel_mouse(&win->list, &e, win->scale, event) ||
        rn_ui_panel_mouse(&win->panel, &e, win->scale, event))
        return event->kind != RN_EVENT_NONE;
    int shift = (int)(win->panes.area.x / win->scale);
    if (e.type == SDL_MOUSEMOTION)
        e.motion.x -= shift;
    else if (e.type != SDL_MOUSEWHEEL)
        e.button.x -= shift;
    if (!win->drag && rn_ui_bar_mouse(&win->bar, &e, win->scale, event)) {
        if (e.type == SDL_MOUSEMOTION)
            win->pointer = (SDL_Point){e.motion.x, e.motion.y};
        SDL_ShowCursor(SDL_ENABLE);
        return event->kind != RN_EVENT_NONE;
    }
    return e.type == SDL_MOUSEWHEEL ? on_wheel(win, &e.wheel, event) : on_mouse(win, &e, event);
}

/* Translates an event of SDL. Returns false if it has no meaning. */
static bool translate(struct rn_ui_window *win, const SDL_Event *e, struct rn_ui_event *event)
{
    *event = (struct rn_ui_event){.kind = RN_EVENT_NONE};
    if (e->type == SDL_KEYDOWN || e->type == SDL_KEYUP)
        win->mods = e->key.keysym.mod;
    if (win->typing && (e->type == SDL_KEYDOWN || e->type == SDL_TEXTINPUT))
        return on_typing(win, e, event);
    switch (e->type) {
    case SDL_QUIT:
        return rn_ui_tell(event, RN_EVENT_CLOSE, 0, 0);
    case SDL_KEYDOWN:
        return on_key(win, rn_ui_keyboard_down(&win->keyboard, win->keys, &e->key), event);
    case SDL_CONTROLLERDEVICEADDED:
    case SDL_CONTROLLERDEVICEREMOVED:
    case SDL_CONTROLLERBUTTONDOWN:
    case SDL_CONTROLLERAXISMOTION:
        return on_gamepad(win, e, event);
    case SDL_DROPBEGIN:
    case SDL_DROPFILE:
        return on_drop(win, &e->drop, event);
    case SDL_TEXTINPUT:
        return on_key(win, rn_ui_keyboard_text(&win->keyboard, win->keys, e->text.text, win->mods),
                      event);
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
    case SDL_MOUSEMOTION:
    case SDL_MOUSEWHEEL:
        return on_pointer(win, *e, event);
    case SDL_MULTIGESTURE:
        return on_pinch(win, &e->mgesture, event);
    case SDL_RENDER_TARGETS_RESET:
    case SDL_RENDER_DEVICE_RESET:
        for (int i = 0; i < RN_SCENE_PANES; i++) /* the next upload makes new ones */
            rn_ui_picture_clear(&win->panes.pane[i].picture);
        rn_ui_picture_clear(&win->bar.thumb);
        rn_ui_picture_clear(&win->scope);
        rn_ui_font_flush(win->osd->font);
        break;
    default:
        break;
    }
    bool left = e->type == SDL_WINDOWEVENT && e->window.event == SDL_WINDOWEVENT_LEAVE;
    if (left)
        win->pointer = (SDL_Point){-1, -1};
    if (left && rn_ui_bar_leave(&win->bar, event))
        return true;
    if (is_redraw(e))
        rn_ui_fit_frame(win);
    event->kind = left ? RN_EVENT_POINT : RN_EVENT_REDRAW;
    return left || is_redraw(e);
}

/* Fills in what is under the pointer after the event. Returns whether that was not told yet. */
static bool locate(struct rn_ui_window *win, struct rn_ui_event *event)
{
    const struct rn_ui_event was = win->located;
    double x = (win->pointer.x + 0.5) * win->scale, y = (win->pointer.y + 0.5) * win->scale;
    event->pane = win->drag ? win->pane : rn_ui_panes_at(&win->panes, x, y);
    event->on_picture = rn_ui_panes_pixel(&win->panes, event->pane, x, y, &event->x, &event->y) &&
                        win->pointer.x >= 0 && win->pointer.y >= 0;
    win->located = *event;
    return event->on_picture != was.on_picture || event->pane != was.pane || event->x != was.x ||
           event->y != was.y;
}

bool rn_ui_zoom(struct rn_ui_window *window, double scale, struct rn_ui_event *event)
{
    *event = (struct rn_ui_event){.kind = RN_EVENT_NONE};
    bool told = zoom_to(window, scale, event);
    locate(window, event);
    return told;
}

bool rn_ui_is_fullscreen(const struct rn_ui_window *window)
{
    return window->fullscreen;
}

/* Waits up to `left` ms for an event of SDL, less if a click picks before. False: none. */
static bool wait_for(struct rn_ui_window *win, int left, SDL_Event *e)
{
    Uint64 now = SDL_GetTicks64();
    if (win->delayed.type) {
        *e = win->delayed;
        win->delayed.type = 0;
        return true;
    }
    if (win->pick_at)
        left = win->pick_at > now ? SDL_min(left, (int)(win->pick_at - now)) : 0;
    return left ? SDL_WaitEventTimeout(e, left) : SDL_PollEvent(e);
}

/* Whether a click has become one that picks: no second one came, or something else first. */
static bool picks(struct rn_ui_window *win, const SDL_Event *e, struct rn_ui_event *event)
{
    bool acts = e && (e->type == SDL_KEYDOWN || e->type == SDL_MOUSEWHEEL ||
                      (e->type == SDL_MOUSEBUTTONDOWN && e->button.clicks != 2));
    if (!win->pick_at || (!acts && SDL_GetTicks64() < win->pick_at))
        return false;
    if (e)
        win->delayed = *e;
    win->pick_at = 0;
    *event = (struct rn_ui_event){.kind = RN_EVENT_PICK};
    locate(win, event);
    event->pane = win->picked;
    return true;
}

bool rn_ui_next_event(struct rn_ui_window *window, double timeout, struct rn_ui_event *event)
{
    /* At least one millisecond, so that a caller with less to wait does not spin. */
    int wait = timeout > 0 ? (int)ceil(fmin(timeout, 3600) * 1000) : 0;
    Uint64 end = SDL_GetTicks64() + (Uint64)wait;
    *event = (struct rn_ui_event){.kind = RN_EVENT_POINT}; /* pictures move under a still pointer */
    if (window->panes.n && locate(window, event))
        return true;
    for (;;) {
        SDL_Event e, next;
        Uint64 now = SDL_GetTicks64();
        int left = now < end ? (int)(end - now) : 0;
        bool any = wait_for(window, left, &e);
        if (picks(window, any ? &e : NULL, event))
            return true;
        if (!any && (!window->pick_at || !left))
            return false;
        if (!any)
            continue;
        if (e.type == SDL_USEREVENT)
            return false; /* rn_ui_wake */
        while (take_same(&e, &next))
            e = next;
        if (translate(window, &e, event)) {
            locate(window, event);
            return true;
        }
    }
}
