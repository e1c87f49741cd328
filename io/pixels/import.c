/* SPDX-License-Identifier: MIT */
#include "io/pixels/convert.h"

#include "filters/base/log.h"
#include "io/common/av.h"
#include "io/pixels/pixfmt.h"
#include "io/common/av_versions.h"

#include <libavutil/intfloat.h>
#include <libavutil/intreadwrite.h>

/* Scales one plane, or one field of it, as a gray picture. Frames of its own are needed because
 * swscale reads and writes past the visible width. */
struct resizer {
    AVFrame *from, *to;
    struct SwsContext *sws;
};

struct rn_pix_import {
    int format; /* of the frames, and their colours */
    enum AVColorRange range;
    enum AVColorSpace space;
    struct rn_geom geom; /* of the images */
    enum rn_pix_convert_how how;
    const AVPixFmtDescriptor *desc;
    uint16_t *row;          /* RN_LINES */
    uint16_t *expand[4];    /* RN_LINES: value -> sample, for components of less depth */
    struct SwsContext *sws; /* RN_SCALE */
    AVFrame *tmp;           /* RN_SCALE: swscale may write past the visible width */
    int w, h;               /* of the frames */
    struct rn_image own;    /* a picture of the frames' size, if the images have another one */
    struct resizer resizer[RN_MAX_PLANES][3]; /* from own to the images: a plane, its two fields */
    bool carried; /* the images' geometry, not the frames' format, says what samples are */
};

void rn_pix_import_destroy(struct rn_pix_import **imp)
{
    if (!*imp)
        return;
    av_freep(&(*imp)->row);
    for (int c = 0; c < 4; c++)
        av_freep(&(*imp)->expand[c]);
    sws_freeContext((*imp)->sws);
    av_frame_free(&(*imp)->tmp);
    rn_image_free(&(*imp)->own);
    for (int i = 0; i < 3 * RN_MAX_PLANES; i++) {
        struct resizer *r = &(*imp)->resizer[i / 3][i % 3];
        sws_freeContext(r->sws);
        av_frame_free(&r->from);
        av_frame_free(&r->to);
    }
    av_freep(imp);
}

static int import_lines(struct rn_pix_import *imp, int w)
{
    imp->row = av_malloc_array((size_t)w, sizeof *imp->row);
    if (!imp->row)
        return rn_fail_memory();
    if (imp->carried || imp->desc->flags & (AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_FLOAT))
        return 0;
    bool inverted = imp->format == AV_PIX_FMT_MONOWHITE;
    for (int c = 0; c < imp->desc->nb_components; c++) {
        int depth = imp->desc->comp[c].depth;
        if (depth == imp->geom.fmt.depth)
            continue;
        imp->expand[c] = av_malloc_array((size_t)1 << depth, sizeof *imp->expand[c]);
        if (!imp->expand[c])
            return rn_fail_memory();
        for (unsigned v = 0; v < 1u << depth; v++)
            imp->expand[c][v] =
                (uint16_t)rn_pix_sample_widen(inverted ? !v : v, depth, imp->geom.fmt.depth);
    }
    return 0;
}

static int import_scale(struct rn_pix_import *imp, const AVFrame *frame, const struct rn_geom *own)
{
    enum AVPixelFormat to = rn_pix_format_to_av(&imp->geom.fmt);
    struct rn_pix_sws_side from = {rn_pix_pixfmt_plain(frame->format, NULL), own->full_range,
                                   own->matrix};
    bool packed = imp->geom.fmt.model == RN_GRAY && imp->geom.fmt.alpha;
    if (to != AV_PIX_FMT_NONE && !packed)
        imp->sws =
            rn_pix_sws_open(frame->width, frame->height, &from,
                            &(struct rn_pix_sws_side){to, imp->geom.full_range, imp->geom.matrix});
    if (!imp->sws)
        return rn_fail(RN_EINPUT, "pictures in the pixel format %s cannot be converted",
                       av_get_pix_fmt_name(frame->format));
    return rn_pix_frame_buffer(&imp->tmp, to, frame->width, frame->height);
}

/* Does a scan's reader declare samples differently from the 16 bits or floats of the frame? */
static bool is_carried(const struct rn_format *own, const struct rn_geom *geom)
{
    if (geom->fmt.complex)
        return own->model == RN_RGB && !own->alpha && own->number == RN_NUMBER_FLOAT;
    return geom->scan && own->depth == 16 && own->number == RN_NUMBER_UNSIGNED &&
           own->model == geom->fmt.model && own->alpha == geom->fmt.alpha &&
           rn_format_bytes(&geom->fmt) == 2;
}

