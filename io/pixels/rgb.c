/* SPDX-License-Identifier: MIT */
#include "io/pixels/rgb.h"

#include "filters/base/sample.h"

#include <assert.h>
#include <string.h>

#define BLOCK RN_RGB_BLOCK
#define WHITE 255.0

/* contrast: 1 without a window. */
static void set_chroma(struct rn_pix_rgb *rgb, double contrast)
{
    double unit = (double)(1 << (rgb->geom.fmt.depth - 8));
    const double *luma = rn_luma(rgb->geom.matrix), kr = luma[0], kb = luma[1], kg = 1 - kr - kb;
    double scale =
        contrast * WHITE / (rgb->geom.full_range ? rn_format_max(&rgb->geom.fmt) : 224 * unit);
    double red = 2 * (1 - kr) * scale, blue = 2 * (1 - kb) * scale, middle = 128 * unit;
    double of_cb = -blue * kb / kg, of_cr = -red * kr / kg;
    rgb->red[0] = (float)red;
    rgb->red[1] = (float)(-red * middle);
    rgb->green[0] = (float)of_cb;
    rgb->green[1] = (float)of_cr;
    rgb->green[2] = (float)(-(of_cb + of_cr) * middle);
    rgb->blue[0] = (float)blue;
    rgb->blue[1] = (float)(-blue * middle);
}

void rn_pix_rgb_whole(const struct rn_geom *geom, double window[2])
{
    bool limited = geom->fmt.number == RN_NUMBER_UNSIGNED && !geom->full_range;
    double unit = limited ? (double)(1 << (geom->fmt.depth - 8)) : 0;
    window[0] = limited ? 16 * unit : (double)rn_geom_black(geom);
    window[1] = limited ? 235 * unit : (double)rn_geom_white(geom);
}

void rn_pix_rgb_window(struct rn_pix_rgb *rgb, double low, double high)
{
    double all[2];
    rn_pix_rgb_whole(&rgb->geom, all);
    if (rgb->geom.fmt.model == RN_YUV)
        set_chroma(rgb, (all[1] - all[0]) / (high - low));
    rgb->scale = (float)(WHITE / (high - low));
    rgb->offset = (float)(-low * WHITE / (high - low));
}

void rn_pix_rgb_init(struct rn_pix_rgb *rgb, const struct rn_geom *geom,
                     struct rn_pix_siting siting)
{
    double all[2];
    *rgb = (struct rn_pix_rgb){.geom = *geom, .siting = siting};
    rn_pix_rgb_whole(geom, all);
    rn_pix_rgb_window(rgb, all[0], all[1]);
}

/* n is a constant in every call, so that the loops become vectors. */
static inline void widen(const void *in, enum rn_sample sample, int n, float *restrict out)
{
    const uint8_t *restrict u8 = in;
    const uint16_t *restrict u16 = in;
    const int16_t *restrict s16 = in;
    if (sample == RN_SAMPLE_U8)
        for (int i = 0; i < n; i++)
            out[i] = u8[i];
    else if (sample == RN_SAMPLE_U16)
        for (int i = 0; i < n; i++)
            out[i] = u16[i];
    else if (sample == RN_SAMPLE_S16)
        for (int i = 0; i < n; i++)
            out[i] = s16[i];
    else
        memcpy(out, in, (size_t)n * sizeof *out);
}

/* Loads n samples of a row from the x-th on, and zeros up to `size`. Whole blocks are read in
 * place, which spares a copy. */
static inline void load(const struct rn_plane *plane, enum rn_sample sample, int x, int y, int n,
                        int size, float *restrict out)
{
    union {
        uint8_t u8[BLOCK];
        uint16_t u16[BLOCK];
        int16_t s16[BLOCK];
        float f32[BLOCK];
    } row;
    size_t bytes = (size_t)rn_sample_bytes(sample);
    const uint8_t *in = plane->data + y * plane->stride + (ptrdiff_t)x * (ptrdiff_t)bytes;
    if (n < size) {
        memset(&row, 0, sizeof row);
        memcpy(&row, in, (size_t)n * bytes);
    }
    widen(n < size ? (const void *)&row : in, sample, size, out);
}

static void scale(const struct rn_pix_rgb *rgb, float v[BLOCK])
{
    for (int i = 0; i < BLOCK; i++)
        v[i] = v[i] * rgb->scale + rgb->offset;
}

/* ---- chroma */

#define HALF (BLOCK / 2) /* samples for a block */
#define ROW  (HALF + 4)  /* with a neighbour before, and at least one after */

/* Weights at the two places that a sample of chroma covers: of its left neighbour and itself at the
 * first, of itself and its right neighbour at the second. */
static const float shares[][2][2] = {
    [RN_SITE_FIRST] = {{0, 1}, {0.5f, 0.5f}},
    [RN_SITE_BETWEEN] = {{0.25f, 0.75f}, {0.75f, 0.25f}},
    [RN_SITE_LAST] = {{0.5f, 0.5f}, {1, 0}},
};

