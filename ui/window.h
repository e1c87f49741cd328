/* SPDX-License-Identifier: MIT */
/* The window: pictures, overlay and keys, through SDL2. Only the main thread calls it, except
 * for rn_ui_wake.
 *
 * The picture keeps its aspect ratio between black bars until the user zooms in. The window handles
 * zooming and moving itself (draw/draw.h):
 * - The mouse wheel, two fingers on a pad and keys change the scale about the pointer, or about the
 *   middle if the pointer is elsewhere.
 * - The left or the middle button moves a picture that is larger than the window.
 * - The left button drags the split line; if the whole picture is visible, the line jumps to the
 *   pointer.
 * - With Shift the left button selects a region; a click or Esc clears it.
 * - The right button reports its movement, or a click for a menu.
 * These apply to the pane under the pointer, or where a drag began; other panes follow (panes.c).
 *
 * Drawing is immediate: rn_ui_draw shows the whole scene; only textures are kept. A picture shown
 * smaller than its size is filtered (shrink.c); one that is zoomed to its size or beyond shows its
 * pixels as squares (by keys, of a whole number of device pixels). Without a font the window works
 * without the overlay, with a warning. */
#pragma once

#include "filters/base/screen.h"
#include "ui/keys/keymap.h"

struct rn_ui_speaker;
struct rn_ui_window;

enum rn_ui_event_kind {
    RN_EVENT_NONE,
    RN_EVENT_COMMAND, /* a key of the keymap: command, with the argument count */
    RN_EVENT_CLOSE,   /* of the window, by its frame */
    RN_EVENT_REDRAW,  /* the window was exposed or resized, or the view has changed */
    RN_EVENT_POINT,   /* the pointer, or the picture under it, has moved */
    RN_EVENT_ZOOM,    /* position: the scale, device pixels for one; count 0 if the picture fits */
    RN_EVENT_DROP,    /* a file was dropped: text; count: its index among files dropped together */

    /* By the mouse on the pictures. */
    RN_EVENT_SPLIT,  /* moves the split line to position, 0..1 of the visible width */
    RN_EVENT_REGION, /* a region begins at the pointer (count 1), has a corner there (0), or ends
                      * (-1) */
    RN_EVENT_CROSS,  /* moves the cross of the panes to the pointer */
    RN_EVENT_PICK,   /* a click on the picture of a pane, of a scene that asks for it (picks) */
    RN_EVENT_SLICE,  /* steps by count slices of a stack: wheel */
    RN_EVENT_WINDOW, /* drags the window of the samples: begins (count 1), or goes on (0), and has
                      * moved by position widths of the output to the right, `down` heights down */

    /* By the mouse on the seek bar; position: 0..1 of its length. */
    RN_EVENT_BAR_POINT, /* the pointer is there; < 0: it has left */
    RN_EVENT_BAR_SEEK,  /* count 1: the button goes down, 0: it is held */

    RN_EVENT_MENU, /* a click of the right button; count: on an rn_ui_menu, position: its row */

    /* By the mouse in the panel or in a list; count: the row. */
    RN_EVENT_PANEL_PICK,   /* again: on its bar, position: 0..1 of it */
    RN_EVENT_PANEL_SWITCH, /* turns its stage on or off */
    RN_EVENT_PANEL_FOLD,   /* at the end of a row: of a stage, shows or hides its parameters */
    RN_EVENT_PANEL_TYPE,
    RN_EVENT_PANEL_SLIDE, /* by position, in lengths of the bar, from where it was picked */
    RN_EVENT_PANEL_STEP,  /* by position, in steps */
    RN_EVENT_LIST_PICK,
    RN_EVENT_LIST_POINT, /* the pointer has moved there */

    /* While something is typed. */
    RN_EVENT_TYPED,    /* text */
    RN_EVENT_ERASE,    /* the last character */
    RN_EVENT_CHOOSE,   /* the next suggestion, count 1; -1 = the one before */
    RN_EVENT_PAGE,     /* the same by count, no further than the first or the last one */
    RN_EVENT_COMPLETE, /* take what is suggested, and type on */
    RN_EVENT_ENTER,
    RN_EVENT_CANCEL,
};

