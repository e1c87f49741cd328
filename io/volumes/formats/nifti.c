/* SPDX-License-Identifier: MIT */
/* NIfTI-1 and -2: reads and writes .nii and .nii.gz, and reads .hdr with its .img, also of Analyze
 * 7.5.
 *
 * The header has fixed offsets and is parsed here: nifticlib guesses file names, trusts the sizes
 * in a header, and prints to stderr. */
#include "io/volumes/formats/nifti_header.h"

#include "io/volumes/fields.h"

#include "filters/base/log.h"
#include "filters/base/owned.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <libavformat/avformat.h>
#include <libavutil/mem.h>

#define ANALYZE "Analyze" /* the format of its fields */
#define PROGRAM "runnel " /* begins the steps of this program in made_by */

static int refuse(const char *path, const char *what, double value)
{
    return rn_fail(RN_EINPUT, "'%s' (NIfTI): %s %.0f cannot be read", path, what, value);
}

static bool take_type(const struct rn_vol_nifti *h, struct rn_vol_layout *l)
{
    static const struct {
        int code;
        enum rn_vol_sample_type type;
        int comps;
    } types[] = {
        {2, RN_STORED_U8, 1},     {4, RN_STORED_S16, 1},    {8, RN_STORED_S32, 1},
        {16, RN_STORED_F32, 1},   {32, RN_STORED_F32, 1},   {64, RN_STORED_F64, 1},
        {128, RN_STORED_U8, 3},   {256, RN_STORED_S8, 1},   {512, RN_STORED_U16, 1},
        {768, RN_STORED_U32, 1},  {1024, RN_STORED_S64, 1}, {1280, RN_STORED_U64, 1},
        {1792, RN_STORED_F64, 1}, {2304, RN_STORED_U8, 4},
    };
    int code = (int)rn_vol_nifti_get(h, &rn_vol_nifti_datatype, 0);
    if (h->analyze && code > 128) /* SPM has other codes for these */
        code = code == 130 ? 256 : code == 132 ? 512 : code == 136 ? 768 : 0;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (code == types[i].code) {
            l->type = types[i].type;
            l->comps = types[i].comps;
            l->complex = code == 32 || code == 1792;
            return true;
        }
    }
    return false;
}

/* Analyze has no magic number: its sizes must agree with each other. */
static bool identify_analyze(struct rn_vol_nifti *h, const char *path, const uint8_t *head,
                             size_t n)
{
    struct rn_vol_layout l = {.series = NULL};
    if (rn_vol_nifti_identify(h, head, n) || n < RN_NIFTI_SIZE_1 || !av_match_ext(path, "hdr") ||
        h->two)
        return false;
    h->analyze = true;
    double dims = rn_vol_nifti_get(h, &rn_vol_nifti_dim, 0);
    return rn_vol_nifti_bits(h, 0, 4) == RN_NIFTI_SIZE_1 && dims >= 1 && dims <= 7 &&
           rn_vol_nifti_get(h, &rn_vol_nifti_dim, 1) > 0 &&
           rn_vol_nifti_get(h, &rn_vol_nifti_dim, 2) > 0 && take_type(h, &l) &&
           (int)rn_vol_nifti_get(h, &rn_vol_nifti_bitpix, 0) ==
               8 * rn_vol_layout_bytes(&l) * l.comps;
}

static bool nifti_match(const char *path, const uint8_t *head, size_t n)
{
    struct rn_vol_nifti h;
    return rn_vol_nifti_identify(&h, head, n) || identify_analyze(&h, path, head, n);
}

