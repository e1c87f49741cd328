/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* ST_NOEXEC */
#include "app/process/kernel_cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "filters/base/log.h"
#include "filters/base/output/private.h"
#include "filters/core/device/device.h"

#define FOLDER_NAME "runnel-kernels-XXXXXX"
#define LOCK_NAME   "lock"
#define NO_FOLDER   "/dev/null/none" /* PoCL would take one by itself, whoever owns it */
#define MAX_ENTRIES 10000            /* entries of a folder that are looked at */

static char private_cache[PATH_MAX];
static atomic_bool have_private_cache;
static char shared_cache[PATH_MAX - 16];

/* ---- folders of single runs
 *
 * A run locks a file in its folder as long as it lives. A folder without a lock was left by a run
 * that was killed. */

/* Opens the folder `name` in `at`. Follows no link. */
static int open_folder(int at, const char *name)
{
    return openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* Empties a folder and closes fd; fd < 0: does nothing. */
static void empty_folder(int fd)
{
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    if (!dir) {
        if (fd >= 0)
            close(fd);
        return;
    }
    for (struct dirent *e; (e = readdir(dir));) {
        if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, "..") || !unlinkat(fd, e->d_name, 0))
            continue;
        empty_folder(open_folder(fd, e->d_name));
        unlinkat(fd, e->d_name, AT_REMOVEDIR);
    }
    closedir(dir);
}

static void remove_tree(int at, const char *name)
{
    empty_folder(open_folder(at, name));
    unlinkat(at, name, AT_REMOVEDIR);
}

void rn_app_kernel_cache_clean(void)
{
    if (atomic_exchange(&have_private_cache, false))
        remove_tree(AT_FDCWD, private_cache);
}

/* Locks a folder. Returns the descriptor of its lock file, or -1. Closing it releases the lock. */
static int take_lock(int folder, int flags)
{
    struct stat st;
    int fd = openat(folder, LOCK_NAME, flags | O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0600);
    if (fd < 0)
        return -1;
    /* Another process may sweep the folder between these calls: it locks and removes the file. */
    if (!flock(fd, LOCK_EX | LOCK_NB) && !fstat(fd, &st) && st.st_nlink == 1)
        return fd;
    close(fd);
    return -1;
}

/* Removes the folders of this user's runs that were killed: no living process has locked them.
 * Where others may rename what is ours, they could give it such a name: nothing is removed. */
static void sweep(const char *base)
{
    char why[RN_PRIVATE_WHY];
    int at = rn_private_folder(base, RN_PRIVATE_SHARED, why);
    DIR *dir = at < 0 ? NULL : fdopendir(at);
    struct dirent *e;
    if (!dir && at >= 0)
        close(at);
    for (int n = 0; dir && n < MAX_ENTRIES && (e = readdir(dir)); n++) {
        struct stat st;
        if (strlen(e->d_name) != sizeof FOLDER_NAME - 1 ||
            strncmp(e->d_name, FOLDER_NAME, sizeof FOLDER_NAME - sizeof "XXXXXX") != 0)
            continue;
        int fd = open_folder(dirfd(dir), e->d_name);
        bool own = fd >= 0 && !fstat(fd, &st) && st.st_uid == geteuid();
        int lock = own ? take_lock(fd, 0) : -1;
        if (lock >= 0) {
            empty_folder(fd);
            unlinkat(dirfd(dir), e->d_name, AT_REMOVEDIR);
            close(lock);
        } else if (fd >= 0) {
            close(fd);
        }
    }
    if (dir)
        closedir(dir);
}

/* Kernels are loaded as libraries: the folder must allow execution, and no other user may replace
 * our folder in it. */
static bool may_execute(const char *base)
{
    char why[RN_PRIVATE_WHY];
    struct statvfs fs;
    int fd = rn_private_folder(base, RN_PRIVATE_SHARED, why);
    bool may = fd >= 0 && !fstatvfs(fd, &fs) && !(fs.f_flag & ST_NOEXEC);
    if (fd >= 0)
        close(fd);
    else
        rn_log(RN_LOG_DEBUG, "no kernels are kept in '%s': %s", base, why);
    return may;
}

/* Keeps the lock until the process ends. Tries again if another process swept the folder before it
 * was locked. */
