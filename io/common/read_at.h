/* pread(2) that goes on after a signal: what a signal interrupts is no end of a file. */
#ifndef RN_IO_COMMON_READ_AT_H
#define RN_IO_COMMON_READ_AT_H

#include <errno.h>
#include <sys/types.h>
#include <unistd.h>

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

#endif
