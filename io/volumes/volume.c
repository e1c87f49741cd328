/* SPDX-License-Identifier: MIT */
#include "io/volumes/fields.h"
#include "io/common/av.h"

#include <limits.h>

void rn_vol_init(struct rn_vol *v, const struct rn_geom *geom, int64_t n)
{
    *v = (struct rn_vol){.fmt = geom->fmt, .w = geom->w, .h = geom->h};
    v->n[RN_AXIS_SLICE] = n;
    v->n[RN_AXIS_CHANNEL] = v->n[RN_AXIS_TIME] = 1;
    v->axis_order[0] = RN_AXIS_SLICE;
    v->axis_order[1] = RN_AXIS_CHANNEL;
    v->axis_order[2] = RN_AXIS_TIME;
    v->rescale = geom->rescale;
    v->scan = geom->scan;
    for (int i = 0; i < 3; i++)
        v->direction[i][i] = 1;
}

void rn_vol_at(const struct rn_vol *v, int64_t i, int64_t at[RN_AXES])
{
    for (int k = 0; k < RN_AXES; k++) {
        at[v->axis_order[k]] = i % v->n[v->axis_order[k]];
        i /= v->n[v->axis_order[k]];
    }
}

double rn_vol_seconds(const struct rn_vol *v, int64_t time)
{
    const int64_t *index = v->file_index[RN_AXIS_TIME];
    int64_t steps = index && v->n[RN_AXIS_TIME] > 1 ? index[1] - index[0] : 1; /* in an interval */
    return (double)(index ? index[time] : time) * v->interval / (double)steps;
}

bool rn_vol_cut(struct rn_vol *v, int64_t first, int64_t n)
{
    if (!first && n == rn_vol_pictures(v))
        return true;
    /* Only the slowest axis of more than one can be cut. */
    int slowest = RN_AXES - 1;
    int64_t each = 1;
    while (slowest > 0 && v->n[v->axis_order[slowest]] == 1)
        slowest--;
    for (int i = 0; i < slowest; i++)
        each *= v->n[v->axis_order[i]];
    if (first % each || n % each) {
        v->changed |= RN_CHANGED_PICTURES;
        v->n[RN_AXIS_SLICE] = n;
        v->n[RN_AXIS_CHANNEL] = v->n[RN_AXIS_TIME] = 1;
        v->placed = v->placed_twice = false;
        v->spacing[2] = 0;
        return false;
    }
    static const unsigned changed[RN_AXES] = {RN_CHANGED_SLICES, RN_CHANGED_CHANNELS,
                                              RN_CHANGED_TIMES};
    enum rn_vol_axis axis = v->axis_order[slowest];
    v->changed |= changed[axis];
    v->n[axis] = n / each;
    int64_t whole = first / each; /* the remainder is 0 */
    double skipped = axis == RN_AXIS_SLICE ? (double)whole : 0;
    for (int i = 0; i < 3 && v->spacing[2] > 0; i++)
        v->origin[i] += skipped * v->spacing[2] * v->direction[2][i];
    for (int i = 0; i < 3; i++)
        v->other_origin[i] += skipped * v->other_column[2][i];
    v->placed = v->placed && (v->spacing[2] > 0 || !(skipped > 0));
    return true;
}

/* ---- who made it */

void rn_vol_add_step(struct rn_vol *v, const char *step)
{
    const size_t max = RN_MADE_BY_SIZE - 1;
    char given[2 * RN_MADE_BY_SIZE + 8], all[sizeof given] = "";
    snprintf(given, sizeof given, "%s%s%.*s", v->made_by, *v->made_by ? "; " : "", (int)max, step);
    for (char *from = given, *next; from; from = next) {
        next = strstr(from, "; ");
        if (next) {
            *next = '\0';
            next += 2;
        }
        bool idle = strlen(from) > 7 && !strncmp(from, "runnel ", 7) && !strchr(from, ':');
        if (*from && (!idle || (!next && !*all)))
            av_strlcatf(all, sizeof all, "%s%s", *all ? "; " : "", from);
    }
    for (char *c = all; *c; c++) /* headers are lines */
        *c = (unsigned char)*c < ' ' ? ' ' : *c;
    const char *kept = all, *end;
    while (strlen(kept) + (kept != all) * strlen("...; ") > max && (end = strstr(kept, "; ")))
        kept = end + 2;
    av_strlcpy(v->made_by, kept != all ? "...; " : "", sizeof v->made_by);
    av_strlcat(v->made_by, kept, sizeof v->made_by);
}

/* ---- places */

double rn_vol_determinant(const double a[3][3])
{
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += a[0][k] *
               (a[1][(k + 1) % 3] * a[2][(k + 2) % 3] - a[1][(k + 2) % 3] * a[2][(k + 1) % 3]);
    return sum;
}

bool rn_vol_place(struct rn_vol *v, const double column[3][3], const double origin[3])
{
    double unit[3][3];
    bool ok = isfinite(origin[0]) && isfinite(origin[1]) && isfinite(origin[2]);
    for (int i = 0; i < 3; i++) {
        double length = sqrt(rn_vol_dot(column[i], column[i]));
        v->spacing[i] = isfinite(length) && length > 0 ? length : 0;
        ok = ok && v->spacing[i] > 0;
        for (int k = 0; k < 3; k++)
            unit[i][k] = v->spacing[i] > 0 ? column[i][k] / length : 0;
    }
    if (!ok || fabs(rn_vol_determinant((const double(*)[3])unit)) < 1e-3)
        return false;
    memcpy(v->direction, unit, sizeof unit);
    memcpy(v->origin, origin, sizeof v->origin);
    v->placed = true;
    return true;
}

