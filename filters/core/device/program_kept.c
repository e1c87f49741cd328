/* SPDX-License-Identifier: MIT */
/* PoCL finds what it has compiled by preprocessing each source anew, with all of its headers: 22 ms
 * of processor time a program, at every start. From bitcode it finds the same in 1 ms. Do not keep
 * the binary of a program that is linked instead: to give it out, PoCL compiles every kernel of the
 * program for work-groups of any size, which takes longer than all else of a first run.
 *
 * A file is the key, with its final NUL; the bitcode; and a checksum of both. The key is all that
 * decides what is built, in full: two programs never take each other's place. What is not exactly
 * so counts for nothing, and is written anew. */
#define _GNU_SOURCE /* open_memstream, memmem, gettid */
#include "filters/base/owned.h"
#include "filters/core/device/opencl.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "filters/base/output/private.h"
#include "filters/base/text/hash.h"

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

static bool is_of_use(const struct rn_device *dev)
{
    return folder >= 0 && strstr(dev->info.platform_name, "Portable Computing Language");
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

/* ---- reading */

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
static cl_program make(const struct rn_device *owner, struct bytes bitcode, const char *options)
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

/* ---- writing */

/* The binary of a program as the first that it was compiled for has it; empty if it has none. */
static struct bytes get_binary(const struct rn_device *owner, cl_program program)
{
    size_t n = (size_t)owner->nbuilt_for, size[RN_MAX_PARTS] = {0};
    unsigned char *data[RN_MAX_PARTS] = {NULL}; /* NULL: that of the others is left out */
    if (!clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, n * sizeof *size, size, NULL) &&
        size[0] > 0 && size[0] < (size_t)MOST)
        data[0] = malloc(size[0]);
    if (data[0] && clGetProgramInfo(program, CL_PROGRAM_BINARIES, n * sizeof *data, data, NULL)) {
        free(data[0]);
        data[0] = NULL;
    }
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

/* The source as bitcode; empty if it cannot be had. *log: see rn_program_kept. */
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
        *log = rn_build_log(owner, object, true);
    }
    if (object)
        clReleaseProgram(object);
    return bitcode;
}

static void write_file(const char *name, const struct bytes *key, const struct bytes *bitcode)
{
    char temporary[NAME_SIZE + 24];
    struct bytes file = {NULL, key->size + bitcode->size};
    uint64_t sum;
    file.data = malloc(file.size + sizeof sum);
    if (!file.data)
        return;
    memcpy(file.data, key->data, key->size);
    memcpy(file.data + key->size, bitcode->data, bitcode->size);
    sum = rn_hash(file.data, file.size);
    memcpy(file.data + file.size, &sum, sizeof sum);
    file.size += sizeof sum;
    snprintf(temporary, sizeof temporary, "%s.%ld", name, (long)gettid());
    unlinkat(folder, temporary, 0); /* a killed run may have left it */
    int fd = openat(folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool written = fd >= 0 && write(fd, file.data, file.size) == (ssize_t)file.size;
    if (fd >= 0 && close(fd) != 0)
        written = false;
    if (fd >= 0 && (!written || renameat(folder, temporary, folder, name) != 0))
        unlinkat(folder, temporary, 0);
    free(file.data);
}

/* ---- both */

cl_program rn_program_kept(struct rn_device *dev, const char *const texts[], int ntexts,
                           const char *options, bool compiles, bool declares, char **log)
{
    char name[NAME_SIZE], shorter[RN_OPTIONS_SIZE + 32];
    struct bytes key = {NULL, 0}, file = {NULL, 0}, bitcode = {NULL, 0};
    cl_program program = NULL;
    if (!is_of_use(dev) || !make_key(dev, texts, ntexts, options, name, &key))
        goto done;
    if (read_whole(name, &file))
        bitcode = find_bitcode(&file, &key);
    program = bitcode.size ? make(dev->owner, bitcode, options) : NULL;
    if (program) {
        rn_log(RN_LOG_DEBUG, "a program is taken from '%s/%s'", folder_name, name);
    } else if (compiles) {
        snprintf(shorter, sizeof shorter, "%s -D_OPENCL_H_ -DRN_DECLARE", options); /* clang's */
        bitcode = (struct bytes){NULL, 0}; /* what was found is of the file, and of no use */
        if (declares)
            bitcode = compile(dev->owner, texts, ntexts, shorter, log);
        if (!bitcode.size) {
            free(*log);
            *log = NULL;
            bitcode = compile(dev->owner, texts, ntexts, options, log);
        }
        program = bitcode.size ? make(dev->owner, bitcode, options) : NULL;
        if (program)
            write_file(name, &key, &bitcode);
        free(bitcode.data);
    }
done:
    free(file.data);
    free(key.data);
    return program;
}
