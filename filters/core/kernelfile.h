/* A user's kernel file: its text and what it declares in lines of its own.
 *
 *     //@param NAME MIN MAX STEP DEFAULT [help]    a parameter, seen by its name as a float
 *     //@reach N                                   how far PIXEL goes from its sample, 0..64
 */
#ifndef RN_KERNELFILE_H
#define RN_KERNELFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#define RN_MAX_DECLARED 16  /* parameters */
#define RN_MAX_REACH    64  /* samples */
#define RN_WHY          512 /* bytes of a message */

struct rn_declared {
    const char *name, *help; /* interned */
    double min, max, step, def;
};

/* Tells one state of a file from another, also where it was replaced by renaming. */
struct rn_stamp {
    struct timespec written, changed; /* contents; contents or inode */
    uint64_t size, inode, device;
};

struct rn_kernel_file {
    char *text; /* owned; NULL: nothing was read */
    struct rn_stamp stamp;
    uint64_t hash; /* of text, FNV-1a */
    int n;
    struct rn_declared param[RN_MAX_DECLARED];
    int reach;
};

/* Reads the file and its declarations. file: overwritten; a text is there even where only the
 * declarations are wrong. Returns 0, or RN_EUSAGE with the reason in why (RN_WHY bytes, one line,
 * "FILE:LINE: ..." where it is in a line), or RN_EINTERNAL (logged). */
int rn_kernel_file_read(struct rn_kernel_file *file, const char *path, char *why);
void rn_kernel_file_free(struct rn_kernel_file *file);

/* Gets the stamp of the file. Returns false if there is no such file (now). */
bool rn_stamp_get(struct rn_stamp *stamp, const char *path);
bool rn_stamp_equal(const struct rn_stamp *a, const struct rn_stamp *b);

/* True if the file changed so lately that another change may have left the same stamp: the clock of
 * files ticks in milliseconds, on some file systems in seconds. */
bool rn_stamp_fresh(const struct rn_stamp *stamp);

#endif
