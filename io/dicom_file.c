#include "io/dicom_file.h"

#include "filters/core/err.h"
#include "filters/core/log.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef RN_HAVE_GDCM

#include "io/dicom_gdcm.h"

size_t rn_dicom_size(const struct rn_dicom_header *h)
{
    return (size_t)h->w * (size_t)h->h * (size_t)h->frames * (size_t)h->colours * (size_t)h->bytes;
}

/* ---- the child */

static void *share(size_t size)
{
    /* cppcheck-suppress invalidFunctionArg ; -1 is what anonymous memory takes */
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    /* cppcheck-suppress memleak */
    return memory == MAP_FAILED ? NULL : memory;
}

/* Other threads may have held any lock while the process was copied, so nothing of ours is used
 * from here: no log, no exit handlers. Signals are the parent's to act on; when that dies of one,
 * this must not go on without it. */
static void become_child(pid_t parent)
{
    static const int ignored[] = {SIGINT, SIGTERM, SIGHUP};
    struct rlimit none = {0, 0};
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
        signal(ignored[i], SIG_IGN);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) /* it died before that was said */
        _exit(1);
#else
    (void)parent;
#endif
    signal(SIGABRT, SIG_DFL);
    signal(SIGSEGV, SIG_DFL);
    setrlimit(RLIMIT_CORE, &none);
    int null = open("/dev/null", O_WRONLY);
    if (null >= 0) {
        dup2(null, STDOUT_FILENO);
        dup2(null, STDERR_FILENO);
    }
}

/* True if the child came to its end with success. A stop kills it. It is asked more and more
 * rarely, so that a short work is not waited for long, and a long one costs nothing. */
