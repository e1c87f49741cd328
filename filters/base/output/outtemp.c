/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* O_TMPFILE, O_PATH, renameat2, sync_file_range */

#include "filters/base/output/outtemp.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/xattr.h>

#include "filters/base/output/outplace.h"
#include "filters/base/output/outstage.h"
#include "filters/base/threads/locked.h"
#include "filters/base/threads/stall.h"

#define MAX_LIVE   64
#define MARK       ".runnel-"
#define TAIL       25               /* length of ".runnel-HHHH-RRRRRRRRRRRR" */
#define STEM       80               /* as much of the output's name as fits everywhere */
#define PUSH_STEP  ((off_t)1 << 24) /* bytes that the disk gets at once */
#define SYNC_STEP  ((off_t)1 << 26) /* bytes synced at once, so that a slow disk is no hung one */
#define ACL        "system.posix_acl_access"
#define ACL_LENGTH 4096

struct rn_outtemp {
    int dir; /* the caller's */
    int fd;
    uid_t uid; /* owner and group as a new file gets them here */
    gid_t gid;
    mode_t mode;  /* permissions */
    mode_t fresh; /* permissions as umask and folder give them to a new file */
    bool placed;
    int64_t pushed;             /* bytes that the disk has begun to write */
    int64_t reserved;           /* bytes that the file can grow to; INT64_MAX: nobody can tell */
    char name[RN_OUTTEMP_NAME]; /* "": it has none */
    struct rn_outtemp *taken;   /* the one before, in the list of that name */
};

/* ---- what a signal handler removes */

/* Each slot is set and cleared by one atomic exchange, so a handler sees either a whole name or
 * none. What the handler took stays in memory: it may still be looking at it. */
static _Atomic(struct rn_outtemp *) live[MAX_LIVE], taken;

static bool exchange_live(struct rn_outtemp *from, struct rn_outtemp *to)
{
    for (int i = 0; i < MAX_LIVE; i++) {
        struct rn_outtemp *expected = from;
        if (atomic_compare_exchange_strong(&live[i], &expected, to))
            return true;
    }
    return false;
}

void rn_outtemp_remove_all(void)
{
    for (int i = 0; i < MAX_LIVE; i++) {
        struct rn_outtemp *t = atomic_exchange(&live[i], NULL);
        if (t)
            unlinkat(t->dir, t->name, 0);
    }
}

/* ---- names */

/* Where locks are not seen by other hosts, each is to leave alone what the others write. */
static unsigned host_tag(void)
{
    static atomic_uint known; /* 0: not yet */
    char name[HOST_NAME_MAX + 1] = "";
    unsigned hash = 2166136261U, before = atomic_load(&known);
    if (before)
        return before & 0xffff;
    gethostname(name, sizeof name - 1);
    for (const char *c = name; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 16777619U;
    hash = ((hash ^ hash >> 16) & 0xffff) | 0x10000;
    atomic_store(&known, hash);
    return hash & 0xffff;
}

int rn_outtemp_choose_name(char name[RN_OUTTEMP_NAME], const char *base)
{
    unsigned char r[6];
    if (getrandom(r, sizeof r, 0) != (ssize_t)sizeof r)
        return errno;
    snprintf(name, RN_OUTTEMP_NAME, ".%.*s" MARK "%04x-%02x%02x%02x%02x%02x%02x",
             (int)rn_outplace_cut(base, STEM), base, host_tag(), r[0], r[1], r[2], r[3], r[4],
             r[5]);
    return 0;
}

static bool is_our_name(const char *name)
{
    char mark[TAIL + 1];
    size_t n = strlen(name);
    const char *tail = n > TAIL ? name + n - TAIL : "";
    int length = snprintf(mark, sizeof mark, MARK "%04x-", host_tag());
    return *name == '.' && !strncmp(tail, mark, (size_t)length) &&
           strspn(tail + length, "0123456789abcdef") == 12;
}

/* ---- folders */

/* A file of ours that nobody holds a lock on belongs to no living process: it is locked before it
 * has a name, or checked to be locked by who created it. What may have a second name, the final
 * one, keeps that. */
static void remove_if_dead(int dir, const char *name)
{
    struct stat st, now;
    int flags = O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
    int fd = openat(dir, name, flags | O_RDWR); /* NFS locks only what may be written */
    if (fd < 0 && errno == EACCES)
        fd = openat(dir, name, flags | O_RDONLY);
    if (fd < 0 && errno == EISDIR)
        rn_outstage_recover(dir, name);
    if (fd < 0)
        return;
    if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
        !flock(fd, LOCK_EX | LOCK_NB) && !fstatat(dir, name, &now, AT_SYMLINK_NOFOLLOW) &&
        now.st_dev == st.st_dev && now.st_ino == st.st_ino)
        unlinkat(dir, name, 0);
    close(fd);
}

