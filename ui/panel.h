/* The panel: the stages of the chain and their parameters as rows at the right edge, to look at, to
 * choose from and to slide with the mouse; above them what is being typed.
 *
 * Drawn by ourselves rather than by Dear ImGui: it takes one kind of row, with a bar under it. For
 * that ImGui would bring C++, a font and a look of its own beside the overlays', and a renderer for
 * SDL that Debian 12 does not package; and it wants to own the keyboard, which belongs to the keys
 * table (keymap.h). What it would have spared, layout and hit testing of rows, is this file. */
#ifndef RN_UI_PANEL_H
#define RN_UI_PANEL_H

#include <stdbool.h>

struct rn_ui_panel_row {
    const char *name;  /* UTF-8 */
    const char *value; /* at the right end; "" = none */
    const char *note;  /* behind the name, as far as there is room; "" = none */
    double at;         /* of the value in its range, 0..1: a bar shows it; NAN: none does */
    bool head;         /* a stage, with a box to switch it; else a parameter of the one above */
    bool selected, off;
};

/* What the panel shows; drawing needs no more. */
struct rn_ui_panel {
    const struct rn_ui_panel_row *row;
    int n;
    const char *title; /* stands before what is typed; "" = nothing is typed */
    const char *typed;
};

#endif
