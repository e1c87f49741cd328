/* SPDX-License-Identifier: MIT */
/* The primitives of networks. */
#include "filters/base/clock.h"
#include "filters/base/owned.h"
#include "filters/bench/measuring.h"

/* All are checked; --quick measures the last. Some sums have a term more than whole tiles. */
static const cl_int4 odd_sizes[] = {
    {{1, 1, 1, 1}}, {{3, 5, 7, 2}}, {{7, 130, 257, 1}}, {{65, 33, 129, 1}}};
#define ODD_SIZES ((int)(sizeof odd_sizes / sizeof *odd_sizes))
#define PART      63 /* plain C computes one item in so many of a large product: in all columns */

struct job {
    const struct rn_primitive *primitive;
    cl_int4 size;
    struct rn_operands data;
    bool naive;
};

static int run(struct rn_gauge *m, void *job)
{
    const struct job *j = job;
    const struct rn_operands *o = &j->data;
    int err =
        rn_linear_primitive(m->linear, j->primitive, j->size, 0.7F, o->a, o->b, o->c, j->naive);
    return err ? err : rn_linear_finish(m->linear);
}

static int run_naive(struct rn_gauge *m, void *job)
{
    struct job naive = *(const struct job *)job;
    naive.naive = true;
    return run(m, &naive);
}

static int run_openblas(struct rn_gauge *m, void *job)
{
    const struct job *j = job;
    const struct rn_linear_product p = rn_primitive_product(j->primitive, j->size);
    return rn_measure_openblas(m, &p, j->data.x, j->data.y, j->data.z);
}

static int run_clblast(struct rn_gauge *m, void *job)
{
    const struct job *j = job;
    const struct rn_linear_product p = rn_primitive_product(j->primitive, j->size);
    int err = rn_measure_clblast(m, &p, j->data.a, j->data.b, j->data.c);
    return err ? err : rn_linear_finish(m->linear);
}

/* Compares n floats of a form with what plain C makes of all items, or of one of so many. */
static int compare(struct rn_gauge *m, struct job *j, size_t n, int every, struct rn_figure *r)
{
    const struct rn_operands *o = &j->data;
    int items = rn_primitive_count(j->primitive->items, j->size), at_once = every > 1 ? 1 : items;
    RN_OWNED(rn_free_owned) float *value = malloc(n * sizeof *value);
    int err = value ? run(m, j) : rn_fail_memory();
    err = err ? err : rn_measure_read(m, o->c, 0, n, value);
    if (!err)
        memcpy(o->z, value, n * sizeof *value);
    double t = rn_clock();
    for (int i = 0; i < items && !err; i += at_once * every)
        j->primitive->plain(o->x, o->y, o->z, j->size, 0.7F, i, i + at_once);
    r->plain = (rn_clock() - t) * every;
    r->part = 1.0 / every;
    for (size_t i = 0; i < n && !err; i++)
        rn_measure_note(r, (double)value[i], (double)o->z[i]);
    return err;
}

/* Checks all sizes, and measures the last. */
static int measure(struct rn_gauge *m, const struct rn_primitive *p)
{
    bool product = p <= &rn_primitives[2];
    const struct rn_turns of_products = {
        .ours = run,
        .peer = {[RN_OPENBLAS] = run_openblas, [RN_CLBLAST] = run_clblast, [RN_NAIVE] = run_naive}};
    const struct rn_turns turns = product ? of_products : (struct rn_turns){.ours = run};
    const cl_int4 large = product ? (cl_int4){{1024, 1024, 1025, 1}}
                                  : (cl_int4){{m->dev->info.shared_memory ? 784 : 12544, 8, 8, 16}};
    struct rn_figure r = {.unit = product ? "GFLOP/s" : "GB/s", .exact = true};
    int sizes = ODD_SIZES + !m->opts->quick, err = 0;
    snprintf(r.name, sizeof r.name, "%s", p->name);
    for (int i = 0; i < sizes && !err; i++) {
        struct job j = {.primitive = p, .size = i < ODD_SIZES ? odd_sizes[i] : large};
        const cl_int4 s = j.size;
        size_t x = (size_t)rn_primitive_count(p->x, s), y = (size_t)rn_primitive_count(p->y, s),
               out = (size_t)rn_primitive_count(p->out, s);
        snprintf(r.size, sizeof r.size, "%d x %d x %d x %d", s.x, s.y, s.z, s.w);
        r.work = product ? 2.0 * s.x * s.y * s.z : (double)(sizeof(float) * (x + y + out));
        err = rn_operands_open(m, &j.data, x, y, out, 1);
        err = err || i + 1 < sizes ? err : rn_measure_in_turns(m, &turns, &j, &r, NULL);
        for (int forms = product ? 2 : 1; forms && !err; forms--, j.naive = true)
            err = compare(m, &j, out, product && i == ODD_SIZES ? PART : 1, &r);
        rn_operands_close(m, &j.data);
    }
    return err ? err : m->each(m->arg, &r);
}

int rn_measure_primitives(struct rn_gauge *m)
{
    int err = 0;
    for (const struct rn_primitive *p = rn_primitives; m->dev && p->name && !err; p++)
        err = measure(m, p);
    return err;
}
