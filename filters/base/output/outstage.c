/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* getdents64 */

#include "filters/base/output/outstage.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <sys/file.h>
#include <time.h>

#include "filters/base/log.h"
#include "filters/base/output/outplace.h"
#include "filters/base/owned.h"

#define MAX_LIVE  8
#define MARK      ".moving" /* a link: to the word, or "-", and the number. It needs no space. */
#define WORD_SIZE 16

/* What a signal handler removes. A slot is set and cleared by one exchange. What the handler took
 * is not freed: it may still be looking at it. */
static _Atomic(struct rn_outstage *) live[MAX_LIVE], taken;

static bool exchange_live(struct rn_outstage *from, struct rn_outstage *to)
{
    for (int i = 0; i < MAX_LIVE; i++) {
        struct rn_outstage *expected = from;
        if (atomic_compare_exchange_strong(&live[i], &expected, to))
            return true;
    }
    return false;
}

/* ---- the files in it. The folder itself is the list: a signal handler can read it. */

typedef bool visit_fn(void *arg, int folder, const char *name); /* false: no more */

/* Visits all names but the mark. What is visited may be removed or moved. Async-signal-safe. */
static void visit_files(int folder, visit_fn *visit, void *arg)
{
    _Alignas(struct dirent64) char buf[4096];
    bool more = lseek(folder, 0, SEEK_SET) == 0;
    for (ssize_t n; more && (n = getdents64(folder, buf, sizeof buf)) > 0;)
        for (ssize_t at = 0; more && at < n;) {
            const struct dirent64 *e = (const struct dirent64 *)(const void *)(buf + at);
            at += e->d_reclen;
            if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0 &&
                strcmp(e->d_name, MARK) != 0)
                more = visit(arg, folder, e->d_name);
        }
}

static bool remove_file(void *arg, int folder, const char *name)
{
    int *removed = arg;
    *removed += unlinkat(folder, name, 0) == 0;
    return true;
}

/* Again as long as some go: a file system may pass over names while others are removed. */
static void remove_folder(int dir, int folder, const char *name)
{
    int removed;
    do {
        removed = 0;
        visit_files(folder, remove_file, &removed);
    } while (removed);
    unlinkat(folder, MARK, 0);
    unlinkat(dir, name, AT_REMOVEDIR);
}

/* A link stands for a file to be removed. */
static bool is_removal(int folder, const char *name)
{
    struct stat st;
    return !fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) && S_ISLNK(st.st_mode);
}

struct question {
    bool (*test)(void *arg, const char *base);
    void *arg;
    bool answer;
};

static bool ask(void *arg, int folder, const char *name)
{
    struct question *q = arg;
    q->answer = !is_removal(folder, name) && q->test(q->arg, name);
    return !q->answer;
}

bool rn_outstage_any(const struct rn_outstage *s, bool (*test)(void *arg, const char *base),
                     void *arg)
{
    struct question q = {test, arg, false};
    visit_files(s->fd, ask, &q);
    return q.answer;
}

/* ---- moving */

struct move {
    int dir;
    const char *word;
    int number;
    bool replace;
    int moved, removed, code;
};

static bool move_file(void *arg, int folder, const char *name)
{
    struct move *m = arg;
    char base[NAME_MAX + 1];
    if (is_removal(folder, name)) {
        bool gone = !unlinkat(m->dir, name, 0) || errno == ENOENT;
        m->code = gone ? m->code : errno;
        m->removed += gone && !unlinkat(folder, name, 0);
        return true;
    }
    rn_outplace_insert_word(base, name, m->word, m->number);
    int code = !m->replace ? rn_outtemp_rename_new(folder, name, m->dir, base)
               : renameat(folder, name, m->dir, base) ? errno
                                                      : 0;
    m->code = code ? code : m->code;
    m->moved += !code;
    return true;
}

static int move_all(struct move *m, int folder)
{
    int before;
    do {
        before = m->moved + m->removed;
        m->code = 0;
        visit_files(folder, move_file, m);
    } while (m->moved + m->removed > before);
    return m->code;
}