/* Loads a row from the left neighbour of sample `first` on; repeats the outermost at the edges. */
static void load_row(const struct rn_plane *plane, enum rn_sample sample, int first, int y,
                     float out[ROW])
{
    int end = first + HALF, n = (end < plane->w ? end : plane->w) - first;
    load(plane, sample, first, y, n, HALF, out + 1);
    out[0] = first ? (float)rn_sample_get(plane, sample, first - 1, y) : out[1];
    for (int i = n + 1; i < ROW; i++)
        out[i] = end < plane->w ? (float)rn_sample_get(plane, sample, end, y) : out[n];
}

/* The two rows of chroma next to line y of luma, and their weights. */
struct lines {
    int row[2];
    float share[2];
};

static struct lines lines_at(const struct rn_pix_rgb *rgb, const struct rn_plane *plane,
                             bool by_field, int y)
{
    if (!rgb->geom.fmt.sub_y)
        return (struct lines){{y, y}, {1, 0}};
    int step = by_field && rgb->geom.h % 4 == 0 ? 2 : 1, field = step == 2 ? y & 1 : 0;
    int line = step == 2 ? y >> 1 : y, rows = plane->h / step, odd = line & 1, at = line >> 1;
    int other = odd ? at + 1 : at - 1;
    other = other < 0 ? 0 : other < rows ? other : rows - 1;
    const float *share = shares[rgb->siting.y][odd];
    return (struct lines){{at * step + field, other * step + field}, {share[!odd], share[odd]}};
}

static void get_chroma(const struct rn_pix_rgb *rgb, const struct rn_plane *plane,
                       const struct lines *lines, int x, int n, float out[BLOCK])
{
    enum rn_sample sample = rn_format_sample(&rgb->geom.fmt);
    float rows[2][ROW];
    if (!rgb->geom.fmt.sub_x) {
        load(plane, sample, x, lines->row[0], n, BLOCK, out);
        return;
    }
    load_row(plane, sample, x / 2, lines->row[0], rows[0]);
    if (lines->share[1] != 0) {
        const float own = lines->share[0], other = lines->share[1];
        load_row(plane, sample, x / 2, lines->row[1], rows[1]);
        for (int i = 0; i < ROW; i++)
            rows[0][i] = own * rows[0][i] + other * rows[1][i];
    }
    const float *even = shares[rgb->siting.x][0], *odd = shares[rgb->siting.x][1];
    const float e0 = even[0], e1 = even[1], o0 = odd[0], o1 = odd[1];
    const float *row = rows[0];
    for (int i = 0; i < HALF; i++) {
        out[2 * i] = e0 * row[i] + e1 * row[i + 1];
        out[2 * i + 1] = o0 * row[i + 1] + o1 * row[i + 2];
    }
}

static void get_yuv(const struct rn_pix_rgb *rgb, const struct rn_image *img, bool by_field, int x,
                    int y, int n, float out[3][BLOCK])
{
    enum rn_sample sample = rn_format_sample(&rgb->geom.fmt);
    struct lines lines = lines_at(rgb, &img->plane[1], by_field, y);
    float luma[BLOCK], cb[BLOCK], cr[BLOCK];
    load(&img->plane[0], sample, x, y, n, BLOCK, luma);
    scale(rgb, luma);
    get_chroma(rgb, &img->plane[1], &lines, x, n, cb);
    get_chroma(rgb, &img->plane[2], &lines, x, n, cr);
    const float red[] = {rgb->red[0], rgb->red[1]}, blue[] = {rgb->blue[0], rgb->blue[1]};
    const float green[] = {rgb->green[0], rgb->green[1], rgb->green[2]};
    for (int i = 0; i < BLOCK; i++) {
        out[0][i] = luma[i] + (red[0] * cr[i] + red[1]);
        out[1][i] = luma[i] + (green[0] * cb[i] + green[1] * cr[i] + green[2]);
        out[2][i] = luma[i] + (blue[0] * cb[i] + blue[1]);
    }
}

void rn_pix_rgb_get(const struct rn_pix_rgb *rgb, const struct rn_image *img, bool by_field, int x,
                    int y, int n, float out[3][BLOCK])
{
    static const int plane_of[] = {2, 0, 1}; /* R G B of our G B R */
    enum rn_sample sample = rn_format_sample(&rgb->geom.fmt);
    assert(n > 0 && n <= BLOCK && x % 2 == 0 && x + n <= img->geom.w && y < img->geom.h);
    if (rgb->geom.fmt.model == RN_YUV) {
        get_yuv(rgb, img, by_field, x, y, n, out);
        return;
    }
    bool gray = rgb->geom.fmt.model == RN_GRAY;
    for (int c = 0; c < (gray ? 1 : 3); c++) {
        load(&img->plane[gray ? 0 : plane_of[c]], sample, x, y, n, BLOCK, out[c]);
        scale(rgb, out[c]);
    }
    for (int c = 1; gray && c < 3; c++)
        memcpy(out[c], out[0], sizeof out[0]);
}
