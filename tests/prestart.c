/* SPDX-License-Identifier: MIT */
/* Starts programs that load many libraries in a tenth of the time: ffmpeg and ffprobe, of which the
 * tests start a thousand, spend 60 ms each in the dynamic linker, and runnel, of which they start
 * thousands, half as much.
 *
 * As a library (-DSERVER) it stands before a program, which then does not begin but waits for
 * requests, and becomes a started program in a child for each. As a program it is called by the
 * name of that program, sends what it was started with (arguments, environment, folder, the first
 * ten descriptors, limits, ignored signals), and ends as the child ends. Where nobody answers, as
 * another user, or with variables of the dynamic linker, it executes the program itself, from a
 * folder in PRESTARTED. Both meet at an abstract socket named after PRESTARTED_AT and the program.
 * If the caller is killed, the child is.
 *
 * What the child used is in the times of none who wait for the caller: it adds a line of its
 * seconds of CPU time to the file that ACCOUNT names.
 *
 * Of runnel, one server has more loaded than another: PRESTARTED_AS is the name of one, and the
 * caller chooses by the arguments. PRESTARTED_PID: a file that the started program, which is no
 * child of who called, writes its number into, with what PRESTARTED_PRELOAD names preloaded.
 *
 * PATIENCE: after as many seconds the program is killed, and the status is 124, as of timeout(1).
 *
 * PRESTART_LOADS: libraries that the program may load itself, parted by blanks, loaded ahead. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define N_FILES 10 /* descriptors from stdin on; the folder stands behind those that are open */

struct request {
    uint32_t arguments, variables, bytes, mask; /* bytes of all strings behind this */
    uint32_t open, ignored;                     /* bits of descriptors and signals */
    struct rlimit limits[RLIM_NLIMITS];
};

struct reply {
    int status; /* as waitpid() gives it; -1: nobody answered */
    double used;
};

static socklen_t address_of(const char *name, struct sockaddr_un *to)
{
    const char *at = getenv("PRESTARTED_AT");
    memset(to, 0, sizeof *to);
    to->sun_family = AF_UNIX; /* sun_path begins with 0: abstract */
    int n =
        snprintf(to->sun_path + 1, sizeof to->sun_path - 1, "prestarted-%s-%s", at ? at : "", name);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n);
}

static const char *base_of(const char *path)
{
    const char *name = strrchr(path, '/');
    return name ? name + 1 : path;
}

static void tell_process(void)
{
    const char *path = getenv("PRESTARTED_PID"), *preload = getenv("PRESTARTED_PRELOAD");
    FILE *f = path ? fopen(path, "we") : NULL;
    if (preload)
        setenv("LD_PRELOAD", preload, 1);
    if (f) {
        fprintf(f, "%d\n", (int)getpid());
        fclose(f);
    }
}

#ifdef SERVER

static int (*program_main)(int, char **, char **);

static char **take_strings(char **from, uint32_t n)
{
    char **list = calloc(n + 1, sizeof *list);
    for (uint32_t i = 0; list && i < n; i++, *from += strlen(*from) + 1)
        list[i] = *from;
    if (!list)
        exit(1);
    return list;
}

/* The last of the program's own handlers. Those of the hundreds of libraries behind it, which were
 * registered before, would write to a page of each: half of all that a short run costs. */
static void leave(int status, void *unused)
{
    (void)unused;
    fflush(NULL);
    _exit(status);
}

/* In the child: what the caller sent is what the program is started with. */
static int begin(int connection)
{
    struct request r;
    char control[CMSG_SPACE((N_FILES + 1) * sizeof(int))];
    struct iovec part = {&r, sizeof r};
    struct msghdr m = {.msg_iov = &part,
                       .msg_iovlen = 1,
                       .msg_control = control,
                       .msg_controllen = sizeof control};
    struct cmsghdr *c = NULL;
    int files[N_FILES + 1], n = 0;
    if (recvmsg(connection, &m, 0) != sizeof r || !(c = CMSG_FIRSTHDR(&m)) ||
        c->cmsg_len != CMSG_LEN(sizeof(int) * ((size_t)__builtin_popcount(r.open) + 1)))
        exit(1);
    memcpy(files, CMSG_DATA(c), c->cmsg_len - CMSG_LEN(0));
    char *text = malloc(r.bytes);
    if (!text || recv(connection, text, r.bytes, MSG_WAITALL) != (ssize_t)r.bytes)
        exit(1);
    char **arguments = take_strings(&text, r.arguments);
    environ = take_strings(&text, r.variables);
    if (fchdir(files[__builtin_popcount(r.open)]))
        exit(1);
    umask((mode_t)r.mask);
    for (int i = 0; i <= __builtin_popcount(r.open); i++) /* out of the way of those below */
        files[i] = fcntl(files[i], F_DUPFD, N_FILES);
    for (int i = 0; i < N_FILES; i++)
        if (!(r.open >> i & 1) || dup2(files[n++], i) < 0)
            close(i);
    close_range(N_FILES, ~0U, 0);
    for (int i = 1; i < 32; i++)
        if (i != SIGKILL && i != SIGSTOP)
            signal(i, r.ignored >> i & 1 ? SIG_IGN : SIG_DFL);
    for (int i = 0; i < RLIM_NLIMITS; i++)
        setrlimit(i, &r.limits[i]);
    tell_process();
    on_exit(leave, NULL);
    return program_main((int)r.arguments, arguments, environ);
}

