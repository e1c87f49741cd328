/* DICOM through GDCM, as the process does that reads it. GDCM's assertions end that process, and so
 * are no find: here they lead back. */
#include "tests/fuzz.h"

#include <assert.h> /* declares what is replaced here */
#include <fcntl.h>
#include <setjmp.h>
#include <string.h>
#include <unistd.h>

#include "io/dicom/gdcm.h"

/* Called by the sanitizer: what GDCM had made when it was left is lost. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}

static jmp_buf back;

void __assert_fail(const char *what, const char *file, unsigned line, const char *function)
{
    (void)what, (void)file, (void)line, (void)function;
    longjmp(back, 1);
}

static int open_again(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    FUZZ_CHECK(fd >= 0);
    return fd;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct rn_dicom_entry entry;
    static uint8_t pixels[(1 << 20) + RN_DICOM_PADDING];
    const char *path = rn_fuzz_file(data, size);
    static volatile int fd;
    char why[200];
    memset(&entry, 0, sizeof entry);
    if (setjmp(back)) { /* what it had opened stays open */
        close(fd);
        return 0;
    }
    rn_gdcm_describe(fd = open_again(path), &entry, NULL, NULL);
    if (entry.result == RN_DICOM_OK && rn_dicom_can_hold(path, &entry.header) &&
        rn_dicom_size(&entry.header) <= sizeof pixels - RN_DICOM_PADDING)
        rn_gdcm_read(fd = open_again(path), &entry.header, pixels, why, sizeof why);
    return 0;
}
