/* SPDX-License-Identifier: MIT */
/* Computes the same as filters/linear/linear.h in plain C on one thread, with sums in double: the
 * reference of tests and measurements. */
#pragma once

#include "filters/linear/linear.h"

void rn_plain_add(const float *x, const float *y, float *out, int n);

/* As rn_linear_sum. */
void rn_plain_sum(enum rn_linear_sum what, bool complex, const float *x, const float *y, int n,
                  int p, double result[2]);

/* As rn_linear_rows: two numbers for each row. */
void rn_plain_rows(bool complex, const float *matrix, int rows, int cols, double *sums);

/* Row i of the product: cols numbers. */
void rn_plain_product_row(const struct rn_linear_product *product, const float *a, const float *b,
                          int i, double *row);

/* As rn_linear_power, by p - 1 products. out: n x n numbers; spare: n. */
void rn_plain_power(bool complex, const float *matrix, int n, int p, double *out, double *spare);
