#include "io/dicom_decoder.h"

#ifdef RN_HAVE_GDCM

#include "filters/core/err.h"
#include "filters/core/log.h"
#include "io/dicom_gdcm.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* Memory of all three processes. */
struct shared {
    atomic_uint asked, answered; /* numbers of the last request and the last reply */
    _Alignas(64) uint8_t pixels[];
};

struct rn_dicom_decoder {
    pid_t guard;
    int socket;
    struct shared *shared;
    size_t size; /* of shared */
};

/* One message each; the pixels go through the shared memory. */
struct request {
    unsigned number;
    bool decode; /* else describe */
    struct rn_dicom_header header;
    char path[PATH_MAX];
};

struct reply {
    unsigned number; /* of the request */
    bool died;
    struct rn_dicom_entry entry; /* for decode: the result, and why it failed */
};

/* ---- in the processes */

/* Signals are the program's to act on; when that dies of one, this must not go on without it. */
static void become_child(pid_t parent)
{
    static const int ignored[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
        signal(ignored[i], SIG_IGN);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) /* it died before that was said */
        _exit(1);
#else
    (void)parent;
#endif
}

static void work(int socket, struct shared *shared)
{
    struct request request;
    struct rlimit none = {0, 0};
    signal(SIGABRT, SIG_DFL);
    signal(SIGSEGV, SIG_DFL);
    setrlimit(RLIMIT_CORE, &none);
    while (recv(socket, &request, sizeof request, 0) > 0) {
        struct reply reply;
        memset(&reply, 0, sizeof reply);
        struct rn_dicom_entry *e = &reply.entry;
        reply.number = request.number;
        if (!request.decode)
            rn_gdcm_describe(request.path, e);
        else if (rn_gdcm_read(request.path, &request.header, shared->pixels, e->why, sizeof e->why))
            e->result = RN_DICOM_OK;
        if (send(socket, &reply, sizeof reply, 0) < 0)
            break;
        atomic_store(&shared->answered, request.number);
    }
    _exit(0);
}

/* Has the last request reached a worker, which did not answer it? */
static bool is_lost(int socket, struct shared *shared)
{
    char byte;
    return atomic_load(&shared->answered) != atomic_load(&shared->asked) &&
           recv(socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0;
}

/* Answers in the place of a worker that died. */
static void keep_guard(int socket, struct shared *shared)
{
    int null = open("/dev/null", O_RDWR);
    for (int fd = STDIN_FILENO; null >= 0 && fd <= STDERR_FILENO; fd++)
        dup2(null, fd);
    for (int status = 0;;) {
        pid_t self = getpid(), worker = fork();
        if (worker == 0) {
            become_child(self);
            work(socket, shared);
        }
        if (worker < 0)
            break;
        while (waitpid(worker, &status, 0) < 0)
            if (errno != EINTR)
                _exit(1);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
            break;
        const struct reply died = {.number = atomic_load(&shared->asked), .died = true};
        if (is_lost(socket, shared) && send(socket, &died, sizeof died, 0) < 0)
            break;
    }
    _exit(0);
}

/* ---- in the program */

static int start(struct rn_dicom_decoder *d)
{
    int pair[2];
    pid_t self = getpid();
    /* cppcheck-suppress invalidFunctionArg ; -1 is what anonymous memory takes */
    void *memory = mmap(NULL, d->size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return errno;
    d->shared = memory;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair) < 0)
        return errno;
    d->socket = pair[0];
    d->guard = fork();
    if (d->guard == 0) {
        become_child(self);
        close(pair[0]);
        keep_guard(pair[1], d->shared);
    }
    int err = d->guard < 0 ? errno : 0;
    close(pair[1]);
    fcntl(d->socket, F_SETFD, FD_CLOEXEC);
    return err;
}

int rn_dicom_decoder_start(struct rn_dicom_decoder **decoder, size_t max_size)
{
    struct rn_dicom_decoder *d = calloc(1, sizeof *d);
    if (!d)
        return rn_fail_memory();
    d->socket = -1;
    d->size = sizeof *d->shared + max_size + RN_DICOM_PADDING;
    int err = start(d);
    *decoder = d;
    if (!err)
        return 0;
    rn_dicom_decoder_stop(decoder);
    return rn_fail(RN_EINTERNAL, "cannot start the process that reads DICOM: %s", strerror(err));
}

void rn_dicom_decoder_stop(struct rn_dicom_decoder **decoder)
{
    struct rn_dicom_decoder *d = *decoder;
    *decoder = NULL;
    if (!d)
        return;
    if (d->socket >= 0)
        close(d->socket); /* ends both, unless the worker is in the middle of a file */
    if (d->guard > 0) {
        kill(d->guard, SIGKILL);
        while (waitpid(d->guard, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    if (d->shared)
        munmap(d->shared, d->size);
    free(d);
}

/* Sends a request and waits for what comes back; a stop is seen within 20 ms. False, with the
 * reason in why, if nothing does. */
static bool ask(struct rn_dicom_decoder *d, struct request *request, const char *path,
                const atomic_bool *stop, struct reply *reply, char *why, size_t size)
{
    struct pollfd readable = {.fd = d->socket, .events = POLLIN};
    if ((size_t)snprintf(request->path, sizeof request->path, "%s", path) >= sizeof request->path) {
        snprintf(why, size, "cannot be opened: %s", strerror(ENAMETOOLONG));
        return false;
    }
    request->number = atomic_fetch_add(&d->shared->asked, 1) + 1;
    bool sent = send(d->socket, request, sizeof *request, MSG_NOSIGNAL) >= 0;
    while (sent && !(stop && atomic_load(stop))) {
        if (poll(&readable, 1, 20) <= 0)
            continue;
        if (recv(d->socket, reply, sizeof *reply, 0) <= 0)
            break;
        if (reply->number != request->number)
            continue; /* the worker died after its answer, and the guard gave one, too */
        if (reply->died)
            break;
        return true;
    }
    snprintf(why, size, "cannot be read as DICOM");
    return false;
}

void rn_dicom_describe(struct rn_dicom_decoder *d, const char *path, struct rn_dicom_entry *entry)
{
    struct request request = {.decode = false};
    struct reply reply;
    memset(entry, 0, sizeof *entry);
    if (ask(d, &request, path, NULL, &reply, entry->why, sizeof entry->why))
        *entry = reply.entry;
}

const uint8_t *rn_dicom_decode(struct rn_dicom_decoder *d, const char *path,
                               const struct rn_dicom_header *header, const atomic_bool *stop,
                               char *why, size_t size)
{
    struct request request = {.decode = true, .header = *header};
    struct reply reply;
    if (!ask(d, &request, path, stop, &reply, why, size))
        return NULL;
    if (reply.entry.result == RN_DICOM_OK)
        return d->shared->pixels;
    snprintf(why, size, "%s", reply.entry.why);
    return NULL;
}

#endif