static int import_create(struct rn_pix_import **out, const AVFrame *frame,
                         const struct rn_geom *geom)
{
    RN_OWNED(rn_pix_import_destroy) struct rn_pix_import *imp = av_mallocz(sizeof *imp);
    if (!imp)
        return rn_fail_memory();
    imp->format = frame->format;
    imp->range = frame->color_range;
    imp->space = frame->colorspace;
    imp->geom = *geom;
    imp->w = frame->width;
    imp->h = frame->height;
    imp->desc = av_pix_fmt_desc_get(frame->format);
    struct rn_geom own;
    int err = rn_pix_geom_of_frame(frame, &own);
    if (err)
        return err;
    bool exact, assumed;
    rn_pix_format_of_frame(frame, &own.fmt, &exact);
    rn_pix_matrix_of(frame->colorspace, frame->width, frame->height, &assumed);
    if (assumed)
        own.matrix = geom->matrix; /* the frame's size may differ from the decoder's */
    if (imp->desc->flags & AV_PIX_FMT_FLAG_PAL)
        own.fmt.alpha = geom->fmt.alpha; /* the stream's first palette decided */
    enum AVPixelFormat planar = rn_pix_format_to_av(&own.fmt);
    imp->carried = is_carried(&own.fmt, geom);
    if (imp->carried)
        own.fmt = geom->fmt;
    bool same_planes = rn_pix_pixfmt_plain(frame->format, NULL) == planar &&
                       !(geom->fmt.model == RN_GRAY && geom->fmt.alpha);
    imp->how = RN_SCALE;
    if (rn_format_equal(&own.fmt, &geom->fmt) && own.full_range == geom->full_range && exact)
        imp->how = same_planes ? RN_COPY : RN_LINES;
    if (imp->how != RN_COPY)
        err =
            imp->how == RN_LINES ? import_lines(imp, frame->width) : import_scale(imp, frame, &own);
    if (!err && (imp->w != geom->w || imp->h != geom->h)) {
        struct rn_geom decoded = *geom;
        decoded.w = imp->w;
        decoded.h = imp->h;
        err = rn_image_alloc(&imp->own, &decoded) ? rn_fail_memory() : 0;
    }
    if (!err)
        *out = rn_take_owned(&imp);
    return err;
}

static void read_line(struct rn_pix_import *imp, const AVFrame *frame, struct rn_image *img, int p,
                      int y)
{
    static const int argb_shift[] = {16, 8, 0, 24}; /* of R G B A in a palette's native 32 bits */
    const struct rn_plane *plane = &img->plane[p];
    bool pal = imp->desc->flags & AV_PIX_FMT_FLAG_PAL, big = imp->desc->flags & AV_PIX_FMT_FLAG_BE;
    int c = rn_pix_pixfmt_component(&imp->geom.fmt, p);
    const AVComponentDescriptor *comp = &imp->desc->comp[c];
    const uint16_t *expand = imp->expand[c];
    const uint8_t *from =
        frame->data[comp->plane] + y * frame->linesize[comp->plane] + comp->offset;
    uint8_t *row = plane->data + y * plane->stride;
    int bytes = rn_format_bytes(&imp->geom.fmt);
    if (imp->desc->flags & AV_PIX_FMT_FLAG_FLOAT) {
        for (int x = 0; x < plane->w; x++, from += comp->step)
            ((float *)(void *)row)[x] = av_int2float(big ? AV_RB32(from) : AV_RL32(from));
        return;
    }
    bool odd = imp->desc->flags & (AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BITSTREAM);
    bool swapped = big != (AV_HAVE_BIGENDIAN != 0) && bytes > 1;
    if (!expand && !odd && comp->step == bytes && !comp->shift && !swapped) {
        memcpy(row, from, (size_t)plane->w * (size_t)bytes);
        return;
    }
    const uint8_t *data[4] = {frame->data[0], frame->data[1], frame->data[2], frame->data[3]};
    av_read_image_line2(imp->row, data, frame->linesize, imp->desc, 0, y, pal ? 0 : c, plane->w, 0,
                        2);
    uint32_t palette[AVPALETTE_COUNT];
    if (pal)
        memcpy(palette, frame->data[1], sizeof palette);
    for (int x = 0; pal && x < plane->w; x++)
        imp->row[x] = palette[imp->row[x]] >> argb_shift[c] & 255;
    if (expand)
        for (int x = 0; x < plane->w; x++)
            imp->row[x] = expand[imp->row[x]];
    if (bytes == 1)
        for (int x = 0; x < plane->w; x++)
            row[x] = (uint8_t)imp->row[x];
    else
        memcpy(row, imp->row, (size_t)plane->w * 2);
}

#define CLIPPED 64 /* samples at a time, in registers */

void rn_pix_saturate(struct rn_image *img)
{
    if (img->geom.fmt.depth == 8 || img->geom.fmt.depth >= 16)
        return;
    uint16_t max = (uint16_t)rn_format_max(&img->geom.fmt);
    for (int p = 0; p < rn_format_planes(&img->geom.fmt); p++) {
        const struct rn_plane *plane = &img->plane[p];
        for (int y = 0; y < plane->h; y++) {
            uint16_t *row = (void *)(plane->data + y * plane->stride), any = 0;
            int x = 0, whole = plane->w / CLIPPED * CLIPPED;
            for (; x < whole; x += CLIPPED) /* max has all bits */
                for (int i = 0; i < CLIPPED; i++)
                    any |= row[x + i];
            for (x = any > max ? 0 : whole; x < plane->w; x++)
                row[x] = row[x] < max ? row[x] : max;
        }
    }
}

