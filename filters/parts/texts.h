/* SPDX-License-Identifier: MIT */
/* The texts of filters, of filters/texts.strings. */
#pragma once

#define RN_TEXTS_OF(id) rn_help_##id[], rn_aliases_##id[], rn_about_##id[]
extern const char RN_TEXTS_OF(blackhat), RN_TEXTS_OF(blur), RN_TEXTS_OF(boxblur),
    RN_TEXTS_OF(closing), RN_TEXTS_OF(convolution), RN_TEXTS_OF(custom), RN_TEXTS_OF(dilation),
    RN_TEXTS_OF(emboss), RN_TEXTS_OF(equalize), RN_TEXTS_OF(erosion), RN_TEXTS_OF(format),
    RN_TEXTS_OF(gradient), RN_TEXTS_OF(gray), RN_TEXTS_OF(invert), RN_TEXTS_OF(laplacian),
    RN_TEXTS_OF(levels), RN_TEXTS_OF(median), RN_TEXTS_OF(noise), RN_TEXTS_OF(opening),
    RN_TEXTS_OF(prewitt), RN_TEXTS_OF(roberts), RN_TEXTS_OF(sharpen), RN_TEXTS_OF(sobel),
    RN_TEXTS_OF(stats), RN_TEXTS_OF(threshold), RN_TEXTS_OF(tophat);
#undef RN_TEXTS_OF

/* The name and the texts of a descriptor. */
#define RN_TEXTS(id)                                                                               \
    .name = #id, .help = rn_help_##id, .aliases = rn_aliases_##id, .about = rn_about_##id
