/* SPDX-License-Identifier: MIT */
/* Lengths: parameters that count pixels (a radius) or slices.
 *
 * A user gives a length as a whole number of samples, or in millimetres, `1.5mm`; for scans whose
 * spacing is known (rn_geom.spacing). In millimetres it reaches all samples whose centres are no
 * farther away (a millionth of it more counts as no farther, since spacings are decimal fractions):
 * another number of them along rows than along columns, if the spacing differs. The reach follows
 * from the input: rn_stage_check() refuses lengths in mm without a spacing, and lengths that reach
 * beyond the row's range. */
#pragma once

#include "filters/base/image.h"
#include "filters/core/chain/param.h"

/* Returns how many samples a length reaches along an axis of geom: 0 rows, 1 columns, 2 slices. 0
 * if it is less than the spacing. */
int rn_length_reach(const struct rn_length *length, const struct rn_geom *geom, int axis);

/* 1 / a^2, a being the length in samples; 0 if it reaches none. */
double rn_length_weight(const struct rn_length *length, const struct rn_geom *geom, int axis);

/* Checks a row that is a length for an input; others are right. Returns 0 or RN_EUSAGE (logged). */
int rn_length_check(const struct rn_param *row, const char *owner, const void *values,
                    const struct rn_geom *geom);

/* Warns of a length in mm that is less than the spacing along an axis. */
void rn_length_warn(const struct rn_param *row, const char *owner, const void *values,
                    const struct rn_geom *geom);
