/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* O_PATH, prctl's names, RLIMIT_DATA of other systems */
#include "io/process/confine.h"

#include "filters/base/log.h"
#include "filters/base/owned.h"
#include "filters/base/sanitized.h"
#include "filters/base/threads/thread.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>

/* ---- files and connections: Landlock */

/* The kernel's interface, by its numbers: headers of the system that builds may be older than the
 * kernel that runs. The numbers of the calls are those of all architectures. */
enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446 };
enum { TELL_VERSION = 1, RULE_OF_PATH = 1 };
enum { TRUNCATE = 1 << 14, IOCTL_DEV = 1 << 15 }; /* since versions 3 and 5 */
enum { CONNECT_TCP = 1 << 1 };                    /* since version 4 */
enum { ABSTRACT_SOCKET = 1, SIGNAL_OTHERS };      /* since version 6 */

#define OF_FOLDERS (1 << 3 | RN_MAY_MAKE) /* rights that a rule for a file may not name */

struct ruleset {
    uint64_t files, net, scopes; /* what is forbidden, unless a rule allows it */
};

struct rule {
    uint64_t allowed;
    int32_t file;
} __attribute__((packed));

static int readers = -1; /* the readers' rules, from before threads run */

/* Version 1 moves no file to another folder, whatever is allowed: sets of outputs need that. */
int rn_io_landlock(void)
{
    long version = syscall(CREATE_RULESET, NULL, 0, TELL_VERSION);
    return version < 2 ? 0 : (int)version;
}

static uint64_t known_rights(int version)
{
    return (version < 3 ? TRUNCATE : version < 5 ? IOCTL_DEV : 1 << 16) - 1;
}

static int create(struct rn_io_domain *d, const struct ruleset *forbidden)
{
    int fd = (int)syscall(CREATE_RULESET, forbidden, sizeof *forbidden, 0); /* closes on exec */
    if (fd < 0 && !d->error)
        d->error = errno;
    return fd;
}

void rn_io_domain_begin(struct rn_io_domain *d, bool online)
{
    int version = rn_io_landlock();
    struct ruleset forbidden = {
        .files = known_rights(version),
        .net = version >= 4 && !online ? CONNECT_TCP : 0,
        .scopes = version >= 6 ? ABSTRACT_SOCKET | SIGNAL_OTHERS : 0,
    };
    *d = (struct rn_io_domain){-1, -1, 0};
    if (!version)
        return;
    d->process = create(d, &forbidden);
    forbidden.scopes = 0; /* the threads of the process may signal each other */
    d->reader = create(d, &forbidden);
}

static void add(struct rn_io_domain *d, int rules, int fd, bool folder, unsigned may)
{
    const struct rule rule = {
        may & known_rights(rn_io_landlock()) & ~(folder ? 0u : (unsigned)OF_FOLDERS), fd};
    /* EBADFD: pipes and sockets have no place in the file system, and are not restricted. */
    if (rules >= 0 && rule.allowed && syscall(ADD_RULE, rules, RULE_OF_PATH, &rule, 0) &&
        errno != EBADFD && !d->error)
        d->error = errno;
}

void rn_io_domain_allow_fd(struct rn_io_domain *d, int fd, unsigned process, unsigned reader)
{
    struct stat st;
    if (d->process < 0 || fd < 0 || fstat(fd, &st))
        return;
    add(d, d->process, fd, S_ISDIR(st.st_mode), process);
    add(d, d->reader, fd, S_ISDIR(st.st_mode), reader);
}

void rn_io_domain_allow(struct rn_io_domain *d, const char *path, unsigned process, unsigned reader)
{
    RN_OWNED(rn_close_owned) int fd = d->process < 0 ? -1 : open(path, O_PATH | O_CLOEXEC);
    rn_io_domain_allow_fd(d, fd, process, reader);
}

/* What is executed gets no more rights from now on, as by set-user-ID: Landlock demands that. */
static int restrict_to(int rules)
{
    if (rules < 0)
        return 0;
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || syscall(RESTRICT_SELF, rules, 0) ? errno : 0;
}

