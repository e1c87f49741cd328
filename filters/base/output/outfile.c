#define _GNU_SOURCE /* AT_EMPTY_PATH, tsearch */

#include "filters/base/output/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "filters/base/arguments.h"
#include "filters/base/err.h"
#include "filters/base/log.h"
#include "filters/base/output/path.h"
#include "filters/base/output/outplace.h"
#include "filters/base/output/outtemp.h"

struct rn_outfile_private {
    struct rn_outplace place; /* its path is the final name, whatever becomes of file->path */
    struct rn_outtemp *temp;
    char *requested; /* the path that the caller gave */
};

static enum rn_overwrite policy = RN_OVERWRITE_ASK;
static bool (*ask)(const char *path);

/* ---- permission. Protected by lock: files that may be overwritten, a tree; and paths that no
 * partial file may replace. */

struct permit {
    dev_t dev; /* of the folder */
    ino_t ino;
    char *base;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *permits;
static char **protected_paths;
static int nprotected;

void rn_outfile_set_policy(enum rn_overwrite p)
{
    if (!rn_argument_within(__func__, "policy", p, RN_OVERWRITE_ASK, RN_OVERWRITE_NO))
        policy = p;
}

void rn_outfile_set_ask(bool (*fn)(const char *path))
{
    ask = fn;
}

int rn_outfile_keep(const char *path)
{
    RN_NEED(RN_EUSAGE, "path", path);
    pthread_mutex_lock(&lock);
    char **list = realloc(protected_paths, (size_t)(nprotected + 1) * sizeof *list);
    if (list) {
        protected_paths = list;
        protected_paths[nprotected] = strdup(path);
    }
    bool ok = list && protected_paths[nprotected];
    nprotected += ok;
    pthread_mutex_unlock(&lock);
    return ok ? 0 : rn_fail_memory();
}

static int compare_permits(const void *a, const void *b)
{
    const struct permit *x = a, *y = b;
    if (x->dev != y->dev)
        return x->dev < y->dev ? -1 : 1;
    if (x->ino != y->ino)
        return x->ino < y->ino ? -1 : 1;
    return strcmp(x->base, y->base);
}

static struct permit permit_of(const struct rn_outplace *place)
{
    struct stat st = {0};
    fstatat(place->dir, "", &st, AT_EMPTY_PATH);
    return (struct permit){st.st_dev, st.st_ino, (char *)place->base};
}

/* The lock is held. */
static bool add_permit(const struct rn_outplace *place)
{
    struct permit *permit = malloc(sizeof *permit), **found = NULL;
    if (!permit)
        return false;
    *permit = permit_of(place);
    permit->base = strdup(place->base);
    if (permit->base)
        found = tsearch(permit, &permits, compare_permits);
    if (!found || *found != permit) {
        free(permit->base);
        free(permit);
    }
    return found != NULL;
}

static bool is_permitted(const struct rn_outplace *place)
{
    if (policy == RN_OVERWRITE_YES)
        return true;
    struct permit wanted = permit_of(place);
    pthread_mutex_lock(&lock);
    bool found = tfind(&wanted, &permits, compare_permits) != NULL;
    pthread_mutex_unlock(&lock);
    return found;
}

/* Refuses a regular file behind a descriptor: opened again, it would be written from its start,
 * over what others wrote. */
static int check_special(const struct rn_outplace *place, const char *path)
{
    return place->special && S_ISREG(place->st.st_mode)
               ? rn_fail(RN_EOUTPUT, "'%s' is a file that is already open; give its own name", path)
               : 0;
}

/* Leaves errors such as a missing folder to the caller that opens the file: its message is
 * better. */
int rn_outfile_allowed(const char *path)
{
    RN_NEED(RN_EUSAGE, "path", path);
    struct rn_outplace place;
    int code = rn_outplace_find(&place, path);
    if (code)
        return code == ELOOP || code == EPERM || code == EBADF ? rn_outplace_fail(path, code) : 0;
    bool ok = !place.exists || place.special || is_permitted(&place);
    pthread_mutex_lock(&lock);
    if (!ok && policy == RN_OVERWRITE_ASK && ask)
        ok = ask(path) && add_permit(&place);
    pthread_mutex_unlock(&lock);
    int err = ok ? check_special(&place, path)
                 : rn_fail(RN_EOUTPUT, "'%s' exists; -y overwrites it", path);
    rn_outplace_free(&place);
    return err;
}

int rn_outfile_permit(const char *path)
{
    RN_NEED(RN_EUSAGE, "path", path);
    struct rn_outplace place;
    if (policy == RN_OVERWRITE_YES || rn_outplace_find(&place, path))
        return 0;
    pthread_mutex_lock(&lock);
    bool ok = add_permit(&place);
    pthread_mutex_unlock(&lock);
    rn_outplace_free(&place);
    return ok ? 0 : rn_fail_memory();
}

/* ---- writing */

static int create(struct rn_outfile *file)
{
    struct rn_outfile_private *own = file->own;
    const struct rn_outplace *place = &own->place;
    int code = rn_outtemp_create(&own->temp, place->dir, place->base);
    if (code == ENFILE)
        return rn_fail(RN_EINTERNAL, "too many files are being written");
    if (code)
        return rn_outplace_fail(file->path, code);
    file->temp = rn_outtemp_name(own->temp, place->path, (int)(place->base - place->path));
    return file->temp ? 0 : rn_fail_memory();
}

int rn_outfile_begin(struct rn_outfile *file, const char *path)
{
    RN_NEED(RN_EUSAGE, "file path", file, path);
    struct rn_outplace place;
    *file = (struct rn_outfile){0};
    int code = rn_outplace_find(&place, path);
    if (code)
        return rn_outplace_fail(path, code);
    struct rn_outfile_private *own = file->own = calloc(1, sizeof *own);
    if (!own) {
        rn_outplace_free(&place);
        return rn_fail_memory();
    }
    own->place = place;
    own->requested = strdup(path);
    file->path = strdup(place.special ? path : place.path);
    int err = file->path && own->requested ? check_special(&place, path) : rn_fail_memory();
    if (!err && place.special) { /* by its descriptor: another file may have its name by then */
        char name[32];
        file->temp = strdup(rn_outplace_name_of(place.opened, name) ? name : file->path);
        err = file->temp ? 0 : rn_fail_memory();
    } else if (!err) {
        err = create(file);
    }
    if (err)
        rn_outfile_free(file);
    return err;
}

int rn_outfile_reserve(struct rn_outfile *file, int64_t size)
{
    RN_NEED(EINVAL, "file", file);
    return file->own && file->own->temp ? rn_outtemp_reserve(file->own->temp, size) : 0;
}

/* ---- ending */

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
    RN_NEED(NULL, "path", path);
    char *name = NULL;
    pthread_mutex_lock(&lock);
    for (int i = npartials - 1; i >= 0 && !name; i--)
        if (!strcmp(partials[i].path, path))
            name = strdup(partials[i].partial);
    pthread_mutex_unlock(&lock);
    return name ? name : strdup(path);
}

