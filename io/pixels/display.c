#include "io/pixels/display.h"

#include "filters/base/err.h"
#include "filters/base/log.h"
#include "io/pixels/convert.h"
#include "io/pixels/pixfmt.h"

#include <math.h>
#include <libavutil/mem.h>

/* Packed pixels for swscale, B G R and a byte that nobody looks at. */
#define SCREEN_FORMAT AV_PIX_FMT_BGR0

struct rn_display {
    struct rn_geom geom;
    struct SwsContext *sws; /* NULL: shown as it is, or as gray */
    AVFrame *tmp;           /* swscale may read past the visible width */
    int widen;              /* bits: libav has no format of the pictures' depth */
    uint8_t *gray;          /* sample -> level, for pictures of one colour */
    float low, high;        /* signed samples and floats that are black and white */
    uint8_t *pixels;
    int stride;
};

static bool is_plain(const struct rn_format *fmt)
{
    return fmt->model == RN_YUV && fmt->depth == 8 && fmt->sub_x == 1 && fmt->sub_y == 1;
}

/* Levels of all samples. Studio range is stretched, rounding to the nearest. */
static int make_levels(struct rn_display *d)
{
    int max = rn_format_max(&d->geom.fmt), shift = d->geom.fmt.depth - 8;
    int black = d->geom.full_range ? 0 : 16 << shift;
    int white = d->geom.full_range ? max : 235 << shift;
    d->gray = av_malloc((size_t)max + 1);
    if (!d->gray)
        return rn_fail_memory();
    for (int v = 0; v <= max; v++) {
        int64_t level = v <= black ? 0
                                   : ((int64_t)(v - black) * 255 * 2 + (white - black)) /
                                         (2 * (int64_t)(white - black));
        d->gray[v] = (uint8_t)(level > 255 ? 255 : level);
    }
    return 0;
}

/* Signed samples and floats: from black to white, what is not a number black. */
static void show_numbers(const struct rn_display *d, const struct rn_image *img)
{
    static const int plane_of[] = {1, 0, 2}; /* B G R of our G B R */
    const struct rn_format *fmt = &d->geom.fmt;
    float black = d->low, unit = 255 / (d->high - d->low);
    for (int c = 0; c < 3; c++) {
        const struct rn_plane *plane = &img->plane[fmt->model == RN_GRAY ? 0 : plane_of[c]];
        for (int y = 0; y < plane->h; y++) {
            const void *row = plane->data + y * plane->stride;
            uint8_t *to = d->pixels + (ptrdiff_t)y * d->stride + c;
            for (int x = 0; x < plane->w; x++, to += 4) {
                float v = fmt->number == RN_NUMBER_FLOAT ? ((const float *)row)[x]
                                                         : (float)((const int16_t *)row)[x];
                v = (v - black) * unit;
                *to = (uint8_t)(v >= 255 ? 255 : v > 0 ? rintf(v) : 0);
            }
        }
    }
}

void rn_display_window(struct rn_display *d, double low, double high)
{
    if ((float)low == d->low && (float)high == d->high)
        return;
    d->low = (float)low;
    d->high = (float)high;
    for (int v = 0; d->gray && v <= rn_format_max(&d->geom.fmt); v++) {
        double level = 255 * ((double)v - low) / (high - low);
        d->gray[v] = (uint8_t)(level >= 255 ? 255 : level > 0 ? lrint(level) : 0);
    }
}

static int open_scaler(struct rn_display *d)
{
    struct rn_format f = d->geom.fmt;
    f.alpha = false; /* the planes in front of it are the same without */
    while (f.depth < 16 && rn_format_to_av(&f) == AV_PIX_FMT_NONE)
        f.depth++;
    d->widen = f.depth - d->geom.fmt.depth;
    struct rn_sws_side from = {rn_format_to_av(&f), d->geom.full_range, d->geom.matrix};
    struct rn_sws_side to = {SCREEN_FORMAT, true, RN_BT601};
    if (from.fmt != AV_PIX_FMT_NONE)
        d->sws = rn_sws_open(d->geom.w, d->geom.h, &from, &to);
    char name[24];
    if (!d->sws)
        return rn_fail(RN_EINTERNAL, "%s pictures of %dx%d cannot be converted for the screen",
                       rn_format_name(&d->geom.fmt, name), d->geom.w, d->geom.h);
    return rn_frame_buffer(&d->tmp, from.fmt, d->geom.w, d->geom.h);
}

