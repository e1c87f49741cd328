/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* open_memstream, memmem, gettid */
#include "filters/core/device/program.h"

#include "filters/base/output/private.h"
#include "filters/base/text/hash.h"
#include "filters/base/threads/locked.h"
#include "filters/core/device/kernel_constants.h"
#include "filters/core/device/opencl.h"

#include <assert.h>
#include <fcntl.h>
#include <sys/stat.h>

#define MAX_KERNELS  24   /* of one program */
#define OPTIONS_SIZE 4096 /* of one program */

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

/* The compiler's log of a program; the caller frees it. of_texts: NULL if it names no error in the
 * program's texts. NULL: no memory. */
static char *build_log(struct rn_device *dev, cl_program program, bool of_texts)
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

/* ---- programs that are kept as bitcode for later runs
 *
 * PoCL finds what it has compiled by preprocessing each source anew, with all of its headers: 22 ms
 * of processor time a program, at every start. From bitcode it finds the same in 1 ms. Do not keep
 * the binary of a program that is linked instead: to give it out, PoCL compiles every kernel of the
 * program for work-groups of any size, which takes longer than all else of a first run.
 *
 * A file is the key, with its final NUL; the bitcode; and a checksum of both. The key is all that
 * decides what is built, in full: two programs never take each other's place. What is not exactly
 * so counts for nothing, and is written anew. */

#define KIND      "runnel program 2" /* of the file; another number when it changes */
#define MOST      ((off_t)64 << 20)  /* bytes of a file */
#define NAME_SIZE 24

struct bytes {
    char *data;
    size_t size;
};

static const char *folder_name;
static int folder = -1;

void rn_programs_keep_in(const char *path)
{
    char why[RN_PRIVATE_WHY];
    rn_close_owned(&folder);
    folder = path ? rn_private_folder(path, RN_PRIVATE_EXISTING, why) : -1;
    folder_name = path;
    if (path && folder < 0)
        rn_log(RN_LOG_INFO, "no programs are kept: %s", why);
}

/* The name of the file, and its key; false if they cannot be made. The caller frees the key. */
static bool make_key(const struct rn_device *dev, const char *const texts[], int ntexts,
                     const char *options, char name[NAME_SIZE], struct bytes *key)
{
    const struct rn_device_info *i = &dev->info;
    *key = (struct bytes){NULL, 0};
    FILE *f = open_memstream(&key->data, &key->size);
    if (!f)
        return false;
    fprintf(f, KIND "\n%s\n%s\n%s\n%s\n%s\n", i->platform_name, i->name, i->version, i->driver,
            options);
    for (int t = 0; t < ntexts; t++)
        fputs(texts[t], f);
    bool made = !ferror(f) && fputc('\0', f) == 0;
    if (fclose(f) != 0)
        made = false;
    if (made)
        snprintf(name, NAME_SIZE, "runnel-%016llx",
                 (unsigned long long)rn_hash(key->data, key->size));
    return made;
}

static bool read_whole(const char *name, struct bytes *file)
{
    struct stat st;
    char why[RN_PRIVATE_WHY];
    RN_OWNED(rn_close_owned) int fd = rn_private_file_in(folder, name, why);
    bool got = fd >= 0 && fstat(fd, &st) == 0 && st.st_size < MOST;
    *file = (struct bytes){got ? malloc((size_t)st.st_size + 1) : NULL, 0};
    while (file->data && file->size < (size_t)st.st_size) {
        ssize_t n = read(fd, file->data + file->size, (size_t)st.st_size - file->size);
        if (n <= 0)
            break;
        file->size += (size_t)n;
    }
    return file->data && file->size == (size_t)st.st_size;
}

/* The bitcode in a file; empty if it is not that of this key. */
static struct bytes find_bitcode(const struct bytes *file, const struct bytes *key)
{
    uint64_t sum;
    if (file->size <= key->size + sizeof sum || memcmp(file->data, key->data, key->size) != 0)
        return (struct bytes){NULL, 0};
    size_t end = file->size - sizeof sum;
    memcpy(&sum, file->data + end, sizeof sum);
    if (sum != rn_hash(file->data, end))
        return (struct bytes){NULL, 0};
    return (struct bytes){file->data + key->size, end - key->size};
}

