/* The child process of mat_worker.h. */
#include "io/volumes/mat/mat_worker.h"

#ifdef RN_HAVE_MATIO /* the name of its library */

#include "filters/base/err.h"
#include "filters/base/log.h"
#include "io/process/child.h"
#include "io/process/confine.h"
#include "io/volumes/volume.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <libavutil/macros.h>
#include <matio.h>

#define AS_TEXT(name) #name
#define TEXT(macro)   AS_TEXT(macro)

/* Bytes of a read. Each read of a compressed array makes libmatio unpack all bytes before it. */
#define SLAB        (32 << 20)
#define SLAB_PACKED (96 << 20)

#define FUNCTIONS(X)                                                                               \
    X(Mat_Open)                                                                                    \
    X(Mat_VarReadNextInfo)                                                                         \
    X(Mat_GetVersion)                                                                              \
    X(Mat_VarReadData)                                                                             \
    X(Mat_VarReadDataLinear)                                                                       \
    X(Mat_VarFree)                                                                                 \
    X(Mat_LogInitFunc)

static struct {
#define MEMBER(name) __typeof__(name) *name;
    FUNCTIONS(MEMBER)
#undef MEMBER
} lib;

static bool load(void)
{
    static void *library;
    library =
        dlopen(TEXT(RN_HAVE_MATIO), RTLD_NOW | RTLD_LOCAL); /* later, opening files is forbidden */
    bool loaded = library != NULL;
#define GET(name)                                                                                  \
    if (loaded)                                                                                    \
        loaded = (*(void **)&lib.name = dlsym(library, #name)) != NULL;
    FUNCTIONS(GET)
#undef GET
    return loaded;
}

/* ---- what is sent */

static void send_all(const void *data, size_t n)
{
    const uint8_t *from = data;
    while (n) {
        ssize_t done = send(RN_CHILD_SOCKET, from, n, MSG_NOSIGNAL);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            _exit(1);
        from += done;
        n -= (size_t)done;
    }
}

static char library_error[100]; /* the first one */

/* A newer libmatio says const. */
typedef __typeof__(_Generic(&Mat_LogInitFunc, int (*)(const char *, void (*)(int, char *))
                            : (char *)0, default
                            : (const char *)0)) log_text;

static void keep_message(int level, log_text message)
{
    if ((level & (MATIO_LOG_LEVEL_ERROR | MATIO_LOG_LEVEL_CRITICAL)) && !*library_error)
        snprintf(library_error, sizeof library_error, "%s", message);
}

/* ---- arrays */

static void describe(const matvar_t *v, struct rn_vol_mat_array *a)
{
    static const int types[] = {
        [MAT_C_DOUBLE] = RN_STORED_F64, [MAT_C_SINGLE] = RN_STORED_F32,
        [MAT_C_INT8] = RN_STORED_S8,    [MAT_C_UINT8] = RN_STORED_U8,
        [MAT_C_INT16] = RN_STORED_S16,  [MAT_C_UINT16] = RN_STORED_U16,
        [MAT_C_INT32] = RN_STORED_S32,  [MAT_C_UINT32] = RN_STORED_U32,
        [MAT_C_INT64] = RN_STORED_S64,  [MAT_C_UINT64] = RN_STORED_U64,
    };
    bool numbers = v->class_type >= MAT_C_DOUBLE && v->class_type <= MAT_C_UINT64;
    *a = (struct rn_vol_mat_array){.kind = numbers ? RN_MAT_NUMBERS : RN_MAT_OTHER,
                                   .type = numbers ? types[v->class_type] : 0,
                                   .complex = v->isComplex != 0,
                                   .rank = v->rank};
    snprintf(a->name, sizeof a->name, "%s", v->name ? v->name : "");
    for (int i = 0; i < RN_MAT_RANK; i++)
        a->size[i] = i >= v->rank ? 1 : v->dims && v->dims[i] <= INT_MAX ? (int64_t)v->dims[i] : -1;
}

static void send_list(mat_t *mat)
{
    struct rn_vol_mat_reply reply = {.magic = RN_MAT_MAGIC};
    struct rn_vol_mat_array *list = calloc(RN_MAT_MAX_ARRAYS, sizeof *list);
    matvar_t *v = NULL;
    while (list && reply.n < RN_MAT_MAX_ARRAYS && (v = lib.Mat_VarReadNextInfo(mat)) != NULL) {
        describe(v, &list[reply.n++]);
        lib.Mat_VarFree(v);
    }
    snprintf(reply.why, sizeof reply.why, "%s",
             *library_error ? library_error : "it holds no array");
    send_all(&reply, sizeof reply);
    if (list)
        send_all(list, (size_t)reply.n * sizeof *list);
}

/* ---- samples */

struct job {
    mat_t *mat;
    matvar_t *var;
    struct rn_vol_mat_array a;
    int64_t rows, columns, slices, times;
    size_t bytes;  /* of one part of a sample */
    int64_t batch; /* samples of a read */
    uint8_t *re, *im, *pairs;
};

/* Reads some columns of a picture, or some slices of a time: contiguous samples in any case.
 * libmatio (1.5.23) reads hyperslabs of four axes wrongly unless the file is HDF5, but ranges
 * correctly; and it reads ranges of HDF5 sample by sample. */
static int read_part(const struct job *j, void *to, const int start[4], const int edge[4], size_t n)
{
    int stride[] = {1, 1, 1, 1}, from[4], size[4];
    memcpy(from, start, sizeof from);
    memcpy(size, edge, sizeof size);
    if (lib.Mat_GetVersion(j->mat) == MAT_FT_MAT73)
        return lib.Mat_VarReadData(j->mat, j->var, to, from, stride, size);
    int64_t first = start[1] * j->rows + (start[2] + start[3] * j->slices) * (j->rows * j->columns);
    if (first + (int64_t)n > INT_MAX)
        return -1;
    return lib.Mat_VarReadDataLinear(j->mat, j->var, to, (int)first, 1, (int)n);
}

static void send_part(const struct job *j, const int start[4], const int edge[4])
{
    mat_complex_split_t split = {j->re, j->im};
    size_t n = (size_t)edge[0] * (size_t)edge[1] * (size_t)edge[2];
    if (read_part(j, j->a.complex ? (void *)&split : j->re, start, edge, n))
        _exit(1);
    if (!j->a.complex) {
        send_all(j->re, n * j->bytes);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        memcpy(j->pairs + 2 * i * j->bytes, j->re + i * j->bytes, j->bytes);
        memcpy(j->pairs + (2 * i + 1) * j->bytes, j->im + i * j->bytes, j->bytes);
    }
    send_all(j->pairs, 2 * n * j->bytes);
}

static void send_samples(const struct job *j, int64_t first)
{
    int64_t picture = j->rows * j->columns;
    for (int64_t i = first, n; i < j->slices * j->times; i += n) {
        int slice = (int)(i % j->slices), time = (int)(i / j->slices);
        n = j->batch / picture;
        n = n < 1 ? 1 : n < j->slices - slice ? n : j->slices - slice;
        for (int64_t c = 0, columns; c < j->columns && picture > j->batch; c += columns) {
            columns = FFMIN(j->columns - c, j->batch / j->rows);
            send_part(j, (int[]){0, (int)c, slice, time},
                      (int[]){(int)j->rows, (int)columns, 1, 1});
        }
        if (picture <= j->batch)
            send_part(j, (int[]){0, 0, slice, time},
                      (int[]){(int)j->rows, (int)j->columns, (int)n, 1});
    }
}

static void send_array(mat_t *mat, int number, int64_t first)
{
    struct job j = {.mat = mat};
    for (int i = 0; i <= number; i++) {
        if (j.var)
            lib.Mat_VarFree(j.var);
        if (!(j.var = lib.Mat_VarReadNextInfo(mat)))
            _exit(1);
    }
    describe(j.var, &j.a);
    if (j.a.kind != RN_MAT_NUMBERS || j.a.rank < 2 || j.a.rank > 4)
        _exit(1);
    j.rows = j.a.size[0];
    j.columns = j.a.size[1];
    j.slices = j.a.size[2];
    j.times = j.a.size[3];
    j.bytes = (size_t)rn_vol_sample_types[j.a.type].bytes;
    if (j.rows < 1 || j.columns < 1 || j.slices < 1 || j.times < 1 || j.rows > RN_MAX_SIDE)
        _exit(1);
    int64_t slab = j.var->compression == MAT_COMPRESSION_NONE ? SLAB : SLAB_PACKED;
    j.batch = slab / (int64_t)j.bytes / (j.a.complex ? 4 : 1);
    j.re = malloc((size_t)j.batch * j.bytes);
    j.im = j.a.complex ? malloc((size_t)j.batch * j.bytes) : NULL;
    j.pairs = j.a.complex ? malloc(2 * (size_t)j.batch * j.bytes) : NULL;
    if (!j.re || (j.a.complex && (!j.im || !j.pairs)))
        _exit(1);
    send_samples(&j, first);
}

/* ---- the process */

static void refuse(bool missing, const char *why)
{
    struct rn_vol_mat_reply reply = {.magic = RN_MAT_MAGIC, .missing = missing};
    snprintf(reply.why, sizeof reply.why, "%s", why);
    send_all(&reply, sizeof reply);
    _exit(1);
}

/* path: the file that libmatio is still to open; NULL: none. */
static void confine(const char *path)
{
    const char *missing = rn_io_confine(RN_CHILD_SOCKET, RN_CHILD_SOCKET + 8, path);
    char why[120];
    if (!missing)
        return;
    snprintf(why, sizeof why, "its process would not be confined: %s", missing);
    refuse(false, why);
}

/* argv: the program, RN_MAT_WORD, the index of the array (-1: the list), the first picture, the
 * file. */
static int run(char **argv)
{
    int number = atoi(argv[2]), type = 0;
    socklen_t size = sizeof type;
    if (getsockopt(RN_CHILD_SOCKET, SOL_SOCKET, SO_TYPE, &type, &size))
        return -rn_fail(RN_EUSAGE, "'%s' is for the program's own use: it starts it to read .mat",
                        RN_MAT_WORD);
    prctl(PR_SET_NAME, "runnel-mat");
    setenv("HDF5_USE_FILE_LOCKING", "FALSE", 1); /* not all file systems have locks */
    setenv("HDF5_PLUGIN_PRELOAD", "::", 1);      /* a file may name filter libraries */
    bool list = number < 0;
    if (!load())
        refuse(true, "");
    lib.Mat_LogInitFunc("runnel", keep_message);
    confine(argv[4]);
    rn_io_confine_memory(0, 0);
    mat_t *mat = lib.Mat_Open(argv[4], MAT_ACC_RDONLY);
    if (!mat)
        refuse(false, *library_error ? library_error : "libmatio cannot open it");
    confine(NULL);
    if (list)
        send_list(mat);
    else
        send_array(mat, number, strtoll(argv[3], NULL, 10));
    _exit(0); /* closes nothing: the file may have corrupted memory */
}

bool rn_vol_mat_worker_main(int argc, char **argv, int *status)
{
    bool worker = argc == 5 && !strcmp(argv[1], RN_MAT_WORD);
    if (worker)
        *status = run(argv);
    else
        rn_vol_mat_worker_allow();
    return worker;
}

#else

bool rn_vol_mat_worker_main(int argc, char **argv, int *status)
{
    (void)argc, (void)argv, (void)status;
    return false;
}

#endif
