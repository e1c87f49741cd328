/* SPDX-License-Identifier: MIT */
#include "filters/core/chain/level.h"

#include <limits.h>
#include <strings.h>

#include "filters/base/arguments.h"
#include "filters/base/text/number.h"

/* Floats may lie outside their declared range; beyond this, sums of a few would overflow. */
#define FLOAT_MOST 1e30

/* RN_NEED, and a geometry that pictures can have, but for its sides: a stage is prepared for frames
 * one above another, which may be higher than a picture. */
#define NEED_GEOM(otherwise, ...)                                                                  \
    RN_NEED(otherwise, __VA_ARGS__);                                                               \
    if (rn_argument_samples(__func__, geom))                                                       \
    return otherwise

/* ---- the scales */

static enum rn_scale scale_of(const struct rn_level *level, const struct rn_geom *geom)
{
    if (level->scale != RN_SCALE_PLAIN)
        return level->scale;
    return geom->scan ? RN_SCALE_NATIVE : RN_SCALE_8BIT;
}

/* In which levels are stepped and shown: in what rn_level_check_side takes. */
static enum rn_scale usual_scale(const struct rn_geom *geom)
{
    return !geom->scan ? RN_SCALE_8BIT : geom->rescale.slope <= 0 ? RN_SCALE_NATIVE : RN_SCALE_UNIT;
}

static double from_8bit(double v, const struct rn_geom *geom, bool distance)
{
    double black = (double)rn_geom_black(geom), range = (double)rn_geom_white(geom) - black;
    if (geom->fmt.number == RN_NUMBER_FLOAT)
        return v / 255 * range + (distance ? 0 : black);
    return distance ? v * (1 << (geom->fmt.depth - 8)) : rn_format_from_8bit(&geom->fmt, v) + black;
}

static double to_8bit(double v, const struct rn_geom *geom, bool distance)
{
    double black = (double)rn_geom_black(geom), range = (double)rn_geom_white(geom) - black;
    if (geom->fmt.number == RN_NUMBER_FLOAT)
        return (v - (distance ? 0 : black)) / range * 255;
    double unit = 1 << (geom->fmt.depth - 8);
    if (distance)
        return v / unit;
    v -= black;
    return v <= 254 * unit ? v / unit : 254 + (v - 254 * unit) / (2 * unit - 1);
}

static double stored(double v, enum rn_scale scale, const struct rn_geom *geom, bool distance)
{
    const struct rn_rescale *r = &geom->rescale;
    if (scale == RN_SCALE_8BIT)
        return from_8bit(v, geom, distance);
    return scale == RN_SCALE_UNIT && r->slope != 0 ? (v - (distance ? 0 : r->intercept)) / r->slope
                                                   : v;
}

static double shown(double v, enum rn_scale scale, const struct rn_geom *geom, bool distance)
{
    const struct rn_rescale *r = &geom->rescale;
    if (scale == RN_SCALE_8BIT)
        return to_8bit(v, geom, distance);
    return scale == RN_SCALE_UNIT ? v * r->slope + (distance ? 0 : r->intercept) : v;
}

static double value_of(const struct rn_level *level, const struct rn_geom *geom, bool distance)
{
    return stored((double)level->value, scale_of(level, geom), geom, distance);
}

double rn_level_position(const struct rn_level *level, const struct rn_geom *geom)
{
    NEED_GEOM(NAN, "level geom", level, geom);
    return value_of(level, geom, false);
}

double rn_level_distance(const struct rn_level *level, const struct rn_geom *geom)
{
    NEED_GEOM(NAN, "level geom", level, geom);
    return value_of(level, geom, true);
}

bool rn_level_8bit(const struct rn_level *level, const struct rn_geom *geom, double *value)
{
    NEED_GEOM(false, "level geom value", level, geom, value);
    *value = (double)level->value;
    return geom->fmt.number == RN_NUMBER_UNSIGNED && scale_of(level, geom) == RN_SCALE_8BIT;
}

/* ---- ranges */

struct range {
    double min, max, step;
};

static struct range stored_range(const struct rn_param *row, const struct rn_geom *geom)
{
    bool distance = row->level == RN_DISTANCE;
    if (geom->fmt.number == RN_NUMBER_FLOAT)
        return (struct range){distance && row->min >= 0 ? 0 : -FLOAT_MOST, FLOAT_MOST, 0};
    return (struct range){from_8bit(row->min, geom, distance), from_8bit(row->max, geom, distance),
                          0};
}

