/* SPDX-License-Identifier: MIT */
#include "io/read/decode/prepare.h"

#include "filters/base/log.h"
#include "io/common/av.h"
#include "io/pixels/convert.h"
#include "io/pixels/pixfmt.h"
#include "io/common/av_versions.h"
#include "io/volumes/fields.h"

/* No shortcuts, and the same pixels with every set of CPU features. */
#define SCALER "flags=bicubic+accurate_rnd+bitexact"

int rn_read_prepare_open(struct rn_read_prepare *p)
{
    p->turn = RN_UPRIGHT;
    p->factor = 1;
    p->has_matrix = p->setup.matrix;
    if (p->has_matrix)
        memcpy(p->matrix, p->setup.matrix, sizeof p->matrix);
    p->like = av_frame_alloc();
    p->next = av_frame_alloc();
    return p->like && p->next ? 0 : rn_fail_memory();
}

void rn_read_prepare_close(struct rn_read_prepare *p)
{
    rn_io_graph_close(&p->graph);
    rn_pix_import_destroy(&p->import);
    av_frame_free(&p->like);
    av_frame_free(&p->next);
}

void rn_read_prepare_restart(struct rn_read_prepare *p)
{
    rn_io_graph_close(&p->graph);
    av_frame_unref(p->next);
    p->waiting = p->draining = p->ended = p->begun = false;
    p->sent = p->first = 0;
}

/* ---- what is to be done */

static bool deinterlaces(const struct rn_read_prepare *p, bool interlaced)
{
    const struct rn_io_geometry *g = p->setup.geometry;
    return g->deinterlace != RN_DEINTERLACE_NONE && (interlaced || g->every_frame);
}

static void decide_turn(struct rn_read_prepare *p)
{
    const struct rn_io_geometry *g = p->setup.geometry;
    bool straight = rn_pix_orient_of_matrix(p->has_matrix ? p->matrix : NULL, &p->shown);
    bool requested = g->rotate != RN_ROTATE_DEFAULT;
    if (g->rotate == RN_ROTATE_NONE)
        return;
    if (!straight && requested)
        rn_losses_add(p->setup.losses, "rotation",
                      "'%s' is to be shown turned by no multiple of 90 degrees: its pixels stay as "
                      "they are",
                      p->setup.input);
    p->turn = rn_pix_orient_then(p->shown, g->rotate);
    p->turned = straight || g->rotate >= RN_ROTATE_90;
    if (!requested && !rn_pix_orient_is_upright(&p->turn))
        rn_log(RN_LOG_INFO,
               "'%s': pictures are %s, as its display matrix says (--rotate none leaves them)",
               p->setup.input, rn_pix_orient_name(&p->turn));
}

/* Photos, and streams that say it picture by picture. */
static void watch_matrix(const struct rn_read_prepare *p, const AVFrame *frame)
{
    const AVFrameSideData *sd = av_frame_get_side_data(frame, AV_FRAME_DATA_DISPLAYMATRIX);
    struct rn_pix_orient shown;
    bool said = sd && sd->size >= sizeof p->matrix;
    if (p->setup.matrix || p->setup.geometry->rotate == RN_ROTATE_NONE ||
        (!said && !p->setup.photos))
        return;
    rn_pix_orient_of_matrix(said ? (const void *)sd->data : NULL, &shown);
    if (memcmp(&shown, &p->shown, sizeof shown) != 0)
        rn_losses_add(p->setup.losses, "rotation",
                      "'%s' holds pictures that are to be turned in different ways; all are as the "
                      "first one",
                      p->setup.input);
}

