/* NIfTI-1 and -2: reads and writes .nii and .nii.gz, and reads .hdr with its .img.
 *
 * The header has fixed offsets and is parsed here: nifticlib guesses file names, trusts the sizes
 * in a header, and prints to stderr. */
#include "io/volumes/layout.h"

#include "filters/base/err.h"
#include "filters/base/log.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libavformat/avformat.h>
#include <libavutil/avconfig.h>
#include <libavutil/avstring.h>
#include <libavutil/intfloat.h>
#include <libavutil/intreadwrite.h>

enum { SIZE_1 = 348, SIZE_2 = 540 };

enum type { U8, S16, S32, S64, F32, F64 };

/* A field of the header: its offset and the type of its numbers, in NIfTI-1 and -2. */
struct field {
    int offset[2];
    enum type type[2];
};

static const struct field dim = {{40, 16}, {S16, S64}}, vox_offset = {{108, 168}, {F32, S64}};
static const struct field datatype = {{70, 12}, {S16, S16}}, bitpix = {{72, 14}, {S16, S16}};
static const struct field pixdim = {{76, 104}, {F32, F64}}, xyzt_units = {{123, 500}, {U8, S32}};
static const struct field slope = {{112, 176}, {F32, F64}}, intercept = {{116, 184}, {F32, F64}};
static const struct field cal_max = {{124, 192}, {F32, F64}}, cal_min = {{128, 200}, {F32, F64}};
static const struct field qform = {{252, 344}, {S16, S32}}, sform = {{254, 348}, {S16, S32}};
static const struct field quatern = {{256, 352}, {F32, F64}}, qoffset = {{268, 376}, {F32, F64}};
static const struct field srow = {{280, 400}, {F32, F64}}, magic = {{344, 4}, {U8, U8}};
static const struct field descrip = {{148, 240}, {U8, U8}}, intent = {{328, 508}, {U8, U8}};

enum { UNIT_M = 1, UNIT_MM = 2, UNIT_UM = 3, UNIT_S = 8, UNIT_MS = 16, UNIT_US = 24 };

/* ---- numbers in a header */

struct nifti {
    const uint8_t *head;
    bool two, swapped;
};

static uint64_t bits(const struct nifti *h, int at, int bytes)
{
    uint64_t v = 0;
    bool little = (AV_HAVE_BIGENDIAN != 0) == h->swapped;
    for (int i = 0; i < bytes; i++)
        v |= (uint64_t)h->head[at + i] << 8 * (little ? i : bytes - 1 - i);
    return v;
}

static const int bytes_of[] = {[U8] = 1, [S16] = 2, [S32] = 4, [S64] = 8, [F32] = 4, [F64] = 8};

/* Returns number i of a field. Doubles hold all valid values. */
static double get(const struct nifti *h, const struct field *f, int i)
{
    enum type type = f->type[h->two];
    uint64_t v = bits(h, f->offset[h->two] + bytes_of[type] * i, bytes_of[type]);
    switch (type) {
    case S16:
        return (int16_t)v;
    case S32:
        return (int32_t)v;
    case S64:
        return (double)(int64_t)v;
    case F32:
        return (double)av_int2float((uint32_t)v);
    case F64:
        return av_int2double(v);
    default:
        return (double)v;
    }
}

static bool identify(struct nifti *h, const uint8_t *head, size_t n)
{
    *h = (struct nifti){.head = head};
    if (n < SIZE_1)
        return false;
    uint32_t size;
    memcpy(&size, head, 4);
    h->swapped = size != SIZE_1 && size != SIZE_2;
    size = (uint32_t)bits(h, 0, 4);
    h->two = size == SIZE_2;
    const char *text = (const char *)head + magic.offset[h->two];
    return (size == SIZE_1 && (!memcmp(text, "n+1", 4) || !memcmp(text, "ni1", 4))) ||
           (size == SIZE_2 && n >= SIZE_2 && (!memcmp(text, "n+2", 4) || !memcmp(text, "ni2", 4)));
}

static bool nifti_match(const char *path, const uint8_t *head, size_t n)
{
    struct nifti h;
    (void)path;
    return identify(&h, head, n);
}

/* ---- reading */

static int refuse(const char *path, const char *what, double value)
{
    return rn_fail(RN_EINPUT, "'%s' (NIfTI): %s %.0f cannot be read", path, what, value);
}