/* The first partial file of an output is as valuable as the second: none is overwritten without
 * permission. */
static bool may_replace_partial(int dir, const char *base)
{
    struct stat st, own;
    bool may = policy == RN_OVERWRITE_YES && !fstatat(dir, base, &st, AT_SYMLINK_NOFOLLOW) &&
               S_ISREG(st.st_mode);
    pthread_mutex_lock(&lock);
    for (int i = 0; i < nprotected && may; i++) {
        int found = rn_path_look(protected_paths[i], &own);
        may = found >= 0 && (!found || own.st_dev != st.st_dev || own.st_ino != st.st_ino);
    }
    pthread_mutex_unlock(&lock);
    return may;
}

/* Makes name of base: with a word before the extension, and a number above 1; cut to the length of
 * a name. */
static void insert_word(char name[NAME_MAX + 1], const char *base, const char *word, int number)
{
    char suffix[32];
    const char *dot = strrchr(base, '.'), *ext = dot && dot != base ? dot : "";
    if (strlen(ext) > 32)
        ext = "";
    snprintf(suffix, sizeof suffix, number > 1 ? ".%s-%d" : ".%s", word, number);
    size_t stem = strlen(base) - strlen(ext), most = NAME_MAX - strlen(suffix) - strlen(ext);
    snprintf(name, NAME_MAX + 1, "%.*s%s%s", (int)rn_outplace_cut(base, stem < most ? stem : most),
             base, suffix, ext);
}

