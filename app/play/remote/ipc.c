/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* accept4, pipe2 */
#include "app/play/remote/remote.h"

#include "filters/base/log.h"
#include "filters/base/threads/locked.h"
#include "filters/base/threads/thread.h"
#include "filters/base/clock.h"
#include "filters/base/output/path.h"
#include "filters/base/output/private.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/un.h>
#include <time.h>

#define RETRY_MS  100 /* until the next accept after descriptors have run out */
#define BACKLOG   16
#define LOCK_TIME 2.0 /* seconds; a folder is locked for a few system calls only */
#define SUFFIX    12  /* bytes of the suffix of a temporary name */

struct client {
    int fd;        /* -1: the connection is closed */
    bool used;     /* until RN_IPC_GONE was reported and all is sent */
    bool ended;    /* it sends no more */
    bool deaf;     /* it reads no more; its pending requests still count */
    bool told;     /* RN_IPC_GONE was reported */
    bool skips;    /* drops the rest of a line that is too long */
    bool too_long; /* RN_IPC_TOO_LONG must be reported */
    char *in;      /* RN_IPC_LINE bytes */
    size_t nin;
    char *out;
    size_t nout, capacity;
};

struct rn_play_ipc {
    int listener, wake[2];
    struct rn_thread thread;
    pthread_mutex_t lock; /* of all that follows */
    struct client client[RN_IPC_CLIENTS];
    void (*news)(void);
    bool told, stop, exhausted;
};

/* ---- the name of the socket: one at a time in a process */

/* The name that is ours, for rn_play_ipc_name_remove. */
static struct sockaddr_un ours;
static dev_t dev;
static ino_t ino;
static atomic_bool taken;

static int fail(const char *path, const char *why)
{
    return rn_fail(RN_EOUTPUT, "--ipc '%s': %s", path, why);
}

/* Whether a program listens to a socket. */
static bool is_alive(const struct sockaddr_un *name)
{
    RN_OWNED(rn_close_owned)
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    bool dead = fd >= 0 && connect(fd, (const struct sockaddr *)name, sizeof *name) &&
                errno == ECONNREFUSED;
    return !dead;
}

/* Removes the socket of a killed process. The folder is locked, so no other process does it now. */
static int clear(const struct sockaddr_un *name)
{
    struct stat st;
    if (lstat(name->sun_path, &st))
        return errno == ENOENT ? 0 : fail(name->sun_path, strerror(errno));
    if (!S_ISSOCK(st.st_mode))
        return fail(name->sun_path, "exists and is no socket: choose another name");
    if (is_alive(name))
        return fail(name->sun_path, "another program listens there: choose another name");
    if (st.st_uid != geteuid())
        return fail(name->sun_path, "is another user's socket: choose another name");
    rn_log(RN_LOG_INFO, "--ipc '%s': the socket was left by a program that has ended: replaced",
           name->sun_path);
    return unlink(name->sun_path) ? fail(name->sun_path, strerror(errno)) : 0;
}

/* Listens under a temporary name, then links the final one: a client that sees it can connect, and
 * only the owner ever can. */
static int listen_as(const struct sockaddr_un *name, const struct sockaddr_un *temp, int fd)
{
    if (bind(fd, (const struct sockaddr *)temp, sizeof *temp))
        return fail(name->sun_path, strerror(errno));
    bool done = !chmod(temp->sun_path, S_IRUSR | S_IWUSR) && !listen(fd, BACKLOG) &&
                !link(temp->sun_path, name->sun_path);
    int err = done ? 0 : fail(name->sun_path, strerror(errno));
    unlink(temp->sun_path);
    return err;
}

