/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* O_PATH */
#include "filters/base/output/private.h"
#include "filters/base/owned.h"

#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#define MOST_LINKS 40   /* on one way, as the kernel has it */
#define ENTRY      4096 /* bytes of an entry of a list of users or groups */

struct walk {
    int dir;      /* as far as it went, opened with O_PATH */
    bool shared;  /* that is a sticky folder for all */
    uid_t system; /* the owner of "/" */
    int links;
    char rest[PATH_MAX]; /* still to go */
    char name[NAME_MAX + 1];
};

/* name: in dir; "": dir itself. */
static int refuse(int dir, const char *name, int code, const char *reason, char *why)
{
    char link[32], folder[RN_PRIVATE_WHY];
    snprintf(link, sizeof link, "/proc/self/fd/%d", dir);
    ssize_t n = readlink(link, folder, sizeof folder);
    if (n < 0 || (n == 1 && *name)) /* "/" */
        n = 0;
    snprintf(why, RN_PRIVATE_WHY, "'%.*s%s%s' %s", (int)n, folder, *name ? "/" : "", name, reason);
    errno = code;
    return -1;
}

static int fail(int dir, const char *name, int code, char *why)
{
    char reason[128];
    snprintf(reason, sizeof reason, "cannot be used: %s", strerror(code));
    return refuse(dir, name, code, reason, why);
}

/* Whether the group of a file that it may write has no member but the file's owner. An access list
 * shows as a group. */
static bool is_group_of_owner(int fd, const struct stat *st)
{
    char link[32], users[ENTRY], groups[ENTRY];
    struct passwd user, *found;
    struct group group, *named;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    if (getxattr(link, "system.posix_acl_access", NULL, 0) >= 0 ||
        (errno != ENODATA && errno != EOPNOTSUPP) ||
        getpwuid_r(st->st_uid, &user, users, sizeof users, &found) || !found ||
        user.pw_gid != st->st_gid ||
        getgrgid_r(st->st_gid, &group, groups, sizeof groups, &named) || !named)
        return false;
    char *const *member = group.gr_mem;
    member += *member && !strcmp(*member, user.pw_name);
    return !strcmp(group.gr_name, user.pw_name) && !*member;
}

static bool others_write(int fd, const struct stat *st)
{
    return (st->st_mode & S_IWOTH) || ((st->st_mode & S_IWGRP) && !is_group_of_owner(fd, st));
}

/* Goes on with path and then what is left. */
static int set_out(struct walk *w, const char *path)
{
    char whole[PATH_MAX];
    struct stat st;
    int n = snprintf(whole, sizeof whole, "%s/%s", path, w->rest);
    if (n < 0 || (size_t)n >= sizeof whole) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(w->rest, whole, (size_t)n + 1);
    if (*path != '/')
        return 0;
    rn_close_owned(&w->dir);
    w->dir = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (w->dir < 0 || fstat(w->dir, &st))
        return -1;
    w->system = st.st_uid;
    w->shared = others_write(w->dir, &st);
    errno = EPERM;
    return w->shared && !(st.st_mode & S_ISVTX) ? -1 : 0;
}

/* Opens w->name in w->dir; makes a folder of it if it is missing, and `create`. */
static int open_name(const struct walk *w, bool create, struct stat *st)
{
    int flags = O_PATH | O_NOFOLLOW | O_CLOEXEC, fd = openat(w->dir, w->name, flags);
    bool made = false;
    if (fd < 0 && errno == ENOENT && create) {
        made = !mkdirat(w->dir, w->name, S_IRWXU);
        fd = made || errno == EEXIST ? openat(w->dir, w->name, flags) : -1;
    }
    if (fd >= 0 && (fstat(fd, st) || (made && (st->st_mode & S_IRWXU) != S_IRWXU &&
                                      fchmodat(w->dir, w->name, S_IRWXU, 0)))) {
        rn_close_owned(&fd);
        return -1;
    }
    return fd;
}

