#include "ui/picture.h"

#include "filters/base/err.h"
#include "filters/base/log.h"

#include <stdlib.h>
#include <string.h>

static uint8_t *buffer_get(struct rn_picture *pic, int i, size_t size)
{
    if (pic->size[i] < size) {
        free(pic->buffer[i]);
        pic->size[i] = 0;
        pic->buffer[i] = malloc(size);
        if (!pic->buffer[i]) {
            rn_fail_memory();
            return NULL;
        }
        pic->size[i] = size;
    }
    return pic->buffer[i];
}

/* Every step-th sample of every step-th row; bytes: per sample. */
static void plane_thin(const uint8_t *src, int stride, int w, int h, int step, int bytes,
                       uint8_t *dst, int dst_stride)
{
    for (int y = 0; y < h; y++) {
        const uint8_t *in = src + (ptrdiff_t)y * step * stride;
        uint8_t *out = dst + (ptrdiff_t)y * dst_stride;
        for (int x = 0; x < w; x++)
            memcpy(out + x * bytes, in + (ptrdiff_t)x * step * bytes, (size_t)bytes);
    }
}

/* Scans may be larger than any texture; no screen shows all of their pixels at once. */
static int screen_thin(struct rn_picture *pic, struct rn_screen *s, int max_w, int max_h)
{
    int step = 1;
    while ((max_w && s->w / step > max_w) || (max_h && s->h / step > max_h))
        step++;
    if (step == 1)
        return 0;
    int w = s->w / step & ~1;
    int h = s->h / step & ~1;
    w = w ? w : 1;
    h = h ? h : 1;
    bool yuv = s->kind == RN_SCREEN_YUV420;
    int cw = (w + 1) / 2;
    int ch = (h + 1) / 2;
    size_t luma = (size_t)w * (size_t)h * (yuv ? 1 : 4);
    size_t chroma = yuv ? (size_t)cw * (size_t)ch : 0;
    uint8_t *out = buffer_get(pic, 0, luma + 2 * chroma);
    if (!out)
        return RN_EINTERNAL;
    int bytes = yuv ? 1 : 4;
    plane_thin(s->data[0], s->stride[0], w, h, step, bytes, out, w * bytes);
    s->data[0] = out;
    s->stride[0] = w * bytes;
    for (int p = 1; yuv && p < 3; p++) {
        uint8_t *to = out + luma + (size_t)(p - 1) * chroma;
        plane_thin(s->data[p], s->stride[p], cw, ch, step, 1, to, cw);
        s->data[p] = to;
        s->stride[p] = cw;
    }
    s->w = w;
    s->h = h;
    return 0;
}

static uint8_t clip8(int v)
{
    return v < 0 ? 0 : v > 255 ? 255 : (uint8_t)v;
}

/* Y'CbCr that SDL has no mode for, in 16-bit fixed point. */
static int screen_to_bgrx(struct rn_picture *pic, struct rn_screen *s)
{
    static const double weights[][2] = {
        [RN_BT601] = {0.299, 0.114},
        [RN_BT709] = {0.2126, 0.0722},
        [RN_BT2020] = {0.2627, 0.0593},
    };
    double kr = weights[s->matrix][0];
    double kb = weights[s->matrix][1];
    double kg = 1 - kr - kb;
    double chroma = s->full_range ? 1 : 255.0 / 224;
    int luma = (int)(65536 * (s->full_range ? 1 : 255.0 / 219) + 0.5);
    int black = s->full_range ? 0 : 16;
    int rv = (int)(65536 * chroma * 2 * (1 - kr) + 0.5);
    int bu = (int)(65536 * chroma * 2 * (1 - kb) + 0.5);
    int gu = (int)(65536 * chroma * 2 * (1 - kb) * kb / kg + 0.5);
    int gv = (int)(65536 * chroma * 2 * (1 - kr) * kr / kg + 0.5);
    uint8_t *out = buffer_get(pic, 1, (size_t)s->w * (size_t)s->h * 4);
    if (!out)
        return RN_EINTERNAL;
    for (int y = 0; y < s->h; y++) {
        const uint8_t *row = s->data[0] + (ptrdiff_t)y * s->stride[0];
        const uint8_t *u = s->data[1] + (ptrdiff_t)(y / 2) * s->stride[1];
        const uint8_t *v = s->data[2] + (ptrdiff_t)(y / 2) * s->stride[2];
        uint8_t *to = out + (ptrdiff_t)y * s->w * 4;
        for (int x = 0; x < s->w; x++, to += 4) {
            int l = (row[x] - black) * luma + 32768;
            int cb = u[x / 2] - 128;
            int cr = v[x / 2] - 128;
            to[0] = clip8((l + cb * bu) / 65536);
            to[1] = clip8((l - cb * gu - cr * gv) / 65536);
            to[2] = clip8((l + cr * rv) / 65536);
            to[3] = 0;
        }
    }
    s->kind = RN_SCREEN_BGRX;
    s->data[0] = out;
    s->stride[0] = s->w * 4;
    return 0;
}