static int make_listener(const struct sockaddr_un *name, int *listener)
{
    struct sockaddr_un temp = *name;
    size_t n = strlen(temp.sun_path);
    uint32_t random = 0; /* so that nobody else has the name in a folder for all */
    if (getrandom(&random, sizeof random, 0) < 0)
        random = (uint32_t)getpid();
    snprintf(temp.sun_path + n, sizeof temp.sun_path - n, ".%" PRIx32, random);
    int err = clear(name);
    if (err)
        return err;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return rn_fail(RN_EINTERNAL, "cannot make a socket: %s", strerror(errno));
    err = listen_as(name, &temp, fd);
    if (err)
        close(fd);
    else
        *listener = fd;
    return err;
}

static bool is_locked_within(int folder, double seconds)
{
    double end = rn_clock() + seconds;
    while (flock(folder, LOCK_EX | LOCK_NB)) {
        if (errno != EWOULDBLOCK && errno != EINTR)
            return true; /* the file system has no locks */
        if (rn_clock() > end)
            return false;
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    }
    return true;
}

static int open_folder(const char *path, int *folder)
{
    char why[RN_PRIVATE_WHY];
    RN_OWNED(rn_free_owned) char *name = rn_path_beside(path, ".");
    *folder = name ? rn_private_folder(name, RN_PRIVATE_SHARED, why) : -1;
    int err = !name ? rn_fail_memory() : *folder < 0 ? fail(path, why) : 0;
    if (err || is_locked_within(*folder, LOCK_TIME))
        return err;
    return fail(path, "another program holds its folder locked");
}

/* Makes a socket that listens under a name. At no time can another user connect, and the name never
 * exists without a listener. *listener: its descriptor; -1 after an error. */
static int take_name(const char *path, int *listener)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    struct stat st;
    RN_OWNED(rn_close_owned) int folder = -1;
    *listener = -1;
    if (strlen(path) + SUFFIX > sizeof name.sun_path)
        return fail(path, "the name is too long for a socket: 95 bytes at most");
    memcpy(name.sun_path, path, strlen(path) + 1);
    int err = open_folder(path, &folder);
    if (err)
        return err;
    err = make_listener(&name, listener);
    if (!err && !lstat(path, &st)) {
        ours = name;
        dev = st.st_dev;
        ino = st.st_ino;
        atomic_store(&taken, true);
    }
    return err;
}

void rn_play_ipc_name_remove(void)
{
    struct stat st;
    if (!atomic_exchange(&taken, false))
        return;
    if (!lstat(ours.sun_path, &st) && st.st_dev == dev && st.st_ino == ino)
        unlink(ours.sun_path);
}

/* ---- a client; the lock is held */

static void hang_up(struct client *c)
{
    rn_close_owned(&c->fd);
    c->fd = -1;
    c->ended = true;
    c->nout = 0;
}

static void release(struct client *c)
{
    hang_up(c);
    free(c->in);
    free(c->out);
    *c = (struct client){.fd = -1};
}

/* Drops what was received of a line that is too long. */
static void skip(struct client *c)
{
    char *end = memchr(c->in, '\n', c->nin);
    size_t n = end ? (size_t)(end + 1 - c->in) : c->nin;
    memmove(c->in, c->in + n, c->nin - n);
    c->nin -= n;
    c->skips = !end;
}

static void receive(struct rn_play_ipc *ipc, struct client *c)
{
    ssize_t n = recv(c->fd, c->in + c->nin, RN_IPC_LINE - c->nin, MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))
        return;
    if (n < 0)
        hang_up(c);
    c->ended |= n <= 0;
    c->nin += n > 0 ? (size_t)n : 0;
    if (c->skips)
        skip(c);
    if (c->nin == RN_IPC_LINE && !memchr(c->in, '\n', c->nin)) {
        c->nin = 0;
        c->skips = c->too_long = true;
    }
    if (!ipc->told && ipc->news)
        ipc->news();
    ipc->told = true;
}

