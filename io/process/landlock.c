/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* O_PATH */
#include "io/process/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "filters/base/log.h"
#include "filters/base/owned.h"
#include "filters/base/threads/thread.h"

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

int rn_io_landlock_close(const char *opens)
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