/* Converts the quaternion to the columns of its rotation matrix. */
static void rotate(const struct rn_vol_nifti *h, double column[3][3])
{
    double b = rn_vol_nifti_get(h, &rn_vol_nifti_quatern, 0),
           c = rn_vol_nifti_get(h, &rn_vol_nifti_quatern, 1);
    double d = rn_vol_nifti_get(h, &rn_vol_nifti_quatern, 2), rest = 1 - (b * b + c * c + d * d);
    double a = rest > 0 ? sqrt(rest) : 0, length = sqrt(b * b + c * c + d * d);
    if (rest < 0) { /* by rounding */
        b /= length;
        c /= length;
        d /= length;
    }
    const double m[3][3] = {
        {a * a + b * b - c * c - d * d, 2 * (b * c + a * d), 2 * (b * d - a * c)},
        {2 * (b * c - a * d), a * a + c * c - b * b - d * d, 2 * (c * d + a * b)},
        {2 * (b * d + a * c), 2 * (c * d - a * b), a * a + d * d - b * b - c * c},
    };
    double flip = rn_vol_nifti_get(h, &rn_vol_nifti_pixdim, 0) < 0 ? -1 : 1;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            column[i][k] =
                m[i][k] * rn_vol_nifti_get(h, &rn_vol_nifti_pixdim, i + 1) * (i == 2 ? flip : 1);
}

/* ---- fields that are kept */

static int keep(const struct rn_vol_nifti *h, const struct rn_vol_nifti_kept *k, struct rn_vol *v,
                const char *format)
{
    const uint8_t *at = h->head + k->field.offset[h->two];
    double value = rn_vol_nifti_get(h, &k->field, 0);
    bool text = k->needs & RN_NIFTI_TEXT, said = text ? *at : value != 0 && value != k->common;
    if (!said)
        return 0;
    /* "Aligned" says no more than a place in other formats; an atlas says more. */
    bool aligned = strstr(k->name, "form_code") && value == 2;
    return rn_vol_fields_add(
        v, format,
        (struct rn_vol_field){
            k->name, text ? (const void *)at : &value, text ? (size_t)k->size : sizeof value,
            (k->needs & ~(unsigned)RN_NIFTI_TEXT) | (aligned ? RN_FIELD_FORMAL : 0), 0, 0});
}

/* Returns true if a member of struct rn_vol has taken a field. */
static bool is_taken(const struct rn_vol_nifti *h, const struct rn_vol_nifti_kept *k,
                     const struct rn_vol *v)
{
    int axis = !strncmp(k->name, "pixdim[", 7) ? k->name[7] - '0' : 0;
    if (axis == 4 || axis == 0)
        return axis ? v->interval > 0 : v->windowed && !strncmp(k->name, "cal_", 4);
    double step = fabs(rn_vol_nifti_get(h, &k->field, 0)) * rn_vol_nifti_unit_mm(v->nifti.units);
    double spacing = axis < 4 && v->nifti.only_sform ? v->spacing[axis - 1] : 0;
    return axis < 4 && !(spacing > 0 && fabs(step - spacing) > 1e-5 * spacing);
}

/* Extensions follow the header, each with its size, a code and any bytes. Those of AFNI and CIFTI
 * describe the grid. A comment of this program continues the field descrip. */
