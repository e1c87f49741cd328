/* SPDX-License-Identifier: MIT */
/* Computes where a picture is on an output: fitted into it, or zoomed about a point. Rectangles may
 * exceed the output.
 *
 * Points and lengths of the output are in device pixels: at scale 1 a pixel of the picture takes
 * one of them. Pictures whose pixels are not square keep their shape, so the scale is that of the
 * shorter side of a pixel. */
#pragma once

#include <SDL_rect.h>
#include <stdbool.h>

#define RN_MAX_SCALE 64.0 /* largest scale */

struct rn_ui_view {
    /* The sizes of the picture and the output, set by the caller; 0: unknown. */
    int w, h, out_w, out_h;
    double aspect; /* of a pixel of the picture: width / height; > 0 */
    bool zoomed;   /* else the whole picture is fitted, and the fields below are unused */
    double scale;  /* pixels of the output to one of the picture */
    double x, y;   /* the point of the picture in the middle of the output, its pixels */
};

/* The current scale; 0 if a size is unknown, as for all functions here. */
double rn_ui_view_scale(const struct rn_ui_view *view);

/* The place of the whole picture. It is centred if it is smaller than the output; else there are no
 * bars. */
SDL_Rect rn_ui_view_place(const struct rn_ui_view *view);

/* The part of rn_ui_view_place that is on the output. */
SDL_Rect rn_ui_view_visible(const struct rn_ui_view *view);

/* True if the picture exceeds the output, so that it can be moved. */
bool rn_ui_view_is_cut(const struct rn_ui_view *view);

/* Shows the whole picture. */
void rn_ui_view_fit(struct rn_ui_view *view);

/* Changes the scale, up to RN_MAX_SCALE. The point x, y of the output keeps showing the same point
 * of the picture, as far as its edges allow. */
void rn_ui_view_zoom(struct rn_ui_view *view, double scale, double x, double y);

/* Zooms in or (steps < 0) out: from one scale to the next of 1, 1.5, 2, 3, 4, 6, 8 ... and their
 * reciprocals. Zooming out ends when the whole picture fits. */
void rn_ui_view_step(struct rn_ui_view *view, int steps, double x, double y);

/* Moves the picture, not beyond its edges. */
void rn_ui_view_pan(struct rn_ui_view *view, double dx, double dy);

/* The picture's pixel at a point of the output, or the nearest one. Returns true if the point is on
 * the picture. Without a picture px and py are 0. */
bool rn_ui_view_pixel(const struct rn_ui_view *view, double x, double y, int *px, int *py);

/* Divides a line from start into n equal parts: returns where part i begins, and which edge is
 * nearest to x. */
int rn_ui_view_edge(int start, int length, int n, int i);
int rn_ui_view_nearest_edge(int start, int length, int n, int x);
