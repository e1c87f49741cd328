/* SPDX-License-Identifier: MIT */
#include "ui/window_internal.h"

#include "filters/base/log.h"
#include "filters/base/owned.h"

#include <math.h>

/* ---- what draws
 *
 * Graphics hardware, or else SDL's own software. Left to itself SDL also takes OpenGL that Mesa
 * computes on the processor, and shows what its own software has drawn by way of that. A picture is
 * then copied and scaled once more, by threads of Mesa's, and LLVM is loaded for it: half as much
 * again of the processor and 50 MB, before anything is filtered. What there is to draw here,
 * pictures of the size of the window and some rectangles, goes to the X server through shared
 * memory. */

#define GL_RENDERER 0x1F01 /* of glGetString, defined here to avoid a dependency on OpenGL */

/* Not synchronous with the screen's refresh: waiting for it would delay what a key does, slow
 * --untimed down and, on some systems, block while the window is hidden. SDL_RENDER_VSYNC=1 in the
 * environment turns it on. */
enum { AS_SDL_LIKES = 0 };

/* True if there is a driver of graphics hardware, or its substitute in a guest of Windows. */
static bool has_hardware(void)
{
    static const char *const devices[] = {"/dev/dri", "/dev/nvidiactl", "/dev/dxg"};
    bool found = false;
    for (size_t i = 0; i < sizeof devices / sizeof *devices && !found; i++)
        found = !access(devices[i], F_OK);
    return found;
}

/* True if its OpenGL runs on the processor. */
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

/* SDL_RENDER_DRIVER and SDL_FRAMEBUFFER_ACCELERATION in the environment have the last word. The
 * caller destroys it. NULL: SDL_GetError says why. */
