/* SPDX-License-Identifier: MIT */
/* NRRD, and NHDR with its samples in a file beside it. */
#include "io/volumes/formats/nrrd_header.h"
#include "io/common/av.h"

#include <limits.h>

#include <libavformat/avformat.h>
#include <libavutil/avconfig.h>
#include <libavutil/eval.h>

#define SPARE 16 /* spare bytes while the number of pictures may grow */

/* ---- words of the header */

/* Splits at blanks outside of quotes and brackets. */
static void split(char *text, char *word[RN_VOL_NRRD_MAX_DIM])
{
    for (int n = 0; n < RN_VOL_NRRD_MAX_DIM && *(text += strspn(text, " \t")); n++) {
        word[n] = text;
        char close = *text == '(' ? ')' : *text == '"' ? '"' : '\0';
        for (text++; close && *text && *text != close; text++)
            text += *text == '\\' && text[1];
        text += strcspn(text, " \t");
        if (*text)
            *text++ = '\0';
    }
}

/* Sets the signs of a space's axes in LPS, unless it is unknown. */
static void parse_space(const char *name, double sign[3])
{
    static const struct {
        const char *names;
        double sign[3];
    } spaces[] = {
        {"left-posterior-superior,LPS", {1, 1, 1}},
        {"right-anterior-superior,RAS", {-1, -1, 1}},
        {"left-anterior-superior,LAS", {1, -1, 1}},
    };
    for (size_t i = 0; i < sizeof spaces / sizeof spaces[0]; i++)
        if (av_match_name(name, spaces[i].names))
            memcpy(sign, spaces[i].sign, sizeof spaces[i].sign);
}

/* The mm or seconds of a unit in quotes; 0: it is none. */
static double unit_of(const char *word, bool time)
{
    char text[24];
    if (!word)
        return 0;
    word += *word == '"';
    snprintf(text, sizeof text, "%.*s", (int)strcspn(word, "\""), word);
    return time ? rn_vol_unit_seconds(text) : rn_vol_unit_mm(text);
}

/* Sets mm to the units of the space's axes, and to 1 where one is not known. False: such a one. */
static bool parse_space_units(const char *text, double mm[3])
{
    char copy[256], *word[RN_VOL_NRRD_MAX_DIM] = {NULL};
    snprintf(copy, sizeof copy, "%s", text ? text : "");
    split(copy, word);
    bool known = true;
    for (int k = 0; k < 3; k++) {
        mm[k] = unit_of(word[k], false);
        known = known && mm[k] > 0;
        mm[k] = mm[k] > 0 ? mm[k] : 1;
    }
    return known;
}

/* Sets axis to the stored axes, the fastest first; returns their number. planes: of a picture. */
static int list_axes(const struct rn_vol *v, int planes, enum rn_vol_nrrd_axis axis[RN_NRRD_AXES])
{
    int n = 0;
    if (planes > 1)
        axis[n++] = RN_NRRD_COLOUR;
    axis[n++] = RN_NRRD_COLUMN;
    axis[n++] = RN_NRRD_ROW;
    for (int i = 0; i < RN_AXES; i++)
        if (v->axis_order[i] == RN_AXIS_SLICE || v->n[v->axis_order[i]] > 1)
            axis[n++] = (enum rn_vol_nrrd_axis)(RN_NRRD_SLICE + v->axis_order[i]);
    return n;
}

/* The kind of an axis that this program writes. */
static const char *own_kind(enum rn_vol_nrrd_axis axis, int planes, bool complex)
{
    static const char *const colours[] = {"", "scalar", "2-vector", "RGB-color", "RGBA-color"};
    return axis == RN_NRRD_TIME         ? "time"
           : axis == RN_NRRD_CHANNEL    ? "list"
           : axis != RN_NRRD_COLOUR     ? "domain"
           : complex                    ? "complex"
           : planes >= 0 && planes <= 4 ? colours[planes]
                                        : "";
}

static bool nrrd_match(const char *path, const uint8_t *head, size_t n)
{
    return n > 8 && !memcmp(head, "NRRD000", 7);
}

static bool nrrd_ends(const char *head)
{
    return strstr(head, "\n\n") || strstr(head, "\n\r\n");
}

