/* SPDX-License-Identifier: MIT */
/* MATLAB's .mat of versions 4, 5 (also 6 and 7) and 7.3, which is HDF5. Read only, through libmatio
 * in a child process (mat_worker.h).
 *
 * The first index of an array is the row (y) and the fastest, then column (x), slice, time. There
 * are no colours. All classes of numbers are read, also logical and complex. Arrays with fewer than
 * two rows or columns are lists of numbers, which only --series selects. */
#include "io/volumes/layout.h"
#include "io/volumes/mat/mat_worker.h"

#include "filters/base/log.h"
#include "filters/base/text/number.h"
#include "io/common/av.h"

#include <libavformat/avformat.h>

/* Version 4 has no signature, but five 32-bit numbers: type (M O P T), rows, columns, a flag, and
 * the length of a name. */
static bool is_version_4(const uint8_t *head, size_t n)
{
    uint32_t type, flag, name;
    if (n < 21)
        return false;
    memcpy(&type, head, 4);
    memcpy(&flag, head + 12, 4);
    memcpy(&name, head + 16, 4);
    bool little = type <= 52 && flag <= 1 && name >= 1 && name <= 4096;
    bool big = !head[0] && !head[1] && head[2] == 3 && !head[12] && !head[13] && !head[14];
    return little || big;
}

static bool mat_match(const char *path, const uint8_t *head, size_t n)
{
    if (n > 128 && (!memcmp(head, "MATLAB 5.0 MAT", 14) || !memcmp(head, "MATLAB 7.3 MAT", 14)))
        return true;
    return av_match_ext(path, "mat") && n > 20 &&
           (is_version_4(head, n) || !memcmp(head, "MATLAB", 6) ||
            (n > 128 && (!memcmp(head + 126, "IM", 2) || !memcmp(head + 126, "MI", 2))));
}

#ifndef RN_HAVE_MATIO

static int mat_parse(struct rn_vol_layout *l, uint8_t *head, size_t n)
{
    return rn_fail(RN_EINPUT,
                   "'%s' is MATLAB's, which this runnel was built without: install the package "
                   "libmatio-dev, then build it again",
                   l->input);
}

#else

/* Trailing axes of one element do not count. */
static int rank_of(const struct rn_vol_mat_array *a)
{
    int rank = a->rank;
    while (rank > 2 && rank <= RN_MAT_RANK && a->size[rank - 1] == 1)
        rank--;
    return rank;
}

static bool is_readable(const struct rn_vol_mat_array *a)
{
    bool sized = a->kind == RN_MAT_NUMBERS && rank_of(a) <= 4;
    for (int i = 0; i < 4; i++)
        sized = sized && a->size[i] >= 1;
    return sized;
}

static bool is_picture(const struct rn_vol_mat_array *a)
{
    return is_readable(a) && a->size[0] > 1 && a->size[1] > 1;
}

static int refuse(const char *path, const char *why, const struct rn_vol_mat_array *list, int n,
                  int err)
{
    RN_IO_TEXT(text);
    for (int i = 0; i < n; i++) {
        const struct rn_vol_mat_array *a = &list[i];
        int rank = rank_of(a);
        av_bprintf(&text, "%s  %d: %s, ", i ? "\n" : "", i + 1, a->name);
        for (int k = 0; k < rank && k < RN_MAT_RANK; k++)
            av_bprintf(&text, "%s%" PRId64, k ? "x" : "", a->size[k]);
        if (a->kind != RN_MAT_NUMBERS)
            av_bprintf(&text, " that are no numbers");
        else
            av_bprintf(&text, " %s%s", a->complex ? "complex " : "",
                       rn_vol_sample_types[a->type].name);
    }
    return rn_fail_lines(err, text.str, "'%s' (MATLAB) %s", path, why);
}

/* Returns the index of an array by number or name; -1: none. */
static int find(const struct rn_vol_mat_array *list, int n, const char *series)
{
    long long number;
    for (int i = 0; i < n; i++)
        if (!strcmp(list[i].name, series))
            return i;
    return rn_number_whole(series, 1, n, &number) ? (int)number - 1 : -1;
}

/* Sets *which. Returns 0 or an error (logged). */
static int choose(const char *path, const char *series, const struct rn_vol_mat_array *list, int n,
                  int *which)
{
    int pictures = 0;
    for (int i = 0; i < n && !series; i++) {
        if (is_picture(&list[i]))
            *which = i;
        pictures += is_picture(&list[i]);
    }
    if (series) {
        *which = find(list, n, series);
        if (*which < 0)
            return refuse(path, "has no such array: choose with --series N or NAME", list, n,
                          RN_EUSAGE);
        if (!is_readable(&list[*which]))
            return refuse(path, "cannot be read there: an array of numbers has 2 to 4 axes",
                          &list[*which], 1, RN_EINPUT);
        return 0;
    }
    if (pictures == 1)
        return 0;
    return refuse(path,
                  pictures ? "holds several arrays: choose with --series N or NAME"
                           : "holds no array of numbers with rows, columns and up to 2 more axes",
                  list, n, RN_EINPUT);
}

static int set_layout(const struct rn_vol_mat_array *a, struct rn_vol_layout *l)
{
    struct rn_vol *v = &l->volume;
    l->type = (enum rn_vol_sample_type)a->type;
    l->complex = a->complex;
    l->surplus = a->surplus;
    if (a->size[0] > RN_MAX_SIDE || a->size[1] > RN_MAX_SIDE)
        return rn_fail(RN_EINPUT,
                       "'%s' (MATLAB): pictures of %" PRId64 "x%" PRId64 " are too large", l->input,
                       a->size[1], a->size[0]);
    v->h = (int)a->size[0];
    v->w = (int)a->size[1];
    v->n[RN_AXIS_SLICE] = a->size[2];
    v->n[RN_AXIS_TIME] = a->size[3];
    v->axis_order[1] = RN_AXIS_TIME;
    v->axis_order[2] = RN_AXIS_CHANNEL;
    l->comp_step = rn_vol_layout_bytes(l);
    l->row_step = l->comp_step;
    l->column_step = l->row_step * v->h;
    l->picture_step = l->column_step * v->w;
    return 0;
}

static int mat_parse(struct rn_vol_layout *l, uint8_t *head, size_t n)
{
    RN_OWNED(rn_free_owned) struct rn_vol_mat_array *list = NULL;
    int count, which = 0;
    int err = rn_vol_mat_list(l->input, &list, &count);
    if (err)
        return err;
    err = choose(l->input, l->series, list, count, &which);
    if (!err)
        err = set_layout(&list[which], l);
    l->series_used = true;
    l->variable = which;
    l->packing = RN_PACKING_MAT;
    return err;
}

#endif

const struct rn_vol_format rn_vol_mat_format = {
    .name = "MATLAB",
    .extensions = "",
    .match = mat_match,
    .parse = mat_parse,
};
