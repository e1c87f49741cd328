#include "filters/base/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "filters/base/err.h"
#include "filters/base/log.h"

#define MAX_LIVE 64

static enum rn_overwrite policy = RN_OVERWRITE_ASK;
static bool (*ask)(const char *path);

/* Names of the temporary files that exist, for the signal handler: each slot is set and cleared by
 * one atomic exchange, so a handler sees either a whole name or none. A name taken out is freed
 * only by the thread that put it in. */
static _Atomic(char *) live[MAX_LIVE];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Protected by lock: paths that may be overwritten, and that no partial file may replace. */
static struct paths {
    char **path;
    int n;
} granted, kept;

void rn_outfile_set_policy(enum rn_overwrite p)
{
    policy = p;
}

void rn_outfile_set_ask(bool (*fn)(const char *path))
{
    ask = fn;
}

static bool is_regular(const char *path)
{
    struct stat st;
    return !stat(path, &st) && S_ISREG(st.st_mode);
}

static bool is_link(const char *path)
{
    struct stat st;
    return !lstat(path, &st) && S_ISLNK(st.st_mode);
}

static bool remember(struct paths *paths, const char *path)
{
    char **list = realloc(paths->path, (size_t)(paths->n + 1) * sizeof *list);
    if (!list)
        return false;
    paths->path = list;
    list[paths->n] = strdup(path);
    if (!list[paths->n])
        return false;
    paths->n++;
    return true;
}

int rn_outfile_keep(const char *path)
{
    pthread_mutex_lock(&lock);
    bool ok = remember(&kept, path);
    pthread_mutex_unlock(&lock);
    return ok ? 0 : rn_fail_memory();
}

/* st: of an existing file. */
static bool is_kept(const struct stat *st)
{
    struct stat own;
    bool is = false;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < kept.n && !is; i++)
        is = !stat(kept.path[i], &own) && own.st_dev == st->st_dev && own.st_ino == st->st_ino;
    pthread_mutex_unlock(&lock);
    return is;
}

int rn_outfile_allowed(const char *path)
{
    if (policy == RN_OVERWRITE_YES || !is_regular(path))
        return 0;
    pthread_mutex_lock(&lock);
    bool ok = false;
    for (int i = 0; i < granted.n; i++)
        ok |= !strcmp(granted.path[i], path);
    if (!ok && policy == RN_OVERWRITE_ASK && ask)
        ok = ask(path) && remember(&granted, path);
    pthread_mutex_unlock(&lock);
    return ok ? 0 : rn_fail(RN_EOUTPUT, "'%s' exists; -y overwrites it", path);
}

/* The extension with its dot, or "" */
static const char *extension(const char *path)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    const char *dot = strrchr(base, '.');
    return dot && dot != base ? dot : "";
}

static bool register_live(char *temp)
{
    for (int i = 0; i < MAX_LIVE; i++) {
        char *none = NULL;
        if (atomic_compare_exchange_strong(&live[i], &none, temp))
            return true;
    }
    return false;
}

static void unregister_live(char *temp)
{
    for (int i = 0; i < MAX_LIVE; i++) {
        char *expected = temp;
        if (atomic_compare_exchange_strong(&live[i], &expected, NULL))
            return;
    }
}

void rn_outfile_remove_all(void)
{
    for (int i = 0; i < MAX_LIVE; i++) {
        char *temp = atomic_exchange(&live[i], NULL);
        if (temp)
            unlink(temp);
    }
}

int rn_outfile_begin(struct rn_outfile *file, const char *path)
{
    /* A link stays a link: the file that it names is replaced. */
    char *target = is_link(path) ? realpath(path, NULL) : NULL;
    *file = (struct rn_outfile){.path = target ? target : strdup(path)};
    path = file->path ? file->path : path;
    struct stat st;
    bool exists = !stat(path, &st), special = exists && !S_ISREG(st.st_mode);
    size_t size = strlen(path) + 32;
    file->temp = malloc(size);
    if (!file->path || !file->temp) {
        rn_outfile_free(file);
        return rn_fail_memory();
    }
    if (special) {
        if (S_ISDIR(st.st_mode)) {
            rn_outfile_free(file);
            return rn_fail(RN_EOUTPUT, "'%s' is a folder", path);
        }
        snprintf(file->temp, size, "%s", path);
        return 0;
    }
    const char *ext = extension(path);
    const char *slash = strrchr(path, '/');
    int dir = slash ? (int)(slash + 1 - path) : 0;
    int fd = -1;
    for (int i = 0; i < 100 && fd < 0; i++) {
        snprintf(file->temp, size, "%.*s.%.*s.%ld-%d%s", dir, path,
                 (int)(strlen(path) - (size_t)dir - strlen(ext)), path + dir, (long)getpid(), i,
                 ext);
        fd = open(file->temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST)
            break;
    }
    if (fd < 0) {
        int err = rn_fail(RN_EOUTPUT, "cannot create '%s': %s", path, strerror(errno));
        free(file->temp);
        file->temp = NULL;
        rn_outfile_free(file);
        return err;
    }
    if (exists)
        fchmod(fd, st.st_mode & 07777); /* best effort */
    close(fd);
    if (!register_live(file->temp)) {
        unlink(file->temp);
        rn_outfile_free(file);
        return rn_fail(RN_EINTERNAL, "more than %d files are being written", MAX_LIVE);
    }
    return 0;
}

