/* The window: pictures, overlay and keys, through SDL2. Everything here belongs to the main thread.
 *
 * The picture keeps its aspect ratio between black bars, unless somebody zooms in. The window does
 * that by itself (view.h): the mouse wheel, two fingers on a pad and keys change the scale about
 * the pointer, or about the middle where that is elsewhere; dragging with the left or the middle
 * button moves a picture that is larger than the window; the right one tells of its movement. At
 * the split line the left button drags that instead; and where all of the picture is there, the
 * line comes to wherever it is pressed. With Shift it selects a region; a click or Esc clears the
 * one that is drawn. Of several panes the one under the pointer, or where a drag began, is meant;
 * the others follow (panes.c).
 *
 * Drawing is immediate: rn_ui_draw shows the whole state that it is given, and nothing is kept
 * but textures. A picture shown smaller than it is is filtered for its size (shrink.c); one that
 * was zoomed to its size or beyond shows its pixels, each a square (by keys, of a whole number of
 * the device's). Without any font the overlay goes missing, which a warning says, and the window
 * works on. */
#ifndef RN_UI_WINDOW_H
#define RN_UI_WINDOW_H

#include <stdbool.h>

#include "filters/base/screen.h"
#include "ui/keys/keymap.h"

struct rn_ui_window;

enum rn_ui_event_kind {
    RN_EVENT_NONE,
    RN_EVENT_COMMAND, /* a key of the keymap: command, with count as its argument */
    RN_EVENT_CLOSE,   /* of the window, by its frame */
    RN_EVENT_REDRAW,  /* the window was exposed, resized, or looks at another part */
    RN_EVENT_POINT,   /* the pointer has moved */
    RN_EVENT_ZOOM,    /* position: the scale, device pixels for one; count 0 if the picture fits */
    RN_EVENT_DROP,    /* a file was dropped: text, number count of those with it, from 0 */

    /* By the mouse on the pictures. */
    RN_EVENT_SPLIT,  /* the split line to position, 0..1 of the width that is seen */
    RN_EVENT_REGION, /* a region begins at the pointer (count 1), has a corner there (0), or ends
                      * (-1) */
    RN_EVENT_CROSS,  /* the cross of the panes to the pointer */
    RN_EVENT_SLICE,  /* count slices of a stack on: wheel */
    RN_EVENT_WINDOW, /* the window of the samples: it begins to change (count 1), or is so far from
                      * where that was (0): position in widths of the output to the right, down in
                      * its heights */

    /* By the mouse on the seek bar; position: 0..1 of its length. */
    RN_EVENT_BAR_POINT, /* the pointer is there; < 0: not any more */
    RN_EVENT_BAR_SEEK,  /* count 1: the button goes down, 0: it is down */

    /* By the mouse in the panel; count: the row. */
    RN_EVENT_PANEL_PICK,
    RN_EVENT_PANEL_SWITCH, /* its stage on or off */
    RN_EVENT_PANEL_TYPE,
    RN_EVENT_PANEL_SLIDE, /* by position, in lengths of the bar, from where it was picked */
    RN_EVENT_PANEL_STEP,  /* by position, in steps */

    /* While something is typed. */
    RN_EVENT_TYPED,    /* text */
    RN_EVENT_ERASE,    /* the last character */
    RN_EVENT_CHOOSE,   /* the next suggestion, count 1; -1 = the one before */
    RN_EVENT_COMPLETE, /* take what is suggested, and type on */
    RN_EVENT_ENTER,
    RN_EVENT_CANCEL,
};

struct rn_ui_event {
    enum rn_ui_event_kind kind;
    const struct rn_ui_command *command;
    int count;
    double position;
    double down;
    const char *text; /* valid until the next event */
    bool again;       /* the movement goes on that the event before was part of */
    int pane;         /* where the pointer is, now, or where it drags from */
    bool on_picture;  /* the pointer, and */
    int x, y;         /* the pixel there of the pane's picture, or the nearest one */
};

/* A part of the picture that was measured, its corners included, in its pixels; and a histogram
 * of each plane, before and after, without bars (0 bins) where there is none. */
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

/* The seek bar. Places are 0..1, as in bar.h. */
struct rn_ui_scene_bar {
    double at;                     /* of the frame that is shown */
    double begin, end;             /* of what is marked; NAN: no such mark */
    bool always;                   /* else only near the pointer */
    const char *label;             /* of the place under the pointer; "" = none */
    const struct rn_screen *thumb; /* the picture there; NULL: none (yet) */
};

/* The panel: the stages of the chain and their parameters as rows at the right edge, to look at, to
 * choose from and to slide with the mouse; above them what is being typed.
 *
 * Drawn by ourselves rather than by Dear ImGui: it takes one kind of row, with a bar under it. For
 * that ImGui would bring C++, a font and a look of its own beside the overlays', and a renderer for
 * SDL that Debian 12 does not package; and it wants to own the keyboard, which belongs to the keys
 * table (keymap.h). What it would have spared, layout and hit testing of rows, is this file. */
struct rn_ui_panel_row {
    const char *name;  /* UTF-8 */
    const char *value; /* at the right end; "" = none */
    const char *note;  /* behind the name, as far as there is room; "" = none */
    double at;         /* of the value in its range, 0..1: a bar shows it; NAN: none does */
    bool head;         /* a stage, with a box to switch it; else a parameter of the one above */
    bool selected, off;
};

