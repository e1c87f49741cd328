/* SPDX-License-Identifier: MIT */
/* Child processes that read untrusted files for this program: if one crashes, its file counts as
 * unreadable. A child is the same program, executed again with a hidden command. It shares neither
 * memory nor locks with its parent, whose threads may run when it starts one. confine.h says which
 * rights a child gives up. */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

#define RN_CHILD_MARK "RUNNEL_CHILD" /* set in the environment of a child */

/* Descriptors of a child. 0, 1 and 2 are /dev/null; it inherits no others. */
enum { RN_CHILD_SOCKET = 3, RN_CHILD_MEMORY = 4, RN_CHILD_FIRST_FREE = 5 };

struct rn_io_child {
    pid_t pid;  /* 0: no child */
    int socket; /* -1: no child */
};

/* Returns the path of this executable; "" if unknown. Static. */
const char *rn_io_child_own_program(void);

/* Sets path to a file beside the object that this code is in, the program or the half of it that
 * was loaded. Returns false if that is unknown. */
bool rn_io_child_beside(const char *name, char path[static PATH_MAX]);

/* How a process is started. */
struct rn_io_spawn {
    int fd[RN_CHILD_FIRST_FREE],
        n;      /* its first n descriptors; -1: /dev/null. Each is open here, and
                                     * >= n unless it stays what it is */
    bool alone; /* it inherits no others */
    bool deaf;  /* it blocks SIGINT, SIGTERM and SIGHUP */
    char **env; /* NULL: that of this process */
};

/* Executes program, which is looked for in PATH if its name has no slash, with argv, which ends
 * with NULL. SIGPIPE and SIGXFSZ end it, whatever they do here. Returns 0 or an errno. */
int rn_io_spawn(pid_t *pid, const char *program, char *const argv[], const struct rn_io_spawn *how);

/* The same with this program and words, each with its zero, the first one its name. */
int rn_io_spawn_own(pid_t *pid, const char *words, size_t size, const struct rn_io_spawn *how);

/* Executes program with argv, which ends with NULL, and connects it by a socket of the type
 * SOCK_STREAM or SOCK_SEQPACKET. memory: a descriptor that becomes RN_CHILD_MEMORY; -1: none. The
 * child blocks SIGINT, SIGTERM and SIGHUP: only the parent acts on them. Returns 0 or an errno; on
 * failure there is no child. */
int rn_io_child_start(struct rn_io_child *child, const char *program, char *const argv[], int type,
                      int memory);

/* Receives n bytes from a child with SOCK_STREAM, fewer at the end. Returns how many. */
size_t rn_io_child_receive(const struct rn_io_child *child, void *to, size_t n);

/* In a child: sends n bytes to the parent. Returns false if that has gone. */
bool rn_io_child_send(const void *data, size_t n);

/* Kills the child, if there is one. */
void rn_io_child_end(struct rn_io_child *child);

/* Duplicates a descriptor above those of a child, and closes fd also on failure. -1 stays -1.
 * Returns -1 and errno on failure. */
int rn_io_child_lift(int fd);
