/* SPDX-License-Identifier: MIT */
#include "io/pixels/display.h"

#include "filters/base/threads/thread.h"
#include "filters/base/log.h"
#include "filters/base/sample.h"
#include "filters/base/threads/workers.h"
#include "io/common/av.h"

#include <assert.h>

#include <libavutil/avconfig.h>

#define BLOCK         RN_RGB_BLOCK
#define MAX_BANDS     16
#define MAX_REDUCTION 16
#define MIN_BAND      (512 * 1024) /* pixels: less is not worth waking a thread */

/* Rows that one thread converts. */
struct band {
    const struct rn_pix_display *display;
    const struct rn_image *img;
    int from, to;
    struct rn_image *small; /* made of img; NULL: img is converted */
};

struct rn_pix_display {
    struct rn_geom geom;
    struct rn_pix_rgb rgb;
    struct rn_pix_tone *tone;  /* NULL: the screen has the same range and primaries */
    float threshold[8][BLOCK]; /* of a row of pixels: added before the fraction is dropped */
    bool by_field;
    enum rn_pix_lines_shown lines;
    uint8_t *pixels;
    int stride;
    uint8_t *turned; /* NULL: pixels are upright */
    int turned_stride;
    struct rn_workers *workers; /* NULL: one thread is enough */
    struct band band[MAX_BANDS];
    int nbands;
    struct rn_pix_viewing viewing;
    double window[2];
    int by;                       /* see rn_pix_display_reduce */
    struct rn_image means;        /* of as many samples of the picture */
    struct rn_pix_display *small; /* shows them; NULL: not yet */
};

static void convert_band(void *piece);

/* Bayer's matrix of 8 x 8: the bits of x ^ y and y, interleaved from the lowest on, so that
 * neighbours differ as much as they can. */
static int bayer(int x, int y)
{
    int v = 0;
    for (int bit = 0; bit < 3; bit++)
        v = v << 2 | ((x ^ y) >> bit & 1) << 1 | (y >> bit & 1);
    return v;
}

static int make_buffer(uint8_t **pixels, int *stride, int w, int h)
{
    *stride = (int)rn_row_stride(w, 4);
    *pixels = av_mallocz((size_t)*stride * (size_t)h);
    return *pixels ? 0 : rn_fail_memory();
}

int rn_pix_display_create(struct rn_pix_display **display, const struct rn_geom *geom,
                          const struct rn_pix_viewing *viewing)
{
    struct rn_pix_display *d = av_mallocz(sizeof *d);
    if (!d)
        return rn_fail_memory();
    d->geom = *geom;
    rn_pix_rgb_init(&d->rgb, geom, viewing->siting);
    d->viewing = *viewing;
    d->by = 1;
    rn_pix_rgb_whole(geom, d->window);
    *display = d;
    bool upright = rn_pix_orient_is_upright(&d->viewing.orient),
         quarter = rn_pix_orient_is_quarter(&d->viewing.orient);
    int err = make_buffer(&d->pixels, &d->stride, geom->w, geom->h);
    bool shown_as_is =
        viewing->transfer == RN_TRANSFER_SDR && viewing->primaries == RN_PRIMARIES_BT709;
    if (!err && !shown_as_is)
        err = rn_pix_tone_create(&d->tone, viewing->transfer, viewing->primaries, viewing->peak);
    if (!err && !upright)
        err = make_buffer(&d->turned, &d->turned_stride, quarter ? geom->h : geom->w,
                          quarter ? geom->w : geom->h);
    /* As many bands as cores, if each has enough to do. */
    int64_t most = (int64_t)geom->w * geom->h / MIN_BAND;
    most = most < MAX_BANDS ? most : MAX_BANDS;
    d->nbands = rn_cores() < most ? rn_cores() : most > 1 ? (int)most : 1;
    if (!err && d->nbands > 1 &&
        !(d->workers = rn_workers_create(d->nbands, d->nbands, convert_band)))
        err = rn_fail_memory();
    /* Deep samples lie between two levels. The nearer they are to the upper one, the more pixels
     * get it, so gradients have no steps. Samples that are levels do not change. */
    bool deep = geom->fmt.depth > 8 || viewing->transfer != RN_TRANSFER_SDR;
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < BLOCK; x++)
            d->threshold[y][x] = deep ? (2 * (float)bayer(x % 8, y) + 1) / 128 : 0.5f;
    if (err)
        rn_pix_display_destroy(display);
    return err;
}

