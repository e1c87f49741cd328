/* SPDX-License-Identifier: MIT */
#include "io/common/orient.h"

#include <stdlib.h>

#define NEARLY 100 /* a matrix whose other axis is this much shorter is a quarter turn */

bool rn_io_orient_of_matrix(const int32_t *matrix, struct rn_pix_orient *o)
{
    *o = RN_UPRIGHT;
    if (!matrix)
        return true;
    const int64_t a = matrix[0], b = matrix[1], c = matrix[3], d = matrix[4];
    bool straight = llabs(a) >= llabs(b) * NEARLY && llabs(d) >= llabs(c) * NEARLY && a && d;
    bool across = llabs(b) >= llabs(a) * NEARLY && llabs(c) >= llabs(d) * NEARLY && b && c;
    if (straight)
        *o = (struct rn_pix_orient){a > 0 ? 1 : -1, 0, 0, d > 0 ? 1 : -1};
    else if (across)
        *o = (struct rn_pix_orient){0, b > 0 ? 1 : -1, c > 0 ? 1 : -1, 0};
    return straight || across;
}

struct rn_pix_orient rn_io_orient_then(struct rn_pix_orient o, enum rn_io_rotate rotate)
{
    static const struct rn_pix_orient turns[] = {
        [RN_ROTATE_90] = {0, 1, -1, 0},    [RN_ROTATE_180] = {-1, 0, 0, -1},
        [RN_ROTATE_270] = {0, -1, 1, 0},   [RN_ROTATE_HFLIP] = {-1, 0, 0, 1},
        [RN_ROTATE_VFLIP] = {1, 0, 0, -1},
    };
    if (rotate < RN_ROTATE_90)
        return o;
    const struct rn_pix_orient *t = &turns[rotate];
    return (struct rn_pix_orient){o.xx * t->xx + o.xy * t->yx, o.xx * t->xy + o.xy * t->yy,
                                  o.yx * t->xx + o.yy * t->yx, o.yx * t->xy + o.yy * t->yy};
}

bool rn_io_orient_equal(const struct rn_pix_orient *a, const struct rn_pix_orient *b)
{
    return a->xx == b->xx && a->xy == b->xy && a->yx == b->yx && a->yy == b->yy;
}

/* The eight ways to lay a picture down. */
static const struct {
    struct rn_pix_orient orient;
    const char *filters, *name;
} ways[] = {
    {{1, 0, 0, 1}, "", "not turned"},
    {{0, 1, -1, 0}, "transpose=clock", "turned by 90 degrees clockwise"},
    {{-1, 0, 0, -1}, "hflip,vflip", "turned by 180 degrees"},
    {{0, -1, 1, 0}, "transpose=cclock", "turned by 270 degrees clockwise"},
    {{-1, 0, 0, 1}, "hflip", "mirrored, left and right"},
    {{1, 0, 0, -1}, "vflip", "mirrored, top and bottom"},
    {{0, 1, 1, 0}, "transpose=cclock_flip", "transposed"},
    {{0, -1, -1, 0}, "transpose=clock_flip", "transposed along the other diagonal"},
};

static size_t way(const struct rn_pix_orient *o)
{
    size_t i = 0;
    while (i + 1 < sizeof ways / sizeof ways[0] && !rn_io_orient_equal(&ways[i].orient, o))
        i++;
    return i;
}

const char *rn_io_orient_filters(const struct rn_pix_orient *o)
{
    return ways[way(o)].filters;
}

const char *rn_io_orient_name(const struct rn_pix_orient *o)
{
    return ways[way(o)].name;
}

enum AVChromaLocation rn_io_orient_chroma(const struct rn_pix_orient *o, enum AVChromaLocation from)
{
    if (from == AVCHROMA_LOC_CENTER || rn_pix_orient_is_upright(o))
        return from;
    if (from != AVCHROMA_LOC_LEFT || o->xx < 0)
        return AVCHROMA_LOC_UNSPECIFIED;
    return o->xx > 0 ? from : o->xy > 0 ? AVCHROMA_LOC_TOP : AVCHROMA_LOC_BOTTOM;
}