/* Finds the place of the crop in pictures of w x h whose chroma samples cover sx x sy pixels. */
static int place_crop(const struct rn_read_prepare *p, int w, int h, int sx, int sy, bool fields,
                      int *x, int *y)
{
    const struct rn_io_geometry *g = p->setup.geometry;
    sy *= fields ? 2 : 1;
    if (g->crop.w > w || g->crop.h > h)
        return rn_fail(RN_EUSAGE, "--crop %dx%d: the pictures of '%s' are %dx%d%s", g->crop.w,
                       g->crop.h, p->setup.input, w, h,
                       rn_pix_orient_is_quarter(&p->turn) ? " once they are turned" : "");
    *x = g->crop.x < 0 ? (w - g->crop.w) / 2 / sx * sx : g->crop.x;
    *y = g->crop.y < 0 ? (h - g->crop.h) / 2 / sy * sy : g->crop.y;
    if (*x > w - g->crop.w || *y > h - g->crop.h)
        return rn_fail(RN_EUSAGE,
                       "--crop %dx%d+%d+%d reaches beyond the pictures of '%s', which are %dx%d%s",
                       g->crop.w, g->crop.h, g->crop.x, g->crop.y, p->setup.input, w, h,
                       rn_pix_orient_is_quarter(&p->turn) ? " once they are turned" : "");
    if (*x % sx || *y % sy)
        return rn_fail(RN_EUSAGE,
                       "--crop: x and y of these pictures are multiples of %d and %d%s: try +%d+%d",
                       sx, sy,
                       fields ? ", which their fields and colours need (or --deinterlace)"
                              : ", which their colours need",
                       *x / sx * sx, *y / sy * sy);
    return 0;
}

/* Do the fields of interlaced pictures go with what is done? Turned by a quarter they are columns;
 * upside down, or cropped, the rows of all planes have to agree on where each of them goes. */
static bool loses_fields(const struct rn_read_prepare *p, int h, int sub_y)
{
    bool uneven = p->turn.yy < 0 && sub_y && h % 2 != -(-h >> sub_y) % 2;
    return rn_pix_orient_is_quarter(&p->turn) || uneven || p->crop_y % (2 << sub_y);
}

static int decide(struct rn_read_prepare *p, const AVFrame *frame)
{
    const struct rn_io_geometry *g = p->setup.geometry;
    p->decided = true;
    const AVFrameSideData *sd = av_frame_get_side_data(frame, AV_FRAME_DATA_DISPLAYMATRIX);
    if (!p->has_matrix && sd && sd->size >= sizeof p->matrix) {
        memcpy(p->matrix, sd->data, sizeof p->matrix);
        p->has_matrix = true;
    }
    decide_turn(p);
    p->active = g->deinterlace != RN_DEINTERLACE_NONE || g->crop.w || g->scale.w ||
                !rn_pix_orient_is_upright(&p->turn);
    if (g->deinterlace == RN_DEINTERLACE_FIELD && deinterlaces(p, rn_io_is_interlaced(frame)))
        p->factor = 2;
    if (!p->active)
        return 0;
    struct rn_format fmt;
    bool exact;
    if (!rn_pix_format_of_frame(frame, &fmt, &exact) ||
        rn_pix_format_to_av(&fmt) == AV_PIX_FMT_NONE)
        return rn_fail(RN_EUSAGE,
                       "pictures in the pixel format %s cannot be turned, cropped or scaled",
                       av_get_pix_fmt_name(frame->format));
    if (g->scale.w && (fmt.number != RN_NUMBER_UNSIGNED || p->setup.is_signed))
        return rn_fail(RN_EUSAGE, "'%s' has %s samples, which cannot be scaled (leave --scale out)",
                       p->setup.input, p->setup.is_signed ? "signed" : "floating-point");
    p->keeps_fields = rn_io_is_interlaced(frame) && !deinterlaces(p, true) &&
                      !loses_fields(p, frame->height, fmt.sub_y);
    return rn_io_graph_load("turning, cropping, scaling or deinterlacing", p->setup.input);
}

/* ---- the graph */

/* swscale takes 4:2:0 of full range for limited one unless it is told. */
static const char *range_of(const struct rn_geom *geom)
{
    return geom->fmt.model != RN_YUV ? ""
           : geom->full_range        ? ":in_range=pc:out_range=pc"
                                     : ":in_range=tv:out_range=tv";
}

/* Each filter is followed by a comma. Turned by a quarter, 4:2:2 would be 4:4:0, which no filter
 * and hardly a codec takes. */