/* Builds the bitcode for all that the device builds for: itself, or its parts. PoCL keeps what it
 * makes of it, and finds that by the bitcode. */
static cl_program make_of_bitcode(const struct rn_device *owner, struct bytes bitcode,
                                  const char *options)
{
    const unsigned char *data[RN_MAX_PARTS];
    size_t size[RN_MAX_PARTS];
    cl_uint n = (cl_uint)owner->nbuilt_for;
    cl_int code;
    for (cl_uint i = 0; i < n; i++) {
        data[i] = (const unsigned char *)bitcode.data;
        size[i] = bitcode.size;
    }
    cl_program program =
        clCreateProgramWithBinary(owner->context, n, owner->built_for, size, data, NULL, &code);
    if (program && (code || clBuildProgram(program, n, owner->built_for, options, NULL, NULL))) {
        clReleaseProgram(program);
        program = NULL;
    }
    return program;
}

/* The binary of a program as the first that it was compiled for has it; empty if it has none. */
static struct bytes get_binary(const struct rn_device *owner, cl_program program)
{
    size_t n = (size_t)owner->nbuilt_for, size[RN_MAX_PARTS] = {0};
    unsigned char *data[RN_MAX_PARTS] = {NULL}; /* NULL: that of the others is left out */
    if (!clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, n * sizeof *size, size, NULL) &&
        size[0] > 0 && size[0] < (size_t)MOST)
        data[0] = malloc(size[0]);
    if (data[0] && clGetProgramInfo(program, CL_PROGRAM_BINARIES, n * sizeof *data, data, NULL))
        free(rn_take_owned(&data[0]));
    return (struct bytes){(char *)data[0], data[0] ? size[0] : 0};
}

/* PoCL's binary of a compiled program ends with its bitcode, and 4 bytes before it are its length.
 * Leaves the bitcode alone; nothing, where that is not so. */
static void extract_bitcode(struct bytes *binary)
{
    static const char magic[4] = {'B', 'C', (char)0xC0, (char)0xDE};
    const char *end = binary->data + binary->size, *at = binary->data;
    uint32_t length = 0;
    binary->size = 0;
    while (at && (at = memmem(at, (size_t)(end - at), magic, sizeof magic))) {
        if (at - binary->data >= (ptrdiff_t)sizeof length)
            memcpy(&length, at - sizeof length, sizeof length);
        if (length == end - at) {
            memmove(binary->data, at, length);
            binary->size = length;
            return;
        }
        at++;
    }
}

/* The source as bitcode; empty if it cannot be had. *log: see find_kept. */
static struct bytes compile(struct rn_device *owner, const char *const texts[], int ntexts,
                            const char *options, char **log)
{
    struct bytes bitcode = {NULL, 0};
    cl_program object = clCreateProgramWithSource(owner->context, (cl_uint)ntexts,
                                                  (const char **)(size_t)texts, NULL, NULL);
    if (object && !clCompileProgram(object, (cl_uint)owner->nbuilt_for, owner->built_for, options,
                                    0, NULL, NULL, NULL, NULL)) {
        bitcode = get_binary(owner, object);
        extract_bitcode(&bitcode);
    } else if (object) {
        *log = build_log(owner, object, true);
    }
    if (object)
        clReleaseProgram(object);
    return bitcode;
}