struct nrrd {
    struct rn_vol_layout *layout;
    char *text[RN_NRRD_FIELDS]; /* NULL: not in the header */
    char *list;                 /* the lines behind data file LIST */
    char *word[RN_NRRD_FIELDS][RN_VOL_NRRD_MAX_DIM];
    int dim;
    double size[RN_VOL_NRRD_MAX_DIM];
    double direction[RN_VOL_NRRD_MAX_DIM][3]; /* NaN: none */
    double sign[3];                           /* of the space's axes in LPS; 0: unknown */
    int axis[RN_NRRD_AXES];                   /* its index in the file; -1: none */
};

/* Compares without case; the text may lack the blanks of the name. */
static bool is_name(const char *text, size_t n, const char *name)
{
    for (; *name; name++) {
        bool same = n && av_tolower(*text) == *name;
        if (!same && *name != ' ')
            return false;
        text += same;
        n -= same;
    }
    return !n;
}

static int keep(struct nrrd *r, const char *name, const char *data, unsigned needs, unsigned tag)
{
    return rn_vol_fields_add(&r->layout->volume, RN_VOL_NRRD,
                             (struct rn_vol_field){name, data, strlen(data), needs, tag, 0});
}

/* What must be as in the input for a key to hold. Gradients are relative to the measurement frame,
 * and that one to the space: they stay where pictures are turned; each belongs to a channel. */
static unsigned key_needs(const char *key)
{
    static const char *const places[] = {"_Extent", "_LabelValue", "_Layer", "ExtentOffset"};
    if (av_strstart(key, "DWMRI_", NULL) && strchr("0123456789", key[strlen(key) - 1]))
        return RN_CHANGED_CHANNELS | RN_CHANGED_TIMES;
    if (av_strstart(key, "axis ", NULL)) /* of a sequence of 3D Slicer */
        return RN_CHANGED_PICTURES;
    for (size_t i = 0; av_strstart(key, "Segment", NULL) && i < sizeof places / sizeof *places; i++)
        if (strstr(key, places[i]))
            return RN_CHANGED_GRID | RN_CHANGED_PICTURES | RN_CHANGED_VALUES;
    return 0;
}

static int parse_line(struct nrrd *r, char *line)
{
    char name[256];
    int f = 0;
    if (*line == '#') { /* teem begins each header with two such lines */
        line[0] = line[1 + strspn(line + 1, "# \t")] ? '#' : '\0';
        bool formal = !*line || strstr(line, "NRRD file format specification at:") ||
                      strstr(line, "teem.sourceforge.net/nrrd/format.html");
        return formal ? 0 : keep(r, "comment", line, 0, RN_NRRD_LINE);
    }
    size_t n = strcspn(line, ":");
    char *value = line + n, *is = strstr(line, ":=");
    snprintf(name, sizeof name, "%.*s", (int)n, line);
    while (f < RN_NRRD_FIELDS && !is_name(line, n, nrrd_field_names[f]) &&
           !(f == RN_NRRD_CENTERS && is_name(line, n, "centerings")))
        f++;
    if (f < RN_NRRD_FIELDS && *value && value != is) {
        r->text[f] = rn_vol_text_trim(value + 1);
        return 0;
    }
    if (!is)
        return keep(r, name, line, RN_FIELD_LOST, RN_NRRD_VALUE);
    snprintf(name, sizeof name, "%.*s", (int)(is - line), line);
    return rn_vol_key_parse(nrrd_own_names, name, is + 2, &r->layout->volume)
               ? 0
               : keep(r, name, line, key_needs(name), RN_NRRD_LINE);
}

/* *ends: at an empty line, of which list is behind. One that is detached need not have an end. */
static int parse_lines(struct nrrd *r, char *head, bool *ends)
{
    char *line = rn_vol_line_next(&head), *const *file = &r->text[RN_NRRD_DATA_FILE];
    int err = 0;
    while (!err && !(*file && !strncmp(*file, "LIST", 4)) &&
           (line = rn_vol_line_next(&head)) != NULL && *line)
        err = parse_line(r, line);
    r->list = head;
    *ends = (line && !*line) || *file;
    return err;
}

