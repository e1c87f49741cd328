/* SPDX-License-Identifier: MIT */
/* Values of parameters, and what differs between two chains, in words. */
#pragma once

#include "filters/core/chain/chain.h"

/* Writes the value of a parameter of a stage with its unit, as the window shows it: "3 px", "on",
 * "plane 1, 2". geom: of the stage's input. Returns buf. */
char *rn_play_value_words(const struct rn_stage *stage, const struct rn_param *row,
                          const struct rn_geom *geom, char *buf, size_t size);

/* Writes what is to be done to `from` to get `to`: "boxblur.radius 2 px -> 3 px, - erosion, +
 * median, sharpen moved to 1, closing off"; "the same settings". geom: of the input, for levels.
 * An ellipsis ends what does not fit. Returns buf. */
char *rn_play_words(const struct rn_chain *from, const struct rn_chain *to,
                    const struct rn_geom *geom, char *buf, size_t size);
