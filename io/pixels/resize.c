#include "io/pixels/resize.h"

#include "filters/base/err.h"
#include "filters/base/log.h"
#include "io/pixels/pixfmt.h"

#include <libavutil/mem.h>

/* One plane, or one field of it, as swscale sees it: gray pictures. They have memory of their own,
 * because swscale reads and writes past the visible width. */
struct part {
    AVFrame *from, *to;
    struct SwsContext *sws;
};

struct rn_pix_resize {
    struct part part[RN_MAX_PLANES][2];
};

static void free_part(struct part *p)
{
    sws_freeContext(p->sws);
    av_frame_free(&p->from);
    av_frame_free(&p->to);
    *p = (struct part){0};
}

void rn_pix_resize_destroy(struct rn_pix_resize **resize)
{
    for (int i = 0; *resize && i < 2 * RN_MAX_PLANES; i++)
        free_part(&(*resize)->part[i / 2][i % 2]);
    av_freep(resize);
}

static int make_part(struct part *p, const struct rn_plane *from, const struct rn_plane *to,
                     enum AVPixelFormat fmt)
{
    if (p->sws && p->from->format == fmt && p->from->width == from->w &&
        p->from->height == from->h && p->to->width == to->w && p->to->height == to->h)
        return 0;
    free_part(p);
    int err = rn_pix_frame_buffer(&p->from, fmt, from->w, from->h);
    err = err ? err : rn_pix_frame_buffer(&p->to, fmt, to->w, to->h);
    if (err)
        return err;
    p->sws = rn_pix_sws_open_resizing(fmt, from->w, from->h, to->w, to->h);
    return p->sws ? 0
                  : rn_fail(RN_EINTERNAL, "swscale cannot scale %dx%d to %dx%d", from->w, from->h,
                            to->w, to->h);
}

static int scale(struct part *p, const struct rn_plane *from, struct rn_plane *to, int bytes)
{
    int err = make_part(p, from, to, bytes == 1 ? AV_PIX_FMT_GRAY8 : AV_PIX_FMT_GRAY16);
    if (err)
        return err;
    struct rn_plane in = {p->from->data[0], p->from->linesize[0], from->w, from->h};
    struct rn_plane out = {p->to->data[0], p->to->linesize[0], to->w, to->h};
    rn_plane_copy(from, &in, bytes);
    if (sws_scale(p->sws, (const uint8_t *const *)p->from->data, p->from->linesize, 0, from->h,
                  p->to->data, p->to->linesize) < 0)
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

int rn_pix_resize(struct rn_pix_resize **resize, const struct rn_image *from, struct rn_image *to,
                  bool fields)
{
    if (!*resize && !(*resize = av_mallocz(sizeof **resize)))
        return rn_fail_memory();
    int n = fields && from->geom.h >= 4 && to->geom.h >= 4 && from->geom.h != to->geom.h ? 2 : 1;
    int bytes = rn_format_bytes(&to->geom.fmt), err = 0;
    for (int p = 0; p < rn_format_planes(&to->geom.fmt) && !err; p++)
        for (int i = 0; i < n && !err; i++) {
            struct rn_plane in = field_of(&from->plane[p], i, n);
            struct rn_plane out = field_of(&to->plane[p], i, n);
            err = scale(&(*resize)->part[p][i], &in, &out, bytes);
        }
    return err;
}