/* Places the file as NAME.word.EXT, or -2, -3... Returns 0, or an errno. */
static int place_with_word(struct rn_outfile *file, const char *word, bool may_replace)
{
    const struct rn_outplace *place = &file->own->place;
    int folder = (int)(place->base - place->path), number = 1, code;
    char name[NAME_MAX + 1];
    do {
        insert_word(name, place->base, word, number++);
        code = rn_outtemp_place(file->own->temp, name,
                                may_replace && may_replace_partial(place->dir, name));
    } while (code == EEXIST);
    size_t size = (size_t)folder + strlen(name) + 1;
    char *path = code ? NULL : malloc(size);
    if (path) { /* without memory the message names the other file */
        snprintf(path, size, "%.*s%s", folder, place->path, name);
        free(file->path);
        file->path = path;
    }
    return code;
}

static int fail_to_place(struct rn_outfile *file, int code)
{
    const char *path = file->own->place.path;
    if (place_with_word(file, "new", false))
        return rn_fail(RN_EOUTPUT, "cannot write '%s': %s", path, strerror(code));
    if (code == EEXIST)
        return rn_fail(RN_EOUTPUT,
                       "'%s' appeared while it was being written and stays as it is; the "
                       "complete output is '%s'",
                       path, file->path);
    return rn_fail(RN_EOUTPUT, "cannot replace '%s': %s; the complete output is '%s'", path,
                   strerror(code), file->path);
}

static void sync_folder(int dir)
{
    int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return; /* best effort: the file itself is safe */
    fsync(fd);
    close(fd);
}

/* Syncs first, which takes long: a process killed meanwhile leaves only its own file, and the look
 * at the old file is still true when the new one is placed. */
static int commit(struct rn_outfile *file, bool partial)
{
    const struct rn_outplace *place = &file->own->place;
    struct rn_outtemp *temp = file->own->temp;
    struct stat st;
    bool replace = is_permitted(place);
    int code = rn_outtemp_sync(temp);
    if (code)
        return rn_fail(RN_EOUTPUT, "cannot write '%s': %s", file->path, strerror(code));
    bool old = (replace || partial) && !fstatat(place->dir, place->base, &st, AT_SYMLINK_NOFOLLOW);
    rn_outtemp_dress(temp, place->base, old && S_ISREG(st.st_mode) ? &st : NULL);
    int err = 0;
    if (partial) {
        code = place_with_word(file, "partial", true);
        if (code)
            err = rn_fail(RN_EOUTPUT, "cannot keep the partial file of '%s': %s", file->path,
                          strerror(code));
        else
            remember_partial(file->own->requested, file->path);
    } else {
        code = rn_outtemp_place(temp, place->base, replace && old);
        if (code == EEXIST && replace)
            code = rn_outtemp_place(temp, place->base, true);
        err = code ? fail_to_place(file, code) : 0;
    }
    sync_folder(place->dir);
    return err;
}

int rn_outfile_commit(struct rn_outfile *file, bool partial)
{
    RN_NEED(RN_EUSAGE, "file", file);
    RN_NEED(RN_EUSAGE, "file->own", file->own);
    if (file->own->place.special)
        return 0;
    int err = commit(file, partial);
    rn_outtemp_drop(&file->own->temp);
    free(file->temp);
    file->temp = NULL;
    return err;
}

void rn_outfile_free(struct rn_outfile *file)
{
    RN_NEED(, "file", file);
    struct rn_outfile_private *own = file->own;
    if (own) {
        rn_outtemp_drop(&own->temp);
        rn_outplace_free(&own->place);
        free(own->requested);
        free(own);
    }
    free(file->temp);
    free(file->path);
    *file = (struct rn_outfile){0};
}

void rn_outfile_remove_all(void)
{
    rn_outtemp_remove_all();
}
