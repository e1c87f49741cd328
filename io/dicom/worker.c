/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* memfd_create, file seals */
#include "io/dicom/worker.h"

#include "filters/base/log.h"
#include "io/common/read_at.h"
#include "io/dicom/gdcm/worker_messages.h"
#include "io/process/child.h"
#include "io/volumes/volume.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>

static char program[PATH_MAX]; /* the executable of a worker; "": not set */

struct rn_dicom_worker {
    struct rn_io_child child;
    int memory; /* descriptor of pixels; -1: not created */
    uint8_t *pixels;
    size_t size;     /* bytes of pixels; 0: not mapped */
    uint32_t number; /* of the last request */
};

int rn_dicom_worker_set_program(const char *path)
{
    if (access(path, X_OK) != 0) /* also for a path that is too long for program */
        return rn_fail(RN_EUSAGE, "'%s' cannot be executed to read DICOM: %s", path,
                       strerror(errno));
    snprintf(program, sizeof program, "%s", path);
    return 0;
}

/* ---- its process */

/* A bool from another process may hold any byte; reading one other than 0 or 1 is undefined. */
static bool is_bool(const bool *b)
{
    unsigned char byte;
    memcpy(&byte, b, 1);
    return byte <= 1;
}

/* Checks the values that sizes are computed from. */
static bool is_sane(const struct rn_dicom_header *h)
{
    return is_bool(&h->is_plain) && is_bool(&h->is_signed) && is_bool(&h->is_inverted) &&
           is_bool(&h->has_number) && is_bool(&h->has_places) && is_bool(&h->has_modality_table) &&
           is_bool(&h->has_voi_table) && is_bool(&h->is_tabled) && h->w >= 1 && h->w <= 0xFFFF &&
           h->h >= 1 && h->h <= 0xFFFF && h->frames >= 1 && h->mosaic >= 0 && h->mosaic <= 64 &&
           h->w * h->mosaic <= 0xFFFF && h->h * h->mosaic <= 0xFFFF &&
           h->frames <= (h->mosaic ? h->mosaic * h->mosaic : INT_MAX) &&
           (h->colours == 1 || h->colours == 3) &&
           (h->bytes == 1 || h->bytes == 2 || (h->bytes == 4 && h->colours == 1)) && h->bits >= 1 &&
           h->bits <= 8 * h->bytes && h->pixel_bits >= 1 && h->pixel_bits <= 96;
}

static bool is_finite(const double *v, int n)
{
    while (n-- > 0)
        if (!isfinite(v[n]))
            return false;
    return true;
}

/* Treats values that are not finite as not given, since pictures are sorted by some of them, and
 * positions without orthogonal unit vectors. Returns false if the place is invalid. */
static bool is_sane_place(struct rn_dicom_place *p)
{
    if (!is_bool(&p->has_position))
        return false;
    p->has_position = p->has_position && is_finite(p->origin, 3) &&
                      fabs(rn_vol_dot(p->row, p->row) - 1) < 0.01 &&
                      fabs(rn_vol_dot(p->column, p->column) - 1) < 0.01 &&
                      fabs(rn_vol_dot(p->row, p->column)) < 0.01;
    if (!isfinite(p->slope) || !isfinite(p->intercept)) {
        p->slope = 1;
        p->intercept = 0;
    }
    if (!is_finite(p->spacing, 2) || p->spacing[0] <= 0 || p->spacing[1] <= 0)
        p->spacing[0] = p->spacing[1] = 0;
    for (int i = 0; i < RN_DICOM_MARKS; i++)
        p->mark[i] = isfinite(p->mark[i]) ? p->mark[i] : (double)NAN;
    return true;
}

/* Receives a message. ECONNRESET only reports that the worker left requests unread; messages may
 * follow. Returns false at the end. */
