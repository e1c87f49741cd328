/* SPDX-License-Identifier: MIT */
/* What the screen gets of pictures. */
#pragma once

#include "io/pixels/display.h"
#include "tests/pictures.h"
#include "tests/unit.h"

/* Valid until the next call. */
static inline struct rn_screen shown(const struct rn_image *img,
                                     const struct rn_pix_viewing *viewing)
{
    static struct rn_pix_display *display;
    struct rn_screen screen;
    rn_pix_display_destroy(&display);
    assert_int_equal(rn_pix_display_create(&display, &img->geom, viewing), 0);
    rn_pix_display_show(display, img, &screen);
    return screen;
}
