/* SPDX-License-Identifier: MIT */
#include "ui/draw/picture.h"

#include "filters/base/log.h"

#include <stdlib.h>

static uint8_t *buffer_get(struct rn_ui_picture *pic, size_t size)
{
    if (pic->size >= size)
        return pic->buffer;
    free(pic->buffer);
    pic->buffer = malloc(size);
    pic->size = pic->buffer ? size : 0;
    if (!pic->buffer)
        rn_fail_memory();
    return pic->buffer;
}

SDL_Point rn_ui_picture_size(int w, int h, const SDL_Rect *area)
{
    return (SDL_Point){area->w < w ? area->w : w, area->h < h ? area->h : h};
}

static int screen_shrink(struct rn_ui_picture *pic, struct rn_screen *s, SDL_Point size)
{
    if (size.x == s->w && size.y == s->h)
        return 0;
    int stride = 4 * size.x;
    uint8_t *out = buffer_get(pic, (size_t)stride * (size_t)size.y);
    int err = out ? rn_ui_shrink_prepare(&pic->shrink, s->w, s->h, size.x, size.y) : RN_EINTERNAL;
    if (err)
        return err;
    rn_ui_shrink(&pic->shrink, s->pixels, s->stride, out, stride);
    *s = (struct rn_screen){.w = size.x, .h = size.y, .pixels = out, .stride = stride};
    return 0;
}

/* ---- textures */

/* The part of w x h pixels that is in texture i. */
static SDL_Rect part_of(const struct rn_ui_picture *pic, int i, int w, int h)
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

static int textures_make(struct rn_ui_picture *pic, SDL_Renderer *renderer,
                         const struct rn_screen *s)
{
    if (pic->texture && pic->w == s->w && pic->h == s->h)
        return 0;
    rn_ui_picture_clear(pic);
    pic->side = largest_side(renderer);
    pic->columns = (s->w + pic->side - 1) / pic->side;
    pic->rows = (s->h + pic->side - 1) / pic->side;
    pic->texture = calloc((size_t)pic->columns * (size_t)pic->rows, sizeof(SDL_Texture *));
    if (!pic->texture)
        return rn_fail_memory();
    /* The bytes B G R 0, as X takes them: software then copies and converts nothing. */
    Uint32 format =
        SDL_BYTEORDER == SDL_BIG_ENDIAN ? SDL_PIXELFORMAT_BGRX8888 : SDL_PIXELFORMAT_XRGB8888;
    for (int i = 0; i < pic->columns * pic->rows; i++) {
        SDL_Rect part = part_of(pic, i, s->w, s->h);
        pic->texture[i] =
            SDL_CreateTexture(renderer, format, SDL_TEXTUREACCESS_STREAMING, part.w, part.h);
        if (!pic->texture[i]) {
            rn_ui_picture_clear(pic);
            return rn_fail(RN_EINTERNAL, "cannot show pictures of %d x %d: %s", part.w, part.h,
                           SDL_GetError());
        }
        SDL_SetTextureBlendMode(pic->texture[i], SDL_BLENDMODE_NONE);
    }
    return 0;
}

int rn_ui_picture_upload(struct rn_ui_picture *pic, SDL_Renderer *renderer,
                         const struct rn_screen *screen, const SDL_Rect *area)
{
    struct rn_screen s = *screen;
    int err = screen_shrink(pic, &s, rn_ui_picture_size(s.w, s.h, area));
    err = err ? err : textures_make(pic, renderer, &s);
    if (err)
        return err;
    for (int i = 0; i < pic->columns * pic->rows; i++) {
        SDL_Rect r = part_of(pic, i, s.w, s.h);
        const uint8_t *from = s.pixels + (ptrdiff_t)r.y * s.stride + 4 * (ptrdiff_t)r.x;
        if (SDL_UpdateTexture(pic->texture[i], NULL, from, s.stride))
            return rn_fail(RN_EINTERNAL, "cannot upload a picture to the screen: %s",
                           SDL_GetError());
    }
    pic->w = s.w;
    pic->h = s.h;
    return 0;
}

/* ---- drawing */