/* The same in the scale in which levels are shown, with the step. */
static struct range shown_range(const struct rn_param *row, const struct rn_geom *geom)
{
    enum rn_scale scale = usual_scale(geom);
    bool distance = row->level == RN_DISTANCE;
    struct range from = stored_range(row, geom), r;
    if (scale == RN_SCALE_8BIT && geom->fmt.number == RN_NUMBER_UNSIGNED)
        return (struct range){row->min, row->max, row->step};
    double a = shown(from.min, scale, geom, distance), b = shown(from.max, scale, geom, distance);
    double black = (double)rn_geom_black(geom), white = (double)rn_geom_white(geom);
    double span = fabs(shown(white, scale, geom, true) - shown(black, scale, geom, true));
    r = (struct range){fmin(a, b), fmax(a, b), span / 256};
    if (distance && row->min >= 0)
        r = (struct range){0, fmax(fabs(a), fabs(b)), span / 256};
    if (scale == RN_SCALE_UNIT)
        r.step = span < 100 ? span / 256 : 10;
    else if (scale == RN_SCALE_NATIVE && geom->fmt.number != RN_NUMBER_FLOAT)
        r.step = rint(r.step) > 1 ? rint(r.step) : 1;
    return r;
}

static const char *unit_of(enum rn_scale scale, const struct rn_geom *geom)
{
    return scale == RN_SCALE_8BIT   ? "8-bit units"
           : scale == RN_SCALE_UNIT ? (*geom->rescale.unit ? geom->rescale.unit : "rescaled values")
                                    : "stored values";
}

int rn_level_check(const struct rn_param *row, const char *owner, const void *values,
                   const struct rn_geom *geom)
{
    NEED_GEOM(RN_EUSAGE, "row owner values geom", row, owner, values, geom);
    if (!row->level)
        return 0;
    const struct rn_level *level = RN_FIELD(const struct rn_level, row, values);
    struct range all = stored_range(row, geom);
    char text[64], range[96];
    rn_param_format(row, values, text, sizeof text);
    rn_level_range(row, geom, range, sizeof range);
    if (level->scale == RN_SCALE_UNIT &&
        (geom->rescale.slope == 0 || strcasecmp(level->unit, geom->rescale.unit) != 0))
        return rn_fail(RN_EUSAGE, "%s: %s=%s: the input has no unit '%s'; it takes %s in %s", owner,
                       row->name, text, level->unit, range, unit_of(usual_scale(geom), geom));
    bool distance = row->level == RN_DISTANCE;
    double v = value_of(level, geom, distance);
    double slack = scale_of(level, geom) == RN_SCALE_UNIT ? (all.max - all.min) * 1e-7 : 0;
    if (distance && row->min >= 0) /* a negative slope turns no width round */
        v = level->value < 0 ? -fabs(v) : fabs(v);
    if (v >= all.min - slack && v <= all.max + slack)
        return 0;
    return rn_fail(RN_EUSAGE, "%s: %s=%s is out of range %s%s%s", owner, row->name, text, range,
                   geom->scan ? " in " : "", geom->scan ? unit_of(usual_scale(geom), geom) : "");
}

int rn_level_check_side(const struct rn_level *level, const char *owner, const struct rn_geom *geom)
{
    NEED_GEOM(RN_EUSAGE, "level owner geom", level, owner, geom);
    if (level->scale != RN_SCALE_UNIT || geom->rescale.slope >= 0)
        return 0;
    return rn_fail(RN_EUSAGE,
                   "%s: the input's slope is negative (%g): what is above %g%s is below that as it "
                   "is stored; give the stored value, and then invert",
                   owner, geom->rescale.slope, (double)level->value, level->unit);
}

/* ---- steps and texts */

static double in_usual_scale(const struct rn_param *row, const void *values,
                             const struct rn_geom *geom)
{
    const struct rn_level *level = RN_FIELD(const struct rn_level, row, values);
    bool distance = row->level == RN_DISTANCE;
    if (scale_of(level, geom) == usual_scale(geom))
        return (double)level->value;
    return shown(value_of(level, geom, distance), usual_scale(geom), geom, distance);
}

