/* A file of its own for a cmocka group: its name, and the group's set-up and tear-down. */
#ifndef RN_UNIT_FILE_H
#define RN_UNIT_FILE_H

#include "tests/unit.h"

#include <unistd.h>

static char path[] = "/tmp/runnel-unit-XXXXXX";

static int make_file(void **state)
{
    (void)state;
    int fd = mkstemp(path);
    return fd < 0 || close(fd);
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

#endif
