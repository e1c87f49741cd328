/* Landlock of Linux (since 5.19): a process and its threads give up files, programs, connections
 * and signals to others, for good. Only what was allowed before stays possible; descriptors that
 * are open keep what they can do.
 *
 * A domain has two sets of rules. That of the process holds for the thread that enters it, and for
 * the threads and processes that it starts later. That of readers allows less, and is for the
 * threads that take apart foreign bytes: each enters it by rn_io_domain_narrow.
 *
 * Not covered by Landlock: looking at files (stat), their permissions and times, UDP, sockets with
 * a name in the file system. Threads share memory: code of an attacker in a reader's thread can use
 * the other threads, and has the rights of the process then. */
#ifndef RN_IO_PROCESS_LANDLOCK_H
#define RN_IO_PROCESS_LANDLOCK_H

#include <stdbool.h>

enum rn_io_may {
    RN_MAY_READ = 1 << 0,
    RN_MAY_LIST = 1 << 1,    /* the names in a folder */
    RN_MAY_WRITE = 1 << 2,   /* files that are there, devices and pipes */
    RN_MAY_MAKE = 1 << 3,    /* and remove, and rename: files and folders */
    RN_MAY_UNLIST = 1 << 4,  /* remove empty folders */
    RN_MAY_EXECUTE = 1 << 5, /* start as a program */
    RN_MAY_CONTROL = 1 << 6, /* ioctl() of a device */
    RN_MAY_SEE = RN_MAY_READ | RN_MAY_LIST,
    RN_MAY_CHANGE = RN_MAY_SEE | RN_MAY_WRITE | RN_MAY_MAKE,
};

struct rn_io_domain {
    int process, reader; /* sets of rules; -1: none */
    int error;           /* the first errno; 0: none */
};

/* The version of the kernel's Landlock; 0: it has none that can be used. */
int rn_io_landlock(void);

/* Begins a domain in which nothing is allowed. offline: no TCP connection can be made. Where there
 * is no Landlock nothing happens, here and below. */
void rn_io_domain_begin(struct rn_io_domain *domain, bool offline);

/* Allows a file, or a folder with all that is in it: masks of enum rn_io_may. Links are followed; a
 * missing file is passed over. */
void rn_io_domain_allow(struct rn_io_domain *domain, const char *path, unsigned process,
                        unsigned reader);
void rn_io_domain_allow_fd(struct rn_io_domain *domain, int fd, unsigned process, unsigned reader);

/* The calling thread enters the domain of the process, and closes the domain. keep: threads will
 * call rn_io_domain_narrow. Returns 0 or an errno: the process is not confined then. */
int rn_io_domain_enter(struct rn_io_domain *domain, bool keep);

/* The calling thread enters the domain of readers that was kept; without one nothing happens.
 * Returns 0 or an errno. */
int rn_io_domain_narrow(void);

#endif
