/* SPDX-License-Identifier: MIT */
#include "io/volumes/reader.h"

#include "filters/base/log.h"
#include "filters/base/owned.h"
#include "io/read/source.h"
#include "io/volumes/fields.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <libavutil/mem.h>

/* ---- parsing */

/* Parses a number from 1, of at most 9 digits. Returns the text behind it; NULL: invalid. */
static const char *parse_number(const char *text, int64_t *value)
{
    size_t digits = strspn(text, "0123456789");
    *value = digits <= 9 ? strtol(text, NULL, 10) : 0;
    return digits && *value >= 1 ? text + digits : NULL;
}

/* Parses an entry of a list. *last: INT64_MAX if the range is open. */
static const char *parse_part(const char *text, int64_t *first, int64_t *last)
{
    text = parse_number(text, first);
    *last = *first;
    if (text && *text == '-') {
        text++;
        *last = INT64_MAX;
        if (*text && *text != ',')
            text = parse_number(text, last);
    }
    return text && *first <= *last && (!*text || *text == ',') ? text : NULL;
}

bool rn_vol_selection_check(const char *text)
{
    int64_t first, last;
    if (!strcmp(text, "all"))
        return true;
    while ((text = parse_part(text, &first, &last)) != NULL && *text)
        text++;
    return text != NULL;
}

/* ---- selecting */

static int refuse(const char *input, const char *text, enum rn_vol_axis axis, int64_t n)
{
    bool channel = axis == RN_AXIS_CHANNEL;
    if (n == 1)
        return rn_fail(RN_EUSAGE, "--%s %s: '%s' has one %s%s", channel ? "channel" : "time", text,
                       input, channel ? "channel" : "point in time",
                       channel ? " (planes= of a filter chooses colours)" : "");
    return rn_fail(RN_EUSAGE, "--%s %s: '%s' has %s 1 to %" PRId64, channel ? "channel" : "time",
                   text, input, channel ? "channels" : "points in time", n);
}

/* Marks the entries of a list. Returns false if one is greater than n. */
static bool mark(const char *text, int64_t n, bool *is_selected)
{
    while (*text) {
        int64_t first, last;
        text = parse_part(text, &first, &last);
        if (!text || first > n || (last > n && last != INT64_MAX))
            return false;
        for (int64_t i = first; i <= last && i <= n; i++)
            is_selected[i - 1] = true;
        text += *text == ',';
    }
    return true;
}

static int select_indices(struct rn_vol_selection *c, struct rn_vol *v, const char *input,
                          const char *text, enum rn_vol_axis axis)
{
    int64_t n = c->n[axis];
    if (!text || !strcmp(text, "all"))
        return 0;
    if (n == 1 && strcmp(text, "1") != 0)
        return refuse(input, text, axis, n);
    RN_OWNED(av_freep) bool *is_selected = av_calloc((size_t)n, sizeof *is_selected);
    c->file_index[axis] = av_calloc((size_t)n, sizeof **c->file_index);
    int err = is_selected && c->file_index[axis] ? 0 : rn_fail_memory();
    if (!err && !mark(text, n, is_selected))
        err = refuse(input, text, axis, n);
    v->n[axis] = 0;
    for (int64_t i = 0; !err && i < n; i++)
        if (is_selected[i])
            c->file_index[axis][v->n[axis]++] = i;
    v->file_index[axis] = c->file_index[axis];
    if (v->n[axis] != n)
        v->changed |= axis == RN_AXIS_TIME ? RN_CHANGED_TIMES : RN_CHANGED_CHANNELS;
    return err;
}

int rn_vol_selection_make(struct rn_vol_selection *c, struct rn_vol *v, const char *input,
                          const struct rn_io_read_opts *opts)
{
    *c = (struct rn_vol_selection){.n = {0}};
    memcpy(c->n, v->n, sizeof c->n);
    int err = select_indices(c, v, input, opts->channel, RN_AXIS_CHANNEL);
    err = err ? err : select_indices(c, v, input, opts->time, RN_AXIS_TIME);
    const int64_t *t = v->file_index[RN_AXIS_TIME];
    double steps = t && !err && v->n[RN_AXIS_TIME] > 1 ? (double)(t[1] - t[0]) : 1;
    for (int64_t i = 2; t && !err && i < v->n[RN_AXIS_TIME]; i++)
        if (t[i] - t[i - 1] != t[1] - t[0])
            steps = 0; /* times at uneven distances have no interval */
    v->interval = steps > 0 ? v->interval * steps : 0;
    return err;
}

void rn_vol_selection_free(struct rn_vol_selection *c)
{
    for (int a = 0; a < RN_AXES; a++)
        av_freep(&c->file_index[a]);
}

void rn_vol_selection_at(const struct rn_vol *v, int64_t i, int64_t at[RN_AXES])
{
    rn_vol_at(v, i, at);
    for (int a = 0; a < RN_AXES; a++)
        at[a] = v->file_index[a] ? v->file_index[a][at[a]] : at[a];
}

int64_t rn_vol_selection_picture(const struct rn_vol_selection *c, const struct rn_vol *v,
                                 int64_t i)
{
    int64_t at[RN_AXES], picture = 0;
    rn_vol_selection_at(v, i, at);
    for (int k = RN_AXES - 1; k >= 0; k--)
        picture = picture * c->n[v->axis_order[k]] + at[v->axis_order[k]];
    return picture;
}
