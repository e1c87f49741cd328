/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* AT_EMPTY_PATH, asprintf, tsearch */

#include "filters/base/output/outfile.h"

#include <fcntl.h>
#include <limits.h>
#include <search.h>

#include "filters/base/arguments.h"
#include "filters/base/output/outplace.h"
#include "filters/base/output/outstage.h"
#include "filters/base/threads/locked.h"

struct rn_outfile_private {
    struct rn_outplace place; /* its path is the final name, whatever becomes of file->path */
    struct rn_outtemp *temp;
    char *requested;       /* the path that the caller gave */
    struct rn_outset *set; /* NULL: it gets its name by itself */
};

struct rn_outset {
    const char *output;        /* the caller's */
    int dir;                   /* of its members; -1: there are none */
    int lock;                  /* of that folder; -1: none */
    char *folder;              /* the same, with a slash at its end, or "" */
    struct rn_outstage *stage; /* NULL: there are none */
};

static enum rn_overwrite policy = RN_OVERWRITE_ASK;
static bool (*ask)(const char *path);

/* ---- permission. Protected by lock: files that may be overwritten, and files that the run uses,
 * two trees. */

struct permit {
    dev_t dev; /* of the folder */
    ino_t ino;
    char *base;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *permits, *kept;

void rn_outfile_set_policy(enum rn_overwrite p)
{
    if (!rn_argument_within(__func__, "policy", p, RN_OVERWRITE_ASK, RN_OVERWRITE_NO))
        policy = p;
}

void rn_outfile_set_ask(bool (*fn)(const char *path))
{
    ask = fn;
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

static struct permit permit_of(int dir, const char *base)
{
    struct stat st = {0};
    fstatat(dir, "", &st, AT_EMPTY_PATH);
    return (struct permit){st.st_dev, st.st_ino, (char *)base};
}

/* The lock is held. */
static bool add_permit(void **tree, const struct rn_outplace *place)
{
    struct permit *permit = malloc(sizeof *permit), **found = NULL;
    if (!permit)
        return false;
    *permit = permit_of(place->dir, place->base);
    permit->base = strdup(place->base);
    if (permit->base)
        found = tsearch(permit, tree, compare_permits);
    if (!found || *found != permit) {
        free(permit->base);
        free(permit);
    }
    return found != NULL;
}

static bool is_in(void **tree, int dir, const char *base)
{
    struct permit wanted = permit_of(dir, base);
    RN_LOCKED(&lock);
    return tfind(&wanted, tree, compare_permits) != NULL;
}

static bool is_permitted(int dir, const char *base)
{
    return policy == RN_OVERWRITE_YES || is_in(&permits, dir, base);
}

static int add_path(void **tree, const char *path)
{
    RN_OWNED(rn_outplace_free) struct rn_outplace place = RN_NO_PLACE;
    if (rn_outplace_find(&place, path))
        return 0;
    pthread_mutex_lock(&lock);
    bool ok = add_permit(tree, &place);
    pthread_mutex_unlock(&lock);
    return ok ? 0 : rn_fail_memory();
}

int rn_outfile_keep(const char *path)
{
    RN_NEED(RN_EUSAGE, "path", path);
    return add_path(&kept, path);
}

int rn_outfile_permit(const char *path)
{
    RN_NEED(RN_EUSAGE, "path", path);
    return policy == RN_OVERWRITE_YES ? 0 : add_path(&permits, path);
}

/* Refuses a regular file behind a descriptor: opened again, it would be written from its start,
 * over what others wrote. */
static int check_special(const struct rn_outplace *place, const char *path)
{
    return place->special && S_ISREG(place->st.st_mode)
               ? rn_fail(RN_EOUTPUT, "'%s' is a file that is already open; give its own name", path)
               : 0;
}

/* Leaves errors such as a missing folder to the caller, who opens the file and has more to say. */
int rn_outfile_allowed(const char *path)
{
    RN_NEED(RN_EUSAGE, "path", path);
    RN_OWNED(rn_outplace_free) struct rn_outplace place = RN_NO_PLACE;
    int code = rn_outplace_find(&place, path);
    if (code)
        return code == ELOOP || code == EPERM || code == EBADF ? rn_outplace_fail(path, code) : 0;
    bool ok = !place.exists || place.special || is_permitted(place.dir, place.base);
    pthread_mutex_lock(&lock);
    if (!ok && policy == RN_OVERWRITE_ASK && ask)
        ok = ask(path) && add_permit(&permits, &place);
    pthread_mutex_unlock(&lock);
    return ok ? check_special(&place, path)
              : rn_fail(RN_EOUTPUT, "'%s' exists; -y overwrites it", path);
}

/* ---- writing */

static void leave_folder(struct rn_outset *set)
{
    rn_close_owned(&set->lock);
    rn_close_owned(&set->dir);
    free(rn_take_owned(&set->folder));
    set->lock = set->dir = -1;
}

/* A member that is a link to another folder is no part of the set: it is written there. */
static int join(struct rn_outset *set, const struct rn_outplace *place, bool *joined)
{
    struct stat folder, here;
    int code = 0;
    if (!set->stage) { /* the first, also after a commit */
        leave_folder(set);
        set->dir = fcntl(place->dir, F_DUPFD_CLOEXEC, 3);
        set->folder = strndup(place->path, (size_t)(place->base - place->path));
        code = set->dir < 0   ? errno
               : !set->folder ? ENOMEM
                              : rn_outstage_create(&set->stage, set->dir, place->base);
    }
    *joined = !code && !fstatat(set->dir, "", &folder, AT_EMPTY_PATH) &&
              !fstatat(place->dir, "", &here, AT_EMPTY_PATH) && folder.st_dev == here.st_dev &&
              folder.st_ino == here.st_ino;
    return code;
}

static int create(struct rn_outfile *file, struct rn_outset *set)
{
    struct rn_outfile_private *own = file->own;
    const struct rn_outplace *place = &own->place;
    bool joined = false;
    int code = set ? join(set, place, &joined) : 0;
    own->set = joined ? set : NULL;
    if (!code)
        code = rn_outtemp_create(&own->temp, joined ? set->stage->fd : place->dir, place->base);
    if (code == ENFILE)
        return rn_fail(RN_EINTERNAL, "too many files are being written");
    if (code)
        return rn_outplace_fail(file->path, code);
    file->temp = rn_outtemp_name(own->temp, place->path, (int)(place->base - place->path));
    return file->temp ? 0 : rn_fail_memory();
}

static int begin(struct rn_outfile *file, const char *path, struct rn_outset *set)
{
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
        err = create(file, set);
    }
    if (err)
        rn_outfile_free(file);
    return err;
}

int rn_outfile_begin(struct rn_outfile *file, const char *path)
{
    RN_NEED(RN_EUSAGE, "file path", file, path);
    return begin(file, path, NULL);
}

int rn_outfile_reserve(struct rn_outfile *file, int64_t size)
{
    RN_NEED(EINVAL, "file", file);
    return file->own && file->own->temp ? rn_outtemp_reserve(file->own->temp, size) : 0;
}

void rn_outfile_push(struct rn_outfile *file, int64_t size)
{
    RN_NEED(, "file", file);
    if (file->own && file->own->temp)
        rn_outtemp_push(file->own->temp, size);
}

/* ---- ending */

/* This process's partial files, by names of the complete ones, last first. Protected by lock. */
static struct partial {
    struct partial *next;
    char *path, *partial;
} * partials;

static void remember_partial(const char *path, const char *name)
{
    struct partial *p = malloc(sizeof *p);
    RN_LOCKED(&lock);
    if (p)
        *p = (struct partial){partials, strdup(path), strdup(name)};
    if (p && p->path && p->partial)
        partials = p;
}

char *rn_outfile_partial(const char *path)
{
    RN_NEED(NULL, "path", path);
    RN_LOCKED(&lock);
    for (const struct partial *p = partials; p; p = p->next)
        if (!strcmp(p->path, path))
            return strdup(p->partial);
    return strdup(path);
}

/* The first partial file of an output is as valuable as the second: none is overwritten without
 * permission, and nothing that the run uses for something else. */
static bool may_replace_partial(int dir, const char *base)
{
    struct stat st;
    return policy == RN_OVERWRITE_YES && !fstatat(dir, base, &st, AT_SYMLINK_NOFOLLOW) &&
           S_ISREG(st.st_mode);
}

static void set_path(struct rn_outfile *file, const char *folder, int length, const char *name)
{
    char *path = NULL;
    if (asprintf(&path, "%.*s%s", length, folder, name) < 0)
        return; /* without memory messages name the other file */
    free(file->path);
    file->path = path;
}

/* Places the file as NAME.word.EXT, or -2, -3... Returns 0, or an errno. */
static int place_with_word(struct rn_outfile *file, const char *word, bool may_replace)
{
    const struct rn_outplace *place = &file->own->place;
    int number = 1, code;
    char name[NAME_MAX + 1];
    do {
        rn_outplace_insert_word(name, place->base, word, number++);
        code = is_in(&kept, place->dir, name)
                   ? EEXIST
                   : rn_outtemp_place(file->own->temp, name,
                                      may_replace && may_replace_partial(place->dir, name));
    } while (code == EEXIST);
    if (!code)
        set_path(file, place->path, (int)(place->base - place->path), name);
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

/* Leaves the file to its set. */
static int stage(struct rn_outfile *file)
{
    const struct rn_outset *set = file->own->set;
    char *folder = NULL;
    int code = rn_outtemp_place(file->own->temp, file->own->place.base, true);
    if (code)
        return rn_fail(RN_EOUTPUT, "cannot write '%s': %s", file->path, strerror(code));
    int n = asprintf(&folder, "%s%s/", set->folder, set->stage->name);
    if (n > 0)
        set_path(file, folder, n, file->own->place.base);
    free(n > 0 ? folder : NULL);
    return n > 0 ? 0 : rn_fail_memory();
}

/* Syncs first, which takes long: a process killed meanwhile leaves only its own file, and the look
 * at the old file is still true when the new one is placed. */
static int commit(struct rn_outfile *file, bool partial, bool new)
{
    const struct rn_outplace *place = &file->own->place;
    struct rn_outtemp *temp = file->own->temp;
    struct stat st;
    bool replace = is_permitted(place->dir, place->base);
    int code = rn_outtemp_sync(temp);
    if (code)
        return rn_fail(RN_EOUTPUT, "cannot write '%s': %s", file->path, strerror(code));
    bool old =
        !new && (replace || partial) && !fstatat(place->dir, place->base, &st, AT_SYMLINK_NOFOLLOW);
    rn_outtemp_dress(temp, place->dir, place->base, old && S_ISREG(st.st_mode) ? &st : NULL);
    int err = 0;
    if (file->own->set)
        return stage(file);
    if (new) {
        code = place_with_word(file, partial ? "partial" : "", false);
        if (code)
            err = rn_fail(RN_EOUTPUT, "cannot write '%s': %s", file->path, strerror(code));
    } else if (partial) {
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

static int end(struct rn_outfile *file, bool partial, bool new)
{
    if (file->own->set && !file->own->set->stage)
        return rn_fail(RN_EUSAGE, "rn_outfile_commit: the set of '%s' was committed before",
                       file->path);
    if (file->own->place.special)
        return 0;
    int err = commit(file, partial, new);
    rn_outtemp_drop(&file->own->temp);
    free(rn_take_owned(&file->temp));
    return err;
}

int rn_outfile_commit(struct rn_outfile *file, bool partial)
{
    RN_NEED(RN_EUSAGE, "file", file);
    RN_NEED(RN_EUSAGE, "file->temp", file->temp); /* not begun, or it has its name */
    return end(file, partial, false);
}

int rn_outfile_commit_new(struct rn_outfile *file, bool partial)
{
    RN_NEED(RN_EUSAGE, "file", file);
    RN_NEED(RN_EUSAGE, "file->temp", file->temp); /* not begun, or it has its name */
    return end(file, partial, true);
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
    rn_outstage_remove_all();
}

/* ---- sets */

struct rn_outset *rn_outset_create(const char *output)
{
    RN_NEED(NULL, "output", output);
    struct rn_outset *set = calloc(1, sizeof *set);
    if (set)
        *set = (struct rn_outset){.output = output, .dir = -1, .lock = -1};
    return set;
}

int rn_outset_begin(struct rn_outset *set, struct rn_outfile *file, const char *path)
{
    RN_NEED(RN_EUSAGE, "set file path", set, file, path);
    return begin(file, path, set);
}

bool rn_outset_has(const struct rn_outset *set, const char *path)
{
    RN_NEED(false, "set path", set, path);
    RN_OWNED(rn_outplace_free) struct rn_outplace place = RN_NO_PLACE;
    return set->stage && !rn_outplace_find(&place, path) &&
           !faccessat(set->stage->fd, place.base, F_OK, 0);
}

void rn_outset_lock(struct rn_outset *set)
{
    RN_NEED(, "set", set);
    if (set->stage && set->lock < 0)
        set->lock = rn_outstage_lock(set->dir);
}

static bool exists(int dir, const char *base)
{
    struct stat st;
    return !fstatat(dir, base, &st, AT_SYMLINK_NOFOLLOW);
}

int rn_outset_remove(struct rn_outset *set, const char *path)
{
    RN_NEED(RN_EUSAGE, "set path", set, path);
    const char *slash = strrchr(path, '/');
    /* A link stands for a file to be removed. */
    int code = set->stage && symlinkat("-", set->stage->fd, slash ? slash + 1 : path) ? errno : 0;
    return code ? rn_fail(RN_EOUTPUT, "cannot remove '%s': %s", path, strerror(code)) : 0;
}

static bool has_old(void *arg, const char *base)
{
    return exists(((const struct rn_outset *)arg)->dir, base);
}

/* Whether a member would replace a file that has appeared in the meantime. */
static bool has_appeared(void *arg, const char *base)
{
    const struct rn_outset *set = arg;
    return exists(set->dir, base) && !is_permitted(set->dir, base);
}

struct wanted {
    const struct rn_outset *set;
    const char *word;
    int number;
};

static bool is_taken(void *arg, const char *base)
{
    const struct wanted *w = arg;
    char name[NAME_MAX + 1];
    rn_outplace_insert_word(name, base, w->word, w->number);
    return exists(w->set->dir, name) || is_in(&kept, w->set->dir, name);
}

int rn_outset_commit(struct rn_outset *set, bool partial)
{
    RN_NEED(RN_EUSAGE, "set", set);
    if (!set->stage)
        return 0;
    bool appeared = !partial && rn_outstage_any(set->stage, has_appeared, set);
    bool replace = !partial && !appeared && rn_outstage_any(set->stage, has_old, set);
    struct wanted w = {set, partial ? "partial" : appeared ? "new" : "", 1};
    while (*w.word && rn_outstage_any(set->stage, is_taken, &w))
        w.number++;
    const char *slash = strrchr(set->output, '/'), *base = slash ? slash + 1 : set->output;
    char name[NAME_MAX + 1], *path = NULL;
    rn_outplace_insert_word(name, base, w.word, w.number);
    if (asprintf(&path, "%.*s%s", (int)(base - set->output), set->output, name) < 0)
        return rn_fail_memory();
    int moved, code = rn_outstage_move(set->stage, w.word, w.number, replace, &moved);
    int err = 0;
    if (code)
        err = rn_fail(RN_EOUTPUT,
                      "cannot write '%s': %s; after %d of its files the others are in '%s%s'", path,
                      strerror(code), moved, set->folder, set->stage->name);
    else if (appeared)
        err = rn_fail(RN_EOUTPUT,
                      "a file of '%s' appeared while they were being written and stays as it is; "
                      "the complete output is '%s'",
                      set->output, path);
    else if (partial)
        remember_partial(set->output, path);
    free(path);
    sync_folder(set->dir);
    rn_outstage_drop(&set->stage, true);
    return err;
}

void rn_outset_destroy(struct rn_outset **set)
{
    RN_NEED(, "set", set);
    struct rn_outset *s = rn_take_owned(set);
    if (!s)
        return;
    rn_outstage_drop(&s->stage, false);
    leave_folder(s);
    free(s);
}
