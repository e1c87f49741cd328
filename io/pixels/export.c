/* SPDX-License-Identifier: MIT */
#include "io/pixels/convert.h"

#include "filters/base/log.h"
#include "filters/base/sample.h"
#include "filters/base/text/words.h"
#include "io/common/av.h"
#include "io/pixels/pixfmt.h"

#include <assert.h>

#include <libavcodec/avcodec.h>
#include <libavutil/imgutils.h>

#define MAX_FORMATS 512 /* of libav's */

struct rn_pix_export {
    struct rn_format source_format; /* of the images */
    struct rn_geom geom;            /* of the images, or of levels, which become fmt */
    enum AVPixelFormat fmt;
    const AVPixFmtDescriptor *desc;
    bool full_range; /* of the frames */
    enum rn_colour_matrix matrix;
    enum rn_pix_convert_how how;
    uint16_t *row, *opaque;       /* RN_LINES: one row of samples; one of the largest value */
    struct rn_pix_rgb rgb;        /* RN_TO_RGB, whose rows are three */
    struct SwsContext *sws;       /* RN_SCALE */
    struct SwsContext *sws_field; /* for one field; NULL: pictures are converted as a whole */
    AVFrame *tmp;                 /* RN_SCALE: swscale may read past the visible width */
    AVBufferPool *pool;
    size_t size;
    struct rn_image levels; /* made of signed samples or floats */
    /* Gets alpha_loss with the first transparent picture; NULL: no loss, or reported. */
    struct rn_losses *losses;
    char alpha_loss[128];
};

/* Can av_write_image_line2 write frames of desc? Only if all components are integers of one depth.
 */
static bool has_lines(const AVPixFmtDescriptor *desc)
{
    uint64_t bad = AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BITSTREAM | AV_PIX_FMT_FLAG_HWACCEL |
                   AV_PIX_FMT_FLAG_FLOAT | AV_PIX_FMT_FLAG_BAYER;
    for (int c = 0; c < desc->nb_components; c++)
        if (desc->comp[c].depth != desc->comp[0].depth)
            return false;
    return !(desc->flags & bad) && !strstr(desc->name, "xyz") && desc->comp[0].depth <= 16;
}

/* Can fmt take our planes component by component, with values kept or only shifted up? */
static bool fits_lines(const struct rn_geom *geom, enum AVPixelFormat fmt)
{
    const struct rn_format *own = &geom->fmt;
    const AVPixFmtDescriptor *desc = av_pix_fmt_desc_get(fmt);
    bool rgb = desc->flags & AV_PIX_FMT_FLAG_RGB, alpha = desc->flags & AV_PIX_FMT_FLAG_ALPHA;
    if (rgb != (own->model == RN_RGB) || rn_pix_pixfmt_is_gray(desc) != (own->model == RN_GRAY))
        return false;
    if (own->model == RN_YUV &&
        (desc->log2_chroma_w != own->sub_x || desc->log2_chroma_h != own->sub_y))
        return false;
    return has_lines(desc) && desc->comp[0].depth >= own->depth && (alpha || !own->alpha);
}

static bool is_plain_number(const struct rn_geom *geom)
{
    return geom->fmt.number == RN_NUMBER_UNSIGNED;
}

/* The smaller the better; -1: only swscale can do it. */
static int export_cost(const struct rn_geom *geom, enum AVPixelFormat fmt)
{
    bool full = geom->full_range;
    enum AVPixelFormat plain = rn_pix_pixfmt_plain(fmt, &full);
    if (!is_plain_number(geom))
        return plain == rn_pix_format_to_av(&geom->fmt) ? 0 : -1;
    if (full != geom->full_range || !fits_lines(geom, plain))
        return -1;
    if (plain == rn_pix_format_to_av(&geom->fmt))
        return plain != fmt; /* the ordinary name first */
    const AVPixFmtDescriptor *desc = av_pix_fmt_desc_get(plain);
    bool alpha = desc->flags & AV_PIX_FMT_FLAG_ALPHA;
    return 2 + 4 * (desc->comp[0].depth - geom->fmt.depth) + 2 * (alpha && !geom->fmt.alpha);
}

/* The nearest libav format, for comparing with others. */
static enum AVPixelFormat nearest_av(const struct rn_format *fmt)
{
    struct rn_format f = *fmt;
    while (f.depth < 16 && rn_pix_format_to_av(&f) == AV_PIX_FMT_NONE)
        f.depth++;
    return rn_pix_format_to_av(&f);
}

