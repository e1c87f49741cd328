/* SPDX-License-Identifier: MIT */
/* Vector add, sums, dot products, norms, row sums: all of them bound by memory. */
#include "filters/base/owned.h"
#include "filters/bench/measuring.h"
#include "filters/base/clock.h"

#define EPSILON  1e-6      /* of the number of terms times the largest one */
#define CPU_SIZE (1 << 25) /* floats: 128 MiB, beyond most caches */
#define GPU_SIZE (1 << 28) /* 1 GiB, so that what a launch takes does not count */
#define QUICK    (1 << 16)
#define ROW      4096 /* of the matrix whose rows are summed */

/* The first three are those of rn_linear_sum. */
enum kind { SUM = RN_LINEAR_SUM, DOT = RN_LINEAR_DOT, NORM = RN_LINEAR_NORM, COPY, ADD, ROWS };

struct what {
    const char *name;
    enum kind kind;
    bool complex;
    int p;
    int vectors; /* that are read and written */
};

static const struct what list[] = {
    {"copy", COPY, false, 0, 2},
    {"vector add", ADD, false, 0, 3},
    {"reduction (sum)", SUM, false, 0, 1},
    {"reduction (sum), complex", SUM, true, 0, 1},
    {"dot product", DOT, false, 0, 2},
    {"dot product, complex", DOT, true, 0, 2},
    {"p-norm, p=1", NORM, false, 1, 1},
    {"p-norm, p=2", NORM, false, 2, 1},
    {"p-norm, p=2, complex", NORM, true, 2, 1},
    {"p-norm, p=3", NORM, false, 3, 1},
    {"p-norm, p=3, complex", NORM, true, 3, 1},
    {"row sums", ROWS, false, 0, 1},
    {"row sums, complex", ROWS, true, 0, 1},
};

struct job {
    const struct what *what;
    int n, cols; /* floats */
    struct rn_operands data;
    double result[2]; /* ours */
};

/* ---- ours */

static int run_ours(struct rn_gauge *m, void *arg)
{
    struct job *j = arg;
    const struct what *w = j->what;
    const struct rn_operands *o = &j->data;
    struct rn_linear *l = m->linear;
    if (w->kind < COPY)
        return rn_linear_sum(l, (enum rn_linear_sum)w->kind, w->complex, o->a, o->b, j->n, w->p,
                             j->result);
    int err = w->kind == COPY  ? rn_linear_copy(l, o->a, o->c, j->n)
              : w->kind == ADD ? rn_linear_add(l, o->a, o->b, o->c, j->n)
                               : rn_linear_rows(l, w->complex, o->a, j->n / j->cols, j->cols, o->c);
    return err ? err : rn_linear_finish(l);
}

static int run_copy(struct rn_gauge *m, void *arg)
{
    const struct job *j = arg;
    int err = rn_linear_copy(m->linear, j->data.a, j->data.c, j->n);
    return err ? err : rn_linear_finish(m->linear);
}

/* ---- the libraries */

/* The function of BLAS library b for a sum or norm w; NULL: it has none. */
#define SUM_OF(b, w)                                                                               \
    ((w)->kind == SUM && !(w)->complex ? (b)->ssum                                                 \
     : (w)->kind != NORM || (w)->p > 2 ? NULL                                                      \
     : (w)->p == 1                     ? (b)->sasum                                                \
     : (w)->complex                    ? (b)->scnrm2                                               \
                                       : (b)->snrm2)

static int run_openblas(struct rn_gauge *m, void *arg)
{
    const struct rn_openblas *b = &m->peers.openblas;
    const struct job *j = arg;
    const struct what *w = j->what;
    const struct rn_operands *o = &j->data;
    rn_openblas_sum *reduce = SUM_OF(b, w);
    int n = w->complex ? j->n / 2 : j->n;
    static const float one[2] = {1, 0}, zero[2] = {0, 0};
    volatile float sum = 0;
    if (w->kind == ADD && b->saxpy)
        b->saxpy(n, 1, o->x, 1, o->z, 1);
    else if (w->kind == DOT && !w->complex && b->sdot)
        sum = b->sdot(n, o->x, 1, o->y, 1);
    else if (w->kind == DOT && w->complex && b->cdotc)
        b->cdotc(n, o->x, 1, o->y, 1, o->z);
    else if (reduce)
        sum = reduce(n, o->x, 1);
    else if (w->kind == ROWS && !w->complex && b->sgemv) /* times a vector, whatever is in it */
        b->sgemv(RN_BLAS_ROWS, RN_BLAS_PLAIN, j->n / j->cols, j->cols, 1, o->x, j->cols, o->y, 1, 0,
                 o->z, 1);
    else if (w->kind == ROWS && w->complex && b->cgemv)
        b->cgemv(RN_BLAS_ROWS, RN_BLAS_PLAIN, j->n / j->cols, j->cols / 2, one, o->x, j->cols / 2,
                 o->y, 1, zero, o->z, 1);
    else
        return RN_END;
    (void)sum;
    return 0;
}

