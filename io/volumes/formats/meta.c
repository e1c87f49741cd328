/* SPDX-License-Identifier: MIT */
/* MetaImage: .mha, and .mhd with its samples in a file beside it. */
#include "io/volumes/fields.h"
#include "io/common/av.h"
#include "io/volumes/layout.h"

#include <limits.h>

#include <libavformat/avformat.h>
#include <libavutil/avconfig.h>
#include <libavutil/eval.h>

#define FORMAT  "MetaImage"
#define SPARE   16 /* spare bytes while the number of pictures may grow */
#define MAX_DIM 5

/* Matches what begins with a key of MetaImage alone, or has its extension and a common key. */
static bool meta_match(const char *path, const uint8_t *head, size_t n)
{
    static const char *const first[] = {"ObjectType = ", "NDims = ",   "Comment",
                                        "BinaryData",    "ObjectType", "NDims"};
    bool named = av_match_ext(path, "mha,mhd");
    for (size_t i = 0; i < (named ? sizeof first / sizeof first[0] : 2); i++)
        if (n > 16 && !memcmp(head, first[i], strlen(first[i])))
            return true;
    return false;
}

struct meta {
    struct rn_vol_layout *layout;
    int dim;
    double size[MAX_DIM], spacing[MAX_DIM], offset[MAX_DIM], matrix[MAX_DIM * MAX_DIM];
    int nspacing, noffset, nmatrix;
    bool big, packed, ascii;
    double header_size;
    double mm; /* of the unit of lengths */
    char type[32], data_file[256];
    char *list;                             /* of file names, if data_file says so */
    const char *element_size, *orientation; /* NULL: not in the header */
};

static bool is_true(const char *value)
{
    return *value == 'T' || *value == 't' || *value == '1';
}

static const char *const own_names[RN_VOL_KEYS] = {
    "RescaleSlope", "RescaleIntercept", "RescaleType", "Window", "Range", "TimeInterval", "MadeBy"};

/* Fields of MetaIO that struct rn_vol has no member for. All others hold, whatever happens. */
static const struct {
    const char *names;
    const char *none; /* the default: a text, or the number that all of its numbers are */
    double pad;       /* NaN, or what further axes have */
    unsigned needs;
} known[] = {
    {"TransformType", "Rigid", NAN, 0},
    {"ID,ParentID", "-1", NAN, 0},
    {"Color", "1", NAN, 0},
    {"Modality", "MET_MOD_UNKNOWN", NAN, 0},
    {"CenterOfRotation,SequenceID", "0", 0, RN_CHANGED_CHANNELS | RN_CHANGED_TIMES},
    {"ElementSize", "", 1, RN_CHANGED_GRID | RN_CHANGED_CHANNELS | RN_CHANGED_TIMES},
    {"ElementMin,ElementMax", "", NAN, RN_CHANGED_VALUES | RN_CHANGED_GRID | RN_CHANGED_PICTURES},
    {"ElementToIntensityFunctionSlope", "1", NAN, RN_CHANGED_VALUES},
    {"ElementToIntensityFunctionOffset", "0", NAN, RN_CHANGED_VALUES},
    {"AnatomicalOrientation", "\?\?\?", NAN, RN_CHANGED_TURN},
    {"DistanceUnits", "?", NAN, 0},
    {"ITK_InputFilterName", "", NAN, RN_FIELD_FORMAL},
};

static int find_known(const char *key)
{
    int i = sizeof known / sizeof *known - 1;
    while (i >= 0 && !av_match_name(key, known[i].names))
        i--;
    return i;
}

static bool is_default(const char *value, const char *none)
{
    char *end;
    double number[16], wanted = av_strtod(none, &end);
    int n = rn_vol_numbers_parse(value, " \t", number, 16);
    bool same = *none && !*end && n > 0 && n <= 16;
    for (int i = 0; same && i < n; i++)
        same = number[i] == wanted;
    return same || !strcmp(value, none);
}

