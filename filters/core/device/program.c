/* SPDX-License-Identifier: MIT */
#include "filters/core/device/program.h"

#include "filters/base/owned.h"
#include "filters/base/threads/locked.h"
#include "filters/core/device/kernel_constants.h"
#include "filters/core/device/opencl.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_KERNELS 24 /* of one program */

struct rn_program {
    struct rn_program *next;
    const char *file, *only; /* only: its one kernel; NULL: it has all of the file */
    enum rn_sample sample;
    cl_program cl;
    int n;
    struct rn_kernel kernel[MAX_KERNELS];
};

static _Atomic(void (*)(void)) on_failure;

void rn_programs_on_failure(void (*call)(void))
{
    atomic_store(&on_failure, call);
}

static _Thread_local bool compiles_nothing;

void rn_programs_compile(bool allowed)
{
    compiles_nothing = !allowed;
}

static void report_failure(void)
{
    void (*call)(void) = atomic_load(&on_failure);
    if (call)
        call();
}

const char *rn_source_find(const struct rn_source_text *table, const char *file)
{
    for (; table->name; table++)
        if (!strcmp(table->name, file))
            return table->text;
    return NULL;
}

static int width_of(const struct rn_device *dev, enum rn_sample sample)
{
    int bytes = rn_sample_bytes(sample);
    return dev->form.bytes > bytes ? dev->form.bytes / bytes : 1;
}

