/* SPDX-License-Identifier: MIT */
#include "io/pixels/turn.h"

#include <string.h>

#include <libavutil/frame.h>
#include <libavutil/pixdesc.h>

#include "filters/base/log.h"
#include "io/pixels/pixfmt.h"

bool rn_pix_orient_is_upright(const struct rn_pix_orient *o)
{
    return o->xx == 1 && o->yy == 1;
}

bool rn_pix_orient_is_quarter(const struct rn_pix_orient *o)
{
    return !o->xx;
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
    AVFrame *to = NULL;
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
    av_frame_free(&to);
    return err;
}
