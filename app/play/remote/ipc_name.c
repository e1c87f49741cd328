/* SPDX-License-Identifier: MIT */
#include "app/play/remote/ipc.h"

#include "filters/base/clock.h"
#include "filters/base/log.h"
#include "filters/base/output/path.h"
#include "filters/base/output/private.h"
#include "filters/base/owned.h"

#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define BACKLOG   16
#define LOCK_TIME 2.0 /* seconds; a folder is locked for a few system calls only */
#define SUFFIX    12  /* bytes of the suffix of a temporary name */

/* The name that is ours, for rn_play_ipc_name_remove. */
static struct sockaddr_un ours;
static dev_t dev;
static ino_t ino;
static atomic_bool taken;

static int fail(const char *path, const char *why)
{
    return rn_fail(RN_EOUTPUT, "--ipc '%s': %s", path, why);
}

/* ---- what has the name already */

/* Whether a program listens to a socket. */
static bool is_alive(const struct sockaddr_un *name)
{
    RN_OWNED(rn_close_owned)
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    bool dead = fd >= 0 && connect(fd, (const struct sockaddr *)name, sizeof *name) &&
                errno == ECONNREFUSED;
    return !dead;
}

/* Removes the socket of a killed process. The folder is locked, so no other process does it now. */
static int clear(const struct sockaddr_un *name)
{
    struct stat st;
    if (lstat(name->sun_path, &st))
        return errno == ENOENT ? 0 : fail(name->sun_path, strerror(errno));
    if (!S_ISSOCK(st.st_mode))
        return fail(name->sun_path, "exists and is no socket: choose another name");
    if (is_alive(name))
        return fail(name->sun_path, "another program listens there: choose another name");
    if (st.st_uid != geteuid())
        return fail(name->sun_path, "is another user's socket: choose another name");
    rn_log(RN_LOG_INFO, "--ipc '%s': the socket was left by a program that has ended: replaced",
           name->sun_path);
    return unlink(name->sun_path) ? fail(name->sun_path, strerror(errno)) : 0;
}

/* ---- the socket */

/* Listens under a temporary name, then links the final one: a client that sees it can connect, and
 * only the owner ever can. */
static int listen_as(const struct sockaddr_un *name, const struct sockaddr_un *temp, int fd)
{
    if (bind(fd, (const struct sockaddr *)temp, sizeof *temp))
        return fail(name->sun_path, strerror(errno));
    bool done = !chmod(temp->sun_path, S_IRUSR | S_IWUSR) && !listen(fd, BACKLOG) &&
                !link(temp->sun_path, name->sun_path);
    int err = done ? 0 : fail(name->sun_path, strerror(errno));
    unlink(temp->sun_path);
    return err;
}

static int make(const struct sockaddr_un *name, int *listener)
{
    struct sockaddr_un temp = *name;
    size_t n = strlen(temp.sun_path);
    uint32_t random = 0; /* so that nobody else has the name in a folder for all */
    if (getrandom(&random, sizeof random, 0) < 0)
        random = (uint32_t)getpid();
    snprintf(temp.sun_path + n, sizeof temp.sun_path - n, ".%" PRIx32, random);
    int err = clear(name);
    if (err)
        return err;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return rn_fail(RN_EINTERNAL, "cannot make a socket: %s", strerror(errno));
    err = listen_as(name, &temp, fd);
    if (err)
        close(fd);
    else
        *listener = fd;
    return err;
}

/* ---- the folder */

static bool is_locked_within(int folder, double seconds)
{
    double end = rn_clock() + seconds;
    while (flock(folder, LOCK_EX | LOCK_NB)) {
        if (errno != EWOULDBLOCK && errno != EINTR)
            return true; /* the file system has no locks */
        if (rn_clock() > end)
            return false;
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    }
    return true;
}

static int open_folder(const char *path, int *folder)
{
    char why[RN_PRIVATE_WHY];
    RN_OWNED(rn_free_owned) char *name = rn_path_beside(path, ".");
    *folder = name ? rn_private_folder(name, RN_PRIVATE_SHARED, why) : -1;
    int err = !name ? rn_fail_memory() : *folder < 0 ? fail(path, why) : 0;
    if (err || is_locked_within(*folder, LOCK_TIME))
        return err;
    return fail(path, "another program holds its folder locked");
}

int rn_play_ipc_name_take(const char *path, int *listener)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    struct stat st;
    RN_OWNED(rn_close_owned) int folder = -1;
    *listener = -1;
    if (strlen(path) + SUFFIX > sizeof name.sun_path)
        return fail(path, "the name is too long for a socket: 95 bytes at most");
    memcpy(name.sun_path, path, strlen(path) + 1);
    int err = open_folder(path, &folder);
    if (err)
        return err;
    err = make(&name, listener);
    if (!err && !lstat(path, &st)) {
        ours = name;
        dev = st.st_dev;
        ino = st.st_ino;
        atomic_store(&taken, true);
    }
    return err;
}

void rn_play_ipc_name_remove(void)
{
    struct stat st;
    if (!atomic_exchange(&taken, false))
        return;
    if (!lstat(ours.sun_path, &st) && st.st_dev == dev && st.st_ino == ino)
        unlink(ours.sun_path);
}
