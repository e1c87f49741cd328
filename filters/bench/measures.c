/* SPDX-License-Identifier: MIT */
#include "filters/bench/measuring.h"
#include "filters/base/clock.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* ---- libraries */

/* A function of a library, for a pointer in struct rn_peers. */
#define FUNCTION(field, name)                                                                      \
    {                                                                                              \
        offsetof(struct rn_peers, field), name                                                     \
    }
#define CBLAS(field)         FUNCTION(openblas.field, "cblas_" #field)
#define CLBLAST(field, name) FUNCTION(clblast.field, "CLBlast" name)

static const struct {
    const char *name;
    struct {
        size_t pointer;
        const char *name;
    } function[14]; /* up to a NULL name */
} libraries[] = {
    {"libopenblas.so.0",
     {CBLAS(saxpy), CBLAS(sdot), FUNCTION(openblas.cdotc, "cblas_cdotc_sub"), CBLAS(snrm2),
      CBLAS(scnrm2), CBLAS(sasum), CBLAS(ssum), CBLAS(sgemv), CBLAS(cgemv), CBLAS(sgemm),
      CBLAS(cgemm), FUNCTION(openblas.set_threads, "openblas_set_num_threads"),
      FUNCTION(openblas.get_threads, "openblas_get_num_threads")}},
    {"libclblast.so.1",
     {CLBLAST(saxpy, "Saxpy"), CLBLAST(sdot, "Sdot"), CLBLAST(cdotc, "Cdotc"),
      CLBLAST(snrm2, "Snrm2"), CLBLAST(scnrm2, "Scnrm2"), CLBLAST(sasum, "Sasum"),
      CLBLAST(ssum, "Ssum"), CLBLAST(sgemv, "Sgemv"), CLBLAST(cgemv, "Cgemv"),
      CLBLAST(sgemm, "Sgemm"), CLBLAST(cgemm, "Cgemm"), CLBLAST(clear, "ClearCache")}},
    {"libfftw3f.so.3",
     {FUNCTION(fftw.forward, "fftwf_plan_dft_r2c_2d"), FUNCTION(fftw.back, "fftwf_plan_dft_c2r_2d"),
      FUNCTION(fftw.execute, "fftwf_execute"), FUNCTION(fftw.destroy, "fftwf_destroy_plan")}}};

/* Loads the libraries that are installed: none is needed to build. A missing function is NULL.
 * threads: for OpenBLAS; 0 = its own choice. */
static void open_peers(struct rn_peers *peers, int threads)
{
    for (int i = 0; i < 3; i++) {
        void *handle = peers->handle[i] = dlopen(libraries[i].name, RTLD_NOW | RTLD_LOCAL);
        for (int k = 0; handle && libraries[i].function[k].name; k++) {
            void *found = dlsym(handle, libraries[i].function[k].name);
            memcpy((char *)peers + libraries[i].function[k].pointer, &found, sizeof found);
        }
    }
    if (peers->openblas.set_threads && threads > 0)
        peers->openblas.set_threads(threads);
    struct rn_fftw *f = &peers->fftw;
    if (!f->back || !f->execute || !f->destroy)
        f->forward = NULL;
}

/* ---- measuring */

#define LONG_RUN 4.0 /* seconds */

/* The runs that take turns: ours, the peers, the floor. */
#define FLOOR (RN_MEASURE_PEERS + 1)
#define ALL   (FLOOR + 1)

/* The seconds of each run so far. */
struct turns_done {
    double seconds[ALL][RN_MAX_TIMES];
    int n[ALL];
    bool over[ALL];
};

static int take_turn(struct rn_gauge *m, const struct rn_turns *turns, void *job, int k,
                     bool counts, struct turns_done *done)
{
    rn_run_fn *run = k == 0 ? turns->ours : k == FLOOR ? turns->floor : turns->peer[k - 1];
    if (!run || done->over[k])
        return 0;
    double start = rn_clock();
    int err = run(m, job);
    double t = rn_clock() - start;
    if (!err && (counts || t > LONG_RUN))
        done->seconds[k][done->n[k]++] = t;
    done->over[k] = err || t > LONG_RUN;
    return k && err == RN_END ? 0 : err;
}

