/* SPDX-License-Identifier: MIT */
/* A picture as textures. A picture that is shown smaller than its size is shrunk first, so its
 * textures have the size on the output. A picture that exceeds the largest texture has several,
 * side by side. */
#pragma once

#include <SDL.h>

#include "filters/base/screen.h"
#include "ui/view.h"

/* ---- pictures made smaller for the screen
 *
 * Each sample is a mean of all those under it, with weights that fall linearly from its middle to
 * those of its neighbours (linear interpolation whose reach grows with the step, so that detail
 * finer than the screen becomes gray and no false pattern). Fixed point: an even area keeps its
 * value exactly, and the same size its samples. */

/* The samples that contribute to each row or column of the result. */
struct rn_ui_taps {
    int from, to, most; /* sizes; the most samples for one */
    int *first, *n;     /* of each of `to` */
    uint16_t *weight;   /* most for each; their sum is 1 << 14 */
};

/* Kept for pictures of the same sizes. Zeroed before the first use. */
struct rn_ui_shrink {
    struct rn_ui_taps across, down;
    uint16_t *row;
    size_t samples; /* of row, allocated */
};

/* Prepares for pixels of 4 samples of 8 bits, from w x h to to_w x to_h, which are not larger.
 * Returns 0 or RN_EINTERNAL (logged). */
int rn_ui_shrink_prepare(struct rn_ui_shrink *shrink, int w, int h, int to_w, int to_h);

/* Shrinks a picture of the prepared size. Strides are in bytes. */
void rn_ui_shrink(const struct rn_ui_shrink *shrink, const uint8_t *from, int from_stride,
                  uint8_t *to, int to_stride);

void rn_ui_shrink_free(struct rn_ui_shrink *shrink);

/* ---- textures */

/* Zeroed before the first use. */
struct rn_ui_picture {
    bool mirrored[2];      /* by the caller: drawn from its right end, from its lower one */
    int w, h;              /* in the textures, pixels; 0 before the first upload */
    SDL_Texture **texture; /* columns x rows of them */
    int columns, rows;
    int side; /* of all but the last in a row or column, pixels */
    struct rn_ui_shrink shrink;
    uint8_t *buffer; /* what was shrunk */
    size_t size;     /* of it, bytes */
};

/* The size in textures of a picture of w x h that is shown in an area: the smaller of both
 * sizes. */
SDL_Point rn_ui_picture_size(int w, int h, const SDL_Rect *area);

/* Uploads the pixels, to be shown in the area. Returns 0 or RN_EINTERNAL (logged). */
int rn_ui_picture_upload(struct rn_ui_picture *pic, SDL_Renderer *renderer,
                         const struct rn_screen *screen, const SDL_Rect *area);

/* Draws the columns from..to - 1 of the textures; all columns would fill the area. visible: the
 * part of the area on the output. smooth: linear interpolation, else each pixel is a plain
 * rectangle. Returns 0 or RN_EINTERNAL (logged). */
int rn_ui_picture_draw(struct rn_ui_picture *pic, SDL_Renderer *renderer, const SDL_Rect *area,
                       const SDL_Rect *visible, int from, int to, bool smooth);

/* Frees the textures; the next upload makes new ones. */
void rn_ui_picture_clear(struct rn_ui_picture *pic);

void rn_ui_picture_free(struct rn_ui_picture *pic);