static int keep_extensions(const char *path, bool packed, const struct rn_vol_nifti *h, int64_t end,
                           struct rn_vol *v)
{
    enum { COMMENT = 6, AFNI = 4, CIFTI = 32, MAX_EXTENSIONS = 1 << 23 /* bytes of all */ };
    RN_OWNED(rn_vol_bytes_close) struct rn_vol_bytes *bytes = NULL;
    uint8_t start[8];
    int64_t at = h->two ? RN_NIFTI_SIZE_2 : RN_NIFTI_SIZE_1, begin = at, total = 0;
    if (rn_vol_bytes_open(&bytes, path, 0, packed ? RN_PACKING_GZIP : RN_PACKING_NONE))
        return 0;
    int err = 0;
    bool more = rn_vol_bytes_read(bytes, at, start, 4) == 4 && *start;
    for (at += 4; more && !err && at + 8 < end; at += total) {
        struct rn_vol_nifti n = {.head = start, .swapped = h->swapped};
        if (rn_vol_bytes_read(bytes, at, start, 8) < 8)
            break;
        total = (int32_t)rn_vol_nifti_bits(&n, 0, 4);
        int32_t code = (int32_t)rn_vol_nifti_bits(&n, 4, 4);
        if (total < 16 || total > end - at)
            break;
        if (at - begin + total > MAX_EXTENSIONS)
            return rn_vol_fields_add(v, RN_VOL_NIFTI,
                                     (struct rn_vol_field){"extensions of more than 8 MiB", NULL, 0,
                                                           RN_FIELD_LOST, 0, 0});
        size_t size = (size_t)total - 8;
        char name[40];
        RN_OWNED(av_freep) uint8_t *data = av_mallocz(size + 5);
        if (!data || rn_vol_bytes_read(bytes, at + 8, data + 4, size) < size)
            return data ? 0 : rn_fail_memory();
        memcpy(data, &code, 4);
        const char *text = (const char *)data + 4, *own = strstr(text, PROGRAM);
        snprintf(name, sizeof name, "extension %d", code);
        if (code == COMMENT && own && (own == text || own[-1] == ' '))
            snprintf(v->made_by, sizeof v->made_by, "%s", text);
        else
            err = rn_vol_fields_add(
                v, RN_VOL_NIFTI,
                (struct rn_vol_field){
                    name, data, size + 4,
                    code == AFNI || code == CIFTI ? RN_CHANGED_GRID | RN_CHANGED_PICTURES : 0, 0,
                    0});
    }
    return err;
}

/* ---- place */

/* Axes of NIfTI point right, forward and up (RAS). */
static void to_patient(double column[3][3], double origin[3], double mm)
{
    for (int k = 0; k < 3; k++) {
        double sign = (k < 2 ? -1 : 1) * mm;
        origin[k] *= sign;
        for (int i = 0; i < 3; i++)
            column[i][k] *= sign;
    }
}

/* Takes units, spacing and position: by the sform, or by the qform if there is none. */
static void place(const struct rn_vol_nifti *h, struct rn_vol_layout *l)
{
    struct rn_vol *v = &l->volume;
    double column[3][3], origin[3];
    int units = v->nifti.units = (int)rn_vol_nifti_get(h, &rn_vol_nifti_xyzt_units, 0);
    double mm = rn_vol_nifti_unit_mm(units),
           interval =
               rn_vol_nifti_get(h, &rn_vol_nifti_pixdim, 4) * rn_vol_nifti_unit_seconds(units);
    bool has_sform = rn_vol_nifti_get(h, &rn_vol_nifti_sform, 0) > 0,
         has_qform = rn_vol_nifti_get(h, &rn_vol_nifti_qform, 0) > 0;
    v->interval = isfinite(interval) && interval > 0 ? interval : 0;
    bool known = units & 7 || has_sform || has_qform;
    for (int i = 0; i < 3; i++) {
        double spacing = fabs(rn_vol_nifti_get(h, &rn_vol_nifti_pixdim, i + 1)) * mm;
        bool none = !known && spacing == 1; /* many writers put 1 for unknown */
        v->spacing[i] = isfinite(spacing) && !none ? spacing : 0;
    }
    v->nifti.only_sform = has_sform && !has_qform;
    v->nifti.only_qform = has_qform && !has_sform;
    if (has_qform) {
        rotate(h, column);
        for (int k = 0; k < 3; k++)
            origin[k] = rn_vol_nifti_get(h, &rn_vol_nifti_qoffset, k);
        to_patient(column, origin, mm);
    }
    if (has_sform) {
        double by_sform[3][3], at[3];
        for (int k = 0; k < 3; k++) {
            for (int i = 0; i < 3; i++)
                by_sform[i][k] = rn_vol_nifti_get(h, &rn_vol_nifti_srow, 4 * k + i);
            at[k] = rn_vol_nifti_get(h, &rn_vol_nifti_srow, 4 * k + 3);
        }
        to_patient(by_sform, at, mm);
        const double was[3] = {v->spacing[0], v->spacing[1], v->spacing[2]};
        v->placed_twice = rn_vol_layout_place(l, (const double(*)[3])by_sform, at) && has_qform;
        v->nifti.only_qform = !v->placed && has_qform;
        if (!v->placed) { /* an sform of zeros */
            memcpy(v->spacing, was, sizeof was);
            snprintf(l->note, sizeof l->note, "its sform does not span space: %s",
                     has_qform ? "its qform is taken" : "its place and orientation are left out");
        }
    }
    if (v->placed_twice) {
        memcpy(v->other_column, column, sizeof column);
        memcpy(v->other_origin, origin, sizeof origin);
    } else if (v->nifti.only_qform) {
        rn_vol_layout_place(l, (const double(*)[3])column, origin);
    }
}

