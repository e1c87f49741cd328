/* SPDX-License-Identifier: MIT */
/* Helps the measures of measures.c: libraries, timing in turns, operands. */
#pragma once

#include "filters/bench/bench.h"

/* ---- libraries that compute the same: OpenBLAS on the CPU, CLBlast on the device, FFTW */

/* Order and transposition, in CBLAS and CLBlast. */
enum { RN_BLAS_ROWS = 101, RN_BLAS_PLAIN = 111, RN_BLAS_TRANSPOSED = 112 };

typedef float rn_openblas_sum(int n, const void *x, int dx);

struct rn_openblas {
    void (*set_threads)(int n);
    int (*get_threads)(void);
    void (*saxpy)(int n, float alpha, const float *x, int dx, float *y, int dy);
    float (*sdot)(int n, const float *x, int dx, const float *y, int dy);
    void (*cdotc)(int n, const void *x, int dx, const void *y, int dy, void *result);
    rn_openblas_sum *snrm2, *scnrm2, *sasum, *ssum;
    void (*sgemv)(int order, int turn, int m, int n, float alpha, const float *a, int lda,
                  const float *x, int dx, float beta, float *y, int dy);
    void (*cgemv)(int order, int turn, int m, int n, const void *alpha, const void *a, int lda,
                  const void *x, int dx, const void *beta, void *y, int dy);
    void (*sgemm)(int order, int turn_a, int turn_b, int m, int n, int k, float alpha,
                  const float *a, int lda, const float *b, int ldb, float beta, float *c, int ldc);
    void (*cgemm)(int order, int turn_a, int turn_b, int m, int n, int k, const void *alpha,
                  const void *a, int lda, const void *b, int ldb, const void *beta, void *c,
                  int ldc);
};

/* All return 0 on success. Lengths and strides in numbers. */
typedef int rn_clblast_sum(size_t n, cl_mem result, size_t at, cl_mem x, size_t x0, size_t dx,
                           cl_command_queue *queue, cl_event *event);
typedef int rn_clblast_dot(size_t n, cl_mem result, size_t at, cl_mem x, size_t x0, size_t dx,
                           cl_mem y, size_t y0, size_t dy, cl_command_queue *queue,
                           cl_event *event);

struct rn_clblast {
    int (*saxpy)(size_t n, float alpha, cl_mem x, size_t x0, size_t dx, cl_mem y, size_t y0,
                 size_t dy, cl_command_queue *queue, cl_event *event);
    rn_clblast_dot *sdot, *cdotc;
    rn_clblast_sum *snrm2, *scnrm2, *sasum, *ssum;
    int (*sgemv)(int order, int turn, size_t m, size_t n, float alpha, cl_mem a, size_t a0,
                 size_t lda, cl_mem x, size_t x0, size_t dx, float beta, cl_mem y, size_t y0,
                 size_t dy, cl_command_queue *queue, cl_event *event);
    int (*cgemv)(int order, int turn, size_t m, size_t n, cl_float2 alpha, cl_mem a, size_t a0,
                 size_t lda, cl_mem x, size_t x0, size_t dx, cl_float2 beta, cl_mem y, size_t y0,
                 size_t dy, cl_command_queue *queue, cl_event *event);
    int (*sgemm)(int order, int turn_a, int turn_b, size_t m, size_t n, size_t k, float alpha,
                 cl_mem a, size_t a0, size_t lda, cl_mem b, size_t b0, size_t ldb, float beta,
                 cl_mem c, size_t c0, size_t ldc, cl_command_queue *queue, cl_event *event);
    int (*cgemm)(int order, int turn_a, int turn_b, size_t m, size_t n, size_t k, cl_float2 alpha,
                 cl_mem a, size_t a0, size_t lda, cl_mem b, size_t b0, size_t ldb, cl_float2 beta,
                 cl_mem c, size_t c0, size_t ldc, cl_command_queue *queue, cl_event *event);
    int (*clear)(void);
};

/* forward: NULL unless all four were found. */
struct rn_fftw {
    void *(*forward)(int rows, int cols, float *in, void *out, unsigned flags);
    void *(*back)(int rows, int cols, void *in, float *out, unsigned flags);
    void (*execute)(void *plan);
    void (*destroy)(void *plan);
};

struct rn_peers {
    struct rn_openblas openblas;
    struct rn_clblast clblast;
    struct rn_fftw fftw;
    void *handle[3];
};

/* ---- measuring */

struct rn_gauge {
    struct rn_device *dev;
    struct rn_linear *linear;
    const struct rn_measure_opts *opts;
    struct rn_peers peers;
    rn_figure_fn *each;
    void *arg;
};

/* Runs a job once and waits for it. Returns 0 or an error (logged); RN_END: the library has no such
 * function, and is left out. */
typedef int rn_run_fn(struct rn_gauge *m, void *job);

/* The runs that take turns: ours, the peers that are not NULL, and the floor of ours, unless it is
 * NULL. */
struct rn_turns {
    rn_run_fn *ours, *peer[RN_MEASURE_PEERS], *floor;
};

/* Times all runs in turns: a first round to warm up, then opts->repeats rounds; a run over 4 s is
 * not repeated. Sets ours and peer of *result. *floor: its least seconds; floor may be NULL.
 * Returns 0 or an error (logged). */
int rn_measure_in_turns(struct rn_gauge *m, const struct rn_turns *turns, void *job,
                        struct rn_figure *result, double *floor);

/* n numbers from -0.5 to 0.5, the same for each seed. Returns NULL (logged) when out of memory. */
float *rn_measure_numbers(size_t n, uint32_t seed);

/* x, y: numbers of rn_measure_numbers, in a and b as well; z, c: results of the peers and of the
 * device. Zeroed before rn_operands_open. */
struct rn_operands {
    float *x, *y, *z;
    cl_mem a, b, c;
};

/* nx, ny, nz: floats. factor: multiplies x. Returns 0 or an error (logged); call close in any
 * case. */
int rn_operands_open(struct rn_gauge *m, struct rn_operands *operands, size_t nx, size_t ny,
                     size_t nz, float factor);
void rn_operands_close(struct rn_gauge *m, struct rn_operands *operands);

/* Records the difference of a result to that of plain C, if it is the largest. */
void rn_measure_note(struct rn_figure *figure, double value, double expected);

/* Waits for the device, and reads n floats from `first` on. */
int rn_measure_read(struct rn_gauge *m, cl_mem mem, size_t first, size_t n, float *data);

/* Measure and report. */
int rn_measure_vectors(struct rn_gauge *m);
int rn_measure_matrices(struct rn_gauge *m);
int rn_measure_pictures(struct rn_gauge *m);
int rn_measure_primitives(struct rn_gauge *m);
int rn_measure_training(struct rn_gauge *m);

/* z = x y, by OpenBLAS in memory or by CLBlast on the device, which is not waited for. Return 0;
 * RN_END: it is not installed, or cannot. */
int rn_measure_openblas(struct rn_gauge *m, const struct rn_linear_product *p, const float *x,
                        const float *y, float *z);
int rn_measure_clblast(struct rn_gauge *m, const struct rn_linear_product *p, cl_mem x, cl_mem y,
                       cl_mem z);
