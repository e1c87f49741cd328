/* NRRD, and NHDR with its samples in a file beside it. */
#include "io/volumes/layout.h"
#include "io/volumes/text.h"

#include "filters/base/err.h"
#include "filters/base/log.h"

#include <math.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libavformat/avformat.h>
#include <libavutil/avconfig.h>
#include <libavutil/avstring.h>
#include <libavutil/eval.h>
#include <libavutil/mem.h>

#define SPARE   16 /* spare bytes while the number of pictures may grow */
#define MAX_DIM 16

static bool nrrd_match(const char *path, const uint8_t *head, size_t n)
{
    (void)path;
    return n > 8 && !memcmp(head, "NRRD000", 7);
}

struct nrrd {
    const char *path;
    struct rn_vol_layout *layout;
    int dim;
    double size[MAX_DIM];
    char kind[MAX_DIM][24];
    int nkinds;
    double spacing[MAX_DIM];
    char unit[MAX_DIM][24];
    double direction[MAX_DIM][3]; /* NaN: none */
    int ndirections;
    double origin[3];
    double sign[3];     /* of the space's axes in LPS; 0: unknown */
    bool used[RN_AXES]; /* an axis of this meaning was found */
    double line_skip, byte_skip;
    char data_file[256], type[32], encoding[16], endian[16];
};

static int refuse(const struct nrrd *r, const char *what, const char *value)
{
    return rn_fail(RN_EINPUT, "'%s' (NRRD): %s '%.60s' cannot be read", r->path, what, value);
}

/* The first name is the one that is written. */
static const char *const types[RN_STORED_TYPES] = {
    [RN_STORED_U8] = "uint8,uchar,unsigned char,uint8_t",
    [RN_STORED_S8] = "signed char,int8,int8_t",
    [RN_STORED_U16] = "uint16,ushort,unsigned short,unsigned short int,uint16_t",
    [RN_STORED_S16] = "int16,short,short int,signed short,signed short int,int16_t",
    [RN_STORED_U32] = "uint,unsigned int,uint32,uint32_t",
    [RN_STORED_S32] = "int,signed int,int32,int32_t",
    [RN_STORED_U64] = "ulonglong,unsigned long long,unsigned long long int,uint64,uint64_t",
    [RN_STORED_S64] = "longlong,long long,long long int,signed long long,int64,int64_t",
    [RN_STORED_F32] = "float",
    [RN_STORED_F64] = "double",
};

static void parse_vectors(struct nrrd *r, const char *text)
{
    r->ndirections = 0;
    while (r->ndirections < MAX_DIM) {
        text += strspn(text, " \t");
        double *to = r->direction[r->ndirections];
        to[0] = to[1] = to[2] = NAN;
        if (*text == '(') {
            double v[3];
            if (rn_vol_numbers_parse(text + 1, " ,", v, 3) == 3)
                memcpy(to, v, sizeof v);
            text += strcspn(text, ")");
            text += *text == ')';
        } else if (!strncmp(text, "none", 4)) {
            text += 4;
        } else {
            return;
        }
        r->ndirections++;
    }
}

static int parse_words(const char *text, char to[][24], bool quoted)
{
    int n = 0;
    while (n < MAX_DIM) {
        text += strspn(text, " \t");
        if (!*text)
            break;
        bool open = quoted && *text == '"';
        text += open;
        size_t len = strcspn(text, open ? "\"" : " \t");
        snprintf(to[n++], 24, "%.*s", (int)(len < 23 ? len : 23), text);
        text += len;
        text += open && *text == '"';
    }
    return n;
}

static void parse_space(struct nrrd *r, const char *name)
{
    static const struct {
        const char *names;
        double sign[3];
    } spaces[] = {
        {"left-posterior-superior,LPS,left-posterior-superior-time,LPST", {1, 1, 1}},
        {"right-anterior-superior,RAS,right-anterior-superior-time,RAST", {-1, -1, 1}},
        {"left-anterior-superior,LAS,left-anterior-superior-time,LAST", {1, -1, 1}},
    };
    for (size_t i = 0; i < sizeof spaces / sizeof spaces[0]; i++)
        if (av_match_name(name, spaces[i].names))
            memcpy(r->sign, spaces[i].sign, sizeof r->sign);
}

