#include "io/pixels/rgb.h"

#include <string.h>

#define BLOCK RN_RGB_BLOCK
#define WHITE 255.0

static void set_chroma(struct rn_rgb *rgb, double unit)
{
    static const double luma[][2] = {
        [RN_BT601] = {0.299, 0.114},
        [RN_BT709] = {0.2126, 0.0722},
        [RN_BT2020] = {0.2627, 0.0593},
    };
    double kr = luma[rgb->geom.matrix][0], kb = luma[rgb->geom.matrix][1], kg = 1 - kr - kb;
    double scale = WHITE / (rgb->geom.full_range ? rn_format_max(&rgb->geom.fmt) : 224 * unit);
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

void rn_rgb_init(struct rn_rgb *rgb, const struct rn_geom *geom)
{
    bool limited = geom->fmt.number == RN_NUMBER_UNSIGNED && !geom->full_range;
    double unit = limited || geom->fmt.model == RN_YUV ? (double)(1 << (geom->fmt.depth - 8)) : 0;
    *rgb = (struct rn_rgb){.geom = *geom};
    if (limited)
        rn_rgb_window(rgb, 16 * unit, 235 * unit);
    else
        rn_rgb_window(rgb, (double)rn_geom_black(geom), (double)rn_geom_white(geom));
    if (geom->fmt.model == RN_YUV)
        set_chroma(rgb, unit);
}

void rn_rgb_window(struct rn_rgb *rgb, double low, double high)
{
    rgb->scale = (float)(WHITE / (high - low));
    rgb->offset = (float)(-low * WHITE / (high - low));
}

/* n samples of a row, from the x-th on. */
static void load(const struct rn_plane *plane, enum rn_sample sample, int x, int y, int n,
                 float out[BLOCK])
{
    union {
        uint8_t u8[BLOCK];
        uint16_t u16[BLOCK];
        int16_t s16[BLOCK];
        float f32[BLOCK];
    } row;
    size_t bytes = (size_t)rn_sample_bytes(sample);
    if (n < BLOCK)
        memset(&row, 0, sizeof row);
    memcpy(&row, plane->data + y * plane->stride + (ptrdiff_t)x * (ptrdiff_t)bytes,
           (size_t)n * bytes);
    if (sample == RN_SAMPLE_U8)
        for (int i = 0; i < BLOCK; i++)
            out[i] = row.u8[i];
    else if (sample == RN_SAMPLE_U16)
        for (int i = 0; i < BLOCK; i++)
            out[i] = row.u16[i];
    else if (sample == RN_SAMPLE_S16)
        for (int i = 0; i < BLOCK; i++)
            out[i] = row.s16[i];
    else
        memcpy(out, row.f32, sizeof row.f32);
}

static void scale(const struct rn_rgb *rgb, float v[BLOCK])
{
    for (int i = 0; i < BLOCK; i++)
        v[i] = v[i] * rgb->scale + rgb->offset;
}

/* What chroma adds to luma, of n samples of it. Always inlined: the loops have a constant
 * length. */
static inline void weigh(const struct rn_rgb *rgb, const float *cb, const float *cr, int n,
                         float add[3][BLOCK])
{
    for (int i = 0; i < n; i++) {
        add[0][i] = rgb->red[0] * cr[i] + rgb->red[1];
        add[1][i] = rgb->green[0] * cb[i] + rgb->green[1] * cr[i] + rgb->green[2];
        add[2][i] = rgb->blue[0] * cb[i] + rgb->blue[1];
    }
}

static void repeat(const float add[BLOCK], float luma[BLOCK], float out[BLOCK])
{
    for (int i = 0; i < BLOCK / 2; i++) {
        out[2 * i] = luma[2 * i] + add[i];
        out[2 * i + 1] = luma[2 * i + 1] + add[i];
    }
}

static void get_yuv(const struct rn_rgb *rgb, const struct rn_image *img, int x, int y, int n,
                    float out[3][BLOCK])
{
    const struct rn_format *fmt = &rgb->geom.fmt;
    enum rn_sample sample = rn_format_sample(fmt);
    float luma[BLOCK], cb[BLOCK], cr[BLOCK], add[3][BLOCK];
    int cn = (n + fmt->sub_x) >> fmt->sub_x, cx = x >> fmt->sub_x, cy = y >> fmt->sub_y;
    load(&img->plane[0], sample, x, y, n, luma);
    scale(rgb, luma);
    load(&img->plane[1], sample, cx, cy, cn, cb);
    load(&img->plane[2], sample, cx, cy, cn, cr);
    if (fmt->sub_x)
        weigh(rgb, cb, cr, BLOCK / 2, add);
    else
        weigh(rgb, cb, cr, BLOCK, add);
    for (int c = 0; c < 3; c++) {
        if (fmt->sub_x)
            repeat(add[c], luma, out[c]);
        else
            for (int i = 0; i < BLOCK; i++)
                out[c][i] = luma[i] + add[c][i];
    }
}

void rn_rgb_get(const struct rn_rgb *rgb, const struct rn_image *img, int x, int y, int n,
                float out[3][BLOCK])
{
    static const int plane_of[] = {2, 0, 1}; /* R G B of our G B R */
    enum rn_sample sample = rn_format_sample(&rgb->geom.fmt);
    if (rgb->geom.fmt.model == RN_YUV) {
        get_yuv(rgb, img, x, y, n, out);
        return;
    }
    bool gray = rgb->geom.fmt.model == RN_GRAY;
    for (int c = 0; c < (gray ? 1 : 3); c++) {
        load(&img->plane[gray ? 0 : plane_of[c]], sample, x, y, n, out[c]);
        scale(rgb, out[c]);
    }
    for (int c = 1; gray && c < 3; c++)
        memcpy(out[c], out[0], sizeof out[0]);
}
