/* SPDX-License-Identifier: MIT */
/* The inside of a chain, for the files that parse and edit it. */
#pragma once

#include "filters/core/chain/chain.h"

struct rn_chain {
    int n;
    struct rn_stage *stage[RN_MAX_STAGES];
};

/* Removes one level of FFmpeg's escaping: reads the token at *text up to (not including) the first
 * character of stop that is neither quoted nor escaped, trims blanks at both ends, and moves *text
 * to that character. Behaves as av_get_token(). The caller frees the result. NULL when out of
 * memory. */
char *rn_token(const char **text, const char *stop);
