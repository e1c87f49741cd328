/* SPDX-License-Identifier: MIT */
/* Products and powers of matrices. */
#include "filters/base/owned.h"
#include "filters/bench/measuring.h"
#include "filters/base/clock.h"

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
    struct rn_operands data;
};

/* ---- ours and theirs */

static int run_ours(struct rn_gauge *m, void *arg)
{
    const struct job *j = arg;
    const struct rn_operands *o = &j->data;
    int err = j->power ? rn_linear_power(m->linear, j->p.complex, o->a, j->p.rows, j->power, o->c)
                       : rn_linear_product(m->linear, &j->p, o->a, o->b, o->c);
    return err ? err : rn_linear_finish(m->linear);
}

static int turn(bool transposed)
{
    return transposed ? RN_BLAS_TRANSPOSED : RN_BLAS_PLAIN;
}

int rn_measure_openblas(struct rn_gauge *m, const struct rn_linear_product *p, const float *x,
                        const float *y, float *z)
{
    static const float one[2] = {1, 0}, zero[2] = {0, 0};
    const struct rn_openblas *b = &m->peers.openblas;
    int left = turn(p->left_transposed), right = turn(p->right_transposed);
    int lda = p->left_transposed ? p->rows : p->inner;
    int ldb = p->right_transposed ? p->inner : p->cols;
    if (p->complex ? !b->cgemm : !b->sgemm)
        return RN_END;
    if (p->complex)
        b->cgemm(RN_BLAS_ROWS, left, right, p->rows, p->cols, p->inner, one, x, lda, y, ldb, zero,
                 z, p->cols);
    else
        b->sgemm(RN_BLAS_ROWS, left, right, p->rows, p->cols, p->inner, 1, x, lda, y, ldb, 0, z,
                 p->cols);
    return 0;
}

int rn_measure_clblast(struct rn_gauge *m, const struct rn_linear_product *p, cl_mem x, cl_mem y,
                       cl_mem z)
{
    const struct rn_clblast *b = &m->peers.clblast;
    cl_command_queue *queue = &m->dev->run;
    int left = turn(p->left_transposed), right = turn(p->right_transposed);
    size_t rows = (size_t)p->rows, cols = (size_t)p->cols, inner = (size_t)p->inner;
    size_t lda = p->left_transposed ? rows : inner, ldb = p->right_transposed ? inner : cols;
    const cl_float2 one = {.s = {1, 0}}, zero = {.s = {0, 0}};
    if (p->complex ? !b->cgemm : !b->sgemm)
        return RN_END;
    int code = p->complex ? b->cgemm(RN_BLAS_ROWS, left, right, rows, cols, inner, one, x, 0, lda,
                                     y, 0, ldb, zero, z, 0, cols, queue, NULL)
                          : b->sgemm(RN_BLAS_ROWS, left, right, rows, cols, inner, 1, x, 0, lda, y,
                                     0, ldb, 0, z, 0, cols, queue, NULL);
    return code ? RN_END : 0;
}

/* A BLAS has no powers: it does as many products as squaring takes. These multiply by the matrix
 * again and again, which takes as long. */
static int run_openblas(struct rn_gauge *m, void *arg)
{
    const struct job *j = arg;
    const struct rn_operands *o = &j->data;
    int err = 0;
    for (int k = 0; k < j->products && !err; k++)
        err = rn_measure_openblas(m, &j->p, o->x, k & 1 ? o->z : o->y, k & 1 ? o->y : o->z);
    return err;
}

static int run_clblast(struct rn_gauge *m, void *arg)
{
    const struct job *j = arg;
    const struct rn_operands *o = &j->data;
    int err = 0;
    for (int k = 0; k < j->products && !err; k++)
        err = rn_measure_clblast(m, &j->p, o->a, k & 1 ? o->c : o->b, k & 1 ? o->b : o->c);
    return err ? err : rn_linear_finish(m->linear);
}

/* ---- plain C, and whether ours is right */

