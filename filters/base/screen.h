/* A picture in a format that screens take: io makes it from a frame, ui shows it. */
#ifndef RN_SCREEN_H
#define RN_SCREEN_H

#include "filters/base/image.h"

struct rn_screen {
    enum { RN_SCREEN_YUV420, RN_SCREEN_BGRX } kind; /* 8 bit planar 4:2:0, or 4 bytes B G R 0 */
    int w, h;                                       /* pixels */
    const uint8_t *data[3];                         /* Y, U, V; or packed pixels in [0] */
    int stride[3];                                  /* bytes */
    /* Of Y'CbCr: BT.601 of both ranges, or BT.709 of the limited one: hardware knows these. */
    enum rn_colour_matrix matrix;
    bool full_range;
};

#endif
