/* Turning and mirroring by quarters of a circle: what a display matrix asks for, and the filters of
 * libavfilter that do it to the pixels. */
#ifndef RN_IO_COMMON_ORIENT_H
#define RN_IO_COMMON_ORIENT_H

#include <stdbool.h>
#include <stdint.h>

#include <libavutil/frame.h>

#include "io/pixels/turn.h"
#include "io/read/decode/geometry.h"

/* What a display matrix (libavutil/display.h) asks for; NULL: nothing. Returns false if that is no
 * multiple of a quarter of a circle. */
bool rn_orient_of_matrix(const int32_t *matrix, struct rn_orient *o);

/* First o, then the turn that the option asks for by itself. */
struct rn_orient rn_orient_then(struct rn_orient o, enum rn_rotate rotate);

bool rn_orient_equal(const struct rn_orient *a, const struct rn_orient *b);

/* The filters, such as "transpose=clock"; "" where nothing is to be done. Static text. */
const char *rn_orient_filters(const struct rn_orient *o);

/* For messages: "turned by 90 degrees clockwise". Static text. */
const char *rn_orient_name(const struct rn_orient *o);

/* Where the chroma samples lie after the turn; unspecified where there is no name for it. */
enum AVChromaLocation rn_orient_chroma(const struct rn_orient *o, enum AVChromaLocation from);

#endif