static void add_turn(const struct rn_read_prepare *p, struct rn_geom *geom, char *text, size_t size)
{
    if (rn_pix_orient_is_upright(&p->turn))
        return;
    if (rn_pix_orient_is_quarter(&p->turn)) {
        int w = geom->w;
        geom->w = geom->h;
        geom->h = w;
        if (geom->fmt.sub_x != geom->fmt.sub_y) {
            geom->fmt.sub_x = geom->fmt.sub_y = 0;
            av_strlcatf(text, size, "scale=" SCALER "%s,format=%s,", range_of(geom),
                        av_get_pix_fmt_name(rn_pix_format_to_av(&geom->fmt)));
        }
    }
    av_strlcatf(text, size, "%s,", rn_pix_orient_filters(&p->turn));
}

static int write_filters(struct rn_read_prepare *p, const AVFrame *frame, char *text, size_t size)
{
    const struct rn_io_geometry *g = p->setup.geometry;
    struct rn_geom geom;
    *text = '\0';
    int x = 0, y = 0, err = rn_pix_geom_of_frame(frame, &geom);
    if (err)
        return err;
    if (g->deinterlace != RN_DEINTERLACE_NONE)
        av_strlcatf(text, size, "bwdif=mode=%s:parity=auto:deint=%s,",
                    g->deinterlace == RN_DEINTERLACE_FIELD ? "send_field" : "send_frame",
                    g->every_frame ? "all" : "interlaced");
    add_turn(p, &geom, text, size);
    if (g->crop.w) {
        err = place_crop(p, geom.w, geom.h, 1 << geom.fmt.sub_x, 1 << geom.fmt.sub_y,
                         p->keeps_fields, &x, &y);
        if (err)
            return err;
        av_strlcatf(text, size, "crop=%d:%d:%d:%d:exact=1,", g->crop.w, g->crop.h, x, y);
        geom.w = g->crop.w;
        geom.h = g->crop.h;
    }
    p->crop_x = x;
    p->crop_y = y;
    p->in_w = p->out_w = geom.w;
    p->in_h = p->out_h = geom.h;
    if (g->scale.w)
        av_strlcatf(text, size, "scale=w=%d:h=%d:interl=-1:" SCALER "%s,", g->scale.w, g->scale.h,
                    range_of(&geom));
    text[strlen(text) - 1] = '\0'; /* a comma is behind each filter, and something is to be done */
    return 0;
}

static int open_graph(struct rn_read_prepare *p, const AVFrame *frame)
{
    char filters[512];
    bool first = !p->like->width;
    int err = write_filters(p, frame, filters, sizeof filters);
    p->like->width = frame->width;
    p->like->height = frame->height;
    p->like->format = frame->format;
    p->like->color_range = frame->color_range;
    p->like->colorspace = frame->colorspace;
    rn_log(RN_LOG_DEBUG, "libavfilter: %s", filters);
    err = err ? err : rn_io_graph_open(&p->graph, filters, frame, p->setup.threads);
    /* What later pictures are too small for is no mistake of the command line. */
    return err == RN_EUSAGE && !first ? RN_EINPUT : err;
}

/* ---- pictures in */

/* Pixels of a format that filters take: ours. */
static int convert(struct rn_read_prepare *p, AVFrame *frame, const struct rn_geom *geom)
{
    RN_OWNED(av_frame_free) AVFrame *to = NULL;
    struct rn_image img = {.geom = *geom};
    int err = rn_pix_frame_buffer(&to, rn_pix_format_to_av(&geom->fmt), geom->w, geom->h);
    if (!err && av_frame_copy_props(to, frame) < 0)
        err = rn_fail_memory();
    for (int i = 0; !err && i < rn_format_planes(&geom->fmt); i++) {
        img.plane[i].data = to->data[i];
        img.plane[i].stride = to->linesize[i];
        rn_geom_plane_size(geom, i, &img.plane[i].w, &img.plane[i].h);
    }
    err = err ? err : rn_pix_import(&p->import, frame, &img);
    if (!err) {
        av_frame_unref(frame);
        av_frame_move_ref(frame, to);
    }
    return err;
}

