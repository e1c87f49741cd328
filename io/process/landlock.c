#define _GNU_SOURCE /* O_PATH */
#include "io/process/landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The kernel's interface, by its numbers: headers of the system that builds may be older than the
 * kernel that runs. The numbers of the calls are those of all architectures. */
enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446 };
enum { TELL_VERSION = 1, RULE_OF_PATH = 1 };
enum {
    READ_FILE = 1 << 2,
    TRUNCATE = 1 << 14, /* since version 3 */
    IOCTL_DEV = 1 << 15 /* since version 5 */
};
enum { CONNECT_TCP = 1 << 1 };               /* since version 4 */
enum { ABSTRACT_SOCKET = 1, SIGNAL_OTHERS }; /* since version 6 */

struct ruleset {
    uint64_t files, net, scopes; /* what is forbidden, unless a rule allows it */
};

struct rule {
    uint64_t allowed;
    int32_t file;
} __attribute__((packed));

/* Version 1 moves no file to another folder, whatever is allowed. */
int rn_io_landlock(void)
{
    long version = syscall(CREATE_RULESET, NULL, 0, TELL_VERSION);
    return version < 2 ? 0 : (int)version;
}

/* What is executed gets no more rights from now on, as by set-user-ID: Landlock demands that. */
static int restrict_to(int rules)
{
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || syscall(RESTRICT_SELF, rules, 0) ? errno : 0;
}

int rn_io_landlock_close(const char *opens)
{
    int version = rn_io_landlock(), err = 0;
    if (!version)
        return 0;
    const struct ruleset forbidden = {
        .files = (version < 3   ? TRUNCATE
                  : version < 5 ? IOCTL_DEV
                                : 1 << 16) -
                 1,
        .net = version >= 4 ? CONNECT_TCP : 0,
        .scopes = version >= 6 ? ABSTRACT_SOCKET | SIGNAL_OTHERS : 0,
    };
    int rules = (int)syscall(CREATE_RULESET, &forbidden, sizeof forbidden, 0); /* closes on exec */
    if (rules < 0)
        return errno;
    struct rule rule = {READ_FILE, opens ? open(opens, O_PATH | O_CLOEXEC) : -1};
    /* EBADFD: pipes and sockets have no place in the file system, and are not restricted. */
    if (rule.file >= 0 && syscall(ADD_RULE, rules, RULE_OF_PATH, &rule, 0) && errno != EBADFD)
        err = errno;
    err = err ? err : restrict_to(rules);
    if (rule.file >= 0)
        close(rule.file);
    close(rules);
    return err;
}