static bool receive(const struct rn_dicom_worker *w, struct rn_dicom_reply *reply)
{
    ssize_t n;
    do
        n = recv(w->child.socket, reply, sizeof *reply, 0);
    while (n < 0 && (errno == EINTR || errno == ECONNRESET));
    struct rn_dicom_entry *e = &reply->entry;
    struct rn_dicom_header *h = &e->header;
    char *const texts[] = {h->series, h->instance, h->type, h->modality, h->description};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) /* the worker is not trusted */
        texts[i][RN_DICOM_TEXT - 1] = '\0';
    h->unit[sizeof h->unit - 1] = '\0';
    e->why[sizeof e->why - 1] = '\0';
    return n == (ssize_t)sizeof *reply && is_bool(&reply->filtered);
}

static int start_process(struct rn_dicom_worker *w)
{
    char name[] = "runnel", word[] = RN_DICOM_WORKER_WORD;
    char *argv[] = {name, word, NULL};
    struct rn_dicom_reply hello = {.kind = RN_DICOM_DONE};
    int err = rn_io_child_start(&w->child, program, argv, SOCK_SEQPACKET, w->memory);
    if (!err && receive(w, &hello) && hello.kind == RN_DICOM_HELLO &&
        hello.number == RN_DICOM_PROTOCOL && !*hello.entry.why) {
        if (!hello.filtered)
            rn_log(RN_LOG_DEBUG, "the process that reads DICOM may make any system call");
        return 0;
    }
    rn_io_child_end(&w->child);
    char part[PATH_MAX];
    if (*hello.entry.why)
        return rn_fail(RN_EINTERNAL, "DICOM is not read: its process would not be confined: %s",
                       hello.entry.why);
    if (!err && rn_io_child_beside(RN_DICOM_MODULE, part)) { /* does it load? */
        void *module = dlopen(part, RTLD_NOW | RTLD_LOCAL);
        if (!module)
            return rn_fail(RN_EINTERNAL, "DICOM is read by " RN_DICOM_MODULE ": %s", dlerror());
        dlclose(module);
    }
    return rn_fail(RN_EINTERNAL, "cannot start the process that reads DICOM: %s",
                   err ? strerror(err) : "the program is of another version, or does not read it");
}

