/* SPDX-License-Identifier: MIT */
/* The border rule: which value stands for a pixel outside the image. All neighbourhood filters
 * share it.
 *
 *   clamp   a a a | a b c d | d d d      the nearest edge pixel (default)
 *   zero    0 0 0 | a b c d | 0 0 0
 *   mirror  d c b | a b c d | c b a      no edge pixel is repeated
 *   wrap    b c d | a b c d | a b c
 *   ignore  pixels outside take no part (morphology only, its default)
 *
 * kernels/border.clh is the rule, for devices and for C. */
#pragma once

enum rn_border { RN_CLAMP, RN_ZERO, RN_MIRROR, RN_WRAP, RN_IGNORE };

/* Maps coordinate i, any int within +-2^30, to [0, n), n >= 1. Returns -1 if i is outside and the
 * rule gives it no counterpart in the image (zero, ignore). */
int rn_border_index(enum rn_border border, int i, int n);
