/* The table of measures, as CSV or as JSON lines whose keys are the columns; filters/stats.c says
 * what they are. Errors of writing stay with the stream. */
#ifndef RN_FILTERS_PARTS_MEASURE_TABLE_H
#define RN_FILTERS_PARTS_MEASURE_TABLE_H

#include <stdio.h>

#include "filters/parts/measure.h"

/* The same for all rows. */
struct rn_measure_columns {
    bool json;
    bool units;   /* the last columns but these are slope, intercept, unit */
    bool several; /* the last ones are channel, time_index */
};

/* The line of names; JSON has none. */
void rn_measure_print_head(FILE *f, const struct rn_measure_columns *columns);

/* One plane of one frame. rescale: of the stage's input, which a filter that is switched on may
 * have changed since the head. */
void rn_measure_print_row(FILE *f, const struct rn_measure_columns *columns,
                          const struct rn_measure *measure, const struct rn_rescale *rescale);

/* The same as two lines of text for people. */
void rn_measure_describe(const struct rn_measure *measure, char *text, size_t size);

#endif