enum AVPixelFormat rn_pix_export_choose(const struct rn_geom *geom, const enum AVPixelFormat *list)
{
    if (!list) {
        enum AVPixelFormat own = rn_pix_format_to_av(&geom->fmt);
        return own != AV_PIX_FMT_NONE || !is_plain_number(geom) ? own : nearest_av(&geom->fmt);
    }
    enum AVPixelFormat best = AV_PIX_FMT_NONE;
    int best_cost = -1;
    for (int i = 0; list[i] != AV_PIX_FMT_NONE; i++) {
        int cost = export_cost(geom, list[i]);
        if (cost >= 0 && (best_cost < 0 || cost < best_cost)) {
            best = list[i];
            best_cost = cost;
        }
    }
    if (best != AV_PIX_FMT_NONE || !is_plain_number(geom))
        return best;
    return avcodec_find_best_pix_fmt_of_list(list, nearest_av(&geom->fmt), geom->fmt.alpha, NULL);
}

int rn_pix_export_refuse(const struct rn_geom *geom, const char *who)
{
    char name[24];
    if (is_plain_number(geom))
        return rn_fail(RN_EUSAGE, "%s cannot take these pictures", who);
    return rn_fail(RN_EUSAGE,
                   "%s takes no %s samples (%s): .tif, .nii, .nrrd, .mha and .npy keep them; "
                   "--pix-fmt or the filter format= convert them",
                   who, geom->fmt.number == RN_NUMBER_SIGNED ? "signed" : "floating-point",
                   rn_format_name(&geom->fmt, name));
}

static const char *name_formats(const enum AVPixelFormat *list, char *text, size_t size)
{
    *text = '\0';
    for (; *list != AV_PIX_FMT_NONE; list++) {
        const char *name = av_get_pix_fmt_name(*list);
        if (strlen(text) + strlen(name) + 6 > size) {
            av_strlcat(text, " ...", size);
            break;
        }
        av_strlcatf(text, size, "%s%s", *text ? " " : "", name);
    }
    return text;
}

/* list NULL: all formats are valid. */
static int refuse_unknown(const char *name, const enum AVPixelFormat *list, const char *who)
{
    const char *names[MAX_FORMATS + 1];
    int n = 0;
    for (; list && n < MAX_FORMATS && list[n] != AV_PIX_FMT_NONE; n++)
        names[n] = av_get_pix_fmt_name(list[n]);
    const AVPixFmtDescriptor *desc = NULL;
    while (!list && n < MAX_FORMATS && (desc = av_pix_fmt_desc_next(desc)))
        names[n++] = desc->name;
    names[n] = NULL;
    const char *near = rn_nearest(name, names);
    char valid[300], meant[80] = "";
    if (near)
        snprintf(meant, sizeof meant, " (did you mean '%s'?)", near);
    return list ? rn_fail(RN_EUSAGE, "no pixel format is named '%.64s'%s; %s takes %s", name, meant,
                          who, name_formats(list, valid, sizeof valid))
                : rn_fail(RN_EUSAGE,
                          "no pixel format is named '%.64s'%s; \"ffmpeg -pix_fmts\" lists them",
                          name, meant);
}

int rn_pix_export_find(const char *name, const enum AVPixelFormat *list, const char *who,
                       enum AVPixelFormat *fmt)
{
    char valid[300];
    int i = 0;
    *fmt = av_get_pix_fmt(name);
    if (*fmt == AV_PIX_FMT_NONE)
        return refuse_unknown(name, list, who);
    while (list && list[i] != AV_PIX_FMT_NONE && list[i] != *fmt)
        i++;
    return !list || list[i] == *fmt ? 0
                                    : rn_fail(RN_EUSAGE, "%s cannot take %s; it takes %s", who,
                                              name, name_formats(list, valid, sizeof valid));
}

static int export_lines(struct rn_pix_export *exp)
{
    size_t w = (size_t)exp->geom.w;
    exp->row = av_malloc_array(3 * w, sizeof *exp->row);
    exp->opaque = av_malloc_array(w, sizeof *exp->opaque);
    if (!exp->row || !exp->opaque)
        return rn_fail_memory();
    for (size_t x = 0; x < w; x++)
        exp->opaque[x] = (uint16_t)((1u << exp->desc->comp[0].depth) - 1);
    return 0;
}

