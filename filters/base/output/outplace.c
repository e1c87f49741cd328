/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* O_PATH */

#include "filters/base/output/outplace.h"

#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <sys/vfs.h>

#include "filters/base/log.h"
#include "filters/base/output/path.h"
#include "filters/base/owned.h"

#define MOST_LINKS 40 /* that lead to one file, as the kernel has it */
#define PROCFS     0x9fa0

/* The way that is still to go. */
struct walk {
    int dir;
    int links;
    char *rest; /* what is left of the path, in buf */
    char buf[PATH_MAX];
};

bool rn_outplace_is_foreign(int dir, const struct stat *st)
{
    struct stat folder;
    return !fstatat(dir, "", &folder, AT_EMPTY_PATH) && (folder.st_mode & S_IWOTH) &&
           st->st_uid != geteuid() && st->st_uid != folder.st_uid;
}

static int enter(struct walk *w, int dir)
{
    if (dir < 0)
        return errno;
    rn_close_owned(&w->dir);
    w->dir = dir;
    return 0;
}

/* Goes on along path and then tail instead of what is left. */
static int set_out(struct walk *w, const char *path, const char *tail)
{
    char whole[PATH_MAX];
    int n = snprintf(whole, sizeof whole, "%s%s%s", path, *tail ? "/" : "", tail);
    if (n < 0 || (size_t)n >= sizeof whole)
        return ENAMETOOLONG;
    memcpy(w->buf, whole, (size_t)n + 1);
    w->rest = w->buf;
    if (*path == '/' || w->dir < 0)
        return enter(w, open(*path == '/' ? "/" : ".", O_PATH | O_DIRECTORY | O_CLOEXEC));
    return 0;
}

static bool is_procfs(int dir)
{
    struct statfs fs;
    return !fstatfs(dir, &fs) && fs.f_type == PROCFS;
}

/* link: open, a link in w->dir, with st. tail: what follows in the path. last: nothing does. */
static int follow(struct walk *w, struct rn_outplace *place, int link, const struct stat *st,
                  const char *tail, bool last)
{
    char target[PATH_MAX];
    if (rn_outplace_is_foreign(w->dir, st))
        return EPERM;
    if (++w->links > MOST_LINKS)
        return ELOOP;
    ssize_t n = readlinkat(link, "", target, sizeof target - 1);
    if (n <= 0)
        return n ? errno : ENOENT;
    target[n] = '\0';
    if (last) {
        char *path = rn_path_beside(place->path, target);
        if (!path)
            return ENOMEM;
        free(place->path);
        place->path = path;
    }
    return set_out(w, target, tail);
}

/* Holds what a name in a folder of /proc, a link to something open, leads to. Those of this process
 * are known by number; what is closed as a program is executed is our own, not the caller's. */
static int hold_descriptor(struct rn_outplace *place, int dir, const char *name)
{
    struct stat own, st;
    place->exists = place->special = true;
    if (!stat("/proc/self/fd", &own) && !fstatat(dir, "", &st, AT_EMPTY_PATH) &&
        own.st_dev == st.st_dev && own.st_ino == st.st_ino) {
        int fd = atoi(name), flags = fcntl(fd, F_GETFD), access = fcntl(fd, F_GETFL);
        if (flags < 0 || access < 0 || (flags & FD_CLOEXEC) || (access & O_ACCMODE) == O_RDONLY)
            return EBADF;
        place->descriptor = fd;
    }
    place->opened = openat(dir, name, O_PATH | O_CLOEXEC);
    return place->opened < 0 || fstat(place->opened, &place->st) ? errno : 0;
}

/* *file: open, with st; taken over if it is to be held. */
static int take_last(struct rn_outplace *place, int dir, int *file, const struct stat *st)
{
    place->exists = true;
    place->st = *st;
    place->special = !S_ISREG(st->st_mode);
    if (S_ISDIR(st->st_mode))
        return EISDIR;
    if (!place->special)
        return 0;
    place->opened = *file;
    *file = -1;
    return rn_outplace_is_foreign(dir, st) ? EPERM : 0;
}

static int open_part(int dir, const char *name, int flags)
{
    return openat(dir, name, O_PATH | O_CLOEXEC | flags);
}

