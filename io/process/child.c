/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* closing descriptors on posix_spawn */
#include "io/process/child.h"

#include "filters/base/owned.h"

#include <argz.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <sys/socket.h>
#include <sys/wait.h>

extern char **environ;

/* /proc/self/exe names the running file even after an update has replaced it on disk. */
const char *rn_io_child_own_program(void)
{
    static char path[PATH_MAX];
    if (access("/proc/self/exe", X_OK) == 0)
        return "/proc/self/exe";
    return realpath((const char *)getauxval(AT_EXECFN), path) ? path : "";
}

bool rn_io_child_beside(const char *name, char path[static PATH_MAX])
{
    static const char here = 0;
    Dl_info own;
    char file[PATH_MAX];
    bool known = dladdr(&here, &own) && own.dli_fname && realpath(own.dli_fname, file);
    if (known)
        *strrchr(file, '/') = '\0';
    return known && snprintf(path, PATH_MAX, "%s/%s", file, name) < PATH_MAX;
}

int rn_io_child_lift(int fd)
{
    int lifted = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, RN_CHILD_FIRST_FREE);
    int cause = errno;
    if (fd >= 0)
        close(fd);
    errno = cause;
    return lifted;
}

int rn_io_spawn(pid_t *pid, const char *program, char *const argv[], const struct rn_io_spawn *how)
{
    static const int blocked[] = {SIGINT, SIGTERM, SIGHUP};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attr;
    sigset_t mask, defaults;
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    for (size_t i = 0; how->deaf && i < sizeof blocked / sizeof *blocked; i++)
        sigaddset(&mask, blocked[i]);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    sigaddset(&defaults, SIGXFSZ);
    int err = posix_spawn_file_actions_init(&files);
    if (err)
        return err;
    if ((err = posix_spawnattr_init(&attr)) != 0)
        goto free_files;
    for (int i = 0; i < how->n && !err; i++)
        err = how->fd[i] < 0 ? posix_spawn_file_actions_addopen(&files, i, "/dev/null", O_RDWR, 0)
                             : posix_spawn_file_actions_adddup2(&files, how->fd[i], i);
    if (!err && how->alone) /* a library may have opened some without O_CLOEXEC */
        err = posix_spawn_file_actions_addclosefrom_np(&files, how->n);
    err = err ? err : posix_spawnattr_setsigmask(&attr, &mask);
    err = err ? err : posix_spawnattr_setsigdefault(&attr, &defaults);
    err =
        err ? err : posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    err =
        err ? err : posix_spawnp(pid, program, &files, &attr, argv, how->env ? how->env : environ);
    posix_spawnattr_destroy(&attr);
free_files:
    posix_spawn_file_actions_destroy(&files);
    return err;
}

int rn_io_spawn_own(pid_t *pid, const char *words, size_t size, const struct rn_io_spawn *how)
{
    RN_OWNED(rn_free_owned) char **argv = calloc(argz_count(words, size) + 1, sizeof *argv);
    if (!argv)
        return ENOMEM;
    argz_extract(words, size, argv);
    return rn_io_spawn(pid, rn_io_child_own_program(), argv, how);
}

/* Returns the environment with RN_CHILD_MARK. The caller frees the array, not the strings. */
static char **mark_environment(void)
{
    static char mark[] = RN_CHILD_MARK "=1";
    size_t n = 0;
    while (environ && environ[n])
        n++;
    char **marked = malloc((n + 2) * sizeof *marked);
    if (!marked)
        return NULL;
    if (n)
        memcpy(marked, environ, n * sizeof *marked);
    marked[n] = mark;
    marked[n + 1] = NULL;
    return marked;
}

int rn_io_child_start(struct rn_io_child *c, const char *program, char *const argv[], int type,
                      int memory)
{
    int pair[2];
    pid_t pid = 0;
    *c = (struct rn_io_child){.socket = -1};
    if (socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, pair) < 0)
        return errno;
    int other = rn_io_child_lift(pair[1]); /* dup2 onto itself keeps O_CLOEXEC */
    int err = other < 0 ? errno : 0;
    struct rn_io_spawn how = {.fd = {-1, -1, -1, other, memory},
                              .n = memory >= 0 ? RN_CHILD_FIRST_FREE : RN_CHILD_MEMORY,
                              .alone = true,
                              .deaf = true,
                              .env = mark_environment()};
    if (!err)
        err = how.env ? rn_io_spawn(&pid, program, argv, &how) : ENOMEM;
    free(how.env);
    if (other >= 0)
        close(other);
    if (err)
        close(pair[0]);
    else
        *c = (struct rn_io_child){pid, pair[0]};
    return err;
}

void rn_io_child_end(struct rn_io_child *c)
{
    if (c->socket >= 0)
        close(c->socket);
    if (c->pid > 0) {
        kill(c->pid, SIGKILL);
        while (waitpid(c->pid, NULL, 0) < 0 && errno == EINTR)
            continue;
    }
    *c = (struct rn_io_child){.socket = -1};
}

size_t rn_io_child_receive(const struct rn_io_child *c, void *to, size_t n)
{
    size_t done = 0;
    while (done < n) {
        ssize_t got = recv(c->socket, (uint8_t *)to + done, n - done, MSG_WAITALL);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        done += (size_t)got;
    }
    return done;
}

bool rn_io_child_send(const void *data, size_t n)
{
    const uint8_t *from = data;
    while (n) {
        ssize_t done = send(RN_CHILD_SOCKET, from, n, MSG_NOSIGNAL);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        from += done;
        n -= (size_t)done;
    }
    return true;
}