static void take_values(const struct rn_vol_nifti *h, struct rn_vol *v)
{
    double scale = rn_vol_nifti_get(h, &rn_vol_nifti_slope, 0),
           offset = rn_vol_nifti_get(h, &rn_vol_nifti_intercept, 0);
    double low = rn_vol_nifti_get(h, &rn_vol_nifti_cal_min, 0),
           high = rn_vol_nifti_get(h, &rn_vol_nifti_cal_max, 0);
    if (!h->analyze)
        memcpy(v->rescale.unit, h->head + rn_vol_nifti_intent.offset[h->two],
               sizeof v->rescale.unit - 1);
    bool plain = scale == 1 && offset == 0 && !*v->rescale.unit;
    if (isfinite(scale) && isfinite(offset) && scale != 0 && !plain && v->fmt.model == RN_GRAY) {
        v->rescale.slope = scale;
        v->rescale.intercept = offset;
    }
    v->windowed = isfinite(low) && isfinite(high) && low < high;
    v->window[0] = low;
    v->window[1] = high;
    memcpy(v->made_by, h->head + rn_vol_nifti_descrip.offset[h->two], 79);
}

static int take_dims(const struct rn_vol_nifti *h, const char *path, struct rn_vol_layout *l)
{
    struct rn_vol *v = &l->volume;
    static const enum rn_vol_axis axes[] = {RN_AXIS_SLICE, RN_AXIS_TIME, RN_AXIS_CHANNEL};
    double dims = rn_vol_nifti_get(h, &rn_vol_nifti_dim, 0);
    if (dims < 1 || dims > 7)
        return refuse(path, "dim[0]", dims);
    for (int i = 1; i <= 7; i++) {
        double n = i <= dims ? rn_vol_nifti_get(h, &rn_vol_nifti_dim, i) : 1;
        n = h->analyze && i > 2 && !(n > 0) ? 1 : n;
        if (n < 1 || n > INT_MAX || (i > 5 && n > 1))
            return rn_fail(RN_EINPUT, "'%s' (NIfTI): dim[%d] is %.0f, which cannot be read", path,
                           i, n);
        if (i < 3)
            *(i == 1 ? &v->w : &v->h) = (int)n;
        else if (i < 6)
            v->n[axes[i - 3]] = (int64_t)n;
    }
    memcpy(v->axis_order, axes, sizeof axes);
    return 0;
}