/* What a menu is for: the letters of rn_ui_command.menus. */
enum rn_ui_menu { RN_MENU_PICTURE = 'p', RN_MENU_STAGE = 's', RN_MENU_BAR = 'b' };

struct rn_ui_event {
    enum rn_ui_event_kind kind;
    const struct rn_ui_command *command;
    int count; /* by kind: a direction, a number of steps, rows or files; of a zoom, 0: it fits */
    double position;
    double down;
    const char *text; /* valid until the next event */
    bool again;       /* continues the movement of the previous event */
    int pane;         /* under the pointer, or where its drag began */
    bool on_picture;  /* the pointer is on the pane's picture */
    int x, y;         /* the pixel there, or the nearest one */
};

/* A measured part of the picture, both corners included, in its pixels, and the histograms of each
 * plane before and after the filters; 0 bins: none. */
struct rn_ui_scene_histogram {
    const char *name;
    const uint64_t *bins[2];
    int n[2];
};
struct rn_ui_scene_region {
    int x0, y0, x1, y1;
    const char *table; /* overlay at the top right, as those of the scene */
    struct rn_ui_scene_histogram plane[4];
    int planes;
};

/* A line of a scope's scale with its value, or a value alone; places are 0..1 of the scope. */
struct rn_ui_scene_mark {
    float x, y, w, h; /* w or h is 0, or both are: the text then has its middle there */
    bool ends;        /* the text is left of the place */
    char text[12];
};

/* The seek bar. Places are 0..1, of the first and of the last frame of the input. */
struct rn_ui_scene_bar {
    double at;                     /* of the frame that is shown */
    double begin, end;             /* of the marked range; NAN: no mark */
    bool always;                   /* shown; else only near the pointer */
    const char *label;             /* of the place under the pointer; "" = none */
    const struct rn_screen *thumb; /* the picture there; NULL: none (yet) */
    const double *change;          /* places where settings change, rising; the last one up to the
                                    * frame that is shown is drawn brighter */
    int nchanges;                  /* 0..RN_UI_BAR_MARKS */
    const float *curve; /* RN_UI_BAR_CURVE values 0..1, at equal distances, NAN: none; or NULL */
};
enum { RN_UI_BAR_MARKS = 256, RN_UI_BAR_CURVE = 512 };

/* Rows that the mouse and keys choose from. The panel has the stages of the chain and their
 * parameters, which the mouse selects and slides; it stands at a side of the window, and the
 * pictures and all other texts beside it. A narrow window has it over the picture. Where not all
 * rows have room, lines say how many are above and below.
 *
 * It does not use Dear ImGui, which would only save the layout and hit testing of one kind of row.
 * ImGui needs C++, has a font and a look of its own, needs a renderer for SDL that Debian 12 does
 * not package, and owns the keyboard, which belongs to the keymap (keymap.h). */
struct rn_ui_panel_row {
    const char *name;  /* UTF-8 */
    const char *value; /* at the right end; "" = none */
    const char *note;  /* after the name, cut to the space left; "" = none */
    double at;         /* of the value in its range, 0..1, for a bar; NAN: no bar */
    bool head;         /* a stage, with a box to switch it; else a parameter of the one above */
    bool selected, off, folded;
};

enum rn_ui_panel_kind {
    RN_PANEL_DOCK,
    RN_PANEL_FIELD, /* of a typed text, over the picture */
    RN_PANEL_LIST,  /* likewise, with what fits the text, in place of the panel if that is beside */
    RN_PANEL_HELP,  /* over all, in columns; heads are titles */
    RN_PANEL_MENU,  /* where the pointer was when it opened */
};

