/* SPDX-License-Identifier: MIT */
/* Preloaded into runnel, makes the N-th call of one kind fail, as a full disk, a lack of
 * memory or a broken device would:
 *
 *     FAULTS_KIND=alloc FAULTS_N=17 FAULTS_REPORT=file LD_PRELOAD=.../faults.so runnel ...
 *
 * FAULTS_KIND     a name of KINDS below; "record": nothing fails, every call is written down
 * FAULTS_N        which call, counted from 1
 * FAULTS_REST     where set: and all after it
 * FAULTS_CALLERS  own: calls by runnel (default); lib: by libav*, libsw*, libtiff,
 *                 libjansson, libgdcm*, and in the process that decodes DICOM by libstdc++ (new)
 * FAULTS_WORKER   where set: in the process that decodes DICOM instead of the first one
 * FAULTS_REPORT   a file to which lines are added: "call KIND CALLERS N FUNCTION STACK" (record),
 *                 the same with "struck", and "crash SIGNAL STACK"; a stack is places as
 *                 OBJECT+OFFSET
 *
 * Who calls is told by the return address: PoCL, LLVM, the codecs' own libraries and the C library
 * itself are left in peace. glibc writes and allocates past the symbols that can be replaced, so
 * functions of stdio and those that return new memory fail as a whole: the buffer of a stream that
 * fails is lost and its error flag is set, as after a write that failed. What goes to stderr always
 * succeeds, so that what is said of the fault can be read. */
#define _GNU_SOURCE
#include "filters/core/device/opencl.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <link.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>

#define KINDS(K)                                                                                   \
    K(ALLOC, "alloc")                                                                              \
    K(OPEN, "open")                                                                                \
    K(READ, "read")                                                                                \
    K(WRITE, "write")                                                                              \
    K(SHORT, "short") /* a read or write of one byte, which is no error */                         \
    K(SYNC, "sync")                                                                                \
    K(RENAME, "rename")                                                                            \
    K(CLOSE, "close") /* closed nevertheless, as close() does it */                                \
    K(STAT, "stat")                                                                                \
    K(MAP, "map")                                                                                  \
    K(THREAD, "thread")                                                                            \
    K(LOCK, "lock")                                                                                \
    K(PROCESS, "process")                                                                          \
    K(CL, "cl")

#define AS_ENUM(kind, name)   kind,
#define AS_STRING(kind, name) name,
enum kind { KINDS(AS_ENUM) NKINDS, RECORD, NONE };
static const char *const kinds[] = {KINDS(AS_STRING)};

enum caller { OTHER, OWN, LIB };
static const char *const callers[] = {"other", "own", "lib"};

#define CL_FAILURE  CL_OUT_OF_RESOURCES
#define MAX_DEPTH   40
#define REPORT_SIZE (16u << 20)

static enum kind chosen = NONE; /* until the constructor has run */
static enum caller chosen_caller = OWN;
static long first, last;
static bool is_worker;
static atomic_long counted[NKINDS][3];
static _Thread_local bool busy; /* in here: what is called on the way does not count */

/* ---- who calls */

static struct object {
    const char *name;
    uintptr_t base, begin, end;
    enum caller caller;
} objects[1024];
static atomic_int nobjects;

static enum caller classify(const char *name)
{
    static const char *const libs[] = {"libav",      "libsw",   "libtiff",
                                       "libjansson", "libgdcm", "libstdc++"};
    size_t n = sizeof libs / sizeof *libs - (is_worker ? 0 : 1); /* LLVM's new is not ours */
    if (!*name || !strncmp(name, "runnel-", 7))
        return OWN;
    for (size_t i = 0; i < n; i++)
        if (!strncmp(name, libs[i], strlen(libs[i])))
            return LIB;
    return OTHER;
}