static const char *const own_names[RN_VOL_KEYS] = {
    "rescale slope", "rescale intercept", "rescale unit", "window", "range", NULL, "made by"};

static void parse_field(struct nrrd *r, const char *key, const char *value)
{
    if (!strcmp(key, "type"))
        snprintf(r->type, sizeof r->type, "%.31s", value);
    else if (!strcmp(key, "encoding"))
        snprintf(r->encoding, sizeof r->encoding, "%.15s", value);
    else if (!strcmp(key, "endian"))
        snprintf(r->endian, sizeof r->endian, "%.15s", value);
    else if (!strcmp(key, "dimension"))
        r->dim = atoi(value);
    else if (!strcmp(key, "sizes"))
        rn_vol_numbers_parse(value, " \t", r->size, MAX_DIM);
    else if (!strcmp(key, "spacings"))
        rn_vol_numbers_parse(value, " \t", r->spacing, MAX_DIM);
    else if (!strcmp(key, "kinds"))
        r->nkinds = parse_words(value, r->kind, false);
    else if (!strcmp(key, "units"))
        parse_words(value, r->unit, true);
    else if (!strcmp(key, "space"))
        parse_space(r, value);
    else if (!strcmp(key, "space directions"))
        parse_vectors(r, value);
    else if (!strcmp(key, "space origin") && *value == '(')
        rn_vol_numbers_parse(value + 1, " ,", r->origin, 3);
    else if (!strcmp(key, "data file") || !strcmp(key, "datafile"))
        snprintf(r->data_file, sizeof r->data_file, "%.255s", value);
    else if (!strcmp(key, "line skip") || !strcmp(key, "lineskip"))
        r->line_skip = av_strtod(value, NULL);
    else if (!strcmp(key, "byte skip") || !strcmp(key, "byteskip"))
        r->byte_skip = av_strtod(value, NULL);
}

/* Reads the lines. Returns the place behind them; 0: they do not end. */
static size_t parse_lines(struct nrrd *r, const char *head, size_t n)
{
    struct rn_vol_lines lines = {.text = head, .size = n};
    char line[4096];
    rn_vol_lines_next(&lines, line, sizeof line);
    while (rn_vol_lines_next(&lines, line, sizeof line)) {
        if (!*line)
            return lines.at;
        char *colon = *line == '#' ? NULL : strchr(line, ':');
        if (!colon)
            continue;
        bool is_key = colon[1] == '=';
        char *value = colon + 1 + is_key;
        *colon = '\0';
        if (!is_key)
            value += strspn(value, " \t");
        if (is_key)
            rn_vol_key_parse(own_names, line, value, &r->layout->volume);
        else
            parse_field(r, line, value);
    }
    return *r->data_file && lines.at >= n ? n : 0; /* one that is detached need not have an end */
}

/* ---- the axes */

static bool is_kind(const struct nrrd *r, int i, const char *names)
{
    return i < r->nkinds && av_match_name(r->kind[i], names);
}

static bool is_space(const struct nrrd *r, int i)
{
    if (i < r->ndirections)
        return !isnan(r->direction[i][0]);
    return i >= r->nkinds || is_kind(r, i, "domain,space,\?\?\?,none");
}

/* The axis in front of the picture's own. What is called no colours is channels. */
static int take_colours(struct nrrd *r, int *first)
{
    struct rn_vol_layout *l = r->layout;
    static const char colours[] =
        "RGB-color,RGBA-color,3-color,4-color,XYZ-color,HSV-color,scalar,stub";
    static const char channels[] = "vector,2-vector,3-vector,4-vector,list,covariant-vector,normal,"
                                   "3-gradient,3-normal,quaternion,point,"
                                   "2D-symmetric-matrix,2D-masked-symmetric-matrix,2D-matrix,"
                                   "2D-masked-matrix,3D-symmetric-matrix,3D-masked-symmetric-"
                                   "matrix,3D-matrix,3D-masked-matrix";
    *first = 0;
    if (is_space(r, 0) && !is_kind(r, 0, "complex"))
        return 0;
    if (is_kind(r, 0, "complex") && r->size[0] == 2) {
        l->complex = true;
    } else if (is_kind(r, 0, colours)) {
        if (r->size[0] != 1 && r->size[0] != 3 && r->size[0] != 4)
            return refuse(r, "a first axis of the kind", r->kind[0]);
        l->comps = (int)r->size[0];
    } else if (is_kind(r, 0, channels)) {
        l->vector = true;
        l->volume.n[RN_AXIS_CHANNEL] = rn_vol_layout_size(r->size[0], INT_MAX);
        r->used[RN_AXIS_CHANNEL] = true;
        l->volume.axis_order[0] = RN_AXIS_CHANNEL;
    } else {
        return 0;
    }
    *first = 1;
    return 0;
}

