/* SPDX-License-Identifier: MIT */
/* Levels: parameters that are values of samples (a threshold), or differences of them (a bias).
 *
 * A user gives a level in one of four scales, which the suffix of the number names:
 *   128 8bit     8-bit units: 0 is black and 255 white at every depth, 128 is mid-scale
 *   600native    the samples' own values, as they are stored
 *   40hu         the unit of a scan, in either case: value = slope * stored + intercept
 *   128          without one, for video: 8-bit units; for scans (rn_geom.scan): stored values
 * What the number means is known when the input is: rn_stage_check() refuses levels that are out of
 * range for the input, and units that it does not have.
 *
 * geom: one that rn_geom_check accepts, or would with other sides; others are refused (logged), and
 * what is returned then is NAN, false, RN_EUSAGE or the buffer as it was. */
#pragma once

#include "filters/base/image.h"
#include "filters/core/chain/param.h"

RN_API_BEGIN

/* Converts to stored samples of geom. A unit that geom lacks: unspecified (a check refuses it). */
double rn_level_position(const struct rn_level *level, const struct rn_geom *geom);
double rn_level_distance(const struct rn_level *level, const struct rn_geom *geom);

/* For video: true, and *value in 8-bit units. false: the level is in other units, or the input is
 * none of unsigned integers. */
bool rn_level_8bit(const struct rn_level *level, const struct rn_geom *geom, double *value);

/* Checks a row of the kind RN_POSITION or RN_DISTANCE for an input. Any other row is right. Returns
 * 0 or RN_EUSAGE (logged, with the range). */
int rn_level_check(const struct rn_param *row, const char *owner, const void *values,
                   const struct rn_geom *geom);

/* For a level that tells what lies above it from what lies below, in the input of a filter. Returns
 * 0, or RN_EUSAGE (logged) if it is in a unit whose slope is negative: of the stored values, which
 * are compared, it is the other way round. */
int rn_level_check_side(const struct rn_level *level, const char *owner,
                        const struct rn_geom *geom);

/* As rn_param_step, but in the steps that fit the input: 10 of its unit (1 for a range of less than
 * 100), or 1/256 of its range; the level is then in that unit, or in stored values. */
void rn_level_step(const struct rn_param *row, void *values, const struct rn_geom *geom, int n);

/* Where the value of any row lies in its range, 0..1, as a slider shows it: in equal ratios where
 * it spans more than a factor of RN_WIDE_RANGE (no levels do). NAN: it is no number of a bounded
 * range. Slide: the value of the row's grid nearest to a place, 0..1; a row without one stays. */
#define RN_WIDE_RANGE 50
double rn_level_place(const struct rn_param *row, const void *values, const struct rn_geom *geom);
void rn_level_slide(const struct rn_param *row, void *values, const struct rn_geom *geom,
                    double place);

/* For people: the value with its unit as in `level 40hu`, 8-bit units as `128 of 255`, and the
 * range in the same scale, for any row. Return buf. */
char *rn_level_value(const struct rn_param *row, const void *values, const struct rn_geom *geom,
                     char *buf, size_t size);
char *rn_level_range(const struct rn_param *row, const struct rn_geom *geom, char *buf,
                     size_t size);

RN_API_END
