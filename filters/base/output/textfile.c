/* SPDX-License-Identifier: MIT */
#include "filters/base/output/textfile.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>

#include "filters/base/log.h"
#include "filters/base/owned.h"

#define FIRST_ROOM 4096

struct buffer {
    char *data;
    size_t used, room; /* room: not counting the byte for the NUL */
    bool binary;       /* it need not be text */
};

static int refuse(char *why, const char *reason)
{
    snprintf(why, RN_TEXT_WHY, "%s", reason);
    return RN_EUSAGE;
}

/* False if there is nothing to read, nor an end to be seen, within ms milliseconds (-1: ever). */
static bool wait_for_input(int fd, int ms)
{
    struct pollfd pfd = {.fd = fd, .events = POLLIN};
    int ready;
    do
        ready = poll(&pfd, 1, ms);
    while (ready < 0 && errno == EINTR);
    return ready != 0;
}

/* Reads up to one byte more than the limit, which reveals a text that is too long. silent: the file
 * does not block and has been waited for in vain. Then a pipe that has a writer says EAGAIN, and
 * one that has none seems to be at its end. */
static int read_all(struct buffer *b, int fd, size_t limit, bool silent, char *why)
{
    for (;;) {
        if (b->used == b->room) {
            size_t room = b->room ? 2 * b->room : FIRST_ROOM;
            room = room < limit + 1 ? room : limit + 1;
            char *data = realloc(b->data, room + 1);
            if (!data)
                return rn_fail_memory();
            b->data = data;
            b->room = room;
        }
        ssize_t n = read(fd, b->data + b->used, b->room - b->used);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno == EAGAIN) {
            silent = false;
            wait_for_input(fd, -1);
            continue;
        }
        if (n < 0)
            return refuse(why, strerror(errno));
        if (n == 0)
            return silent ? refuse(why, "it is a pipe, and nothing writes to it") : 0;
        if (!b->binary && memchr(b->data + b->used, '\0', (size_t)n))
            return refuse(why, "it is not text");
        b->used += (size_t)n;
        if (b->used > limit) {
            snprintf(why, RN_TEXT_WHY, "it is longer than %zu bytes", limit);
            return RN_EUSAGE;
        }
    }
}

/* size: gets that of any file; NULL: it must be text. */
static int read_file(char **text, size_t *size, int fd, size_t limit, bool silent, char *why)
{
    struct buffer b = {.binary = size};
    struct stat st;
    *text = NULL;
    if (fstat(fd, &st))
        return refuse(why, strerror(errno));
    if (S_ISDIR(st.st_mode))
        return refuse(why, "it is a folder");
    int err = read_all(&b, fd, limit, silent, why);
    if (err) {
        free(b.data);
        return err;
    }
    b.data[b.used] = '\0';
    *text = realloc(b.data, b.used + 1);
    if (!*text)
        *text = b.data;
    if (size)
        *size = b.used;
    return 0;
}

int rn_text_read_fd(char **text, int fd, size_t limit, char why[RN_TEXT_WHY])
{
    return read_file(text, NULL, fd, limit, false, why);
}

int rn_text_read(char **text, const char *path, size_t limit, char why[RN_TEXT_WHY])
{
    return rn_bytes_read(text, NULL, path, limit, why);
}

int rn_bytes_read(char **text, size_t *size, const char *path, size_t limit, char why[RN_TEXT_WHY])
{
    /* A pipe that is opened so does not wait for its writer. */
    RN_OWNED(rn_close_owned) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    *text = NULL;
    if (fd < 0)
        return refuse(why, strerror(errno));
    bool silent = !wait_for_input(fd, 1000 * RN_TEXT_WAIT);
    return read_file(text, size, fd, limit, silent, why);
}