static int add_object(struct dl_phdr_info *info, size_t size, void *arg)
{
    (void)size, (void)arg;
    const char *slash = strrchr(info->dlpi_name, '/');
    const char *name = slash ? slash + 1 : info->dlpi_name;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        int n = atomic_load(&nobjects);
        uintptr_t begin = info->dlpi_addr + p->p_vaddr;
        if (p->p_type != PT_LOAD || !(p->p_flags & PF_X) || n == sizeof objects / sizeof *objects)
            continue;
        bool known = false;
        for (int j = 0; j < n; j++)
            known |= objects[j].begin == begin;
        if (known)
            continue;
        objects[n] =
            (struct object){name, info->dlpi_addr, begin, begin + p->p_memsz, classify(name)};
        atomic_store(&nobjects, n + 1);
    }
    return 0;
}

/* The half of the program, then the module for DICOM and GDCM when they are needed. */
void *dlopen(const char *name, int flags)
{
    static void *(*real)(const char *, int);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "dlopen");
    void *library = real(name, flags);
    if (library && name && strstr(name, "/runnel-"))
        dl_iterate_phdr(add_object, NULL);
    return library;
}

static const struct object *find_object(const void *address)
{
    uintptr_t a = (uintptr_t)address;
    for (int i = atomic_load(&nobjects) - 1; i >= 0; i--)
        if (a >= objects[i].begin && a < objects[i].end)
            return &objects[i];
    return NULL;
}

/* ---- what is told */

struct line {
    char text[4096];
    size_t n;
};

__attribute__((format(printf, 2, 3))) static void add(struct line *line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(line->text + line->n, sizeof line->text - line->n, format, args);
    va_end(args);
    if (n > 0)
        line->n += (size_t)n;
    if (line->n > sizeof line->text - 2)
        line->n = sizeof line->text - 2;
}

/* The report is mapped: it needs neither a descriptor nor a system call, which the process that
 * decodes DICOM may not make. */
static char *page;
static atomic_size_t used;

