/* SPDX-License-Identifier: MIT */
#include "filters/core/chain/stage.h"

#define FILTERS(F)                                                                                 \
    F(blackhat)                                                                                    \
    F(blur)                                                                                        \
    F(boxblur)                                                                                     \
    F(closing)                                                                                     \
    F(convolution)                                                                                 \
    F(custom)                                                                                      \
    F(dilation)                                                                                    \
    F(emboss)                                                                                      \
    F(equalize)                                                                                    \
    F(erosion)                                                                                     \
    F(format)                                                                                      \
    F(gradient)                                                                                    \
    F(gray)                                                                                        \
    F(invert)                                                                                      \
    F(laplacian)                                                                                   \
    F(levels)                                                                                      \
    F(median)                                                                                      \
    F(network)                                                                                     \
    F(noise)                                                                                       \
    F(opening)                                                                                     \
    F(prewitt)                                                                                     \
    F(roberts)                                                                                     \
    F(sharpen)                                                                                     \
    F(sobel)                                                                                       \
    F(stats)                                                                                       \
    F(threshold)                                                                                   \
    F(tophat)

#define DECLARE(name) extern const struct rn_stage_desc rn_##name;
#define LIST(name)    &rn_##name,

FILTERS(DECLARE)

const struct rn_stage_desc *const rn_registry[] = {FILTERS(LIST) NULL};
