/* Starts programs that load many libraries in a tenth of the time: ffmpeg and ffprobe, of which the
 * tests start a thousand, spend 60 ms each in the dynamic linker.
 *
 * As a library (-DSERVER) it stands before a program, which then does not begin but waits for
 * requests, and becomes a started program in a child for each. As a program it is called by the
 * name of that program, sends what it was started with (arguments, environment, folder, stdin,
 * stdout, stderr), and ends as the child ends. Where nobody answers it executes the program itself,
 * from the folder in PRESTARTED. Both meet at an abstract socket named after PRESTARTED_AT and the
 * program. If the caller is killed, the child is. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define N_FILES 4 /* stdin, stdout, stderr, the folder */

struct request {
    uint32_t arguments, variables, bytes, mask; /* bytes of all strings behind this */
};

static socklen_t address_of(const char *program, struct sockaddr_un *to)
{
    const char *at = getenv("PRESTARTED_AT"), *name = strrchr(program, '/');
    memset(to, 0, sizeof *to);
    to->sun_family = AF_UNIX; /* sun_path begins with 0: abstract */
    int n = snprintf(to->sun_path + 1, sizeof to->sun_path - 1, "prestarted-%s-%s", at ? at : "",
                     name ? name + 1 : program);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n);
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

/* In the child: what the caller sent is what the program is started with. */
static int begin(int connection)
{
    struct request r;
    char control[CMSG_SPACE(N_FILES * sizeof(int))];
    struct iovec part = {&r, sizeof r};
    struct msghdr m = {.msg_iov = &part,
                       .msg_iovlen = 1,
                       .msg_control = control,
                       .msg_controllen = sizeof control};
    struct cmsghdr *c = NULL;
    int files[N_FILES];
    if (recvmsg(connection, &m, 0) != sizeof r || !(c = CMSG_FIRSTHDR(&m)) ||
        c->cmsg_len != CMSG_LEN(sizeof files))
        exit(1);
    memcpy(files, CMSG_DATA(c), sizeof files);
    char *text = malloc(r.bytes);
    if (!text || recv(connection, text, r.bytes, MSG_WAITALL) != (ssize_t)r.bytes)
        exit(1);
    char **arguments = take_strings(&text, r.arguments);
    environ = take_strings(&text, r.variables);
    if (fchdir(files[3]))
        exit(1);
    umask((mode_t)r.mask);
    for (int i = 0; i < 3; i++)
        dup2(files[i], i);
    close_range(3, ~0U, 0);
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
    socklen_t length = address_of(argv[0], &at);
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
            int status;
            for (pid_t child; (child = waitpid(-1, &status, WNOHANG)) > 0;)
                for (int i = 0; i < n; i++)
                    if (callers[i].child == child) {
                        send(callers[i].connection, &status, sizeof status, MSG_NOSIGNAL);
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

/* The status of the program as waitpid() gives it; -1: nobody answered. */
static int ask(char **argv)
{
    struct sockaddr_un to;
    socklen_t length = address_of(argv[0], &to);
    struct request r = {.mask = umask(0)};
    union {
        struct cmsghdr head;
        char bytes[CMSG_SPACE(N_FILES * sizeof(int))];
    } control = {.head = {CMSG_LEN(N_FILES * sizeof(int)), SOL_SOCKET, SCM_RIGHTS}};
    struct iovec part = {&r, sizeof r};
    struct msghdr m = {.msg_iov = &part,
                       .msg_iovlen = 1,
                       .msg_control = &control,
                       .msg_controllen = sizeof control};
    umask((mode_t)r.mask);
    int files[N_FILES] = {0, 1, 2, open(".", O_PATH | O_DIRECTORY | O_CLOEXEC)};
    int door = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), status = -1;
    size_t first = add_strings(argv, &r.arguments, NULL);
    char *text = malloc(first + add_strings(environ, &r.variables, NULL));
    if (!text || connect(door, (struct sockaddr *)&to, length))
        return -1;
    r.bytes = (uint32_t)(add_strings(argv, &r.arguments, text) +
                         add_strings(environ, &r.variables, text + first));
    memcpy(CMSG_DATA(&control.head), files, sizeof files);
    if (sendmsg(door, &m, MSG_NOSIGNAL) != sizeof r ||
        send(door, text, r.bytes, MSG_NOSIGNAL) != (ssize_t)r.bytes ||
        recv(door, &status, sizeof status, MSG_WAITALL) != sizeof status)
        return -1;
    return status;
}

int main(int argc, char **argv)
{
    char path[4096];
    const char *folder = getenv("PRESTARTED"), *name = strrchr(argv[0], '/');
    (void)argc;
    int status = ask(argv);
    if (status == -1) {
        snprintf(path, sizeof path, "%s/%s", folder ? folder : "/usr/bin",
                 name ? name + 1 : argv[0]);
        execv(path, argv);
        return 127;
    }
    if (WIFSIGNALED(status))
        return 128 + WTERMSIG(status);
    return WEXITSTATUS(status);
}

#endif