char *rn_build_log(struct rn_device *dev, cl_program program, bool of_texts)
{
    size_t size = 0;
    clGetProgramBuildInfo(program, dev->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
    RN_OWNED(rn_free_owned) char *log = calloc(1, size + 1);
    if (log)
        clGetProgramBuildInfo(program, dev->id, CL_PROGRAM_BUILD_LOG, size, log, NULL);
    /* An error at no place in the texts is that of a file, which another process may be writing. */
    bool other = log && of_texts && (!strstr(log, "error: ") || strstr(log, "error: <"));
    return other ? NULL : rn_take_owned(&log);
}

/* False if they do not fit. */
static bool make_options(const struct rn_device *dev, enum rn_sample sample, char *text,
                         size_t size)
{
    int used = snprintf(text, size,
                        "-cl-std=CL1.2 -w -DRN_SAMPLE=%d -DRN_WIDTH=%d -DRN_ROWS=%d -DRN_CLANG=%d "
                        "-DRN_BY_INDEX=%d -DRN_EXACT_SQRT=%d%s",
                        (int)sample, width_of(dev, sample), dev->form.rows,
                        dev->form.clang_vectors && !rn_form_by_index(&dev->form),
                        rn_form_by_index(&dev->form), dev->exact_sqrt,
                        dev->exact_sqrt ? " -cl-fp32-correctly-rounded-divide-sqrt" : "");
#define DEFINE(name, value)                                                                        \
    if (used >= 0 && (size_t)used < size)                                                          \
        used += snprintf(text + used, size - (size_t)used, " -D%s=%d", #name, (int)name);
    RN_KERNEL_CONSTANTS(DEFINE)
#undef DEFINE
    return used >= 0 && (size_t)used < size;
}

/* The kernels that a file lists in its comment; NULL: it has no list. */
static const char *find_list(const char *text)
{
    static const char head[] = "/* Kernels: ";
    const char *at = strstr(text, head);
    return at ? at + sizeof head - 1 : NULL;
}

/* Makes functions that nobody calls of the list's other kernels. False if they do not fit. */
static bool leave_only(const char *only, const char *list, char *options, size_t size)
{
    size_t used = strlen(options);
    int more = snprintf(options + used, size - used, " -DRN_ONLY");
    while (more >= 0 && (size_t)more < size - used && *list != '/') {
        used += (size_t)more;
        size_t n = strcspn(list, " \n*/");
        bool is_it = n == strlen(only) && !memcmp(list, only, n);
        more = n ? snprintf(options + used, size - used, " -DRN_ONLY_%.*s=%s", (int)n, list,
                            is_it ? "__kernel" : "static")
                 : 0;
        list += n + !n;
    }
    return more >= 0 && (size_t)more < size - used;
}

/* Does not log a build error: *log is set (otherwise NULL), and *why is its code. declares: see
 * rn_program_kept. only: the kernel that is wanted alone; NULL: all. */
static int build(struct rn_device *dev, const char *const texts[], int ntexts, bool declares,
                 enum rn_sample sample, const char *only, cl_program *program, char **log,
                 cl_int *why)
{
    char options[RN_OPTIONS_SIZE];
    *log = NULL;
    if (!make_options(dev, sample, options, sizeof options) ||
        (only && !leave_only(only, find_list(texts[0]), options, sizeof options)))
        return rn_fail(RN_EINTERNAL, "the options of the OpenCL compiler are too long");
    *program = rn_program_kept(dev, texts, ntexts, options, !compiles_nothing, declares, log);
    if (*program) {
        rn_count(dev, 1);
        return 0;
    }
    if (compiles_nothing)
        return RN_UNBUILT;
    *why = CL_BUILD_PROGRAM_FAILURE;
    if (*log)
        return RN_EDEVICE;
    /* Tries twice: PoCL's shared kernel cache races between processes that start together, and a
     * build that lost succeeds the second time. Texts with errors would not. */
    for (int attempt = 0;; attempt++) {
        cl_int code;
        cl_program made = clCreateProgramWithSource(dev->context, (cl_uint)ntexts,
                                                    (const char **)(size_t)texts, NULL, &code);
        if (code)
            return rn_cl_fail(code, "creating a program");
        rn_count(dev, 1);
        *why = clBuildProgram(made, (cl_uint)dev->owner->nbuilt_for, dev->owner->built_for, options,
                              NULL, NULL);
        if (!*why) {
            *program = made;
            return 0;
        }
        *log = rn_build_log(dev, made, !attempt);
        clReleaseProgram(made);
        rn_count(dev, -1);
        if (*log || attempt)
            return *log ? RN_EDEVICE : rn_fail_memory();
    }
}

static int build_program(struct rn_device *dev, struct rn_program *p)
{
    const char *text = rn_source_find(rn_kernel_sources, p->file);
    RN_OWNED(rn_free_owned) char *log = NULL;
    cl_int code;
    if (!text || !rn_form_by_index(&dev->form) || !find_list(text))
        p->only = NULL;
    int err = text ? build(dev, &text, 1, true, p->sample, p->only, &p->cl, &log, &code)
                   : rn_fail(RN_EINTERNAL, "there is no kernels/%s", p->file);
    if (log) {
        report_failure();
        rn_fail_lines(err, log, "kernels/%s does not build on '%s': %s (%d)", p->file,
                      dev->info.name, rn_cl_name(code), (int)code);
    }
    return err;
}

/* The program that has a kernel, alone or among others. */
static struct rn_program *look_for(struct rn_device *dev, const char *file, const char *name,
                                   enum rn_sample sample)
{
    RN_LOCKED(&dev->lock);
    struct rn_program *p = dev->programs;
    while (p && (strcmp(p->file, file) != 0 || p->sample != sample ||
                 (p->only && strcmp(p->only, name) != 0)))
        p = p->next;
    return p;
}

static int get_program(struct rn_device *dev, const char *file, const char *name,
                       enum rn_sample sample, struct rn_program **out);

/* Builds a program; a part takes that of the owner. Each part has kernels of its own, so that no
 * other part changes their arguments. */
static int make_program(struct rn_device *dev, const char *file, const char *name,
                        enum rn_sample sample, struct rn_program **out)
{
    struct rn_program *p = calloc(1, sizeof *p), *owned = NULL;
    if (!p)
        return rn_fail_memory();
    p->file = file;
    p->only = name;
    p->sample = sample;
    int err = dev->owner == dev ? build_program(dev, p)
                                : get_program(dev->owner, file, name, sample, &owned);
    if (owned) {
        p->cl = owned->cl;
        p->only = owned->only;
        err = clRetainProgram(p->cl) ? rn_fail(RN_EINTERNAL, "a program cannot be shared") : 0;
        rn_count(dev, !err);
    }
    if (err) {
        free(p);
        return err;
    }
    RN_LOCKED(&dev->lock);
    p->next = dev->programs;
    *out = dev->programs = p;
    return 0;
}

/* A thread that only launches kernels must not wait for one that builds: hence two locks. */
static int get_program(struct rn_device *dev, const char *file, const char *name,
                       enum rn_sample sample, struct rn_program **out)
{
    *out = look_for(dev, file, name, sample);
    if (*out)
        return 0;
    if (!compiles_nothing)
        pthread_mutex_lock(&dev->building);
    else if (pthread_mutex_trylock(&dev->building))
        return RN_UNBUILT; /* another thread builds */
    *out = look_for(dev, file, name, sample);
    int err = *out ? 0 : make_program(dev, file, name, sample, out);
    pthread_mutex_unlock(&dev->building);
    return err;
}

/* Makes one kernel of a program. Returns 0 or OpenCL's code. */
static cl_int make_kernel(struct rn_device *dev, cl_program program, const char *name,
                          enum rn_sample sample, struct rn_kernel *kernel)
{
    cl_int code;
    cl_kernel made = clCreateKernel(program, name, &code);
    if (code) {
        report_failure(); /* a source that builds has this kernel */
        return code;
    }
    rn_count(dev, 1);
    *kernel = (struct rn_kernel){.cl = made, .width = width_of(dev, sample), .name = name};
    return 0;
}

static int get_kernel(struct rn_device *dev, struct rn_program *p, const char *name,
                      struct rn_kernel **kernel)
{
    for (int i = 0; i < p->n; i++) {
        if (!strcmp(p->kernel[i].name, name)) {
            *kernel = &p->kernel[i];
            return 0;
        }
    }
    if (p->n == MAX_KERNELS)
        return rn_fail(RN_EINTERNAL, "kernels/%s has more than %d kernels", p->file, MAX_KERNELS);
    cl_int code = make_kernel(dev, p->cl, name, p->sample, &p->kernel[p->n]);
    if (code)
        return code == CL_INVALID_KERNEL_NAME
                   ? rn_fail(RN_EINTERNAL, "kernels/%s has no kernel '%s'", p->file, name)
                   : rn_cl_fail(code, name);
    *kernel = &p->kernel[p->n++];
    return 0;
}

int rn_kernel_get(struct rn_device *dev, const char *file, const char *name, enum rn_sample sample,
                  struct rn_kernel **kernel)
{
    struct rn_program *p = NULL;
    int err = get_program(dev, file, name, sample, &p);
    if (err)
        return err;
    RN_LOCKED(&dev->lock);
    return get_kernel(dev, p, name, kernel);
}

int rn_kernel_build(struct rn_device *dev, const char *const texts[], int ntexts, const char *name,
                    enum rn_sample sample, struct rn_kernel *kernel, char **log)
{
    cl_program program;
    cl_int code;
    int err = build(dev, texts, ntexts, false, sample, NULL, &program, log, &code);
    if (err)
        return err;
    code = make_kernel(dev, program, name, sample, kernel);
    clReleaseProgram(program); /* the kernel keeps the program alive */
    rn_count(dev, -1);
    return code ? rn_cl_fail(code, name) : 0;
}

void rn_kernel_release(struct rn_device *dev, struct rn_kernel *kernel)
{
    if (!kernel->cl)
        return;
    assert(dev);
    clReleaseKernel(kernel->cl);
    rn_count(dev, -1);
    kernel->cl = NULL;
}

void rn_programs_release(struct rn_device *dev)
{
    while (dev->programs) {
        struct rn_program *p = dev->programs;
        dev->programs = p->next;
        for (int i = 0; i < p->n; i++)
            rn_kernel_release(dev, &p->kernel[i]);
        clReleaseProgram(p->cl);
        rn_count(dev, -1);
        free(p);
    }
}
