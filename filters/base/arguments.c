/* SPDX-License-Identifier: MIT */
#include "filters/base/arguments.h"

#include <string.h>

#include "filters/base/version.h"

const char *rn_version(void)
{
    return RN_VERSION;
}

int rn_version_number(void)
{
    return RN_VERSION_NUMBER;
}

bool rn_argument_missing(const char *function, const char *names, const void *const pointer[],
                         size_t n)
{
    for (size_t i = 0; i < n; i++, names += strcspn(names, " ") + 1)
        if (!pointer[i]) {
            rn_fail(RN_EUSAGE, "%s: %.*s is NULL", function, (int)strcspn(names, " "), names);
            return true;
        }
    return false;
}

int rn_argument_within(const char *function, const char *name, int64_t value, int64_t min,
                       int64_t max)
{
    return value >= min && value <= max
               ? 0
               : rn_fail(RN_EUSAGE, "%s: %s is %lld, which is not %lld..%lld", function, name,
                         (long long)value, (long long)min, (long long)max);
}

int rn_argument_sized(const char *function, const char *type, const void *from, size_t least,
                      void *to, size_t known)
{
    size_t size;
    memcpy(&size, from, sizeof size);
    if (size >= least && size <= known) {
        memset(to, 0, known);
        memcpy(to, from, size);
        return 0;
    }
    if (!size)
        return rn_fail(RN_EUSAGE, "%s: struct %s has size 0: begin it with RN_SIZED(struct %s)",
                       function, type, type);
    return rn_fail(RN_EUSAGE, "%s: struct %s has size %zu, which is not %zu..%zu: %s", function,
                   type, size, least, known,
                   size > known ? "the program was built for a newer librunnel"
                                : "it begins with RN_SIZED");
}

#define MOST_TURNS (1 << 24) /* filters keep a frame of each */

static int argument_format(const char *function, const struct rn_format *fmt)
{
    bool is_float = fmt->number == RN_NUMBER_FLOAT, is_signed = fmt->number == RN_NUMBER_SIGNED;
    int err = rn_argument_within(function, "fmt.model", fmt->model, RN_GRAY, RN_RGB);
    err = err ? err
              : rn_argument_within(function, "fmt.number", fmt->number, RN_NUMBER_UNSIGNED,
                                   RN_NUMBER_FLOAT);
    int least = is_float ? 32 : is_signed ? 16 : 8, most = is_float ? 32 : 16;
    err = err ? err : rn_argument_within(function, "fmt.depth", fmt->depth, least, most);
    bool is_video = fmt->model == RN_YUV;
    err = err ? err : rn_argument_within(function, "fmt.sub_x", fmt->sub_x, 0, is_video);
    err = err ? err : rn_argument_within(function, "fmt.sub_y", fmt->sub_y, 0, fmt->sub_x);
    if (!err && is_video && fmt->number != RN_NUMBER_UNSIGNED)
        return rn_fail(RN_EUSAGE, "%s: fmt.model is RN_YUV, which has no signed or float samples",
                       function);
    if (!err && fmt->complex && (fmt->model != RN_GRAY || !is_float || fmt->alpha))
        return rn_fail(RN_EUSAGE, "%s: fmt.complex is true, which only RN_GRAY of floats can be",
                       function);
    return err;
}

int rn_argument_shape(const char *function, const struct rn_geom *geom)
{
    int err = argument_format(function, &geom->fmt);
    err = err ? err : rn_argument_within(function, "w", geom->w, 1, RN_MAX_SIDE);
    return err ? err : rn_argument_within(function, "h", geom->h, 1, RN_MAX_SIDE);
}

int rn_argument_samples(const char *function, const struct rn_geom *geom)
{
    const struct rn_rescale *rescale = &geom->rescale;
    int err = rn_argument_sized(function, "rn_geom", geom, sizeof *geom, &(struct rn_geom){0},
                                sizeof *geom);
    err = err ? err : argument_format(function, &geom->fmt);
    err = err ? err : rn_argument_within(function, "matrix", geom->matrix, RN_BT601, RN_BT2020);
    err = err ? err : rn_argument_within(function, "turns", geom->turns, 0, MOST_TURNS);
    if (err)
        return err;
    if (geom->fmt.number == RN_NUMBER_FLOAT &&
        !(geom->low < geom->high && isfinite(geom->low) && isfinite(geom->high)))
        return rn_fail(RN_EUSAGE, "%s: low..high is %g..%g, which is no range", function,
                       (double)geom->low, (double)geom->high);
    if (!isfinite(rescale->slope) || !isfinite(rescale->intercept) ||
        !memchr(rescale->unit, '\0', sizeof rescale->unit))
        return rn_fail(RN_EUSAGE,
                       "%s: rescale is %g, %g: finite numbers and a unit of at most %zu "
                       "bytes are expected",
                       function, rescale->slope, rescale->intercept, sizeof rescale->unit - 1);
    for (int i = 0; i < 3; i++)
        if (!(geom->spacing[i] >= 0 && isfinite(geom->spacing[i])))
            return rn_fail(RN_EUSAGE, "%s: spacing[%d] is %g, which is not 0 or more mm", function,
                           i, geom->spacing[i]);
    return 0;
}

int rn_argument_geom(const char *function, const struct rn_geom *geom)
{
    int err = rn_argument_samples(function, geom);
    return err ? err : rn_argument_shape(function, geom);
}

int rn_argument_image(const char *function, const char *name, const struct rn_image *img,
                      const struct rn_geom *geom)
{
    char got[24], wanted[24];
    if (!rn_format_equal(&img->geom.fmt, &geom->fmt) || img->geom.w != geom->w ||
        img->geom.h != geom->h) {
        if (rn_argument_shape(function, &img->geom))
            return RN_EUSAGE;
        return rn_fail(RN_EUSAGE, "%s: %s is %dx%d %s, which is not %dx%d %s", function, name,
                       img->geom.w, img->geom.h, rn_format_name(&img->geom.fmt, got), geom->w,
                       geom->h, rn_format_name(&geom->fmt, wanted));
    }
    for (int p = 0; p < rn_format_planes(&geom->fmt); p++) {
        int w, h;
        const struct rn_plane *plane = &img->plane[p];
        ptrdiff_t least;
        rn_geom_plane_size(geom, p, &w, &h);
        least = (ptrdiff_t)w * rn_format_bytes(&geom->fmt);
        if (!plane->data || plane->w != w || plane->h != h || plane->stride < least)
            return rn_fail(RN_EUSAGE,
                           "%s: %s.plane[%d] is %dx%d, its stride %td%s, which is not "
                           "%dx%d and at least %td",
                           function, name, p, plane->w, plane->h, plane->stride,
                           plane->data ? "" : ", its data NULL", w, h, least);
    }
    return 0;
}
