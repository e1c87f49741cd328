#include "app/standard_io.h"

#include "filters/base/err.h"
#include "filters/base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void rn_standard_io_open(void)
{
    /* A closed stdout is replaced by one that refuses writes, so that lost data is noticed. */
    static const int modes[3] = {O_RDONLY, O_RDONLY, O_RDWR};
    for (int fd = 0; fd < 3; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", modes[fd]) < 0)
            _exit(-RN_EINTERNAL);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

int rn_standard_io_close(int err)
{
    if ((fflush(stdout) == 0 && !ferror(stdout)) || err != 0)
        return err;
    if (errno != EPIPE) /* a reader that has seen enough needs no message */
        rn_fail(RN_EOUTPUT, "cannot write to stdout: %s", strerror(errno));
    return RN_EOUTPUT;
}
