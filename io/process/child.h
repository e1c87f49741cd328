/* Processes of this program that read for it what strangers wrote: whatever happens to one is an
 * unreadable file here. Each is the same program, executed once more with a hidden command: it
 * shares neither memory nor locks with its parent, which may run any threads when it starts one.
 * What it then gives up is in confine.h. */
#ifndef RN_IO_PROCESS_CHILD_H
#define RN_IO_PROCESS_CHILD_H

#include <sys/types.h>

#define RN_CHILD_MARK "RUNNEL_CHILD" /* set in the environment of one */

/* Its descriptors. 0, 1 and 2 are /dev/null, and there are no others. */
enum { RN_CHILD_SOCKET = 3, RN_CHILD_MEMORY = 4, RN_CHILD_FIRST_FREE = 5 };

struct rn_io_child {
    pid_t pid;  /* 0: there is none */
    int socket; /* to it; -1 */
};

/* What this program was executed from; "" if that cannot be told. Static. */
const char *rn_io_child_own_program(void);

/* Executes program with the arguments argv, which end with NULL, at the other end of a socket of
 * the type SOCK_STREAM or SOCK_SEQPACKET. memory: a descriptor that becomes RN_CHILD_MEMORY; -1:
 * none. The child takes neither SIGINT nor SIGTERM nor SIGHUP: they are the parent's to act on.
 * Returns 0, or an errno: then there is no child. */
int rn_io_child_start(struct rn_io_child *child, const char *program, char *const argv[], int type,
                      int memory);

/* Ends it, whatever it is at. Nothing is done where there is none. */
void rn_io_child_end(struct rn_io_child *child);

/* Moves a descriptor beyond those of a child; -1 stays. Returns -1 and errno on failure; the old
 * one is closed in any case. */
int rn_io_child_lift(int fd);

#endif
