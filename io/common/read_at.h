/* SPDX-License-Identifier: MIT */
/* Reads of files that go on after a signal: what a signal interrupts is no end of a file. Nothing
 * else reads the files of an input but libav. */
#pragma once

#include <fcntl.h>
#include <stdint.h>
#include <sys/types.h>

#include "filters/base/owned.h"
#include "filters/base/threads/stall.h"

static inline ssize_t rn_io_read_at(int fd, void *to, size_t n, off_t at)
{
    ssize_t got;
    rn_stall_beat();
    do
        got = pread(fd, to, n, at);
    while (got < 0 && errno == EINTR);
    return got;
}

/* Reads n bytes at `at`, fewer at the end of the file. Returns how many, or -1 (errno). */
static inline ssize_t rn_io_read_all(int fd, void *to, size_t n, off_t at)
{
    size_t done = 0;
    ssize_t got = 1;
    while (done < n && got > 0) {
        got = rn_io_read_at(fd, (uint8_t *)to + done, n - done, at + (off_t)done);
        done += got > 0 ? (size_t)got : 0;
    }
    return got < 0 ? -1 : (ssize_t)done;
}

/* The same at the beginning of a file that is opened for it. */
static inline ssize_t rn_io_read_head(const char *path, void *to, size_t n)
{
    RN_OWNED(rn_close_owned) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    return fd < 0 ? -1 : rn_io_read_all(fd, to, n, 0);
}