static void parse_fields(struct nrrd *r)
{
    for (int f = RN_NRRD_SPACE_DIRECTIONS; f < RN_NRRD_FIELDS; f++)
        if (r->text[f])
            split(r->text[f], r->word[f]);
    r->dim = r->text[RN_NRRD_DIMENSION] ? atoi(r->text[RN_NRRD_DIMENSION]) : 0;
    if (r->text[RN_NRRD_SIZES])
        rn_vol_numbers_parse(r->text[RN_NRRD_SIZES], " \t", r->size, RN_VOL_NRRD_MAX_DIM);
    if (r->text[RN_NRRD_SPACE])
        parse_space(r->text[RN_NRRD_SPACE], r->sign);
    for (int i = 0; i < RN_VOL_NRRD_MAX_DIM; i++) {
        const char *word = r->word[RN_NRRD_SPACE_DIRECTIONS][i];
        double v[3] = {0};
        bool there = word && *word == '(' && rn_vol_numbers_parse(word + 1, " ,", v, 3) > 1;
        for (int k = 0; k < 3; k++)
            r->direction[i][k] = there ? v[k] : NAN;
    }
}

/* ---- the axes */

static bool is_kind(const struct nrrd *r, int i, const char *names)
{
    return r->word[RN_NRRD_KINDS][i] && av_match_name(r->word[RN_NRRD_KINDS][i], names);
}

static bool is_space(const struct nrrd *r, int i)
{
    if (r->word[RN_NRRD_SPACE_DIRECTIONS][i])
        return !isnan(r->direction[i][0]);
    return !r->word[RN_NRRD_KINDS][i] || is_kind(r, i, "domain,space,\?\?\?,none");
}

static double spacing_of(const struct nrrd *r, int i)
{
    double v =
        i >= 0 && r->word[RN_NRRD_SPACINGS][i] ? av_strtod(r->word[RN_NRRD_SPACINGS][i], NULL) : 0;
    return isfinite(v) && v > 0 ? v : 0;
}

/* The axis in front of the picture's own. What is called no colours is channels. */
static int take_colours(struct nrrd *r, int *first)
{
    struct rn_vol_layout *l = r->layout;
    static const char colours[] =
        "RGB-color,RGBA-color,3-color,4-color,XYZ-color,HSV-color,scalar,stub";
    static const char channels[] =
        "vector,2-vector,3-vector,4-vector,list,covariant-vector,normal,3-gradient,3-normal,"
        "quaternion,point,2D-symmetric-matrix,2D-masked-symmetric-matrix,2D-matrix,2D-masked-"
        "matrix,3D-symmetric-matrix,3D-masked-symmetric-matrix,3D-matrix,3D-masked-matrix";
    *first = 0;
    if (is_space(r, 0) && !is_kind(r, 0, "complex"))
        return 0;
    if (is_kind(r, 0, "complex") && r->size[0] == 2) {
        l->complex = true;
    } else if (is_kind(r, 0, colours)) {
        if (r->size[0] != 1 && r->size[0] != 3 && r->size[0] != 4)
            return rn_vol_layout_refuse(r->layout, "a first axis of the kind",
                                        r->word[RN_NRRD_KINDS][0]);
        l->comps = (int)r->size[0];
    } else if (is_kind(r, 0, channels)) {
        l->vector = true;
        l->volume.n[RN_AXIS_CHANNEL] = rn_vol_layout_size(r->size[0], INT_MAX);
        r->axis[RN_NRRD_CHANNEL] = 0;
        l->volume.axis_order[0] = RN_AXIS_CHANNEL;
    } else {
        return 0;
    }
    if (!l->vector)
        r->axis[RN_NRRD_COLOUR] = 0;
    *first = 1;
    return 0;
}