int rn_pix_display_fit(struct rn_pix_display **display, const struct rn_geom *geom,
                       const struct rn_pix_viewing *viewing)
{
    if (*display && rn_geom_equal(&(*display)->geom, geom))
        return 0;
    rn_pix_display_destroy(display);
    return rn_pix_display_create(display, geom, viewing);
}

void rn_pix_display_destroy(struct rn_pix_display **display)
{
    struct rn_pix_display *d = rn_take_owned(display);
    if (!d)
        return;
    rn_workers_destroy(&d->workers);
    rn_pix_display_destroy(&d->small);
    rn_image_free(&d->means);
    av_free(d->tone);
    av_free(d->pixels);
    av_free(d->turned);
    av_free(d);
}

void rn_pix_display_window(struct rn_pix_display *d, double low, double high)
{
    rn_pix_rgb_window(&d->rgb, low, high);
    d->window[0] = low;
    d->window[1] = high;
}

void rn_pix_display_reduce(struct rn_pix_display *d, int by)
{
    d->by = by;
}

/* ---- fewer samples */

#define PIECE 64 /* samples at a time, in registers */

/* n is a constant in the usual call, so that the loop becomes vectors. */
static inline void add_row(const void *in, bool bytes, int n, uint32_t *sum)
{
    const uint8_t *u8 = in;
    const uint16_t *u16 = in;
    for (int i = 0; i < n && bytes; i++)
        sum[i] += u8[i];
    for (int i = 0; i < n && !bytes; i++)
        sum[i] += u16[i];
}

/* The means of `columns` sums, by of them at a time; the last one is of those that are left. */
static inline void take_means(const uint32_t *sum, int columns, int by, int rows, float out[PIECE])
{
    int whole = columns / by, left = columns % by;
    for (int i = 0; i < whole; i++) {
        uint32_t all = 0;
        for (int k = 0; k < by; k++)
            all += sum[i * by + k];
        out[i] = (float)all * (1.0f / (float)(by * rows)) + 0.5f;
    }
    uint32_t all = 0;
    for (int k = 0; k < left; k++)
        all += sum[whole * by + k];
    if (left)
        out[whole] = (float)all / (float)(left * rows) + 0.5f;
}

static void mean_row(const struct band *b, int p, int y)
{
    const struct rn_plane *from = &b->img->plane[p], *to = &b->small->plane[p];
    const int by = b->display->by, rows = from->h - y * by < by ? from->h - y * by : by;
    const bool bytes = b->img->geom.fmt.depth <= 8;
    float mean[PIECE] = {0};
    for (int x = 0; x < to->w; x += PIECE) {
        const int columns = from->w - x * by < PIECE * by ? from->w - x * by : PIECE * by;
        const uint8_t *in =
            from->data + y * by * from->stride + (ptrdiff_t)x * by * (bytes ? 1 : 2);
        uint32_t sum[PIECE * MAX_REDUCTION] = {0};
        for (int k = 0; k < rows; k++, in += from->stride) {
            int i = 0;
            for (; i + PIECE <= columns; i += PIECE)
                add_row(in + i * (bytes ? 1 : 2), bytes, PIECE, sum + i);
            add_row(in + i * (bytes ? 1 : 2), bytes, columns - i, sum + i);
        }
        if (by == 2)
            take_means(sum, columns, 2, rows, mean);
        else
            take_means(sum, columns, by, rows, mean);
        uint8_t *out = to->data + y * to->stride + (ptrdiff_t)x * (bytes ? 1 : 2);
        for (int i = 0; i < PIECE && x + i < to->w; i++)
            if (bytes)
                out[i] = (uint8_t)(int)mean[i];
            else
                ((uint16_t *)(void *)out)[i] = (uint16_t)(int)mean[i];
    }
}

