/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* closing descriptors on posix_spawn */
#include "io/process/child.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

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

/* Closes all other descriptors: a library may have opened some without O_CLOEXEC. */
static int set_descriptors(posix_spawn_file_actions_t *files, int socket, int memory)
{
    int err = 0;
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO && !err; fd++)
        err = posix_spawn_file_actions_addopen(files, fd, "/dev/null", O_RDWR, 0);
    if (!err)
        err = posix_spawn_file_actions_adddup2(files, socket, RN_CHILD_SOCKET);
    if (!err && memory >= 0)
        err = posix_spawn_file_actions_adddup2(files, memory, RN_CHILD_MEMORY);
    int first = memory >= 0 ? RN_CHILD_FIRST_FREE : RN_CHILD_MEMORY;
    return err ? err : posix_spawn_file_actions_addclosefrom_np(files, first);
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

static int spawn(pid_t *pid, const char *program, char *const argv[], int socket, int memory)
{
    char **env = mark_environment();
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attr;
    sigset_t blocked;
    if (!env)
        return ENOMEM;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGINT);
    sigaddset(&blocked, SIGTERM);
    sigaddset(&blocked, SIGHUP);
    int err = posix_spawn_file_actions_init(&files);
    if (err)
        goto free_env;
    if ((err = posix_spawnattr_init(&attr)) != 0)
        goto free_files;
    err = set_descriptors(&files, socket, memory);
    if (!err)
        err = posix_spawnattr_setsigmask(&attr, &blocked);
    if (!err)
        err = posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK);
    if (!err)
        err = posix_spawn(pid, program, &files, &attr, argv, env);
    posix_spawnattr_destroy(&attr);
free_files:
    posix_spawn_file_actions_destroy(&files);
free_env:
    free(env);
    return err;
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
    int err = other < 0 ? errno : spawn(&pid, program, argv, other, memory);
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