static int keep(struct meta *m, const char *key, const char *value, unsigned needs)
{
    int i = find_known(key);
    if (!(needs & RN_FIELD_LOST) && (!*value || (i >= 0 && is_default(value, known[i].none))))
        return 0;
    needs |= i >= 0 ? known[i].needs : 0;
    return rn_vol_fields_add(&m->layout->volume, FORMAT,
                             (struct rn_vol_field){key, value, strlen(value), needs, 0, 0});
}

static int parse_key(struct meta *m, const char *key, const char *value)
{
    if (!strcmp(key, "NDims"))
        m->dim = atoi(value);
    else if (!strcmp(key, "DimSize"))
        rn_vol_numbers_parse(value, " \t", m->size, MAX_DIM);
    else if (!strcmp(key, "ElementSpacing"))
        m->nspacing = rn_vol_numbers_parse(value, " \t", m->spacing, MAX_DIM);
    else if (av_match_name(key, "Offset,Position,Origin"))
        m->noffset = rn_vol_numbers_parse(value, " \t", m->offset, MAX_DIM);
    else if (av_match_name(key, "TransformMatrix,Rotation,Orientation"))
        m->nmatrix = rn_vol_numbers_parse(value, " \t", m->matrix, MAX_DIM * MAX_DIM);
    else if (!strcmp(key, "ElementType"))
        snprintf(m->type, sizeof m->type, "%.31s", value);
    else if (!strcmp(key, "ElementNumberOfChannels"))
        m->layout->comps = atoi(value);
    else if (!strcmp(key, "BinaryData"))
        m->ascii = !is_true(value);
    else if (av_match_name(key, "BinaryDataByteOrderMSB,ElementByteOrderMSB"))
        m->big = is_true(value);
    else if (!strcmp(key, "CompressedData"))
        m->packed = is_true(value);
    else if (!strcmp(key, "HeaderSize"))
        m->header_size = av_strtod(value, NULL);
    else if (!strcmp(key, "ElementDataFile"))
        snprintf(m->data_file, sizeof m->data_file, "%.255s", value);
    else if (!strcmp(key, "ElementSize"))
        m->element_size = value;
    else if (!strcmp(key, "AnatomicalOrientation"))
        m->orientation = value;
    else if (!strcmp(key, "DistanceUnits") && rn_vol_unit_mm(value) > 0) {
        m->mm = rn_vol_unit_mm(value);
        return keep(m, key, value, RN_FIELD_FORMAL);
    } else if (!av_match_name(key, "ObjectType,CompressedDataSize,ElementNBits") &&
               !rn_vol_key_parse(own_names, key, value, &m->layout->volume))
        return keep(m, key, value, 0);
    return 0;
}

/* Sets list behind the lines. */
static int parse_lines(struct meta *m, char *head)
{
    char *line;
    int err = 0;
    while (!err && !*m->data_file && (line = rn_vol_line_next(&head)) != NULL) {
        char *equals = strchr(line, '=');
        if (equals)
            *equals = '\0';
        bool blank = !*rn_vol_text_trim(line);
        if (equals)
            err = parse_key(m, line, rn_vol_text_trim(equals + 1));
        else if (!blank)
            err = keep(m, line, "", RN_FIELD_LOST);
    }
    m->list = head;
    return err;
}

static const char *const types[RN_STORED_TYPES] = {
    [RN_STORED_U8] = "MET_UCHAR",           [RN_STORED_S8] = "MET_CHAR",
    [RN_STORED_U16] = "MET_USHORT",         [RN_STORED_S16] = "MET_SHORT",
    [RN_STORED_U32] = "MET_UINT,MET_ULONG", [RN_STORED_S32] = "MET_INT,MET_LONG",
    [RN_STORED_U64] = "MET_ULONG_LONG",     [RN_STORED_S64] = "MET_LONG_LONG",
    [RN_STORED_F32] = "MET_FLOAT",          [RN_STORED_F64] = "MET_DOUBLE",
};

/* Returns the number of axes in which v is written. */
static int dims_of(const struct rn_vol *v)
{
    return v->n[RN_AXIS_CHANNEL] > 1 ? 5 : v->n[RN_AXIS_TIME] > 1 ? 4 : 3;
}

