#include "filters/core/opencl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_KERNELS 24 /* of one program */

struct rn_program {
    struct rn_program *next;
    const char *file;
    int bytes;
    cl_program cl;
    int n;
    struct rn_kernel kernel[MAX_KERNELS];
};

static const struct rn_source_text *find_source(const char *file)
{
    for (const struct rn_source_text *s = rn_kernel_sources; s->name; s++)
        if (!strcmp(s->name, file))
            return s;
    return NULL;
}

static int report_build(struct rn_device *dev, cl_program program, const char *file, cl_int code)
{
    size_t size = 0;
    clGetProgramBuildInfo(program, dev->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
    char *log = calloc(1, size + 1);
    if (log)
        clGetProgramBuildInfo(program, dev->id, CL_PROGRAM_BUILD_LOG, size, log, NULL);
    rn_fail(RN_EDEVICE, "kernels/%s does not build on '%s': %s (%d)\n%s", file, dev->info.name,
            rn_cl_name(code), (int)code, log ? log : "");
    free(log);
    return RN_EDEVICE;
}

static int build(struct rn_device *dev, const struct rn_source_text *source, int bytes,
                 cl_program *program)
{
    char options[160];
    int width = dev->form.bytes > bytes ? dev->form.bytes / bytes : 1;
    snprintf(options, sizeof options,
             "-cl-std=CL1.2 -DRN_BYTES=%d -DRN_WIDTH=%d -DRN_ROWS=%d -DRN_CLANG=%d", bytes, width,
             dev->form.rows, dev->form.clang_vectors);
    /* Twice: PoCL's shared kernel cache races between processes that start together, and a build
     * that lost succeeds the second time. */
    for (int attempt = 0;; attempt++) {
        cl_int code;
        cl_program made =
            clCreateProgramWithSource(dev->context, 1, (const char *[]){source->text}, NULL, &code);
        if (code)
            return rn_cl_fail(code, "creating a program");
        rn_count(dev, 1);
        code = clBuildProgram(made, 1, &dev->id, options, NULL, NULL);
        if (!code) {
            *program = made;
            return 0;
        }
        int err = attempt ? report_build(dev, made, source->name, code) : 0;
        clReleaseProgram(made);
        rn_count(dev, -1);
        if (err)
            return err;
    }
}

static int get_program(struct rn_device *dev, const char *file, int bytes, struct rn_program **out)
{
    for (struct rn_program *p = dev->programs; p; p = p->next) {
        if (!strcmp(p->file, file) && p->bytes == bytes) {
            *out = p;
            return 0;
        }
    }
    const struct rn_source_text *source = find_source(file);
    if (!source)
        return rn_fail(RN_EINTERNAL, "there is no kernels/%s", file);
    struct rn_program *p = calloc(1, sizeof *p);
    if (!p)
        return rn_fail_memory();
    p->file = source->name;
    p->bytes = bytes;
    int err = build(dev, source, bytes, &p->cl);
    if (err) {
        free(p);
        return err;
    }
    p->next = dev->programs;
    dev->programs = p;
    *out = p;
    return 0;
}

int rn_kernel_get(struct rn_device *dev, const char *file, const char *name, int bytes,
                  struct rn_kernel **kernel)
{
    struct rn_program *p = NULL;
    int err = get_program(dev, file, bytes, &p);
    if (err)
        return err;
    for (int i = 0; i < p->n; i++) {
        if (!strcmp(p->kernel[i].name, name)) {
            *kernel = &p->kernel[i];
            return 0;
        }
    }
    if (p->n == MAX_KERNELS)
        return rn_fail(RN_EINTERNAL, "kernels/%s has more than %d kernels", file, MAX_KERNELS);
    cl_int code;
    cl_kernel made = clCreateKernel(p->cl, name, &code);
    if (code)
        return rn_cl_fail(code, name);
    rn_count(dev, 1);
    struct rn_kernel *k = &p->kernel[p->n++];
    k->cl = made;
    k->name = name;
    k->width = dev->form.bytes > bytes ? dev->form.bytes / bytes : 1;
    *kernel = k;
    return 0;
}

void rn_programs_release(struct rn_device *dev)
{
    while (dev->programs) {
        struct rn_program *p = dev->programs;
        dev->programs = p->next;
        for (int i = 0; i < p->n; i++) {
            clReleaseKernel(p->kernel[i].cl);
            rn_count(dev, -1);
        }
        clReleaseProgram(p->cl);
        rn_count(dev, -1);
        free(p);
    }
}