int rn_dicom_worker_start(struct rn_dicom_worker **worker)
{
    /* A program that does not know the hidden command would start itself over and over. */
    if (getenv(RN_CHILD_MARK))
        return rn_fail(RN_EINTERNAL, "this process was started to read DICOM files for another, "
                                     "and does not know how");
    if (!*program)
        return rn_fail(RN_EINTERNAL, "DICOM is read in a process of its own: name its program with "
                                     "rn_dicom_worker_set_program");
    struct rn_dicom_worker *w = calloc(1, sizeof *w);
    if (!w)
        return rn_fail_memory();
    w->child.socket = -1;
    w->memory = rn_io_child_lift(memfd_create("runnel-dicom", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    int err = w->memory >= 0 ? start_process(w)
                             : rn_fail(RN_EINTERNAL, "cannot share memory: %s", strerror(errno));
    *worker = w;
    if (err)
        rn_dicom_worker_stop(worker);
    return err;
}

void rn_dicom_worker_stop(struct rn_dicom_worker **worker)
{
    struct rn_dicom_worker *w = rn_take_owned(worker);
    if (!w)
        return;
    rn_io_child_end(&w->child);
    if (w->size)
        munmap(w->pixels, w->size);
    if (w->memory >= 0)
        close(w->memory);
    free(w);
}

/* Seals the memory's size: shrinking it would crash the other process. */
int rn_dicom_worker_reserve(struct rn_dicom_worker *w, size_t size)
{
    size += RN_DICOM_PADDING;
    void *memory = MAP_FAILED;
    if (ftruncate(w->memory, (off_t)size) == 0 &&
        fcntl(w->memory, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
        memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, w->memory, 0);
    if (memory == MAP_FAILED)
        return rn_fail(RN_EINTERNAL, "cannot share %zu bytes of memory: %s", size, strerror(errno));
    w->pixels = memory;
    w->size = size;
    return 0;
}

/* ---- requests */

static bool send_request(const struct rn_dicom_worker *w, struct rn_dicom_request *request,
                         int file)
{
    union {
        struct cmsghdr head;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control;
    memset(&control, 0, sizeof control);
    struct iovec data = {request, sizeof *request};
    struct msghdr m = {.msg_iov = &data,
                       .msg_iovlen = 1,
                       .msg_control = control.bytes,
                       .msg_controllen = sizeof control.bytes};
    struct cmsghdr *c = CMSG_FIRSTHDR(&m);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(sizeof file);
    memcpy(CMSG_DATA(c), &file, sizeof file);
    ssize_t n;
    do
        n = sendmsg(w->child.socket, &m, MSG_NOSIGNAL);
    while (n < 0 && errno == EINTR);
    return n >= 0;
}

enum outcome { DONE, STOPPED, DIED, NOT_TAKEN, NOT_OPENED };

/* Waits for a reply; take receives the parts before it. */
struct waiter {
    const atomic_bool *stop;
    rn_dicom_part *take; /* may be NULL */
    void *arg;
};

/* Polls for 20 ms at a time, so that a stop takes effect soon. */
static enum outcome await(struct rn_dicom_worker *w, const struct waiter *waiter,
                          struct rn_dicom_reply *reply)
{
    struct pollfd readable = {.fd = w->child.socket, .events = POLLIN};
    bool taken = false;
    while (!(waiter->stop && atomic_load(waiter->stop))) {
        if (poll(&readable, 1, 20) <= 0)
            continue;
        if (!receive(w, reply))
            return taken ? DIED : NOT_TAKEN;
        if (reply->number != w->number)
            continue; /* of a request that was stopped */
        if (reply->kind == RN_DICOM_DONE)
            return DONE;
        if (reply->kind == RN_DICOM_PART && waiter->take &&
            is_sane_place(&reply->entry.header.place))
            waiter->take(waiter->arg, &reply->entry);
        taken = true;
    }
    return STOPPED;
}

/* If a worker dies while it reads a file, the file is unreadable. If it died before, the request
 * goes to a new worker. */
static enum outcome send_and_await(struct rn_dicom_worker *w, struct rn_dicom_request *request,
                                   int file, const struct waiter *waiter,
                                   struct rn_dicom_reply *reply)
{
    enum outcome outcome = NOT_TAKEN;
    for (int tries = 0; tries < 3 && outcome == NOT_TAKEN; tries++) {
        if (w->child.pid == 0 && start_process(w) != 0)
            break;
        request->number = ++w->number;
        if (send_request(w, request, file))
            outcome = await(w, waiter, reply);
        if (outcome == DIED || outcome == NOT_TAKEN)
            rn_io_child_end(&w->child);
    }
    return outcome;
}

/* Opens the file, which the worker may not, and sends it. Returns false with the reason in why. */
static bool request_file(struct rn_dicom_worker *w, const char *path,
                         struct rn_dicom_request *request, const struct waiter *waiter,
                         struct rn_dicom_reply *reply, char *why, size_t size)
{
    struct stat st;
    RN_OWNED(rn_close_owned)
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    bool regular = file >= 0 && fstat(file, &st) == 0 && S_ISREG(st.st_mode);
    enum outcome outcome = NOT_OPENED;
    char byte;
    bool readable = !regular || rn_io_read_at(file, &byte, 1, 0) >= 0; /* GDCM gives no reason */
    int cause = errno;
    if (regular && readable) {
        request->file_size = (uint64_t)st.st_size;
        outcome = send_and_await(w, request, file, waiter, reply);
    }
    if (outcome == NOT_OPENED && readable)
        snprintf(why, size, "cannot be opened: %s", file < 0 ? strerror(errno) : "it is no file");
    else if (!readable)
        snprintf(why, size, "cannot be read: %s", strerror(cause));
    else if (outcome != DONE)
        snprintf(why, size, "%s",
                 outcome == NOT_TAKEN ? "was not read: the process that reads DICOM does not last"
                                      : "cannot be read as DICOM");
    return outcome == DONE;
}

static double length_or_none(double mm)
{
    return isfinite(mm) && mm > 0 ? mm : 0;
}

/* Such a text is written unchanged. ESC switches character sets; other control characters make a
 * text unsound. */
static bool is_sound(const char *text, bool is_uid)
{
    if (is_uid)
        return text[strspn(text, "0123456789.")] == '\0' && strlen(text) <= 64;
    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
        if (*c < ' ' && *c != 0x1B)
            return false;
    return true;
}

static void drop_unsound(rn_dicom_source_texts source)
{
    for (int i = 0; i < RN_DICOM_SOURCE_TEXTS; i++) {
        source[i][RN_DICOM_SOURCE_TEXT - 1] = '\0';
        if (!is_sound(source[i], i < RN_DICOM_UIDS))
            *source[i] = '\0';
    }
}

void rn_dicom_describe(struct rn_dicom_worker *w, const char *path, struct rn_dicom_entry *entry,
                       rn_dicom_part *take, void *arg)
{
    struct rn_dicom_request request;
    struct rn_dicom_reply reply;
    const struct waiter waiter = {NULL, take, arg};
    memset(entry, 0, sizeof *entry);
    memset(&request, 0, sizeof request);
    if (!request_file(w, path, &request, &waiter, &reply, entry->why, sizeof entry->why))
        return;
    *entry = reply.entry;
    if (entry->result != RN_DICOM_OK)
        return;
    if (is_sane(&entry->header) && is_sane_place(&entry->header.place)) {
        struct rn_dicom_header *h = &entry->header;
        h->thickness = length_or_none(h->thickness);
        h->between = length_or_none(h->between);
        if (!is_finite(h->window, 2) || h->window[1] <= 0)
            h->window[0] = h->window[1] = 0;
        drop_unsound(entry->source);
        return;
    }
    entry->result = RN_DICOM_UNREADABLE;
    snprintf(entry->why, sizeof entry->why, "cannot be read as DICOM");
}

const uint8_t *rn_dicom_copy(struct rn_dicom_worker *w, const char *path, unsigned changed,
                             size_t *size)
{
    struct rn_dicom_reply reply;
    struct rn_dicom_request request;
    const struct waiter waiter = {0};
    char why[200]; /* who asks needs none */
    memset(&request, 0, sizeof request);
    request.what = RN_DICOM_COPY;
    request.changed = changed;
    request.memory = w->size;
    bool read = request_file(w, path, &request, &waiter, &reply, why, sizeof why) && reply.size > 0;
    *size = read && reply.size <= w->size ? (size_t)reply.size : 0;
    return *size ? w->pixels : NULL;
}

const uint8_t *rn_dicom_decode(struct rn_dicom_worker *w, const char *path,
                               const struct rn_dicom_header *header, int frame, bool again,
                               const atomic_bool *stop, bool *others, char *why, size_t size)
{
    struct rn_dicom_request request;
    struct rn_dicom_reply reply;
    const struct waiter waiter = {.stop = stop};
    *others = false;
    memset(&request, 0, sizeof request);
    request.what = RN_DICOM_DECODE;
    request.header = *header;
    request.frame = frame;
    request.again = again;
    request.memory = w->size;
    if (!request_file(w, path, &request, &waiter, &reply, why, size))
        return NULL;
    if (reply.entry.result == RN_DICOM_OK)
        return w->pixels;
    *others = reply.entry.result == RN_DICOM_NO_PICTURE;
    snprintf(why, size, "%s", reply.entry.why);
    return NULL;
}
