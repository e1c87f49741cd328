/* SPDX-License-Identifier: MIT */
/* Writes the header of NIfTI. The samples follow: columns, rows, slices, times, channels. */
#include "io/volumes/formats/nifti_header.h"

#include "io/volumes/fields.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <libavformat/avformat.h>
#include <libavutil/intfloat.h>
#include <libavutil/intreadwrite.h>

bool rn_vol_nifti_refuses(const struct rn_vol *v, const char *output, char *why, size_t size)
{
    bool coloured = v->fmt.model == RN_RGB;
    bool no = (v->fmt.alpha && !coloured) || (coloured && rn_format_bytes(&v->fmt) > 1);
    if (no)
        snprintf(why, size,
                 coloured ? "NIfTI has colours of 8 bits only" : "NIfTI has no gray with alpha");
    return no;
}

bool rn_vol_nifti_packed(const char *output)
{
    return av_match_ext(output, "gz");
}

struct writer {
    uint8_t *to;
    bool two;
};

static void put(const struct writer *w, const struct rn_vol_nifti_field *f, int i, double v)
{
    enum rn_vol_nifti_type type = f->type[w->two];
    uint8_t *to = w->to + f->offset[w->two] + rn_vol_nifti_bytes[type] * i;
    if (type == RN_NIFTI_F64)
        AV_WN64(to, av_double2int(v));
    else if (type == RN_NIFTI_F32)
        AV_WN32(to, av_float2int((float)v));
    else if (type == RN_NIFTI_S64)
        AV_WN64(to, (uint64_t)v);
    else if (type == RN_NIFTI_S32)
        AV_WN32(to, (uint32_t)v);
    else if (type == RN_NIFTI_S16)
        AV_WN16(to, (uint16_t)v);
    else
        *to = (uint8_t)v;
}

/* Converts the columns of a rotation matrix to its quaternion. */
static void to_quaternion(const double c[3][3], double q[3])
{
    double r[3][3]; /* rows and columns as usual */
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            r[k][i] = c[i][k];
    double trace = r[0][0] + r[1][1] + r[2][2] + 1;
    if (trace > 0.5) {
        double a = 0.5 * sqrt(trace);
        q[0] = 0.25 * (r[2][1] - r[1][2]) / a;
        q[1] = 0.25 * (r[0][2] - r[2][0]) / a;
        q[2] = 0.25 * (r[1][0] - r[0][1]) / a;
        return;
    }
    int i = r[0][0] > r[1][1] ? (r[0][0] > r[2][2] ? 0 : 2) : r[1][1] > r[2][2] ? 1 : 2;
    int j = (i + 1) % 3, k = (i + 2) % 3;
    double s = 0.5 * sqrt(fmax(1 + r[i][i] - r[j][j] - r[k][k], 0));
    double a = 0.25 * (r[k][j] - r[j][k]) / s, sign = a < 0 ? -1 : 1; /* a counts as positive */
    q[i] = sign * s;
    q[j] = sign * 0.25 * (r[i][j] + r[j][i]) / s;
    q[k] = sign * 0.25 * (r[i][k] + r[k][i]) / s;
}

static void put_sform(const struct writer *w, const struct rn_vol *v, double mm)
{
    for (int k = 0; k < 3; k++) {
        double sign = (k < 2 ? -1 : 1) / mm;
        for (int i = 0; i < 3; i++)
            put(w, &rn_vol_nifti_srow, 4 * k + i, v->direction[i][k] * v->spacing[i] * sign);
        put(w, &rn_vol_nifti_srow, 4 * k + 3, v->origin[k] * sign);
    }
    put(w, &rn_vol_nifti_sform, 0, 1);
}