static bool take_type(const struct nifti *h, struct rn_vol_layout *l)
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
    int code = (int)get(h, &datatype, 0);
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

/* Converts the quaternion to the columns of its rotation matrix. */
static void rotate(const struct nifti *h, double column[3][3])
{
    double b = get(h, &quatern, 0), c = get(h, &quatern, 1);
    double d = get(h, &quatern, 2), rest = 1 - (b * b + c * c + d * d);
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
    double flip = get(h, &pixdim, 0) < 0 ? -1 : 1;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            column[i][k] = m[i][k] * get(h, &pixdim, i + 1) * (i == 2 ? flip : 1);
}

/* Takes units, spacing and position. Axes of NIfTI point right, forward and up (RAS). */
static void place(const struct nifti *h, struct rn_vol_layout *l)
{
    double column[3][3], origin[3];
    int units = (int)get(h, &xyzt_units, 0);
    int time_unit = units & 0x38;
    double mm = (units & 7) == UNIT_M ? 1000 : (units & 7) == UNIT_UM ? 1e-3 : 1;
    double seconds = time_unit == UNIT_S    ? 1
                     : time_unit == UNIT_MS ? 1e-3
                     : time_unit == UNIT_US ? 1e-6
                                            : 0;
    double interval = get(h, &pixdim, 4) * seconds;
    l->volume.interval = isfinite(interval) && interval > 0 ? interval : 0;
    bool known = units & 7 || get(h, &sform, 0) > 0 || get(h, &qform, 0) > 0;
    for (int i = 0; i < 3; i++) {
        double spacing = fabs(get(h, &pixdim, i + 1)) * mm;
        bool none = !known && spacing == 1; /* many writers put 1 for unknown */
        l->volume.spacing[i] = isfinite(spacing) && !none ? spacing : 0;
    }
    if (get(h, &sform, 0) > 0) {
        for (int k = 0; k < 3; k++) {
            for (int i = 0; i < 3; i++)
                column[i][k] = get(h, &srow, 4 * k + i);
            origin[k] = get(h, &srow, 4 * k + 3);
        }
    } else if (get(h, &qform, 0) > 0) {
        rotate(h, column);
        for (int k = 0; k < 3; k++)
            origin[k] = get(h, &qoffset, k);
    } else {
        return;
    }
    for (int k = 0; k < 3; k++) {
        double sign = (k < 2 ? -1 : 1) * mm;
        origin[k] *= sign;
        for (int i = 0; i < 3; i++)
            column[i][k] *= sign;
    }
    rn_vol_layout_place(l, (const double(*)[3])column, origin);
}

static void take_values(const struct nifti *h, struct rn_vol *v)
{
    double scale = get(h, &slope, 0), offset = get(h, &intercept, 0);
    double low = get(h, &cal_min, 0), high = get(h, &cal_max, 0);
    memcpy(v->rescale.unit, h->head + intent.offset[h->two], sizeof v->rescale.unit - 1);
    bool plain = scale == 1 && offset == 0 && !*v->rescale.unit;
    if (isfinite(scale) && isfinite(offset) && scale != 0 && !plain && v->fmt.model == RN_GRAY) {
        v->rescale.slope = scale;
        v->rescale.intercept = offset;
    }
    v->windowed = isfinite(low) && isfinite(high) && low < high;
    v->window[0] = low;
    v->window[1] = high;
    memcpy(v->made_by, h->head + descrip.offset[h->two], 79);
}

/* The comment extension holds a longer text than the header's field. */
static void take_comment(const struct nifti *h, size_t n, struct rn_vol *v)
{
    int at = h->two ? SIZE_2 : SIZE_1;
    if (n < (size_t)at + 12 || !h->head[at])
        return;
    int64_t size = (int32_t)bits(h, at + 4, 4), kind = (int32_t)bits(h, at + 8, 4);
    if (kind != 6 || size < 16 || (size_t)(at + 4 + size) > n)
        return;
    size_t most =
        (size_t)size - 8 < sizeof v->made_by - 1 ? (size_t)size - 8 : sizeof v->made_by - 1;
    memset(v->made_by, 0, sizeof v->made_by);
    memcpy(v->made_by, h->head + at + 12, most);
}

