/* SPDX-License-Identifier: MIT */
#include "filters/base/output/path.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int rn_path_look(const char *path, struct stat *st)
{
    if (!stat(path, st))
        return 1;
    bool none = errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG || errno == ELOOP;
    return none ? 0 : -1;
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
