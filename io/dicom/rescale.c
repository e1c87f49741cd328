/* SPDX-License-Identifier: MIT */
#include "io/dicom/series_internal.h"

#include "filters/base/log.h"
#include "io/pixels/convert.h"

#include <float.h>
#include <stdio.h>

#define MAX_EXACT (1 << 24) /* floats hold every integer up to this one */

/* Returns the smallest depth of `bits` or more that has a pixel format. */
static int depth_for(int bits)
{
    return bits <= 8 ? 8 : bits == 11 ? 12 : bits == 13 ? 14 : bits == 15 ? 16 : bits;
}

static const struct rn_dicom_header *first_of(const struct rn_dicom_pictures *pictures)
{
    return &pictures->list[0].file->head;
}

/* ---- scales */

static void stored_range(const struct rn_dicom_header *h, double *least, double *most)
{
    double values = ldexp(1, h->bits);
    *least = h->is_signed ? -values / 2 : 0;
    *most = *least + values - 1;
}

/* The range of rescaled values of all pictures, and their finest step. */
struct span {
    double least, most, finest;
};

static struct span span_of(const struct rn_dicom_pictures *pictures)
{
    struct span span = {INFINITY, -INFINITY, INFINITY};
    double least, most;
    stored_range(first_of(pictures), &least, &most);
    for (int i = 0; i < pictures->n; i++) {
        const struct rn_dicom_place *p = pictures->list[i].place;
        double a = p->slope * least + p->intercept, b = p->slope * most + p->intercept;
        double step = fabs(p->slope);
        span.least = fmin(span.least, fmin(a, b));
        span.most = fmax(span.most, fmax(a, b));
        span.finest = step > 0 ? fmin(span.finest, step) : span.finest;
    }
    return span;
}

static bool is_whole(double x)
{
    return fabs(x - rint(x)) < 1e-6; /* steps are read from decimals */
}

/* Returns true if all rescaled values are offset plus an integer multiple of step. */
static bool is_exact(const struct rn_dicom_pictures *pictures, double step, double offset)
{
    bool exact = true;
    for (int i = 0; i < pictures->n && exact; i++) {
        const struct rn_dicom_place *p = pictures->list[i].place;
        exact = is_whole(p->slope / step) && is_whole((p->intercept - offset) / step);
    }
    return exact;
}

static bool scales_differ(const struct rn_dicom_pictures *pictures)
{
    const struct rn_dicom_place *first = pictures->list[0].place;
    for (int i = 1; i < pictures->n; i++) {
        const struct rn_dicom_place *p = pictures->list[i].place;
        if (p->slope != first->slope || p->intercept != first->intercept)
            return true;
    }
    return false;
}

/* Chooses one scale for all: integers of up to 16 bits if they are exact, else floats. */
static void choose_scale(struct rn_dicom_rescale *v, const struct rn_dicom_pictures *pictures)
{
    struct span span = span_of(pictures);
    double width = (span.most - span.least) / span.finest;
    v->has_common_scale = true;
    v->step = 1;
    v->fmt.number = RN_NUMBER_FLOAT;
    v->low = span.least;
    v->high = span.most;
    if (isfinite(span.finest) && width <= 0xFFFF + 1e-6 &&
        is_exact(pictures, span.finest, span.least)) {
        int bits = 1;
        while (ldexp(1, bits) - 1 < width - 1e-6)
            bits++;
        v->fmt.number = RN_NUMBER_UNSIGNED;
        v->fmt.depth = depth_for(bits);
        v->step = span.finest;
        v->offset = span.least;
    }
    if (v->fmt.number == RN_NUMBER_FLOAT)
        rn_log(
            RN_LOG_WARNING,
            "'%s': the pictures have scales of their own; samples are rescaled values, as floats",
            pictures->input);
    else
        rn_log(RN_LOG_WARNING,
               "'%s': the pictures have scales of their own; all are converted to one: rescaled "
               "value = %g * sample %+g",
               pictures->input, v->step, v->offset);
}

static void choose_number(struct rn_dicom_rescale *v, const struct rn_dicom_pictures *pictures)
{
    const struct rn_dicom_header *h = first_of(pictures);
    const struct rn_dicom_place *p = pictures->list[0].place;
    v->fmt.depth = depth_for(h->bits);
    v->step = p->slope;
    v->offset = p->intercept;
    if (h->colours > 1)
        return;
    if (scales_differ(pictures)) {
        choose_scale(v, pictures);
    } else if (h->bytes > 2) {
        stored_range(h, &v->low, &v->high);
        v->low = fmax(v->low, -MAX_EXACT);
        v->high = fmin(v->high, MAX_EXACT);
        v->fmt.number = RN_NUMBER_FLOAT;
    } else if (h->is_signed) {
        v->fmt.number = RN_NUMBER_SIGNED;
    }
}