static void place(struct nrrd *r, const int axis[3])
{
    struct rn_vol *v = &r->layout->volume;
    double column[3][3] = {{0}}, origin[3];
    bool directed = true;
    for (int i = 0; i < 3; i++) {
        bool there = axis[i] >= 0 && axis[i] < r->ndirections;
        directed = directed && there;
        double mm = axis[i] >= 0 ? rn_vol_unit_mm(r->unit[axis[i]]) : 0;
        double spacing = axis[i] >= 0 ? r->spacing[axis[i]] * (mm > 0 ? mm : 1) : 0;
        v->spacing[i] = isfinite(spacing) && spacing > 0 ? spacing : 0;
        origin[i] = r->origin[i] * r->sign[i];
        for (int k = 0; there && k < 3; k++)
            column[i][k] = r->direction[axis[i]][k] * (r->sign[0] != 0 ? r->sign[k] : 1);
    }
    if (!directed)
        return;
    if (rn_vol_layout_place(r->layout, (const double(*)[3])column, origin) && r->sign[0] == 0) {
        v->placed = false;
        snprintf(r->layout->note, sizeof r->layout->note,
                 "it names no anatomical space: its place and orientation are left out");
    }
}

static int take_axes(struct nrrd *r)
{
    struct rn_vol *v = &r->layout->volume;
    int first, axis[3] = {-1, -1, -1}, err = take_colours(r, &first);
    bool *used = r->used;
    int order = r->layout->vector;
    if (err)
        return err;
    if (r->dim - first < 2)
        return refuse(r, "fewer than two axes:", "dimension");
    axis[0] = first;
    axis[1] = first + 1;
    v->w = (int)rn_vol_layout_size(r->size[first], RN_MAX_SIDE);
    v->h = (int)rn_vol_layout_size(r->size[first + 1], RN_MAX_SIDE);
    for (int i = first + 2; i < r->dim; i++) {
        enum rn_vol_axis a = is_kind(r, i, "time")                    ? RN_AXIS_TIME
                             : is_space(r, i) && !used[RN_AXIS_SLICE] ? RN_AXIS_SLICE
                             : is_space(r, i)                         ? RN_AXIS_TIME
                                                                      : RN_AXIS_CHANNEL;
        if (used[a])
            return refuse(r, "more axes than slices, channels and times:", "dimension");
        used[a] = true;
        v->n[a] = rn_vol_layout_size(r->size[i], INT_MAX);
        v->axis_order[order++] = a;
        if (a == RN_AXIS_SLICE)
            axis[2] = i;
        if (a == RN_AXIS_TIME && r->spacing[i] > 0)
            v->interval = r->spacing[i] * (!strcmp(r->unit[i], "ms") ? 1e-3 : 1);
    }
    for (int a = 0; a < RN_AXES; a++)
        if (!used[a])
            v->axis_order[order++] = (enum rn_vol_axis)a;
    place(r, axis);
    return 0;
}

static const struct {
    const char *names;
    enum rn_vol_packing packing;
} encodings[] = {
    {"raw", RN_PACKING_NONE},        {"gzip,gz", RN_PACKING_GZIP},
    {"bzip2,bz2", RN_PACKING_BZIP2}, {"ascii,text,txt", RN_PACKING_TEXT},
    {"hex", RN_PACKING_HEX},
};

