/* SPDX-License-Identifier: MIT */
#include "app/process/terminal.h"

#include "filters/base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void rn_app_standard_io_open(void)
{
    /* A closed stdout is replaced by one that refuses writes, so that lost data is noticed. */
    static const int modes[3] = {O_RDONLY, O_RDONLY, O_RDWR};
    for (int fd = 0; fd < 3; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", modes[fd]) < 0)
            _exit(-RN_EINTERNAL);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

int rn_app_standard_io_flush(void)
{
    bool failed_before = ferror(stdout);
    if (fflush(stdout) == 0 && !failed_before)
        return 0;
    const char *why = failed_before ? "it failed before" : strerror(errno);
    /* A reader that has closed the pipe needs no message. errno does not tell: it belongs to the
     * last write, not to the one that failed. */
    struct pollfd out = {.fd = STDOUT_FILENO};
    if (poll(&out, 1, 0) <= 0 || !(out.revents & POLLERR))
        rn_fail(RN_EOUTPUT, "cannot write to stdout: %s", why);
    return RN_EOUTPUT;
}

int rn_app_standard_io_close(int err)
{
    if (!err)
        return rn_app_standard_io_flush();
    fflush(stdout);
    return err;
}
