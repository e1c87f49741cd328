/* Products and powers of matrices. */
#include "filters/linear/measuring.h"
#include "filters/base/clock.h"
#include "filters/linear/plain.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define EPSILON    1e-6 /* of the number of terms times the largest one */
#define PLAIN_WORK 4e8  /* multiplications that plain C does: a second or less */
#define POWER      10

static const struct rn_linear_product products[] = {
    {512, 512, 512, false, false, false},    {1024, 1024, 1024, false, false, false},
    {2048, 2048, 2048, false, false, false}, {2048, 2048, 2048, false, false, true},
    {2048, 2048, 2048, false, true, false},  {2048, 2048, 2048, false, true, true},
    {4096, 4096, 4096, false, false, false}, {1999, 1777, 2111, false, false, false},
    {1024, 1024, 1024, true, false, false},  {2048, 2048, 2048, true, false, false},
    {2048, 2048, 2048, true, true, true},    {1001, 777, 1313, true, false, false},
};

static const struct rn_linear_product quick_products[] = {
    {64, 64, 64, false, false, false}, {129, 65, 33, false, false, true},
    {129, 65, 33, false, true, false}, {65, 130, 77, false, true, true},
    {64, 64, 64, true, false, false},  {65, 33, 70, true, true, true},
};

static const struct {
    int n;
    bool complex;
} powers[] = {{1024, false}, {512, true}}, quick_powers[] = {{33, false}, {34, true}};

struct job {
    struct rn_linear_product p;
    int power;    /* 0: a product */
    int products; /* of a power, by squaring; else 1 */
    float *x, *y, *z;
    cl_mem a, b, c;
};

/* ---- ours and theirs */

static int run_ours(struct rn_gauge *m, void *arg)
{
    struct job *j = arg;
    int err = j->power ? rn_linear_power(m->linear, j->p.complex, j->a, j->p.rows, j->power, j->c)
                       : rn_linear_product(m->linear, &j->p, j->a, j->b, j->c);
    return err ? err : rn_linear_finish(m->linear);
}

static int turn(bool transposed)
{
    return transposed ? RN_BLAS_TRANSPOSED : RN_BLAS_PLAIN;
}

/* A BLAS has no powers: it does as many products as squaring takes. These multiply by the matrix
 * again and again, which takes as long. */
static bool is_odd(int k)
{
    return k & 1;
}

static int openblas_product(const struct rn_openblas *b, const struct rn_linear_product *p,
                            const float *x, const float *y, float *z)
{
    static const float one[2] = {1, 0}, zero[2] = {0, 0};
    int lda = p->left_transposed ? p->rows : p->inner,
        ldb = p->right_transposed ? p->inner : p->cols;
    if (p->complex && b->cgemm)
        b->cgemm(RN_BLAS_ROWS, turn(p->left_transposed), turn(p->right_transposed), p->rows,
                 p->cols, p->inner, one, x, lda, y, ldb, zero, z, p->cols);
    else if (!p->complex && b->sgemm)
        b->sgemm(RN_BLAS_ROWS, turn(p->left_transposed), turn(p->right_transposed), p->rows,
                 p->cols, p->inner, 1, x, lda, y, ldb, 0, z, p->cols);
    else
        return RN_END;
    return 0;
}

static int run_openblas(struct rn_gauge *m, void *arg)
{
    struct job *j = arg;
    int err = 0;
    for (int k = 0; k < j->products && !err; k++)
        err = openblas_product(&m->peers.openblas, &j->p, j->x, is_odd(k) ? j->z : j->y,
                               is_odd(k) ? j->y : j->z);
    return err;
}

static int clblast_product(const struct rn_clblast *b, const struct rn_linear_product *p,
                           cl_command_queue *queue, cl_mem x, cl_mem y, cl_mem z)
{
    size_t rows = (size_t)p->rows, cols = (size_t)p->cols, inner = (size_t)p->inner;
    size_t lda = p->left_transposed ? rows : inner, ldb = p->right_transposed ? inner : cols;
    const cl_float2 one = {.s = {1, 0}}, zero = {.s = {0, 0}};
    if (p->complex && b->cgemm)
        return b->cgemm(RN_BLAS_ROWS, turn(p->left_transposed), turn(p->right_transposed), rows,
                        cols, inner, one, x, 0, lda, y, 0, ldb, zero, z, 0, cols, queue, NULL);
    if (!p->complex && b->sgemm)
        return b->sgemm(RN_BLAS_ROWS, turn(p->left_transposed), turn(p->right_transposed), rows,
                        cols, inner, 1, x, 0, lda, y, 0, ldb, 0, z, 0, cols, queue, NULL);
    return -1;
}

static int run_clblast(struct rn_gauge *m, void *arg)
{
    struct job *j = arg;
    int code = 0;
    for (int k = 0; k < j->products && !code; k++)
        code = clblast_product(&m->peers.clblast, &j->p, &m->dev->run, j->a,
                               is_odd(k) ? j->c : j->b, is_odd(k) ? j->b : j->c);
    return code ? RN_END : rn_linear_finish(m->linear);
}

/* ---- plain C, and whether ours is right */

static void note(struct rn_figure *r, float is, double should)
{
    double error = fabs((double)is - should);
    r->error = error > r->error || isnan(error) ? error : r->error;
}

