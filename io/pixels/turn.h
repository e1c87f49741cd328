/* SPDX-License-Identifier: MIT */
/* Turns and mirrors pictures by quarters of a circle. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct AVFrame;

/* Where the stored picture's axes point on the screen: x to (xx, xy), y to (yx, yy), each -1, 0 or
 * 1; y points down. */
struct rn_pix_orient {
    int xx, xy, yx, yy;
};

#define RN_UPRIGHT ((struct rn_pix_orient){1, 0, 0, 1})

bool rn_pix_orient_is_upright(const struct rn_pix_orient *o);

/* Returns true if width and height are swapped. */
bool rn_pix_orient_is_quarter(const struct rn_pix_orient *o);

/* Turns w x h pixels of `bytes` each into `to`, which must not overlap. Strides are in bytes. */
void rn_pix_turn(const struct rn_pix_orient *o, const uint8_t *from, ptrdiff_t from_stride, int w,
                 int h, int bytes, uint8_t *to, ptrdiff_t to_stride);

/* Finds the stored pixel (of w x h) that the turned picture shows at x, y. */
void rn_pix_turn_back(const struct rn_pix_orient *o, int w, int h, int *x, int *y);

/* The inverse: where the turned picture shows the stored pixel at x, y. */
void rn_pix_turn_forth(const struct rn_pix_orient *o, int w, int h, int *x, int *y);

/* Turns a frame, of packed pixels of whole bytes. Returns 0 or RN_EINTERNAL (logged). */
int rn_pix_turn_frame(const struct rn_pix_orient *o, struct AVFrame *frame);