/* One part of the path. Sets *done when it was the last. */
static int step(struct walk *w, struct rn_outplace *place, bool *done)
{
    w->rest += strspn(w->rest, "/");
    char *name = w->rest, *end = name + strcspn(name, "/"), *tail = end + strspn(end, "/");
    bool last = !*tail, folder = last && (*end || !*name); /* "x/", "/" */
    if (folder)
        return EISDIR;
    *end = '\0';
    w->rest = tail;
    if (!last) {
        int next = open_part(w->dir, name, O_DIRECTORY | O_NOFOLLOW);
        if (next >= 0 || errno != ENOTDIR)
            return enter(w, next);
    }
    struct stat st;
    RN_OWNED(rn_close_owned) int file = open_part(w->dir, name, O_NOFOLLOW);
    *done = last;
    if (file < 0)
        return !last || errno != ENOENT ? errno : is_procfs(w->dir) ? EBADF : 0;
    if (fstat(file, &st))
        return errno;
    if (!S_ISLNK(st.st_mode))
        return last ? take_last(place, w->dir, &file, &st) : ENOTDIR;
    if (is_procfs(w->dir)) /* such links lead to no name that could be followed */
        return last ? hold_descriptor(place, w->dir, name)
                    : enter(w, open_part(w->dir, name, O_DIRECTORY));
    *done = false;
    return follow(w, place, file, &st, tail, last);
}

int rn_outplace_find(struct rn_outplace *place, const char *path)
{
    struct walk w = {.dir = -1};
    bool done = false;
    *place = RN_NO_PLACE;
    place->path = strdup(path);
    int err = !place->path ? ENOMEM : !*path ? ENOENT : set_out(&w, path, "");
    while (!err && !done)
        err = step(&w, place, &done);
    place->dir = w.dir;
    if (err) {
        rn_outplace_free(place);
        return err;
    }
    const char *slash = strrchr(place->path, '/');
    place->base = slash ? slash + 1 : place->path;
    return 0;
}

bool rn_outplace_name_of(int fd, char name[32])
{
    static atomic_bool known; /* that there is /proc */
    struct stat own, st;
    snprintf(name, 32, "/proc/self/fd/%d", fd);
    if (!atomic_load(&known) && !stat(name, &st) && !fstat(fd, &own))
        atomic_store(&known, st.st_dev == own.st_dev && st.st_ino == own.st_ino);
    return atomic_load(&known);
}

size_t rn_outplace_cut(const char *name, size_t most)
{
    size_t n = strnlen(name, most);
    while (n > 0 && ((unsigned char)name[n] & 0xc0) == 0x80)
        n--;
    return n;
}

void rn_outplace_insert_word(char name[NAME_MAX + 1], const char *base, const char *word,
                             int number)
{
    char suffix[32], count[16] = "";
    const char *dot = strrchr(base, '.'), *ext = dot && dot != base ? dot : "";
    if (strlen(ext) > 32)
        ext = "";
    if (number > 1)
        snprintf(count, sizeof count, "-%d", number);
    snprintf(suffix, sizeof suffix, "%s%.14s%s", *word ? "." : "", word, count);
    size_t stem = strlen(base) - strlen(ext), most = NAME_MAX - strlen(suffix) - strlen(ext);
    snprintf(name, NAME_MAX + 1, "%.*s%s%s", (int)rn_outplace_cut(base, stem < most ? stem : most),
             base, suffix, ext);
}

int rn_outplace_fail(const char *path, int code)
{
    if (code == ENOMEM)
        return rn_fail_memory();
    if (code == EISDIR)
        return rn_fail(RN_EOUTPUT, "'%s' is a folder", path);
    if (code == EPERM)
        return rn_fail(RN_EOUTPUT,
                       "'%s' is, or is below, a link or pipe of another user in a folder that "
                       "everybody may write; choose another name",
                       path);
    if (code == EBADF)
        return rn_fail(RN_EOUTPUT, "cannot write '%s': it is not open for writing", path);
    return rn_fail(RN_EOUTPUT, "cannot create '%s': %s", path, strerror(code));
}

void rn_outplace_free(struct rn_outplace *place)
{
    rn_close_owned(&place->dir);
    rn_close_owned(&place->opened);
    free(place->path);
    *place = RN_NO_PLACE;
}
