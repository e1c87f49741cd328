/* SPDX-License-Identifier: MIT */
#include "app/play/stacks/stacks.h"

#include "filters/base/log.h"
#include "filters/base/sample.h"

#include <stdlib.h>
#include <string.h>

static int64_t bytes_of(const struct rn_geom *geom)
{
    int64_t bytes = 0;
    for (int p = 0; p < rn_format_planes(&geom->fmt); p++) {
        int w, h;
        rn_geom_plane_size(geom, p, &w, &h);
        bytes += rn_row_stride(w, rn_format_bytes(&geom->fmt)) * (int64_t)h;
    }
    return bytes;
}

/* ---- empty planes */

/* Every sample becomes what is seen as black. */
static void darken_all(struct rn_play_reslice *r)
{
    for (int i = 0; i < 4; i++) {
        struct rn_image *img = &r->plane[i / 2][i % 2];
        const struct rn_geom *geom = &img->geom;
        bool limited = geom->fmt.number == RN_NUMBER_UNSIGNED && !geom->full_range;
        double black = limited ? rn_format_from_8bit(&geom->fmt, 16) : (double)rn_geom_black(geom);
        for (int p = 0; p < rn_format_planes(&geom->fmt); p++) {
            bool chroma = geom->fmt.model == RN_YUV && (p == 1 || p == 2);
            float dark = chroma ? rn_geom_middle(geom) : (float)black;
            RN_EACH_SAMPLE (&img->plane[p], x, y)
                rn_sample_put(&img->plane[p], rn_format_sample(&geom->fmt), x, y, dark);
        }
    }
}

/* ---- filling */

/* Copies n samples to a row; from: the first, `step` bytes apart, each for 1 << shift samples. */
static void copy_line(uint8_t *to, const uint8_t *from, ptrdiff_t step, int shift, int n, int bytes)
{
    for (int i = 0; i < n; i++)
        memcpy(to + (ptrdiff_t)i * bytes, from + (i >> shift) * step, (size_t)bytes);
}

static void fill_row(struct rn_play_reslice *r, enum rn_play_across across, int side, int slice,
                     const struct rn_image *from)
{
    struct rn_image *to = &r->plane[across][side];
    const struct rn_format *fmt = &from->geom.fmt;
    int bytes = rn_format_bytes(fmt), at = r->at[across];
    for (int p = 0; p < rn_format_planes(fmt); p++) {
        const struct rn_plane *plane = &from->plane[p];
        int sx = plane->w < from->geom.w ? fmt->sub_x : 0;
        int sy = plane->h < from->geom.h ? fmt->sub_y : 0;
        uint8_t *line = to->plane[p].data + slice * to->plane[p].stride;
        if (across == RN_ACROSS_ROWS)
            copy_line(line, plane->data + (at >> sy) * plane->stride, bytes, sx, to->geom.w, bytes);
        else
            copy_line(line, plane->data + (ptrdiff_t)(at >> sx) * bytes, plane->stride, sy,
                      to->geom.w, bytes);
    }
}

static void fill(struct rn_play_reslice *r, int slice, const struct rn_image *out,
                 const struct rn_image *in)
{
    for (int across = 0; across < 2; across++) {
        fill_row(r, (enum rn_play_across)across, 0, slice, out);
        fill_row(r, (enum rn_play_across)across, 1, slice, in);
    }
}

int rn_play_reslice_put(struct rn_play_reslice *r, int slice, const struct rn_image *out,
                        const struct rn_image *in)
{
    for (int side = 0; side < 2 && r->kept; side++) {
        struct rn_image *kept = &r->kept[2 * (ptrdiff_t)slice + side];
        int err = kept->plane[0].data ? 0 : rn_image_alloc(kept, &r->geom[side]);
        if (err)
            return err;
        rn_image_copy(side ? in : out, kept);
    }
    fill(r, slice, out, in);
    r->filled += !r->has[slice];
    r->has[slice] = true;
    return 0;
}

/* ---- beginning */

int rn_play_reslice_begin(struct rn_play_reslice *r, const struct rn_geom *out,
                          const struct rn_geom *in, int64_t n, int64_t most)
{
    if (r->n && r->n == n && rn_geom_equal(&r->geom[0], out) && rn_geom_equal(&r->geom[1], in)) {
        rn_play_reslice_empty(r);
        return 0;
    }
    rn_play_reslice_free(r);
    if (n < 1 || n > RN_MAX_SIDE)
        return rn_fail(RN_EUSAGE, "%lld slices are no picture: %d at most", (long long)n,
                       RN_MAX_SIDE);
    r->n = (int)n;
    r->geom[0] = *out;
    r->geom[1] = *in;
    r->has = calloc((size_t)n, sizeof *r->has);
    int err = r->has ? 0 : rn_fail_memory();
    for (int i = 0; i < 4 && !err; i++) {
        /* A slice is a row; each pixel has chroma of its own. */
        struct rn_geom geom = r->geom[i % 2];
        geom.w = i / 2 == RN_ACROSS_ROWS ? in->w : in->h;
        geom.h = r->n;
        geom.fmt.sub_x = geom.fmt.sub_y = 0;
        err = rn_image_alloc(&r->plane[i / 2][i % 2], &geom);
    }
    if (!err && n * (bytes_of(out) + bytes_of(in)) <= most) {
        r->kept = calloc((size_t)n, 2 * sizeof *r->kept);
        err = r->kept ? 0 : rn_fail_memory();
    }
    if (err)
        rn_play_reslice_free(r);
    else
        darken_all(r);
    return err;
}

bool rn_play_reslice_aim(struct rn_play_reslice *r, int x, int y)
{
    if (r->at[RN_ACROSS_ROWS] == y && r->at[RN_ACROSS_COLUMNS] == x)
        return true;
    r->at[RN_ACROSS_ROWS] = y;
    r->at[RN_ACROSS_COLUMNS] = x;
    if (!r->kept) {
        rn_play_reslice_empty(r);
        return false;
    }
    for (int i = 0; i < r->n; i++)
        if (r->has[i])
            fill(r, i, &r->kept[2 * (ptrdiff_t)i], &r->kept[2 * (ptrdiff_t)i + 1]);
    return true;
}

void rn_play_reslice_empty(struct rn_play_reslice *r)
{
    if (!r->n)
        return;
    memset(r->has, 0, (size_t)r->n * sizeof *r->has);
    r->filled = 0;
    darken_all(r);
}

void rn_play_reslice_free(struct rn_play_reslice *r)
{
    for (int i = 0; r->kept && i < 2 * r->n; i++)
        rn_image_free(&r->kept[i]);
    for (int i = 0; i < 4; i++)
        rn_image_free(&r->plane[i / 2][i % 2]);
    free(r->kept);
    free(r->has);
    *r = (struct rn_play_reslice){.at = {r->at[0], r->at[1]}};
}