static int make_plain(struct rn_read_prepare *p, AVFrame *frame)
{
    struct rn_geom geom;
    int err = rn_pix_geom_of_frame(frame, &geom);
    if (err)
        return err;
    bool full = false;
    enum AVPixelFormat to = rn_pix_format_to_av(&geom.fmt);
    bool packed = geom.fmt.model == RN_GRAY && geom.fmt.alpha;
    if (rn_pix_pixfmt_plain(frame->format, &full) == to)
        frame->format = to;
    else if (packed || to == AV_PIX_FMT_NONE)
        return rn_fail(RN_EINPUT,
                       "pictures in the pixel format %s cannot be turned, cropped or scaled",
                       av_get_pix_fmt_name(frame->format));
    else if ((err = convert(p, frame, &geom)) != 0)
        return err;
    if (geom.fmt.model == RN_YUV && geom.full_range)
        frame->color_range = AVCOL_RANGE_JPEG;
    return 0;
}

/* A picture whose fields are lost goes as a progressive one. */
static bool drop_fields(struct rn_read_prepare *p, AVFrame *frame)
{
    const AVPixFmtDescriptor *desc = av_pix_fmt_desc_get(frame->format);
    if (!rn_io_is_interlaced(frame) || deinterlaces(p, true) ||
        !loses_fields(p, frame->height, desc->log2_chroma_h))
        return false;
    rn_io_set_fields(frame, false, false);
    if (!p->fields_lost)
        rn_losses_add(p->setup.losses, "fields",
                      "'%s' is interlaced and its pictures are %s: they count as progressive; "
                      "--deinterlace frame makes them so",
                      p->setup.input,
                      rn_pix_orient_is_upright(&p->turn) ? "cropped between their fields"
                                                         : rn_pix_orient_name(&p->turn));
    p->fields_lost = true;
    return true;
}

static int send(struct rn_read_prepare *p, AVFrame *frame)
{
    struct rn_read_prepared *in = &p->inside[p->sent % RN_MAX_INSIDE];
    if (p->sent - p->first >= RN_MAX_INSIDE)
        return rn_fail(RN_EINTERNAL, "libavfilter holds pictures back");
    in->range = frame->color_range;
    in->primaries = frame->color_primaries;
    in->transfer = frame->color_trc;
    in->space = frame->colorspace;
    in->chroma = frame->chroma_location;
    in->aspect = frame->sample_aspect_ratio;
    in->interlaced = rn_io_is_interlaced(frame);
    in->fields_lost = drop_fields(p, frame);
    frame->sample_aspect_ratio = (AVRational){0, 1}; /* changes of it would set filters up anew */
    frame->pts = p->sent++;
    rn_io_set_duration(frame, 0);
    return rn_io_graph_send(&p->graph, frame);
}

/* Sends the picture that waits, into a graph that fits it. */
static int send_next(struct rn_read_prepare *p)
{
    int err = p->graph.graph ? 0 : open_graph(p, p->next);
    p->waiting = p->draining = false;
    err = err ? err : send(p, p->next);
    av_frame_unref(p->next);
    return err;
}

int rn_read_prepare_give(struct rn_read_prepare *p, AVFrame *frame,
                         const struct rn_read_origin *origin, bool *goes_by)
{
    int err = p->decided ? 0 : decide(p, frame);
    watch_matrix(p, frame);
    *goes_by = !p->active;
    if (err || !p->active)
        return err;
    struct rn_read_prepared *in = &p->inside[p->sent % RN_MAX_INSIDE];
    in->origin = *origin;
    in->duration = rn_io_duration(frame);
    if ((err = make_plain(p, frame)) != 0)
        return err;
    av_frame_move_ref(p->next, frame);
    p->waiting = true;
    const AVFrame *a = p->next, *b = p->like;
    if (!p->graph.graph ||
        (a->width == b->width && a->height == b->height && a->format == b->format &&
         a->color_range == b->color_range && a->colorspace == b->colorspace))
        return send_next(p);
    p->draining = true; /* the pictures before this one come out of the graph first */
    return rn_io_graph_send(&p->graph, NULL);
}

