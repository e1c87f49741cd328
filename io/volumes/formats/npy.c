/* SPDX-License-Identifier: MIT */
/* Reads and writes NumPy's .npy, versions 1 to 3. The axes of an array are [times], [slices],
 * [channels], rows, columns, [colours]. An array of 3 axes or more whose last size is 3 or 4 has
 * colours; one of 5 other axes has channels. */
#include "io/volumes/layout.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include <libavutil/avconfig.h>
#include <libavutil/intreadwrite.h>

#define HEADER  256 /* bytes of one that is written */
#define MAX_DIM 6

static bool npy_match(const char *path, const uint8_t *head, size_t n)
{
    return n > 10 && !memcmp(head, "\x93NUMPY", 6);
}

/* Returns the value of a key in the dictionary; NULL: none. */
static const char *value_of(const char *text, const char *key)
{
    const char *at = strstr(text, key);
    at = at ? at + strlen(key) : NULL;
    at = at && (*at == '\'' || *at == '"') ? strchr(at, ':') : NULL;
    return at ? at + 1 + strspn(at + 1, " \t\n") : NULL;
}

static bool parse_type(const char *text, struct rn_vol_layout *l)
{
    static const char *const names[RN_STORED_TYPES] = {"u1", "i1", "u2", "i2", "u4", "i4",
                                                       "u8", "i8", "f2", "f4", "f8"};
    char order = text[1];
    if ((*text != '\'' && *text != '"') || !order || !strchr("<>|=", order))
        return false;
    l->swapped = order != '|' && order != '=' && rn_vol_is_swapped(order == '>');
    const char *name = text + 2;
    if (!strncmp(name, "b1", 2))
        name = "u1";
    l->complex = *name == 'c';
    bool wide = l->complex && !strncmp(name, "c16", 3);
    if (l->complex)
        name = wide ? "f8" : !strncmp(name, "c8", 2) ? "f4" : "";
    for (int i = 0; i < RN_STORED_TYPES; i++) {
        if (!strncmp(name, names[i], 2)) {
            l->type = (enum rn_vol_sample_type)i;
            return text[4 + wide] == *text;
        }
    }
    return false;
}

/* In Fortran's order, the first axis is the fastest. */
static int take_fortran(struct rn_vol_layout *l, const double *size, int dim)
{
    struct rn_vol *v = &l->volume;
    int64_t step[MAX_DIM], all = rn_vol_layout_bytes(l);
    if (l->comps > 1 || dim > 4)
        return rn_vol_layout_refuse(l, "fortran_order with colours or channels:", "True");
    for (int i = 0; i < dim; i++) {
        step[i] = all;
        if (!rn_vol_layout_size(size[i], INT_MAX) || all > INT64_MAX / INT_MAX)
            return rn_vol_layout_refuse(l, "its shape", "too large");
        all *= (int64_t)size[i];
    }
    l->comp_step = step[0];
    l->row_step = step[dim - 2];
    l->column_step = step[dim - 1];
    l->picture_step = dim > 2 ? step[0] : all;
    v->axis_order[0] = RN_AXIS_TIME;
    v->axis_order[1] = RN_AXIS_SLICE;
    v->axis_order[2] = RN_AXIS_CHANNEL;
    return 0;
}

static int take_shape(struct rn_vol_layout *l, const char *text, bool fortran)
{
    struct rn_vol *v = &l->volume;
    double size[MAX_DIM];
    int dim = *text == '(' ? rn_vol_numbers_parse(text + 1, " ,L", size, MAX_DIM) : 0;
    if (dim < 2 || dim > MAX_DIM)
        return rn_vol_layout_refuse(l, "an array that has not 2 to 5 axes, and colours:", text);
    if (dim > 2 && (size[dim - 1] == 3 || size[dim - 1] == 4) && !l->complex)
        l->comps = (int)size[--dim];
    if (dim > 5)
        return rn_vol_layout_refuse(l, "an array of more than channels, slices and times:", text);
    v->w = (int)rn_vol_layout_size(size[dim - 1], RN_MAX_SIDE);
    v->h = (int)rn_vol_layout_size(size[dim - 2], RN_MAX_SIDE);
    static const enum rn_vol_axis axes[] = {RN_AXIS_CHANNEL, RN_AXIS_SLICE, RN_AXIS_TIME};
    memcpy(v->axis_order, axes, sizeof axes);
    for (int i = dim - 3, k = dim < 5; i >= 0; i--, k++)
        v->n[axes[k]] = rn_vol_layout_size(size[i], INT_MAX);
    return fortran ? take_fortran(l, size, dim) : 0;
}