/* swscale starts from a libav format: planes of a depth that libav lacks are widened on the way. */
static int export_scale(struct rn_pix_export *exp, bool full_range)
{
    if (exp->geom.fmt.model == RN_GRAY)
        exp->geom.fmt.alpha = false; /* packed in libav, and swscale drops it anyway */
    const struct rn_geom *g = &exp->geom;
    struct rn_pix_sws_side from = {nearest_av(&g->fmt), g->full_range, g->matrix};
    struct rn_pix_sws_side to = {rn_pix_pixfmt_plain(exp->fmt, NULL), full_range, exp->matrix};
    const AVPixFmtDescriptor *in = av_pix_fmt_desc_get(from.fmt),
                             *out = av_pix_fmt_desc_get(to.fmt);
    bool halves = in && in->log2_chroma_h != out->log2_chroma_h && g->h % 4 == 0;
    if (in)
        exp->sws = rn_pix_sws_open(g->w, g->h, &from, &to);
    if (halves)
        exp->sws_field = rn_pix_sws_open(g->w, g->h / 2, &from, &to);
    char name[24];
    if (!exp->sws || (halves && !exp->sws_field))
        return rn_fail(RN_EUSAGE, "pictures in %s cannot be converted to %s",
                       rn_format_name(&g->fmt, name), exp->desc->name);
    return rn_pix_frame_buffer(&exp->tmp, from.fmt, g->w, g->h);
}

/* Fills exp->levels from black to white of img; NaN is black. */
static void make_levels(struct rn_pix_export *exp, const struct rn_image *img)
{
    int bytes = rn_format_bytes(&exp->geom.fmt);
    enum rn_sample sample = rn_format_sample(&img->geom.fmt);
    double black = (double)rn_geom_black(&img->geom), max = rn_format_max(&exp->geom.fmt);
    double unit = max / ((double)rn_geom_white(&img->geom) - black);
    for (int p = 0; p < rn_format_planes(&exp->geom.fmt); p++) {
        const struct rn_plane *from = &img->plane[p];
        for (int y = 0; y < from->h; y++) {
            for (int x = 0; x < from->w; x++) {
                double v = rint(((double)rn_sample_get(from, sample, x, y) - black) * unit);
                rn_plane_put(&exp->levels.plane[p], bytes, x, y, (int)(v > 0 ? fmin(v, max) : 0));
            }
        }
    }
}

/* Are floats written unchanged, not as levels? */
static bool is_native(const struct rn_geom *geom, enum AVPixelFormat fmt)
{
    return geom->fmt.number == RN_NUMBER_FLOAT && fmt == rn_pix_format_to_av(&geom->fmt);
}

int rn_pix_export_create(struct rn_pix_export **out, const struct rn_geom *geom,
                         enum AVPixelFormat fmt, bool full_range, enum rn_colour_matrix matrix,
                         enum AVChromaLocation chroma)
{
    RN_OWNED(rn_pix_export_destroy) struct rn_pix_export *exp = av_mallocz(sizeof *exp);
    if (!exp)
        return rn_fail_memory();
    exp->source_format = geom->fmt;
    exp->geom = *geom;
    exp->fmt = fmt;
    exp->full_range = full_range;
    exp->matrix = matrix;
    exp->desc = av_pix_fmt_desc_get(fmt);
    int err = 0;
    if (!is_plain_number(geom) && !is_native(geom, fmt)) { /* by way of unsigned levels */
        exp->geom.fmt.number = RN_NUMBER_UNSIGNED;
        exp->geom.fmt.depth = exp->desc->comp[0].depth > 8 ? 16 : 8;
        if ((err = rn_image_alloc(&exp->levels, &exp->geom)) != 0)
            return err;
    }
    geom = &exp->geom;
    bool same_range = full_range == geom->full_range || geom->fmt.model == RN_RGB;
    bool same_matrix = matrix == geom->matrix || geom->fmt.model != RN_YUV;
    exp->how = same_range && same_matrix && fits_lines(geom, fmt) ? RN_LINES : RN_SCALE;
    bool is_converted = geom->fmt.model == RN_YUV && is_plain_number(geom) && !geom->fmt.alpha &&
                        exp->desc->flags & AV_PIX_FMT_FLAG_RGB && exp->desc->nb_components >= 3 &&
                        exp->desc->comp[0].depth >= 8 && has_lines(exp->desc); /* by rgb.h */
    if (is_native(geom, fmt))
        exp->how = RN_COPY;
    else if (exp->how == RN_SCALE && is_converted)
        exp->how = RN_TO_RGB;
    else if (exp->how == RN_LINES &&
             rn_pix_pixfmt_plain(fmt, NULL) == rn_pix_format_to_av(&geom->fmt) &&
             !(geom->fmt.model == RN_GRAY && geom->fmt.alpha))
        exp->how = RN_COPY;
    rn_pix_rgb_init(&exp->rgb, geom, rn_pix_siting_of(chroma));
    if (exp->how == RN_SCALE)
        err = export_scale(exp, full_range);
    else if (exp->how != RN_COPY)
        err = export_lines(exp);
    int size = err ? 0 : av_image_get_buffer_size(fmt, geom->w, geom->h, 64);
    if (size < 0)
        err = rn_fail(RN_EUSAGE, "pictures of %dx%d are too large", geom->w, geom->h);
    exp->size = (size_t)size + 64; /* encoders may read a little past the end */
    if (!err && !(exp->pool = av_buffer_pool_init(exp->size, NULL)))
        err = rn_fail_memory();
    if (!err)
        *out = rn_take_owned(&exp);
    return err;
}

