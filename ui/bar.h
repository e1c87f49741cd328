/* Where the seek bar is on an output, and which places of the input its pixels stand for.
 * Arithmetic only; pixels of the output. Places are 0..1: of the first and of the last frame. */
#ifndef RN_UI_BAR_H
#define RN_UI_BAR_H

#include <stdbool.h>

#include "ui/view.h"

struct rn_ui_bar {
    struct rn_ui_area track;
    int zone; /* the row from which on the pointer shows the bar */
    int out_w, out_h;
};

/* The bar on an output of out_w x out_h; px: size of the font. */
struct rn_ui_bar rn_ui_bar_lay_out(int out_w, int out_h, int px);

/* Does a pointer there show the bar; does a press there seek? */
bool rn_ui_bar_is_near(const struct rn_ui_bar *bar, int x, int y);
bool rn_ui_bar_is_hit(const struct rn_ui_bar *bar, int x, int y);

/* The place that column x stands for, the nearest end where it is beyond the bar; the column of a
 * place. */
double rn_ui_bar_place(const struct rn_ui_bar *bar, int x);
int rn_ui_bar_column(const struct rn_ui_bar *bar, double place);

/* Where a box of w x h for a place stands: above the bar, on the output. It is made smaller, in its
 * shape, where it would take more than a third of the width or half of the height. */
struct rn_ui_area rn_ui_bar_box(const struct rn_ui_bar *bar, int w, int h, double place);

#endif
