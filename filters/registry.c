#include "filters/core/stage.h"

#define FILTERS(F)                                                                                 \
    F(closing)                                                                                     \
    F(convolution)                                                                                 \
    F(custom)                                                                                      \
    F(dilation)                                                                                    \
    F(equalize)                                                                                    \
    F(erosion)                                                                                     \
    F(format)                                                                                      \
    F(gray)                                                                                        \
    F(invert)                                                                                      \
    F(levels)                                                                                      \
    F(noise)                                                                                       \
    F(opening)                                                                                     \
    F(stats)                                                                                       \
    F(threshold)

#define DECLARE(name) extern const struct rn_stage_desc rn_##name;
#define LIST(name)    &rn_##name,

FILTERS(DECLARE)

const struct rn_stage_desc *const rn_registry[] = {FILTERS(LIST) NULL};
