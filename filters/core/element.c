#include "filters/core/element.h"

#include <stdlib.h>
#include <string.h>

/* Elements of so few samples are read directly: one pass costs less than several. */
#define DIRECT 25

bool rn_element_has(enum rn_shape shape, int radius, int dx, int dy)
{
    switch (shape) {
    case RN_CROSS:
        return (dx == 0 && abs(dy) <= radius) || (dy == 0 && abs(dx) <= radius);
    case RN_SQUARE:
        return abs(dx) <= radius && abs(dy) <= radius;
    case RN_DISK:
        return dx * dx + dy * dy <= radius * radius;
    }
    return false;
}

static void tap(struct rn_passes *ps, int dx, int dy, int plane)
{
    ps->tap[ps->ntaps++] = (struct rn_tap){dx, dy, plane};
}

static struct rn_pass *begin(struct rn_passes *ps, int to)
{
    struct rn_pass *pass = &ps->pass[ps->npasses++];
    *pass = (struct rn_pass){.first = ps->ntaps, .to = to};
    if (to >= ps->nplanes)
        ps->nplanes = to + 1;
    return pass;
}

static void end(struct rn_passes *ps, struct rn_pass *pass)
{
    pass->count = ps->ntaps - pass->first;
}

static void direct(struct rn_passes *ps, enum rn_shape shape, int r)
{
    struct rn_pass *pass = begin(ps, -1);
    for (int dy = -r; dy <= r; dy++)
        for (int dx = -r; dx <= r; dx++)
            if (rn_element_has(shape, r, dx, dy))
                tap(ps, dx, dy, -1);
    end(ps, pass);
}

/* The extremum over a line of 2r+1 samples centred on each sample: windows of about the root of its
 * length first, then as many of those as cover the line. from: plane that is read; via: plane for
 * the windows; along: the lines run along rows (x) or columns; across: how far the result is needed
 * across the line's direction. */
static void line(struct rn_passes *ps, int r, bool along_x, int from, int via, int to, int across)
{
    int length = 2 * r + 1, window = 1;
    if (length > 8) {
        while (window * window < length)
            window++;
        struct rn_pass *pass = begin(ps, via);
        pass->left = pass->right = along_x ? r : across;
        pass->up = pass->down = along_x ? across : r;
        if (along_x)
            pass->right = r - window + 1;
        else
            pass->down = r - window + 1;
        for (int i = 0; i < window; i++)
            tap(ps, along_x ? i : 0, along_x ? 0 : i, from);
        end(ps, pass);
        from = via;
    }
    struct rn_pass *pass = begin(ps, to);
    pass->left = pass->right = along_x ? 0 : across;
    pass->up = pass->down = along_x ? across : 0;
    for (int i = 0; i < length; i += window) {
        int at = i + window > length ? r - window + 1 : i - r;
        tap(ps, along_x ? at : 0, along_x ? 0 : at, from);
    }
    end(ps, pass);
}

static void square(struct rn_passes *ps, int r)
{
    line(ps, r, true, -1, 0, 1, r);
    line(ps, r, false, 1, 0, -1, 0);
}

static void cross(struct rn_passes *ps, int r)
{
    line(ps, r, true, -1, 0, 1, 0);
    line(ps, r, false, -1, 0, 2, 0);
    struct rn_pass *pass = begin(ps, -1);
    tap(ps, 0, 0, 1);
    tap(ps, 0, 0, 2);
    end(ps, pass);
}

/* Plane k holds windows of 2^(k+1) samples that begin at each sample. */
static void disk(struct rn_passes *ps, int r)
{
    int levels = 0;
    while (2 << levels <= 2 * r + 1)
        levels++;
    for (int k = 0; k < levels; k++) {
        struct rn_pass *pass = begin(ps, k);
        pass->left = pass->up = pass->down = r;
        pass->right = r - (2 << k) + 1;
        tap(ps, 0, 0, k - 1);
        tap(ps, 1 << k, 0, k - 1);
        end(ps, pass);
    }
    struct rn_pass *pass = begin(ps, -1);
    /* Taps of the source come first. */
    for (int dy = -r; dy <= r; dy++)
        if (!rn_element_has(RN_DISK, r, 1, dy))
            tap(ps, 0, dy, -1);
    for (int dy = -r; dy <= r; dy++) {
        int half = 0, k = 0;
        while (rn_element_has(RN_DISK, r, half + 1, dy))
            half++;
        if (!half)
            continue;
        while (4 << k <= 2 * half + 1)
            k++;
        tap(ps, -half, dy, k);
        tap(ps, half - (2 << k) + 1, dy, k);
    }
    end(ps, pass);
}

void rn_element_passes(struct rn_passes *ps, enum rn_shape shape, int radius)
{
    int area = 0;
    for (int dy = -radius; dy <= radius; dy++)
        for (int dx = -radius; dx <= radius; dx++)
            area += rn_element_has(shape, radius, dx, dy);
    memset(ps, 0, sizeof *ps);
    bool small = area <= (shape == RN_SQUARE ? 9 : DIRECT);
    if (small)
        direct(ps, shape, radius);
    else if (shape == RN_SQUARE)
        square(ps, radius);
    else if (shape == RN_CROSS)
        cross(ps, radius);
    else
        disk(ps, radius);
}