static void transmit(struct client *c)
{
    ssize_t n = send(c->fd, c->out, c->nout, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (n > 0) {
        c->nout -= (size_t)n;
        memmove(c->out, c->out + n, c->nout);
    } else if (n < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) {
        c->deaf = true;
        c->nout = 0;
    }
}

/* ---- the thread */

static bool reads(const struct client *c)
{
    return !c->ended && !c->too_long && c->nin < RN_IPC_LINE;
}

static void take_client(struct rn_play_ipc *ipc)
{
    int fd = accept4(ipc->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK), i = 0;
    ipc->exhausted = fd < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOBUFS);
    while (fd >= 0 && ipc->client[i].used)
        i++;
    char *in = fd < 0 ? NULL : malloc(RN_IPC_LINE);
    if (in)
        ipc->client[i] = (struct client){.fd = fd, .used = true, .in = in};
    else if (fd >= 0)
        close(fd);
}

static void *serve(void *arg)
{
    struct rn_play_ipc *ipc = arg;
    struct pollfd fds[RN_IPC_CLIENTS + 2];
    RN_LOCKED(&ipc->lock);
    while (!ipc->stop) {
        /* Those that nothing is wanted of now are not looked at: what they have sent stays where it
         * is, even if they have gone. */
        bool room = false;
        for (int i = 0; i < RN_IPC_CLIENTS; i++) {
            struct client *c = &ipc->client[i];
            if (c->used && c->told && !c->nout)
                release(c);
            room |= !c->used;
            short wanted = (short)((reads(c) ? POLLIN : 0) | (c->nout ? POLLOUT : 0));
            fds[i] = (struct pollfd){c->used && wanted ? c->fd : -1, wanted, 0};
        }
        bool takes = !ipc->exhausted && room;
        fds[RN_IPC_CLIENTS] = (struct pollfd){takes ? ipc->listener : -1, POLLIN, 0};
        fds[RN_IPC_CLIENTS + 1] = (struct pollfd){ipc->wake[0], POLLIN, 0};
        int wait = ipc->exhausted ? RETRY_MS : -1;
        pthread_mutex_unlock(&ipc->lock);
        int n = poll(fds, RN_IPC_CLIENTS + 2, wait);
        pthread_mutex_lock(&ipc->lock);
        ipc->exhausted = false;
        if (n <= 0)
            continue;
        if (fds[RN_IPC_CLIENTS + 1].revents) {
            char wakes[64];
            while (read(ipc->wake[0], wakes, sizeof wakes) > 0)
                continue;
        }
        for (int i = 0; i < RN_IPC_CLIENTS; i++) {
            short events = fds[i].revents;
            if (ipc->client[i].fd >= 0 && ipc->client[i].nout && events & ~POLLIN)
                transmit(&ipc->client[i]);
            if (ipc->client[i].fd >= 0 && reads(&ipc->client[i]) && events & ~POLLOUT)
                receive(ipc, &ipc->client[i]);
        }
        if (fds[RN_IPC_CLIENTS].revents)
            take_client(ipc);
    }
    return NULL;
}

static void rouse(struct rn_play_ipc *ipc)
{
    while (write(ipc->wake[1], "", 1) < 0 && errno == EINTR)
        continue; /* a full pipe wakes as well */
}

/* ---- for the player */

int rn_play_ipc_open(struct rn_play_ipc **out, const char *path)
{
    struct rn_play_ipc *ipc = *out = calloc(1, sizeof *ipc);
    if (!ipc)
        return rn_fail_memory();
    for (int i = 0; i < RN_IPC_CLIENTS; i++)
        ipc->client[i].fd = -1;
    ipc->wake[0] = ipc->wake[1] = -1;
    pthread_mutex_init(&ipc->lock, NULL);
    int err = take_name(path, &ipc->listener);
    if (!err && pipe2(ipc->wake, O_CLOEXEC | O_NONBLOCK))
        err = rn_fail(RN_EINTERNAL, "cannot make a pipe: %s", strerror(errno));
    err = err ? err : rn_thread_start(&ipc->thread, "ipc", serve, ipc);
    if (err)
        rn_play_ipc_close(&ipc);
    *out = ipc;
    return err;
}

