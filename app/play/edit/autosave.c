/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* asprintf */

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>

#include "app/play/edit/chain_file.h"
#include "filters/base/clock.h"
#include "filters/base/text/hash.h"
#include "filters/base/log.h"
#include "filters/base/output/outtemp.h"
#include "filters/base/output/private.h"
#include "filters/base/output/textfile.h"
#include "filters/base/output/textout.h"
#include "filters/base/threads/locked.h"
#include "filters/base/threads/thread.h"

#define PAUSE    1.0 /* seconds between two writes */
#define NAME     64
#define DIGITS   16 /* of the hash in a name */
#define ENDING   ".chain"
#define MAX_SEEN 10000 /* entries of the folder to look at */

struct rn_play_autosave {
    char *path;
    const char *base;  /* its last part */
    char *start, *put; /* texts at the start and of the latest put; may be NULL */

    struct rn_thread thread;
    struct rn_monitor monitor;
    char *next; /* to write; NULL: none. It and stop are protected by the lock */
    bool stop;

    /* Of the thread. */
    bool placed; /* the file was written; its id: */
    struct rn_play_autosave_id id;
    bool moved;     /* the former file is FILE.1 now */
    char *replaced; /* text of a former file of this process; NULL: none */
    struct rn_play_autosave_own *own;
    bool warned; /* that it cannot be written */
};

/* ---- names */

char *rn_play_autosave_folder(void)
{
    const char *xdg = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    bool given = xdg && *xdg == '/'; /* the specification forbids relative paths */
    char *path = NULL;
    if (!given && (!home || !*home))
        return NULL;
    int n = asprintf(&path, "%s%s/runnel", given ? xdg : home, given ? "" : "/.local/state");
    return n < 0 ? NULL : path;
}

char *rn_play_autosave_path(const char *input)
{
    RN_OWNED(rn_free_owned) char *folder = rn_play_autosave_folder();
    char *path = NULL;
    int n = folder ? asprintf(&path, "%s/%0*" PRIx64 ENDING, folder, DIGITS,
                              rn_hash(input, strlen(input)))
                   : -1;
    return n < 0 ? NULL : path;
}

/* The name of the file (0) or of a former one. */
static const char *name_of(const struct rn_play_autosave *a, int former, char name[NAME])
{
    snprintf(name, NAME, former ? "%s.%d" : "%s", a->base, former);
    return name;
}

static bool is_ours(const char *name)
{
    size_t n = strspn(name, "0123456789abcdef"), ending = strlen(ENDING);
    const char *rest = name + n + ending;
    return n == DIGITS && !strncmp(name + n, ENDING, ending) &&
           (!*rest || (*rest == '.' && rest[1] && !rest[1 + strspn(rest + 1, "0123456789")]));
}

/* ---- the folder */

static int cannot(struct rn_play_autosave *a, const char *why)
{
    int n = a->path ? (int)(a->base - a->path - 1) : 0;
    if (!a->warned)
        rn_log(RN_LOG_WARNING, "what is tuned cannot be kept%s%.*s%s: %s", n ? " in '" : "", n,
               n ? a->path : "", n ? "'" : "", why);
    a->warned = true;
    return -1;
}

/* Opens the folder, and makes it if it does not exist; -1: an error (logged). */
static int open_folder(struct rn_play_autosave *a)
{
    char why[RN_PRIVATE_WHY];
    if (!a->path)
        return cannot(a, "neither XDG_STATE_HOME nor HOME is set");
    RN_OWNED(rn_free_owned) char *folder = strndup(a->path, (size_t)(a->base - a->path - 1));
    int fd = folder ? rn_private_folder(folder, RN_PRIVATE_CREATE, why) : -1;
    return fd < 0 ? cannot(a, folder ? why : strerror(ENOMEM)) : fd;
}

struct entry {
    char name[NAME];
    int64_t written; /* nanoseconds */
};

static int compare_entries(const void *a, const void *b)
{
    int64_t x = ((const struct entry *)a)->written, y = ((const struct entry *)b)->written;
    return (x < y) - (x > y);
}

/* Lists the files in the folder, up to a limit. Returns their number. */
static int list_files(int dir, struct entry *list, int limit)
{
    struct stat st;
    int n = 0, fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *d = fd < 0 ? NULL : fdopendir(fd);
    if (!d && fd >= 0)
        close(fd);
    for (struct dirent *e; d && n < limit && (e = readdir(d)) != NULL;) {
        if (strlen(e->d_name) >= NAME || !is_ours(e->d_name) ||
            fstatat(dir, e->d_name, &st, AT_SYMLINK_NOFOLLOW))
            continue;
        snprintf(list[n].name, NAME, "%.*s", NAME - 1, e->d_name);
        list[n++].written = st.st_mtim.tv_sec * INT64_C(1000000000) + st.st_mtim.tv_nsec;
    }
    if (d)
        closedir(d);
    return n;
}