static int take_samples(struct nrrd *r, size_t end)
{
    struct rn_vol_layout *l = r->layout;
    if (!rn_vol_sample_type_find(types, r->type, &l->type))
        return refuse(r, "the type", r->type);
    size_t e = 0;
    while (e < sizeof encodings / sizeof *encodings &&
           !av_match_name(r->encoding, encodings[e].names))
        e++;
    if (e == sizeof encodings / sizeof *encodings)
        return refuse(r, "the encoding", r->encoding);
    l->packing = encodings[e].packing;
    l->swapped =
        l->packing != RN_PACKING_TEXT && rn_vol_is_swapped(!av_strcasecmp(r->endian, "big"));
    if (!(r->line_skip >= 0 && r->line_skip < 1e15 && r->byte_skip >= -1 && r->byte_skip < 1e15))
        return refuse(r, "line skip or byte skip", "");
    l->to_end = r->byte_skip < 0;
    if (l->to_end && l->packing != RN_PACKING_NONE)
        return refuse(r, "byte skip -1 of the encoding", r->encoding);
    int err = 0;
    if (!*r->data_file)
        l->skip = (int64_t)end;
    else
        err = rn_vol_layout_take_file(l, r->path, "NRRD", r->data_file);
    if (err || l->to_end)
        return err;
    if (r->line_skip > 0)
        l->skip =
            rn_vol_bytes_behind_lines(l->path ? l->path : r->path, l->skip, (int64_t)r->line_skip);
    if (l->skip < 0)
        return refuse(r, "line skip, beyond the end of its samples,", "");
    /* Of what is compressed the bytes to skip are those behind the unpacking. */
    bool text = l->packing == RN_PACKING_HEX || l->packing == RN_PACKING_TEXT;
    *(text ? &l->skip : &l->offset) += (int64_t)r->byte_skip;
    return 0;
}

static int nrrd_parse(const char *path, const uint8_t *head, size_t n, bool packed,
                      struct rn_vol_layout *layout)
{
    struct nrrd r = {.path = path, .layout = layout};
    if (packed)
        return refuse(&r, "a whole file packed as", "gzip");
    size_t end = parse_lines(&r, (const char *)head, n);
    if (!end || r.dim < 2 || r.dim > MAX_DIM)
        return refuse(&r, end ? "its dimension" : "its header, which does not end", "");
    int err = take_axes(&r);
    return err ? err : take_samples(&r, end);
}

/* ---- writing */

static bool is_detached(const char *output)
{
    return av_match_ext(output, "nhdr");
}

static char *nrrd_samples(const char *output, bool packed)
{
    const char *dot = strrchr(output, '.');
    return is_detached(output)
               ? av_asprintf("%.*s.raw%s", (int)(dot - output), output, packed ? ".gz" : "")
               : NULL;
}

/* Sets axis to the stored axes behind rows, the fastest first, and returns their number. */
static int list_axes(const struct rn_vol *v, enum rn_vol_axis axis[RN_AXES])
{
    int n = 0;
    for (int i = 0; i < RN_AXES; i++)
        if (v->axis_order[i] == RN_AXIS_SLICE || v->n[v->axis_order[i]] > 1)
            axis[n++] = v->axis_order[i];
    return n;
}

/* Returns the place of the number of pictures, in front of which any number of blanks may stand. */
static size_t put_axes(const struct rn_vol *v, struct rn_vol_text *t)
{
    static const char *const kinds[] = {"domain", "list", "time"};
    enum rn_vol_axis axis[RN_AXES];
    int comps = rn_format_planes(&v->fmt), n = list_axes(v, axis);
    bool colour = comps > 1;
    rn_vol_text_add(t, "dimension: %d\n%ssizes:", 2 + colour + n,
                    v->placed ? "space: left-posterior-superior\n" : "");
    if (colour)
        rn_vol_text_add(t, " %d", comps);
    rn_vol_text_add(t, " %d %d", v->w, v->h);
    size_t place = t->n;
    for (int i = 0; i < n; i++)
        rn_vol_text_add(t, " %lld", (long long)v->n[axis[i]]);
    rn_vol_text_add(t, "\nkinds:%s domain domain",
                    !colour          ? ""
                    : v->fmt.complex ? " complex"
                    : comps == 4     ? " RGBA-color"
                    : comps == 3     ? " RGB-color"
                                     : " 2-vector");
    for (int i = 0; i < n; i++)
        rn_vol_text_add(t, " %s", kinds[axis[i]]);
    rn_vol_text_add(t, "\n");
    return place;
}