/* img has the frame's size. */
static int convert(struct rn_pix_import *imp, const AVFrame *frame, struct rn_image *img)
{
    if (imp->how == RN_LINES) {
        for (int p = 0; p < rn_format_planes(&imp->geom.fmt); p++)
            for (int y = 0; y < img->plane[p].h; y++)
                read_line(imp, frame, img, p, y);
        rn_pix_saturate(img);
        return 0;
    }
    if (imp->how == RN_SCALE) {
        if (sws_scale(imp->sws, (const uint8_t *const *)frame->data, frame->linesize, 0,
                      frame->height, imp->tmp->data, imp->tmp->linesize) < 0)
            return rn_fail(RN_EINTERNAL, "swscale failed on the pixel format %s",
                           av_get_pix_fmt_name(frame->format));
        frame = imp->tmp;
    }
    for (int p = 0; p < rn_format_planes(&img->geom.fmt); p++) {
        struct rn_plane *to = &img->plane[p];
        struct rn_plane from = {frame->data[p], frame->linesize[p], to->w, to->h};
        rn_plane_copy(&from, to, rn_format_bytes(&img->geom.fmt));
    }
    rn_pix_saturate(img);
    return 0;
}

/* ---- another size */

static int resize_plane(struct resizer *r, const struct rn_plane *from, struct rn_plane *to,
                        int bytes)
{
    enum AVPixelFormat fmt = bytes == 1 ? AV_PIX_FMT_GRAY8 : AV_PIX_FMT_GRAY16;
    int err = 0;
    if (!r->sws) {
        err = rn_pix_frame_buffer(&r->from, fmt, from->w, from->h);
        err = err ? err : rn_pix_frame_buffer(&r->to, fmt, to->w, to->h);
        r->sws = err ? NULL
                     : sws_getContext(from->w, from->h, fmt, to->w, to->h, fmt, RN_SWS_FLAGS, NULL,
                                      NULL, NULL);
    }
    if (!r->sws)
        return err ? err
                   : rn_fail(RN_EINTERNAL, "swscale cannot scale %dx%d to %dx%d", from->w, from->h,
                             to->w, to->h);
    struct rn_plane in = {r->from->data[0], r->from->linesize[0], from->w, from->h};
    struct rn_plane out = {r->to->data[0], r->to->linesize[0], to->w, to->h};
    rn_plane_copy(from, &in, bytes);
    if (sws_scale(r->sws, (const uint8_t *const *)r->from->data, r->from->linesize, 0, from->h,
                  r->to->data, r->to->linesize) < 0)
        return rn_fail(RN_EINTERNAL, "swscale failed on %dx%d to %dx%d", from->w, from->h, to->w,
                       to->h);
    rn_plane_copy(&out, to, bytes);
    return 0;
}

/* Field i of n: every n-th row. */
static struct rn_plane field_of(const struct rn_plane *plane, int i, int n)
{
    return (struct rn_plane){plane->data + i * plane->stride, n * plane->stride, plane->w,
                             (plane->h + n - 1 - i) / n};
}

/* Scales imp->own (bicubic) to img, each field by itself in interlaced pictures. */
static int resize(struct rn_pix_import *imp, struct rn_image *img, bool interlaced)
{
    int from_h = imp->own.geom.h, to_h = img->geom.h, bytes = rn_format_bytes(&img->geom.fmt);
    int fields = interlaced && from_h >= 4 && to_h >= 4 && from_h != to_h ? 2 : 1, err = 0;
    for (int p = 0; p < rn_format_planes(&img->geom.fmt); p++) {
        for (int i = 0; i < fields && !err; i++) {
            struct rn_plane in = field_of(&imp->own.plane[p], i, fields);
            struct rn_plane out = field_of(&img->plane[p], i, fields);
            err = resize_plane(&imp->resizer[p][fields > 1 ? 1 + i : 0], &in, &out, bytes);
        }
    }
    return err;
}

bool rn_pix_import_copies(const struct rn_pix_import *imp)
{
    return imp && imp->how == RN_COPY && !imp->own.plane[0].data;
}

int rn_pix_import(struct rn_pix_import **handle, const AVFrame *frame, struct rn_image *img)
{
    struct rn_pix_import *imp = *handle;
    if (imp &&
        (imp->format != frame->format || imp->range != frame->color_range ||
         imp->space != frame->colorspace || imp->w != frame->width || imp->h != frame->height))
        rn_pix_import_destroy(handle);
    int err = *handle ? 0 : import_create(handle, frame, &img->geom);
    if (err)
        return err;
    imp = *handle;
    bool same = imp->w == img->geom.w && imp->h == img->geom.h;
    err = convert(imp, frame, same ? img : &imp->own);
    if (err || same)
        return err;
    if (img->geom.fmt.number != RN_NUMBER_UNSIGNED)
        return rn_fail(RN_EINPUT,
                       "a picture of %dx%d among those of %dx%d: signed samples and "
                       "floats are not scaled",
                       imp->w, imp->h, img->geom.w, img->geom.h);
    err = resize(imp, img, rn_io_is_interlaced(frame));
    rn_pix_saturate(img);
    return err;
}