static void sweep(int dir)
{
    int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *list = fd >= 0 ? fdopendir(fd) : NULL;
    if (!list) {
        rn_close_owned(&fd);
        return;
    }
    for (struct dirent *e; (e = readdir(list)) != NULL;)
        if (is_our_name(e->d_name))
            remove_if_dead(dir, e->d_name);
    closedir(list);
}

/* ---- creating */

static int link_unnamed(const struct rn_outtemp *t, const char *name)
{
    char from[32];
    snprintf(from, sizeof from, "/proc/self/fd/%d", t->fd);
    return linkat(AT_FDCWD, from, t->dir, name, AT_SYMLINK_FOLLOW) ? errno : 0;
}

static struct rn_outtemp *allocate(int dir)
{
    struct rn_outtemp *t = calloc(1, sizeof *t);
    if (t)
        *t = (struct rn_outtemp){.dir = dir, .fd = -1, .uid = (uid_t)-1, .gid = (gid_t)-1};
    return t;
}

static int create_unnamed(struct rn_outtemp *t)
{
    t->name[0] = '\0';
    t->fd = openat(t->dir, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
    return t->fd < 0 ? errno : 0;
}

static int give_name(struct rn_outtemp *t, const char *base)
{
    int err = EEXIST;
    flock(t->fd, LOCK_EX | LOCK_NB);
    for (int i = 0; i < 100 && err == EEXIST; i++) {
        err = rn_outtemp_choose_name(t->name, base);
        if (!err && !exchange_live(NULL, t))
            err = ENFILE;
        if (err)
            break;
        err = link_unnamed(t, t->name);
        if (err)
            exchange_live(t, NULL);
    }
    if (err)
        t->name[0] = '\0';
    return err;
}

bool rn_outtemp_claim(int fd)
{
    struct stat st;
    return (!flock(fd, LOCK_EX | LOCK_NB) || errno != EWOULDBLOCK) && !fstat(fd, &st) &&
           st.st_nlink > 0;
}

static int create_named(struct rn_outtemp *t, const char *base, mode_t mode)
{
    for (int i = 0; i < 100; i++) {
        int err = rn_outtemp_choose_name(t->name, base);
        if (!err && !exchange_live(NULL, t))
            err = ENFILE;
        if (err)
            return err;
        t->fd = openat(t->dir, t->name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
        if (t->fd >= 0) {
            if (rn_outtemp_claim(t->fd))
                return 0;
            unlinkat(t->dir, t->name, 0);
            close(t->fd);
        }
        err = t->fd < 0 ? errno : EEXIST;
        t->fd = -1;
        exchange_live(t, NULL);
        t->name[0] = '\0';
        if (err != EEXIST)
            return err;
    }
    return EEXIST;
}

/* Folders that this process has swept.
 * unnamed: files without names can be given one there. That is not so everywhere where they can be
 * created, and after hours of work it would be too late to find out.
 * fresh: the permissions of a new file, with the umask of the first look. A file that is empty and
 * goes at once shows them, because whoever has opened a file keeps it open. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct folder {
    struct folder *next;
    dev_t dev;
    ino_t ino;
    bool unnamed;
    mode_t fresh;
} * folders;

static void try_folder(struct folder *folder, int dir, const char *base)
{
    struct stat st;
    struct rn_outtemp *t = allocate(dir);
    folder->unnamed = t && !create_unnamed(t) && !give_name(t, base);
    if (!folder->unnamed) {
        rn_outtemp_drop(&t);
        t = allocate(dir);
    }
    bool made = t && (folder->unnamed || !create_named(t, base, 0666));
    folder->fresh = made && !fstat(t->fd, &st) ? st.st_mode & 0777 : 0600;
    rn_outtemp_drop(&t);
}

static struct folder look_at(int dir, const char *base)
{
    struct stat st;
    struct folder found = {.fresh = 0600};
    if (fstatat(dir, "", &st, AT_EMPTY_PATH))
        return found;
    pthread_mutex_lock(&lock);
    const struct folder *known = folders;
    while (known && (known->dev != st.st_dev || known->ino != st.st_ino))
        known = known->next;
    pthread_mutex_unlock(&lock);
    if (known)
        return *known;
    /* Without the lock: whoever comes second does what is done already. */
    found = (struct folder){.dev = st.st_dev, .ino = st.st_ino};
    sweep(dir);
    try_folder(&found, dir, base);
    RN_LOCKED(&lock);
    struct folder *more = malloc(sizeof *more);
    if (more) {
        found.next = folders;
        *more = found;
        folders = more;
    }
    return found;
}

static void change_mode(struct rn_outtemp *t, mode_t mode)
{
    if (t->mode != mode && !fchmod(t->fd, mode))
        t->mode = mode;
}

/* Without a name a file may have its permissions at once. A umask may even bar its owner. */
static void adjust(struct rn_outtemp *t)
{
    struct stat st;
    if (fstat(t->fd, &st))
        return;
    t->uid = st.st_uid;
    t->gid = st.st_gid;
    t->mode = st.st_mode & 0777;
    if (!t->name[0])
        t->fresh = t->mode;
    if ((t->mode & 0600) != 0600)
        change_mode(t, 0600);
}

int rn_outtemp_create(struct rn_outtemp **temp, int dir, const char *base)
{
    struct rn_outtemp *t = *temp = allocate(dir);
    if (!t)
        return ENOMEM;
    struct folder folder = look_at(dir, base);
    t->fresh = folder.fresh;
    int err = folder.unnamed ? create_unnamed(t) : EOPNOTSUPP;
    if (err)
        err = create_named(t, base, 0600);
    if (err)
        rn_outtemp_drop(temp);
    else
        adjust(t);
    return err;
}

char *rn_outtemp_name(const struct rn_outtemp *t, const char *folder, int length)
{
    char name[32];
    if (rn_outplace_name_of(t->fd, name))
        return strdup(name);
    size_t size = (size_t)length + strlen(t->name) + 1;
    char *path = malloc(size);
    if (path)
        snprintf(path, size, "%.*s%s", length, folder, t->name);
    return path;
}

/* ---- room */

static bool is_lack(int code)
{
    return code == ENOSPC || code == EDQUOT || code == EFBIG;
}

static int allocate_to(const struct rn_outtemp *t, int64_t size)
{
    int code;
    do
        code = fallocate(t->fd, FALLOC_FL_KEEP_SIZE, t->reserved, size - t->reserved) ? errno : 0;
    while (code == EINTR);
    return code;
}

/* In steps, so that it costs nothing; the last one as small as it is asked for. */
int rn_outtemp_reserve(struct rn_outtemp *t, int64_t size)
{
    struct rlimit limit;
    int64_t step = size / 8 < 1 << 18 ? 1 << 18 : size / 8 > 1 << 24 ? 1 << 24 : size / 8;
    int64_t most = INT64_MAX;
    if (!getrlimit(RLIMIT_FSIZE, &limit) && limit.rlim_cur < INT64_MAX)
        most = (int64_t)limit.rlim_cur;
    if (size > most)
        return EFBIG;
    if (size <= t->reserved)
        return 0;
    int64_t wanted = size < most - step ? size + step : most;
    int code = allocate_to(t, wanted);
    if (is_lack(code))
        code = allocate_to(t, wanted = size);
    if (is_lack(code))
        return code;
    t->reserved = code ? INT64_MAX : wanted;
    return 0;
}

/* ---- ending */

void rn_outtemp_push(struct rn_outtemp *t, int64_t size)
{
    if (size - t->pushed < PUSH_STEP)
        return;
    sync_file_range(t->fd, t->pushed, size - t->pushed, SYNC_FILE_RANGE_WRITE);
    t->pushed = size;
}

int rn_outtemp_sync(const struct rn_outtemp *t)
{
    int err;
    struct stat st;
    bool known = !fstat(t->fd, &st);
    if (t->reserved && known && t->reserved > st.st_size)
        (void)!ftruncate(t->fd, st.st_size); /* frees the space behind the end; best effort */
    rn_stall_beat();
    for (off_t at = 0; known && at + SYNC_STEP < st.st_size; at += SYNC_STEP, rn_stall_beat())
        sync_file_range(t->fd, at, SYNC_STEP, /* fsync tells the errors */
                        SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER);
    do
        err = fsync(t->fd) ? errno : 0;
    while (err == EINTR);
    return err == EINVAL || err == EROFS ? 0 : err; /* file systems that cannot */
}

/* The access list of the file to be replaced. Without it, or where it cannot be kept, the
 * permissions of its group would be read as those of everybody whom it names. */
static void copy_acl(const struct rn_outtemp *t, int dir, const char *base, mode_t mode)
{
    char acl[ACL_LENGTH], path[NAME_MAX + 40];
    snprintf(path, sizeof path, "/proc/self/fd/%d/%s", dir, base);
    ssize_t n = lgetxattr(path, ACL, acl, sizeof acl);
    bool none = n < 0 && errno != ERANGE && errno != EACCES && errno != EPERM;
    if (none || fsetxattr(t->fd, ACL, acl, n > 0 ? (size_t)n : 0, 0) == 0)
        return;
    fchmod(t->fd, mode & ~(mode_t)070);
}

void rn_outtemp_dress(struct rn_outtemp *t, int dir, const char *base, const struct stat *st)
{
    if (!st) {
        change_mode(t, t->fresh);
        return;
    }
    bool owner = t->uid == st->st_uid, group = t->gid == st->st_gid;
    bool foreign = !owner && rn_outplace_is_foreign(dir, st);
    if (!owner && !foreign)
        owner = group = fchown(t->fd, st->st_uid, st->st_gid) == 0;
    if (!group && !foreign)
        group = fchown(t->fd, (uid_t)-1, st->st_gid) == 0;
    mode_t mode = st->st_mode & 0777;
    if (!owner) /* what another allowed for a file of his, within what we allow for ours */
        mode = 0600 | (mode & t->fresh & 077);
    if (!group)
        mode &= 0707 | (mode & 07) << 3;
    fremovexattr(t->fd, ACL); /* what the folder gave it */
    change_mode(t, mode);
    if (owner && group)
        copy_acl(t, dir, base, mode);
}

int rn_outtemp_rename_new(int from, const char *name, int to, const char *base)
{
    struct stat st;
    int err = renameat2(from, name, to, base, RENAME_NOREPLACE) ? errno : 0;
    if (err != EINVAL && err != ENOSYS)
        return err;
    err = linkat(from, name, to, base, 0) ? errno : 0;
    if (!err)
        unlinkat(from, name, 0);
    if (!err || err == EEXIST)
        return err;
    /* Where renaming always replaces and nothing can be linked, only a look remains. */
    if (!fstatat(to, base, &st, AT_SYMLINK_NOFOLLOW))
        return EEXIST;
    return renameat(from, name, to, base) ? errno : 0;
}

int rn_outtemp_place(struct rn_outtemp *t, const char *base, bool replace)
{
    int err = replace && !t->name[0] ? give_name(t, base) : 0; /* only names replace names */
    if (!err && replace)
        err = renameat(t->dir, t->name, t->dir, base) ? errno : 0;
    else if (!err)
        err = t->name[0] ? rn_outtemp_rename_new(t->dir, t->name, t->dir, base)
                         : link_unnamed(t, base);
    t->placed = !err;
    return err;
}

void rn_outtemp_drop(struct rn_outtemp **temp)
{
    struct rn_outtemp *t = rn_take_owned(temp);
    if (!t)
        return;
    if (t->name[0] && !t->placed)
        unlinkat(t->dir, t->name, 0);
    rn_close_owned(&t->fd);
    if (!t->name[0] || exchange_live(t, NULL))
        free(t);
    else
        t->taken = atomic_exchange(&taken, t);
}
