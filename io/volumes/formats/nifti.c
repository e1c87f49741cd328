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
#include <libavutil/mem.h>

enum { SIZE_1 = 348, SIZE_2 = 540 };

/* Fields of the header, and their offsets in NIfTI-1 and -2. Numbers have 2 or 4 bytes in NIfTI-1
 * and 8 in NIfTI-2; codes have 2 and 4. */
enum field {
    DIM,
    DATATYPE,
    BITPIX,
    PIXDIM,
    VOX_OFFSET,
    SLOPE,
    INTER,
    CAL_MAX,
    CAL_MIN,
    DESCRIP,
    QFORM,
    SFORM,
    QUATERN,
    QOFFSET,
    SROW,
    UNITS,
    INTENT_NAME,
    MAGIC
};

static const int offset_of[][2] = {
    [DIM] = {40, 16},       [DATATYPE] = {70, 12},      [BITPIX] = {72, 14},
    [PIXDIM] = {76, 104},   [VOX_OFFSET] = {108, 168},  [SLOPE] = {112, 176},
    [INTER] = {116, 184},   [CAL_MAX] = {124, 192},     [CAL_MIN] = {128, 200},
    [DESCRIP] = {148, 240}, [QFORM] = {252, 344},       [SFORM] = {254, 348},
    [QUATERN] = {256, 352}, [QOFFSET] = {268, 376},     [SROW] = {280, 400},
    [UNITS] = {123, 500},   [INTENT_NAME] = {328, 508}, [MAGIC] = {344, 4}};

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

static int64_t whole(const struct nifti *h, enum field f, int i)
{
    int at = offset_of[f][h->two];
    return h->two ? (int64_t)bits(h, at + 8 * i, 8) : (int16_t)bits(h, at + 2 * i, 2);
}

static int code(const struct nifti *h, enum field f)
{
    int at = offset_of[f][h->two];
    return h->two ? (int32_t)bits(h, at, 4) : (int16_t)bits(h, at, 2);
}

static double real(const struct nifti *h, enum field f, int i)
{
    int bytes = h->two ? 8 : 4;
    uint64_t v = bits(h, offset_of[f][h->two] + bytes * i, bytes);
    uint32_t narrow = (uint32_t)v;
    double d;
    float single;
    memcpy(&d, &v, sizeof d);
    memcpy(&single, &narrow, sizeof single);
    return h->two ? d : (double)single;
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
    const char *magic = (const char *)head + offset_of[MAGIC][h->two];
    return (size == SIZE_1 && (!memcmp(magic, "n+1", 4) || !memcmp(magic, "ni1", 4))) ||
           (size == SIZE_2 && n >= SIZE_2 &&
            (!memcmp(magic, "n+2", 4) || !memcmp(magic, "ni2", 4)));
}

static bool nifti_match(const char *path, const uint8_t *head, size_t n)
{
    struct nifti h;
    (void)path;
    return identify(&h, head, n);
}

/* ---- reading */

static int refuse(const char *path, const char *what, long long value)
{
    return rn_fail(RN_EINPUT, "'%s' (NIfTI): %s %lld cannot be read", path, what, value);
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
    int datatype = (int16_t)bits(h, offset_of[DATATYPE][h->two], 2);
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (datatype == types[i].code) {
            l->type = types[i].type;
            l->comps = types[i].comps;
            l->complex = datatype == 32 || datatype == 1792;
            return true;
        }
    }
    return false;
}

/* Converts the quaternion to the columns of its rotation matrix. */
static void rotate(const struct nifti *h, double column[3][3])
{
    double b = real(h, QUATERN, 0), c = real(h, QUATERN, 1);
    double d = real(h, QUATERN, 2), rest = 1 - (b * b + c * c + d * d);
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
    double flip = real(h, PIXDIM, 0) < 0 ? -1 : 1;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            column[i][k] = m[i][k] * real(h, PIXDIM, i + 1) * (i == 2 ? flip : 1);
}

