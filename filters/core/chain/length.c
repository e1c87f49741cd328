/* SPDX-License-Identifier: MIT */
#include "filters/core/chain/length.h"

#include "filters/base/log.h"

/* In samples; the check refuses spacings that are not known. */
static double in_samples(const struct rn_length *length, const struct rn_geom *geom, int axis)
{
    if (length->mm == 0)
        return length->samples;
    return geom->spacing[axis] > 0 ? (double)length->mm / geom->spacing[axis] : 0;
}

int rn_length_reach(const struct rn_length *length, const struct rn_geom *geom, int axis)
{
    double n = floor(in_samples(length, geom, axis) * (1 + 1e-6));
    return n < RN_MAX_SIDE ? (int)n : RN_MAX_SIDE;
}

double rn_length_weight(const struct rn_length *length, const struct rn_geom *geom, int axis)
{
    double n = in_samples(length, geom, axis);
    return rn_length_reach(length, geom, axis) ? 1 / (n * n) : 0;
}

int rn_length_check(const struct rn_param *row, const char *owner, const void *values,
                    const struct rn_geom *geom)
{
    static const char *const axes[] = {"columns", "rows", "slices"};
    const struct rn_length *length = RN_FIELD(const struct rn_length, row, values);
    char text[64], range[64];
    if (!row->length || length->mm == 0)
        return 0;
    rn_param_format(row, values, text, sizeof text);
    rn_param_range(row, range, sizeof range);
    for (int axis = row->length == RN_ACROSS ? 2 : 0; axis <= (row->length == RN_ACROSS ? 2 : 1);
         axis++) {
        int reach = rn_length_reach(length, geom, axis);
        if (!(geom->spacing[axis] > 0))
            return rn_fail(RN_EUSAGE,
                           "%s: %s=%s: the input does not say how many mm its %s are apart; give "
                           "%s in %s, %s",
                           owner, row->name, text, axes[axis], row->name, row->unit, range);
        if (reach > (int)row->max)
            return rn_fail(RN_EUSAGE,
                           "%s: %s=%s is out of range: it reaches %d %s, %.6g mm apart, and %s is "
                           "%s %s",
                           owner, row->name, text, reach, axes[axis], geom->spacing[axis],
                           row->name, range, row->unit);
    }
    return 0;
}

void rn_length_warn(const struct rn_param *row, const char *owner, const void *values,
                    const struct rn_geom *geom)
{
    static const char *const axes[] = {"along rows", "along columns", "across slices"};
    const struct rn_length *length = RN_FIELD(const struct rn_length, row, values);
    char text[64];
    if (!row->length || length->mm == 0)
        return;
    for (int axis = row->length == RN_ACROSS ? 2 : 0; axis <= (row->length == RN_ACROSS ? 2 : 1);
         axis++)
        if (!rn_length_reach(length, geom, axis))
            rn_log(RN_LOG_WARNING, "%s: %s=%s reaches no neighbour %s, which are %.6g mm apart",
                   owner, row->name, rn_param_format(row, values, text, sizeof text), axes[axis],
                   geom->spacing[axis]);
}