/* As in MetaIO, the matrix is that of a grid along the axes if there is none. */
static void place(struct meta *m)
{
    struct rn_vol *v = &m->layout->volume;
    double column[3][3] = {{0}}, origin[3];
    for (int i = 0; i < m->dim && !m->nmatrix; i++)
        m->matrix[i * m->dim + i] = 1;
    for (int i = 0; i < 3; i++) {
        double spacing = i < m->nspacing && m->spacing[i] > 0 ? m->spacing[i] * m->mm : 0;
        v->spacing[i] = spacing;
        origin[i] = m->offset[i] * m->mm;
        for (int k = 0; k < 3; k++)
            column[i][k] = m->matrix[i * m->dim + k] * spacing;
    }
    bool timed = v->n[RN_AXIS_TIME] > 1 && m->nspacing > 3 && m->spacing[3] > 0;
    if (timed && m->spacing[3] != 1 && !(v->interval > 0))
        v->interval = m->spacing[3];
    if (m->dim < 3 || m->noffset != m->dim || (m->nmatrix && m->nmatrix != m->dim * m->dim) ||
        m->nspacing != m->dim)
        return;
    rn_vol_layout_place(m->layout, (const double(*)[3])column, origin);
}

/* Sets text to the sides from which the axes come: right, anterior, inferior... */
static void put_acronym(const struct rn_vol *v, char text[4])
{
    for (int i = 0; i < 3; i++) {
        const double *d = v->direction[i];
        int k = fabs(d[0]) >= fabs(d[1]) ? 0 : 1;
        k = fabs(d[k]) >= fabs(d[2]) ? k : 2;
        text[i] = (d[k] < 0 ? "LPS" : "RAI")[k];
    }
    text[3] = '\0';
}

/* Names what of the place no member of struct rn_vol says: that of two dimensions, and of axes that
 * are not in space. */
static int keep_place(struct meta *m)
{
    const struct rn_vol *v = &m->layout->volume;
    bool offset = false, matrix = false, same = m->nspacing > 0;
    double size[MAX_DIM] = {0};
    int err = 0;
    for (int i = 0; i < m->dim; i++) {
        offset |= (i > 2 || !v->placed) && m->offset[i] != 0;
        for (int k = 0; k < m->dim; k++)
            matrix |= (i > 2 || k > 2 || !v->placed) && m->matrix[i * m->dim + k] != (i == k);
    }
    if (offset)
        err = keep(m, "Offset", "", RN_FIELD_LOST);
    if (matrix && !err)
        err = keep(m, "TransformMatrix", "", RN_FIELD_LOST);
    for (int i = v->n[RN_AXIS_TIME] > 1 ? 4 : 3; i < m->nspacing && i < m->dim && !err; i++)
        if (m->spacing[i] != 1)
            err = keep(m, "ElementSpacing", "", RN_FIELD_LOST);
    int n = m->element_size ? rn_vol_numbers_parse(m->element_size, " \t", size, MAX_DIM) : 0;
    for (int i = 0; i < n && i < MAX_DIM; i++)
        same = same && size[i] == m->spacing[i];
    if (n && !err && !same)
        err = keep(m, "ElementSize", m->element_size, n > dims_of(v) ? RN_FIELD_LOST : 0);
    char own[4] = "RAI";
    if (v->placed)
        put_acronym(v, own);
    if (m->orientation && !err && strcmp(m->orientation, own) != 0)
        err = keep(m, "AnatomicalOrientation", m->orientation, m->nmatrix ? RN_FIELD_FORMAL : 0);
    return err;
}

static void take_axes(struct meta *m)
{
    struct rn_vol *v = &m->layout->volume;
    static const enum rn_vol_axis axes[] = {RN_AXIS_SLICE, RN_AXIS_TIME, RN_AXIS_CHANNEL};
    v->w = (int)rn_vol_layout_size(m->size[0], RN_MAX_SIDE);
    v->h = (int)rn_vol_layout_size(m->size[1], RN_MAX_SIDE);
    for (int i = 0; i < RN_AXES; i++) {
        v->axis_order[i] = axes[i];
        v->n[axes[i]] = i + 2 < m->dim ? rn_vol_layout_size(m->size[i + 2], INT_MAX) : 1;
    }
    if (!m->nspacing && m->element_size)
        m->nspacing = rn_vol_numbers_parse(m->element_size, " \t", m->spacing, MAX_DIM);
    place(m);
}

