/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* fopencookie */

#include "filters/base/output/textout.h"

#include <fcntl.h>
#include <poll.h>

#include "filters/base/log.h"
#include "filters/base/output/outplace.h"
#include "filters/base/owned.h"
#include "filters/base/threads/stall.h"

int rn_write_all(int fd, const void *data, size_t size)
{
    const char *at = data;
    struct stat st;
    bool file = !fstat(fd, &st) && S_ISREG(st.st_mode); /* who reads a pipe may take any time */
    enum rn_stall outer = rn_stall_enter(file ? RN_STALL_WRITE : RN_STALL_PAUSED);
    int code = 0;
    while (size > 0 && !code) {
        ssize_t n = write(fd, at, size);
        rn_stall_beat();
        if (n > 0) {
            at += n;
            size -= (size_t)n;
        } else if (n == 0 || (errno != EINTR && errno != EAGAIN)) {
            code = n == 0 ? ENOSPC : errno;
        } else if (errno == EAGAIN) {
            poll(&(struct pollfd){.fd = fd, .events = POLLOUT}, 1, -1);
        }
    }
    rn_stall_leave(outer);
    return code;
}

/* ---- opening */

int rn_write_fail(const char *path, int cause)
{
    if (!strcmp(path, "-"))
        return rn_fail(RN_EOUTPUT, "cannot write to stdout: %s",
                       cause == EPIPE ? "its reader has gone" : strerror(cause));
    return rn_fail(RN_EOUTPUT, "cannot write '%s': %s", path, strerror(cause));
}

/* What is not replaced: a descriptor, a pipe, a device. *fd: -1 if path is none. */
static int open_through(int *fd, const char *path)
{
    RN_OWNED(rn_outplace_free)
    struct rn_outplace place = {
        .dir = -1, .opened = -1, .descriptor = STDOUT_FILENO, .special = true};
    char name[32];
    int code = strcmp(path, "-") != 0 ? rn_outplace_find(&place, path) : 0;
    if (code)
        return rn_outplace_fail(path, code);
    *fd = -1;
    if (place.descriptor == STDOUT_FILENO)
        fflush(stdout);
    if (place.special) {
        *fd = place.descriptor >= 0 ? fcntl(place.descriptor, F_DUPFD_CLOEXEC, 3)
                                    : open(rn_outplace_name_of(place.opened, name) ? name : path,
                                           O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY);
        code = *fd < 0 ? errno : 0;
    }
    return code ? rn_write_fail(path, code) : 0;
}

static int open_file(struct rn_outfile *file, int *fd, const char *path)
{
    int err = rn_outfile_begin(file, path);
    if (err)
        return err;
    *fd = open(file->temp, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY);
    return *fd < 0 ? rn_write_fail(path, errno) : 0;
}

/* For the stream: after a failure nothing more. */
static ssize_t put(void *cookie, const char *data, size_t size)
{
    struct rn_textout *t = cookie;
    if (!t->cause)
        t->cause = rn_write_all(t->fd, data, size);
    return t->cause ? 0 : (ssize_t)size;
}

int rn_textout_check(const char *path)
{
    RN_OWNED(rn_outfile_free) struct rn_outfile probe = {0};
    RN_OWNED(rn_outplace_free) struct rn_outplace place = RN_NO_PLACE;
    if (!rn_outplace_find(&place, path) && place.special)
        return 0;
    int err = rn_outfile_allowed(path);
    return err ? err : rn_outfile_begin(&probe, path);
}

int rn_textout_open(struct rn_textout **text, const char *path)
{
    struct rn_textout *t = *text = calloc(1, sizeof *t);
    if (!t)
        return rn_fail_memory();
    t->fd = -1;
    t->path = strdup(path);
    int err = t->path ? open_through(&t->fd, path) : rn_fail_memory();
    if (!err && t->fd < 0)
        err = open_file(&t->file, &t->fd, path);
    if (!err && !(t->stream = fopencookie(t, "w", (cookie_io_functions_t){.write = put})))
        err = rn_fail_memory();
    if (err)
        rn_textout_close(text, RN_TEXT_ABANDON);
    return err;
}

/* ---- writing */

/* One message, however often it is asked. */
static int result(struct rn_textout *t)
{
    if (!t->cause)
        return 0;
    if (!t->told)
        rn_write_fail(t->path, t->cause);
    t->told = true;
    return RN_EOUTPUT;
}

static void flush(struct rn_textout *t)
{
    bool failed = ferror(t->stream) != 0; /* a print that found no memory loses text in silence */
    if ((fflush(t->stream) || failed) && !t->cause)
        t->cause = ENOMEM; /* whatever else fails, put has kept */
}

int rn_textout_update(struct rn_textout *t)
{
    if (!t->file.path)
        flush(t);
    return result(t);
}

int rn_textout_close(struct rn_textout **text, enum rn_text_end end)
{
    struct rn_textout *t = rn_take_owned(text);
    int err = 0;
    if (!t)
        return 0;
    if (t->stream && end != RN_TEXT_ABANDON)
        flush(t);
    else
        t->cause = t->cause ? t->cause : ECANCELED; /* what is left in the stream goes nowhere */
    rn_close_file_owned(&t->stream);
    if (t->fd >= 0 && close(t->fd) && !t->cause)
        t->cause = errno;
    if (end != RN_TEXT_ABANDON)
        err = result(t);
    if (end != RN_TEXT_ABANDON && !err && t->file.path)
        err = rn_outfile_commit(&t->file, end == RN_TEXT_PARTIAL);
    rn_outfile_free(&t->file);
    free(t->path);
    free(t);
    return err;
}

/* ---- growing */

int rn_growing_open(struct rn_growing *g, const char *path)
{
    *g = (struct rn_growing){.path = strdup(path), .fd = -1};
    int err = g->path ? open_through(&g->fd, path) : rn_fail_memory();
    g->through = g->placed = g->fd >= 0;
    return err || g->through ? err : open_file(&g->file, &g->fd, path);
}

int rn_growing_place(struct rn_growing *g)
{
    int err = g->placed ? 0 : rn_outfile_commit(&g->file, false);
    g->placed |= !err;
    return err;
}

int rn_growing_append(struct rn_growing *g, const char *lines, size_t size)
{
    int cause = rn_write_all(g->fd, lines, size);
    if (!cause)
        g->size += (off_t)size;
    else if (!g->through && ftruncate(g->fd, g->size))
        rn_log(RN_LOG_DEBUG, "'%s' may end with half a line: %s", g->path, strerror(errno));
    return cause;
}

int rn_growing_close(struct rn_growing *g)
{
    int cause = 0;
    if (g->fd >= 0 && !g->through && g->placed && fsync(g->fd) && errno != EINVAL && errno != EROFS)
        cause = errno;
    if (g->fd >= 0 && close(g->fd) && !cause)
        cause = errno;
    g->fd = -1;
    rn_outfile_free(&g->file);
    return cause;
}

void rn_growing_free(struct rn_growing *g)
{
    rn_growing_close(g);
    free(rn_take_owned(&g->path));
}
