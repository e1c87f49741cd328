/* The other side of mat_worker.h: what runs in the process of its own. */
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

#include <matio.h>

/* As many bytes are read at once: of what is compressed libmatio unpacks all in front of them each
 * time. */
#define AS_TEXT(name) #name
#define TEXT(macro)   AS_TEXT(macro)

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
    static void *library;                                         /* stays */
    library = dlopen(TEXT(RN_HAVE_MATIO), RTLD_NOW | RTLD_LOCAL); /* nothing may be opened later */
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

static char said[100]; /* the first that the library complained of */

/* A newer libmatio says const. */
typedef __typeof__(_Generic(&Mat_LogInitFunc, int (*)(const char *, void (*)(int, char *))
                            : (char *)0, default
                            : (const char *)0)) log_text;

static void keep_message(int level, log_text message)
{
    if ((level & (MATIO_LOG_LEVEL_ERROR | MATIO_LOG_LEVEL_CRITICAL)) && !*said)
        snprintf(said, sizeof said, "%s", message);
}

/* ---- arrays */

/* What the samples of a class are sent as; -1: it holds no numbers. */
static int type_of(const matvar_t *v)
{
    static const int types[] = {
        [MAT_C_DOUBLE] = RN_STORED_F64, [MAT_C_SINGLE] = RN_STORED_F32,
        [MAT_C_INT8] = RN_STORED_S8,    [MAT_C_UINT8] = RN_STORED_U8,
        [MAT_C_INT16] = RN_STORED_S16,  [MAT_C_UINT16] = RN_STORED_U16,
        [MAT_C_INT32] = RN_STORED_S32,  [MAT_C_UINT32] = RN_STORED_U32,
        [MAT_C_INT64] = RN_STORED_S64,  [MAT_C_UINT64] = RN_STORED_U64,
    };
    return v->class_type >= MAT_C_DOUBLE && v->class_type <= MAT_C_UINT64 ? types[v->class_type]
                                                                          : -1;
}

static void describe(const matvar_t *v, struct rn_vol_mat_array *a)
{
    int type = type_of(v);
    *a = (struct rn_vol_mat_array){.kind = type < 0 ? RN_MAT_OTHER : RN_MAT_NUMBERS,
                                   .type = type < 0 ? 0 : type,
                                   .complex = v->isComplex != 0,
                                   .rank = v->rank};
    snprintf(a->name, sizeof a->name, "%s", v->name ? v->name : "");
    for (int i = 0; i < RN_MAT_RANK; i++)
        a->size[i] = i >= v->rank ? 1 : v->dims && v->dims[i] <= INT_MAX ? (int64_t)v->dims[i] : -1;
}

static void send_list(mat_t *mat)
{
    struct rn_vol_mat_reply reply = {.magic = RN_MAT_MAGIC};
    struct rn_vol_mat_array *list = calloc(RN_MAT_MOST, sizeof *list);
    matvar_t *v = NULL;
    while (list && reply.n < RN_MAT_MOST && (v = lib.Mat_VarReadNextInfo(mat)) != NULL) {
        describe(v, &list[reply.n++]);
        lib.Mat_VarFree(v);
    }
    snprintf(reply.why, sizeof reply.why, "%s", *said ? said : "it holds no array");
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
    size_t bytes; /* of one part of a sample */
    int64_t room; /* samples that are read at once */
    uint8_t *re, *im, *pairs;
};

/* Some columns of a picture, or some slices of a time: in any case samples that follow each other.
 * libmatio reads parts of four axes wrongly where the file is no HDF5 (1.5.23), but not as a range;
 * and a range of HDF5 sample by sample. */
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

static void send_columns(const struct job *j, int slice, int time)
{
    for (int64_t c = 0, n; c < j->columns; c += n) {
        n = j->columns - c < j->room / j->rows ? j->columns - c : j->room / j->rows;
        send_part(j, (int[]){0, (int)c, slice, time}, (int[]){(int)j->rows, (int)n, 1, 1});
    }
}

static void send_samples(const struct job *j, int64_t first)
{
    int64_t picture = j->rows * j->columns;
    for (int64_t i = first, n; i < j->slices * j->times; i += n) {
        int slice = (int)(i % j->slices), time = (int)(i / j->slices);
        n = j->room / picture;
        n = n < 1 ? 1 : n < j->slices - slice ? n : j->slices - slice;
        if (picture > j->room)
            send_columns(j, slice, time);
        else
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
    j.bytes = (size_t)rn_vol_sample_type_bytes((enum rn_vol_sample_type)j.a.type);
    if (j.rows < 1 || j.columns < 1 || j.slices < 1 || j.times < 1 || j.rows > RN_MAX_SIDE)
        _exit(1);
    int64_t slab = j.var->compression == MAT_COMPRESSION_NONE ? SLAB : SLAB_PACKED;
    j.room = slab / (int64_t)j.bytes / (j.a.complex ? 4 : 1);
    j.re = malloc((size_t)j.room * j.bytes);
    j.im = j.a.complex ? malloc((size_t)j.room * j.bytes) : NULL;
    j.pairs = j.a.complex ? malloc(2 * (size_t)j.room * j.bytes) : NULL;
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

/* argv: the program, the word, the number of the array (-1: the list), the picture to begin with
 * and the file. */
static int run(char **argv)
{
    int number = atoi(argv[2]), type = 0;
    socklen_t size = sizeof type;
    if (getsockopt(RN_CHILD_SOCKET, SOL_SOCKET, SO_TYPE, &type, &size))
        return -rn_fail(RN_EUSAGE, "'%s' is for the program's own use: it starts it to read .mat",
                        RN_MAT_WORD);
    prctl(PR_SET_NAME, "runnel-mat");
    setenv("HDF5_USE_FILE_LOCKING", "FALSE", 1); /* a folder need not take locks */
    setenv("HDF5_PLUGIN_PRELOAD", "::", 1);      /* a file may name filters that are libraries */
    bool list = number < 0;
    if (!load())
        refuse(true, "");
    lib.Mat_LogInitFunc("runnel", keep_message);
    mat_t *mat = lib.Mat_Open(argv[4], MAT_ACC_RDONLY);
    if (!mat)
        refuse(false, *said ? said : "libmatio cannot open it");
    rn_io_confine(RN_CHILD_SOCKET, RN_CHILD_SOCKET + 8);
    rn_io_confine_memory(0, 0);
    if (list)
        send_list(mat);
    else
        send_array(mat, number, strtoll(argv[3], NULL, 10));
    _exit(0); /* nothing is closed that a file may have spoilt */
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