bool rn_pix_export_uses_matrix(const struct rn_pix_export *exp)
{
    bool rgb = exp->desc->flags & (AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL);
    return exp->source_format.model == RN_YUV && (rgb || exp->matrix != exp->geom.matrix);
}

void rn_pix_export_destroy(struct rn_pix_export **exp)
{
    if (!*exp)
        return;
    av_freep(&(*exp)->row);
    av_freep(&(*exp)->opaque);
    sws_freeContext((*exp)->sws);
    sws_freeContext((*exp)->sws_field);
    av_frame_free(&(*exp)->tmp);
    rn_image_free(&(*exp)->levels);
    av_buffer_pool_uninit(&(*exp)->pool); /* frames that still live keep it */
    av_freep(exp);
}

/* The kind of loss: "alpha", or "format" for bits, colours or chroma samples. NULL: the encoder's
 * format holds everything. Y'CbCr of full chroma holds RGB but for rounding. */
static const char *loss_kind(const struct rn_pix_export *exp, bool opaque)
{
    const struct rn_format *from = &exp->source_format;
    const AVPixFmtDescriptor *to = exp->desc;
    bool coloured = from->model != RN_GRAY, gray = to->nb_components < 3;
    if (from->alpha && !opaque && !(to->flags & AV_PIX_FMT_FLAG_ALPHA))
        return "alpha";
    bool coarse = coloured && (to->log2_chroma_w > from->sub_x || to->log2_chroma_h > from->sub_y);
    if (to->comp[0].depth < from->depth || (coloured && gray) || coarse ||
        to->flags & AV_PIX_FMT_FLAG_PAL)
        return "format";
    return NULL;
}

void rn_pix_export_announce(struct rn_pix_export *exp, const char *who, const char *why,
                            bool opaque, struct rn_losses *losses)
{
    char name[24];
    bool converts = exp->how == RN_SCALE || exp->how == RN_TO_RGB;
    int depth = exp->desc->comp[0].depth;
    rn_format_name(&exp->source_format, name);
    if (opaque && exp->source_format.alpha && !(exp->desc->flags & AV_PIX_FMT_FLAG_ALPHA)) {
        exp->losses = losses;
        snprintf(exp->alpha_loss, sizeof exp->alpha_loss,
                 "%s takes no %s: pictures are converted to %s", who, name, exp->desc->name);
    }
    bool range_only = !strcmp(name, exp->desc->name);
    bool narrowed = exp->geom.fmt.model == RN_YUV && exp->geom.full_range && !exp->full_range;
    const char *kind = loss_kind(exp, opaque);
    bool matrix_only = range_only && exp->geom.full_range == exp->full_range;
    if (converts && matrix_only && exp->geom.fmt.model == RN_YUV)
        return; /* nothing visible changes */
    if (narrowed && !kind && depth <= exp->source_format.depth)
        kind = "range";
    bool lossy = kind && losses, range_wide = range_only && !lossy && !narrowed;
    char text[256];
    snprintf(text, sizeof text, "%s takes no %s%s%s: pictures are converted to %s%s", who,
             narrowed     ? "full-range "
             : range_wide ? "limited-range "
                          : "",
             name, why, narrowed ? "limited-range " : "",
             range_wide ? "full range" : exp->desc->name);
    if (converts && lossy)
        rn_losses_add(losses, kind, "%s", text);
    else if (converts)
        rn_log(RN_LOG_INFO, "%s", text);
    else if (depth > exp->source_format.depth)
        rn_log(RN_LOG_INFO, "%s takes no %s: samples are widened to %d bits (%s)", who, name, depth,
               exp->desc->name);
}

