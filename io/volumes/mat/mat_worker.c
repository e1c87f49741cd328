/* SPDX-License-Identifier: MIT */
/* The child process of mat_worker.h: runnel-mat.so, which front.c loads instead of a half. */
#include "io/volumes/mat/mat_worker.h"

#include "filters/base/log.h"
#include "filters/base/owned.h"
#include "io/process/confine.h"
#include "io/volumes/bytes.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include <libavutil/avconfig.h>
#include <libavutil/intreadwrite.h>
#include <libavutil/macros.h>
#include <matio.h>

#define AS_TEXT(name) #name
#define TEXT(macro)   AS_TEXT(macro)

/* Bytes of a read. Each read of a compressed array makes libmatio unpack all bytes before it, so
 * this process inflates by itself what it can. */
#define SLAB          (32 << 20)
#define SLAB_PACKED   (96 << 20)
#define SLAB_INFLATED (1 << 20)

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
    if (!rn_io_child_send(data, n))
        _exit(1);
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

/* ---- elements of version 5 (MAT-File Format, "Level 5"): a tag of type and size, then a value */

enum { TAG = 8, BLOCK = 4096 }; /* bytes of a tag, and of zeros that pad a file */

struct elements {
    int fd; /* -1: another version */
    struct rn_vol_bytes *file;
    bool is_big;       /* big endian */
    int64_t next, end; /* offsets of the next one and of the file's end */
    /* the samples of the current array, or one of their two parts */
    int64_t begin;
    enum rn_vol_packing packing;
    struct rn_vol_bytes *bytes; /* unpacked; its offsets count from the array's tag */
    int type;                   /* enum rn_vol_sample_type as stored; -1: no numbers */
    int64_t at, size;
};

static void open_elements(struct elements *e, mat_t *mat, int fd)
{
    char endian[2] = "";
    *e = (struct elements){.fd = -1, .next = 128, .type = -1};
    if (lib.Mat_GetVersion(mat) != MAT_FT_MAT5 || fd < 0 ||
        rn_vol_bytes_borrow(&e->file, fd, 0, RN_PACKING_NONE) ||
        rn_vol_bytes_read(e->file, 126, endian, 2) != 2)
        return;
    e->fd = fd;
    e->end = lseek(fd, 0, SEEK_END);
    e->is_big = memcmp(endian, "IM", 2) != 0;
}

/* Returns the offset of the value, or 0 at the end. A value of up to 4 bytes may share the 8 bytes
 * of its tag. */
static int64_t read_tag(const struct elements *e, struct rn_vol_bytes *bytes, int64_t at,
                        uint32_t tag[2])
{
    uint8_t head[TAG];
    if (rn_vol_bytes_read(bytes, at, head, TAG) != TAG)
        return 0;
    for (int i = 0; i < 2; i++)
        tag[i] = e->is_big ? AV_RB32(head + 4 * i) : AV_RL32(head + 4 * i);
    bool shared = tag[0] >> 16 != 0;
    if (shared) {
        tag[1] = tag[0] >> 16;
        tag[0] &= 0xFFFF;
    }
    return shared ? at + TAG / 2 : at + TAG;
}

enum { FLAGS, SIZES, NAME, SAMPLES, IMAGINARY, MAX_PART = 4096 };

/* Finds SAMPLES or IMAGINARY, and opens a stream for them. */
static bool find_part(struct elements *e, int last)
{
    static const int types[] = {
        [MAT_T_INT8] = RN_STORED_S8,    [MAT_T_UINT8] = RN_STORED_U8,
        [MAT_T_INT16] = RN_STORED_S16,  [MAT_T_UINT16] = RN_STORED_U16,
        [MAT_T_INT32] = RN_STORED_S32,  [MAT_T_UINT32] = RN_STORED_U32,
        [MAT_T_SINGLE] = RN_STORED_F32, [MAT_T_DOUBLE] = RN_STORED_F64,
        [MAT_T_INT64] = RN_STORED_S64,  [MAT_T_UINT64] = RN_STORED_U64,
    };
    uint32_t tag[2];
    if (rn_vol_bytes_borrow(&e->bytes, e->fd, e->begin, e->packing))
        return false;
    int64_t at = read_tag(e, e->bytes, 0, tag);
    tag[1] = 0;
    for (int part = FLAGS; at && part <= last; part++)
        at = part < IMAGINARY && tag[1] > MAX_PART
                 ? 0
                 : read_tag(e, e->bytes, FFALIGN(at + (int64_t)tag[1], 8), tag);
    e->at = at;
    e->size = tag[1];
    e->type = at && tag[0] < FF_ARRAY_ELEMS(types) && (types[tag[0]] || tag[0] == MAT_T_UINT8)
                  ? types[tag[0]]
                  : -1;
    return true;
}

