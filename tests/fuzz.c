#define _GNU_SOURCE /* memfd_create */
#include "tests/fuzz.h"

#include <sys/mman.h>
#include <unistd.h>

#include "filters/base/log.h"
#include "io/read/source.h"

static void drop(void *user, enum rn_log_level level, const char *text)
{
    (void)user, (void)level, (void)text;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    rn_log_set_level(RN_LOG_DEBUG);
    rn_log_set_sink(drop, NULL);
    rn_io_init();
    return 0;
}

char *rn_fuzz_text(const uint8_t *data, size_t size)
{
    char *text = strndup((const char *)data, size);
    FUZZ_CHECK(text);
    return text;
}

const char *rn_fuzz_file(const uint8_t *data, size_t size)
{
    static char path[40];
    static int fd = -1;
    if (fd < 0) {
        FUZZ_CHECK((fd = memfd_create("input", MFD_CLOEXEC)) >= 0);
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    }
    FUZZ_CHECK(!ftruncate(fd, 0) && pwrite(fd, data, size, 0) == (ssize_t)size);
    return path;
}