/* column: orthogonal, with the lengths of the steps. */
static void put_qform(const struct writer *w, const double column[3][3], const double origin[3],
                      double mm)
{
    double unit[3][3], q[3];
    for (int i = 0; i < 3; i++) {
        double length = sqrt(column[i][0] * column[i][0] + column[i][1] * column[i][1] +
                             column[i][2] * column[i][2]);
        put(w, &rn_vol_nifti_pixdim, i + 1, length / mm);
        for (int k = 0; k < 3; k++)
            unit[i][k] = column[i][k] / length * (k < 2 ? -1 : 1);
        put(w, &rn_vol_nifti_qoffset, i, origin[i] * (i < 2 ? -1 : 1) / mm);
    }
    double det = rn_vol_determinant((const double(*)[3])unit);
    for (int k = 0; k < 3; k++)
        unit[2][k] *= det < 0 ? -1 : 1;
    to_quaternion((const double(*)[3])unit, q);
    for (int k = 0; k < 3; k++)
        put(w, &rn_vol_nifti_quatern, k, q[k]);
    put(w, &rn_vol_nifti_pixdim, 0, det < 0 ? -1 : 1);
    put(w, &rn_vol_nifti_qform, 0, 1);
}

/* Writes both forms, but of a NIfTI only those that it has. A qform holds no shear. */
static void put_place(const struct writer *w, const struct rn_vol *v)
{
    double mm = rn_vol_nifti_unit_mm(v->nifti.units), column[3][3];
    for (int i = 0; i < 9; i++)
        column[i / 3][i % 3] = v->direction[i / 3][i % 3] * v->spacing[i / 3];
    if (v->placed && !v->nifti.only_qform)
        put_sform(w, v, mm);
    if (v->placed_twice)
        put_qform(w, v->other_column, v->other_origin, mm);
    else if (v->placed && !v->nifti.only_sform && rn_vol_is_orthogonal(v))
        put_qform(w, (const double(*)[3])column, v->origin, mm);
}

static void put_kept(const struct writer *w, const struct rn_vol_nifti_kept *k,
                     const struct rn_vol *v)
{
    const struct rn_vol_field *f = rn_vol_fields_find(v, RN_VOL_NIFTI, k->name, 0);
    double value = 0;
    const struct rn_vol_nifti written = {.head = w->to, .two = w->two};
    bool form = !strcmp(k->name, "sform_code") || !strcmp(k->name, "qform_code");
    if (!f || k->field.offset[w->two] == RN_NIFTI_NONE ||
        (form && rn_vol_nifti_get(&written, &k->field, 0) == 0))
        return;
    if (k->needs & RN_NIFTI_TEXT) {
        memcpy(w->to + k->field.offset[w->two], f->data, f->size);
        return;
    }
    memcpy(&value, f->data, sizeof value);
    put(w, &k->field, 0, value);
}

static void put_samples(const struct writer *w, const struct rn_vol *v)
{
    static const int codes[] = {
        [RN_STORED_U8] = 2, [RN_STORED_U16] = 512, [RN_STORED_S16] = 4, [RN_STORED_F32] = 16};
    enum rn_vol_sample_type type = rn_vol_sample_type_of(&v->fmt);
    int comps = rn_format_planes(&v->fmt);
    int code = comps == 3 ? 128 : comps == 4 ? 2304 : v->fmt.complex ? 32 : codes[type];
    put(w, &rn_vol_nifti_datatype, 0, code);
    put(w, &rn_vol_nifti_bitpix, 0, 8 * rn_vol_sample_types[type].bytes * comps);
    put(w, &rn_vol_nifti_slope, 0, v->rescale.slope);
    put(w, &rn_vol_nifti_intercept, 0, v->rescale.slope != 0 ? v->rescale.intercept : 0);
    if (v->windowed) {
        put(w, &rn_vol_nifti_cal_min, 0, v->window[0]);
        put(w, &rn_vol_nifti_cal_max, 0, v->window[1]);
    } else if (v->ranged) {
        put(w, &rn_vol_nifti_cal_min, 0, rn_vol_rescale_apply(&v->rescale, v->low));
        put(w, &rn_vol_nifti_cal_max, 0, rn_vol_rescale_apply(&v->rescale, v->high));
    }
    memcpy(w->to + rn_vol_nifti_intent.offset[w->two], v->rescale.unit, sizeof v->rescale.unit - 1);
    memcpy(w->to + rn_vol_nifti_descrip.offset[w->two], v->made_by, strnlen(v->made_by, 79));
}