/* ---- files */

static bool same_body(const char *a, const char *b)
{
    return a && b && !strcmp(rn_play_chain_file_body(a), rn_play_chain_file_body(b));
}

/* The text of a file that was opened, which it closes; NULL: it could not be read. */
static char *read_and_close(int fd)
{
    char why[RN_TEXT_WHY], *text = NULL;
    if (fd >= 0) {
        rn_text_read_fd(&text, fd, RN_TEXT_LIMIT, why);
        close(fd);
    }
    return text;
}

/* Whether the file of an earlier process has the same settings. */
static bool is_kept(const struct rn_play_autosave *a, const char *text)
{
    char why[RN_PRIVATE_WHY];
    RN_OWNED(rn_free_owned) char *there = read_and_close(rn_private_file(a->path, why));
    return same_body(there, text);
}

static struct rn_play_autosave_id id_of(const struct stat *st)
{
    return (struct rn_play_autosave_id){.dev = st->st_dev, .ino = st->st_ino};
}

static bool same_file(const struct rn_play_autosave_id *a, struct rn_play_autosave_id b)
{
    return a->dev == b.dev && a->ino == b.ino;
}

/* Its place in the list; own->n: not there. */
static int find_own(const struct rn_play_autosave_own *own, struct rn_play_autosave_id id)
{
    int i = 0;
    while (i < own->n && !same_file(&own->id[i], id))
        i++;
    return i;
}

/* Renames FILE to FILE.1, FILE.1 to FILE.2 and so on. FILE keeps its name until it is replaced, so
 * its content always has one. */
static void keep_former(struct rn_play_autosave *a, int dir)
{
    char from[NAME], to[NAME];
    struct stat st;
    if (fstatat(dir, a->base, &st, AT_SYMLINK_NOFOLLOW))
        return;
    if (find_own(a->own, id_of(&st)) < a->own->n) {
        char why[RN_PRIVATE_WHY];
        a->replaced = read_and_close(rn_private_file_in(dir, a->base, why));
        a->id = id_of(&st);
        return;
    }
    for (int i = RN_AUTOSAVE_FORMER - 1; i > 0; i--)
        renameat(dir, name_of(a, i, from), dir, name_of(a, i + 1, to));
    name_of(a, 1, to);
    a->moved = !linkat(dir, a->base, dir, to, 0) || !renameat(dir, a->base, dir, to);
    if (a->moved)
        rn_log(RN_LOG_INFO, "what was tuned on this input earlier is '%s.1' now", a->path);
}

/* *st: of the file. */
static int write_text(const struct rn_play_autosave *a, struct rn_outtemp *temp, const char *text,
                      struct stat *st)
{
    RN_OWNED(rn_free_owned) char *name = rn_outtemp_name(temp, a->path, (int)(a->base - a->path));
    int fd = name ? open(name, O_WRONLY | O_CLOEXEC | O_NOCTTY) : -1;
    int code = fd < 0 ? errno : rn_write_all(fd, text, strlen(text));
    if (!code && fstat(fd, st))
        code = errno;
    if (fd >= 0 && close(fd) && !code)
        code = errno;
    return code;
}

/* Returns 0 or an errno. */
static int place(struct rn_play_autosave *a, int dir, const char *text)
{
    struct rn_outtemp *temp = NULL;
    struct stat st;
    int code = rn_outtemp_create(&temp, dir, a->base);
    code = code ? code : write_text(a, temp, text, &st);
    code = code ? code : rn_outtemp_sync(temp);
    if (!code && !a->placed && !a->moved && !a->replaced)
        keep_former(a, dir);
    code = code ? code : rn_outtemp_place(temp, a->base, true);
    rn_outtemp_drop(&temp);
    if (!code) {
        /* Drops the id of the replaced file: its inode number may be reused. */
        struct rn_play_autosave_own *own = a->own;
        int at = a->placed || a->replaced ? find_own(own, a->id) : own->n;
        if (at == RN_AUTOSAVE_MOST)
            memmove(own->id, own->id + 1, (size_t)--at * sizeof *own->id);
        else if (at == own->n)
            own->n++;
        a->id = own->id[at] = id_of(&st);
        a->placed = true;
    }
    return code;
}

