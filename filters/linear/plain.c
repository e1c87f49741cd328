/* SPDX-License-Identifier: MIT */
#include "filters/linear/linear.h"

#include "filters/parts/network/layers.h"

#include <string.h>

void rn_plain_add(const float *x, const float *y, float *out, int n)
{
    for (int i = 0; i < n; i++)
        out[i] = x[i] + y[i];
}

static double power(double v, int p)
{
    double product = 1;
    for (; p; p >>= 1, v *= v)
        product *= p & 1 ? v : 1;
    return product;
}

static double norm(bool complex, const float *x, int n, int p)
{
    double sum = 0;
    if (!complex)
        for (int i = 0; i < n; i++)
            sum += power(fabs((double)x[i]), p);
    for (int i = 0; complex && i + 1 < n; i += 2) {
        double m = (double)x[i] * x[i] + (double)x[i + 1] * x[i + 1];
        sum += power(m, p / 2) * (p & 1 ? sqrt(m) : 1);
    }
    return sum;
}

static void plain_sum(bool complex, const float *x, int n, double sum[2])
{
    double even = 0, odd = 0;
    int i = 0;
    for (; i + 1 < n; i += 2) {
        even += x[i];
        odd += x[i + 1];
    }
    even += i < n ? (double)x[i] : 0;
    sum[0] = complex ? even : even + odd;
    sum[1] = complex ? odd : 0;
}

void rn_plain_sum(enum rn_linear_sum what, bool complex, const float *x, const float *y, int n,
                  int p, double result[2])
{
    result[0] = result[1] = 0;
    if (what == RN_LINEAR_SUM)
        plain_sum(complex, x, n, result);
    else if (what == RN_LINEAR_NORM)
        result[0] = norm(complex, x, n, p);
    else if (complex)
        for (int i = 0; i + 1 < n; i += 2) {
            result[0] += (double)x[i] * y[i] + (double)x[i + 1] * y[i + 1];
            result[1] += (double)x[i] * y[i + 1] - (double)x[i + 1] * y[i];
        }
    else
        for (int i = 0; i < n; i++)
            result[0] += (double)x[i] * y[i];
}

void rn_plain_rows(bool complex, const float *matrix, int rows, int cols, double *sums)
{
    for (int i = 0; i < rows; i++)
        plain_sum(complex, matrix + (size_t)i * (size_t)cols, cols, sums + 2 * i);
}

/* Where number (row, col) of a matrix lies, ld numbers a row as it is stored. */
static size_t at(int row, int col, int ld, bool transposed)
{
    return transposed ? (size_t)col * (size_t)ld + (size_t)row
                      : (size_t)row * (size_t)ld + (size_t)col;
}

static void real_row(const struct rn_linear_product *p, const float *a, const float *b, int i,
                     double *row)
{
    int ld = p->left_transposed ? p->rows : p->inner;
    for (int k = 0; k < p->inner && !p->right_transposed; k++) {
        const float *w = b + at(k, 0, p->cols, false);
        double v = a[at(i, k, ld, p->left_transposed)];
        for (int j = 0; j < p->cols; j++)
            row[j] += v * w[j];
    }
    for (int j = 0; j < p->cols && p->right_transposed; j++) {
        const float *w = b + at(0, j, p->inner, true);
        for (int k = 0; k < p->inner; k++)
            row[j] += (double)a[at(i, k, ld, p->left_transposed)] * w[k];
    }
}

static void add_product(double sum[2], const float v[2], const float w[2])
{
    sum[0] += (double)v[0] * w[0] - (double)v[1] * w[1];
    sum[1] += (double)v[0] * w[1] + (double)v[1] * w[0];
}

static void complex_row(const struct rn_linear_product *p, const float *a, const float *b, int i,
                        double *row)
{
    int ld = p->left_transposed ? p->rows : p->inner;
    for (int k = 0; k < p->inner && !p->right_transposed; k++)
        for (int j = 0; j < p->cols; j++)
            add_product(row + 2 * j, a + 2 * at(i, k, ld, p->left_transposed),
                        b + 2 * at(k, j, p->cols, false));
    for (int j = 0; j < p->cols && p->right_transposed; j++)
        for (int k = 0; k < p->inner; k++)
            add_product(row + 2 * j, a + 2 * at(i, k, ld, p->left_transposed),
                        b + 2 * at(k, j, p->inner, true));
}

void rn_plain_product_row(const struct rn_linear_product *product, const float *a, const float *b,
                          int i, double *row)
{
    memset(row, 0, sizeof *row * (size_t)product->cols * (product->complex ? 2 : 1));
    (product->complex ? complex_row : real_row)(product, a, b, i, row);
}

/* row of from x matrix, in spare, which then takes its place. */
static void times(bool complex, double *from, const float *matrix, int n, double *spare)
{
    for (int i = 0; i < n; i++) {
        double *row = from + (size_t)i * (size_t)n * (complex ? 2 : 1);
        memset(spare, 0, sizeof *spare * (size_t)n * (complex ? 2 : 1));
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++) {
                const float *w = matrix + at(k, j, n, false) * (complex ? 2 : 1);
                if (!complex) {
                    spare[j] += row[k] * *w;
                    continue;
                }
                spare[2 * j] += row[2 * k] * w[0] - row[2 * k + 1] * w[1];
                spare[2 * j + 1] += row[2 * k] * w[1] + row[2 * k + 1] * w[0];
            }
        memcpy(row, spare, sizeof *spare * (size_t)n * (complex ? 2 : 1));
    }
}

void rn_plain_power(bool complex, const float *matrix, int n, int p, double *out, double *spare)
{
    for (size_t i = 0; i < (size_t)n * (size_t)n * (complex ? 2 : 1); i++)
        out[i] = matrix[i];
    for (; p > 1; p--)
        times(complex, out, matrix, n, spare);
}

/* ---- primitives of networks */

#define RN_GLOBAL
#define rn_fma fmaf
#define int4   cl_int4
#include "kernels/primitives.cl"

/* The words of its table. */
enum { X = 1, Y = 2, Z = 4, W = 8, ALL = X | Y | Z | W, FOUR = 16, NINE = 32 };

#define PLAIN(name, of_x, of_y, of_out, of_items, body)                                            \
    RN_FUSED static void name(const float *x, const float *y, float *out, cl_int4 size, float k,   \
                              int first, int last)                                                 \
    {                                                                                              \
        for (int i = first; i < last; i++) {                                                       \
            body;                                                                                  \
        }                                                                                          \
    }
RN_PRIMITIVES(PLAIN)

#define ROW(name, of_x, of_y, of_out, of_items, body) {#name, name, of_x, of_y, of_out, of_items},
const struct rn_primitive rn_primitives[RN_PRIMITIVES_MOST] = {RN_PRIMITIVES(ROW)};

int rn_primitive_count(int what, cl_int4 size)
{
    int n = (what & FOUR ? 4 : 1) * (what & NINE ? 9 : 1);
    for (int i = 0; i < 4; i++)
        n *= what >> i & 1 ? size.s[i] : 1;
    return n;
}