/* Goes to the next array and finds its samples. Returns false at the end. */
static bool next_element(struct elements *e)
{
    uint32_t tag[2];
    rn_vol_bytes_close(&e->bytes);
    e->type = -1;
    int64_t at = e->fd < 0 ? 0 : read_tag(e, e->file, e->next, tag);
    e->packing = at && tag[0] == MAT_T_COMPRESSED ? RN_PACKING_ZLIB : RN_PACKING_NONE;
    if (!at || (!e->packing && tag[0] != MAT_T_MATRIX))
        return false;
    e->begin = e->packing ? at : e->next;
    e->next = FFMIN(at + tag[1], e->end);
    return find_part(e, SAMPLES);
}

/* Returns the bytes that the samples of an array have, as it stores them. */
static double stored_size(const struct elements *e, const struct rn_vol_mat_array *a)
{
    double size = rn_vol_sample_types[e->type].bytes;
    for (int i = 0; i < RN_MAT_RANK; i++)
        size *= (double)FFMAX(a->size[i], 0);
    return size;
}

/* Returns true if inflate_part() gives all that libmatio gives. */
static bool can_inflate(const struct elements *e, const struct rn_vol_mat_array *a)
{
    if (e->type < 0 || (double)e->size < stored_size(e, a))
        return false;
    const struct rn_vol_sample_info *in = &rn_vol_sample_types[e->type];
    const struct rn_vol_sample_info *out = &rn_vol_sample_types[a->type];
    bool exact = out->number == RN_NUMBER_FLOAT ? in->bytes < 8 : in->number != RN_NUMBER_FLOAT;
    return e->type == a->type || (in->bytes <= out->bytes && exact);
}

