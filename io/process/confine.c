#define _GNU_SOURCE /* prctl's names, RLIMIT_DATA of other systems */
#include "io/process/confine.h"

#include "filters/base/sanitized.h"

#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#define SPARE_MEMORY (256u << 20) /* for all that does not grow with the file */
#define STACK_MEMORY (8u << 20)   /* of a thread: JPEG 2000 starts one for each CPU */
#define COPIES       8 /* of file and pixels: fragments, samples of 32 bits, sums of both */

static uint64_t base_memory; /* bytes, for whatever file */

static void limit(int resource, rlim_t most)
{
    const struct rlimit both = {most, most};
    setrlimit(resource, &both);
}

/* Bytes of private memory that can be written to. */
static uint64_t read_own_memory(void)
{
    unsigned long long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f && fscanf(f, "%*s %*s %*s %*s %*s %llu", &pages) != 1)
        pages = 0;
    if (f)
        fclose(f);
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* RLIMIT_DATA counts what a process can fill. RLIMIT_AS would count what malloc reserves for every
 * thread, too, and what is shared with the parent. */
void rn_io_confine_memory(uint64_t file_size, uint64_t pixels)
{
    uint64_t most = base_memory + COPIES * (file_size + pixels);
    struct rlimit data;
    if (RN_SANITIZED || getrlimit(RLIMIT_DATA, &data))
        return;
    data.rlim_cur = most < data.rlim_max ? most : data.rlim_max;
    setrlimit(RLIMIT_DATA, &data);
}

#if defined(RN_HAVE_SECCOMP) && !RN_SANITIZED

#include <errno.h>
#include <fcntl.h>
#include <seccomp.h>
#include <sched.h>
#include <sys/mman.h>

/* What else is asked for fails, as if it were not permitted. */
static const char *const allowed[] = {
    "read",
    "readv",
    "pread64",
    "preadv",
    "lseek",
    "_llseek",
    "close",
    "fstat",
    "fstat64",
    "brk",
    "munmap",
    "mremap",
    "madvise",
    "futex",
    "futex_time64",
    "set_robust_list",
    "rseq",
    "sched_getaffinity",
    "sched_yield",
    "getpid",
    "gettid",
    "rt_sigaction",
    "rt_sigprocmask",
    "rt_sigreturn",
    "sigreturn",
    "restart_syscall",
    "recvmsg",
    "poll",
    "ppoll",
    "ppoll_time64",
    "pause",
    "exit",
    "exit_group",
    "clock_gettime",
    "clock_gettime64",
    "clock_nanosleep",
    "clock_nanosleep_time64",
    "nanosleep",
    "getrandom",
};

static int allow(scmp_filter_ctx filter, const char *name, unsigned n, struct scmp_arg_cmp only)
{
    int call = seccomp_syscall_resolve_name(name);
    if (call == __NR_SCMP_ERROR)
        return 0; /* this system has no such call, nor does anything need it */
    return seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, call, n, &only);
}

/* Calls that are harmless only with some arguments. */
static int allow_some(scmp_filter_ctx filter, int socket)
{
    const struct scmp_arg_cmp look = SCMP_A1(SCMP_CMP_EQ, F_GETFL);
    const struct scmp_arg_cmp no_code = SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0);
    const struct {
        const char *name;
        struct scmp_arg_cmp only;
    } some[] = {
        {"sendto", SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)socket)},
        {"tgkill", SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)getpid())}, /* abort() */
        {"fcntl", look},                                          /* fdopen() */
        {"fcntl64", look},
        {"mmap", no_code},
        {"mmap2", no_code},
        {"mprotect", no_code},
        {"clone", SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD)},
    };
    int err = 0;
    for (size_t i = 0; i < sizeof some / sizeof *some && !err; i++)
        err = allow(filter, some[i].name, 1, some[i].only);
    /* Its flags lie in memory, where no filter sees them; the C library then takes clone. */
    if (!err)
        err = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
    /* Of its own limits a process may set the one of rn_io_confine_memory. */
    return err ? err
               : seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), 2,
                                  SCMP_A0(SCMP_CMP_EQ, 0), SCMP_A1(SCMP_CMP_EQ, RLIMIT_DATA));
}

static bool filter_calls(int socket)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    if (!filter)
        return false;
    int err = 0;
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed && !err; i++)
        err = allow(filter, allowed[i], 0, SCMP_A0(SCMP_CMP_EQ, 0));
    if (!err)
        err = allow_some(filter, socket);
    if (!err)
        err = seccomp_load(filter);
    seccomp_release(filter);
    return !err;
}

#else

static bool filter_calls(int socket)
{
    (void)socket;
    return false;
}

#endif

/* Time is not bounded: thousands of compressed pictures take their time, and whoever does not want
 * to wait for one can interrupt the program. Nor is the number of processes, which counts those of
 * the user and the threads of the decoder: the filter refuses processes. */
bool rn_io_confine(int socket, int max_files)
{
    uint64_t cpus = (uint64_t)sysconf(_SC_NPROCESSORS_ONLN);
    base_memory = read_own_memory() + SPARE_MEMORY + cpus * STACK_MEMORY;
    limit(RLIMIT_CORE, 0);
    if (!RN_SANITIZED) {
        limit(RLIMIT_FSIZE, 0);
        limit(RLIMIT_NOFILE, (rlim_t)max_files);
    }
    return filter_calls(socket);
}
