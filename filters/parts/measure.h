/* The measures of one plane: filters/stats.c gives the formulas. Sums of integers are exact; those
 * of floats are taken in double, sample by sample. */
#ifndef RN_FILTERS_PARTS_MEASURE_H
#define RN_FILTERS_PARTS_MEASURE_H

#include <stdio.h>

#include "filters/base/image.h"

struct rn_frame;

/* The measurement of one plane of one frame. */
struct rn_measure {
    const struct rn_frame *frame;
    const struct rn_format *fmt;
    int plane;
    int order;        /* p of lp */
    uint64_t samples; /* of the plane, without NaN; 0: all values but entropy are NaN */
    bool whole;       /* min, max, l1, linf and dot_prev are integers */
    /* In the input's unit where it has a rescale slope, otherwise of the stored samples. Entropy is
     * that of the histogram, but of floats that of RN_FLOAT_BINS bins from the smallest to the
     * largest finite sample of this plane: the bins of the histogram are those of all frames. */
    double mean, variance, min, max, l1, l2, lp, linf, entropy;
    bool has_previous;
    double dot_prev;           /* with the same plane of the previous frame; 0 without one */
    uint64_t whole_dot;        /* the same, exact, modulo 2^64, if whole */
    double ncc_prev;           /* 0 without a previous frame */
    const uint64_t *histogram; /* number of samples in each bin: filters/parts/histogram.h */
    int bins;
    /* The middle of bin i is the value bin_first + i * bin_step, as min and max are given. */
    double bin_first, bin_step; /* bin_step < 0 where the slope is */
    const char *unit;           /* of all of these; "" = none, or the samples' own */
};

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
