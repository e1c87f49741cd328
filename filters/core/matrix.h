/* Matrices of convolution: from text or file to the taps of one or two passes. */
#ifndef RN_MATRIX_H
#define RN_MATRIX_H

#include <stdbool.h>

#define RN_MATRIX_MAX 129 /* largest width and height */

struct rn_matrix_taps {
    int w, h;                                    /* odd, 1..RN_MATRIX_MAX */
    double value[RN_MATRIX_MAX * RN_MATRIX_MAX]; /* row by row */
    /* value[i][j] = column[i] * row[j] if separable (integers stay integers). */
    bool separable;
    double column[RN_MATRIX_MAX], row[RN_MATRIX_MAX];
    bool whole;          /* all values are integers */
    double sum, sum_abs; /* sum: 0 where it is less than 1e-9 of sum_abs */
};

/* Reads the numbers of text, parted by blanks; size: "WxH", or "" for an odd square.
 * owner: for messages. Returns 0 or RN_EUSAGE (logged with what is wrong and how many numbers there
 * are): even sides, too many, not a number, nan or infinite, larger than 10^6 in size. */
int rn_matrix_parse(struct rn_matrix_taps *m, const char *owner, const char *text,
                    const char *size);

/* Likewise from a file; without size each line is a row. */
int rn_matrix_read(struct rn_matrix_taps *m, const char *owner, const char *path, const char *size);

#endif
