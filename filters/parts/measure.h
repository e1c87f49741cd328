/* SPDX-License-Identifier: MIT */
/* The measures of one plane: filters/stats.c gives the formulas. Sums of integers are exact; those
 * of floats are taken in double, sample by sample. */
#pragma once

#include <stdio.h>

#include "filters/core/chain/measurement.h"

/* What one frame leaves to the next, of one plane. */
struct rn_measured {
    double l2, sum; /* sum: of the stored samples, if they are integers */
    float *samples; /* if they are floats; owned: the caller frees it */
};

/* Sets where the bins are, and the unit. */
void rn_measure_bins(struct rn_measure *m, const struct rn_geom *geom);

/* Sets what follows from the histogram and, if has_previous, whole_dot: the dot product of the
 * stored samples, modulo 2^64. m: the other fields are set, and all from samples on are 0.
 * previous: of the same plane, zeroed before the first frame; updated. */
void rn_measure_integers(struct rn_measure *m, struct rn_measured *previous,
                         const struct rn_geom *geom);

/* Likewise for n float samples v, row by row; h: the histogram of m, all zeros, counted here.
 * Returns 0 or RN_EINTERNAL (logged). */
int rn_measure_floats(struct rn_measure *m, struct rn_measured *previous,
                      const struct rn_geom *geom, const float *v, size_t n, uint64_t *h);

/* ---- the table of measures (measure_table.c), as CSV or as JSON lines whose keys are the columns;
 * filters/stats.c says what they are. Errors of writing stay with the stream. */

/* The same for all rows. */
struct rn_measure_columns {
    bool json;
    /* Which columns follow those that all tables have, in this order. */
    bool units;   /* slope, intercept, unit */
    bool floats;  /* nan */
    bool sized;   /* z_mm, area_mm2, volume_mm3, nonzero, time_s */
    bool several; /* channel, time_index */
};

/* The line of names; JSON has none. */
void rn_measure_print_head(FILE *f, const struct rn_measure_columns *columns);

/* One plane of one frame. rescale: of the stage's input, which a filter that is switched on may
 * have changed since the head. */
void rn_measure_print_row(FILE *f, const struct rn_measure_columns *columns,
                          const struct rn_measure *measure, const struct rn_rescale *rescale);

/* The same as two lines of text for people. */
void rn_measure_describe(const struct rn_measure *measure, char *text, size_t size);
