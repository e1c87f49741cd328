/* SPDX-License-Identifier: MIT */
/* Convolution matrices: parses text into the taps of one or two passes. */
#pragma once

#include <stdbool.h>

#define RN_MATRIX_MAX 129 /* largest width and height */

struct rn_matrix_taps {
    int w, h;                                    /* odd, 1..RN_MATRIX_MAX */
    double value[RN_MATRIX_MAX * RN_MATRIX_MAX]; /* row by row */
    /* separable: value[i][j] = column[i] * row[j] (integers stay integers). */
    bool separable;
    double column[RN_MATRIX_MAX], row[RN_MATRIX_MAX];
    bool whole;          /* all values are integers */
    double sum, sum_abs; /* sum: 0 if it is less than 1e-9 of sum_abs */
};

/* Parses the numbers in text, which blanks separate. owner: for messages. size: "WxH", or "" for an
 * odd square. lines: text comes from a file; with size "" the matrix then has as many rows as there
 * are lines with numbers, if that divides the number of values. Returns 0, or RN_EUSAGE, logged
 * with the fault and the number of values: even sides, too many values, not a number, nan or
 * infinite, absolute value above 10^6. */
int rn_matrix_parse(struct rn_matrix_taps *m, const char *owner, const char *text, const char *size,
                    bool lines);
