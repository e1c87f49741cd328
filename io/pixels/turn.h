/* SPDX-License-Identifier: MIT */
/* Turns and mirrors pictures by quarters of a circle: what a display matrix asks for, and the
 * filters of libavfilter that do it to the pixels. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "io/common/geometry.h"

struct AVFrame;

/* Where the stored picture's axes point on the screen: x to (xx, xy), y to (yx, yy), each -1, 0 or
 * 1; y points down. */
struct rn_pix_orient {
    int xx, xy, yx, yy;
};

#define RN_UPRIGHT ((struct rn_pix_orient){1, 0, 0, 1})

static inline bool rn_pix_orient_is_upright(const struct rn_pix_orient *o)
{
    return o->xx == 1 && o->yy == 1;
}

/* Returns true if width and height are swapped. */
static inline bool rn_pix_orient_is_quarter(const struct rn_pix_orient *o)
{
    return !o->xx;
}

/* Gets the turn that a display matrix (libavutil/display.h) asks for; NULL: none. Returns false if
 * it is no multiple of 90 degrees. */
bool rn_pix_orient_of_matrix(const int32_t *matrix, struct rn_pix_orient *o);

/* Returns o followed by the turn of the option itself. */
struct rn_pix_orient rn_pix_orient_then(struct rn_pix_orient o, enum rn_io_rotate rotate);

/* The filters, such as "transpose=clock"; "" where nothing is to be done. Static text. */
const char *rn_pix_orient_filters(const struct rn_pix_orient *o);

/* For messages: "turned by 90 degrees clockwise". Static text. */
const char *rn_pix_orient_name(const struct rn_pix_orient *o);

/* Turns w x h pixels of `bytes` each into `to`, which must not overlap. Strides are in bytes. */
void rn_pix_turn(const struct rn_pix_orient *o, const uint8_t *from, ptrdiff_t from_stride, int w,
                 int h, int bytes, uint8_t *to, ptrdiff_t to_stride);

/* Finds the stored pixel (of w x h) that the turned picture shows at x, y. */
void rn_pix_turn_back(const struct rn_pix_orient *o, int w, int h, int *x, int *y);

/* The inverse: where the turned picture shows the stored pixel at x, y. */
void rn_pix_turn_forth(const struct rn_pix_orient *o, int w, int h, int *x, int *y);

/* Turns a frame, of packed pixels of whole bytes. Returns 0 or RN_EINTERNAL (logged). */
int rn_pix_turn_frame(const struct rn_pix_orient *o, struct AVFrame *frame);
