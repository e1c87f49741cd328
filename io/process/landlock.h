/* Landlock of Linux (since 5.19): a process gives up files, programs, connections and signals to
 * others, for good. Descriptors that are open keep what they can do.
 *
 * Not covered: looking at files (stat), their permissions and times, UDP, sockets with a name in
 * the file system. */
#ifndef RN_IO_PROCESS_LANDLOCK_H
#define RN_IO_PROCESS_LANDLOCK_H

/* The version of the kernel's Landlock; 0: it has none that can be used. */
int rn_io_landlock(void);

/* The calling thread, and what it starts later, may open no file, but read `opens` if that is not
 * NULL (links are followed; a missing file is passed over). Returns 0, also where there is no
 * Landlock, or an errno: the thread is not confined then. */
int rn_io_landlock_close(const char *opens);

#endif
