/* A picture as textures. A picture that is shown smaller than it is is shrunk here, and its
 * textures have the size it is shown in. One that is larger than a texture can be has several, side
 * by side. */
#ifndef RN_UI_DRAW_PICTURE_H
#define RN_UI_DRAW_PICTURE_H

#include <SDL.h>
#include <stdbool.h>

#include "filters/base/screen.h"
#include "ui/draw/shrink.h"
#include "ui/view.h"

/* Zeroed before the first use. */
struct rn_ui_picture {
    int w, h;              /* in the textures, pixels; 0 before the first upload */
    SDL_Texture **texture; /* columns x rows of them */
    int columns, rows;
    int side; /* of all but the last in a row or column, pixels */
    struct rn_ui_shrink shrink;
    uint8_t *buffer; /* what was shrunk */
    size_t size;     /* of it, bytes */
};

/* The size in textures of a picture of w x h that is shown in an area: of the area where that is
 * smaller. */
SDL_Point rn_ui_picture_size(int w, int h, const SDL_Rect *area);

/* Uploads the pixels, to be shown in the area. Returns 0 or RN_EINTERNAL (logged). */
int rn_ui_picture_upload(struct rn_ui_picture *pic, SDL_Renderer *renderer,
                         const struct rn_screen *screen, const SDL_Rect *area);

/* Draws the columns from..to of the textures, `to` excluded; all of them would fill the area.
 * visible: the part of the area on the output. smooth: linear interpolation, else each pixel is an
 * even square. Returns 0 or RN_EINTERNAL (logged). */
int rn_ui_picture_draw(struct rn_ui_picture *pic, SDL_Renderer *renderer, const SDL_Rect *area,
                       const SDL_Rect *visible, int from, int to, bool smooth);

/* The textures are lost or no longer wanted; the next upload makes new ones. */
void rn_ui_picture_clear(struct rn_ui_picture *pic);

void rn_ui_picture_free(struct rn_ui_picture *pic);

#endif
