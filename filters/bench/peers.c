/* SPDX-License-Identifier: MIT */
#include "filters/bench/measuring.h"

#include <dlfcn.h>
#include <string.h>

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

void rn_peers_open(struct rn_peers *peers, int threads)
{
    *peers = (struct rn_peers){.handle = {NULL}};
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

void rn_peers_close(struct rn_peers *peers)
{
    if (peers->clblast.clear)
        peers->clblast.clear(); /* its programs hold the context */
    for (int i = 0; i < 3; i++)
        if (peers->handle[i])
            dlclose(peers->handle[i]);
    *peers = (struct rn_peers){.handle = {NULL}};
}
