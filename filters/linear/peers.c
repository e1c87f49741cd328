#include "filters/linear/measuring.h"

#include <dlfcn.h>
#include <string.h>

struct symbol {
    void *to; /* a pointer to a function */
    const char *name;
};

/* Returns the library, or NULL, and sets all of its functions that it has. */
static void *load(const char *library, const struct symbol *symbols, size_t n)
{
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    for (size_t i = 0; handle && i < n; i++) {
        void *found = dlsym(handle, symbols[i].name);
        memcpy(symbols[i].to, &found, sizeof found);
    }
    return handle;
}
#define LOAD(library, symbols) load(library, symbols, sizeof(symbols) / sizeof *(symbols))

static void *load_openblas(struct rn_openblas *b, int threads)
{
    void (*set_threads)(int n) = NULL;
    int (*get_threads)(void) = NULL;
    const struct symbol symbols[] = {{&b->saxpy, "cblas_saxpy"},
                                     {&b->sdot, "cblas_sdot"},
                                     {&b->cdotc, "cblas_cdotc_sub"},
                                     {&b->snrm2, "cblas_snrm2"},
                                     {&b->scnrm2, "cblas_scnrm2"},
                                     {&b->sasum, "cblas_sasum"},
                                     {&b->ssum, "cblas_ssum"},
                                     {&b->sgemv, "cblas_sgemv"},
                                     {&b->cgemv, "cblas_cgemv"},
                                     {&b->sgemm, "cblas_sgemm"},
                                     {&b->cgemm, "cblas_cgemm"},
                                     {&set_threads, "openblas_set_num_threads"},
                                     {&get_threads, "openblas_get_num_threads"}};
    void *handle = LOAD("libopenblas.so.0", symbols);
    if (set_threads && threads > 0)
        set_threads(threads);
    b->threads = get_threads ? get_threads() : 0;
    return handle;
}

static void *load_clblast(struct rn_clblast *b)
{
    const struct symbol symbols[] = {
        {&b->saxpy, "CLBlastSaxpy"},   {&b->dot, "CLBlastSdot"},
        {&b->cdotc, "CLBlastCdotc"},   {&b->snrm2, "CLBlastSnrm2"},
        {&b->scnrm2, "CLBlastScnrm2"}, {&b->sasum, "CLBlastSasum"},
        {&b->ssum, "CLBlastSsum"},     {&b->sgemv, "CLBlastSgemv"},
        {&b->cgemv, "CLBlastCgemv"},   {&b->sgemm, "CLBlastSgemm"},
        {&b->cgemm, "CLBlastCgemm"},   {&b->clear, "CLBlastClearCache"}};
    return LOAD("libclblast.so.1", symbols);
}

static void *load_fftw(struct rn_fftw *f)
{
    const struct symbol symbols[] = {{&f->forward, "fftwf_plan_dft_r2c_2d"},
                                     {&f->back, "fftwf_plan_dft_c2r_2d"},
                                     {&f->execute, "fftwf_execute"},
                                     {&f->destroy, "fftwf_destroy_plan"}};
    void *handle = LOAD("libfftw3f.so.3", symbols);
    if (!f->forward || !f->back || !f->execute || !f->destroy)
        *f = (struct rn_fftw){.forward = NULL};
    return handle;
}

void rn_peers_open(struct rn_peers *peers, int threads)
{
    *peers = (struct rn_peers){.handle = {NULL}};
    peers->handle[0] = load_openblas(&peers->openblas, threads);
    peers->handle[1] = load_clblast(&peers->clblast);
    peers->handle[2] = load_fftw(&peers->fftw);
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