int rn_io_domain_enter(struct rn_io_domain *d)
{
    int err = d->error ? d->error : restrict_to(d->process);
    if (d->process >= 0)
        close(d->process);
    if (err && d->reader >= 0)
        close(d->reader);
    else
        readers = d->reader;
    return err;
}

int rn_io_domain_narrow(void)
{
    return restrict_to(readers);
}

struct call {
    int (*body)(void *arg);
    void *arg;
    int err;
};

static void *call_narrowed(void *arg)
{
    struct call *c = arg;
    int refused = rn_io_domain_narrow();
    c->err = refused ? rn_fail(RN_EINTERNAL, "Landlock refuses a thread: %s", strerror(refused))
                     : c->body(c->arg);
    return NULL;
}

int rn_io_domain_call(int (*body)(void *arg), void *arg)
{
    struct call c = {body, arg, 0};
    struct rn_thread thread;
    if (readers < 0)
        return body(arg);
    int err = rn_thread_start(&thread, "confined", call_narrowed, &c);
    if (err)
        return err;
    rn_thread_join(&thread);
    return c.err;
}

/* The calling thread may open no file, but read `opens` if that is not NULL. Returns 0, or an
 * errno: the thread is not confined then. */
static int close_files(const char *opens)
{
    struct rn_io_domain d;
    rn_io_domain_begin(&d, false);
    if (opens)
        rn_io_domain_allow(&d, opens, RN_MAY_READ, 0);
    int err = rn_io_domain_enter(&d);
    if (readers >= 0)
        close(readers);
    readers = -1;
    return err;
}

#define SPARE_MEMORY (256u << 20) /* for what does not grow with the file */
#define STACK_MEMORY (8u << 20)   /* of a thread: JPEG 2000 starts one for each CPU */
#define COPIES       8            /* of file and pixels: fragments, 32-bit samples, sums of both */

static uint64_t base_memory; /* bytes that any file needs */

static bool limit(int resource, rlim_t max)
{
    const struct rlimit both = {max, max};
    return !setrlimit(resource, &both);
}

int64_t rn_io_memory_private(void)
{
    long long pages;
    FILE *f = fopen("/proc/self/statm", "r");
    bool known = f && fscanf(f, "%*s %*s %*s %*s %*s %lld", &pages) == 1;
    if (f)
        fclose(f);
    return known ? pages * sysconf(_SC_PAGESIZE) : 0;
}

/* RLIMIT_DATA counts writable memory. RLIMIT_AS would also count what malloc reserves for each
 * thread and what the parent shares. */
void rn_io_confine_memory(uint64_t file_size, uint64_t pixels)
{
    uint64_t max = base_memory + COPIES * (file_size + pixels);
    struct rlimit data;
    if (RN_SANITIZED || getrlimit(RLIMIT_DATA, &data))
        return;
    data.rlim_cur = max < data.rlim_max ? max : data.rlim_max;
    setrlimit(RLIMIT_DATA, &data);
}

/* ---- system calls */

#if defined(RN_HAVE_SECCOMP) && !RN_SANITIZED

#include <linux/seccomp.h>
#include <seccomp.h>
#include <sched.h>
#include <sys/mman.h>

/* The kernel looks at the filter, which is none, only if it has filters. */
static bool has_filters(void)
{
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL) && errno != EINVAL && errno != ENOSYS;
}

/* Any other call fails with EPERM. Names are separated by spaces. */
static const char allowed[] =
    "read readv pread64 preadv lseek _llseek close fstat fstat64 brk munmap mremap madvise "
    "futex futex_time64 set_robust_list rseq sched_getaffinity sched_yield getpid gettid "
    "rt_sigaction rt_sigprocmask rt_sigreturn sigreturn restart_syscall recvmsg poll ppoll "
    "ppoll_time64 pause exit exit_group clock_gettime clock_gettime64 clock_nanosleep "
    "clock_nanosleep_time64 nanosleep getrandom";

/* To open a file by its name, and to be confined once more. */
static const char opening[] = "access faccessat faccessat2 stat stat64 lstat lstat64 fstatat64 "
                              "newfstatat statx readlink readlinkat getcwd seccomp prctl";