/* Luma grown to even sizes by its last column and row: SDL maps chroma to the whole texture, so
 * that an odd size would shift it, and the rim is what linear scaling reads beyond the edge. */
static int screen_pad(struct rn_picture *pic, struct rn_screen *s)
{
    int w = (s->w + 1) & ~1;
    int h = (s->h + 1) & ~1;
    if (w == s->w && h == s->h)
        return 0;
    uint8_t *out = buffer_get(pic, 1, (size_t)w * (size_t)h);
    if (!out)
        return RN_EINTERNAL;
    for (int y = 0; y < h; y++) {
        uint8_t *to = out + (ptrdiff_t)y * w;
        memcpy(to, s->data[0] + (ptrdiff_t)(y < s->h ? y : s->h - 1) * s->stride[0], (size_t)s->w);
        if (w > s->w)
            to[w - 1] = to[w - 2];
    }
    s->data[0] = out;
    s->stride[0] = w;
    s->w = w;
    s->h = h;
    return 0;
}

/* Returns false if SDL knows no such conversion. */
static bool yuv_mode(const struct rn_screen *s, SDL_YUV_CONVERSION_MODE *mode)
{
    if (s->matrix == RN_BT601)
        *mode = s->full_range ? SDL_YUV_CONVERSION_JPEG : SDL_YUV_CONVERSION_BT601;
    else if (s->matrix == RN_BT709 && !s->full_range)
        *mode = SDL_YUV_CONVERSION_BT709;
    else
        return false;
    return true;
}

static int texture_make(struct rn_picture *pic, SDL_Renderer *renderer, Uint32 format, int w, int h,
                        SDL_YUV_CONVERSION_MODE mode)
{
    /* Read by some renderers when the texture is made, by others when it is written. */
    SDL_SetYUVConversionMode(mode);
    if (pic->texture && pic->format == format && pic->tw == w && pic->th == h &&
        pic->mode == (int)mode)
        return 0;
    rn_picture_clear(pic);
    pic->texture = SDL_CreateTexture(renderer, format, SDL_TEXTUREACCESS_STREAMING, w, h);
    if (!pic->texture)
        return rn_fail(RN_EINTERNAL, "cannot show pictures of %d x %d: %s", w, h, SDL_GetError());
    SDL_SetTextureBlendMode(pic->texture, SDL_BLENDMODE_NONE);
    pic->format = format;
    pic->tw = w;
    pic->th = h;
    pic->mode = (int)mode;
    return 0;
}

int rn_picture_upload(struct rn_picture *pic, SDL_Renderer *renderer,
                      const struct rn_screen *screen)
{
    struct rn_screen s = *screen;
    SDL_RendererInfo info;
    SDL_YUV_CONVERSION_MODE mode = SDL_YUV_CONVERSION_BT601;
    int err = 0;

    if (!SDL_GetRendererInfo(renderer, &info))
        err = screen_thin(pic, &s, info.max_texture_width, info.max_texture_height);
    if (!err && s.kind == RN_SCREEN_YUV420 && !yuv_mode(&s, &mode))
        err = screen_to_bgrx(pic, &s);
    if (err)
        return err;
    SDL_Rect visible = {0, 0, s.w, s.h};
    bool yuv = s.kind == RN_SCREEN_YUV420;
    if (yuv)
        err = screen_pad(pic, &s);
    if (!err)
        err = texture_make(pic, renderer, yuv ? SDL_PIXELFORMAT_IYUV : SDL_PIXELFORMAT_BGRA32, s.w,
                           s.h, mode);
    if (err)
        return err;
    int bad = yuv ? SDL_UpdateYUVTexture(pic->texture, NULL, s.data[0], s.stride[0], s.data[1],
                                         s.stride[1], s.data[2], s.stride[2])
                  : SDL_UpdateTexture(pic->texture, NULL, s.data[0], s.stride[0]);
    if (bad)
        return rn_fail(RN_EINTERNAL, "cannot upload a picture to the screen: %s", SDL_GetError());
    pic->visible = visible;
    pic->w = screen->w;
    pic->h = screen->h;
    return 0;
}

void rn_picture_clear(struct rn_picture *pic)
{
    if (pic->texture)
        SDL_DestroyTexture(pic->texture);
    pic->texture = NULL;
    pic->w = pic->h = 0;
}

void rn_picture_free(struct rn_picture *pic)
{
    rn_picture_clear(pic);
    for (int i = 0; i < 2; i++) {
        free(pic->buffer[i]);
        pic->buffer[i] = NULL;
        pic->size[i] = 0;
    }
}