static void write_file(const char *name, const struct bytes *key, const struct bytes *bitcode)
{
    char temporary[NAME_SIZE + 24];
    size_t size = key->size + bitcode->size;
    uint64_t sum;
    RN_OWNED(rn_free_owned) char *data = malloc(size + sizeof sum);
    if (!data)
        return;
    memcpy(data, key->data, key->size);
    memcpy(data + key->size, bitcode->data, bitcode->size);
    sum = rn_hash(data, size);
    memcpy(data + size, &sum, sizeof sum);
    size += sizeof sum;
    snprintf(temporary, sizeof temporary, "%s.%ld", name, (long)gettid());
    unlinkat(folder, temporary, 0); /* a killed run may have left it */
    int fd = openat(folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool written = fd >= 0 && write(fd, data, size) == (ssize_t)size;
    if (fd >= 0 && close(fd) != 0)
        written = false;
    if (fd >= 0 && (!written || renameat(folder, temporary, folder, name) != 0))
        unlinkat(folder, temporary, 0);
}

/* The program of these texts, built with these options for all that dev's owner builds for; the
 * caller counts and releases it. compiles: one that is not kept is compiled, and kept from then on;
 * not to be able to keep it is no failure. declares: texts begin with kernels/builtins.clh. NULL:
 * there is none, or it does not build, or not this way; nothing is logged then. *log, NULL before:
 * what is wrong with texts that do not compile, for the caller to free. */
static cl_program find_kept(struct rn_device *dev, const char *const texts[], int ntexts,
                            const char *options, bool compiles, bool declares, char **log)
{
    char name[NAME_SIZE], shorter[OPTIONS_SIZE + 32];
    struct bytes key = {NULL, 0}, file = {NULL, 0}, bitcode = {NULL, 0};
    cl_program program = NULL;
    bool is_pocl = strstr(dev->info.platform_name, "Portable Computing Language");
    if (folder < 0 || !is_pocl || !make_key(dev, texts, ntexts, options, name, &key))
        goto done;
    if (read_whole(name, &file))
        bitcode = find_bitcode(&file, &key);
    program = bitcode.size ? make_of_bitcode(dev->owner, bitcode, options) : NULL;
    if (program) {
        rn_log(RN_LOG_DEBUG, "a program is taken from '%s/%s'", folder_name, name);
    } else if (compiles) {
        snprintf(shorter, sizeof shorter, "%s -D_OPENCL_H_ -DRN_DECLARE", options); /* clang's */
        bitcode = (struct bytes){NULL, 0}; /* what was found is of the file, and of no use */
        if (declares)
            bitcode = compile(dev->owner, texts, ntexts, shorter, log);
        if (!bitcode.size) {
            free(rn_take_owned(log));
            bitcode = compile(dev->owner, texts, ntexts, options, log);
        }
        program = bitcode.size ? make_of_bitcode(dev->owner, bitcode, options) : NULL;
        if (program)
            write_file(name, &key, &bitcode);
        free(bitcode.data);
    }
done:
    free(file.data);
    free(key.data);
    return program;
}

/* ---- building */

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
 * find_kept. only: the kernel that is wanted alone; NULL: all. */
static int build(struct rn_device *dev, const char *const texts[], int ntexts, bool declares,
                 enum rn_sample sample, const char *only, cl_program *program, char **log,
                 cl_int *why)
{
    char options[OPTIONS_SIZE];
    *log = NULL;
    if (!make_options(dev, sample, options, sizeof options) ||
        (only && !leave_only(only, find_list(texts[0]), options, sizeof options)))
        return rn_fail(RN_EINTERNAL, "the options of the OpenCL compiler are too long");
    *program = find_kept(dev, texts, ntexts, options, !compiles_nothing, declares, log);
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
            return rn_cl_check(code, "creating a program");
        rn_count(dev, 1);
        *why = clBuildProgram(made, (cl_uint)dev->owner->nbuilt_for, dev->owner->built_for, options,
                              NULL, NULL);
        if (!*why) {
            *program = made;
            return 0;
        }
        *log = build_log(dev, made, !attempt);
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

int rn_kernel_get(struct rn_device *dev, const char *file, const char *name, enum rn_sample sample,
                  struct rn_kernel **kernel)
{
    struct rn_program *p = NULL;
    int err = get_program(dev, file, name, sample, &p);
    if (err)
        return err;
    RN_LOCKED(&dev->lock);
    for (int i = 0; i < p->n; i++)
        if (!strcmp(p->kernel[i].name, name)) {
            *kernel = &p->kernel[i];
            return 0;
        }
    if (p->n == MAX_KERNELS)
        return rn_fail(RN_EINTERNAL, "kernels/%s has more than %d kernels", file, MAX_KERNELS);
    cl_int code = make_kernel(dev, p->cl, name, sample, &p->kernel[p->n]);
    if (code)
        return code == CL_INVALID_KERNEL_NAME
                   ? rn_fail(RN_EINTERNAL, "kernels/%s has no kernel '%s'", file, name)
                   : rn_cl_check(code, name);
    *kernel = &p->kernel[p->n++];
    return 0;
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
    return rn_cl_check(code, name);
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