struct rn_ui_panel {
    const struct rn_ui_panel_row *row;
    int n;
    enum rn_ui_panel_kind kind;
    bool left;         /* the panel is at the left side */
    const char *title; /* precedes the typed text; "" = nothing is typed */
    const char *typed;
    const char *about; /* a text below the rows; NULL: none */
};

#define RN_SCENE_PANES 4

/* Where the pictures of a scene are. */
enum rn_ui_arrangement {
    RN_LAYOUT_ONE,
    RN_LAYOUT_SPLIT,  /* two in one place, the first left of a line */
    RN_LAYOUT_BESIDE, /* two, in columns, or in rows if the first is shown larger there */
    RN_LAYOUT_COLUMNS,
    RN_LAYOUT_ROWS,
    RN_LAYOUT_GRID, /* up to four, in quarters: the first two above the others */
};

struct rn_ui_scene_pane {
    const struct rn_screen *picture; /* NULL: keep the previous one: see rn_ui_keeps */
    const char *label;               /* one line; NULL: none */
    double aspect;                   /* of the samples; 0: that of rn_ui_open */
    bool mirrored[2]; /* shown from its right end, from its lower one; pixels keep their places */
    bool crossed;     /* lines cross in the middle of this pixel; the left button moves it */
    int cross_x, cross_y; /* with RN_EVENT_CROSS */
    const char *side[4];  /* a word at the left, right, top, bottom; NULL: none */
};

/* A drawing. Overlays are UTF-8; \t separates columns, all but the first of them flush right. */
struct rn_ui_scene {
    struct rn_ui_scene_pane pane[RN_SCENE_PANES];
    int npanes; /* as the layout wants */
    enum rn_ui_arrangement layout;
    bool own_views;      /* else all panes are zoomed and moved as one */
    double split_at;     /* where the line is, 0..1 of the width that is seen */
    const char *status;  /* overlay at the bottom left, lines separated by \n; NULL: none */
    const char *message; /* above that, likewise, but wrapped */
    const char *times;   /* overlay at the top left, likewise */
    const char *readout; /* overlay at the top right, likewise */
    const char *figures; /* below that, likewise */
    const char *note;    /* in the last quarter of RN_LAYOUT_GRID, likewise */
    const char *alert;   /* across the middle, on red (a kernel's build error), likewise */
    const struct rn_screen *scope; /* small, at the top right below those; NULL: none */
    const char *scope_name;
    const struct rn_ui_scene_mark *mark; /* over the scope */
    int nmarks;
    const uint64_t *histogram; /* NULL: none; drawn small at the bottom right */
    int nbins;
    const struct rn_ui_scene_region *region;  /* NULL: none */
    const struct rn_ui_scene_region *outline; /* only its frame; NULL: none */
    bool limits;                              /* the left button drags RN_EVENT_REGION */
    bool picks; /* a click that does not become a double one reports RN_EVENT_PICK */
    bool marks; /* the pixel under the pointer has a frame */
    const struct rn_ui_panel *panel, *list; /* NULL: none */
    const struct rn_ui_scene_bar *bar;      /* the seek bar; NULL: none */
};

/* Sets what to do if the display is lost (the X server has died) while a window is open, opened or
 * closed: lost(arg) is called inside the function of this header that detects it. It must not call
 * any of them, nor return. NULL: the process ends by itself. Call before rn_ui_open. */
void rn_ui_when_lost(void (*lost)(void *arg), void *arg);

/* Opens a window for pictures of w x h pixels whose samples have the aspect ratio aspect (1 =
 * square), scaled down to the screen if they are larger. Leaves signal handlers alone. keys must
 * outlive the window. Returns 0 or RN_EINTERNAL (logged in one line; without a display it does not
 * wait). */
int rn_ui_open(struct rn_ui_window **window, const char *title, int w, int h, double aspect,
               const struct rn_ui_keymap *keys);

/* Closes the window and leaves fullscreen; NULL is legal. */
void rn_ui_close(struct rn_ui_window **window);

