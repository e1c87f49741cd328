/* SPDX-License-Identifier: MIT */
#include "io/pixels/turn.h"

#include "filters/base/log.h"
#include "filters/base/owned.h"
#include "io/pixels/pixfmt.h"

#define NEARLY 100 /* a matrix whose other axis is this much shorter is a quarter turn */

bool rn_pix_orient_of_matrix(const int32_t *matrix, struct rn_pix_orient *o)
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

struct rn_pix_orient rn_pix_orient_then(struct rn_pix_orient o, enum rn_io_rotate rotate)
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
    while (i + 1 < sizeof ways / sizeof ways[0] && memcmp(&ways[i].orient, o, sizeof *o) != 0)
        i++;
    return i;
}

const char *rn_pix_orient_filters(const struct rn_pix_orient *o)
{
    return ways[way(o)].filters;
}

const char *rn_pix_orient_name(const struct rn_pix_orient *o)
{
    return ways[way(o)].name;
}

void rn_pix_turn(const struct rn_pix_orient *o, const uint8_t *from, ptrdiff_t from_stride, int w,
                 int h, int bytes, uint8_t *to, ptrdiff_t to_stride)
{
    ptrdiff_t x0 = (o->xx < 0 ? w - 1 : 0) + (o->yx < 0 ? h - 1 : 0);
    ptrdiff_t y0 = (o->xy < 0 ? w - 1 : 0) + (o->yy < 0 ? h - 1 : 0);
    ptrdiff_t right = o->xx * bytes + o->xy * to_stride, down = o->yx * bytes + o->yy * to_stride;
    for (int y = 0; y < h; y++) {
        const uint8_t *in = from + y * from_stride;
        uint8_t *out = to + y0 * to_stride + x0 * bytes + y * down;
        for (int x = 0; x < w; x++, in += bytes, out += right)
            memcpy(out, in, (size_t)bytes);
    }
}

void rn_pix_turn_back(const struct rn_pix_orient *o, int w, int h, int *x, int *y)
{
    int right = *x - (o->xx < 0 ? w - 1 : 0) - (o->yx < 0 ? h - 1 : 0);
    int down = *y - (o->xy < 0 ? w - 1 : 0) - (o->yy < 0 ? h - 1 : 0);
    *x = o->xx * right + o->xy * down;
    *y = o->yx * right + o->yy * down;
}

void rn_pix_turn_forth(const struct rn_pix_orient *o, int w, int h, int *x, int *y)
{
    int across = *x, down = *y;
    *x = o->xx * across + o->yx * down + (o->xx < 0 ? w - 1 : 0) + (o->yx < 0 ? h - 1 : 0);
    *y = o->xy * across + o->yy * down + (o->xy < 0 ? w - 1 : 0) + (o->yy < 0 ? h - 1 : 0);
}

int rn_pix_turn_frame(const struct rn_pix_orient *o, AVFrame *frame)
{
    const AVPixFmtDescriptor *desc = av_pix_fmt_desc_get(frame->format);
    int bits = av_get_padded_bits_per_pixel(desc);
    bool quarter = rn_pix_orient_is_quarter(o);
    RN_OWNED(av_frame_free) AVFrame *to = NULL;
    if (desc->flags & AV_PIX_FMT_FLAG_PAL || av_pix_fmt_count_planes(frame->format) != 1 ||
        bits % 8)
        return rn_fail(RN_EINTERNAL, "pictures in %s cannot be turned", desc->name);
    int err = rn_pix_frame_buffer(&to, frame->format, quarter ? frame->height : frame->width,
                                  quarter ? frame->width : frame->height);
    if (!err && av_frame_copy_props(to, frame) < 0)
        err = rn_fail_memory();
    if (!err) {
        rn_pix_turn(o, frame->data[0], frame->linesize[0], frame->width, frame->height, bits / 8,
                    to->data[0], to->linesize[0]);
        av_frame_unref(frame);
        av_frame_move_ref(frame, to);
    }
    return err;
}
