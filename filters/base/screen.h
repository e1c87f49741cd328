/* SPDX-License-Identifier: MIT */
/* A picture as screens take it: io makes it from a frame, ui shows it. Screens are given no Y'CbCr:
 * graphics hardware makes other pixels of that than files have, with chroma in other places. */
#pragma once

#include "filters/base/image.h"

struct rn_screen {
    int w, h;              /* pixels */
    const uint8_t *pixels; /* 4 bytes each: B G R 0 */
    int stride;            /* bytes */
    int whole_w, whole_h;  /* of the picture, if these are means of its pixels; 0: they are it */
};
