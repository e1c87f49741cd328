/* Where a picture is on an output: fitted into it, or zoomed about a point. Arithmetic only, with
 * rectangles that may reach beyond the output.
 *
 * Points and lengths of the output are in its own pixels, those of the device, which is what one
 * pixel of the picture is compared with: at scale 1 each is one of them. Pictures whose pixels are
 * not square keep their shape, so the scale is that of the shorter side of a pixel. */
#ifndef RN_UI_VIEW_H
#define RN_UI_VIEW_H

#include <SDL_rect.h>
#include <stdbool.h>

#define RN_MAX_SCALE 64.0 /* largest scale */

struct rn_ui_view {
    /* Of the picture and the output; set by the caller, 0 while not known. */
    int w, h, out_w, out_h;
    double aspect; /* of a pixel of the picture: width / height; > 0 */
    /* What is looked at. */
    bool zoomed;  /* else the whole picture is fitted, and the rest does not matter */
    double scale; /* pixels of the output to one of the picture */
    double x, y;  /* the point of the picture in the middle of the output, its pixels */
};

/* The scale of now; 0 while a size is not known, as for all functions here. */
double rn_ui_view_scale(const struct rn_ui_view *view);

/* Where the whole picture is: in the middle where it is smaller than the output, and nowhere else
 * are there bars. */
SDL_Rect rn_ui_view_place(const struct rn_ui_view *view);

/* The part of that which is on the output. */
SDL_Rect rn_ui_view_visible(const struct rn_ui_view *view);

/* Is a part of the picture beyond the output, so that it can be moved? */
bool rn_ui_view_is_cut(const struct rn_ui_view *view);

/* Shows the whole picture. */
void rn_ui_view_fit(struct rn_ui_view *view);

/* Changes the scale, up to RN_MAX_SCALE. What is at the point x, y of the output stays there, as
 * far as the picture's edges allow. */
void rn_ui_view_zoom(struct rn_ui_view *view, double scale, double x, double y);

/* Zooms by so many steps, in or (below 0) out: from one scale to the next of 1, 1.5, 2, 3, 4, 6, 8
 * ... and their reciprocals. Out ends where the whole picture fits. */
void rn_ui_view_step(struct rn_ui_view *view, int steps, double x, double y);

/* Moves the picture, not beyond its edges. */
void rn_ui_view_pan(struct rn_ui_view *view, double dx, double dy);

/* The picture's pixel at a point of the output, or, where none is, the nearest one. Returns whether
 * the point is on the picture; without one, px and py are 0. */
bool rn_ui_view_pixel(const struct rn_ui_view *view, double x, double y, int *px, int *py);

/* The edges of n equal parts of a length on a line that begins at start: where part i begins, and
 * which edge is nearest to x. */
int rn_ui_view_edge(int start, int length, int n, int i);
int rn_ui_view_nearest_edge(int start, int length, int n, int x);

#endif