/* Waits up to timeout seconds (0: none) for an event. Returns true and the event, or false. */
bool rn_ui_next_event(struct rn_ui_window *window, double timeout, struct rn_ui_event *event);

/* Zooms the picture under the pointer to scale device pixels for one; 0 fits it. Returns true and
 * the RN_EVENT_ZOOM; false without a picture. */
bool rn_ui_zoom(struct rn_ui_window *window, double scale, struct rn_ui_event *event);

/* Enters or leaves fullscreen; a failure is logged as a warning. */
void rn_ui_fullscreen(struct rn_ui_window *window, bool on);
bool rn_ui_is_fullscreen(const struct rn_ui_window *window);

/* Makes rn_ui_next_event return with no event, now or next. Any thread, while a window is open. */
void rn_ui_wake(void);

/* Makes the wheel step slices, and zoom with Ctrl; or always zoom. */
void rn_ui_stack(struct rn_ui_window *window, bool stack);

/* Whether people see the window and can answer. */
bool rn_ui_is_seen(void);

/* Makes keys type text, or do what the keymap says. */
void rn_ui_type(struct rn_ui_window *window, bool typing);

/* True if the pictures of the last drawing can be drawn again in the current view, so the caller
 * need not prepare them. False for another layout than they were drawn in. */
bool rn_ui_keeps(struct rn_ui_window *window, enum rn_ui_arrangement layout);

/* How many columns and lines of the pictures of the last drawing a pixel of the window covers, as
 * whole ones: 1 or more. The next pictures may be means of so many (rn_screen.whole_w). */
int rn_ui_reduction(struct rn_ui_window *window, enum rn_ui_arrangement layout);

/* Whether two pictures, as large as those of the last drawing, are in rows in a layout. */
bool rn_ui_is_above(const struct rn_ui_window *window, enum rn_ui_arrangement layout);

/* Draws the scene and presents it. Returns 0 or RN_EINTERNAL (logged). */
int rn_ui_draw(struct rn_ui_window *window, const struct rn_ui_scene *scene);

/* Draws the pictures of the scene, which has all of them, with their labels and nothing else, into
 * an array of w * h pixels, of 4 bytes each: B G R 0. Returns 0 or RN_EINTERNAL (logged). */
int rn_ui_draw_into(struct rn_ui_window *window, const struct rn_ui_scene *scene, int w, int h,
                    uint8_t *pixels);

/* Puts text on the clipboard, until the window is closed. Returns false on failure (a warning). */
bool rn_ui_copy(const char *text);

/* Prepares for pictures of another input: w x h pixels, whose samples have the aspect ratio aspect.
 * The window keeps its size; pictures of another shape or size are fitted into it. */
void rn_ui_renew(struct rn_ui_window *window, const char *title, int w, int h, double aspect);

/* Sets the title. */
void rn_ui_title(struct rn_ui_window *window, const char *title);

/* ---- speaker.c: sound through SDL: interleaved 16-bit samples in, a clock out. Main thread. The
 * speaker plays what was pushed, in order, and tells how much of it is still to come. */

/* Returns 0, or RN_EINTERNAL without a sound device (a warning; the caller plays on silently). */
int rn_ui_speaker_open(struct rn_ui_speaker **speaker, int rate, int channels);
void rn_ui_speaker_close(struct rn_ui_speaker **speaker);

/* Appends frames (samples of all channels). Returns 0 or RN_EINTERNAL. */
int rn_ui_speaker_push(struct rn_ui_speaker *speaker, const int16_t *samples, size_t frames);

/* Seconds of sound that were pushed and not yet heard. */
double rn_ui_speaker_pending(struct rn_ui_speaker *speaker);

/* Forgets what is pending (after a seek). */
void rn_ui_speaker_clear(struct rn_ui_speaker *speaker);

void rn_ui_speaker_pause(struct rn_ui_speaker *speaker, bool paused);

/* volume: 0..1. */
void rn_ui_speaker_volume(struct rn_ui_speaker *speaker, double volume);