static int take_dims(const struct nifti *h, const char *path, struct rn_vol_layout *l)
{
    struct rn_vol *v = &l->volume;
    static const enum rn_vol_axis axes[] = {RN_AXIS_SLICE, RN_AXIS_TIME, RN_AXIS_CHANNEL};
    double dims = get(h, &dim, 0);
    if (dims < 1 || dims > 7)
        return refuse(path, "dim[0]", dims);
    for (int i = 1; i <= 7; i++) {
        double n = i <= dims ? get(h, &dim, i) : 1;
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

static int nifti_parse(const char *path, const uint8_t *head, size_t n, bool packed,
                       struct rn_vol_layout *l)
{
    struct nifti h;
    if (!identify(&h, head, n))
        return refuse(path, "its header", 0);
    if (!take_type(&h, l))
        return refuse(path, "the datatype", get(&h, &datatype, 0));
    int err = take_dims(&h, path, l);
    if (err)
        return err;
    double offset = get(&h, &vox_offset, 0);
    if (!(offset >= 0 && offset < 1e15))
        return refuse(path, "vox_offset", -1);
    l->offset = (int64_t)offset;
    l->packing = packed ? RN_PACKING_GZIP : RN_PACKING_NONE;
    l->swapped = h.swapped;
    rn_vol_sample_type_format(l->type, l->comps, &l->volume.fmt);
    if (head[magic.offset[h.two] + 1] == 'i') { /* the samples are in another file */
        l->path = rn_vol_partner(path, "img");
        if (!l->path)
            return RN_EINPUT;
    }
    place(&h, l);
    take_values(&h, &l->volume);
    take_comment(&h, n, &l->volume);
    return 0;
}

/* ---- writing: columns, rows, slices, times, channels */

enum { COMMENT = 16 + RN_MADE_BY_SIZE };

static bool nifti_refuses(const struct rn_vol *v, const char *output, char *why, size_t size)
{
    (void)output;
    bool coloured = v->fmt.model == RN_RGB;
    bool no = (v->fmt.alpha && !coloured) || (coloured && rn_format_bytes(&v->fmt) > 1);
    if (no)
        snprintf(why, size,
                 coloured ? "NIfTI has colours of 8 bits only" : "NIfTI has no gray with alpha");
    return no;
}

static bool nifti_packed(const char *output)
{
    return av_match_ext(output, "gz");
}

struct writer {
    uint8_t *to;
    bool two;
};

static void put(const struct writer *w, const struct field *f, int i, double v)
{
    enum type type = f->type[w->two];
    uint8_t *to = w->to + f->offset[w->two] + bytes_of[type] * i;
    if (type == F64)
        AV_WN64(to, av_double2int(v));
    else if (type == F32)
        AV_WN32(to, av_float2int((float)v));
    else if (type == S64)
        AV_WN64(to, (uint64_t)v);
    else if (type == S32)
        AV_WN32(to, (uint32_t)v);
    else if (type == S16)
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

static void put_place(const struct writer *w, const struct rn_vol *v)
{
    double column[3][3], q[3], origin[3];
    for (int k = 0; k < 3; k++) {
        origin[k] = v->origin[k] * (k < 2 ? -1 : 1);
        for (int i = 0; i < 3; i++)
            column[i][k] = v->direction[i][k] * (k < 2 ? -1 : 1);
    }
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++)
            put(w, &srow, 4 * k + i, column[i][k] * v->spacing[i]);
        put(w, &srow, 4 * k + 3, origin[k]);
        put(w, &qoffset, k, origin[k]);
    }
    double det = 0;
    for (int k = 0; k < 3; k++)
        det += column[0][k] * (column[1][(k + 1) % 3] * column[2][(k + 2) % 3] -
                               column[1][(k + 2) % 3] * column[2][(k + 1) % 3]);
    for (int k = 0; k < 3; k++)
        column[2][k] *= det < 0 ? -1 : 1;
    to_quaternion((const double(*)[3])column, q);
    for (int k = 0; k < 3; k++)
        put(w, &quatern, k, q[k]);
    put(w, &pixdim, 0, det < 0 ? -1 : 1);
    put(w, &qform, 0, 1);
    put(w, &sform, 0, 1);
}

static void put_samples(const struct writer *w, const struct rn_vol *v)
{
    static const int codes[] = {
        [RN_STORED_U8] = 2, [RN_STORED_U16] = 512, [RN_STORED_S16] = 4, [RN_STORED_F32] = 16};
    enum rn_vol_sample_type type = rn_vol_sample_type_of(&v->fmt);
    int comps = rn_format_planes(&v->fmt);
    int code = comps == 3 ? 128 : comps == 4 ? 2304 : v->fmt.complex ? 32 : codes[type];
    put(w, &datatype, 0, code);
    put(w, &bitpix, 0, 8 * rn_vol_sample_types[type].bytes * comps);
    put(w, &slope, 0, v->rescale.slope);
    put(w, &intercept, 0, v->rescale.slope != 0 ? v->rescale.intercept : 0);
    if (v->windowed) {
        put(w, &cal_min, 0, v->window[0]);
        put(w, &cal_max, 0, v->window[1]);
    } else if (v->ranged) {
        put(w, &cal_min, 0, rn_vol_rescale_apply(&v->rescale, v->low));
        put(w, &cal_max, 0, rn_vol_rescale_apply(&v->rescale, v->high));
    }
    memcpy(w->to + intent.offset[w->two], v->rescale.unit, sizeof v->rescale.unit - 1);
    memcpy(w->to + descrip.offset[w->two], v->made_by, strnlen(v->made_by, 79));
}

static void put_dims(const struct writer *w, const struct rn_vol *v)
{
    const int64_t n[] = {v->w, v->h, v->n[RN_AXIS_SLICE], v->n[RN_AXIS_TIME], v->n[RN_AXIS_CHANNEL],
                         1,    1};
    int dims = n[4] > 1 ? 5 : n[3] > 1 ? 4 : 3;
    bool known = v->spacing[0] > 0 || v->spacing[1] > 0 || v->spacing[2] > 0;
    put(w, &dim, 0, dims);
    put(w, &pixdim, 0, 1);
    for (int i = 0; i < 7; i++) {
        double step = i < 3 ? v->spacing[i] : i == 3 ? v->interval : 0;
        put(w, &dim, i + 1, (double)n[i]);
        put(w, &pixdim, i + 1, step > 0 ? step : 1);
    }
    put(w, &xyzt_units, 0, (known ? UNIT_MM : 0) | (v->interval > 0 ? UNIT_S : 0));
}

static size_t nifti_header(const struct rn_vol_heading *h, char *to, size_t size)
{
    const struct rn_vol *v = h->volume;
    /* NIfTI-1 has 16 bits for a side and a count. Version 2 follows from the volume alone, so a
     * header that is written again keeps its size. */
    bool two = v->w > INT16_MAX || v->h > INT16_MAX || v->n[RN_AXIS_SLICE] > INT16_MAX ||
               v->n[RN_AXIS_TIME] > INT16_MAX || v->n[RN_AXIS_CHANNEL] > INT16_MAX;
    int32_t length = two ? SIZE_2 : SIZE_1, esize = COMMENT, comment = 6;
    size_t all = (size_t)length + 4 + COMMENT;
    struct writer w = {(uint8_t *)to, two};
    if (size < all)
        return 0;
    memset(to, 0, all);
    memcpy(to, &length, 4);
    memcpy(to + magic.offset[two], two ? "n+2\0\r\n\032\n" : "n+1", two ? 8 : 4);
    put_dims(&w, v);
    put_samples(&w, v);
    put(&w, &vox_offset, 0, (double)all);
    if (v->placed)
        put_place(&w, v);
    to[length] = 1; /* an extension follows */
    memcpy(to + length + 4, &esize, 4);
    memcpy(to + length + 8, &comment, 4);
    memcpy(to + length + 12, v->made_by, strlen(v->made_by));
    return all;
}

static void nifti_lacks(const struct rn_vol *v, char *text, size_t size)
{
    if (v->ranged && v->windowed &&
        (rn_vol_rescale_apply(&v->rescale, v->low) != v->window[0] ||
         rn_vol_rescale_apply(&v->rescale, v->high) != v->window[1]))
        snprintf(text, size, "the range of its floats");
}

const struct rn_vol_format rn_vol_nifti_format = {
    .name = "NIfTI",
    .extensions = "nii,gz",
    .match = nifti_match,
    .parse = nifti_parse,
    .refuses = nifti_refuses,
    .header = nifti_header,
    .packed = nifti_packed,
    .lacks = nifti_lacks,
    .place = rn_vol_place_by_slice,
};