void rn_level_step(const struct rn_param *row, void *values, const struct rn_geom *geom, int n)
{
    NEED_GEOM(, "row values geom", row, values, geom);
    if (!row->level) {
        rn_param_step(row, values, n);
        return;
    }
    struct rn_level *level = RN_FIELD(struct rn_level, row, values);
    struct range r = shown_range(row, geom);
    struct rn_param plain = {.type = RN_FLOAT, .min = r.min, .max = r.max, .step = r.step};
    float v = (float)in_usual_scale(row, values, geom), was = v;
    if (geom->scan) { /* the grid contains 0, and so the tens of a unit */
        double k = (double)v / r.step, near = rint(k);
        k = fabs(k - near) < 1e-4 ? near : n > 0 ? floor(k) : ceil(k);
        double to = (k + n) * r.step;
        v = (float)(to < r.min ? r.min : to > r.max ? r.max : to);
    } else {
        rn_param_step(&plain, &v, n);
    }
    if (v == was) /* at its limit: the text that it was given as stays, too */
        return;
    level->value = v;
    level->scale =
        usual_scale(geom) == RN_SCALE_UNIT && *geom->rescale.unit ? RN_SCALE_UNIT : RN_SCALE_PLAIN;
    if (level->scale == RN_SCALE_UNIT)
        level->unit = rn_intern(geom->rescale.unit);
    else if (usual_scale(geom) == RN_SCALE_UNIT) /* no suffix names what has no name */
        level->value = (float)stored((double)v, RN_SCALE_UNIT, geom, row->level == RN_DISTANCE);
    if (!level->unit)
        level->unit = "";
}

/* As it is shown and stepped. Returns false if there is none. */
static bool bounds(const struct rn_param *row, const void *values, const struct rn_geom *geom,
                   struct range *r)
{
    if (row->type == RN_TEXT || rn_param_in_mm(row, values))
        return false;
    *r = row->level ? shown_range(row, geom) : (struct range){row->min, row->max, row->step};
    return isfinite(r->min) && isfinite(r->max) && r->max > r->min && r->step > 0;
}

static double number(const struct rn_param *row, const void *values, const struct rn_geom *geom)
{
    return row->level ? in_usual_scale(row, values, geom) : rn_param_number(row, values);
}

static bool is_wide(const struct rn_param *row, const struct range *r)
{
    return !row->level && r->min > 0 && r->max / r->min > RN_WIDE_RANGE;
}

double rn_level_place(const struct rn_param *row, const void *values, const struct rn_geom *geom)
{
    NEED_GEOM(NAN, "row values geom", row, values, geom);
    struct range r;
    if (!bounds(row, values, geom, &r))
        return NAN;
    double v = number(row, values, geom);
    double place =
        is_wide(row, &r) ? log(v / r.min) / log(r.max / r.min) : (v - r.min) / (r.max - r.min);
    return place < 0 ? 0 : place > 1 ? 1 : place;
}

void rn_level_slide(const struct rn_param *row, void *values, const struct rn_geom *geom,
                    double place)
{
    NEED_GEOM(, "row values geom", row, values, geom);
    struct range r;
    if (!bounds(row, values, geom, &r))
        return;
    double v =
        is_wide(row, &r) ? r.min * pow(r.max / r.min, place) : r.min + place * (r.max - r.min);
    double steps = rint((v - number(row, values, geom)) / r.step);
    if (steps != 0 && fabs(steps) < INT_MAX)
        rn_level_step(row, values, geom, (int)steps);
}

char *rn_level_value(const struct rn_param *row, const void *values, const struct rn_geom *geom,
                     char *buf, size_t size)
{
    NEED_GEOM(buf, "row values geom buf", row, values, geom, buf);
    char number[48];
    if (!row->level)
        return rn_param_format(row, values, buf, size);
    float v = (float)in_usual_scale(row, values, geom);
    rn_param_format(&(struct rn_param){.type = RN_FLOAT}, &v, number, sizeof number);
    bool eight = usual_scale(geom) == RN_SCALE_8BIT;
    snprintf(buf, size, "%s %s", number, eight ? "of 255" : unit_of(usual_scale(geom), geom));
    return buf;
}

char *rn_level_range(const struct rn_param *row, const struct rn_geom *geom, char *buf, size_t size)
{
    NEED_GEOM(buf, "row geom buf", row, geom, buf);
    if (!row->level)
        return rn_param_range(row, buf, size);
    struct range r = shown_range(row, geom);
    if (geom->fmt.number == RN_NUMBER_FLOAT && usual_scale(geom) != RN_SCALE_8BIT)
        snprintf(buf, size, "%s", row->level == RN_DISTANCE && row->min >= 0 ? "0 or more" : "any");
    else
        rn_number_print(buf, size, "%.10g..%.10g", r.min, r.max);
    return buf;
}
