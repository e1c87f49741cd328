/* SPDX-License-Identifier: MIT */
#include "ui/draw/draw.h"

#include "filters/base/log.h"
#include "filters/base/owned.h"

#include <math.h>

SDL_Point rn_ui_picture_size(int w, int h, const SDL_Rect *area)
{
    return (SDL_Point){area->w < w ? area->w : w, area->h < h ? area->h : h};
}

static int screen_shrink(struct rn_ui_picture *pic, struct rn_screen *s, SDL_Point size)
{
    if (size.x == s->w && size.y == s->h)
        return 0;
    int stride = 4 * size.x;
    size_t bytes = (size_t)stride * (size_t)size.y;
    if (pic->size < bytes) {
        free(pic->buffer);
        pic->buffer = malloc(bytes);
        pic->size = pic->buffer ? bytes : 0;
    }
    uint8_t *out = pic->buffer;
    int err =
        out ? rn_ui_shrink_prepare(&pic->shrink, s->w, s->h, size.x, size.y) : rn_fail_memory();
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

/* The visible ones of the wanted pixels, whole ones, so that each is drawn at its place. */
static SDL_Rect source_of(const struct rn_ui_picture *pic, const SDL_Rect *area,
                          const SDL_Rect *visible, const SDL_Rect *wanted)
{
    int x0 = rn_ui_view_nearest_edge(area->x, area->w, pic->w, visible->x) - 1;
    int x1 = rn_ui_view_nearest_edge(area->x, area->w, pic->w, visible->x + visible->w) + 1;
    int y0 = rn_ui_view_nearest_edge(area->y, area->h, pic->h, visible->y) - 1;
    int y1 = rn_ui_view_nearest_edge(area->y, area->h, pic->h, visible->y + visible->h) + 1;
    SDL_Rect r = {x0, y0, x1 - x0, y1 - y0};
    SDL_IntersectRect(&r, wanted, &r);
    return r;
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
    SDL_Rect wanted = {from, 0, to - from, pic->h};
    SDL_Rect src = smooth ? (SDL_Rect){0, 0, pic->w, pic->h} : source_of(pic, area, &seen, &wanted);
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
    free(rn_take_owned(&pic->texture));
    pic->w = pic->h = 0;
}

void rn_ui_picture_free(struct rn_ui_picture *pic)
{
    rn_ui_picture_clear(pic);
    rn_ui_shrink_free(&pic->shrink);
    free(rn_take_owned(&pic->buffer));
    pic->size = 0;
}

/* ---- smaller pictures */

#define ONE_BITS 14 /* of a weight */
#define ROW_BITS 6  /* of a fraction between the two passes */

/* ---- weights */

static void taps_free(struct rn_ui_taps *t)
{
    free(t->first);
    free(t->n);
    free(t->weight);
    *t = (struct rn_ui_taps){0};
}

static int taps_make(struct rn_ui_taps *t, int from, int to)
{
    if (t->from == from && t->to == to)
        return 0;
    taps_free(t);
    size_t n = (size_t)to;
    t->from = from;
    t->to = to;
    t->most = 2 * ((from + to - 1) / to) + 2;
    t->first = malloc(n * sizeof *t->first);
    t->n = malloc(n * sizeof *t->n);
    t->weight = malloc(n * (size_t)t->most * sizeof *t->weight);
    if (!t->first || !t->n || !t->weight) {
        taps_free(t);
        return rn_fail_memory();
    }
    for (int i = 0; i < to; i++) {
        double step = (double)t->from / t->to, middle = (i + 0.5) * step - 0.5;
        int first = (int)floor(middle - step) + 1, last = (int)ceil(middle + step) - 1;
        first = first > 0 ? first : 0;
        last = last < t->from ? last : t->from - 1;
        uint16_t *weight = t->weight + (size_t)i * (size_t)t->most;
        double all = 0;
        for (int k = first; k <= last; k++)
            all += 1 - fabs(k - middle) / step;
        int left = 1 << ONE_BITS, nearest = (int)(middle + 0.5) - first;
        for (int k = first; k <= last; k++) {
            weight[k - first] =
                (uint16_t)((1 - fabs(k - middle) / step) / all * (1 << ONE_BITS) + 0.5);
            left -= weight[k - first];
        }
        weight[nearest] = (uint16_t)(weight[nearest] + left); /* what rounding took */
        t->first[i] = first;
        t->n[i] = last - first + 1;
    }
    return 0;
}

/* ---- passes */

#define BLOCK 16 /* samples at a time, in registers */

/* Means of the samples from x to x + n in some rows. */
static inline void shrink_block(const struct rn_ui_shrink *s, const uint8_t *in, int stride, int i,
                                int x, int n)
{
    const struct rn_ui_taps *t = &s->down;
    const uint16_t *weight = t->weight + (size_t)i * (size_t)t->most;
    uint32_t sum[BLOCK];
    in += (ptrdiff_t)t->first[i] * stride + x;
    for (int j = 0; j < n; j++)
        sum[j] = 1 << (ONE_BITS - ROW_BITS - 1);
    for (int k = 0; k < t->n[i]; k++, in += stride)
        for (int j = 0; j < n; j++)
            sum[j] += (uint32_t)in[j] * weight[k];
    for (int j = 0; j < n; j++)
        s->row[x + j] = (uint16_t)(sum[j] >> (ONE_BITS - ROW_BITS));
}

static void shrink_across(const struct rn_ui_taps *t, const uint16_t *row, uint8_t *to)
{
    for (int i = 0; i < t->to; i++, to += 4) {
        const uint16_t *in = row + 4 * (ptrdiff_t)t->first[i];
        const uint16_t *w = t->weight + (size_t)i * (size_t)t->most;
        uint32_t sum[4] = {0};
        for (int k = 0; k < t->n[i]; k++)
            for (int c = 0; c < 4; c++)
                sum[c] += (uint32_t)in[4 * k + c] * w[k];
        for (int c = 0; c < 4; c++)
            to[c] =
                (uint8_t)((sum[c] + (1U << (ONE_BITS + ROW_BITS - 1))) >> (ONE_BITS + ROW_BITS));
    }
}

int rn_ui_shrink_prepare(struct rn_ui_shrink *shrink, int w, int h, int to_w, int to_h)
{
    size_t samples = 4 * (size_t)w;
    if (taps_make(&shrink->across, w, to_w) || taps_make(&shrink->down, h, to_h))
        return RN_EINTERNAL;
    if (shrink->samples >= samples)
        return 0;
    free(shrink->row);
    shrink->row = malloc(samples * sizeof *shrink->row);
    shrink->samples = shrink->row ? samples : 0;
    return shrink->row ? 0 : rn_fail_memory();
}

void rn_ui_shrink(const struct rn_ui_shrink *shrink, const uint8_t *from, int from_stride,
                  uint8_t *to, int to_stride)
{
    for (int i = 0; i < shrink->down.to; i++, to += to_stride) {
        /* Row i, as wide as the picture was: means of its rows. */
        int samples = 4 * shrink->across.from, x = 0;
        for (; x + BLOCK <= samples; x += BLOCK)
            shrink_block(shrink, from, from_stride, i, x, BLOCK);
        shrink_block(shrink, from, from_stride, i, x, samples - x);
        shrink_across(&shrink->across, shrink->row, to);
    }
}

void rn_ui_shrink_free(struct rn_ui_shrink *shrink)
{
    taps_free(&shrink->across);
    taps_free(&shrink->down);
    free(shrink->row);
    *shrink = (struct rn_ui_shrink){0};
}