/* Widens samples of plane p to `depth` bits: shifts limited range (16 of 8 bits is 64 of 10), and
 * repeats the bits of full range and of alpha, so that white stays white. */
static void widen(const struct rn_geom *geom, int p, int depth, const uint8_t *row, uint16_t *out,
                  int w)
{
    int d = geom->fmt.depth, up = depth - d, down = d - up;
    bool is_alpha = geom->fmt.alpha && p == rn_format_planes(&geom->fmt) - 1;
    bool full = geom->full_range || geom->fmt.model == RN_RGB || is_alpha;
    const uint16_t *row16 = (const uint16_t *)(const void *)row;
    for (int x = 0; x < w; x++) {
        unsigned v = d == 8 ? row[x] : row16[x];
        out[x] = (uint16_t)(!up ? v : full ? v << up | v >> down : v << up);
    }
}

static void write_lines(struct rn_pix_export *exp, const struct rn_image *img, AVFrame *frame)
{
    const struct rn_format *fmt = &exp->geom.fmt;
    int depth = exp->desc->comp[0].depth;
    for (int p = 0; p < rn_format_planes(fmt); p++) {
        const struct rn_plane *plane = &img->plane[p];
        for (int y = 0; y < plane->h; y++) {
            widen(&exp->geom, p, depth, plane->data + y * plane->stride, exp->row, plane->w);
            av_write_image_line2(exp->row, frame->data, frame->linesize, exp->desc, 0, y,
                                 rn_pix_pixfmt_component(fmt, p), plane->w, 2);
        }
    }
}

/* Converts Y'CbCr to R'G'B', rounded to the depth of the frame. */
static void write_rgb(struct rn_pix_export *exp, const struct rn_image *img, bool by_field,
                      AVFrame *frame)
{
    float v[3][RN_RGB_BLOCK], max = (float)((1 << exp->desc->comp[0].depth) - 1);
    int w = img->geom.w;
    for (int y = 0; y < img->geom.h; y++) {
        for (int x = 0; x < w; x += RN_RGB_BLOCK) {
            int n = w - x < RN_RGB_BLOCK ? w - x : RN_RGB_BLOCK;
            rn_pix_rgb_get(&exp->rgb, img, by_field, x, y, n, v);
            for (int c = 0; c < 3; c++) {
                uint16_t *to = exp->row + (ptrdiff_t)c * w + x;
                for (int i = 0; i < n; i++) {
                    float level = v[c][i] * (max / 255) + 0.5f;
                    level = level > 0 ? level : 0;
                    to[i] = (uint16_t)(level < max ? level : max);
                }
            }
        }
        for (int c = 0; c < 3; c++)
            av_write_image_line2(exp->row + (ptrdiff_t)c * w, frame->data, frame->linesize,
                                 exp->desc, 0, y, c, w, 2);
    }
}

/* Copies planes to a planar frame of the same layout whose depth may be larger. */
static void copy_out(const struct rn_geom *geom, const struct rn_image *img, AVFrame *frame)
{
    const AVPixFmtDescriptor *desc = av_pix_fmt_desc_get(frame->format);
    int depth = desc->comp[0].depth;
    for (int p = 0; p < rn_format_planes(&geom->fmt); p++) {
        const struct rn_plane *from = &img->plane[p];
        struct rn_plane to = {frame->data[p], frame->linesize[p], from->w, from->h};
        if (depth == geom->fmt.depth) {
            rn_plane_copy(from, &to, rn_format_bytes(&geom->fmt));
            continue;
        }
        for (int y = 0; y < to.h; y++)
            widen(geom, p, depth, from->data + y * from->stride,
                  (uint16_t *)(void *)(to.data + y * to.stride), to.w);
    }
}