static SDL_Renderer *open_renderer(SDL_Window *window)
{
    bool chosen = SDL_GetHint(SDL_HINT_RENDER_DRIVER) && *SDL_GetHint(SDL_HINT_RENDER_DRIVER);
    /* Only with X can software draw to the screen without OpenGL. */
    const char *driver = SDL_GetCurrentVideoDriver();
    bool software = driver && !strcmp(driver, "x11");
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

/* ---- opening and closing */

/* A picture smaller than both is enlarged. */
enum { LEAST_W = 320, LEAST_H = 240 };

/* The size of a window in units for a picture of w x h: as large as it is if that fits, but small
 * pictures several times as large, so that there is room for text over them. */
static void window_size(int w, int h, double aspect, int *out_w, int *out_h)
{
    double ww = aspect > 1 ? w * aspect : w, hh = aspect < 1 ? h / aspect : h;
    int times = 1;
    while (ww * times < LEAST_W && hh * times < LEAST_H)
        times++;
    ww *= times;
    hh *= times;
    SDL_Rect screen;
    if (!SDL_GetDisplayUsableBounds(0, &screen) && screen.w > 0 && screen.h > 0) {
        double by = fmin(1, fmin(screen.w / ww, screen.h / hh));
        ww *= by;
        hh *= by;
    }
    *out_w = ww < 1.5 ? 1 : (int)(ww + 0.5);
    *out_h = hh < 1.5 ? 1 : (int)(hh + 0.5);
}

void rn_ui_fit_frame(struct rn_ui_window *win)
{
    SDL_Window *window = win->window;
    int top = 0, left = 0, bottom = 0, right = 0, w, h;
    SDL_Rect screen;
    if (win->framed || win->fullscreen)
        return;
    SDL_GetWindowSize(window, &w, &h);
    if (SDL_GetWindowBordersSize(window, &top, &left, &bottom, &right) ||
        SDL_GetDisplayUsableBounds(SDL_GetWindowDisplayIndex(window), &screen))
        return;
    if (!(win->framed = top || left || bottom || right))
        return;
    screen = (SDL_Rect){screen.x + left, screen.y + top, screen.w - left - right,
                        screen.h - top - bottom};
    if ((w <= screen.w && h <= screen.h) || screen.w < LEAST_W || screen.h < LEAST_H)
        return;
    double by = fmin((double)screen.w / w, (double)screen.h / h);
    SDL_SetWindowSize(window, (int)(w * by + 0.5), (int)(h * by + 0.5));
    SDL_SetWindowPosition(window, screen.x + (screen.w - (int)(w * by + 0.5)) / 2,
                          screen.y + (screen.h - (int)(h * by + 0.5)) / 2);
}

static bool env_set(const char *name)
{
    const char *value = getenv(name);
    return value && *value;
}

static int video_init(void)
{
    /* By default SDL would try the console, or a driver that shows nothing. */
    bool x11 = env_set("DISPLAY"), wayland = env_set("WAYLAND_DISPLAY");
    if (!env_set("SDL_VIDEODRIVER")) {
        if (!x11 && !wayland)
            return rn_fail(RN_EINTERNAL, "no display: neither DISPLAY nor WAYLAND_DISPLAY is set");
        SDL_SetHint(SDL_HINT_VIDEODRIVER, !wayland ? "x11" : !x11 ? "wayland" : "x11,wayland");
    }
    SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");
    SDL_SetHint(SDL_HINT_VIDEO_X11_NET_WM_BYPASS_COMPOSITOR, "0");
    SDL_SetHint(SDL_HINT_APP_NAME, "runnel");
    rn_ui_desktop_forgive();
    if (SDL_InitSubSystem(SDL_INIT_VIDEO)) {
        const char *display = getenv("DISPLAY");
        return rn_fail(RN_EINTERNAL, "no display: %s (DISPLAY=%s)", SDL_GetError(),
                       display ? display : "");
    }
    return 0;
}

int rn_ui_open(struct rn_ui_window **window, const char *title, int w, int h, double aspect,
               const struct rn_ui_keymap *keys)
{
    *window = NULL;
    if (video_init())
        return RN_EINTERNAL;
    RN_OWNED(rn_ui_close) struct rn_ui_window *win = calloc(1, sizeof *win);
    if (!win) {
        SDL_QuitSubSystem(SDL_INIT_VIDEO);
        return rn_fail_memory();
    }
    win->panes.aspect = aspect > 0 ? aspect : 1;
    win->keys = keys;
    win->scale = 1;
    win->pointer = (SDL_Point){-1, -1};
    win->button = SDL_BUTTON_LEFT;
    int ww, wh;
    window_size(w, h, win->panes.aspect, &ww, &wh);
    win->window = SDL_CreateWindow(title, SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, ww, wh,
                                   SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI);
    if (!win->window)
        /* cppcheck-suppress memleak; the scope releases it */
        return rn_fail(RN_EINTERNAL, "cannot open a window of %d x %d: %s", ww, wh, SDL_GetError());
    win->renderer = open_renderer(win->window);
    if (!win->renderer)
        /* cppcheck-suppress memleak; likewise */
        return rn_fail(RN_EINTERNAL, "cannot draw into the window: %s", SDL_GetError());
    if (rn_ui_osd_open(&win->osd, win->renderer))
        return RN_EINTERNAL;
    win->grip = SDL_CreateSystemCursor(SDL_SYSTEM_CURSOR_SIZEWE);
    SDL_StartTextInput();
    rn_ui_gamepads_start(&win->gamepads);
    *window = rn_take_owned(&win);
    return 0;
}

void rn_ui_close(struct rn_ui_window **window)
{
    struct rn_ui_window *win = rn_take_owned(window);
    if (!win)
        return;
    rn_ui_osd_close(&win->osd);
    rn_ui_panes_free(&win->panes);
    rn_ui_picture_free(&win->bar.thumb);
    rn_ui_picture_free(&win->scope);
    SDL_free(win->dropped);
    rn_ui_gamepads_stop(&win->gamepads);
    SDL_FreeCursor(win->grip);
    if (win->renderer)
        SDL_DestroyRenderer(win->renderer);
    if (win->window)
        SDL_DestroyWindow(win->window);
    SDL_QuitSubSystem(SDL_INIT_VIDEO);
    free(win);
}

void rn_ui_renew(struct rn_ui_window *win, const char *title, int w, int h, double aspect)
{
    const struct rn_ui_view *now = &win->panes.pane[0].view;
    aspect = aspect > 0 ? aspect : 1;
    bool other = w != now->w || h != now->h || fabs(aspect - win->panes.aspect) > 1e-9;
    for (int i = 0; i < RN_SCENE_PANES && other; i++)
        win->panes.pane[i].view.zoomed = false;
    win->panes.aspect = aspect;
    win->drag = DRAG_NONE;
    rn_ui_title(win, title);
}

void rn_ui_title(struct rn_ui_window *window, const char *title)
{
    SDL_SetWindowTitle(window->window, title);
}

bool rn_ui_copy(const char *text)
{
    bool done = !SDL_SetClipboardText(text);
    if (!done)
        rn_log(RN_LOG_WARNING, "nothing copied: %s", SDL_GetError());
    return done;
}
/* ---- drawing */

/* Reads the current sizes, and gives the panel its part of the window. */
static int measure(struct rn_ui_window *win)
{
    int units, w, h;
    if (SDL_GetRendererOutputSize(win->renderer, &w, &h))
        return rn_fail(RN_EINTERNAL, "cannot draw into the window: %s", SDL_GetError());
    SDL_GetWindowSize(win->window, &units, NULL);
    win->scale = units > 0 && w > 0 ? (double)w / units : 1;
    win->w = w;
    win->h = h;
    rn_ui_osd_begin(win->osd, w, h, win->scale);
    int dock = win->docked && win->osd->font ? rn_ui_panel_dock(win->osd, win->listed) : 0;
    int left = win->left ? dock : 0;
    win->pointer.x += (int)((win->panes.area.x - left) / win->scale);
    rn_ui_panes_resize(&win->panes, &(SDL_Rect){left, 0, w - dock, h});
    return 0;
}

/* Draws, from now on, in the whole output, or in the area beside the panel. */
static void draw_in(struct rn_ui_window *win, bool whole)
{
    SDL_RenderSetViewport(win->renderer, whole ? NULL : &win->panes.area);
    rn_ui_osd_begin(win->osd, whole ? win->w : win->panes.area.w, win->h, win->scale);
}

bool rn_ui_keeps(struct rn_ui_window *window, enum rn_ui_arrangement layout)
{
    return !measure(window) && rn_ui_panes_keep(&window->panes, layout);
}

int rn_ui_draw_into(struct rn_ui_window *win, const struct rn_ui_scene *scene, int w, int h,
                    uint8_t *pixels)
{
    struct rn_ui_panes panes = {.aspect = win->panes.aspect};
    SDL_Texture *to =
        SDL_CreateTexture(win->renderer, SDL_PIXELFORMAT_XRGB8888, SDL_TEXTUREACCESS_TARGET, w, h);
    bool done = to && !SDL_SetRenderTarget(win->renderer, to);
    if (done) {
        SDL_SetRenderDrawColor(win->renderer, 0, 0, 0, 255);
        SDL_RenderClear(win->renderer);
        rn_ui_panes_resize(&panes, &(SDL_Rect){0, 0, w, h});
        done = !rn_ui_panes_draw(&panes, win->renderer, scene);
        rn_ui_osd_begin(win->osd, w, h, 1);
        rn_ui_panes_line(&panes, win->osd);
        rn_ui_panes_label(&panes, win->osd, scene);
        done =
            !SDL_RenderReadPixels(win->renderer, NULL, SDL_PIXELFORMAT_XRGB8888, pixels, 4 * w) &&
            done;
    }
    SDL_SetRenderTarget(win->renderer, NULL);
    rn_ui_panes_free(&panes);
    if (to)
        SDL_DestroyTexture(to);
    return done ? 0 : rn_fail(RN_EINTERNAL, "cannot draw %d x %d pixels: %s", w, h, SDL_GetError());
}

int rn_ui_reduction(struct rn_ui_window *window, enum rn_ui_arrangement layout)
{
    return measure(window) ? 1 : rn_ui_panes_reduction(&window->panes, layout);
}

static bool is_menu(const struct rn_ui_scene *scene)
{
    return scene->list && scene->list->kind == RN_PANEL_MENU;
}

/* The list has its place before all else, where it is called. */
static bool is_over(const struct rn_ui_scene *scene)
{
    return is_menu(scene) || (scene->list && scene->list->kind == RN_PANEL_HELP);
}

/* texts: those that are drawn; one that would cover another is left out. */
static void mark_draw(struct rn_ui_osd *osd, const SDL_Rect *area,
                      const struct rn_ui_scene_mark *mark, struct rn_ui_layout *texts)
{
    static const SDL_Color faint = {255, 214, 102, 96};
    bool line = mark->w > 0 || mark->h > 0;
    SDL_Rect at = {area->x + (int)(mark->x * (float)(area->w - 1)),
                   area->y + (int)(mark->y * (float)(area->h - 1)),
                   SDL_max(1, (int)(mark->w * (float)area->w)),
                   SDL_max(1, (int)(mark->h * (float)area->h))};
    const struct rn_ui_text *t =
        rn_ui_text_get(osd->font, mark->text, strlen(mark->text), osd->px * 3 / 4, 0);
    if (line)
        rn_ui_osd_fill(osd, &at, faint);
    if (!t || !*mark->text)
        return;
    int left = !line ? -t->w / 2 : mark->ends ? -t->w - 2 : 3, up = line ? t->h : t->h / 2;
    SDL_Rect text = {at.x + left, SDL_clamp(at.y - up, area->y, area->y + area->h - t->h), t->w,
                     t->h};
    SDL_Rect room = {text.x - osd->px / 4, text.y, t->w + osd->px / 2, t->h};
    if (!rn_ui_layout_is_free(texts, &room))
        return;
    rn_ui_text_draw(osd->font, t, text.x, text.y, RN_UI_MARKED);
    rn_ui_layout_take(texts, &room);
}

/* ---- what stands over the pictures
 *
 * Functions return 0, NO_ROOM if they left something out, or an error. */

enum { NO_ROOM = 1 };

/* The picture of a scope, as large as there is place, with its name above it. */
static int show_scope(struct rn_ui_window *win, const struct rn_ui_scene *scene)
{
    if (!scene->scope)
        return 0;
    const struct rn_screen *scope = scene->scope;
    static const SDL_Color paper = {0, 0, 0, 200};
    struct rn_ui_osd *osd = win->osd;
    int w = scope->w * osd->px / 13, pad = osd->px / 3, high = osd->font ? osd->px * 3 / 2 : pad;
    SDL_Rect box;
    w = SDL_min(w, SDL_max(osd->w * 2 / 5, 17 * osd->px)); /* where its name and numbers stand */
    while (!rn_ui_osd_place(osd, RN_TOP_RIGHT, w + 2 * pad, w * scope->h / scope->w + pad + high,
                            &box))
        if ((w = w * 3 / 4) < scope->w / 4)
            return NO_ROOM;
    SDL_Rect area = {box.x + pad, box.y + high, w, w * scope->h / scope->w};
    if (!rn_ui_osd_box(osd, &box, paper))
        return 0;
    rn_ui_osd_label(osd, scene->scope_name, area.x, box.y, w, false, RN_UI_INK);
    int err = rn_ui_picture_upload(&win->scope, win->renderer, scope, &area);
    err = err ? err
              : rn_ui_picture_draw(&win->scope, win->renderer, &area, &area, 0, win->scope.w, true);
    struct rn_ui_layout texts = {.n = 0};
    for (int i = 0; i < scene->nmarks && !err; i++)
        mark_draw(osd, &area, &scene->mark[i], &texts);
    return err;
}

/* Frames of what is measured and pointed at, under all texts. */
static void draw_frames(struct rn_ui_window *win, const struct rn_ui_scene *scene, int x, int y)
{
    struct rn_ui_scene_region mark = {.table = NULL};
    int pane = rn_ui_panes_at(&win->panes, x, y);
    if (scene->marks && !scene->list && (pane == 0 || !win->panes.own_views) &&
        rn_ui_panes_pixel(&win->panes, pane, x, y, &mark.x0, &mark.y0)) {
        mark.x1 = mark.x0;
        mark.y1 = mark.y0;
        rn_ui_panes_frame(&win->panes, win->osd, &mark, win->osd->px / 2);
    }
    if (scene->outline)
        rn_ui_panes_frame(&win->panes, win->osd, scene->outline, 0);
    if (scene->region)
        rn_ui_panes_frame(&win->panes, win->osd, scene->region, 0);
}

static int show_histogram(struct rn_ui_window *win, const struct rn_ui_scene *scene)
{
    return !scene->histogram ||
                   rn_ui_osd_histogram(win->osd, scene->histogram, scene->nbins, scene->status)
               ? 0
               : NO_ROOM;
}

/* A list, or the panel without room beside the pictures, stands at their top. */
static bool is_listed(const struct rn_ui_window *win, const struct rn_ui_scene *scene)
{
    return (scene->list && !is_over(scene)) || (scene->panel && win->panes.area.w == win->w);
}

static void show_rows(struct rn_ui_window *win, const struct rn_ui_panel *panel,
                      struct rn_ui_panel_place *place)
{
    rn_ui_panel_put(win->osd, panel, NULL, place);
    rn_ui_panel_draw(win->osd, panel, place);
}

static int show_names(struct rn_ui_window *win, const struct rn_ui_scene *scene)
{
    if (!is_listed(win, scene))
        rn_ui_panes_label(&win->panes, win->osd, scene);
    return 0;
}

/* What does not stay; and the names below it. */
static int show_others(struct rn_ui_window *win, const struct rn_ui_scene *scene)
{
    rn_ui_osd_message(win->osd, scene->message);
    if (!is_over(scene))
        show_rows(win, scene->list, &win->list);
    if (win->panes.area.w == win->w) /* no room beside the pictures */
        show_rows(win, win->listed ? NULL : scene->panel, &win->panel);
    if (is_listed(win, scene))
        rn_ui_panes_label(&win->panes, win->osd, scene);
    return 0;
}

static int show_region(struct rn_ui_window *win, const struct rn_ui_scene *scene)
{
    const struct rn_ui_scene_region *r = scene->region;
    bool shown = !r || rn_ui_osd_text(win->osd, RN_TOP_RIGHT, r->table);
    for (int p = r ? r->planes - 1 : -1; p >= 0; p--) /* from right to left */
        shown &= rn_ui_osd_compare(win->osd, r->plane[p].name, r->plane[p].bins, r->plane[p].n,
                                   r->planes);
    return shown ? 0 : NO_ROOM;
}

/* In the order in which they get their places: without room the last ones are left out first. */
static const struct box {
    const char *name; /* in the mark that tells it */
    int (*show)(struct rn_ui_window *win, const struct rn_ui_scene *scene); /* NULL: a text: */
    size_t text;              /* its offset in the scene */
    enum rn_ui_corner corner; /* unless there is the quarter */
    enum { ALWAYS, WITHOUT, WITH } quarter;
} boxes[] = {
    {"", .show = show_names},
    {"histogram", .show = show_histogram, .quarter = WITHOUT},
    {"statistics", .text = offsetof(struct rn_ui_scene, status), .corner = RN_BOTTOM_LEFT},
    {"", .show = show_others},
    {"readout", .text = offsetof(struct rn_ui_scene, readout), .corner = RN_TOP_RIGHT},
    {"figures", .text = offsetof(struct rn_ui_scene, figures), .corner = RN_TOP_RIGHT},
    {"region", .show = show_region},
    {"histogram", .show = show_histogram, .quarter = WITH},
    {"times", .text = offsetof(struct rn_ui_scene, times), .corner = RN_TOP_LEFT},
    {"scope", .show = show_scope},
};

static int show(struct rn_ui_window *win, const struct rn_ui_scene *scene, const struct box *box)
{
    /* The last quarter of three views is free: all stands there, and the histogram comes late. */
    bool quarter = scene->layout == RN_LAYOUT_GRID && scene->npanes == 3;
    if (box->quarter == (quarter ? WITHOUT : WITH))
        return 0;
    if (box->show)
        return box->show(win, scene);
    const char *text = *(const char *const *)(const void *)((const char *)scene + box->text);
    bool moves = quarter && box->corner != RN_BOTTOM_LEFT;
    return rn_ui_osd_text(win->osd, moves ? RN_BOTTOM_RIGHT : box->corner, text) ? 0 : NO_ROOM;
}

static int draw_boxes(struct rn_ui_window *win, const struct rn_ui_scene *scene)
{
    char left_out[128] = "";
    size_t n = 0;
    int err = 0;
    rn_ui_osd_alert(win->osd, scene->alert);
    for (size_t i = 0; i < sizeof boxes / sizeof *boxes && err >= 0; i++)
        if ((err = show(win, scene, &boxes[i])) == NO_ROOM)
            n += (size_t)snprintf(left_out + n, sizeof left_out - n, "%s%s",
                                  n ? ", " : "no room: ", boxes[i].name);
    if (n)
        rn_ui_osd_mark(win->osd, left_out);
    return SDL_min(err, 0);
}

/* A menu opens where the pointer is then. */
static void put_menu(struct rn_ui_window *win, const struct rn_ui_scene *scene, int x, int y)
{
    const SDL_Rect all = {-win->panes.area.x, 0, win->w, win->h};
    SDL_Point at = {x, y};
    if (win->list.kind != RN_PANEL_MENU || !win->list.box.w)
        win->menu =
            SDL_PointInRect(&at, &all) ? at : (SDL_Point){win->panes.area.w / 3, win->h / 4};
    rn_ui_panel_put(win->osd, scene->list, &win->menu, &win->list);
    win->osd->menu = win->list.box;
}

/* Draws lines and frames, and over them boxes. */
static int overlay_draw(struct rn_ui_window *win, const struct rn_ui_scene *scene)
{
    int x = (int)(win->pointer.x * win->scale), y = (int)(win->pointer.y * win->scale), at = y;
    win->list.shift = win->panes.area.x;
    if (scene->list) { /* no thumbnail for a pointer that rests at the seek bar */
        win->bar.pointed = false;
        y = -1;
    }
    rn_ui_panes_line(&win->panes, win->osd);
    draw_frames(win, scene, x, y);
    rn_ui_bar_prepare(win->osd, scene->bar, x, y, &win->bar);
    if (is_menu(scene))
        put_menu(win, scene, x, at);
    rn_ui_panes_cross(&win->panes, win->osd, scene);
    rn_ui_panes_show(&win->panes, win->osd);
    int err = draw_boxes(win, scene);
    err = err ? err : rn_ui_bar_draw(win->osd, win->renderer, scene->bar, x, &win->bar);
    win->osd->menu = (SDL_Rect){0};
    if (!err && is_menu(scene))
        rn_ui_panel_draw(win->osd, scene->list, &win->list);
    return err;
}

static void draw_help(struct rn_ui_window *win, const struct rn_ui_panel *help)
{
    static const SDL_Color shade = {0, 0, 0, 236}; /* it has the most to read */
    const SDL_Rect all = {0, 0, win->w, win->h};
    draw_in(win, true);
    rn_ui_osd_fill(win->osd, &all, shade);
    win->list.shift = 0;
    show_rows(win, help, &win->list);
}

int rn_ui_draw(struct rn_ui_window *window, const struct rn_ui_scene *scene)
{
    window->docked = scene->panel;
    window->listed = scene->list && scene->list->kind == RN_PANEL_LIST;
    window->left = scene->panel && scene->panel->left;
    int err = measure(window);
    if (err)
        return err;
    SDL_RenderSetViewport(window->renderer, NULL);
    SDL_SetRenderDrawColor(window->renderer, 0, 0, 0, 255);
    SDL_RenderClear(window->renderer);
    if (window->panes.area.w < window->w || !scene->panel) {
        draw_in(window, true);
        show_rows(window, scene->panel, &window->panel);
    }
    draw_in(window, false);
    err = rn_ui_panes_draw(&window->panes, window->renderer, scene);
    window->region = scene->region;
    window->limits = scene->limits;
    window->picks = scene->picks;
    window->crossed = scene->npanes && scene->pane[0].crossed;
    err = err ? err : overlay_draw(window, scene);
    if (!err && is_over(scene) && !is_menu(scene))
        draw_help(window, scene->list);
    SDL_RenderPresent(window->renderer);
    return err;
}