/* end: offset of what follows the header. */
static int take_samples(struct meta *m, int64_t end)
{
    struct rn_vol_layout *l = m->layout;
    if (!rn_vol_sample_type_find(types, m->type, &l->type))
        return rn_vol_layout_refuse(l, "the ElementType", m->type);
    if (m->ascii && m->packed)
        return rn_vol_layout_refuse(l, "CompressedData of BinaryData =", "False");
    struct rn_vol *v = &l->volume;
    if (l->comps < 1 || (l->comps != 3 && l->comps != 4 && l->comps > 1 && m->dim > 4))
        return rn_vol_layout_refuse(
            l, "beside a fifth axis, or without one, ElementNumberOfChannels", "");
    if (l->comps == 2 || l->comps > 4) { /* vectors, the parts of complex numbers: no colours */
        l->vector = true;
        v->n[RN_AXIS_CHANNEL] = l->comps;
        memmove(v->axis_order + 1, v->axis_order, 2 * sizeof *v->axis_order);
        v->axis_order[0] = RN_AXIS_CHANNEL;
        l->comps = 1;
    }
    l->swapped = !m->ascii && rn_vol_is_swapped(m->big);
    l->packing = m->ascii ? RN_PACKING_TEXT : m->packed ? RN_PACKING_ZLIB : RN_PACKING_NONE;
    if (!(m->header_size >= -1 && m->header_size < 1e15) ||
        (m->header_size < 0 && l->packing != RN_PACKING_NONE))
        return rn_vol_layout_refuse(l, "HeaderSize", "");
    l->to_end = m->header_size < 0;
    l->skip = l->to_end ? 0 : (int64_t)m->header_size;
    if (av_match_name(m->data_file, "LOCAL,Local,local")) {
        l->skip = end;
        l->to_end = false;
        return 0;
    }
    return rn_vol_layout_take_file(l, m->data_file, m->list);
}

static int meta_parse(struct rn_vol_layout *layout, uint8_t *head, size_t n)
{
    struct meta m = {.layout = layout, .mm = 1};
    if (layout->packed)
        return rn_vol_layout_refuse(layout, "a whole file packed as", "gzip");
    int err = parse_lines(&m, (char *)head);
    if (err)
        return err;
    if (!*m.data_file)
        return rn_vol_layout_refuse(layout, "its header, which does not end", "");
    if (m.dim < 2 || m.dim > MAX_DIM)
        return rn_vol_layout_refuse(layout, "NDims that is not 2..5:", "");
    take_axes(&m);
    err = keep_place(&m);
    return err ? err : take_samples(&m, m.list - (char *)head);
}

static bool meta_ends(const char *head)
{
    const char *last = strstr(head, "ElementDataFile");
    return last && strchr(last, '\n') && !strstr(last, "LIST");
}

/* ---- writing: columns, rows, slices, times, channels */

static const char *meta_refuses(const struct rn_vol *v)
{
    return v->fmt.model != RN_GRAY || rn_format_planes(&v->fmt) < 2 ? NULL
           : v->fmt.complex ? "MetaImage has no complex samples"
                            : "MetaImage has no gray with alpha";
}