static void put_vector(struct rn_vol_text *t, const double direction[3], double length)
{
    rn_vol_text_add(t, " (%.17g,%.17g,%.17g)", direction[0] * length, direction[1] * length,
                    direction[2] * length);
}

static void put_place(const struct rn_vol *v, struct rn_vol_text *t)
{
    static const char *const units[] = {"", "", "s"}; /* of axes without directions */
    enum rn_vol_axis axis[RN_AXES];
    int n = list_axes(v, axis);
    bool colour = rn_format_planes(&v->fmt) > 1;
    bool spaced = v->spacing[0] > 0 || v->spacing[1] > 0 || v->spacing[2] > 0;
    if (v->placed) {
        rn_vol_text_add(t, "space directions:%s", colour ? " none" : "");
        put_vector(t, v->direction[0], v->spacing[0]);
        put_vector(t, v->direction[1], v->spacing[1]);
        for (int i = 0; i < n; i++) {
            if (axis[i] == RN_AXIS_SLICE)
                put_vector(t, v->direction[2], v->spacing[2]);
            else
                rn_vol_text_add(t, " none");
        }
        rn_vol_text_add(t,
                        "\nspace units: \"mm\" \"mm\" \"mm\"\nspace origin: (%.17g,%.17g,%.17g)\n",
                        v->origin[0], v->origin[1], v->origin[2]);
    }
    /* Axes with a direction have no spacing of their own. */
    if (v->placed ? v->interval > 0 && v->n[RN_AXIS_TIME] > 1 : spaced || v->interval > 0) {
        const double steps[RN_AXES] = {v->placed ? 0 : v->spacing[2], 0, v->interval};
        const char *mm = v->placed ? "" : "mm";
        rn_vol_text_add(t, "spacings:%s", colour ? " nan" : "");
        for (int i = -2; i < n; i++) { /* columns and rows first */
            double step = i >= 0 ? steps[axis[i]] : v->placed ? 0 : v->spacing[i + 2];
            rn_vol_text_add(t, step > 0 ? " %.17g" : " nan", step);
        }
        rn_vol_text_add(t, "\nunits:%s \"%s\" \"%s\"", colour ? " \"\"" : "", mm, mm);
        for (int i = 0; i < n; i++)
            rn_vol_text_add(t, " \"%s\"", axis[i] == RN_AXIS_SLICE ? mm : units[axis[i]]);
        rn_vol_text_add(t, "\n");
    }
}

static size_t nrrd_header(const struct rn_vol_heading *h, char *to, size_t size)
{
    const struct rn_vol *v = h->volume;
    struct rn_vol_text t = {.to = to, .size = size};
    bool packed = h->packing != RN_PACKING_NONE;
    const char *type = types[rn_vol_sample_type_of(&v->fmt)];
    rn_vol_text_add(&t, "NRRD0004\ntype: %.*s\n", (int)strcspn(type, ","), type);
    size_t place = put_axes(v, &t);
    put_place(v, &t);
    rn_vol_text_add(&t, "endian: %s\nencoding: %s\n", AV_HAVE_BIGENDIAN ? "big" : "little",
                    packed ? "gzip" : "raw");
    if (h->samples)
        rn_vol_text_add(&t, "data file: %s\n", h->samples);
    rn_vol_text_add_keys(&t, own_names, ":=", v);
    rn_vol_text_add(&t, "\n");
    return rn_vol_text_widen(&t, place,
                             h->length ? h->length : t.n + (h->n_is_estimate ? SPARE : 0));
}

const struct rn_vol_format rn_vol_nrrd_format = {
    .name = "NRRD",
    .extensions = "nrrd,nhdr",
    .match = nrrd_match,
    .parse = nrrd_parse,
    .header = nrrd_header,
    .packs = RN_PACKING_GZIP,
    .samples = nrrd_samples,
};