static void place(struct nrrd *r)
{
    struct rn_vol *v = &r->layout->volume;
    double column[3][3] = {{0}}, origin[3] = {0}, mm[3];
    bool directed = true;
    parse_space_units(r->text[RN_NRRD_SPACE_UNITS], mm);
    if (r->text[RN_NRRD_SPACE_ORIGIN] && *r->text[RN_NRRD_SPACE_ORIGIN] == '(')
        rn_vol_numbers_parse(r->text[RN_NRRD_SPACE_ORIGIN] + 1, " ,", origin, 3);
    for (int i = 0; i < 3; i++) {
        int at = r->axis[RN_NRRD_COLUMN + i];
        bool there = at >= 0 && !isnan(r->direction[at][0]);
        double unit = at >= 0 ? unit_of(r->word[RN_NRRD_UNITS][at], false) : 0;
        for (int k = 0; there && k < 3; k++)
            column[i][k] = r->direction[at][k] * mm[k] * (r->sign[0] != 0 ? r->sign[k] : 1);
        v->spacing[i] = there ? sqrt(rn_vol_dot(column[i], column[i]))
                              : spacing_of(r, at) * (unit > 0 ? unit : 1);
        origin[i] *= r->sign[i] * mm[i];
        directed = directed && there;
    }
    if (directed)
        v->placed = rn_vol_place(v, (const double(*)[3])column, origin) && r->sign[0] != 0;
}