#define N_CALLERS 64

/* Its signature is that of main: it never sees the arguments of the program. */
static int serve(int argc, char **argv, char **variables)
{
    struct {
        pid_t child;
        int connection;
    } callers[N_CALLERS];
    struct sockaddr_un at;
    sigset_t ended;
    int n = 0, door = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    (void)argc, (void)variables;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    char *loads = getenv("PRESTART_LOADS"), *rest;
    for (char *one = loads ? strtok_r(loads, " \n", &rest) : NULL; one;
         one = strtok_r(NULL, " \n", &rest))
        dlopen(one, RTLD_NOW | RTLD_LOCAL);
    const char *as = getenv("PRESTARTED_AS");
    socklen_t length = address_of(as ? as : base_of(argv[0]), &at);
    sigemptyset(&ended);
    sigaddset(&ended, SIGCHLD);
    sigprocmask(SIG_BLOCK, &ended, NULL);
    int signals = signalfd(-1, &ended, SFD_CLOEXEC);
    if (bind(door, (struct sockaddr *)&at, length) || listen(door, N_CALLERS))
        return 1;
    for (;;) {
        struct pollfd wait[N_CALLERS + 2] = {{signals, POLLIN, 0},
                                             {n < N_CALLERS ? door : -1, POLLIN, 0}};
        for (int i = 0; i < n; i++)
            wait[2 + i] = (struct pollfd){callers[i].connection, 0, 0}; /* POLLHUP alone */
        if (poll(wait, (nfds_t)n + 2, -1) < 0)
            return 1;
        for (int i = 0; i < n; i++)
            if (wait[2 + i].revents)
                kill(callers[i].child, SIGKILL);
        if (wait[0].revents) {
            struct signalfd_siginfo info;
            if (read(signals, &info, sizeof info) < 0)
                return 1;
            struct reply reply;
            struct rusage u;
            for (pid_t child; (child = wait4(-1, &reply.status, WNOHANG, &u)) > 0;)
                for (int i = 0; i < n; i++)
                    if (callers[i].child == child) {
                        reply.used = (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
                                     1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
                        send(callers[i].connection, &reply, sizeof reply, MSG_NOSIGNAL);
                        close(callers[i].connection);
                        callers[i--] = callers[--n];
                    }
        }
        if (wait[1].revents) {
            struct ucred who;
            socklen_t size = sizeof who;
            int connection = accept4(door, NULL, NULL, SOCK_CLOEXEC);
            if (connection < 0)
                continue;
            if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &who, &size) ||
                who.uid != geteuid()) {
                close(connection);
                continue;
            }
            pid_t child = fork();
            if (!child) {
                sigprocmask(SIG_UNBLOCK, &ended, NULL);
                exit(begin(connection));
            }
            callers[n].child = child;
            callers[n++].connection = connection;
        }
    }
}

int __libc_start_main(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void),
                      void (*)(void), void *);

int __libc_start_main(int (*real_main)(int, char **, char **), int argc, char **argv,
                      void (*init)(void), void (*fini)(void), void (*end)(void), void *stack)
{
    __typeof__(&__libc_start_main) start = (__typeof__(start))dlsym(RTLD_NEXT, "__libc_start_main");
    program_main = real_main;
    return start(serve, argc, argv, init, fini, end, stack);
}

#else

static size_t add_strings(char **list, uint32_t *n, char *to)
{
    size_t bytes = 0;
    for (*n = 0; list[*n]; bytes += strlen(list[(*n)++]) + 1)
        if (to)
            strcpy(to + bytes, list[*n]); /* NOLINT(*-strcpy) */
    return bytes;
}

