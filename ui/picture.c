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

SDL_Point rn_picture_size(int w, int h, const struct rn_area *area)
{
    return (SDL_Point){area->w < w ? area->w : w, area->h < h ? area->h : h};
}

static int screen_shrink(struct rn_picture *pic, struct rn_screen *s, SDL_Point size)
{
    if (size.x == s->w && size.y == s->h)
        return 0;
    bool yuv = s->kind == RN_SCREEN_YUV420;
    int bytes = yuv ? 1 : 4;
    SDL_Point half = {(size.x + 1) / 2, (size.y + 1) / 2};
    size_t luma = (size_t)size.x * (size_t)size.y * (size_t)bytes;
    size_t chroma = yuv ? (size_t)half.x * (size_t)half.y : 0;
    uint8_t *out = buffer_get(pic, 0, luma + 2 * chroma);
    if (!out)
        return RN_EINTERNAL;
    int err = rn_shrink_prepare(&pic->shrink[0], bytes, s->w, s->h, size.x, size.y);
    if (!err && yuv)
        err = rn_shrink_prepare(&pic->shrink[1], 1, (s->w + 1) / 2, (s->h + 1) / 2, half.x, half.y);
    if (err)
        return err;
    for (int p = 0; p < (yuv ? 3 : 1); p++) {
        int stride = p ? half.x : size.x * bytes;
        rn_shrink(&pic->shrink[p > 0], s->data[p], s->stride[p], out, stride);
        s->data[p] = out;
        s->stride[p] = stride;
        out += p ? chroma : luma;
    }
    s->w = size.x;
    s->h = size.y;
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

static SDL_YUV_CONVERSION_MODE yuv_mode(const struct rn_screen *s)
{
    return s->full_range           ? SDL_YUV_CONVERSION_JPEG
           : s->matrix == RN_BT709 ? SDL_YUV_CONVERSION_BT709
                                   : SDL_YUV_CONVERSION_BT601;
}

/* ---- textures */

static int texture_make(struct rn_picture *pic, SDL_Renderer *renderer, int i, int w, int h)
{
    SDL_Texture *t = SDL_CreateTexture(renderer, pic->format, SDL_TEXTUREACCESS_STREAMING, w, h);
    if (!t)
        return rn_fail(RN_EINTERNAL, "cannot show pictures of %d x %d: %s", w, h, SDL_GetError());
    SDL_SetTextureBlendMode(t, SDL_BLENDMODE_NONE);
    pic->texture[i] = t;
    return 0;
}

/* The bytes B G R 0, as X takes them: software then copies and converts nothing. */
static Uint32 packed_format(void)
{
    return SDL_BYTEORDER == SDL_BIG_ENDIAN ? SDL_PIXELFORMAT_BGRX8888 : SDL_PIXELFORMAT_XRGB8888;
}

/* The part of w x h pixels that is in texture i. */
static SDL_Rect part_of(const struct rn_picture *pic, int i, int w, int h)
{
    SDL_Rect r = {i % pic->columns * pic->side, i / pic->columns * pic->side, 0, 0};
    r.w = w - r.x < pic->side ? w - r.x : pic->side;
    r.h = h - r.y < pic->side ? h - r.y : pic->side;
    return r;
}

/* The largest even side of a texture. */
static int largest_side(SDL_Renderer *renderer)
{
    SDL_RendererInfo info;
    int side = RN_MAX_SIDE + 1;
    if (SDL_GetRendererInfo(renderer, &info))
        return side;
    if (info.max_texture_width > 1 && info.max_texture_width < side)
        side = info.max_texture_width & ~1;
    if (info.max_texture_height > 1 && info.max_texture_height < side)
        side = info.max_texture_height & ~1;
    return side;
}

/* Textures for pixels of s; visible: without what pads them. */
static int textures_make(struct rn_picture *pic, SDL_Renderer *renderer, const struct rn_screen *s,
                         SDL_Point visible, SDL_YUV_CONVERSION_MODE mode)
{
    Uint32 format = s->kind == RN_SCREEN_YUV420 ? SDL_PIXELFORMAT_IYUV : packed_format();
    /* Read by some renderers when the texture is made, by others when it is written. */
    SDL_SetYUVConversionMode(mode);
    if (pic->texture && pic->format == format && pic->w == visible.x && pic->h == visible.y &&
        pic->mode == (int)mode)
        return 0;
    rn_picture_clear(pic);
    pic->side = largest_side(renderer);
    pic->columns = (s->w + pic->side - 1) / pic->side;
    pic->rows = (s->h + pic->side - 1) / pic->side;
    pic->texture = calloc((size_t)pic->columns * (size_t)pic->rows, sizeof(SDL_Texture *));
    if (!pic->texture)
        return rn_fail_memory();
    pic->format = format;
    pic->mode = (int)mode;
    int err = 0;
    for (int i = 0; i < pic->columns * pic->rows && !err; i++) {
        SDL_Rect part = part_of(pic, i, s->w, s->h);
        err = texture_make(pic, renderer, i, part.w, part.h);
    }
    if (err)
        rn_picture_clear(pic);
    return err;
}

static int texture_fill(const struct rn_picture *pic, int i, const struct rn_screen *s)
{
    SDL_Rect r = part_of(pic, i, s->w, s->h);
    const int *stride = s->stride;
    if (s->kind != RN_SCREEN_YUV420)
        return SDL_UpdateTexture(pic->texture[i], NULL,
                                 s->data[0] + (ptrdiff_t)r.y * stride[0] + 4 * (ptrdiff_t)r.x,
                                 stride[0]);
    const uint8_t *at[3];
    for (int p = 0; p < 3; p++)
        at[p] = s->data[p] + (ptrdiff_t)(p ? r.y / 2 : r.y) * stride[p] + (p ? r.x / 2 : r.x);
    return SDL_UpdateYUVTexture(pic->texture[i], NULL, at[0], stride[0], at[1], stride[1], at[2],
                                stride[2]);
}

int rn_picture_upload(struct rn_picture *pic, SDL_Renderer *renderer,
                      const struct rn_screen *screen, const struct rn_area *area)
{
    struct rn_screen s = *screen;
    SDL_YUV_CONVERSION_MODE mode = yuv_mode(&s);
    SDL_Point visible = rn_picture_size(s.w, s.h, area);
    int err = screen_shrink(pic, &s, visible);
    if (!err && s.kind == RN_SCREEN_YUV420)
        err = screen_pad(pic, &s);
    err = err ? err : textures_make(pic, renderer, &s, visible, mode);
    if (err)
        return err;
    for (int i = 0; i < pic->columns * pic->rows; i++)
        if (texture_fill(pic, i, &s))
            return rn_fail(RN_EINTERNAL, "cannot upload a picture to the screen: %s",
                           SDL_GetError());
    pic->w = visible.x;
    pic->h = visible.y;
    return 0;
}

/* ---- drawing */

static void texture_scaling(SDL_Texture *texture, bool smooth)
{
    SDL_ScaleMode mode = smooth ? SDL_ScaleModeLinear : SDL_ScaleModeNearest;
    SDL_ScaleMode now;
    if (!SDL_GetTextureScaleMode(texture, &now) && now == mode)
        return;
    SDL_SetTextureScaleMode(texture, mode);
    /* SDL's OpenGL leaves the V plane bound as if it were Y (seen in 2.26). Binding all again sets
     * it right; where there is no OpenGL it fails without harm. */
    SDL_GL_BindTexture(texture, NULL, NULL);
}

/* Where some of the pixels go. */
static SDL_Rect target_of(const struct rn_picture *pic, const struct rn_area *area,
                          const SDL_Rect *src)
{
    int x = rn_view_edge(area->x, area->w, pic->w, src->x);
    int y = rn_view_edge(area->y, area->h, pic->h, src->y);
    return (SDL_Rect){x, y, rn_view_edge(area->x, area->w, pic->w, src->x + src->w) - x,
                      rn_view_edge(area->y, area->h, pic->h, src->y + src->h) - y};
}

/* The pixels that are to be seen, whole ones, so that each is drawn where it belongs. */
static SDL_Rect source_of(const struct rn_picture *pic, const struct rn_area *area,
                          const struct rn_area *visible, int from, int to)
{
    int x0 = rn_view_nearest_edge(area->x, area->w, pic->w, visible->x) - 1;
    int x1 = rn_view_nearest_edge(area->x, area->w, pic->w, visible->x + visible->w) + 1;
    int y0 = rn_view_nearest_edge(area->y, area->h, pic->h, visible->y) - 1;
    int y1 = rn_view_nearest_edge(area->y, area->h, pic->h, visible->y + visible->h) + 1;
    x0 = x0 > from ? x0 : from;
    x1 = x1 < to ? x1 : to;
    y0 = y0 > 0 ? y0 : 0;
    y1 = y1 < pic->h ? y1 : pic->h;
    return (SDL_Rect){x0, y0, x1 - x0, y1 - y0};
}

int rn_picture_draw(struct rn_picture *pic, SDL_Renderer *renderer, const struct rn_area *area,
                    const struct rn_area *visible, int from, int to, bool smooth)
{
    /* What is interpolated goes on beyond the columns drawn: all is placed and then clipped. */
    SDL_Rect src =
        smooth ? (SDL_Rect){0, 0, pic->w, pic->h} : source_of(pic, area, visible, from, to);
    SDL_Rect wanted = {from, 0, to - from, pic->h}, clip = target_of(pic, area, &wanted);
    if (from >= to || src.w < 1 || src.h < 1)
        return 0;
    int bad = 0;
    SDL_RenderSetClipRect(renderer, smooth ? &clip : NULL);
    for (int i = 0; i < pic->columns * pic->rows && !bad; i++) {
        SDL_Rect part = part_of(pic, i, pic->w, pic->h), in;
        if (!SDL_IntersectRect(&part, &src, &in))
            continue;
        SDL_Rect out = target_of(pic, area, &in);
        in.x -= part.x;
        in.y -= part.y;
        texture_scaling(pic->texture[i], smooth);
        bad = SDL_RenderCopy(renderer, pic->texture[i], &in, &out);
    }
    SDL_RenderSetClipRect(renderer, NULL);
    return bad ? rn_fail(RN_EINTERNAL, "cannot draw a picture: %s", SDL_GetError()) : 0;
}

void rn_picture_clear(struct rn_picture *pic)
{
    for (int i = 0; pic->texture && i < pic->columns * pic->rows; i++)
        if (pic->texture[i])
            SDL_DestroyTexture(pic->texture[i]);
    free(pic->texture);
    pic->texture = NULL;
    pic->w = pic->h = 0;
}

void rn_picture_free(struct rn_picture *pic)
{
    rn_picture_clear(pic);
    for (int i = 0; i < 2; i++) {
        rn_shrink_free(&pic->shrink[i]);
        free(pic->buffer[i]);
        pic->buffer[i] = NULL;
        pic->size[i] = 0;
    }
}