static int take_axes(struct nrrd *r)
{
    struct rn_vol *v = &r->layout->volume;
    for (int a = 0; a < RN_NRRD_AXES; a++)
        r->axis[a] = -1;
    int first, err = take_colours(r, &first), order = r->layout->vector;
    if (err)
        return err;
    if (r->dim - first < 2)
        return rn_vol_layout_refuse(r->layout, "fewer than two axes:", "dimension");
    r->axis[RN_NRRD_COLUMN] = first;
    r->axis[RN_NRRD_ROW] = first + 1;
    v->w = (int)rn_vol_layout_size(r->size[first], RN_MAX_SIDE);
    v->h = (int)rn_vol_layout_size(r->size[first + 1], RN_MAX_SIDE);
    for (int i = first + 2; i < r->dim; i++) {
        enum rn_vol_nrrd_axis a = is_kind(r, i, "time")                          ? RN_NRRD_TIME
                                  : is_space(r, i) && r->axis[RN_NRRD_SLICE] < 0 ? RN_NRRD_SLICE
                                  : is_space(r, i)                               ? RN_NRRD_TIME
                                                                                 : RN_NRRD_CHANNEL;
        if (r->axis[a] >= 0)
            return rn_vol_layout_refuse(r->layout,
                                        "more axes than slices, channels and times:", "dimension");
        r->axis[a] = i;
        v->n[a - RN_NRRD_SLICE] = rn_vol_layout_size(r->size[i], INT_MAX);
        v->axis_order[order++] = (enum rn_vol_axis)(a - RN_NRRD_SLICE);
    }
    for (int a = 0; a < RN_AXES; a++)
        if (r->axis[RN_NRRD_SLICE + a] < 0)
            v->axis_order[order++] = (enum rn_vol_axis)a;
    double unit = r->axis[RN_NRRD_TIME] < 0
                      ? 0
                      : unit_of(r->word[RN_NRRD_UNITS][r->axis[RN_NRRD_TIME]], true);
    v->interval = spacing_of(r, r->axis[RN_NRRD_TIME]) * (unit > 0 ? unit : 1);
    place(r);
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

/* end: offset of what follows the header. */
static int take_samples(struct nrrd *r, int64_t end)
{
    struct rn_vol_layout *l = r->layout;
    const char *type = r->text[RN_NRRD_TYPE] ? r->text[RN_NRRD_TYPE] : "",
               *skip = r->text[RN_NRRD_BYTE_SKIP];
    const char *encoding = r->text[RN_NRRD_ENCODING] ? r->text[RN_NRRD_ENCODING] : "";
    double lines = r->text[RN_NRRD_LINE_SKIP] ? av_strtod(r->text[RN_NRRD_LINE_SKIP], NULL) : 0;
    double bytes = skip ? av_strtod(skip, NULL) : 0;
    if (!rn_vol_sample_type_find(nrrd_types, type, &l->type))
        return rn_vol_layout_refuse(r->layout, "the type", type);
    size_t e = 0;
    while (e < sizeof encodings / sizeof *encodings && !av_match_name(encoding, encodings[e].names))
        e++;
    if (e == sizeof encodings / sizeof *encodings)
        return rn_vol_layout_refuse(r->layout, "the encoding", encoding);
    l->packing = encodings[e].packing;
    bool big = r->text[RN_NRRD_ENDIAN] && !av_strcasecmp(r->text[RN_NRRD_ENDIAN], "big");
    l->swapped = l->packing != RN_PACKING_TEXT && rn_vol_is_swapped(big);
    if (!(lines >= 0 && lines < 1e15 && bytes >= -1 && bytes < 1e15))
        return rn_vol_layout_refuse(r->layout, "line skip or byte skip", "");
    l->to_end = bytes < 0;
    if (l->to_end && l->packing != RN_PACKING_NONE)
        return rn_vol_layout_refuse(r->layout, "byte skip -1 of the encoding", encoding);
    int err = 0;
    if (!r->text[RN_NRRD_DATA_FILE])
        l->skip = end;
    else
        err = rn_vol_layout_take_file(l, r->text[RN_NRRD_DATA_FILE], r->list);
    if (err || l->to_end)
        return err;
    if (lines > 0)
        l->skip = rn_vol_bytes_behind_lines(l->path ? l->path : l->input, l->skip, (int64_t)lines);
    if (l->skip < 0)
        return rn_vol_layout_refuse(r->layout, "line skip, beyond the end of its samples,", "");
    /* Of what is compressed the bytes to skip are those behind the unpacking. */
    bool text = l->packing == RN_PACKING_HEX || l->packing == RN_PACKING_TEXT;
    if (bytes > 0 && l->paths.n && !text && l->packing != RN_PACKING_NONE)
        return rn_vol_layout_refuse(r->layout, "byte skip of several data files in the encoding",
                                    encoding);
    *(text || l->paths.n ? &l->skip : &l->offset) += (int64_t)bytes;
    return 0;
}

/* ---- what else the header says */

/* Returns true if a word says nothing, or what a member of struct rn_vol says. */
static bool is_known(const struct nrrd *r, enum rn_vol_nrrd_field f, enum rn_vol_nrrd_axis a,
                     const char *word)
{
    const struct rn_vol_layout *l = r->layout;
    bool length = a >= RN_NRRD_COLUMN && a <= RN_NRRD_SLICE;
    return av_match_name(word, "nan,\?\?\?,none,\"\"") ||
           (f == RN_NRRD_KINDS && !strcmp(word, own_kind(a, l->comps, l->complex))) ||
           (f == RN_NRRD_SPACINGS && (length || a == RN_NRRD_TIME) &&
            spacing_of(r, r->axis[a]) > 0) ||
           (f == RN_NRRD_SPACE_DIRECTIONS && l->volume.placed);
}

/* Keeps the words of an axis that will be written. Beside a direction an axis can have no spacing,
 * minimum, maximum and unit. Those of known lengths and times go with every value. */
static int keep_words(struct nrrd *r, enum rn_vol_nrrd_axis a, bool is_written)
{
    static const unsigned needs_of[RN_NRRD_AXES] = {RN_CHANGED_VALUES,   RN_CHANGED_GRID,
                                                    RN_CHANGED_GRID,     RN_CHANGED_SLICES,
                                                    RN_CHANGED_CHANNELS, RN_CHANGED_TIMES};
    int i = r->axis[a], err = 0;
    for (int f = RN_NRRD_SPACE_DIRECTIONS; i >= 0 && f < RN_NRRD_FIELDS && !err; f++) {
        const char *word = r->word[f][i];
        if (!word || is_known(r, f, a, word) || (f == RN_NRRD_KINDS && !is_written))
            continue;
        unsigned needs = needs_of[a];
        if (!is_written ||
            (!isnan(r->direction[i][0]) && f >= RN_NRRD_SPACINGS && f <= RN_NRRD_UNITS))
            needs |= RN_FIELD_LOST;
        else if (f == RN_NRRD_UNITS && a != RN_NRRD_COLOUR && a != RN_NRRD_CHANNEL &&
                 unit_of(word, a == RN_NRRD_TIME) > 0)
            needs = RN_FIELD_FORMAL;
        else if (f == RN_NRRD_KINDS && a >= RN_NRRD_COLUMN && a <= RN_NRRD_SLICE)
            needs = 0;
        else if (f == RN_NRRD_SPACE_DIRECTIONS)
            needs = RN_CHANGED_GRID | RN_CHANGED_PICTURES;
        err = keep(r, nrrd_field_names[f], word, needs, RN_NRRD_WORD + (unsigned)a);
    }
    return err;
}

/* Keys of a sequence name an axis by its number, which is another one where it moves. */
static void judge_keys(const struct nrrd *r, const enum rn_vol_nrrd_axis axis[RN_NRRD_AXES], int n)
{
    const struct rn_vol_fields *all = r->layout->volume.fields;
    for (int i = 0; all && i < all->n; i++) {
        int number;
        if (all->field[i].tag == RN_NRRD_LINE &&
            sscanf(all->field[i].name, "axis %d ", &number) == 1 &&
            (number < 0 || number >= n || r->axis[axis[number]] != number))
            all->field[i].needs |= RN_FIELD_LOST;
    }
}

static int keep_fields(struct nrrd *r)
{
    const struct rn_vol_layout *l = r->layout;
    enum rn_vol_nrrd_axis axis[RN_NRRD_AXES];
    double mm[3];
    int n = list_axes(&l->volume, l->complex ? 1 : l->comps, axis), err = 0;
    bool placed = l->volume.placed, same = rn_vol_sample_type_is_native(l->type, false);
    const unsigned grid = RN_CHANGED_GRID | RN_CHANGED_PICTURES;
    const unsigned needs[] = {
        [RN_NRRD_OLD_MIN] =
            RN_CHANGED_VALUES | (same ? 0 : RN_FIELD_LOST), /* they map the type's range */
        [RN_NRRD_OLD_MAX] = RN_CHANGED_VALUES | (same ? 0 : RN_FIELD_LOST),
        [RN_NRRD_SAMPLE_UNITS] = RN_CHANGED_VALUES,
        [RN_NRRD_SPACE] = r->sign[0] != 0 ? RN_FIELD_FORMAL : 0,
        [RN_NRRD_SPACE_UNITS] =
            placed && parse_space_units(r->text[RN_NRRD_SPACE_UNITS], mm) ? RN_FIELD_FORMAL : grid,
        [RN_NRRD_SPACE_ORIGIN] = grid,
    };
    for (int f = RN_NRRD_CONTENT; f <= RN_NRRD_SPACE_ORIGIN && !err; f++)
        if (r->text[f] && *r->text[f] && !(f == RN_NRRD_SPACE_ORIGIN && placed) &&
            !((f == RN_NRRD_OLD_MIN || f == RN_NRRD_OLD_MAX) && av_match_name(r->text[f], "nan")))
            err = keep(r, nrrd_field_names[f], r->text[f], needs[f], RN_NRRD_VALUE);
    for (int a = 0; a < RN_NRRD_AXES && !err; a++) {
        bool is_written = false;
        for (int i = 0; i < n; i++)
            is_written |= (int)axis[i] == a;
        err = keep_words(r, (enum rn_vol_nrrd_axis)a, is_written);
    }
    judge_keys(r, axis, n);
    return err;
}

static int nrrd_parse(struct rn_vol_layout *layout, uint8_t *head, size_t n)
{
    struct nrrd r = {.layout = layout};
    bool ends;
    if (layout->packed)
        return rn_vol_layout_refuse(layout, "a whole file packed as", "gzip");
    int err = parse_lines(&r, (char *)head, &ends);
    if (err)
        return err;
    parse_fields(&r);
    if (!ends)
        return rn_vol_layout_refuse(layout, "its header, which does not end", "");
    if (r.dim < 2 || r.dim > RN_VOL_NRRD_MAX_DIM)
        return rn_vol_layout_refuse(layout, "its dimension", "");
    err = take_axes(&r);
    err = err ? err : take_samples(&r, r.list - (char *)head);
    return err ? err : keep_fields(&r);
}

/* ---- writing */

/* The word of an axis without a value. */
static const char *none_of(enum rn_vol_nrrd_field f)
{
    return f == RN_NRRD_SPACE_DIRECTIONS                ? "none"
           : f == RN_NRRD_KINDS || f == RN_NRRD_CENTERS ? "\?\?\?"
           : f == RN_NRRD_UNITS || f == RN_NRRD_LABELS  ? "\"\""
                                                        : "nan";
}

/* Returns what v has kept of a field: its value, or the word of an axis. */
static const char *kept(const struct rn_vol *v, enum rn_vol_nrrd_field field, unsigned tag)
{
    const struct rn_vol_field *f = rn_vol_fields_find(v, RN_VOL_NRRD, nrrd_field_names[field], tag);
    return f ? f->data : NULL;
}

static void put(struct rn_vol_text *t, enum rn_vol_nrrd_field field, const char *value)
{
    if (value)
        rn_vol_text_add(t, "%s: %s\n", nrrd_field_names[field], value);
}

/* Writes the words of the axes: those that were kept, or own ("": there is none; NULL: for all). */
static void put_words(struct rn_vol_text *t, const struct rn_vol *v, enum rn_vol_nrrd_field f,
                      char (*own)[96])
{
    enum rn_vol_nrrd_axis axis[RN_NRRD_AXES];
    const char *word[RN_NRRD_AXES];
    int n = list_axes(v, rn_format_planes(&v->fmt), axis);
    bool any = false;
    for (int i = 0; i < n; i++) {
        word[i] = kept(v, f, RN_NRRD_WORD + (unsigned)axis[i]);
        if (!word[i] && own && *own[axis[i]])
            word[i] = own[axis[i]];
        any |= word[i] != NULL;
    }
    if (any)
        rn_vol_text_add(t, "%s:", nrrd_field_names[f]);
    for (int i = 0; any && i < n; i++)
        rn_vol_text_add(t, " %s", word[i] ? word[i] : none_of(f));
    rn_vol_text_add(t, any ? "\n" : "%s", "");
}

/* Returns the place of the number of pictures, in front of which any number of blanks may stand. */
static size_t put_axes(const struct rn_vol *v, struct rn_vol_text *t)
{
    enum rn_vol_nrrd_axis axis[RN_NRRD_AXES];
    int planes = rn_format_planes(&v->fmt), n = list_axes(v, planes, axis);
    char own[RN_NRRD_AXES][96];
    const char *space = kept(v, RN_NRRD_SPACE, 0), *dimension = kept(v, RN_NRRD_SPACE_DIMENSION, 0);
    rn_vol_text_add(t, "dimension: %d\n", n);
    put(t, RN_NRRD_SPACE, space || dimension || !v->placed ? space : "left-posterior-superior");
    put(t, RN_NRRD_SPACE_DIMENSION, dimension);
    rn_vol_text_add(t, "sizes:");
    if (planes > 1)
        rn_vol_text_add(t, " %d", planes);
    rn_vol_text_add(t, " %d %d", v->w, v->h);
    size_t place = t->n;
    for (int i = 2 + (planes > 1); i < n; i++)
        rn_vol_text_add(t, " %lld", (long long)v->n[axis[i] - RN_NRRD_SLICE]);
    rn_vol_text_add(t, "\n");
    for (int a = 0; a < RN_NRRD_AXES; a++)
        snprintf(own[a], sizeof own[a], "%s",
                 own_kind((enum rn_vol_nrrd_axis)a, planes, v->fmt.complex));
    put_words(t, v, RN_NRRD_KINDS, own);
    return place;
}

static void put_place(const struct rn_vol *v, struct rn_vol_text *t)
{
    char vector[RN_NRRD_AXES][96] = {""}, step[RN_NRRD_AXES][96] = {""},
         unit[RN_NRRD_AXES][96] = {""};
    const char *space = kept(v, RN_NRRD_SPACE, 0), *units = kept(v, RN_NRRD_SPACE_UNITS, 0);
    double mm[3], sign[3] = {1, 1, 1};
    parse_space_units(units ? units : "mm mm mm", mm);
    if (space)
        parse_space(space, sign);
    for (int a = RN_NRRD_COLUMN; a < RN_NRRD_AXES; a++) {
        bool length = a <= RN_NRRD_SLICE;
        double d[3], value = length              ? v->spacing[a - RN_NRRD_COLUMN]
                             : a == RN_NRRD_TIME ? v->interval
                                                 : 0;
        for (int k = 0; length && k < 3; k++)
            d[k] = v->direction[a - RN_NRRD_COLUMN][k] * value * sign[k] / mm[k];
        double one = unit_of(kept(v, RN_NRRD_UNITS, RN_NRRD_WORD + (unsigned)a), a == RN_NRRD_TIME);
        bool directed = kept(v, RN_NRRD_SPACE_DIRECTIONS, RN_NRRD_WORD + (unsigned)a);
        if (length && v->placed)
            snprintf(vector[a], sizeof vector[a], "(%.17g,%.17g,%.17g)", d[0], d[1], d[2]);
        else if (value > 0 && !directed)
            snprintf(step[a], sizeof step[a], "%.17g", value / (one > 0 ? one : 1));
        if (*step[a])
            snprintf(unit[a], sizeof unit[a], length ? "\"mm\"" : "\"s\"");
    }
    put_words(t, v, RN_NRRD_SPACE_DIRECTIONS, vector);
    put(t, RN_NRRD_SPACE_UNITS, units || !v->placed ? units : "\"mm\" \"mm\" \"mm\"");
    if (v->placed)
        rn_vol_text_add(t, "space origin: (%.17g,%.17g,%.17g)\n", v->origin[0] * sign[0] / mm[0],
                        v->origin[1] * sign[1] / mm[1], v->origin[2] * sign[2] / mm[2]);
    put(t, RN_NRRD_SPACE_ORIGIN, kept(v, RN_NRRD_SPACE_ORIGIN, 0));
    put_words(t, v, RN_NRRD_SPACINGS, step);
    put_words(t, v, RN_NRRD_UNITS, unit);
    for (int f = RN_NRRD_AXIS_MINS; f < RN_NRRD_FIELDS; f++)
        if (f != RN_NRRD_UNITS)
            put_words(t, v, (enum rn_vol_nrrd_field)f, NULL);
}

static size_t nrrd_header(const struct rn_vol_heading *h, char *to, size_t size)
{
    const struct rn_vol *v = h->volume;
    struct rn_vol_text t = {.to = to, .size = size};
    bool packed = h->packing != RN_PACKING_NONE;
    const char *type = nrrd_types[rn_vol_sample_type_of(&v->fmt)];
    rn_vol_text_add(&t, "NRRD000%d\ntype: %.*s\n", kept(v, RN_NRRD_MEASUREMENT_FRAME, 0) ? 5 : 4,
                    (int)strcspn(type, ","), type);
    size_t place = put_axes(v, &t);
    put_place(v, &t);
    rn_vol_text_add(&t, "endian: %s\nencoding: %s\n", AV_HAVE_BIGENDIAN ? "big" : "little",
                    packed ? "gzip" : "raw");
    if (h->samples)
        rn_vol_text_add(&t, "data file: %s\n", h->samples);
    for (int f = RN_NRRD_CONTENT; f < RN_NRRD_SPACE; f++)
        put(&t, (enum rn_vol_nrrd_field)f, kept(v, (enum rn_vol_nrrd_field)f, 0));
    size_t spare = h->n_is_estimate ? SPARE : 0;
    for (const struct rn_vol_field *f = NULL; (f = rn_vol_fields_next(v, RN_VOL_NRRD, f));) {
        if (f->tag == RN_NRRD_LINE)
            rn_vol_text_add(&t, "%s\n", (const char *)f->data);
        else if (f->tag || f->needs & ~(unsigned)RN_FIELD_FORMAL) /* a longer word may replace it */
            spare += sizeof "\"mm\" \"mm\" \"mm\"";
    }
    rn_vol_text_add_keys(&t, nrrd_own_names, ":=", v);
    rn_vol_text_add(&t, "\n");
    return rn_vol_text_widen(&t, place, h->length ? h->length : t.n + spare);
}

const struct rn_vol_format rn_vol_nrrd_format = {
    .name = RN_VOL_NRRD,
    .extensions = "nrrd,nhdr",
    .match = nrrd_match,
    .parse = nrrd_parse,
    .ends = nrrd_ends,
    .header = nrrd_header,
    .packs = RN_PACKING_GZIP,
    .apart = "nhdr",
    .samples = {"raw", "raw.gz"},
};