void rn_play_ipc_when_news(struct rn_play_ipc *ipc, void (*wake)(void))
{
    RN_LOCKED(&ipc->lock);
    ipc->news = wake;
    ipc->told = false;
}

/* Takes the text before the first newline, or the rest at the end. NULL: none, or out of memory,
 * and it stays. */
static char *cut_line(struct client *c, size_t *length)
{
    char *end = memchr(c->in, '\n', c->nin);
    if (!end && !(c->ended && c->nin))
        return NULL;
    *length = end ? (size_t)(end - c->in) : c->nin;
    char *text = malloc(*length + 1);
    if (!text)
        return NULL;
    memcpy(text, c->in, *length);
    text[*length] = '\0';
    size_t n = *length + (end ? 1 : 0);
    memmove(c->in, c->in + n, c->nin - n);
    c->nin -= n;
    return text;
}

enum rn_play_ipc_news rn_play_ipc_take(struct rn_play_ipc *ipc, int client, char **text,
                                       size_t *length)
{
    struct client *c = &ipc->client[client];
    enum rn_play_ipc_news news = RN_IPC_NOTHING;
    pthread_mutex_lock(&ipc->lock);
    ipc->told = false;
    bool open = c->used && !c->told;
    if (open && (*text = cut_line(c, length)) != NULL)
        news = RN_IPC_LINE_CAME;
    else if (open && c->too_long)
        news = RN_IPC_TOO_LONG;
    else if (open && c->ended)
        news = RN_IPC_GONE;
    c->too_long &= news != RN_IPC_TOO_LONG;
    c->told |= news == RN_IPC_GONE;
    pthread_mutex_unlock(&ipc->lock);
    if (news != RN_IPC_NOTHING)
        rouse(ipc); /* there is space to receive, or a slot is free */
    return news;
}

/* Returns false when out of memory. */
static bool append(struct client *c, const char *text, size_t n)
{
    if (!rn_reserve(&c->out, &c->capacity, c->nout + n + 1, 1))
        return false;
    memcpy(c->out + c->nout, text, n);
    c->out[c->nout + n] = '\n';
    c->nout += n + 1;
    return true;
}

void rn_play_ipc_send(struct rn_play_ipc *ipc, int client, const char *text)
{
    size_t n = strlen(text);
    bool dropped = false;
    pthread_mutex_lock(&ipc->lock);
    struct client *c = &ipc->client[client];
    if (c->used && !c->told && c->fd >= 0 && !c->deaf)
        dropped = c->nout + n > RN_IPC_BEHIND || !append(c, text, n);
    if (dropped)
        hang_up(c);
    pthread_mutex_unlock(&ipc->lock);
    if (dropped)
        rn_log(RN_LOG_WARNING, "--ipc: a client does not read what is sent to it: it is dropped");
    rouse(ipc);
}

void rn_play_ipc_close(struct rn_play_ipc **ipc_)
{
    struct rn_play_ipc *ipc = rn_take_owned(ipc_);
    if (!ipc)
        return;
    pthread_mutex_lock(&ipc->lock);
    ipc->stop = true;
    pthread_mutex_unlock(&ipc->lock);
    rouse(ipc);
    rn_thread_join(&ipc->thread);
    if (ipc->listener >= 0) /* else the name may be that of another socket */
        rn_play_ipc_name_remove();
    for (int i = 0; i < RN_IPC_CLIENTS; i++) {
        struct client *c = &ipc->client[i];
        if (c->fd >= 0 && c->nout)
            transmit(c);
        release(c);
    }
    const int fds[] = {ipc->listener, ipc->wake[0], ipc->wake[1]}; /* -1 where opening failed */
    for (int i = 0; i < 3; i++)
        rn_close_owned(&fds[i]);
    pthread_mutex_destroy(&ipc->lock);
    free(ipc);
}