/* Rounds to 8 bits, NaN to black, and packs as the bytes B G R 0. */
static void pack(float rgb[3][BLOCK], const float threshold[BLOCK], uint32_t out[BLOCK])
{
    int32_t level[3][BLOCK];
    for (int c = 0; c < 3; c++) {
        for (int i = 0; i < BLOCK; i++) {
            float l = rgb[c][i] + threshold[i];
            l = l > 0 ? l : 0;
            level[c][i] = (int32_t)(l < 255 ? l : 255);
        }
    }
    for (int i = 0; i < BLOCK; i++)
        out[i] =
            (uint32_t)(AV_HAVE_BIGENDIAN ? level[0][i] << 8 | level[1][i] << 16 | level[2][i] << 24
                                         : level[0][i] << 16 | level[1][i] << 8 | level[2][i]);
}

/* A block of row y as the screen shows it, not rounded. */
static void get_block(const struct band *b, int x, int y, int n, float rgb[3][BLOCK])
{
    const struct rn_pix_display *d = b->display;
    rn_pix_rgb_get(&d->rgb, b->img, d->by_field, x, y, n, rgb);
    if (d->tone)
        rn_pix_tone_map(d->tone, rgb);
}

/* The mean of the lines above and below, for lines of the field that is hidden. */
static void get_between(const struct band *b, int x, int y, int n, float rgb[3][BLOCK])
{
    float next[3][BLOCK];
    int h = b->display->geom.h, above = y > 0 ? y - 1 : y + 1, below = y + 1 < h ? y + 1 : y - 1;
    get_block(b, x, above < h ? above : y, n, rgb);
    get_block(b, x, below >= 0 ? below : y, n, next);
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < BLOCK; i++)
            rgb[c][i] = 0.5f * (rgb[c][i] + next[c][i]);
}

static void convert_band(void *piece)
{
    const struct band *b = piece;
    const struct rn_pix_display *d = b->display;
    float rgb[3][BLOCK];
    uint32_t packed[BLOCK];
    for (int p = 0; b->small && p < rn_format_planes(&b->img->geom.fmt); p++) {
        int64_t h = b->small->plane[p].h, lines = d->geom.h; /* as large a share of each plane */
        for (int64_t y = h * b->from / lines; y < h * b->to / lines; y++)
            mean_row(b, p, (int)y);
    }
    if (b->small)
        return;
    for (int y = b->from; y < b->to; y++) {
        uint8_t *to = d->pixels + (ptrdiff_t)y * d->stride;
        bool between = d->lines != RN_SHOW_ALL && (y & 1) != (d->lines == RN_SHOW_ODD);
        for (int x = 0; x < d->geom.w; x += BLOCK) {
            int n = d->geom.w - x < BLOCK ? d->geom.w - x : BLOCK;
            (between ? get_between : get_block)(b, x, y, n, rgb);
            pack(rgb, d->threshold[y % 8], packed);
            memcpy(to + (ptrdiff_t)x * 4, packed, (size_t)n * 4);
        }
    }
}

void rn_pix_display_fields(struct rn_pix_display *d, bool by_field, enum rn_pix_lines_shown lines)
{
    d->by_field = by_field;
    d->lines = lines;
}

/* Does the work of all bands: converts img, or makes a smaller picture of it. */
static void work(struct rn_pix_display *d, const struct rn_image *img, struct rn_image *small)
{
    for (int i = 0; i < d->nbands; i++) {
        int from = (int)((int64_t)d->geom.h * i / d->nbands);
        int to = (int)((int64_t)d->geom.h * (i + 1) / d->nbands);
        d->band[i] = (struct band){d, img, from, to, small};
        if (d->workers)
            rn_workers_push(d->workers, &d->band[i]);
        else
            convert_band(&d->band[i]);
    }
    while (d->workers && rn_workers_pop(d->workers, true))
        ;
}

