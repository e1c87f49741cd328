/* SPDX-License-Identifier: MIT */
/* Turning and mirroring by quarters of a circle: what a display matrix asks for, and the filters of
 * libavfilter that do it to the pixels. */
#pragma once

#include <libavutil/frame.h>

#include "io/pixels/turn.h"
#include "io/common/geometry.h"

/* Gets the turn that a display matrix (libavutil/display.h) asks for; NULL: none. Returns false if
 * it is no multiple of 90 degrees. */
bool rn_io_orient_of_matrix(const int32_t *matrix, struct rn_pix_orient *o);

/* Returns o followed by the turn of the option itself. */
struct rn_pix_orient rn_io_orient_then(struct rn_pix_orient o, enum rn_io_rotate rotate);

bool rn_io_orient_equal(const struct rn_pix_orient *a, const struct rn_pix_orient *b);

/* The filters, such as "transpose=clock"; "" where nothing is to be done. Static text. */
const char *rn_io_orient_filters(const struct rn_pix_orient *o);

/* For messages: "turned by 90 degrees clockwise". Static text. */
const char *rn_io_orient_name(const struct rn_pix_orient *o);

/* Returns the chroma location after the turn; unspecified if FFmpeg has no name for it. */
enum AVChromaLocation rn_io_orient_chroma(const struct rn_pix_orient *o,
                                          enum AVChromaLocation from);