/* Axes of NIfTI point right, forward and up (RAS). */
static void place(const struct nifti *h, struct rn_vol_layout *l)
{
    double column[3][3], origin[3];
    int units = h->two ? code(h, UNITS) : h->head[offset_of[UNITS][0]];
    double mm = (units & 7) == UNIT_M ? 1000 : (units & 7) == UNIT_UM ? 1e-3 : 1;
    bool said = units & 7 || code(h, SFORM) > 0 || code(h, QFORM) > 0;
    for (int i = 0; i < 3; i++) {
        double spacing = fabs(real(h, PIXDIM, i + 1)) * mm;
        bool none = !said && spacing == 1; /* 1 is what writers put for unknown */
        l->volume.spacing[i] = isfinite(spacing) && !none ? spacing : 0;
    }
    if (code(h, SFORM) > 0) {
        for (int k = 0; k < 3; k++) {
            for (int i = 0; i < 3; i++)
                column[i][k] = real(h, SROW, 4 * k + i);
            origin[k] = real(h, SROW, 4 * k + 3);
        }
    } else if (code(h, QFORM) > 0) {
        rotate(h, column);
        for (int k = 0; k < 3; k++)
            origin[k] = real(h, QOFFSET, k);
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

static double seconds(const struct nifti *h)
{
    int units = (h->two ? code(h, UNITS) : h->head[offset_of[UNITS][0]]) & 0x38;
    double t = real(h, PIXDIM, 4);
    double unit = units == UNIT_S ? 1 : units == UNIT_MS ? 1e-3 : units == UNIT_US ? 1e-6 : 0;
    return isfinite(t) && t > 0 ? t * unit : 0;
}

static void take_values(const struct nifti *h, struct rn_vol *v)
{
    double slope = real(h, SLOPE, 0), inter = real(h, INTER, 0);
    double low = real(h, CAL_MIN, 0), high = real(h, CAL_MAX, 0);
    memcpy(v->rescale.unit, h->head + offset_of[INTENT_NAME][h->two], sizeof v->rescale.unit - 1);
    bool plain = slope == 1 && inter == 0 && !*v->rescale.unit;
    if (isfinite(slope) && isfinite(inter) && slope != 0 && !plain && v->fmt.model == RN_GRAY) {
        v->rescale.slope = slope;
        v->rescale.intercept = inter;
    }
    v->windowed = isfinite(low) && isfinite(high) && low < high;
    v->window[0] = low;
    v->window[1] = high;
    memcpy(v->made_by, h->head + offset_of[DESCRIP][h->two], 79);
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
    int64_t dims = whole(h, DIM, 0);
    if (dims < 1 || dims > 7)
        return refuse(path, "dim[0]", dims);
    for (int i = 1; i <= 7; i++) {
        int64_t n = i <= dims ? whole(h, DIM, i) : 1;
        if (n < 1 || n > INT_MAX || (i > 5 && n > 1))
            return rn_fail(RN_EINPUT, "'%s' (NIfTI): dim[%d] is %lld, which cannot be read", path,
                           i, (long long)n);
        if (i < 3)
            *(i == 1 ? &v->w : &v->h) = (int)n;
        else if (i < 6)
            v->n[axes[i - 3]] = n;
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
        return refuse(path, "the datatype", (int16_t)bits(&h, offset_of[DATATYPE][h.two], 2));
    int err = take_dims(&h, path, l);
    if (err)
        return err;
    double offset = h.two ? (double)whole(&h, VOX_OFFSET, 0) : real(&h, VOX_OFFSET, 0);
    if (!(offset >= 0 && offset < 1e15))
        return refuse(path, "vox_offset", -1);
    l->offset = (int64_t)offset;
    l->packing = packed ? RN_PACKING_GZIP : RN_PACKING_NONE;
    l->swapped = h.swapped;
    rn_vol_sample_type_format(l->type, l->comps, &l->volume.fmt);
    if (head[offset_of[MAGIC][h.two] + 1] == 'i') { /* the samples are in another file */
        l->path = rn_vol_partner(path, "img");
        if (!l->path)
            return RN_EINPUT;
    }
    place(&h, l);
    l->volume.interval = seconds(&h);
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

static void put_whole(const struct writer *w, enum field f, int i, int64_t v)
{
    uint8_t *to = w->to + offset_of[f][w->two];
    int16_t narrow = (int16_t)v;
    if (w->two)
        memcpy(to + 8 * i, &v, 8);
    else
        memcpy(to + 2 * i, &narrow, 2);
}

static void put_code(const struct writer *w, enum field f, int v)
{
    uint8_t *to = w->to + offset_of[f][w->two];
    int32_t wide = v;
    int16_t narrow = (int16_t)v;
    if (w->two)
        memcpy(to, &wide, 4);
    else
        memcpy(to, &narrow, 2);
}

static void put_real(const struct writer *w, enum field f, int i, double v)
{
    uint8_t *to = w->to + offset_of[f][w->two];
    float narrow = (float)v;
    if (w->two)
        memcpy(to + 8 * i, &v, 8);
    else
        memcpy(to + 4 * i, &narrow, 4);
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
            put_real(w, SROW, 4 * k + i, column[i][k] * v->spacing[i]);
        put_real(w, SROW, 4 * k + 3, origin[k]);
        put_real(w, QOFFSET, k, origin[k]);
    }
    double det = 0;
    for (int k = 0; k < 3; k++)
        det += column[0][k] * (column[1][(k + 1) % 3] * column[2][(k + 2) % 3] -
                               column[1][(k + 2) % 3] * column[2][(k + 1) % 3]);
    for (int k = 0; k < 3; k++)
        column[2][k] *= det < 0 ? -1 : 1;
    to_quaternion((const double(*)[3])column, q);
    for (int k = 0; k < 3; k++)
        put_real(w, QUATERN, k, q[k]);
    put_real(w, PIXDIM, 0, det < 0 ? -1 : 1);
    put_code(w, QFORM, 1);
    put_code(w, SFORM, 1);
}

static void put_samples(const struct writer *w, const struct rn_vol *v)
{
    static const int16_t types[] = {
        [RN_STORED_U8] = 2, [RN_STORED_U16] = 512, [RN_STORED_S16] = 4, [RN_STORED_F32] = 16};
    enum rn_vol_sample_type type = rn_vol_sample_type_of(&v->fmt);
    int comps = rn_format_planes(&v->fmt);
    int16_t datatype = comps == 3 ? 128 : comps == 4 ? 2304 : v->fmt.complex ? 32 : types[type];
    int16_t bitpix = (int16_t)(8 * rn_vol_sample_type_bytes(type) * comps);
    memcpy(w->to + offset_of[DATATYPE][w->two], &datatype, 2);
    memcpy(w->to + offset_of[BITPIX][w->two], &bitpix, 2);
    put_real(w, SLOPE, 0, v->rescale.slope);
    put_real(w, INTER, 0, v->rescale.slope != 0 ? v->rescale.intercept : 0);
    if (v->windowed) {
        put_real(w, CAL_MIN, 0, v->window[0]);
        put_real(w, CAL_MAX, 0, v->window[1]);
    } else if (v->ranged) {
        put_real(w, CAL_MIN, 0, rn_vol_rescale_apply(&v->rescale, v->low));
        put_real(w, CAL_MAX, 0, rn_vol_rescale_apply(&v->rescale, v->high));
    }
    memcpy(w->to + offset_of[INTENT_NAME][w->two], v->rescale.unit, sizeof v->rescale.unit - 1);
    memcpy(w->to + offset_of[DESCRIP][w->two], v->made_by, strnlen(v->made_by, 79));
}

static void put_dims(const struct writer *w, const struct rn_vol *v)
{
    const int64_t n[] = {v->w, v->h, v->n[RN_AXIS_SLICE], v->n[RN_AXIS_TIME], v->n[RN_AXIS_CHANNEL],
                         1,    1};
    int dims = n[4] > 1 ? 5 : n[3] > 1 ? 4 : 3;
    bool known = v->spacing[0] > 0 || v->spacing[1] > 0 || v->spacing[2] > 0;
    put_whole(w, DIM, 0, dims);
    put_real(w, PIXDIM, 0, 1);
    for (int i = 0; i < 7; i++) {
        double step = i < 3 ? v->spacing[i] : i == 3 ? v->interval : 0;
        put_whole(w, DIM, i + 1, n[i]);
        put_real(w, PIXDIM, i + 1, step > 0 ? step : 1);
    }
    int units = (known ? UNIT_MM : 0) | (v->interval > 0 ? UNIT_S : 0);
    if (w->two)
        put_code(w, UNITS, units);
    else
        w->to[offset_of[UNITS][0]] = (uint8_t)units;
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
    memcpy(to + offset_of[MAGIC][two], two ? "n+2\0\r\n\032\n" : "n+1", two ? 8 : 4);
    put_dims(&w, v);
    put_samples(&w, v);
    if (two)
        put_whole(&w, VOX_OFFSET, 0, (int64_t)all);
    else
        put_real(&w, VOX_OFFSET, 0, (double)all);
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