/* Some rows, the first and the last among them. */
static int compare_rows(struct rn_gauge *m, struct job *j, struct rn_figure *r)
{
    const struct rn_linear_product *p = &j->p;
    size_t cols = (size_t)p->cols * (p->complex ? 2 : 1);
    double each = (double)p->cols * p->inner * (p->complex ? 4 : 1);
    int n = PLAIN_WORK / each < p->rows ? (int)(PLAIN_WORK / each) + 2 : p->rows;
    RN_OWNED(rn_free_owned) float *value = malloc(cols * sizeof *value);
    RN_OWNED(rn_free_owned) double *expected = malloc(cols * sizeof *expected);
    int err = value && expected ? run_ours(m, j) : rn_fail_memory(); /* theirs is in c as well */
    n = n < p->rows ? n : p->rows;
    for (int k = 0; k < n && !err; k++) {
        int i = n > 1 ? (int)((int64_t)k * (p->rows - 1) / (n - 1)) : 0;
        double t = rn_clock();
        rn_plain_product_row(p, j->data.x, j->data.y, i, expected);
        r->plain += rn_clock() - t;
        err = rn_measure_read(m, j->data.c, (size_t)i * cols, cols, value);
        for (size_t c = 0; c < cols && !err; c++)
            rn_measure_note(r, (double)value[c], expected[c]);
    }
    r->part = (double)n / p->rows;
    r->plain /= r->part;
    r->tolerance = EPSILON * p->inner * (p->complex ? 0.5 : 0.25);
    return err;
}

/* One thread of plain C makes the p - 1 products; of large matrices for the rows of one block. */
static int compare_power(struct rn_gauge *m, struct job *j, struct rn_figure *r)
{
    size_t n = (size_t)j->p.rows, all = n * n * (j->p.complex ? 2 : 1);
    RN_OWNED(rn_free_owned) float *value = malloc(all * sizeof *value);
    RN_OWNED(rn_free_owned)
    double *expected = malloc(all * sizeof *expected), *spare = malloc(all * sizeof *spare);
    double largest = 0;
    int err = value && expected && spare ? run_ours(m, j) : rn_fail_memory();
    double t = rn_clock();
    if (!err)
        rn_plain_power(j->p.complex, j->data.x, j->p.rows, j->power, expected, spare);
    r->plain = rn_clock() - t;
    err = err ? err : rn_measure_read(m, j->data.c, 0, all, value);
    for (size_t i = 0; i < all && !err; i++) {
        rn_measure_note(r, (double)value[i], expected[i]);
        largest = fabs(expected[i]) > largest ? fabs(expected[i]) : largest;
    }
    r->part = 1;
    r->tolerance = 10 * EPSILON * j->power * largest;
    return err;
}

/* ---- all of them */

static int measure(struct rn_gauge *m, struct job *j)
{
    const struct rn_linear_product *p = &j->p;
    struct rn_figure r = {.unit = "GFLOP/s"};
    const struct rn_turns turns = {
        .ours = run_ours, .peer = {[RN_OPENBLAS] = run_openblas, [RN_CLBLAST] = run_clblast}};
    size_t parts = p->complex ? 2 : 1, rows = (size_t)p->rows * parts, cols = (size_t)p->cols,
           inner = (size_t)p->inner;
    j->products = j->power ? -2 : 1;
    for (int k = j->power; k; k >>= 1)
        j->products += 1 + (k & 1);
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
    /* The factor keeps powers from vanishing and from growing. */
    float factor = j->power ? sqrtf((p->complex ? 6 : 12) / (float)inner) : 1;
    int err =
        rn_operands_open(m, &j->data, rows * inner, parts * inner * cols, rows * cols, factor);
    err = err ? err : rn_measure_in_turns(m, &turns, j, &r, NULL);
    err = err ? err : j->power ? compare_power(m, j, &r) : compare_rows(m, j, &r);
    rn_operands_close(m, &j->data);
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