int rn_read_prepare_end(struct rn_read_prepare *p)
{
    p->ended = true;
    return p->graph.graph ? rn_io_graph_send(&p->graph, NULL) : 0;
}

/* ---- pictures out */

/* What tells of places in the picture, or of what comes once for two of them. */
static void drop_side_data(const struct rn_read_prepare *p, AVFrame *frame, bool second)
{
    static const enum AVFrameSideDataType placed[] = {
        AV_FRAME_DATA_AFD,
        AV_FRAME_DATA_PANSCAN,
        AV_FRAME_DATA_STEREO3D,
        AV_FRAME_DATA_SPHERICAL,
    };
    for (size_t i = 0; rn_read_prepare_moves(p) && i < sizeof placed / sizeof placed[0]; i++)
        av_frame_remove_side_data(frame, placed[i]);
    if (p->turned)
        av_frame_remove_side_data(frame, AV_FRAME_DATA_DISPLAYMATRIX);
    if (!second)
        return;
    av_frame_remove_side_data(frame, AV_FRAME_DATA_A53_CC);
    av_frame_remove_side_data(frame, AV_FRAME_DATA_S12M_TIMECODE);
    frame->decode_error_flags = 0;
    frame->flags &= ~AV_FRAME_FLAG_CORRUPT;
}

/* The filters know of no time: pictures come in their order, two of each that is deinterlaced field
 * by field. The second one stands in the middle up to the next picture, but no further away than
 * its own picture lasts: behind it may be a gap. */
static void set_graph_times(const struct rn_read_prepare *p, AVFrame *frame, bool second)
{
    const struct rn_read_prepared *in = &p->inside[p->first % RN_MAX_INSIDE];
    const struct rn_read_prepared *next = &p->inside[(p->first + 1) % RN_MAX_INSIDE];
    bool known = p->first + 1 < p->sent || p->waiting;
    int64_t step = known ? next->origin.pts - in->origin.pts : in->duration;
    if (2 * step > 3 * in->duration)
        step = in->duration;
    bool fields = p->setup.geometry->deinterlace == RN_DEINTERLACE_FIELD;
    bool both = fields && deinterlaces(p, in->interlaced);
    frame->pts = (fields ? 2 : 1) * in->origin.pts + (second ? step : 0);
    rn_io_set_duration(frame, both ? step : (fields ? 2 : 1) * in->duration);
}

/* Unspecified if FFmpeg has no name for it. */
static enum AVChromaLocation turn_chroma(const struct rn_pix_orient *o, enum AVChromaLocation from)
{
    if (from == AVCHROMA_LOC_CENTER || rn_pix_orient_is_upright(o))
        return from;
    if (from != AVCHROMA_LOC_LEFT || o->xx < 0)
        return AVCHROMA_LOC_UNSPECIFIED;
    return o->xx > 0 ? from : o->xy > 0 ? AVCHROMA_LOC_TOP : AVCHROMA_LOC_BOTTOM;
}

static void describe(struct rn_read_prepare *p, AVFrame *frame, bool second)
{
    const struct rn_read_prepared *in = &p->inside[p->first % RN_MAX_INSIDE];
    bool top = rn_io_top_field_first(frame);
    p->out_w = frame->width;
    p->out_h = frame->height;
    frame->color_range = in->range;
    frame->color_primaries = in->primaries;
    frame->color_trc = in->transfer;
    frame->colorspace = in->space;
    frame->chroma_location = turn_chroma(&p->turn, in->chroma);
    frame->sample_aspect_ratio = rn_read_prepare_aspect(p, in->aspect);
    if (deinterlaces(p, in->interlaced)) {
        p->deinterlaced = true;
        rn_io_set_fields(frame, false, false);
        frame->repeat_pict = 0;
    } else if (in->interlaced) {
        bool flip = p->turn.yy < 0 && p->like->height % 2 == 0;
        rn_io_set_fields(frame, !in->fields_lost, !in->fields_lost && top != flip);
    }
    drop_side_data(p, frame, second);
    set_graph_times(p, frame, second);
}