static int sync_path(const char *path, int flags)
{
    int fd = open(path, flags | O_CLOEXEC);
    if (fd < 0)
        return -1;
    int err = fsync(fd);
    int saved = errno;
    close(fd);
    errno = saved;
    return err && (saved == EINVAL || saved == EROFS) ? 0 : err; /* pipes and such cannot sync */
}

static void sync_folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *dir = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    if (dir)
        sync_path(dir, O_RDONLY | O_DIRECTORY); /* best effort: the file itself is safe */
    free(dir);
}

/* The partial files of this process, by the names that the complete files would have had. Protected
 * by lock. */
static struct {
    char *path, *partial;
} * partials;
static int npartials;

static void remember_partial(const char *path, const char *name)
{
    pthread_mutex_lock(&lock);
    void *list = realloc(partials, (size_t)(npartials + 1) * sizeof *partials);
    if (list) {
        partials = list;
        partials[npartials].path = strdup(path);
        partials[npartials].partial = strdup(name);
        npartials += partials[npartials].path && partials[npartials].partial;
    }
    pthread_mutex_unlock(&lock);
}

char *rn_outfile_partial(const char *path)
{
    char *target = is_link(path) ? realpath(path, NULL) : NULL, *name = NULL;
    pthread_mutex_lock(&lock);
    for (int i = npartials - 1; i >= 0 && !name; i--)
        if (!strcmp(partials[i].path, target ? target : path))
            name = strdup(partials[i].partial);
    pthread_mutex_unlock(&lock);
    free(target);
    return name ? name : strdup(path);
}

/* The first partial file of an output is as valuable as the second: none is overwritten without
 * permission. */
static bool may_replace(const char *name)
{
    struct stat st;
    return lstat(name, &st) || (policy == RN_OVERWRITE_YES && (stat(name, &st) || !is_kept(&st)));
}

static bool rename_to_partial(struct rn_outfile *file)
{
    const char *ext = extension(file->path);
    int stem = (int)(strlen(file->path) - strlen(ext));
    size_t size = strlen(file->path) + sizeof ".partial-" + 12;
    char *name = malloc(size);
    if (!name)
        return false;
    snprintf(name, size, "%.*s.partial%s", stem, file->path, ext);
    for (int i = 2; !may_replace(name); i++)
        snprintf(name, size, "%.*s.partial-%d%s", stem, file->path, i, ext);
    remember_partial(file->path, name);
    free(file->path);
    file->path = name;
    return true;
}

int rn_outfile_commit(struct rn_outfile *file, bool partial)
{
    if (!strcmp(file->path, file->temp))
        return 0;
    int err = 0;
    if (sync_path(file->temp, O_RDONLY))
        err = rn_fail(RN_EOUTPUT, "cannot write '%s': %s", file->path, strerror(errno));
    else if (partial && !rename_to_partial(file))
        err = rn_fail_memory();
    else if (rename(file->temp, file->path))
        err = rn_fail(RN_EOUTPUT, "cannot rename '%s' to '%s': %s", file->temp, file->path,
                      strerror(errno));
    if (err)
        unlink(file->temp);
    else
        sync_folder_of(file->path);
    unregister_live(file->temp);
    free(file->temp);
    file->temp = NULL;
    return err;
}

void rn_outfile_free(struct rn_outfile *file)
{
    if (file->temp && file->path && strcmp(file->path, file->temp) != 0) {
        unregister_live(file->temp);
        unlink(file->temp);
    }
    free(file->temp);
    free(file->path);
    *file = (struct rn_outfile){0};
}
