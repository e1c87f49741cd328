/* SPDX-License-Identifier: MIT */
/* The region of a stage: rectangle, ellipse or levels of a mask. Elsewhere output is input. */
#pragma once

enum rn_region_kind { RN_REGION_NONE, RN_REGION_RECTANGLE, RN_REGION_ELLIPSE, RN_REGION_MASK };

struct rn_region {
    enum rn_region_kind kind;
    float x, y, w, h; /* per cent of the whole frame's width and height */
    float feather;    /* px */
    const char *mask; /* the file; never NULL */
    const char *pgm;  /* its contents, or "" */
};