int rn_read_prepare_take(struct rn_read_prepare *p, AVFrame *frame, struct rn_read_origin *origin)
{
    if (!p->active || !p->graph.graph)
        return RN_END;
    int err = rn_io_graph_receive(&p->graph, frame);
    if (err == RN_END && p->draining) {
        rn_io_graph_close(&p->graph);
        p->first = p->sent - 1;
        p->begun = true;
        err = send_next(p);
        err = err ? err : rn_io_graph_receive(&p->graph, frame);
    }
    if (err)
        return err;
    int64_t next = p->first + p->begun; /* the first result of another one? */
    bool second = next >= p->sent || frame->pts < 2 * next;
    p->first = second ? p->first : next;
    p->begun = true;
    describe(p, frame, second);
    *origin = p->inside[p->first % RN_MAX_INSIDE].origin;
    origin->second = second;
    origin->behind = second ? 0 : origin->behind;
    return 0;
}

void rn_read_prepare_conclude(const struct rn_read_prepare *p)
{
    const char *mode = p->setup.geometry->deinterlace == RN_DEINTERLACE_FIELD ? "field" : "frame";
    if (p->active && p->setup.geometry->deinterlace != RN_DEINTERLACE_NONE && !p->deinterlaced)
        rn_log(RN_LOG_WARNING,
               "'%s': no frame is flagged as interlaced, so --deinterlace %s did nothing; %s:all "
               "takes all frames",
               p->setup.input, mode, mode);
}

/* ---- the stream's properties */

/* As vf_transpose and vf_scale do. */
AVRational rn_read_prepare_aspect(const struct rn_read_prepare *p, AVRational aspect)
{
    if (!p->active || aspect.num <= 0 || aspect.den <= 0)
        return aspect;
    if (rn_pix_orient_is_quarter(&p->turn))
        aspect = av_inv_q(aspect);
    AVRational stretch;
    av_reduce(&stretch.num, &stretch.den, (int64_t)p->out_h * p->in_w, (int64_t)p->out_w * p->in_h,
              INT32_MAX);
    return av_mul_q(aspect, stretch);
}

enum AVFieldOrder rn_read_prepare_fields(const struct rn_read_prepare *p, enum AVFieldOrder order)
{
    if (!p->active)
        return order;
    if (deinterlaces(p, true) || p->fields_lost || rn_pix_orient_is_quarter(&p->turn))
        return AV_FIELD_PROGRESSIVE;
    bool flip = p->turn.yy < 0 && order != AV_FIELD_PROGRESSIVE;
    return flip ? AV_FIELD_UNKNOWN : order; /* as the pictures are flagged */
}

void rn_read_prepare_place(const struct rn_read_prepare *p, struct rn_vol *v)
{
    if (!p->active)
        return;
    const struct rn_pix_orient *o = &p->turn;
    const double scale[2] = {(double)p->in_w / p->out_w, (double)p->in_h / p->out_h};
    const double x = p->crop_x + (scale[0] - 1) / 2 - /* the middle of the first pixel */
                     (o->xx < 0 ? v->w - 1 : 0) - (o->yx < 0 ? v->h - 1 : 0);
    const double y =
        p->crop_y + (scale[1] - 1) / 2 - (o->xy < 0 ? v->w - 1 : 0) - (o->yy < 0 ? v->h - 1 : 0);
    const double first[2] = {o->xx * x + o->xy * y, o->yx * x + o->yy * y};
    const double right[2] = {o->xx * scale[0], o->yx * scale[0]};
    const double down[2] = {o->xy * scale[1], o->yy * scale[1]};
    rn_vol_regrid(v, p->out_w, p->out_h, first, right, down);
    v->changed |= (p->setup.geometry->crop.w ? RN_CHANGED_CROP : 0) |
                  (rn_pix_orient_is_upright(o) ? 0 : RN_CHANGED_TURN) |
                  (p->setup.geometry->scale.w ? RN_CHANGED_SCALE : 0);
}