/* Some rows, the first and the last among them. */
static int compare_rows(struct rn_gauge *m, struct job *j, struct rn_figure *r)
{
    const struct rn_linear_product *p = &j->p;
    size_t cols = (size_t)p->cols * (p->complex ? 2 : 1);
    double each = (double)p->cols * p->inner * (p->complex ? 4 : 1);
    int n = PLAIN_WORK / each < p->rows ? (int)(PLAIN_WORK / each) + 2 : p->rows;
    float *is = malloc(cols * sizeof *is);
    double *should = malloc(cols * sizeof *should);
    int err = is && should ? run_ours(m, j) : rn_fail_memory(); /* theirs is in c as well */
    n = n < p->rows ? n : p->rows;
    for (int k = 0; k < n && !err; k++) {
        int i = n > 1 ? (int)((int64_t)k * (p->rows - 1) / (n - 1)) : 0;
        double t = rn_clock();
        rn_plain_product_row(p, j->x, j->y, i, should);
        r->plain += rn_clock() - t;
        err = rn_measure_read(m, j->c, (size_t)i * cols, cols, is);
        for (size_t c = 0; c < cols && !err; c++)
            note(r, is[c], should[c]);
    }
    r->part = (double)n / p->rows;
    r->plain /= r->part;
    r->tolerance = EPSILON * p->inner * (p->complex ? 0.5 : 0.25);
    free(is);
    free(should);
    return err;
}

/* One thread of plain C makes the p - 1 products; of large matrices for the rows of one block. */
static int compare_power(struct rn_gauge *m, struct job *j, struct rn_figure *r)
{
    size_t n = (size_t)j->p.rows, all = n * n * (j->p.complex ? 2 : 1);
    float *is = malloc(all * sizeof *is);
    double *should = malloc(all * sizeof *should), *spare = malloc(all * sizeof *spare), most = 0;
    int err = is && should && spare ? run_ours(m, j) : rn_fail_memory();
    double t = rn_clock();
    if (!err)
        rn_plain_power(j->p.complex, j->x, j->p.rows, j->power, should, spare);
    r->plain = rn_clock() - t;
    err = err ? err : rn_measure_read(m, j->c, 0, all, is);
    for (size_t i = 0; i < all && !err; i++) {
        note(r, is[i], should[i]);
        most = fabs(should[i]) > most ? fabs(should[i]) : most;
    }
    r->part = 1;
    r->tolerance = 10 * EPSILON * j->power * most;
    free(is);
    free(should);
    free(spare);
    return err;
}

/* ---- all of them */

static int open_job(struct rn_gauge *m, struct job *j)
{
    size_t parts = j->p.complex ? 2 : 1, rows = (size_t)j->p.rows * parts, cols = (size_t)j->p.cols,
           inner = (size_t)j->p.inner;
    j->x = rn_measure_numbers(rows * inner, 4);
    j->y = rn_measure_numbers(parts * inner * cols, 5);
    j->z = rn_measure_numbers(rows * cols, 6);
    int err = j->x && j->y && j->z ? 0 : RN_EINTERNAL;
    for (size_t i = 0; i < rows * inner && !err && j->power; i++)
        j->x[i] *= sqrtf((j->p.complex ? 6 : 12) / (float)inner); /* neither vanishes nor grows */
    err = err ? err : rn_measure_buffer(m, j->x, rows * inner, &j->a);
    err = err ? err : rn_measure_buffer(m, j->y, parts * inner * cols, &j->b);
    return err ? err : rn_measure_buffer(m, NULL, rows * cols, &j->c);
}

/* What squaring takes; power 0: one product. */
static int products_of(int power)
{
    int times = power ? -2 : 1;
    for (int k = power; k; k >>= 1)
        times += 1 + (k & 1);
    return times;
}

static int measure(struct rn_gauge *m, struct job *j)
{
    const struct rn_linear_product *p = &j->p;
    struct rn_figure r = {.unit = "GFLOP/s"};
    const struct rn_turns turns = {
        .ours = run_ours, .peer = {[RN_OPENBLAS] = run_openblas, [RN_CLBLAST] = run_clblast}};
    j->products = products_of(j->power);
    r.work = 2.0 * p->rows * p->cols * p->inner * (p->complex ? 4 : 1);
    if (j->power) {
        snprintf(r.name, sizeof r.name, "matrix power %d%s", j->power,
                 p->complex ? ", complex" : "");
        snprintf(r.size, sizeof r.size, "%d x %d", p->rows, p->cols);
        r.work *= j->products;
    } else {
        snprintf(r.name, sizeof r.name, "matrix product%s%s%s%s", p->complex ? ", complex" : "",
                 p->left_transposed || p->right_transposed ? ", transposed" : "",
                 p->left_transposed ? " left" : "", p->right_transposed ? " right" : "");
        snprintf(r.size, sizeof r.size, "%d x %d x %d", p->rows, p->inner, p->cols);
    }
    int err = open_job(m, j);
    err = err ? err : rn_measure_in_turns(m, &turns, j, &r, NULL);
    err = err ? err : j->power ? compare_power(m, j, &r) : compare_rows(m, j, &r);
    rn_buffer_release(m->dev, &j->a);
    rn_buffer_release(m->dev, &j->b);
    rn_buffer_release(m->dev, &j->c);
    free(j->x);
    free(j->y);
    free(j->z);
    return err ? err : m->each(m->arg, &r);
}

int rn_measure_matrices(struct rn_gauge *m)
{
    bool quick = m->opts->quick;
    size_t n =
        quick ? sizeof quick_products / sizeof *quick_products : sizeof products / sizeof *products;
    int err = 0;
    for (size_t i = 0; i < n && !err; i++) {
        struct job j = {.p = quick ? quick_products[i] : products[i]};
        err = measure(m, &j);
    }
    for (int i = 0; i < 2 && !err; i++) {
        int side = quick ? quick_powers[i].n : powers[i].n;
        struct job j = {.p = {side, side, side, powers[i].complex, false, false}, .power = POWER};
        err = measure(m, &j);
    }
    return err;
}