static void open_report(const char *path)
{
    int fd =
        path ? (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT | O_CLOEXEC, 0666) : -1;
    if (fd >= 0 && syscall(SYS_ftruncate, fd, REPORT_SIZE) == 0) {
        void *at =
            (void *)syscall(SYS_mmap, NULL, REPORT_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        page = at == MAP_FAILED ? NULL : at;
    }
    if (fd >= 0)
        syscall(SYS_close, fd);
}

static void tell(struct line *line)
{
    line->text[line->n++] = '\n';
    size_t at = atomic_fetch_add(&used, line->n);
    if (page && at + line->n <= REPORT_SIZE)
        memcpy(page + at, line->text, line->n);
}

static void add_place(struct line *line, const void *at)
{
    const struct object *o = find_object(at);
    if (!o)
        add(line, " ?");
    else if (strcmp(o->name, "faults.so") != 0)
        add(line, " %s+0x%lx", *o->name ? o->name : "runnel",
            (unsigned long)((uintptr_t)at - o->base));
}

static void add_stack(struct line *line)
{
    void *at[MAX_DEPTH];
    int n = backtrace(at, MAX_DEPTH);
    for (int i = 0; i < n; i++)
        add_place(line, at[i]);
}

static void tell_call(const char *what, enum kind kind, enum caller caller, long n, const char *fn)
{
    struct line line = {.n = 0};
    add(&line, "%s %s %s %ld %s", what, kinds[kind], callers[caller], n, fn);
    add_stack(&line);
    tell(&line);
}

/* A call through NULL has no frame: its caller stands on the stack. */
static void add_caller_of_nothing(struct line *line, const void *context)
{
#ifdef __x86_64__
    const greg_t *regs = ((const ucontext_t *)context)->uc_mcontext.gregs;
    if (!regs[REG_RIP])
        add_place(line, *(void *const *)(uintptr_t)regs[REG_RSP]);
#else
    (void)line, (void)context;
#endif
}

static void tell_crash(int sig, siginfo_t *info, void *context)
{
    struct line line = {.n = 0};
    (void)info;
    busy = true;
    add(&line, "crash %d", sig);
    add_caller_of_nothing(&line, context);
    add_stack(&line);
    tell(&line);
}

/* ---- whether a call fails */

__attribute__((noinline)) static bool strikes(enum kind kind, const void *caller, const char *fn)
{
    if ((chosen != kind && chosen != RECORD) || busy)
        return false;
    const struct object *object = find_object(caller);
    enum caller who = object ? object->caller : OTHER;
    if (who == OTHER || (chosen != RECORD && who != chosen_caller))
        return false;
    int saved = errno;
    bool strike = false;
    busy = true;
    long n = atomic_fetch_add(&counted[kind][who], 1) + 1;
    if (chosen == RECORD) {
        tell_call("call", kind, who, n, fn);
    } else if (n >= first && n <= last) {
        strike = true;
        if (n == first)
            tell_call("struck", kind, who, n, fn);
    }
    busy = false;
    errno = saved;
    return strike;
}

#define STRIKES(kind) strikes(kind, __builtin_return_address(0), __func__)

/* What a function returns that fails. */
#define FAILURE(code, value) (errno = (code), (value))

/* Finds the function that one here stands in front of. */
#define FIND(real, name)                                                                           \
    do {                                                                                           \
        if (!(real))                                                                               \
            *(void **)&(real) = dlsym(RTLD_NEXT, name);                                            \
    } while (0)

/* A function that returns `failure` where it fails; with `errno` set. */
#define WRAP_IF(fails, type, fn, params, args, failure)                                            \
    type fn params                                                                                 \
    {                                                                                              \
        static type(*real) params;                                                                 \
        FIND(real, #fn);                                                                           \
        return (fails) ? (failure) : real args;                                                    \
    }
#define WRAP(kind, type, fn, params, args, failure, code)                                          \
    WRAP_IF(STRIKES(kind), type, fn, params, args, FAILURE(code, failure))

/* A function that prints; va: what prints instead of it. */
#define WRAP_PRINT(fails, fn, params, va)                                                          \
    extern int fn params;                                                                          \
    int fn params                                                                                  \
    {                                                                                              \
        (void)flag;                                                                                \
        if (fails)                                                                                 \
            return -1;                                                                             \
        va_list args;                                                                              \
        va_start(args, format);                                                                    \
        int n = va;                                                                                \
        va_end(args);                                                                              \
        return n;                                                                                  \
    }

__attribute__((constructor)) static void start(void)
{
    const char *kind = getenv("FAULTS_KIND"), *n = getenv("FAULTS_N");
    const char *who = getenv("FAULTS_CALLERS"), *leader = getenv("FAULTS_LEADER");
    bool worker = leader && atol(leader) != (long)getpid();
    void *warm[4];
    char pid[24], self[PATH_MAX] = "";
    if (!leader) {
        snprintf(pid, sizeof pid, "%ld", (long)getpid());
        setenv("FAULTS_LEADER", pid, 1);
    }
    if (readlink("/proc/self/exe", self, sizeof self - 1) < 0 || !strstr(self, "/runnel") ||
        worker != !!getenv("FAULTS_WORKER") || !kind)
        return;
    is_worker = worker;
    open_report(getenv("FAULTS_REPORT"));
    first = n ? atol(n) : LONG_MAX;
    last = getenv("FAULTS_REST") ? LONG_MAX : first;
    chosen_caller = who && !strcmp(who, "lib") ? LIB : OWN;
    dl_iterate_phdr(add_object, NULL);
    backtrace(warm, 4); /* the first one allocates */
    struct sigaction crash = {.sa_sigaction = tell_crash,
                              .sa_flags = SA_SIGINFO | SA_RESETHAND | SA_NODEFER};
    static const int fatal[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL};
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
        sigaction(fatal[i], &crash, NULL);
    for (int i = 0; i < NKINDS; i++)
        if (!strcmp(kind, kinds[i]))
            chosen = i;
    if (!strcmp(kind, "record"))
        chosen = RECORD;
}

/* ---- memory */

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *p, size_t size);

/* Before the constructor the caller is not looked up; dlsym() itself may allocate. */
#define WRAP_LIBC(fn, params, args)                                                                \
    void *fn params                                                                                \
    {                                                                                              \
        return chosen != NONE && STRIKES(ALLOC) ? FAILURE(ENOMEM, NULL) : __libc_##fn args;        \
    }
WRAP_LIBC(malloc, (size_t size), (size))
WRAP_LIBC(calloc, (size_t n, size_t size), (n, size))
WRAP_LIBC(realloc, (void *p, size_t size), (p, size))

WRAP(ALLOC, int, posix_memalign, (void **p, size_t align, size_t size), (p, align, size), ENOMEM,
     ENOMEM) /* as glibc does, though POSIX does not say so */
WRAP(ALLOC, void *, aligned_alloc, (size_t align, size_t size), (align, size), NULL, ENOMEM)
WRAP(ALLOC, char *, strdup, (const char *s), (s), NULL, ENOMEM)
WRAP(ALLOC, char *, strndup, (const char *s, size_t n), (s, n), NULL, ENOMEM)
WRAP(ALLOC, char *, realpath, (const char *path, char *to), (path, to), NULL, ENOMEM)
WRAP(ALLOC, FILE *, open_memstream, (char **to, size_t *size), (to, size), NULL, ENOMEM)
WRAP(ALLOC, locale_t, newlocale, (int mask, const char *name, locale_t base), (mask, name, base),
     (locale_t)0, ENOMEM)
WRAP(ALLOC, int, glob, (const char *p, int flags, int (*fn)(const char *, int), glob_t *g),
     (p, flags, fn, g), GLOB_NOSPACE, ENOMEM)

WRAP_PRINT(STRIKES(ALLOC) && (errno = ENOMEM), __asprintf_chk,
           (char **to, int flag, const char *format, ...), vasprintf(to, format, args))

WRAP(MAP, void *, mmap, (void *at, size_t n, int prot, int flags, int fd, off_t from),
     (at, n, prot, flags, fd, from), MAP_FAILED, ENOMEM)

/* ---- files */

static mode_t mode_of(int flags, va_list args)
{
    return flags & (O_CREAT | __O_TMPFILE) ? (mode_t)va_arg(args, int) : 0;
}

#define WRAP_OPEN(fn)                                                                              \
    int fn(const char *path, int flags, ...)                                                       \
    {                                                                                              \
        static int (*real)(const char *, int, ...);                                                \
        va_list args;                                                                              \
        va_start(args, flags);                                                                     \
        mode_t mode = mode_of(flags, args);                                                        \
        va_end(args);                                                                              \
        FIND(real, #fn);                                                                           \
        return STRIKES(OPEN) ? FAILURE(EMFILE, -1) : real(path, flags, mode);                      \
    }
WRAP_OPEN(open)
WRAP_OPEN(open64)

extern int __open_2(const char *path, int flags);
WRAP(OPEN, int, __open_2, (const char *path, int flags), (path, flags), -1, EMFILE)
WRAP(OPEN, FILE *, fopen, (const char *path, const char *mode), (path, mode), NULL, EMFILE)
WRAP(OPEN, FILE *, fopen64, (const char *path, const char *mode), (path, mode), NULL, EMFILE)
WRAP(OPEN, FILE *, tmpfile, (void), (), NULL, EMFILE)
WRAP(OPEN, FILE *, fdopen, (int fd, const char *mode), (fd, mode), NULL, ENOMEM)
WRAP(OPEN, DIR *, opendir, (const char *path), (path), NULL, EMFILE)
WRAP(OPEN, int, mkstemp, (char *path), (path), -1, EMFILE)
WRAP(OPEN, char *, mkdtemp, (char *path), (path), NULL, ENOSPC)
WRAP(OPEN, int, mkdir, (const char *path, mode_t mode), (path, mode), -1, ENOSPC)
WRAP(OPEN, int, memfd_create, (const char *name, unsigned flags), (name, flags), -1, EMFILE)
WRAP(OPEN, int, socketpair, (int domain, int type, int protocol, int fds[2]),
     (domain, type, protocol, fds), -1, EMFILE)

WRAP(STAT, int, stat, (const char *path, struct stat *st), (path, st), -1, EIO)
WRAP(STAT, int, lstat, (const char *path, struct stat *st), (path, st), -1, EIO)
WRAP(STAT, int, fstat, (int fd, struct stat *st), (fd, st), -1, EIO)
WRAP(STAT, int, access, (const char *path, int mode), (path, mode), -1, EIO)
WRAP(STAT, int, fchmod, (int fd, mode_t mode), (fd, mode), -1, EIO)
WRAP(STAT, ssize_t, readlink, (const char *path, char *to, size_t n), (path, to, n), -1, EIO)

WRAP(SYNC, int, fsync, (int fd), (fd), -1, EIO)
WRAP(SYNC, int, fdatasync, (int fd), (fd), -1, EIO)
WRAP(RENAME, int, rename, (const char *from, const char *to), (from, to), -1, EIO)
WRAP(RENAME, int, renameat2, (int f, const char *from, int t, const char *to, unsigned flags),
     (f, from, t, to, flags), -1, EIO)
WRAP(RENAME, int, link, (const char *from, const char *to), (from, to), -1, EIO)
WRAP(RENAME, int, linkat, (int f, const char *from, int t, const char *to, int flags),
     (f, from, t, to, flags), -1, EIO)

int close(int fd)
{
    static int (*real)(int);
    FIND(real, "close");
    int err = real(fd);
    return STRIKES(CLOSE) ? FAILURE(EIO, -1) : err;
}

/* ---- reading */

ssize_t read(int fd, void *to, size_t n)
{
    static ssize_t (*real)(int, void *, size_t);
    FIND(real, "read");
    if (STRIKES(READ))
        return FAILURE(EIO, -1);
    return real(fd, to, n > 1 && STRIKES(SHORT) ? 1 : n);
}

WRAP(READ, ssize_t, pread, (int fd, void *to, size_t n, off_t at), (fd, to, n, at), -1, EIO)
WRAP(READ, ssize_t, recv, (int fd, void *to, size_t n, int flags), (fd, to, n, flags), -1, EIO)
WRAP(READ, ssize_t, recvmsg, (int fd, struct msghdr *to, int flags), (fd, to, flags), -1, EIO)
WRAP(READ, off_t, lseek, (int fd, off_t at, int whence), (fd, at, whence), -1, EIO)
WRAP(READ, off64_t, lseek64, (int fd, off64_t at, int whence), (fd, at, whence), -1, EIO)
WRAP(READ, int, fseeko, (FILE * f, off_t at, int whence), (f, at, whence), -1, EIO)
WRAP(READ, off_t, ftello, (FILE * f), (f), -1, EIO)

/* As after a read or a write that failed. Returns true. */
static bool spoil(FILE *f, int code)
{
    f->_flags |= 0x20; /* _IO_ERR_SEEN */
    errno = code;
    return true;
}

WRAP_IF(STRIKES(READ) && spoil(f, EIO), size_t, fread, (void *to, size_t size, size_t n, FILE *f),
        (to, size, n, f), 0)
WRAP_IF(STRIKES(READ) && spoil(f, EIO), char *, fgets, (char *to, int n, FILE *f), (to, n, f), NULL)
WRAP(READ, struct dirent *, readdir, (DIR * dir), (dir), NULL, EIO)

/* ---- writing */

ssize_t write(int fd, const void *from, size_t n)
{
    static ssize_t (*real)(int, const void *, size_t);
    FIND(real, "write");
    if (fd != STDERR_FILENO && STRIKES(WRITE))
        return FAILURE(ENOSPC, -1);
    return real(fd, from, n > 1 && fd != STDERR_FILENO && STRIKES(SHORT) ? 1 : n);
}

WRAP(WRITE, ssize_t, pwrite, (int fd, const void *from, size_t n, off_t at), (fd, from, n, at), -1,
     ENOSPC)
WRAP(WRITE, ssize_t, writev, (int fd, const struct iovec *v, int n), (fd, v, n), -1, ENOSPC)
WRAP(WRITE, int, ftruncate, (int fd, off_t size), (fd, size), -1, ENOSPC)
WRAP(WRITE, ssize_t, send, (int fd, const void *from, size_t n, int flags), (fd, from, n, flags),
     -1, EPIPE)
WRAP(WRITE, ssize_t, sendmsg, (int fd, const struct msghdr *from, int flags), (fd, from, flags), -1,
     EPIPE)

static bool loses(FILE *f, enum kind kind, const void *caller, const char *fn)
{
    if (!f || f == stderr || !strikes(kind, caller, fn))
        return false;
    __fpurge(f);
    return spoil(f, ENOSPC);
}

#define LOSES(f) loses(f, WRITE, __builtin_return_address(0), __func__)

#define WRAP_STREAM(type, fn, params, args, f, failure)                                            \
    WRAP_IF(LOSES(f), type, fn, params, args, failure)

WRAP_STREAM(size_t, fwrite, (const void *from, size_t size, size_t n, FILE *f), (from, size, n, f),
            f, 0)
WRAP_STREAM(int, fputs, (const char *s, FILE *f), (s, f), f, EOF)
WRAP_STREAM(int, puts, (const char *s), (s), stdout, EOF)
WRAP_STREAM(int, fputc, (int c, FILE *f), (c, f), f, EOF)
WRAP_STREAM(int, putc, (int c, FILE *f), (c, f), f, EOF)
WRAP_STREAM(int, putchar, (int c), (c), stdout, EOF)
WRAP_STREAM(int, fflush, (FILE * f), (f), f, EOF)

int fclose(FILE *f)
{
    static int (*real)(FILE *);
    FIND(real, "fclose");
    bool lost = f != stderr && STRIKES(WRITE);
    if (lost)
        __fpurge(f);
    int err = real(f);
    return lost ? FAILURE(ENOSPC, EOF) : err;
}

extern int __vfprintf_chk(FILE *f, int flag, const char *format, va_list args);
WRAP_STREAM(int, __vfprintf_chk, (FILE * f, int flag, const char *format, va_list args),
            (f, flag, format, args), f, -1)

WRAP_PRINT(LOSES(f), __fprintf_chk, (FILE * f, int flag, const char *format, ...),
           vfprintf(f, format, args))
WRAP_PRINT(LOSES(stdout), __printf_chk, (int flag, const char *format, ...),
           vfprintf(stdout, format, args))

/* ---- threads, processes */

WRAP(THREAD, int, pthread_create,
     (pthread_t * thread, const pthread_attr_t *attr, void *(*fn)(void *), void *arg),
     (thread, attr, fn, arg), EAGAIN, errno)
WRAP(LOCK, int, sem_init, (sem_t * sem, int shared, unsigned value), (sem, shared, value), -1,
     ENOSPC)
WRAP(LOCK, int, pthread_mutex_init, (pthread_mutex_t * m, const pthread_mutexattr_t *attr),
     (m, attr), ENOMEM, errno)
WRAP(LOCK, int, pthread_cond_init, (pthread_cond_t * c, const pthread_condattr_t *attr), (c, attr),
     ENOMEM, errno)
WRAP(LOCK, int, pthread_condattr_init, (pthread_condattr_t * attr), (attr), ENOMEM, errno)
WRAP(PROCESS, int, posix_spawnp,
     (pid_t * pid, const char *path, const posix_spawn_file_actions_t *files,
      const posix_spawnattr_t *attr, char *const *argv, char *const *env),
     (pid, path, files, attr, argv, env), EAGAIN, errno)
WRAP(PROCESS, int, posix_spawn_file_actions_init, (posix_spawn_file_actions_t * files), (files),
     ENOMEM, errno)
WRAP(PROCESS, int, posix_spawnattr_init, (posix_spawnattr_t * attr), (attr), ENOMEM, errno)
WRAP(PROCESS, int, posix_spawn_file_actions_adddup2,
     (posix_spawn_file_actions_t * files, int from, int to), (files, from, to), ENOMEM, errno)

#include "faults_cl.h"
