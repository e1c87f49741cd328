/* SPDX-License-Identifier: MIT */
/* What differs between two chains, in words. */
#pragma once

#include "filters/core/chain/chain.h"

/* Writes what is to be done to `from` to get `to`: "boxblur.radius 2 -> 3, - erosion, + median,
 * sharpen moved to 1, closing off"; "the same settings". geom: of the input, for levels. What does
 * not fit is cut off. Returns buf. */
char *rn_play_words(const struct rn_chain *from, const struct rn_chain *to,
                    const struct rn_geom *geom, char *buf, size_t size);