static void put_dims(const struct writer *w, const struct rn_vol *v)
{
    const int64_t n[] = {v->w, v->h, v->n[RN_AXIS_SLICE], v->n[RN_AXIS_TIME], v->n[RN_AXIS_CHANNEL],
                         1,    1};
    int dims = n[4] > 1 ? 5 : n[3] > 1 ? 4 : n[2] > 1 || !v->nifti.version ? 3 : 2;
    dims = dims > v->nifti.dims ? dims : v->nifti.dims;
    int units = v->nifti.units;
    double mm = rn_vol_nifti_unit_mm(units),
           seconds = rn_vol_nifti_unit_seconds(units) > 0 ? rn_vol_nifti_unit_seconds(units) : 1;
    bool known = v->spacing[0] > 0 || v->spacing[1] > 0 || v->spacing[2] > 0;
    put(w, &rn_vol_nifti_dim, 0, dims);
    put(w, &rn_vol_nifti_pixdim, 0, 1);
    for (int i = 0; i < 7; i++) {
        double step = i < 3 ? v->spacing[i] / mm : i == 3 ? v->interval / seconds : 0;
        put(w, &rn_vol_nifti_dim, i + 1, (double)n[i]);
        put(w, &rn_vol_nifti_pixdim, i + 1, step > 0 ? step : 1);
    }
    if (!v->nifti.version)
        units = (known ? RN_NIFTI_MM : 0) | (v->interval > 0 ? RN_NIFTI_S : 0);
    put(w, &rn_vol_nifti_xyzt_units, 0, units);
}

/* Adds an extension: its code and its bytes. Returns where it ends; 0: there is no space. */
static size_t add_extension(char *to, size_t at, size_t size, const void *data, size_t n)
{
    int32_t all = (int32_t)((4 + n + 15) / 16 * 16); /* as the standard asks for */
    if (size < at + (size_t)all)
        return 0;
    memset(to + at, 0, (size_t)all);
    memcpy(to + at, &all, 4);
    memcpy(to + at + 4, data, n);
    return at + (size_t)all;
}

size_t rn_vol_nifti_header(const struct rn_vol_heading *h, char *to, size_t size)
{
    const struct rn_vol *v = h->volume;
    /* NIfTI-1 has 16 bits for a side and a count. Version 2 follows from the volume alone, so a
     * header that is written again keeps its size. */
    bool two = v->nifti.version == 2 || v->w > INT16_MAX || v->h > INT16_MAX ||
               v->n[RN_AXIS_SLICE] > INT16_MAX || v->n[RN_AXIS_TIME] > INT16_MAX ||
               v->n[RN_AXIS_CHANNEL] > INT16_MAX;
    int32_t length = two ? RN_NIFTI_SIZE_2 : RN_NIFTI_SIZE_1;
    size_t at = (size_t)length + 4;
    struct writer w = {(uint8_t *)to, two};
    if (size < at)
        return 0;
    memset(to, 0, at);
    memcpy(to, &length, 4);
    memcpy(to + rn_vol_nifti_magic.offset[two], two ? "n+2\0\r\n\032\n" : "n+1", two ? 8 : 4);
    put_dims(&w, v);
    put_samples(&w, v);
    put_place(&w, v);
    for (const struct rn_vol_nifti_kept *k = rn_vol_nifti_kept; k->name; k++)
        put_kept(&w, k, v);
    to[length] = 1; /* an extension follows */
    const struct rn_vol_field *f = NULL;
    while ((f = rn_vol_fields_next(v, RN_VOL_NIFTI, f)) && at)
        if (!strncmp(f->name, "extension ", 10))
            at = add_extension(to, at, size, f->data, f->size);
    char made_by[4 + RN_MADE_BY_SIZE] = {0};
    memcpy(made_by, &(int32_t){6}, 4); /* a comment */
    memcpy(made_by + 4, v->made_by, strlen(v->made_by));
    at = at ? add_extension(to, at, size, made_by, sizeof made_by) : 0;
    put(&w, &rn_vol_nifti_vox_offset, 0, (double)at);
    return at;
}

void rn_vol_nifti_lacks(const struct rn_vol *v, char *text, size_t size)
{
    if (v->ranged && v->windowed &&
        (rn_vol_rescale_apply(&v->rescale, v->low) != v->window[0] ||
         rn_vol_rescale_apply(&v->rescale, v->high) != v->window[1]))
        snprintf(text, size, "the range of its floats");
}