static void put_place(const struct rn_vol *v, int dim, struct rn_vol_text *t)
{
    const struct rn_vol_field *unit = rn_vol_fields_find(v, FORMAT, "DistanceUnits", 0);
    double mm = unit ? rn_vol_unit_mm(unit->data) : 1;
    mm = mm > 0 ? mm : 1;
    if (v->placed) {
        rn_vol_text_add(t, "TransformMatrix =");
        for (int i = 0; i < dim * dim; i++) {
            int axis = i / dim, k = i % dim;
            rn_vol_text_add(t, " %.17g", axis < 3 && k < 3 ? v->direction[axis][k] : axis == k);
        }
        rn_vol_text_add(t, "\nOffset =");
        for (int i = 0; i < dim; i++)
            rn_vol_text_add(t, " %.17g", i < 3 ? v->origin[i] / mm : 0.0);
        char acronym[4];
        put_acronym(v, acronym);
        if (!rn_vol_fields_find(v, FORMAT, "AnatomicalOrientation", 0))
            rn_vol_text_add(t, "\nAnatomicalOrientation = %s", acronym);
        rn_vol_text_add(t, "\n");
    }
    if (v->spacing[0] > 0 || v->spacing[1] > 0 || v->spacing[2] > 0) {
        rn_vol_text_add(t, "ElementSpacing =");
        for (int i = 0; i < dim; i++) {
            double step = i < 3 ? v->spacing[i] / mm : i == 3 ? v->interval : 0;
            rn_vol_text_add(t, " %.17g", step > 0 ? step : 1);
        }
        rn_vol_text_add(t, "\n");
    }
}

static void put_fields(const struct rn_vol *v, int dim, struct rn_vol_text *t)
{
    const struct rn_vol_field *f = NULL;
    while ((f = rn_vol_fields_next(v, FORMAT, f))) {
        const char *value = f->data;
        double none;
        int i = find_known(f->name), n = rn_vol_numbers_parse(value, " \t", &none, 1);
        rn_vol_text_add(t, "%s = %s", f->name, value);
        for (; i >= 0 && !isnan(known[i].pad) && n < dim; n++)
            rn_vol_text_add(t, " %g", known[i].pad);
        rn_vol_text_add(t, "\n");
    }
}

static size_t meta_header(const struct rn_vol_heading *h, char *to, size_t size)
{
    const struct rn_vol *v = h->volume;
    struct rn_vol_text t = {.to = to, .size = size};
    bool packed = h->packing != RN_PACKING_NONE;
    int dim = dims_of(v);
    rn_vol_text_add(&t, "ObjectType = Image\nNDims = %d\nBinaryData = True\n", dim);
    rn_vol_text_add(&t, "BinaryDataByteOrderMSB = %s\nCompressedData = %s\n",
                    AV_HAVE_BIGENDIAN ? "True" : "False", packed ? "True" : "False");
    if (packed) /* overwritten when all samples are written */
        rn_vol_text_add(&t, "CompressedDataSize = %15lld\n", (long long)h->packed);
    put_place(v, dim, &t);
    put_fields(v, dim, &t);
    rn_vol_text_add_keys(&t, own_names, " = ", v);
    if (rn_format_planes(&v->fmt) > 1)
        rn_vol_text_add(&t, "ElementNumberOfChannels = %d\n", rn_format_planes(&v->fmt));
    rn_vol_text_add(&t, "ElementType = %s\n", types[rn_vol_sample_type_of(&v->fmt)]);
    rn_vol_text_add(&t, "DimSize = ");
    size_t place = t.n; /* MetaIO reads over blanks in front of a number, however many */
    rn_vol_text_add(&t, "%d %d %lld", v->w, v->h, (long long)v->n[RN_AXIS_SLICE]);
    for (int i = 3; i < dim; i++)
        rn_vol_text_add(&t, " %lld", (long long)v->n[i == 3 ? RN_AXIS_TIME : RN_AXIS_CHANNEL]);
    rn_vol_text_add(&t, "\nElementDataFile = %.300s\n", h->samples ? h->samples : "LOCAL");
    return rn_vol_text_widen(&t, place,
                             h->length ? h->length : t.n + (h->n_is_estimate ? SPARE : 0));
}

const struct rn_vol_format rn_vol_meta_format = {
    .name = FORMAT,
    .extensions = "mha,mhd",
    .match = meta_match,
    .parse = meta_parse,
    .ends = meta_ends,
    .refuses = meta_refuses,
    .header = meta_header,
    .packs = RN_PACKING_ZLIB,
    .place = rn_vol_place_by_slice,
    .apart = "mhd",
    .samples = {"raw", "zraw"},
};
