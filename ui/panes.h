/* The pictures of a scene in their places in the window, each looked at through a view (view.h).
 *
 * The panes of a layout show one place at one scale: whatever zooms or moves one of them does so
 * with all; unless each has a view of its own. Coordinates are pixels of the output. */
#ifndef RN_UI_PANES_H
#define RN_UI_PANES_H

#include "ui/draw/picture.h"
#include "ui/view.h"
#include "ui/window.h"

struct rn_ui_pane {
    struct rn_ui_picture picture;
    struct rn_ui_view view; /* its output is the place */
    SDL_Rect place;
};

struct rn_ui_osd;

/* Zeroed before the first use, but for the aspect. */
struct rn_ui_panes {
    struct rn_ui_pane pane[RN_SCENE_PANES];
    int n; /* that were drawn last; 0 before the first drawing */
    enum rn_ui_arrangement layout;
    bool own_views;
    double aspect; /* of samples: width / height, where a scene does not tell */
    int out_w, out_h;
    int line; /* of RN_LAYOUT_SPLIT: its column */
};

/* Takes the size of the output: the places follow. */
void rn_ui_panes_resize(struct rn_ui_panes *panes, int w, int h);

/* Whether the pictures of now can be drawn again in this layout without being uploaded. */
bool rn_ui_panes_keep(const struct rn_ui_panes *panes, enum rn_ui_arrangement layout);

/* Draws the scene's pictures, after taking over those it brings; nothing of overlays. Returns 0 or
 * RN_EINTERNAL (logged). */
int rn_ui_panes_draw(struct rn_ui_panes *panes, SDL_Renderer *renderer,
                     const struct rn_ui_scene *scene);

/* Draws over the pictures what belongs to them: the split line, the frame of a region, labels.
 * After all that stands at the top of the window. */
void rn_ui_panes_frame(const struct rn_ui_panes *panes, struct rn_ui_osd *osd,
                       const struct rn_ui_scene_region *region);
/* What lies under all texts, so that no line goes through one: the split line; the crosses, the
 * words at the sides, and the note of the scene. */
void rn_ui_panes_line(const struct rn_ui_panes *panes, struct rn_ui_osd *osd);
void rn_ui_panes_cross(const struct rn_ui_panes *panes, struct rn_ui_osd *osd,
                       const struct rn_ui_scene *scene);
void rn_ui_panes_label(const struct rn_ui_panes *panes, struct rn_ui_osd *osd,
                       const struct rn_ui_scene *scene);

/* The pane at a point; where there is none, the nearest one. */
int rn_ui_panes_at(const struct rn_ui_panes *panes, double x, double y);

/* The pixel of pane's picture at a point, as rn_ui_view_pixel. */
bool rn_ui_panes_pixel(const struct rn_ui_panes *panes, int pane, double x, double y, int *px,
                       int *py);

/* Zoom one pane, and the others with it, about a point of the window that lies in it: to a scale (0
 * fits), or by steps (rn_ui_view_step). */
void rn_ui_panes_zoom(struct rn_ui_panes *panes, int pane, double scale, double x, double y);
void rn_ui_panes_step(struct rn_ui_panes *panes, int pane, int steps, double x, double y);

/* Moves its picture, and those of the others with it. */
void rn_ui_panes_pan(struct rn_ui_panes *panes, int pane, double dx, double dy);

/* The textures are lost; the next upload makes new ones. */
void rn_ui_panes_clear(struct rn_ui_panes *panes);

void rn_ui_panes_free(struct rn_ui_panes *panes);

#endif