/* Converts every step-th line from `first` on, as a picture of its own. */
static int scale_lines(struct SwsContext *sws, const AVFrame *from, AVFrame *to, int first,
                       int step)
{
    const uint8_t *data[4] = {NULL};
    uint8_t *out[4] = {NULL};
    int line[4] = {0}, out_line[4] = {0};
    for (int p = 0; p < 4; p++) {
        data[p] = from->data[p] ? from->data[p] + first * from->linesize[p] : NULL;
        out[p] = to->data[p] ? to->data[p] + first * to->linesize[p] : NULL;
        line[p] = step * from->linesize[p];
        out_line[p] = step * to->linesize[p];
    }
    return sws_scale(sws, data, line, 0, to->height / step, out, out_line);
}

/* Writes alpha once more: swscale shifts it up, so opaque pixels would become a bit transparent. */
static void widen_alpha(const struct rn_pix_export *exp, const struct rn_image *img, AVFrame *frame)
{
    const struct rn_geom *geom = &exp->geom;
    const AVComponentDescriptor *to = &exp->desc->comp[3];
    uint64_t needed = AV_PIX_FMT_FLAG_PLANAR | AV_PIX_FMT_FLAG_ALPHA;
    if (!geom->fmt.alpha || (exp->desc->flags & (needed | AV_PIX_FMT_FLAG_BE)) != needed ||
        exp->desc->nb_components != 4 || to->depth <= geom->fmt.depth)
        return;
    int p = rn_format_planes(&geom->fmt) - 1;
    const struct rn_plane *from = &img->plane[p];
    for (int y = 0; y < from->h; y++) {
        uint8_t *row = frame->data[to->plane] + y * frame->linesize[to->plane];
        widen(geom, p, to->depth, from->data + y * from->stride, (uint16_t *)(void *)row, from->w);
    }
}

static bool is_transparent(const struct rn_format *fmt, const struct rn_image *img)
{
    const struct rn_plane *p = &img->plane[rn_format_planes(fmt) - 1];
    unsigned max = (1u << fmt->depth) - 1;
    for (int y = 0; y < p->h; y++) {
        const uint8_t *row = p->data + y * p->stride;
        const uint16_t *row16 = (const uint16_t *)(const void *)row;
        for (int x = 0; x < p->w; x++)
            if ((fmt->depth == 8 ? row[x] : row16[x]) != max)
                return true;
    }
    return false;
}

int rn_pix_export(struct rn_pix_export *exp, const struct rn_image *img, bool by_field,
                  AVFrame *frame)
{
    assert(img->geom.w == exp->geom.w && img->geom.h == exp->geom.h);
    assert(!frame->buf[0]);
    if (exp->losses && is_transparent(&exp->source_format, img)) {
        rn_losses_add(exp->losses, "alpha", "%s", exp->alpha_loss);
        exp->losses = NULL;
    }
    if (exp->levels.plane[0].data) {
        make_levels(exp, img);
        img = &exp->levels;
    }
    frame->format = exp->fmt;
    frame->width = exp->geom.w;
    frame->height = exp->geom.h;
    frame->buf[0] = av_buffer_pool_get(exp->pool);
    if (!frame->buf[0] || av_image_fill_arrays(frame->data, frame->linesize, frame->buf[0]->data,
                                               exp->fmt, frame->width, frame->height, 64) < 0)
        return rn_fail_memory();
    frame->extended_data = frame->data;
    if (exp->how == RN_LINES || exp->how == RN_TO_RGB) {
        memset(frame->buf[0]->data, 0, exp->size); /* av_write_image_line2 ors bits in */
        if (exp->how == RN_TO_RGB)
            write_rgb(exp, img, by_field, frame);
        else
            write_lines(exp, img, frame);
        if (exp->desc->flags & AV_PIX_FMT_FLAG_ALPHA && !exp->geom.fmt.alpha)
            for (int y = 0; y < exp->geom.h; y++)
                av_write_image_line2(exp->opaque, frame->data, frame->linesize, exp->desc, 0, y,
                                     exp->desc->nb_components - 1, exp->geom.w, 2);
    } else if (exp->how == RN_COPY) {
        copy_out(&exp->geom, img, frame);
    } else {
        copy_out(&exp->geom, img, exp->tmp);
        bool halves = by_field && exp->sws_field;
        int ret = scale_lines(halves ? exp->sws_field : exp->sws, exp->tmp, frame, 0, 1 + halves);
        if (ret >= 0 && halves)
            ret = scale_lines(exp->sws_field, exp->tmp, frame, 1, 2);
        if (ret < 0)
            return rn_fail(RN_EINTERNAL, "swscale failed on the way to %s", exp->desc->name);
        widen_alpha(exp, img, frame);
    }
    return 0;
}
