#define _GNU_SOURCE /* fopencookie */

#include "filters/base/textout.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "filters/base/err.h"
#include "filters/base/log.h"
#include "filters/base/outfile.h"
#include "filters/base/outplace.h"

struct rn_textout {
    char *path;
    FILE *stream;
    int fd;
    struct rn_outfile file; /* path NULL: it is written through */
    int cause;              /* errno of the first failure */
    bool told;
};

int rn_write_all(int fd, const void *data, size_t size)
{
    const char *at = data;
    while (size > 0) {
        ssize_t n = write(fd, at, size);
        if (n > 0) {
            at += n;
            size -= (size_t)n;
        } else if (n == 0 || (errno != EINTR && errno != EAGAIN)) {
            return n == 0 ? ENOSPC : errno;
        } else if (errno == EAGAIN) {
            poll(&(struct pollfd){.fd = fd, .events = POLLOUT}, 1, -1);
        }
    }
    return 0;
}

/* ---- opening */

static int fail_to_write(const char *path, int cause)
{
    if (!strcmp(path, "-") && cause == EPIPE) {
        rn_log(RN_LOG_DEBUG, "the reader of stdout went away");
        return RN_EOUTPUT;
    }
    if (!strcmp(path, "-"))
        return rn_fail(RN_EOUTPUT, "cannot write to stdout: %s", strerror(cause));
    return rn_fail(RN_EOUTPUT, "cannot write '%s': %s", path, strerror(cause));
}

/* What is not replaced: a descriptor, a pipe, a device. *fd: -1 if path is none. */
static int open_through(int *fd, const char *path)
{
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
    rn_outplace_free(&place);
    return code ? fail_to_write(path, code) : 0;
}

static int open_file(struct rn_outfile *file, int *fd, const char *path)
{
    int err = rn_outfile_begin(file, path);
    if (err)
        return err;
    *fd = open(file->temp, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY);
    return *fd < 0 ? fail_to_write(path, errno) : 0;
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
    struct rn_outfile probe;
    struct rn_outplace place;
    bool through = !rn_outplace_find(&place, path) && place.special;
    rn_outplace_free(&place);
    if (through)
        return 0;
    int err = rn_outfile_allowed(path);
    err = err ? err : rn_outfile_begin(&probe, path);
    if (!err)
        rn_outfile_free(&probe);
    return err;
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

int rn_textout_open_growing(int *fd, bool *appending, const char *path)
{
    struct rn_outfile file = {0};
    int err = open_through(fd, path);
    *appending = !err && *fd >= 0;
    if (err || *appending)
        return err;
    err = open_file(&file, fd, path);
    err = err ? err : rn_outfile_commit(&file, false);
    rn_outfile_free(&file);
    if (err && *fd >= 0) {
        close(*fd);
        *fd = -1;
    }
    return err;
}

/* ---- writing */

FILE *rn_textout_stream(struct rn_textout *t)
{
    return t->stream;
}

/* One message, however often it is asked. */
static int result(struct rn_textout *t)
{
    if (!t->cause)
        return 0;
    if (!t->told)
        fail_to_write(t->path, t->cause);
    t->told = true;
    return RN_EOUTPUT;
}

static void flush(struct rn_textout *t)
{
    if (fflush(t->stream) && !t->cause)
        t->cause = errno; /* of the stream itself: out of memory */
}

int rn_textout_update(struct rn_textout *t)
{
    if (!t->file.path)
        flush(t);
    return result(t);
}

int rn_textout_close(struct rn_textout **text, enum rn_text_end end)
{
    struct rn_textout *t = *text;
    int err = 0;
    *text = NULL;
    if (!t)
        return 0;
    if (t->stream && end != RN_TEXT_ABANDON)
        flush(t);
    else
        t->cause = t->cause ? t->cause : ECANCELED; /* what is left in the stream goes nowhere */
    if (t->stream)
        fclose(t->stream);
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
