/* SPDX-License-Identifier: MIT */
/* Vectors and matrices on a device: 32-bit floats in buffers, complex numbers as pairs of them
 * (real, imaginary), matrices row by row without gaps. No pictures, no chain: what `bench
 * --suite linear` and `--suite network` measure.
 *
 * Calls enqueue on the run queue and return; rn_linear_finish waits. One thread. All return 0,
 * or RN_EDEVICE or RN_EINTERNAL (logged). */
#pragma once

#include "filters/core/device/opencl.h"

extern const struct rn_source_text rn_bench_sources[]; /* bench.cl, linear.cl, primitives.cl... */

/* Gets a kernel of one of them, with a text before it, for rn_kernel_release. */
int rn_linear_build(struct rn_device *dev, const char *before, const char *file, const char *name,
                    struct rn_kernel *kernel);

struct rn_linear;

/* dev: borrowed, outlives it. *linear: for rn_linear_close, which sets it to NULL; NULL is
 * legal. */
int rn_linear_open(struct rn_linear **linear, struct rn_device *dev);
void rn_linear_close(struct rn_linear **linear);

/* Waits for all that was enqueued. */
int rn_linear_finish(struct rn_linear *linear);

/* n floats: out = x, and out = x + y. */
int rn_linear_copy(struct rn_linear *linear, cl_mem x, cl_mem out, int n);
int rn_linear_add(struct rn_linear *linear, cl_mem x, cl_mem y, cl_mem out, int n);

/* What is summed over a vector. The dot product of complex ones conjugates x. */
enum rn_linear_sum { RN_LINEAR_SUM, RN_LINEAR_DOT, RN_LINEAR_NORM };

/* *result: the sum of x, the dot product of x and y, or the sum of the moduli of x to the power p
 * (1..64), which is the p-norm to that power; [1] is the imaginary part. n: floats, two for each
 * complex number. y: only for dot products. Waits for the result. */
int rn_linear_sum(struct rn_linear *linear, enum rn_linear_sum what, bool complex, cl_mem x,
                  cl_mem y, int n, int p, double result[2]);

/* sums: of each row, two floats (the second is 0, or the imaginary part). cols: floats of a row. */
int rn_linear_rows(struct rn_linear *linear, bool complex, cl_mem matrix, int rows, int cols,
                   cl_mem sums);

/* c = op(a) op(b): rows x inner times inner x cols, in numbers. A factor that is transposed lies as
 * inner x rows, or cols x inner. */
struct rn_linear_product {
    int rows, cols, inner;
    bool complex, left_transposed, right_transposed;
};
int rn_linear_product(struct rn_linear *linear, const struct rn_linear_product *product, cl_mem a,
                      cl_mem b, cl_mem c);

/* out = matrix to the power p >= 1, n x n numbers, by squaring. */
int rn_linear_power(struct rn_linear *linear, bool complex, cl_mem matrix, int n, int p,
                    cl_mem out);

/* ---- primitives of networks: kernels/primitives.cl. The same floats everywhere. */

struct rn_primitive {
    const char *name;
    /* Computes the items from first to before last: the reference. */
    void (*plain)(const float *x, const float *y, float *out, cl_int4 size, float k, int first,
                  int last);
    int x, y, out, items; /* how many there are: for rn_primitive_count */
};

#define RN_PRIMITIVES_MOST 20 /* the first three are products of matrices, the last has no name */
extern const struct rn_primitive rn_primitives[RN_PRIMITIVES_MOST];

int rn_primitive_count(int what, cl_int4 size);

/* Of one of the first three. */
struct rn_linear_product rn_primitive_product(const struct rn_primitive *primitive, cl_int4 size);

/* y: x where there is none. naive: products of matrices, too. */
int rn_linear_primitive(struct rn_linear *linear, const struct rn_primitive *primitive,
                        cl_int4 size, float k, cl_mem x, cl_mem y, cl_mem out, bool naive);

/* ---- plain.c: computes the same in plain C on one thread, with sums in double: the reference of
 * tests and measurements */

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
