#define _GNU_SOURCE /* O_PATH */
#include "io/process/landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The kernel's interface, by its numbers: headers of the system that builds may be older than the
 * kernel that runs. The numbers of the calls are those of all architectures. */
enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446 };
enum { TELL_VERSION = 1, RULE_OF_PATH = 1 };
enum {
    EXECUTE = 1 << 0,
    WRITE_FILE = 1 << 1,
    READ_FILE = 1 << 2,
    READ_DIR = 1 << 3,
    REMOVE_DIR = 1 << 4,
    REMOVE_FILE = 1 << 5,
    MAKE_DIR = 1 << 7,
    MAKE_REG = 1 << 8,
    REFER = 1 << 13,
    TRUNCATE = 1 << 14, /* since version 3 */
    IOCTL_DEV = 1 << 15 /* since version 5 */
};
enum { CONNECT_TCP = 1 << 1 };               /* since version 4 */
enum { ABSTRACT_SOCKET = 1, SIGNAL_OTHERS }; /* since version 6 */

struct ruleset {
    uint64_t files, net, scopes;
};

struct rule {
    uint64_t allowed;
    int32_t folder;
} __attribute__((packed));

#define OF_FILES (EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV)

static const struct {
    enum rn_io_may may;
    uint64_t is;
} rights[] = {
    {RN_MAY_READ, READ_FILE},
    {RN_MAY_LIST, READ_DIR},
    {RN_MAY_WRITE, WRITE_FILE | TRUNCATE},
    {RN_MAY_MAKE, MAKE_REG | MAKE_DIR | REMOVE_FILE | REMOVE_DIR | REFER},
    {RN_MAY_UNLIST, REMOVE_DIR},
    {RN_MAY_EXECUTE, EXECUTE},
    {RN_MAY_CONTROL, IOCTL_DEV},
};

static int kept = -1; /* the readers' rules, from before threads run */

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

static int create(struct rn_io_domain *d, const struct ruleset *rules)
{
    int fd = d->error ? -1 : (int)syscall(CREATE_RULESET, rules, sizeof *rules, 0);
    if (fd < 0 && !d->error)
        d->error = errno;
    return fd; /* closes on exec */
}

void rn_io_domain_begin(struct rn_io_domain *d, bool offline)
{
    int version = rn_io_landlock();
    struct ruleset rules = {.files = known_rights(version)};
    *d = (struct rn_io_domain){-1, -1, 0};
    if (!version)
        return;
    if (version >= 4 && offline)
        rules.net = CONNECT_TCP;
    if (version >= 6)
        rules.scopes = ABSTRACT_SOCKET | SIGNAL_OTHERS;
    d->process = create(d, &rules);
    rules.scopes = 0; /* the threads of the process may signal each other */
    d->reader = create(d, &rules);
}

static void add(struct rn_io_domain *d, int rules, int fd, mode_t mode, unsigned may)
{
    struct rule rule = {.folder = fd};
    for (size_t i = 0; i < sizeof rights / sizeof *rights; i++)
        rule.allowed |= may & rights[i].may ? rights[i].is : 0;
    rule.allowed &= known_rights(rn_io_landlock()) & (S_ISDIR(mode) ? UINT64_MAX : OF_FILES);
    /* EBADFD: pipes and sockets have no place in the file system, and are not restricted. */
    if (rule.allowed && syscall(ADD_RULE, rules, RULE_OF_PATH, &rule, 0) && errno != EBADFD &&
        !d->error)
        d->error = errno;
}

void rn_io_domain_allow_fd(struct rn_io_domain *d, int fd, unsigned process, unsigned reader)
{
    struct stat st;
    if (d->process < 0 || d->reader < 0 || fd < 0 || fstat(fd, &st))
        return;
    add(d, d->process, fd, st.st_mode, process);
    add(d, d->reader, fd, st.st_mode, reader);
}

void rn_io_domain_allow(struct rn_io_domain *d, const char *path, unsigned process, unsigned reader)
{
    int fd = d->process < 0 ? -1 : open(path, O_PATH | O_CLOEXEC);
    rn_io_domain_allow_fd(d, fd, process, reader);
    if (fd >= 0)
        close(fd);
}

/* What is executed gets no more rights from now on, as by set-user-ID: Landlock demands that. */
static int restrict_to(int rules)
{
    if (rules < 0)
        return 0;
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || syscall(RESTRICT_SELF, rules, 0) ? errno : 0;
}

int rn_io_domain_enter(struct rn_io_domain *d, bool keep)
{
    int err = d->error ? d->error : restrict_to(d->process);
    if (d->process >= 0)
        close(d->process);
    if (!err && keep)
        kept = d->reader;
    else if (d->reader >= 0)
        close(d->reader);
    return err;
}

int rn_io_domain_narrow(void)
{
    return restrict_to(kept);
}