/* Removes the file, as the settings at the start need none; former files move back. Returns 0 or an
 * errno. */
static int take_back(struct rn_play_autosave *a, int dir)
{
    char from[NAME], to[NAME];
    struct stat st;
    bool ours = a->placed && !fstatat(dir, a->base, &st, AT_SYMLINK_NOFOLLOW) &&
                same_file(&a->id, id_of(&st));
    if (a->replaced)
        return ours ? place(a, dir, a->replaced) : 0;
    if (ours && (!a->moved || renameat(dir, name_of(a, 1, from), dir, a->base)))
        unlinkat(dir, a->base, 0);
    for (int i = 1; ours && a->moved && i < RN_AUTOSAVE_FORMER; i++)
        renameat(dir, name_of(a, i + 1, from), dir, name_of(a, i, to));
    a->placed = a->moved = false;
    return 0;
}

static void save(struct rn_play_autosave *a, const char *text)
{
    bool back = same_body(text, a->start);
    if (!a->placed && (back || (a->path && is_kept(a, text))))
        return;
    RN_OWNED(rn_close_owned) int dir = open_folder(a);
    if (dir < 0)
        return;
    bool placed = a->placed;
    int code = back ? take_back(a, dir) : place(a, dir, text);
    if (code)
        cannot(a, strerror(code));
    if (!placed && a->placed) {
        /* Removes all but the newest files. */
        RN_OWNED(rn_free_owned) struct entry *list = malloc(MAX_SEEN * sizeof *list);
        int n = list ? list_files(dir, list, MAX_SEEN) : 0;
        if (n > RN_AUTOSAVE_MOST)
            qsort(list, (size_t)n, sizeof *list, compare_entries);
        for (int i = RN_AUTOSAVE_MOST; i < n; i++)
            unlinkat(dir, list[i].name, 0);
    }
}

/* ---- the thread */

/* Waits for the next text, until `due` at least; NULL: the end. */
static char *next_text(struct rn_play_autosave *a, double due)
{
    RN_LOCKED(&a->monitor.lock);
    while (!a->stop && (!a->next || rn_clock() < due)) {
        if (a->next)
            rn_monitor_wait_until(&a->monitor, due);
        else
            rn_monitor_wait(&a->monitor);
    }
    return rn_take_owned(&a->next);
}

static void *save_all(void *arg)
{
    struct rn_play_autosave *a = arg;
    double due = 0;
    for (char *text; (text = next_text(a, due)) != NULL; free(text)) {
        due = rn_clock() + PAUSE;
        save(a, text);
    }
    return NULL;
}

int rn_play_autosave_open(struct rn_play_autosave **autosave, char *path, char *start,
                          struct rn_play_autosave_own *own)
{
    struct rn_play_autosave *a = *autosave = calloc(1, sizeof *a);
    if (!a) {
        free(path);
        free(start);
        return rn_fail_memory();
    }
    const char *slash = path ? strrchr(path, '/') : NULL;
    *a = (struct rn_play_autosave){
        .path = path, .base = slash ? slash + 1 : NULL, .start = start, .own = own};
    rn_monitor_init(&a->monitor);
    return 0;
}

void rn_play_autosave_put(struct rn_play_autosave *a, char *text)
{
    const char *before = !a ? NULL : a->put ? a->put : a->start;
    char *copy = !a || !text || same_body(text, before) ? NULL : strdup(text);
    if (!copy) {
        free(text);
        return;
    }
    free(a->put);
    a->put = copy;
    if (!a->thread.runs && !rn_thread_try(&a->thread, "autosave", save_all,
                                          a)) { /* the picture waits, but nothing is lost */
        save(a, text);
        free(text);
        return;
    }
    RN_LOCKED(&a->monitor.lock);
    free(a->next);
    a->next = text;
    rn_monitor_tell(&a->monitor);
}

void rn_play_autosave_close(struct rn_play_autosave **autosave)
{
    struct rn_play_autosave *a = rn_take_owned(autosave);
    if (!a)
        return;
    rn_monitor_lock(&a->monitor);
    a->stop = true;
    rn_monitor_tell(&a->monitor);
    rn_monitor_unlock(&a->monitor);
    rn_thread_join(&a->thread);
    rn_monitor_destroy(&a->monitor);
    free(a->path);
    free(a->start);
    free(a->put);
    free(a->replaced);
    free(a);
}