/* The place of src in the area. */
static SDL_Rect target_of(const struct rn_ui_picture *pic, const SDL_Rect *area,
                          const SDL_Rect *src)
{
    int x = rn_ui_view_edge(area->x, area->w, pic->w, src->x);
    int y = rn_ui_view_edge(area->y, area->h, pic->h, src->y);
    return (SDL_Rect){x, y, rn_ui_view_edge(area->x, area->w, pic->w, src->x + src->w) - x,
                      rn_ui_view_edge(area->y, area->h, pic->h, src->y + src->h) - y};
}

/* The visible pixels, whole ones, so that each is drawn at its place. */
static SDL_Rect source_of(const struct rn_ui_picture *pic, const SDL_Rect *area,
                          const SDL_Rect *visible, int from, int to)
{
    int x0 = rn_ui_view_nearest_edge(area->x, area->w, pic->w, visible->x) - 1;
    int x1 = rn_ui_view_nearest_edge(area->x, area->w, pic->w, visible->x + visible->w) + 1;
    int y0 = rn_ui_view_nearest_edge(area->y, area->h, pic->h, visible->y) - 1;
    int y1 = rn_ui_view_nearest_edge(area->y, area->h, pic->h, visible->y + visible->h) + 1;
    x0 = x0 > from ? x0 : from;
    x1 = x1 < to ? x1 : to;
    y0 = y0 > 0 ? y0 : 0;
    y1 = y1 < pic->h ? y1 : pic->h;
    return (SDL_Rect){x0, y0, x1 - x0, y1 - y0};
}

/* Where what would be at r in the area is drawn. */
static SDL_Rect mirrored(const struct rn_ui_picture *pic, const SDL_Rect *area, SDL_Rect r)
{
    r.x = pic->mirrored[0] ? 2 * area->x + area->w - r.x - r.w : r.x;
    r.y = pic->mirrored[1] ? 2 * area->y + area->h - r.y - r.h : r.y;
    return r;
}

int rn_ui_picture_draw(struct rn_ui_picture *pic, SDL_Renderer *renderer, const SDL_Rect *area,
                       const SDL_Rect *visible, int from, int to, bool smooth)
{
    /* Interpolation reads beyond the columns drawn: everything is placed, then clipped. */
    SDL_Rect seen = mirrored(pic, area, *visible);
    SDL_Rect src =
        smooth ? (SDL_Rect){0, 0, pic->w, pic->h} : source_of(pic, area, &seen, from, to);
    SDL_Rect wanted = {from, 0, to - from, pic->h};
    SDL_Rect clip = mirrored(pic, area, target_of(pic, area, &wanted));
    int flip =
        (pic->mirrored[0] ? SDL_FLIP_HORIZONTAL : 0) | (pic->mirrored[1] ? SDL_FLIP_VERTICAL : 0);
    if (from >= to || src.w < 1 || src.h < 1)
        return 0;
    int bad = 0;
    SDL_RenderSetClipRect(renderer, smooth ? &clip : NULL);
    for (int i = 0; i < pic->columns * pic->rows && !bad; i++) {
        SDL_Rect part = part_of(pic, i, pic->w, pic->h), in;
        if (!SDL_IntersectRect(&part, &src, &in))
            continue;
        SDL_Rect out = mirrored(pic, area, target_of(pic, area, &in));
        in.x -= part.x;
        in.y -= part.y;
        SDL_SetTextureScaleMode(pic->texture[i],
                                smooth ? SDL_ScaleModeLinear : SDL_ScaleModeNearest);
        bad =
            SDL_RenderCopyEx(renderer, pic->texture[i], &in, &out, 0, NULL, (SDL_RendererFlip)flip);
    }
    SDL_RenderSetClipRect(renderer, NULL);
    return bad ? rn_fail(RN_EINTERNAL, "cannot draw a picture: %s", SDL_GetError()) : 0;
}

void rn_ui_picture_clear(struct rn_ui_picture *pic)
{
    for (int i = 0; pic->texture && i < pic->columns * pic->rows; i++)
        if (pic->texture[i])
            SDL_DestroyTexture(pic->texture[i]);
    free(pic->texture);
    pic->texture = NULL;
    pic->w = pic->h = 0;
}

void rn_ui_picture_free(struct rn_ui_picture *pic)
{
    rn_ui_picture_clear(pic);
    rn_ui_shrink_free(&pic->shrink);
    free(pic->buffer);
    pic->buffer = NULL;
    pic->size = 0;
}