static int allow(scmp_filter_ctx filter, const char *name, unsigned n, struct scmp_arg_cmp only)
{
    int call = seccomp_syscall_resolve_name(name);
    if (call == __NR_SCMP_ERROR)
        return 0; /* this system has no such call, so nothing needs it */
    return seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, call, n, &only);
}

/* Calls that are harmless only with certain arguments. */
static int allow_with_arguments(scmp_filter_ctx filter, int socket)
{
    const struct scmp_arg_cmp look = SCMP_A1(SCMP_CMP_EQ, F_GETFL);
    const struct scmp_arg_cmp no_code = SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0);
    const struct {
        const char *name;
        struct scmp_arg_cmp only;
    } calls[] = {
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
    for (size_t i = 0; i < sizeof calls / sizeof *calls && !err; i++)
        err = allow(filter, calls[i].name, 1, calls[i].only);
    /* A filter cannot see the flags of clone3. On ENOSYS the C library falls back to clone. */
    if (!err)
        err = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
    /* A process may set one of its own limits: that of rn_io_confine_memory. */
    return err ? err
               : seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), 2,
                                  SCMP_A0(SCMP_CMP_EQ, 0), SCMP_A1(SCMP_CMP_EQ, RLIMIT_DATA));
}

static int allow_names(scmp_filter_ctx filter, const char *list)
{
    int err = 0;
    for (size_t n; *list && !err; list += n + (list[n] == ' ')) {
        char name[32];
        n = strcspn(list, " ");
        snprintf(name, sizeof name, "%.*s", (int)n, list);
        err = allow(filter, name, 0, SCMP_A0(SCMP_CMP_EQ, 0));
    }
    return err;
}

static bool filter_calls(int socket, bool opens)
{
    const uint64_t changes = O_ACCMODE | O_CREAT | O_TRUNC;
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    if (!filter)
        return false;
    int err = allow_names(filter, allowed);
    err = err ? err : allow_with_arguments(filter, socket);
    if (opens) {
        err = err ? err : allow_names(filter, opening);
        err = err ? err : allow(filter, "open", 1, SCMP_A1(SCMP_CMP_MASKED_EQ, changes, O_RDONLY));
        err =
            err ? err : allow(filter, "openat", 1, SCMP_A2(SCMP_CMP_MASKED_EQ, changes, O_RDONLY));
    }
    err = err ? err : seccomp_load(filter);
    seccomp_release(filter);
    return !err;
}

#else

static bool has_filters(void)
{
    return false;
}

static bool filter_calls(int socket, bool opens)
{
    return false;
}

#endif

unsigned rn_io_confinement(void)
{
    return (has_filters() ? RN_CONFINED_CALLS : 0) |
           (rn_io_landlock() && !RN_SANITIZED ? RN_CONFINED_FILES : 0);
}

/* CPU time is not limited: thousands of compressed pictures take long, and users can interrupt the
 * program. RLIMIT_NPROC is not set: it counts all processes of the user and the decoder's threads.
 * The filter refuses new processes instead. */
const char *rn_io_confine(int socket, int max_files, const char *opens)
{
    static bool limited; /* by the first call; its filter does not let limits be set */
    unsigned holds = rn_io_confinement();
    if (!limited) {
        uint64_t cpus = (uint64_t)sysconf(_SC_NPROCESSORS_ONLN);
        base_memory = (uint64_t)rn_io_memory_private() + SPARE_MEMORY + cpus * STACK_MEMORY;
        limited =
            limit(RLIMIT_CORE, 0) &&
            (RN_SANITIZED || (limit(RLIMIT_FSIZE, 0) && limit(RLIMIT_NOFILE, (rlim_t)max_files)));
        if (!limited)
            return "its limits (setrlimit) cannot be set";
        if (holds & RN_CONFINED_FILES && close_files(opens))
            return "the kernel has Landlock, but refuses it";
    }
    if (holds & RN_CONFINED_CALLS && !filter_calls(socket, opens != NULL))
        return "the kernel has seccomp filters, but refuses them";
    return NULL;
}
