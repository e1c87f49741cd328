/* A file is the key, with its final NUL; the program; and a checksum of both. The key is all that
 * decides what is built, in full: two programs never take each other's place. What is not exactly
 * so counts for nothing, and is written anew. */
#define _GNU_SOURCE /* open_memstream, mkostemp */
#include "filters/core/device/opencl.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "filters/base/text/hash.h"

#define KIND "runnel program 1" /* of the file; another number when it changes */
#define MOST ((off_t)64 << 20)  /* bytes of a file */

struct bytes {
    char *data;
    size_t size;
};

static const char *folder;

void rn_programs_keep_in(const char *path)
{
    folder = path;
}

static bool is_of_use(const struct rn_device *dev)
{
    return folder && strstr(dev->info.platform_name, "Portable Computing Language");
}

/* The path of the file, and its key; false if they cannot be made. The caller frees the key. */
static bool make_key(const struct rn_device *dev, const char *const texts[], int ntexts,
                     const char *options, char path[PATH_MAX], struct bytes *key)
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
    int n = made ? snprintf(path, PATH_MAX, "%s/runnel-%016llx", folder,
                            (unsigned long long)rn_hash(key->data, key->size))
                 : -1;
    return n > 0 && n < PATH_MAX;
}

/* ---- reading */

static bool read_whole(const char *path, struct bytes *file)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool got = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size < MOST;
    *file = (struct bytes){got ? malloc((size_t)st.st_size + 1) : NULL, 0};
    while (file->data && file->size < (size_t)st.st_size) {
        ssize_t n = read(fd, file->data + file->size, (size_t)st.st_size - file->size);
        if (n <= 0)
            break;
        file->size += (size_t)n;
    }
    if (fd >= 0)
        close(fd);
    return file->data && file->size == (size_t)st.st_size;
}

/* The program in a file; empty if it is not the one of this key. */
static struct bytes find_program(const struct bytes *file, const struct bytes *key)
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

/* The same for all that it is built for: one device, or its parts. */
static cl_program make(const struct rn_device *owner, struct bytes binary)
{
    size_t n = (size_t)owner->nbuilt_for;
    const unsigned char **data = calloc(n, sizeof *data);
    size_t *size = calloc(n, sizeof *size);
    cl_program program = NULL;
    cl_int code = 0;
    for (size_t i = 0; data && size && i < n; i++) {
        data[i] = (const unsigned char *)binary.data;
        size[i] = binary.size;
    }
    if (data && size)
        program = clCreateProgramWithBinary(owner->context, (cl_uint)n, owner->built_for, size,
                                            data, NULL, &code);
    if (program &&
        (code || clBuildProgram(program, (cl_uint)n, owner->built_for, NULL, NULL, NULL))) {
        clReleaseProgram(program);
        program = NULL;
    }
    free(data);
    free(size);
    return program;
}

cl_program rn_program_recall(struct rn_device *dev, const char *const texts[], int ntexts,
                             const char *options)
{
    char path[PATH_MAX];
    struct bytes key = {NULL, 0}, file = {NULL, 0};
    cl_program program = NULL;
    if (is_of_use(dev) && make_key(dev, texts, ntexts, options, path, &key) &&
        read_whole(path, &file)) {
        struct bytes binary = find_program(&file, &key);
        program = binary.size ? make(dev->owner, binary) : NULL;
    }
    if (program)
        rn_log(RN_LOG_DEBUG, "a program is taken from '%s'", path);
    free(file.data);
    free(key.data);
    return program;
}

/* ---- writing */

/* The program as the first that it was built for has it. */
static struct bytes get_binary(const struct rn_device *owner, cl_program program)
{
    size_t n = (size_t)owner->nbuilt_for;
    struct bytes binary = {NULL, 0};
    size_t *size = calloc(n, sizeof *size);
    unsigned char **data = calloc(n, sizeof *data);
    cl_int code = size && data ? clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES,
                                                  n * sizeof *size, size, NULL)
                               : CL_OUT_OF_HOST_MEMORY;
    if (!code && size[0] > 0 && size[0] < (size_t)MOST)
        binary = (struct bytes){malloc(size[0]), size[0]};
    if (binary.data) {
        data[0] = (unsigned char *)binary.data; /* NULL: that of the others is left out */
        code = clGetProgramInfo(program, CL_PROGRAM_BINARIES, n * sizeof *data, data, NULL);
    }
    if (code) {
        free(binary.data);
        binary = (struct bytes){NULL, 0};
    }
    free(size);
    free(data);
    return binary;
}

static void write_file(const char *path, const struct bytes *key, const struct bytes *binary)
{
    char temporary[PATH_MAX + 8];
    struct bytes file = {NULL, key->size + binary->size};
    uint64_t sum;
    file.data = malloc(file.size + sizeof sum);
    if (!file.data)
        return;
    memcpy(file.data, key->data, key->size);
    memcpy(file.data + key->size, binary->data, binary->size);
    sum = rn_hash(file.data, file.size);
    memcpy(file.data + file.size, &sum, sizeof sum);
    file.size += sizeof sum;
    snprintf(temporary, sizeof temporary, "%s.XXXXXX", path);
    int fd = mkostemp(temporary, O_CLOEXEC);
    bool written = fd >= 0 && write(fd, file.data, file.size) == (ssize_t)file.size;
    if (fd >= 0 && close(fd) != 0)
        written = false;
    if (fd >= 0 && (!written || rename(temporary, path) != 0))
        unlink(temporary);
    free(file.data);
}

void rn_program_keep(struct rn_device *dev, const char *const texts[], int ntexts,
                     const char *options, cl_program program)
{
    char path[PATH_MAX];
    struct bytes key = {NULL, 0};
    if (is_of_use(dev) && make_key(dev, texts, ntexts, options, path, &key)) {
        struct bytes binary = get_binary(dev->owner, program);
        if (binary.data)
            write_file(path, &key, &binary);
        free(binary.data);
    }
    free(key.data);
}
