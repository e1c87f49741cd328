/* SPDX-License-Identifier: MIT */
/* NIfTI-1 and -2: reads and writes .nii and .nii.gz, and reads .hdr with its .img, also of Analyze
 * 7.5.
 *
 * The header has fixed offsets and is parsed here: nifticlib guesses file names, trusts the sizes
 * in a header, and prints to stderr. */
#include "io/volumes/formats/nifti_header.h"

#include "filters/base/log.h"
#include "io/common/av.h"

#include <limits.h>

#include <libavformat/avformat.h>
#include <libavutil/avconfig.h>

#define ANALYZE "Analyze" /* the format of its fields */
#define PROGRAM "runnel " /* begins the steps of this program in made_by */

/* ---- numbers in a header */

struct header {
    const uint8_t *head;
    bool two, swapped, analyze;
};

enum { UNIT_M = 1, UNIT_MM = 2, UNIT_UM = 3, UNIT_S = 8, UNIT_MS = 16, UNIT_US = 24 };

static double unit_mm(int units)
{
    return (units & 7) == UNIT_M ? 1000 : (units & 7) == UNIT_UM ? 1e-3 : 1;
}

/* 0: it is no unit of time (frequencies and angles have some of these codes). */
static double unit_seconds(int units)
{
    units &= 0x38;
    return units == UNIT_S ? 1 : units == UNIT_MS ? 1e-3 : units == UNIT_US ? 1e-6 : 0;
}

static double number(const struct header *h, enum rn_vol_sample_type type, int at)
{
    return rn_vol_sample_value(type, h->head + at, (AV_HAVE_BIGENDIAN != 0) != h->swapped);
}

/* Gets number i of a field: doubles hold all valid values. */
static double get(const struct header *h, const struct rn_vol_nifti_field *f, int i)
{
    enum rn_vol_sample_type type = f->type[h->two];
    return number(h, type, f->offset[h->two] + rn_vol_sample_types[type].bytes * i);
}

/* Sets *h to a header, which must outlive it; false: n bytes of head are none of NIfTI. */
static bool identify(struct header *h, const uint8_t *head, size_t n)
{
    *h = (struct header){.head = head};
    if (n < RN_NIFTI_SIZE_1)
        return false;
    uint32_t size;
    memcpy(&size, head, 4);
    h->swapped = size != RN_NIFTI_SIZE_1 && size != RN_NIFTI_SIZE_2;
    size = (uint32_t)number(h, RN_STORED_U32, 0);
    h->two = size == RN_NIFTI_SIZE_2;
    const char *text = (const char *)head + nifti_magic.offset[h->two];
    return (size == RN_NIFTI_SIZE_1 && (!memcmp(text, "n+1", 4) || !memcmp(text, "ni1", 4))) ||
           (size == RN_NIFTI_SIZE_2 && n >= RN_NIFTI_SIZE_2 &&
            (!memcmp(text, "n+2", 4) || !memcmp(text, "ni2", 4)));
}

/* ---- reading */

static int refuse(const struct rn_vol_layout *l, const char *what, double value)
{
    return rn_fail(RN_EINPUT, "'%s' (NIfTI): %s %.0f cannot be read", l->input, what, value);
}

static bool take_type(const struct header *h, struct rn_vol_layout *l)
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
    int code = (int)get(h, &nifti_datatype, 0);
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
static bool identify_analyze(struct header *h, const char *path, const uint8_t *head, size_t n)
{
    struct rn_vol_layout l = {.series = NULL};
    if (identify(h, head, n) || n < RN_NIFTI_SIZE_1 || !av_match_ext(path, "hdr") || h->two)
        return false;
    h->analyze = true;
    double dims = get(h, &nifti_dim, 0);
    return number(h, RN_STORED_S32, 0) == RN_NIFTI_SIZE_1 && dims >= 1 && dims <= 7 &&
           get(h, &nifti_dim, 1) > 0 && get(h, &nifti_dim, 2) > 0 && take_type(h, &l) &&
           (int)get(h, &nifti_bitpix, 0) == 8 * rn_vol_layout_bytes(&l) * l.comps;
}

static bool nifti_match(const char *path, const uint8_t *head, size_t n)
{
    struct header h;
    return identify(&h, head, n) || identify_analyze(&h, path, head, n);
}

