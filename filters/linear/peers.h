/* Libraries that compute the same, where they are installed: OpenBLAS on the CPU, CLBlast on the
 * device, FFTW. They are loaded when they are asked for and not needed to build; a function that
 * is not there is NULL. */
#ifndef RN_FILTERS_LINEAR_PEERS_H
#define RN_FILTERS_LINEAR_PEERS_H

#include "filters/core/device/opencl.h"

/* Row by row, and what is transposed: of CBLAS and of CLBlast. */
enum { RN_BLAS_ROWS = 101, RN_BLAS_PLAIN = 111, RN_BLAS_TRANSPOSED = 112 };

struct rn_openblas {
    int threads;
    void (*saxpy)(int n, float alpha, const float *x, int dx, float *y, int dy);
    float (*sdot)(int n, const float *x, int dx, const float *y, int dy);
    void (*cdotc)(int n, const void *x, int dx, const void *y, int dy, void *result);
    float (*snrm2)(int n, const float *x, int dx);
    float (*scnrm2)(int n, const void *x, int dx);
    float (*sasum)(int n, const float *x, int dx);
    float (*ssum)(int n, const float *x, int dx);
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
struct rn_clblast {
    int (*saxpy)(size_t n, float alpha, cl_mem x, size_t x0, size_t dx, cl_mem y, size_t y0,
                 size_t dy, cl_command_queue *queue, cl_event *event);
    int (*dot)(size_t n, cl_mem result, size_t at, cl_mem x, size_t x0, size_t dx, cl_mem y,
               size_t y0, size_t dy, cl_command_queue *queue, cl_event *event);
    int (*cdotc)(size_t n, cl_mem result, size_t at, cl_mem x, size_t x0, size_t dx, cl_mem y,
                 size_t y0, size_t dy, cl_command_queue *queue, cl_event *event);
    int (*snrm2)(size_t n, cl_mem result, size_t at, cl_mem x, size_t x0, size_t dx,
                 cl_command_queue *queue, cl_event *event);
    int (*scnrm2)(size_t n, cl_mem result, size_t at, cl_mem x, size_t x0, size_t dx,
                  cl_command_queue *queue, cl_event *event);
    int (*sasum)(size_t n, cl_mem result, size_t at, cl_mem x, size_t x0, size_t dx,
                 cl_command_queue *queue, cl_event *event);
    int (*ssum)(size_t n, cl_mem result, size_t at, cl_mem x, size_t x0, size_t dx,
                cl_command_queue *queue, cl_event *event);
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

/* threads: for OpenBLAS; 0 = as many as it takes. */
void rn_peers_open(struct rn_peers *peers, int threads);
void rn_peers_close(struct rn_peers *peers);

#endif
