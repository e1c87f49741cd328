#include "filters/linear/measuring.h"

#include <stdlib.h>

#define LONG_RUN 4.0 /* seconds */

static int time_once(struct rn_measuring *m, rn_run_fn *run, void *job, double *seconds)
{
    double t = rn_bench_clock();
    int err = run(m, job);
    *seconds = rn_bench_clock() - t;
    return err;
}

/* Ours, the peers, the floor. */
#define FLOOR (RN_MEASURE_PEERS + 1)
#define ALL   (FLOOR + 1)

int rn_measure_in_turns(struct rn_measuring *m, const struct rn_turns *turns, void *job,
                        struct rn_measure *result, double *floor)
{
    rn_run_fn *run[ALL] = {turns->ours, turns->peer[0], turns->peer[1], turns->peer[2],
                           turns->floor};
    double seconds[ALL][RN_SPREAD_MOST];
    int n[ALL] = {0}, err = 0;
    for (int i = -1; i < m->opts->repeats; i++) {
        for (int k = 0; k < ALL && !err; k++) {
            double t;
            if (!run[k])
                continue;
            err = time_once(m, run[k], job, &t);
            if (k && err == RN_END) {
                run[k] = NULL;
                err = 0;
                continue;
            }
            if (i >= 0 || t > LONG_RUN)
                seconds[k][n[k]++] = t;
            if (t > LONG_RUN)
                run[k] = NULL;
        }
    }
    result->ours = rn_spread_of(seconds[0], n[0]);
    if (floor)
        *floor = rn_spread_of(seconds[FLOOR], n[FLOOR]).min;
    for (int k = 1; k < FLOOR; k++)
        result->peer[k - 1] = rn_spread_of(seconds[k], n[k]).median;
    return err;
}

float *rn_measure_numbers(size_t n, uint32_t seed)
{
    float *v = malloc(n * sizeof *v);
    if (!v)
        rn_fail_memory();
    for (size_t i = 0; v && i < n; i++)
        v[i] = (float)((seed = seed * 1664525 + 1013904223) >> 8) / 16777216.0f - 0.5f;
    return v;
}

int rn_measure_buffer(struct rn_measuring *m, const float *data, size_t n, cl_mem *mem)
{
    int err = rn_buffer_create(m->dev, CL_MEM_READ_WRITE, n * sizeof *data, mem);
    if (err || !data)
        return err ? err : rn_buffer_clear(m->dev, *mem, n * sizeof *data);
    return rn_buffer_update(m->dev, *mem, data, n * sizeof *data);
}

int rn_measure_read(struct rn_measuring *m, cl_mem mem, size_t first, size_t n, float *data)
{
    int err = rn_linear_finish(m->linear);
    cl_int code = err ? 0
                      : clEnqueueReadBuffer(m->dev->run, mem, CL_TRUE, first * sizeof *data,
                                            n * sizeof *data, data, 0, NULL, NULL);
    return code ? rn_cl_fail(code, "reading results") : err;
}

int rn_measures(struct rn_device *dev, const struct rn_measure_opts *opts, int *openblas_threads,
                rn_measure_fn *each, void *arg)
{
    struct rn_measuring m = {.dev = dev, .opts = opts, .each = each, .arg = arg};
    rn_peers_open(&m.peers, opts->threads);
    *openblas_threads = m.peers.handle[0] ? m.peers.openblas.threads : 0;
    int err = rn_linear_open(&m.linear, dev);
    err = err ? err : rn_measure_vectors(&m);
    err = err ? err : rn_measure_matrices(&m);
    err = err ? err : rn_measure_pictures(&m);
    rn_linear_close(&m.linear);
    rn_peers_close(&m.peers);
    return err;
}