/* Stores a sample as its class has it: MATLAB stores small whole numbers in fewer bytes. */
static void convert(uint8_t *to, int type, const uint8_t *from, int stored, bool is_big)
{
    const struct rn_vol_sample_info *in = &rn_vol_sample_types[stored],
                                    *out = &rn_vol_sample_types[type];
    if (out->number == RN_NUMBER_FLOAT) {
        rn_vol_sample_store(type, rn_vol_sample_value(stored, from, is_big), to);
        return;
    }
    int n = out->bytes, unused = 64 - 8 * in->bytes; /* a double would round whole numbers */
    uint64_t u = rn_vol_number(from, (size_t)in->bytes, is_big);
    if (in->number == RN_NUMBER_SIGNED)
        u = (uint64_t)((int64_t)(u << unused) >> unused);
    for (int i = 0; i < n; i++)
        to[AV_HAVE_BIGENDIAN ? n - 1 - i : i] = (uint8_t)(u >> 8 * i);
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

static void send_list(mat_t *mat, struct elements *e)
{
    struct rn_vol_mat_reply reply = {.magic = RN_MAT_MAGIC};
    RN_OWNED(rn_free_owned)
    struct rn_vol_mat_array *list = calloc(RN_MAT_MAX_ARRAYS, sizeof *list);
    matvar_t *v = NULL;
    while (list && reply.n < RN_MAT_MAX_ARRAYS && (v = lib.Mat_VarReadNextInfo(mat)) != NULL) {
        struct rn_vol_mat_array *a = &list[reply.n++];
        describe(v, a);
        lib.Mat_VarFree(v);
        if (next_element(e) && e->type >= 0 && (double)e->size > stored_size(e, a))
            a->surplus = e->size - (int64_t)stored_size(e, a);
    }
    int unread = 0; /* by libmatio */
    while (unread < RN_MAT_MAX_ARRAYS && next_element(e))
        unread++;
    for (int i = 0; i < reply.n && e->fd >= 0 && unread < RN_MAT_MAX_ARRAYS; i++)
        list[i].surplus += rn_vol_bytes_surplus(e->file, e->next, e->end, TAG, BLOCK);
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

static void send_slab(const struct job *j, size_t n)
{
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
    mat_complex_split_t split = {j->re, j->im};
    void *to = j->a.complex ? (void *)&split : j->re;
    for (int64_t i = first, n; i < j->slices * j->times; i += n) {
        int slice = (int)(i % j->slices), time = (int)(i / j->slices);
        n = j->batch / picture;
        n = n < 1 ? 1 : n < j->slices - slice ? n : j->slices - slice;
        for (int64_t c = 0, columns; c < j->columns; c += columns) {
            columns = FFMIN(j->columns - c, j->batch / j->rows);
            const int start[] = {0, (int)c, slice, time};
            const int edge[] = {(int)j->rows, (int)columns, (int)n, 1};
            size_t all = (size_t)(j->rows * columns * n);
            if (read_part(j, to, start, edge, all))
                _exit(1);
            send_slab(j, all);
        }
    }
}

/* Inflates n samples, or one part of them, from the i-th on. Returns how many there were. */
static size_t inflate_part(const struct job *j, const struct elements *e, int64_t i, uint8_t *to,
                           size_t n)
{
    size_t stored = (size_t)rn_vol_sample_types[e->type].bytes;
    uint8_t *from = to + n * (j->bytes - stored); /* converted in place, from the front */
    size_t got =
        rn_vol_bytes_read(e->bytes, e->at + i * (int64_t)stored, from, n * stored) / stored;
    bool is_same = e->type == j->a.type && e->is_big == AV_HAVE_BIGENDIAN;
    for (size_t k = 0; k < got && !is_same; k++)
        convert(to + k * j->bytes, j->a.type, from + k * stored, e->type, e->is_big);
    return got;
}

/* Inflates the samples itself: libmatio would begin anew for each slab. */
static void send_inflated(const struct job *j, const struct elements part[2], int64_t first)
{
    int64_t picture = j->rows * j->columns, all = picture * j->slices * j->times;
    size_t got = 1, n = 1;
    for (int64_t i = first * picture; i < all && got == n; i += (int64_t)n) {
        n = (size_t)FFMIN(j->batch, all - i);
        got = inflate_part(j, &part[0], i, j->re, n);
        size_t imaginary = j->a.complex ? inflate_part(j, &part[1], i, j->im, n) : n;
        got = FFMIN(got, imaginary);
        send_slab(j, got);
    }
}

static void send_array(mat_t *mat, struct elements *e, int number, int64_t first)
{
    struct job j = {.mat = mat};
    for (int i = 0; i <= number; i++) {
        if (j.var)
            lib.Mat_VarFree(j.var);
        if (!(j.var = lib.Mat_VarReadNextInfo(mat)))
            _exit(1);
        next_element(e);
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
    bool packed = j.var->compression != MAT_COMPRESSION_NONE;
    struct elements part[] = {*e, *e};
    bool inflates =
        packed && can_inflate(e, &j.a) &&
        (!j.a.complex || (find_part(&part[1], IMAGINARY) && can_inflate(&part[1], &j.a)));
    int64_t slab = inflates ? SLAB_INFLATED : packed ? SLAB_PACKED : SLAB;
    j.batch = slab / (int64_t)j.bytes / (j.a.complex ? 4 : 1);
    j.re = malloc((size_t)j.batch * j.bytes);
    j.im = j.a.complex ? malloc((size_t)j.batch * j.bytes) : NULL;
    j.pairs = j.a.complex ? malloc(2 * (size_t)j.batch * j.bytes) : NULL;
    if (!j.re || (j.a.complex && (!j.im || !j.pairs)))
        _exit(1);
    if (inflates)
        send_inflated(&j, part, first);
    else
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
int rn_vol_mat_worker_main(int argc, char **argv)
{
    int number = argc == 5 ? atoi(argv[2]) : 0, type = 0;
    socklen_t size = sizeof type;
    if (argc != 5 || getsockopt(RN_CHILD_SOCKET, SOL_SOCKET, SO_TYPE, &type, &size))
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
    int fd = open(argv[4], O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (!mat)
        refuse(false, *library_error ? library_error : "libmatio cannot open it");
    confine(NULL);
    struct elements e;
    open_elements(&e, mat, fd);
    if (list)
        send_list(mat, &e);
    else
        send_array(mat, &e, number, strtoll(argv[3], NULL, 10));
    _exit(0); /* closes nothing: the file may have corrupted memory */
}