static const char *server_of(char **argv)
{
    const char *name = base_of(argv[0]);
    if (strcmp(name, "runnel") != 0)
        return name;
    if (getenv("PRESTARTED_PID"))
        return "runnel-play";
    const char *device = getenv("RUNNEL_DEVICE");
    bool filters = false, none = device && !strcmp(device, "none");
    for (int i = 1; argv[i]; i++) {
        filters = filters || !strcmp(argv[i], "-f") || !strcmp(argv[i], "--filters");
        none = none || !strcmp(argv[i], "none");
    }
    return filters && !none ? "runnel-device" : name;
}

static bool is_linked_otherwise(void)
{
    for (char **v = environ; *v; v++)
        if (!strncmp(*v, "LD_", 3))
            return true;
    return false;
}

static struct reply ask(char **argv, int patience)
{
    struct reply reply = {-1, 0};
    struct sockaddr_un to;
    socklen_t length = address_of(server_of(argv), &to);
    struct ucred server;
    struct request r = {.mask = umask(0)};
    int files[N_FILES + 1], n = 0;
    for (int i = 0; i < N_FILES; i++)
        if (fcntl(i, F_GETFD) >= 0) {
            r.open |= 1U << i;
            files[n++] = i;
        }
    for (int i = 1; i < 32; i++) {
        struct sigaction now;
        r.ignored |= !sigaction(i, NULL, &now) && now.sa_handler == SIG_IGN ? 1U << i : 0;
    }
    for (int i = 0; i < RLIM_NLIMITS; i++)
        getrlimit(i, &r.limits[i]);
    files[n++] = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    union {
        struct cmsghdr head;
        char bytes[CMSG_SPACE((N_FILES + 1) * sizeof(int))];
    } control = {.head = {CMSG_LEN((size_t)n * sizeof(int)), SOL_SOCKET, SCM_RIGHTS}};
    struct iovec part = {&r, sizeof r};
    struct msghdr m = {.msg_iov = &part,
                       .msg_iovlen = 1,
                       .msg_control = &control,
                       .msg_controllen = CMSG_SPACE((size_t)n * sizeof(int))};
    umask((mode_t)r.mask);
    int door = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    size_t first = add_strings(argv, &r.arguments, NULL);
    char *text = malloc(first + add_strings(environ, &r.variables, NULL));
    setsockopt(door, SOL_SOCKET, SO_RCVTIMEO, &(struct timeval){.tv_sec = patience},
               sizeof(struct timeval));
    if (!text || connect(door, (struct sockaddr *)&to, length) ||
        getsockopt(door, SOL_SOCKET, SO_PEERCRED, &server, &(socklen_t){sizeof server}) ||
        server.uid != geteuid() || server.gid != getegid())
        return reply;
    r.bytes = (uint32_t)(add_strings(argv, &r.arguments, text) +
                         add_strings(environ, &r.variables, text + first));
    memcpy(CMSG_DATA(&control.head), files, (size_t)n * sizeof(int));
    if (sendmsg(door, &m, MSG_NOSIGNAL) != sizeof r ||
        send(door, text, r.bytes, MSG_NOSIGNAL) != (ssize_t)r.bytes ||
        recv(door, &reply, sizeof reply, MSG_WAITALL) != sizeof reply)
        reply.status = errno == EAGAIN ? 124 << 8 : -1;
    return reply;
}

int main(int argc, char **argv)
{
    (void)argc;
    struct reply reply = {-1, 0};
    const char *account = getenv("ACCOUNT");
    int patience = atoi(getenv("PATIENCE") ? getenv("PATIENCE") : "0");
    unsetenv("PATIENCE");
    if (!is_linked_otherwise())
        reply = ask(argv, patience);
    if (reply.status == -1) {
        const char *folders = getenv("PRESTARTED");
        char *list = strdup(folders ? folders : "/usr/bin"), *rest, path[4096];
        tell_process();
        for (char *in = strtok_r(list, ":", &rest); in; in = strtok_r(NULL, ":", &rest)) {
            snprintf(path, sizeof path, "%s/%s", in, base_of(argv[0]));
            execv(path, argv);
        }
        return 127;
    }
    FILE *f = account ? fopen(account, "ae") : NULL;
    if (f) {
        fprintf(f, "%.3f\n", reply.used);
        fclose(f);
    }
    if (WIFSIGNALED(reply.status))
        return 128 + WTERMSIG(reply.status);
    return WEXITSTATUS(reply.status);
}

#endif
