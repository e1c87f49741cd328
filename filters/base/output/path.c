/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* asprintf */
#include "filters/base/output/path.h"

#include "filters/base/log.h"
#include "filters/base/output/private.h"
#include "filters/base/output/textfile.h"
#include "filters/base/owned.h"

#include <fcntl.h>
#include <limits.h>

#define MAX_SETTINGS ((size_t)1 << 16) /* bytes of a file */

/* Whether an error says that no such file can be. */
static bool is_nothing(int code)
{
    return code == ENOENT || code == ENOTDIR || code == ENAMETOOLONG || code == ELOOP;
}

int rn_path_look(const char *path, struct stat *st)
{
    return !stat(path, st) ? 1 : is_nothing(errno) ? 0 : -1;
}

FILE *rn_path_open(const char *path, const char **why)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    bool other = fd >= 0 && !fstat(fd, &st) && !S_ISREG(st.st_mode);
    FILE *f = fd < 0 || other ? NULL : fdopen(fd, "r");
    int cause = other ? ENXIO : errno; /* as of a socket */
    if (fd >= 0 && !f)
        close(fd);
    *why = cause == ENXIO ? "it is no regular file" : strerror(cause);
    errno = cause;
    return f;
}

bool rn_path_has(const char *program)
{
    const char *path = getenv("PATH");
    while (path && *path) {
        char name[PATH_MAX];
        struct stat st;
        int folder = (int)strcspn(path, ":");
        int n = snprintf(name, sizeof name, "%.*s/%s", folder, path, program);
        if (folder > 0 && n < (int)sizeof name && !access(name, X_OK) && !stat(name, &st) &&
            S_ISREG(st.st_mode))
            return true;
        path += folder + (path[folder] == ':');
    }
    return false;
}

char *rn_path_beside(const char *path, const char *name)
{
    const char *slash = *name == '/' ? NULL : strrchr(path, '/');
    size_t lead = slash ? (size_t)(slash + 1 - path) : 0, size = lead + strlen(name) + 1;
    char *whole = malloc(size);
    if (whole)
        snprintf(whole, size, "%.*s%s", (int)lead, path, name);
    return whole;
}

/* ---- the user's settings */

char *rn_config_path(const char *name, int *err)
{
    char *path = NULL;
    const char *xdg = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    int n = 0;
    if (xdg && *xdg == '/') /* relative paths are invalid */
        n = asprintf(&path, "%s/runnel/%s", xdg, name);
    else if (home && *home)
        n = asprintf(&path, "%s/.config/runnel/%s", home, name);
    *err = n < 0 ? rn_fail_memory() : 0;
    return n > 0 ? path : NULL;
}

int rn_config_read(const char *name, const char *what, char **path, char **text)
{
    char why[RN_TEXT_WHY], distrust[RN_PRIVATE_WHY];
    int err;
    *text = NULL;
    *path = rn_config_path(name, &err);
    RN_OWNED(rn_close_owned) int fd = *path ? rn_private_file(*path, distrust) : -1;
    if (fd >= 0)
        err = rn_text_read_fd(text, fd, MAX_SETTINGS, why);
    else if (*path && (errno == EPERM || errno == EACCES)) /* another user's */
        rn_log(RN_LOG_WARNING, "the %s of '%s' are left out: %s", what, *path, distrust);
    else if (*path && !is_nothing(errno))
        err = rn_fail(RN_EUSAGE, "the %s of '%s' cannot be read: %s", what, *path, distrust);
    if (fd >= 0 && err == RN_EUSAGE)
        rn_fail(err, "the %s of '%s' cannot be read: %s", what, *path, why);
    return err;
}