static void log_rescale(const struct rn_dicom_rescale *v, const struct rn_dicom_pictures *pictures)
{
    const struct rn_dicom_header *h = first_of(pictures);
    const struct rn_rescale *r = &v->rescale;
    if (r->slope != 0 && !v->has_common_scale &&
        (r->slope < 1 || r->slope > 1 || r->intercept != 0))
        rn_log(RN_LOG_INFO, "'%s': rescaled value = %g * sample %+g%s%s", pictures->input, r->slope,
               r->intercept, *r->unit ? " " : "", r->unit);
    if (h->is_inverted)
        rn_log(RN_LOG_INFO,
               "'%s': the smallest value is white (MONOCHROME1); samples are the stored values, "
               "and -f invert shows them so",
               pictures->input);
    if (h->is_tabled)
        rn_log(RN_LOG_INFO,
               "'%s': samples are what the file's table makes of the stored values (Modality LUT)",
               pictures->input);
    else if (h->has_modality_table)
        rn_log(RN_LOG_WARNING,
               "'%s': has a table from stored values to what they measure (Modality LUT) that "
               "cannot be read: samples are the stored values",
               pictures->input);
    if (h->has_voi_table)
        rn_log(RN_LOG_INFO,
               "'%s': has a table for the screen (VOI LUT), of which only the range is used, as a "
               "window",
               pictures->input);
}

int rn_dicom_rescale_choose(struct rn_dicom_rescale *v, const struct rn_dicom_pictures *pictures)
{
    const struct rn_dicom_header *h = first_of(pictures);
    *v = (struct rn_dicom_rescale){.fmt.model = h->colours > 1 ? RN_RGB : RN_GRAY};
    choose_number(v, pictures);
    if (v->fmt.number == RN_NUMBER_SIGNED || (v->fmt.model == RN_RGB && v->fmt.depth > 8))
        v->fmt.depth = 16;
    if (v->fmt.number == RN_NUMBER_FLOAT)
        v->fmt.depth = 32;
    bool plain = !(v->step < 1 || v->step > 1) && !(v->offset < 0 || v->offset > 0);
    if (h->colours == 1 && (!plain || *h->unit)) {
        v->rescale.slope = v->step;
        v->rescale.intercept = v->offset;
        snprintf(v->rescale.unit, sizeof v->rescale.unit, "%s", h->unit);
    }
    struct rn_format carrier = v->fmt; /* libav has no signed samples */
    if (v->fmt.number == RN_NUMBER_SIGNED)
        carrier.number = RN_NUMBER_UNSIGNED;
    v->carrier = v->fmt.model != RN_RGB ? rn_pix_format_to_av(&carrier)
                 : v->fmt.depth > 8     ? AV_PIX_FMT_RGB48
                                        : AV_PIX_FMT_RGB24;
    size_t pixels = (size_t)h->w * (size_t)h->h * (size_t)h->colours;
    bool is_float = v->fmt.number == RN_NUMBER_FLOAT;
    if (is_float && !(fabs(v->low) < (double)FLT_MAX && fabs(v->high) < (double)FLT_MAX))
        return rn_fail(RN_EINPUT, "'%s': rescaled values from %g to %g are beyond what floats hold",
                       pictures->input, v->low, v->high);
    if (is_float && (float)v->low >= (float)v->high)
        v->high = (double)nextafterf((float)v->low, INFINITY);
    if (h->w > RN_MAX_SIDE || h->h > RN_MAX_SIDE ||
        pixels * (size_t)rn_format_bytes(&v->fmt) > (size_t)INT32_MAX / 2)
        return rn_fail(RN_EINPUT, "'%s': pictures of %dx%d are too large", pictures->input, h->w,
                       h->h);
    log_rescale(v, pictures);
    return 0;
}

/* ---- samples */

/* Returns stored value i with its sign, without unused bits. */
static int64_t load(const struct rn_dicom_header *h, const uint8_t *from, size_t i)
{
    const void *values = from;
    uint32_t raw = h->bytes == 1   ? from[i]
                   : h->bytes == 2 ? ((const uint16_t *)values)[i]
                                   : ((const uint32_t *)values)[i];
    int64_t v = raw & (UINT32_MAX >> (32 - h->bits));
    return h->is_signed && v >> (h->bits - 1) ? v - ((int64_t)1 << h->bits) : v;
}

/* Converts to the common scale, in which every value is an integer. */
static int64_t to_common_scale(const struct rn_dicom_rescale *v, const struct rn_dicom_place *p,
                               int64_t value)
{
    double x = (p->slope * (double)value + p->intercept - v->offset) / v->step;
    return (int64_t)rint(fmin(fmax(x, 0), 0xFFFF)); /* the bounds also catch NaN */
}

int rn_dicom_rescale_convert(const struct rn_dicom_rescale *v,
                             const struct rn_dicom_picture *picture, const uint8_t *from,
                             uint8_t *to)
{
    const struct rn_dicom_header *h = &picture->file->head;
    const struct rn_dicom_place *p = picture->place;
    const size_t n = (size_t)h->w * (size_t)h->h * (size_t)h->colours;
    const int bytes = rn_format_bytes(&v->fmt); /* 4: floats */
    for (size_t i = 0; i < n; i++) {
        const int64_t value = load(h, from, i);
        if (bytes == 4 && !v->has_common_scale && (value > MAX_EXACT || value < -MAX_EXACT))
            return rn_fail(RN_EINPUT,
                           "'%s' holds the value %lld, of more than 24 bits: samples are floats, "
                           "which do not keep it",
                           picture->file->path, (long long)value);
        if (bytes == 4)
            ((float *)(void *)to)[i] = v->has_common_scale
                                           ? (float)(p->slope * (double)value + p->intercept)
                                           : (float)value;
        else if (bytes == 2)
            ((uint16_t *)(void *)to)[i] =
                (uint16_t)(v->has_common_scale ? to_common_scale(v, p, value) : value);
        else
            to[i] = (uint8_t)(v->has_common_scale ? to_common_scale(v, p, value) : value);
    }
    return 0;
}
