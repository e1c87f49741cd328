/* SPDX-License-Identifier: MIT */
#include "io/common/geometry.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "filters/base/image.h"

#define MAX_ALIGNMENT 64

bool rn_io_deinterlace_parse(const char *text, struct rn_io_geometry *g)
{
    const char *colon = strchr(text, ':');
    size_t n = colon ? (size_t)(colon - text) : strlen(text);
    bool field = n == 5 && !strncmp(text, "field", n);
    bool frame = n == 5 && !strncmp(text, "frame", n);
    g->deinterlace = field ? RN_DEINTERLACE_FIELD : RN_DEINTERLACE_FRAME;
    g->every_frame = colon;
    return (field || frame) && (!colon || !strcmp(colon, ":all"));
}

bool rn_io_rotate_parse(const char *text, struct rn_io_geometry *g)
{
    static const struct {
        const char *name;
        enum rn_io_rotate rotate;
    } names[] = {
        {"none", RN_ROTATE_NONE},   {"auto", RN_ROTATE_AUTO}, {"90", RN_ROTATE_90},
        {"180", RN_ROTATE_180},     {"270", RN_ROTATE_270},   {"hflip", RN_ROTATE_HFLIP},
        {"vflip", RN_ROTATE_VFLIP},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (!strcmp(text, names[i].name)) {
            g->rotate = names[i].rotate;
            return true;
        }
    return false;
}

/* Reads a number up to `max`; *text moves behind it. */
static bool take_number(const char **text, int least, int max, int *n)
{
    char *end;
    if (!isdigit((unsigned char)(*text)[**text == '-']))
        return false;
    long v = strtol(*text, &end, 10);
    *text = end;
    *n = (int)v;
    return v >= least && v <= max;
}

static bool take(const char **text, char c)
{
    return *(*text)++ == c;
}

bool rn_io_crop_parse(const char *text, struct rn_io_geometry *g)
{
    int max = RN_MAX_SIDE;
    g->crop.x = g->crop.y = -1;
    if (!take_number(&text, 1, max, &g->crop.w) || !take(&text, 'x') ||
        !take_number(&text, 1, max, &g->crop.h))
        return false;
    return !*text || (take(&text, '+') && take_number(&text, 0, max, &g->crop.x) &&
                      take(&text, '+') && take_number(&text, 0, max, &g->crop.y) && !*text);
}

bool rn_io_scale_parse(const char *text, struct rn_io_geometry *g)
{
    int *w = &g->scale.w, *h = &g->scale.h;
    return take_number(&text, -MAX_ALIGNMENT, RN_MAX_SIDE, w) && take(&text, 'x') &&
           take_number(&text, -MAX_ALIGNMENT, RN_MAX_SIDE, h) && !*text && *w && *h &&
           (*w > 0 || *h > 0);
}
