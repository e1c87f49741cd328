/* SPDX-License-Identifier: MIT */
#include "filters/parts/element.h"

#include <stdlib.h>
#include <string.h>

/* Elements of up to this many samples are read directly: one pass costs less than several. */
#define DIRECT 25

static bool has(const struct rn_element *e, int dx, int dy, int dz)
{
    const double *w = e->weight;
    if (abs(dx) > e->rx || abs(dy) > e->ry || abs(dz) > e->slices)
        return false;
    switch (e->shape) {
    case RN_CROSS:
        return (dx == 0) + (dy == 0) + (dz == 0) >= 2;
    case RN_SQUARE:
        return true;
    case RN_DISK:
        return dx * dx * w[0] + dy * dy * w[1] + dz * dz * w[2] <= 1 + 1e-6;
    }
    return false;
}

bool rn_element_is_small(const struct rn_element *e)
{
    int n = 0;
    for (int dz = -e->slices; dz <= e->slices; dz++)
        for (int dy = -e->ry; dy <= e->ry; dy++)
            for (int dx = -e->rx; dx <= e->rx; dx++)
                n += has(e, dx, dy, dz);
    return n <= DIRECT;
}

int rn_element_half_width(const struct rn_element *e, int dy, int dz)
{
    int half = -1;
    while (has(e, half + 1, dy, dz))
        half++;
    return half;
}

int rn_element_section(const struct rn_element *e, int dz)
{
    for (int z = 0; z < abs(dz); z++) {
        bool same = true;
        for (int dy = 0; dy <= e->ry && same; dy++)
            same = rn_element_half_width(e, dy, z) == rn_element_half_width(e, dy, dz);
        if (same)
            return z;
    }
    return abs(dz);
}

static struct rn_pass *begin(struct rn_passes *ps, int to)
{
    struct rn_pass *pass = &ps->pass[ps->npasses++];
    *pass = (struct rn_pass){.first = ps->ntaps, .to = to};
    if (to >= ps->nplanes)
        ps->nplanes = to + 1;
    return pass;
}

static void tap(struct rn_passes *ps, int dx, int dy, int plane)
{
    ps->tap[ps->ntaps++] = (struct rn_tap){dx, dy, plane};
    ps->pass[ps->npasses - 1].count++;
}

static void direct(struct rn_passes *ps, const struct rn_element *e, int dz)
{
    begin(ps, -1);
    for (int dy = -e->ry; dy <= e->ry; dy++)
        for (int dx = -e->rx; dx <= e->rx; dx++)
            if (has(e, dx, dy, dz))
                tap(ps, dx, dy, -1);
}

/* The minimum or maximum over a line of 2r+1 samples centred on each sample: first over windows of
 * about the square root of its length, then over as many windows as cover the line. from: the plane
 * that is read; via: the plane for the windows; along_x: the lines run along rows, otherwise along
 * columns; across: how far beyond the edge the result is needed, perpendicular to the line. */
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
        from = via;
    }
    struct rn_pass *pass = begin(ps, to);
    pass->left = pass->right = along_x ? 0 : across;
    pass->up = pass->down = along_x ? across : 0;
    for (int i = 0; i < length; i += window) {
        int at = i + window > length ? r - window + 1 : i - r;
        tap(ps, along_x ? at : 0, along_x ? 0 : at, from);
    }
}

/* Plane k holds windows of 2^(k+1) samples, one starting at each sample. */
static void disk(struct rn_passes *ps, const struct rn_element *e, int dz)
{
    int levels = 0, rx = e->rx, ry = e->ry, widest = rn_element_half_width(e, 0, dz);
    while (2 << levels <= 2 * widest + 1)
        levels++;
    for (int k = 0; k < levels; k++) {
        struct rn_pass *pass = begin(ps, k);
        pass->left = rx;
        pass->up = pass->down = ry;
        pass->right = rx - (2 << k) + 1;
        tap(ps, 0, 0, k - 1);
        tap(ps, 1 << k, 0, k - 1);
    }
    begin(ps, -1);
    /* Taps of the source come first. */
    for (int dy = -ry; dy <= ry; dy++)
        if (rn_element_half_width(e, dy, dz) == 0)
            tap(ps, 0, dy, -1);
    for (int dy = -ry; dy <= ry; dy++) {
        int half = rn_element_half_width(e, dy, dz), k = 0;
        if (half < 1)
            continue;
        while (4 << k <= 2 * half + 1)
            k++;
        tap(ps, -half, dy, k);
        tap(ps, half - (2 << k) + 1, dy, k);
    }
}

void rn_element_passes(struct rn_passes *ps, const struct rn_element *e, int dz)
{
    int area = 0;
    memset(ps, 0, sizeof *ps);
    for (int dy = -e->ry; dy <= e->ry; dy++) {
        int width = 2 * rn_element_half_width(e, dy, dz) + 1;
        area += width > 0 ? width : 0;
    }
    if (area <= (e->shape == RN_SQUARE ? 9 : DIRECT)) {
        direct(ps, e, dz);
    } else if (e->shape == RN_SQUARE) {
        line(ps, e->rx, true, -1, 0, 1, e->ry);
        line(ps, e->ry, false, 1, 0, -1, 0);
    } else if (e->shape == RN_CROSS) {
        line(ps, e->rx, true, -1, 0, 1, 0);
        line(ps, e->ry, false, -1, 0, 2, 0);
        begin(ps, -1);
        tap(ps, 0, 0, 1);
        tap(ps, 0, 0, 2);
    } else {
        disk(ps, e, dz);
    }
}

/* Half the length of the section's column dx; -1 if it has none. */
static int half_height(const struct rn_element *e, int dx, int dz)
{
    int half = -1;
    while (has(e, dx, half + 1, dz))
        half++;
    return half;
}

/* The chords of one length: those of half that length that the part at dz + 1 has not. */
static void add_chord(struct rn_chords *c, const struct rn_element *e, int dz, int half)
{
    int *item = c->item[c->n], from = e->rx + 1, to = -1;
    for (int dx = 0; dx <= e->rx; dx++) {
        if (half_height(e, dx, dz) != half || half_height(e, dx, dz + 1) == half)
            continue;
        from = dx < from ? dx : from;
        to = dx;
    }
    if (to < 0)
        return;
    item[0] = 2 * half + 1;
    item[1] = from;
    item[2] = to;
    item[3] = half;
    c->n++;
}

void rn_element_chords(struct rn_chords *c, const struct rn_element *e)
{
    memset(c, 0, sizeof *c);
    c->n = e->slices + 1;
    for (int dz = 0; dz <= e->slices; dz++) {
        int *part = c->item[dz];
        part[0] = c->n;
        for (int half = 0; half <= e->ry; half++)
            add_chord(c, e, dz, half);
        part[1] = c->n;
        part[2] = half_height(e, 0, dz);
    }
}
