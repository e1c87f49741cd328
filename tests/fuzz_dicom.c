/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* dladdr */
/* DICOM through GDCM, as the process does that reads it. GDCM's assertions and its crashes end that
 * process, and so are no find: here they lead back. As there, its memory is bounded by what a file
 * of that size can need: GDCM fills as many bytes as a header names before it looks for any. */
#include "tests/fuzz.h"

#include <assert.h> /* declares what is replaced here */
#include <dlfcn.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/ucontext.h>

#include "io/dicom/gdcm/gdcm.h"

/* Called by the sanitizer: what GDCM had made when it was left is lost. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}

#define MOST_BYTES ((size_t)2 << 20) /* at once; twice the pixels that are read below */

/* The operators of C++, new and delete, and what tells that there is no memory. */
void *_Znwm(size_t size);
void *_Znam(size_t size);
void _ZdlPv(void *memory);
void _ZdlPvm(void *memory, size_t size);
void _ZdaPv(void *memory) __attribute__((alias("_ZdlPv")));
void _ZdaPvm(void *memory, size_t size) __attribute__((alias("_ZdlPvm")));
void _ZSt17__throw_bad_allocv(void) __attribute__((noreturn));

static bool bounded; /* while GDCM is at work: libFuzzer is C++, too */

void *_Znwm(size_t size)
{
    void *memory = !bounded || size <= MOST_BYTES ? malloc(size ? size : 1) : NULL;
    if (!memory)
        _ZSt17__throw_bad_allocv();
    return memory;
}

void *_Znam(size_t size)
{
    return _Znwm(size);
}

void _ZdlPv(void *memory)
{
    free(memory);
}

void _ZdlPvm(void *memory, size_t size)
{
    (void)size;
    free(memory);
}

static jmp_buf back;

void __assert_fail(const char *what, const char *file, unsigned line, const char *function)
{
    (void)what, (void)file, (void)line, (void)function;
    longjmp(back, 1);
}

/* Where the program crashed. */
static const void *place_of(const void *context)
{
#ifdef __x86_64__
    return (const void *)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
#else
    (void)context;
    return NULL;
#endif
}

static void on_crash(int sig, siginfo_t *info, void *context)
{
    Dl_info at;
    const void *place = place_of(context);
    (void)info;
    if (bounded && place && dladdr(place, &at) && strstr(at.dli_fname, "libgdcm"))
        longjmp(back, 1);
    signal(sig, SIG_DFL); /* ours: it comes again */
}

static void watch_crashes(void)
{
    static bool done;
    struct sigaction act = {.sa_sigaction = on_crash, .sa_flags = SA_SIGINFO | SA_NODEFER};
    if (!done) {
        sigaction(SIGSEGV, &act, NULL);
        sigaction(SIGFPE, &act, NULL);
    }
    done = true;
}

static int open_again(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    FUZZ_CHECK(fd >= 0);
    return fd;
}

/* The last one first: then the others come of a file that is open already. */
static void read_frames(const char *path, volatile int *fd, const struct rn_dicom_header *header,
                        uint8_t *pixels)
{
    char why[200];
    for (int i = header->frames < 4 ? header->frames : 4, again = 0; i-- > 0; again = 1)
        rn_gdcm_read(*fd = open_again(path), header, i, again, pixels, why, sizeof why);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct rn_dicom_entry entry;
    static uint8_t pixels[(1 << 20) + RN_DICOM_PADDING];
    const char *path = rn_fuzz_file(data, size);
    static volatile int fd;
    watch_crashes();
    memset(&entry, 0, sizeof entry);
    if (setjmp(back)) { /* what it had opened stays open */
        bounded = false;
        close(fd);
        return 0;
    }
    bounded = true;
    static uint8_t copied[1 << 20];
    rn_gdcm_copy(fd = open_again(path), 0, copied, sizeof copied);
    rn_gdcm_describe(fd = open_again(path), &entry, NULL, NULL);
    if (entry.result == RN_DICOM_OK && rn_dicom_can_hold(path, &entry.header) &&
        rn_dicom_frame_size(&entry.header) <= sizeof pixels - RN_DICOM_PADDING)
        read_frames(path, &fd, &entry.header, pixels);
    bounded = false;
    return 0;
}