int rn_outstage_move(struct rn_outstage *s, const char *word, int number, bool replace, int *moved)
{
    struct move m = {.dir = s->dir, .word = word, .number = number, .replace = replace};
    char text[WORD_SIZE + 16];
    snprintf(text, sizeof text, "%s %d", *word ? word : "-", number);
    if (!symlinkat(text, s->fd, MARK)) /* best effort: it guards against a kill alone */
        fsync(s->fd);
    int code = move_all(&m, s->fd);
    *moved = m.moved;
    if (!code)
        unlinkat(s->fd, MARK, 0);
    return code;
}

int rn_outstage_lock(int dir)
{
    const struct timespec pause = {.tv_nsec = 10000000};
    int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool locked = false;
    for (int i = 0; fd >= 0 && i < 1000 && !locked; i++) {
        locked = flock(fd, LOCK_EX | LOCK_NB) == 0;
        if (!locked && errno != EWOULDBLOCK && errno != EINTR)
            break;
        if (!locked)
            nanosleep(&pause, NULL);
    }
    if (fd >= 0 && !locked)
        close(fd);
    return locked ? fd : -1;
}

/* ---- interface */

/* EEXIST: another process has taken it for a dead one's. */
static int open_new(struct rn_outstage *s)
{
    s->fd = openat(s->dir, s->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (s->fd < 0)
        return errno == ENOENT ? EEXIST : errno;
    if (rn_outtemp_claim(s->fd))
        return 0;
    close(s->fd);
    s->fd = -1;
    return EEXIST;
}

int rn_outstage_create(struct rn_outstage **stage, int dir, const char *base)
{
    struct rn_outstage *s = *stage = calloc(1, sizeof *s);
    if (!s)
        return ENOMEM;
    *s = (struct rn_outstage){.dir = dir, .fd = -1};
    int code = exchange_live(NULL, s) ? EEXIST : ENFILE;
    for (int i = 0; i < 100 && code == EEXIST; i++) {
        code = rn_outtemp_choose_name(s->name, base);
        if (!code && mkdirat(dir, s->name, 0700))
            code = errno;
        else if (!code)
            code = open_new(s);
    }
    if (code)
        rn_outstage_drop(stage, false);
    return code;
}

void rn_outstage_drop(struct rn_outstage **stage, bool keep)
{
    struct rn_outstage *s = rn_take_owned(stage);
    if (!s)
        return;
    bool ours = exchange_live(s, NULL);
    if (s->fd >= 0 && !keep)
        remove_folder(s->dir, s->fd, s->name);
    else if (s->name[0])
        unlinkat(s->dir, s->name, AT_REMOVEDIR);
    rn_close_owned(&s->fd);
    if (ours)
        free(s);
    else
        s->taken = atomic_exchange(&taken, s);
}

void rn_outstage_recover(int dir, const char *name)
{
    struct stat st;
    char text[WORD_SIZE + 16] = "", word[WORD_SIZE] = "";
    RN_OWNED(rn_close_owned)
    int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) || st.st_uid != geteuid() || flock(fd, LOCK_EX | LOCK_NB))
        return;
    struct move m = {.dir = dir, .word = word};
    __attribute__((unused)) RN_OWNED(rn_close_owned) int locked = rn_outstage_lock(dir);
    if (readlinkat(fd, MARK, text, sizeof text - 1) > 0 &&
        sscanf(text, "%15s %d", word, &m.number) == 2) {
        m.replace = !strcmp(word, "-");
        if (m.replace)
            *word = '\0';
        if (move_all(&m, fd) == 0 && m.moved)
            rn_log(RN_LOG_INFO,
                   "%d files of a run that was killed while it named them have their names now",
                   m.moved);
    }
    if (!m.code)
        remove_folder(dir, fd, name);
}

void rn_outstage_remove_all(void)
{
    for (int i = 0; i < MAX_LIVE; i++) {
        struct rn_outstage *s = atomic_exchange(&live[i], NULL);
        if (s && s->fd >= 0)
            remove_folder(s->dir, s->fd, s->name);
    }
}
