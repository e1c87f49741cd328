/* SPDX-License-Identifier: MIT */
/* What the program believes of the process that reads DICOM for it: here that process says what
 * libFuzzer wants.
 *
 * There is none: what starts and ends processes is replaced (the linker's --wrap), and the replies
 * are in the socket before they are asked for. The first byte of the input says how they are
 * bent, those behind it are the entries of the files and, after the last, the pixels. */
#define _GNU_SOURCE /* posix_spawn */
#include "tests/fuzz.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "io/dicom/worker.h"
#include "io/dicom/gdcm/worker_messages.h"
#include "io/process/child.h"

int __wrap_posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t *files, int from, int to);
int __wrap_posix_spawnp(pid_t *pid, const char *path, const posix_spawn_file_actions_t *files,
                        const posix_spawnattr_t *attr, char *const argv[], char *const env[]);
int __wrap_kill(pid_t pid, int signal);
pid_t __wrap_waitpid(pid_t pid, int *status, int options);

static struct {
    const uint8_t *data;
    size_t size;
    int socket, memory, starts;
} child = {.socket = -1, .memory = -1};

/* The next bytes of the input; zeros behind its end. */
static void take(void *to, size_t size)
{
    size_t n = size < child.size ? size : child.size;
    memset(to, 0, size);
    memcpy(to, child.data, n);
    child.data += n;
    child.size -= n;
}

static void say(const struct rn_dicom_reply *reply, size_t size)
{
    send(child.socket, reply, size, MSG_DONTWAIT | MSG_NOSIGNAL);
}

/* The pictures that the files in the folder can hold. */
static void make_plausible(struct rn_dicom_header *h)
{
    h->w = 1 + (unsigned)h->w % 7;
    h->h = 1 + (unsigned)h->h % 5;
    h->frames = 1 + (unsigned)h->frames % 3;
    h->colours = h->colours % 2 ? 3 : 1;
    h->bytes = h->bytes % 2 ? 2 : 1;
    h->bits = 1 + (unsigned)h->bits % (8 * (unsigned)h->bytes);
    h->pixel_bits = 8 * h->bytes * h->colours;
}

enum { WILD = 1, ONE_SERIES = 2, SHORT = 4, STALE = 8, ODD = 16, FAILS = 32, PARTS = 64 };

static void say_all(void)
{
    struct rn_dicom_reply reply;
    uint8_t how;
    take(&how, 1);
    memset(&reply, 0, sizeof reply);
    reply.kind = how & ODD ? RN_DICOM_DONE : RN_DICOM_HELLO;
    reply.number = RN_DICOM_PROTOCOL;
    say(&reply, sizeof reply);
    for (uint32_t number = 1; number <= 12; number++) {
        reply.number = number;
        reply.kind = RN_DICOM_TAKEN;
        say(&reply, sizeof reply);
        if (number <= 3)
            take(&reply.entry, sizeof reply.entry);
        if (!(how & WILD))
            make_plausible(&reply.entry.header);
        if (how & ONE_SERIES)
            reply.entry.header.series[0] = '\0';
        if (!(how & FAILS))
            reply.entry.result = RN_DICOM_OK;
        reply.kind = RN_DICOM_PART;
        for (int frame = 0; how & PARTS && number <= 4 && frame < 3; frame++) {
            reply.entry.header.place.origin[frame] += frame;
            say(&reply, sizeof reply);
        }
        reply.kind = RN_DICOM_DONE;
        reply.number -= how & STALE ? number % 2 : 0;
        say(&reply, how & SHORT && number % 3 == 2 ? sizeof reply / 2 : sizeof reply);
    }
}

int __wrap_posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t *files, int from, int to)
{
    (void)files;
    int *fd = to == RN_CHILD_SOCKET ? &child.socket : &child.memory;
    if (*fd >= 0)
        close(*fd);
    *fd = fcntl(from, F_DUPFD_CLOEXEC, 0);
    setsockopt(*fd, SOL_SOCKET, SO_SNDBUF, &(int){1 << 20}, sizeof(int)); /* for all replies */
    return *fd < 0;
}

int __wrap_posix_spawnp(pid_t *pid, const char *path, const posix_spawn_file_actions_t *files,
                        const posix_spawnattr_t *attr, char *const argv[], char *const env[])
{
    (void)path, (void)files, (void)attr, (void)argv, (void)env;
    *pid = 1;
    if (child.starts++ < 4)
        say_all();
    shutdown(child.socket, SHUT_WR); /* behind the last reply: it has died */
    return 0;
}

int __wrap_kill(pid_t pid, int signal)
{
    (void)pid, (void)signal;
    return 0;
}

pid_t __wrap_waitpid(pid_t pid, int *status, int options)
{
    (void)status, (void)options;
    return pid;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    child.data = data;
    child.size = size;
    child.starts = 0;
    FUZZ_CHECK(!rn_dicom_worker_set_program("/proc/self/exe"));
    rn_fuzz_source("series");
    if (child.socket >= 0)
        close(child.socket);
    if (child.memory >= 0)
        close(child.memory);
    child.socket = child.memory = -1;
    return 0;
}
