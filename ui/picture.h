/* A picture on its way to the screen: a texture that follows what it is given. */
#ifndef RN_PICTURE_H
#define RN_PICTURE_H

#include <SDL.h>

#include "filters/base/screen.h"

/* Zeroed before the first use. */
struct rn_picture {
    SDL_Texture *texture;
    int w, h;           /* of the picture, pixels; 0 before the first upload */
    SDL_Rect visible;   /* of the texture */
    Uint32 format;      /* SDL_PIXELFORMAT_* */
    int tw, th;         /* of the texture, texels */
    int mode;           /* SDL_YUV_CONVERSION_MODE the texture was made for */
    uint8_t *buffer[2]; /* work space */
    size_t size[2];
};

/* Takes over the pixels. Returns 0 or RN_EINTERNAL (logged). */
int rn_picture_upload(struct rn_picture *pic, SDL_Renderer *renderer,
                      const struct rn_screen *screen);

/* The texture is lost or no longer wanted; the next upload makes a new one. */
void rn_picture_clear(struct rn_picture *pic);

void rn_picture_free(struct rn_picture *pic);

#endif
