/* SPDX-License-Identifier: MIT */
/* Finds the place of an output: the folder and the name in it, with all links followed.
 *
 * A link stays a link, also one that dangles: the file that it names is written. Each part of a
 * path is looked up by itself and the folder is held open, so that a user who may write to a folder
 * above cannot lead the output elsewhere between the check and the use. In a folder that everybody
 * may write, links and pipes of other users are refused, as by the kernel's fs.protected_symlinks
 * and protected_fifos, which know only folders with the sticky bit.
 *
 * The system's names of open descriptors (/dev/stdout, /dev/fd/3, /proc/self/fd/3) and files that
 * are not regular are special: they are written to, never replaced. They are held open, so that the
 * file that was checked is the file that is written. */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

struct rn_outplace {
    int dir;          /* the folder, opened with O_PATH; -1: not open */
    char *path;       /* the name as given or, if that is a link, the one that it leads to */
    const char *base; /* the last part of path */
    bool exists;
    bool special;   /* exists, and is no regular file, or is an open descriptor */
    int descriptor; /* of this process, if path is one of its names; else -1 */
    int opened;     /* what is special, opened with O_PATH; else -1 */
    struct stat st; /* if it exists */
};
#define RN_NO_PLACE ((struct rn_outplace){.dir = -1, .descriptor = -1, .opened = -1})

/* Finds the place of path. Logs nothing. Returns 0, or an errno: that of the system, ELOOP, EPERM
 * for somebody else's link or pipe, EISDIR, EBADF for a descriptor that is not open for writing or
 * that the caller was not started with. After an error there is nothing to free. Any thread. */
int rn_outplace_find(struct rn_outplace *place, const char *path);

/* Gets a name under which fd's file can be opened any number of times, also where fd has O_PATH.
 * Returns false without /proc. */
bool rn_outplace_name_of(int fd, char name[32]);

/* Returns how many bytes of a name, at most `most`, end with a whole character: file systems that
 * know characters (vfat, NTFS) refuse half ones. */
size_t rn_outplace_cut(const char *name, size_t most);

/* Makes name of base: with a word before the extension, and a number above 1, NAME.word-2.EXT; cut
 * to the length of a name. word "": NAME.EXT, NAME-2.EXT. */
void rn_outplace_insert_word(char name[NAME_MAX + 1], const char *base, const char *word,
                             int number);

/* Logs why the place of path could not be found. Returns RN_EOUTPUT or RN_EINTERNAL. */
int rn_outplace_fail(const char *path, int code);

/* True for a file (or link) of neither the caller nor the owner of the folder dir, which may be
 * written by everybody. */
bool rn_outplace_is_foreign(int dir, const struct stat *st);

/* Closes and frees. A zeroed struct with dir and opened -1 is legal. */
void rn_outplace_free(struct rn_outplace *place);
