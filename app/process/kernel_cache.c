/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* ST_NOEXEC */
#include "app/process/kernel_cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
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

#define MARK      "runnel-damaged"
#define NO_FOLDER "/dev/null/none" /* PoCL would take one by itself, whoever owns it */

static char folder[PATH_MAX - 32]; /* "": none */
static char mark[PATH_MAX];
static bool fresh;

/* ---- kernels that crashed a run */

/* PoCL writes a hash in the letters A to P. It keeps each program in a folder XX/XXXX...; the
 * engine's files are runnel-H (program_kept.c). What else is in the folder of POCL_CACHE_DIR is the
 * user's, and stays. depth: of the folder that has the name, below the one of all kernels. */
static bool is_kernel(const char *name, int depth)
{
    size_t n = strlen(name), hash = strspn(name, "ABCDEFGHIJKLMNOP");
    if (depth > 1)
        return strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
    if (hash == n)
        return depth ? n > 30 : n == 2;
    return !depth && !strncmp(name, "runnel-", 7) && strspn(name + 7, "0123456789abcdef") == 16;
}

/* Looks for kernels in a folder, following no link. removes: also removes them. Returns whether
 * there were any. */
static bool find_kernels(int at, const char *name, int depth, bool removes)
{
    int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    bool found = false;
    for (struct dirent *e; dir && (removes || !found) && (e = readdir(dir));) {
        if (!is_kernel(e->d_name, depth))
            continue;
        found = true;
        if (removes && unlinkat(fd, e->d_name, 0)) {
            find_kernels(fd, e->d_name, depth + 1, true);
            unlinkat(fd, e->d_name, AT_REMOVEDIR);
        }
    }
    if (dir)
        closedir(dir);
    else if (fd >= 0)
        close(fd);
    return found;
}

static bool is_marked(int at)
{
    return !faccessat(at, MARK, F_OK, AT_SYMLINK_NOFOLLOW);
}

/* Runs that start together wait for the one that removes the kernels: they must neither load those
 * nor lose what it compiles then. */
static bool remove_if_marked(int at)
{
    if (!is_marked(at) || (flock(at, LOCK_EX), !is_marked(at)))
        return false;
    rn_log(RN_LOG_INFO, "a run crashed with the kernels kept in '%s': they are compiled anew",
           folder);
    find_kernels(at, ".", 0, true);
    unlinkat(at, MARK, 0);
    return true;
}

/* ---- choosing the folder */

/* Returns NULL, or why no kernels can be kept there. */
static const char *try_folder(int at)
{
    char probe[sizeof folder + 16];
    struct statvfs fs;
    if (!fstatvfs(at, &fs) && (fs.f_flag & ST_NOEXEC)) {
        errno = EACCES;
        return "nothing there can be executed (noexec)";
    }
    snprintf(probe, sizeof probe, "%s/.probe-XXXXXX", folder);
    int fd = mkstemp(probe); /* access() says yes to root on read-only file systems */
    if (fd < 0)
        return strerror(errno);
    close(fd);
    unlink(probe);
    return NULL;
}

/* Makes the folder and takes it into use, if it can be used: PoCL opens it by its path, which leads
 * nowhere else then. Otherwise errno and why tell the reason. */
static bool take_folder(char why[RN_PRIVATE_WHY])
{
    int at = *folder ? rn_private_folder(folder, RN_PRIVATE_CREATE, why) : -1;
    if (at < 0)
        return false;
    const char *reason = try_folder(at);
    if (reason) {
        int code = errno;
        snprintf(why, RN_PRIVATE_WHY, "'%.200s' cannot be used: %s", folder, reason);
        close(at);
        errno = code;
        return false;
    }
    fresh = remove_if_marked(at) || !find_kernels(at, ".", 0, false);
    close(at);
    snprintf(mark, sizeof mark, "%s/" MARK, folder);
    setenv("POCL_CACHE_DIR", folder, 1);
    rn_programs_keep_in(folder);
    return true;
}

/* Sets folder to the one where PoCL keeps kernels, or "" if the environment names none. */
static void find_usual_folder(void)
{
    const char *cache = getenv("POCL_CACHE_DIR"), *xdg = getenv("XDG_CACHE_HOME"),
               *home = getenv("HOME");
    if (cache && *cache)
        snprintf(folder, sizeof folder, "%s", cache);
    else if (xdg && *xdg)
        snprintf(folder, sizeof folder, "%s/pocl/kcache", xdg);
    else if (home && *home)
        snprintf(folder, sizeof folder, "%s/.cache/pocl/kcache", home);
}

/* base: must exist; it may be a sticky folder for all. */
static bool take_folder_in(const char *base)
{
    char why[RN_PRIVATE_WHY];
    int at = base && *base ? rn_private_folder(base, RN_PRIVATE_SHARED, why) : -1;
    if (at < 0)
        return false;
    close(at);
    snprintf(folder, sizeof folder, "%s/runnel-kernels-%u", base, (unsigned)geteuid());
    return take_folder(why);
}

void rn_app_kernel_cache_prepare(void)
{
    const char *tmp = getenv("TMPDIR");
    char why[RN_PRIVATE_WHY] = "neither HOME nor POCL_CACHE_DIR is set";
    find_usual_folder();
    errno = 0;
    if (take_folder(why))
        return;
    enum rn_log_level level = errno == EPERM ? RN_LOG_WARNING : RN_LOG_INFO;
    if (take_folder_in(getenv("XDG_RUNTIME_DIR")) || take_folder_in(tmp && *tmp ? tmp : "/tmp")) {
        rn_log(level, "%s: compiled kernels are kept in '%s'", why, folder);
        return;
    }
    *folder = '\0';
    setenv("POCL_CACHE_DIR", NO_FOLDER, 1);
    rn_log(RN_LOG_WARNING, "%s: no folder for compiled kernels can be written; set POCL_CACHE_DIR",
           why);
}

struct rn_app_kernel_folder rn_app_kernel_cache_folder(void)
{
    return (struct rn_app_kernel_folder){*folder ? folder : NULL, mark, fresh};
}