int rn_measure_in_turns(struct rn_gauge *m, const struct rn_turns *turns, void *job,
                        struct rn_figure *result, double *floor)
{
    struct turns_done done = {.n = {0}};
    int err = 0;
    for (int i = -1; i < m->opts->repeats; i++)
        for (int k = 0; k < ALL && !err; k++)
            err = take_turn(m, turns, job, k, i >= 0, &done);
    result->ours = rn_times_of(done.seconds[0], done.n[0]);
    if (floor)
        *floor = rn_times_of(done.seconds[FLOOR], done.n[FLOOR]).min;
    for (int k = 1; k < FLOOR; k++)
        result->peer[k - 1] = rn_times_of(done.seconds[k], done.n[k]).median;
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

static int make_buffer(struct rn_gauge *m, const float *data, size_t n, cl_mem *mem)
{
    int err = rn_buffer_create(m->dev, CL_MEM_READ_WRITE, n * sizeof *data, mem);
    if (err || !data)
        return err ? err : rn_buffer_clear(m->dev, *mem, n * sizeof *data);
    return rn_cl_check(
        clEnqueueWriteBuffer(m->dev->run, *mem, CL_TRUE, 0, n * sizeof *data, data, 0, NULL, NULL),
        "writing a buffer");
}

int rn_operands_open(struct rn_gauge *m, struct rn_operands *o, size_t nx, size_t ny, size_t nz,
                     float factor)
{
    o->x = rn_measure_numbers(nx, 1);
    o->y = rn_measure_numbers(ny, 2);
    o->z = rn_measure_numbers(nz, 3);
    int err = o->x && o->y && o->z ? 0 : RN_EINTERNAL;
    for (size_t i = 0; i < nx && !err; i++)
        o->x[i] *= factor;
    err = err ? err : make_buffer(m, o->x, nx, &o->a);
    err = err ? err : make_buffer(m, o->y, ny, &o->b);
    return err ? err : make_buffer(m, NULL, nz, &o->c);
}

void rn_operands_close(struct rn_gauge *m, struct rn_operands *o)
{
    rn_buffer_release(m->dev, &o->a);
    rn_buffer_release(m->dev, &o->b);
    rn_buffer_release(m->dev, &o->c);
    free(o->x);
    free(o->y);
    free(o->z);
}

void rn_measure_note(struct rn_figure *r, double value, double expected)
{
    double error = fabs(value - expected);
    r->error = error > r->error || isnan(error) ? error : r->error;
}

int rn_measure_read(struct rn_gauge *m, cl_mem mem, size_t first, size_t n, float *data)
{
    int err = rn_linear_finish(m->linear);
    return err ? err
               : rn_cl_check(clEnqueueReadBuffer(m->dev->run, mem, CL_TRUE, first * sizeof *data,
                                                 n * sizeof *data, data, 0, NULL, NULL),
                             "reading results");
}

int rn_measures(struct rn_device *dev, const struct rn_measure_opts *opts, int *openblas_threads,
                rn_figure_fn *each, void *arg)
{
    struct rn_gauge m = {.dev = dev, .opts = opts, .each = each, .arg = arg};
    open_peers(&m.peers, opts->threads);
    *openblas_threads = m.peers.openblas.get_threads ? m.peers.openblas.get_threads() : 0;
    int err = dev ? rn_linear_open(&m.linear, dev) : 0;
    if (opts->images) {
        err = err ? err : rn_measure_primitives(&m);
        err = err ? err : rn_measure_training(&m);
    } else {
        err = err ? err : rn_measure_vectors(&m);
        err = err ? err : rn_measure_matrices(&m);
        err = err ? err : rn_measure_pictures(&m);
    }
    rn_linear_close(&m.linear);
    if (m.peers.clblast.clear)
        m.peers.clblast.clear(); /* its programs hold the context */
    for (int i = 0; i < 3; i++)
        if (m.peers.handle[i])
            dlclose(m.peers.handle[i]);
    return err;
}