/* Returns false where all samples must be shown, or memory is short. */
static bool show_reduced(struct rn_pix_display *d, const struct rn_image *img,
                         struct rn_screen *screen)
{
    enum rn_sample sample = rn_format_sample(&d->geom.fmt);
    struct rn_geom geom = d->geom;
    geom.w = (geom.w + d->by - 1) / d->by;
    geom.h = (geom.h + d->by - 1) / d->by;
    if (d->by < 2 || d->by > MAX_REDUCTION || d->by_field || d->lines != RN_SHOW_ALL ||
        (sample != RN_SAMPLE_U8 && sample != RN_SAMPLE_U16))
        return false;
    if (!rn_geom_equal(&d->means.geom, &geom)) {
        rn_pix_display_destroy(&d->small);
        rn_image_free(&d->means);
        if (rn_image_alloc(&d->means, &geom))
            return false;
    }
    if (rn_pix_display_fit(&d->small, &geom, &d->viewing))
        return false;
    work(d, img, &d->means);
    rn_pix_display_window(d->small, d->window[0], d->window[1]);
    rn_pix_display_show(d->small, &d->means, screen);
    bool quarter = rn_pix_orient_is_quarter(&d->viewing.orient);
    screen->whole_w = quarter ? d->geom.h : d->geom.w;
    screen->whole_h = quarter ? d->geom.w : d->geom.h;
    return true;
}

void rn_pix_display_show(struct rn_pix_display *d, const struct rn_image *img,
                         struct rn_screen *screen)
{
    assert(img->geom.w == d->geom.w && img->geom.h == d->geom.h);
    if (show_reduced(d, img, screen))
        return;
    *screen = (struct rn_screen){
        .w = d->geom.w, .h = d->geom.h, .pixels = d->pixels, .stride = d->stride};
    work(d, img, NULL);
    if (!d->turned)
        return;
    rn_pix_turn(&d->viewing.orient, d->pixels, d->stride, d->geom.w, d->geom.h, 4, d->turned,
                d->turned_stride);
    screen->pixels = d->turned;
    screen->stride = d->turned_stride;
    if (rn_pix_orient_is_quarter(&d->viewing.orient)) {
        screen->w = d->geom.h;
        screen->h = d->geom.w;
    }
}

#define MAX_SAMPLES 16384 /* of a plane, evenly spaced */
#define EXCLUDED    0.005 /* share of the samples at each end */

static int by_size(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

bool rn_pix_display_percentiles(const struct rn_image *img, double *low, double *high)
{
    const struct rn_format *fmt = &img->geom.fmt;
    int planes = rn_format_planes(fmt) - fmt->alpha;
    RN_OWNED(rn_free_owned) float *all = malloc(((size_t)planes * MAX_SAMPLES + 1) * sizeof *all);
    size_t n = 0;
    for (int p = 0; all && p < planes; p++) {
        const struct rn_plane *plane = &img->plane[p];
        int step = 1, w = plane->w, h = plane->h;
        while ((int64_t)((w + step - 1) / step) * ((h + step - 1) / step) > MAX_SAMPLES)
            step++;
        for (int y = step / 2 < h ? step / 2 : 0; y < h; y += step) {
            for (int x = step / 2 < w ? step / 2 : 0; x < w; x += step) {
                all[n] = rn_sample_get(plane, rn_format_sample(fmt), x, y);
                n += isfinite(all[n]) != 0;
            }
        }
    }
    if (n) {
        size_t out = (size_t)(EXCLUDED * (double)n);
        qsort(all, n, sizeof *all, by_size);
        *low = (double)all[out];
        *high = (double)all[n - 1 - out];
    }
    return n > 0;
}
