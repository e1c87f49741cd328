/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* asprintf */
#include "filters/base/output/config.h"

#include "filters/base/log.h"
#include "filters/base/output/private.h"
#include "filters/base/output/textfile.h"
#include "filters/base/owned.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#define LIMIT ((size_t)1 << 16) /* bytes of a file */

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

/* Whether an error says that no such file can be. */
static bool is_nothing(int code)
{
    return code == ENOENT || code == ENOTDIR || code == ENAMETOOLONG || code == ELOOP;
}

int rn_config_read(const char *name, const char *what, char **path, char **text)
{
    char why[RN_TEXT_WHY], distrust[RN_PRIVATE_WHY];
    int err;
    *text = NULL;
    *path = rn_config_path(name, &err);
    RN_OWNED(rn_close_owned) int fd = *path ? rn_private_file(*path, distrust) : -1;
    if (fd >= 0)
        err = rn_text_read_fd(text, fd, LIMIT, why);
    else if (*path && (errno == EPERM || errno == EACCES)) /* another user's */
        rn_log(RN_LOG_WARNING, "the %s of '%s' are left out: %s", what, *path, distrust);
    else if (*path && !is_nothing(errno))
        err = rn_fail(RN_EUSAGE, "the %s of '%s' cannot be read: %s", what, *path, distrust);
    if (fd >= 0 && err == RN_EUSAGE)
        rn_fail(err, "the %s of '%s' cannot be read: %s", what, *path, why);
    return err;
}
