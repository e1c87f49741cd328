/* SPDX-License-Identifier: MIT */
/* Takes the rights from a process that decoding a file does not need, so that a hostile file gains
 * nothing. Call it in a decoder process (child.h). Linux only; sanitizers need more rights and keep
 * most.
 *
 * What the kernel, or the build, does not have at all is done without: the file is read all the
 * same, and rn_io_confinement tells. What it has, and this process cannot get, is a refusal. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum rn_io_confined {
    RN_CONFINED_FILES = 1, /* by Landlock: no file, program or connection */
    RN_CONFINED_CALLS = 2, /* by seccomp: the system calls of decoders alone */
};

/* What can be had here: a mask of enum rn_io_confined. */
unsigned rn_io_confinement(void);

/* Confines the calling process: it writes no file, dumps no core, has at most max_files descriptors
 * and sends through `socket` alone. It may only make the system calls of decoders: no open(), no
 * new process. Call it before any thread runs. opens: a file that a library is still to open by its
 * name; call it again, with NULL, when that is done. NULL: none. Returns NULL, or what could not be
 * had, in a few words: the process must not read then. */
const char *rn_io_confine(int socket, int max_files, const char *opens);

/* The private writable memory of this process, in bytes; 0: unknown. */
int64_t rn_io_memory_private(void);

/* Limits the memory that the process may allocate after rn_io_confine, for a file of file_size
 * bytes with `pixels` bytes of samples. Allocations beyond the limit fail. */
void rn_io_confine_memory(uint64_t file_size, uint64_t pixels);

/* ---- Landlock of Linux (since 5.19)
 *
 * A process, or one of its threads, gives up files, programs, connections and signals to others,
 * for good. What it starts later has no more rights than it. Descriptors that are open keep what
 * they can do.
 *
 * Not covered: looking at files (stat), their permissions and times, UDP, sockets with a name in
 * the file system.
 *
 * Where the kernel has no Landlock, all of this does nothing and succeeds. */

/* What may be done with a file or, if the path is a folder, with all that is in it. The numbers are
 * those of the kernel's interface. */
enum rn_io_right {
    RN_MAY_RUN = 1 << 0,                       /* execute programs */
    RN_MAY_WRITE = 1 << 1 | 1 << 14 | 1 << 15, /* also truncate and ioctl() */
    RN_MAY_READ = 1 << 2 | 1 << 3 | 1 << 15,   /* also list folders */
    /* Make files, folders and links, remove and rename them. */
    RN_MAY_MAKE = 1 << 4 | 1 << 5 | 1 << 7 | 1 << 8 | 1 << 12 | 1 << 13,
};

/* Rules for the whole process, and the narrower ones for its threads that read untrusted files. */
struct rn_io_domain {
    int process, reader; /* -1: none */
    int error;           /* errno of the first failure */
};

/* The version of the kernel's Landlock; 0: it has none that can be used. */
int rn_io_landlock(void);

/* Begins rules that allow nothing. online: TCP connections stay allowed (offline from Linux 6.7
 * on). End them with rn_io_domain_enter. */
void rn_io_domain_begin(struct rn_io_domain *d, bool online);

/* Allows what is at path (links are followed; what is missing is passed over), or the file of a
 * descriptor, to the process and to its readers: masks of enum rn_io_right. */
void rn_io_domain_allow(struct rn_io_domain *d, const char *path, unsigned process,
                        unsigned reader);
void rn_io_domain_allow_fd(struct rn_io_domain *d, int fd, unsigned process, unsigned reader);

/* Puts the rules of the process into force, for the calling thread and the threads that it starts:
 * call it before any thread runs. Returns 0, or an errno: nothing is confined then. */
int rn_io_domain_enter(struct rn_io_domain *d);

/* Gives the calling thread, and the threads and processes that it starts, the readers' rules, if
 * rn_io_domain_enter was called. Returns 0 or an errno. */
int rn_io_domain_narrow(void);

/* Calls body(arg) in a thread with the readers' rules, and waits for it; in this one if there are
 * no such rules. Returns what body returns, or RN_EINTERNAL (logged). */
int rn_io_domain_call(int (*body)(void *arg), void *arg);