static int run_clblast(struct rn_gauge *m, void *arg)
{
    const struct rn_clblast *b = &m->peers.clblast;
    const struct job *j = arg;
    const struct what *w = j->what;
    const struct rn_operands *o = &j->data;
    rn_clblast_sum *reduce = SUM_OF(b, w);
    rn_clblast_dot *dot = w->kind != DOT ? NULL : w->complex ? b->cdotc : b->sdot;
    size_t n = (size_t)(w->complex ? j->n / 2 : j->n);
    size_t cols = (size_t)(w->complex ? j->cols / 2 : j->cols);
    const cl_float2 one = {.s = {1, 0}}, zero = {.s = {0, 0}};
    cl_command_queue *queue = &m->dev->run;
    int code = -1;
    if (w->kind == ADD && b->saxpy)
        code = b->saxpy(n, 1, o->a, 0, 1, o->c, 0, 1, queue, NULL);
    else if (dot)
        code = dot(n, o->c, 0, o->a, 0, 1, o->b, 0, 1, queue, NULL);
    else if (reduce)
        code = reduce(n, o->c, 0, o->a, 0, 1, queue, NULL);
    else if (w->kind == ROWS && !w->complex && b->sgemv)
        code = b->sgemv(RN_BLAS_ROWS, RN_BLAS_PLAIN, n / cols, cols, 1, o->a, 0, cols, o->b, 0, 1,
                        0, o->c, 0, 1, queue, NULL);
    else if (w->kind == ROWS && w->complex && b->cgemv)
        code = b->cgemv(RN_BLAS_ROWS, RN_BLAS_PLAIN, n / cols, cols, one, o->a, 0, cols, o->b, 0, 1,
                        zero, o->c, 0, 1, queue, NULL);
    return code ? RN_END : rn_linear_finish(m->linear);
}

/* ---- plain C, and whether ours is right */

/* A vector or the sums of rows, which the device has in c. */
static int compare_vector(struct rn_gauge *m, struct job *j, struct rn_figure *r)
{
    bool rows = j->what->kind == ROWS;
    const struct rn_operands *o = &j->data;
    size_t n = rows ? 2 * (size_t)(j->n / j->cols) : (size_t)j->n;
    RN_OWNED(rn_free_owned) float *value = malloc(n * sizeof *value);
    RN_OWNED(rn_free_owned) float *expected = rows ? NULL : malloc(n * sizeof *expected);
    RN_OWNED(rn_free_owned) double *sums = rows ? malloc(n * sizeof *sums) : NULL;
    int err = value && (expected || sums) ? run_ours(m, j) : rn_fail_memory();
    err = err ? err : rn_measure_read(m, o->c, 0, n, value);
    double t = rn_clock();
    if (!err && rows)
        rn_plain_rows(j->what->complex, o->x, j->n / j->cols, j->cols, sums);
    else if (!err && j->what->kind == ADD)
        rn_plain_add(o->x, o->y, expected, j->n);
    else if (!err)
        memcpy(expected, o->x, n * sizeof *expected);
    r->plain = rn_clock() - t;
    for (size_t i = 0; i < n && !err; i++)
        rn_measure_note(r, (double)value[i], rows ? sums[i] : (double)expected[i]);
    r->exact = !rows;
    r->tolerance = rows ? EPSILON * 0.5 * j->cols : 0;
    return err;
}

static void compare_sum(struct job *j, struct rn_figure *r)
{
    double expected[2], t = rn_clock();
    rn_plain_sum((enum rn_linear_sum)j->what->kind, j->what->complex, j->data.x, j->data.y, j->n,
                 j->what->p, expected);
    r->plain = rn_clock() - t;
    for (int i = 0; i < 2; i++)
        rn_measure_note(r, j->result[i], expected[i]);
    /* what is added is at most 1/2, or 1/4 where it is multiplied */
    r->tolerance = EPSILON * 0.25 * j->n;
}

/* ---- all of them */

static int measure(struct rn_gauge *m, struct job *j)
{
    const struct what *w = j->what;
    struct rn_figure r = {.unit = "GB/s", .part = 1};
    const struct rn_turns turns = {
        .ours = run_ours,
        .peer = {[RN_OPENBLAS] = run_openblas, [RN_CLBLAST] = run_clblast},
        .floor = run_copy};
    double copy;
    snprintf(r.name, sizeof r.name, "%s", w->name);
    if (w->kind == ROWS)
        snprintf(r.size, sizeof r.size, "%d x %d", j->n / j->cols, j->cols / (w->complex ? 2 : 1));
    else
        snprintf(r.size, sizeof r.size, "%d", j->n / (w->complex ? 2 : 1));
    r.work = (double)w->vectors * j->n * (double)sizeof(cl_float);
    int err = rn_measure_in_turns(m, &turns, j, &r, &copy);
    if (!err && r.ours.min > 0 && copy > 0)
        r.of_copy = r.work / r.ours.min / (2.0 * j->n * (double)sizeof(cl_float) / copy);
    if (!err && (w->kind == SUM || w->kind == DOT || w->kind == NORM))
        compare_sum(j, &r);
    else if (!err)
        err = compare_vector(m, j, &r);
    return err ? err : m->each(m->arg, &r);
}

static int choose_size(const struct rn_gauge *m)
{
    int64_t most = m->dev->info.max_allocation / (int64_t)sizeof(cl_float);
    int64_t n = m->opts->quick ? QUICK : m->dev->info.shared_memory ? CPU_SIZE : GPU_SIZE;
    most = most < m->dev->info.global_memory / 32 ? most : m->dev->info.global_memory / 32;
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    int64_t host = pages > 0 && page > 0 ? (int64_t)pages / 64 * page : most;
    most = most < host ? most : host;
    return (int)((n < most ? n : most) / ROW * ROW);
}

int rn_measure_vectors(struct rn_gauge *m)
{
    struct job j = {.n = choose_size(m), .cols = m->opts->quick ? 256 : ROW};
    size_t n = (size_t)j.n;
    int err = rn_operands_open(m, &j.data, n, n, n, 1);
    for (size_t i = 0; i < sizeof list / sizeof *list && !err; i++) {
        j.what = &list[i];
        err = measure(m, &j);
    }
    rn_operands_close(m, &j.data);
    return err;
}