bool rn_vol_is_orthogonal(const struct rn_vol *v)
{
    for (int i = 0; i < 3; i++)
        if (fabs(rn_vol_dot(v->direction[i], v->direction[(i + 1) % 3])) >= 1e-3)
            return false;
    return true;
}

void rn_vol_regrid(struct rn_vol *v, int w, int h, const double first[2], const double right[2],
                   const double down[2])
{
    const double *way[2] = {right, down};
    const struct rn_vol was = *v;
    v->w = w;
    v->h = h;
    for (int i = 0; i < 2; i++) {
        int k = way[i][0] != 0 ? 0 : 1; /* the former axis, which may go backwards */
        v->spacing[i] = fabs(way[i][k]) * was.spacing[k];
        for (int j = 0; j < 3; j++) {
            double step = first[i] * was.spacing[i] * was.direction[i][j];
            v->origin[j] += step;
            v->shift[j] += step;
            v->other_origin[j] += first[i] * was.other_column[i][j];
            v->direction[i][j] = way[i][k] < 0 ? -was.direction[k][j] : was.direction[k][j];
            v->other_column[i][j] = way[i][k] * was.other_column[k][j];
        }
    }
}

void rn_vol_describe(const struct rn_vol *v, char *text, size_t size)
{
    bool spaced = v->spacing[0] > 0 || v->spacing[1] > 0 || v->spacing[2] > 0;
    bool rescaled = v->rescale.slope != 0 || *v->rescale.unit;
    bool timed = v->interval > 0 && v->n[RN_AXIS_TIME] > 1;
    snprintf(text, size, "%s%s%s%s%s", spaced ? ", its spacing" : "",
             v->placed ? ", its place and orientation" : "",
             rescaled ? ", its rescaling and unit" : "", v->windowed ? ", its window" : "",
             timed ? ", the interval in time" : "");
    if (*text)
        memmove(text, text + 2, strlen(text + 2) + 1);
}

void rn_vol_geom(const struct rn_vol *v, struct rn_geom *geom)
{
    enum rn_vol_axis along = rn_vol_along(v);
    int64_t turns = 1; /* how many pictures later the next one of a stack comes */
    for (int k = 0; v->axis_order[k] != along; k++)
        turns *= v->n[v->axis_order[k]];
    geom->size = sizeof *geom;
    geom->fmt = v->fmt;
    geom->full_range = true;
    geom->matrix = RN_BT601;
    geom->scan = v->scan;
    geom->rescale = v->rescale;
    memcpy(geom->spacing, v->spacing, sizeof geom->spacing);
    if (v->placed) /* sheared slices are nearer to each other than their origins */
        geom->spacing[2] *= fabs(rn_vol_determinant(v->direction));
    geom->several = v->n[RN_AXIS_CHANNEL] * v->n[RN_AXIS_TIME] > 1;
    geom->turns = v->n[along] > 1 && turns <= INT_MAX ? (int)turns : 1;
    if (*v->rescale.unit && v->rescale.slope == 0) /* the samples themselves are in the unit */
        geom->rescale.slope = 1;
    geom->low = 0;
    geom->high = 1;
    if (v->fmt.number == RN_NUMBER_FLOAT && v->ranged && (float)v->low < (float)v->high) {
        geom->low = (float)v->low;
        geom->high = (float)v->high;
    }
}

double rn_vol_unit_mm(const char *text)
{
    static const struct {
        const char *name;
        double mm;
    } units[] = {
        {"mm", 1},           {"millimeter", 1},  {"millimetre", 1},    {"cm", 10},
        {"centimeter", 10},  {"m", 1000},        {"meter", 1000},      {"um", 1e-3},
        {"micron", 1e-3},    {"microns", 1e-3},  {"micrometer", 1e-3}, {"\xc2\xb5m", 1e-3},
        {"\xce\xbcm", 1e-3}, {"\xb5m", 1e-3},    {"\\u00B5m", 1e-3},   {"nm", 1e-6},
        {"nanometer", 1e-6}, {"inch", 25.4},     {"inches", 25.4},     {"in", 25.4},
        {"pm", 1e-9},        {"\xc3\x85", 1e-7}, {"dm", 100},          {"km", 1e6},
    };
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (!strcmp(text, units[i].name))
            return units[i].mm;
    return 0;
}

double rn_vol_unit_seconds(const char *text)
{
    static const double seconds[] = {1, 1e-3, 1e-6, 1e-9, 60, 3600, 86400};
    static const char *const names[] = {"s,sec,second,seconds",
                                        "ms,msec,millisecond,milliseconds",
                                        "us,usec,microsecond,microseconds,\xc2\xb5s,\xce\xbcs",
                                        "ns",
                                        "min",
                                        "h,hour",
                                        "d"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (av_match_name(text, names[i]))
            return seconds[i];
    return 0;
}