struct rn_ui_panel {
    const struct rn_ui_panel_row *row;
    int n;
    const char *title; /* stands before what is typed; "" = nothing is typed */
    const char *typed;
};

#define RN_SCENE_PANES 4

/* Where the pictures of a scene are. */
enum rn_ui_arrangement {
    RN_LAYOUT_ONE,
    RN_LAYOUT_SPLIT,  /* two of one size in one place, the first left of a line */
    RN_LAYOUT_BESIDE, /* two, in the left and the right half */
    RN_LAYOUT_GRID,   /* up to four, in quarters: the first two above the others */
};

struct rn_ui_scene_pane {
    const struct rn_screen *picture; /* NULL: keep the last: see rn_ui_keeps */
    const char *label;               /* one line; NULL: none */
    double aspect;                   /* of the samples; 0: that of rn_ui_open */
    bool crossed;         /* lines cross in the middle of this pixel; the left button moves it */
    int cross_x, cross_y; /* with RN_EVENT_CROSS */
    const char *side[4];  /* a word at the left, right, top, bottom; NULL: none */
};

/* What is drawn. Overlays are UTF-8; \t parts columns, and those after the
 * first are flush right. */
struct rn_ui_scene {
    struct rn_ui_scene_pane pane[RN_SCENE_PANES];
    int npanes; /* as the layout wants */
    enum rn_ui_arrangement layout;
    bool own_views;            /* else all panes are zoomed and moved as one */
    double split_at;           /* where the line is, 0..1 of the width that is seen */
    const char *status;        /* overlay at the bottom left, lines parted by \n; NULL: none */
    const char *message;       /* above that, likewise, but wrapped */
    const char *times;         /* overlay at the top left, likewise */
    const char *readout;       /* overlay at the top right, likewise */
    const char *figures;       /* below that, likewise */
    const char *note;          /* in the last quarter of RN_LAYOUT_GRID, likewise */
    const char *alert;         /* across the middle, on red (a kernel's build error), likewise */
    const uint64_t *histogram; /* NULL: none; drawn small at the bottom right */
    int nbins;
    const struct rn_ui_scene_region *region; /* NULL: none */
    const struct rn_ui_panel *panel;         /* NULL: none */
    const struct rn_ui_scene_bar *bar;       /* the seek bar; NULL: none */
    int help;                                /* page of all keys, from 1; 0: none */
};

/* What is done if the display goes away (the X server has died) while a window is open, or opened
 * or closed: lost(arg) is called in the middle of the function of this header that has found it
 * out; it must not call any of them, nor return. NULL: the process ends by itself. Call before
 * rn_ui_open. */
void rn_ui_when_lost(void (*lost)(void *arg), void *arg);

/* Opens a window for pictures of w x h pixels whose samples have the aspect ratio aspect (1 =
 * square); larger than the screen: scaled down. Signals stay the program's. keys: those in force;
 * outlive the window. Returns 0 or RN_EINTERNAL (logged in one line; without a display at once,
 * never waiting). */
int rn_ui_open(struct rn_ui_window **window, const char *title, int w, int h, double aspect,
               const struct rn_ui_keymap *keys);

/* Closes the window and leaves fullscreen; NULL is legal. */
void rn_ui_close(struct rn_ui_window **window);

/* Waits up to timeout seconds (0: not at all) for an event. Returns true and the event, or false.
 */
bool rn_ui_next_event(struct rn_ui_window *window, double timeout, struct rn_ui_event *event);

/* Zooms the picture under the pointer to scale device pixels for one; 0 fits it. Returns true and
 * the event that tells of it; false without a picture. */
bool rn_ui_zoom(struct rn_ui_window *window, double scale, struct rn_ui_event *event);

/* Fullscreen or not. */
void rn_ui_fullscreen(struct rn_ui_window *window, bool on);
bool rn_ui_is_fullscreen(const struct rn_ui_window *window);

/* Makes rn_ui_next_event return without an event, now or when it is called next. Any thread, while
 * a window is open. */
void rn_ui_wake(void);

/* The pages of the help, as it was drawn last. */
int rn_ui_help_pages(const struct rn_ui_window *window);

/* From now on the wheel steps slices, and zooms with Ctrl; or it zooms. */
void rn_ui_stack(struct rn_ui_window *window, bool stack);

/* From now on keys are typed text, or again what the keymap says. */
void rn_ui_type(struct rn_ui_window *window, bool typing);

/* Whether the pictures drawn last can be drawn again as they are looked at now, so that nobody need
 * prepare them once more. False for another layout than they were drawn in. */
bool rn_ui_keeps(struct rn_ui_window *window, enum rn_ui_arrangement layout);

/* Draws the scene and presents it. Returns 0 or RN_EINTERNAL (logged). */
int rn_ui_draw(struct rn_ui_window *window, const struct rn_ui_scene *scene);

/* Puts text on the clipboard, where it stays while the window is open. Returns whether it is there;
 * if not, that is logged as a warning. */
bool rn_ui_copy(const char *text);

/* What is drawn from now on are pictures of another input: w x h pixels, whose samples have the
 * aspect ratio aspect. The window stays as large as it is; pictures of another shape or size are
 * fitted into it. */
void rn_ui_renew(struct rn_ui_window *window, const char *title, int w, int h, double aspect);

/* Sets the title. */
void rn_ui_title(struct rn_ui_window *window, const char *title);

#endif