/* Analyze says neither which side is left nor where the volume lies; readers guess by habit. */
static int parse_analyze(const char *path, struct rn_vol_nifti *h, struct rn_vol_layout *l)
{
    struct rn_vol *v = &l->volume;
    const int code = (int)rn_vol_nifti_get(h, &rn_vol_nifti_datatype, 0);
    double offset = rn_vol_nifti_get(h, &rn_vol_nifti_vox_offset, 0);
    char unit[5] = "";
    if (!take_type(h, l) || l->comps > 1) /* RGB is interleaved or not: nothing says it */
        return refuse(path, "in Analyze the datatype", code);
    int err = take_dims(h, path, l);
    if (err)
        return err;
    if (!(offset >= 0 && offset < 1e15)) /* below 0: space before each picture */
        return refuse(path, "vox_offset", offset);
    l->offset = (int64_t)offset;
    l->swapped = h->swapped;
    rn_vol_sample_type_format(l->type, l->comps, &v->fmt);
    memcpy(unit, h->head + rn_vol_nifti_vox_units.offset[0], sizeof unit - 1);
    double mm = rn_vol_unit_mm(unit) > 0 ? rn_vol_unit_mm(unit) : 1;
    for (int i = 0; i < 3; i++) {
        double spacing = fabs(rn_vol_nifti_get(h, &rn_vol_nifti_pixdim, i + 1)) * mm;
        v->spacing[i] = isfinite(spacing) ? spacing : 0;
    }
    take_values(h, v); /* slope and intercept: as SPM writes them where Analyze has nothing */
    int n = snprintf(l->note, sizeof l->note,
                     "Analyze does not tell its orientation and place: they are left out");
    const double at[] = {rn_vol_nifti_get(h, &rn_vol_nifti_originator, 0),
                         rn_vol_nifti_get(h, &rn_vol_nifti_originator, 1),
                         rn_vol_nifti_get(h, &rn_vol_nifti_originator, 2)};
    if (at[0] != 0 || at[1] != 0 || at[2] != 0)
        snprintf(l->note + n, sizeof l->note - (size_t)n, ", and SPM's origin (voxel %g %g %g)",
                 at[0], at[1], at[2]);
    for (const struct rn_vol_nifti_kept *k = rn_vol_nifti_analyze_kept; k->name && !err; k++)
        err = keep(h, k, v, ANALYZE);
    l->path = err ? NULL : rn_vol_partner(path, "img");
    return err ? err : l->path ? 0 : RN_EINPUT;
}

static int nifti_parse(const char *path, const uint8_t *head, size_t n, bool packed,
                       struct rn_vol_layout *l)
{
    struct rn_vol_nifti h;
    if (identify_analyze(&h, path, head, n))
        return parse_analyze(path, &h, l);
    if (!rn_vol_nifti_identify(&h, head, n))
        return refuse(path, "its header", 0);
    if (!take_type(&h, l))
        return refuse(path, "the datatype", rn_vol_nifti_get(&h, &rn_vol_nifti_datatype, 0));
    int err = take_dims(&h, path, l);
    if (err)
        return err;
    double offset = rn_vol_nifti_get(&h, &rn_vol_nifti_vox_offset, 0);
    if (!(offset >= 0 && offset < 1e15))
        return refuse(path, "vox_offset", -1);
    l->offset = (int64_t)offset;
    l->packing = packed ? RN_PACKING_GZIP : RN_PACKING_NONE;
    l->swapped = h.swapped;
    rn_vol_sample_type_format(l->type, l->comps, &l->volume.fmt);
    if (head[rn_vol_nifti_magic.offset[h.two] + 1] == 'i') { /* the samples are in another file */
        l->path = rn_vol_partner(path, "img");
        if (!l->path)
            return RN_EINPUT;
    }
    l->volume.nifti.version = h.two ? 2 : 1;
    l->volume.nifti.dims = (int)rn_vol_nifti_get(&h, &rn_vol_nifti_dim, 0);
    place(&h, l);
    take_values(&h, &l->volume);
    for (const struct rn_vol_nifti_kept *k = rn_vol_nifti_kept; k->name && !err; k++)
        if (k->field.offset[h.two] != RN_NIFTI_NONE && !is_taken(&h, k, &l->volume))
            err = keep(&h, k, &l->volume, RN_VOL_NIFTI);
    return err ? err
               : keep_extensions(path, packed, &h, l->path ? INT64_MAX : l->offset, &l->volume);
}

const struct rn_vol_format rn_vol_nifti_format = {
    .name = RN_VOL_NIFTI,
    .extensions = "nii,gz",
    .match = nifti_match,
    .parse = nifti_parse,
    .refuses = rn_vol_nifti_refuses,
    .header = rn_vol_nifti_header,
    .packed = rn_vol_nifti_packed,
    .lacks = rn_vol_nifti_lacks,
    .place = rn_vol_place_by_slice,
};