/* Converts the quaternion to the columns of its rotation matrix. */
static void rotate(const struct header *h, double column[3][3])
{
    double b = get(h, &nifti_quatern, 0), c = get(h, &nifti_quatern, 1);
    double d = get(h, &nifti_quatern, 2), rest = 1 - (b * b + c * c + d * d);
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
    double flip = get(h, &nifti_pixdim, 0) < 0 ? -1 : 1;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            column[i][k] = m[i][k] * get(h, &nifti_pixdim, i + 1) * (i == 2 ? flip : 1);
}

/* ---- fields that are kept */

static int keep(const struct header *h, const struct rn_vol_nifti_kept *k, struct rn_vol *v,
                const char *format)
{
    const uint8_t *at = h->head + k->field.offset[h->two];
    double value = get(h, &k->field, 0);
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
static bool is_taken(const struct header *h, const struct rn_vol_nifti_kept *k,
                     const struct rn_vol *v)
{
    int axis = !strncmp(k->name, "pixdim[", 7) ? k->name[7] - '0' : 0;
    if (axis == 4 || axis == 0)
        return axis ? v->interval > 0 : v->windowed && !strncmp(k->name, "cal_", 4);
    double step = fabs(get(h, &k->field, 0)) * unit_mm(v->nifti.units);
    double spacing = axis < 4 && v->nifti.only_sform ? v->spacing[axis - 1] : 0;
    return axis < 4 && !(spacing > 0 && fabs(step - spacing) > 1e-5 * spacing);
}

/* Extensions follow the header, each with its size, a code and any bytes. Those of AFNI and CIFTI
 * describe the grid. A comment of this program continues the field descrip. */
static int keep_extensions(const struct header *h, struct rn_vol_layout *l)
{
    enum { COMMENT = 6, AFNI = 4, CIFTI = 32, MAX_EXTENSIONS = 1 << 23 /* bytes of all */ };
    RN_OWNED(rn_vol_bytes_close) struct rn_vol_bytes *bytes = NULL;
    uint8_t start[8];
    int64_t at = h->two ? RN_NIFTI_SIZE_2 : RN_NIFTI_SIZE_1, begin = at, total = 0;
    struct rn_vol *v = &l->volume;
    const int64_t stop = l->path ? INT64_MAX : l->offset;
    if (rn_vol_bytes_open(&bytes, l->input, 0, l->packing))
        return 0;
    int err = 0;
    bool more = rn_vol_bytes_read(bytes, at, start, 4) == 4 && *start;
    for (at += 4; more && !err && at + 8 < stop; at += total) {
        struct header n = {.head = start, .swapped = h->swapped};
        if (rn_vol_bytes_read(bytes, at, start, 8) < 8)
            break;
        total = (int64_t)number(&n, RN_STORED_S32, 0);
        int32_t code = (int32_t)number(&n, RN_STORED_S32, 4);
        if (total < 16 || total > stop - at)
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
static void place(const struct header *h, struct rn_vol_layout *l)
{
    struct rn_vol *v = &l->volume;
    double column[3][3], origin[3];
    int units = v->nifti.units = (int)get(h, &nifti_xyzt_units, 0);
    double mm = unit_mm(units), interval = get(h, &nifti_pixdim, 4) * unit_seconds(units);
    bool has_sform = get(h, &nifti_sform, 0) > 0, has_qform = get(h, &nifti_qform, 0) > 0;
    v->interval = isfinite(interval) && interval > 0 ? interval : 0;
    bool known = units & 7 || has_sform || has_qform;
    for (int i = 0; i < 3; i++) {
        double spacing = fabs(get(h, &nifti_pixdim, i + 1)) * mm;
        bool none = !known && spacing == 1; /* many writers put 1 for unknown */
        v->spacing[i] = isfinite(spacing) && !none ? spacing : 0;
    }
    v->nifti.only_sform = has_sform && !has_qform;
    v->nifti.only_qform = has_qform && !has_sform;
    if (has_qform) {
        rotate(h, column);
        for (int k = 0; k < 3; k++)
            origin[k] = get(h, &nifti_qoffset, k);
        to_patient(column, origin, mm);
    }
    if (has_sform) {
        double by_sform[3][3], at[3];
        for (int k = 0; k < 3; k++) {
            for (int i = 0; i < 3; i++)
                by_sform[i][k] = get(h, &nifti_srow, 4 * k + i);
            at[k] = get(h, &nifti_srow, 4 * k + 3);
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

static void take_values(const struct header *h, struct rn_vol *v)
{
    double scale = get(h, &nifti_slope, 0), offset = get(h, &nifti_intercept, 0);
    double low = get(h, &nifti_cal_min, 0), high = get(h, &nifti_cal_max, 0);
    if (!h->analyze)
        memcpy(v->rescale.unit, h->head + nifti_intent.offset[h->two], sizeof v->rescale.unit - 1);
    bool plain = scale == 1 && offset == 0 && !*v->rescale.unit;
    if (isfinite(scale) && isfinite(offset) && scale != 0 && !plain && v->fmt.model == RN_GRAY) {
        v->rescale.slope = scale;
        v->rescale.intercept = offset;
    }
    v->windowed = isfinite(low) && isfinite(high) && low < high;
    v->window[0] = low;
    v->window[1] = high;
    memcpy(v->made_by, h->head + nifti_descrip.offset[h->two], 79);
}

/* Takes the dimensions, and where and how the samples are stored. */
static int take_layout(const struct header *h, struct rn_vol_layout *l)
{
    struct rn_vol *v = &l->volume;
    static const enum rn_vol_axis axes[] = {RN_AXIS_SLICE, RN_AXIS_TIME, RN_AXIS_CHANNEL};
    double dims = get(h, &nifti_dim, 0);
    if (dims < 1 || dims > 7)
        return refuse(l, "dim[0]", dims);
    for (int i = 1; i <= 7; i++) {
        double n = i <= dims ? get(h, &nifti_dim, i) : 1;
        n = h->analyze && i > 2 && !(n > 0) ? 1 : n;
        if (n < 1 || n > INT_MAX || (i > 5 && n > 1))
            return rn_fail(RN_EINPUT, "'%s' (NIfTI): dim[%d] is %.0f, which cannot be read",
                           l->input, i, n);
        if (i < 3)
            *(i == 1 ? &v->w : &v->h) = (int)n;
        else if (i < 6)
            v->n[axes[i - 3]] = (int64_t)n;
    }
    memcpy(v->axis_order, axes, sizeof axes);
    double offset = get(h, &nifti_vox_offset, 0);
    if (!(offset >= 0 && offset < 1e15)) /* below 0, in Analyze: space before each picture */
        return refuse(l, "vox_offset", offset);
    l->offset = (int64_t)offset;
    l->swapped = h->swapped;
    rn_vol_sample_type_format(l->type, l->comps, &v->fmt);
    return 0;
}

/* Analyze says neither which side is left nor where the volume lies; readers guess by habit. */
static int parse_analyze(struct header *h, struct rn_vol_layout *l)
{
    struct rn_vol *v = &l->volume;
    char unit[5] = "";
    if (!take_type(h, l) || l->comps > 1) /* RGB is interleaved or not: nothing says it */
        return refuse(l, "in Analyze the datatype", get(h, &nifti_datatype, 0));
    int err = take_layout(h, l);
    if (err)
        return err;
    memcpy(unit, h->head + nifti_vox_units.offset[0], sizeof unit - 1);
    double mm = rn_vol_unit_mm(unit) > 0 ? rn_vol_unit_mm(unit) : 1;
    for (int i = 0; i < 3; i++) {
        double spacing = fabs(get(h, &nifti_pixdim, i + 1)) * mm;
        v->spacing[i] = isfinite(spacing) ? spacing : 0;
    }
    take_values(h, v); /* slope and intercept: as SPM writes them where Analyze has nothing */
    int n = snprintf(l->note, sizeof l->note,
                     "Analyze does not tell its orientation and place: they are left out");
    const double at[] = {get(h, &nifti_originator, 0), get(h, &nifti_originator, 1),
                         get(h, &nifti_originator, 2)};
    if (at[0] != 0 || at[1] != 0 || at[2] != 0)
        snprintf(l->note + n, sizeof l->note - (size_t)n, ", and SPM's origin (voxel %g %g %g)",
                 at[0], at[1], at[2]);
    for (const struct rn_vol_nifti_kept *k = nifti_analyze_kept; k->name && !err; k++)
        err = keep(h, k, v, ANALYZE);
    l->path = err ? NULL : rn_vol_partner(l->input, "img");
    return err ? err : l->path ? 0 : RN_EINPUT;
}

static int nifti_parse(struct rn_vol_layout *l, uint8_t *head, size_t n)
{
    struct header h;
    if (identify_analyze(&h, l->input, head, n))
        return parse_analyze(&h, l);
    if (!identify(&h, head, n))
        return refuse(l, "its header", 0);
    if (!take_type(&h, l))
        return refuse(l, "the datatype", get(&h, &nifti_datatype, 0));
    int err = take_layout(&h, l);
    if (err)
        return err;
    l->packing = l->packed ? RN_PACKING_GZIP : RN_PACKING_NONE;
    if (head[nifti_magic.offset[h.two] + 1] == 'i') { /* the samples are in another file */
        l->path = rn_vol_partner(l->input, "img");
        if (!l->path)
            return RN_EINPUT;
    }
    l->volume.nifti.version = h.two ? 2 : 1;
    l->volume.nifti.dims = (int)get(&h, &nifti_dim, 0);
    place(&h, l);
    take_values(&h, &l->volume);
    for (const struct rn_vol_nifti_kept *k = nifti_kept; k->name && !err; k++)
        if (k->field.offset[h.two] != NONE && !is_taken(&h, k, &l->volume))
            err = keep(&h, k, &l->volume, RN_VOL_NIFTI);
    return err ? err : keep_extensions(&h, l);
}

/* ---- writing: the samples follow as columns, rows, slices, times, channels */

static const char *nifti_refuses(const struct rn_vol *v)
{
    if (v->fmt.model == RN_RGB)
        return rn_format_bytes(&v->fmt) > 1 ? "NIfTI has colours of 8 bits only" : NULL;
    return v->fmt.alpha ? "NIfTI has no gray with alpha" : NULL;
}

struct writer {
    uint8_t *to;
    bool two;
};

static void put(const struct writer *w, const struct rn_vol_nifti_field *f, int i, double v)
{
    enum rn_vol_sample_type type = f->type[w->two];
    int bytes = rn_vol_sample_types[type].bytes;
    uint8_t value[8];
    if (rn_vol_sample_store(type, v, value))
        memcpy(w->to + f->offset[w->two] + bytes * i, value, (size_t)bytes);
}

/* Converts the columns of a rotation matrix to its quaternion. */
static void to_quaternion(const double c[3][3], double q[3])
{
    double trace = c[0][0] + c[1][1] + c[2][2] + 1;
    if (trace > 0.5) {
        double a = 0.5 * sqrt(trace);
        for (int i = 0, j = 1, k = 2; i < 3; i++, j = (j + 1) % 3, k = (k + 1) % 3)
            q[i] = 0.25 * (c[j][k] - c[k][j]) / a;
        return;
    }
    int i = c[0][0] > c[1][1] ? (c[0][0] > c[2][2] ? 0 : 2) : c[1][1] > c[2][2] ? 1 : 2;
    int j = (i + 1) % 3, k = (i + 2) % 3;
    double s = 0.5 * sqrt(fmax(1 + c[i][i] - c[j][j] - c[k][k], 0));
    double a = 0.25 * (c[j][k] - c[k][j]) / s, sign = a < 0 ? -1 : 1; /* a counts as positive */
    q[i] = sign * s;
    q[j] = sign * 0.25 * (c[i][j] + c[j][i]) / s;
    q[k] = sign * 0.25 * (c[i][k] + c[k][i]) / s;
}

static void put_sform(const struct writer *w, const struct rn_vol *v, double mm)
{
    for (int k = 0; k < 3; k++) {
        double sign = (k < 2 ? -1 : 1) / mm;
        for (int i = 0; i < 3; i++)
            put(w, &nifti_srow, 4 * k + i, v->direction[i][k] * v->spacing[i] * sign);
        put(w, &nifti_srow, 4 * k + 3, v->origin[k] * sign);
    }
    put(w, &nifti_sform, 0, 1);
}

/* column: orthogonal, with the lengths of the steps. */
static void put_qform(const struct writer *w, const double column[3][3], const double origin[3],
                      double mm)
{
    double unit[3][3], q[3];
    for (int i = 0; i < 3; i++) {
        double length = sqrt(rn_vol_dot(column[i], column[i]));
        put(w, &nifti_pixdim, i + 1, length / mm);
        for (int k = 0; k < 3; k++)
            unit[i][k] = column[i][k] / length * (k < 2 ? -1 : 1);
        put(w, &nifti_qoffset, i, origin[i] * (i < 2 ? -1 : 1) / mm);
    }
    double det = rn_vol_determinant((const double(*)[3])unit);
    for (int k = 0; k < 3; k++)
        unit[2][k] *= det < 0 ? -1 : 1;
    to_quaternion((const double(*)[3])unit, q);
    for (int k = 0; k < 3; k++)
        put(w, &nifti_quatern, k, q[k]);
    put(w, &nifti_pixdim, 0, det < 0 ? -1 : 1);
    put(w, &nifti_qform, 0, 1);
}

/* Writes both forms, but of a NIfTI only those that it has. A qform holds no shear. */
static void put_place(const struct writer *w, const struct rn_vol *v)
{
    double mm = unit_mm(v->nifti.units), column[3][3];
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
    bool form = !strcmp(k->name, "sform_code") || !strcmp(k->name, "qform_code");
    if (!f || k->field.offset[w->two] == NONE ||
        (form && get(&(struct header){.head = w->to, .two = w->two}, &k->field, 0) == 0))
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
    put(w, &nifti_datatype, 0, code);
    put(w, &nifti_bitpix, 0, 8 * rn_vol_sample_types[type].bytes * comps);
    put(w, &nifti_slope, 0, v->rescale.slope);
    put(w, &nifti_intercept, 0, v->rescale.slope != 0 ? v->rescale.intercept : 0);
    if (v->windowed) {
        put(w, &nifti_cal_min, 0, v->window[0]);
        put(w, &nifti_cal_max, 0, v->window[1]);
    } else if (v->ranged) {
        put(w, &nifti_cal_min, 0, rn_vol_rescale_apply(&v->rescale, v->low));
        put(w, &nifti_cal_max, 0, rn_vol_rescale_apply(&v->rescale, v->high));
    }
    memcpy(w->to + nifti_intent.offset[w->two], v->rescale.unit, sizeof v->rescale.unit - 1);
    memcpy(w->to + nifti_descrip.offset[w->two], v->made_by, strnlen(v->made_by, 79));
}

static void put_dims(const struct writer *w, const struct rn_vol *v)
{
    const int64_t n[] = {v->w, v->h, v->n[RN_AXIS_SLICE], v->n[RN_AXIS_TIME], v->n[RN_AXIS_CHANNEL],
                         1,    1};
    int dims = n[4] > 1 ? 5 : n[3] > 1 ? 4 : n[2] > 1 || !v->nifti.version ? 3 : 2;
    dims = dims > v->nifti.dims ? dims : v->nifti.dims;
    int units = v->nifti.units;
    double mm = unit_mm(units), seconds = unit_seconds(units) > 0 ? unit_seconds(units) : 1;
    bool known = v->spacing[0] > 0 || v->spacing[1] > 0 || v->spacing[2] > 0;
    put(w, &nifti_dim, 0, dims);
    put(w, &nifti_pixdim, 0, 1);
    for (int i = 0; i < 7; i++) {
        double step = i < 3 ? v->spacing[i] / mm : i == 3 ? v->interval / seconds : 0;
        put(w, &nifti_dim, i + 1, (double)n[i]);
        put(w, &nifti_pixdim, i + 1, step > 0 ? step : 1);
    }
    if (!v->nifti.version)
        units = (known ? UNIT_MM : 0) | (v->interval > 0 ? UNIT_S : 0);
    put(w, &nifti_xyzt_units, 0, units);
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

static size_t nifti_header(const struct rn_vol_heading *h, char *to, size_t size)
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
    memcpy(to + nifti_magic.offset[two], two ? "n+2\0\r\n\032\n" : "n+1", two ? 8 : 4);
    put_dims(&w, v);
    put_samples(&w, v);
    put_place(&w, v);
    for (const struct rn_vol_nifti_kept *k = nifti_kept; k->name; k++)
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
    put(&w, &nifti_vox_offset, 0, (double)at);
    return at;
}

static void nifti_lacks(const struct rn_vol *v, char *text, size_t size)
{
    if (v->ranged && v->windowed &&
        (rn_vol_rescale_apply(&v->rescale, v->low) != v->window[0] ||
         rn_vol_rescale_apply(&v->rescale, v->high) != v->window[1]))
        snprintf(text, size, "the range of its floats");
}

const struct rn_vol_format rn_vol_nifti_format = {
    .name = RN_VOL_NIFTI,
    .extensions = "nii,gz",
    .match = nifti_match,
    .parse = nifti_parse,
    .refuses = nifti_refuses,
    .header = nifti_header,
    .packed = "gz",
    .lacks = nifti_lacks,
    .place = rn_vol_place_by_slice,
};