int rn_display_create(struct rn_display **display, const struct rn_geom *geom)
{
    struct rn_display *d = av_mallocz(sizeof *d);
    if (!d)
        return rn_fail_memory();
    d->geom = *geom;
    d->low = rn_geom_black(geom);
    d->high = rn_geom_white(geom);
    int err = 0;
    if (!is_plain(&geom->fmt)) {
        d->stride = (4 * geom->w + 63) / 64 * 64;
        /* swscale may write a little past the last row */
        d->pixels = av_mallocz((size_t)d->stride * (size_t)geom->h + 64);
        if (!d->pixels)
            err = rn_fail_memory();
        else if (geom->fmt.number == RN_NUMBER_UNSIGNED)
            err = geom->fmt.model == RN_GRAY ? make_levels(d) : open_scaler(d);
    }
    if (err)
        rn_display_destroy(&d);
    else
        *display = d;
    return err;
}

void rn_display_destroy(struct rn_display **display)
{
    struct rn_display *d = *display;
    if (!d)
        return;
    sws_freeContext(d->sws);
    av_frame_free(&d->tmp);
    av_free(d->gray);
    av_free(d->pixels);
    av_free(d);
    *display = NULL;
}

static void show_gray(const struct rn_display *d, const struct rn_plane *plane)
{
    bool wide = rn_format_bytes(&d->geom.fmt) > 1;
    int max = rn_format_max(&d->geom.fmt);
    for (int y = 0; y < plane->h; y++) {
        const uint8_t *row = plane->data + y * plane->stride;
        const uint16_t *deep = (const uint16_t *)(const void *)row;
        uint8_t *to = d->pixels + (ptrdiff_t)y * d->stride;
        for (int x = 0; x < plane->w; x++, to += 4) {
            int v = wide ? deep[x] : row[x];
            to[0] = to[1] = to[2] = d->gray[v > max ? max : v];
        }
    }
}

static void copy_plane(const struct rn_display *d, const struct rn_plane *from, struct rn_plane *to)
{
    if (!d->widen) {
        rn_plane_copy(from, to, rn_format_bytes(&d->geom.fmt));
        return;
    }
    int up = d->widen, down = d->geom.fmt.depth - up;
    for (int y = 0; y < from->h; y++) {
        for (int x = 0; x < from->w; x++) {
            int v = rn_plane_get(from, 2, x, y);
            rn_plane_put(to, 2, x, y, d->geom.full_range ? v << up | v >> down : v << up);
        }
    }
}

static int show_scaled(const struct rn_display *d, const struct rn_image *img)
{
    const AVFrame *tmp = d->tmp;
    for (int p = 0; p < 3; p++) {
        const struct rn_plane *from = &img->plane[p];
        copy_plane(d, from, &(struct rn_plane){tmp->data[p], tmp->linesize[p], from->w, from->h});
    }
    uint8_t *to[4] = {d->pixels};
    int to_stride[4] = {d->stride};
    return sws_scale(d->sws, (const uint8_t *const *)tmp->data, tmp->linesize, 0, d->geom.h, to,
                     to_stride) == d->geom.h
               ? 0
               : rn_fail(RN_EINTERNAL, "swscale failed on a picture for the screen");
}

int rn_display_show(struct rn_display *d, const struct rn_image *img, struct rn_screen *screen)
{
    *screen = (struct rn_screen){
        .kind = RN_SCREEN_BGRX,
        .w = d->geom.w,
        .h = d->geom.h,
        .matrix = d->geom.matrix,
        .full_range = true,
    };
    if (is_plain(&d->geom.fmt)) {
        screen->kind = RN_SCREEN_YUV420;
        screen->full_range = d->geom.full_range;
        for (int p = 0; p < 3; p++) {
            screen->data[p] = img->plane[p].data;
            screen->stride[p] = (int)img->plane[p].stride;
        }
        return 0;
    }
    screen->data[0] = d->pixels;
    screen->stride[0] = d->stride;
    if (d->geom.fmt.number != RN_NUMBER_UNSIGNED) {
        show_numbers(d, img);
        return 0;
    }
    if (d->geom.fmt.model != RN_GRAY)
        return show_scaled(d, img);
    show_gray(d, &img->plane[0]);
    return 0;
}