static bool make_private_cache(const char *base)
{
    for (int attempt = 0; base && may_execute(base) && attempt < 3; attempt++) {
        int n = snprintf(private_cache, sizeof private_cache, "%s/" FOLDER_NAME, base);
        if (n < 0 || (size_t)n >= sizeof private_cache || !mkdtemp(private_cache))
            return false;
        int fd = open_folder(AT_FDCWD, private_cache);
        int lock = fd < 0 ? -1 : take_lock(fd, O_CREAT | O_EXCL);
        if (fd >= 0)
            close(fd);
        if (lock >= 0)
            return true;
        remove_tree(AT_FDCWD, private_cache);
    }
    return false;
}

/* Makes a folder. Returns whether it can be written, and by this user alone: PoCL opens it by its
 * path, which leads nowhere else then. */
static bool make_folder(const char *path, char why[RN_PRIVATE_WHY])
{
    char probe[PATH_MAX + 16];
    int folder = rn_private_folder(path, RN_PRIVATE_CREATE, why);
    if (folder < 0)
        return false;
    close(folder);
    snprintf(probe, sizeof probe, "%s/.probe-XXXXXX", path);
    int fd = mkstemp(probe); /* access() says yes to root on read-only file systems */
    if (fd < 0) {
        snprintf(why, RN_PRIVATE_WHY, "'%.200s' cannot be written: %s", path, strerror(errno));
        return false;
    }
    close(fd);
    unlink(probe);
    return true;
}

/* Sets shared_cache to the folder where PoCL keeps kernels, or "" if the environment names none. */
static void find_shared_cache(void)
{
    const char *cache = getenv("POCL_CACHE_DIR"), *xdg = getenv("XDG_CACHE_HOME"),
               *home = getenv("HOME");
    char *path = shared_cache;
    size_t size = sizeof shared_cache;
    if (cache && *cache)
        snprintf(path, size, "%s", cache);
    else if (xdg && *xdg)
        snprintf(path, size, "%s/pocl/kcache", xdg);
    else if (home && *home)
        snprintf(path, size, "%s/.cache/pocl/kcache", home);
    else
        *path = '\0';
}

/* For PoCL, which aborts where the variable is set and empty, and for the engine. */
static void use_folder(const char *path)
{
    setenv("POCL_CACHE_DIR", path, 1);
    rn_programs_keep_in(path);
}

void rn_app_kernel_cache_prepare(void)
{
    const char *tmp = getenv("TMPDIR"), *run = getenv("XDG_RUNTIME_DIR");
    const char *const bases[2] = {run && *run ? run : NULL, tmp && *tmp ? tmp : "/tmp"};
    bool again = getenv(RN_PRIVATE_KERNELS) != NULL;
    char why[RN_PRIVATE_WHY];
    find_shared_cache();
    for (int i = 0; i < 2; i++)
        if (bases[i])
            sweep(bases[i]);
    unsetenv(RN_PRIVATE_KERNELS);
    if (!again && *shared_cache && make_folder(shared_cache, why)) {
        use_folder(shared_cache);
        return;
    }
    if (again)
        rn_log(RN_LOG_DEBUG, "kernels are compiled for this run only");
    else if (*shared_cache)
        rn_log(errno == EPERM ? RN_LOG_WARNING : RN_LOG_INFO,
               "%s: kernels are compiled for this run only", why);
    else
        rn_log(RN_LOG_INFO, "neither HOME nor POCL_CACHE_DIR is set: kernels are compiled for this "
                            "run only");
    if (!make_private_cache(bases[0]) && !make_private_cache(bases[1])) {
        rn_log(RN_LOG_WARNING, "no folder for compiled kernels can be written; set POCL_CACHE_DIR");
        setenv("POCL_CACHE_DIR", NO_FOLDER, 1);
        return;
    }
    atomic_store(&have_private_cache, true);
    atexit(rn_app_kernel_cache_clean);
    use_folder(private_cache);
}

struct rn_app_kernel_folders rn_app_kernel_cache_folders(void)
{
    bool own = atomic_load(&have_private_cache);
    return (struct rn_app_kernel_folders){.shared = *shared_cache ? shared_cache : NULL,
                                          .own = own ? private_cache : NULL};
}