static int npy_parse(struct rn_vol_layout *l, uint8_t *head, size_t n)
{
    int wide = head[6] >= 2 ? 4 : 2;
    size_t length = wide == 4 ? AV_RL32(head + 8) : AV_RL16(head + 8);
    size_t begin = 8 + (size_t)wide;
    char text[4096] = "";
    if (head[6] < 1 || head[6] > 3 || begin + length > n || length >= sizeof text)
        return rn_vol_layout_refuse(l, "its header", "");
    memcpy(text, head + begin, length);
    const char *type = value_of(text, "descr"), *shape = value_of(text, "shape");
    const char *order = value_of(text, "fortran_order");
    if (!type || !shape || !order)
        return rn_vol_layout_refuse(l, "its header", text);
    if (!parse_type(type, l))
        return rn_vol_layout_refuse(l, "the type", type);
    l->packing = l->packed ? RN_PACKING_GZIP : RN_PACKING_NONE;
    l->offset = (int64_t)(begin + length);
    return take_shape(l, shape, !strncmp(order, "True", 4));
}

/* ---- writing: times, slices, channels, rows, columns, colours; nothing else has a place */

static const char *npy_refuses(const struct rn_vol *v)
{
    bool gray_alpha = v->fmt.model == RN_GRAY && v->fmt.alpha;
    return gray_alpha ? ".npy cannot tell alpha from a column" : NULL;
}

static int64_t npy_place(const struct rn_vol *v, int64_t slice, int64_t channel, int64_t time)
{
    return channel + v->n[RN_AXIS_CHANNEL] * (slice + v->n[RN_AXIS_SLICE] * time);
}

static size_t npy_header(const struct rn_vol_heading *h, char *to, size_t size)
{
    const struct rn_vol *v = h->volume;
    static const char *const types[] = {[RN_STORED_U8] = "|u1",
                                        [RN_STORED_U16] = "u2",
                                        [RN_STORED_S16] = "i2",
                                        [RN_STORED_F32] = "f4"};
    struct rn_vol_text t = {.to = to, .size = size < HEADER ? size : HEADER};
    enum rn_vol_sample_type type = rn_vol_sample_type_of(&v->fmt);
    rn_vol_text_add(&t, "%cNUMPY%c%c%c%c", 0x93, 1, 0, (HEADER - 10) & 255, (HEADER - 10) >> 8);
    rn_vol_text_add(&t, "{'descr': '%s%s', 'fortran_order': False, 'shape': (",
                    type == RN_STORED_U8 ? ""
                    : AV_HAVE_BIGENDIAN  ? ">"
                                         : "<",
                    v->fmt.complex ? "c8" : types[type]);
    bool channels = v->n[RN_AXIS_CHANNEL] > 1;
    if (channels || v->n[RN_AXIS_TIME] > 1)
        rn_vol_text_add(&t, "%lld, ", (long long)v->n[RN_AXIS_TIME]);
    rn_vol_text_add(&t, "%lld, ", (long long)v->n[RN_AXIS_SLICE]);
    if (channels)
        rn_vol_text_add(&t, "%lld, ", (long long)v->n[RN_AXIS_CHANNEL]);
    rn_vol_text_add(&t, "%d, %d", v->h, v->w);
    if (rn_format_planes(&v->fmt) > 1 && !v->fmt.complex)
        rn_vol_text_add(&t, ", %d", rn_format_planes(&v->fmt));
    rn_vol_text_add(&t, "), }");
    size_t place = t.n;
    rn_vol_text_add(&t, "\n");
    return rn_vol_text_widen(&t, place, HEADER);
}

const struct rn_vol_format rn_vol_npy_format = {
    .name = "npy",
    .extensions = "npy",
    .match = npy_match,
    .parse = npy_parse,
    .refuses = npy_refuses,
    .header = npy_header,
    .lacks = rn_vol_describe,
    .place = npy_place,
};