static bool wait_for(pid_t pid, const atomic_bool *stop)
{
    int status = 0;
    pid_t ended = 0;
    long pause = 20000;
    while (stop && (ended = waitpid(pid, &status, WNOHANG)) == 0) {
        if (atomic_load(stop)) {
            kill(pid, SIGKILL);
            break;
        }
        nanosleep(&(struct timespec){0, pause}, NULL);
        pause = pause < 20000000 ? pause + pause / 8 : pause;
    }
    while (ended <= 0 && (ended = waitpid(pid, &status, 0)) < 0)
        if (errno != EINTR)
            return false;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

struct progress {
    volatile int done;
    struct rn_dicom_entry entry[];
};

/* One child reads all headers; when it dies of one file, another goes on behind it. */
static int describe_all(char *const *paths, int n, struct progress *shared)
{
    for (int begin = 0; begin < n; begin = shared->done) {
        shared->done = begin;
        pid_t parent = getpid(), pid = fork();
        if (pid < 0)
            return rn_fail(RN_EINTERNAL, "cannot start a process: %s", strerror(errno));
        if (pid == 0) {
            become_child(parent);
            for (int i = begin; i < n; i++) {
                rn_gdcm_describe(paths[i], &shared->entry[i]);
                shared->done = i + 1;
            }
            _exit(0);
        }
        /* Nobody can ask for a stop yet: a signal ends the process while an input is opened. */
        if (!wait_for(pid, NULL) && shared->done < n) {
            struct rn_dicom_entry *e = &shared->entry[shared->done++];
            e->result = RN_DICOM_UNREADABLE;
            snprintf(e->why, sizeof e->why, "cannot be read as DICOM");
        }
    }
    return 0;
}

int rn_dicom_describe(char *const *paths, int n, struct rn_dicom_entry *entries)
{
    size_t size = sizeof(struct progress) + (size_t)n * sizeof *entries;
    struct progress *shared = share(size);
    if (!shared)
        return rn_fail_memory();
    int err = describe_all(paths, n, shared);
    memcpy(entries, shared->entry, (size_t)n * sizeof *entries);
    munmap(shared, size);
    return err;
}

/* Behind the pixels: what may be overwritten, then the reason of a failure. */
#define WHY_SIZE 128
#define EXTRA    (RN_DICOM_PADDING + WHY_SIZE)

uint8_t *rn_dicom_read(const char *path, const struct rn_dicom_header *header,
                       const atomic_bool *stop, char *why, size_t size)
{
    size_t length = rn_dicom_size(header);
    uint8_t *shared = share(length + EXTRA);
    pid_t parent = getpid(), pid = shared ? fork() : -1;
    if (pid < 0) {
        snprintf(why, size, "cannot be read: %s", strerror(errno));
        if (shared)
            munmap(shared, length + EXTRA);
        return NULL;
    }
    char *reason = (char *)shared + length + RN_DICOM_PADDING;
    if (pid == 0) {
        become_child(parent);
        _exit(rn_gdcm_read(path, header, shared, reason, WHY_SIZE) ? 0 : 1);
    }
    if (wait_for(pid, stop))
        return shared;
    reason[WHY_SIZE - 1] = '\0';
    snprintf(why, size, "%s", *reason ? reason : "cannot be decoded");
    munmap(shared, length + EXTRA);
    return NULL;
}

void rn_dicom_release(uint8_t *pixels, const struct rn_dicom_header *header)
{
    if (pixels)
        munmap(pixels, rn_dicom_size(header) + EXTRA);
}

/* ---- is it whole? */

#define UNDEFINED 0xFFFFFFFFu
#define MAX_DEPTH 32

enum { ITEM = 0xE000, ITEM_END = 0xE00D, SEQUENCE_END = 0xE0DD }; /* of group 0xFFFE */

struct walk {
    FILE *f;
    int64_t size;
    bool is_explicit, is_big;
    char syntax[65]; /* Transfer Syntax UID, from the group of meta elements */
    int64_t pixels;  /* bytes of Pixel Data as its length says; 0: none or compressed */
};

struct element {
    unsigned group, number;
    char vr[2];
    uint32_t length;
};

static uint32_t load(const struct walk *w, const uint8_t *p, int bytes)
{
    uint32_t v = 0;
    for (int i = 0; i < bytes; i++)
        v = v << 8 | p[w->is_big ? i : bytes - 1 - i];
    return v;
}

static bool has_long_length(const char *vr)
{
    static const char names[] = "OBOWOFODOLOVSQUCURUTUNSVUV";
    for (const char *p = names; *p; p += 2)
        if (vr[0] == p[0] && vr[1] == p[1])
            return true;
    return false;
}

static bool read_element(struct walk *w, struct element *e)
{
    uint8_t p[12];
    if (fread(p, 1, 8, w->f) != 8)
        return false;
    e->group = load(w, p, 2);
    e->number = load(w, p + 2, 2);
    e->length = load(w, p + 4, 4);
    memcpy(e->vr, p + 4, 2);
    if (!w->is_explicit || e->group == 0xFFFE)
        return true;
    e->length = load(w, p + 6, 2);
    if (!has_long_length(e->vr))
        return true;
    if (fread(p + 8, 1, 4, w->f) != 4)
        return false;
    e->length = load(w, p + 8, 4);
    return true;
}

static bool skip(struct walk *w, uint32_t length)
{
    return ftello(w->f) + (int64_t)length <= w->size && !fseeko(w->f, (off_t)length, SEEK_CUR);
}

static bool walk_elements(struct walk *w, bool in_item, int depth);

/* The items of a sequence or of compressed pixels, up to their end. */
static bool walk_items(struct walk *w, int depth)
{
    struct element e;
    while (read_element(w, &e)) {
        if (e.group != 0xFFFE)
            return false;
        if (e.number == SEQUENCE_END)
            return true;
        if (!(e.length == UNDEFINED ? walk_elements(w, true, depth + 1) : skip(w, e.length)))
            return false;
    }
    return false;
}

static bool walk_elements(struct walk *w, bool in_item, int depth)
{
    struct element e;
    if (depth > MAX_DEPTH)
        return false;
    while (in_item || ftello(w->f) < w->size) {
        if (!read_element(w, &e))
            return false;
        if (in_item && e.group == 0xFFFE && e.number == ITEM_END)
            return true;
        if (e.length != UNDEFINED) {
            if (!in_item && e.group == 0x7FE0 && e.number == 0x10)
                w->pixels = e.length;
            if (!skip(w, e.length))
                return false;
            continue;
        }
        /* what is inside of an unknown thing is written as if nothing were explicit */
        bool outer = w->is_explicit, unknown = outer && !memcmp(e.vr, "UN", 2);
        w->is_explicit = outer && !unknown;
        bool whole = walk_items(w, depth);
        w->is_explicit = outer;
        if (!whole)
            return false;
    }
    return true;
}

/* Group 2 stands first and says how the rest is written. */
static bool walk_meta(struct walk *w)
{
    struct element e;
    w->is_explicit = true;
    for (;;) {
        int64_t at = ftello(w->f);
        if (!read_element(w, &e))
            return false;
        if (e.group != 2)
            return !fseeko(w->f, (off_t)at, SEEK_SET);
        if (e.number == 0x10 && e.length < sizeof w->syntax) {
            if (fread(w->syntax, 1, e.length, w->f) != e.length)
                return false;
        } else if (!skip(w, e.length)) {
            return false;
        }
    }
}

static bool walk_file(struct walk *w)
{
    char magic[4];
    if (fseeko(w->f, 0, SEEK_END) || (w->size = ftello(w->f)) < 132 ||
        fseeko(w->f, 128, SEEK_SET) || fread(magic, 1, 4, w->f) != 4 ||
        memcmp(magic, "DICM", 4) != 0)
        return true;
    if (!walk_meta(w))
        return false;
    /* Deflated, or a manufacturer's own syntax. */
    if (!strcmp(w->syntax, "1.2.840.10008.1.2.1.99") ||
        strncmp(w->syntax, "1.2.840.10008.", 14) != 0)
        return true;
    w->is_explicit = strcmp(w->syntax, "1.2.840.10008.1.2") != 0;
    w->is_big = !strcmp(w->syntax, "1.2.840.10008.1.2.2");
    return walk_elements(w, false, 0);
}

bool rn_dicom_intact(const char *path)
{
    struct walk w = {.f = fopen(path, "rb")};
    bool whole = !w.f || walk_file(&w);
    if (w.f)
        fclose(w.f);
    return whole;
}

bool rn_dicom_can_hold(const char *path, const struct rn_dicom_header *h)
{
    struct walk w = {.f = h->frames > 1 ? fopen(path, "rb") : NULL};
    if (!w.f)
        return true;
    walk_file(&w);
    fclose(w.f);
    int64_t picture = (int64_t)h->w * h->h * h->colours * h->bytes;
    if (w.pixels || !*w.syntax)
        return h->frames <= (w.pixels ? w.pixels : w.size) / picture;
    /* Each frame has a fragment of its own, with 8 bytes before it; but nothing of that can be seen
     * where all is deflated, which makes a thousandth of it at best. */
    bool deflated = !strcmp(w.syntax, "1.2.840.10008.1.2.1.99");
    return h->frames <= (deflated ? w.size * 1100 / picture : w.size / 8);
}

#endif