/* One name of the path. file: its last name is not entered. */
static int step(struct walk *w, bool create, bool file, char *why)
{
    struct stat st;
    char *name = w->rest + strspn(w->rest, "/");
    char *end = name + strcspn(name, "/"), *tail = end + strspn(end, "/");
    if ((size_t)(end - name) >= sizeof w->name)
        return fail(w->dir, "", ENAMETOOLONG, why);
    snprintf(w->name, sizeof w->name, "%.*s", (int)(end - name), name);
    memmove(w->rest, tail, strlen(tail) + 1);
    int fd = open_name(w, create, &st), failed;
    if (fd < 0)
        return fail(w->dir, w->name, errno, why);
    bool folder = S_ISDIR(st.st_mode), link = S_ISLNK(st.st_mode);
    bool shared = folder && others_write(fd, &st);
    if (st.st_uid != geteuid() && st.st_uid != 0 && st.st_uid != w->system) {
        failed = refuse(fd, "", EPERM, "is another user's", why);
    } else if (shared && !(st.st_mode & S_ISVTX)) {
        failed = refuse(fd, "", EPERM, "may be written by others", why);
    } else if (link) {
        char target[PATH_MAX];
        ssize_t n = ++w->links > MOST_LINKS ? -1 : readlinkat(fd, "", target, sizeof target - 1);
        target[n < 0 ? 0 : n] = '\0';
        int code = w->links > MOST_LINKS ? ELOOP : n > 0 && !set_out(w, target) ? 0 : errno;
        failed = code ? fail(fd, "", code, why) : 0;
    } else if (folder && file && !*w->rest) {
        failed = fail(fd, "", EISDIR, why);
    } else if (folder) {
        close(w->dir);
        w->dir = fd;
        w->shared = shared;
        return 0;
    } else {
        failed = file && !*w->rest ? 0 : fail(fd, "", ENOTDIR, why);
    }
    rn_close_owned(&fd);
    return failed;
}

/* Ends in the folder of the path, or that of the file. */
static int walk(struct walk *w, const char *path, bool create, bool file, char *why)
{
    char here[PATH_MAX];
    *w = (struct walk){.dir = -1};
    int failed = *path ? 0 : -1;
    errno = ENOENT;
    failed = failed ? failed : set_out(w, path);
    if (!failed && *path != '/')
        failed = getcwd(here, sizeof here) ? set_out(w, here) : -1;
    if (failed)
        snprintf(why, RN_PRIVATE_WHY, "'%.200s' cannot be used: %s", path, strerror(errno));
    while (!failed && w->rest[strspn(w->rest, "/")])
        failed = step(w, create, file, why);
    return failed;
}

static int end(const struct walk *w, int fd)
{
    rn_close_owned(&w->dir);
    return fd;
}

int rn_private_folder(const char *path, int flags, char why[RN_PRIVATE_WHY])
{
    struct walk w;
    if (walk(&w, path, flags & RN_PRIVATE_CREATE, false, why))
        return end(&w, -1);
    if (w.shared && !(flags & RN_PRIVATE_SHARED))
        return end(&w, refuse(w.dir, "", EPERM, "may be written by others", why));
    int fd = openat(w.dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        fd = fail(w.dir, "", errno, why);
    return end(&w, fd);
}

int rn_private_file_in(int folder, const char *name, char why[RN_PRIVATE_WHY])
{
    struct stat st;
    int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0)
        return fail(folder, name, errno, why);
    const char *reason = fstat(fd, &st) || !S_ISREG(st.st_mode)     ? "is no regular file"
                         : st.st_uid != geteuid() && st.st_uid != 0 ? "is another user's"
                         : others_write(fd, &st)                    ? "may be written by others"
                                                                    : NULL;
    if (!reason)
        return fd;
    close(fd);
    return refuse(folder, name, EPERM, reason, why);
}

int rn_private_file(const char *path, char why[RN_PRIVATE_WHY])
{
    struct walk w;
    if (walk(&w, path, false, true, why))
        return end(&w, -1);
    return end(&w, rn_private_file_in(w.dir, w.name, why));
}
