/* SPDX-License-Identifier: MIT */
/* The changes that --deinterlace, --rotate, --crop and --scale make to an input's pictures before
 * anything else sees them (prepare.h). They are made in this order, so crop and scale count pixels
 * of the picture as shown. */
#pragma once

#include <stdbool.h>

enum rn_io_deinterlace {
    RN_DEINTERLACE_NONE,
    RN_DEINTERLACE_FRAME, /* one picture of each frame */
    RN_DEINTERLACE_FIELD, /* one of each field: the rate doubles */
};

enum rn_io_rotate {
    /* Filters that know of directions have to see the same picture in every command and for every
     * output, so that what was tuned in the preview is what is written. */
    RN_ROTATE_DEFAULT, /* as RN_ROTATE_AUTO, and a line says so */
    RN_ROTATE_NONE,    /* the pixels as they are stored, the display matrix beside them; only the
                        * preview's window and its screenshots follow it (viewing.h) */
    RN_ROTATE_AUTO,    /* upright, as the display matrix says */
    /* The same, and then: */
    RN_ROTATE_90, /* clockwise */
    RN_ROTATE_180,
    RN_ROTATE_270,
    RN_ROTATE_HFLIP, /* left and right change places */
    RN_ROTATE_VFLIP, /* top and bottom */
};

struct rn_io_geometry {
    enum rn_io_deinterlace deinterlace;
    bool every_frame; /* deinterlace frames, too, that are not flagged as interlaced */
    enum rn_io_rotate rotate;
    struct {
        int w, h, x, y; /* w 0: none; x < 0: from the middle */
    } crop;
    struct {
        int w, h; /* w 0: none; one of them may be -N: keeps the shape, rounded to N pixels */
    } scale;
};

/* Read the options' values: frame, field, frame:all, field:all; none, auto, 90, 180, 270, hflip,
 * vflip; WxH, WxH+X+Y; WxH, -1xH, Wx-2. Return false if text is none of them. */
bool rn_io_deinterlace_parse(const char *text, struct rn_io_geometry *g);
bool rn_io_rotate_parse(const char *text, struct rn_io_geometry *g);
bool rn_io_crop_parse(const char *text, struct rn_io_geometry *g);
bool rn_io_scale_parse(const char *text, struct rn_io_geometry *g);
